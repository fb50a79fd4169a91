package proxy

import (
	"math/rand/v2"
	"time"

	"darqline/host/udp"
)

// Way is what happens to the datagrams of one direction, to each player's for himself.
type Way struct {
	udp.Path
	Rate int // bytes a second; what would wait for longer than queueMost is lost; 0: no limit
}

const (
	queueMost = 500 * time.Millisecond // what a line's buffer holds
	heldBack  = 10 * time.Millisecond  // that a datagram out of order is late at most, besides the delay
)

// flow is one direction of one player. Its dice are its own, so that what others send does not change its fate.
type flow struct {
	way  *Way
	dice *rand.Rand
	last time.Duration // when the newest that keeps the order arrives
	free time.Duration // when the line has sent all that it was given
}

func newFlow(way *Way, seed, number uint64) flow {
	return flow{way: way, dice: rand.New(rand.NewPCG(seed, number))}
}

// fate tells when the copies of a datagram of so many bytes arrive; none does if it is lost.
func (f *flow) fate(now time.Duration, size int) (at [2]time.Duration, copies int) {
	w := f.way
	if f.dice.Float64() < w.Loss {
		return at, 0
	}
	sent := now
	if w.Rate > 0 {
		if f.free = max(f.free, now); f.free-now > queueMost {
			return at, 0
		}
		f.free += time.Duration(size) * time.Second / time.Duration(w.Rate)
		sent = f.free
	}
	copies = 1
	if f.dice.Float64() < w.Duplicate {
		copies = 2
	}
	for i := range copies {
		at[i] = f.arrival(sent)
	}
	return at, copies
}

// arrival is when a datagram that leaves now is there. Jitter alone does not change the order.
func (f *flow) arrival(sent time.Duration) time.Duration {
	w := f.way
	at := sent + w.Delay
	if w.Jitter > 0 {
		at += time.Duration(f.dice.Int64N(int64(w.Jitter) + 1))
	}
	if f.dice.Float64() < w.Reorder {
		return at + time.Duration(f.dice.Int64N(int64(w.Delay+heldBack))) + 1
	}
	f.last = max(f.last, at)
	return f.last
}
