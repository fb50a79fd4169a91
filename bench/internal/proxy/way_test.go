package proxy

import (
	"testing"
	"time"

	"darqline/host/udp"
)

const ms = time.Millisecond

// TestFate sends 100,000 datagrams, one a millisecond, and looks at what becomes of them.
func TestFate(t *testing.T) {
	const n = 100_000
	for _, test := range []struct {
		name              string
		way               Way
		lost, twice, late float64 // shares: that do not come, that come twice, that others overtake
		shortest, longest time.Duration
	}{
		{name: "clean"},
		{name: "loss", way: Way{Path: udp.Path{Loss: .05}}, lost: .05},
		{name: "duplicates", way: Way{Path: udp.Path{Duplicate: .25}}, twice: .25},
		{name: "delay", way: Way{Path: udp.Path{Delay: 50 * ms}}, shortest: 50 * ms, longest: 50 * ms},
		{name: "jitter", way: Way{Path: udp.Path{Delay: 50 * ms, Jitter: 20 * ms}}, shortest: 50 * ms, longest: 70 * ms},
		{name: "reorder", way: Way{Path: udp.Path{Delay: 100 * ms, Reorder: .04}}, late: .04, shortest: 100 * ms, longest: 210 * ms},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFlow(&test.way, 1, 2)
			var lost, twice, late float64
			shortest, longest := time.Hour, time.Duration(0)
			for i := range n {
				now := time.Duration(i) * ms
				at, copies := f.fate(now, 100)
				switch copies {
				case 0:
					lost++
				case 2:
					twice++
				}
				for _, at := range at[:copies] {
					shortest, longest = min(shortest, at-now), max(longest, at-now)
					if at > f.last {
						late++ // it does not count among those in order
					}
				}
			}
			near := func(what string, got, want float64) {
				if got/n < want*.9 || got/n > want*1.1 {
					t.Errorf("%s: %v of all, want %v", what, got/n, want)
				}
			}
			near("lost", lost, test.lost)
			near("twice", twice, test.twice)
			near("overtaken", late, test.late)
			if shortest < test.shortest || longest > test.longest || longest < test.longest*9/10 {
				t.Errorf("they take %v to %v, want %v to %v", shortest, longest, test.shortest, test.longest)
			}
		})
	}
}

func TestRateHoldsBackAndThenLoses(t *testing.T) {
	way := Way{Rate: 10_000}
	f := newFlow(&way, 1, 2)
	passed := 0
	for i := range 100 { // 100 kB at once: the line's buffer holds half a second, and the one that is being sent
		at, copies := f.fate(0, 1000)
		if passed += copies; copies == 1 && at[0] != time.Duration(i+1)*100*ms {
			t.Errorf("number %d arrives at %v", i, at[0])
		}
	}
	if passed != 6 {
		t.Errorf("%d pass", passed)
	}
	if at, copies := f.fate(time.Second, 1000); copies != 1 || at[0] != 1100*ms {
		t.Errorf("later the line is free again, but one arrives at %v", at[0])
	}
}

func TestSameSeedSameFate(t *testing.T) {
	way := Way{Path: udp.Path{Loss: .2, Duplicate: .1, Reorder: .1, Delay: 20 * ms, Jitter: 10 * ms}}
	one, same, other := newFlow(&way, 1, 2), newFlow(&way, 1, 2), newFlow(&way, 1, 3)
	differs := false
	for i := range 1000 {
		now := time.Duration(i) * ms
		a, n := one.fate(now, 100)
		if b, m := same.fate(now, 100); a != b || n != m {
			t.Fatalf("datagram %d fares otherwise", i)
		}
		c, m := other.fate(now, 100)
		differs = differs || a != c || n != m
	}
	if !differs {
		t.Error("two flows have the same dice")
	}
}
