package session

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"darqline/protocol"
)

// script plays a list of bytes to a server that has three players: datagrams and steps of the clock. After each step it
// looks whether all that must hold does.
type script struct {
	t     *testing.T
	r     *rig
	bytes []byte

	cookies map[attemptKey][24]byte // as they were given
	proven  map[netip.AddrPort]bool // that may have answered a challenge
	tokens  []uint64                // of everyone who ever was
	conns   map[*Conn]State         // the last that was told of them: Unconfirmed, Joined, Closing
	got     map[netip.AddrPort]int  // bytes sent to an address since the last step
	left    []*Conn                 // whose id is to be released
	asked   []*Attempt
}

// Addresses of a script: those of the three players, other ports of theirs, and strangers.
var scriptAddresses = []netip.AddrPort{
	alice, bob, carol, netip.AddrPortFrom(alice.Addr(), 6000), netip.AddrPortFrom(bob.Addr(), 6000), dave,
	netip.MustParseAddrPort("[2001:db8::1]:7"), netip.MustParseAddrPort("127.0.0.1:8"),
}

var scriptNames = []string{"Alice", "Bobby", "Carol", "Dave", "x", "server"}

// clientRows are the packets of clients that have a layout.
var clientRows = func() (rows []*protocol.Row) {
	for i := range protocol.Table() {
		row := &protocol.Table()[i]
		if row.New != nil && row.HasToken() && row.Direction == protocol.ClientToServer {
			rows = append(rows, row)
		}
	}
	return rows
}()

func newScript(t *testing.T, b []byte) *script {
	s := &script{t: t, bytes: b, cookies: make(map[attemptKey][24]byte), proven: make(map[netip.AddrPort]bool),
		conns: make(map[*Conn]State), got: make(map[netip.AddrPort]int)}
	how := s.next()
	s.r = newSmallRig(t, 64, func(c *Config) {
		c.AddressChange = []AddressChange{AddressPort, AddressAny, AddressNever, ""}[how%4]
		c.SignIn = func() bool { return how&4 != 0 }
		c.SignInTimeout, c.SignInAttempts, c.MaxPlayers, c.PerHost = 20*time.Second, 2, 5, 2
		if how&8 != 0 {
			c.Password = "secret"
		}
		c.Banned = func(b BanSubject) (Banned, bool) { return Banned{5, "banned"}, how&16 != 0 && b.NameKey == "dave" }
	})
	password := s.r.s.cfg.Password
	s.r.s.cfg.Password = ""
	for i, name := range scriptNames[:3] {
		c, token := s.r.join(scriptAddresses[i], uint64(i+1), name)
		s.tokens = append(s.tokens, token)
		s.conns[c], s.proven[c.addr] = Joined, true
	}
	s.r.s.cfg.Password = password
	s.r.sent = nil
	return s
}

func (s *script) next() byte {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return b
}

func (s *script) take(n int) []byte {
	n = min(n, len(s.bytes))
	b := s.bytes[:n]
	s.bytes = s.bytes[n:]
	return b
}

func (s *script) address() netip.AddrPort { return scriptAddresses[int(s.next())%len(scriptAddresses)] }
func (s *script) token() uint64           { return s.tokens[int(s.next())%len(s.tokens)] }

// play runs the whole script.
func (s *script) play() {
	for steps := 0; len(s.bytes) > 0 && steps < 400; steps++ {
		switch op := s.next(); op % 8 {
		case 0:
			s.r.advance(time.Duration(op/8+1) * 50 * time.Millisecond)
		case 1: // the server stands still
			s.r.now += time.Duration(op/8) * time.Second
		case 2:
			s.hello()
		case 3, 4:
			s.packet()
		case 5:
			s.datagram(s.address(), s.take(int(s.next())))
		case 6:
			s.scripts()
		case 7:
			s.r.s.Tick(s.r.now)
		}
		s.look()
	}
}

