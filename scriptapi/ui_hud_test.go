package scriptapi

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources"
)

// hud gives the HUD packets that a guest has got since the last call, a line each.
func (g *guest) hud() string {
	g.s.settle()
	var list []string
	for _, p := range g.sent {
		switch p := p.(type) {
		case *protocol.HudStatusLine:
			list = append(list, fmt.Sprintf("status%d %t %s", p.Slot, p.Present, p.Text))
		case *protocol.HudGauge:
			list = append(list, fmt.Sprintf("gauge%d %t %s %g/%g %+g", p.Slot, p.Present, p.Label, p.Value, p.Max, p.Rate))
		case *protocol.HudCountdown:
			list = append(list, fmt.Sprintf("countdown%d %v %d flags %d %s|%s", p.Slot, p.Mode, p.Time, p.Flags, p.Label, p.End))
		case *protocol.HudAnnouncement:
			list = append(list, fmt.Sprintf("announcement %v %d %s|%s", p.Place, p.Duration, p.Content.Title, p.Content.Text))
		case *protocol.HudNotificationAdd:
			list = append(list, fmt.Sprintf("note %v %d %s|%s", p.Kind, p.Duration, p.Content.Title, p.Content.Text))
		case *protocol.HudNotificationClear:
			list = append(list, "note gone")
		case *protocol.ObjectiveMarker:
			list = append(list, fmt.Sprintf("objective%d %t %v %d %g %s", p.Slot, p.Present, p.Attach, p.AttachID, p.Position.X, p.Text))
		case *protocol.HudProgress:
			list = append(list, fmt.Sprintf("progress%d %t %d/%d flags %d %s", p.Slot, p.Present, p.Elapsed, p.Duration, p.Flags, p.Text))
		case *protocol.HudSpeedometer:
			list = append(list, fmt.Sprintf("speedometer %t %v %d parts %d %g", p.Present, p.Unit, p.Max, p.Parts, p.Fuel))
		case *protocol.HudKillFeedAdd:
			list = append(list, fmt.Sprintf("kill %s>%s %v flags %d", p.Killer, p.Victim, p.Cause, p.Flags))
		case *protocol.HudKillFeedClear:
			list = append(list, "kills gone")
		case *protocol.UiTheme:
			list = append(list, fmt.Sprintf("theme %02x%02x%02x scale %d hud %04x", p.Colors[0].R, p.Colors[0].G, p.Colors[0].B, p.Scale, uint16(p.Hud)))
		}
	}
	g.sent = nil
	return strings.Join(list, "\n")
}

func (g *guest) sees(what, want string) {
	g.s.t.Helper()
	if got := g.hud(); got != want {
		g.s.t.Fatalf("%s: %s sees\n%s\nwant\n%s", what, g.name, got, want)
	}
}

// doing is a resource that runs code for each player of a command.
func doing(code string) string {
	return "mp.command('do', { states = { 'pre_spawn', 'alive', 'wasted' } }, function(player) " + code + " end)"
}

