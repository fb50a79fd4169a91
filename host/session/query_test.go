package session

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// asking lets a rig answer queries, as server.toml does by default.
func asking(c *Config) {
	c.Query = QueryConfig{Enabled: true, Players: true, Challenge: ChallengeLoad, PerHost: 10, Answers: 2000,
		Mode: "Freeroam", Language: "en", Website: "https://example.org",
		Rules: []protocol.ServerRule{{Key: "pvp", Value: "on"}, {Key: "rates", Value: ""}}}
}

// ask sends a query and gives the answer, or nil.
func (r *rig) ask(from netip.AddrPort, q protocol.ServerQuery) *protocol.ServerQueryAnswer {
	r.t.Helper()
	if q.Padding == nil {
		q.Padding = make([]byte, 1180)
	}
	r.sent = nil
	r.receive(from, 0, 0, &q)
	if len(r.sent) > 1 {
		r.t.Fatalf("%d answers to one query", len(r.sent))
	}
	if len(r.sent) == 1 && len(r.sent[0].b) > q.Len() {
		r.t.Fatalf("%d bytes answer a query of %d", len(r.sent[0].b), q.Len())
	}
	answers := take[*protocol.ServerQueryAnswer](r, from)
	if len(answers) == 0 {
		return nil
	}
	if a := answers[0]; a.RequestID != q.RequestID {
		r.t.Fatalf("request %d got the answer of %d", q.RequestID, a.RequestID)
	}
	return answers[0]
}

func source(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), uint16(1024+i%1000))
}

func TestQueryInfo(t *testing.T) {
	r := newRig(t, func(c *Config) { asking(c); c.Password = "secret" })
	r.now = 90 * time.Second
	if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryPing, RequestID: 7, Padding: make([]byte, 44)}); a.Kind != protocol.QueryPing || a.Len() != 20 {
		t.Fatalf("a ping got %+v", a)
	}
	info, err := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo, RequestID: 8}).Info()
	want := protocol.ServerInfo{Version: protocol.Version, Flags: protocol.QueryPassword, MaxPlayers: 8, Name: "Test", Mode: "Freeroam",
		Language: "en", Website: "https://example.org", BootID: r.s.BootID(), Uptime: 90}
	if err != nil || info != want {
		t.Fatalf("%+v, %v", info, err)
	}
	r.s.Update(func(c *Config) { c.Password, c.ServerName, c.SignIn = "", "Renamed", func() bool { return true } })
	r.s.Close(r.now, "", 0)
	if a, _ := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}).Info(); a != want {
		t.Fatalf("a second snapshot within a second: %+v", a)
	}
	r.now += time.Second
	info, _ = r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}).Info()
	if info.Flags != protocol.QueryClosing|protocol.QuerySignIn || info.Name != "Renamed" || info.Uptime != 91 {
		t.Fatalf("after a second: %+v", info)
	}
}

// TestQueryLeavesOut has requests of every length: what does not fit is left out, and what follows is tried.
func TestQueryLeavesOut(t *testing.T) {
	r := newRig(t, asking)
	r.s.Update(func(c *Config) { c.ServerName = strings.Repeat("n", 63); c.Query.PerHost = 1000 })
	whole := len(r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}).Body)
	for padding := 44; padding <= 1180; padding++ {
		r.now += time.Second
		a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo, Padding: make([]byte, padding)})
		var tags []string
		for _, f := range a.Body {
			tags = append(tags, f.Tag.String())
		}
		switch got := strings.Join(tags, " "); {
		case padding == 44 && got != "version flags players max_players mode language boot":
			t.Errorf("64 bytes: %s", got)
		case 20+padding >= 16+169 && len(tags) != whole:
			t.Errorf("%d bytes: %s", 20+padding, got)
		}
	}
}

