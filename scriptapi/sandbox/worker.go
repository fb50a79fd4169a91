package sandbox

import (
	"iter"

	lua "github.com/yuin/gopher-lua"
)

// signal is what a fiber says when it gives control back.
type signal uint8

const (
	signalEnd   signal = iota // its function has ended
	signalYield               // coroutine.yield
	signalWait                // the whole handler waits, with every coroutine that it is in
)

// fiber is a Go coroutine that Lua code runs on: next gives it control until it signals.
type fiber struct {
	next    func() (signal, bool)
	yield   func(signal) bool // false: end, by panic(unwind{})
	stop    func()
	nesting int // protected calls that stand in it
}

func (f *fiber) run(body func()) {
	f.next, f.stop = iter.Pull(func(yield func(signal) bool) {
		f.yield = yield
		body()
	})
}

// worker runs handlers of one state, one after the other.
type worker struct {
	fiber
	allowance
	st      *State
	th      *lua.LState
	top     *fiber       // the coroutine that the handler is in, or the worker's own fiber
	inside  []*coroutine // that it is in, outermost first
	caller  *worker      // who has the baton back when it ends or waits
	call    Call
	wait    *wait
	ended   bool
	results []lua.LValue
	err     error
}

func (st *State) takeWorker() *worker {
	if n := len(st.workers); n > 0 {
		w := st.workers[n-1]
		st.workers = st.workers[:n-1]
		w.ended, w.results, w.err = false, nil, nil
		return w
	}
	w := &worker{st: st}
	w.top = &w.fiber
	w.run(w.loop)
	return w
}

// putWorker keeps an idle worker for the next handler.
func (st *State) putWorker(w *worker) {
	w.call = Call{}
	w.results, w.err = nil, nil
	if st.closed || len(st.workers) >= keepWorkers {
		w.stop()
		return
	}
	st.workers = append(st.workers, w)
}

func (w *worker) loop() {
	for {
		if !w.handle() {
			return
		}
		w.ended = true
		if !w.yield(signalEnd) {
			return
		}
	}
}

// handle runs w.call; false when the worker was told to end meanwhile.
func (w *worker) handle() bool {
	st := w.st
	if w.th == nil {
		w.th = st.takeThread()
	}
	th := w.th
	th.Push(w.call.Fn)
	for _, arg := range w.call.Args {
		th.Push(arg)
	}
	c := protect(th, len(w.call.Args))
	w.top, w.inside, w.nesting = &w.fiber, w.inside[:0], 0
	if c == nil {
		if n := th.GetTop(); n > 0 {
			w.results = make([]lua.LValue, n)
			for i := range w.results {
				w.results[i] = th.Get(i + 1)
			}
			th.SetTop(0)
		}
		return true
	}
	w.th = nil
	if c.unwind {
		return false
	}
	st.sched.logPanic(st, c)
	w.err = st.scriptError(c, w.call.Event)
	return true
}
