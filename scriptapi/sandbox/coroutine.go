package sandbox

import (
	"runtime"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// maxCoroutineDepth is how many coroutines may be resumed from within each other.
const maxCoroutineDepth = 16

type coStatus string

const (
	coSuspended coStatus = "suspended"
	coRunning   coStatus = "running"
	coNormal    coStatus = "normal" // it has resumed another one
	coDead      coStatus = "dead"
)

// coroutine is a user's coroutine. It is a Go coroutine, so that it can yield from anywhere. What Lua holds is an empty thread, the
// handle: the goroutine does not refer to it, so a generator that is left half way is found by the garbage collector.
type coroutine struct {
	fiber
	st      *State
	fn      *lua.LFunction
	th      *lua.LState
	handle  weak.Pointer[lua.LState]
	status  coStatus
	waiting bool // its handler waits somewhere in it
	values  []lua.LValue
	failure *caught
}

func (st *State) openCoroutines() {
	t := st.main.CreateTable(0, 8)
	for name, fn := range map[string]lua.LGFunction{
		"create": st.coCreate, "resume": st.coResume, "yield": st.coYield, "wrap": st.coWrap,
		"status": st.coStatus, "running": st.coRunning, "isyieldable": st.coIsYieldable,
	} {
		t.RawSetString(name, st.main.NewFunction(fn))
	}
	st.main.G.Global.RawSetString("coroutine", t)
}

func (st *State) newCoroutine(fn *lua.LFunction) *lua.LState {
	handle := &lua.LState{}
	co := &coroutine{st: st, fn: fn, handle: weak.Make(handle), status: coSuspended}
	st.cos[co.handle] = co
	runtime.AddCleanup(handle, st.lost.add, co.handle)
	if len(st.cos)%256 == 0 {
		st.reap()
	}
	return handle
}

func (st *State) coroutine(th *lua.LState, fn string) *coroutine {
	handle, ok := th.Get(1).(*lua.LState)
	if !ok {
		raise(th, "bad argument #1 to '%s' (coroutine expected, got %s)", fn, th.Get(1).Type())
	}
	return st.lookup(handle)
}

func (st *State) lookup(handle *lua.LState) *coroutine {
	if co := st.cos[weak.Make(handle)]; co != nil {
		return co
	}
	return &coroutine{status: coDead}
}

// current returns the coroutine that runs; nil in a handler itself.
func (st *State) current() *coroutine {
	w := st.sched.running
	if w == nil || w.top == &w.fiber {
		return nil
	}
	return w.inside[len(w.inside)-1]
}

func checkFunction(th *lua.LState, name string) *lua.LFunction {
	fn, ok := th.Get(1).(*lua.LFunction)
	if !ok {
		raise(th, "bad argument #1 to '%s' (function expected, got %s)", name, th.Get(1).Type())
	}
	return fn
}

func (st *State) coCreate(th *lua.LState) int {
	th.Push(st.newCoroutine(checkFunction(th, "create")))
	return 1
}

func (st *State) coWrap(th *lua.LState) int {
	handle := st.newCoroutine(checkFunction(th, "wrap"))
	th.Push(st.main.NewFunction(func(th *lua.LState) int {
		co := st.lookup(handle)
		if c := st.resume(th, co, arguments(th, 1)); c != nil {
			if c.refused != "" {
				raise(th, "%s", c.refused)
			}
			panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: c.value, StackTrace: c.inner})
		}
		runtime.KeepAlive(handle)
		return push(th, co.take())
	}))
	return 1
}

func (st *State) coResume(th *lua.LState) int {
	co := st.coroutine(th, "resume")
	if c := st.resume(th, co, arguments(th, 2)); c != nil {
		th.Push(lua.LFalse)
		th.Push(c.value)
		return 2
	}
	th.Push(lua.LTrue)
	return 1 + push(th, co.take())
}

