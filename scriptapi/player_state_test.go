package scriptapi

import (
	"testing"

	"darqline/protocol"
)

func TestPlayerProperties(t *testing.T) {
	f := newField(t)
	alice := f.enter("Alice")
	f.check([][2]string{
		{`show(p.type, p.id, p.generation, p.state, p.arriving, p.valid)`, "player 0 1 alive false true"},
		{`show(p.position, p.heading, p.velocity, p.interior, p.dimension)`, "vec3(2495.3, -1688.6, 13.7) 0 vec3(0, 0, 0) 0 0"},
		{`show(p.vehicle, p.seat, p.carrier, p.paused, p.typing, p.ducked, p.swimming, p.aiming)`, "nil nil nil false false false false false"},
		{`show(p.skin, p.fighting_style, p.walking_style, p.special_action, p.headless, p.on_fire)`, "0 standard default none false false"},
		{`show(p.hidden, p.frozen, p.gravity, p.drunk, p.world_bounds, p.money, p.wanted, p.animation)`, "false false 1 0 nil 0 0 nil"},
		{`show(p.health, p.armor, p.invulnerable, p.weapon, #p.weapons, p.ammo, p.satchels, p.last_damage)`, "100 0 false fist 0 1 0 nil"},
		{`show(p.skills.ak47, p.stats.fat, p.skills, p.skills == p.skills)`, `1000 0 Skills(0 "Alice") true`},

		{`p.heading = 270.5 show(p.heading, p.position) p.heading = 360 show(p.heading)`, "270.5 vec3(2495.3, -1688.6, 13.7)\n0"},
		{`p.position = vec3(100, -200.25, 3) show(p.position)`, "vec3(100, -200.25, 3)"},
		{`p.velocity = vec3(1, 2, 3.5) show(p.velocity)`, "vec3(1, 2, 3.5)"},
		{`p.interior = 3 p.dimension = 65534 show(p.interior, p.dimension) p.interior, p.dimension = 0, 0`, "3 65534"},
		{`p.skin = 106 show(p.skin)`, "106"},
		{`p.fighting_style = "kung_fu" show(p.fighting_style) p.fighting_style = 5 show(p.fighting_style)`, "kung_fu\nboxing"},
		{`p.walking_style = "drunk" show(p.walking_style) p.walking_style = 0 show(p.walking_style)`, "drunk\ndefault"},
		{`p.special_action = "dance_2" show(p.special_action) p.special_action = 0 show(p.special_action)`, "dance_2\nnone"},
		{`p.headless = true show(p.headless) p.headless = false`, "true"},
		{`p.on_fire = true show(p.on_fire) p:set_on_fire(false) show(p.on_fire)`, "true\nfalse"},
		{`p.skills.ak47 = 500 show(p.skills.ak47, p.skills.m4) p.skills = { m4 = 1, mp5 = 2 } show(p.skills.ak47, p.skills.m4, p.skills.mp5)`, "500 1000\n500 1 2"},
		{`p.stats.muscle = 800 p.stats = { fat = 20 } show(p.stats.muscle, p.stats.fat, p.stats.luck)`, "800 20 0"},
		{`p.hidden = true show(p.hidden) p.frozen = true show(p.frozen) p.gravity = 0.3 show(p.gravity)`, "true\ntrue\n0.3"},
		{`p.drunk = 40 show(p.drunk) p:set_drunk(80, 1000) show(p.drunk) p.drunk = 0`, "40\n80"},
		{`p.world_bounds = { min_x = 0, min_y = 1, max_x = 2, max_y = 3.5 } local b = p.world_bounds show(b.min_x, b.min_y, b.max_x, b.max_y) p.world_bounds = nil show(p.world_bounds)`, "0 1 2 3.5\nnil"},
		{`p.money = -999999999 show(p.money) p.wanted = 6 show(p.wanted)`, "-999999999\n6"},
		{`p.health = 8.25 p.armor = 33.3 show(p.health, p.armor) p.health = 100`, "8.25 33.3"},
		{`p.invulnerable = true show(p.invulnerable) p.invulnerable = false`, "true"},
		{`p.data.x = 5 show(p.data.x)`, "5"},
	})
	alice.frame(func(f *protocol.Frame) {
		f.Keys, f.Flags = protocol.KeyFire|protocol.KeyLookBehind, protocol.FlagDucked|protocol.FlagAiming|protocol.FlagTyping
		f.AimYaw, f.AimPitch = protocol.Angle(90), 3000
	})
	f.check([][2]string{
		{`local k = p.keys show(k.fire, k.look_behind, k.aim) k = p.flags show(k.ducked, k.on_ground)`, "true true nil\ntrue nil"},
		{`show(p.ducked, p.aiming, p.typing, p.paused, p.swimming)`, "true true true false false"},
		{`local a = p.aim show(a.yaw, a.pitch, (a.direction - vec3(-math.cos(math.rad(30)), 0, 0.5)):length() < 1e-6)`, "90 30 true"},
	})
}