func TestHudElements(t *testing.T) {
	for _, test := range []struct{ name, code, want string }{
		{"status", `local s = player:status{ text = "A" } s.text = "B" s.text = "B" s.visible = false s.visible = true s:remove()`,
			"status0 true A\nstatus0 true B\nstatus0 false \nstatus0 true B\nstatus0 false "},
		{"gauge", `local g = player:gauge{ label = "L", value = 50, rate = 1 } g.max = 200 g.value = 5`,
			"gauge0 true L 50/100 +1\ngauge0 true L 50/200 +1\ngauge0 true L 5/200 +1"},
		{"countdown", `local c = player:countdown{ time = 5000, label = "L", end_text = "GO", ticks = true } c:pause() c:resume() c.time = 100`,
			"countdown0 down 5000 flags 5 L|GO\ncountdown0 down 5000 flags 4 L|GO\ncountdown0 down 5000 flags 5 L|GO\ncountdown0 down 100 flags 5 L|GO"},
		{"announcement", `local a = player:announcement{ title = "A" } player:announcement{ title = "B", place = "top" } player:announcement{ title = "C" } print(a.valid)`,
			"announcement center 4000 A|\nannouncement top 4000 B|\nannouncement center 4000 C|"},
		{"notification", `player:notify("A", "error") local n = player:notification{ title = "T", text = "B", duration = 0 } n.text = "C" n:remove()`,
			"note error 5000 |A\nnote plain 0 T|B\nnote plain 0 T|C\nnote gone"},
		{"objective", `local o = player:objective{ position = vec3(7, 0, 0), text = "A" } o.target = player o.position = vec3(8, 0, 0)`,
			"objective0 true none 0 7 A\nobjective0 true player 0 0 A\nobjective0 true none 0 8 A"},
		{"speedometer", `local s = player:speedometer{ unit = "mph", max = 160, fuel = 0.5, gear = true } s.fuel = nil`,
			"speedometer true mph 160 parts 3 0.5\nspeedometer true mph 160 parts 1 0"},
		{"bar", `local b = mp.ui.progress{ for_player = player, text = "A", value = 0.5, running = false } b.value = 1 b:cancel() print(b.valid)`,
			"progress0 true 1800000/3600000 flags 0 A\nprogress0 true 3600000/3600000 flags 0 A\nprogress0 false 0/0 flags 0 "},
		{"bar without end", `mp.ui.progress{ for_player = player, text = "A" }`, "progress0 true 0/0 flags 1 A"},
		{"shared", `local s = mp.ui.status{ text = "A" } s:override(player, { text = "B" }) s.icon = "flag" s:override(player, nil) s:hide_from(player) s.text = "C" s:show_to(player)`,
			"status0 true A\nstatus0 true B\nstatus0 true B\nstatus0 true A\nstatus0 false \nstatus0 true C"},
		{"kill feed", `mp.ui.kill_feed.add{ victim = "The {boss", killer = player, cause = "ak47", headshot = true } mp.ui.kill_feed.clear() mp.ui.kill_feed.add{ victim = player, to = { player } }`,
			"kill Tom>The {boss ak47 flags 3\nkills gone\nkill >Tom script flags 2"},
		{"theme", `mp.ui.theme = { accent = "#010203" } player:set_theme{ scale = 125 } mp.ui.theme = { scale = 90 } player.hud.radar = false mp.ui.hud.radar = false player.hud.radar = nil player:set_theme(nil)`,
			"theme 010203 scale 100 hud ffff\ntheme 010203 scale 125 hud ffff\ntheme 010203 scale 125 hud ffff\ntheme 010203 scale 125 hud fffe\ntheme 010203 scale 125 hud fffe\ntheme 010203 scale 90 hud fffe"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t)
			s.start("r", doing(test.code))
			g := s.join("Tom")
			g.command("do")
			if l := s.took(); strings.Contains(l, "WARN") || strings.Contains(l, "ERROR") {
				t.Fatal(l)
			}
			g.sees(test.name, test.want)
		})
	}
}

