package world

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// yard is a stage that hears of colshapes.
type yard struct{ *stage }

func newYard(t *testing.T) *yard {
	y := &yard{newStage(t)}
	y.w.cfg.Players.MovementLimit = 0
	y.w.cfg.Listens = func(event string) bool { return strings.HasPrefix(event, "colshape_") }
	return y
}

func (y *yard) shape(s ColshapeSpec) *Colshape {
	y.t.Helper()
	var c *Colshape
	y.must(func(tx Tx) (err error) { c, err = tx.CreateColshape(s); return err })
	return c
}

func sphere(x, y, radius float32) ColshapeSpec {
	return ColshapeSpec{Position: vec(x, y, 10), Size: vec(radius, 0, 0), Margin: 0.5}
}

// tick lets the next tick come.
func (y *yard) tick() {
	y.rig.now += 25 * time.Millisecond
	y.do(func(tx Tx) { tx.Tick() })
}

// heard is what scripts were told since the last call: "+1 Alice, -1 Alice moved".
func (y *yard) heard() string {
	var list []string
	for _, e := range y.events {
		switch e := e.(type) {
		case ColshapeEvent:
			if e.Reason == "" {
				list = append(list, fmt.Sprintf("+%d %s", e.Colshape.ID, e.Player.Name()))
			} else {
				list = append(list, fmt.Sprintf("-%d %s %s", e.Colshape.ID, e.Player.Name(), e.Reason))
			}
		case ColshapeGone:
			list = append(list, fmt.Sprintf("gone %d", e.Colshape.ID))
		case PlayerLeave:
			list = append(list, "leave "+e.Player.Name())
		}
	}
	y.events = nil
	return strings.Join(list, ", ")
}

// walk is the next frame at a place.
func (a *actor) walk(x, y float32) {
	a.frame(func(f *protocol.Frame) { f.Position = vec(x, y, 10) })
}

func (y *yard) teleport(a *actor, x, at float32, dimension uint16) {
	to := vec(x, at, 10)
	y.must(func(tx Tx) error { return tx.Teleport(a.p, Teleport{Position: &to, Dimension: &dimension}) })
}

