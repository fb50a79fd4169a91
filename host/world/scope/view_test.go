package scope

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"darqline/protocol"
)

// eastward are things at these distances to the east of the middle, in slots from 1 on.
func eastward(distances ...float32) []Thing {
	things := make([]Thing, len(distances))
	for i, d := range distances {
		things[i] = Thing{Position: protocol.Vec3{X: d}, Slot: uint32(i + 1)}
	}
	return things
}

// TestLook has a viewer in the middle look at one scene after another.
func TestLook(t *testing.T) {
	type scene struct {
		things        []Thing
		entered, left []uint32
	}
	elsewhere := []Thing{{Slot: 1, Dimension: 7}}
	above := []Thing{{Slot: 1, Position: protocol.Vec3{X: 180, Z: 240}}}
	for name, c := range map[string]struct {
		max    int
		scenes []scene
	}{
		"enters below, leaves above": {0, []scene{
			{eastward(300), nil, nil},
			{eastward(299.99), []uint32{1}, nil},
			{eastward(330), nil, nil},
			{eastward(330.01), nil, []uint32{1}},
			{eastward(330), nil, nil},
		}},
		"height counts":       {0, []scene{{above, nil, nil}, {eastward(1), []uint32{1}, nil}, {above, nil, nil}}},
		"gone":                {0, []scene{{eastward(1, 2), []uint32{1, 2}, nil}, {eastward(1), nil, []uint32{2}}, {nil, nil, []uint32{1}}}},
		"another dimension":   {0, []scene{{eastward(0), []uint32{1}, nil}, {elsewhere, nil, []uint32{1}}}},
		"nearest first":       {0, []scene{{eastward(50, 10, 200, 10), []uint32{2, 4, 1, 3}, nil}}},
		"the nearest only":    {2, []scene{{eastward(50, 10, 200, 20), []uint32{2, 4}, nil}}},
		"of equals the lower": {2, []scene{{eastward(5, 5, 5, 5), []uint32{1, 2}, nil}}},
		"gives way to who is nearer by the margin": {1, []scene{
			{eastward(100), []uint32{1}, nil},
			{eastward(100, 81), nil, nil},
			{eastward(100, 80), nil, nil},
			{eastward(100, 79.5), []uint32{2}, []uint32{1}},
			{eastward(60, 79.5), nil, nil},
		}},
		"more than there is room for come nearer": {2, []scene{
			{eastward(100, 110, 120), []uint32{1, 2}, nil},
			{eastward(100, 110, 120, 5, 6), []uint32{4, 5}, []uint32{1, 2}},
		}},
		"a crowd that scatters": {2, []scene{
			{eastward(1, 2, 3, 4), []uint32{1, 2}, nil},
			{eastward(250, 290, 310, 400), nil, nil},
			{eastward(400, 290, 310, 299), []uint32{4}, []uint32{1}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var grid Grid
			var view View
			var changes Changes
			rules := Rules{Enter: 300, Leave: 330, Max: c.max, Margin: 20}
			for i, s := range c.scenes {
				grid.Build(s.things)
				view.Look(&grid, Thing{Slot: Nobody}, rules, &changes)
				var entered []uint32
				for _, n := range changes.Entered {
					entered = append(entered, n.Slot)
				}
				slices.Sort(changes.Left)
				if !slices.Equal(entered, s.entered) || !slices.Equal(changes.Left, s.left) {
					t.Errorf("scene %d: entered %v, left %v; want %v and %v", i, entered, changes.Left, s.entered, s.left)
				}
			}
		})
	}
}

// TestNear asks across the map's edges, where the torus laps and with radii that hold the whole world.
func TestNear(t *testing.T) {
	const lap = cell * side
	things := []Thing{
		{Position: protocol.Vec3{X: 20000, Y: -20000}, Slot: 1},
		{Position: protocol.Vec3{X: 20000 - lap, Y: -20000}, Slot: 2}, // in the cell of 1
		{Position: protocol.Vec3{X: 19700, Y: -20000}, Slot: 3},
		{Position: protocol.Vec3{X: 20000, Y: -20000}, Slot: 4, Dimension: 65534},
	}
	var grid Grid
	grid.Build(things)
	for _, c := range []struct {
		at        protocol.Vec3
		dimension uint16
		radius    float32
		want      []uint32
	}{
		{things[0].Position, 0, 0, []uint32{1}},
		{things[0].Position, 0, 299.99, []uint32{1}},
		{things[0].Position, 0, 300, []uint32{1, 3}},
		{things[0].Position, 65534, 300, []uint32{4}},
		{things[0].Position, 1, 300, nil},
		{things[0].Position, AllDimensions, 300, []uint32{1, 4, 3}},
		{things[1].Position, 0, lap, []uint32{2, 3, 1}},
		{protocol.Vec3{}, 0, 60000, []uint32{2, 3, 1}},
		{protocol.Vec3{}, 0, 20000, nil},
	} {
		var got []uint32
		for _, n := range grid.Near(nil, c.at, c.dimension, c.radius) {
			got = append(got, n.Slot)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("within %v of %v in %d: %v, want %v", c.radius, c.at, c.dimension, got, c.want)
		}
	}
	kept := []Near{{Slot: 9, Square: 1e9}}
	if got := grid.Near(kept, things[0].Position, 0, 300); len(got) != 3 || got[0] != kept[0] || got[2].Distance() != 300 {
		t.Errorf("appended %v", got)
	}
}

// TestRim has things at the corners of cells and, for the very radius at which they are, asks from any direction: no
// rounding may leave out the cell.
func TestRim(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	axis := func() float32 {
		corner := float32(cell * (random.IntN(313) - 156)) // within 20,000
		return math.Nextafter32(corner, []float32{-edge, corner, edge}[random.IntN(3)])
	}
	things := make([]Thing, 20000)
	for i := range things {
		things[i] = Thing{Position: protocol.Vec3{X: axis(), Y: axis()}, Slot: uint32(i)}
	}
	var grid Grid
	grid.Build(things)
	for _, thing := range things {
		way, far := random.Float64()*2*math.Pi, random.Float64()*500
		if random.IntN(2) == 0 {
			way = math.Pi / 2 * float64(random.IntN(4))
		}
		at := thing.Position
		at.X += float32(far * math.Cos(way))
		at.Y += float32(far * math.Sin(way))
		apart := square(at, thing.Position)
		radius := sqrt(apart)
		for radius*radius < apart {
			radius = math.Nextafter32(radius, edge)
		}
		if found := grid.Near(nil, at, 0, radius); !slices.Contains(found, Near{thing.Slot, apart}) {
			t.Fatalf("%v does not find %v, at %v m, but %v", at, thing.Position, radius, found)
		}
	}
}

func TestLine(t *testing.T) {
	inf := float32(math.Inf(1))
	before := 0
	for _, x := range []float32{-inf, -1e30, -edge, -20000, -128, -127.5, -1e-30, 0, 127.5, 128, 20000, edge, 1e30, inf} {
		l := line(x)
		if l < before || l > 2*edge/cell+side {
			t.Errorf("line of %v is %d, after %d", x, l, before)
		}
		if x > -edge && x < edge && (x < border(l)-slack || x >= border(l+1)) {
			t.Errorf("line of %v is %d, from %v to %v", x, l, border(l), border(l+1))
		}
		before = l
	}
}

func TestPick(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		keys := make([]key, 1+random.IntN(50))
		for i := range keys {
			keys[i] = key(random.IntN(len(keys)))<<32 | key(i)
		}
		sorted := slices.Sorted(slices.Values(keys))
		n := random.IntN(len(keys))
		if got := pick(slices.Clone(keys), n); got != sorted[n] {
			t.Fatalf("number %d of %v is %v, want %v", n, keys, got, sorted[n])
		}
	}
}