func TestPlayerPropertyErrors(t *testing.T) {
	f := newField(t)
	f.enter("Alice")
	f.join("Waits") // in PreSpawn
	f.check([][2]string{
		{`p.wanted = 9`, `player.wanted: integer 0..6 expected, got 9`},
		{`p.wanted = 1.5`, `player.wanted: integer 0..6 expected, got 1.5`},
		{`p.money = 1e9`, `player.money: integer -999999999..999999999 expected, got 1000000000`},
		{`p.state = "alive"`, `player.state: it can only be read`},
		{`p.vehicle = nil`, `player.vehicle: it can only be read`},
		{`p.position = vec3(0, 0, 20001)`, `player.position: a vec3 with fields -20000..20000 expected, got vec3(0, 0, 20001)`},
		{`p.position = { x = 1 }`, `player.position: a vec3 with fields -20000..20000 expected, got a table`},
		{`p.heading = -1`, `player.heading: number 0..360 expected, got -1`},
		{`p.velocity = vec3(150, 150, 0)`, `player.velocity: at most 200 m/s expected, got 212.1`},
		{`p.interior = 256`, `player.interior: integer 0..255 expected, got 256`},
		{`p.dimension = -1`, `player.dimension: integer 0..65534 expected, got -1`},
		{`p.skin = 74`, `player.skin: 74 is no skin; mp.players.skins() lists them`},
		{`p.fighting_style = "boxng"`, `player.fighting_style: unknown "boxng", did you mean "boxing"?`},
		{`p.fighting_style = 8`, `player.fighting_style: unknown 8, a fighting style's name or id expected`},
		{`p.walking_style = "moonwalk"`, `player.walking_style: unknown "moonwalk", a walking style's name or id expected`},
		{`p.special_action = 16`, `player.special_action: unknown 16, a special action's name or id expected`},
		{`p.skills.ak47 = 1001`, `skills.ak47: integer 0..1000 expected, got 1001`},
		{`p.skills.ak48 = 1`, `skills.ak48: no such property; did you mean "ak47"?`},
		{`p.skills = { ak48 = 1 }`, `player.skills: unknown "ak48", did you mean "ak47"?`},
		{`p.skills = { ak47 = -1 }`, `player.skills: ak47: integer 0..1000 expected, got -1`},
		{`p.stats = 5`, `player.stats: a table with names as keys expected, got number 5`},
		{`p.gravity = 11`, `player.gravity: number -10..10 expected, got 11`},
		{`p.drunk = 101`, `player.drunk: integer 0..100 expected, got 101`},
		{`p:set_drunk(5, -1)`, `player:set_drunk: argument 2 "ms": number 0..3600000 expected, got -1`},
		{`p.world_bounds = { min_x = 1 }`, `player.world_bounds: min_y: number -20000..20000 expected, got nil`},
		{`p.world_bounds = { min_x = 1, min_y = 0, max_x = 0, max_y = 1 }`, `player.world_bounds: min_x: below max_x, 0, expected, got 1`},
		{`p.hidden = 1`, `player.hidden: a boolean expected, got number 1`},
		{`p.health = 100.5`, `player.health: number 0..100 expected, got 100.5`},
		{`p.weapon = "ak47"`, `player.weapon: not in the inventory`},
		{`p.weapon = "ak-47"`, `player.weapon: unknown "ak-47", did you mean "ak47"?`},
		{`p.weapons = {}`, `player.weapons: it can only be read`},

		{`q.position = vec3(0, 0, 0)`, `player.position: the player has not spawned`},
		{`show(q.position)`, `player.position: the player has not spawned`},
		{`q.heading = 5`, `player.heading: the player has not spawned`},
		{`q.velocity = vec3(0, 0, 0)`, `player.velocity: the player has not spawned`},
		{`q.special_action = "sit"`, `player.special_action: the player has not spawned`},
		{`q.on_fire = true`, `player.on_fire: the player has not spawned`},
		{`q.health = 5`, `player.health: the player has not spawned`},
		{`q.armor = 5`, `player.armor: the player has not spawned`},
		{`q.weapon = "fist"`, `player.weapon: the player has not spawned`},
		{`q.money, q.wanted, q.frozen, q.skin, q.dimension = 5, 2, true, 7, 3 show(q.money, q.wanted, q.frozen, q.skin, q.dimension, q.state)`, `5 2 true 7 3 pre_spawn`},
	})
}

