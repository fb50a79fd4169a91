package session

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

func signInRig(t *testing.T) *rig {
	return newRig(t, func(c *Config) {
		c.SignIn = func() bool { return true }
		c.SignInTimeout, c.SignInAttempts = 180*time.Second, 5
	})
}

// assertion is a JWT in its parts.
func assertion(size int) (jwt []byte, parts []*protocol.AuthAssertion) {
	jwt = []byte(strings.Repeat("abcdefghi.", (size+9)/10))[:size]
	n := (size + 1023) / 1024
	for i := range n {
		parts = append(parts, &protocol.AuthAssertion{Part: uint8(i), Parts: uint8(n), Data: jwt[i*1024 : min(size, (i+1)*1024)]})
	}
	return jwt, parts
}

// signer sends on the lane of one who signs in.
type signer struct {
	r     *rig
	c     *Conn
	token uint64
	event uint32
}

func (r *rig) signer(from netip.AddrPort, name string) *signer {
	c, token := r.join(from, 7, name)
	return &signer{r: r, c: c, token: token}
}

// send gives the assertions that were whole then.
func (g *signer) send(parts ...protocol.Packet) (whole [][]byte) {
	g.r.t.Helper()
	for _, p := range parts {
		g.event++
		g.r.receive(g.c.addr, g.token, g.event, p)
	}
	for _, e := range g.r.events() {
		if e.Kind == Asserted {
			whole = append(whole, e.JWT)
		}
	}
	return whole
}

func TestSignIn(t *testing.T) {
	r := signInRig(t)
	m := protocol.ClientHello{Nonce: 7, Name: "Alice"}
	r.prove(alice, &m)
	r.receive(alice, 0, 0, &m)
	r.decide(Verdict{})
	hello, _ := r.answer(alice)
	if hello.State != protocol.HelloPreAuth || hello.AuthNonce == [32]byte{} {
		t.Fatalf("ServerHello %+v", hello)
	}
	r.pong(alice, hello.Token)
	events := r.events()
	last := events[len(events)-1]
	c := last.Conn
	if last.Kind != Confirmed || !last.SignIn || !c.InSignIn() || c.AuthNonce() != hello.AuthNonce || c.Account() != "" {
		t.Fatalf("confirmed %+v", last)
	}
	if s := r.s.Stats(); s.Players != 0 || s.SigningIn != 1 || s.Unconfirmed != 0 {
		t.Fatalf("counted %+v", s)
	}
	g := &signer{r: r, c: c, token: hello.Token}
	jwt, parts := assertion(2500)
	whole := g.send(parts[0], parts[1], parts[2])
	if len(whole) != 1 || !bytes.Equal(whole[0], jwt) {
		t.Fatalf("%d whole assertions", len(whole))
	}
	for _, bad := range []string{"", "nobody", "forum:with space", strings.Repeat("x", 100)} {
		if err := c.SignedIn(bad); err == nil || c.state != PreAuth {
			t.Fatalf("account %q was taken", bad)
		}
	}
	r.sent = nil
	if err := c.SignedIn("forum:4711"); err != nil {
		t.Fatal(err)
	}
	if got := take[*protocol.AuthAccepted](r, alice); len(got) != 1 || got[0].Account != "forum:4711" {
		t.Fatalf("AuthAccepted %+v", got)
	}
	if c.InSignIn() || c.AuthNonce() != [32]byte{} || c.Account() != "forum:4711" || c.BanSubject().Account != "forum:4711" || r.s.Stats().Players != 1 {
		t.Fatal("it has not ended PreAuth")
	}
	if err := c.SignedIn("forum:4711"); err == nil {
		t.Fatal("signed in twice")
	}
	if left := c.SignInFailed(); left != 0 || c.state != Joined {
		t.Fatal("a failure after the sign-in counts")
	}
	if r.advance(3 * time.Second); len(g.send(parts[0], parts[1], parts[2])) != 0 {
		t.Fatal("an assertion was taken after the sign-in")
	}
	c.Straight(&protocol.SetTime{}) // of the game, and sent now
	if len(take[*protocol.SetTime](r, alice)) != 1 {
		t.Fatal("nothing of the game reaches one who has signed in")
	}
	for range 200 { // past auth.timeout
		r.advance(time.Second)
		r.pong(alice, hello.Token)
		r.receive(alice, hello.Token, 0, &protocol.ClientAck{Ack: 2})
	}
	if c.state != Joined {
		t.Fatal("the time to sign in went on")
	}
}

