package world

import (
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

var walk = Animation{Block: "PED", Name: "WALK_DRUNK", Speed: 1, Blend: 250 * ms, Flags: protocol.AnimationLoop}

// TestAnimationList: what the list has is what a packet can carry, in order, and about as many as the page says.
func TestAnimationList(t *testing.T) {
	total := 0
	for _, block := range AnimationBlocks() {
		names, err := AnimationNames(strings.ToLower(block))
		if err != nil || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("%s: %v, %v", block, names, err)
		}
		for _, name := range names {
			total++
			m := &protocol.ApplyAnimation{PlayerToken: 1, Animation: 1, Block: block, Name: name}
			if err := check(m); err != nil {
				t.Errorf("%s %s: %v", block, name, err)
			}
		}
	}
	if n := len(AnimationBlocks()); n < 125 || n > 135 || total < 1750 || total > 1850 {
		t.Errorf("%d blocks, %d names", n, total)
	}
}

func TestUnknownAnimation(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	for want, bad := range map[string]Animation{
		`block: unknown "PEDD", did you mean "PED"?`:                          {Block: "pedd", Name: "WALK_DRUNK"},
		`block "PED": name: unknown "WALK_DRUNC", did you mean "WALK_DRUNK"?`: {Block: "PED", Name: "walk_drunc"},
		`block: unknown "XXXXXXXXXX"`:                                         {Block: "xxxxxxxxxx"},
	} {
		s.do(func(tx Tx) {
			if _, err := tx.Animate(a.p, bad, ""); err == nil || err.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
	for _, bad := range []Animation{{Speed: 10.5}, {Speed: -1}, {Progress: 1.1}, {Blend: 6 * time.Second}, {Flags: 32}} {
		bad.Block, bad.Name = "PED", "WALK_DRUNK"
		s.do(func(tx Tx) {
			if _, err := tx.Animate(a.p, bad, ""); err == nil {
				t.Errorf("%+v is taken", bad)
			}
		})
	}
	s.want("sent", a.said(), "")
}

// TestAnimationEnds: each way in which one ends, and its reason.
func TestAnimationEnds(t *testing.T) {
	shown := func(a *actor) { a.frame(func(f *protocol.Frame) { f.Animation = a.p.lastAni }) }
	stop := func(f *protocol.Frame) { f.Animation = 0 }
	for name, c := range map[string]struct {
		flags protocol.AnimationFlags
		lasts time.Duration
		end   func(s *stage, a *actor)
		want  AnimationEnd // "": it goes on
	}{
		"not shown yet": {end: func(s *stage, a *actor) { a.frames(5*time.Second, stop) }},
		"shown":         {end: func(s *stage, a *actor) { shown(a); shown(a) }},
		"by itself":     {end: func(s *stage, a *actor) { shown(a); a.frame(stop) }, want: AnimationFinished},
		"by walking":    {flags: protocol.AnimationKeys, end: func(s *stage, a *actor) { shown(a); a.frame(func(f *protocol.Frame) { f.Animation, f.MoveY = 0, 127 }) }, want: AnimationKeys},
		"by a key": {flags: protocol.AnimationKeys, end: func(s *stage, a *actor) {
			shown(a)
			a.frame(func(f *protocol.Frame) { f.Animation, f.Keys = 0, protocol.KeyJump })
		}, want: AnimationKeys},
		"keys do not end it": {end: func(s *stage, a *actor) { shown(a); a.frame(func(f *protocol.Frame) { f.Animation, f.MoveY = 0, 127 }) }, want: AnimationFinished},
		"its time not over":  {lasts: 2 * time.Second, end: func(s *stage, a *actor) { s.rig.now += 1900 * ms; s.do(func(tx Tx) { tx.tickPlayers() }) }},
		"its time over":      {lasts: 2 * time.Second, end: func(s *stage, a *actor) { s.rig.now += 2 * time.Second; s.do(func(tx Tx) { tx.tickPlayers() }) }, want: AnimationFinished},
		"replaced": {end: func(s *stage, a *actor) {
			s.must(func(tx Tx) error { _, err := tx.Animate(a.p, walk, ""); return err })
		}, want: AnimationReplaced},
		"cleared": {end: func(s *stage, a *actor) { s.must(func(tx Tx) error { return tx.ClearAnimations(a.p) }) }, want: AnimationCleared},
		"death":   {end: func(s *stage, a *actor) { s.must(func(tx Tx) error { return tx.Kill(a.p, nil, 255) }) }, want: AnimationCleared},
		"spawn": {end: func(s *stage, a *actor) {
			s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
		}, want: AnimationCleared},
		"its resource":     {end: func(s *stage, a *actor) { s.do(func(tx Tx) { tx.playersOf("demo") }) }, want: AnimationCleared},
		"another resource": {end: func(s *stage, a *actor) { s.do(func(tx Tx) { tx.playersOf("other") }) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			a := s.alive("Ann")
			anim := walk
			anim.Flags, anim.Duration = c.flags, c.lasts
			s.must(func(tx Tx) error { _, err := tx.Animate(a.p, anim, "demo"); return err })
			s.events = nil
			c.end(s, a)
			var want []PlayerAnimationEnd
			if c.want != "" {
				want = []PlayerAnimationEnd{{a.p, 1, "PED", "WALK_DRUNK", c.want}}
			}
			if got := eventsOf[PlayerAnimationEnd](s.rig); !slices.Equal(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
		})
	}
}

// TestAnimationForLateComers: progress, elapsed and duration are as whoever comes now has to join in.
func TestAnimationForLateComers(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	anim := walk
	anim.Progress, anim.Duration, anim.Speed = 0.25, 10*time.Second, 2
	s.must(func(tx Tx) error { _, err := tx.Animate(a.p, anim, ""); return err })
	if m := lastOf[*protocol.ApplyAnimation](a.link); m.Elapsed != 0 || m.Duration != 10000 || m.Blend != 250 || m.Progress != 0.25 {
		t.Errorf("at first %+v", m)
	}
	late := func() (m *protocol.ApplyAnimation) {
		s.rig.now += time.Second
		s.do(func(tx Tx) { m = tx.entryExtras(a.p)[0].(*protocol.ApplyAnimation) })
		return m
	}
	if m := late(); m.Elapsed != 2000 || m.Duration != 9000 || m.Progress != 0.25 {
		t.Errorf("after 1 s %+v", m)
	}
	s.must(func(tx Tx) error { return tx.SetAnimationSpeed(a.p, 0) })
	if m := late(); m.Elapsed != 2000 || m.Duration != 8000 || m.Speed != 0 {
		t.Errorf("held %+v", m)
	}
	s.must(func(tx Tx) error { return tx.SetAnimationSpeed(a.p, 0.5) })
	s.rig.now += time.Second
	s.must(func(tx Tx) error { return tx.SetAnimationProgress(a.p, 0.75) })
	if m := late(); m.Elapsed != 500 || m.Duration != 6000 || m.Progress != 0.75 {
		t.Errorf("jumped %+v", m)
	}
	s.want("sent", a.said(), "ApplyAnimation, SetAnimationSpeed, SetAnimationSpeed, SetAnimationProgress")
	s.must(func(tx Tx) error { return tx.ClearAnimations(a.p) })
	s.do(func(tx Tx) {
		if tx.SetAnimationSpeed(a.p, 1) == nil || tx.SetAnimationProgress(a.p, 1) == nil {
			t.Error("no animation runs")
		}
		if _, ok := tx.PlayingAnimation(a.p); ok {
			t.Error("one runs")
		}
	})
}

// TestAnimationIDs count on for each player and leave out 0.
func TestAnimationIDs(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	a.p.lastAni = 65534
	for _, want := range []uint16{65535, 1, 2} {
		s.must(func(tx Tx) error {
			id, err := tx.Animate(a.p, walk, "")
			if id != want {
				t.Errorf("id %d, want %d", id, want)
			}
			return err
		})
	}
	s.do(func(tx Tx) {
		if got, ok := tx.PlayingAnimation(a.p); !ok || got != (RunningAnimation{2, "PED", "WALK_DRUNK", 1, true}) {
			t.Errorf("%+v", got)
		}
	})
	a.frame(func(f *protocol.Frame) { f.Animation = 2 })
	s.must(func(tx Tx) error { return tx.ClearAnimations(a.p) })
	if a.p.body.Animation != 0 {
		t.Error("his frame still shows it")
	}
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, 255) })
	s.do(func(tx Tx) {
		if _, err := tx.Animate(a.p, walk, ""); err != ErrDead {
			t.Error(err)
		}
	})
}