// TestFarOffIsFree holds that nothing far away, nor in another dimension, makes a look longer.
func TestFarOffIsFree(t *testing.T) {
	things := eastward(10)
	for i := range 2000 {
		far := protocol.Vec3{X: 3000 + float32(i), Y: float32(math.Inf(1))}
		things = append(things, Thing{Position: far, Slot: uint32(i + 2)}, Thing{Slot: uint32(i + 2002), Dimension: uint16(i + 1)})
	}
	var grid Grid
	grid.Build(things)
	scanned := 0
	for _, s := range grid.disc(nil, protocol.Vec3{}, 0, 330) {
		scanned += int(s.to - s.from)
	}
	if scanned > 50 {
		t.Errorf("scans %d of %d things to find one", scanned, len(things))
	}
}

func TestNothingIsAllocated(t *testing.T) {
	s := newScene(300, 1000, 1500, 0.5, 200)
	players, vehicles := newEyes(300, forPlayers, true), newEyes(300, forVehicles, false)
	near := make([]Near, 0, 300)
	frame := 0
	pass := func() {
		players.pass(s.players[frame%8], s.players[frame%8], false)
		vehicles.pass(s.players[frame%8], s.vehicles[frame%8], false)
		near = players.grid.Near(near[:0], protocol.Vec3{}, 0, 500)
		frame++
	}
	for range 16 {
		pass()
	}
	if n := testing.AllocsPerRun(40, pass); n != 0 {
		t.Errorf("%v allocations a pass", n)
	}
}

// TestManyLookAtOnce has goroutines look at one grid, each with its own Changes.
func TestManyLookAtOnce(t *testing.T) {
	s := newScene(200, 0, 600, 0, 0)
	var grid Grid
	grid.Build(s.players[0])
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var changes Changes
			for _, viewer := range s.players[0] {
				var view View
				view.Look(&grid, viewer, forPlayers, &changes)
				found := grid.Near(nil, viewer.Position, 0, math.Nextafter32(forPlayers.Enter, 0))
				if view.Has(viewer.Slot) || len(found) != len(view.Seen())+1 {
					t.Errorf("%d sees %d of %d", viewer.Slot, len(view.Seen()), len(found))
				}
			}
		})
	}
	group.Wait()
}