// take returns what the coroutine yielded or returned.
func (co *coroutine) take() []lua.LValue {
	values := co.values
	co.values = nil
	return values
}

// resume runs co until it yields or ends. Where the handler waits inside it, this waits too.
func (st *State) resume(th *lua.LState, co *coroutine, args []lua.LValue) *caught {
	w := st.sched.running
	refuse := func(text string) *caught { return &caught{value: lua.LString(text), refused: text} }
	switch {
	case w == nil || w.st != st:
		return refuse("cannot resume a coroutine here")
	case co.status == coDead:
		return refuse("cannot resume dead coroutine")
	case co.waiting:
		return refuse("cannot resume a coroutine whose handler waits in it")
	case co.status != coSuspended:
		return refuse("cannot resume non-suspended coroutine")
	case len(w.inside) >= maxCoroutineDepth:
		return refuse("too many coroutines inside each other (16)")
	}
	if co.next == nil {
		co.th = st.takeThread()
		co.run(co.body)
	}
	outer, above := w.top, st.current()
	if above != nil {
		above.status = coNormal
	}
	co.values, co.status, w.top = args, coRunning, &co.fiber
	w.inside = append(w.inside, co)
	for {
		if sig, ok := co.next(); !ok || sig != signalWait {
			break
		}
		co.waiting = true
		if !outer.yield(signalWait) { // the handler ends here, so nobody will go on with this one
			co.end()
			panic(unwind{})
		}
		co.waiting = false
	}
	w.inside = w.inside[:len(w.inside)-1]
	w.top = outer
	if above != nil {
		above.status = coRunning
	}
	if co.status == coRunning {
		co.status = coDead
		delete(st.cos, co.handle)
	}
	if c := co.failure; c != nil {
		co.failure = nil
		st.sched.logPanic(st, c)
		if st.budget.Exhausted() {
			panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: c.value, StackTrace: c.inner})
		}
		return c
	}
	return nil
}

// body is the coroutine's goroutine.
func (co *coroutine) body() {
	args := co.take()
	co.th.Push(co.fn)
	push(co.th, args)
	c := protect(co.th, len(args))
	th := co.th
	co.th, co.fn = nil, nil
	switch {
	case c == nil:
		co.values = arguments(th, 1)
		co.st.putThread(th)
	case !c.unwind:
		c.inner = strings.Join(append(traceback(th), "(a coroutine, resumed by)"), "\n")
		co.failure = c
	}
}

// end ends the coroutine's goroutine, wherever it stands.
func (co *coroutine) end() {
	co.status = coDead
	if co.stop != nil {
		co.stop()
	}
}

func (st *State) coYield(th *lua.LState) int {
	co := st.current()
	if co == nil {
		raise(th, "attempt to yield from outside a coroutine; mp.wait(ms) waits in a handler")
	}
	co.values, co.status = arguments(th, 1), coSuspended
	if !co.yield(signalYield) {
		panic(unwind{})
	}
	return push(th, co.take())
}

func (st *State) coStatus(th *lua.LState) int {
	th.Push(lua.LString(st.coroutine(th, "status").status))
	return 1
}

func (st *State) coRunning(th *lua.LState) int {
	if co := st.current(); co != nil {
		if handle := co.handle.Value(); handle != nil {
			th.Push(handle)
			return 1
		}
	}
	th.Push(lua.LNil)
	return 1
}

func (st *State) coIsYieldable(th *lua.LState) int {
	th.Push(lua.LBool(st.current() != nil))
	return 1
}

// arguments returns th's values from the first on.
func arguments(th *lua.LState, first int) []lua.LValue {
	n := th.GetTop()
	if n < first {
		return nil
	}
	args := make([]lua.LValue, 0, n-first+1)
	for i := first; i <= n; i++ {
		args = append(args, th.Get(i))
	}
	return args
}

func push(th *lua.LState, values []lua.LValue) int {
	for _, v := range values {
		th.Push(v)
	}
	return len(values)
}
