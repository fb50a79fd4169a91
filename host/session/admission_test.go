package session

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// hostAt is one of a million hosts.
func hostAt(i int) netip.AddrPort {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], 100<<24|uint32(i))
	return netip.AddrPortFrom(netip.AddrFrom4(ip), 9)
}

// One hello that is wrong in every way is told what is wrong first; mended, what is wrong next, until it is let in.
func TestTheOrderOfWork(t *testing.T) {
	banned := map[string]bool{}
	r := newRig(t, func(c *Config) {
		c.MaxPlayers, c.PerHost, c.Attempts, c.Password = 6, 2, 3, "secret"
		c.Banned = func(b BanSubject) (Banned, bool) {
			switch {
			case banned["host"] && b.Host == bob.Addr():
				return Banned{7, "host"}, true
			case banned["serial"] && b.Serial == [32]byte{1}:
				return Banned{protocol.Forever, "serial"}, true
			case banned["name"] && b.NameKey == "mallory":
				return Banned{9, "name"}, true
			}
			return Banned{}, false
		}
	})
	set := func(change func(c *Config)) func() { return func() { r.s.Update(change) } }
	m := protocol.ClientHello{Name: "x", Serial: [32]byte{1}}
	guests := make(map[*Conn]uint64) // on the server before
	in := func(from netip.AddrPort, name string) {
		r.s.Update(func(c *Config) { c.Password, c.PerHost = "", 1000 })
		defer r.s.Update(func(c *Config) { c.Password, c.PerHost = "secret", 2 })
		c, token := r.join(from, uint64(100+len(guests)), name)
		guests[c] = token
	}
	speak := func() {
		for c, token := range guests {
			r.pong(c.addr, token)
		}
	}
	out := func() {
		for c, token := range guests {
			r.bye(c.addr, token)
			r.s.Release(c)
		}
	}
	sameHost := func(i uint16) netip.AddrPort { return netip.AddrPortFrom(bob.Addr(), 6000+i) }
	in(sameHost(0), "First")
	in(sameHost(1), "Second")
	in(sameHost(2), "Third") // these three are the attempts of a minute
	for i, name := range []string{"Fourth", "Fifth", "Sixth"} {
		in(hostAt(i), name)
	}
	r.s.closing, r.s.closingFor, r.s.closingText = true, 11, "closing"
	banned = map[string]bool{"host": true, "serial": true, "name": true}

	proof := false
	steps := []struct {
		reason  protocol.Reason
		seconds uint32
		text    string
		mend    func()
	}{
		{protocol.ReasonTooMany, 20, "", set(func(c *Config) { c.Attempts = 1000 })},
		{protocol.ReasonBanned, 7, "host", func() { banned["host"] = false }},
		{protocol.ReasonBanned, protocol.Forever, "serial", func() { banned["serial"] = false }},
		{protocol.ReasonServerClosing, 11, "closing", func() { r.s.closing = false }},
		{protocol.ReasonPassword, 0, "", func() { proof = true }},
		{protocol.ReasonName, 0, "a name has 3 to 24 characters, this one has 1", func() { m.Name = "Mallory" }},
		{protocol.ReasonBanned, 9, "name", func() { m.Name = "fourth"; speak() }},
		{protocol.ReasonNameInUse, 0, "", func() { m.Name = "Bobby" }},
		{protocol.ReasonAddressLimit, 0, "", set(func(c *Config) { c.PerHost = 1000 })},
		{protocol.ReasonFull, 0, "", out},
		{protocol.ReasonRefused, 0, "no", nil},
	}
	for i, step := range steps {
		r.now += 250 * time.Millisecond
		m.Nonce = uint64(i + 1)
		r.prove(bob, &m)
		m.Proof = [32]byte{}
		if proof {
			m.Proof = protocol.PasswordProof("secret", m.Nonce, m.Cookie)
		}
		r.receive(bob, 0, 0, &m)
		r.decide(Verdict{Refuse: true, Text: "no"})
		_, got := r.answer(bob)
		if got == nil || got.Reason != step.reason || got.Seconds != step.seconds || got.Text != step.text {
			t.Fatalf("step %d: got %+v, want %v in %d s %q", i, got, step.reason, step.seconds, step.text)
		}
		if step.mend != nil {
			step.mend()
		}
	}
	for reason := range protocol.ReasonResume {
		if reason.Rejectable() && r.s.Stats().Rejected[reason] == 0 {
			t.Errorf("no hello was refused for %v", reason)
		}
	}
}

