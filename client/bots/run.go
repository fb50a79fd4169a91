package bots

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"darqline/host/udp"
	"darqline/protocol"
)

// The clockwork of a run.
const (
	joinWait   = 15 * time.Second // for the next one to come in, before the run goes on without those that are missing
	settleTime = 3 * time.Second  // from when all are in until the measure begins, at least: the first scopes fill
	settleMost = 30 * time.Second // for a server that is still busy with their coming
	settled    = 1                // percent lost, at most, of the frames of a second
	lateTime   = time.Second      // that frames may be under way when it ends
	lateMost   = 30 * time.Second // that numbered lines may be
	dueEvery   = 100 * time.Millisecond
	pollEvery  = 5 * time.Millisecond
	restLeast  = time.Millisecond // a shorter one is not worth a timer
	tellEvery  = 5 * time.Second
	byes       = 3
	byeEvery   = 50 * time.Millisecond
)

// phase is how far a run is.
type phase uint8

const (
	joining phase = iota
	settling
	measuring
	draining
	over
)

// run is the state of all bots. One goroutine owns it.
type run struct {
	cfg   Config
	group udp.Group
	begun time.Time
	bots  []bot
	due   []time.Duration // when each bot has something to do
	byID  []*bot          // by player_id

	phase  phase
	since  time.Duration // of the phase
	came   time.Duration // when the last bot came in
	polled time.Duration
	told   time.Duration
	looked time.Duration // when the server was last found settled or not

	in, ended, refused int // bots: in the game, thrown out, not admitted
	ends               map[string]int
	left, moves        int // sessions that a bot ended by itself, and went on with from another address

	// Of the whole run.
	heardLines Lines
	pings      delays
	lane       laneTally
	unacked    int // most

	codec   protocol.Codec
	scratch []byte
	own     protocol.PlayerSync
	remote  protocol.RemotePlayerSync

	measure
	tally
	measured time.Duration
	final    tally    // when the measure ended
	last     struct { // at the last line of progress
		measure
		tally
	}
}

// tally counts what happens while it is measured.
type tally struct {
	sent, heard, bytes, malformed             uint64
	shots, deaths, respawns, teleports, lines uint64
}

func newRun(c Config, group udp.Group) *run {
	if c.Say == nil {
		c.Say = func(string) {}
	}
	return &run{cfg: c, group: group, begun: time.Now(), bots: make([]bot, c.Count), due: make([]time.Duration, c.Count),
		ends: make(map[string]int)}
}

// now is the time on the run's own clock.
func (r *run) now() time.Duration { return time.Since(r.begun) }

// joinAt is when a bot begins to join: one after the other.
func (r *run) joinAt(i int) time.Duration {
	return time.Duration(i) * time.Second / time.Duration(r.cfg.Ramp)
}

// open opens the sockets. On loopback each bot has an address of its own, as players have.
func (r *run) open(server netip.Addr) error {
	own := server.Is4() && server.IsLoopback()
	for i := range r.bots {
		var from netip.Addr
		if own {
			from = netip.AddrFrom4([4]byte{127, 100 + byte(i>>16), byte(i >> 8), byte(i)})
		}
		_, err := r.group.Add(from)
		if err != nil && own { // macOS has 127.0.0.1 alone
			own = false
			_, err = r.group.Add(netip.Addr{})
		}
		if err != nil {
			return fmt.Errorf("bot %d has no socket: %w", i+1, err)
		}
		r.bots[i].init(r, i)
		r.due[i] = r.joinAt(i)
	}
	return nil
}

// run is the loop.
func (r *run) run(ctx context.Context) (*Report, error) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for stop := ctx.Done(); r.phase != over; {
		select {
		case <-stop:
			stop = nil
			r.quit(r.now())
			continue
		case <-timer.C:
		}
		now := r.now()
		if now-r.polled >= pollEvery {
			r.polled = now
			r.group.Poll(r.arrived)
		}
		next := r.drive(r.now())
		r.advance(r.now())
		timer.Reset(max(next-r.now(), restLeast))
	}
	r.leave()
	return r.report()
}

