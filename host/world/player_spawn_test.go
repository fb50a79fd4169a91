package world

import (
	"errors"
	"testing"
	"time"

	"darqline/protocol"
)

// TestSpawnAndDeath is page Player's table of that name: every state with everything that may come.
func TestSpawnAndDeath(t *testing.T) {
	const delay = 3 * time.Second
	states := map[string]func(s *stage) *actor{
		"pre_spawn": func(s *stage) *actor { return s.actor("Ann") },
		"arriving": func(s *stage) *actor {
			a := s.actor("Ann")
			s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
			return a
		},
		"alive": func(s *stage) *actor { return s.alive("Ann") },
		"wasted": func(s *stage) *actor {
			a := s.alive("Ann")
			s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
			s.rig.now += delay - 100*ms
			return a
		},
		"wasted, delay over": func(s *stage) *actor {
			a := s.alive("Ann")
			s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
			s.rig.now += delay
			return a
		},
	}
	causes := map[string]func(s *stage, a *actor){
		"RequestSpawn":   func(s *stage, a *actor) { s.do(func(tx Tx) { tx.ReceiveRequestSpawn(a.p) }) },
		"RespawnRequest": func(s *stage, a *actor) { s.do(func(tx Tx) { tx.ReceiveRespawnRequest(a.p) }) },
		"cancelled": func(s *stage, a *actor) {
			s.decides = true
			s.do(func(tx Tx) { tx.ReceiveRequestSpawn(a.p); tx.ReceiveRespawnRequest(a.p) })
		},
		"spawn": func(s *stage, a *actor) {
			s.do(func(tx Tx) { tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
		},
		"kill": func(s *stage, a *actor) { s.do(func(tx Tx) { tx.Kill(a.p, nil, protocol.CauseScript) }) },
		"DeathReport": func(s *stage, a *actor) {
			s.do(func(tx Tx) {
				tx.ReceiveDeathReport(a.p, &protocol.DeathReport{Cause: protocol.CauseFall, BodyPart: protocol.PartTorso})
			})
		},
		"frame":     func(s *stage, a *actor) { a.frame(nil) },
		"old frame": func(s *stage, a *actor) { a.frame(func(f *protocol.Frame) { f.Epoch-- }) },
	}
	const (
		spawned   = "alive, arriving: player_spawn: SpawnPlayer, PlayerSkills, SetPlayerStats, SetMoney, SetWanted"
		respawned = "alive, arriving: player_spawn: RespawnPlayer"
		died      = "wasted: player_death: PlayerWasted"
	)
	stays := map[string]string{
		"pre_spawn": "pre_spawn", "arriving": "alive, arriving", "alive": "alive", "wasted": "wasted", "wasted, delay over": "wasted",
	}
	next := map[[2]string]string{
		{"pre_spawn", "RequestSpawn"}:            spawned,
		{"pre_spawn", "cancelled"}:               "pre_spawn: player_spawn_request: ",
		{"pre_spawn", "spawn"}:                   spawned,
		{"arriving", "spawn"}:                    respawned,
		{"arriving", "kill"}:                     died,
		{"arriving", "frame"}:                    "alive: player_arrive: ",
		{"alive", "spawn"}:                       respawned,
		{"alive", "kill"}:                        died,
		{"alive", "DeathReport"}:                 died,
		{"wasted", "spawn"}:                      respawned,
		{"wasted, delay over", "spawn"}:          respawned,
		{"wasted, delay over", "RespawnRequest"}: respawned,
		{"wasted, delay over", "cancelled"}:      "wasted: player_respawn_request: ",
	}
	for state, enter := range states {
		for cause, come := range causes {
			t.Run(state+"/"+cause, func(t *testing.T) {
				s := newStage(t)
				a := enter(s)
				s.events, a.sent = nil, nil
				come(s, a)
				want, ok := next[[2]string{state, cause}]
				if !ok {
					want = stays[state] + ": : "
				}
				got := a.p.life.String()
				if a.p.arriving {
					got += ", arriving"
				}
				s.want(cause+" in "+state, got+": "+s.took()+": "+a.said(), want)
			})
		}
	}
}

// TestSpawnRequests: a script that spawns is not spawned over, and a request that waited too long is moot.
func TestSpawnRequests(t *testing.T) {
	s := newStage(t)
	s.decides = true
	a := s.actor("Ann")
	at := vec(1, 2, 3)
	ask := func(life Life) {
		s.do(func(tx Tx) {
			if life == PreSpawn {
				tx.ReceiveRequestSpawn(a.p)
			} else {
				tx.ReceiveRespawnRequest(a.p)
			}
		})
	}
	spawn := func(tx Tx) error {
		d := tx.SpawnDefaults(a.p)
		d.Position = at
		return tx.Spawn(a.p, d, "")
	}
	ask(PreSpawn)
	s.must(spawn) // the handler
	s.applyAll()
	if a.p.body.Position != at || a.p.lives != 1 {
		t.Fatalf("at %v in life %d", a.p.body.Position, a.p.lives)
	}
	a.frame(nil)
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
	s.rig.now += 4 * time.Second
	s.events = nil
	ask(Wasted)
	s.rig.now += 2 * time.Second
	ask(Wasted) // the script is slow, the client repeats
	if n := len(eventsOf[PlayerRespawnRequest](s.rig)); n != 2 {
		t.Fatalf("%d requests", n)
	}
	second := s.events[1:]
	s.events = s.events[:1]
	s.applyAll()
	a.frame(nil)
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) }) // meanwhile
	s.events = second
	s.applyAll()
	if a.p.life != Wasted || a.p.lives != 2 {
		t.Fatalf("%v in life %d: a request of an earlier death has been answered", a.p.life, a.p.lives)
	}
}

