package host

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"darqline/host/world"
)

// Bounds of the script loop's queue: above the first a client's events are dropped, above the second nothing is taken.
const (
	clientItems = 16_384
	allItems    = 65_536
)

// ErrBusy means that the script loop's queue is full.
var ErrBusy = errors.New("65,536 items wait for the script loop: a script holds it up")

// ErrStopped means that the script loop has ended.
var ErrStopped = errors.New("the server has stopped")

// scriptLoop runs what scripts do, one item at a time and in order.
type scriptLoop struct {
	log    *slog.Logger
	faults *faults
	handle func(world.Event)
	timers func(now time.Duration) (next time.Duration, ok bool)
	now    func() time.Duration
	wake   chan struct{}

	mu      sync.Mutex
	items   []item
	ended   bool
	dropped int // since the last drain

	spare []item // the other half of the double buffer; the loop's own
}

// item is a function to run, or an event to handle.
type item struct {
	run   func()
	event world.Event
}

// Post runs a function on the script loop.
func (l *scriptLoop) Post(f func()) error { return l.post(item{run: f}, allItems) }

// PostEvent runs an event's handlers on the script loop, after what waits already.
func (l *scriptLoop) PostEvent(e world.Event) bool { return l.post(item{event: e}, allItems) == nil }

// sink takes the world's events. Those that a client causes at will are bounded tighter than the edges of lives.
type sink struct{ l *scriptLoop }

func (s sink) Post(e world.Event) bool {
	bound := clientItems
	switch e := e.(type) {
	case world.PlayerJoin, world.PlayerLeave, world.PlayerSignIn, world.PlayerSpawnRequest, world.PlayerSpawn, world.PlayerArrive, world.PlayerDeath,
		world.PlayerRespawnRequest, world.DialogAnswered, world.DialogDone, world.ElementDone, world.MenuDone, world.OfferDone, world.ActionGone:
		bound = allItems
	case world.ActionInput:
		if !e.Pressed {
			bound = allItems
		}
	case world.ViewEvent:
		if e.Kind != world.ViewDidAct {
			bound = allItems
		}
	}
	return s.l.post(item{event: e}, bound) == nil
}

func (l *scriptLoop) post(it item, bound int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ended:
		return ErrStopped
	case len(l.items) >= bound:
		l.dropped++
		return ErrBusy
	}
	l.items = append(l.items, it)
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return nil
}

// run works until ctx ends and everything that was taken has run.
func (l *scriptLoop) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		l.drain()
		l.fire(timer)
		l.mu.Lock()
		idle := len(l.items) == 0
		if idle && ctx.Err() != nil {
			l.ended = true
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		if !idle {
			continue
		}
		select {
		case <-ctx.Done():
		case <-l.wake:
		case <-timer.C:
		}
	}
}

// drain runs what waits now, and no more, so that timers get their turn.
func (l *scriptLoop) drain() {
	l.mu.Lock()
	items, dropped := l.items, l.dropped
	l.items, l.dropped = l.spare[:0], 0
	l.mu.Unlock()
	if dropped > 0 {
		l.log.Warn("the script loop was busy for too long: what players sent meanwhile is lost", "events", dropped)
	}
	for i := range items {
		l.one(items[i])
		items[i] = item{}
	}
	l.spare = items
}

func (l *scriptLoop) one(it item) {
	defer l.faults.recovered("a handler")
	if it.event != nil {
		l.handle(it.event)
	} else {
		it.run()
	}
}

// fire runs the timers that are due and sets the clock for the next one.
func (l *scriptLoop) fire(timer *time.Timer) {
	defer l.faults.recovered("a timer")
	if next, ok := l.timers(l.now()); ok {
		timer.Reset(max(0, next-l.now()))
	}
}