// drive lets each bot do what is due, and gives the time of the next look.
func (r *run) drive(now time.Duration) time.Duration {
	next := r.polled + pollEvery
	for i, at := range r.due {
		if at <= now {
			at = r.bots[i].drive(now)
			r.due[i] = at
		}
		next = min(next, at)
	}
	return next
}

// arrived takes what a socket has read.
func (r *run) arrived(i int, b []byte, segment int, at time.Time) {
	to, wall, now := &r.bots[i], at.UnixNano(), r.polled
	r.bytes += uint64(len(b))
	for len(b) > 0 {
		var d []byte
		if d, b = udp.Cut(b, segment); isFrame(d) {
			to.receiveFrame(now, d, wall)
		} else {
			to.receive(now, d)
			r.due[i] = 0
		}
	}
}

// advance goes on to the next phase when its time has come.
func (r *run) advance(now time.Duration) {
	spent := now - r.since
	switch r.phase {
	case joining:
		if r.in+r.refused+r.ended < len(r.bots) && now-max(r.came, r.joinAt(len(r.bots))) < joinWait {
			r.tell(now, func() string { return fmt.Sprintf("%d of %d are in", r.in, len(r.bots)) })
			return
		}
		if r.in == 0 {
			r.enter(over, now)
			return
		}
		if r.in == len(r.bots) {
			r.cfg.Say(fmt.Sprintf("all %d are in", r.in))
		} else {
			r.cfg.Say(fmt.Sprintf("%d of %d are in: %s", r.in, len(r.bots), r.causes()))
		}
		r.enter(settling, now)
	case settling:
		if r.settled(now, spent) {
			r.enter(measuring, now)
			if r.cfg.Duration > 0 {
				r.cfg.Say(fmt.Sprintf("measuring for %v", r.cfg.Duration))
			} else {
				r.cfg.Say("measuring until the end")
			}
		}
	case measuring:
		if r.cfg.Duration > 0 && spent >= r.cfg.Duration || r.refused+r.ended >= len(r.bots) {
			r.enter(draining, now)
			return
		}
		r.tell(now, func() string { return r.progress(now) })
	case draining:
		if spent >= lateTime && (spent >= lateMost || r.allHeard(now)) {
			r.enter(over, now)
		}
	}
}

// allHeard says whether every numbered line has come to everybody.
func (r *run) allHeard(now time.Duration) bool {
	if now-r.looked < dueEvery {
		return false
	}
	r.looked = now
	return r.linesDue() == 0
}

// settled says whether the measure may begin: the last second's frames have come, or they will not.
func (r *run) settled(now, spent time.Duration) bool {
	if spent >= settleMost {
		return true
	}
	if now-r.looked < time.Second {
		return false
	}
	well := loss(r.expected, r.received) <= max(settled, r.cfg.Loss)
	r.looked, r.measure = now, measure{}
	for i := range r.bots {
		r.bots[i].sent.begin()
	}
	return spent >= settleTime && well
}

// quit ends the run early.
func (r *run) quit(now time.Duration) {
	switch r.phase {
	case measuring:
		r.enter(draining, now)
	case joining, settling:
		r.enter(over, now)
	}
}

// tell says a line every few seconds.
func (r *run) tell(now time.Duration, line func() string) {
	if now-r.told >= tellEvery {
		r.cfg.Say(line())
		r.told = now
	}
}

// enter begins a phase.
func (r *run) enter(p phase, now time.Duration) {
	was := r.phase
	if p == measuring {
		r.tally, r.measure, r.told = tally{}, measure{}, now
		r.last.tally, r.last.measure = r.tally, r.measure
	}
	for i := range r.bots {
		b := &r.bots[i]
		switch {
		case p == measuring:
			b.sent.begin()
		case was == measuring:
			b.sent.end()
		}
	}
	if was == measuring {
		r.measured, r.final = now-r.since, r.tally
	}
	r.phase, r.since = p, now
}
