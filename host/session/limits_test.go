package session

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// attempt is a hello with a right cookie and a password, whatever comes of it.
func (r *rig) attempt(from netip.AddrPort, nonce uint64, name, password string) {
	r.t.Helper()
	m := protocol.ClientHello{Version: protocol.Version, Nonce: nonce, Name: name}
	r.sent = nil
	r.receive(from, 0, 0, &m)
	challenges := take[*protocol.ConnectChallenge](r, from)
	if len(challenges) != 1 {
		r.t.Fatalf("%d challenges", len(challenges))
	}
	m.Cookie = challenges[0].Cookie
	m.Proof = protocol.PasswordProof(password, m.Nonce, m.Cookie)
	r.receive(from, 0, 0, &m)
	r.decide(Verdict{})
}

func TestWrongPasswordsLockAHostForAMinute(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Password = "secret" })
	reject := func(nonce uint64, password string, want protocol.Reason, wait uint32) {
		t.Helper()
		r.now += time.Second / 2
		r.attempt(alice, nonce, "Alice", password)
		got := take[*protocol.ConnectReject](r, alice)
		if len(got) != 1 || got[0].Reason != want || got[0].Seconds != wait {
			t.Fatalf("attempt %d got %+v, want %v in %d s", nonce, got, want, wait)
		}
	}
	for i := range uint64(5) {
		reject(i+1, "guess", protocol.ReasonPassword, 0)
	}
	reject(6, "guess", protocol.ReasonTooMany, 60)
	reject(7, "secret", protocol.ReasonTooMany, 60) // not even looked at; half a second is over
	other := netip.MustParseAddrPort("198.51.100.4:4")
	r.attempt(other, 1, "Bobby", "secret")
	if len(take[*protocol.ServerHello](r, other)) != 1 {
		t.Fatal("another host is locked out too")
	}
	r.now += time.Minute
	r.attempt(alice, 8, "Alice", "secret")
	if len(take[*protocol.ServerHello](r, alice)) != 1 {
		t.Fatal("the right password is refused after a minute")
	}
}

func TestFlood(t *testing.T) {
	frame := &protocol.PlayerSync{}
	big := &protocol.ClientChat{Text: strings.Repeat("x", 512)}
	tests := []struct {
		name   string
		packet protocol.Packet
		every  time.Duration
		kicked bool
	}{
		{"frames at 100 a second", frame, 10 * time.Millisecond, false},
		{"frames at 750 a second", frame, time.Second / 750, false},
		{"frames at 2,000 a second", frame, time.Second / 2000, true},
		{"528 bytes 700 times a second", big, time.Second / 700, true},
		{"acks at 3,900 a second", &protocol.ClientAck{}, time.Second / 3900, false},
		{"acks at 10,000 a second", &protocol.ClientAck{}, time.Second / 10000, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, nil)
			c, token := r.join(alice, 7, "Alice")
			r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
			b, err := protocol.Append(nil, protocol.Header{Token: token, Event: 1}, test.packet)
			if err != nil {
				t.Fatal(err)
			}
			for end := r.now + 15*time.Second; r.now < end; r.now += test.every {
				if r.now >= r.s.next {
					r.s.Tick(r.now)
				}
				r.s.Receive(r.now, alice, b)
			}
			if (c.state == Closing) != test.kicked {
				t.Fatalf("state %v after 15 s", c.state)
			}
			if events := r.events(); test.kicked && events[len(events)-1].Reason != protocol.ReasonFlood {
				t.Fatalf("left with %v", events[len(events)-1].Reason)
			}
		})
	}
}

// What is too much now and then, with room between, is dropped and no flood.
func TestBurstsAreNoFlood(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
	frame, _ := protocol.Append(nil, protocol.Header{Token: token}, &protocol.PlayerSync{})
	for range 20 {
		r.advance(3 * time.Second)
		r.events()
		for range 2000 {
			r.s.Receive(r.now, alice, frame)
		}
		if n := len(r.events()); n != 1600 {
			t.Fatalf("%d of 2,000 at once were taken, want 1,600", n)
		}
	}
	if c.state == Closing {
		t.Fatal("thrown out")
	}
}

