package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/lualib"
)

// maxNesting is how many protected calls may stand in each other, as lua5.1 limits the calls through C.
const maxNesting = 200

// maxModule is the length of the longest name for require.
const maxModule = 200

func (st *State) openBase() {
	g := st.main.G.Global
	g.RawSetString("_G", g)
	g.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	for name, fn := range map[string]lua.LGFunction{
		"assert": baseAssert, "error": baseError, "getmetatable": baseGetMetatable, "setmetatable": baseSetMetatable,
		"pcall": st.basePCall, "xpcall": st.baseXPCall, "require": st.baseRequire,
	} {
		g.RawSetString(name, st.main.NewFunction(fn))
	}
	st.openCoroutines()
	st.walks = lualib.Open(st.main, lualib.Config{Meter: st.budget, Worn: st.wear})
	for _, name := range []string{"coroutine", "math", "os", "string", "table"} {
		st.loaded[name] = g.RawGetString(name) // require "string" gives string
	}
}

func baseAssert(th *lua.LState) int {
	if th.GetTop() == 0 {
		raise(th, "bad argument #1 to 'assert' (value expected)")
	}
	if lua.LVAsBool(th.Get(1)) {
		return th.GetTop()
	}
	message := th.Get(2)
	if th.GetTop() < 2 || message == lua.LNil {
		message = lua.LString("assertion failed!")
	}
	if lua.LVCanConvToString(message) {
		message = lua.LString(where(th, 1)) + lua.LString(lualib.ToString(th, message).String())
	}
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: message})
}

func baseError(th *lua.LState) int {
	level := 1
	if n, ok := th.Get(2).(lua.LNumber); ok {
		level = int(n)
	}
	message := th.Get(1)
	if lua.LVCanConvToString(message) && level > 0 && level < maxTraceback {
		message = lua.LString(where(th, level)) + lua.LString(lualib.ToString(th, message).String())
	}
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: message})
}

// baseGetMetatable gives the metatable of a table; of everything else only what its __metatable shows.
func baseGetMetatable(th *lua.LState) int {
	if th.GetTop() == 0 {
		raise(th, "bad argument #1 to 'getmetatable' (value expected)")
	}
	mt := th.GetMetatable(th.Get(1))
	if _, isTable := th.Get(1).(*lua.LTable); !isTable {
		if _, isTable := mt.(*lua.LTable); isTable {
			mt = lua.LFalse
		}
	}
	th.Push(mt)
	return 1
}

func baseSetMetatable(th *lua.LState) int {
	t, ok := th.Get(1).(*lua.LTable)
	if !ok {
		raise(th, "bad argument #1 to 'setmetatable' (table expected, got %s)", th.Get(1).Type())
	}
	mt := th.Get(2)
	if _, ok := mt.(*lua.LTable); !ok && (mt != lua.LNil || th.GetTop() < 2) {
		raise(th, "bad argument #2 to 'setmetatable' (nil or table expected)")
	}
	if old, ok := t.Metatable.(*lua.LTable); ok && old.RawGetString("__metatable") != lua.LNil {
		raise(th, "cannot change a protected metatable")
	}
	t.Metatable = mt
	th.SetTop(1)
	return 1
}

// protectedCall calls fn on a Lua thread of its own: an error there leaves the registers, frames and closures of the callers as
// they are. Only a spent budget and the end of the handler go through.
func (st *State) protectedCall(caller *lua.LState, fn lua.LValue, args []lua.LValue) ([]lua.LValue, *caught) {
	f := st.nest(caller)
	defer func() { f.nesting-- }()
	th := st.takeThread()
	th.Push(fn)
	push(th, args)
	c := protect(th, len(args))
	if c == nil {
		results := arguments(th, 1)
		st.putThread(th)
		return results, nil
	}
	if c.unwind {
		panic(unwind{})
	}
	st.sched.logPanic(st, c)
	if st.budget.Exhausted() {
		panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: c.value, StackTrace: strings.Join(traceback(th), "\n")})
	}
	return nil, c
}

// nest counts a protected call, or refuses it.
func (st *State) nest(caller *lua.LState) *fiber {
	f := &st.outside
	if w := st.sched.running; w != nil {
		f = w.top
	}
	if f.nesting >= maxNesting {
		raise(caller, "stack overflow: more than %d pcall in each other", maxNesting)
	}
	f.nesting++
	return f
}

func (st *State) basePCall(th *lua.LState) int {
	if th.GetTop() == 0 {
		raise(th, "bad argument #1 to 'pcall' (value expected)")
	}
	results, c := st.protectedCall(th, th.Get(1), arguments(th, 2))
	if c != nil {
		th.Push(lua.LFalse)
		th.Push(c.value)
		return 2
	}
	th.Push(lua.LTrue)
	return 1 + push(th, results)
}

func (st *State) baseXPCall(th *lua.LState) int {
	results, c := st.protectedCall(th, th.Get(1), arguments(th, 3))
	if c == nil {
		th.Push(lua.LTrue)
		return 1 + push(th, results)
	}
	th.Push(lua.LFalse)
	results, c = st.protectedCall(th, th.Get(2), []lua.LValue{c.value})
	switch {
	case c != nil:
		th.Push(lua.LString("error in error handling"))
	case len(results) == 0:
		th.Push(lua.LNil)
	default:
		th.Push(results[0])
	}
	return 2
}

// loading is a file that a handler is running because it was required.
type loading struct {
	module string
	by     *worker
}

// baseRequire runs another file of the resource, once, and returns what it returned.
func (st *State) baseRequire(th *lua.LState) int {
	name, ok := th.Get(1).(lua.LString)
	if !ok {
		raise(th, "bad argument #1 to 'require' (string expected, got %s)", th.Get(1).Type())
	}
	module := string(name)
	if v, ok := st.loaded[module]; ok {
		th.Push(v)
		return 1
	}
	w := st.sched.running
	var around []string // what this handler loads already
	for _, l := range st.loading {
		if l.by == w {
			around = append(around, l.module)
		}
	}
	for _, l := range st.loading {
		switch {
		case l.module != module:
		case l.by == w:
			raise(th, "the files require each other: %s", strings.Join(append(around[slices.Index(around, module):], module), " -> "))
		default:
			raise(th, "require %q: another handler is loading the file and waits in the middle of it", module)
		}
	}
	p, err := st.find(module)
	if err != nil {
		raise(th, "require %.100q: %v", module, err)
	}
	this := &loading{module, w}
	st.loading = append(st.loading, this)
	defer func() { st.loading = slices.DeleteFunc(st.loading, func(l *loading) bool { return l == this }) }()
	th.Push(lualib.Main(st.main, p.proto))
	th.Push(name)
	th.Call(1, 1)
	v := th.Get(-1)
	if v == lua.LNil {
		v = lua.LTrue
	}
	st.loaded[module] = v
	th.Push(v)
	return 1
}

func (st *State) find(module string) (*Program, error) {
	if st.require == nil {
		return nil, errors.New("there are no files to require here")
	}
	if len(module) > maxModule {
		return nil, fmt.Errorf("a file's name has at most %d bytes", maxModule)
	}
	for part := range strings.SplitSeq(module, ".") {
		if part == "" || strings.ContainsAny(part, "/\\") {
			return nil, fmt.Errorf("write the file's path with dots and without %q: \"lib.util\" is lib/util.lua of this resource", ".lua")
		}
	}
	return st.require(module)
}
