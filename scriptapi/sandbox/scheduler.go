package sandbox

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/lualib"
)

// Config is what a Scheduler is made from.
type Config struct {
	Post   func(func()) error // runs a function on the script loop, soon; an error: the loop has ended
	Logger *slog.Logger       // gets Go panics in bindings, with their stack
}

// Scheduler runs the handlers of all states, one at a time. Its methods and those of its states are called on the script loop, or
// by a binding that a running handler called; only wake functions may be called from anywhere.
type Scheduler struct {
	post    func(func()) error
	log     *slog.Logger
	sampler *sampler
	states  map[*State]struct{}
	running *worker // has the baton; nil: the script loop itself
	nested  int     // handlers that stand in each other now
	waits   uint64  // how often a handler has waited

	ready struct { // handlers that were woken; at most as many as wait
		sync.Mutex
		waits  []*wait
		posted bool
	}
}

// NewScheduler starts a scheduler; Close ends it.
func NewScheduler(c Config) *Scheduler {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Scheduler{post: c.Post, log: c.Logger, sampler: newSampler(), states: make(map[*State]struct{})}
}

// Close closes the states that are left and waits for every goroutine.
func (s *Scheduler) Close() {
	for st := range s.states {
		st.Close()
	}
	s.sampler.close()
}

// Call is one run of a Lua function.
type Call struct {
	Fn     lua.LValue
	Args   []lua.LValue
	Event  string                                // what runs, for errors: "event player_join", "command /veh"
	Limits Limits                                // zero: HandlerLimits
	Share  bool                                  // runs on what the handler that calls it has left (an export)
	NoWait string                                // not empty: a wait is the error "cannot wait in ..."
	Done   func(results []lua.LValue, err error) // called once, when it ends; may be nil
}

// ErrClosed is the error of a call into a state that has been stopped.
var ErrClosed = errors.New("the resource is not running")

// ErrNested is the error of a call that would stand in too many others: an event that emits itself.
var ErrNested = fmt.Errorf("events and exports call each other more than %d deep", maxNested)

// Run starts a handler and comes back when it ends (finished) or reaches its first wait. The error is a *ScriptError, ErrClosed or
// ErrNested.
func (st *State) Run(c Call) (results []lua.LValue, finished bool, err error) {
	switch {
	case st.closed:
		err = ErrClosed
	case st.sched.nested >= maxNested:
		err = ErrNested
	}
	if err != nil {
		if c.Done != nil {
			c.Done(nil, err)
		}
		return nil, true, err
	}
	st.reap()
	w := st.takeWorker()
	w.call = c
	if c.Limits == (Limits{}) {
		w.call.Limits = HandlerLimits
	}
	st.sched.enter(w, true)
	if !w.ended {
		return nil, false, nil
	}
	results, err = w.results, w.err
	st.putWorker(w)
	return results, true, err
}

// Program makes the function that runs a compiled file in this state.
func (st *State) Program(p *Program) *lua.LFunction { return lualib.Main(st.main, p.proto) }

// Running returns the state whose handler has the baton and what that handler is ("event player_join"); nil on the script loop.
func (s *Scheduler) Running() (st *State, event string) {
	if s.running == nil {
		return nil, ""
	}
	return s.running.st, s.running.call.Event
}

// enter gives w the baton until it ends or waits.
func (s *Scheduler) enter(w *worker, fresh bool) {
	caller, st := s.running, w.st
	previous := st.budget.allowance
	var outer *allowance // whose clock stands still meanwhile
	if caller != nil {
		outer = caller.st.budget.allowance
	}
	switch {
	case fresh && w.call.Share && outer != nil:
		st.budget.allowance = outer
	case st.active > 0: // called by another handler of this state, maybe through other states: on what that one has left
	default:
		w.start(w.call.Limits, s.sampler)
		st.budget.allowance = &w.allowance
	}
	current := st.budget.allowance
	if outer != nil && current != outer {
		outer.pause()
		current.resume()
	}
	s.sampler.watch(current)
	w.caller, s.running = caller, w
	st.active++
	s.nested++
	w.next()
	s.nested--
	st.active--
	s.running, w.caller = caller, nil
	if !st.closed {
		st.budget.allowance = previous
	}
	if outer != nil {
		if current != outer {
			current.pause()
			outer.resume()
		}
		s.sampler.watch(outer)
	} else {
		s.sampler.watch(nil)
	}
	if w.ended {
		if st.closed && w.err != nil {
			w.err = ErrClosed
		}
		if w.call.Done != nil {
			w.call.Done(w.results, w.err)
		}
		if st.closed {
			w.stop()
		}
	}
	switch {
	case st.active > 0:
	case st.closed && len(st.waiting) == 0:
		st.release()
	case len(st.worn) > 0:
		st.compact()
	}
}

