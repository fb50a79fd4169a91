package session

import (
	"bytes"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// rig is a server's sessions with a clock that the test moves and a network that only records.
type rig struct {
	t    *testing.T
	s    *Sessions
	now  time.Duration
	sent []datagram
	log  bytes.Buffer
}

type datagram struct {
	to netip.AddrPort
	b  []byte
}

func newRig(t *testing.T, change func(*Config)) *rig { return newSmallRig(t, hostEntries, change) }

// newSmallRig has a table for fewer hosts, so that many servers are soon made.
func newSmallRig(t *testing.T, hostEntries int, change func(*Config)) *rig {
	r := &rig{t: t}
	cfg := Config{
		ServerName: "Test", MaxPlayers: 8, FilesPort: 7777, Keepalive: time.Second, Timeout: 10 * time.Second,
		Unconfirmed: 5 * time.Second, PerHost: 4, Attempts: 1000, Challenges: 5000,
		Names: Names{Min: 3, Max: 24, Reserved: []string{"server"}},
		Now:   func() time.Duration { return r.now },
		Send:  func(to netip.AddrPort, b []byte, _ int) { r.sent = append(r.sent, datagram{to, bytes.Clone(b)}) },
		Wake:  func() {}, Logger: slog.New(slog.NewTextHandler(&r.log, nil)),
	}
	if change != nil {
		change(&cfg)
	}
	r.s = newSessions(cfg, hostEntries)
	return r
}

// take gives the packets of one type that were sent to an address since the last take, and forgets all others.
func take[P protocol.Packet](r *rig, to netip.AddrPort) []P {
	r.t.Helper()
	var found []P
	for _, d := range r.sent {
		_, p, err := protocol.Decode(d.b, protocol.ServerToClient)
		if err != nil {
			r.t.Fatalf("the server sent what nobody can read: %v", err)
		}
		if p, ok := p.(P); ok && d.to == to {
			found = append(found, p)
		}
	}
	r.sent = nil
	return found
}

func (r *rig) receive(from netip.AddrPort, token uint64, event uint32, p protocol.Packet) {
	r.t.Helper()
	b, err := protocol.Append(nil, protocol.Header{Token: token, Event: event}, p)
	if err != nil {
		r.t.Fatal(err)
	}
	r.s.Receive(r.now, from, b)
}

// advance moves the clock and ticks whenever the sessions want it.
func (r *rig) advance(d time.Duration) {
	for end := r.now + d; r.now < end; {
		next := r.s.Tick(r.now)
		r.now = min(max(next, r.now+time.Millisecond), end)
	}
	r.s.Tick(r.now)
}

func (r *rig) events() []Event { return r.s.Events(nil) }

var alice = netip.MustParseAddrPort("192.0.2.1:5000")

// hello goes through challenge and admission and gives the answer to the proven hello.
func (r *rig) hello(from netip.AddrPort, nonce uint64, name string) (protocol.ClientHello, []*protocol.ServerHello) {
	r.t.Helper()
	m := protocol.ClientHello{Version: protocol.Version, Nonce: nonce, Name: name}
	r.receive(from, 0, 0, &m)
	challenges := take[*protocol.ConnectChallenge](r, from)
	if len(challenges) != 1 {
		r.t.Fatalf("%d challenges for a hello without a cookie", len(challenges))
	}
	m.Cookie = challenges[0].Cookie
	r.receive(from, 0, 0, &m)
	r.decide(Verdict{})
	return m, take[*protocol.ServerHello](r, from)
}

func (r *rig) decide(v Verdict) {
	for _, e := range r.events() {
		if e.Kind == Connecting {
			r.s.Decide(e.Attempt, v)
		} else {
			r.s.mu.Lock()
			r.s.events = append(r.s.events, e)
			r.s.mu.Unlock()
		}
	}
}

// join gives a confirmed connection.
func (r *rig) join(from netip.AddrPort, nonce uint64, name string) (*Conn, uint64) {
	r.t.Helper()
	_, hellos := r.hello(from, nonce, name)
	if len(hellos) != 1 {
		r.t.Fatalf("%d ServerHello for %s", len(hellos), name)
	}
	r.receive(from, hellos[0].Token, 0, &protocol.ClientPong{Seq: 1})
	for _, e := range r.events() {
		if e.Kind == Confirmed && e.Conn.name == name {
			return e.Conn, hellos[0].Token
		}
	}
	r.t.Fatalf("%s was not confirmed", name)
	return nil, 0
}

func TestHelloKeepsNoStateBeforeTheProof(t *testing.T) {
	r := newRig(t, nil)
	m := protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}
	r.receive(alice, 0, 0, &m)
	if len(r.sent) != 1 || len(r.sent[0].b) > 1200 {
		t.Fatalf("answers: %v", r.sent)
	}
	if len(r.s.attempts)+len(r.s.conns)+len(r.s.verdicts.of) != 0 {
		t.Fatal("an unproven hello left something behind")
	}
	m.Version++
	r.sent = nil
	r.receive(alice, 0, 0, &m)
	if len(r.sent) != 0 {
		t.Fatal("a hello of another revision was answered")
	}
}

