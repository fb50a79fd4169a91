package world

import (
	"math"
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

// TestFrameChecks has a hostile client for each check of a PlayerSync: what it claims, what is taken of it, and which
// kind of violation it is.
func TestFrameChecks(t *testing.T) {
	at := testRules.Spawn.Position
	for name, c := range map[string]struct {
		prepare func(s *stage, a *actor)
		after   time.Duration
		frame   func(f *protocol.Frame)
		taken   bool
		fails   string
		sent    string
	}{
		"honest":                {frame: move(1, 0, 0), taken: true},
		"14 m in 40 ms":         {frame: move(14, 0, 0), taken: true},
		"too far":               {frame: move(14.1, 0, 0), fails: "movement 1", sent: "TeleportPlayer"},
		"too far up":            {frame: move(0, 0, 15), fails: "movement 1", sent: "TeleportPlayer"},
		"40 ms at least":        {after: ms, frame: move(13.9, 0, 0), taken: true},
		"60 m in 500 ms":        {after: 500 * ms, frame: move(60, 0, 0), taken: true},
		"61 m in 500 ms":        {after: 500 * ms, frame: move(61, 0, 0), fails: "movement 1", sent: "TeleportPlayer"},
		"210 m in 2 s":          {after: 2 * time.Second, frame: move(0, 210, 0), taken: true},
		"no more after a time":  {after: time.Minute, frame: move(0, 211, 0), fails: "movement 1", sent: "TeleportPlayer"},
		"no limit":              {prepare: setRules(func(r *PlayerRules) { r.MovementLimit = 0 }), frame: move(9000, 0, 0), taken: true},
		"another interior":      {frame: func(f *protocol.Frame) { f.Interior = 5; f.Position = vec(0, 0, 1000) }, taken: true},
		"no entrances":          {prepare: setRules(func(r *PlayerRules) { r.Entrances = false }), frame: func(f *protocol.Frame) { f.Interior = 5 }, fails: "movement 1", sent: "TeleportPlayer"},
		"a second door":         {prepare: throughDoor, after: 1900 * ms, frame: func(f *protocol.Frame) { f.Interior = 5 }, fails: "movement 1", sent: "TeleportPlayer"},
		"a door 2 s later":      {prepare: throughDoor, after: 2 * time.Second, frame: func(f *protocol.Frame) { f.Interior = 5 }, taken: true},
		"frozen":                {prepare: frozen, frame: move(1.1, 0, 0), fails: "movement 1", sent: "TeleportPlayer"},
		"frozen, a step":        {prepare: frozen, frame: move(0.9, 0, 0), taken: true},
		"frozen, a door":        {prepare: frozen, frame: func(f *protocol.Frame) { f.Interior = 5 }, fails: "movement 1", sent: "TeleportPlayer"},
		"frozen, not acked":     {prepare: func(s *stage, a *actor) { a.unacked = 1; frozen(s, a) }, frame: move(5, 0, 0), taken: true},
		"out of bounds":         {prepare: bounds(at.X - 5), frame: move(14, 0, 0), taken: true},
		"far out of bounds":     {prepare: bounds(at.X - 7), frame: move(13.9, 0, 0), fails: "movement 1", sent: "TeleportPlayer"},
		"back into bounds":      {prepare: bounds(at.X - 500), frame: move(-5, 0, 0), taken: true},
		"old epoch":             {frame: func(f *protocol.Frame) { f.Epoch-- }},
		"old epoch, long acked": {after: 2 * time.Second, frame: func(f *protocol.Frame) { f.Epoch-- }, fails: "epoch 1"},
		"epoch to come":         {after: 2 * time.Second, frame: func(f *protocol.Frame) { f.Epoch++ }, fails: "epoch 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			a := s.alive("Ann")
			if c.prepare != nil {
				c.prepare(s, a)
			}
			a.hush()
			if c.after == 0 {
				c.after = perFrame
			}
			a.p.motion.at, a.p.motion.door.at = s.rig.now, s.rig.now // hush takes time
			if a.p.motion.epoch.acked {
				a.p.motion.epoch.since = s.rig.now
			}
			before, accepted := a.p.body, a.p.motion.trail.next
			a.frameAfter(c.after, c.frame)
			if took := a.p.motion.trail.next != accepted; took != c.taken {
				t.Errorf("taken %t: %v", took, a.p.body.Position)
			}
			if !c.taken && a.p.body.Position != before.Position {
				t.Errorf("moved to %v", a.p.body.Position)
			}
			s.want("violations", a.allFails(), c.fails)
			if m := lastOf[*protocol.TeleportPlayer](a.link); m != nil {
				want := protocol.TeleportPlayer{Epoch: before.Epoch + 1, Flags: protocol.TeleportKeepHeading, Position: before.Position,
					Interior: before.Interior}
				if *m != want {
					t.Errorf("brought back by %+v\nwant %+v", *m, want)
				}
			}
			s.want("sent", a.said(), c.sent)
		})
	}
}