// TestColshapeRule is page World, Entering and leaving, sentence by sentence.
func TestColshapeRule(t *testing.T) {
	y := newYard(t)
	ids := func(c *Colshape) uint32 { return c.ID }
	a := y.alive("Alice")
	y.teleport(a, 0, 0, 0)
	y.heard()
	c := y.shape(sphere(0, 0, 3))
	first := ids(c)
	expect := func(what, want string) {
		t.Helper()
		want = strings.ReplaceAll(want, "#", fmt.Sprint(first))
		y.want(what, y.heard(), want)
	}
	expect("not at once", "")
	y.tick()
	expect("a shape made around him, in the next tick", "+# Alice")
	a.walk(3.4, 0)
	expect("outside, but within the margin", "")
	a.walk(3.6, 0)
	expect("outside the margin", "-# Alice moved")
	a.walk(3.2, 0)
	expect("to enter he has to be inside", "")
	a.walk(3, 0)
	expect("on the border is inside", "+# Alice")
	a.walk(10, 0)
	expect("out", "-# Alice moved")
	a.walk(-10, 0)
	expect("through it", "+# Alice, -# Alice moved")
	a.walk(51, 0)
	expect("more than 60 m", "")
	y.teleport(a, -5, 0, 0)
	y.tick()
	expect("a teleport through it", "")
	y.teleport(a, 0, 0, 0)
	expect("a teleport into it is told in the next tick", "")
	y.tick()
	expect("a teleport into it", "+# Alice")
	y.teleport(a, 100, 0, 0)
	y.teleport(a, 0, 1, 0)
	y.tick()
	expect("what is no longer true is skipped", "")
	y.teleport(a, 100, 0, 0)
	a.walk(100, 1)
	expect("a teleport out of it, told by the first frame", "-# Alice teleported")
	y.teleport(a, 0, 0, 0)
	y.tick()
	y.heard()
	y.must(func(tx Tx) error { return tx.SetDimension(a.p, 7) })
	y.tick()
	expect("another dimension", "-# Alice dimension")
	all := c.spec
	all.Dimension = EveryDimension
	y.must(func(tx Tx) error { return tx.ChangeColshape(c, all) })
	y.tick()
	expect("a shape in all dimensions", "+# Alice")
	y.must(func(tx Tx) error { return tx.SetDimension(a.p, 0) })
	y.tick()
	expect("it stays", "")
	off := all
	off.Disabled = true
	y.must(func(tx Tx) error { return tx.ChangeColshape(c, off) })
	y.tick()
	expect("disabled", "-# Alice shape")
	y.must(func(tx Tx) error { return tx.ChangeColshape(c, all) })
	y.tick()
	expect("enabled", "+# Alice")
	moved := all
	moved.Position.X = 500
	y.must(func(tx Tx) error { return tx.ChangeColshape(c, moved) })
	y.tick()
	expect("moved away", "-# Alice shape")
	y.must(func(tx Tx) error { return tx.ChangeColshape(c, all) })
	y.tick()
	y.heard()
	y.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseFall) })
	y.tick()
	expect("the body lies there", "")
	y.do(func(tx Tx) {
		at := vec(2000, 0, 10)
		s := tx.SpawnDefaults(a.p)
		s.Position = at
		if err := tx.Spawn(a.p, s, ""); err != nil {
			t.Fatal(err)
		}
	})
	y.tick()
	expect("respawned elsewhere", "-# Alice teleported")
	a.frame(nil)
	y.teleport(a, 0, 0, 0)
	y.tick()
	y.heard()
	second := y.shape(sphere(0, 0, 1))
	y.tick()
	y.heard()
	a.walk(-10, 0)
	y.want("leaves by rising id", y.heard(), fmt.Sprintf("-%d Alice moved, -%d Alice moved", first, second.ID))
	third := y.shape(sphere(-10, 0, 1))
	y.tick()
	y.heard()
	a.walk(0, 0)
	y.want("leaves come before enters", y.heard(), fmt.Sprintf("-%d Alice moved, +%d Alice, +%d Alice", third.ID, first, second.ID))
	y.do(func(tx Tx) { tx.DestroyColshape(second) })
	if second.Valid() {
		t.Error("a destroyed one is valid")
	}
	y.tick()
	y.want("destroyed", y.heard(), fmt.Sprintf("-%d Alice shape, gone %d", second.ID, second.ID))
	y.do(func(tx Tx) { tx.Leave(a.link, protocol.ReasonQuit, "") })
	expect("he leaves", "-# Alice gone, leave Alice")
	y.tick()
	expect("once", "")
	if len(y.w.colshapes.byID) != 2 || len(c.inside) != 0 {
		t.Errorf("%d are left, in the first are %d", len(y.w.colshapes.byID), len(c.inside))
	}
	before := y.actor("Bobby")
	y.tick()
	y.do(func(tx Tx) { tx.Leave(before.link, protocol.ReasonQuit, "") })
	expect("one who has not spawned is in none", "leave Bobby")
}

// TestColshapesOfAResource go with it.
func TestColshapesOfAResource(t *testing.T) {
	y := newYard(t)
	a := y.alive("Alice")
	y.teleport(a, 0, 0, 0)
	mine, other := sphere(0, 0, 3), sphere(0, 0, 3)
	mine.By, other.By = "a", "b"
	c := y.shape(mine)
	y.shape(other)
	y.tick()
	y.heard()
	y.do(func(tx Tx) { tx.ResourceEnded("a") })
	y.tick()
	y.want("told", y.heard(), fmt.Sprintf("-%d Alice shape, gone %d", c.ID, c.ID))
	y.do(func(tx Tx) {
		if n := tx.ColshapeCount(); n != 1 {
			t.Errorf("%d are left", n)
		}
		_, err := tx.CreateColshape(ColshapeSpec{Position: vec(0, 0, 0)})
		y.want("no size", fmt.Sprint(err != nil), "true")
	})
}

