package sandbox

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"sync"
	"weak"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/lualib"
)

func init() {
	// Arrays end there and larger keys go to the hash part: t[67108863] = 1 must not take a gigabyte.
	lua.MaxArrayIndex = 1 << 20
}

const (
	maxFrames    = 4000    // Lua calls nested in one thread
	maxRegisters = 1 << 16 // values on one thread's stack
	keepThreads  = 8       // idle Lua threads that a state keeps
	keepWorkers  = 4       // idle workers that a state keeps
	maxWaiting   = 10_000  // handlers of one state that wait at once
	maxNested    = 32      // handlers that run within each other, of all states
)

// StateConfig is what a state is made from.
type StateConfig struct {
	Name    string                                // the resource's, for errors and logs
	Require func(module string) (*Program, error) // finds what require asks for; nil: there are no modules
	Owner   any                                   // what bindings get back from State.Owner
}

// State is the Lua state of one resource. Its methods are called by whoever holds the baton: the script loop, or a binding.
type State struct {
	sched   *Scheduler
	name    string
	owner   any
	require func(string) (*Program, error)
	main    *lua.LState // runs nothing; threads are made from it
	budget  *Budget
	idle    allowance     // what counts while no handler runs
	threads []*lua.LState // idle
	workers []*worker     // idle
	waiting map[*worker]struct{}
	active  int // handlers that run or are called from: they stand on the baton's stack
	loaded  map[string]lua.LValue
	loading []*loading
	outside fiber // counts the nesting outside of any handler
	cos     map[weak.Pointer[lua.LState]]*coroutine
	walks   *lualib.Walks
	worn    map[*lua.LTable]struct{} // tables to compact between two handlers
	closed  bool

	lost *lost
}

// lost are coroutines that nothing refers to any more. The garbage collector's goroutine fills it, so it must not refer to the
// state: what a cleanup refers to is never collected.
type lost struct {
	sync.Mutex
	handles []weak.Pointer[lua.LState]
}

func (l *lost) add(handle weak.Pointer[lua.LState]) {
	l.Lock()
	defer l.Unlock()
	l.handles = append(l.handles, handle)
}

func (l *lost) take() []weak.Pointer[lua.LState] {
	l.Lock()
	defer l.Unlock()
	handles := l.handles
	l.handles = nil
	return handles
}

// NewState makes a state with the safe libraries.
func (s *Scheduler) NewState(c StateConfig) *State {
	main := lua.NewState(lua.Options{
		CallStackSize: 8, RegistrySize: 128, RegistryMaxSize: maxRegisters, RegistryGrowStep: 256, MinimizeStackMemory: true, SkipOpenLibs: true,
	})
	st := &State{
		sched: s, lost: new(lost), name: c.Name, owner: c.Owner, require: c.Require, main: main,
		waiting: make(map[*worker]struct{}), loaded: make(map[string]lua.LValue), cos: make(map[weak.Pointer[lua.LState]]*coroutine),
		worn: make(map[*lua.LTable]struct{}),
	}
	st.idle.start(EntryLimits, nil)
	st.budget = &Budget{allowance: &st.idle, heap: s.sampler}
	main.G.MainThread, main.G.CurrentThread = main, main
	main.Panic = throw
	main.Options.CallStackSize = maxFrames
	main.Options.RegistrySize = 64
	st.openBase()
	s.states[st] = struct{}{}
	return st
}

// Name returns the name of the state's resource.
func (st *State) Name() string { return st.name }

// Owner returns what StateConfig gave.
func (st *State) Owner() any { return st.owner }

// Lua returns the thread that bindings make values with. It runs nothing.
func (st *State) Lua() *lua.LState { return st.main }

// Budget returns the state's budget, for bindings that loop.
func (st *State) Budget() *Budget { return st.budget }

// Closed tells whether the state has been stopped.
func (st *State) Closed() bool { return st.closed }

// takeThread returns a clean Lua thread.
func (st *State) takeThread() *lua.LState {
	if n := len(st.threads); n > 0 {
		th := st.threads[n-1]
		st.threads = st.threads[:n-1]
		return th
	}
	th, _ := st.main.NewThread()
	th.Panic = throw
	th.SetContext(st.budget)
	return th
}

// putThread gives back a thread whose call returned; one that raised is dropped instead.
func (st *State) putThread(th *lua.LState) {
	th.SetTop(0)
	if len(st.threads) < keepThreads {
		st.threads = append(st.threads, th)
	}
}

// errStopping is what a handler gets that runs on while its state is closed.
var errStopping = errors.New("stopped: the resource stops")

// Close ends the state: asks that wait get their answer for a stop and may finish, every other wait ends its handler there, and
// all the goroutines of workers and coroutines have ended when it returns. A handler that called what closes its own state
// ends as soon as control comes back to it.
func (st *State) Close() {
	if st.closed {
		return
	}
	st.closed = true
	delete(st.sched.states, st)
	if st.active > 0 {
		st.budget.allowance = &allowance{spent: errStopping}
	}
	for len(st.waiting) > 0 {
		waiting := slices.SortedFunc(maps.Keys(st.waiting), func(a, b *worker) int { return cmp.Compare(a.wait.seq, b.wait.seq) })
		for _, w := range waiting {
			delete(st.waiting, w)
			st.sched.stopWaiting(w)
		}
	}
	if st.active == 0 {
		st.release()
	}
}

// release ends the goroutines that are left.
func (st *State) release() {
	for _, w := range st.workers {
		w.stop()
	}
	for _, co := range st.cos {
		co.end()
	}
	st.workers, st.threads, st.cos = nil, nil, nil
}

// maxWorn is how many tables are compacted at once; the others come again with the next key that is removed.
const maxWorn = 64

// wear notes a table that holds many removed keys.
func (st *State) wear(t *lua.LTable) {
	if len(st.worn) < maxWorn {
		st.worn[t] = struct{}{}
	}
}

// compact makes worn tables forget their removed keys. No Lua of the state runs.
func (st *State) compact() {
	for t := range st.worn {
		st.walks.Compact(t)
		delete(st.worn, t)
	}
}

// reap ends the coroutines that nothing refers to.
func (st *State) reap() {
	for _, h := range st.lost.take() {
		if co := st.cos[h]; co != nil && co.status != coRunning && co.status != coNormal {
			delete(st.cos, h)
			co.end()
		}
	}
}
