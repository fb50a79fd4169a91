package scriptapi

import (
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

func TestPlayerMethods(t *testing.T) {
	f := newField(t)
	alice, bobby := f.enter("Alice"), f.enter("Bobby")
	bobby.walk(protocol.Vec3{X: 2495.3, Y: -1658.6, Z: 13.7})
	f.check([][2]string{
		{`show(p:distance_to(q), p:distance_to(vec3(2495.3, -1688.6, 13.7)), #p:viewers(), p:viewers()[1] == q, p:sees(q))`, "30 0 1 true true"},
		{`q.dimension = 5 show(p:distance_to(q) == math.huge) q.dimension = 0`, "true"},
		{`p:teleport{ position = vec3(0, 0, 5), heading = 90, dimension = 7, interior = 2 } show(p.position, p.heading, p.dimension, p.interior)`, "vec3(0, 0, 5) 90 7 2"},
		{`p:teleport{ dimension = 0, interior = 0 } show(p.dimension, p.interior, p.position)`, "0 0 vec3(0, 0, 5)"},
		{`p:spawn{ position = vec3(1, 2, 3), heading = 45, skin = 7, dimension = 9, interior = 1, health = 50, armor = 20, frozen = true, fade = true }
show(p.position, p.heading, p.skin, p.dimension, p.interior, p.health, p.armor, p.frozen, p.arriving)`, "vec3(1, 2, 3) 45 7 9 1 50 20 true true"},
		{`p:spawn() show(p.position, p.skin, p.dimension, p.health, p.armor, p.frozen)`, "vec3(2495.3, -1688.6, 13.7) 7 0 100 0 false"},
		{`show(p:animate{ block = "ped", name = "walk_drunk", loop = true, speed = 2 }) local a = p.animation show(a.id, a.block, a.name, a.speed, a.loop) p:set_animation_speed(0.5) p:set_animation_progress(1) show(p.animation.speed) p:clear_animations() show(p.animation)`,
			"1\n1 PED WALK_DRUNK 2 true\n0.5\nnil"},
		{`p:set_camera{ position = vec3(0, 0, 9), target = vec3(0, 1, 9), roll = 5, fov = 90 } p:fade_out() p:fade_in{ time = 0 } p:reset_camera() p:spectate(q) p:spectate(nil)`, ""},
		{`show(#mp.players.skins(), mp.players.skins()[4], #mp.players.animations() > 100, mp.players.animations("ped")[1])`, "299 7 true ABSEIL"},
		{`show(#mp.players.alive(), #mp.players.near(vec3(2495, -1688, 13), 5), #mp.players.near(vec3(2495, -1658, 13), 60)) show(mp.players.near(vec3(2495, -1658, 13), 60)[1] == q)
show(#mp.players.near(vec3(2495, -1658, 13), 60, { dimension = 1 }))`, "2 1 2\ntrue\n0"},
		{`p:kill() show(p.state, p.health)`, "wasted 0"},
		{`show(#mp.players.alive())`, "1"},
	})
	if m := last[*protocol.SetCamera](t, alice.guest); m.Mode != protocol.CameraPlayer {
		t.Errorf("the camera is %+v", m)
	}
}

func TestPlayerMethodErrors(t *testing.T) {
	f := newField(t)
	f.enter("Alice")
	f.join("Waits")
	f.check([][2]string{
		{`p:spawn{ skin = 3 }`, `player:spawn: key "skin": 3 is no skin; mp.players.skins() lists them`},
		{`p:spawn{ health = 0 }`, `player:spawn: key "health": above 0 expected, got 0`},
		{`p:spawn{ helth = 1 }`, `player:spawn: a table with the keys position, heading, skin, dimension, interior, health, armor, keep_weapons, frozen and fade expected, got the unknown key "helth"; did you mean "health"?`},
		{`p:spawn{ position = vec3(0, 0, 1e300) * 1e300 }`, `player:spawn: key "position": a vec3 with fields -20000..20000 expected, got vec3(0, 0, inf)`},
		{`p:spawn(5)`, `player:spawn: one table expected, spawn{ ... }, got number 5`},
		{`p:kill{ cause = "lazer" }`, `player:kill: cause: unknown "lazer", a cause's name or id expected`},
		{`p:kill{ cause = "rocket_launcher" }`, `player:kill: cause: unknown "rocket_launcher", a cause's name or id expected`},
		{`q:kill()`, `player:kill: the player has not spawned`},
		{`p:teleport{}`, `player:teleport: one of position, heading, interior and dimension is needed`},
		{`p:teleport{ keep_vehicle = true }`, `player:teleport: one of position, heading, interior and dimension is needed`},
		{`p:distance_to(5)`, `player:distance_to: argument 1 "target": a vec3 or the handle of something in the world expected, got number 5`},
		{`show(p:distance_to(q))`, `inf`},
		{`p:animate{ block = "PED", name = "WALK_DRUNKK" }`, `player:animate: block "PED": name: unknown "WALK_DRUNKK", did you mean "WALK_DRUNK"?`},
		{`p:animate{ block = "PDE", name = "X" }`, `player:animate: block: unknown "PDE", did you mean "PED"?`},
		{`p:animate{ block = "PED" }`, `player:animate: key "name": a string of 1..23 bytes expected, got nothing`},
		{`q:animate{ block = "PED", name = "WALK_DRUNK" }`, `player:animate: the player has not spawned`},
		{`p:set_animation_progress(0.5)`, `player:set_animation_progress: no animation runs`},
		{`p:set_animation_speed(11)`, `player:set_animation_speed: argument 1 "speed": number 0..10 expected, got 11`},
		{`mp.players.animations("nope nope")`, `mp.players.animations: block: unknown "nope nope"`},
		{`p:set_camera{ position = vec3(0, 0, 9), target = vec3(0, 0, 9) }`, `player:set_camera: key "target": another point than position expected`},
		{`p:glide_camera{ position = vec3(0, 0, 9), target = vec3(0, 0, 8) }`, `player:glide_camera: key "duration": number 1..600000 expected, got nothing`},
		{`p:spectate(p)`, `player:spectate: a player cannot spectate himself`},
		{`p:spectate(q)`, `player:spectate: the target has not spawned`},
		{`p:fade_out{ time = 10001 }`, `player:fade_out: key "time": number 0..10000 expected, got 10001`},
		{`mp.players.near(vec3(0, 0, 0))`, `mp.players.near: argument 2 "radius": number 0..100000 expected, got nothing`},
		{`mp.players.near(vec3(0, 0, 0), 5, { dim = 3 })`, `mp.players.near: argument 3 "options": a table with the keys dimension expected, got the unknown key "dim"`},
		{`p:kill() p.health = 50`, `player.health: the player is dead`},
		{`p:give_health(5)`, `player:give_health: the player is dead`},
	})
}

func TestPlayerEvents(t *testing.T) {
	f := newField(t)
	f.start("t", `
for _, event in ipairs{ "player_spawn_request", "player_arrive", "player_respawn_request" } do
  mp.on(event, function(player) print(event, player.name) end)
end
mp.on("player_spawn", function(p, s) print("player_spawn", p.name, s.respawn, s.position, s.heading, s.skin) end)
mp.on("player_death", function(p, d) print("player_death", p.name, d.killer, d.cause, d.body_part, d.weapon, d.stealth, d.position) end)
mp.on("player_stream_in", function(p, v) print("player_stream_in", p.name, v.name) end)
mp.on("player_stream_out", function(p, v) print("player_stream_out", p.name, v.name) end)
mp.on("player_dimension_change", function(p, old, new, by) print("player_dimension_change", p.name, old, new, by) end)
mp.on("player_interior_change", function(p, old, new, by) print("player_interior_change", p.name, old, new, by) end)
mp.on("player_special_action_end", function(p, action) print("player_special_action_end", p.name, action) end)
mp.on("player_animation_end", function(p, a, why) print("player_animation_end", p.name, a.id, a.block, a.name, why) end)
mp.on("player_pause", function(p, paused) print("player_pause", p.name, paused) end)
mp.on("player_violation", function(p, kind, detail) print("player_violation", p.name, kind, detail ~= "") end)`)
	alice := f.enter("Alice")
	heard(t, f, "player_spawn_request Alice", "player_spawn Alice false vec3(2495.3, -1688.6, 13.7) 0 0", "player_arrive Alice")
	bobby := f.enter("Bobby")
	heard(t, f, "player_spawn_request Bobby", "player_spawn Bobby false vec3(2495.3, -1688.6, 13.7) 0 0", "player_arrive Bobby",
		"player_stream_in Bobby Alice", "player_stream_in Alice Bobby")

	f.run(`q.dimension = 3`)
	f.pass(time.Second)
	heard(t, f, "player_dimension_change Bobby 0 3 script", "player_stream_out Bobby Alice", "player_stream_out Alice Bobby")
	f.run(`q.dimension = 0 q.interior = 1`)
	f.pass(time.Second)
	heard(t, f, "player_dimension_change Bobby 3 0 script", "player_interior_change Bobby 0 1 script",
		"player_stream_in Bobby Alice", "player_stream_in Alice Bobby")
	bobby.frame(func(f *protocol.Frame) { f.Interior = 0 })
	heard(t, f, "player_interior_change Bobby 1 0 client")

	f.run(`p.special_action = "beer" p:animate{ block = "PED", name = "WALK_DRUNK" } p:animate{ block = "PED", name = "RUN_PLAYER" }`)
	heard(t, f, "player_animation_end Alice 1 PED WALK_DRUNK replaced")
	alice.frame(func(f *protocol.Frame) { f.Flags |= protocol.FlagPaused; f.Action = protocol.ActionBeer })
	heard(t, f, "player_pause Alice true")
	f.pass(3 * time.Second)
	alice.frame(func(f *protocol.Frame) { f.Action, f.Flags = 0, 0 })
	heard(t, f, "player_special_action_end Alice beer", "player_pause Alice false")

	alice.suffer(protocol.CauseFall, 500)
	heard(t, f, "player_animation_end Alice 2 PED RUN_PLAYER cleared",
		"player_death Alice nil fall torso nil false vec3(2495.3, -1688.6, 13.7)")
	bobby.receive(&protocol.DeathReport{Cause: protocol.CauseScript, BodyPart: protocol.PartHead})
	heard(t, f, "player_death Bobby nil unknown head nil false vec3(2495.3, -1688.6, 13.7)")
	f.pass(3 * time.Second)
	bobby.receive(&protocol.RespawnRequest{})
	f.pass(time.Second)
	f.took()
	alice.receive(&protocol.RespawnRequest{})
	f.pass(time.Second)
	heard(t, f, "player_respawn_request Alice", "player_spawn Alice true vec3(2495.3, -1688.6, 13.7) 0 0", "player_arrive Alice",
		"player_stream_out Alice Bobby", "player_stream_in Alice Bobby")

	for range 10 {
		bobby.frame(func(f *protocol.Frame) { f.Position.X += 3000 })
		f.advance(500 * time.Millisecond)
	}
	heard(t, f, "player_violation Bobby movement true")
}

// heard is what scripts have printed since the last call, in any order.
func heard(t *testing.T, f *field, want ...string) {
	t.Helper()
	f.settle()
	got := strings.Split(strings.ReplaceAll(f.took(), "\t", " "), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("scripts hear\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAGlideCanBeWaitedFor(t *testing.T) {
	f := newField(t)
	alice := f.enter("Alice")
	f.start("t", `local p = mp.players.get(0)
p:glide_camera{ position = vec3(0, 0, 9), target = vec3(0, 0, 0), duration = 2000, wait = true }
print("there")`)
	f.advance(1900 * time.Millisecond)
	f.said("")
	f.advance(100 * time.Millisecond)
	f.said("there")
	if m := last[*protocol.SetCamera](t, alice.guest); m.Mode != protocol.CameraGlide || m.Duration != 2000 {
		t.Errorf("%+v", m)
	}
}

func TestASpawnRequestIsDecidedByScripts(t *testing.T) {
	f := newField(t)
	f.start("t", `
mp.on("player_spawn_request", function(player)
  if player.name == "Own" then
    player:spawn{ position = vec3(1, 2, 3), skin = 7 }
    player:give_weapon("ak47", 30)
  elseif player.name == "Slow" then
    mp.wait(2000)
    player:spawn{ position = vec3(4, 5, 6) }
  elseif player.name == "Default" then
    return
  end
  return false
end)`)
	own, _, stays := f.enter("Own"), f.enter("Default"), f.enter("Stays")
	slow := f.enter("Slow")
	f.pass(3 * time.Second)
	f.check([][2]string{
		{`for _, p in ipairs(mp.players.all()) do show(p.name, p.state, p.state == "alive" and p.position, p.skin, p:has_weapon("ak47")) end`,
			`Own alive vec3(1, 2, 3) 7 true
Default alive vec3(2495.3, -1688.6, 13.7) 0 false
Stays pre_spawn false 0 false
Slow alive vec3(4, 5, 6) 0 false`},
	})
	for _, s := range []*soldier{own, slow, stays} {
		s.leave()
	}
}
