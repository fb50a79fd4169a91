package bots

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantilesAreWithinThreePercent(t *testing.T) {
	var d delays
	if got := d.quantile(.99); got != 0 {
		t.Errorf("nothing was added, and its quantile is %v", got)
	}
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]time.Duration, 10_000)
	for i := range all {
		all[i] = time.Duration(r.ExpFloat64() * float64(3*time.Millisecond))
		d.add(all[i])
	}
	slices.Sort(all)
	for _, q := range []float64{.001, .5, .99, .999, 1} {
		want := all[max(int(q*float64(len(all)))-1, 0)]
		if got := d.quantile(q); got < want*97/100-time.Microsecond || got > want*103/100+time.Microsecond {
			t.Errorf("quantile %v is %v, want %v within 3 %%", q, got, want)
		}
	}
}

func TestStepsAreInOrderAndHoldWhatTheyStandFor(t *testing.T) {
	last := -1
	for us := uint64(0); us < 1<<31; us += 1 + us/50 {
		i := step(us)
		if i < last || i > last+2 {
			t.Fatalf("%d us is step %d behind step %d", us, i, last)
		}
		if got, want := float64(middle(i)), float64(us)*1000; got < want*.97-1000 || got > want*1.03+1000 {
			t.Fatalf("%d us is counted as %v", us, middle(i))
		}
		last = i
	}
	var d delays
	d.add(-time.Second) // the clock was set
	d.add(100 * time.Hour)
	if d.quantile(.5) > time.Microsecond || d.quantile(1) < time.Hour {
		t.Errorf("the edges are counted as %v and %v", d.quantile(.5), d.quantile(1))
	}
}
