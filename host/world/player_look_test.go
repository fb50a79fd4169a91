package world

import (
	"testing"
	"time"

	"darqline/protocol"
)

// TestLooks: each setting goes to its subject at once and to who sees him, and is read back.
func TestLooks(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	a.hush()
	b.hush()
	id, token := a.p.ID, a.p.Token
	skills, stats := [protocol.SkillCount]uint16{8: 500}, [protocol.StatCount]uint16{2: 700}
	for _, c := range []struct {
		set  func(tx Tx) error
		want protocol.Packet
	}{
		{func(tx Tx) error { return tx.SetSkin(a.p, 0) }, &protocol.SetSkin{PlayerID: id, PlayerToken: token}},
		{func(tx Tx) error { return tx.SetFightingStyle(a.p, protocol.FightElbows) },
			&protocol.SetFightingStyle{PlayerID: id, PlayerToken: token, Style: 16}},
		{func(tx Tx) error { return tx.SetWalkingStyle(a.p, 126) },
			&protocol.SetWalkingStyle{PlayerID: id, PlayerToken: token, Style: 126}},
		{func(tx Tx) error { return tx.SetHeadless(a.p, true) }, &protocol.SetHeadless{PlayerID: id, PlayerToken: token, Headless: true}},
		{func(tx Tx) error { return tx.SetOnFire(a.p, true, b.p) }, &protocol.SetOnFire{PlayerID: id, PlayerToken: token, OnFire: true}},
		{func(tx Tx) error { return tx.SetSpecialAction(a.p, protocol.ActionSmoke) },
			&protocol.SetSpecialAction{PlayerID: id, PlayerToken: token, Action: 10}},
		{func(tx Tx) error { return tx.SetSkills(a.p, skills) },
			&protocol.PlayerSkills{PlayerID: id, PlayerToken: token, Skills: skills}},
		{func(tx Tx) error { return tx.SetStats(a.p, stats) },
			&protocol.SetPlayerStats{PlayerID: id, PlayerToken: token, Stats: stats}},
	} {
		s.must(c.set)
		a.empty()
		b.empty()
		samePackets(t, a.sent, []protocol.Packet{c.want})
		samePackets(t, b.sent, []protocol.Packet{c.want})
		a.sent, b.sent = nil, nil
	}
	s.do(func(tx Tx) {
		by, burns := tx.burnedBy(a.p)
		if tx.Skin(a.p) != 0 || tx.FightingStyle(a.p) != 16 || tx.WalkingStyle(a.p) != 126 || !tx.Headless(a.p) || !tx.OnFire(a.p) ||
			by != b.p || !burns || tx.SpecialAction(a.p) != 10 || tx.Skills(a.p) != skills || tx.Stats(a.p) != stats {
			t.Error("read back")
		}
		want := protocol.PlayerSpawned{PlayerID: id, PlayerToken: token, Reason: protocol.SpawnedInView,
			Flags: protocol.SpawnedHeadless | protocol.SpawnedOnFire, Position: a.p.body.Position, FightingStyle: 16, WalkingStyle: 126,
			Action: 10, Health: 100, Skills: skills}
		if got := tx.appearance(a.p, protocol.SpawnedInView); *got != want {
			t.Errorf("appears %+v\nwant %+v", *got, want)
		}
		if list := tx.entryExtras(a.p); len(list) != 1 || list[0].ID() != protocol.IDSetPlayerStats {
			t.Errorf("extras %v", list)
		}
		tx.SetSkin(a.p, 106)
		if list := tx.entryExtras(a.p); len(list) != 0 { // only skin 0 shows them
			t.Errorf("extras %v", list)
		}
		tx.die(a.p, Death{Cause: protocol.CauseScript, BodyPart: protocol.PartTorso})
		if m := tx.appearance(a.p, protocol.SpawnedInView); m.Flags&protocol.SpawnedDead == 0 || m.Health != 0 || check(m) != nil {
			t.Errorf("a body: %+v, %v", m, check(m))
		}
		for _, err := range []error{tx.SetSpecialAction(a.p, 1), tx.SetOnFire(a.p, true, nil), tx.SetVelocity(a.p, vec(0, 0, 1))} {
			if err != ErrDead {
				t.Errorf("of a body: %v", err)
			}
		}
	})
}