func TestSilentSteps(t *testing.T) {
	r := newRig(t, nil)
	good := protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}
	b, err := protocol.Append(nil, protocol.Header{}, &good)
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, v byte) []byte { c := slices.Clone(b); c[at] = v; return c }
	for name, datagram := range map[string][]byte{
		"empty":                    {},
		"short":                    b[:1199],
		"long":                     append(slices.Clone(b), 0),
		"another revision":         change(1, byte(protocol.Version+1)),
		"no nonce":                 append(append([]byte{b[0], b[1], b[2]}, make([]byte, 8)...), b[11:]...),
		"a name that is no text":   change(43, 7),
		"a tail that is not zeros": change(1199, 1),
		"an unknown id":            change(0, 0x03),
		"one of the server's":      change(0, byte(protocol.IDServerHello)),
	} {
		r.s.Receive(r.now, alice, datagram)
		if len(r.sent) > 0 {
			t.Errorf("%s: answered", name)
		}
		r.sent = nil
	}
	r.s.Receive(r.now, alice, b)
	if len(r.sent) != 1 {
		t.Fatal("the good one is not answered")
	}
}

// What the limits of strangers let through at once and after a while.
func TestLimitsOfHellos(t *testing.T) {
	r := newRig(t, nil)
	m := protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}
	challenges := func(n int) int {
		for range n {
			r.receive(alice, 0, 0, &m)
		}
		return len(take[*protocol.ConnectChallenge](r, alice))
	}
	if n := challenges(100); n != 20 {
		t.Errorf("%d challenges at once, want 20", n)
	}
	r.now += time.Second
	if n := challenges(100); n != 10 {
		t.Errorf("%d challenges a second later, want 10", n)
	}
	r.now += time.Minute
	r.prove(alice, &m)
	proven := func(n int) int {
		m.Name = "x" // refused, as often as it is looked at
		for range n {
			r.receive(alice, 0, 0, &m)
		}
		return len(take[*protocol.ConnectReject](r, alice))
	}
	if n := proven(100); n != 8 {
		t.Errorf("%d hellos with a cookie at once, want 8", n)
	}
	r.now += time.Second
	if n := proven(100); n != 4 {
		t.Errorf("%d hellos with a cookie a second later, want 4", n)
	}
}

func TestLimitsOfAllHellos(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Challenges = 1200 })
	hellos := make([]protocol.ClientHello, 1500)
	n := 0
	for i := range hellos {
		hellos[i] = protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "x"}
		r.receive(hostAt(i), 0, 0, &hellos[i])
		if got := take[*protocol.ConnectChallenge](r, hostAt(i)); len(got) == 1 {
			hellos[i].Cookie = got[0].Cookie
			n++
		}
	}
	if n != 1200 {
		t.Errorf("%d challenges at once in all, want those of a second", n)
	}
	n = 0
	for i := range hellos[:n+1200] {
		r.receive(hostAt(i), 0, 0, &hellos[i])
		n += len(take[*protocol.ConnectReject](r, hostAt(i)))
	}
	if n != 500 {
		t.Errorf("%d proven hellos at once in all, want 500", n)
	}
	// Of 500 verdicts each is remembered; with more than there is room for, the oldest goes.
	if got := len(r.s.verdicts.of); got != 500 {
		t.Errorf("%d verdicts are kept", got)
	}
	for i := range 2 * maxVerdicts {
		r.s.reject(r.now, attemptKey{hostAt(i), 9}, refusal{reason: protocol.ReasonFull})
	}
	if got := len(r.s.verdicts.of); got != maxVerdicts {
		t.Errorf("%d verdicts are kept, want %d", got, maxVerdicts)
	}
	newest := attemptKey{hostAt(2*maxVerdicts - 1), 9}
	if !r.s.verdicts.repeat(r.now, newest, r.s) || r.s.verdicts.repeat(r.now+verdictFor, newest, r.s) {
		t.Error("the newest verdict is repeated for 10 s and no longer")
	}
}