func TestSpawnLimits(t *testing.T) {
	s := newStage(t)
	s.decides = true
	a := s.actor("Ann")
	for range 10 {
		s.do(func(tx Tx) { tx.ReceiveRequestSpawn(a.p) })
	}
	s.want("ten at once", s.took(), "player_spawn_request, player_spawn_request, player_spawn_request")
	s.rig.now += time.Second
	s.do(func(tx Tx) { tx.ReceiveRequestSpawn(a.p); tx.ReceiveRequestSpawn(a.p) })
	s.want("a second later", s.took(), "player_spawn_request")
}

// TestSpawnInfo holds what a spawn says and what the server takes over of it.
func TestSpawnInfo(t *testing.T) {
	s := newStage(t)
	a := s.actor("Ann")
	s.must(func(tx Tx) error {
		return tx.Spawn(a.p, Spawn{Position: vec(10, 20, 30), Heading: 90, Skin: 106, Dimension: 7, Interior: 3, Health: 55.5,
			Armor: 20, KeepWeapons: true, Frozen: true, Fade: true}, "demo")
	})
	want := protocol.SpawnInfo{Position: vec(10, 20, 30), Heading: 90, Skin: 106, Dimension: 7, Interior: 3, Epoch: 1,
		Vitals: 1, Health: 55.5, Armor: 20, Flags: protocol.SpawnFrozen | protocol.SpawnFade} // nothing to keep yet
	if got := lastOf[*protocol.SpawnPlayer](a.link).Spawn; got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	f := a.p.body
	if f.Epoch != 1 || f.Position != want.Position || protocol.Degrees(f.Heading) != 90 || f.Interior != 3 || f.Health != 56 ||
		f.Armor != 20 || a.p.dimension != 7 || a.p.skin != 106 || a.p.vitals != want.Vitals {
		t.Errorf("the server has %+v, dimension %d, skin %d, vitals %d", f, a.p.dimension, a.p.skin, a.p.vitals)
	}
	s.do(func(tx Tx) {
		if !tx.Frozen(a.p) {
			t.Error("not frozen")
		}
	})
	s.want("events", s.took(), "player_dimension_change, player_interior_change, player_spawn")
	a.frame(nil)
	s.must(func(tx Tx) error {
		return tx.Spawn(a.p, Spawn{Skin: 0, Health: 100, KeepWeapons: true}, "")
	})
	if got := lastOf[*protocol.RespawnPlayer](a.link).Spawn; got.Flags != protocol.SpawnKeepWeapons || got.Epoch != 2 {
		t.Errorf("got %+v", got)
	}
	for name, bad := range map[string]Spawn{
		"health": {}, "armor": {Health: 100, Armor: 101}, "skin": {Health: 100, Skin: 3}, "heading": {Health: 100, Heading: 360},
		"position": {Health: 100, Position: vec(20001, 0, 0)}, "dimension": {Health: 100, Dimension: 65535},
	} {
		a.sent = nil
		before := a.p.body
		s.do(func(tx Tx) {
			if err := tx.Spawn(a.p, bad, ""); err == nil || len(a.sent) > 0 || a.p.body != before {
				t.Errorf("%s: %v, sent %d", name, err, len(a.sent))
			}
		})
	}
}

