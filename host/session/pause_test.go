package session

import (
	"net/netip"
	"testing"
	"time"

	"darqline/protocol"
)

// The server stood still, and its clock went on: with every timer that runs against others near its end, and whichever
// comes first afterwards, the clock or what lay in the socket.
func TestOwnPausesThrowNobodyOut(t *testing.T) {
	for _, pause := range []time.Duration{2 * time.Second, 20 * time.Second, 10 * time.Minute} {
		for _, clockFirst := range []bool{true, false} {
			r := newRig(t, func(c *Config) {
				c.SignIn = func() bool { return true }
				c.SignInTimeout, c.SignInAttempts, c.MaxPlayers = 10*time.Second, 5, 100
			})
			signing, signingToken := r.join(alice, 1, "Alice")
			r.s.cfg.SignIn = nil
			laned, lanedToken := r.join(bob, 2, "Bobby")
			silent, silentToken := r.join(carol, 3, "Carol")
			laned.Straight(&protocol.SetTime{})
			for range 8 {
				r.advance(time.Second)
				r.pong(alice, signingToken)
				r.pong(bob, lanedToken)
			}
			unconfirmed, _ := r.knock(dave, protocol.ClientHello{Nonce: 4, Name: "Dave"}, Verdict{})
			pending := protocol.ClientHello{Nonce: 5, Name: "Erin"}
			r.prove(hostAt(1), &pending)
			r.receive(hostAt(1), 0, 0, &pending)
			r.events()
			r.advance(900 * time.Millisecond)
			if signing.state == Closing || laned.state == Closing || silent.state == Closing {
				t.Fatal("ended before the pause")
			}

			r.now += pause
			if clockFirst {
				r.s.Tick(r.now)
			}
			r.pong(alice, signingToken)
			r.pong(carol, silentToken)
			r.pong(dave, unconfirmed.Token)
			r.receive(bob, lanedToken, 0, &protocol.ClientAck{Ack: 1})
			r.s.Tick(r.now)
			r.advance(time.Second)
			for _, left := range r.lefts() {
				t.Errorf("pause of %v, clock first %v: %s left with %v", pause, clockFirst, left.Conn.name, left.Reason)
			}
			if len(r.s.attempts) != 1 {
				t.Errorf("pause of %v, clock first %v: the pending admission lapsed", pause, clockFirst)
			}
		}
	}
}

// A pause is noticed even where the next keepalive is far.
func TestAPauseBetweenRareKeepalives(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Keepalive, c.Timeout = 5*time.Second, 30*time.Second })
	c, _ := r.join(alice, 7, "Alice")
	r.advance(26500 * time.Millisecond)
	r.now += 4 * time.Second
	if r.s.Tick(r.now); c.state == Closing {
		t.Fatal("thrown out after 26.5 s of silence and a pause of 4 s")
	}
}

// After a pause all is as before: real silence, a dead lane, no sign-in, no confirmation still end.
func TestAfterAPauseTheTimesRunOn(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.SignIn = func() bool { return true }
		c.SignInTimeout, c.SignInAttempts = 30*time.Second, 5
	})
	signing, signingToken := r.join(alice, 1, "Alice")
	r.s.cfg.SignIn = nil
	silent, _ := r.join(bob, 2, "Bobby")
	dead, deadToken := r.join(carol, 3, "Carol")
	r.knock(dave, protocol.ClientHello{Nonce: 4, Name: "Dave"}, Verdict{})
	dead.Straight(&protocol.SetTime{})
	r.advance(time.Second)
	r.now += 20 * time.Second
	r.s.Tick(r.now)
	r.events()
	for range 40 {
		r.advance(time.Second)
		r.pong(carol, deadToken)
		r.pong(alice, signingToken)
	}
	want := map[*Conn]protocol.Reason{
		signing: protocol.ReasonSignInFailed, silent: protocol.ReasonTimeout, dead: protocol.ReasonLane,
	}
	for _, left := range r.lefts() {
		if reason, ok := want[left.Conn]; ok && left.Reason != reason || !ok && (left.Joined || left.SignIn) {
			t.Errorf("%s left with %v", left.Conn.name, left.Reason)
		}
		delete(want, left.Conn)
	}
	if len(want) > 0 || len(r.s.conns) > 0 {
		t.Errorf("%d never ended", len(r.s.conns))
	}
}

