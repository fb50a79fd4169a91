package scriptapi

import (
	"strings"
	"testing"
	"time"

	"darqline/scriptapi/bind"
)

func TestHandlersRunInOrderUntilOneCancels(t *testing.T) {
	s := newStage(t)
	s.start("a", `mp.on("player_chat", function(player, m) print("a1", m.text) m.text = "changed" end)`)
	s.start("b", `mp.on("player_chat", function(player, m) print("b", m.text, m.name, m.channel, m.color, m.to) if m.text == "stop" then return false end m.name = "Al" m.color = rgba(1, 2, 3) m.to = { player } end)`)
	s.start("c", `mp.on("player_chat", function(player, m) print("c", m.text, m.to[1] == player, m.color) keep = m end)
mp.after(50, function() print(keep.valid, pcall(function() return keep.text end)) end)`)
	alice, bobby := s.join("Alice"), s.join("Bobby")
	s.took()
	alice.chat("hello")
	s.said("a1\thello\nb\tchanged\tAlice\tall\tnil\tnil\nc\tchanged\ttrue\trgba(1, 2, 3, 255)")
	alice.want("changed by the handlers", "Al: changed")
	bobby.want("not for him", "")
	s.advance(50 * time.Millisecond)
	s.said("false\tfalse\tmain.lua:2: message.text: this line has gone out already")
	s.stop("a")
	alice.chat("stop")
	s.said("b\tstop\tAlice\tall\tnil\tnil")
	alice.want("cancelled", "")
}

func TestASubscriptionEnds(t *testing.T) {
	s := newStage(t)
	s.start("t", `
local second
local first = mp.on("player_join", function(p) print("first") second:off() end)
second = mp.on("player_join", function(p) print("second") end)
mp.on("player_join", function(p) mp.on("player_leave", function() print("new") end) first:off() print(first.valid, tostring(first)) end)`)
	alice := s.join("Alice")
	s.said("first\nfalse\tSubscription(gone)")
	s.join("Bobby")
	s.said("ERROR t/main.lua:5: subscription:off: this subscription has ended") // the other two hear nothing
	alice.leave()
	s.said("new\nnew")
}

func TestListens(t *testing.T) {
	s := newStage(t)
	want := func(when string, chat, join bool) {
		t.Helper()
		if s.rt.Listens("player_chat") != chat || s.rt.Listens("player_join") != join {
			t.Errorf("%s: player_chat %v, player_join %v", when, s.rt.Listens("player_chat"), s.rt.Listens("player_join"))
		}
	}
	want("before the first resource", false, false)
	s.start("a", `local chat = mp.on("player_chat", print) mp.on("player_join", function() chat:off() end)`)
	want("with two handlers", true, true)
	s.start("b", `mp.on("player_join", print)`)
	s.join("Alice")
	want("after :off()", false, true)
	s.stop("a")
	want("with one resource fewer", false, true)
	s.stop("b")
	want("after the last", false, false)
	if !s.rt.Listens("view") || !s.rt.Listens("a:b") {
		t.Error("what is no event of mp.on is not heard")
	}
}

func TestEmit(t *testing.T) {
	s := newStage(t)
	s.start("b", `mp.on("a:paid", function(t, n, v) t.x = 99 print("b", t.x, n, v) end)`)
	s.start("c", `mp.on("a:paid", function(t) print("c", t.x) return false end)`)
	s.start("a", `
mp.on("a:paid", function() print("not called: c returned false before") end)
local t = { x = 1 }
print(mp.emit("a:paid", t, 5, vec3(1, 2, 3)), t.x, mp.emit("a:other"))
mp.on("a:loop", function(n) depth = n mp.emit("a:loop", n + 1) end)
mp.emit("a:loop", 1)
print(depth)`)
	log := s.took()
	if !strings.HasPrefix(log, "b\t99\t5\tvec3(1, 2, 3)\nc\t1\nfalse\t1\ttrue\n") {
		t.Fatalf("log %s", log)
	}
	if !strings.Contains(log, `mp.emit: "a:loop" is emitted 16 deep: a handler of it emits it again`) || !strings.HasSuffix(log, "\n16") {
		t.Fatalf("log %s", log)
	}
}

func TestPlayerConnect(t *testing.T) {
	s := newStage(t)
	ask := func(name string, closed bool) (bool, string) {
		return s.rt.PlayerConnect(Attempt{Name: name, Address: "192.0.2.1:5"}, closed)
	}
	s.start("t", `
mp.on("player_connect", function(a)
  if a.name == "Bad" then return false, "not you" end
  if a.name == "Mute" then return false end
  if a.name == "Odd" then return false, {} end
  if a.name == "Err" then error("oops") end
  if a.name == "Slow" then mp.wait(1000) return false, "too late" end
  if a.name == "Loop" then while true do end end
end)
mp.on("player_connect", function(a) print("second", a.name, a.address, a.reconnect) end)`)
	for _, test := range []struct {
		name    string
		closed  bool
		refused bool
		text    string
	}{
		{"Good", false, false, ""}, {"Bad", false, true, "not you"}, {"Mute", false, true, ""}, {"Odd", false, true, ""},
		{"Err", false, false, ""}, {"Err", true, true, "The server cannot let you in now."}, {"Slow", false, false, ""},
		{"Loop", false, false, ""}, {"Loop", true, true, "The server cannot let you in now."},
	} {
		if refused, text := ask(test.name, test.closed); refused != test.refused || text != test.text {
			t.Errorf("%s: refused %v, %q", test.name, refused, text)
		}
	}
	if log := s.took(); !strings.Contains(log, "second\tErr") || strings.Contains(log, "second\tBad") {
		t.Fatalf("log %s", log)
	}
}