func setRules(change func(r *PlayerRules)) func(s *stage, a *actor) {
	return func(s *stage, a *actor) { change(&s.w.cfg.Players) }
}

func throughDoor(s *stage, a *actor) {
	a.frameAfter(time.Second, func(f *protocol.Frame) { f.Interior = 1 })
}

func frozen(s *stage, a *actor) {
	s.must(func(tx Tx) error { return tx.SetFrozen(a.p, true, "demo") })
	a.frame(nil)
	s.rig.now += time.Second
}

func bounds(maxX float32) func(s *stage, a *actor) {
	return func(s *stage, a *actor) {
		b := NoBounds
		b.MaxX = maxX
		s.must(func(tx Tx) error { return tx.SetWorldBounds(a.p, b, "demo") })
	}
}

// TestFrameOrder: only newer frames are taken, over the wrap of seq too.
func TestFrameOrder(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	send := func(seq uint32) bool {
		s.rig.now += perFrame
		m := &protocol.PlayerSync{Seq: seq, Frame: a.p.body}
		m.Frame.Time++
		before := a.p.body.Time
		s.do(func(tx Tx) { tx.ReceiveSync(a.p, m) })
		return a.p.body.Time != before
	}
	for _, c := range []struct {
		seq   uint32
		taken bool
	}{
		{5, true}, {5, false}, {4, false}, {1 << 30, true}, {1<<31 + 1<<29, true}, {1<<32 - 1, true}, {0, true}, {1<<32 - 1, false}, {1, true},
		{1<<31 + 2, false},
	} {
		if got := send(c.seq); got != c.taken {
			t.Errorf("seq %d after %d: %t", c.seq, a.p.motion.seq, got)
		}
	}
}

func TestFrameLimit(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	s.rig.now += time.Second
	taken := func(n int) (took int) {
		for range n {
			before := a.p.body.Time
			a.frameAfter(0, func(f *protocol.Frame) { f.Time++ })
			if a.p.body.Time != before {
				took++
			}
		}
		return took
	}
	if n := taken(100); n != 20 {
		t.Errorf("%d at once, want 20", n)
	}
	s.rig.now += 250 * ms
	if n := taken(100); n != 10 {
		t.Errorf("%d in 250 ms, want 10", n)
	}
	if a.allFails() != "" {
		t.Error(a.allFails())
	}
}

// TestOldEpochs: nothing is held against a client before it has had 2 s since its ack; the ack is seen when nothing is
// unacked, or by a frame of the new epoch.
func TestOldEpochs(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	old := a.p.body.Epoch
	at := vec(1, 2, 3)
	a.unacked = 1
	s.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &at}) })
	stale := func(f *protocol.Frame) { f.Epoch = old; f.Position = vec(500, 500, 10) }
	a.frames(5*time.Second, stale)
	if a.allFails() != "" || a.p.body.Position != at {
		t.Fatalf("before the ack: %s, at %v", a.allFails(), a.p.body.Position)
	}
	a.unacked = 0
	a.frame(stale)
	a.frameAfter(1900*ms, stale)
	s.want("1.9 s after the ack", a.allFails(), "")
	a.frameAfter(100*ms, stale)
	s.want("2 s after the ack", a.allFails(), "epoch 1")

	a.unacked = 1
	s.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &at}) })
	old = a.p.body.Epoch - 1
	a.frame(nil)
	a.frameAfter(2*time.Second, stale)
	s.want("2 s after a frame of the new epoch", a.allFails(), "epoch 2")

	s.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &at}) })
	old = a.p.body.Epoch - 1
	a.frameAfter(15*time.Second, stale)
	a.frameAfter(1900*ms, stale)
	s.want("when the lane has given up", a.allFails(), "epoch 2")
	a.frameAfter(100*ms, stale)
	s.want("2 s after that", a.allFails(), "epoch 3")
}

