package host

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"darqline/host/session"
	"darqline/host/udp"
)

// readBatch is how many datagrams one read may bring.
const readBatch = 64

// syncLoop moves datagrams: it reads, hands them to the sessions, applies what they say to the world, sends frames on, and
// keeps the time of sessions and world. Its two goroutines, one that waits for the network and one that waits for the
// clock, take turns.
type syncLoop struct {
	h      *Host
	turn   sync.Mutex
	events []session.Event
	load   load
	frames *time.Timer // to the moment at which frames that wait are due
	behind atomic.Bool // more datagrams wait to be read
	wake   chan struct{}
}

func newSyncLoop(h *Host) *syncLoop {
	l := &syncLoop{h: h, wake: make(chan struct{}, 1), frames: time.NewTimer(time.Hour)}
	l.load.log = h.log
	return l
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
		l.behind.Store(n == len(ms))
		l.round(func(now time.Duration) {
			for i := range n {
				l.receive(now, &ms[i])
			}
		})
	}
}

// receive keeps a fault in the work on one datagram from taking anything else down.
func (l *syncLoop) receive(now time.Duration, m *udp.Message) {
	defer l.h.faults.recovered("a datagram")
	l.h.sessions.Receive(now, m.Addr, m.Data)
}

// round does a piece of work on one's turn: then what it led to is applied, and sent.
func (l *syncLoop) round(work func(now time.Duration)) {
	l.turn.Lock()
	began := l.h.now()
	work(began)
	l.apply()
	l.release(l.h.now())
	l.turn.Unlock()
	l.flush()
	l.measure(began)
}

func (l *syncLoop) flush() {
	defer l.h.faults.recovered("sending")
	l.h.out.flush()
}

// release lets frames go that are due, or sees to it that they go when they are.
func (l *syncLoop) release(now time.Duration) {
	if !l.h.sessions.RelaysWait() {
		return
	}
	if due := l.load.due(); now < due {
		l.frames.Reset(due - now)
		return
	}
	l.load.flushed = now
	defer l.h.faults.recovered("sending frames on")
	l.h.sessions.FlushRelays()
}

// measure keeps account of how busy the loop is. What took long because frames were sent counts too.
func (l *syncLoop) measure(began time.Duration) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if widen, changed := l.load.worked(began, l.h.now()); changed {
		tx := l.h.world.Begin()
		defer tx.End()
		tx.SetWiden(widen)
	}
}

// A clock that finds datagrams waiting lets the reader go first for a while.
const (
	readFirst  = 2 * time.Millisecond
	latestTick = 100 * time.Millisecond
)

// pingsEvery is how often the player lists get new pings (page Chat, HUD and dialogs, PlayerListEntry).
const pingsEvery = 5 * time.Second

// clock is the time's half.
func (l *syncLoop) clock(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	defer l.frames.Stop()
	pings, ticked := pingsEvery, time.Duration(0)
	for {
		var next time.Duration
		select {
		case <-ctx.Done():
			return
		case <-l.frames.C:
			l.round(func(time.Duration) {})
			continue
		case <-timer.C:
		case <-l.wake:
		}
		if now := l.h.now(); l.behind.Load() && now-ticked < latestTick {
			timer.Reset(readFirst) // acks may be among what waits: what they would stop is not sent again before
			continue
		}
		l.round(func(now time.Duration) {
			ticked = now
			next = l.tick(now, now >= pings)
			if now >= pings {
				pings = now + pingsEvery
			}
		})
		timer.Reset(min(next, pings) - l.h.now())
	}
}

// tick does what is due, and tells when it is wanted again: soon, where it fails.
func (l *syncLoop) tick(now time.Duration, pings bool) (next time.Duration) {
	next = now + latestTick
	defer l.h.faults.recovered("what is due")
	sessions := l.h.sessions.Tick(now)
	tx := l.h.world.Begin()
	defer tx.End()
	world := tx.Tick()
	if pings {
		tx.RefreshPings()
	}
	return min(sessions, world)
}

// settle takes what has happened into the world before anything else comes.
func (l *syncLoop) settle() { l.round(func(time.Duration) {}) }

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
	defer l.h.faults.recovered("the rules of a packet")
	switch e.Kind {
	case session.Connecting:
		l.h.script.PostEvent(connecting{e.Attempt})
		return
	case session.Asserted:
		l.h.checkAssertion(e.Conn, e.JWT)
		return
	case session.Refused:
		l.h.tellRefused(e)
		return
	}
	tx := l.h.world.Begin()
	defer tx.End()
	switch e.Kind {
	case session.Admitted:
		tx.Admit(e.Conn)
	case session.Confirmed:
		if e.SignIn {
			tx.SignIn(e.Conn)
		} else {
			tx.Join(e.Conn)
		}
	case session.Left:
		tx.Leave(e.Conn, e.Reason, e.Text)
	case session.Moved:
		if p := tx.PlayerOf(e.Conn); p != nil {
			tx.ChangeAddress(p, e.From, e.To)
		}
	case session.Received:
		if p := tx.PlayerOf(e.Conn); p != nil {
			tx.Receive(p, e.Packet)
		}
	}
}

// connecting is player_connect: a hello that waits for its verdict.
type connecting struct{ attempt *session.Attempt }

func (connecting) LuaName() string { return "player_connect" }

// every does a piece of work again and again until ctx ends. It is for what is neither the network's nor the scripts'.
func (h *Host) every(ctx context.Context, period time.Duration, what string, work func()) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		func() {
			defer h.faults.recovered(what)
			work()
		}()
	}
}
