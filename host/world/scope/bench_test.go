package scope

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

// scene is players and vehicles that move from frame to frame, 250 ms apart, there and back.
type scene struct {
	players, vehicles [8][]Thing
}

// newScene spreads over a square of size metres; so many of them, 0..1, are in a smaller square of size crowd.
func newScene(players, vehicles int, size, share, crowd float64) *scene {
	random := rand.New(rand.NewPCG(1, 2))
	s := new(scene)
	fill := func(frames *[8][]Thing, n int, moving float64) {
		for slot := range n {
			side := size
			if random.Float64() < share {
				side = crowd
			}
			at := protocol.Vec3{X: float32((random.Float64() - 0.5) * side), Y: float32((random.Float64() - 0.5) * side), Z: 10}
			speed, way := 0.0, random.Float64()*2*math.Pi
			if random.Float64() < moving {
				speed = 5 + random.Float64()*30 // m/s
			}
			for i := range frames {
				frames[i] = append(frames[i], Thing{Position: at, Slot: uint32(slot)})
				if i == len(frames)/2 {
					way += math.Pi
				}
				at.X += float32(speed / 4 * math.Cos(way))
				at.Y += float32(speed / 4 * math.Sin(way))
			}
		}
	}
	fill(&s.players, players, 1)
	fill(&s.vehicles, vehicles, 0.1)
	return s
}

var forPlayers, forVehicles = Rules{300, 330, 200, 20}, Rules{300, 330, 250, 20}

// eyes are all viewers' views of one kind of thing.
type eyes struct {
	grid    Grid
	views   []View
	rules   Rules
	own     bool // the viewers are among the things
	changes Changes
	changed int
	seen    int
}

func newEyes(viewers int, rules Rules, own bool) *eyes {
	return &eyes{views: make([]View, viewers), rules: rules, own: own}
}

// pass is one look of everyone, by the grid or over all pairs.
func (e *eyes) pass(viewers, things []Thing, allPairs bool) {
	e.changed, e.seen = 0, 0
	if !allPairs {
		e.grid.Build(things)
	}
	for i, viewer := range viewers {
		if !e.own {
			viewer.Slot = Nobody
		}
		v := &e.views[i]
		if allPairs {
			v.lookAtAll(things, viewer, e.rules, &e.changes)
		} else {
			v.Look(&e.grid, viewer, e.rules, &e.changes)
		}
		e.changed += len(e.changes.Entered) + len(e.changes.Left)
		e.seen += len(v.Seen())
	}
}

// lookAtAll is Look without a grid.
func (v *View) lookAtAll(things []Thing, viewer Thing, rules Rules, c *Changes) {
	c.stays, c.Entered = c.stays[:0], c.Entered[:0]
	c.mark(v.seen, uint32(len(things)))
	limit, enter := rules.Leave*rules.Leave, rules.Enter*rules.Enter
	for i := range things {
		t := &things[i]
		d := square(t.Position, viewer.Position)
		if d > limit || t.Dimension != viewer.Dimension || t.Slot == viewer.Slot {
			continue
		}
		if c.marks[t.Slot] {
			c.stays = append(c.stays, Near{t.Slot, d})
		} else if d < enter {
			c.Entered = append(c.Entered, Near{t.Slot, d})
		}
	}
	if last, full := c.last(rules); full {
		c.cut(last, rules)
	}
	v.take(c)
}

// benchPass has everyone look, by the grid and, in turn with it, over all pairs. Medians are told.
func benchPass(b *testing.B, s *scene) {
	type side struct {
		players, vehicles *eyes
		took              []time.Duration
	}
	n := len(s.players[0])
	var sides [2]side
	for i := range sides {
		sides[i] = side{players: newEyes(n, forPlayers, true), vehicles: newEyes(n, forVehicles, false)}
	}
	look := func(frame, i int) {
		players, start := s.players[frame%8], time.Now()
		sides[i].players.pass(players, players, i == 1)
		sides[i].vehicles.pass(players, s.vehicles[frame%8], i == 1)
		sides[i].took = append(sides[i].took, time.Since(start))
	}
	for frame := range 16 { // all slices grow
		look(frame, 0)
		look(frame, 1)
	}
	sides[0].took, sides[1].took = make([]time.Duration, 0, 1<<20), make([]time.Duration, 0, 1<<20)
	b.ReportAllocs()
	frame, changed, seen := 0, 0, 0
	for b.Loop() {
		look(frame, 0)
		look(frame, 1)
		changed += sides[0].players.changed + sides[0].vehicles.changed
		seen += sides[0].players.seen + sides[0].vehicles.seen
		frame++
	}
	median := func(took []time.Duration) float64 {
		slices.Sort(took)
		return took[len(took)/2].Seconds() * 1000
	}
	grid, all := median(sides[0].took), median(sides[1].took)
	b.ReportMetric(0, "ns/op") // of both together: says nothing
	b.ReportMetric(grid, "ms/pass")
	b.ReportMetric(grid*1e6/float64(n), "ns/viewer")
	b.ReportMetric(all, "ms/all-pairs")
	b.ReportMetric(all/grid, "times-less")
	b.ReportMetric(float64(seen)/float64(frame*n), "seen/viewer")
	b.ReportMetric(float64(changed)/float64(frame), "changes/pass")
}

// BenchmarkPass is 1,000 players that see each other and 10,000 vehicles on the game's map.
func BenchmarkPass(b *testing.B) {
	b.Run("uniform", func(b *testing.B) { benchPass(b, newScene(1000, 10000, 6000, 0, 0)) })
	b.Run("80%in1km2", func(b *testing.B) { benchPass(b, newScene(1000, 10000, 6000, 0.8, 1000)) })
	b.Run("players/uniform", func(b *testing.B) { benchPass(b, newScene(1000, 0, 6000, 0, 0)) })
	b.Run("players/80%in1km2", func(b *testing.B) { benchPass(b, newScene(1000, 0, 6000, 0.8, 1000)) })
	b.Run("players/in100m", func(b *testing.B) { benchPass(b, newScene(1000, 0, 6000, 1, 100)) })
}

// BenchmarkDensity has more players on as much more land: what a viewer costs should stay.
func BenchmarkDensity(b *testing.B) {
	for _, n := range []int{250, 500, 1000, 2000} {
		size := 6000 * math.Sqrt(float64(n)/1000)
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchPass(b, newScene(n, 10*n, size, 0, 0)) })
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1000, 11000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newScene(n, 0, 6000, 0, 0)
			var g Grid
			g.Build(s.players[0])
			b.ReportAllocs()
			frame := 0
			for b.Loop() {
				g.Build(s.players[frame%8])
				frame++
			}
		})
	}
}
