package bots

import (
	"math"
	"math/bits"
	"time"
)

// fine is how many steps an octave of delays has: each delay is kept to within 3 %.
const fine = 32

// delays is a distribution of times up to an hour. It has a fixed size.
type delays struct {
	counts [27*fine + 2*fine]uint64
	total  uint64
}

// add counts one; a negative one, which a step of the clock makes, as 0.
func (d *delays) add(delay time.Duration) {
	d.counts[min(step(uint64(max(delay, 0).Microseconds())), len(d.counts)-1)]++
	d.total++
}

// quantile is the delay that a share q of all are at most; 0 without any.
func (d *delays) quantile(q float64) time.Duration {
	rank := uint64(math.Ceil(q * float64(d.total)))
	for i, n := range d.counts {
		if rank <= n {
			return middle(i)
		}
		rank -= n
	}
	return 0
}

// step is where so many microseconds are counted: one by one below 2*fine, then fine steps for each power of two.
func step(us uint64) int {
	shift := max(bits.Len64(us)-bits.Len(2*fine-1), 0)
	return shift*fine + int(us>>shift)
}

// middle is the middle of a step.
func middle(i int) time.Duration {
	shift := max(i/fine-1, 0)
	low := uint64(i-shift*fine) << shift
	return time.Duration(low+1<<shift/2) * time.Microsecond
}