// TestPulledBack: once a second at most, and what was on its way meanwhile does not count.
func TestPulledBack(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	home := a.p.body.Position
	far := func(f *protocol.Frame) { f.Position.X = home.X + 500 }
	a.frame(far)
	a.frames(960*ms, far)
	if n := len(a.sent); n != 1 {
		t.Errorf("%d corrections within a second", n)
	}
	a.frame(far)
	if n := len(a.sent); n != 2 {
		t.Errorf("%d corrections after a second", n)
	}
	if a.fails(ViolationMovement) != 26 || a.p.body.Position != home {
		t.Errorf("%s, at %v", a.allFails(), a.p.body.Position)
	}
	a.frame(nil)
	if a.p.motion.at != s.rig.now {
		t.Error("an honest frame was not taken")
	}
	s.alive("Bob")
	a.frame(func(f *protocol.Frame) { f.Velocity[0] = 3000 })
	a.frameAfter(time.Second, nil)
	a.hush()
	a.frame(far)
	if n := len(s.relays); n != 1 || s.relays[0].Frame.Velocity[0] != 0 || s.relays[0].Frame.Position != home {
		t.Errorf("%d relayed: %+v", n, s.relays)
	}
}

// TestTheServersOwnPause: who runs on while the server stands still is not brought back for what it has missed, whichever
// comes first after it, a frame or the clock. A second later the limits are those of always.
func TestTheServersOwnPause(t *testing.T) {
	for _, clockFirst := range []bool{true, false} {
		s := newStage(t)
		a := s.alive("Ann")
		a.frames(2*time.Second, move(0.3, 0, 0))
		const pause = 8 * time.Second
		s.rig.now += pause
		if clockFirst {
			s.do(func(tx Tx) { tx.Tick() })
		}
		backlog := func() {
			a.seq++
			m := &protocol.PlayerSync{Seq: a.seq, Frame: a.p.body}
			m.Frame.Position.X += 0.3
			s.do(func(tx Tx) { tx.ReceiveSync(a.p, m) })
		}
		for range 20 { // of 200 so many are taken
			backlog()
		}
		a.frame(move(180*0.3, 0, 0))
		s.want("after the pause", a.allFails(), "")
		a.frameAfter(catchUp, nil)
		a.frame(move(100, 0, 0))
		s.want("a second later", a.allFails(), "movement 1")
	}
}

// TestVelocityAllowance: SetVelocity adds its speed for 3 s.
func TestVelocityAllowance(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	s.must(func(tx Tx) error { return tx.SetVelocity(a.p, vec(0, 0, 200)) })
	a.frameAfter(500*ms, move(0, 0, 159))
	a.frameAfter(500*ms, move(0, 0, 161))
	s.want("too fast even so", a.allFails(), "movement 1")
	a.frameAfter(2*time.Second, nil)
	a.frameAfter(500*ms, move(0, 0, 100))
	s.want("after 3 s", a.allFails(), "movement 2")
}

// TestFindGround: the first frame's z is free, and the place where it stands is the one that counts.
func TestFindGround(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	at := vec(100, 100, 900)
	frozen(s, a)
	a.frame(nil)
	s.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &at, FindGround: true}) })
	a.frame(func(f *protocol.Frame) { f.Position.Z = 12 })
	if a.p.body.Position != vec(100, 100, 12) {
		t.Fatalf("at %v: %s", a.p.body.Position, a.allFails())
	}
	a.frame(move(0, 0, 0.5))
	s.want("frozen there", a.allFails(), "")
	a.frame(func(f *protocol.Frame) { f.Position.Z = 900 })
	s.want("once", a.allFails(), "movement 1")
}

// TestFrozenCreep: a frozen player stays where he was when it began, however small his steps.
func TestFrozenCreep(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	home := a.p.body.Position
	frozen(s, a)
	a.frames(2*time.Second, move(0.3, 0, 0))
	if d := distance(home, a.p.body.Position); d > 1 {
		t.Errorf("crept %g m away", d)
	}
	s.must(func(tx Tx) error { return tx.SetFrozen(a.p, false, "") })
	a.frame(nil)
	a.frame(move(5, 0, 0))
	if d := distance(home, a.p.body.Position); d < 5 {
		t.Errorf("still held: %g m away", d)
	}
}