// TestKeptAcrossLives: what is set before the spawn goes with it in the order of page Connection, and again at a respawn
// but for money, wanted level, skills and stats.
func TestKeptAcrossLives(t *testing.T) {
	s := newStage(t)
	a := s.actor("Ann")
	for _, set := range []func(tx Tx) error{
		func(tx Tx) error { return tx.SetSkin(a.p, 106) },
		func(tx Tx) error { return tx.SetFightingStyle(a.p, protocol.FightBoxing) },
		func(tx Tx) error { return tx.SetWalkingStyle(a.p, 126) },
		func(tx Tx) error { return tx.SetHeadless(a.p, true) },
		func(tx Tx) error { return tx.SetSkills(a.p, [protocol.SkillCount]uint16{5}) },
		func(tx Tx) error { return tx.SetStats(a.p, [protocol.StatCount]uint16{6}) },
		func(tx Tx) error { return tx.SetMoney(a.p, -7) },
		func(tx Tx) error { return tx.SetWanted(a.p, 4) },
		func(tx Tx) error { return tx.SetFrozen(a.p, true, "demo") },
		func(tx Tx) error { return tx.SetGravity(a.p, 0.5, "demo") },
		func(tx Tx) error { return tx.SetDrunk(a.p, 80, 10*time.Second) },
		func(tx Tx) error { return tx.SetWorldBounds(a.p, protocol.SetWorldBounds{MaxX: 1, MaxY: 1}, "demo") },
	} {
		s.must(set)
	}
	s.want("before the spawn", a.said(), "")
	s.rig.now += 5 * time.Second
	s.do(func(tx Tx) { tx.ReceiveRequestSpawn(a.p) })
	if m := lastOf[*protocol.SpawnPlayer](a.link); m.Spawn.Skin != 106 {
		t.Errorf("skin %d", m.Spawn.Skin)
	}
	if m := lastOf[*protocol.SetDrunkLevel](a.link); m.Level != 40 || m.Duration != 5000 {
		t.Errorf("half of the drink is left: %+v", m)
	}
	const rest = ", SetFightingStyle, SetWalkingStyle, SetHeadless, SetFrozen, SetGravity, SetDrunkLevel, SetWorldBounds"
	s.want("the spawn", a.said(), "SpawnPlayer, PlayerSkills, SetPlayerStats, SetMoney, SetWanted"+rest)
	a.frame(nil)
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
	s.want("the respawn", a.said(), "RespawnPlayer"+rest)
	s.must(func(tx Tx) error { return tx.SetFrozen(a.p, false, "") })
	s.rig.now += time.Minute // sober
	a.sent = nil
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
	s.want("the next", a.said(), "RespawnPlayer, SetFightingStyle, SetWalkingStyle, SetHeadless, SetGravity, SetWorldBounds")
}

