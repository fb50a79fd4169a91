package scriptapi

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/resources"
)

// Row 11: no callback after a stop, also of one that was due in the same tick.
func TestTimers(t *testing.T) {
	s := newStage(t)
	s.start("t", `
local n = 0
local every every = mp.every(100, function() n = n + 1 print("every", n) if n == 3 then every:off() print(every.valid) end end)
local once once = mp.after(50, function() print("once", once.valid) once:off() print("off", once.valid) end)
mp.after(0, function() print("zero") end)
mp.after(60, function() mp.wait(100) print("waited") end)
local dropped = mp.after(70, function() print("never") end)
dropped:off()
mp.every(1000, function() mp.wait(5000) end)`)
	s.said("zero")
	s.advance(time.Second)
	s.said("once\ttrue\noff\tfalse\nevery\t1\nwaited\nevery\t2\nevery\t3\nfalse")
	s.start("u", `mp.every(10, function() print("tick") mp.wait(5) print("tock") end) mp.after(10, function() print("due") end)`)
	s.now += 10 * time.Millisecond // due now, and stopped before the loop turns
	s.end("u", resources.StopStop)
	s.advance(time.Minute)
	s.said("")
}

func TestATimerSkipsTurnsInsteadOfCatchingUp(t *testing.T) {
	s := newStage(t)
	s.start("t", `mp.every(10, function() print("tick") end)`)
	s.now += time.Second // the server stood still
	s.said("tick")
	s.advance(20 * time.Millisecond)
	s.said("tick\ntick")
}

func TestTimersAreBounded(t *testing.T) {
	s := newStage(t)
	got := s.fault(`for i = 1, 10001 do mp.after(1000, print) end`)
	if got != "mp.after: a resource has at most 10000 timers and waits at once" {
		t.Fatalf("got %s", got)
	}
	got = s.fault(`for i = 1, 10001 do mp.on("player_join", print) end`)
	if got != "mp.on: a resource has at most 10000 handlers: end those that are not needed with :off()" {
		t.Fatalf("got %s", got)
	}
	if got = s.fault(`for i = 1, 30000 do mp.on("player_join", print):off() mp.after(10, print):off() end`); got != "" {
		t.Fatalf("what has ended counts still: %s", got)
	}
}

// Rows 6 and 7.
func TestExports(t *testing.T) {
	s := newStage(t)
	s.start("bank", `
local n = 0
mp.exports.define{
  balance = function(player, t) t.x = 9 return { money = 5, owner = player, at = vec3(1, 2, 3) }, t.x end,
  slow = function(ms) mp.wait(ms) return "late" end,
  fails = function() error("no money") end,
  bad = function() return print end,
  generation = function() return mp.resource.generation end,
}`)
	alice := s.join("Alice")
	s.start("shop", `
local p = mp.players.get(0)
local t = { x = 1 }
local a, b = mp.exports.bank.balance(p, t)
print(a.money, a.owner == p, a.at, b, t.x)
print(pcall(mp.exports.bank.balence))
print(pcall(mp.exports.bnak.balance))
print(pcall(function() return mp.exports.bank.balance(p, print) end))
print(pcall(mp.exports.bank.bad))
local ok, e = pcall(mp.exports.bank.fails)
print(ok, (e:gsub("\n.*", "")), e:find("traceback") ~= nil or e:find("\n") ~= nil)
print(mp.exports.bank.slow(500))
mp.exports.bank.fails()`)
	s.advance(time.Second)
	want := `5	true	vec3(1, 2, 3)	9	1
false	mp.exports.bank.balence: resource 'bank' exports no "balence"; did you mean "balance"?
false	mp.exports.bnak.balance: there is no resource 'bnak'; did you mean 'bank'?
false	main.lua:8: mp.exports.bank.balance: argument 2: a function cannot be copied
false	mp.exports.bank.bad: result 1: a function cannot be copied
false	mp.exports.bank.fails: bank/main.lua:6: no money	true
late
ERROR shop/main.lua:13: mp.exports.bank.fails: bank/main.lua:6: no money
in bank:
main.lua:6
here:`
	if got := s.took(); !strings.HasPrefix(got, want) {
		t.Fatalf("log\n%s\nwant\n%s", got, want)
	}
	s.stop("bank")
	s.start("late", `print(pcall(mp.exports.bank.generation))`)
	s.said("false\tmp.exports.bank.generation: resource 'bank' is not running (it is stopped)")
	_ = alice
}

