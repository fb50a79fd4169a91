package host

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"darqline/host/session"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// readBatch is how many datagrams one read may bring.
const readBatch = 64

// syncLoop moves datagrams: it reads, hands them to the sessions, applies what they say to the world, and keeps the
// sessions' time. Its two goroutines, one that waits for the network and one that waits for the clock, take turns.
type syncLoop struct {
	h      *Host
	turn   sync.Mutex
	events []session.Event
	wake   chan struct{}
}

// read is the network's half; it ends when the socket closes.
func (l *syncLoop) read(conn udp.Conn) error {
	ms := make([]udp.Message, readBatch)
	for i := range ms {
		ms[i].Data = make([]byte, 0, 2048)
	}
	for {
		n, err := conn.ReadBatch(ms)
		if err != nil {
			return err
		}
		l.turn.Lock()
		now := l.h.now()
		for i := range n {
			l.h.sessions.Receive(now, ms[i].Addr, ms[i].Data)
		}
		l.apply()
		l.turn.Unlock()
		l.h.out.flush()
	}
}

// pingsEvery is how often the player lists get new pings (page Chat, HUD and dialogs, PlayerListEntry).
const pingsEvery = 5 * time.Second

// clock is the time's half.
func (l *syncLoop) clock(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	pings := pingsEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-l.wake:
		}
		l.turn.Lock()
		now := l.h.now()
		if now >= pings {
			pings = now + pingsEvery
			tx := l.h.world.Begin()
			tx.RefreshPings()
			tx.End()
		}
		next := min(l.h.sessions.Tick(now), pings)
		l.apply()
		l.turn.Unlock()
		l.h.out.flush()
		timer.Reset(next - l.h.now())
	}
}

// settle takes what has happened into the world before anything else comes.
func (l *syncLoop) settle() {
	l.turn.Lock()
	l.apply()
	l.turn.Unlock()
	l.h.out.flush()
}

// poke makes the clock look now; it does not block.
func (l *syncLoop) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// apply takes what happened to the connections into the world.
func (l *syncLoop) apply() {
	for {
		l.events = l.h.sessions.Events(l.events[:0])
		if len(l.events) == 0 {
			return
		}
		for i := range l.events {
			l.applyOne(&l.events[i])
		}
		clear(l.events)
	}
}

// applyOne keeps a fault in one packet's rules from taking anything else down.
func (l *syncLoop) applyOne(e *session.Event) {
	defer func() {
		if r := recover(); r != nil {
			l.h.log.Error("a packet's rules failed; it is dropped", "event", e.Kind, "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if e.Kind == session.Connecting {
		l.h.script.PostEvent(connecting{e.Attempt})
		return
	}
	tx := l.h.world.Begin()
	defer tx.End()
	switch e.Kind {
	case session.Admitted:
		tx.Admit(e.Conn)
	case session.Confirmed:
		tx.Join(e.Conn)
	case session.Left:
		tx.Leave(e.Conn, e.Reason, e.Text)
	case session.Received:
		if p := tx.PlayerOf(e.Conn); p != nil {
			receive(tx, p, e.Packet)
		}
	}
}

// receive sends a client's packet to the rules of its topic.
func receive(tx world.Tx, p *world.Player, packet protocol.Packet) {
	switch m := packet.(type) {
	case *protocol.ClientChat:
		tx.ReceiveChat(p, m)
	case *protocol.ClientCommand:
		tx.ReceiveCommand(p, m)
	case *protocol.ViewStatus:
		tx.ReceiveViewStatus(p, m)
	case *protocol.ViewAction:
		tx.ReceiveViewAction(p, m)
	}
}

// connecting is player_connect: a hello that waits for its verdict.
type connecting struct{ attempt *session.Attempt }

func (connecting) LuaName() string { return "player_connect" }

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
	case world.PlayerJoin, world.PlayerLeave:
		bound = allItems
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
	defer l.recovered()
	if it.event != nil {
		l.handle(it.event)
	} else {
		it.run()
	}
}

// fire runs the timers that are due and sets the clock for the next one.
func (l *scriptLoop) fire(timer *time.Timer) {
	defer l.recovered()
	if next, ok := l.timers(l.now()); ok {
		timer.Reset(max(0, next-l.now()))
	}
}

// recovered keeps a fault of one item from taking the loop down.
func (l *scriptLoop) recovered() {
	if r := recover(); r != nil {
		l.log.Error("the script loop recovered", "panic", r, "stack", string(debug.Stack()))
	}
}
