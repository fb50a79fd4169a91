// Package pacer is the queue in front of a connection's Server -> Client lane, as a pure state machine: time is an
// argument, packets are values, and what leaves it goes through a function that is handed in.
//
// It knows two kinds of packets (page Connection, The pacer). Straight ones concern the recipient's own life and go to
// the lane at once. Paced ones are a set of Things whose state differs from what was last queued, keyed by thing: ten
// changes between two passes are one packet with the last state, and what came and went is never sent.
package pacer

import (
	"errors"
	"time"

	"darqline/protocol"
)

// The numbers of page Connection and CONVENTIONS.
const (
	passInterval  = 40 * time.Millisecond
	passBelow     = 128 // unacked events above which no pass is made
	straightBelow = 192 // unacked events above which critical straight packets wait
	window        = 100 * time.Millisecond
	windowPackets = 64
	windowBytes   = 24 << 10
	maxWaiting    = 2048 // straight packets that wait in front of the lane
)

// ErrBacklog means that 2,048 straight packets wait already: for a script an error, for the server the end of the
// connection (reason "lane").
var ErrBacklog = errors.New("2,048 packets wait for this player already: his connection does not take them")

// ErrRefused means that a droppable packet was not queued, because the lane is congested.
var ErrRefused = errors.New("the lane is congested: a droppable packet was refused")

// Class is the place of a thing in a pass; lower goes first (page Connection, The pacer).
type Class uint8

const (
	Removals   Class = iota // PlayerLeave, ResourceRemove, ViewClose and every other end
	Manifests               // ResourceFiles, one resource after the other
	Waited                  // UI that is waited for: views, dialogs, menus, offers, actions
	Players                 // nearest first
	Vehicles                // nearest first
	Attached                // what is attached, its target first
	Rest                    // everything else, nearest first
	PlayerList              // last
	classes
)

// Thing is one thing with the packets that bring a connection up to date with it, in a row.
type Thing struct {
	Key      any // comparable; a later Thing with this key replaces one that still waits
	Class    Class
	Distance float32 // metres to the recipient; 0 where the thing has no place
	After    any     // key of a thing that has to go first, or nil; it is moved to the front of its class
	Whole    bool    // all packets in one pass or none (ViewData)
	Renew    bool    // a replacement goes to the end of its class, so that it overtakes nothing (ViewData)
	Packets  []protocol.Packet
}

// Lane is what a pacer feeds: encode p, give it the next event_id, and keep it until it is acked.
type Lane interface {
	Push(p protocol.Packet) (size int, err error)
	Unacked() int
}

// Pacer is the queue of one connection. The zero value is ready. It is owned by one goroutine at a time.
type Pacer struct {
	straight []protocol.Packet
	waiting  [classes][]*item
	byKey    map[any]*item
	seq      uint64

	begun       bool
	last        time.Duration // of the last pass
	windowStart time.Duration
	packets     int
	bytes       int
}

// item is a Thing that waits; sent counts the packets of it that are on the lane already.
type item struct {
	Thing
	seq  uint64
	sent int
}

// Straight puts p on the lane now, or in front of it while the lane is congested. Nothing overtakes: while a critical
// packet waits, a droppable one is refused.
func (q *Pacer) Straight(lane Lane, p protocol.Packet) error {
	row, _ := protocol.Lookup(p.ID())
	droppable := row != nil && row.Lane == protocol.Droppable
	switch {
	case len(q.straight) == 0 && (droppable || lane.Unacked() < straightBelow):
		_, err := lane.Push(p)
		return err
	case droppable:
		return ErrRefused
	case len(q.straight) >= maxWaiting:
		return ErrBacklog
	}
	q.straight = append(q.straight, p)
	return nil
}

// Pace queues a thing, or replaces what waits of it.
func (q *Pacer) Pace(t Thing) {
	if q.byKey == nil {
		q.byKey = make(map[any]*item)
	}
	q.seq++
	old := q.byKey[t.Key]
	if old == nil {
		q.insert(&item{Thing: t, seq: q.seq})
		return
	}
	if old.Class == t.Class && !t.Renew && old.Distance == t.Distance {
		old.Thing, old.sent = t, 0
		return
	}
	q.remove(old)
	seq := old.seq
	if t.Renew {
		seq = q.seq
	}
	q.insert(&item{Thing: t, seq: seq})
}

// Drop forgets what waits of a thing. It says whether something waited, and whether a part of it is on the lane
// already, so that the caller knows if there is an end to tell.
func (q *Pacer) Drop(key any) (waited, begun bool) {
	it := q.byKey[key]
	if it == nil {
		return false, false
	}
	q.remove(it)
	return true, it.sent > 0
}