func TestAnExportIsAlwaysOfTheNewInstance(t *testing.T) {
	s := newStage(t)
	source := `mp.exports.define{ generation = function() return mp.resource.generation end, slow = function() mp.wait(1000) return "late" end }`
	s.start("a", source)
	s.start("b", `
local held = mp.exports.a
local generation = held.generation
mp.on("resource_start", function(r) if r.name == "a" then print("start", generation(), held.generation(), mp.exports.a.generation()) end end)
mp.on("resource_stop", function(r, why) print("stop", why, pcall(generation)) end)
mp.after(10, function() print(pcall(mp.exports.a.slow)) end)`)
	s.advance(100 * time.Millisecond)
	for generation := 3; generation <= 5; generation++ {
		s.reload("a", source)
		log := s.took()
		want := "stop\treload\tfalse\tmp.exports.a.generation: resource 'a' is not running (it is stopped)\n"
		if generation == 3 {
			want = "false\tmp.exports.a.slow: resource 'a' is not running (it stopped meanwhile)"
			if !strings.Contains(log, want) {
				t.Fatalf("a call that waits: %s", log)
			}
			continue
		}
		if want += fmt.Sprintf("start\t%d\t%d\t%d", generation, generation, generation); log != want {
			t.Fatalf("log\n%s\nwant\n%s", log, want)
		}
	}
}

func TestTheCallerOfAnExportMayStop(t *testing.T) {
	s := newStage(t)
	s.start("a", `mp.exports.define{ slow = function() mp.wait(1000) print("went on") return "late" end }`)
	s.start("b", `mp.exports.a.slow() print("never")`)
	s.stop("b")
	s.advance(2 * time.Second)
	s.said("went on")
}

