package scriptapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
)

// keys is an edge of an action that a guest was told of, by its name.
func (g *guest) keys(name string, pressed bool) {
	g.s.t.Helper()
	var id uint32
	for _, p := range g.sent {
		if m, ok := p.(*protocol.ActionDeclare); ok && m.Name == name {
			id = m.ActionID
		}
	}
	if id == 0 {
		g.s.t.Fatalf("%s was told of no action %s", g.name, name)
	}
	g.s.do(func(tx world.Tx) { tx.Receive(g.player, &protocol.ActionInput{ActionID: id, Pressed: pressed}) })
	g.s.settle()
}

const use = `
use = mp.ui.action{ name = "use", label = "Use", key = "E", when = { "on_foot", "pre_spawn" } }
use:on("press", function(player) print("press", player.name, use:is_down(player)) end)
use:on("release", function(player, held_ms) print("release", player.name, held_ms, use:held(player)) end)
use:on("hold", function(player) print("hold", player.name, use:held(player)) end)
`

func TestActionEvents(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("spy", `mp.on("player_action", function(player, action, pressed, held_ms) print("heard", player.name, action.resource, action.name, pressed, held_ms) end)`)
	s.start("jobs", use+`print(use.name, use.label, use.key, use.resource, use.enabled, use.glyph:match("^{key:%d+}$") ~= nil)`)
	s.said("use\tUse\tE\tjobs\ttrue\ttrue")
	alice.keys("use", true)
	s.said("press\tAlice\ttrue\nheard\tAlice\tjobs\tuse\ttrue\t0")
	s.now += 1234 * time.Millisecond
	alice.keys("use", false)
	s.said("release\tAlice\t1234\t0\nheard\tAlice\tjobs\tuse\tfalse\t1234")
	alice.keys("use", true)
	s.took()
	s.stop("jobs")
	s.said("heard\tAlice\tjobs\tuse\tfalse\t0") // the spy hears the end of what it heard begin
	if len(s.rt.actions) != 0 || s.held("spy") != 0 {
		t.Errorf("%d actions, %d handles are kept", len(s.rt.actions), s.held("spy"))
	}
}

func TestPromptsInLua(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.join("Bobby")
	s.start("jobs", use+`
local alice, bobby = mp.players.get(0), mp.players.get(1)
prompt = use:prompt(alice, { text = "Open", position = vec3(1, 2, 3), hold_ms = 500 })
print(prompt.text, prompt.radius, prompt.hold_ms, prompt.position, prompt.player == alice, prompt.action == use)
prompt.text = "Close"
prompt.radius = 5
print(use:prompt(alice, { text = "Again", target = bobby, offset = vec3(0, 1, 0), hold_ms = 500 }) == prompt, prompt.position, prompt.target.name)
mp.command("drop", { states = { "pre_spawn" } }, function() prompt:remove() print(prompt.valid, pcall(function() prompt.text = "x" end)) end)
`)
	s.said("Open\tnil\t500\tvec3(1, 2, 3)\ttrue\ttrue\ntrue\tnil\tBobby")
	var got []string
	for _, p := range alice.sent {
		if m, ok := p.(*protocol.ActionPrompt); ok {
			got = append(got, fmt.Sprint(m.Text, " ", m.Radius, " ", m.Attach))
		}
	}
	if words := strings.Join(got, ", "); words != "Open 2 none, Close 2 none, Close 5 none, Again 2 player" {
		t.Errorf("sent %s", words)
	}
	alice.keys("use", true)
	s.now += 500 * time.Millisecond
	s.tick()
	s.said("press\tAlice\ttrue\nhold\tAlice\t500")
	alice.command("drop")
	s.said("false\tfalse\tmain.lua:13: prompt.text: this prompt was removed")
	alice.leave()
	s.said("release\tAlice\t500\t0")
	if n := s.held("jobs"); n != 4 {
		t.Errorf("%d handles are kept, want those of the action and its three handlers", n)
	}
}

