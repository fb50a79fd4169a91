package session

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"net/netip"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
	"darqline/protocol/lane"
	"darqline/protocol/pacer"
)

// State of a connection (page Connection, States).
type State uint8

const (
	Unconfirmed State = iota
	PreAuth
	Joined // PreSpawn, Alive or Wasted: the world knows which
	Closing
)

// Conn is one connection. Its identity never changes; all methods may be called from any goroutine.
type Conn struct {
	s      *Sessions
	addr   netip.AddrPort
	nonce  uint64
	token  uint64
	id     uint16
	gen    uint32
	name   string
	serial [32]byte
	locale string
	since  time.Duration

	confirmBy time.Duration // Unconfirmed: then it is forgotten

	signIn    bool     // has to sign in and has not yet
	authNonce [32]byte // of the assertion; zeros once it is used up
	account   string

	state    State
	released bool
	heard    time.Duration // of the last packet that passed decoding
	hello    []byte        // the ServerHello, as it is repeated
	helloes  limit.Bucket

	every, timeout time.Duration // of keepalive and silence, as ServerHello told them

	out       *lane.Sender
	in        lane.Receiver
	pace      pacer.Pacer
	probes    probes
	keepalive time.Duration // of the next one
	next      time.Duration // when tick has something to do
	feeding   feed
	send      func(b []byte)
	bundles   []bundle // that wait for FlushRelays, one a size
	bundled   bool     // s.bundled has it

	malformedN  int
	malformedAt time.Duration
	acks, rest  limit.Bucket // packets a second
	bytes       limit.Bucket
	floodSince  time.Duration
	flooding    bool
}

func newConn(s *Sessions, now time.Duration, id uint16, a *Attempt) *Conn {
	c := &Conn{
		s: s, addr: a.key.addr, nonce: a.key.nonce, token: s.freshToken(), id: id, gen: s.generation,
		name: a.Name, serial: a.hello.Serial, locale: a.Locale, since: now, heard: now,
		every: s.cfg.Keepalive, timeout: s.cfg.Timeout, confirmBy: now + s.cfg.Unconfirmed,
		out: lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetServer, Resend: s.cfg.Resend}),
	}
	c.feeding.c = c
	c.send = func(b []byte) { s.sendBytes(c.addr, b) }
	p := protocol.ServerHello{
		Nonce: c.nonce, Token: c.token, PlayerID: c.id, PlayerToken: c.gen, State: protocol.HelloPreSpawn,
		ClientFilesPort: s.cfg.FilesPort, MaxPlayers: uint16(s.cfg.MaxPlayers),
		Keepalive: uint16(s.cfg.Keepalive / time.Millisecond), Timeout: uint16(s.cfg.Timeout / time.Millisecond),
		BootID: s.bootID, ServerName: s.cfg.ServerName, Name: c.name,
	}
	b, err := s.codec.Append(nil, protocol.Header{}, &p)
	if err != nil {
		s.cfg.Logger.Error("ServerHello does not encode", "error", err)
	}
	c.hello = b
	return c
}

// serverTimeAt is where server_time stands in a ServerHello.
const serverTimeAt = 1 + 8 + 8 + 2 + 4 + 1 + 2 + 2 + 2 + 2

// repeatHello sends the ServerHello, byte for byte the same but for server_time, at most 4 a second.
func (c *Conn) repeatHello(now time.Duration) {
	if !c.helloes.Take(now, 4, 4, 1) || len(c.hello) == 0 {
		return
	}
	binary.LittleEndian.PutUint32(c.hello[serverTimeAt:], uint32(now/time.Millisecond))
	c.s.sendBytes(c.addr, c.hello)
}

// inbound are the packets that come all the time, decoded into the same memory each time.
type inbound struct {
	ack  protocol.ClientAck
	pong protocol.ClientPong
	sync protocol.PlayerSync
}

// decode reads a datagram; nil, true where its layout is not built yet. What comes all the time is valid until the next.
func (s *Sessions) decode(row *protocol.Row, b []byte) (p protocol.Packet, ok bool) {
	switch row.ID {
	case protocol.IDClientAck:
		p = &s.in.ack
	case protocol.IDClientPong:
		p = &s.in.pong
	case protocol.IDPlayerSync:
		p = &s.in.sync
	default:
		if row.New == nil {
			return nil, true
		}
		p = row.New()
	}
	_, err := s.codec.DecodeInto(b, protocol.ClientToServer, p)
	return p, err == nil
}

