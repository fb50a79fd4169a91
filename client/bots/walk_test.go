package bots

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"darqline/protocol"
)

func TestWalkersStayNearAndKeepTheirPace(t *testing.T) {
	for seed := range uint64(50) {
		spread := []float64{MinSpread, 45, 200}[seed%3]
		w := walker{rng: *rand.NewPCG(seed, 1), spread: spread}
		home := protocol.Vec3{X: 2495.3, Y: -1688.6, Z: 13.7}
		w.put(home, 90)
		const every = 40 * time.Millisecond
		var walked float64
		var f protocol.Frame
		for i := range 5000 {
			before := w.at
			w.walk(every)
			step, heading := before.to(w.at)
			walked += step
			w.frame(&f, time.Duration(i)*every)
			if speed := step / every.Seconds(); speed > 6.5+1e-6 {
				t.Fatalf("seed %d, step %d: %.2f m/s", seed, i, speed)
			}
			if away, _ := w.at.to(w.home); away > spread+1e-6 {
				t.Fatalf("seed %d, step %d: %.1f m from home, at most %v", seed, i, away, spread)
			}
			if w.moving {
				said := math.Hypot(float64(f.Velocity[0]), float64(f.Velocity[1])) / 100
				if math.Abs(said-step/every.Seconds()) > 0.05 {
					t.Fatalf("seed %d, step %d: says %.2f m/s, goes %.2f", seed, i, said, step/every.Seconds())
				}
				if off := math.Mod(protocol.Degrees(f.Heading)-heading+540, 360) - 180; math.Abs(off) > 0.1 {
					t.Fatalf("seed %d, step %d: looks %.1f degrees off its way", seed, i, off)
				}
			} else if f.Velocity != [3]int16{} {
				t.Fatalf("seed %d, step %d: stands with a velocity", seed, i)
			}
		}
		if walked < 100 {
			t.Errorf("seed %d: only %.0f m in 200 s", seed, walked)
		}
	}
}

func TestAWalkerMakesUpForOneSecondAtMost(t *testing.T) {
	w := walker{rng: *rand.NewPCG(1, 1), spread: 45}
	w.put(protocol.Vec3{}, 0)
	before := w.at
	w.walk(time.Minute)
	if far, _ := before.to(w.at); far > 6.5 {
		t.Errorf("%.1f m in one step", far)
	}
}