// TestCorrections is step 4: what a client claims that the server knows better.
func TestCorrections(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(tx Tx, p *Player)
		frame   func(f *protocol.Frame)
		want    func(f *protocol.Frame)
		fails   string
	}{
		"health":         {frame: func(f *protocol.Frame) { f.Health = 3 }},
		"armor":          {frame: func(f *protocol.Frame) { f.Armor = 100 }},
		"action":         {frame: func(f *protocol.Frame) { f.Action = protocol.ActionJetpack }},
		"another action": {prepare: func(tx Tx, p *Player) { tx.SetSpecialAction(p, protocol.ActionSit) }, frame: func(f *protocol.Frame) { f.Action = protocol.ActionJetpack }},
		"its action": {prepare: func(tx Tx, p *Player) { tx.SetSpecialAction(p, protocol.ActionSit) },
			frame: func(f *protocol.Frame) { f.Action = protocol.ActionSit }, want: func(f *protocol.Frame) { f.Action = protocol.ActionSit }},
		"animation":     {frame: func(f *protocol.Frame) { f.Animation = 1 }},
		"its animation": {prepare: func(tx Tx, p *Player) { tx.Animate(p, walk, "") }, frame: func(f *protocol.Frame) { f.Animation = 1 }, want: func(f *protocol.Frame) { f.Animation = 1 }},
		"seated":        {frame: func(f *protocol.Frame) { f.Flags |= protocol.FlagSeated; f.Carrier = 9 }},
		"carrier":       {frame: func(f *protocol.Frame) { f.Carrier = 9; f.CarrierOffset = [3]int16{1, 2, 3} }},
		"weapon":        {frame: func(f *protocol.Frame) { f.Weapon = 38 }, fails: "weapon 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			a := s.alive("Ann")
			if c.prepare != nil {
				s.do(func(tx Tx) { c.prepare(tx, a.p) })
			}
			want := a.p.body
			want.Time += 40
			if c.want != nil {
				c.want(&want)
			}
			a.frame(c.frame)
			if a.p.body != want {
				t.Errorf("got  %+v\nwant %+v", a.p.body, want)
			}
			s.want("violations", a.allFails(), c.fails)
		})
	}
}

// TestVitalsAgain: a difference over 1 that lasts 2 s is put right, each on its own, and again after 2 s.
func TestVitalsAgain(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	a.frames(10*time.Second, func(f *protocol.Frame) { f.Health, f.Armor = 99, 1 })
	s.want("a difference of 1", a.said(), "")
	wrong := func(f *protocol.Frame) { f.Health = 98 }
	a.frames(1960*ms, wrong)
	a.frame(nil)
	a.frames(2*time.Second, wrong)
	s.want("twice under 2 s", a.said(), "")
	a.frame(wrong)
	if m := lastOf[*protocol.SetHealth](a.link); m == nil || m.Health != 100 || m.Cause != protocol.CauseScript {
		t.Errorf("told %+v", m)
	}
	s.want("2 s", a.said(), "SetHealth")
	a.frames(2*time.Second, wrong)
	s.want("2 s more", a.said(), "SetHealth")
	a.frame(nil)
	a.frames(2040*ms, func(f *protocol.Frame) { f.Armor = 2 })
	s.want("armor", a.said(), "SetArmor")
	a.frames(1960*ms, wrong)
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
	a.hush()
	a.frames(2*time.Second, wrong)
	s.want("of a new life", a.said(), "")
}

