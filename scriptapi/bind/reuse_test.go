package bind

import (
	"fmt"
	"strings"
	"testing"

	"darqline/scriptapi/sandbox"
)

// A Call that is in use is not used by another: not by one within it, not by one while it waits, not after an error.
func TestCallsAreApart(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`print() local inner = setmetatable({}, { __tostring = function() print("inside", 1, 2) return "outer" end }) print(inner, inner, "end")`,
			"|inside 1 2|inside 1 2|outer outer end"},
		{`print(mp.chat.send(p, "hi", "info", {}), mp.chat.send(p, "ho"))`, "ada hi info true ada ho plain false"},
		{`print(pcall(mp.chat.send, p, "hi", "info", 5)) print(mp.chat.send(p, "ho"))`,
			`false mp.chat.send: argument 4 "options": a table expected, got number 5|ada ho plain false`},
		{`p.health = 70 print(pcall(function() p.health = 200 end)) print(p.health)`, "false player.health: number 0..100 expected, got 200|70"},
		{`print(1, 2, 3) print(1) print()`, "1 2 3|1|"},
	} {
		w := newWorld(t)
		if _, err := w.run(`p = mp.players.get("ada") ` + c.code); err != nil {
			t.Errorf("%s: %v", c.code, err)
		} else if got := strings.Join(w.printed, "|"); !strings.HasSuffix(strings.ReplaceAll(got, "main.lua:1: ", ""), c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}

func TestAWaitingCallIsNotReused(t *testing.T) {
	w := newWorld(t)
	p := w.players["ada"]
	ask := func() func(reply) {
		t.Helper()
		if _, err := w.run(`local p = mp.players.get("ada") print(p:ask())`); err != nil {
			t.Fatal(err)
		}
		return p.wake
	}
	answer := func(wake func(reply), yes bool) {
		wake(reply{yes: yes})
		(<-w.posted)()
	}
	answer(ask(), true) // leaves its Call for one of these
	first, second := ask(), ask()
	answer(second, true)
	answer(first, false)
	if got := strings.Join(w.printed, " "); got != "true true false" {
		t.Errorf("got %s, want true true false", got)
	}
}

// What a checked call or a property costs is one allocation of the machine itself, for the key that it looks up, and one for a
// number that is returned.
func TestAllocations(t *testing.T) {
	const loop = 1000
	for code, most := range map[string]float64{
		`p:kick("bye", 5)`:  1,
		`p.health = 20`:     1,
		`x = p.health`:      2,
		`v = vec3(1, 2, 3)`: 2,
		`x = mp.chat.prefix mp.chat.prefix = "a"`: 4,
	} {
		w := newWorld(t)
		program, err := sandbox.Compile("main.lua", fmt.Appendf(nil, `
			local p, x, v = mp.players.get("ada")
			for i = 1, %d do %s end`, loop, code))
		if err != nil {
			t.Fatal(err)
		}
		got := testing.AllocsPerRun(5, func() {
			if _, _, err := w.env.RunProgram(program, Run{}); err != nil {
				t.Fatal(err)
			}
		}) / loop
		if got > most+0.3 {
			t.Errorf("%s: %.1f allocations, want at most %v", code, got, most)
		}
	}
}
