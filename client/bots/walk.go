package bots

import (
	"math"
	"math/rand/v2"
	"time"

	"darqline/protocol"
)

// The streets that bots walk on are of their own making: a lattice of crossings, the same for all, of which every few are
// squares. They know no map, so they keep to the height at which they were put.
const (
	block      = 15 // metres from crossing to crossing
	pavement   = 2  // metres that a bot keeps from the middle of its street
	squareIn   = 5  // of the crossings, one is a square
	squareSize = 6  // metres from its middle
	standMost  = 3 * time.Second
	stepMost   = time.Second // of time that one step makes up for
)

// gaits are walking, running and sprinting, as the game's peds do.
var gaits = [...]struct {
	speed float64 // m/s
	keys  protocol.PlayerKeys
}{{1.5, protocol.KeyWalk}, {4.5, 0}, {6.5, protocol.KeySprint}}

// place is a point on the ground, in metres.
type place struct{ x, y float64 }

func (a place) to(b place) (distance, heading float64) {
	x, y := b.x-a.x, b.y-a.y
	return math.Hypot(x, y), math.Atan2(-x, y) * 180 / math.Pi
}

// walker goes from crossing to crossing around its home.
type walker struct {
	rng    rand.PCG
	spread float64 // metres that it may be away from home
	home   place
	at     place
	z      float32
	side   place // of the street

	crossing place // where it goes, the middle of it
	goal     place // where exactly
	came     place // the crossing before
	gait     int
	heading  float64
	moving   bool
	stands   time.Duration // still so long, in a square
}

// random is the walker's own chance; it costs no allocation.
func (w *walker) random() *rand.Rand { return rand.New(&w.rng) }

// put sets the walker down: here it stays around from now on.
func (w *walker) put(at protocol.Vec3, heading float64) {
	w.at, w.z, w.heading = place{float64(at.X), float64(at.Y)}, at.Z, heading
	w.home, w.crossing, w.came = w.at, w.at, w.at
	w.side = place{pavement * (2*w.random().Float64() - 1), pavement * (2*w.random().Float64() - 1)}
	w.turn()
}

// walk moves the walker on by a span of time.
func (w *walker) walk(span time.Duration) {
	span = min(span, stepMost)
	if w.stands > 0 {
		w.stands -= span
		w.moving = false
		return
	}
	far, heading := w.at.to(w.goal)
	step := gaits[w.gait].speed * span.Seconds()
	if far <= step {
		w.moving = false
		if square(w.crossing) {
			w.stands = time.Duration(w.random().Int64N(int64(standMost)))
		}
		w.turn()
		return
	}
	w.moving, w.heading = true, heading
	w.at.x += (w.goal.x - w.at.x) * step / far
	w.at.y += (w.goal.y - w.at.y) * step / far
}

// turn picks the next crossing: any neighbour within the spread, the last one only where there is no other.
func (w *walker) turn() {
	r := w.random()
	here := place{math.Round(w.crossing.x/block) * block, math.Round(w.crossing.y/block) * block}
	next, back := here, w.came
	found := 0
	for _, d := range [...]place{{block, 0}, {-block, 0}, {0, block}, {0, -block}} {
		c := place{here.x + d.x, here.y + d.y}
		if away, _ := c.to(w.home); away > w.spread-squareSize || c == back {
			continue
		}
		if found++; r.IntN(found) == 0 {
			next = c
		}
	}
	if found == 0 {
		next = back
		if away, _ := next.to(w.home); away > w.spread-squareSize {
			next = w.home
		}
	}
	w.came, w.crossing = here, next
	w.goal = place{next.x + w.side.x, next.y + w.side.y}
	w.gait = r.IntN(len(gaits))
	if square(next) {
		w.goal.x += (squareSize - pavement) * (2*r.Float64() - 1)
		w.goal.y += (squareSize - pavement) * (2*r.Float64() - 1)
	}
	if away, _ := w.goal.to(w.home); away > w.spread {
		w.goal = w.home
	}
}

// square says whether a crossing is one of the open places.
func square(c place) bool {
	x, y := int(math.Round(c.x/block)), int(math.Round(c.y/block))
	return (x+2*y)%squareIn == 0
}

// frame writes where the walker is and goes into a frame. Who stands looks around, so that each frame is news.
func (w *walker) frame(f *protocol.Frame, now time.Duration) {
	f.Position = protocol.Vec3{X: float32(w.at.x), Y: float32(w.at.y), Z: w.z}
	f.Velocity = [3]int16{}
	f.Flags = protocol.FlagOnGround
	f.Keys, f.MoveX, f.MoveY = 0, 0, 0
	if w.moving {
		g := gaits[w.gait]
		sin, cos := math.Sincos(w.heading * math.Pi / 180)
		f.Velocity[0], f.Velocity[1] = protocol.Hundredths(-g.speed*sin), protocol.Hundredths(g.speed*cos)
		f.Keys, f.MoveY = g.keys, 127
	}
	f.Heading = protocol.Angle(w.heading + 360)
	f.AimYaw = protocol.Angle(w.heading + 360 + 30*math.Sin(now.Seconds()))
	f.AimPitch = 0
}
