package session

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
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

	nameKey string
	proven  uint32 // when the cookie was issued that the last accepted hello had
	moved   bool   // to another address, at movedAt at last
	movedAt time.Duration

	confirmBy time.Duration // Unconfirmed: then it is forgotten
	greeted   bool          // the first pass of the pacer has been sent
	ownUntil  time.Duration // Unconfirmed: then its place goes to who needs it
	signIn    signIn

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
	flow        flow // limits.go
	stray       bool // a packet that its state does not allow has been left out, and that was said
}

func newConn(s *Sessions, now time.Duration, id uint16, a *Attempt) *Conn {
	c := &Conn{
		s: s, addr: a.key.addr, nonce: a.key.nonce, token: s.freshToken(), id: id, gen: s.generation,
		name: a.Name, nameKey: a.nameKey, serial: a.hello.Serial, locale: a.Locale, since: now, heard: now,
		proven: issuedAt(a.hello.Cookie),
		every:  s.cfg.Keepalive, timeout: s.cfg.Timeout, confirmBy: now + s.cfg.Unconfirmed, ownUntil: now + confirmTime,
		out: lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetServer, Resend: s.cfg.Resend}),
	}
	if s.cfg.SignIn != nil && s.cfg.SignIn() {
		c.signIn.due = true
		rand.Read(c.signIn.nonce[:])
	}
	c.feeding.c = c
	c.send = func(b []byte) { s.sendBytes(c.addr, b) }
	return c
}

// sendHello answers the hello that made or moved the connection.
func (c *Conn) sendHello(now time.Duration) {
	s := c.s
	p := protocol.ServerHello{
		Nonce: c.nonce, Token: c.token, PlayerID: c.id, PlayerToken: c.gen,
		ClientFilesPort: s.cfg.FilesPort, MaxPlayers: uint16(s.cfg.MaxPlayers),
		Keepalive: uint16(c.every / time.Millisecond), Timeout: uint16(c.timeout / time.Millisecond),
		BootID: s.bootID, ServerName: s.cfg.ServerName, Name: c.name,
	}
	switch {
	case c.state != Unconfirmed:
		p.State = protocol.HelloMoved
	case c.signIn.due:
		p.State, p.AuthNonce = protocol.HelloPreAuth, c.signIn.nonce
	default:
		p.State = protocol.HelloPreSpawn
	}
	b, err := s.codec.Append(c.hello[:0], protocol.Header{}, &p)
	if err != nil {
		s.cfg.Logger.Error("ServerHello does not encode", "error", err)
		b = nil
	}
	c.hello, c.helloes = b, limit.Bucket{}
	c.repeatHello(now)
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
		c.confirm(now)
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
	if p == nil || !c.applies(row) {
		return
	}
	if part, ok := p.(*protocol.AuthAssertion); ok {
		c.assert(now, part)
		return
	}
	c.s.events = append(c.s.events, Event{Kind: Received, Conn: c, Packet: p})
}

// confirm takes up a connection whose client has shown that it has the token.
func (c *Conn) confirm(now time.Duration) {
	c.become(Joined)
	if c.signIn.due {
		c.become(PreAuth)
		c.signIn.until = now + c.s.cfg.SignInTimeout
	}
	c.s.events = append(c.s.events, Event{Kind: Confirmed, Conn: c, SignIn: c.signIn.due})
}

// become changes the state of a connection that goes on.
func (c *Conn) become(state State) {
	c.s.states[c.state]--
	c.s.states[state]++
	c.state = state
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

// tick does what is due on this connection.
func (c *Conn) tick(now time.Duration) {
	switch {
	case c.state == Unconfirmed && now >= c.confirmBy:
		c.end(now, protocol.ReasonTimeout, "", 0, false)
		return
	case c.state == PreAuth && now >= c.signIn.until:
		c.end(now, protocol.ReasonSignInFailed, "", 0, true)
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

// plan sets when tick is needed again.
func (c *Conn) plan(now time.Duration) {
	next := min(c.keepalive, c.heard+c.timeout)
	switch c.state {
	case Unconfirmed:
		next = min(next, c.confirmBy)
	case PreAuth:
		next = min(next, c.signIn.until)
	}
	c.next = next
	if c.silenced() {
		return
	}
	if at, ok := c.out.Next(); ok {
		c.next = min(c.next, at)
	}
	if at, ok := c.pace.Next(&c.feeding); ok {
		c.next = min(c.next, max(at, now))
	}
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
	return BanSubject{Host: hostOf(c.addr), Serial: c.serial, NameKey: c.nameKey, Account: c.signIn.account}
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

// Rename is Sessions.Rename.
func (c *Conn) Rename(name string) error { return c.s.Rename(c, name) }

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