func TestAttemptsOfAHost(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Attempts = 20 })
	for i := range 25 {
		r.now += 300 * time.Millisecond
		got := r.reject(alice, uint64(i+1), "x")
		switch want := protocol.ReasonName; {
		case i < 20 && got.Reason != want:
			t.Fatalf("attempt %d: %v", i+1, got.Reason)
		case i >= 22 && (got.Reason != protocol.ReasonTooMany || got.Seconds == 0 || got.Seconds > 3):
			t.Fatalf("attempt %d: %+v, want too_many and up to 3 s", i+1, got)
		}
	}
	r.now += 3 * time.Second
	if got := r.reject(alice, 99, "x"); got.Reason != protocol.ReasonName {
		t.Fatalf("after the seconds that were told: %+v", got)
	}
}

func TestConnectionsOfAHost(t *testing.T) {
	for _, test := range []struct {
		host  string
		limit int // 0: none
	}{
		{"192.0.2.1", 2}, {"2001:db8::1", 2}, {"::ffff:192.0.2.1", 2}, {"127.0.0.1", 0}, {"127.1.2.3", 0}, {"::1", 0}, {"::ffff:127.0.0.1", 0},
	} {
		r := newRig(t, func(c *Config) { c.PerHost, c.MaxPlayers = 2, 100 })
		for i := range 5 {
			r.now += time.Second
			from := netip.AddrPortFrom(netip.MustParseAddr(test.host), uint16(1000+i))
			if test.host == "2001:db8::1" { // one host, whatever its last 64 bits
				from = netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i+1)), 1000)
			}
			hello, reject := r.knock(from, protocol.ClientHello{Nonce: 1, Name: fmt.Sprintf("Player%d", i)}, Verdict{})
			if want := test.limit == 0 || i < test.limit; (hello != nil) != want || !want && reject.Reason != protocol.ReasonAddressLimit {
				t.Fatalf("%s, connection %d: %+v, %+v", test.host, i+1, hello, reject)
			}
		}
	}
}

func TestPendingAdmissions(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers = 1000 })
	m := make([]protocol.ClientHello, maxPending+1)
	for i := range m {
		m[i] = protocol.ClientHello{Nonce: 1, Name: fmt.Sprintf("Player%d", i)}
		r.prove(hostAt(i), &m[i])
		r.receive(hostAt(i), 0, 0, &m[i])
		_, reject := r.answer(hostAt(i))
		if (reject != nil) != (i == maxPending) {
			t.Fatalf("pending %d: %+v", i, reject)
		}
		if reject != nil && reject.Reason != protocol.ReasonTooMany {
			t.Fatalf("got %v", reject.Reason)
		}
	}
	r.now += time.Second
	r.receive(hostAt(0), 0, 0, &m[0])
	if len(r.sent) != 0 {
		t.Fatal("a pending hello is answered")
	}
	r.sent = nil
	r.advance(4100 * time.Millisecond) // without a verdict
	if _, reject := r.answer(hostAt(0)); reject == nil || reject.Reason != protocol.ReasonRefused {
		t.Fatalf("after 5 s: %+v", reject)
	}
	attempt := r.events()[0].Attempt
	r.sent = nil
	r.s.Decide(attempt, Verdict{})
	if len(r.s.conns) != 0 || len(r.sent) != 0 {
		t.Fatal("a verdict that came too late counts")
	}
}

