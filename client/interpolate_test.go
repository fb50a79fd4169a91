package client

import (
	"math"
	"testing"
	"time"

	"darqline/protocol"
)

const ms = time.Millisecond

// frameOf is a frame of a time in ms, on the way along x at 10 m/s.
func frameOf(at int, change ...func(*protocol.Frame)) *protocol.Frame {
	f := &protocol.Frame{Time: uint16(at), Position: protocol.Vec3{X: float32(at) / 100}, Velocity: [3]int16{1000}}
	for _, c := range change {
		c(f)
	}
	return f
}

func (t *Track) x(at time.Duration) float32 {
	p, _ := t.At(at)
	return p.Position.X
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 0.001 }

func TestATrackIsSmooth(t *testing.T) {
	for name, test := range map[string]struct {
		first int                       // ms of the sender's clock
		every int                       // ms between frames
		late  func(i int) time.Duration // on the path
	}{
		"even":                {0, 40, func(int) time.Duration { return 0 }},
		"jitter":              {5000, 40, func(i int) time.Duration { return time.Duration(i*37%50) * ms }},
		"the clock wraps":     {64800, 40, func(int) time.Duration { return 20 * ms }},
		"every 2nd, by tiers": {0, 80, func(int) time.Duration { return 0 }},
		"every 4th, by tiers": {0, 160, func(int) time.Duration { return 0 }},
		"a path that is slow": {123, 40, func(int) time.Duration { return time.Second }},
	} {
		t.Run(name, func(t *testing.T) {
			var track Track
			if _, ok := track.At(0); ok {
				t.Error("a pose of nothing")
			}
			fastest := test.late(0)
			for i := range 50 {
				fastest = min(fastest, test.late(i))
			}
			now, next := time.Duration(0), 0
			for ; now < 1900*ms; now += 5 * ms {
				for next < 50 && time.Duration(next*test.every)*ms+test.late(next) <= now {
					f := frameOf(test.first + next*test.every)
					f.Position.X = float32(next*test.every) / 100
					track.Add(now, f)
					next++
				}
				if now < fastest+300*ms {
					continue
				}
				want := float32((now-fastest-RenderDelay)/ms) / 100
				if got := track.x(now); math.Abs(float64(got-want)) > 0.25 { // the clocks are adjusted slowly
					t.Fatalf("after %v at %g, expected %g", now, got, want)
				}
			}
		})
	}
}

func TestATrackExtrapolatesAndStops(t *testing.T) {
	var track Track
	track.Add(0, frameOf(0))
	track.Add(100*ms, frameOf(100))
	for at, want := range map[time.Duration]float32{0: 0, 100 * ms: 0, 150 * ms: 0.5, 200 * ms: 1, 300 * ms: 2, 450 * ms: 3.5, 451 * ms: 3.5, time.Hour: 3.5} {
		if got := track.x(at); !near(got, want) {
			t.Errorf("after %v at %g, expected %g", at, got, want)
		}
	}
}

func TestATrackSnaps(t *testing.T) {
	for name, next := range map[string]*protocol.Frame{
		"another epoch":            frameOf(140, func(f *protocol.Frame) { f.Epoch, f.Position.X = 1, 900 }),
		"another clock":            frameOf(20000, func(f *protocol.Frame) { f.Position.X = 900 }),
		"a clock that stands":      frameOf(100, func(f *protocol.Frame) { f.Position.X = 900 }),
		"a clock that is set back": frameOf(50, func(f *protocol.Frame) { f.Position.X = 900 }),
	} {
		var track Track
		track.Add(0, frameOf(0))
		track.Add(100*ms, frameOf(100))
		track.Add(140*ms, next)
		if got := track.x(140 * ms); got != 900 {
			t.Errorf("%s: at %g", name, got)
		}
	}
	// After half a minute out of view the u16 has wrapped to a time that looks like the next.
	var track Track
	track.Add(0, frameOf(0))
	track.Add(65576*ms, frameOf(40, func(f *protocol.Frame) { f.Position.X = 900 }))
	if got := track.x(65576 * ms); got != 900 {
		t.Errorf("after the pause: at %g", got)
	}
}

func TestATrackTurnsTheShortWay(t *testing.T) {
	var track Track
	turn := func(degrees float64, pitch int16) func(*protocol.Frame) {
		return func(f *protocol.Frame) {
			f.Heading, f.AimYaw, f.AimPitch = protocol.Angle(degrees), protocol.Angle(-degrees), pitch
		}
	}
	track.Add(0, frameOf(0, turn(350, -9000)))
	track.Add(100*ms, frameOf(100, turn(10, 9000)))
	for at, want := range map[time.Duration]float64{125 * ms: 355, 150 * ms: 0, 175 * ms: 5} {
		p, _ := track.At(at)
		if d := math.Abs(p.Heading - want); d > 0.1 && d < 359.9 {
			t.Errorf("after %v heading %g, expected %g", at, p.Heading, want)
		}
		if d := math.Abs(p.AimYaw - math.Mod(360-want, 360)); d > 0.1 && d < 359.9 {
			t.Errorf("after %v aim %g", at, p.AimYaw)
		}
	}
	if p, _ := track.At(150 * ms); math.Abs(p.AimPitch) > 0.1 {
		t.Errorf("pitch %g", p.AimPitch)
	}
}

func TestATrackCostsNoAllocation(t *testing.T) {
	var track Track
	now, f := time.Duration(0), frameOf(0)
	if n := testing.AllocsPerRun(100, func() { now += 40 * ms; f.Time += 40; track.Add(now, f); track.At(now) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
