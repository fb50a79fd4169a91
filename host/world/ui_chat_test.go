package world

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"darqline/protocol"
)

func TestChatRules(t *testing.T) {
	long := strings.Repeat("я", 128)
	tests := []struct {
		name  string
		text  string
		event string // "" : dropped
	}{
		{"a line", "hello", "chat hello"},
		{"spaces at the ends", "  hello there ", "chat hello there"},
		{"nothing but spaces", "   ", ""},
		{"128 characters", long, "chat " + long},
		{"129 characters", long + "x", ""},
		{"4 marks in a row", "e\u0301\u0301\u0301\u0301x", "chat e\u0301\u0301\u0301\u0301x"},
		{"6 marks in a row", "e\u0301\u0301\u0301\u0301\u0302\u0303x\u0301", "chat e\u0301\u0301\u0301\u0301x\u0301"},
		{"braces", "{FF0000}red", "chat {FF0000}red"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			_, p := r.join("Alice")
			r.took()
			r.do(func(tx Tx) { tx.ReceiveChat(p, &protocol.ClientChat{Text: test.text}) })
			r.want("events", r.took(), test.event)
		})
	}
}

func (r *rig) chat(p *Player, text string) string {
	r.do(func(tx Tx) { tx.ReceiveChat(p, &protocol.ClientChat{Text: text}) })
	return r.took()
}

func TestChatLimitAndHammering(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	l.drain()
	r.took()
	for i := range 4 {
		r.want("the burst", r.chat(p, fmt.Sprint(i)), fmt.Sprint("chat ", i))
	}
	start := r.now
	r.want("the fifth", r.chat(p, "5"), "")
	r.want("what he reads", l.said(), "line Slow down: 3 s") // a token below zero: two lines to wait for
	for range 20 {
		r.chat(p, "x")
	}
	r.want("told once in 3 s", l.said(), "")
	r.now = start + 3*time.Second - time.Millisecond // two tokens have come back, of the four below zero
	r.want("who hammers on stays silent", r.chat(p, "x"), "")
	r.want("not told yet", l.said(), "")
	r.now = start + 3*time.Second
	r.chat(p, "x")
	r.want("told again", l.said(), "line Slow down: 8 s")
	r.now += 7500*time.Millisecond - time.Millisecond // from -4 to 1 it is five lines
	r.want("a moment too early", r.chat(p, "x"), "")
	r.now += 1510 * time.Millisecond
	r.want("after waiting", r.chat(p, "back"), "chat back")
}

func TestChatWithoutAnIntervalIsLimitedByItsBurst(t *testing.T) {
	r := newRig(t)
	_, p := r.join("Alice")
	r.do(func(tx Tx) { tx.SetChat(Chat{MaxLength: 5, Burst: 2, CommandBurst: 1, CommandRate: 1}) })
	r.took()
	for range 10 {
		r.now += time.Millisecond
		r.want("a line", r.chat(p, "12345"), "chat 12345")
	}
	r.want("the new length", r.chat(p, "123456"), "")
}

func TestMute(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	l.drain()
	r.took()
	r.do(func(tx Tx) { tx.Mute(p, 10*time.Second) })
	r.want("muted", r.chat(p, "a"), "")
	r.want("told", l.said(), "line You are muted.")
	r.now += 5 * time.Second
	r.want("still muted", r.chat(p, "b"), "")
	r.now += 5 * time.Second
	r.want("over", r.chat(p, "c"), "chat c")
	r.do(func(tx Tx) { tx.Mute(p, 0) })
	r.now += 24 * time.Hour
	r.want("for good", r.chat(p, "d"), "")
	r.do(func(tx Tx) {
		if !tx.Muted(p) {
			t.Error("Muted says no")
		}
		tx.Unmute(p)
	})
	r.want("unmuted", r.chat(p, "e"), "chat e")
	r.do(func(tx Tx) { tx.ReceiveChat(p, &protocol.ClientChat{Channel: 1, Text: "team"}) })
	r.want("no group", r.took(), "")
}

