package host_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/protocol"
)

// wire sees every datagram at the server's socket and at its players', and holds what is seen to the rules of the lane (the
// given pages), to those of who has proven his address (page Connection), and to what a client tells of it.
type wire struct {
	mu     sync.Mutex
	faults []string
	peers  map[netip.AddrPort]*peer
	lanes  map[uint64]*laneEnd // the server's ends, by token
	trace  trace
	heard  [][]byte // the last of what players have sent, for those who send it again
	stall  stall
}

// peer is an address that the server's socket speaks with.
type peer struct {
	in, out int // bytes, until it is proven
	cookies map[[24]byte]bool
	proven  bool
	token   uint64 // of the connection there, 0: none
	moving  uint64 // of the one that has asked to go on there, 0: none
}

// laneEnd is one end of a connection's lane: what it sends, and what reaches it.
type laneEnd struct {
	sent, acked uint32            // newest event that has left, newest ack that has come
	sums        map[uint32]uint64 // of what is not acked
	came, told  uint32            // newest event that has come without a gap, newest ack that has left
}

// maxUnacked is the given limit of a lane.
const maxUnacked = 512

var sumSeed = maphash.MakeSeed()

// sends takes an event that leaves: each for the first time in its turn, and the same again whenever it is sent again.
func (l *laneEnd) sends(event uint32, b []byte) (fault string) {
	sum := maphash.Bytes(sumSeed, b)
	switch {
	case event > l.sent+1:
		return fmt.Sprintf("event %d leaves after %d", event, l.sent)
	case event == l.sent+1:
		l.sent++
		l.sums[event] = sum
	case event > l.acked && l.sums[event] != sum:
		return fmt.Sprintf("event %d is another when it is sent again", event)
	}
	if n := l.sent - l.acked; n > maxUnacked {
		return fmt.Sprintf("%d events are not acknowledged", n)
	}
	return ""
}

// acknowledged takes an ack that comes. One of what was not sent yet is for the receiver to drop.
func (l *laneEnd) acknowledged(ack uint32) {
	for ack <= l.sent && l.acked < ack {
		l.acked++
		delete(l.sums, l.acked)
	}
}

// receives says whether an event that comes is the next one.
func (l *laneEnd) receives(event uint32) bool {
	next := event == l.came+1
	if next {
		l.came++
	}
	return next
}

// acks takes an ack that leaves: never of what has not come, never less than before.
func (l *laneEnd) acks(ack uint32) (fault string) {
	switch {
	case ack > l.came:
		return fmt.Sprintf("event %d is acknowledged when %d have come", ack, l.came)
	case ack < l.told:
		return fmt.Sprintf("an ack falls from %d to %d", l.told, ack)
	}
	l.told = ack
	return ""
}

func newLaneEnd() *laneEnd { return &laneEnd{sums: make(map[uint32]uint64)} }

func newWire() *wire {
	return &wire{peers: make(map[netip.AddrPort]*peer), lanes: make(map[uint64]*laneEnd), trace: newTrace()}
}

func (w *wire) faultf(format string, args ...any) {
	w.faults = append(w.faults, time.Now().Format("04:05.000")+": "+fmt.Sprintf(format, args...))
}

// say writes down what a lane's end finds wrong.
func (w *wire) say(who string, token uint64, fault string) {
	if fault != "" {
		w.faultf("%s, connection %x: %s", who, token, fault)
	}
}

func (w *wire) verdict() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.faults[:min(len(w.faults), 20)], "\n")
}

func (w *wire) peerOf(addr netip.AddrPort) *peer {
	p := w.peers[addr]
	if p == nil {
		p = &peer{cookies: make(map[[24]byte]bool)}
		w.peers[addr] = p
	}
	return p
}

// reads takes a datagram that the server reads.
func (w *wire) reads(from netip.AddrPort, b []byte) {
	p := w.peerOf(from)
	p.in += len(b)
	h, row, err := protocol.Peek(b, protocol.ClientToServer)
	if err != nil {
		return
	}
	if row.ID == protocol.IDClientHello {
		if _, m, err := protocol.Decode(b, protocol.ClientToServer); err == nil && p.cookies[m.(*protocol.ClientHello).Cookie] {
			p.proven = true
			if token := m.(*protocol.ClientHello).Resume; token != 0 { // what follows in this batch is of the connection already
				p.moving = token
			}
		}
		return
	}
	l := w.lanes[h.Token]
	if l == nil || p.token != h.Token && p.moving != h.Token {
		return
	}
	if row.HasEvent() {
		l.receives(h.Event)
	}
	if row.ID == protocol.IDClientAck {
		if _, m, err := protocol.Decode(b, protocol.ClientToServer); err == nil {
			l.acknowledged(m.(*protocol.ClientAck).Ack)
		}
	}
}