func TestQueryPlayersByPages(t *testing.T) {
	r := newRig(t, func(c *Config) { asking(c); c.MaxPlayers = 60 })
	for i := range 40 {
		r.join(source(i), uint64(i+1), fmt.Sprintf("Player_%02d", i))
	}
	r.hello(source(99), 99, "Ghost") // unconfirmed
	r.now += 10 * time.Second
	r.s.mu.Lock()
	for _, c := range r.s.conns {
		switch c.id {
		case 3:
			c.probes.measured, c.probes.ping = true, 42*time.Millisecond
		case 4:
			c.probes.measured, c.probes.ping = true, time.Hour
		}
	}
	r.s.mu.Unlock()
	var all []protocol.ListedPlayer
	for pages := 1; ; pages++ {
		a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryPlayers, First: uint16(len(all)), Padding: make([]byte, 300)})
		players, err := a.Players()
		if err != nil || a.Total != 40 || int(a.First) != len(all) {
			t.Fatalf("page %d: %+v, %v", pages, a, err)
		}
		if len(players) == 0 {
			break
		}
		all = append(all, players...)
	}
	if len(all) != 40 {
		t.Fatalf("%d players by pages", len(all))
	}
	for i, p := range all {
		want := protocol.ListedPlayer{PlayerID: uint16(i), Ping: 0xFFFF, Seconds: 10, Name: fmt.Sprintf("Player_%02d", i)}
		switch i {
		case 3:
			want.Ping = 42
		case 4:
			want.Ping = 0xFFFE
		}
		if p != want {
			t.Errorf("%+v, want %+v", p, want)
		}
	}
	if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryPlayers, First: 65535}); a.Total != 40 || a.First != 65535 || len(a.Body) != 0 {
		t.Errorf("beyond the end: %+v", a)
	}
	r.s.Update(func(c *Config) { c.Query.Players = false })
	r.now += time.Second
	if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryPlayers}); a.Total != 0 || len(a.Body) != 0 {
		t.Errorf("query.players is off: %+v", a)
	}
	if info, _ := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}).Info(); info.Players != 40 {
		t.Errorf("query.players is off: %d are here", info.Players)
	}
}

func TestQueryRules(t *testing.T) {
	r := newRig(t, asking)
	a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryRules, First: 1})
	rules, err := a.Rules()
	if err != nil || a.Total != 2 || a.First != 1 || len(rules) != 1 || rules[0] != (protocol.ServerRule{Key: "rates"}) {
		t.Fatalf("%+v, %v, %v", a, rules, err)
	}
}

// TestQueryDrops has what gets no answer at all.
func TestQueryDrops(t *testing.T) {
	good, err := protocol.Append(nil, protocol.Header{}, &protocol.ServerQuery{Kind: protocol.QueryInfo, Padding: make([]byte, 1180)})
	if err != nil {
		t.Fatal(err)
	}
	with := func(at int, v byte) []byte {
		b := append([]byte(nil), good...)
		b[at] = v
		return b
	}
	answer, err := protocol.Append(nil, protocol.Header{}, &protocol.ServerQueryAnswer{Kind: protocol.QueryPing, Body: make([]protocol.QueryField, 40)})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"63 bytes": good[:63], "1,201 bytes": append(good[:1200:1200], 0), "one byte": good[:1], "another magic": with(4, 'S'),
		"kind 4": with(5, 4), "kind challenge": with(5, 0x80), "an answer": answer,
	} {
		r := newRig(t, asking)
		r.s.Receive(r.now, alice, b)
		if len(r.sent) != 0 {
			t.Errorf("%s: %d answers", name, len(r.sent))
		}
		if r.s.Receive(r.now, alice, with(700, 0xA5)); len(r.sent) != 1 {
			t.Errorf("%s: then a right one got %d answers", name, len(r.sent))
		}
		r.s.Update(func(c *Config) { c.Query.Enabled = false })
		if r.s.Receive(r.now, alice, good); len(r.sent) != 1 {
			t.Errorf("query.enabled is off: an answer")
		}
	}
}

func TestQueryLimitOfAHost(t *testing.T) {
	r := newRig(t, asking)
	burst := func(from netip.AddrPort, n int) (answers int) {
		for range n {
			if r.ask(from, protocol.ServerQuery{Kind: protocol.QueryPing}) != nil {
				answers++
			}
		}
		return answers
	}
	otherPort := netip.AddrPortFrom(alice.Addr(), 6000)
	if got := burst(alice, 20) + burst(otherPort, 20); got != 30 {
		t.Errorf("%d answers at once, want 30", got)
	}
	r.now += time.Second
	if got := burst(alice, 20); got != 10 {
		t.Errorf("%d answers a second later, want 10", got)
	}
	r.now += time.Hour
	if got := burst(alice, 40); got != 30 {
		t.Errorf("%d answers after an hour, want 30", got)
	}
	if got := burst(netip.MustParseAddrPort("[2001:db8::1]:1"), 20) + burst(netip.MustParseAddrPort("[2001:db8::2]:2"), 20); got != 30 {
		t.Errorf("%d answers to a /64, want 30", got)
	}
}

func TestQueryLimitInAll(t *testing.T) {
	r := newRig(t, func(c *Config) { asking(c); c.Query.Answers, c.Query.Challenge = 100, ChallengeNever })
	count := func() (answers int) {
		for i := range 1000 {
			if r.ask(source(i), protocol.ServerQuery{Kind: protocol.QueryInfo}) != nil {
				answers++
			}
		}
		return answers
	}
	if got := count(); got != 100 {
		t.Errorf("%d answers at once, want 100", got)
	}
	r.now += time.Second / 2
	if got := count(); got != 50 {
		t.Errorf("%d answers half a second later, want 50", got)
	}
}