func TestAPlayersHandleAfterHisLeave(t *testing.T) {
	s := newStage(t)
	s.start("t", `
local seen
mp.on("player_join", function(p) seen = p p.data.money = 5 print(p.id, p.name, p.ping, p.jitter, p.loss, p.address, p.host, p.serial, p.locale, p.connected, p.type, p.valid, p) end)
mp.on("player_leave", function(p, reason, text, joined)
  print(p == seen, p.name, p.data.money, reason, text, joined, p.valid)
  mp.wait(10)
  print(p.valid, tostring(p), pcall(function() return p.name end))
end)
mp.command("dead", { "to:player", states = { "pre_spawn" } }, function(p, args) mp.chat.send{ text = "x", to = { p, seen } } end)`)
	alice := s.join("Alice")
	s.said("0\tAlice\t40\t3\t7\t192.0.2.1:5000\t192.0.2.1\tnil\ten\t1\tplayer\ttrue\tPlayer(0 \"Alice\")")
	alice.leave()
	s.advance(20 * time.Millisecond)
	s.said("true\tAlice\t5\tquit\t\ttrue\ttrue\nfalse\tPlayer(gone)\tfalse\tmain.lua:7: player.name: this player has left")
}

func TestErrorsAreCountedAndLimited(t *testing.T) {
	s := newStage(t)
	s.start("t", `mp.every(10, function() error("same") end)`)
	s.advance(25 * time.Second)
	log := s.took()
	if n := strings.Count(log, "\n") + 1; n != 3 {
		t.Fatalf("%d lines of one error in 25 s, want one and two counts:\n%s", n, log)
	}
	if !strings.Contains(log, "repeated=1000") {
		t.Fatalf("log %s", log)
	}
	s.stop("t")
	s.advance(time.Minute)
	s.took()
	s.start("u", `local n = 0 for i = 1, 50 do mp.every(10, function() n = n + 1 error("another " .. n) end) end`)
	s.advance(time.Second)
	if n := strings.Count(s.took(), "another"); n > 2*maxLogLines {
		t.Fatalf("%d different errors in a second", n)
	}
}

func TestLogLimits(t *testing.T) {
	s := newStage(t)
	s.start("t", `
for i = 1, 250 do print(i) end
mp.after(1500, function() print(("x"):rep(9000)) mp.log.warn("w", { b = 1796038720, a = "one" }) end)`)
	if n := strings.Count(s.took(), "\n") + 1; n != 200 {
		t.Fatalf("%d lines in a second, want 200", n)
	}
	s.advance(2 * time.Second)
	lines := strings.Split(s.took(), "\n")
	if len(lines) != 3 || lines[0] != "WARN 50 more lines in that second were left out" || len(lines[1]) != 8<<10 || lines[2] != "WARN w a=one b=1796038720" {
		t.Fatalf("%d lines: %.100q", len(lines), lines)
	}
}

func TestMarkup(t *testing.T) {
	s := newStage(t)
	s.start("t", `print(mp.ui.escape("{a}{{"), mp.ui.strip("{FF00aa}red{/} {{x} {key:3}{key:} {nope} {"), mp.ui.format("{FF0000}%s %d {{", "a{b", 5))`)
	s.said("{{a}{{{{\tred {x} {key:} {nope} {\t{FF0000}a{{b 5 {{")
}

func TestMute(t *testing.T) {
	s := newStage(t)
	s.start("t", `mp.on("player_join", function(p) p:mute(1000) print(p.muted) end) mp.after(2000, function() local p = mp.players.get(0) print(p.muted) p.muted = true print(p.muted) p.muted = false print(p.muted) end)`)
	alice := s.join("Alice")
	alice.chat("a")
	alice.want("muted", "You are muted.")
	s.advance(2 * time.Second)
	s.said("true\nfalse\ntrue\nfalse")
	alice.chat("b")
	alice.want("not muted", "Alice: b")
}

func BenchmarkEvent(b *testing.B) {
	s := newStage(b)
	s.start("t", `mp.on("player_join", function(player) end)`)
	alice := s.join("Alice")
	args := playerArgs{alice.player}
	b.ReportAllocs()
	for b.Loop() {
		s.rt.fire("player_join", s.rt.events.playerJoin.Args(args), false)
	}
}

func BenchmarkProperty(b *testing.B) {
	for _, name := range []string{"id", "name"} {
		b.Run(name, func(b *testing.B) {
			s := newStage(b)
			s.join("Alice")
			s.start("t", `local p, x = mp.players.get(0) mp.exports.define{ read = function(n) for i = 1, n do x = p.`+name+` end end }`)
			in := s.rt.instance("t")
			const batch = 10_000
			b.ResetTimer()
			for i := 0; i < b.N; i += batch {
				if _, _, err := in.exports["read"].Call(bind.Run{Event: "benchmark"}, float64(batch)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