func TestHelloIsIdempotent(t *testing.T) {
	r := newRig(t, nil)
	m, first := r.hello(alice, 7, "Alice")
	if len(first) != 1 {
		t.Fatalf("%d ServerHello", len(first))
	}
	r.now += 500 * time.Millisecond
	r.receive(alice, 0, 0, &m)
	again := take[*protocol.ServerHello](r, alice)
	if len(again) != 1 || again[0].Token != first[0].Token || again[0].PlayerID != first[0].PlayerID {
		t.Fatalf("the same hello got %+v after %+v", again, first)
	}
	if again[0].ServerTime == first[0].ServerTime {
		t.Fatal("server_time stood still")
	}
	if len(r.s.conns) != 1 {
		t.Fatalf("%d connections", len(r.s.conns))
	}
	for range 20 {
		r.receive(alice, 0, 0, &m)
	}
	if n := len(take[*protocol.ServerHello](r, alice)); n > 4 {
		t.Fatalf("%d ServerHello at once, at most 4 a second", n)
	}
}

func TestCookie(t *testing.T) {
	other := netip.MustParseAddrPort("192.0.2.2:5000")
	var c cookies
	cookie := c.issue(119*time.Second, alice, 7)
	tests := []struct {
		name  string
		now   time.Duration
		from  netip.AddrPort
		nonce uint64
		want  bool
	}{
		{"fresh", 119 * time.Second, alice, 7, true},
		{"over a change of the key", 125 * time.Second, alice, 7, true},
		{"20 s old", 139 * time.Second, alice, 7, true},
		{"21 s old", 140*time.Second + time.Millisecond, alice, 7, false},
		{"from the future", 100 * time.Second, alice, 7, false},
		{"another address", 119 * time.Second, other, 7, false},
		{"another nonce", 119 * time.Second, alice, 8, false},
	}
	for _, test := range tests {
		c.rotate(test.now)
		if got := c.valid(test.now, test.from, test.nonce, &cookie); got != test.want {
			t.Errorf("%s: valid is %v, want %v", test.name, got, test.want)
		}
	}
}

func TestKeysOfCookies(t *testing.T) {
	var c cookies
	seen := make(map[[32]byte]bool)
	for now := time.Duration(0); now < time.Hour; now += time.Second {
		c.issue(now, alice, 7)
		for _, k := range c.keys {
			seen[k.key] = true
		}
		if len(c.keys) > 2 {
			t.Fatalf("%d keys are kept", len(c.keys))
		}
	}
	if len(seen) != 30 {
		t.Fatalf("%d keys in an hour, want one every 120 s", len(seen))
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		wish   string
		refuse bool
		want   protocol.Reason
	}{
		{"a handler refuses", nil, "Alice", true, protocol.ReasonRefused},
		{"a short name", nil, "Al", false, protocol.ReasonName},
		{"digits alone", nil, "12345", false, protocol.ReasonName},
		{"a reserved name", nil, "SERVER", false, protocol.ReasonName},
		{"letters outside the alphabet", nil, "Алиса", false, protocol.ReasonName},
		{"no password", func(c *Config) { c.Password = "secret" }, "Alice", false, protocol.ReasonPassword},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, test.change)
			m := protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: test.wish}
			r.receive(alice, 0, 0, &m)
			m.Cookie = take[*protocol.ConnectChallenge](r, alice)[0].Cookie
			for range 2 { // the same hello gets the same verdict
				r.receive(alice, 0, 0, &m)
				r.decide(Verdict{Refuse: test.refuse, Text: "no"})
				rejects := take[*protocol.ConnectReject](r, alice)
				if len(rejects) != 1 || rejects[0].Reason != test.want {
					t.Fatalf("got %+v, want %v", rejects, test.want)
				}
			}
			if r.s.stats.Rejected[test.want] != 1 {
				t.Fatalf("counted %d rejections", r.s.stats.Rejected[test.want])
			}
		})
	}
}

