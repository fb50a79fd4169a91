package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/lualib"
)

// bench is a scheduler whose script loop is the test, with one state that can print and wait.
type bench struct {
	t       testing.TB
	sched   *Scheduler
	st      *State
	posted  chan func()
	printed []string
	wakes   []func(any) // of wait(); the test wakes them
	files   map[string]string
	events  map[string]lua.LValue
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, posted: make(chan func(), 100), files: map[string]string{}, events: map[string]lua.LValue{}}
	b.sched = NewScheduler(Config{Post: func(f func()) error { b.posted <- f; return nil }})
	t.Cleanup(b.sched.Close)
	b.st = b.state("shop")
	return b
}

func (b *bench) state(name string) *State {
	st := b.sched.NewState(StateConfig{Name: name, Require: func(module string) (*Program, error) {
		path := strings.ReplaceAll(module, ".", "/") + ".lua"
		source, ok := b.files[path]
		if !ok {
			return nil, fmt.Errorf("there is no file %s", path)
		}
		return Compile(path, []byte(source))
	}})
	L := st.Lua()
	global := func(name string, fn lua.LGFunction) { L.G.Global.RawSetString(name, L.NewFunction(fn)) }
	global("print", func(th *lua.LState) int {
		var words []string
		for i := 1; i <= th.GetTop(); i++ {
			words = append(words, lualib.ToString(th, th.Get(i)).String())
		}
		b.printed = append(b.printed, strings.Join(words, " "))
		return 0
	})
	wait := func(stopped func() any) lua.LGFunction {
		return func(th *lua.LState) int {
			v, err := st.Await(Wait{Stopped: stopped, Start: func(wake func(any)) { b.wakes = append(b.wakes, wake) }})
			if err != nil {
				Raise(th, "%v", err)
			}
			th.Push(lua.LString(fmt.Sprint(v)))
			return 1
		}
	}
	global("wait", wait(nil))
	global("ask", wait(func() any { return "stop" }))
	global("handler", func(th *lua.LState) int { b.events[th.Get(1).String()] = th.Get(2); return 0 })
	global("emit", func(th *lua.LState) int {
		_, _, err := st.Run(Call{Fn: b.events[th.Get(1).String()], Event: "event"})
		if err != nil {
			Raise(th, "%v", err)
		}
		return 0
	})
	return st
}

func (b *bench) run(code string) error { return b.runIn(b.st, Call{Event: "entry"}, code) }

func (b *bench) runIn(st *State, c Call, code string) error {
	b.t.Helper()
	p, err := Compile("main.lua", []byte(code))
	if err != nil {
		b.t.Fatal(err)
	}
	c.Fn = st.Program(p)
	_, _, err = st.Run(c)
	return err
}

// wake answers all waits that stand, and what then waits, until nothing does.
func (b *bench) wake() {
	for i := 0; len(b.wakes) > 0; i++ {
		wakes := b.wakes
		b.wakes = nil
		for _, w := range wakes {
			w(fmt.Sprintf("woken%d", i))
			(<-b.posted)()
		}
	}
}

