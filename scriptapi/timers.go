package scriptapi

import (
	"container/heap"
	"time"
)

// maxTimers is how many timers and waits a resource may have at once.
const maxTimers = 10_000

// timers is the queue of everything that scripts wait for by time.
type timers struct {
	queue timerQueue
	seq   uint64
}

// timer runs fire once at its time, or every interval until it is stopped.
type timer struct {
	inst  *instance
	at    time.Duration
	seq   uint64
	every time.Duration // 0: once
	fire  func()
	index int // in the queue; -1: not in it
	ended bool
}

func (t *timers) add(inst *instance, at, every time.Duration, fire func()) *timer {
	t.seq++
	tm := &timer{inst: inst, at: at, seq: t.seq, every: every, fire: fire}
	heap.Push(&t.queue, tm)
	inst.timerCount++
	return tm
}

func (t *timers) stop(tm *timer) {
	if tm.index >= 0 {
		heap.Remove(&t.queue, tm.index)
		tm.inst.timerCount--
	}
	tm.every, tm.ended = 0, true
}

// stopAll removes the timers of a resource that stops.
func (t *timers) stopAll(inst *instance) {
	kept := t.queue[:0]
	for _, tm := range t.queue {
		if tm.inst == inst {
			tm.index, tm.every, tm.ended = -1, 0, true
		} else {
			kept = append(kept, tm)
		}
	}
	clear(t.queue[len(kept):])
	t.queue = kept
	for i, tm := range t.queue {
		tm.index = i
	}
	heap.Init(&t.queue)
	inst.timerCount = 0
}

// run fires what is due, in order. A timer that fires again is due at its next time, and once only if several have
// passed: a slow script does not have to catch up.
func (t *timers) run(now time.Duration) (next time.Duration, ok bool) {
	for limit := len(t.queue); limit > 0 && len(t.queue) > 0 && t.queue[0].at <= now; limit-- {
		tm := heap.Pop(&t.queue).(*timer)
		tm.inst.timerCount--
		if tm.every > 0 {
			tm.at += tm.every
			if tm.at <= now {
				tm.at = now + tm.every
			}
			heap.Push(&t.queue, tm)
			tm.inst.timerCount++
		}
		tm.fire()
	}
	if len(t.queue) == 0 {
		return 0, false
	}
	return t.queue[0].at, true
}

type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }
func (q timerQueue) Less(i, j int) bool {
	if q[i].at != q[j].at {
		return q[i].at < q[j].at
	}
	return q[i].seq < q[j].seq
}
func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *timerQueue) Push(x any) {
	tm := x.(*timer)
	tm.index = len(*q)
	*q = append(*q, tm)
}
func (q *timerQueue) Pop() any {
	last := len(*q) - 1
	tm := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	tm.index = -1
	return tm
}