// writes takes a datagram that the server sends.
func (w *wire) writes(to netip.AddrPort, b []byte) {
	w.trace.note(true, to, b)
	p := w.peerOf(to)
	if p.out += len(b); p.out > p.in && !p.proven {
		w.faultf("%v has sent %d bytes and gets %d, and has proven nothing", to, p.in, p.out)
	}
	h, row, err := protocol.Peek(b, protocol.ServerToClient)
	if err != nil {
		return
	}
	switch row.ID {
	case protocol.IDConnectChallenge:
		p.cookies[must[*protocol.ConnectChallenge](b).Cookie] = true
		return
	case protocol.IDServerHello:
		p.token = must[*protocol.ServerHello](b).Token
		if w.lanes[p.token] == nil {
			w.lanes[p.token] = newLaneEnd()
		}
		return
	}
	l := w.lanes[p.token]
	switch {
	case l == nil:
	case row.HasEvent():
		w.say("the server", p.token, l.sends(h.Event, b))
	case row.ID == protocol.IDServerAck:
		w.say("the server", p.token, l.acks(must[*protocol.ServerAck](b).Ack))
	}
}

// serves is the server's network, watched, which a stall holds up.
type serves struct {
	host.Network
	w *wire
}

func (n serves) ListenPacket(addr string) (udp.Conn, error) {
	conn, err := n.Network.ListenPacket(addr)
	return servesConn{conn, n.w}, err
}

func (n serves) ListenStream(addr string) (net.Listener, error) {
	l, err := n.Network.ListenStream(addr)
	return stalledListener{l, &n.w.stall}, err
}

type servesConn struct {
	udp.Conn
	w *wire
}

func (c servesConn) ReadBatch(ms []udp.Message) (int, error) {
	n, err := c.Conn.ReadBatch(ms)
	c.w.stall.wait()
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	for i := range n {
		c.w.reads(ms[i].Addr, ms[i].Data)
	}
	return n, err
}

func (c servesConn) WriteBatch(ms []udp.Message) (int, error) {
	c.w.stall.wait()
	c.w.mu.Lock()
	for i := range ms {
		for data, rest := udp.Cut(ms[i].Data, ms[i].Segment); ; data, rest = udp.Cut(rest, ms[i].Segment) {
			c.w.writes(ms[i].Addr, data)
			if len(rest) == 0 {
				break
			}
		}
	}
	c.w.mu.Unlock()
	return c.Conn.WriteBatch(ms)
}

// cable is the network of one player, watched. It may be moved behind another address, and be slow to read.
type cable struct {
	memoryClient
	w    *wire
	conn net.Conn // the newest

	mu    sync.Mutex
	slow  time.Time // until then one datagram in 50 ms is read, and one piece of a file in 200 ms
	ends  map[uint64]*laneEnd
	token uint64              // of the newest connection
	nonce uint64              // of the newest ClientHello
	texts map[uint64][]string // ServerMessages that have come, by token, in the order of the lane
	told  map[uint64]int      // how many of them the client has told of
	index map[uint32]uint64   // tokens by player_token
}

func newCable(w *wire, n memoryClient) *cable {
	return &cable{memoryClient: n, w: w, ends: make(map[uint64]*laneEnd), texts: make(map[uint64][]string),
		told: make(map[uint64]int), index: make(map[uint32]uint64)}
}

func (n *cable) DialPacket(ctx context.Context, server string) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	conn, err := n.memoryClient.DialPacket(ctx, server)
	if err != nil {
		return nil, err
	}
	n.conn = conn
	return &cableConn{conn, n}, nil
}

func (n *cable) DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	n.mu.Lock()
	here := n.memoryClient
	n.mu.Unlock()
	conn, err := here.DialStream(ctx, to)
	if err != nil {
		return nil, err
	}
	return &cableStream{conn, n}, nil
}

// move puts the newest socket behind a fresh port of an address.
func (n *cable) move(to netip.Addr) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.from = to
	if n.conn == nil {
		return net.ErrClosed
	}
	_, err := n.mem.Rebind(n.conn, to)
	return err
}

// slows makes the player slow for a while.
func (n *cable) slows(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slow = time.Now().Add(d)
}

func (n *cable) drag(d time.Duration) {
	n.mu.Lock()
	slow := time.Now().Before(n.slow)
	n.mu.Unlock()
	if slow {
		time.Sleep(d)
	}
}

type cableStream struct {
	net.Conn
	n *cable
}

func (c *cableStream) Read(b []byte) (int, error) {
	c.n.drag(200 * time.Millisecond)
	return c.Conn.Read(b)
}

type cableConn struct {
	net.Conn
	n *cable
}