func TestCommandLimit(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	l.drain()
	r.took()
	run := func(text string) string {
		r.do(func(tx Tx) { tx.ReceiveCommand(p, &protocol.ClientCommand{Text: text}) })
		return r.took()
	}
	for i := range 8 {
		r.want("the burst", run(" pay "), "command pay")
		_ = i
	}
	r.want("the ninth", run("pay"), "")
	r.want("told", l.said(), "line Slow down: 1 s")
	r.want("chat has its own bucket", r.chat(p, "hi"), "chat hi")
	r.now += 250 * time.Millisecond
	r.want("4 a second", run("pay"), "command pay")
	r.now += time.Hour
	r.want("256 characters", run(strings.Repeat("ж", 256)), "command "+strings.Repeat("ж", 256))
	r.want("257 characters", run(strings.Repeat("ж", 257)), "")
	r.want("spaces", run("  "), "")
}

func TestLinesToPlayers(t *testing.T) {
	r := newRig(t)
	a, alice := r.join("Alice")
	b, _ := r.join("Bobby")
	a.drain()
	b.drain()
	local := a
	local.addr = mustAddr("127.0.0.1:5")
	r.do(func(tx Tx) {
		if n, err := tx.Broadcast(Notice{Text: "all"}); n != 2 || err != nil {
			t.Errorf("Broadcast: %d, %v", n, err)
		}
		if err := tx.Message(alice, Notice{Text: "one"}); err != nil {
			t.Error(err)
		}
		if n, err := tx.Say(alice, ChatLine{Text: "hi", Name: "Al"}); n != 2 || err != nil {
			t.Errorf("Say: %d, %v", n, err)
		}
		if n, err := tx.Say(alice, ChatLine{Text: "psst", Name: "Al", To: []*Player{alice}}); n != 1 || err != nil {
			t.Errorf("Say to one: %d, %v", n, err)
		}
		tx.TellLocal("tab\tand\x01control", protocol.MessageInfo)
		tx.Announce("console\nline " + strings.Repeat("ы", 2000))
	})
	console := "line console line " + strings.Repeat("ы", (1000-len("console line "))/2)
	r.want("Alice", a.said(), "line all, line one, Al: hi, Al: psst, line tab andcontrol, "+console)
	r.want("Bobby", b.said(), "line all, Al: hi, "+console)
}

func TestABadTextIsAnErrorWhoeverIsThere(t *testing.T) {
	r := newRig(t)
	bad := []Notice{{Text: ""}, {Text: "bell\a"}, {Text: strings.Repeat("x", 1025)}, {Text: strings.Repeat("\n", 12)}, {Text: "\u202e"}}
	var gone *Player
	check := func(who string) {
		r.do(func(tx Tx) {
			for _, n := range bad {
				if _, err := tx.Broadcast(n); err == nil {
					t.Errorf("%s: %.10q was sent to all", who, n.Text)
				}
			}
			if gone != nil {
				if err := tx.Message(gone, bad[1]); err == nil {
					t.Errorf("%s: a bad text to one who has left", who)
				}
				if err := tx.Message(gone, Notice{Text: "fine"}); err != nil {
					t.Error(err)
				}
				if _, err := tx.Say(gone, ChatLine{Text: "bell\a", Name: "x"}); err == nil {
					t.Errorf("%s: a bad chat line", who)
				}
			}
		})
	}
	check("nobody")
	l, p := r.join("Alice")
	check("one")
	r.do(func(tx Tx) { tx.Leave(l, protocol.ReasonQuit, "") })
	gone = p
	check("nobody again")
}

// readers are the names of those who read a line, in the order given, and clears all windows.
func (s *stage) readers(actors ...*actor) string {
	var names []string
	for _, a := range actors {
		if lastOf[*protocol.ChatMessage](a.link) != nil {
			names = append(names, a.p.Name())
		}
		a.hush()
	}
	return strings.Join(names, " ")
}