func TestPasswordProof(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Password = "secret" })
	m := protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}
	r.receive(alice, 0, 0, &m)
	challenge := take[*protocol.ConnectChallenge](r, alice)[0]
	if challenge.Flags&1 == 0 {
		t.Fatal("the challenge does not say that there is a password")
	}
	m.Cookie = challenge.Cookie
	m.Proof = protocol.PasswordProof("secret", m.Nonce, m.Cookie)
	r.receive(alice, 0, 0, &m)
	r.decide(Verdict{})
	if len(take[*protocol.ServerHello](r, alice)) != 1 {
		t.Fatal("the right password was refused")
	}
}

func TestUnconfirmedIsForgottenWithoutALeave(t *testing.T) {
	r := newRig(t, nil)
	r.hello(alice, 7, "Alice")
	r.advance(6 * time.Second)
	if len(r.s.conns) != 0 {
		t.Fatal("the connection stands after 6 s without a word")
	}
	for _, e := range r.events() {
		if e.Kind == Left && e.Joined {
			t.Fatal("one who never joined has left")
		}
	}
	c, _ := r.join(alice, 8, "Alice")
	if c.PlayerID() != 0 || c.PlayerToken() != 2 {
		t.Fatalf("id %d, token %d: the id is free again, the token is new", c.PlayerID(), c.PlayerToken())
	}
}

func TestIDIsHeldUntilReleased(t *testing.T) {
	r := newRig(t, nil)
	first, token := r.join(alice, 7, "Alice")
	r.receive(alice, token, 0, &protocol.ClientBye{Reason: protocol.ByeQuit})
	second, _ := r.join(alice, 8, "Bobby")
	if second.PlayerID() != 1 {
		t.Fatalf("id %d was given out while its last owner's handlers run", second.PlayerID())
	}
	r.s.Release(first)
	r.s.Release(first)
	third, _ := r.join(netip.MustParseAddrPort("192.0.2.3:1"), 9, "Carol")
	if third.PlayerID() != 0 {
		t.Fatalf("id %d, want the lowest free one", third.PlayerID())
	}
}

func TestTheSamePlayerAgainReplacesTheOldOne(t *testing.T) {
	r := newRig(t, nil)
	r.join(alice, 7, "Alice")
	if _, hellos := r.hello(alice, 8, "Alice"); len(hellos) != 1 { // same address, new process
		t.Fatal("the player who came back was not let in")
	}
	var kinds []EventKind
	for _, e := range r.events() {
		kinds = append(kinds, e.Kind)
		if e.Kind == Left && e.Reason != protocol.ReasonReconnected {
			t.Fatalf("left with %v", e.Reason)
		}
	}
	if len(kinds) != 2 || kinds[0] != Left || kinds[1] != Admitted {
		t.Fatalf("events %v: the leave comes before the new one", kinds)
	}
	other := netip.MustParseAddrPort("192.0.2.1:5001") // same host, another port: only after 3 s of silence
	m := protocol.ClientHello{Version: protocol.Version, Nonce: 9, Name: "Alice"}
	r.receive(other, 0, 0, &m)
	m.Cookie = take[*protocol.ConnectChallenge](r, other)[0].Cookie
	r.receive(other, 0, 0, &m)
	if got := take[*protocol.ConnectReject](r, other); len(got) != 1 || got[0].Reason != protocol.ReasonNameInUse {
		t.Fatalf("got %+v, want name_in_use", got)
	}
	r.advance(4 * time.Second)
	r.sent = nil
	if _, hellos := r.hello(other, 10, "Alice"); len(hellos) != 1 {
		t.Fatal("the player who crashed and came back on another port was not let in")
	}
}