func TestPartsOfAnAssertion(t *testing.T) {
	_, three := assertion(2500)
	_, two := assertion(1500)
	_, one := assertion(100)
	_, eight := assertion(8192)
	packets := func(parts ...*protocol.AuthAssertion) (list []protocol.Packet) {
		for _, p := range parts {
			list = append(list, p)
		}
		return list
	}
	tests := []struct {
		name  string
		parts []protocol.Packet
		sizes []int
	}{
		{"one part", packets(one...), []int{100}},
		{"eight parts", packets(eight...), []int{8192}},
		{"the first is missing", packets(three[1], three[2]), nil},
		{"one is missing", packets(three[0], three[2]), nil},
		{"twice", packets(three[0], three[1], three[1], three[2]), nil},
		{"another number of parts", packets(three[0], two[1]), nil},
		{"another number of parts within", packets(eight[0], three[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]), nil},
		{"begun anew", packets(three[0], three[1], three[0], three[1], three[2]), []int{2500}},
		{"begun anew with another", packets(three[0], two[0], two[1]), []int{1500}},
		{"out of order, then right", packets(three[0], three[2], three[0], three[1], three[2]), []int{2500}},
		{"while one is checked", packets(one[0], three[0], three[1], three[2]), []int{100}},
	}
	for _, test := range tests {
		r := signInRig(t)
		g := r.signer(alice, "Alice")
		r.sent = nil
		whole := g.send(test.parts...)
		if acks := take[*protocol.ServerAck](r, alice); len(acks) != len(test.parts) || acks[len(acks)-1].Ack != uint32(len(test.parts)) {
			t.Errorf("%s: %d acks for %d parts", test.name, len(acks), len(test.parts))
		}
		if len(whole) != len(test.sizes) {
			t.Errorf("%s: %d whole ones", test.name, len(whole))
			continue
		}
		for i, size := range test.sizes {
			if len(whole[i]) != size {
				t.Errorf("%s: %d bytes, want %d", test.name, len(whole[i]), size)
			}
		}
	}
}

func TestOneAssertionInTwoSeconds(t *testing.T) {
	r := signInRig(t)
	g := r.signer(alice, "Alice")
	_, parts := assertion(100)
	if len(g.send(parts[0])) != 1 {
		t.Fatal("the first was not taken")
	}
	g.c.SignInPutOff() // could not be checked
	r.now += 1900 * time.Millisecond
	if len(g.send(parts[0])) != 0 {
		t.Fatal("a second in less than 2 s was taken")
	}
	r.now += 100 * time.Millisecond
	if len(g.send(parts[0])) != 1 {
		t.Fatal("after 2 s none was taken")
	}
	if r.advance(3 * time.Second); len(g.send(parts[0])) != 0 {
		t.Fatal("taken while one is being checked")
	}
}

func TestFailedSignIns(t *testing.T) {
	r := signInRig(t)
	g := r.signer(alice, "Alice")
	_, parts := assertion(100)
	for want := 4; want >= 0; want-- {
		if r.advance(2 * time.Second); len(g.send(parts[0])) != 1 {
			t.Fatal("not taken")
		}
		g.c.SignInPutOff() // counts nothing
		if r.advance(2 * time.Second); len(g.send(parts[0])) != 1 {
			t.Fatal("not taken after it was put off")
		}
		r.sent = nil
		if left := g.c.SignInFailed(); left != want {
			t.Fatalf("%d left, want %d", left, want)
		}
	}
	if kicks := take[*protocol.KickNotify](r, alice); len(kicks) != 1 || kicks[0].Reason != protocol.ReasonSignInFailed {
		t.Fatalf("kicks %+v", kicks)
	}
	left := r.lefts()
	if len(left) != 1 || left[0].Joined || !left[0].SignIn || left[0].Reason != protocol.ReasonSignInFailed || !g.c.InSignIn() {
		t.Fatalf("left %+v", left)
	}
	if err := g.c.SignedIn("forum:1"); err == nil {
		t.Fatal("one who has ended was signed in")
	}
	if !r.s.ids[0] {
		t.Fatal("the id is free before the handlers of player_leave are through")
	}
	r.s.Release(g.c)
}

func TestTimeToSignIn(t *testing.T) {
	r := signInRig(t)
	c, token := r.join(alice, 7, "Alice")
	r.stay(179*time.Second, map[uint64]netip.AddrPort{token: alice})
	if c.state != PreAuth {
		t.Fatal("ended before the time is over")
	}
	r.sent = nil
	r.advance(1100 * time.Millisecond)
	if kicks := take[*protocol.KickNotify](r, alice); len(kicks) == 0 || kicks[0].Reason != protocol.ReasonSignInFailed {
		t.Fatalf("kicks %+v", kicks)
	}
}

func TestTheTimeToSignInEndsOnTime(t *testing.T) {
	r := signInRig(t)
	r.s.cfg.SignInTimeout = 1500 * time.Millisecond
	r.join(alice, 7, "Alice")
	r.advance(1200 * time.Millisecond)
	if next := r.s.Tick(r.now); next > 1500*time.Millisecond {
		t.Fatalf("the clock comes at %v", next)
	}
}

