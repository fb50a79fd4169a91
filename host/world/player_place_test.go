package world

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

func ptr[T any](v T) *T { return &v }

// TestTeleport: what is sent, in which order and with which epochs, and what the server has at once.
func TestTeleport(t *testing.T) {
	at := vec(10, 20, 30)
	for name, c := range map[string]struct {
		teleport Teleport
		want     []protocol.Packet
		heading  float64
		events   string
	}{
		"position": {Teleport{Position: &at},
			[]protocol.Packet{&protocol.TeleportPlayer{Epoch: 2, Flags: protocol.TeleportKeepHeading, Position: at}}, 0, ""},
		"heading": {Teleport{Heading: ptr(float32(90))},
			[]protocol.Packet{&protocol.TeleportPlayer{Epoch: 2, Flags: protocol.TeleportTurnOnly, Heading: 90}}, 90, ""},
		"both, with everything": {Teleport{Position: &at, Heading: ptr(float32(90)), KeepVelocity: true, FindGround: true, CameraBehind: true},
			[]protocol.Packet{&protocol.TeleportPlayer{Epoch: 2, Position: at, Heading: 90,
				Flags: protocol.TeleportKeepVelocity | protocol.TeleportFindGround | protocol.TeleportCameraBehind}}, 90, ""},
		"no ground without a place": {Teleport{Heading: ptr(float32(90)), FindGround: true},
			[]protocol.Packet{&protocol.TeleportPlayer{Epoch: 2, Flags: protocol.TeleportTurnOnly, Heading: 90}}, 90, ""},
		"interior with a place": {Teleport{Position: &at, Interior: ptr(uint8(3))},
			[]protocol.Packet{&protocol.TeleportPlayer{Epoch: 2, Flags: protocol.TeleportKeepHeading, Position: at, Interior: 3}}, 0,
			"player_interior_change"},
		"interior alone": {Teleport{Interior: ptr(uint8(3))},
			[]protocol.Packet{&protocol.ScopeChanged{Epoch: 2, Interior: 3}}, 0, "player_interior_change"},
		"dimension with a place": {Teleport{Position: &at, Dimension: ptr(uint16(7))},
			[]protocol.Packet{&protocol.ScopeChanged{Epoch: 2, Dimension: 7},
				&protocol.TeleportPlayer{Epoch: 3, Flags: protocol.TeleportKeepHeading, Position: at}}, 0, "player_dimension_change"},
		"all four": {Teleport{Position: &at, Heading: ptr(float32(90)), Dimension: ptr(uint16(7)), Interior: ptr(uint8(3))},
			[]protocol.Packet{&protocol.ScopeChanged{Epoch: 2, Dimension: 7, Interior: 3},
				&protocol.TeleportPlayer{Epoch: 3, Position: at, Heading: 90, Interior: 3}}, 90,
			"player_dimension_change, player_interior_change"},
		"the same dimension": {Teleport{Position: &at, Dimension: ptr(uint16(0))},
			[]protocol.Packet{&protocol.TeleportPlayer{Epoch: 2, Flags: protocol.TeleportKeepHeading, Position: at}}, 0, ""},
		"nothing new": {Teleport{Dimension: ptr(uint16(0)), Interior: ptr(uint8(0))}, nil, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			a := s.alive("Ann")
			a.frame(func(f *protocol.Frame) { f.Velocity = [3]int16{100, 0, 0} })
			s.must(func(tx Tx) error { return tx.Teleport(a.p, c.teleport) })
			samePackets(t, a.sent, c.want)
			f := a.p.body
			if c.teleport.Position != nil && f.Position != at || math.Abs(protocol.Degrees(f.Heading)-c.heading) > 0.01 ||
				(f.Velocity[0] != 0) != (c.teleport.Position == nil || c.teleport.KeepVelocity) {
				t.Errorf("the server has %+v", f)
			}
			if c.teleport.Interior != nil && f.Interior != *c.teleport.Interior ||
				c.teleport.Dimension != nil && a.p.dimension != *c.teleport.Dimension || int(f.Epoch) != 1+len(c.want) {
				t.Errorf("interior %d, dimension %d, epoch %d", f.Interior, a.p.dimension, f.Epoch)
			}
			s.want("events", s.took(), c.events)
			before := a.p.motion.at
			a.frame(func(f *protocol.Frame) { f.Epoch = 1; f.Position = testRules.Spawn.Position })
			if len(c.want) > 0 && a.p.motion.at != before {
				t.Error("a frame of before has bounced him back")
			}
		})
	}
}