// What cannot be for the server is not even held against the connection whose token it has.
func TestWhatIsNotForTheServer(t *testing.T) {
	r := newRig(t, nil)
	_, token := r.join(alice, 7, "Alice")
	unknown := protocol.ID(0)
	for row, _ := protocol.Lookup(unknown); row != nil; row, _ = protocol.Lookup(unknown) {
		unknown++
	}
	for id, size := range map[protocol.ID]int{protocol.IDServerHello: 1200, protocol.IDSetTime: 9, protocol.IDClientChat: 1201, unknown: 40} {
		b := make([]byte, size)
		b[0] = byte(id)
		binary.LittleEndian.PutUint64(b[1:], token)
		r.s.Receive(r.now, alice, b)
		if r.s.stats.Malformed != 0 || r.s.stats.UnknownToken != 0 {
			t.Errorf("0x%02X with %d bytes was looked at", byte(id), size)
		}
	}
}

func TestTombstonesAreBounded(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	for i := range maxTombstones {
		r.s.tombs[uint64(i)+1] = &tombstone{addr: hostAt(i), sent: len(kickTimes), until: time.Hour}
	}
	r.sent = nil
	c.Kick(protocol.ReasonKicked, "")
	r.advance(time.Second)
	if n := len(take[*protocol.KickNotify](r, alice)); n != 1 || len(r.s.tombs) != maxTombstones {
		t.Fatalf("told %d times, %d tombstones: who finds no room is told once", n, len(r.s.tombs))
	}
	r.pong(alice, token)
	if len(r.sent) != 0 {
		t.Fatal("answered without a tombstone")
	}
	clear(r.s.tombs)
	c, _ = r.join(alice, 8, "Alice")
	c.Kick(protocol.ReasonKicked, "")
	if r.advance(tombstoneFor); len(r.s.tombs) != 0 {
		t.Fatal("a tombstone stands for longer than 5 s")
	}
}

func TestMalformedPacketsNowAndThen(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	bad, _ := protocol.Append(nil, protocol.Header{Token: token, Event: 1}, &protocol.ClientChat{Text: "hello"})
	for range 10 {
		for range malformedLimit - 1 {
			r.s.Receive(r.now, alice, bad[:len(bad)-1])
		}
		r.stay(malformedWindow, map[uint64]netip.AddrPort{token: alice})
		if c.state == Closing {
			t.Fatal("thrown out for 49 in 10 s")
		}
	}
	for range malformedLimit {
		r.receive(alice, token, 0, &protocol.ClientAck{Ack: 1000}) // nothing was sent yet
	}
	if left := r.lefts(); len(left) != 1 || left[0].Reason != protocol.ReasonProtocol {
		t.Fatalf("acks of what was never sent: %+v", left)
	}
}

func TestOwnPauseEndsNoLaneAndForgetsNobody(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	other := netip.MustParseAddrPort("192.0.2.9:9")
	_, hellos := r.hello(other, 8, "Bobby") // unconfirmed
	for i := range 3 {
		c.Straight(&protocol.ViewClose{ViewID: uint32(i + 1)})
	}
	r.s.Tick(r.now)
	r.now += 20 * time.Second // the process stood still; what the players sent lies in the socket
	r.s.Tick(r.now)
	r.receive(other, hellos[0].Token, 0, &protocol.ClientPong{Seq: 1})
	r.receive(alice, token, 0, &protocol.ClientAck{Ack: 3})
	r.advance(time.Second)
	for _, e := range r.events() {
		if e.Kind == Left {
			t.Fatalf("%s left with %v", e.Conn.Name(), e.Reason)
		}
	}
	if r.advance(9500 * time.Millisecond); c.state != Closing {
		t.Fatal("after a pause real silence is not noticed any more")
	}
}

func TestAnyTextReachesTheKicked(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"two\nlines\tand\x00more":         "two lines andmore",
		"bad \xff utf8":                   "bad ? utf8",
		strings.Repeat("ы", 100):          strings.Repeat("ы", 63),
		"\u200bzero\u2028width\u202eturn": "zero widthturn",
	} {
		r := newRig(t, nil)
		c, _ := r.join(alice, 7, "Alice")
		r.sent = nil
		c.Kick(protocol.ReasonKicked, text)
		kicks := take[*protocol.KickNotify](r, alice)
		if len(kicks) != 1 || kicks[0].Text != want {
			t.Errorf("%q: got %+v", text, kicks)
		}
	}
}