// While the scripts think the world moves on.
func TestWhatIsCheckedAgain(t *testing.T) {
	tests := []struct {
		name      string
		meanwhile func(r *rig)
		want      protocol.Reason
	}{
		{"banned", func(r *rig) {
			r.s.cfg.Banned = func(b BanSubject) (Banned, bool) { return Banned{}, b.Host == alice.Addr() }
		}, protocol.ReasonBanned},
		{"the server closes", func(r *rig) { r.s.Close(r.now, "", 0) }, protocol.ReasonServerClosing},
		{"another password", func(r *rig) { r.s.cfg.Password = "new" }, protocol.ReasonPassword},
		{"other rules of names", func(r *rig) { r.s.cfg.Names.Min = 20 }, protocol.ReasonName},
		{"the name is taken", func(r *rig) { r.join(bob, 1, "Alice") }, protocol.ReasonNameInUse},
		{"the host's place is taken", func(r *rig) { r.s.cfg.PerHost = 1; r.join(netip.AddrPortFrom(alice.Addr(), 1), 1, "Bobby") }, protocol.ReasonAddressLimit},
		{"the last place is taken", func(r *rig) { r.s.cfg.MaxPlayers = 1; r.join(bob, 1, "Bobby") }, protocol.ReasonFull},
	}
	for _, test := range tests {
		r := newRig(t, nil)
		m := protocol.ClientHello{Nonce: 7, Name: "Alice"}
		r.prove(alice, &m)
		r.receive(alice, 0, 0, &m)
		pending := r.events()[0].Attempt
		test.meanwhile(r)
		r.sent = nil
		r.s.Decide(pending, Verdict{})
		if _, got := r.answer(alice); got == nil || got.Reason != test.want {
			t.Errorf("%s: got %+v, want %v", test.name, got, test.want)
		}
	}
}

// A player who comes back to a full server has his own place, whoever else knocks meanwhile.
func TestWhoComesBackKeepsHisPlace(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers, c.PerHost = 2, 1 })
	old, _ := r.join(alice, 1, "Alice")
	r.join(bob, 2, "Bobby")
	r.advance(4 * time.Second)
	back := netip.AddrPortFrom(alice.Addr(), 6000)
	m := protocol.ClientHello{Nonce: 3, Name: "Alice"}
	r.prove(back, &m)
	r.receive(back, 0, 0, &m)
	events := r.events()
	if len(events) != 2 || events[0].Kind != Left || events[0].Reason != protocol.ReasonReconnected || !events[0].Joined ||
		events[1].Kind != Connecting || !events[1].Attempt.Reconnect {
		t.Fatalf("events %+v: the leave of the old one comes before player_connect of the new one", events)
	}
	for _, thief := range []struct {
		from netip.AddrPort
		name string
		want protocol.Reason
	}{
		{carol, "Carol", protocol.ReasonFull},
		{carol, "Alice", protocol.ReasonNameInUse},
		{netip.AddrPortFrom(alice.Addr(), 6001), "Carol", protocol.ReasonAddressLimit},
	} {
		r.now += time.Second
		if got := r.reject(thief.from, uint64(r.now), thief.name); got.Reason != thief.want {
			t.Fatalf("%s of %v got %v, want %v", thief.name, thief.from, got.Reason, thief.want)
		}
	}
	r.sent = nil
	r.s.Decide(events[1].Attempt, Verdict{})
	if hello, reject := r.answer(back); hello != nil || reject != nil {
		t.Fatalf("answered while player_leave still holds the last id: %+v %+v", hello, reject)
	}
	r.receive(back, 0, 0, &m) // the client asks again
	if len(r.sent) != 0 {
		t.Fatal("answered while the id is held")
	}
	r.s.Release(old)
	hello, _ := r.answer(back)
	if hello == nil || hello.PlayerID != 0 || hello.PlayerToken != 3 {
		t.Fatalf("got %+v, want id 0 again with the next generation", hello)
	}
}

func TestAnIDThatStaysHeldIsTold(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers = 1 })
	r.join(alice, 1, "Alice")
	m := protocol.ClientHello{Nonce: 2, Name: "Alice"}
	r.prove(alice, &m)
	r.receive(alice, 0, 0, &m)
	r.decide(Verdict{})
	r.sent = nil
	r.advance(5100 * time.Millisecond)
	if _, got := r.answer(alice); got == nil || got.Reason != protocol.ReasonFull {
		t.Fatalf("got %+v, want full", got)
	}
}