// TestRelayed says which frames go to the viewers, and which no distance may hold back: one far away gets every fourth.
func TestRelayed(t *testing.T) {
	for name, c := range map[string]struct {
		before, frame func(f *protocol.Frame)
		want          bool
	}{
		"keys":          {nil, func(f *protocol.Frame) { f.Keys |= protocol.KeyJump }, false},
		"moved":         {nil, move(1, 0, 0), false},
		"a new epoch":   {nil, move(1, 0, 0), true},
		"fire":          {nil, func(f *protocol.Frame) { f.Keys |= protocol.KeyFire }, true},
		"aim":           {nil, func(f *protocol.Frame) { f.Keys |= protocol.KeyAim }, true},
		"fire released": {func(f *protocol.Frame) { f.Keys |= protocol.KeyFire }, func(f *protocol.Frame) { f.Keys = 0 }, true},
		"stopped":       {func(f *protocol.Frame) { f.Velocity[0], f.MoveY = 500, 127 }, func(f *protocol.Frame) { f.Velocity[0], f.MoveY = 0, 0 }, true},
		"slowed":        {func(f *protocol.Frame) { f.Velocity[0], f.MoveY = 500, 127 }, func(f *protocol.Frame) { f.MoveY = 0 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var got [4]int
			for skipped := range got { // wherever the tiers are in their count
				s := newStage(t)
				s.alive("Bob")
				a := s.alive("Ann")
				a.frame(func(f *protocol.Frame) { f.Interior, f.Position = 9, vec(2495, -1408, 13) }) // 280 m away
				for range skipped + 8 {
					a.frame(move(0.1, 0, 0))
				}
				a.frame(c.before)
				if name == "a new epoch" {
					s.must(func(tx Tx) error { return tx.SetInterior(a.p, 8) })
				}
				a.hush()
				a.frame(c.frame)
				got[skipped] = len(s.relays)
			}
			all := !slices.Contains(got[:], 0)
			if all != c.want || slices.Max(got[:]) != 1 {
				t.Errorf("relayed %v, always: want %t", got, c.want)
			}
		})
	}
}

// TestIdle: a frame that differs only in time goes every 500 ms, to all.
func TestIdle(t *testing.T) {
	s := newStage(t)
	s.alive("Bob")
	a := s.alive("Ann")
	a.frame(func(f *protocol.Frame) { f.Interior, f.Position = 9, vec(2495, -1408, 13) })
	a.frame(nil)
	a.hush()
	a.frames(10*time.Second, nil) // a client that does not save any
	if n := len(s.relays); n < 19 || n > 21 {
		t.Errorf("%d in 10 s of 25 frames a second", n)
	}
	s.relays = nil
	for i := range 20 {
		a.frameAfter(500*ms+time.Duration(i%3-1)*10*ms, nil)
	}
	if n := len(s.relays); n < 19 {
		t.Errorf("%d of 20 frames every 500 ms", n)
	}
}

// TestOwnFrames: the server relays a frame of its own where the client cannot, and its time goes on.
func TestOwnFrames(t *testing.T) {
	s := newStage(t)
	s.alive("Bob")
	a := s.alive("Ann")
	a.frame(nil)
	a.hush()
	clock := a.p.body.Time
	s.rig.now += 300*ms - 0
	at := vec(2490, -1680, 14)
	s.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &at}) })
	if len(s.relays) != 1 {
		t.Fatalf("%d relayed", len(s.relays))
	}
	f := s.relays[0].Frame
	if f.Position != at || f.Epoch != a.p.body.Epoch || f.Time-clock < 300 || f.Time-clock > 500 {
		t.Errorf("relayed %+v, %d ms later", f, f.Time-clock)
	}
	a.frame(nil)
	if n := len(s.relays); n != 1 {
		t.Errorf("%d relayed, the client only repeats", n)
	}
	s.must(func(tx Tx) error { return tx.SetInterior(a.p, 1) })
	a.frame(nil)
	if n := len(s.relays); n != 2 {
		t.Errorf("%d relayed, the last with a new epoch", n)
	}
}

// TestFrameEvents: pausing and doors are told to scripts.
func TestFrameEvents(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	a.frame(func(f *protocol.Frame) { f.Flags |= protocol.FlagPaused })
	a.frame(nil)
	a.frame(func(f *protocol.Frame) { f.Flags = 0 })
	a.frame(func(f *protocol.Frame) { f.Interior = 3 })
	if e := eventsOf[PlayerPause](s.rig); len(e) != 2 || !e[0].Paused || e[1].Paused {
		t.Errorf("%+v", e)
	}
	if e := eventsOf[PlayerInteriorChange](s.rig); len(e) != 1 || e[0] != (PlayerInteriorChange{a.p, 0, 3, ByClient}) {
		t.Errorf("%+v", e)
	}
	s.want("sent", a.said(), "")
	a.frame(func(f *protocol.Frame) { f.Flags = protocol.FlagPaused })
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
	s.events = nil
	a.frame(func(f *protocol.Frame) { f.Flags = protocol.FlagPaused })
	s.want("still paused at the spawn", s.took(), "player_arrive")
}