// TestAreas holds which points are in which areas, and at which margin.
func TestAreas(t *testing.T) {
	l := []protocol.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: 10}, {X: 5, Y: 10}, {X: 5, Y: 5}, {X: 0, Y: 5}}
	tests := []struct {
		name    string
		spec    ColshapeSpec
		in, out []protocol.Vec3 // out: and in with a margin of 2
		far     []protocol.Vec3
	}{
		{"sphere", ColshapeSpec{Kind: protocol.ColshapeSphere, Position: vec(1, 1, 1), Size: vec(2, 0, 0)},
			[]protocol.Vec3{vec(1, 1, 3), vec(3, 1, 1)}, []protocol.Vec3{vec(1, 1, 3.1), vec(5, 1, 1)}, []protocol.Vec3{vec(1, 5.1, 1)}},
		{"cuboid", ColshapeSpec{Kind: protocol.ColshapeCuboid, Position: vec(0, 0, 0), Size: vec(2, 4, 6)},
			[]protocol.Vec3{vec(1, 2, 3), vec(-1, -2, -3)}, []protocol.Vec3{vec(1.1, 2, 3), vec(1, 4, 3), vec(0, 0, 5)}, []protocol.Vec3{vec(3.1, 0, 0), vec(0, 0, 5.1)}},
		{"cuboid, turned by a quarter", ColshapeSpec{Kind: protocol.ColshapeCuboid, Position: vec(0, 0, 0), Size: vec(2, 4, 6), Heading: 90},
			[]protocol.Vec3{vec(2, 0.99, 3)}, []protocol.Vec3{vec(2.1, 1, 3)}, []protocol.Vec3{vec(0, 3.1, 0)}},
		{"cuboid, turned by an eighth", ColshapeSpec{Kind: protocol.ColshapeCuboid, Position: vec(0, 0, 0), Size: vec(2, 20, 6), Heading: 45},
			[]protocol.Vec3{vec(-7, 7, 0)}, []protocol.Vec3{vec(-8, 8, 0)}, []protocol.Vec3{vec(7, 7, 0)}},
		{"cylinder", ColshapeSpec{Kind: protocol.ColshapeCylinder, Position: vec(0, 0, 5), Size: vec(3, 0, 2)},
			[]protocol.Vec3{vec(3, 0, 5), vec(0, 3, 7)}, []protocol.Vec3{vec(0, 0, 4.9), vec(0, 0, 9), vec(5, 0, 6)}, []protocol.Vec3{vec(0, 0, 2.9), vec(4, 4, 6)}},
		{"rectangle", ColshapeSpec{Kind: protocol.ColshapeRectangle, Position: vec(0, 0, 0), Size: vec(2, 4, 0)},
			[]protocol.Vec3{vec(1, 2, 9999), vec(1, -2, -9999)}, []protocol.Vec3{vec(2, 0, 0)}, []protocol.Vec3{vec(3.1, 0, 0)}},
		{"polygon", ColshapeSpec{Kind: protocol.ColshapePolygon, Points: l},
			[]protocol.Vec3{vec(1, 1, 500), vec(9, 9, -500), vec(10, 5, 0), vec(5, 7, 0), vec(0, 0, 0)}, []protocol.Vec3{vec(4, 7, 0), vec(12, 5, 0)}, []protocol.Vec3{vec(2, 8, 0)}},
		{"polygon with a floor", ColshapeSpec{Kind: protocol.ColshapePolygon, Position: vec(0, 0, 10), Size: vec(0, 0, 3), Points: l},
			[]protocol.Vec3{vec(1, 1, 10), vec(1, 1, 13)}, []protocol.Vec3{vec(1, 1, 9), vec(1, 1, 15)}, []protocol.Vec3{vec(1, 1, 7)}},
	}
	for _, test := range tests {
		test.spec.Margin = 2
		if err := test.spec.check(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		a := newArea(&test.spec)
		for what, list := range map[string][]protocol.Vec3{"in": test.in, "near": test.out, "far": test.far} {
			for _, at := range list {
				if in, near := a.contains(at, 0), a.contains(at, 2); in != (what == "in") || near != (what != "far") {
					t.Errorf("%s: %v is %s, but in %t, with the margin %t", test.name, at, what, in, near)
				}
			}
		}
	}
}