func (b *bench) expect(want ...string) {
	b.t.Helper()
	if got := strings.Join(b.printed, "\n"); got != strings.Join(want, "\n") {
		b.t.Errorf("printed:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	b.printed = nil
}

// expectError checks a ScriptError's message and that it names a line.
func expectError(t testing.TB, err error, want string) {
	t.Helper()
	var se *ScriptError
	switch {
	case !errors.As(err, &se):
		t.Errorf("got %v, want %q", err, want)
	case !strings.Contains(se.Message, want):
		t.Errorf("got %q, want %q", se.Message, want)
	case se.File == "" || se.Line == 0:
		t.Errorf("%q names no line", se.Message)
	}
}

func TestWaitAnywhere(t *testing.T) {
	for name, code := range map[string]string{
		"plain":     `print(wait())`,
		"pcall":     `print(select(2, pcall(wait)))`,
		"xpcall":    `print(select(2, xpcall(function() return wait() end, error)))`,
		"sort":      `local r; table.sort({ 2, 1 }, function(a, b) r = r or wait() return a < b end) print(r)`,
		"gsub":      `print((("x"):gsub("x", function() return wait() end)))`,
		"index":     `print(setmetatable({}, { __index = function() return wait() end }).x)`,
		"add":       `print(setmetatable({}, { __add = function() return wait() end }) + 1)`,
		"concat":    `print(setmetatable({}, { __concat = function() return wait() end }) .. "x")`,
		"iterator":  `for v in function(_, last) if not last then return wait() end end do print(v) end`,
		"coroutine": `print(coroutine.wrap(function() return wait() end)())`,
		"deep":      `print(select(2, pcall(coroutine.wrap(function() return select(2, pcall(coroutine.wrap(function() return wait() end))) end))))`,
		"require":   `print(require("lib.w"))`,
		"tostring":  `print(tostring(setmetatable({}, { __tostring = function() return wait() end })))`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.files["lib/w.lua"] = `return wait()`
			if err := b.run(code + ` print("end")`); err != nil {
				t.Fatal(err)
			}
			b.expect()
			b.wake()
			b.expect("woken0", "end")
		})
	}
}

func TestManyWaits(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		if err := b.run(fmt.Sprintf(`local s = "" for i = 1, 3 do s = s .. wait() .. " " end print(%d, s)`, i)); err != nil {
			t.Fatal(err)
		}
	}
	b.wake()
	if len(b.printed) != 20 || b.printed[19] != "19 woken0 woken1 woken2 " {
		t.Errorf("%q", b.printed)
	}
	if n := len(b.st.workers); n != keepWorkers {
		t.Errorf("%d idle workers are kept, want %d", n, keepWorkers)
	}
}

func TestClosuresKeepTheirLocals(t *testing.T) {
	b := newBench(t)
	err := b.run(`
		local n = 0
		local function count() n = n + 1 end
		pcall(error, "x")
		count()
		pcall(function() pcall(error, "y") count() error("z") end)
		local ok = pcall(function() local t = nil; return t.x end)
		count()
		print(n)
		local kept
		pcall(function() local v = 1; kept = function() v = v + 1 return v end; kept() error("x") end)
		kept()
		print(kept())
		print(pcall(coroutine.wrap(function() pcall(error, "x") count() error("in a coroutine") end)))
		count()
		print(n)`)
	if err != nil {
		t.Fatal(err)
	}
	b.expect("3", "4", "false main.lua:14: in a coroutine", "5")
}

func TestCoroutines(t *testing.T) {
	b := newBench(t)
	err := b.run(`
		local co = coroutine.create(function(a, b)
			print(a, b, coroutine.status(coroutine.running()), coroutine.isyieldable())
			local c = coroutine.yield(a + b)
			local ok, d = pcall(function() return coroutine.yield(c) end)
			for v in function(_, last) if not last then return coroutine.yield("iter") end end do print(v) end
			return d, nil, "last"
		end)
		print(type(co), coroutine.status(co))
		print(coroutine.resume(co, 1, 2))
		print(coroutine.resume(co, "c"))
		print(coroutine.resume(co, "d"))
		print(coroutine.resume(co, "it"))
		print(coroutine.status(co), coroutine.resume(co))
		print(coroutine.running(), coroutine.isyieldable(), pcall(coroutine.yield, 1))
		local outer
		outer = coroutine.create(function()
			local inner = coroutine.create(function() return coroutine.status(outer), coroutine.resume(outer) end)
			print(coroutine.resume(inner))
		end)
		coroutine.resume(outer)
		print(coroutine.resume(coroutine.create(function() error({ code = 5 }) end)))
		local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
		print(gen(), gen(), gen(), gen())
		print(pcall(gen))`)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.printed[len(b.printed)-3]; !strings.HasPrefix(got, "false table: ") {
		t.Errorf("got %q", got)
	}
	b.printed = append(b.printed[:len(b.printed)-3], b.printed[len(b.printed)-2:]...)
	b.expect("thread suspended", "1 2 running true", "true 3", "true c", "true iter", "it", "true d nil last",
		"dead false cannot resume dead coroutine",
		"nil false false attempt to yield from outside a coroutine; mp.wait(ms) waits in a handler",
		"true normal false cannot resume non-suspended coroutine",
		"1 2 3", "false cannot resume dead coroutine")
}