func TestStateSurvivesAReloadAndNotAStop(t *testing.T) {
	s := newStage(t)
	s.start("t", `
mp.state.n = 5
mp.state.list = { 1, "two", vec3(1, 2, 3) }
mp.state.deep = { shop = { [3] = print, name = "x" } }
mp.state.f = function() end
mp.state.cyclic = { 1 }
mp.state.cyclic.me = mp.state.cyclic
mp.on("resource_stop", function(r, why) mp.state.last = why end)`)
	s.took()
	s.reload("t", `print(mp.state.n, mp.state.list[2], mp.state.list[3], mp.state.deep.shop.name, mp.state.deep.shop[3], mp.state.f, mp.state.cyclic[1], mp.state.cyclic.me, mp.state.last)`)
	log := s.took()
	for _, want := range []string{
		"WARN mp.state.deep.shop[3] is a function and does not survive the reload",
		"WARN mp.state.f is a function and does not survive the reload",
		"WARN mp.state.cyclic.me is a table that contains itself and does not survive the reload",
		"5\ttwo\tvec3(1, 2, 3)\tx\tnil\tnil\t1\tnil\treload",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
	s.stop("t")
	s.start("t", `print(mp.state.n)`)
	s.said("nil")
}

func TestResourceEvents(t *testing.T) {
	s := newStage(t)
	source := `
local me = mp.resource.name
mp.on("resource_start", function(r) print(me, "start", r.name, r.state, r == mp.resources.get(r.name)) end)
mp.on("resource_stop", function(r, why)
  print(me, "stop", r.name, why, r.state)
  if r.name == me then print(pcall(mp.wait, 10)) end
end)`
	s.start("a", source)
	s.start("b", source)
	s.said("a\tstart\ta\trunning\ttrue\nb\tstart\tb\trunning\ttrue\na\tstart\tb\trunning\ttrue")
	s.reload("b", source)
	s.said("b\tstop\tb\treload\tstopped\nfalse\tmp.wait: cannot wait in resource_stop\na\tstop\tb\treload\tstopped\nb\tstart\tb\trunning\ttrue\na\tstart\tb\trunning\ttrue")
	s.stop("b")
	s.said("b\tstop\tb\tstop\tstopped\nfalse\tmp.wait: cannot wait in resource_stop\na\tstop\tb\tstop\tstopped")
}

func TestAStartThatFailsLeavesNothing(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	err := s.load(bundle("t", map[string]string{"shop.html": "", "main.lua": `
mp.on("player_join", function() print("never") end)
mp.every(10, function() print("never") end)
mp.command("x", {}, print)
mp.exports.define{ x = print }
local v = mp.views.define{ name = "x", entry = "shop.html" }
v:on("closed", function(view, why) print("closed", why, view.valid) end)
v:open(mp.players.get(0))
error("oops")`}), nil)
	if err == nil || !strings.Contains(err.Error(), "t/main.lua:9: oops") {
		t.Fatalf("Start gave %v", err)
	}
	s.join("Bobby")
	s.advance(time.Second)
	s.said("closed\tstop\ttrue")
	s.empty()
	if err := s.load(bundle("t", map[string]string{"main.lua": "x = = 1"}), nil); err == nil || !strings.HasPrefix(err.Error(), "t/main.lua:1: ") {
		t.Fatalf("a typo gave %v", err)
	}
}

// empty fails where something of a resource that has ended is left.
func (s *stage) empty() {
	s.t.Helper()
	if n := len(s.rt.instances) + len(s.rt.handlers) + len(s.rt.commands) + len(s.rt.timers.queue); n != 0 {
		s.t.Fatalf("left: %d instances, %d events, %d commands, %d timers", len(s.rt.instances), len(s.rt.handlers),
			len(s.rt.commands), len(s.rt.timers.queue))
	}
}

const counter = `
local shop = mp.views.define{ name = "shop", entry = "shop.html", actions = { buy = { n = "integer(1..9)", gift = "boolean?" }, close = {} } }
for _, e in ipairs{ "loaded", "failed", "closed", "buy" } do
  shop:on(e, function(view, x) print(e, type(x) == "table" and x.n or x, view.status, view.revision, view.player.name) end)
end
shop:on("close", function() print("bye") end)
mp.command("open", { states = { "pre_spawn" } }, function(player) view = shop:open(player, { b = {}, a = { 1 } }) end)
mp.command("more", { states = { "pre_spawn" } }, function(player) view:set("a", { 2 }, { raise = true }) print(view.revision) end)
mp.command("look", { states = { "pre_spawn" } }, function(player) print(view.valid, pcall(function() return view.status end)) end)
mp.command("shut", { states = { "pre_spawn" } }, function(player) view:close() end)`

func TestViewEvents(t *testing.T) {
	s := newStage(t)
	s.start("shop", counter)
	alice := s.join("Alice")
	alice.command("open")
	alice.status(protocol.ViewLoaded)
	s.said("loaded\tnil\tloaded\t0\tAlice")
	alice.command("more")
	alice.action("buy", protocol.ViewField{Name: "n", Type: protocol.FieldNumber, Number: 3})
	alice.action("buy", protocol.ViewField{Name: "n", Type: protocol.FieldNumber, Number: 10})
	s.said("1\nbuy\t3\tloaded\t1\tAlice")
	alice.action("close")
	s.said("bye\nclosed\tclient\tclosed\t1\tAlice")
	alice.command("look")
	s.said("false\tfalse\tmain.lua:9: view.status: this view is closed")
	alice.command("open")
	alice.command("open")
	s.said("closed\treplaced\tclosed\t0\tAlice")
	alice.status(protocol.ViewFailedIntegrity)
	s.said("failed\tintegrity\tfailed\t0\tAlice")
	alice.command("open")
	alice.command("shut")
	s.said("closed\tscript\tclosed\t0\tAlice")
	alice.command("open")
	s.reload("shop", counter)
	s.said("closed\treload\tclosed\t0\tAlice")
	alice.command("open")
	alice.leave()
	s.said("closed\tleave\tclosed\t0\tAlice")
	bobby := s.join("Bobby")
	bobby.command("open")
	s.stop("shop")
	s.said("closed\tstop\tclosed\t0\tBobby")
}

func TestResourceAndServerFacts(t *testing.T) {
	s := newStage(t)
	s.start("t", `
print(mp.resource.name, mp.resource.generation, mp.resource.version, mp.resource.path, mp.resource.settings.money)
print(mp.server.name, mp.server.max_players, mp.server.port, mp.server.files_port, mp.server.protocol, mp.server.version, mp.server.uptime)
print(mp.players.count(), #mp.players.all(), mp.players.get(0), mp.resources.get("nope"), #mp.resources.list())`)
	s.said("t\t1\t1.0\tt\t5\nTest\t10\t7777\t7778\t146\t1.2\t0\n0\t0\tnil\tnil\t1")
}

// Rows 3 and 32: a thousand reloads leave everything as it was.
func TestAThousandReloads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := newStage(t)
	alice := s.join("Alice")
	s.start("user", `mp.on("resource_start", function(r) if r.name == "big" then mp.exports.big.get() end end)`)
	source := `
local big = {} for i = 1, 5000 do big[i] = ("x"):rep(1000) .. i end
mp.state.n = (mp.state.n or 0) + 1
for i = 1, 100 do mp.every(1000, function() big[1] = nil end) end
for i = 1, 20 do mp.after(0, function() mp.wait(100000) print("never") end) end
for i = 1, 10 do mp.command("c" .. i, { states = { "pre_spawn" } }, function() end) end
mp.exports.define{ get = function() return big[2], mp.state.n end }
mp.on("player_join", function(p) big[p] = true end)
local view = mp.views.define{ name = "v", entry = "shop.html" }
view:on("closed", function() big[3] = nil end)
for _, p in ipairs(mp.players.all()) do view:open(p, { items = { 1, 2, 3 } }) p.data.x = big end`
	s.start("big", source)
	measure := func() (heap uint64, goroutines int) {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	turn := func(n int) {
		for range n {
			s.reload("big", source)
			alice.sent = nil
		}
	}
	turn(20)
	heap, goroutines := measure()
	turn(1000)
	heapAfter, goroutinesAfter := measure()
	if heapAfter > heap+heap/10+1<<20 {
		t.Errorf("the heap grew from %d to %d KiB", heap>>10, heapAfter>>10)
	}
	if goroutinesAfter > goroutines+1 {
		t.Errorf("goroutines grew from %d to %d", goroutines, goroutinesAfter)
	}
	if len(s.rt.timers.queue) != 120 || len(s.rt.commands) != 10 || len(s.rt.handlers) != 2 || len(s.rt.instances) != 2 {
		t.Errorf("%d timers, %d commands, %d events, %d instances", len(s.rt.timers.queue), len(s.rt.commands), len(s.rt.handlers), len(s.rt.instances))
	}
	if log := s.took(); log != "" {
		t.Errorf("log %.300s", log)
	}
	s.stop("big")
	s.stop("user")
	s.empty()
}
