// Package pacer is the queue in front of a connection's Server -> Client lane, as a pure state machine: time is an
// argument, packets are values, and what leaves it goes through the Lane that is handed in.
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
	passBelow     = 128 // unacked events from which on a pass is not made, or ends
	straightBelow = 192 // unacked events from which on critical straight packets wait
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

// ErrNoRoom is what Lane.Push says of a packet that is larger than the room it was given; nothing was queued.
var ErrNoRoom = errors.New("no room for the packet in this pass")

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
	After    any     // key of a thing that has to go first, or nil; it goes to the front of its class
	Whole    bool    // all packets in one pass or none (ViewData)
	Renew    bool    // a replacement goes to the end of its class, so that it overtakes nothing (ViewData)
	Packets  []protocol.Packet
}

// Lane is what a pacer feeds. Push encodes p, gives it the next event_id and keeps it until it is acked; one of more than
// room bytes is ErrNoRoom.
type Lane interface {
	Push(p protocol.Packet, room int) (size int, err error)
	Unacked() int
}

// Pacer is the queue of one connection. The zero value is ready. It is owned by one goroutine at a time.
type Pacer struct {
	straight []protocol.Packet
	waiting  [classes][]*item // each in the order of before
	byKey    map[any]*item
	afters   map[any]int // how many things wait for a key to go first
	current  *item       // that a pass has begun and not finished; it is in byKey only
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
	seq    uint64
	wanted bool // something waits for it, or an earlier state of it was begun: it stands before all others
	begun  bool // packets of an earlier state are on the lane
	sent   int
}

// Straight puts p on the lane now, or in front of it while the lane is congested. Nothing overtakes: while a critical
// packet waits, a droppable one is refused.
func (q *Pacer) Straight(lane Lane, p protocol.Packet) error {
	row, _ := protocol.Lookup(p.ID())
	droppable := row != nil && row.Lane == protocol.Droppable
	switch {
	case len(q.straight) == 0 && (droppable || lane.Unacked() < straightBelow):
		_, err := lane.Push(p, protocol.MaxPacket)
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
		q.byKey, q.afters = make(map[any]*item), make(map[any]int)
	}
	q.seq++
	it := &item{Thing: t, seq: q.seq, wanted: q.afters[t.Key] > 0 && !t.Renew}
	if old := q.byKey[t.Key]; old != nil {
		if !t.Renew {
			it.seq = old.seq
		}
		it.begun = old.begun || old.sent > 0
		it.wanted = it.wanted || (old.wanted || it.begun) && !t.Renew
		q.remove(old)
	}
	q.byKey[t.Key] = it
	q.insert(it)
	if t.After != nil {
		q.afters[t.After]++
		q.want(q.byKey[t.After], it)
	}
}

// want brings the target of a thing to the front of its class, where it would not go before that thing anyway.
func (q *Pacer) want(target, by *item) {
	if target == nil || target.wanted || target.Renew || target == q.current ||
		target.Class == by.Class && before(target, by) {
		return
	}
	q.cut(target)
	target.wanted = true
	q.insert(target)
}

// Replace is Pace of a thing of which something still waits; it says false, and does nothing, where nothing does.
func (q *Pacer) Replace(t Thing) bool {
	if q.byKey[t.Key] == nil {
		return false
	}
	q.Pace(t)
	return true
}

// Drop forgets what waits of a thing. It says whether something waited, and whether a part of it is on the lane
// already, so that the caller knows if there is an end to tell.
func (q *Pacer) Drop(key any) (waited, begun bool) {
	it := q.byKey[key]
	if it == nil {
		return false, false
	}
	q.remove(it)
	return true, it.begun || it.sent > 0
}

// DropWhere is Drop of every thing whose key matches.
func (q *Pacer) DropWhere(match func(key any) bool) {
	for key, it := range q.byKey {
		if match(key) {
			q.remove(it)
		}
	}
}

// Waits says whether a thing has not left the pacer yet.
func (q *Pacer) Waits(key any) bool { return q.byKey[key] != nil }

// Len is the number of things and straight packets that wait.
func (q *Pacer) Len() int { return len(q.byKey) + len(q.straight) }