// What a resource that stops takes back, and what stays.
func TestAStoppedResourceTakesBackWhatItSet(t *testing.T) {
	f := newField(t)
	f.enter("Alice")
	f.start("a", `local p = mp.players.get(0)
p.hidden, p.frozen, p.gravity, p.world_bounds = true, true, 0.5, { min_x = 0, min_y = 0, max_x = 9, max_y = 9 }
p:animate{ block = "PED", name = "WALK_DRUNK", loop = true }
p:set_camera{ position = vec3(0, 0, 9), target = vec3(0, 0, 0) }
p.money, p.wanted, p.skin, p.dimension, p.fighting_style, p.skills.m4, p.stats.fat = 5, 1, 7, 3, "boxing", 1, 2
mp.combat.set_damage_multipliers{ head = 2 }
p:set_damage_multipliers{ fall = 0 }
mp.combat.set_properties("ak47", { damage = 50 })
mp.combat.set_drive_by{ driver = { ak47 = 100 } }
fire = mp.combat.create_fire{ position = vec3(0, 0, 0) }`)
	f.start("b", `mp.on("fire_end", function(fire, reason) print(fire.id, reason, fire.resource) end)`)
	const all = `show(p.hidden, p.frozen, p.gravity, p.world_bounds ~= nil, p.animation and p.animation.name, mp.combat.damage_multipliers().head,
p:damage_multipliers().fall, mp.combat.properties("ak47").damage, mp.combat.drive_by().driver.ak47, #mp.combat.fires())
show(p.money, p.wanted, p.skin, p.dimension, p.fighting_style, p.skills.m4, p.stats.fat)`
	const kept = "\n5 1 7 3 boxing 1 2"
	if got, want := f.eval(all), "true true 0.5 true WALK_DRUNK 2 0 50 100 1"+kept; got != want {
		t.Errorf("before\n got %s\nwant %s", got, want)
	}
	f.took()
	f.stop("a")
	f.said("1\tscript\ta")
	if got, want := f.eval(all), "false false 1 false nil 1 1 9.9 false 0"+kept; got != want {
		t.Errorf("afterwards\n got %s\nwant %s", got, want)
	}
	if m := last[*protocol.SetCamera](t, f.guests[0].guest); m.Mode != protocol.CameraPlayer {
		t.Errorf("the camera is %v", m)
	}
}
