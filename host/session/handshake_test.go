package session

import (
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"darqline/protocol"
)

// caller is a client's handshake, as page Connection has it: the same hello each 500 ms with the newest cookie, an answer
// to a challenge at once but at most 4 a second, and a pong when it is in.
type caller struct {
	r         *rig
	from      netip.AddrPort
	hello     protocol.ClientHello
	last      time.Duration
	answered  time.Duration
	accepted  []*protocol.ServerHello
	rejected  *protocol.ConnectReject
	keepalive uint32
}

// wire carries datagrams with the fate of each decided by its number.
type wire struct {
	at   []carried
	sent int
	fate func(n int, b []byte) []time.Duration // when it arrives: never, once or more often
}

type carried struct {
	when     time.Duration
	b        []byte
	to       netip.AddrPort
	toServer bool
}

func (w *wire) put(now time.Duration, b []byte, to netip.AddrPort, toServer bool) {
	for _, after := range w.fate(w.sent, b) {
		w.at = append(w.at, carried{now + after, b, to, toServer})
	}
	w.sent++
}

// run lets a handshake happen until end.
func (w *wire) run(c *caller, end time.Duration) {
	r := c.r
	for ; r.now < end; r.now += 5 * time.Millisecond {
		if len(c.accepted) == 0 && c.rejected == nil && r.now < 10*time.Second && (r.now == 0 || r.now-c.last >= 500*time.Millisecond) {
			c.send(w)
		}
		r.s.Tick(r.now)
		r.decide(Verdict{})
		for _, d := range r.sent {
			w.put(r.now, d.b, d.to, false)
		}
		r.sent = nil
		var later []carried
		due := w.at
		w.at = nil
		for _, d := range due {
			switch {
			case d.when > r.now:
				later = append(later, d)
			case d.toServer:
				r.s.Receive(r.now, c.from, d.b)
			default:
				c.take(w, d.b)
			}
		}
		w.at = append(later, w.at...)
	}
}

func (c *caller) send(w *wire) {
	c.last = c.r.now
	b, err := protocol.Append(nil, protocol.Header{}, &c.hello)
	if err != nil {
		c.r.t.Fatal(err)
	}
	w.put(c.r.now, b, c.from, true)
}

func (c *caller) take(w *wire, b []byte) {
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		c.r.t.Fatal(err)
	}
	switch p := p.(type) {
	case *protocol.ConnectChallenge:
		c.hello.Cookie = p.Cookie
		if len(c.accepted) == 0 && c.r.now-c.answered >= 250*time.Millisecond {
			c.answered = c.r.now
			c.send(w)
		}
	case *protocol.ServerHello:
		c.accepted = append(c.accepted, p)
	case *protocol.ConnectReject:
		c.rejected = p
	case *protocol.ServerKeepalive:
		if len(c.accepted) > 0 && p.Seq > c.keepalive {
			c.keepalive = p.Seq
			b, _ := protocol.Append(nil, protocol.Header{Token: c.accepted[0].Token}, &protocol.ClientPong{Seq: p.Seq, Probe: p.Probe})
			w.put(c.r.now, b, c.from, true)
		}
	}
}

// Any one packet of the handshake lost, doubled, late (also by more than a cookie's life) or overtaken: one player, and
// one token however often it is told.
func TestAnyPacketOfTheHandshakeMayGoAstray(t *testing.T) {
	const trip = 20 * time.Millisecond
	fates := map[string][]time.Duration{
		"lost": {}, "doubled": {trip, trip}, "doubled late": {trip, 3 * time.Second}, "overtaken": {trip + 300*time.Millisecond},
		"late by 21 s": {21 * time.Second}, "doubled 21 s later": {trip, 21 * time.Second}, "doubled 12 s later": {trip, 12 * time.Second},
	}
	for name, fate := range fates {
		for n := range 8 {
			r := newRig(t, nil)
			c := &caller{r: r, from: alice, hello: protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}, answered: -time.Second}
			w := &wire{fate: func(i int, _ []byte) []time.Duration {
				if i == n {
					return fate
				}
				return []time.Duration{trip}
			}}
			w.run(c, 8*time.Second)
			if len(c.accepted) == 0 {
				t.Fatalf("packet %d %s: nobody is in", n, name)
			}
			w.run(c, 35*time.Second)
			for _, hello := range c.accepted {
				if hello.Token != c.accepted[0].Token {
					t.Errorf("packet %d %s: two tokens", n, name)
				}
			}
			if s := r.s.Stats(); s.Players != 1 || s.Unconfirmed != 0 || r.s.generation != 1 {
				t.Errorf("packet %d %s: %d players, %d unconfirmed, %d generations", n, name, s.Players, s.Unconfirmed, r.s.generation)
			}
		}
	}
}

// A million hosts that say hello leave nothing behind, and get no more than they sent.
func TestAMillionHosts(t *testing.T) {
	r := newRig(t, nil)
	var in, out, challenges int
	r.s.cfg.Send = func(_ netip.AddrPort, b []byte, _ int) { out += len(b); challenges++ }
	hello, err := protocol.Append(nil, protocol.Header{}, &protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Mallory"})
	if err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const hosts, each = 1_000_000, 50 * time.Microsecond // 20,000 a second
	before := heap()
	for i := range hosts {
		r.now += each
		for c := 11; c < 35; c++ { // a cookie of the attacker's own making, as if issued now
			hello[c] = 0
		}
		if i%2 == 1 {
			hello[11], hello[15] = byte(r.now/time.Second), byte(i)
		}
		in += len(hello)
		r.s.Receive(r.now, hostAt(i), hello)
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("the heap grew by %d KiB", (after-before)>>10)
	}
	seconds := int(hosts * each / time.Second)
	if challenges > 5000*(seconds+1) || challenges < 4900*seconds {
		t.Errorf("%d challenges in %d s, want 5,000 a second", challenges, seconds)
	}
	if out > in {
		t.Errorf("%d bytes out for %d in", out, in)
	}
	if n := len(r.s.conns) + len(r.s.attempts) + len(r.s.verdicts.of) + len(r.s.events) + len(r.s.byHost) + len(r.s.tombs); n != 0 {
		t.Errorf("%d things are kept", n)
	}
}

// An honest client gets in beside a flood of hellos from everywhere that prove nothing.
func TestOneIsLetInBesideAFlood(t *testing.T) {
	r := newRig(t, nil)
	flood, err := protocol.Append(nil, protocol.Header{}, &protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Mallory"})
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{r: r, from: alice, hello: protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}, answered: -time.Second}
	w := &wire{fate: func(int, []byte) []time.Duration { return []time.Duration{20 * time.Millisecond} }}
	send := r.s.cfg.Send
	r.s.cfg.Send = func(to netip.AddrPort, b []byte, segment int) {
		if to == alice {
			send(to, b, segment)
		}
	}
	dice, host := rand.New(rand.NewPCG(1, 2)), 0
	knock := func(n int) {
		for range n {
			host++
			r.s.Receive(r.now, hostAt(host), flood)
		}
	}
	knock(10_000) // what is let through at once is spent
	for r.now < 10*time.Second && len(c.accepted) == 0 {
		before := dice.IntN(100) // in 5 ms 100: 20,000 a second, four times what is answered
		knock(before)
		w.run(c, r.now+5*time.Millisecond)
		knock(100 - before)
	}
	if len(c.accepted) == 0 {
		t.Fatalf("not in after %v: %+v", r.now, r.s.Stats())
	}
	t.Logf("in after %v", r.now)
}