// What States allows: by state, what is applied of the client's packets and what is sent.
func TestStates(t *testing.T) {
	client := []struct {
		packet  protocol.Packet
		preAuth bool
	}{
		{&protocol.ViewStatus{ViewID: 1}, true},
		{&protocol.ViewAction{ViewID: 1, Action: "a"}, true},
		{&protocol.ClientChat{Text: "hello"}, false},
		{&protocol.RequestSpawn{}, false},
		{&protocol.PlayerSync{}, false},
	}
	server := []struct {
		packet               protocol.Packet
		unconfirmed, preAuth bool
	}{
		{&protocol.ResourceRemove{Name: "shop"}, true, true},
		{&protocol.ViewClose{ViewID: 1}, false, true},
		{&protocol.ServerMessage{Text: "hello"}, false, true},
		{&protocol.PlayerLeave{PlayerToken: 1}, false, false},
		{&protocol.SetTime{}, false, false},
		{&protocol.ChatMessage{PlayerToken: 1, Name: "x", Text: "hello"}, false, false},
	}
	states := []struct {
		state  State
		signIn bool
	}{{Unconfirmed, false}, {PreAuth, true}, {Joined, false}, {Closing, false}}
	for _, state := range states {
		for _, test := range client {
			r := newRig(t, func(c *Config) { c.SignIn = func() bool { return state.signIn }; c.SignInTimeout = time.Minute })
			hello, _ := r.knock(alice, protocol.ClientHello{Nonce: 7, Name: "Alice"}, Verdict{})
			if state.state != Unconfirmed {
				r.pong(alice, hello.Token)
			}
			if state.state == Closing {
				r.s.conns[hello.Token].Kick(protocol.ReasonKicked, "")
			}
			r.events()
			r.sent = nil
			r.receive(alice, hello.Token, 1, test.packet)
			applied := 0
			for _, e := range r.events() {
				if e.Kind == Received {
					applied++
				}
			}
			want := state.state == Joined || state.state == Unconfirmed || state.state == PreAuth && test.preAuth // any packet confirms
			if (applied == 1) != want {
				t.Errorf("state %d, %T: applied %d times", state.state, test.packet, applied)
			}
			row, _ := protocol.Lookup(test.packet.ID())
			acked := row.Lane == protocol.Reliable && state.state != Closing
			if n := len(take[*protocol.ServerAck](r, alice)); (n == 1) != acked {
				t.Errorf("state %d, %T: %d acks", state.state, test.packet, n)
			}
		}
		for _, test := range server {
			for _, paced := range []bool{false, true} {
				r := newRig(t, func(c *Config) { c.SignIn = func() bool { return state.signIn }; c.SignInTimeout = time.Minute })
				hello, _ := r.knock(alice, protocol.ClientHello{Nonce: 7, Name: "Alice"}, Verdict{})
				if state.state != Unconfirmed {
					r.pong(alice, hello.Token)
				}
				c := r.s.conns[hello.Token]
				if state.state == Closing {
					c.Kick(protocol.ReasonKicked, "")
				}
				r.sent = nil
				for range 2 {
					if paced {
						c.Pace(pacer.Thing{Key: 1, Class: pacer.Rest, Packets: []protocol.Packet{test.packet}})
					} else if err := c.Straight(test.packet); err != nil {
						t.Fatal(err)
					}
				}
				r.advance(50 * time.Millisecond)
				sent := 0
				for _, d := range r.sent {
					if d.b[0] == byte(test.packet.ID()) {
						sent++
					}
				}
				want := state.state == Joined || state.state == Unconfirmed && test.unconfirmed || state.state == PreAuth && test.preAuth
				if (sent > 0) != want {
					t.Errorf("state %d, %T, paced %v: sent %d", state.state, test.packet, paced, sent)
				}
				if n := strings.Count(r.log.String(), "left out"); !want && state.state != Closing && n != 1 {
					t.Errorf("state %d, %T, paced %v: said %d times", state.state, test.packet, paced, n)
				}
			}
		}
	}
}

func TestFramesGoToNobodyWhoSignsIn(t *testing.T) {
	r := signInRig(t)
	c, _ := r.join(alice, 7, "Alice")
	Relay(r.s, []*Conn{c}, []byte("frame"))
	if r.s.RelaysWait() {
		t.Fatal("a frame waits for one who signs in")
	}
}

// PreAuth moves like any other state; the nonce of the sign-in stays.
func TestWhoSignsInMayMove(t *testing.T) {
	r := signInRig(t)
	g := r.signer(alice, "Alice")
	nonce := g.c.AuthNonce()
	_, parts := assertion(1500)
	g.send(parts[0])
	hello, _ := r.knock(netip.AddrPortFrom(alice.Addr(), 6000), resume(9, g.token), Verdict{})
	if hello == nil || hello.State != protocol.HelloMoved || hello.AuthNonce != [32]byte{} || g.c.AuthNonce() != nonce {
		t.Fatalf("ServerHello %+v", hello)
	}
	if len(g.send(parts[1])) != 1 {
		t.Fatal("the assembly did not go on")
	}
}
