package session

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// ghost comes in and never confirms.
func (r *rig) ghost(i int) (*protocol.ServerHello, *protocol.ConnectReject) {
	r.t.Helper()
	return r.knock(hostAt(i), protocol.ClientHello{Nonce: 1, Name: fmt.Sprintf("Ghost%d", i)}, Verdict{})
}

func TestTheUnconfirmedHaveAShare(t *testing.T) {
	for players, share := range map[int]int{8: 4, 16: 4, 40: 10, 100: 25} {
		r := newRig(t, func(c *Config) { c.MaxPlayers = players })
		var tokens []uint64
		for i := range share {
			hello, reject := r.ghost(i)
			if hello == nil {
				t.Fatalf("%d of a share of %d: %+v", i, share, reject)
			}
			tokens = append(tokens, hello.Token)
			r.now += time.Millisecond
		}
		for range 2 {
			if hello, reject := r.ghost(500); hello != nil || reject != nil {
				t.Fatalf("over the share of %d: %+v, %+v; want silence", share, hello, reject)
			}
		}
		r.now += confirmTime - time.Duration(share)*time.Millisecond
		if hello, _ := r.ghost(500); hello == nil {
			t.Fatal("the place of one who could have confirmed is not given on")
		}
		if c := r.s.conns[tokens[0]]; c != nil || r.s.conns[tokens[1]] == nil {
			t.Fatal("not the first to come went first")
		}
		r.consistent()
		if n := r.s.Stats().Unconfirmed; n != share {
			t.Errorf("%d of %d places are held by who never confirmed, want %d", n, players, share)
		}
	}
}

// Who is forgotten for another leaves nothing behind, is told nothing, and may come again.
func TestForgottenForAnother(t *testing.T) {
	r := newRig(t, nil)
	first, _ := r.ghost(0)
	for i := range 3 {
		r.now += time.Millisecond // who came later goes later
		r.ghost(1 + i)
	}
	r.advance(confirmTime)
	r.events()
	r.sent = nil
	hello, _ := r.ghost(9)
	if hello == nil || hello.PlayerID != first.PlayerID {
		t.Fatalf("got %+v, want the id of who was forgotten", hello)
	}
	if len(take[*protocol.KickNotify](r, hostAt(0))) != 0 || len(r.s.tombs) != 0 {
		t.Error("he is told")
	}
	lefts := r.lefts()
	if len(lefts) != 1 || lefts[0].Joined || lefts[0].SignIn || lefts[0].Reason != protocol.ReasonTimeout {
		t.Errorf("leaves %+v", lefts)
	}
	r.pong(hostAt(0), first.Token) // late
	if n := r.s.Stats().Players; n != 0 {
		t.Error("a late packet brought him back")
	}
	r.pong(hostAt(9), hello.Token)
	if hello, reject := r.ghost(0); hello == nil {
		t.Errorf("he may not come again: %+v", reject)
	}
	r.consistent()
}

// A full server: who only knocks keeps nobody out, who has just come is left the time to confirm.
func TestAFullServerForgetsWhoHesitates(t *testing.T) {
	r := newRig(t, nil)
	for i := range 7 {
		r.join(hostAt(i), 1, fmt.Sprintf("Player%d", i))
	}
	r.ghost(10)
	if _, reject := r.ghost(11); reject == nil || reject.Reason != protocol.ReasonFull {
		t.Fatalf("got %+v, want full", reject)
	}
	r.now += confirmTime
	if hello, reject := r.knock(hostAt(11), protocol.ClientHello{Nonce: 2, Name: "Eve"}, Verdict{}); hello == nil {
		t.Fatalf("refused for one who does not confirm: %+v", reject)
	}
	r.consistent()
	if len(r.s.conns) != 8 {
		t.Fatalf("%d connections", len(r.s.conns))
	}
}

// A place that is kept for one who comes back is not given to who takes another's.
func TestAKeptPlaceIsNotMadeRoomOf(t *testing.T) {
	r := newRig(t, nil)
	for i := range 7 {
		r.join(hostAt(i), 1, fmt.Sprintf("Player%d", i))
	}
	r.ghost(10)
	r.now += confirmTime
	back := protocol.ClientHello{Nonce: 2, Name: "Player0"} // from the same address
	r.prove(hostAt(0), &back)
	r.receive(hostAt(0), 0, 0, &back)
	mine := r.events()
	if hello, reject := r.ghost(11); hello == nil {
		t.Fatalf("got %+v", reject)
	}
	r.sent = nil
	for _, e := range mine {
		if e.Kind == Connecting {
			r.s.Decide(e.Attempt, Verdict{})
		}
		if e.Kind == Left {
			r.s.Release(e.Conn)
		}
	}
	if hello, reject := r.answer(hostAt(0)); hello == nil {
		t.Fatalf("his place is gone: %+v", reject)
	}
	r.consistent()
}

