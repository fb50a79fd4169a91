package proxy

import "time"

// turn is how often the proxy looks at its sockets and its clock; no delay is kept more exactly than to one.
const turn = 2 * time.Millisecond

// spokes are the turns that the wheel knows: 8 s.
const spokes = 4096

// parcel is a datagram on its way.
type parcel struct {
	player int
	up     bool
	data   []byte
}

// wheel keeps what is on its way by the turn in which it arrives; within one, in the order in which it was put.
type wheel struct {
	slots [spokes][]parcel
	turns int64 // that were taken out
	free  [][]byte
	held  int
}

// put keeps a copy of a datagram until its time. What is late arrives in the next turn, what is too far ahead in the last.
func (w *wheel) put(at time.Duration, player int, up bool, data []byte) {
	n := min(max(int64((at+turn-1)/turn), w.turns), w.turns+spokes-1)
	var own []byte
	if last := len(w.free) - 1; last >= 0 {
		own, w.free = w.free[last], w.free[:last]
	}
	slot := &w.slots[n%spokes]
	*slot = append(*slot, parcel{player, up, append(own[:0], data...)})
	w.held++
}

// take hands over what has arrived by now.
func (w *wheel) take(now time.Duration, each func(parcel)) {
	for ; w.turns <= int64(now/turn); w.turns++ {
		slot := &w.slots[w.turns%spokes]
		for _, p := range *slot {
			each(p)
			w.free = append(w.free, p.data)
		}
		w.held -= len(*slot)
		clear(*slot)
		*slot = (*slot)[:0]
	}
}
