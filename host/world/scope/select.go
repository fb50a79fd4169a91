package scope

import (
	"math"
	"math/bits"
)

// key orders candidates by distance, and by slot what is equally far. No two are equal.
type key uint64

func keyOf(n Near, penalty float32) key {
	return key(math.Float32bits(n.Distance()+penalty))<<32 | key(n.Slot)
}

func (k key) metres() float32 { return math.Float32frombits(uint32(k >> 32)) }

// last is the key of the last candidate there is room for; full says that there are more than that. Who is not in view
// yet counts as the margin farther.
func (c *Changes) last(rules Rules) (last key, full bool) {
	if rules.Max <= 0 || len(c.stays)+len(c.Entered) <= rules.Max {
		return 0, false
	}
	keys := c.keys[:0]
	for _, n := range c.stays {
		keys = append(keys, keyOf(n, 0))
	}
	for _, n := range c.Entered {
		keys = append(keys, keyOf(n, rules.Margin))
	}
	c.keys = keys
	return pick(keys, rules.Max-1), true
}

// cut leaves the candidates up to last.
func (c *Changes) cut(last key, rules Rules) {
	c.stays = upTo(c.stays, last, 0)
	c.Entered = upTo(c.Entered, last, rules.Margin)
}

func upTo(candidates []Near, last key, penalty float32) []Near {
	kept := 0
	for _, n := range candidates {
		candidates[kept] = n
		kept += one(keyOf(n, penalty) <= last)
	}
	return candidates[:kept]
}

// pick is the nth smallest key, from 0, by quickselect. It changes the order. The pivots are drawn from a fixed series: no
// order that a crowd can take makes it slow.
func pick(keys []key, n int) key {
	random := uint64(1)
	for {
		random = random*6364136223846793005 + 1442695040888963407
		at, _ := bits.Mul64(random, uint64(len(keys)))
		pivot := keys[at]
		keys[at] = keys[0]
		rest, below := keys[1:], 0
		for i, k := range rest { // every key is swapped, so that no branch depends on it
			rest[i] = rest[below]
			rest[below] = k
			below += one(k < pivot)
		}
		switch {
		case n == below:
			return pivot
		case n < below:
			keys = rest[:below]
		default:
			keys, n = rest[below:], n-below-1
		}
	}
}