func TestHudErrors(t *testing.T) {
	s := newStage(t)
	s.join("Tom")
	for _, test := range []struct{ code, want string }{
		{`mp.ui.status{}`,
			`mp.ui.status: key "text": a string of 1..127 bytes expected, got nothing`},
		{`mp.ui.status{ text = ("x"):rep(128) }`,
			`mp.ui.status: key "text": a string of 1..127 bytes expected, got a string of 128 bytes`},
		{`mp.ui.status{ text = "a\nb" }`,
			`mp.ui.status: field "text": control character U+000A`},
		{`mp.ui.status{ text = "a", place = "center" }`,
			`mp.ui.status: key "place": one of "top_left", "top_right", "bottom_left", "bottom_right" expected, got string "center"`},
		{`mp.ui.status{ text = "a", color = "red" }`,
			`mp.ui.status: key "color": an rgba or "#RRGGBB" expected, got string "red"`},
		{`mp.ui.status{ txt = "a" }`,
			`mp.ui.status: key "text": a string of 1..127 bytes expected, got nothing`},
		{`local s = mp.ui.status{ text = "a" } s.text = ""`,
			`status.text: a string of 1..127 bytes expected, got string ""`},
		{`local s = mp.ui.status{ text = "a" } s.txt = ""`,
			`status.txt: no such property; did you mean "text"?`},
		{`local s = mp.ui.status{ text = "a" } s.for_player = mp.players.get(0)`,
			`status.for_player: it can only be read`},
		{`local s = mp.ui.status{ text = "a" } s:remove() s.text = "b"`,
			`status.text: this status is gone`},
		{`for i = 1, 9 do mp.ui.status{ text = "a" } end`,
			`mp.ui.status: no free slot: everyone's 8 status lines are held by t (8)`},
		{`for i = 1, 9 do mp.players.get(0):status{ text = "a" } end`,
			`player:status: no free slot: Tom's 8 status lines are held by t (8)`},
		{`for i = 1, 2 do mp.players.get(0):speedometer{} end`,
			`player:speedometer: no free slot: Tom's speedometer is held by t (1)`},
		{`mp.ui.gauge{ value = 101 }`,
			`mp.ui.gauge: value 101 is above max 100`},
		{`mp.ui.gauge{ max = 0 }`,
			`mp.ui.gauge: field "max": above 0 expected, got 0`},
		{`mp.ui.gauge{ segments = 1 }`,
			`mp.ui.gauge: field "segments": 0 or 2..20 expected, got 1`},
		{`mp.ui.gauge{ style = "ring", segments = 4 }`,
			`mp.ui.gauge: segments: a ring has none`},
		{`mp.ui.gauge{ rate = 101 }`,
			`mp.ui.gauge: rate 101 is not within ±max 100`},
		{`local g = mp.ui.gauge{ value = 50 } g.max = 40`,
			`gauge.max: value 50 is above max 40`},
		{`local g = mp.ui.gauge{ value = 50 } g:override(mp.players.get(0), { max = 40 })`,
			`gauge:override: value 50 is above max 40`},
		{`local g = mp.ui.gauge{} g:override(mp.players.get(0), { valu = 40 })`,
			`gauge:override: argument 2 "values": a table with the keys visible, label, value, max, rate, style, segments, decimals, unit, warn, show_number, place, order, icon and color expected, got the unknown key "valu"; did you mean "value"?`},
		{`mp.ui.countdown{}`,
			`mp.ui.countdown: key "time": what counts down begins above 0`},
		{`mp.ui.countdown{ mode = "none" }`,
			`mp.ui.countdown: key "mode": one of "down", "up", "large" expected, got string "none"`},
		{`mp.ui.countdown{ mode = "large", time = 60001 }`,
			`mp.ui.countdown: time 60001: large seconds are for the last 60000 ms`},
		{`mp.ui.countdown{ mode = "up", end_text = "x" }`,
			`mp.ui.countdown: a clock that counts up has no end`},
		{`mp.ui.announcement{ title = "a", text = "1\n2\n3\n4\n5" }`,
			`mp.ui.announcement: field "text": 5 lines, at most 4`},
		{`mp.ui.announcement{ title = "a", duration = 100 }`,
			`mp.ui.announcement: key "duration": number 500..60000 expected, got 100`},
		{`mp.ui.notification{ text = "a", duration = 500 }`,
			`mp.ui.notification: key "duration": 0 or 1000..60000 ms expected, got 500`},
		{`mp.ui.objective{}`,
			`mp.ui.objective: key "position": an objective stands at a position or follows a target`},
		{`mp.ui.objective{ position = vec3(1, 2, 3), offset = vec3(1, 2, 3) }`,
			`mp.ui.objective: key "offset": it is from a target`},
		{`mp.ui.objective{ position = vec3(1, 2, 3), near = 10, far = 10 }`,
			`mp.ui.objective: far 10 is not above near 10`},
		{`mp.ui.progress{ cancellable = true }`,
			`mp.ui.progress: field "cancellable": a bar that is shared cannot be cancelled by one; give for_player`},
		{`mp.ui.progress{ duration = 100 }`,
			`mp.ui.progress: key "duration": 0 or 200..3600000 ms expected, got 100`},
		{`mp.players.get(0):progress{ text = "a" }`,
			`player:progress: key "duration": number 200..3600000 expected, got nothing`},
		{`mp.players.get(0):status{ text = "a" }:show_to(mp.players.get(0))`,
			`status:show_to: it is only for Tom: a shared element has an audience`},
		{`mp.ui.kill_feed.add{}`,
			`mp.ui.kill_feed.add: field "victim": it is empty`},
		{`mp.ui.kill_feed.add{ victim = 5 }`,
			`mp.ui.kill_feed.add: key "victim": a Player or a string expected, got number 5`},
		{`mp.ui.kill_feed.add{ victim = ("x"):rep(48) }`,
			`mp.ui.kill_feed.add: field "victim": 48 bytes, at most 47 are allowed`},
		{`mp.ui.theme = { accent = "#FFB00000" }`,
			`mp.ui.theme: field "accent": it cannot be transparent`},
		{`mp.ui.theme = { scale = 200 }`,
			`mp.ui.theme: scale: integer 75..150 expected, got 200`},
		{`mp.ui.theme = { font = "comic" }`,
			`mp.ui.theme: font: one of "sans", "condensed", "game" expected, got string "comic"`},
		{`mp.players.get(0):set_theme{ colour = 1 }`,
			`player:set_theme: argument 1 "theme": a table with the keys accent, on_accent, background, panel, text, muted, border, selected, info, success, warning, error, radius, scale, font and chat_lines expected, got the unknown key "colour"`},
		{`mp.players.get(0).hud.rader = false`,
			`player.hud.rader: no such property; did you mean "radar"?`},
		{`mp.ui.hud.rader = false`,
			`mp.ui.hud.rader: no such function or property; did you mean "radar"?`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}

// TestHudReads reads what changes by itself.
func TestHudReads(t *testing.T) {
	for _, test := range []struct{ name, make, read, want string }{
		{"gauge", `mp.ui.gauge{ value = 50, rate = 2 }`, `it.value`, "50 52 60 100"},
		{"gauge that sinks", `mp.ui.gauge{ value = 5, rate = -2 }`, `it.value`, "5 3 0 0"},
		{"countdown", `mp.ui.countdown{ time = 60000 }`, `it.time`, "60000 59000 55000 0"},
		{"paused", `mp.ui.countdown{ time = 60000, running = false }`, `it.time`, "60000 60000 60000 60000"},
		{"clock", `mp.ui.countdown{ mode = "up" }`, `it.time`, "0 1000 5000 65000"},
		{"bar", `mp.ui.progress{ duration = 10000 }`, `it.value`, "0 0.1 0.5 1"},
		{"announcement", `mp.ui.announcement{ title = "A", duration = 60000 }`, `it.duration`, "60000 59000 55000 0"},
		{"notification", `mp.ui.notification{ text = "A", duration = 60000 }`, `it.duration`, "60000 59000 55000 1"},
		{"sticky", `mp.ui.notification{ text = "A", duration = 0 }`, `it.duration`, "0 0 0 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t)
			s.start("r", `local it = `+test.make+`
local list = {}
for _, at in ipairs{ 1, 1000, 4000, 60000 } do
  if at > 1 then mp.wait(at) end
  list[#list + 1] = tostring(`+test.read+`)
end
print(table.concat(list, " "))`)
			for _, d := range []time.Duration{time.Second, 4 * time.Second, time.Minute} {
				s.advance(d)
			}
			s.said(test.want)
		})
	}
}

// TestHudChangesGoOn changes other properties of what changes by itself: its number goes on, and what is the same is not sent.
func TestHudChangesGoOn(t *testing.T) {
	s := newStage(t)
	s.start("r", `local it = mp.ui.countdown{ time = 10000 }
mp.on("player_join", function(player) it:override(player, { label = "his", ticks = true }) end)
mp.command("do", { states = { "pre_spawn" } }, function(player) it.label, it.tenths = "L", true end)`)
	s.now += time.Second + 999*time.Microsecond
	g := s.join("Tom")
	g.command("do")
	g.sees("a change behind his override", "countdown0 down 8999 flags 7 his|")
	s.now += time.Second
	g.command("do")
	g.sees("no change", "")
	h := s.join("Ann")
	s.now += time.Millisecond
	h.sees("nothing of before", "")
	s.do(func(tx world.Tx) { tx.Leave(g, protocol.ReasonQuit, "") })
	s.stop("r")
	h.sees("the end", "countdown0 none 0 flags 0 |")
}

// waitsFor is a resource that shows and waits for something, and prints how it has ended.
func waitsFor(what string) string {
	return doing(`print(` + what + `)`)
}

func TestHudWaits(t *testing.T) {
	const progress = `player:progress{ text = "A", duration = 5000, cancellable = true }`
	const countdown = `player:countdown{ time = 5000 }:wait()`
	press := func(s *stage, g *guest) {
		for _, p := range g.sent {
			if a, ok := p.(*protocol.ActionDeclare); ok && a.Name == "cancel" {
				s.do(func(tx world.Tx) { tx.Receive(g.player, &protocol.ActionInput{ActionID: a.ActionID, Pressed: true}) })
				return
			}
		}
		t.Fatal("no key cancels")
	}
	for _, test := range []struct {
		name, what string
		end        func(s *stage, g *guest)
		want       string
	}{
		{"end", progress, func(s *stage, g *guest) { s.now += 5 * time.Second; s.tick() }, "true"},
		{"not yet", progress, func(s *stage, g *guest) { s.now += 4999 * time.Millisecond; s.tick() }, ""},
		{"key", progress, press, "false"},
		{"leave", progress, func(s *stage, g *guest) { g.leave() }, "nil\tleave"},
		{"stop", progress, func(s *stage, g *guest) { s.stop("r") }, "nil\tstop"},
		{"reload", progress, func(s *stage, g *guest) { s.reload("r", "") }, "nil\tstop"},
		{"countdown", countdown, func(s *stage, g *guest) { s.now += 5 * time.Second; s.tick() }, "true"},
		{"countdown leave", countdown, func(s *stage, g *guest) { g.leave() }, "nil\tleave"},
		{"countdown stop", countdown, func(s *stage, g *guest) { s.stop("r") }, "nil\tstop"},
		{"countdown removed", `(function() local c = player:countdown{ time = 5000 } mp.after(10, function() c:remove() end) return c:wait() end)()`,
			func(s *stage, g *guest) { s.advance(time.Second) }, "nil\tclosed"},
		{"countdown over", `(function() local c = player:countdown{ time = 5000 } mp.wait(6000) return c.valid, c:wait() end)()`,
			func(s *stage, g *guest) { s.now += 5 * time.Second; s.tick(); s.advance(time.Second) }, "false\ttrue"},
		{"paused", `(function() local c = player:countdown{ time = 5000 } c:pause() mp.after(100, function() c:resume() end) return c:wait() end)()`,
			func(s *stage, g *guest) {
				s.advance(time.Second)
				s.now += 4099 * time.Millisecond
				s.tick()
				s.said("")
				s.now += time.Millisecond
				s.tick()
			}, "true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t)
			s.start("r", waitsFor(test.what))
			g := s.join("Tom")
			g.command("do")
			s.tick()
			test.end(s, g)
			s.said(test.want)
		})
	}
}