// TestNotSpawned: what needs a life is refused before the first.
func TestNotSpawned(t *testing.T) {
	s := newStage(t)
	a, pos := s.actor("Ann"), vec(0, 0, 0)
	for name, f := range map[string]func(tx Tx) error{
		"position":       func(tx Tx) error { _, err := tx.Position(a.p); return err },
		"teleport":       func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &pos}) },
		"velocity":       func(tx Tx) error { _, err := tx.Velocity(a.p); return err },
		"set velocity":   func(tx Tx) error { return tx.SetVelocity(a.p, pos) },
		"special action": func(tx Tx) error { return tx.SetSpecialAction(a.p, protocol.ActionSit) },
		"on fire":        func(tx Tx) error { return tx.SetOnFire(a.p, true, nil) },
		"kill":           func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) },
		"animate": func(tx Tx) error {
			_, err := tx.Animate(a.p, Animation{Block: "PED", Name: "WALK_DRUNK"}, "")
			return err
		},
		"clear":    func(tx Tx) error { return tx.ClearAnimations(a.p) },
		"distance": func(tx Tx) error { _, err := tx.DistanceTo(a.p, pos, 0); return err },
	} {
		s.do(func(tx Tx) {
			if err := f(tx); !errors.Is(err, ErrNotSpawned) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	s.want("sent", a.said(), "")
	s.want("events", s.took(), "")
}

// TestDeath holds the packet, the event, and what a death ends.
func TestDeath(t *testing.T) {
	s := newStage(t)
	a, killer := s.alive("Ann"), s.alive("Bob")
	s.must(func(tx Tx) error { return tx.SetSpecialAction(a.p, protocol.ActionSit) })
	s.must(func(tx Tx) error { return tx.SetOnFire(a.p, true, killer.p) })
	s.must(func(tx Tx) error { _, err := tx.Animate(a.p, walk, ""); return err })
	a.hush()
	s.do(func(tx Tx) {
		tx.die(a.p, Death{Killer: killer.p, Cause: protocol.Cause(protocol.WeaponKnife), BodyPart: protocol.PartHead, Stealth: true})
	})
	want := protocol.PlayerWasted{PlayerID: a.p.ID, PlayerToken: a.p.Token, KillerID: killer.p.ID, KillerToken: killer.p.Token,
		Cause: 4, BodyPart: protocol.PartHead, Flags: protocol.WastedStealth}
	if got := lastOf[*protocol.PlayerWasted](a.link); got == nil || *got != want {
		t.Errorf("told %+v", got)
	}
	s.want("sent", a.said(), "PlayerWasted")
	if n := len(s.relays); n != 1 || s.relays[0].Frame.Health != 0 || s.relays[0].Frame.Action != 0 {
		t.Errorf("relayed %+v", s.relays)
	}
	e := eventsOf[PlayerDeath](s.rig)
	weapon, ok := e[0].Weapon()
	if e[0].Killer != killer.p || weapon != protocol.WeaponKnife || !ok || e[0].Position != a.p.body.Position {
		t.Errorf("event %+v", e[0])
	}
	s.want("events", s.took(), "player_animation_end, player_special_action_end, player_death")
	s.do(func(tx Tx) {
		if _, burns := tx.burnedBy(a.p); burns || tx.SpecialAction(a.p) != 0 || a.p.health != 0 {
			t.Error("something goes on in death")
		}
		tx.die(a.p, Death{})
	})
	s.want("a second death", s.took()+a.said(), "")
}

// TestOrderOfLives: scripts hear of a life before they hear who sees it.
func TestOrderOfLives(t *testing.T) {
	s := newStage(t)
	s.w.cfg.Listens = func(event string) bool { return event == "player_stream_in" || event == "player_stream_out" }
	a, b := s.actor("Ann"), s.alive("Bob")
	b.hush()
	spawn := func() { s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") }) }
	spawn()
	s.want("spawn", s.took(), "player_spawn, player_stream_in") // he sees Bob
	a.frame(nil)
	s.want("arrival", s.took(), "player_arrive, player_stream_in")
	spawn()
	s.want("respawn", s.took(), "player_spawn, player_stream_out")
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
	s.want("death", s.took(), "player_death, player_stream_in")
}

// TestKilledBeforeArrival: a death ends the arriving.
func TestKilledBeforeArrival(t *testing.T) {
	s := newStage(t)
	a := s.actor("Ann")
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
	if a.p.arriving || a.p.life != Wasted {
		t.Error(a.p.life, a.p.arriving)
	}
	a.frame(nil)
	s.want("events", s.took(), "player_spawn, player_death")
}

// TestDeathWeapon: player_death names a weapon only where the cause is one.
func TestDeathWeapon(t *testing.T) {
	for cause, want := range map[protocol.Cause]string{
		0: "fist", 4: "knife", 17: "tear_gas", 24: "desert_eagle", 37: "", 41: "spray_can", 48: "", 51: "", 54: "", 255: "",
	} {
		got := ""
		if w, ok := (Death{Cause: cause}).Weapon(); ok {
			got = w.String()
		}
		if got != want {
			t.Errorf("%v: %q, want %q", cause, got, want)
		}
	}
}

// TestWastedFrames: the body may still fall for 3 s, then the last frame stands.
func TestWastedFrames(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
	a.frameAfter(2900*ms, move(0, 0, -1))
	if z := a.p.body.Position.Z; z != testRules.Spawn.Position.Z-1 {
		t.Errorf("z %g", z)
	}
	last := a.p.body
	a.frameAfter(100*ms, move(0, 0, -1))
	if a.p.body != last {
		t.Error("a frame was taken 3 s after the death")
	}
	if a.allFails() != "" {
		t.Error(a.allFails())
	}
}

// TestDeathReports: once and twice at once are taken, then one a second.
func TestDeathReports(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	report := func() bool {
		s.do(func(tx Tx) {
			tx.ReceiveDeathReport(a.p, &protocol.DeathReport{Cause: protocol.CauseFall, BodyPart: protocol.PartTorso})
		})
		return a.p.life == Wasted
	}
	respawn := func() {
		s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
		a.frame(nil)
	}
	for range 2 {
		if !report() {
			t.Fatal("not taken")
		}
	}
	respawn()
	if report() {
		t.Error("a third within a second is taken")
	}
	s.rig.now += time.Second
	s.events = nil
	if !report() {
		t.Error("not taken a second later")
	}
	if e := eventsOf[PlayerDeath](s.rig); e[0].Unknown {
		t.Errorf("%+v", e[0])
	}
	respawn()
	s.rig.now += time.Second
	s.events = nil
	s.do(func(tx Tx) {
		tx.ReceiveDeathReport(a.p, &protocol.DeathReport{Cause: protocol.CauseScript, BodyPart: protocol.PartTorso})
	})
	if e := eventsOf[PlayerDeath](s.rig); !e[0].Unknown {
		t.Errorf("%+v", e[0])
	}
}

// TestViewersOfLives: the viewers see each life begin and end, and nothing of who has not arrived.
func TestViewersOfLives(t *testing.T) {
	s := newStage(t)
	b, a := s.alive("Bob"), s.actor("Ann")
	sees := func() (yes bool) {
		s.do(func(tx Tx) { yes = tx.Sees(b.p, a.p) })
		return yes
	}
	appears := func(want protocol.SpawnReason, flags protocol.SpawnedFlags) {
		t.Helper()
		b.empty()
		if m := lastOf[*protocol.PlayerSpawned](b.link); m == nil || m.Reason != want || m.Flags != flags || m.PlayerToken != a.p.Token {
			t.Errorf("told %+v", m)
		}
		b.hush()
	}
	spawn := func() { s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") }) }
	spawn()
	if sees() {
		t.Error("seen before his first frame")
	}
	a.frame(nil)
	appears(protocol.SpawnedFirst, 0)
	s.must(func(tx Tx) error { return tx.SetOnFire(a.p, true, nil) })
	spawn()
	if sees() {
		t.Error("seen in a new life before its first frame")
	}
	a.frame(nil)
	appears(protocol.SpawnedAgain, 0) // and burns no more
	spawn()
	b.hush()
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
	if !sees() {
		t.Error("the body of one who never arrived is not seen")
	}
	appears(protocol.SpawnedInView, protocol.SpawnedDead)
}
