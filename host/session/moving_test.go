package session

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// resume is the hello of a connection that goes on.
func resume(nonce, token uint64) protocol.ClientHello {
	return protocol.ClientHello{Nonce: nonce, Resume: token}
}

func TestWhereAConnectionMayGoOn(t *testing.T) {
	samePort, otherHost := netip.AddrPortFrom(alice.Addr(), 6000), bob
	tests := []struct {
		name   string
		change func(*Config)
		to     netip.AddrPort
		want   bool
		event  bool
	}{
		{"never, another port", func(c *Config) { c.AddressChange = AddressNever }, samePort, false, false},
		{"never, its own address", func(c *Config) { c.AddressChange = AddressNever }, alice, true, false},
		{"default, another port", nil, samePort, true, false},
		{"port, another port", func(c *Config) { c.AddressChange = AddressPort }, samePort, true, false},
		{"port, another host", func(c *Config) { c.AddressChange = AddressPort }, otherHost, false, false},
		{"any, another port", func(c *Config) { c.AddressChange = AddressAny }, samePort, true, false},
		{"any, another host", func(c *Config) { c.AddressChange = AddressAny }, otherHost, true, true},
		{"any, a banned host", func(c *Config) {
			c.AddressChange = AddressAny
			c.Banned = func(b BanSubject) (Banned, bool) { return Banned{}, b.Host == otherHost.Addr() }
		}, otherHost, false, false},
		{"any, a host that is full", func(c *Config) { c.AddressChange, c.PerHost = AddressAny, 1 }, otherHost, false, false},
		{"any, loopback is never full", func(c *Config) { c.AddressChange, c.PerHost = AddressAny, 1 }, netip.MustParseAddrPort("127.0.0.1:9"), true, true},
		{"port, the host is full of its own", func(c *Config) { c.PerHost = 1 }, samePort, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, test.change)
			c, token := r.join(alice, 7, "Alice")
			if test.to.Addr() != alice.Addr() && r.s.cfg.Banned == nil {
				r.join(netip.AddrPortFrom(test.to.Addr(), 99), 8, "Neighbour")
			}
			r.now += time.Second
			hello, reject := r.knock(test.to, resume(9, token), Verdict{})
			if (hello != nil) != test.want {
				t.Fatalf("got %+v, %+v", hello, reject)
			}
			if !test.want {
				if reject.Reason != protocol.ReasonResume || c.addr != alice || c.nonce != 7 {
					t.Fatalf("got %+v, at %v", reject, c.addr)
				}
				return
			}
			if hello.State != protocol.HelloMoved || hello.Token != token || hello.PlayerID != c.id || hello.PlayerToken != c.gen ||
				hello.Nonce != 9 || hello.Name != "Alice" || hello.AuthNonce != [32]byte{} {
				t.Fatalf("ServerHello %+v", hello)
			}
			var events []Event
			for _, e := range r.events() {
				if e.Conn == c {
					events = append(events, e)
				}
			}
			if test.event != (len(events) == 1 && events[0].Kind == Moved && events[0].From == alice && events[0].To == test.to) {
				t.Fatalf("events %+v", events)
			}
			if c.Address() != test.to || r.s.byAddr[test.to] != c || test.to != alice && r.s.byAddr[alice] != nil {
				t.Fatalf("at %v, by address %v", c.Address(), r.s.byAddr)
			}
			r.bye(test.to, token)
			if test.event && r.s.byHost[alice.Addr()] != 0 || r.s.byAddr[test.to] != nil {
				t.Fatalf("hosts %v", r.s.byHost)
			}
		})
	}
}

