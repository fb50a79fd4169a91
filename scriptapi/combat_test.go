package scriptapi

import (
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

func TestWeaponsOfAPlayer(t *testing.T) {
	f := newField(t)
	alice := f.enter("Alice")
	f.check([][2]string{
		{`p:give_weapon("ak47", 120, { arm = true }) p:give_weapon(24) p:give_weapon("knife") show(#p.weapons, p:has_weapon("ak47"), p:has_weapon("m4"), p:ammo_of("ak47"), p:ammo_of("m4"), p:ammo_of("knife"))`,
			"3 true false 120 0 1"},
		{`for _, w in ipairs(p.weapons) do show(w.name, w.id, w.slot, w.ammo) end`, "knife 4 1 1\ndesert_eagle 24 2 1\nak47 30 5 120"},
		{`p:give_weapon("ak47", 30) show(p:ammo_of("ak47")) p:set_ammo("ak47", 60, 30) show(p:ammo_of(30))`, "150\n60"},
		{`show(p:take_weapon("knife"), p:take_weapon("knife"), p:has_weapon("knife"))`, "true false false"},
		{`p.weapon = "ak47"`, ""},
		{`local w = mp.combat.weapon("combat_shotgun") show(w.id, w.name, w.slot, w.kind, w.clip, w.range, w.damage, w.pellets, w.interval, #mp.combat.weapons())`,
			"27 combat_shotgun 3 bullet 7 40 4.95 8 120 44"},
		{`show(p:give_health(20)) p.health = 50 show(p:give_health(20), p.health, p:give_armor(150 - 50), p.armor, p:give_armor(1))`, "0\n20 70 100 100 0"},
		{`p:damage{ amount = 30, ignore_armor = true } show(p.health, p.armor) p:damage{ amount = 30, cause = "knife", body_part = "head" } show(p.health, p.armor)`, "40 100\n40 70"},
		{`local d = p.last_damage show(d.attacker, d.cause, d.amount, d.time > 60000)`, "nil knife 30 true"},
		{`p:set_damage_multipliers{ fall = 0, head = 2.5 } local m = p:damage_multipliers() show(m.fall, m.head, m.bullet, m.left_arm)`, "0 2.5 1 1"},
		{`mp.combat.set_damage_multipliers{ melee = 0.5 } show(mp.combat.damage_multipliers().melee, mp.combat.damage_multipliers().gas)`, "0.5 1"},
		{`mp.combat.set_properties("desert_eagle", { damage = 30, clip = 5 }, "pro") show(mp.combat.properties("desert_eagle", "pro").damage, mp.combat.properties(24).damage, mp.combat.properties(24, "pro").clip)
mp.combat.set_properties("ak47", { range = 10 }) show(mp.combat.properties("ak47", "poor").range, mp.combat.properties("ak47", "pro").range)
mp.combat.reset_properties("ak47") show(mp.combat.properties("ak47").range) mp.combat.reset_properties() show(mp.combat.properties(24, "pro").damage)`, "30 46.2 5\n10 10\n70\n46.2"},
		{`mp.combat.set_drive_by{ driver = { micro_uzi = 100, mp5 = false }, passenger = { sniper_rifle = 1000 } } local d = mp.combat.drive_by() show(d.driver.micro_uzi, d.driver.mp5, d.driver.ak47, d.passenger.sniper_rifle, d.passenger.ak47)`,
			"100 false false 1000 90"},
		{`local f = mp.combat.create_fire{ position = vec3(1, 2, 3), creator = p, duration = 5000 } show(f.type, f.id > 0, f.position, f.size, f.creator == p, f.dimension, f.resource, f.valid, #mp.combat.fires(), mp.combat.fires()[1] == f)
show(p:distance_to(f) > 2000) f.data.x = 1 f:extinguish() show(#mp.combat.fires())`, "fire true vec3(1, 2, 3) 1.8 true 0 eval true 1 true\ntrue\n0"},
		{`mp.combat.create_fire{ position = vec3(1, 2, 3) } mp.combat.extinguish{ position = vec3(0, 0, 0), radius = 10 } show(#mp.combat.fires())`, "0"},
		{`p.health, p.armor = 100, 0 mp.combat.explode{ position = p.position, type = "small" } show(p.health)`, "17.5"},
		{`p.health = 100 mp.combat.explode{ position = p.position, harmless = true } show(p.health) p.invulnerable = true mp.combat.explode{ position = p.position } show(p.health)`, "100\n100"},
		{`show(#mp.combat.projectiles(), #mp.combat.projectiles(p), p.satchels) p:detonate_satchels() p:destroy_satchels()`, "0 0 0"},
		{`p.invulnerable = false p:clear_weapons() show(#p.weapons, p.weapon) p.health = 0 show(p.state)`, "0 fist\nwasted"},
	})
	if m := last[*protocol.PlayerWasted](t, alice.guest); m.Cause != protocol.CauseScript {
		t.Errorf("%+v", m)
	}
}

func TestCombatErrors(t *testing.T) {
	f := newField(t)
	f.enter("Alice")
	f.join("Waits")
	f.check([][2]string{
		{`p:give_weapon("ak-47")`, `player:give_weapon: weapon: unknown "ak-47", did you mean "ak47"?`},
		{`p:give_weapon(20)`, `player:give_weapon: weapon: unknown 20, a weapon's name or id expected`},
		{`p:give_weapon("ak47", 0)`, `player:give_weapon: argument 2 "ammo": integer 1..99999 expected, got 0`},
		{`p:give_weapon("ak47", 5, { amr = true })`, `player:give_weapon: argument 3 "options": a table with the keys arm expected, got the unknown key "amr"; did you mean "arm"?`},
		{`q:give_weapon("ak47")`, `player:give_weapon: the player has not spawned`},
		{`p:set_ammo("ak47", 5)`, `player:set_ammo: not in the inventory`},
		{`p:give_weapon("knife") p:set_ammo("knife", 5)`, `player:set_ammo: knife has no ammunition`},
		{`p:give_weapon("m4", 10) p:set_ammo("m4", 5, 6)`, `player:set_ammo: clip: 0..5 expected, got 6`},
		{`p:give_health(0)`, `player:give_health: argument 1 "amount": above 0 expected, got 0`},
		{`p:give_armor(101)`, `player:give_armor: argument 1 "amount": number 0..100 expected, got 101`},
		{`p:damage{}`, `player:damage: key "amount": number 0..1000 expected, got nothing`},
		{`p:damage{ amount = 0 }`, `player:damage: amount: above 0, up to 1000 expected, got 0`},
		{`p:damage{ amount = 1, body_part = "haed" }`, `player:damage: body_part: unknown "haed", did you mean "head"?`},
		{`p:set_damage_multipliers{ hed = 2 }`, `player:set_damage_multipliers: a table with the keys melee, bullet, explosion, fire, gas, vehicle, fall, drowning, torso, groin, left_arm, right_arm, left_leg, right_leg and head expected, got the unknown key "hed"; did you mean "head"?`},
		{`mp.combat.set_damage_multipliers{ head = 101 }`, `mp.combat.set_damage_multipliers: key "head": number 0..100 expected, got 101`},
		{`mp.combat.weapon("sniper")`, `mp.combat.weapon: weapon: unknown "sniper", did you mean "sniper_rifle"?`},
		{`mp.combat.properties("knife")`, `mp.combat.properties: knife has no properties`},
		{`mp.combat.properties("minigun", "pro")`, `mp.combat.properties: minigun has only the skill level standard`},
		{`mp.combat.set_properties("ak47", { damage = 1001 })`, `mp.combat.set_properties: argument 2 "properties": properties.damage: number 0..1000 expected, got 1001`},
		{`mp.combat.set_properties("ak47", { damge = 1 })`, `mp.combat.set_properties: argument 2 "properties": a table with the keys range, target_range, accuracy, damage, move_speed, clip, interval and flags expected, got the unknown key "damge"; did you mean "damage"?`},
		{`mp.combat.set_properties("ak47", {}, "por")`, `mp.combat.set_properties: argument 3 "skill": one of "poor", "standard", "pro" expected, got string "por" (did you mean "poor"?)`},
		{`mp.combat.set_drive_by{ driver = { ak47 = 5 } }`, `mp.combat.set_drive_by: driver: ak47: integer 10..10000 or false expected, got number 5`},
		{`mp.combat.set_drive_by{ passenger = { knife = 50 } }`, `mp.combat.set_drive_by: passenger: unknown "knife"`},
		{`mp.combat.explode{ position = vec3(0, 0, 0), type = "nuke" }`, `mp.combat.explode: type: unknown "nuke", an explosion type's name or id expected`},
		{`mp.combat.create_fire{ position = vec3(0, 0, 0), size = 11 }`, `mp.combat.create_fire: key "size": number 0.1..10 expected, got 11`},
		{`mp.combat.extinguish{ position = vec3(0, 0, 0), radius = 0 }`, `mp.combat.extinguish: radius: above 0, up to 300 expected, got 0`},
		{`local f = mp.combat.create_fire{ position = vec3(0, 0, 0) } f:extinguish() mp.wait(0) show(f.valid) f:extinguish()`, "false\nfire:extinguish: this fire is out"},
		{`for i = 1, 257 do mp.combat.create_fire{ position = vec3(0, 0, 0) } end`, `mp.combat.create_fire: 256 fires burn already: put one out first`},
	})
}

func TestDamageIsDecidedByHandlers(t *testing.T) {
	f := newField(t)
	f.start("t", `
mp.on("player_damage", function(victim, d)
  print("first", victim.name, d.attacker and d.attacker.name, d.cause, d.class, d.body_part, d.weapon, d.amount, d.pellets, d.source, d.distance, d.lethal)
  kept = d
  if mode == "cancel" then return false end
  if mode == "change" then d.amount = 2.5 end
  if mode == "wrong" then d.amount = 2000 end
  if mode == "wait" then mp.wait(10) d.amount = 1 return false end
end)
mp.on("player_damage", function(victim, d) print("second", d.amount) end)
mp.on("player_damaged", function(victim, d)
  print("lost", d.attacker and d.attacker.name, d.cause, d.body_part, d.weapon, d.amount, d.health_lost, d.armor_lost, d.lethal, d.class)
end)
mp.on("player_death", function(victim, d) print("dead", d.killer and d.killer.name, d.cause, d.body_part, d.weapon) end)
mp.command("mode", { "to:string" }, function(_, args) mode = args.to end)`)
	alice, bobby := f.enter("Alice"), f.enter("Bobby")
	bobby.walk(protocol.Vec3{X: 2495.3, Y: -1678.6, Z: 13.7})
	f.do(func(tx world.Tx) { tx.GiveWeapon(alice.player, 30, 100, true) })
	shoot := func(mode, want string, part protocol.BodyPart) {
		t.Helper()
		alice.command("mode " + mode)
		f.took()
		alice.fire(bobby, 30, part)
		f.advance(20 * time.Millisecond)
		f.said(want)
	}
	const first = "first\tBobby\tAlice\tak47\tbullet\ttorso\tak47\t9.9\t1\tnil\t10\tfalse\n"
	shoot("none", first+"second\t9.9\nlost\tAlice\tak47\ttorso\tak47\t9.9\t9.9\t0\tfalse\tbullet", protocol.PartTorso)
	shoot("cancel", first[:len(first)-1], protocol.PartTorso)
	shoot("change", first+"second\t2.5\nlost\tAlice\tak47\ttorso\tak47\t2.5\t2.5\t0\tfalse\tbullet", protocol.PartTorso)
	shoot("wrong", first+"ERROR t/main.lua:7: damage.amount: number 0..1000 expected, got 2000\nsecond\t9.9\nlost\tAlice\tak47\ttorso\tak47\t9.9\t9.9\t0\tfalse\tbullet", protocol.PartTorso)
	shoot("wait", first+"second\t9.9\nlost\tAlice\tak47\ttorso\tak47\t9.9\t9.9\t0\tfalse\tbullet\nERROR t/main.lua:8: damage.amount: this damage is decided already", protocol.PartTorso)
	f.do(func(tx world.Tx) { tx.SetHealth(bobby.player, 5) })
	shoot("none", "first\tBobby\tAlice\tak47\tbullet\thead\tak47\t9.9\t1\tnil\t10\ttrue\nsecond\t9.9\nlost\tAlice\tak47\thead\tak47\t9.9\t5\t0\ttrue\tbullet\ndead\tAlice\tak47\thead\tak47", protocol.PartHead)
}

func TestCombatEvents(t *testing.T) {
	f := newField(t)
	f.start("t", `
mp.on("player_shoot", function(p, s) print("player_shoot", p.name, s.weapon, s.hit == mp.players.get(1) or s.hit, s.origin, s.target) end)
mp.on("projectile_create", function(p, x) print("projectile_create", p.name, x.id > 0, x.weapon, x.origin, x.velocity, x.target) end)
mp.on("satchels_detonate", function(p, list) print("satchels_detonate", p.name, #list, list[1]) end)
mp.on("player_stealth_kill", function(a, v) print("player_stealth_kill", a.name, v.name) end)
mp.on("player_weapon_change", function(p, old, new) print("player_weapon_change", p.name, old, new) end)
mp.on("player_ammo_empty", function(p, w) print("player_ammo_empty", p.name, w) end)
mp.on("fire_end", function(fire, reason) print("fire_end", fire.id, reason, fire.valid) kept = fire end)
mp.on("player_death", function(p, d) print("player_death", p.name, d.killer and d.killer.name, d.cause, d.stealth) end)
mp.combat.create_fire{ position = vec3(1, 2, 3), duration = 500 }
mp.after(5000, function() print(kept.valid) end)`)
	alice, bobby := f.enter("Alice"), f.enter("Bobby")
	heard(t, f, "fire_end 1 duration true")
	bobby.walk(protocol.Vec3{X: 2495.3, Y: -1678.6, Z: 13.7})
	f.do(func(tx world.Tx) { tx.GiveWeapon(alice.player, 22, 1, true) })
	alice.fire(bobby, 22, protocol.PartTorso)
	heard(t, f, "player_weapon_change Alice fist colt_45", "player_ammo_empty Alice colt_45",
		"player_shoot Alice colt_45 true vec3(2495.3, -1688.6, 13.7) vec3(2495.3, -1678.6, 13.7)")

	f.do(func(tx world.Tx) { tx.GiveWeapon(alice.player, 39, 5, true) })
	alice.gun = 39
	f.pass(time.Second)
	alice.receive(&protocol.ProjectileCreate{Weapon: 39, Origin: protocol.Vec3{X: 2495.3, Y: -1688.6, Z: 14}, Velocity: protocol.Vec3{Y: 5}})
	alice.gun = 40
	f.pass(time.Second)
	heard(t, f, "false", "player_weapon_change Alice colt_45 satchel_charge", "player_weapon_change Alice satchel_charge detonator",
		"projectile_create Alice true satchel_charge vec3(2495.3, -1688.6, 14) vec3(0, 5, 0) nil")
	if got := f.eval(`local s = mp.combat.projectiles(p)[1] show(p.satchels, s.weapon, s.owner == p, s.age >= 1000)`); got != "1 satchel_charge true true" {
		t.Error(got)
	}
	alice.receive(&protocol.SatchelDetonate{Positions: []protocol.Vec3{{X: 2495.3, Y: -1650, Z: 14}}})
	heard(t, f, "satchels_detonate Alice 1 vec3(2495.3, -1650, 14)")

	f.pass(3 * time.Second)
	f.took()
	bobby.walk(protocol.Vec3{X: 2495.3, Y: -1687.6, Z: 13.7})
	f.do(func(tx world.Tx) { tx.GiveWeapon(alice.player, 4, 1, true) })
	alice.gun = 4
	f.pass(time.Second)
	f.took()
	for _, s := range f.guests {
		s.frame(func(f *protocol.Frame) { f.Flags |= protocol.FlagOnGround })
	}
	alice.receive(&protocol.StealthKillRequest{Victim: bobby.player.Token})
	heard(t, f, "player_stealth_kill Alice Bobby", "player_death Bobby Alice knife true")
}

// What no script hears never comes to the script loop: frames, shots, hits and who is near whom.
func TestNothingIsPostedThatNobodyHears(t *testing.T) {
	f := newField(t)
	alice, bobby := f.enter("Alice"), f.enter("Bobby")
	f.do(func(tx world.Tx) { tx.GiveWeapon(alice.player, 30, 5, true) })
	f.pass(time.Second)
	clear(f.posted)
	for range 5 {
		alice.fire(bobby, 30, protocol.PartTorso)
	}
	bobby.walk(protocol.Vec3{X: 0, Y: 0, Z: 5})
	bobby.walk(protocol.Vec3{X: 2495.3, Y: -1678.6, Z: 13.7})
	for event, n := range f.posted {
		t.Errorf("%s is posted %d times", event, n)
	}
	if got := f.eval(`show(q.health < 60, p:ammo_of("ak47"))`); got != "true 0" {
		t.Errorf("the shots have not counted: %s", got)
	}
	f.start("t", `mp.on("player_shoot", function() end) mp.on("player_stream_out", function() end)`)
	f.do(func(tx world.Tx) { tx.GiveWeapon(alice.player, 30, 5, true) })
	alice.fire(bobby, 30, protocol.PartTorso)
	bobby.walk(protocol.Vec3{X: 0, Y: 0, Z: 5})
	if f.posted["player_shoot"] != 1 || f.posted["player_stream_out"] != 2 {
		t.Errorf("what is heard is posted: %v", f.posted)
	}
}

func BenchmarkFieldProperty(b *testing.B) {
	for _, name := range []string{"health", "position", "weapon", "skills.ak47"} {
		b.Run(name, func(b *testing.B) {
			f := newField(b)
			f.enter("Alice")
			f.start("t", `local p, x = mp.players.get(0) mp.exports.define{ read = function(n) for i = 1, n do x = p.`+name+` end end }`)
			in := f.rt.instance("t")
			const batch = 10_000
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i += batch {
				if _, _, err := in.exports["read"].Call(bind.Run{Event: "benchmark"}, float64(batch)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDamageEvent(b *testing.B) {
	f := newField(b)
	alice, bobby := f.enter("Alice"), f.enter("Bobby")
	f.start("t", `local team = {}
mp.on("player_damage", function(victim, damage)
  if damage.attacker and team[damage.attacker] == team[victim] then return false end
end)`)
	e := world.PlayerDamage{Victim: bobby.player, Damage: &world.Damage{Attacker: alice.player, Cause: 30, BodyPart: protocol.PartHead, Amount: 10}}
	b.ReportAllocs()
	for b.Loop() {
		if !f.rt.Dispatch(e) {
			b.Fatal("not cancelled")
		}
	}
}