func TestReconfiguredTimesAreForNewConnections(t *testing.T) {
	r := newRig(t, nil)
	r.hello(alice, 7, "Alice")
	r.s.Update(func(c *Config) { c.Unconfirmed, c.Timeout = time.Second, 3*time.Second })
	r.advance(4 * time.Second)
	if len(r.s.conns) != 1 {
		t.Fatal("a connection under way was held to the new time")
	}
}

// The receive path of what comes all the time costs no memory.
func BenchmarkReceive(b *testing.B) {
	for _, bench := range []struct {
		name   string
		packet protocol.Packet
	}{
		{"PlayerSync", &protocol.PlayerSync{}},
		{"ClientAck", &protocol.ClientAck{}},
		{"ClientPong", &protocol.ClientPong{Seq: 1, Probe: 1}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r, token, datagram := receiving(b, bench.packet)
			_ = token
			b.ReportAllocs()
			for b.Loop() {
				r.now += 2 * time.Millisecond
				r.s.Receive(r.now, alice, datagram)
			}
		})
	}
}

func receiving(t testing.TB, p protocol.Packet) (*rig, uint64, []byte) {
	tt := &testing.T{}
	r := newRig(tt, nil)
	_, token := r.join(alice, 7, "Alice")
	r.events()
	r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
	datagram, err := protocol.Append(nil, protocol.Header{Token: token, Event: 1}, p)
	if err != nil {
		t.Fatal(err)
	}
	return r, token, datagram
}

func TestFramesAcksAndPongsAllocateNothing(t *testing.T) {
	for _, p := range []protocol.Packet{&protocol.PlayerSync{}, &protocol.ClientAck{}, &protocol.ClientPong{Seq: 1, Probe: 1}} {
		r, _, datagram := receiving(t, p)
		if n := testing.AllocsPerRun(1000, func() {
			r.now += 2 * time.Millisecond
			r.s.Receive(r.now, alice, datagram)
		}); n != 0 {
			t.Errorf("%v: %v allocations", p.ID(), n)
		}
	}
}

// What a stranger's hello costs on a server of a thousand: without a cookie, with a wrong one, over the limits, and
// proven but too often.
func BenchmarkHello(b *testing.B) {
	r := newRig(&testing.T{}, func(c *Config) { c.MaxPlayers, c.PerHost = 1000, 1000 })
	thousand(r)
	m := protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Mallory"}
	bare, _ := protocol.Append(nil, protocol.Header{}, &m)
	m.Cookie = r.s.cookies.issue(r.now, bob, 7)
	wrong, _ := protocol.Append(nil, protocol.Header{}, &m)
	m.Cookie = r.s.cookies.issue(r.now, alice, 7)
	proven, _ := protocol.Append(nil, protocol.Header{}, &m)
	r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
	for _, bench := range []struct {
		name     string
		datagram []byte
		every    time.Duration
	}{
		{"challenged", bare, time.Second}, {"WrongCookie", wrong, 0}, {"OverTheLimit", bare, 0}, {"ProvenTooOften", proven, 0},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			now := r.now
			for b.Loop() {
				now += bench.every
				r.s.hello(now, alice, bench.datagram)
			}
		})
	}
}

// A tick of a thousand quiet connections.
func BenchmarkTick(b *testing.B) {
	r := newRig(&testing.T{}, func(c *Config) { c.MaxPlayers, c.PerHost = 1000, 1000 })
	thousand(r)
	r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
	b.ReportAllocs()
	for b.Loop() {
		r.now += 100 * time.Microsecond
		for _, c := range r.s.conns {
			c.heard = r.now
		}
		r.s.Tick(r.now)
	}
}

// thousand brings a thousand players in.
func thousand(r *rig) {
	for i := range 1000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 1000)
		r.now += 3 * time.Millisecond
		r.join(from, uint64(i+1), "P"+strings.Repeat("x", 1+i%20)+string(rune('A'+i/20%26))+string(rune('A'+i/520)))
		r.sent = nil
	}
}

var _ pacer.Lane = (*feed)(nil)