func TestNothingToGoOnFrom(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	unconfirmed, _ := r.knock(bob, protocol.ClientHello{Nonce: 8, Name: "Bobby"}, Verdict{})
	c.Kick(protocol.ReasonKicked, "")
	for name, resumed := range map[string]uint64{"unknown": 12345, "Unconfirmed": unconfirmed.Token, "Closing": token} {
		r.now += time.Second
		hello, reject := r.knock(netip.AddrPortFrom(bob.Addr(), 6000), resume(uint64(r.now), resumed), Verdict{})
		if hello != nil || reject.Reason != protocol.ReasonResume {
			t.Errorf("%s: %+v, %+v", name, hello, reject)
		}
	}
}

func TestAfterTheMove(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	to := netip.AddrPortFrom(alice.Addr(), 6000)
	r.receive(alice, token, 1, &protocol.ClientChat{Text: "one"})
	c.Straight(&protocol.ViewClose{ViewID: 1}) // unacked when it moves
	r.now += time.Second
	m := resume(9, token)
	r.prove(to, &m)
	r.receive(to, 0, 0, &m)
	first := r.sent[0]
	r.sent = nil
	r.now += time.Second
	r.receive(to, 0, 0, &m) // the answer was lost
	again := r.sent[0]
	at := serverTimeAt
	if first.to != to || again.to != to || bytes.Equal(first.b, again.b) ||
		!bytes.Equal(first.b[:at], again.b[:at]) || !bytes.Equal(first.b[at+4:], again.b[at+4:]) {
		t.Fatal("the same hello got another ServerHello than one with another server_time")
	}
	if s := r.s.Stats(); s.Moved != 1 || s.Players != 1 {
		t.Fatalf("counted %+v", s)
	}
	r.events()

	r.receive(alice, token, 2, &protocol.ClientChat{Text: "from where it was"})
	r.bye(alice, token)
	if s := r.s.Stats(); len(r.events()) != 0 || s.Strayed != 2 || c.state == Closing {
		t.Fatalf("a packet of the old address counts: %+v", s)
	}
	r.sent = nil
	r.receive(to, token, 2, &protocol.ClientChat{Text: "two"})
	if acks := take[*protocol.ServerAck](r, to); len(acks) != 1 || acks[0].Ack != 2 {
		t.Fatalf("acks %+v: the stream did not go on", acks)
	}
	r.advance(time.Second)
	if resent := take[*protocol.ViewClose](r, to); len(resent) == 0 {
		t.Fatal("what was unacked is not sent to the new address")
	}
	r.receive(to, token, 0, &protocol.ClientAck{Ack: 1})
	if c.Unacked() != 0 {
		t.Fatal("the ack does not count")
	}
	c.Kick(protocol.ReasonKicked, "bye")
	if kicks := take[*protocol.KickNotify](r, to); len(kicks) != 1 || kicks[0].Nonce != 9 {
		t.Fatalf("kicks %+v, want the nonce of the hello that moved it", kicks)
	}
	r.receive(alice, token, 0, &protocol.ClientPong{Seq: 1})
	if len(r.sent) != 0 {
		t.Fatal("the tombstone answers the old address")
	}
	r.pong(to, token)
	if kicks := take[*protocol.KickNotify](r, to); len(kicks) != 1 {
		t.Fatal("the tombstone does not answer the new address")
	}
}

// The answers to one hello are limited, and the next hello has its own.
func TestAMoveIsAnsweredAfterManyRepeats(t *testing.T) {
	r := newRig(t, nil)
	m, hellos := r.hello(alice, 7, "Alice")
	r.pong(alice, hellos[0].Token)
	next := resume(8, hellos[0].Token)
	r.prove(alice, &next)
	for range 7 {
		r.receive(alice, 0, 0, &m)
	}
	if n := len(take[*protocol.ServerHello](r, alice)); n != 3 {
		t.Fatalf("%d more answers at once", n)
	}
	r.now += 250 * time.Millisecond // for the limit of hellos
	r.receive(alice, 0, 0, &m)
	r.sent = nil
	r.now += 5 * time.Millisecond
	r.s.hosts.of(alice.Addr()).hellos = limit.Bucket{}
	r.receive(alice, 0, 0, &next)
	if hello, _ := r.answer(alice); hello == nil || hello.Nonce != 8 {
		t.Fatalf("got %+v", hello)
	}
}

