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
	kept := candidates[:0]
	for _, n := range candidates {
		if keyOf(n, penalty) <= last {
			kept = append(kept, n)
		}
	}
	return kept
}

// pick is the nth smallest key, from 0, by quickselect. It changes the order. The pivots are drawn from a fixed series: no
// order that a crowd can take makes it slow.
func pick(keys []key, n int) key {
	random := uint64(1)
	for len(keys) > 1 {
		random = random*6364136223846793005 + 1442695040888963407
		at, _ := bits.Mul64(random, uint64(len(keys)))
		pivot := keys[at]
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i] < pivot {
				i++
			}
			for keys[j] > pivot {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch { // keys[:j+1] <= pivot <= keys[i:], and between them only the pivot
		case n <= j:
			keys = keys[:j+1]
		case n >= i:
			keys, n = keys[i:], n-i
		default:
			return pivot
		}
	}
	return keys[0]
}