// TestHudOfAnotherResource waits for what another resource has made and takes away by its stop.
func TestHudOfAnotherResource(t *testing.T) {
	s := newStage(t)
	s.start("a", `local clock = mp.ui.countdown{ time = 5000 } mp.exports.define{ clock = function() return clock end }`)
	s.start("b", `local c = mp.exports.a.clock() print(c.resource, c:wait())`)
	s.stop("a")
	s.said("a\tnil\tclosed")
}

func TestKillFeedEvent(t *testing.T) {
	f := newField(t)
	tom, ann := f.enter("Tom"), f.enter("Ann")
	f.start("r", `mp.on("kill_feed", function(e) print(e.victim.name, e.killer and e.killer.name, e.cause, e.headshot) return e.cause ~= "colt_45" end)`)
	kill := func(victim, killer *soldier, cause protocol.Cause) {
		f.do(func(tx world.Tx) {
			var by *world.Player
			if killer != nil {
				by = killer.player
			}
			if err := tx.Kill(victim.player, by, cause); err != nil {
				t.Fatal(err)
			}
		})
		f.settle()
	}
	tom.hud()
	ann.hud()
	kill(tom, ann, protocol.Cause(24))
	f.said("Tom\tAnn\tdesert_eagle\tfalse")
	tom.sees("his death", "kill Ann>Tom desert_eagle flags 2")
	ann.sees("her kill", "kill Ann>Tom desert_eagle flags 2")
	kill(ann, nil, protocol.Cause(22))
	f.said("Ann\tnil\tcolt_45\tfalse")
	tom.sees("what a handler has kept out", "")
	if tom, ann = f.enter("Tim"), f.enter("Abe"); f.fault("mp.ui.kill_feed.auto = false") != "" {
		t.Fatal("auto cannot be set")
	}
	tom.hud()
	kill(ann, nil, protocol.Cause(24))
	f.said("")
	tom.sees("a death without auto", "")
}

