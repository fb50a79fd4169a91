package scriptapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
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

var _ = time.Second
var _ world.EndReason