// TestQueryUnderLoad floods with spoofed sources for a minute: who proves his address is answered all the time.
func TestQueryUnderLoad(t *testing.T) {
	r := newRig(t, asking)
	flood := protocol.ServerQuery{Kind: protocol.QueryInfo}
	info := protocol.ServerQuery{Kind: protocol.QueryInfo, RequestID: 5}
	answers, challenges, n := 0, 0, 0
	second := func() (spoofedAnswers, spoofedChallenges int) {
		for range 10 { // 10,000 a second, from 1,000 sources at a time
			for range 1000 {
				n++
				switch a := r.ask(source(n), flood); {
				case a == nil:
				case a.Kind == protocol.QueryChallenge:
					spoofedChallenges++
				default:
					spoofedAnswers++
				}
			}
			r.now += 100 * time.Millisecond
			a := r.ask(alice, info)
			if a != nil && a.Kind == protocol.QueryChallenge {
				if a.Len() != 26 {
					t.Fatalf("a challenge has %d bytes", a.Len())
				}
				challenges++
				info.Cookie = a.Cookie()
				a = r.ask(alice, info)
			}
			if a != nil && a.Kind == protocol.QueryInfo {
				answers++
			}
		}
		return spoofedAnswers, spoofedChallenges
	}
	for i := range 60 {
		gotAnswers, gotChallenges := second()
		if gotAnswers > 502 { // 501 in the last second are load; a second has two edges
			t.Fatalf("second %d: %d answers without a cookie", i, gotAnswers)
		}
		if limit := 5000; gotChallenges > limit && i > 0 || gotChallenges > 2*limit {
			t.Fatalf("second %d: %d challenges", i, gotChallenges)
		}
	}
	if answers < 590 {
		t.Errorf("%d of 600 questions of an honest asker were answered", answers)
	}
	if challenges > 3 { // a cookie lasts between 32 and 64 s
		t.Errorf("%d challenges in a minute", challenges)
	}
	r.now += 2 * time.Second
	if a := r.ask(source(n+1), flood); a == nil || a.Kind != protocol.QueryInfo {
		t.Errorf("after the flood: %+v", a)
	}
}

// TestQueryBudgetOfTheProven is of its own: neither a flood of the same host's address nor the open budget uses it up.
func TestQueryBudgetOfTheProven(t *testing.T) {
	r := newRig(t, func(c *Config) { asking(c); c.Query.Challenge, c.Query.Answers = ChallengeAlways, 5 })
	cookie := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}).Cookie()
	for range 100 { // spoofed with his address
		r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo})
		r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo, Cookie: 12345})
	}
	got := 0
	for range 40 {
		if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo, Cookie: cookie}); a != nil && a.Kind == protocol.QueryInfo {
			got++
		}
	}
	if got != 5 {
		t.Errorf("%d answers with a cookie, want 5", got)
	}
}

// TestQueryBudgetsAreTwo: what is answered with a cookie and without one counts apart, in all and for the load.
func TestQueryBudgetsAreTwo(t *testing.T) {
	r := newRig(t, func(c *Config) { asking(c); c.Query.Challenge = ChallengeAlways })
	cookies := make([]uint64, 600)
	for i := range cookies {
		cookies[i] = r.ask(source(i), protocol.ServerQuery{Kind: protocol.QueryInfo}).Cookie()
	}
	r.s.Update(func(c *Config) { c.Query.Challenge = ChallengeLoad })
	for i, cookie := range cookies {
		if a := r.ask(source(i), protocol.ServerQuery{Kind: protocol.QueryInfo, Cookie: cookie}); a == nil || a.Kind != protocol.QueryInfo {
			t.Fatalf("with a cookie %d got %+v", i, a)
		}
	}
	if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}); a == nil || a.Kind != protocol.QueryInfo {
		t.Fatalf("600 answers with cookies are load: %+v", a)
	}
	r.s.Update(func(c *Config) { c.Query.Challenge, c.Query.Answers = ChallengeNever, 700 })
	for i := range 1000 {
		r.ask(source(1000+i), protocol.ServerQuery{Kind: protocol.QueryInfo})
	}
	if a := r.ask(source(1), protocol.ServerQuery{Kind: protocol.QueryInfo}); a != nil {
		t.Fatalf("the open budget is not used up: %+v", a)
	}
	if a := r.ask(source(1), protocol.ServerQuery{Kind: protocol.QueryInfo, Cookie: cookies[1]}); a == nil || a.Kind != protocol.QueryInfo {
		t.Fatalf("the open budget is that of the proven, too: %+v", a)
	}
}