// TestTenThousandHudWaitsEnd waits 10,000 times for bars and countdowns, ends all in one of the ways and holds that nothing of
// them is left.
func TestTenThousandHudWaitsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 goroutines")
	}
	const players = 1250
	const source = `
local ended = 0
local function over(yes, why)
  ended = ended + 1
  if ended == 10000 then print("ended", yes, why) end
end
mp.command("go", { console = true }, function()
  for _, player in ipairs(mp.players.all()) do
    for i = 1, 4 do mp.after(0, function() over(player:progress{ duration = 60000, cancellable = true }) end) end
    for i = 1, 2 do
      local clock = player:countdown{ time = 60000 }
      for j = 1, 2 do mp.after(0, function() over(clock:wait()) end) end
    end
  end
end)`
	for way, want := range map[string]string{"leave": "nil\tleave", "stop": "nil\tstop", "reload": "nil\tstop", "time": "true\tnil"} {
		t.Run(way, func(t *testing.T) {
			s := newStage(t)
			guests := make([]*guest, players)
			for i := range guests {
				guests[i] = s.join(fmt.Sprint("P", i))
			}
			s.start("r", source)
			before := runtime.NumGoroutine()
			s.rt.ConsoleCommand("go")
			s.settle()
			if n := runtime.NumGoroutine() - before; n < 9_999 {
				t.Fatalf("only %d goroutines wait", n)
			}
			in := s.rt.instances[0]
			switch way {
			case "leave":
				for _, g := range guests {
					g.leave()
				}
			case "stop":
				s.stop("r")
			case "reload":
				s.reload("r", source)
			case "time":
				s.now += time.Minute
				s.tick()
			}
			s.said("ended\t" + want)
			held := func(thing any) bool { _, ok := thing.(element[countdownArgs]); return ok }
			if n := in.env.Held(held); n != 0 && (way == "leave" || way == "time") { // a state that is closed goes whole

				t.Errorf("%d handles are kept", n)
			}
			if s.live["r"] != nil {
				s.end("r", resources.StopStop)
				s.settle()
			}
			noMoreGoroutines(t, before)
		})
	}
}
