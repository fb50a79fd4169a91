package scriptapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
)

// TestCheckShowsAgain refuses an answer twice, and waits and asks in the check.
func TestCheckShowsAgain(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", `
local player = mp.players.get(0)
mp.after(0, function()
  local d = player:open_dialog{ title = "T", input = { placeholder = "name" }, check = function(answer)
    if answer.text == "" then return "empty" end
    mp.wait(100)
    if not player:ask{ title = "Sure?" } then return "not sure" end
  end }
  print(d.id)
  print(d:wait().text, d.id)
end)
mp.after(1, function() player:ask{ title = "next" } end)`)
	s.advance(time.Millisecond)
	s.took()
	last := func(title, initial, refused string) {
		t.Helper()
		m := alice.sent[len(alice.sent)-1].(*protocol.DialogShow)
		if c := m.Content; c.Title != title || c.Initial != initial || c.Error != refused {
			t.Fatalf("shown is %+v", c)
		}
	}
	alice.presses(protocol.DialogResponse{Row: protocol.NoRow})
	last("T", "", "empty")
	alice.presses(protocol.DialogResponse{Row: protocol.NoRow, Text: "Jo"})
	s.advance(100 * time.Millisecond)
	last("Sure?", "", "")
	alice.presses(protocol.DialogResponse{Row: protocol.NoRow, Button: cancel})
	last("T", "Jo", "not sure")
	alice.presses(protocol.DialogResponse{Row: protocol.NoRow, Text: "Joe"})
	s.advance(100 * time.Millisecond)
	alice.presses(protocol.DialogResponse{Row: protocol.NoRow})
	s.said("Joe\t" + strings.Fields(s.dialogIDs(alice))[3])
	last("next", "", "")
}

// dialogIDs are the ids that a guest was shown, in order.
func (s *stage) dialogIDs(g *guest) string {
	var ids []string
	for _, p := range g.sent {
		if m, ok := p.(*protocol.DialogShow); ok {
			ids = append(ids, fmt.Sprint(m.DialogID))
		}
	}
	return strings.Join(ids, " ")
}

// TestCheckOfForm refuses one field of a form.
func TestCheckOfForm(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", asker(`{ title = "T", check = function(answer)
	  if answer.values.n > 5 then return "n", "too much" end
	  if answer.values.n > 4 then return "nearly" end
	end, fields = { { type = "note", label = "L" }, { name = "n", type = "integer(1..9)", label = "L" }, { name = "p", type = "string(0..9)", label = "L", hidden = true } } }`))
	alice.command("ask")
	n := func(v float64) []protocol.FormAnswer {
		return []protocol.FormAnswer{{Number: 1, Type: protocol.FormNumber, Float: v}, {Number: 2, Type: protocol.FormString, String: "secret"}}
	}
	alice.fills(accept, n(9)...)
	m := alice.sent[len(alice.sent)-1].(*protocol.DialogForm)
	if f := m.Content.Fields; m.ErrorField != 1 || m.Content.Head.Error != "too much" || f[1].Number.Initial != 9 || f[2].String.Initial != "" || f[2].Flags&protocol.FormInitial != 0 {
		t.Errorf("%+v", m)
	}
	alice.fills(accept, n(5)...)
	m = alice.sent[len(alice.sent)-1].(*protocol.DialogForm)
	if m.ErrorField != protocol.WholeForm || m.Content.Head.Error != "nearly" {
		t.Errorf("%+v", m)
	}
	alice.fills(accept, n(2)...)
	s.said("{button=accept values={n=2 p=secret}}")
}

// TestCheckThatFails closes the dialog and is reported.
func TestCheckThatFails(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{`error("oh")`, `ERROR shop/main.lua:11: oh`},
		{`return 5`, `ERROR shop/main.lua:11: check returns nothing, a text, or a field's name and a text; it has returned number 5`},
		{`return "n", "x"`, `ERROR shop/main.lua:11: check has returned a text for the field "n", which the dialog does not have`},
		{`return ("x"):rep(201)`, `ERROR shop/main.lua:11: 201 bytes, at most 200`},
	} {
		s := newStage(t)
		alice := s.join("Alice")
		s.start("shop", asker(`{ title = "T", input = {}, check = function() `+test.body+` end }`))
		alice.command("ask")
		alice.presses(protocol.DialogResponse{Row: protocol.NoRow, Text: "secret"})
		s.settle()
		if got := s.took(); got != test.want+"\nnil closed" {
			t.Errorf("%s:\n got %s\nwant %s", test.body, got, test.want)
		}
	}
}

// TestStopWhileJudged stops the resource while its check waits.
func TestStopWhileJudged(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", asker(`{ title = "T", check = function() mp.wait(1000) end }`))
	alice.command("ask")
	alice.presses(protocol.DialogResponse{Row: protocol.NoRow})
	s.stop("shop")
	s.said("nil stop")
	if got := dialogOf(s, alice); got != nil {
		t.Error("a dialog is left")
	}
}

func dialogOf(s *stage, g *guest) (d *world.Dialog) {
	s.do(func(tx world.Tx) { d = tx.DialogOf(g.player) })
	return d
}