func TestActionWaits(t *testing.T) {
	for _, test := range []struct {
		name, want string
		cause      func(s *stage, alice *guest)
	}{
		{"a press", "true\tnil\ttrue", func(s *stage, alice *guest) { alice.keys("use", true) }},
		{"timeout", "nil\ttimeout\ttrue", func(s *stage, alice *guest) { s.advance(5 * time.Second) }},
		{"removal", "nil\tclosed\ttrue", func(s *stage, alice *guest) { alice.command("remove") }},
		{"leave", "left\nnil\tleave\tfalse", func(s *stage, alice *guest) { alice.leave() }},
		{"stop", "nil\tstop\ttrue", func(s *stage, alice *guest) { s.stop("jobs") }},
	} {
		for _, whose := range []string{"", ", for_player = mp.players.get(0)"} {
			t.Run(test.name, func(t *testing.T) {
				s := newStage(t)
				alice := s.join("Alice")
				s.start("jobs", `
local player = mp.players.get(0)
local use = mp.ui.action{ name = "use", label = "Use", when = { "pre_spawn" }`+whose+` }
mp.on("player_leave", function() print("left") end)
mp.command("remove", { states = { "pre_spawn" } }, function() use:remove() end)
mp.after(0, function() local ok, why = use:wait(player, 5000) print(ok, why, player.valid) end)`)
				s.settle()
				test.cause(s, alice)
				s.said(test.want)
				for _, k := range s.rt.actions {
					if len(k.waits) != 0 {
						t.Error("a wait is left")
					}
				}
			})
		}
	}
}

func TestActionsAreSwitched(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("jobs", use+`
local alice = mp.players.get(0)
mp.command("off", { states = { "pre_spawn" } }, function() use.enabled = false print(use.enabled) end)
mp.command("on", { states = { "pre_spawn" } }, function() use.enabled = true use:enable(alice, false) use:enable(alice, true) end)
mp.command("mine", { states = { "pre_spawn" } }, function() use:enable(alice, false) end)
`)
	alice.keys("use", true)
	s.took()
	alice.command("off")
	s.said("false\nrelease\tAlice\t0\t0")
	alice.keys("use", true)
	s.said("")
	alice.command("on")
	alice.keys("use", true)
	s.said("press\tAlice\ttrue")
	alice.command("mine")
	s.said("release\tAlice\t0\t0")
}

func TestActionErrors(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	s.join("Bobby")
	action := func(fields string) string { return `mp.ui.action{ name = "use", label = "Use"` + fields + ` }` }
	with := func(code string) string {
		return `local use, alice = ` + action(``) + `, mp.players.get(0) ` + code
	}
	for _, test := range []struct{ code, want string }{
		{action(`, key = "Tab"`), `mp.ui.action: field "key": "Tab" is the platform's player_list`},
		{action(`, key = "Escape"`), `mp.ui.action: field "key": "Escape" is the platform's pause menu`},
		{action(`, key = "Spce"`), `mp.ui.action: field "key": unknown key "Spce"; did you mean "Space"?`},
		{action(`, when = { "on_feet" }`), `mp.ui.action: key "when[1]": one of "on_foot", "driver", "passenger", "wasted", "pre_spawn" expected, got string "on_feet" (did you mean "on_foot"?)`},
		{action(`, when = {}`), `mp.ui.action: field "when": without a state the action could never be used`},
		{action(``) + ` ` + action(``), `mp.ui.action: field "name": this resource has an action "use" already`},
		{`mp.ui.action{ name = "a b", label = "x" }`, `mp.ui.action: field "name": "a b", 1 to 31 of a-z, 0-9 and _ expected`},
		{with(`use:on("pres", function() end)`), `action:on: no event is called "pres"; did you mean "press"?`},
		{with(`use:prompt(alice, { text = "x", radius = 2 })`), `action:prompt: field "radius": a prompt on the screen has none; give a position or a target`},
		{with(`use:prompt(alice, { text = "x", hold_ms = 100 })`), `action:prompt: field "hold_ms": 0 or 200..10,000 expected, got 100`},
		{with(`use:prompt(alice, { text = "x", position = vec3(0, 0, 0), target = alice })`), `action:prompt: field "target": a prompt has a position or a target, not both`},
		{with(`use:remove() use:prompt(alice, { text = "x" })`), `action:prompt: this action was removed`},
		{`local use = ` + action(`, for_player = mp.players.get(1)`) + ` use:wait(mp.players.get(0))`, `action:wait: this action is only for Bobby`},
		{with(`use.key = "F"`), `action.key: it can only be read`},
		{with(`use.enabled = 1`), `action.enabled: a boolean expected, got number 1`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}

func TestForPlayerActionsMayShareAName(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	s.join("Bobby")
	s.start("jobs", `
local function of(p) return mp.ui.action{ name = "use", label = "Use", for_player = p } end
local a, b = of(mp.players.get(0)), of(mp.players.get(1))
print(a ~= b, (pcall(of, mp.players.get(0))), (pcall(of)))`)
	s.said("true\tfalse\tfalse")
}

func TestAnActionIsItsOwnResources(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	s.start("bank", `mp.exports.define{ look = function(use) print(use.name, pcall(use.remove, use)) print(pcall(function() use.enabled = false end)) end }`)
	s.start("jobs", use+`mp.exports.bank.look(use)`)
	s.said("use\tfalse\taction:remove: the action is one of jobs\nfalse\tmain.lua:1: action.enabled: the action is one of jobs")
}