// TestHearers says who reads a line: all, those within the radius, the group, whoever a script names.
func TestHearers(t *testing.T) {
	s := newStage(t)
	talker, near, far, elsewhere, outside := s.alive("Talker"), s.alive("Near"), s.alive("Far"), s.alive("Elsewhere"), s.actor("Outside")
	watcher := s.alive("Watcher")
	put := func(a *actor, x float32, dimension uint16) {
		at := vec(x, 0, 10)
		s.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &at, Dimension: &dimension}) })
	}
	put(talker, 0, 0)
	put(near, 20, 0)
	put(far, 20.5, 0)
	put(elsewhere, 0, 1)
	put(watcher, 500, 0)
	s.must(func(tx Tx) error { return tx.Spectate(watcher.p, near.p, 0, "t") })
	for _, a := range []*actor{talker, far, elsewhere} {
		s.must(func(tx Tx) error { return tx.SetListRow(a.p, ListRow{Group: "Police"}) })
	}
	all := []*actor{talker, near, far, elsewhere, outside, watcher}
	for _, a := range all {
		a.hush()
	}
	tests := []struct {
		name   string
		radius float32
		from   *actor
		line   ChatLine
		want   string
	}{
		{"all", 0, talker, ChatLine{}, "Talker Near Far Elsewhere Outside Watcher"},
		{"a radius, and who looks from there", 20, talker, ChatLine{}, "Talker Near Watcher"},
		{"before the spawn one is nowhere", 20, outside, ChatLine{}, "Outside"},
		{"the group, wherever it is", 20, talker, ChatLine{Channel: protocol.ChannelTeam}, "Talker Far Elsewhere"},
		{"without a group", 0, near, ChatLine{Channel: protocol.ChannelTeam}, "Near"},
		{"whom a script names", 20, talker, ChatLine{To: []*Player{far.p, outside.p}}, "Far Outside"},
		{"nobody", 0, talker, ChatLine{To: []*Player{}}, ""},
	}
	for _, test := range tests {
		s.do(func(tx Tx) {
			rules := tx.Chat()
			rules.Radius = test.radius
			tx.SetChat(rules)
			test.line.Text, test.line.Name = "hi", test.from.p.Name()
			n, err := tx.Say(test.from.p, test.line)
			if want := len(strings.Fields(test.want)); n != want || err != nil {
				t.Errorf("%s: %d read it, %v; want %d", test.name, n, err, want)
			}
		})
		s.want(test.name, s.readers(all...), test.want)
	}
}

func TestTeamLinesAreColoredAndNeedAGroup(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	l.drain()
	team := func() {
		r.do(func(tx Tx) { tx.ReceiveChat(p, &protocol.ClientChat{Channel: protocol.ChannelTeam, Text: "go"}) })
	}
	team()
	r.want("told", l.said(), "line You are in no group.")
	red := protocol.RGBA{R: 255, A: 255}
	r.do(func(tx Tx) {
		if err := tx.SetListRow(p, ListRow{Group: "Police", Color: red}); err != nil {
			t.Error(err)
		}
	})
	r.events = nil
	team()
	e := r.events[0].(PlayerChat)
	if e.Line.Channel != protocol.ChannelTeam || e.Line.NameColor != red || e.Line.To != nil {
		t.Fatalf("the handlers get %+v", *e.Line)
	}
	r.do(e.Apply)
	if m := lastOf[*protocol.ChatMessage](l); m == nil || m.Channel != protocol.ChannelTeam || m.NameColor != red || m.PlayerToken != p.Token {
		t.Fatalf("sent %+v", m)
	}
}

// TestBubbles shows a line over the head to who reads it and sees its author, and to nobody else.
func TestBubbles(t *testing.T) {
	s := newStage(t)
	talker, friend, stranger := s.alive("Talker"), s.alive("Friend"), s.alive("Stranger")
	for range 10 {
		s.rig.now += 100 * ms
		s.do(func(tx Tx) { tx.Look() })
	}
	all := []*actor{talker, friend, stranger}
	seen := func() string {
		var got []string
		for _, a := range all {
			if m := lastOf[*protocol.PlayerChatBubble](a.link); m != nil {
				got = append(got, fmt.Sprintf("%s %q %d %g %d", a.p.Name(), m.Text, m.Duration, m.Distance, m.Flags))
			}
			a.hush()
		}
		return strings.Join(got, ", ")
	}
	seen()
	s.do(func(tx Tx) { _, _ = tx.Say(talker.p, ChatLine{Text: "off", Name: "T"}) })
	s.want("bubbles are off", seen(), "")
	s.do(func(tx Tx) {
		rules := tx.Chat()
		rules.Bubbles = true
		tx.SetChat(rules)
		_, _ = tx.Say(talker.p, ChatLine{Text: "on", Name: "T"})
	})
	s.want("to all who see him", seen(), `Friend "on" 5000 20 0, Stranger "on" 5000 20 0`)
	s.do(func(tx Tx) {
		_, _ = tx.Say(talker.p, ChatLine{Text: "psst", Name: "T", To: []*Player{friend.p}, Markup: true})
	})
	s.want("a whisper", seen(), `Friend "psst" 5000 20 1`)
	s.must(func(tx Tx) error {
		return tx.Bubble(talker.p, Bubble{Text: "two\nlines", Duration: 500 * ms, Distance: 100})
	})
	s.want("by a script", seen(), `Friend "two\nlines" 500 100 0, Stranger "two\nlines" 500 100 0`)
	s.must(func(tx Tx) error { return tx.Bubble(talker.p, Bubble{}) })
	s.want("removed", seen(), `Friend "" 0 0 0, Stranger "" 0 0 0`)
	for _, b := range []Bubble{{Text: "x", Duration: 499 * ms, Distance: 1}, {Text: "x", Duration: time.Second, Distance: 101},
		{Text: "1\n2\n3\n4\n5", Duration: time.Second, Distance: 1}, {Text: "\a", Duration: time.Second, Distance: 1}} {
		s.do(func(tx Tx) {
			if tx.Bubble(talker.p, b) == nil {
				t.Errorf("%+v was sent", b)
			}
		})
	}
	s.want("nothing bad was sent", seen(), "")
}