// receive takes a datagram that has this connection's token, address and a right length.
func (c *Conn) receive(now time.Duration, h protocol.Header, row *protocol.Row, b []byte) {
	if c.overLimit(now, row.ID, len(b)) {
		return
	}
	p, ok := c.s.decode(row, b)
	if !ok {
		c.malformed(now)
		return
	}
	c.heard = now
	if bye, ok := p.(*protocol.ClientBye); ok {
		c.bye(now, bye)
		return
	}
	if c.state == Unconfirmed {
		c.state = Joined
		c.s.events = append(c.s.events, Event{Kind: Confirmed, Conn: c})
	}
	switch p := p.(type) {
	case *protocol.ClientAck:
		if err := c.out.Ack(now, p.Ack); err != nil {
			c.malformed(now)
		}
		return
	case *protocol.ClientPong:
		if rtt, ok := c.probes.pong(now, p.Seq, p.Probe); ok {
			c.out.RTT(rtt)
		}
		return
	case *protocol.PlayerSync:
		if c.state == Joined {
			c.s.frames = append(c.s.frames, *p)
			c.s.events = append(c.s.events, Event{Kind: Received, Conn: c})
		}
		return
	}
	if row.Lane == protocol.Reliable {
		deliver := c.in.Accept(h.Event)
		c.s.ack.Ack = c.in.Ack()
		c.s.send(c.addr, protocol.Header{}, &c.s.ack)
		if !deliver {
			return
		}
	}
	if p != nil && c.applies(row) {
		c.s.events = append(c.s.events, Event{Kind: Received, Conn: c, Packet: p})
	}
}

// applies says whether a packet is applied in the connection's state; a reliable one that is not is acknowledged and
// dropped, another dropped (page Connection, States). What PreSpawn, Alive and Wasted differ in is the world's to say.
func (c *Conn) applies(row *protocol.Row) bool {
	switch row.ID {
	case protocol.IDViewStatus, protocol.IDViewAction:
		return c.state != Closing
	case protocol.IDAuthAssertion:
		return c.state == PreAuth
	}
	return c.state == Joined
}

// overLimit drops what is above the packet limits of a connection; 5 s in a row above them end it (reason flood).
func (c *Conn) overLimit(now time.Duration, id protocol.ID, size int) bool {
	var ok bool
	if id == protocol.IDClientAck {
		ok = c.acks.Take(now, 4000, 8000, 1)
	} else {
		ok = c.rest.Take(now, 800, 1600, 1) && c.bytes.Take(now, 256<<10, 512<<10, float64(size))
	}
	switch {
	case ok:
		if c.flooding && c.recovered(now) {
			c.flooding = false
		}
		return false
	case !c.flooding:
		c.flooding, c.floodSince = true, now
	case now-c.floodSince >= 5*time.Second:
		c.end(now, protocol.ReasonFlood, "", 0, true)
	}
	return true
}

// recovered says that a connection has kept well below its limits for a while: each is half full again.
func (c *Conn) recovered(now time.Duration) bool {
	return c.rest.Left(now, 800, 1600) > 800 && c.acks.Left(now, 4000, 8000) > 4000 &&
		c.bytes.Left(now, 256<<10, 512<<10) > 256<<10
}

func (c *Conn) malformed(now time.Duration) {
	c.s.stats.Malformed++
	if now-c.malformedAt >= malformedWindow {
		c.malformedN, c.malformedAt = 0, now
	}
	c.malformedN++
	if c.malformedN >= malformedLimit {
		c.end(now, protocol.ReasonProtocol, "", 0, true)
	}
}

// tick does what is due on this connection.
func (c *Conn) tick(now time.Duration) {
	switch {
	case c.state == Closing:
		return
	case c.state == Unconfirmed && now >= c.confirmBy:
		c.end(now, protocol.ReasonTimeout, "", 0, false)
		return
	case now >= c.heard+c.timeout:
		c.end(now, protocol.ReasonTimeout, "", 0, true)
		return
	case c.out.Stalled(now) && now >= c.s.patience:
		c.end(now, protocol.ReasonLane, "", 0, true)
		return
	}
	if now >= c.keepalive {
		c.sendKeepalive(now)
	}
	c.flush(now)
}

// flush feeds the lane from the pacer and sends what the lane has to send.
func (c *Conn) flush(now time.Duration) {
	if c.state == Closing {
		return
	}
	err := c.pace.Flush(now, c.feed(now, true))
	if err != nil {
		c.s.cfg.Logger.Warn("lane ended", "player", c.name, "error", err)
		c.end(now, protocol.ReasonLane, "", 0, true)
		return
	}
	c.out.Flush(now, c.send)
}

// plan sets when tick is needed again.
func (c *Conn) plan(now time.Duration) {
	next := min(c.keepalive, c.heard+c.timeout)
	if c.state == Unconfirmed {
		next = min(next, c.confirmBy)
	}
	if at, ok := c.out.Next(); ok {
		next = min(next, at)
	}
	if at, ok := c.pace.Next(&c.feeding); ok {
		next = min(next, max(at, now))
	}
	c.next = next
}

// schedule sends what may go now and makes sure that Tick comes when it has to.
func (c *Conn) schedule(now time.Duration) {
	if c.state == Closing {
		return
	}
	c.flush(now)
	c.plan(now)
	c.s.wakeAt(c.next)
}

