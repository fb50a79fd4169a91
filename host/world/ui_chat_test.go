package world

import (
	"fmt"
	"strings"
	"testing"
	"time"

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
