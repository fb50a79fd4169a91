package lane

import "time"

const (
	firstSlots  = 16 // slots of a new queue; it doubles up to MaxUnacked
	spareBuffer = 64 // buffers kept for reuse, so that a burst does not hold its memory for ever
)

// entry is an event that waits for its ack.
type entry struct {
	packet []byte
	sends  int           // packets sent, copies included
	rounds int           // times it was sent, copies not counted
	sent   time.Duration // its last send of any kind
	round  time.Duration // the first packet of its last round
	prior  time.Duration // the first packet of the round before

	copied       bool          // a second copy is due at copyAt
	copyAt       time.Duration // when
	doubled      bool          // the last round has had its second copy
	priorDoubled bool          // and so had the round before
	paired       bool          // the first send had its copy right behind it, and no row of resends passed since
}

// queue holds the unacked events in order in a ring. Buffers of acked events are reused.
type queue struct {
	slots []entry // length is a power of two
	head  uint32  // event_id of the oldest, 1 at the start
	count int
	spare [][]byte
}

// tail returns the event_id after the newest. It is 0 after the very last id.
func (q *queue) tail() uint32 { return q.head + uint32(q.count) }

// at returns the entry of a queued event.
func (q *queue) at(event uint32) *entry { return &q.slots[event&uint32(len(q.slots)-1)] }

// push appends a copy of packet and returns its entry.
func (q *queue) push(packet []byte) *entry {
	if q.count == len(q.slots) {
		q.grow()
	}
	var buf []byte
	if n := len(q.spare); n > 0 {
		buf, q.spare = q.spare[n-1], q.spare[:n-1]
	}
	e := q.at(q.tail())
	*e = entry{packet: append(buf[:0], packet...)}
	q.count++
	return e
}

// pop removes the oldest event and keeps its buffer for reuse.
func (q *queue) pop() {
	e := q.at(q.head)
	if len(q.spare) < spareBuffer {
		q.spare = append(q.spare, e.packet)
	}
	e.packet = nil
	q.head++
	q.count--
}

func (q *queue) grow() {
	old := *q
	q.slots = make([]entry, max(firstSlots, 2*len(old.slots)))
	for i := range old.count {
		event := old.head + uint32(i)
		*q.at(event) = *old.at(event)
	}
}