// The server's own pause takes nobody's time to confirm.
func TestAPauseKeepsThePlacesOfTheUnconfirmed(t *testing.T) {
	r := newRig(t, nil)
	for i := range 4 {
		r.ghost(i)
	}
	r.s.Tick(r.now)
	r.now += 20 * time.Second
	if hello, _ := r.ghost(9); hello != nil {
		t.Fatal("a place was taken from one whose packets lie waiting")
	}
	r.now += confirmTime
	if hello, _ := r.ghost(9); hello == nil {
		t.Fatal("the pause is excused for ever")
	}
}

// consistent compares what the sessions keep twice.
func (r *rig) consistent() {
	r.t.Helper()
	s := r.s
	hosts, unconfirmed := make(map[netip.Addr]int), 0
	for _, c := range s.conns {
		hosts[hostOf(c.addr)]++
		if c.state == Unconfirmed {
			unconfirmed++
		}
		if s.names[c.nameKey] != c || !s.ids[c.id] {
			r.t.Errorf("%s has lost name or id", c.name)
		}
	}
	if len(s.names) != len(s.conns) || len(hosts) != len(s.byHost) || unconfirmed != s.states[Unconfirmed] {
		r.t.Errorf("%d connections: %d names; %d hosts, counted %d; %d unconfirmed, counted %d", len(s.conns), len(s.names),
			len(hosts), len(s.byHost), unconfirmed, s.states[Unconfirmed])
	}
	for host, n := range hosts {
		if s.byHost[host] != n {
			r.t.Errorf("%d connections of %v, counted %d", n, host, s.byHost[host])
		}
	}
}

// honest is a client 100 ms away that asks twice a second and confirms.
type honest struct {
	addr  netip.AddrPort
	hello protocol.ClientHello
	asks  time.Duration
	heard []later // what is on the way to it
	in    time.Duration
}

type later struct {
	at time.Duration
	p  protocol.Packet
}

// 10,000 hosts prove their addresses and never confirm, 500 times a second: honest clients, 200 ms there and back, are in
// within 10 s, and the strangers hold no more than their share at any time.
func TestHonestClientsComeInThroughAFloodOfProvenHellos(t *testing.T) {
	const (
		step   = time.Millisecond
		oneWay = 100 * time.Millisecond
		rate   = 500
		hosts  = 10_000
	)
	r := newRig(t, func(c *Config) { c.MaxPlayers, c.Attempts, c.PerHost = 1000, 20, 4 })
	clients := make(map[netip.AddrPort]*honest)
	for i := range 20 {
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i + 1)}), 5000)
		clients[addr] = &honest{addr: addr, asks: 2*time.Second + time.Duration(i)*37*time.Millisecond,
			hello: protocol.ClientHello{Version: protocol.Version, Nonce: uint64(i + 1), Name: fmt.Sprintf("Honest%d", i)}}
	}
	r.s.cfg.Send = func(to netip.AddrPort, b []byte, _ int) {
		if c := clients[to]; c != nil {
			if _, p, err := protocol.Decode(b, protocol.ServerToClient); err == nil {
				c.heard = append(c.heard, later{r.now + oneWay, p})
			}
		}
	}
	type sent struct {
		at    time.Duration
		from  netip.AddrPort
		token uint64
		p     protocol.Packet
	}
	var wire []sent
	chance := rand.New(rand.NewPCG(1, 2))
	var bot int
	for due := 0.; r.now < 12*time.Second; r.now += step {
		for ; due <= r.now.Seconds(); due += chance.ExpFloat64() / rate {
			r.stranger(bot % hosts)
			bot++
		}
		for _, c := range clients {
			if c.in == 0 && r.now >= c.asks {
				c.asks = r.now + 500*time.Millisecond
				m := c.hello
				wire = append(wire, sent{r.now + oneWay, c.addr, 0, &m})
			}
			for len(c.heard) > 0 && r.now >= c.heard[0].at {
				switch p := c.heard[0].p.(type) {
				case *protocol.ConnectChallenge:
					c.hello.Cookie = p.Cookie
					m := c.hello
					wire = append(wire, sent{r.now + oneWay, c.addr, 0, &m})
				case *protocol.ServerHello:
					c.asks = r.now + time.Hour
					wire = append(wire, sent{r.now + oneWay, c.addr, p.Token, &protocol.ClientPong{Seq: 1}})
				case *protocol.ConnectReject:
					t.Fatalf("%v was refused: %+v", c.addr, p)
				}
				c.heard = c.heard[1:]
			}
		}
		for len(wire) > 0 && r.now >= wire[0].at {
			r.receive(wire[0].from, wire[0].token, 0, wire[0].p)
			wire = wire[1:]
		}
		r.s.Tick(r.now)
		for _, e := range r.s.Events(nil) {
			switch e.Kind {
			case Connecting:
				r.s.Decide(e.Attempt, Verdict{})
			case Confirmed:
				clients[e.Conn.addr].in = r.now
			}
		}
		if n := r.s.states[Unconfirmed]; n > 250 {
			t.Fatalf("%d of 1,000 places are held by who never confirmed", n)
		}
	}
	for _, c := range clients {
		if c.in == 0 {
			t.Errorf("%s did not come in within 10 s", c.hello.Name)
		}
	}
	r.consistent()
	if n := r.s.Stats().Unconfirmed; n < 200 {
		t.Errorf("only %d strangers: the flood was none", n)
	}
}