// What lay in the socket bursts in at once. That is no flood, also not of one who sends as much as is allowed.
func TestABacklogIsNoFlood(t *testing.T) {
	for _, rate := range []int{100, 790} {
		for _, clockFirst := range []bool{true, false} {
			r := newRig(t, nil)
			c, token := r.join(alice, 7, "Alice")
			r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
			frame, _ := protocol.Append(nil, protocol.Header{Token: token}, &protocol.PlayerSync{})
			speak := func(d time.Duration) {
				for end := r.now + d; r.now < end; r.now += time.Second / time.Duration(rate) {
					if r.now >= r.s.next {
						r.s.Tick(r.now)
					}
					r.s.Receive(r.now, alice, frame)
				}
			}
			speak(5 * time.Second)
			r.now += 20 * time.Second
			if clockFirst {
				r.s.Tick(r.now)
			}
			for range 20 * rate {
				r.s.Receive(r.now, alice, frame)
			}
			rate *= 2 // the rest of it, from further away
			speak(5500 * time.Millisecond)
			rate /= 2
			speak(30 * time.Second)
			if c.state == Closing {
				t.Errorf("%d a second, clock first %v: left with %v", rate, clockFirst, r.lefts()[0].Reason)
			}
		}
	}
}

// A real flood after a pause is one all the same.
func TestAFloodAfterAPauseEnds(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
	frame, _ := protocol.Append(nil, protocol.Header{Token: token}, &protocol.PlayerSync{})
	r.s.Tick(r.now)
	r.now += 20 * time.Second
	for end := r.now + 12*time.Second; r.now < end; r.now += time.Second / 2000 {
		if r.now >= r.s.next {
			r.s.Tick(r.now)
		}
		r.s.Receive(r.now, alice, frame)
	}
	if left := r.lefts(); c.state != Closing || left[0].Reason != protocol.ReasonFlood {
		t.Fatalf("state %d", c.state)
	}
}

// The pause is not in the ping: neither what waited for the server nor what it had lost.
func TestAPauseIsNotInThePing(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 7, "Alice")
	r.sent = nil
	answer := func() {
		for _, k := range take[*protocol.ServerKeepalive](r, alice) {
			r.receive(alice, token, 0, &protocol.ClientPong{Seq: k.Seq, Probe: k.Probe})
		}
	}
	for range 4000 {
		r.advance(10 * time.Millisecond)
		answer()
	}
	for len(r.sent) == 0 { // the next probe
		r.advance(10 * time.Millisecond)
	}
	r.now += 20 * time.Second
	answer()
	r.s.Tick(r.now)
	if ping, jitter, loss, _ := c.Ping(); ping > 20*time.Millisecond || jitter > 20*time.Millisecond || loss > 5 {
		t.Fatalf("ping %v, jitter %v, loss %d %%", ping, jitter, loss)
	}
}

// A cookie that expires while the server stands still heals itself: the client is challenged again.
func TestACookieThatExpiresInAPause(t *testing.T) {
	r := newRig(t, nil)
	m := protocol.ClientHello{Nonce: 7, Name: "Alice"}
	r.prove(alice, &m)
	r.now += 25 * time.Second
	r.sent = nil
	r.receive(alice, 0, 0, &m)
	got := take[*protocol.ConnectChallenge](r, alice)
	if len(got) != 1 {
		t.Fatalf("%d challenges", len(got))
	}
	m.Cookie = got[0].Cookie
	r.receive(alice, 0, 0, &m)
	r.decide(Verdict{})
	if hello, _ := r.answer(alice); hello == nil {
		t.Fatal("not in")
	}
}
