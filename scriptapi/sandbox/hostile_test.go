package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// hostileScript is a script that a naive sandbox does not survive, and the right outcome.
type hostileScript struct {
	name, code string
	want       string // part of the error; empty: it must end without one
	after      string // run afterwards in the same state; it must work
}

const spent = "stopped: "

var hostileScripts = []hostileScript{
	{name: "1 loop", code: `while true do end`, want: spent},
	{name: "1 goto", code: `::a:: goto a`, want: spent},
	{name: "1 tail call", code: `local function f() return f() end f()`, want: spent},
	{name: "2 pcall", code: `while true do pcall(function() while true do end end) end`, want: spent},
	{name: "2 xpcall", code: `while true do xpcall(function() while true do end end, function() while true do end end) end`, want: spent},
	{name: "2 resume", code: `while true do coroutine.resume(coroutine.create(function() while true do end end)) end`, want: spent},
	{name: "2 wrap", code: `while true do pcall(coroutine.wrap(function() while true do end end)) end`, want: spent},
	{name: "3 sort", code: `local fns = {} for i = 1, 50 do fns[i] = function() while true do end end end while true do table.sort(fns, pcall) end`, want: spent},
	{name: "3 call on strings", code: `getmetatable("").__call = 1`, want: "index"},
	{name: "6 nested coroutines", code: `local function f() coroutine.wrap(f)() end f()`, want: "too many coroutines inside each other"},
	{name: "7 coroutines kept", code: `local t = {} for i = 1, 1e6 do local c = coroutine.create(coroutine.yield) coroutine.resume(c) t[i] = c end`, want: spent, after: `assert(coroutine.wrap(function() return 1 end)() == 1)`},
	{name: "7 coroutines dropped", code: `for i = 1, 3000 do local c = coroutine.wrap(function() coroutine.yield(i) end) c() end`},
	{name: "8 recursion", code: `local function f() return 1 + f() end f()`, want: "stack overflow"},
	{name: "8 pcall recursion", code: `local function f() return select(2, pcall(f)) end error(f())`, want: "stack overflow"},
	{name: "8 index recursion", code: `local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. "x"] end return t.x`, want: "stack overflow"},
	{name: "8 index chain", code: `local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x`, want: "too many recursions"},
	{name: "9 rep", code: `return ("x"):rep(1e11)`, want: "string too long"},
	{name: "10 doubling", code: `local s = "x" for i = 1, 33 do s = s .. s end`, want: "string too long"},
	{name: "10 wide", code: `local s = ("x"):rep(1000) for i = 1, 5 do s = s` + strings.Repeat("..s", 60) + ` end`, want: "string too long"},
	{name: "11 sparse", code: `local t = {} t[67108863] = 1 return #t`},
	{name: "11 many sparse", code: `local k = {} for i = 1, 2000 do local t = {} t[1000000] = 1 k[i] = t end`, want: spent},
	{name: "12 tables", code: `local t = {} while true do t[#t + 1] = {} end`, want: spent},
	{name: "12 closures", code: `local t = {} for i = 1, 1e9 do t[i] = function() return i end end`, want: spent},
	{name: "12 strings", code: `local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end`, want: spent},
	{name: "13 unpack", code: `return unpack({}, 1, 1e8)`, want: "too many"},
	{name: "13 unpack in xpcall", code: `print(xpcall(function() return unpack({}, 1, 1e8) end, function(e) return e end))`},
	{name: "13 varargs", code: `local function f(...) return (f(1, 2, 3, 4, 5, 6, 7, 8, 9, ...)) end f()`, want: "stack overflow"},
	{name: "15 load", code: `return load(math.random)`, want: `"load", which is not a function`},
	{name: "22 getfenv", code: `return getfenv(print)`, want: `"getfenv", which is not a function`},
	{name: "22 string metatable", code: `getmetatable("").__index = function() end`, want: "index"},
	{name: "24 collectgarbage", code: `while true do collectgarbage() end`, want: "not a function"},
	{name: "25 gc", code: `setmetatable({}, { __gc = error }) return newproxy()`, want: "not a function"},
	{name: "26 long error", code: `error(("x"):rep(1e6))`, want: "xxx"},
	{name: "27 dofile", code: `dofile()`, want: "not a function"},
	{name: "27 io", code: `return io.open("/etc/passwd")`, want: "index a nil value"},
	{name: "27 exit", code: `os.exit()`, want: "not a function"},
	{name: "27 require", code: `require "..x"`, want: "path with dots"},
	{name: "33 error in a handler", code: `xpcall(error, function() error("again") end) error("out")`, want: "out"},
	{name: "33 tostring loop", code: `error(setmetatable({}, { __tostring = function() while true do end end }))`, want: "the error is a table value"},
	{name: "debug", code: `return debug.getinfo(1)`, want: "index a nil value"},
	{name: "wait in the error handler", code: `local e = {} e.__index = function() error(e) end xpcall(function() return setmetatable({}, e).x.y end, error)`},
	{name: "metatables in circles", code: `local m = {} m.__index = m m.__newindex = m setmetatable(m, m) m.x = 1`, want: "too many recursions"},
	{name: "tostring of globals", code: `for k, v in pairs(_G) do local s = tostring(k) .. tostring(v) if s:find("%.go") then error("leak") end end`},
}