func (c *cableConn) Read(b []byte) (int, error) {
	c.n.drag(50 * time.Millisecond)
	n, err := c.Conn.Read(b)
	if err == nil {
		c.n.reads(b[:n])
	}
	return n, err
}

func (c *cableConn) Write(b []byte) (int, error) {
	c.n.writes(b, c.LocalAddr().(*net.UDPAddr).AddrPort())
	return c.Conn.Write(b)
}

// reads takes a datagram that the player's client reads.
func (n *cable) reads(b []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	h, row, err := protocol.Peek(b, protocol.ServerToClient)
	if err != nil {
		return
	}
	if row.ID == protocol.IDServerHello {
		m := must[*protocol.ServerHello](b)
		if n.ends[m.Token] == nil && m.Nonce == n.nonce { // of another one the client takes nothing either
			n.token, n.ends[m.Token], n.index[m.PlayerToken] = m.Token, newLaneEnd(), m.Token
		}
		return
	}
	l := n.ends[n.token]
	switch {
	case l == nil:
	case row.HasEvent():
		if l.receives(h.Event) && row.ID == protocol.IDServerMessage {
			n.texts[n.token] = append(n.texts[n.token], must[*protocol.ServerMessage](b).Text)
		}
	case row.ID == protocol.IDServerAck:
		l.acknowledged(must[*protocol.ServerAck](b).Ack)
	}
}

// writes takes a datagram that the player's client sends.
func (n *cable) writes(b []byte, from netip.AddrPort) {
	n.w.mu.Lock()
	defer n.w.mu.Unlock()
	n.w.trace.note(false, from, b)
	n.w.heard = append(n.w.heard, slices.Clone(b))
	n.w.heard = n.w.heard[max(0, len(n.w.heard)-64):]
	h, row, err := protocol.Peek(b, protocol.ClientToServer)
	if err != nil {
		n.w.faultf("%v sends what cannot be read: %v", from, err)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if row.ID == protocol.IDClientHello {
		if _, m, err := protocol.Decode(b, protocol.ClientToServer); err == nil {
			n.nonce = m.(*protocol.ClientHello).Nonce
		}
		return
	}
	l := n.ends[h.Token]
	switch {
	case l == nil:
	case row.HasEvent():
		n.w.say("a client", h.Token, l.sends(h.Event, b))
	case row.ID == protocol.IDClientAck:
		_, m, _ := protocol.Decode(b, protocol.ClientToServer)
		n.w.say("a client", h.Token, l.acks(m.(*protocol.ClientAck).Ack))
	}
}

// tells takes a message that the client tells of: each that has come, once and in order.
func (n *cable) tells(player uint32, m client.Message) {
	n.mu.Lock()
	token := n.index[player]
	i, texts := n.told[token], n.texts[token]
	n.told[token]++
	n.mu.Unlock()
	if i >= len(texts) || texts[i] != m.Text {
		n.w.mu.Lock()
		defer n.w.mu.Unlock()
		n.w.faultf("player %d is told %q, which is not message %d of %d that have come", player, m.Text, i, len(texts))
	}
}

// idle says whether nothing of the player's is under way to the server.
func (n *cable) idle() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.ends[n.token]
	return l != nil && l.sent == l.acked && n.told[n.token] == len(n.texts[n.token])
}

// trace is a game's fingerprint: when which kind of packet of which size went where, but not what it says, because tokens,
// nonces and keys are never the same. What happens within one instant has no order in it.
type trace struct {
	began   time.Time
	seconds []uint64 // of each second of the game
	packets int
}

func newTrace() trace { return trace{began: time.Now()} }

func (t *trace) note(out bool, addr netip.AddrPort, b []byte) {
	now := time.Since(t.began)
	for int(now/time.Second) >= len(t.seconds) {
		t.seconds = append(t.seconds, 0)
	}
	h := fnv.New64a()
	ip, flag := addr.Addr().As16(), byte(0)
	if out {
		flag = 1
	}
	h.Write(ip[:])
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(now)))
	h.Write([]byte{byte(addr.Port()), byte(addr.Port() >> 8), flag, b[0], byte(len(b)), byte(len(b) >> 8)})
	t.seconds[now/time.Second] += h.Sum64()
	t.packets++
}

// game is the fingerprint so far.
func (w *wire) game() trace {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.trace
	t.seconds = slices.Clone(t.seconds)
	return t
}

// sum is the whole game in one number.
func (t *trace) sum() (sum uint64) {
	for _, s := range t.seconds {
		sum = sum*1099511628211 + s
	}
	return sum
}

// common is for how many seconds from their beginning two games are the same.
func (t *trace) common(other *trace) int {
	for i := range min(len(t.seconds), len(other.seconds)) {
		if t.seconds[i] != other.seconds[i] {
			return i
		}
	}
	return min(len(t.seconds), len(other.seconds))
}
