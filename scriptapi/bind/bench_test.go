package bind

import (
	"fmt"
	"runtime"
	"testing"

	"darqline/scriptapi/sandbox"
)

// benchmarkLua runs code b.N times in one loop.
func benchmarkLua(b *testing.B, setup, code string) {
	w := &world{posted: make(chan func(), 10), players: map[string]*player{"ada": {name: "ada", health: 50, online: true}}}
	w.registry = newRegistry(w)
	w.sched = sandbox.NewScheduler(sandbox.Config{Post: func(f func()) error { w.posted <- f; return nil }})
	defer w.sched.Close()
	w.env = w.registry.Open(w.sched.NewState(sandbox.StateConfig{Name: "shop"}))
	source := fmt.Sprintf("local p = mp.players.get('ada') %s for i = 1, %d do %s end", setup, b.N, code)
	prog, err := sandbox.Compile("main.lua", []byte(source))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	limits := sandbox.Limits{Steps: 1 << 60, Time: 1 << 60, Heap: 1 << 60}
	if _, _, err := w.env.RunProgram(prog, Run{Limits: limits}); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkPropertyRead(b *testing.B)  { benchmarkLua(b, "local x", "x = p.health") }
func BenchmarkPropertyWrite(b *testing.B) { benchmarkLua(b, "", "p.health = 20") }
func BenchmarkMethod(b *testing.B)        { benchmarkLua(b, "", "p:kick('bye', 5)") }
func BenchmarkFunction(b *testing.B)      { benchmarkLua(b, "local send = mp.chat.send", "send(p, 'hi')") }
func BenchmarkVec3(b *testing.B)          { benchmarkLua(b, "local v", "v = vec3(1, 2, 3)") }
func BenchmarkVec3Add(b *testing.B) {
	benchmarkLua(b, "local v, d = vec3(1, 2, 3), vec3(1, 1, 1)", "v = v + d")
}
func BenchmarkVec3Field(b *testing.B) { benchmarkLua(b, "local v, x = vec3(1, 2, 3)", "x = v.z") }
func BenchmarkEmptyLoop(b *testing.B) { benchmarkLua(b, "", "") }

// BenchmarkState is a state with the registry opened.
func BenchmarkState(b *testing.B) {
	w := &world{players: map[string]*player{}}
	r := newRegistry(w)
	sched := sandbox.NewScheduler(sandbox.Config{Post: func(func()) error { return nil }})
	defer sched.Close()
	var envs []*Env
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		envs = append(envs, r.Open(sched.NewState(sandbox.StateConfig{Name: "x"})))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(envs))/1024, "KB/state")
	runtime.KeepAlive(envs)
}