// TestTeleportErrors: what is refused changes nothing, not half of it either.
func TestTeleportErrors(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	before := a.p.body
	for name, bad := range map[string]Teleport{
		"nothing":   {KeepVelocity: true},
		"far":       {Position: ptr(vec(20001, 0, 0)), Dimension: ptr(uint16(7))},
		"nan":       {Position: ptr(vec(float32(math.NaN()), 0, 0))},
		"heading":   {Heading: ptr(float32(360)), Dimension: ptr(uint16(7))},
		"dimension": {Position: ptr(vec(1, 2, 3)), Dimension: ptr(uint16(65535))},
	} {
		s.do(func(tx Tx) {
			if err := tx.Teleport(a.p, bad); err == nil || a.p.body != before || a.p.dimension != 0 || len(a.sent) > 0 {
				t.Errorf("%s: %v; sent %d", name, err, len(a.sent))
			}
		})
	}
	s.want("events", s.took(), "")
}

func samePackets(t *testing.T, got, want []protocol.Packet) {
	t.Helper()
	same := slices.EqualFunc(got, want, func(a, b protocol.Packet) bool {
		x, _ := protocol.Append(nil, protocol.Header{}, a)
		y, _ := protocol.Append(nil, protocol.Header{}, b)
		return slices.Equal(x, y)
	})
	if !same {
		t.Errorf("sent")
		for _, m := range got {
			t.Errorf("  %v %+v", m.ID(), m)
		}
		t.Errorf("want")
		for _, m := range want {
			t.Errorf("  %v %+v", m.ID(), m)
		}
	}
}

// TestScope: dimension and interior with their packet, events and viewers.
func TestScope(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	sees := func() (yes bool) {
		s.do(func(tx Tx) { yes = tx.Sees(b.p, a.p) && tx.Sees(a.p, b.p) })
		return yes
	}
	if !sees() {
		t.Fatal("they do not see each other")
	}
	a.hush()
	s.must(func(tx Tx) error { return tx.SetDimension(a.p, 7) })
	if sees() {
		t.Error("seen in another dimension")
	}
	s.must(func(tx Tx) error { return tx.SetInterior(a.p, 9) })
	s.must(func(tx Tx) error { return tx.SetInterior(a.p, 9) })
	samePackets(t, a.sent, []protocol.Packet{&protocol.ScopeChanged{Epoch: 2, Dimension: 7},
		&protocol.ScopeChanged{Epoch: 3, Dimension: 7, Interior: 9}})
	if e := eventsOf[PlayerDimensionChange](s.rig); len(e) != 1 || e[0] != (PlayerDimensionChange{a.p, 0, 7, ByScript}) {
		t.Errorf("%+v", e)
	}
	if e := eventsOf[PlayerInteriorChange](s.rig); len(e) != 1 || e[0] != (PlayerInteriorChange{a.p, 0, 9, ByScript}) {
		t.Errorf("%+v", e)
	}
	s.must(func(tx Tx) error { return tx.SetDimension(a.p, 0) })
	if !sees() {
		t.Error("not seen again")
	}
	c := s.actor("Cid") // his camera may look there before he has spawned
	s.must(func(tx Tx) error { return tx.SetDimension(c.p, 7) })
	samePackets(t, c.sent, []protocol.Packet{&protocol.ScopeChanged{Epoch: 1, Dimension: 7}})
	s.do(func(tx Tx) {
		if tx.SetDimension(a.p, 65535) == nil || tx.Dimension(a.p) != 0 || tx.Interior(a.p) != 9 {
			t.Error("dimension 65,535 is taken")
		}
	})
}

// TestHidden: in nobody's scope, until it is taken back.
func TestHidden(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	sees := func() (yes bool) {
		s.do(func(tx Tx) { yes = tx.Sees(b.p, a.p) })
		return yes
	}
	s.do(func(tx Tx) { tx.SetHidden(a.p, true, "demo") })
	if sees() {
		t.Error("seen")
	}
	s.do(func(tx Tx) { tx.playersOf("other") })
	if sees() {
		t.Error("seen when another resource has stopped")
	}
	s.do(func(tx Tx) { tx.playersOf("demo") })
	if !sees() {
		t.Error("not seen when its resource has stopped")
	}
}

