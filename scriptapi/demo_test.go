package scriptapi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources"
)

// gamemode starts a resource of the demo.
func (f *field) gamemode(name string, settings map[string]any) {
	f.t.Helper()
	b := f.demo(name)
	b.Settings = settings
	if err := f.load(b, nil); err != nil {
		f.t.Fatal(err)
	}
	f.settle()
}

func (f *field) demo(name string) *resources.Bundle {
	f.t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "fixtures", "demo", "resources", name, "main.lua"))
	if err != nil {
		f.t.Fatal(err)
	}
	if n := strings.Count(string(source), "\n"); n >= 200 {
		f.t.Errorf("%s has %d lines, under 200 are wanted", name, n)
	}
	return bundle(name, map[string]string{"main.lua": string(source)})
}

func newDemo(t *testing.T) (f *field, alice, bobby *soldier) {
	f = newField(t)
	f.gamemode("bank", map[string]any{"starting_money": int64(500)})
	f.gamemode("freeroam", map[string]any{"reward": int64(100)})
	f.gamemode("deathmatch", map[string]any{"kills": int64(2), "minutes": int64(1)})
	alice, bobby = f.enter("Alice"), f.enter("Bobby")
	alice.reads()
	bobby.reads()
	return f, alice, bobby
}

// respawns waits out the death screen.
func (s *soldier) respawns() {
	s.f.pass(4 * time.Second)
	s.receive(&protocol.RespawnRequest{})
	s.f.pass(time.Second)
}

func (f *field) quiet(t *testing.T) {
	t.Helper()
	if log := f.took(); log != "" {
		t.Errorf("the log has %s", log)
	}
}

func TestFreeroam(t *testing.T) {
	f, alice, bobby := newDemo(t)
	carol := f.enter("Carol")
	carol.want("welcome", "{FFB454}/tp{/} takes you to a place, {FFB454}/weapon{/} and {FFB454}/skin{/} dress you up, {FFB454}/dm{/} is a fight.")
	carol.leave()
	f.guests = f.guests[:2]
	for _, s := range []*soldier{alice, bobby} {
		s.reads()
	}

	for _, step := range []struct{ command, reads, code, want string }{
		{"tp grove", "Welcome to Grove Street.", `show(p.position, p.heading)`, "vec3(2495.3, -1688.6, 13.7) 0"},
		{"weapon sniper 50", "That is a {FFB454}sniper_rifle", `show(p:ammo_of("sniper_rifle"))`, "50"},
		{"weapon grenade 3", "That is a {FFB454}grenade", `show(p:has_weapon("grenade"), p:has_weapon("colt_45"))`, "true true"},
		{"skin 106", "", `show(p.skin)`, "106"},
		{"skin 3", "skin: a skin's id expected, got \"3\"\nUsage: /skin <skin>", `show(p.skin)`, "106"},
		{"dance 3", "", `show(p.special_action)`, "dance_3"},
		{"stop", "", `show(p.special_action)`, "none"},
		{"disarm", "", `show(#p.weapons)`, "0"},
		{"leave", "You are in no game.", `show(p.dimension)`, "0"},
		{"score", "Nobody plays. {FFB454}/dm{/} begins a round.", ``, ""},
	} {
		alice.command(step.command)
		alice.want("/"+step.command, step.reads)
		if got := f.eval(step.code); got != step.want {
			t.Errorf("/%s: %s, want %s", step.command, got, step.want)
		}
	}
	bobby.command("goto alice")
	f.pass(time.Second)
	alice.want("somebody comes", "{FFB454}Bobby{/} came to you.")
	if got := f.eval(`show(p:distance_to(q) < 2)`); got != "true" {
		t.Errorf("/goto: %s", f.eval(`show(p.position, q.position)`))
	}
	bobby.reads()
	bobby.command("where")
	bobby.want("/where", "2496.8, -1688.6, 14.2, facing "+f.eval(`show(math.floor(q.heading))`)+"\nNear you: Alice (1 m)")

	bobby.command("weapon m4")
	bobby.reads()
	for range 11 {
		bobby.fire(alice, 31, protocol.PartTorso)
	}
	alice.want("killed", "{FFB454}Bobby{/} killed {FFB454}Alice{/} (m4)")
	if got := f.eval(`show(q.money, p.state)`); got != "600 wasted" {
		t.Error(got)
	}
	alice.respawns()
	if got := f.eval(`show(p.state, p.skin, p:has_weapon("colt_45"), p.dimension)`); got != "alive 106 true 0" {
		t.Errorf("after the respawn: %s", got)
	}
	f.quiet(t)
}