// TestLastSecond is what Combat holds shots against.
func TestLastSecond(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	s.rig.now += time.Minute
	a.frames(80*ms, move(0, 0, 1))
	home := testRules.Spawn.Position
	past := func() (list []float32) {
		s.do(func(tx Tx) {
			for at := range tx.lastSecond(a.p) {
				list = append(list, float32(math.Round(float64(at.Z-home.Z))))
			}
		})
		return list
	}
	if got := past(); !slices.Equal(got, []float32{2, 1, 0}) { // where he stood for a minute counts
		t.Errorf("%v", got)
	}
	a.frames(2*time.Second, move(0, 0, 1))
	if got := past(); len(got) != 26 || got[0] != 52 || got[25] != 27 {
		t.Errorf("%d: %v", len(got), got)
	}
}

// TestFrameAllocs: nothing is allocated on the way of a frame.
func TestFrameAllocs(t *testing.T) {
	s := newStage(t)
	s.alive("Bob")
	a := s.alive("Ann")
	s.w.cfg.Relay = func([]Link, []byte) {}
	m := &protocol.PlayerSync{Seq: a.seq, Frame: a.p.body}
	if n := testing.AllocsPerRun(1000, func() {
		s.rig.now += perFrame
		m.Seq++
		m.Frame.Time += 40
		m.Frame.Position.X += 0.01
		m.Frame.Keys ^= protocol.KeyFire
		tx := s.w.Begin()
		tx.ReceiveSync(a.p, m)
		tx.End()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if a.p.motion.at != s.rig.now {
		t.Error("the frames were not taken: ", a.allFails())
	}
}

// FuzzSync: no frame that decodes may break the rules or be relayed with what the server knows better.
func FuzzSync(f *testing.F) {
	seed := make([]byte, 0, 100)
	seed, err := protocol.Append(seed, protocol.Header{Token: 1}, &protocol.PlayerSync{Seq: 9, Frame: protocol.Frame{Epoch: 1, Health: 100}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, m, err := protocol.Decode(b, protocol.ClientToServer)
		sync, ok := m.(*protocol.PlayerSync)
		if err != nil || !ok {
			return
		}
		s := newStage(t)
		s.alive("Bob")
		a := s.alive("Ann")
		before := a.p.body
		s.do(func(tx Tx) { tx.ReceiveSync(a.p, sync) })
		after := a.p.body
		if after.Health != 100 || after.Armor != 0 || after.Action != 0 || after.Animation != 0 || after.Carrier != 0 ||
			after.Flags&protocol.FlagSeated != 0 {
			t.Errorf("taken over: %+v", after)
		}
		if after.Interior == before.Interior && distance(before.Position, after.Position) > 211 {
			t.Errorf("from %v to %v", before.Position, after.Position)
		}
	})
}

func BenchmarkReceiveSync(b *testing.B) {
	s := newStage(new(testing.T))
	a := s.alive("Ann")
	m := &protocol.PlayerSync{Seq: a.seq, Frame: a.p.body}
	b.ReportAllocs()
	for b.Loop() {
		s.rig.now += perFrame
		m.Seq++
		m.Frame.Time += 40
		m.Frame.Position.X += 0.0001
		tx := s.w.Begin()
		tx.ReceiveSync(a.p, m)
		tx.End()
	}
}

// TestSlackIsNotSpeed: the metres that one late frame may be off do not add up to running at three times the limit.
func TestSlackIsNotSpeed(t *testing.T) {
	for _, tc := range []struct {
		name  string
		step  float32 // metres a frame
		fails bool
	}{{"just below the limit", 3.9, false}, {"each frame within its slack", 13, true}} {
		t.Run(tc.name, func(t *testing.T) {
			a := newStage(t).alive("Alice")
			a.frames(4*time.Second, func(f *protocol.Frame) { f.Position.X -= tc.step })
			if failed := a.fails(ViolationMovement) > 0; failed != tc.fails {
				t.Errorf("fails: %t, want %t: %s", failed, tc.fails, a.allFails())
			}
		})
	}
}