// Next says when Flush may have something to do; ok is false while only an ack can bring it on.
func (q *Pacer) Next(lane Lane) (at time.Duration, ok bool) {
	unacked := lane.Unacked()
	switch {
	case len(q.straight) > 0:
		return 0, unacked < straightBelow
	case len(q.byKey) == 0 || unacked >= passBelow:
		return 0, false
	case !q.begun:
		return 0, true
	}
	at = q.last + passInterval
	if full := q.windowStart + window; q.spent() && full > at {
		at = full
	}
	return at, true
}

// Flush puts on the lane what may go now: straight packets that waited, then a pass if one is due.
func (q *Pacer) Flush(now time.Duration, lane Lane) error {
	for len(q.straight) > 0 && lane.Unacked() < straightBelow {
		if _, err := lane.Push(q.straight[0], protocol.MaxPacket); err != nil {
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

// spent says whether a window has no room for another packet of the largest size.
func (q *Pacer) spent() bool {
	return q.packets >= windowPackets || q.bytes+protocol.MaxPacket > windowBytes
}

// pass takes the things in their order until the window is spent.
func (q *Pacer) pass(lane Lane) error {
	if it := q.current; it != nil {
		if done, err := q.put(lane, it); err != nil || !done {
			return err
		}
		q.remove(it)
	}
	for class := range q.waiting {
		if more, err := q.passClass(lane, &q.waiting[class]); err != nil || !more {
			return err
		}
	}
	return nil
}

// passClass takes the things of a class; what has to wait for another thing stays. more is false when the window was
// spent.
func (q *Pacer) passClass(lane Lane, class *[]*item) (more bool, err error) {
	list := *class
	kept, i := list[:0], 0
	for more = true; more && err == nil && i < len(list); i++ {
		it := list[i]
		if it.After != nil && q.byKey[it.After] != nil {
			kept = append(kept, it)
			continue
		}
		if more, err = q.put(lane, it); more && err == nil {
			q.forget(it)
			continue
		}
		if it.sent > 0 {
			q.current = it
		} else {
			kept = append(kept, it)
		}
	}
	rest := list[i:]
	if len(kept) == 0 {
		clear(list[:i])
		*class = rest // without moving those that stay
		return more, err
	}
	kept = append(kept, rest...)
	clear(list[len(kept):])
	*class = kept
	return more, err
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
		if q.packets+len(it.Packets) > windowPackets || q.bytes+size > windowBytes ||
			lane.Unacked()+len(it.Packets) > passBelow {
			return false, nil
		}
	}
	for it.sent < len(it.Packets) {
		room := windowBytes - q.bytes
		if it.Whole {
			room = protocol.MaxPacket
		} else if q.packets >= windowPackets || lane.Unacked() >= passBelow {
			return false, nil
		}
		size, err := lane.Push(it.Packets[it.sent], room)
		if errors.Is(err, ErrNoRoom) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		it.sent++
		q.packets++
		q.bytes += size
	}
	return true, nil
}

// before is the order within a class: what is waited for, then the nearest, then the order of coming.
func before(a, b *item) bool {
	switch {
	case a.wanted != b.wanted:
		return a.wanted
	case a.Distance != b.Distance:
		return a.Distance < b.Distance
	}
	return a.seq < b.seq
}

// place is where an item stands in its class, or would stand.
func (q *Pacer) place(it *item) int {
	list := q.waiting[it.Class]
	if n := len(list); n == 0 || before(list[n-1], it) {
		return n
	}
	low, high := 0, len(list)
	for low < high {
		if mid := (low + high) / 2; before(list[mid], it) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (q *Pacer) insert(it *item) {
	at := q.place(it)
	list := append(q.waiting[it.Class], nil)
	copy(list[at+1:], list[at:])
	list[at] = it
	q.waiting[it.Class] = list
}

// cut takes an item out of its class.
func (q *Pacer) cut(it *item) {
	list, at := q.waiting[it.Class], q.place(it)
	copy(list[at:], list[at+1:])
	list[len(list)-1] = nil
	q.waiting[it.Class] = list[:len(list)-1]
}

// remove takes an item out of everything.
func (q *Pacer) remove(it *item) {
	if q.current == it {
		q.current = nil
	} else {
		q.cut(it)
	}
	q.forget(it)
}

// forget takes an item that is in no class any more off the keys.
func (q *Pacer) forget(it *item) {
	delete(q.byKey, it.Key)
	if it.After == nil {
		return
	}
	if q.afters[it.After]--; q.afters[it.After] <= 0 {
		delete(q.afters, it.After)
	}
}
