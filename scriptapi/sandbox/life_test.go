package sandbox

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	lua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// liveHeap returns the bytes that are in use once everything unused is collected.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

const lively = `
	local t = {} for i = 1, 100 do t[i] = { i } end
	co = coroutine.wrap(function() while true do coroutine.yield() end end) co()
	pcall(error, "x")
	handler("e", function() wait() end)
	emit("e")
	coroutine.wrap(function() wait() end)()`

// A thousand states that were made, used and closed leave heap and goroutines as they were.
func TestThousandStates(t *testing.T) {
	b := newBench(t)
	round := func(n int) {
		for range n {
			st := b.state("x")
			if err := b.runIn(st, Call{}, lively); err != nil {
				t.Fatal(err)
			}
			st.Close()
			b.wakes, b.events = nil, map[string]lvalue{}
		}
	}
	round(50)
	heap, goroutines := liveHeap(), runtime.NumGoroutine()
	round(1000)
	if now := runtime.NumGoroutine(); now > goroutines {
		t.Errorf("%d goroutines, %d before", now, goroutines)
	}
	if now := liveHeap(); now > heap+1<<20 {
		t.Errorf("the heap grew by %d KB", (now-heap)>>10)
	}
}

// Coroutines that nothing refers to are found and ended while the state lives.
func TestDroppedCoroutinesEnd(t *testing.T) {
	b := newBench(t)
	before := runtime.NumGoroutine()
	for range 20 {
		if err := b.run(`for i = 1, 100 do coroutine.wrap(function() coroutine.yield(i) end)() end`); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 { // cleanups run on a goroutine of the runtime's own
		runtime.GC()
		if err := b.run(``); err != nil {
			t.Fatal(err)
		}
		if runtime.NumGoroutine() < before+50 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// The engine runs in a bubble: coroutines count as blocked there, so time goes on.
func TestInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		L := b.st.Lua()
		L.G.Global.RawSetString("sleep", L.NewFunction(func(th *lstate) int {
			_, err := b.st.Await(Wait{Start: func(wake func(any)) { time.AfterFunc(time.Hour, func() { wake(nil) }) }})
			if err != nil {
				Raise(th, "%v", err)
			}
			return 0
		}))
		start := time.Now()
		if err := b.run(`pcall(function() for i = 1, 3 do sleep() end end) print("end")`); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			(<-b.posted)()
		}
		b.expect("end")
		if took := time.Since(start); took != 3*time.Hour {
			t.Error("three hours took", took)
		}
		// Where no clock runs, the instructions still count.
		expectError(t, b.run(`while true do end`), "too many instructions")
	})
}

func BenchmarkState(b *testing.B) {
	bn := newBench(b)
	states := make([]*State, 0, b.N)
	before := liveHeap()
	for b.Loop() {
		states = append(states, bn.sched.NewState(StateConfig{Name: "x"}))
	}
	b.ReportMetric(float64(liveHeap()-before)/float64(len(states))/1024, "KB/state")
	runtime.KeepAlive(states)
}

// BenchmarkHandler is an event to a handler and back.
func BenchmarkHandler(b *testing.B) {
	bn := newBench(b)
	if err := bn.run(`handler("e", function(a, b) return a end)`); err != nil {
		b.Fatal(err)
	}
	c := Call{Fn: bn.events["e"], Args: []lvalue{lnumber(1), lnumber(2)}, Event: "event e"}
	b.ReportAllocs()
	for b.Loop() {
		if _, finished, err := bn.st.Run(c); !finished || err != nil {
			b.Fatal(finished, err)
		}
	}
}

// BenchmarkWait is a wait and its resume, through the posted function.
func BenchmarkWait(b *testing.B) {
	bn := newBench(b)
	if err := bn.run(`while true do wait() end`); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		wake := bn.wakes[0]
		bn.wakes = bn.wakes[:0]
		wake("x")
		(<-bn.posted)()
	}
}

func benchmarkCode(b *testing.B, format string) {
	bn := newBench(b)
	limits := Limits{Steps: 1 << 60, Time: 1 << 60, Heap: 1 << 60}
	b.ReportAllocs()
	b.ResetTimer()
	if err := bn.runIn(bn.st, Call{Limits: limits}, fmt.Sprintf(format, b.N)); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkLoop(b *testing.B) { benchmarkCode(b, `local n = 0 for i = 1, %d do n = n + i end`) }
func BenchmarkPCall(b *testing.B) {
	benchmarkCode(b, `local f = function() end for i = 1, %d do pcall(f) end`)
}
func BenchmarkPCallFail(b *testing.B) { benchmarkCode(b, `for i = 1, %d do pcall(error, "x") end`) }
func BenchmarkYield(b *testing.B) {
	benchmarkCode(b, `local co = coroutine.wrap(function() while true do coroutine.yield() end end) for i = 1, %d do co() end`)
}
func BenchmarkCoroutine(b *testing.B) {
	benchmarkCode(b, `local f = function() coroutine.yield() end for i = 1, %d do local co = coroutine.wrap(f) co() co() end`)
}

type (
	lvalue  = lua.LValue
	lnumber = lua.LNumber
	lstate  = lua.LState
)