// Waits says whether a thing has not left the pacer yet.
func (q *Pacer) Waits(key any) bool { return q.byKey[key] != nil }

// Len is the number of things and straight packets that wait.
func (q *Pacer) Len() int { return len(q.byKey) + len(q.straight) }

// Next says when a pass may have something to do.
func (q *Pacer) Next(lane Lane) (time.Duration, bool) {
	if q.Len() == 0 || lane.Unacked() >= passBelow && len(q.straight) == 0 {
		return 0, false // an ack brings it on
	}
	if !q.begun {
		return 0, true
	}
	at := q.last + passInterval
	if full := q.windowStart + window; q.spent() && full > at {
		at = full
	}
	return at, true
}

// Flush puts on the lane what may go now: straight packets that waited, then a pass if one is due.
func (q *Pacer) Flush(now time.Duration, lane Lane) error {
	for len(q.straight) > 0 && lane.Unacked() < straightBelow {
		if _, err := lane.Push(q.straight[0]); err != nil {
			return err
		}
		q.straight[0] = nil
		q.straight = q.straight[1:]
	}
	if len(q.straight) > 0 || len(q.byKey) == 0 || lane.Unacked() >= passBelow {
		return nil
	}
	if q.begun && now-q.last < passInterval {
		return nil
	}
	if !q.begun || now-q.windowStart >= window {
		q.windowStart, q.packets, q.bytes = now, 0, 0
	}
	if q.spent() {
		return nil
	}
	q.begun, q.last = true, now
	return q.pass(lane)
}

func (q *Pacer) spent() bool { return q.packets >= windowPackets || q.bytes >= windowBytes }

// pass takes the things in their order until the window is spent.
func (q *Pacer) pass(lane Lane) error {
	for class := range q.waiting {
		q.promote(Class(class))
		for i := 0; i < len(q.waiting[class]); {
			it := q.waiting[class][i]
			if it.After != nil && q.byKey[it.After] != nil {
				i++ // what it waits for has not left yet
				continue
			}
			done, err := q.put(lane, it)
			if err != nil || !done {
				return err
			}
			q.remove(it)
		}
	}
	return nil
}

// put queues what is left of a thing; done is false where the window was spent before its end.
func (q *Pacer) put(lane Lane, it *item) (done bool, err error) {
	if it.Whole && q.packets > 0 {
		size := 0
		for _, p := range it.Packets {
			if row, ok := protocol.Lookup(p.ID()); ok {
				size += row.Max
			}
		}
		if q.packets+len(it.Packets) > windowPackets || q.bytes+size > windowBytes {
			return false, nil
		}
	}
	for it.sent < len(it.Packets) {
		if !it.Whole && q.spent() {
			return false, nil
		}
		size, err := lane.Push(it.Packets[it.sent])
		if err != nil {
			return false, err
		}
		it.sent++
		q.packets++
		q.bytes += size
	}
	return true, nil
}

// promote moves what others wait for to the front of its class; a thing that was begun stays before it.
func (q *Pacer) promote(class Class) {
	list := q.waiting[class]
	front := 0
	for front < len(list) && list[front].sent > 0 {
		front++
	}
	for _, later := range q.waiting {
		for _, it := range later {
			if it.After == nil {
				continue
			}
			target := q.byKey[it.After]
			if target == nil || target.Class != class || target.sent > 0 {
				continue
			}
			for i := front; i < len(list); i++ {
				if list[i] == target {
					copy(list[front+1:i+1], list[front:i])
					list[front] = target
					front++
					break
				}
			}
		}
	}
}

// insert keeps a class ordered by distance, then by the order of coming; what was begun stays first.
func (q *Pacer) insert(it *item) {
	list := q.waiting[it.Class]
	at := len(list)
	for at > 0 && list[at-1].sent == 0 && before(it, list[at-1]) {
		at--
	}
	list = append(list, nil)
	copy(list[at+1:], list[at:])
	list[at] = it
	q.waiting[it.Class] = list
	q.byKey[it.Key] = it
}

func before(a, b *item) bool {
	if a.Distance != b.Distance {
		return a.Distance < b.Distance
	}
	return a.seq < b.seq
}

func (q *Pacer) remove(it *item) {
	list := q.waiting[it.Class]
	for i, other := range list {
		if other == it {
			copy(list[i:], list[i+1:])
			list[len(list)-1] = nil
			q.waiting[it.Class] = list[:len(list)-1]
			break
		}
	}
	delete(q.byKey, it.Key)
}