// Two older connections may be in the way of one who comes back: that of his address and that of his name.
func TestBothOldOnesAreReplaced(t *testing.T) {
	r := newRig(t, nil)
	again := netip.AddrPortFrom(alice.Addr(), 6000)
	r.join(alice, 1, "Alice")
	r.join(again, 2, "Bobby")
	r.advance(4 * time.Second)
	hello, reject := r.knock(again, protocol.ClientHello{Nonce: 3, Name: "Alice"}, Verdict{})
	if hello == nil {
		t.Fatalf("refused: %+v", reject)
	}
	if left := r.lefts(); len(left) != 2 || len(r.s.conns) != 1 || r.s.byHost[alice.Addr()] != 1 {
		t.Fatalf("%d have left, %d are here", len(left), len(r.s.conns))
	}
}

func TestWhoIsNotTheSamePlayer(t *testing.T) {
	tests := []struct {
		name   string
		silent time.Duration
		from   netip.AddrPort
		serial [32]byte
		want   uint32 // seconds told
		in     bool
	}{
		{"silent for 3 s", 3 * time.Second, netip.AddrPortFrom(alice.Addr(), 1), [32]byte{1}, 0, true},
		{"silent for 2 s", 2 * time.Second, netip.AddrPortFrom(alice.Addr(), 1), [32]byte{1}, 8, false},
		{"just heard", time.Second, netip.AddrPortFrom(alice.Addr(), 1), [32]byte{1}, 0, false},
		{"another host", 4 * time.Second, bob, [32]byte{1}, 6, false},
		{"another serial", 4 * time.Second, netip.AddrPortFrom(alice.Addr(), 1), [32]byte{2}, 6, false},
	}
	for _, test := range tests {
		r := newRig(t, nil)
		hello, _ := r.knock(alice, protocol.ClientHello{Nonce: 1, Name: "Alice", Serial: [32]byte{1}}, Verdict{})
		r.pong(alice, hello.Token)
		r.advance(test.silent)
		hello, reject := r.knock(test.from, protocol.ClientHello{Nonce: 2, Name: "ALICE", Serial: test.serial}, Verdict{})
		if (hello != nil) != test.in {
			t.Errorf("%s: %+v", test.name, reject)
		}
		if !test.in && (reject.Reason != protocol.ReasonNameInUse || reject.Seconds != test.want) {
			t.Errorf("%s: got %+v, want name_in_use for %d s", test.name, reject, test.want)
		}
	}
}

// A second attempt of a client takes the place of its first that is still pending.
func TestANewAttemptEndsThePendingOne(t *testing.T) {
	r := newRig(t, nil)
	first, second := protocol.ClientHello{Nonce: 1, Name: "Alice"}, protocol.ClientHello{Nonce: 2, Name: "Alice"}
	r.prove(alice, &first)
	r.receive(alice, 0, 0, &first)
	r.now += time.Second
	r.prove(alice, &second)
	r.receive(alice, 0, 0, &second)
	r.receive(alice, 0, 0, &first) // late
	if len(r.s.attempts) != 1 {
		t.Fatalf("%d pending", len(r.s.attempts))
	}
	r.decide(Verdict{})
	if hello, _ := r.answer(alice); hello == nil || hello.Nonce != 2 || len(r.s.conns) != 1 {
		t.Fatalf("got %+v, %d connections", hello, len(r.s.conns))
	}
}

// A hello that comes late, with a cookie that is still good, replaces nobody.
func TestALateHelloReplacesNobody(t *testing.T) {
	r := newRig(t, nil)
	late := protocol.ClientHello{Nonce: 1, Name: "Alice"}
	r.prove(alice, &late)
	r.now += 2 * time.Second
	c, _ := r.join(alice, 2, "Alice") // the client's next attempt
	r.sent = nil
	r.receive(alice, 0, 0, &late)
	r.decide(Verdict{})
	if c.state == Closing || len(take[*protocol.ConnectChallenge](r, alice)) != 1 {
		t.Fatal("a hello from before replaced the connection")
	}
	if hello, _ := r.knock(alice, protocol.ClientHello{Nonce: 1, Name: "Alice"}, Verdict{}); hello == nil || c.state != Closing {
		t.Fatal("one who means it, and proves it anew, was not let in")
	}
}

