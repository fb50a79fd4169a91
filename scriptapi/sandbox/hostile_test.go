package sandbox

import (
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
)

const spent = "stopped: "

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