// hello says hello, with the newest cookie of its address and nonce if there is one.
func (s *script) hello() {
	from, what := s.address(), s.next()
	m := protocol.ClientHello{Version: protocol.Version, Nonce: uint64(what%4 + 1), Name: scriptNames[int(what/4)%len(scriptNames)]}
	if what >= 128 {
		m.Resume = s.token()
	}
	cookie, ok := s.cookies[attemptKey{from, m.Nonce}]
	switch how := s.next() % 8; {
	case how == 1: // that of another address
		m.Cookie = s.cookies[attemptKey{scriptAddresses[int(what)%len(scriptAddresses)], m.Nonce}]
		s.proven[from] = s.proven[from] || m.Cookie == cookie && ok
	case how > 1 && ok:
		m.Cookie, s.proven[from] = cookie, true
	}
	if s.next()%8 != 1 {
		m.Proof = protocol.PasswordProof("secret", m.Nonce, m.Cookie)
	}
	b, err := protocol.Append(nil, protocol.Header{}, &m)
	if err != nil {
		s.t.Fatal(err)
	}
	s.datagram(from, b)
}

// packet sends a packet with a token, its body as the script has it.
func (s *script) packet() {
	from, token, row := s.address(), s.token(), clientRows[int(s.next())%len(clientRows)]
	b := make([]byte, row.Min)
	b[0] = byte(row.ID)
	binary.LittleEndian.PutUint64(b[1:], token)
	at := 9
	if row.HasEvent() {
		binary.LittleEndian.PutUint32(b[9:], uint32(s.next()%8))
		at = 13
	}
	copy(b[at:], s.take(min(int(s.next()), len(b)-at)))
	c := s.r.s.conns[token]
	if c == nil || c.addr == from {
		s.datagram(from, b)
		return
	}
	heard, state, in, unacked, events := c.heard, c.state, c.in.Ack(), c.out.Unacked(), len(s.r.s.events)
	s.datagram(from, b)
	if c.heard > max(heard, s.r.now) || c.state != state || c.in.Ack() != in || c.out.Unacked() != unacked || len(s.r.s.events) != events {
		s.t.Fatalf("a token worked from %v, which is not its address", from)
	}
}

// datagram hands a datagram in and counts what an address that has proven nothing is answered.
func (s *script) datagram(from netip.AddrPort, b []byte) {
	s.collect()
	s.r.s.Receive(s.r.now, from, b)
	s.collect()
	if !s.proven[from] && s.got[from] > len(b) {
		s.t.Fatalf("%d bytes answer %d bytes of %v, which has proven nothing", s.got[from], len(b), from)
	}
	clear(s.got)
}

// collect takes what was sent: everything can be read, and what proves nothing gets answers only.
func (s *script) collect() {
	clear(s.got)
	for _, d := range s.r.sent {
		_, p, err := protocol.Decode(d.b, protocol.ServerToClient)
		if err != nil {
			s.t.Fatalf("the server sent what nobody can read: %v", err)
		}
		s.got[d.to] += len(d.b)
		switch p := p.(type) {
		case *protocol.ConnectChallenge:
			s.cookies[attemptKey{d.to, p.Nonce}] = p.Cookie
			continue
		case *protocol.ServerHello:
			s.tokens = append(s.tokens, p.Token)
		case *protocol.ServerQueryAnswer:
			continue
		}
		if !s.proven[d.to] {
			s.t.Fatalf("%T to %v, which has proven nothing", p, d.to)
		}
	}
	s.r.sent = s.r.sent[:0]
}

// scripts do what the rooms above do: verdicts, kicks, names, sign-ins, releases.
func (s *script) scripts() {
	what, which := s.next(), int(s.next())
	if what%8 < 3 && len(s.asked) > 0 {
		s.r.s.Decide(s.asked[which%len(s.asked)], Verdict{Refuse: what >= 128, Text: "no"})
		return
	}
	if what%8 == 3 && len(s.left) > 0 {
		s.r.s.Release(s.left[which%len(s.left)])
		return
	}
	c := s.r.s.conns[s.token()]
	if c == nil {
		return
	}
	switch what % 8 {
	case 4:
		c.Kick(protocol.ReasonKicked, "bye")
	case 5:
		s.r.s.Rename(c, scriptNames[which%len(scriptNames)])
	case 6:
		c.SignInFailed()
	case 7:
		c.SignedIn("forum:1")
	default:
		c.Straight(&protocol.ServerMessage{Text: "hello"})
	}
}