func TestQueryChallengeModes(t *testing.T) {
	for mode, want := range map[QueryChallenge]protocol.QueryKind{
		ChallengeAlways: protocol.QueryChallenge, ChallengeLoad: protocol.QueryInfo, ChallengeNever: protocol.QueryInfo,
	} {
		r := newRig(t, func(c *Config) { asking(c); c.Query.Challenge = mode })
		if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}); a.Kind != want {
			t.Errorf("%s: %v", mode, a.Kind)
		}
		for i := range 600 {
			r.ask(source(i), protocol.ServerQuery{Kind: protocol.QueryInfo})
		}
		want := protocol.QueryChallenge
		if mode == ChallengeNever {
			want = protocol.QueryInfo
		}
		if a := r.ask(alice, protocol.ServerQuery{Kind: protocol.QueryInfo}); a.Kind != want {
			t.Errorf("%s under load: %v", mode, a.Kind)
		}
	}
}

// TestQueryLoadIsOfTheLastSecond: exactly 500 answers without a cookie are no load.
func TestQueryLoadIsOfTheLastSecond(t *testing.T) {
	r := newRig(t, asking)
	for i := range 501 {
		r.now += time.Millisecond
		if a := r.ask(source(i), protocol.ServerQuery{Kind: protocol.QueryInfo}); a.Kind != protocol.QueryInfo {
			t.Fatalf("answer %d is %v", i+1, a.Kind)
		}
	}
	if a := r.ask(source(600), protocol.ServerQuery{Kind: protocol.QueryInfo}); a.Kind != protocol.QueryChallenge {
		t.Fatalf("after 501 answers in half a second: %v", a.Kind)
	}
	r.now = time.Second + time.Millisecond // the first one is a second ago
	if a := r.ask(source(601), protocol.ServerQuery{Kind: protocol.QueryInfo}); a.Kind != protocol.QueryInfo {
		t.Fatalf("after a second: %v", a.Kind)
	}
}

func TestQueryCookie(t *testing.T) {
	other := netip.AddrPortFrom(alice.Addr(), alice.Port()+1)
	for _, test := range []struct {
		name   string
		issued time.Duration
		used   time.Duration
		from   netip.AddrPort
		want   bool
	}{
		{"at once", 0, 0, alice, true},
		{"in its window", 64 * time.Second, 95 * time.Second, alice, true},
		{"in the next window", 64 * time.Second, 127 * time.Second, alice, true},
		{"two windows later", 64 * time.Second, 128 * time.Second, alice, false},
		{"over a change of the handshake's key", 119 * time.Second, 121 * time.Second, alice, true},
		{"over a change of key and window", 127 * time.Second, 129 * time.Second, alice, true},
		{"of another port", 64 * time.Second, 64 * time.Second, other, false},
		{"of another host", 64 * time.Second, 64 * time.Second, source(1), false},
	} {
		var keys cookies
		var c queryCookies
		cookie := c.issue(test.issued, &keys, alice)
		if got := c.valid(test.used, &keys, test.from, cookie); got != test.want {
			t.Errorf("%s: valid is %v", test.name, got)
		}
		for bit := range 64 {
			if c.valid(test.issued, &keys, alice, cookie^1<<bit) {
				t.Fatalf("%s: a cookie with bit %d turned is valid", test.name, bit)
			}
		}
	}
}

// TestQueryCookieEnds two windows later, also where each window was used and the handshake's key is the same.
func TestQueryCookieEnds(t *testing.T) {
	var keys cookies
	var c queryCookies
	cookie := c.issue(0, &keys, alice)
	for at, want := range []bool{true, true, false} {
		if got := c.valid(time.Duration(at)*queryWindow, &keys, alice, cookie); got != want {
			t.Errorf("in window %d: valid is %v", at, got)
		}
	}
	if again := c.issue(64*time.Second, &keys, alice); again == cookie {
		t.Error("two windows have one cookie")
	}
}

// TestQueryKeepsNothing looks at what is allocated for a request: nothing, but for the cookie of a challenge, of which there
// are 5,000 a second.
func TestQueryKeepsNothing(t *testing.T) {
	r := newRig(t, asking)
	r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
	b, err := protocol.Append(nil, protocol.Header{}, &protocol.ServerQuery{Kind: protocol.QueryInfo, Cookie: 1, Padding: make([]byte, 1180)})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []QueryChallenge{ChallengeNever, ChallengeAlways} {
		r.s.cfg.Query.Challenge = mode
		for kind := range byte(4) {
			b[5] = kind
			i := 0
			n := testing.AllocsPerRun(2000, func() {
				binary.LittleEndian.PutUint64(b[10:], uint64(i+1))
				r.now += time.Millisecond / 10
				r.s.Receive(r.now, source(i), b)
				i++
			})
			if n > 0 && mode == ChallengeNever || n > 1 {
				t.Errorf("challenge %s, kind %d: %v allocations for a request", mode, kind, n)
			}
		}
	}
}