func TestDeathmatch(t *testing.T) {
	f, alice, bobby := newDemo(t)
	carol := f.enter("Carol")
	for _, s := range f.guests {
		s.reads()
	}
	alice.command("dm")
	alice.want("the first joins", "{7BC96F}Alice{/} joins {7BC96F}Grove{/}\nRound 1: the first team with {FFB454}2{/} kills wins.")
	bobby.command("dm")
	bobby.want("the second joins", "{B48EE8}Bobby{/} joins {B48EE8}Ballas{/}")
	carol.command("dm grove")
	f.pass(time.Second)
	if got := f.eval(`for _, p in ipairs(mp.players.all()) do show(p.dimension, p.interior, p.skin, p.armor, #p.weapons) end`); got != "1000 10 106 50 3\n1000 10 104 50 3\n1000 10 106 50 3" {
		t.Errorf("in the arena:\n%s", got)
	}
	for _, s := range f.guests {
		s.reads()
	}
	alice.command("weapon minigun")
	alice.want("no cheat", "/weapon is for the open world. {FFB454}/leave{/} takes you there.")

	close := func() {
		alice.walk(protocol.Vec3{X: -1100, Y: 1060, Z: 1346})
		bobby.walk(protocol.Vec3{X: -1090, Y: 1060, Z: 1346})
		carol.walk(protocol.Vec3{X: -1100, Y: 1065, Z: 1346})
	}
	close()
	alice.fire(carol, 31, protocol.PartTorso)
	if got := f.eval(`show(mp.players.get(2).health, mp.players.get(2).armor)`); got != "100 50" {
		t.Errorf("a friend is hurt: %s", got)
	}
	kill := func(part protocol.BodyPart) {
		for range 16 {
			alice.fire(bobby, 31, part)
			if f.state(bobby) == world.Wasted {
				return
			}
		}
		t.Fatal("Bobby does not die")
	}
	kill(protocol.PartHead)
	alice.want("a kill", "{7BC96F}Alice{/} {9AA7B2}[m4, head]{/} {B48EE8}Bobby{/}")
	bobby.respawns()
	if got := f.eval(`show(q.dimension, q.armor, q:has_weapon("m4"))`); got != "1000 50 true" {
		t.Errorf("after the respawn: %s", got)
	}

	// The score survives a reload, and so do the teams.
	b := f.demo("deathmatch")
	b.Settings = map[string]any{"kills": int64(2), "minutes": int64(1)}
	if err := f.load(b, f.end("deathmatch", resources.StopReload)); err != nil {
		t.Fatal(err)
	}
	f.settle()
	alice.reads()
	alice.command("score")
	if got := alice.reads(); !strings.HasPrefix(got, "Round 1: {7BC96F}Grove{/} {FFB454}1 : 0{/} {B48EE8}Ballas{/}, 0:") {
		t.Errorf("after the reload: %s", got)
	}
	alice.command("teams")
	alice.want("after the reload", "{7BC96F}Grove{/}: Alice (1 kills, 0 deaths), Carol (0 kills, 0 deaths)\n{B48EE8}Ballas{/}: Bobby (0 kills, 1 deaths)")

	close()
	bobby.reads()
	kill(protocol.PartTorso)
	bobby.want("the round ends", "{7BC96F}Alice{/} {9AA7B2}[m4]{/} {B48EE8}Bobby{/}\n{7BC96F}Grove{/} win round 1: {7BC96F}Grove{/} {FFB454}2 : 0{/} {B48EE8}Ballas{/}")
	f.pass(8 * time.Second)
	bobby.want("the next begins", "Round 2: the first team with {FFB454}2{/} kills wins.")
	if got := f.eval(`show(q.state, q.dimension)`); got != "alive 1000" {
		t.Errorf("in round 2: %s", got)
	}
	f.pass(61 * time.Second)
	bobby.want("time is up", "Nobody wins round 2: {7BC96F}Grove{/} {FFB454}0 : 0{/} {B48EE8}Ballas{/}")
	f.pass(8 * time.Second)
	bobby.reads()

	carol.leave()
	f.guests = f.guests[:2]
	alice.command("leave")
	bobby.want("one leaves", "{7BC96F}Alice{/} leaves the game")
	if got := f.eval(`show(p.dimension, p.interior, q.dimension)`); got != "0 0 1000" {
		t.Errorf("after /leave: %s", got)
	}
	f.stop("deathmatch")
	if got := f.eval(`show(p.dimension, q.dimension, q.interior, q.state)`); got != "0 0 0 alive" {
		t.Errorf("after the stop: %s", got)
	}
	f.quiet(t)
}

// block is the script of docs/authors.md that has a text in it.
func block(t *testing.T, with string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "authors.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(page), "```lua\n")[1:] {
		if code, _, _ := strings.Cut(part, "```"); strings.Contains(code, with) {
			return code
		}
	}
	t.Fatalf("docs/authors.md has no script with %q", with)
	return ""
}

func TestAuthorsExamplesPlay(t *testing.T) {
	f := newField(t)
	f.start("spawns", block(t, `mp.on("player_spawn_request"`))
	f.start("duel", block(t, `mp.command("duel"`))
	f.start("teams", block(t, `mp.command("join"`))
	alice, bobby := f.enter("Alice"), f.enter("Bobby")
	if got := f.eval(`show(p.skin, p.armor, p:ammo_of("ak47"), q.weapons[2].name)`); got != "106 50 120 ak47" {
		t.Errorf("spawned: %s", got)
	}
	alice.command("duel bobby")
	f.pass(time.Second)
	if got := f.eval(`show(p.frozen, q.frozen, p.dimension, q.dimension, p:distance_to(q))`); got != "true true 100 100 10" {
		t.Errorf("in the duel: %s", got)
	}
	f.pass(3 * time.Second)
	alice.want("the count", "3\n2\n1")
	if got := f.eval(`show(p.frozen, q.frozen, p:has_weapon("katana"))`); got != "false false true" {
		t.Errorf("after the count: %s", got)
	}
	alice.command("join red")
	bobby.command("join red")
	alice.fire(bobby, 30, protocol.PartHead)
	if got := f.eval(`show(q.health, q.armor)`); got != "100 50" {
		t.Errorf("a friend: %s", got)
	}
	bobby.command("join blue")
	for range 16 {
		alice.fire(bobby, 30, protocol.PartTorso)
	}
	alice.want("the kill", "Alice [ak47] Bobby")
	f.pass(4 * time.Second)
	bobby.receive(&protocol.RespawnRequest{})
	f.pass(time.Second)
	if f.state(bobby) != world.Wasted {
		t.Error("he does not wait for his respawn")
	}
	f.pass(3 * time.Second)
	if got := f.eval(`show(q.state, q.dimension)`); got != "alive 0" {
		t.Errorf("respawned: %s", got)
	}
	f.quiet(t)
}