// TestHostileLua runs each script in a child, whose heap and time the parent does not share.
func TestHostileLua(t *testing.T) {
	if name := os.Getenv("HOSTILE_SCRIPT"); name != "" {
		runHostile(t, name)
		return
	}
	if testing.Short() {
		t.Skip("each script needs a process of its own")
	}
	for _, s := range hostileScripts {
		t.Run(s.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHostileLua$", "-test.count=1")
			cmd.Env = append(os.Environ(), "HOSTILE_SCRIPT="+s.name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			} else {
				t.Logf("%s", strings.SplitN(string(out), "\n", 2)[0])
			}
		})
	}
}

// runHostile is the child: the script has its outcome, the heap stays flat, and the state and its neighbour work on.
func runHostile(t *testing.T, name string) {
	for _, s := range hostileScripts {
		if s.name != name {
			continue
		}
		b := newBench(t)
		neighbour := b.state("neighbour")
		start := time.Now()
		call := Call{Event: "event test"}
		if s.want == "" { // however slow the machine is
			call.Limits = Limits{Steps: HandlerLimits.Steps, Time: time.Minute, Heap: HandlerLimits.Heap}
		}
		err := b.runIn(b.st, call, s.code)
		took := time.Since(start)
		var mem runtime.MemStats
		runtime.ReadMemStats(&mem)
		fmt.Printf("%v, %d MB from the system: %.200v\n", took.Round(time.Millisecond), mem.Sys>>20, err)
		if s.want == "" && err != nil {
			t.Error(err)
		}
		if s.want != "" {
			expectError(t, err, s.want)
		}
		if mem.Sys > 250<<20 {
			t.Errorf("it took %d MB", mem.Sys>>20)
		}
		var se *ScriptError
		if errors.As(err, &se) && (len(se.Message) > maxMessage+10 || len(se.Traceback) > 4<<10) {
			t.Errorf("a message of %d and a traceback of %d bytes", len(se.Message), len(se.Traceback))
		}
		after := s.after
		if after == "" {
			after = `local ok, why = pcall(error, "x") assert(not ok) local t = {} for i = 1, 1000 do t[i] = i end assert(#t == 1000)`
		}
		if err := b.run(after); err != nil {
			t.Error("the state does not work on:", err)
		}
		if err := b.runIn(neighbour, Call{}, after); err != nil {
			t.Error("the neighbour does not work on:", err)
		}
	}
}

// A coroutine made while the file loads does not run past the budget of the handler that resumes it.
func TestOldCoroutineHasABudget(t *testing.T) {
	b := newBench(t)
	if err := b.runIn(b.st, Call{Limits: EntryLimits}, `co = coroutine.create(function() while true do end end)`); err != nil {
		t.Fatal(err)
	}
	expectError(t, b.run(`while true do coroutine.resume(co) end`), spent)
}

// A handler that emits to its own resource without end shares one budget with all that it causes.
func TestEmitSharesTheBudget(t *testing.T) {
	b := newBench(t)
	err := b.runIn(b.st, Call{Limits: Limits{Steps: 100_000, Time: time.Minute, Heap: 64 << 20}},
		`handler("e", function() for i = 1, 1000 do end end) while true do pcall(emit, "e") end`)
	expectError(t, err, "too many instructions")
}

// An event that emits itself ends at a depth.
func TestEmitDepth(t *testing.T) {
	b := newBench(t)
	expectError(t, b.run(`handler("e", function() emit("e") end) emit("e")`), ErrNested.Error())
	if err := b.run(`handler("e", function() end) emit("e")`); err != nil {
		t.Error(err)
	}
}

// What an export uses is its caller's, and what another resource's handler uses is its own.
func TestShare(t *testing.T) {
	b := newBench(t)
	other := b.state("other")
	if err := b.runIn(other, Call{}, `handler("export", function() for i = 1, 90000 do end end)`); err != nil {
		t.Fatal(err)
	}
	share := false
	L := b.st.Lua()
	L.G.Global.RawSetString("call", L.NewFunction(func(th *lua.LState) int {
		if _, _, err := other.Run(Call{Fn: b.events["export"], Share: share}); err != nil {
			Raise(th, "%v", err)
		}
		return 0
	}))
	limits := Limits{Steps: 200_000, Time: time.Minute, Heap: 64 << 20}
	code := `for i = 1, 5 do call() end`
	if err := b.runIn(b.st, Call{Limits: limits}, code); err != nil {
		t.Error(err)
	}
	share = true
	expectError(t, b.runIn(b.st, Call{Limits: limits}, code), "too many instructions")
}

// A wait refills the budget.
func TestWaitRefills(t *testing.T) {
	b := newBench(t)
	limits := Limits{Steps: 100_000, Time: time.Minute, Heap: 64 << 20}
	if err := b.runIn(b.st, Call{Limits: limits}, `for i = 1, 5 do for i = 1, 60000 do end wait() end print("end")`); err != nil {
		t.Fatal(err)
	}
	b.wake()
	b.expect("end")
}

func TestGlobals(t *testing.T) {
	b := newBench(t)
	if err := b.run(`local t = {} for k in pairs(_G) do t[#t + 1] = k end table.sort(t) print(table.concat(t, " "))`); err != nil {
		t.Fatal(err)
	}
	b.expect("_G _VERSION ask assert coroutine emit error getmetatable handler ipairs math next os pairs pcall print rawequal rawget rawset require select " +
		"setmetatable string table tonumber tostring type unpack wait xpcall")
}