// Pay spends n units of what the handler that runs has left, of whatever state it is; on the script loop nothing. Bindings pay for
// what they copy, so that it costs the handler that asked for it.
func (st *State) Pay(n int) {
	if w := st.sched.running; w != nil {
		w.st.budget.Spend(n)
	}
}

// Wait is something that a handler waits for.
type Wait struct {
	// Start begins it. It must not block; wake may be called from any goroutine, also at once, and only the first call counts.
	Start func(wake func(any))
	// Stopped gives what Await returns when the state is closed meanwhile; nil: the handler ends there.
	Stopped func() any
}

type wait struct {
	w       *worker
	seq     uint64 // the order in which handlers began to wait
	stopped func() any
	value   any
	woken   bool
	parked  bool // the handler has given the baton away
	over    bool // the handler has gone on, or has ended
}

// Await gives the baton away until the wait is woken, and returns what wake was given. The error says why the running handler
// cannot wait.
func (st *State) Await(x Wait) (any, error) {
	s, w := st.sched, st.sched.running
	switch {
	case w == nil || w.st != st:
		return nil, errors.New("cannot wait here")
	case st.closed:
		return nil, errors.New("cannot wait: the resource stops")
	case w.call.NoWait != "":
		return nil, fmt.Errorf("cannot wait in %s", w.call.NoWait)
	case len(st.waiting) >= maxWaiting:
		return nil, fmt.Errorf("cannot wait: %d handlers of this resource wait already", maxWaiting)
	}
	s.waits++
	wt := &wait{w: w, seq: s.waits, stopped: x.Stopped}
	x.Start(func(v any) { s.wake(wt, v) })
	s.ready.Lock()
	wt.parked = !wt.woken
	s.ready.Unlock()
	if !wt.parked {
		return wt.value, nil
	}
	w.wait = wt
	st.waiting[w] = struct{}{}
	if !w.top.yield(signalWait) {
		panic(unwind{})
	}
	w.wait = nil
	return wt.value, nil
}

// wake marks a wait as answered and has the script loop go on with its handler.
func (s *Scheduler) wake(wt *wait, v any) {
	s.ready.Lock()
	defer s.ready.Unlock()
	if wt.woken {
		return
	}
	wt.woken, wt.value = true, v
	if !wt.parked {
		return
	}
	s.ready.waits = append(s.ready.waits, wt)
	if !s.ready.posted {
		s.ready.posted = s.post(s.runReady) == nil
	}
}

// GoOn goes on at once with the handlers that were woken, for whom the script loop would do it after what waits already.
// Inside a handler it does nothing.
func (s *Scheduler) GoOn() {
	if s.running == nil {
		s.runReady()
	}
}

// runReady goes on with the handlers that were woken, in that order.
func (s *Scheduler) runReady() {
	s.ready.Lock()
	waits := s.ready.waits
	s.ready.waits, s.ready.posted = nil, false
	s.ready.Unlock()
	for _, wt := range waits {
		if !wt.over {
			s.proceed(wt)
		}
	}
}

// proceed goes on with a waiting handler, with fresh limits.
func (s *Scheduler) proceed(wt *wait) {
	w := wt.w
	wt.over = true
	delete(w.st.waiting, w)
	w.st.reap()
	s.enter(w, false)
	if w.ended {
		w.st.putWorker(w)
	}
}

// stopWaiting ends a waiting handler of a state that is being closed.
func (s *Scheduler) stopWaiting(w *worker) {
	wt := w.wait
	s.ready.Lock()
	wt.woken, wt.over = true, true
	s.ready.Unlock()
	if wt.stopped == nil {
		w.stop()
		if w.call.Done != nil {
			w.call.Done(nil, ErrClosed)
		}
		return
	}
	wt.value = wt.stopped()
	s.proceed(wt)
}

// logPanic writes down a Go panic in a binding: it is a fault of the server, not of the script.
func (s *Scheduler) logPanic(st *State, c *caught) {
	if c.goPanic != "" {
		s.log.Error("a Lua function of the server panicked", "resource", st.name, "error", fmt.Sprint(c.value), "stack", c.goPanic)
	}
}
