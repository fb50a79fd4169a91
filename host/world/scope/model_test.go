package scope

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"darqline/protocol"
)

// model is a View by the words of page Player, over all pairs: what the grid is held against.
type model map[uint32]bool

func (m model) look(things []Thing, viewer Thing, r Rules) (entered []Near, left []uint32, seen []Near) {
	type candidate struct {
		Near
		rank float32
	}
	var all []candidate
	for _, t := range things {
		n := Near{t.Slot, square(t.Position, viewer.Position)}
		in := m[t.Slot]
		switch {
		case t.Slot == viewer.Slot, t.Dimension != viewer.Dimension:
		case in && n.Square <= r.Leave*r.Leave:
			all = append(all, candidate{n, n.Distance()})
		case !in && n.Square < r.Enter*r.Enter && n.Square <= r.Leave*r.Leave:
			all = append(all, candidate{n, n.Distance() + r.Margin})
		}
	}
	if r.Max > 0 && len(all) > r.Max {
		slices.SortFunc(all, func(a, b candidate) int { return nearer(Near{a.Slot, a.rank}, Near{b.Slot, b.rank}) })
		all = all[:r.Max]
	}
	before := maps.Clone(m)
	clear(m)
	for _, c := range all {
		m[c.Slot] = true
		seen = append(seen, c.Near)
		if !before[c.Slot] {
			entered = append(entered, c.Near)
		}
	}
	for slot := range before {
		if !m[slot] {
			left = append(left, slot)
		}
	}
	slices.SortFunc(entered, nearer)
	slices.SortFunc(seen, nearer)
	slices.Sort(left)
	return entered, left, seen
}

func (m model) near(things []Thing, at protocol.Vec3, dimension uint16, radius float32) (found []Near) {
	for _, t := range things {
		n := Near{t.Slot, square(t.Position, at)}
		if n.Square <= radius*radius && (dimension == AllDimensions || dimension == t.Dimension) {
			found = append(found, n)
		}
	}
	slices.SortFunc(found, nearer)
	return found
}

// play is one world that grid and model see change alike, as draw says: it answers a number from 0 to below n.
type play struct {
	t       testing.TB
	draw    func(n int) int
	spread  float32
	rules   Rules
	things  []Thing
	free    []uint32
	viewers []Thing
	views   []View
	models  []model
	grid    Grid
	changes Changes
	entered int
	capped  int
}

func newPlay(t testing.TB, draw func(n int) int) *play {
	p := &play{t: t, draw: draw, spread: []float32{20, 150, 400, 2000, 20000}[draw(5)]}
	p.newRules()
	slots := 1 + draw(300)
	for slot := range slots {
		p.free = append(p.free, uint32(slot))
	}
	for range 4 {
		slot := uint32(draw(slots))
		if draw(4) == 0 {
			slot = Nobody
		}
		p.viewers = append(p.viewers, Thing{Position: p.place(), Slot: slot, Dimension: p.dimension()})
		p.models = append(p.models, model{})
	}
	p.views = make([]View, len(p.viewers))
	return p
}

func (p *play) newRules() {
	enter := []float32{50, 300, 300, 300, 1000, 9000}[p.draw(6)]
	p.rules = Rules{Enter: enter, Leave: 1.1 * enter, Max: []int{0, 1, 7, 30, 200}[p.draw(5)], Margin: 20}
}

func (p *play) dimension() uint16 { return []uint16{0, 0, 0, 0, 0, 0, 1, 65534}[p.draw(8)] }

// place is on a grid of quarters of a metre, so that equal distances are common.
func (p *play) place() protocol.Vec3 {
	axis := func() float32 { return p.spread * float32(math.Round(float64(p.draw(8001)-4000))/4000) }
	at := protocol.Vec3{X: axis(), Y: axis(), Z: axis() / 8}
	switch far := []float32{20000, -20000, 65536, -65536, 1e9, 8192, -8192, float32(math.Inf(1))}; p.draw(40) {
	case 0:
		at.X = far[p.draw(len(far))]
	case 1:
		at.Y = far[p.draw(len(far))]
	}
	return at
}

// beside is exactly at one of the two radii from a viewer, or the next number to it.
func (p *play) beside() protocol.Vec3 {
	at := p.viewers[p.draw(len(p.viewers))].Position
	radius := []float32{p.rules.Enter, p.rules.Leave}[p.draw(2)]
	radius = math.Nextafter32(radius, []float32{0, radius, 1e9}[p.draw(3)])
	switch p.draw(5) {
	case 0:
		at.X += radius
	case 1:
		at.X -= radius
	case 2:
		at.Y += radius
	case 3:
		at.Y -= radius
	default:
		at.X += radius * 0.6
		at.Y -= radius * 0.8
	}
	return at
}