// TestReadChatKeepsWhatScriptsSet: a file that is read again changes only what it says otherwise than before.
func TestReadChatKeepsWhatScriptsSet(t *testing.T) {
	r := newRig(t)
	file := Chat{MaxLength: 100, Radius: 30, Burst: 4, CommandBurst: 8, CommandRate: 4}
	r.do(func(tx Tx) {
		tx.SetChat(file)
		set := tx.Chat()
		set.Radius, set.Bubbles = 50, true
		tx.SetChat(set)
		next := file
		next.Burst, next.MaxLength = 9, 90
		tx.ReadChat(file, next)
		if got, want := tx.Chat(), (Chat{MaxLength: 90, Radius: 50, Bubbles: true, Burst: 9, CommandBurst: 8, CommandRate: 4}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		again := next
		again.Radius = 0
		tx.ReadChat(next, again)
		if got := tx.Chat().Radius; got != 0 {
			t.Errorf("the file's radius is 0, the chat's %g", got)
		}
	})
}

// unseen says whether a character must be in no text: control and format characters.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// FuzzChat: whatever a client writes, what comes out can be sent and is in its bounds.
func FuzzChat(f *testing.F) {
	for _, seed := range []string{"hello", "  ", "{FF0000}x", "e\u0301\u0301\u0301\u0301\u0301", "я я", "\u00a0x\u00a0"} {
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, command bool) {
		if protocol.PlainText(text, 512) != nil {
			return // the decoder refuses it
		}
		r := &rig{t: t}
		r.w = New(Config{Now: func() time.Duration { return r.now }, Sink: r, Chat: testChat})
		l, p := r.join("Alice")
		r.events = nil
		r.do(func(tx Tx) {
			if command {
				tx.ReceiveCommand(p, &protocol.ClientCommand{Text: text})
			} else {
				tx.ReceiveChat(p, &protocol.ClientChat{Text: text})
			}
		})
		for _, e := range r.events {
			switch e := e.(type) {
			case PlayerChat:
				r.do(e.Apply)
				if m := lastOf[*protocol.ChatMessage](l); m == nil || m.Text == "" || strings.TrimSpace(m.Text) != m.Text || strings.ContainsFunc(m.Text, unseen) {
					t.Fatalf("%q gave %+v", text, m)
				}
			case PlayerCommand:
				if e.Text == "" || utf8.RuneCountInString(e.Text) > 256 || strings.ContainsFunc(e.Text, unseen) {
					t.Fatalf("%q gave %q", text, e.Text)
				}
			}
		}
	})
}

// BenchmarkChatTo500 is a line from its packet to 500 lanes, each with a packet of its own encoded.
func BenchmarkChatTo500(b *testing.B) {
	r := &rig{t: nil}
	r.w = New(Config{Now: func() time.Duration { return r.now }, Sink: r, Chat: testChat})
	var links []*link
	for i := range 500 {
		l, _ := r.join(fmt.Sprintf("Player_%03d", i))
		links = append(links, l)
	}
	p := r.w.links[links[0]]
	b.ReportAllocs()
	for b.Loop() {
		r.now += 2 * time.Second
		r.events = r.events[:0]
		r.do(func(tx Tx) { tx.ReceiveChat(p, &protocol.ClientChat{Text: "See you at the pier in ten minutes"}) })
		r.do(r.events[0].(PlayerChat).Apply)
		for _, l := range links {
			l.sent = l.sent[:0]
		}
	}
}