// TestReleased: what a resource takes back when it stops, and what stays.
func TestReleased(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	for _, set := range []func(tx Tx) error{
		func(tx Tx) error { return tx.SetFrozen(a.p, true, "demo") },
		func(tx Tx) error { return tx.SetGravity(a.p, 0.5, "demo") },
		func(tx Tx) error {
			return tx.SetWorldBounds(a.p, protocol.SetWorldBounds{MinX: -1, MaxX: 1, MaxY: 1}, "demo")
		},
		func(tx Tx) error { return tx.Spectate(a.p, b.p, 0, "demo") },
		func(tx Tx) error { return tx.SetSkin(a.p, 106) },
		func(tx Tx) error { return tx.SetMoney(a.p, 5) },
		func(tx Tx) error { return tx.SetGravity(b.p, 0.5, "other") },
		func(tx Tx) error { return tx.SetFrozen(b.p, true, "demo") },
		func(tx Tx) error { return tx.SetFrozen(b.p, true, "other") }, // whoever set it last
	} {
		s.must(set)
	}
	a.hush()
	b.hush()
	s.do(func(tx Tx) { tx.playersOf("demo") })
	s.want("taken back", a.said(), "SetFrozen, SetGravity, SetWorldBounds, SetCamera")
	s.want("of another", b.said(), "")
	s.do(func(tx Tx) {
		if tx.Frozen(a.p) || tx.Gravity(a.p) != 1 || tx.WorldBounds(a.p) != NoBounds || a.p.camera.mode != 0 ||
			tx.Skin(a.p) != 106 || tx.Money(a.p) != 5 || tx.Gravity(b.p) != 0.5 || !tx.Frozen(b.p) {
			t.Error("not as it should be")
		}
		tx.playersOf("demo")
	})
	s.want("again", a.said(), "")
}