func (p *play) move(t *Thing) {
	switch p.draw(40) {
	case 0:
		t.Position = p.place()
	case 1:
		t.Position = p.beside()
	case 2:
		t.Dimension = p.dimension()
	case 3: // onto another: equally far from everyone
		t.Position = p.viewers[p.draw(len(p.viewers))].Position
	default:
		t.Position.X += float32(p.draw(129)-64) / 4
		t.Position.Y += float32(p.draw(129)-64) / 4
	}
}

// step changes the world, looks with each viewer and compares.
func (p *play) step() {
	for i := range p.things {
		p.move(&p.things[i])
	}
	for i := range p.viewers {
		p.move(&p.viewers[i])
	}
	for range p.draw(20) {
		if n := p.draw(2 * (len(p.things) + len(p.free))); n < len(p.things) {
			p.free = append(p.free, p.things[n].Slot)
			p.things = slices.Delete(p.things, n, n+1)
		} else if last := len(p.free) - 1; last >= 0 {
			p.things = append(p.things, Thing{p.place(), p.free[last], p.dimension()})
			p.free = p.free[:last]
		}
	}
	switch v := p.draw(len(p.views)); p.draw(50) {
	case 0:
		p.views[v].Clear()
		clear(p.models[v])
	case 1, 2, 3:
		slot := uint32(p.draw(300))
		if had := p.models[v][slot]; p.views[v].Remove(slot) != had {
			p.t.Fatalf("Remove(%d) = %v, want %v", slot, !had, had)
		}
		delete(p.models[v], slot)
	case 4:
		p.newRules()
	}
	p.grid.Build(p.things)
	for i := range p.views {
		p.look(i)
	}
	at, dimension := p.viewers[0].Position, []uint16{0, 1, AllDimensions}[p.draw(3)]
	radius := []float32{0, 10, 128, 300, 3000, 9000, 60000}[p.draw(7)]
	equal(p.t, "Near", p.grid.Near(nil, at, dimension, radius), p.models[0].near(p.things, at, dimension, radius))
}

func (p *play) look(i int) {
	view, viewer := &p.views[i], p.viewers[i]
	entered, left, seen := p.models[i].look(p.things, viewer, p.rules)
	view.Look(&p.grid, viewer, p.rules, &p.changes)
	equal(p.t, "Entered", p.changes.Entered, entered)
	slices.Sort(p.changes.Left)
	equal(p.t, "Left", p.changes.Left, left)
	got := slices.Clone(view.Seen())
	slices.SortFunc(got, nearer)
	equal(p.t, "Seen", got, seen)
	for slot := range uint32(320) {
		if view.Has(slot) != p.models[i][slot] {
			p.t.Fatalf("Has(%d) = %v, want %v", slot, view.Has(slot), p.models[i][slot])
		}
	}
	p.entered += len(entered)
	if view.reach > 0 {
		p.capped++
	}
}

func equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s\n got %v\nwant %v", what, got, want)
	}
}

// TestAsByAllPairs plays thousands of steps of random worlds.
func TestAsByAllPairs(t *testing.T) {
	entered, capped := 0, 0
	for seed := range uint64(150) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			p := newPlay(t, rand.New(rand.NewPCG(seed, 4)).IntN)
			for range 40 {
				p.step()
			}
			entered += p.entered
			capped += p.capped
		})
	}
	if !t.Failed() && (entered < 10000 || capped < 1000) {
		t.Errorf("the worlds are too empty to show anything: %d entries, %d full views", entered, capped)
	}
}

// FuzzAsByAllPairs has the bytes be the draws.
func FuzzAsByAllPairs(f *testing.F) {
	for seed := range byte(4) {
		draws := make([]byte, 6000)
		rand.NewChaCha8([32]byte{seed}).Read(draws)
		f.Add(draws)
	}
	f.Fuzz(func(t *testing.T, draws []byte) {
		p := newPlay(t, func(n int) int {
			if len(draws) < 2 {
				draws = nil
				return 0
			}
			drawn := int(draws[0])<<8 | int(draws[1])
			draws = draws[2:]
			return drawn * n >> 16
		})
		for range 20 {
			p.step()
			if draws == nil {
				break
			}
		}
	})
}