func TestSilenceEndsAConnection(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	for range 5 {
		r.advance(8 * time.Second)
		r.receive(alice, token, 0, &protocol.ClientPong{Seq: 1})
	}
	if c.state == Closing {
		t.Fatal("one who speaks was thrown out")
	}
	r.sent = nil
	r.advance(9 * time.Second)
	if c.state == Closing {
		t.Fatal("ended before the timeout")
	}
	r.sent = nil
	r.advance(2 * time.Second)
	if c.state != Closing {
		t.Fatal("a silent connection stands after its timeout")
	}
	if kicks := take[*protocol.KickNotify](r, alice); len(kicks) == 0 || kicks[0].Reason != protocol.ReasonTimeout {
		t.Fatalf("kicks %+v", kicks)
	}
}

func TestOwnPauseIsNotTheirSilence(t *testing.T) {
	r := newRig(t, nil)
	c, _ := r.join(alice, 7, "Alice")
	r.s.Tick(r.now)
	r.now += 20 * time.Second // the process stood still
	r.s.Tick(r.now)
	if c.state == Closing {
		t.Fatal("the server's own pause threw a player out")
	}
}

func TestKickIsRepeatedAndPutToRest(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	r.sent = nil
	c.Kick(protocol.ReasonKicked, "bye")
	r.advance(time.Second)
	kicks := take[*protocol.KickNotify](r, alice)
	if len(kicks) != 4 || kicks[3].Text != "bye" || kicks[3].Nonce != 7 {
		t.Fatalf("%d KickNotify, want those at 0, 100, 300 and 700 ms: %+v", len(kicks), kicks)
	}
	for range 10 {
		r.receive(alice, token, 0, &protocol.ClientPong{Seq: 1})
	}
	if n := len(take[*protocol.KickNotify](r, alice)); n != 4 {
		t.Fatalf("%d answers at once to one who goes on, want 4", n)
	}
	r.now += time.Second // so that he would be answered again
	r.receive(alice, token, 0, &protocol.ClientBye{Reason: protocol.ByeKicked})
	r.receive(alice, token, 0, &protocol.ClientPong{Seq: 1})
	if len(r.sent) != 0 || len(r.s.tombs) != 0 {
		t.Fatal("an answer after ClientBye 2")
	}
}

func TestTheTokenAloneMovesNothing(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	r.sent = nil
	thief := netip.MustParseAddrPort("198.51.100.9:9")
	r.receive(thief, token, 0, &protocol.ClientBye{Reason: protocol.ByeQuit})
	r.receive(thief, 12345, 0, &protocol.ClientPong{Seq: 1})
	if c.state == Closing || len(r.sent) != 0 {
		t.Fatal("a packet from elsewhere was applied or answered")
	}
	if r.s.stats.Strayed != 1 || r.s.stats.UnknownToken != 1 {
		t.Fatalf("counted %+v", r.s.stats)
	}
}

func TestMalformedPacketsEndAConnection(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	b, _ := protocol.Append(nil, protocol.Header{Token: token, Event: 1}, &protocol.ClientChat{Text: "hello"})
	b[len(b)-1] = 7 // a control character
	for range 49 {
		r.s.Receive(r.now, alice, b)
	}
	if c.state == Closing {
		t.Fatal("ended before 50 malformed packets")
	}
	r.s.Receive(r.now, alice, b)
	if kicks := take[*protocol.KickNotify](r, alice); len(kicks) != 1 || kicks[0].Reason != protocol.ReasonProtocol {
		t.Fatalf("kicks %+v, want protocol", kicks)
	}
}

func TestLaneDeliversInOrderAndAcksAll(t *testing.T) {
	r := newRig(t, nil)
	_, token := r.join(alice, 7, "Alice")
	r.sent = nil
	for _, event := range []uint32{2, 1, 1, 2, 3} {
		r.receive(alice, token, event, &protocol.ClientChat{Text: string(rune('a' + event))})
	}
	var got string
	for _, e := range r.events() {
		if m, ok := e.Packet.(*protocol.ClientChat); ok {
			got += m.Text
		}
	}
	if got != "bcd" {
		t.Fatalf("delivered %q, want each once and in order", got)
	}
	var acks []uint32
	for _, a := range take[*protocol.ServerAck](r, alice) {
		acks = append(acks, a.Ack)
	}
	if want := []uint32{0, 1, 1, 2, 3}; len(acks) != 5 || acks[1] != want[1] || acks[4] != want[4] {
		t.Fatalf("acks %v, want %v", acks, want)
	}
}