// TestSelfSettings: ranges, and that a refused value changes nothing.
func TestSelfSettings(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	for name, bad := range map[string]func(tx Tx) error{
		"gravity":  func(tx Tx) error { return tx.SetGravity(a.p, 10.5, "") },
		"velocity": func(tx Tx) error { return tx.SetVelocity(a.p, vec(150, 150, 0)) },
		"bounds": func(tx Tx) error {
			return tx.SetWorldBounds(a.p, protocol.SetWorldBounds{MinX: 1, MaxX: 1, MaxY: 1}, "")
		},
		"drunk":    func(tx Tx) error { return tx.SetDrunk(a.p, 101, 0) },
		"too long": func(tx Tx) error { return tx.SetDrunk(a.p, 100, 2*time.Hour) },
		"sober":    func(tx Tx) error { return tx.SetDrunk(a.p, 0, time.Second) },
		"money":    func(tx Tx) error { return tx.SetMoney(a.p, 1_000_000_000) },
		"wanted":   func(tx Tx) error { return tx.SetWanted(a.p, 7) },
		"skin":     func(tx Tx) error { return tx.SetSkin(a.p, 3) },
		"fighting": func(tx Tx) error { return tx.SetFightingStyle(a.p, 8) },
		"walking":  func(tx Tx) error { return tx.SetWalkingStyle(a.p, 1) },
		"skills":   func(tx Tx) error { return tx.SetSkills(a.p, [protocol.SkillCount]uint16{1001}) },
		"stats":    func(tx Tx) error { return tx.SetStats(a.p, [protocol.StatCount]uint16{1001}) },
		"action":   func(tx Tx) error { return tx.SetSpecialAction(a.p, 16) },
	} {
		before, look, place, skin := a.p.body, a.p.look, a.p.place, a.p.skin
		s.do(func(tx Tx) {
			if err := bad(tx); err == nil || a.p.body != before || a.p.look != look || a.p.place != place || a.p.skin != skin {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	s.want("sent", a.said(), "")
}

// TestFullLane: where the lane takes nothing more, a script hears of it and nothing has changed.
func TestFullLane(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	a.unacked = 200
	full := errors.New("full")
	for range 3000 {
		s.do(func(tx Tx) { full = tx.SetMoney(a.p, 7) })
	}
	before := a.p.place
	at := vec(1, 2, 3)
	s.do(func(tx Tx) {
		if full == nil || tx.SetFrozen(a.p, true, "") == nil || tx.Teleport(a.p, Teleport{Position: &at}) == nil ||
			tx.Teleport(a.p, Teleport{Position: &at, Dimension: ptr(uint16(7))}) == nil || tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") == nil ||
			tx.SetCamera(a.p, Camera{Target: at}, "") == nil {
			t.Error("no error")
		}
		if a.p.place != before || a.p.dimension != 0 || a.p.body.Position == at || a.p.lives != 1 || a.p.camera.mode != 0 {
			t.Error("something has changed")
		}
	})
}

// TestWantedAgain: droppable state that the lane has refused is sent as it is once there is room.
func TestWantedAgain(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	a.unacked = 200
	s.must(func(tx Tx) error { return tx.SetMoney(a.p, 7) }) // waits in front of the lane
	s.must(func(tx Tx) error { return tx.SetWanted(a.p, 2) })
	s.must(func(tx Tx) error { return tx.SetWanted(a.p, 3) })
	s.want("congested", a.said(), "")
	a.unacked = 0
	a.empty()
	if m := lastOf[*protocol.SetWanted](a.link); m == nil || m.Level != 3 {
		t.Errorf("%+v", m)
	}
	s.want("then", a.said(), "SetMoney, SetWanted")
	a.unacked = 200
	s.must(func(tx Tx) error { return tx.SetMoney(a.p, 8) })
	s.must(func(tx Tx) error { return tx.SetWanted(a.p, 1) })
	a.unacked = 100
	if err := a.pace.Flush(s.rig.now, a.link); err != nil { // what waits straight goes first
		t.Fatal(err)
	}
	s.must(func(tx Tx) error { return tx.SetWanted(a.p, 2) })
	a.empty()
	if m := lastOf[*protocol.SetWanted](a.link); m.Level != 2 {
		t.Errorf("the last is %d", m.Level)
	}
}

// empty lets all that waits in the pacer leave; what was sent stays to be looked at.
func (a *actor) empty() {
	for a.pace.Len() > 0 {
		a.flush()
	}
}

// TestNear: nearest first, of one dimension or of all, without those who have not spawned.
func TestNear(t *testing.T) {
	s := newStage(t)
	s.actor("Waits")
	a, b, c := s.alive("Ann"), s.alive("Bob"), s.alive("Cid")
	for i, x := range []*actor{b, a, c} {
		s.must(func(tx Tx) error { return tx.Teleport(x.p, Teleport{Position: ptr(vec(float32(10*i), 0, 0))}) })
	}
	s.must(func(tx Tx) error { return tx.SetDimension(a.p, 7) })
	s.do(func(tx Tx) {
		for _, c := range []struct {
			radius    float64
			dimension int
			want      []*Player
		}{{100, AnyDimension, []*Player{b.p, a.p, c.p}}, {100, 0, []*Player{b.p, c.p}}, {10, AnyDimension, []*Player{b.p, a.p}}, {9, 7, nil}} {
			if got := tx.PlayersNear(vec(0, 0, 0), c.radius, c.dimension); !slices.Equal(got, c.want) {
				t.Errorf("within %g of %d: %v", c.radius, c.dimension, got)
			}
		}
		if d, err := tx.DistanceTo(c.p, vec(20, 3, 4), 0); d != 5 || err != nil {
			t.Errorf("%g, %v", d, err)
		}
		if d, _ := tx.DistanceTo(c.p, vec(20, 3, 4), 1); !math.IsInf(d, 1) {
			t.Errorf("%g in another dimension", d)
		}
	})
}

// TestGone: a handle stays good until player_leave is over; what is set then is lost without an error.
func TestGone(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	s.do(func(tx Tx) { tx.Leave(a.link, protocol.ReasonQuit, "") })
	a.hush()
	for _, f := range []func(tx Tx) error{
		func(tx Tx) error { return tx.SetMoney(a.p, 5) },
		func(tx Tx) error { return tx.SetSkin(a.p, 106) },
		func(tx Tx) error { return tx.SetDimension(a.p, 7) },
		func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: ptr(vec(1, 2, 3))}) },
		func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") },
		func(tx Tx) error { return tx.SetCamera(a.p, Camera{Target: vec(1, 2, 3)}, "") },
		func(tx Tx) error { return tx.Fade(a.p, true, 0, protocol.RGBA{}) },
		func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) },
	} {
		s.must(f)
	}
	s.do(func(tx Tx) { tx.SetHidden(a.p, true, "demo") })
	s.want("sent", a.said(), "")
	s.want("events", s.took(), "")
}