// feed puts a pacer's packets on the lane.
type feed struct {
	c     *Conn
	now   time.Duration
	quiet bool // a packet that does not encode is logged and left out, so that the others go on
}

// feed is the connection's own one, as it is now.
func (c *Conn) feed(now time.Duration, quiet bool) *feed {
	c.feeding.now, c.feeding.quiet = now, quiet
	return &c.feeding
}

func (f *feed) Unacked() int { return f.c.out.Unacked() }

func (f *feed) Push(p protocol.Packet, room int) (int, error) {
	s := f.c.s
	b, err := s.codec.Append(s.buf[:0], protocol.Header{}, p)
	if err != nil {
		if f.quiet {
			s.cfg.Logger.Error("a packet does not encode and is left out", "player", f.c.name, "error", err)
			return 0, nil
		}
		return 0, err
	}
	s.buf = b
	if len(b) > room {
		return 0, pacer.ErrNoRoom
	}
	row, _ := protocol.Lookup(p.ID())
	_, err = f.c.out.Push(f.now, b, row.Lane == protocol.Droppable)
	return len(b), err
}

// Straight puts a packet about the recipient's own life, an answer or an event on the lane (page Connection, The
// pacer). Its error is the caller's: the packet does not encode, pacer.ErrBacklog, or pacer.ErrRefused of a droppable one.
// A connection that has ended is none.
func (c *Conn) Straight(p protocol.Packet) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.state == Closing {
		return nil
	}
	now := c.s.cfg.Now()
	var refused error
	switch err := c.pace.Straight(c.feed(now, false), p); {
	case err == nil:
		c.out.Flush(now, c.send)
	case errors.Is(err, lane.ErrFull):
		c.end(now, protocol.ReasonLane, "", 0, true)
		return nil
	case errors.Is(err, lane.ErrRefused), errors.Is(err, pacer.ErrRefused):
		refused = pacer.ErrRefused
	default:
		return err
	}
	c.plan(now)
	c.s.wakeAt(min(c.next, now))
	return refused
}

// Pace queues a thing that the recipient has to be brought up to date with.
func (c *Conn) Pace(t pacer.Thing) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.state != Closing {
		c.pace.Pace(t)
		now := c.s.cfg.Now()
		c.plan(now)
		c.s.wakeAt(c.next)
	}
}

// Replace is Pace of a thing of which something still waits; it says false, and does nothing, where nothing does.
func (c *Conn) Replace(t pacer.Thing) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.pace.Replace(t)
}

// Drop forgets what waits of a thing; begun says whether a part of it has been sent.
func (c *Conn) Drop(key any) (waited, begun bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.pace.Drop(key)
}

// DropWhere forgets what waits under the keys that match.
func (c *Conn) DropWhere(match func(key any) bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.pace.DropWhere(match)
}

// Waits says whether something of a thing has not left the pacer yet.
func (c *Conn) Waits(key any) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.pace.Waits(key)
}

// Kick ends the connection with KickNotify.
func (c *Conn) Kick(reason protocol.Reason, text string) { c.KickFor(reason, text, 0) }

// KickFor is Kick that tells how many seconds a ban has left.
func (c *Conn) KickFor(reason protocol.Reason, text string, seconds uint32) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.end(c.s.cfg.Now(), reason, text, seconds, true)
	c.s.cfg.Wake()
}

// BanSubject is what a ban of this player may be about.
func (c *Conn) BanSubject() BanSubject {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return BanSubject{Host: hostOf(c.addr), Serial: c.serial, NameKey: NameKey(c.name), Account: c.account}
}

// PlayerID is the number on the wire, reused after the player has left.
func (c *Conn) PlayerID() uint16 { return c.id }

// PlayerToken is the player's generation: no other player ever has it.
func (c *Conn) PlayerToken() uint32 { return c.gen }

// Name is the name as it was taken at the hello, or set last.
func (c *Conn) Name() string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.name
}

// Locale is what the client said, such as "en" or "pt-br"; may be empty.
func (c *Conn) Locale() string { return c.locale }

// Serial is 64 hex digits, or "" where the client told none.
func (c *Conn) Serial() string {
	if c.serial == [32]byte{} {
		return ""
	}
	return hex.EncodeToString(c.serial[:])
}

// Address is where the connection's packets come from.
func (c *Conn) Address() netip.AddrPort {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.addr
}

// Connected is the time since ServerHello.
func (c *Conn) Connected() time.Duration { return c.s.cfg.Now() - c.since }

// Ping is the measured round trip; ok is false before the first sample. loss is in percent.
func (c *Conn) Ping() (ping, jitter time.Duration, loss int, ok bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.probes.ping, c.probes.jitter, c.probes.loss(c.s.cfg.Now()), c.probes.measured
}

// Unacked is the number of events on the lane that the client has not acked.
func (c *Conn) Unacked() int {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.out.Unacked()
}