// A coroutine goes on under the handler that resumes it, also with waits on both sides.
func TestCoroutineAcrossHandlers(t *testing.T) {
	b := newBench(t)
	if err := b.run(`co = coroutine.wrap(function() local n = 0 while true do n = n + 1; wait() coroutine.yield(n) end end)`); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := b.run(`print(co())`); err != nil {
			t.Fatal(err)
		}
		b.wake()
	}
	b.expect("1", "2", "3")
	if err := b.run(`print(co())`); err != nil {
		t.Fatal(err)
	}
	expectError(t, b.run(`co()`), "cannot resume a coroutine whose handler waits in it")
}

func TestStop(t *testing.T) {
	b := newBench(t)
	for _, code := range []string{
		`pcall(wait) print("a wait went on")`,
		`coroutine.wrap(function() pcall(wait) print("a wait in a coroutine went on") end)() print("so did its resumer")`,
		`print(ask()) print(pcall(wait)) print(select(2, pcall(ask)))`,
		`print(coroutine.wrap(function() return ask() end)())`,
	} {
		if err := b.run(code); err != nil {
			t.Fatal(err)
		}
	}
	b.st.Close()
	b.expect("stop", "false cannot wait: the resource stops", "cannot wait: the resource stops", "stop")
	if _, _, err := b.st.Run(Call{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed state ran: %v", err)
	}
	for _, w := range b.wakes {
		w("late")
	}
	if len(b.posted) != 0 {
		t.Error("a wake after the stop was posted")
	}
}

func TestStopFromWithin(t *testing.T) {
	b := newBench(t)
	other := b.state("other")
	b.st.Lua().G.Global.RawSetString("stop_me", b.st.Lua().NewFunction(func(*lua.LState) int { b.st.Close(); return 0 }))
	other.Lua().G.Global.RawSetString("stop_shop", other.Lua().NewFunction(func(*lua.LState) int { b.st.Close(); return 0 }))
	t.Run("through another state", func(t *testing.T) {
		if err := b.runIn(other, Call{}, `handler("stop", function() stop_shop() print("the other goes on") end)`); err != nil {
			t.Fatal(err)
		}
		st := b.st
		var done error
		p, _ := Compile("main.lua", []byte(`while true do pcall(emit_other) print("went on") end`))
		st.Lua().G.Global.RawSetString("emit_other", st.Lua().NewFunction(func(*lua.LState) int {
			_, _, err := other.Run(Call{Fn: b.events["stop"]})
			if err != nil {
				t.Error(err)
			}
			return 0
		}))
		_, finished, err := st.Run(Call{Fn: st.Program(p), Done: func(_ []lua.LValue, err error) { done = err }})
		if !finished || !errors.Is(err, ErrClosed) || !errors.Is(done, ErrClosed) {
			t.Error(finished, err, done)
		}
		b.expect("the other goes on")
	})
	t.Run("itself", func(t *testing.T) {
		b.st = b.state("shop")
		b.st.Lua().G.Global.RawSetString("stop_me", b.st.Lua().NewFunction(func(*lua.LState) int { b.st.Close(); return 0 }))
		if err := b.run(`stop_me() print("went on")`); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		b.expect()
	})
}

func TestCannotWait(t *testing.T) {
	b := newBench(t)
	expectError(t, b.runIn(b.st, Call{NoWait: "resource_stop"}, `pcall(wait) wait()`), "cannot wait in resource_stop")
}

func TestNested(t *testing.T) {
	b := newBench(t)
	err := b.run(`
		handler("a", function() print("a", wait()) end)
		handler("b", function() emit("a") print("b") error("oops") end)
		emit("a")
		print(pcall(emit, "b"))`)
	if err != nil {
		t.Fatal(err)
	}
	b.expect("b", "false shop/main.lua:3: oops")
	b.wake()
	b.expect("a woken0", "a woken0")
}

func TestErrors(t *testing.T) {
	b := newBench(t)
	b.files["lib/util.lua"] = "local M = {}\nfunction M.fail() error('deep') end\nreturn M"
	b.files["a.lua"], b.files["b.lua"] = `require "b"`, `require "a"`
	for _, c := range []struct{ code, file, message, trace string }{
		{"local x\nprint(x.y)", "main.lua:2", `attempt to index a nil value with the key "y"`, "main.lua:2"},
		{"local x = 1 + {}", "main.lua:1", `attempt to perform arithmetic on a table value`, "main.lua:1"},
		{"local x\nx = x * 2", "main.lua:2", `attempt to perform arithmetic on a nil value`, "main.lua:2"},
		{"local x = -{}", "main.lua:1", `attempt to perform arithmetic on a value that is no number`, "main.lua:1"},
		{"local x = #5", "main.lua:1", `attempt to get the length of a value that is neither a string nor a table`, "main.lua:1"},
		{"for i = nil, 2 do end", "main.lua:1", `'for' initial value must be a number`, "main.lua:1"},
		{"for i = 1, 'x' do end", "main.lua:1", `'for' limit must be a number`, "main.lua:1"},
		{"error(5)", "main.lua:1", `5`, "main.lua:1"},
		{"\nfoo()", "main.lua:2", `attempt to call "foo", which is not a function`, "main.lua:2"},
		{"local util = require 'lib.util'\nlocal function f() util.fail() end\nf()", "lib/util.lua:2", "deep", "lib/util.lua:2 in fail\nmain.lua:2 in f\nmain.lua:3"},
		{"error('bare', 0)", "main.lua:1", "bare", "main.lua:1"},
		{"local function f() error('callers', 2) end\n\nf()", "main.lua:3", "callers", "main.lua:1 in f\nmain.lua:3"},
		{"error({})", "main.lua:1", "(the error is a table value)", ""},
		{"error(setmetatable({}, { __tostring = function() return 'worded' end }))", "main.lua:1", "worded", ""},
		{"error()", "main.lua:1", "nil (error was called without a message)", ""},
		{"require 'nothing'", "main.lua:1", `require "nothing": there is no file nothing.lua`, ""},
		{"require '../other'", "main.lua:1", `require "../other": write the file's path with dots`, ""},
		{"require 'a'", "b.lua:1", "the files require each other: a -> b -> a", ""},
		{"setmetatable(1, {})", "main.lua:1", "bad argument #1 to 'setmetatable' (table expected, got number)", ""},
		{"local function f() return f() + 1 end f()", "main.lua:1", "stack overflow", ""},
		{"assert(false)", "main.lua:1", "assertion failed!", ""},
		{"assert(nil, 'why')", "main.lua:1", "why", ""},
		{"coroutine.wrap(function() error('inside') end)()", "main.lua:1", "inside", "(a coroutine, resumed by)"},
	} {
		err := b.run(c.code)
		var se *ScriptError
		if !errors.As(err, &se) {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		if got := fmt.Sprintf("%s:%d", se.File, se.Line); got != c.file || !strings.HasPrefix(se.Message, c.message) {
			t.Errorf("%s\n got %s: %s\nwant %s: %s", c.code, got, se.Message, c.file, c.message)
		}
		if !strings.Contains(se.Traceback, c.trace) {
			t.Errorf("%s: traceback\n%s\nwant\n%s", c.code, se.Traceback, c.trace)
		}
		if strings.Count(se.Traceback, "\n") >= maxTraceback {
			t.Errorf("%s: the traceback is too long", c.code)
		}
	}
}