// Who never confirmed is replaced in silence: nobody has heard of him.
func TestAnUnconfirmedOneIsReplaced(t *testing.T) {
	r := newRig(t, nil)
	for i := range 4 { // the whole share
		r.knock(hostAt(i), protocol.ClientHello{Nonce: 1, Name: fmt.Sprintf("Player%d", i)}, Verdict{})
	}
	r.now += time.Second
	m := protocol.ClientHello{Nonce: 2, Name: "Player0"}
	r.prove(hostAt(0), &m)
	r.events()
	r.receive(hostAt(0), 0, 0, &m)
	events := r.events()
	if len(events) != 2 || events[0].Kind != Left || events[0].Joined || events[0].SignIn || events[1].Kind != Connecting || events[1].Attempt.Reconnect {
		t.Fatalf("events %+v", events)
	}
	if len(take[*protocol.KickNotify](r, hostAt(0))) != 0 || len(r.s.tombs) != 0 {
		t.Fatal("a tombstone for one who never was here")
	}
	r.s.Decide(events[1].Attempt, Verdict{})
	if hello, _ := r.answer(hostAt(0)); hello == nil {
		t.Fatal("not in")
	}
}

// The hello that made a connection, late and from where it was before it moved, does not replace it.
func TestTheFirstHelloDoesNotReplaceTheMovedOne(t *testing.T) {
	r := newRig(t, nil)
	first := protocol.ClientHello{Nonce: 1, Name: "Alice"}
	r.prove(alice, &first)
	r.receive(alice, 0, 0, &first)
	r.decide(Verdict{})
	hello, _ := r.answer(alice)
	r.pong(alice, hello.Token)
	c := r.s.conns[hello.Token]
	r.advance(6 * time.Second)
	if hello, _ := r.knock(netip.AddrPortFrom(alice.Addr(), 6000), resume(2, c.token), Verdict{}); hello == nil {
		t.Fatal("not moved")
	}
	r.advance(4 * time.Second)
	r.sent = nil
	r.receive(alice, 0, 0, &first)
	if _, reject := r.answer(alice); c.Ended() || reject == nil || reject.Reason != protocol.ReasonNameInUse {
		t.Fatalf("got %+v", reject)
	}
}

func TestCrashAndReturn(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers = 4 })
	var token uint64
	for i := range 50 {
		r.advance(time.Second)
		from := alice
		if i%2 == 1 {
			from = netip.AddrPortFrom(alice.Addr(), uint16(7000+i)) // after 3 s of silence
			r.advance(3 * time.Second)
		}
		hello, reject := r.knock(from, protocol.ClientHello{Nonce: uint64(i + 1), Name: "Alice"}, Verdict{})
		if hello == nil {
			t.Fatalf("return %d: %+v", i, reject)
		}
		if hello.Token == token || hello.PlayerToken != uint32(i+1) {
			t.Fatalf("return %d: token %d, generation %d", i, hello.Token, hello.PlayerToken)
		}
		token = hello.Token
		r.pong(from, token)
		var kinds []string
		for _, e := range r.events() {
			kinds = append(kinds, fmt.Sprint(e.Kind))
			if e.Kind == Left {
				r.s.Release(e.Conn)
			}
		}
		if got := strings.Join(kinds, " "); i > 0 && got != fmt.Sprint(Left, Admitted, Confirmed) {
			t.Fatalf("return %d: events %s, want leave, new one, join", i, got)
		}
		if len(r.s.conns) != 1 || len(r.s.byAddr) != 1 || len(r.s.names) != 1 || len(r.s.byHost) != 1 {
			t.Fatalf("return %d: ghosts: %d connections, %d addresses, %d names", i, len(r.s.conns), len(r.s.byAddr), len(r.s.names))
		}
		alice = from
	}
	alice = netip.MustParseAddrPort("192.0.2.1:5000")
}