// stranger sends a hello with a right cookie.
func (r *rig) stranger(i int) {
	from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), uint16(1024+r.now/time.Second))
	m := protocol.ClientHello{Version: protocol.Version, Nonce: uint64(r.now) + 1, Name: fmt.Sprintf("Stranger%d", i)}
	binary.LittleEndian.PutUint64(m.Serial[:], uint64(i)+1)
	m.Cookie = r.s.cookies.issue(r.now, from, m.Nonce)
	r.receive(from, 0, 0, &m)
}

// Whoever proves his address and never confirms is sent the beginning of the manifests once: all of it again and again would
// make two datagrams of his a thousand of the server's.
func TestAnUnconfirmedOneIsNotSentMuch(t *testing.T) {
	r := newRig(t, nil)
	hello, _ := r.ghost(0)
	c := r.s.conns[hello.Token]
	pace := func(name string) {
		m := &protocol.ResourceFiles{Name: name, Generation: 1, Total: 1, Entries: []protocol.FileEntry{{Path: "a.html", Size: 1}}}
		c.Pace(pacer.Thing{Key: name, Class: pacer.Manifests, Packets: []protocol.Packet{m}})
	}
	for i := range 400 {
		pace(fmt.Sprintf("r%d", i))
	}
	r.sent = nil
	r.advance(2 * time.Second)
	if next := r.s.Tick(r.now); next <= r.now {
		t.Errorf("at %v the next tick is wanted at %v, though nothing may go out", r.now, next)
	}
	pace("late")
	r.advance(2 * time.Second)
	bytes := 0
	for _, d := range r.sent {
		bytes += len(d.b)
	}
	if bytes > 30<<10 {
		t.Errorf("%d bytes in 4 s to one who does not confirm", bytes)
	}
	if n := len(take[*protocol.ResourceFiles](r, hostAt(0))); n < 20 {
		t.Errorf("%d manifests at once, want the first pass", n)
	}
	var ack uint32
	got := make(map[uint32]bool)
	for range 100 { // now he confirms: nothing is lost
		r.receive(hostAt(0), hello.Token, 0, &protocol.ClientAck{Ack: ack})
		r.advance(100 * time.Millisecond)
		for _, d := range r.sent {
			if h, p, err := protocol.Decode(d.b, protocol.ServerToClient); err == nil && p.ID() == protocol.IDResourceFiles {
				got[h.Event] = true
			}
		}
		r.sent = nil
		for got[ack+1] {
			ack++
		}
	}
	if ack != 401 {
		t.Errorf("%d manifests came, want 401", ack)
	}
}

// A name is not kept for one who never confirms.
func TestTheNameOfWhoHesitates(t *testing.T) {
	r := newRig(t, nil)
	r.ghost(0)
	if got := r.reject(hostAt(1), 1, "Ghost0"); got.Reason != protocol.ReasonNameInUse {
		t.Fatalf("got %+v", got)
	}
	r.now += confirmTime
	r.events()
	hello, reject := r.knock(hostAt(1), protocol.ClientHello{Nonce: 2, Name: "Ghost0"}, Verdict{})
	if hello == nil {
		t.Fatalf("the name is held by who does not confirm: %+v", reject)
	}
	for _, e := range r.events() {
		if e.Kind == Left && (e.Joined || e.SignIn) || e.Kind == Connecting && e.Attempt.Reconnect {
			t.Errorf("somebody is told: %+v", e)
		}
	}
	r.consistent()
}

// Who is among the Unconfirmed and asks anew (his client was started again) takes his own place at once, though nobody else
// could be admitted.
func TestAnUnconfirmedOneAsksAnew(t *testing.T) {
	r := newRig(t, nil)
	for i := range 4 {
		r.ghost(i)
	}
	if hello, reject := r.ghost(9); hello != nil || reject != nil {
		t.Fatalf("beyond the share: %+v, %+v", hello, reject)
	}
	hello, reject := r.knock(hostAt(2), protocol.ClientHello{Nonce: 2, Name: "Ghost2"}, Verdict{})
	if hello == nil {
		t.Fatalf("his own place is not his: %+v", reject)
	}
	r.consistent()
	if n := r.s.Stats().Unconfirmed; n != 4 {
		t.Errorf("%d are Unconfirmed, want 4", n)
	}
}