// One move each 5 s. Who comes sooner is not thrown out: he is in when he asks again.
func TestOneMoveInFiveSeconds(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	port := func(n uint16) netip.AddrPort { return netip.AddrPortFrom(alice.Addr(), n) }
	if hello, _ := r.knock(port(1), resume(8, token), Verdict{}); hello == nil {
		t.Fatal("the first move was refused")
	}
	m := resume(9, token)
	r.advance(time.Second)
	r.prove(port(2), &m)
	for range 7 {
		r.receive(port(2), 0, 0, &m)
		if hello, reject := r.answer(port(2)); hello != nil || reject != nil {
			t.Fatalf("after %v: %+v, %+v", r.now, hello, reject)
		}
		r.advance(500 * time.Millisecond)
	}
	r.advance(500 * time.Millisecond)
	r.receive(port(2), 0, 0, &m)
	if hello, _ := r.answer(port(2)); hello == nil || c.addr != port(2) {
		t.Fatal("not moved after 5 s")
	}
	r.now += time.Second // its own address is no move
	if hello, _ := r.knock(port(2), resume(10, token), Verdict{}); hello == nil || c.nonce != 10 {
		t.Fatal("its own address was refused")
	}
}

// A hello from where the client was before, late by less than a cookie's life, does not move the connection back.
func TestALateHelloMovesNothingBack(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	port := func(n uint16) netip.AddrPort { return netip.AddrPortFrom(alice.Addr(), n) }
	late := resume(8, token)
	r.prove(port(1), &late)
	r.advance(2 * time.Second)
	if hello, _ := r.knock(port(2), resume(8, token), Verdict{}); hello == nil { // the same attempt from elsewhere
		t.Fatal("not moved")
	}
	r.advance(6 * time.Second)
	r.sent = nil
	r.receive(port(1), 0, 0, &late)
	if got := take[*protocol.ConnectChallenge](r, port(1)); len(got) != 1 || c.addr != port(2) {
		t.Fatalf("%d challenges, now at %v", len(got), c.addr)
	}
	if hello, _ := r.knock(port(1), resume(8, token), Verdict{}); hello == nil || c.addr != port(1) {
		t.Fatal("a client that went back there for true was refused")
	}
}

// Two connections may have had the same address, one after the other: each end and move leaves the other alone.
func TestAnAddressThatWasAnothers(t *testing.T) {
	for _, moves := range []bool{false, true} {
		r := newRig(t, nil)
		a, tokenA := r.join(alice, 1, "Alice")
		b, tokenB := r.join(netip.AddrPortFrom(alice.Addr(), 6000), 2, "Bobby")
		r.advance(time.Second)
		if hello, _ := r.knock(alice, resume(3, tokenB), Verdict{}); hello == nil || r.s.byAddr[alice] != b {
			t.Fatal("not moved to an address that another had")
		}
		r.pong(alice, tokenA)
		r.pong(alice, tokenB)
		if a.Ended() || b.Ended() {
			t.Fatal("one of two behind the same port was thrown out")
		}
		if moves {
			if hello, _ := r.knock(netip.AddrPortFrom(alice.Addr(), 7000), resume(4, tokenA), Verdict{}); hello == nil || r.s.byAddr[alice] != b {
				t.Fatal("the move of one took the address from the other")
			}
		}
		r.bye(a.addr, tokenA)
		if r.s.byAddr[alice] != b || !a.Ended() || b.Ended() {
			t.Fatal("the end of one took the address from the other")
		}
		if hello, _ := r.knock(alice, protocol.ClientHello{Nonce: 5, Name: "Carol"}, Verdict{}); hello == nil || !b.Ended() {
			t.Fatal("a new process there does not replace the one whose address it is")
		}
	}
}
