package scriptapi

import (
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
)

// answers is the answer to the offer that a guest was shown last.
func (g *guest) answers(accepted bool) {
	g.s.t.Helper()
	var id uint32
	for _, p := range g.sent {
		if m, ok := p.(*protocol.OfferShow); ok {
			id = m.OfferID
		}
	}
	if id == 0 {
		g.s.t.Fatalf("%s was shown no offer", g.name)
	}
	g.s.do(func(tx world.Tx) { tx.Receive(g.player, &protocol.OfferResponse{OfferID: id, Accepted: accepted}) })
	g.s.settle()
}

func TestOfferEnds(t *testing.T) {
	for _, test := range []struct {
		name, want string
		cause      func(s *stage, alice, bobby *guest)
	}{
		{"accepted", "true\tnil\ttrue", func(s *stage, alice, bobby *guest) { alice.answers(true) }},
		{"declined", "false\tnil\ttrue", func(s *stage, alice, bobby *guest) { alice.answers(false) }},
		{"timeout", "nil\ttimeout\ttrue", func(s *stage, alice, bobby *guest) {
			s.tick()
			s.now += 15*time.Second + 999*time.Millisecond
			s.tick()
			s.said("")
			s.now += time.Millisecond
			s.tick()
		}},
		{"withdrawn", "nil\tclosed\ttrue", func(s *stage, alice, bobby *guest) { bobby.command("withdraw") }},
		{"who offers leaves", "nil\tfrom_left\ttrue", func(s *stage, alice, bobby *guest) { bobby.leave() }},
		{"who is asked leaves", "left\nnil\tleave\tfalse", func(s *stage, alice, bobby *guest) { alice.leave() }},
		{"stop", "nil\tstop\ttrue", func(s *stage, alice, bobby *guest) { s.stop("duel") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t)
			alice, bobby := s.join("Alice"), s.join("Bobby")
			s.start("duel", `
local alice, bobby = mp.players.get(0), mp.players.get(1)
mp.on("player_leave", function(player) if player == alice then print("left") end end)
local offer = alice:open_offer{ title = "Duel", from = bobby, text = "a\nb", icon = "gun", color = rgba(9, 9, 9) }
mp.command("withdraw", { states = { "pre_spawn" } }, function() offer:withdraw() offer:withdraw() end)
mp.after(0, function() local yes, why = offer:wait() print(yes, why, alice.valid) end)`)
			s.settle()
			test.cause(s, alice, bobby)
			s.said(test.want)
			if n := s.held("duel"); n != 0 {
				t.Errorf("%d handles are kept", n)
			}
		})
	}
}

func TestOfferIsBusy(t *testing.T) {
	s := newStage(t)
	alice, _ := s.join("Alice"), s.join("Bobby")
	s.start("duel", `
local alice, bobby = mp.players.get(0), mp.players.get(1)
mp.after(0, function() print("first", alice:offer{ title = "Duel", from = bobby }) end)
mp.after(1, function() print("second", alice:offer{ title = "Trade", from = bobby }) end)
mp.after(2, function() local o = alice:open_offer{ title = "Trade", from = bobby } print(o.open, o:wait()) end)`)
	s.advance(10 * time.Millisecond)
	s.said("second\tnil\tbusy\nfalse\tnil\tbusy")
	alice.answers(true)
	s.said("first\ttrue")
	if n := s.held("duel"); n != 0 {
		t.Errorf("%d handles are kept", n)
	}
}

func TestOfferErrors(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	for _, test := range []struct{ code, want string }{
		{`mp.players.get(0):offer{ text = "x" }`, `player:offer: key "title": a string of 1..96 bytes expected, got nothing`},
		{`mp.players.get(0):offer{ title = "x", duration = 100 }`, `player:offer: key "duration": integer 3000..120000 expected, got 100`},
		{`mp.players.get(0):offer{ title = "x", text = "\n\n\n\n" }`, `player:offer: field "text": 5 lines, at most 4`},
		{`mp.players.get(0):offer{ title = "x", icon = "gunn" }`, `player:offer: icon: unknown "gunn", did you mean "gun"?`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}
