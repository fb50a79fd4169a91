// Package lualib holds the standard libraries that a script gets: string,
// table, math, the harmless part of os, and tostring, tonumber and unpack of
// the base library. They give what Lua 5.1 gives, with three differences: work
// is paid for before it is done, a string has at most MaxString bytes, and what
// C leaves undefined is an error.
package lualib

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/pattern"
)

const (
	// MaxString is the length of the longest string that a script can make, in bytes.
	MaxString = 1 << 20
	// MaxResults is how many values one call of unpack or string.byte returns. The
	// registry of a state must have room for them.
	MaxResults = 4000
)

// Meter is what a call pays for its work. A unit is about one instruction of the
// virtual machine.
type Meter interface {
	// Spend pays n units. It does not return once the budget is spent: it raises.
	Spend(n int)
}

// Config is what the libraries of one state are made of.
type Config struct {
	Meter Meter
	// Now is the clock of os.time and os.date; its location is their local time.
	// Nil is time.Now.
	Now func() time.Time
	// Running is what os.clock gives. Nil: the time since Open.
	Running func() time.Duration
	// Seed is the first seed of math.random; 0 takes one from the system.
	Seed uint64
	// Worn gets a table that holds many removed keys, to Compact it when no Lua runs.
	// Nil: tables stay as they are.
	Worn func(t *lua.LTable)
}

// library is the state that the functions of one state share.
type library struct {
	meter   Meter
	now     func() time.Time
	running func() time.Duration
	random  generator
	walks   Walks
	// matchers are those that no call uses.
	matchers []*pattern.Matcher
}

// Open sets the libraries in the globals of L.
func Open(L *lua.LState, c Config) *Walks {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Running == nil {
		start := time.Now()
		c.Running = func() time.Duration { return time.Since(start) }
	}
	l := &library{meter: c.Meter, now: c.Now, running: c.Running, walks: Walks{worn: c.Worn}}
	l.random.seed(c.Seed)
	l.openBase(L)
	l.openString(L)
	l.openTable(L)
	l.openMath(L)
	l.openOS(L)
	return &l.walks
}

// Where Open leaves the functions of rewritten chunks, out of any script's reach.
const (
	concatKey = "darqline.concat"
	boundKey  = "darqline.bound"
	clearKey  = "darqline.clear"
)

// Main gives the main function of a program that was compiled from the chunk
// of rewrite.Chunk. Open must have been called on L.
func Main(L *lua.LState, program *lua.FunctionProto) *lua.LFunction {
	L.Push(L.NewFunctionFromProto(program))
	L.Push(L.G.Registry.RawGetString(concatKey))
	L.Push(L.G.Registry.RawGetString(boundKey))
	L.Push(L.G.Registry.RawGetString(clearKey))
	L.Call(3, 1)
	main := L.Get(-1).(*lua.LFunction)
	L.Pop(1)
	return main
}

// bytesPerUnit is how many bytes are copied or compared for one unit.
const bytesPerUnit = 16

// pay spends the price of one call that handles n bytes.
func (l *library) pay(n int) { l.meter.Spend(1 + n/bytesPerUnit) }

// module makes a table of functions.
func module(L *lua.LState, functions map[string]lua.LGFunction) *lua.LTable {
	t := L.CreateTable(0, len(functions))
	for name, f := range functions {
		t.RawSetString(name, L.NewFunction(f))
	}
	return t
}