// look checks what must hold at all times.
func (s *script) look() {
	s.collect()
	in := s.r.s
	for _, e := range in.Events(nil) {
		s.follow(e)
	}
	ids, hosts, states := make(map[uint16]bool), 0, [Closing]int{}
	for token, c := range in.conns {
		if c.token != token || ids[c.id] || !in.ids[c.id] || in.names[c.nameKey] != c || c.state == Closing || in.tombs[token] != nil {
			s.t.Fatalf("%s with id %d is not as he should be", c.name, c.id)
		}
		ids[c.id] = true
		states[c.state]++
		if len(c.signIn.jwt) > protocol.MaxAssertion {
			s.t.Fatalf("%d bytes of an assertion", len(c.signIn.jwt))
		}
	}
	for _, n := range in.byHost {
		hosts += n
	}
	for addr, c := range in.byAddr {
		if c.addr != addr || in.conns[c.token] != c {
			s.t.Fatalf("%v is that of %s, who is at %v", addr, c.name, c.addr)
		}
	}
	if hosts != len(in.conns) || states != in.states || len(in.names) != len(in.conns) {
		s.t.Fatalf("%d connections, counted %d by host, %v by state, %d names", len(in.conns), hosts, in.states, len(in.names))
	}
	if len(in.conns) > in.cfg.MaxPlayers || len(in.attempts) > maxPending || len(in.verdicts.of) > maxVerdicts || len(in.tombs) > maxTombstones {
		s.t.Fatal("a bound is passed")
	}
}

// follow checks the life of a connection: confirmed once, then packets, then left once.
func (s *script) follow(e Event) {
	was, known := s.conns[e.Conn]
	switch {
	case e.Kind == Connecting:
		s.asked = append(s.asked, e.Attempt)
	case e.Kind == Refused && e.Conn == nil && e.Reason.Rejectable():
	case e.Kind == Admitted && !known:
		s.conns[e.Conn] = Unconfirmed
	case e.Kind == Confirmed && known && was == Unconfirmed:
		s.conns[e.Conn] = Joined
	case e.Kind == Left && known && was != Closing && (e.Joined || e.SignIn) == (was == Joined):
		s.conns[e.Conn] = Closing
		s.left = append(s.left, e.Conn)
	case e.Kind == Received && was == Joined, e.Kind == Moved && was == Joined:
	case e.Kind == Asserted && was == Joined && len(e.JWT) > 0:
	default:
		s.t.Fatalf("event %d of one who is in state %d (%v)", e.Kind, was, known)
	}
}

func FuzzSessionScript(f *testing.F) {
	seeds := [][]byte{
		{0, 3, 0, 0, 1, 0},
		{0, 2, 5, 12, 2, 5, 12, 1, 6, 0, 0, 0, 3, 5, 3, 1, 0},                                                   // a fourth player
		{1, 2, 3, 128, 0, 0, 0, 2, 3, 128, 0, 2, 0, 3, 3, 0, 2, 0, 248, 2, 5, 129, 0, 0, 0, 2, 5, 129, 0, 2, 0}, // moves
		{0, 2, 5, 13, 0, 0, 2, 0, 12, 0, 0, 2, 6, 0, 1, 0, 2, 7, 13, 1, 0},                                      // another's cookie
		{4, 1, 0, 160, 6, 7, 0, 0, 0, 248},
		{8, 2, 5, 12, 0, 0, 2, 5, 12, 2, 0, 2, 5, 13, 0, 0, 2, 5, 13, 2, 1},
		{6, 6, 4, 0, 0, 0, 8, 3, 0, 0, 2, 1, 2},
	}
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) { newScript(t, b).play() })
}