func TestPing(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	if _, _, _, ok := c.Ping(); ok {
		t.Fatal("a ping before the first sample")
	}
	r.sent = nil
	for range 20_000 {
		r.advance(time.Millisecond)
		for _, k := range take[*protocol.ServerKeepalive](r, alice) {
			r.now += 40 * time.Millisecond
			r.receive(alice, token, 0, &protocol.ClientPong{Seq: k.Seq, Probe: k.Probe + 1}) // a guess
			r.receive(alice, token, 0, &protocol.ClientPong{Seq: k.Seq, Probe: k.Probe})
			r.receive(alice, token, 0, &protocol.ClientPong{Seq: k.Seq, Probe: k.Probe}) // again
		}
	}
	ping, _, loss, ok := c.Ping()
	if !ok || ping < 40*time.Millisecond || ping > 42*time.Millisecond || loss > 5 { // the probe of the hello stays unanswered
		t.Fatalf("ping %v, loss %d, %v", ping, loss, ok)
	}
	r.advance(5 * time.Second)
	if _, _, loss, _ := c.Ping(); loss == 0 {
		t.Fatal("unanswered probes are no loss")
	}
}

func TestOneWhoNeverAcksHarmsHimselfAlone(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	for i := range 1000 { // a thousand things to tell him
		c.Pace(pacer.Thing{Key: i, Class: pacer.Removals, Packets: []protocol.Packet{&protocol.ViewClose{ViewID: uint32(i + 1)}}})
	}
	for range 14 {
		r.advance(time.Second)
		r.receive(alice, token, 0, &protocol.ClientPong{Seq: 1})
		if n := c.Unacked(); n >= 192 {
			t.Fatalf("%d unacked events: the pacer stops at 128 and one pass", n)
		}
	}
	r.advance(2 * time.Second)
	if c.state != Closing {
		t.Fatal("a lane that stood for 15 s still stands")
	}
	var reason protocol.Reason
	for _, e := range r.events() {
		if e.Kind == Left {
			reason = e.Reason
		}
	}
	if reason != protocol.ReasonLane {
		t.Fatalf("left with %v, want lane", reason)
	}
}

func TestClosingAdmitsNobody(t *testing.T) {
	r := newRig(t, nil)
	r.join(alice, 7, "Alice")
	r.sent = nil
	r.s.Close(r.now, "", 5)
	if kicks := take[*protocol.KickNotify](r, alice); len(kicks) != 1 || kicks[0].Reason != protocol.ReasonServerClosing || kicks[0].Seconds != 5 {
		t.Fatalf("kicks %+v", kicks)
	}
	m := protocol.ClientHello{Version: protocol.Version, Nonce: 9, Name: "Bobby"}
	r.receive(alice, 0, 0, &m)
	m.Cookie = take[*protocol.ConnectChallenge](r, alice)[0].Cookie
	r.receive(alice, 0, 0, &m)
	if got := take[*protocol.ConnectReject](r, alice); len(got) != 1 || got[0].Reason != protocol.ReasonServerClosing {
		t.Fatalf("got %+v", got)
	}
}

func FuzzReceive(f *testing.F) {
	for _, row := range protocol.Table() {
		if row.New != nil && row.Direction == protocol.ClientToServer {
			if b, err := protocol.Append(nil, protocol.Header{Token: 1, Event: 1}, row.New()); err == nil {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := newRig(t, nil)
		_, token := r.join(alice, 7, "Alice")
		r.sent = nil
		stranger := netip.MustParseAddrPort("198.51.100.9:9")
		r.s.Receive(r.now, stranger, b)
		out := 0
		for _, d := range r.sent {
			out += len(d.b)
		}
		if out > len(b) {
			t.Fatalf("%d bytes answer %d bytes of an unproven address", out, len(b))
		}
		if len(b) >= 9 { // as if the stranger had the player's token and address
			for i := range 8 {
				b[1+i] = byte(token >> (8 * i))
			}
			r.s.Receive(r.now, alice, b)
		}
		r.advance(time.Second)
	})
}