// TestColshapesAtRandom compares the index with a look at all areas, and holds that each enter has one leave.
func TestColshapesAtRandom(t *testing.T) {
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 3))
		y := newYard(t)
		var actors []*actor
		for i := range 5 {
			a := y.alive(fmt.Sprint("Player", i))
			y.teleport(a, 0, 0, 0)
			actors = append(actors, a)
		}
		y.tick()
		y.events = nil
		any := func() ColshapeSpec {
			s := sphere(random.Float32()*400-200, random.Float32()*400-200, 1+random.Float32()*80)
			s.Dimension = random.IntN(3) - 1
			switch random.IntN(4) {
			case 0:
				s.Kind, s.Size, s.Position.Z = protocol.ColshapeRectangle, vec(1+random.Float32()*3000, 5, 0), 0
			case 1:
				s.Kind, s.Size, s.Heading = protocol.ColshapeCuboid, vec(50, 100, 20), random.Float32()*359
			}
			return s
		}
		var shapes []*Colshape
		in := make(map[string]bool)
		check := func() {
			for _, e := range y.events {
				e, ok := e.(ColshapeEvent)
				if !ok {
					continue
				}
				key := fmt.Sprint(e.Colshape.ID, " ", e.Player.ID)
				if in[key] == (e.Reason == "") {
					t.Fatalf("seed %d: %s enters or leaves twice", seed, key)
				}
				in[key] = e.Reason == ""
			}
			y.events = nil
			for _, c := range shapes {
				for _, a := range actors {
					key := fmt.Sprint(c.ID, " ", a.p.ID)
					may := c.open() && c.in(a.p.dimension)
					inner, outer := may && c.area.contains(a.p.body.Position, 0), may && c.area.contains(a.p.body.Position, c.spec.Margin)
					if inner && !in[key] || !outer && in[key] {
						t.Fatalf("seed %d: %s is in %t, the area has him %t", seed, key, in[key], inner)
					}
				}
			}
		}
		for range 300 {
			a := actors[random.IntN(len(actors))]
			switch n := random.IntN(10); {
			case n == 0:
				shapes = append(shapes, y.shape(any()))
			case n == 1 && len(shapes) > 0:
				c := shapes[random.IntN(len(shapes))]
				s := any()
				s.Disabled = random.IntN(3) == 0
				y.must(func(tx Tx) error { return tx.ChangeColshape(c, s) })
			case n == 2 && len(shapes) > 5:
				y.do(func(tx Tx) { tx.DestroyColshape(shapes[random.IntN(len(shapes))]) })
			case n == 3:
				y.teleport(a, random.Float32()*400-200, random.Float32()*400-200, uint16(random.IntN(2)))
			case n == 4:
				y.full = random.IntN(2) == 0
			default:
				at := a.p.body.Position
				a.walk(at.X+random.Float32()*40-20, at.Y+random.Float32()*40-20)
			}
			if random.IntN(3) == 0 {
				y.full = false
				y.tick()
				y.tick()
				check()
			}
		}
		y.full = false
		for _, c := range shapes {
			y.do(func(tx Tx) { tx.DestroyColshape(c) })
		}
		y.tick()
		y.tick()
		check()
		for key, still := range in {
			if still {
				t.Fatalf("seed %d: %s never leaves", seed, key)
			}
		}
		if g := &y.w.colshapes.grid; len(g.squares)+len(g.wide) > 0 {
			t.Fatalf("seed %d: %d squares and %d wide ones are left", seed, len(g.squares), len(g.wide))
		}
	}
}

// BenchmarkColshapeFrame is what a walking player's frame costs with 500 areas about, of which he is in one.
func BenchmarkColshapeFrame(b *testing.B) {
	r := &rig{}
	r.w = New(Config{Now: func() time.Duration { return r.now }, Sink: r, Chat: testChat, Players: testRules})
	_, p := r.join("Alice")
	random := rand.New(rand.NewPCG(1, 3))
	tx := r.w.Begin()
	defer tx.End()
	for range 500 {
		if _, err := tx.CreateColshape(sphere(random.Float32()*6000-3000, random.Float32()*6000-3000, 3)); err != nil {
			b.Fatal(err)
		}
	}
	_, _ = tx.CreateColshape(sphere(0, 0, 50))
	p.life = Alive
	tx.tickColshapes()
	b.ReportAllocs()
	step := float32(0.2)
	for b.Loop() {
		if p.body.Position.X > 40 || p.body.Position.X < -40 {
			step = -step
		}
		p.body.Position.X += step
		tx.trackFrame(p)
	}
}