// TestActionEnds: the client may end an action and never starts one; what was on its way ends nothing.
func TestActionEnds(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(s *stage, a *actor)
		want bool
	}{
		"frames of before": {func(s *stage, a *actor) { a.unacked = 1; a.frames(5*time.Second, nil) }, false},
		"acked, at once":   {func(s *stage, a *actor) { a.frames(1900*ms, noAction) }, false},
		"never begun":      {func(s *stage, a *actor) { a.frames(2080*ms, noAction) }, true},
		"shown":            {func(s *stage, a *actor) { a.frames(9*time.Second, action(protocol.ActionBeer)) }, false},
		"shown, then over": {func(s *stage, a *actor) { a.frame(action(protocol.ActionBeer)); a.frame(noAction) }, true},
		"shown, then another": {func(s *stage, a *actor) {
			a.frame(action(protocol.ActionBeer))
			a.frames(time.Second, action(protocol.ActionJetpack))
		}, false},
		"by the script": {func(s *stage, a *actor) { s.must(func(tx Tx) error { return tx.SetSpecialAction(a.p, 0) }) }, true},
		"another one":   {func(s *stage, a *actor) { s.must(func(tx Tx) error { return tx.SetSpecialAction(a.p, 1) }) }, true},
		"the same": {func(s *stage, a *actor) {
			s.must(func(tx Tx) error { return tx.SetSpecialAction(a.p, protocol.ActionBeer) })
		}, false},
		"respawn": {func(s *stage, a *actor) {
			s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
		}, true},
		"respawn with weapons": {func(s *stage, a *actor) {
			d := Spawn{Health: 100, KeepWeapons: true}
			s.must(func(tx Tx) error { return tx.Spawn(a.p, d, "") })
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			a := s.alive("Ann")
			s.must(func(tx Tx) error { return tx.SetSpecialAction(a.p, protocol.ActionBeer) })
			c.do(s, a)
			e := eventsOf[PlayerActionEnd](s.rig)
			if (len(e) == 1) != c.want || c.want && e[0] != (PlayerActionEnd{a.p, protocol.ActionBeer}) {
				t.Errorf("%+v", e)
			}
			if (a.p.look.action == protocol.ActionBeer) == c.want {
				t.Errorf("the action is %v", a.p.look.action)
			}
		})
	}
}

func action(action protocol.SpecialAction) func(f *protocol.Frame) {
	return func(f *protocol.Frame) { f.Action = action }
}

var noAction = action(protocol.ActionNone)

// TestFireEnds when the frames drop "burning", after 2 s at the earliest.
func TestFireEnds(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	burning := func(f *protocol.Frame) { f.Flags |= protocol.FlagBurning }
	out := func(f *protocol.Frame) { f.Flags &^= protocol.FlagBurning }
	s.must(func(tx Tx) error { return tx.SetOnFire(a.p, true, nil) })
	a.frames(1960*ms, out)
	if !a.p.look.fire.on {
		t.Fatal("out before 2 s")
	}
	a.frames(time.Minute, burning)
	if !a.p.look.fire.on {
		t.Fatal("out although it burns")
	}
	a.frame(out)
	if a.p.look.fire.on {
		t.Error("still on fire")
	}
}

// TestDrunk wears off evenly.
func TestDrunk(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	s.must(func(tx Tx) error { return tx.SetDrunk(a.p, 50, 10*time.Second) })
	samePackets(t, a.sent, []protocol.Packet{&protocol.SetDrunkLevel{Level: 50, Duration: 10000}})
	for _, c := range []struct {
		after time.Duration
		want  uint8
	}{{0, 50}, {time.Second, 45}, {8900 * ms, 1}, {100 * ms, 0}, {time.Hour, 0}} {
		s.rig.now += c.after
		s.do(func(tx Tx) {
			if got := tx.Drunk(a.p); got != c.want {
				t.Errorf("%v later: %d, want %d", c.after, got, c.want)
			}
		})
	}
	s.must(func(tx Tx) error { return tx.SetDrunk(a.p, 50, 0) })
	s.rig.now += time.Hour
	s.do(func(tx Tx) {
		if tx.Drunk(a.p) != 50 {
			t.Error("it has worn off")
		}
	})
}
