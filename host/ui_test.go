package host_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host/udp"
	"darqline/protocol"
)

// form is what answers a form: each field's number, type and answer.
type form = []protocol.FormAnswer

// TestDialogsEndToEnd has each kind of dialog asked by Lua, read and answered by the reference client, and told to Lua.
func TestDialogsEndToEnd(t *testing.T) {
	for name, c := range map[string]struct {
		ask    string
		is     func(d client.Dialog) bool
		answer client.DialogAnswer
		tells  string // in Lua, of the answer
		want   string
	}{
		"message": {`{ title = "T", text = "a\nb", buttons = { "Yes", "No", "Perhaps" } }`,
			func(d client.Dialog) bool {
				return d.Kind == client.DialogMessage && d.Title == "T" && d.Body == "a\nb" && d.Accept == "Yes" && d.Cancel == "No" && d.Extra == "Perhaps" && d.Cancellable
			}, client.DialogAnswer{Button: protocol.ButtonExtra}, `a.button`, "extra"},
		"long message": {`{ title = "T", text = ("x"):rep(6000), cancellable = false }`,
			func(d client.Dialog) bool {
				long := len(d.Body)
				for _, r := range d.Rows {
					long += len(r.Cells[0])
				}
				return !d.Cancellable && long == 6000
			}, client.DialogAnswer{}, `a.button`, "accept"},
		"input": {`{ title = "T", input = { min = 3, max = 8, initial = "ab", placeholder = "p" } }`,
			func(d client.Dialog) bool {
				return d.Kind == client.DialogInput && d.MinChars == 3 && d.MaxChars == 8 && d.Initial == "ab" && d.Placeholder == "p"
			}, client.DialogAnswer{Text: "{FF0000}"}, `a.text`, "{FF0000}"},
		"lines": {`{ title = "T", input = { max = 40, lines = true } }`,
			func(d client.Dialog) bool { return d.Kind == client.DialogInput && d.Lines }, client.DialogAnswer{Text: "é\nü"}, `#a.text`, "5"},
		"password": {`{ title = "T", input = { hidden = true, max = 20 } }`,
			func(d client.Dialog) bool { return d.Kind == client.DialogPassword }, client.DialogAnswer{Text: "s3cret"}, `a.text`, "s3cret"},
		"list": {`{ title = "T", items = { "one", { text = "two", value = 22 }, { text = "three", disabled = true } }, start = 2, search = true }`,
			func(d client.Dialog) bool {
				return d.Kind == client.DialogList && len(d.Rows) == 3 && d.Start == 1 && d.Filter && d.Rows[2].Flags&protocol.RowDisabled != 0
			}, client.DialogAnswer{Row: 1}, `a.index .. " " .. tostring(a.value)`, "2 22"},
		"table": {`{ title = "T", columns = { "A", { "B", align = "right", width = 30 } }, rows = { { "a", "b" }, { "c", "d", value = "v" } }, sort = true }`,
			func(d client.Dialog) bool {
				return d.Kind == client.DialogTable && d.Sortable && d.Columns[1].Align == protocol.AlignRight && d.Columns[1].Width == 30 && d.Rows[1].Cells[1] == "d"
			}, client.DialogAnswer{Row: 1}, `a.index .. a.value .. a.row[1]`, "2vc"},
		"form": {`{ title = "T", fields = {
				{ name = "b", type = "boolean", label = "B", initial = true }, { name = "n", type = "number(0..1)", label = "N", step = 0.25, slider = true },
				{ name = "s", type = "string(2..5)?", label = "S", help = "h" }, { name = "c", type = "choice", label = "C", options = { "x", { text = "y", value = 7 } } },
				{ name = "m", type = "choices(1..2)", label = "M", options = { "p", "q", "r" } }, { name = "k", type = "color", label = "K" },
				{ name = "d", type = "date", label = "D", min = "2000-01-01" }, { name = "t", type = "note", label = "N" } } }`,
			func(d client.Dialog) bool {
				return d.Kind == client.DialogForm && len(d.Fields) == 8 && d.Fields[0].Boolean && d.Fields[1].Number.Step == 0.25 && d.Fields[2].Help == "h" && d.Fields[7].Type == protocol.FormNote
			}, client.DialogAnswer{Fields: form{{Number: 0, Type: protocol.FormBoolean}, {Number: 1, Type: protocol.FormNumber, Float: 0.75}, {Number: 3, Type: protocol.FormChoice, Choice: 1},
				{Number: 4, Type: protocol.FormChoices, Choices: 0b101}, {Number: 5, Type: protocol.FormColor, Color: protocol.RGBA{R: 1, G: 2, B: 3, A: 255}}, {Number: 6, Type: protocol.FormDate, Date: 20000}}},
			`table.concat({ tostring(a.values.b), a.values.n, tostring(a.values.s), a.values.c, table.concat(a.values.m, "+"), a.values.d }, " ")`, "false 0.75 nil 7 p+r 2024-10-04"},
	} {
		t.Run(name, func(t *testing.T) {
			inUI(t, `mp.command("go", {}, function(player)
  local a, why = player:ask`+c.ask+`
  player:message("-> " .. (a and tostring(`+c.tells+`) or "nil " .. why))
end)`, func(b *bubble, nova *person) {
				nova.command("go")
				d := nova.dialog("T")
				if !c.is(d) {
					t.Errorf("the dialog is %+v", d)
				}
				nova.answer(d, c.answer)
				b.hears(nova, "-> "+c.want)
				nova.noDialog()
			})
		})
	}
}

// TestEndsOfDialogsEndToEnd has a dialog end by all that is no answer.
func TestEndsOfDialogsEndToEnd(t *testing.T) {
	for why, end := range map[string]func(b *bubble, nova *person, d client.Dialog){
		"cancel": func(_ *bubble, nova *person, d client.Dialog) { nova.dismiss(d) },
		"timeout": func(_ *bubble, nova *person, d client.Dialog) {
			nova.sees("no dialog", func(ui client.UI) bool { return ui.Dialog == nil })
		},
		"closed": func(_ *bubble, nova *person, _ client.Dialog) { nova.command("close") },
		"replaced": func(_ *bubble, nova *person, _ client.Dialog) {
			nova.command("replace")
			nova.dismiss(nova.dialog("R"))
		},
		"death": func(b *bubble, nova *person, _ client.Dialog) { b.kill(nova) },
	} {
		t.Run(why, func(t *testing.T) {
			inUI(t, `mp.command("go", {}, function(player)
  local a, why = player:ask{ title = "T", text = "?", timeout = 4000, close_on_death = true }
  player:message("-> " .. tostring(a) .. " " .. tostring(why))
end)
mp.command("close", {}, function(player) player.dialog:close() end)
mp.command("replace", {}, function(player) player:ask{ title = "R", text = "?", replace = true } end)`, func(b *bubble, nova *person) {
				nova.command("go")
				end(b, nova, nova.dialog("T"))
				b.hears(nova, "-> nil "+why)
				nova.noDialog()
			})
		})
	}
}

// TestMenuEndToEnd has a menu with an item of each kind opened, changed and left.
func TestMenuEndToEnd(t *testing.T) {
	inUI(t, `mp.command("go", {}, function(player)
  local menu = player:open_menu{ title = "M", subtitle = "s", place = "center", highlight = true, items = {
    { label = "Head", heading = true }, { id = "sel", label = "Select", icon = "car", detail = "d", arrow = true },
    { id = "tog", label = "Toggle", toggle = false }, { id = "cho", label = "Choice", choice = { "a", "b" }, at = 2 },
    { id = "sli", label = "Slider", slider = { 0, 10, step = 5, unit = "kg" }, at = 5 } } }
  menu:on("highlight", function(item) player:message("on " .. item.id) end)
  while true do
    local item, value = menu:wait()
    if not item then return player:message("over " .. value) end
    player:message(item.id .. " " .. tostring(value))
    if item.id == "sel" then item.detail, menu.title = "changed", "M2" end
  end
end)`, func(b *bubble, nova *person) {
		nova.command("go")
		m := nova.menu("M")
		if m.Place != protocol.PlaceCenter || len(m.Items) != 5 || m.Items[0].Kind != protocol.MenuHeading || m.Selected != m.Items[1].ItemID || m.Items[4].Slider.Unit != "kg" {
			t.Errorf("the menu is %+v", m)
		}
		const down, right, choose = protocol.FunctionMenuDown, protocol.FunctionMenuRight, protocol.FunctionMenuSelect
		nova.keys(choose)
		nova.sees("the change", func(ui client.UI) bool { return ui.Menu.Title == "M2" && ui.Menu.Items[1].Detail == "changed" })
		nova.keys(down, choose, down, right, down, right, protocol.FunctionMenuBack)
		b.hears(nova, "over cancel")
		if said, want := nova.said(), "sel nil\non tog\ntog true\non cho\ncho 1\non sli\nsli 10\nover cancel"; !strings.Contains(said, want) {
			t.Errorf("Lua heard\n%s\nexpected\n%s", said, want)
		}
		nova.noMenu()
	})
}

// TestOfferAndActionEndToEnd has an offer answered, a key with a prompt pressed, held and released, and a progress cancelled.
func TestOfferAndActionEndToEnd(t *testing.T) {
	inUI(t, `local use = mp.ui.action{ name = "use", label = "Use", key = "E" }
use:on("press", function(player) player:message("press") end)
use:on("release", function(player, ms) player:message("release " .. tostring(ms >= 900 and ms < 1200)) end)
use:on("hold", function(player) player:message("hold") end)
mp.command("go", {}, function(player)
  local yes, why = player:offer{ title = "O", text = "{FF0000}t", icon = "gift", accept = "Take it" }
  player:message("offer " .. tostring(yes) .. " " .. tostring(why))
  use:prompt(player, { text = "Use it", hold_ms = 500 })
end)
mp.command("work", {}, function(player)
  local done, why = player:progress{ text = "Work", duration = 2000, cancellable = true }
  player:message("work " .. tostring(done) .. " " .. tostring(why))
end)`, func(b *bubble, nova *person) {
		for _, yes := range []bool{true, false} {
			nova.command("go")
			o := nova.offer("O")
			if o.PlayerID != protocol.NoPlayer || o.Content.Accept != "Take it" || o.Content.Text != "{FF0000}t" || o.Icon != protocol.Icon(36) {
				t.Errorf("the offer is %+v", o)
			}
			nova.answerOffer(o, yes)
			b.hears(nova, fmt.Sprint("offer ", yes))
		}
		var use client.Action
		nova.sees("the prompt", func(ui client.UI) bool {
			for _, a := range ui.Actions {
				if a.Name == "use" {
					use = a
				}
			}
			return use.Prompt.Present && use.Prompt.Text == "Use it" && use.Prompt.HoldMs == 500
		})
		if err := nova.c.PressAction(use.ActionID); err != nil {
			t.Fatal(err)
		}
		rest(time.Second)
		if err := nova.c.ReleaseAction(use.ActionID); err != nil {
			t.Fatal(err)
		}
		b.hears(nova, "press\nhold\nrelease true")

		nova.command("work")
		b.hears(nova, "work true nil")
		rest(time.Second)
		nova.command("work")
		bar := nova.sees("the bar, and its key", func(ui client.UI) bool {
			bar := ui.Hud.Progress[0]
			key := ui.Action(bar.Cancel)
			return bar.Shown() && key != nil && key.Flags&protocol.ActionOff == 0
		}).Hud.Progress[0]
		if err := nova.c.PressAction(bar.Cancel); err != nil {
			t.Fatal(err)
		}
		b.hears(nova, "work false nil")
		nova.sees("no bar", func(ui client.UI) bool { return !ui.Hud.Progress[0].Shown() })
	})
}

// TestHudEndToEnd has each element made, changed and removed by Lua, and seen by the client.
func TestHudEndToEnd(t *testing.T) {
	for name, c := range map[string]struct {
		make, change string
		is, changed  func(ui client.UI) bool
		gone         func(ui client.UI) bool
	}{
		"status": {`mp.ui.status{ text = "Round 1", icon = "flag", place = "bottom_left" }`, `it.text = "Round 2"`,
			func(ui client.UI) bool {
				s := ui.Hud.StatusLines[0]
				return s.Shown() && s.Text == "Round 1" && s.Icon == 29 && s.Place == protocol.PlaceBottomLeft
			},
			func(ui client.UI) bool { return ui.Hud.StatusLines[0].Text == "Round 2" }, func(ui client.UI) bool { return !ui.Hud.StatusLines[0].Shown() }},
		"gauge": {`mp.ui.gauge{ label = "Fuel", value = 50, rate = -1, warn = 10, unit = "l", style = "ring" }`, `it.value = 80`,
			func(ui client.UI) bool {
				g := ui.Hud.Gauges[0]
				return g.Shown() && g.Label == "Fuel" && g.Rate == -1 && g.Warn == 10 && g.Unit == "l" && g.Value > 45 && g.Value <= 50
			},
			func(ui client.UI) bool { return ui.Hud.Gauges[0].Value > 75 }, func(ui client.UI) bool { return !ui.Hud.Gauges[0].Shown() }},
		"countdown": {`mp.ui.countdown{ time = 60000, label = "Start", tenths = true }`, `it:pause()`,
			func(ui client.UI) bool {
				c := ui.Hud.Countdowns[0]
				return c.Mode == protocol.CountdownDown && c.Label == "Start" && c.Flags == protocol.CountdownRuns|protocol.CountdownTenths && c.Time > 59000
			},
			func(ui client.UI) bool { return ui.Hud.Countdowns[0].Flags&protocol.CountdownRuns == 0 }, func(ui client.UI) bool { return !ui.Hud.Countdowns[0].Shown() }},
		"announcement": {`mp.ui.announcement{ title = "A", text = "b", style = "mission", place = "top", duration = 9000 }`, `it.title = "C"`,
			func(ui client.UI) bool {
				a := ui.Hud.Announcements[protocol.AnnouncementTop]
				return a.Shown() && a.Content.Title == "A" && a.Content.Text == "b" && a.Style == protocol.AnnouncementMission
			},
			func(ui client.UI) bool { return ui.Hud.Announcements[protocol.AnnouncementTop].Content.Title == "C" },
			func(ui client.UI) bool { return !ui.Hud.Announcements[protocol.AnnouncementTop].Shown() }},
		"notification": {`mp.ui.notification{ text = "n", title = "t", kind = "warning", duration = 0 }`, `it.text = "m"`,
			func(ui client.UI) bool {
				n := ui.Notifications
				return len(n) == 1 && n[0].Content.Text == "n" && n[0].Content.Title == "t" && n[0].Kind == protocol.MessageWarning && n[0].Until.IsZero()
			},
			func(ui client.UI) bool { return len(ui.Notifications) == 1 && ui.Notifications[0].Content.Text == "m" },
			func(ui client.UI) bool { return len(ui.Notifications) == 0 }},
		"objective": {`mp.ui.objective{ position = vec3(1, 2, 3), text = "There", icon = "flag", near = 5 }`, `it.position = vec3(4, 5, 6)`,
			func(ui client.UI) bool {
				o := ui.Hud.Objectives[0]
				return o.Shown() && o.Text == "There" && o.Position == protocol.Vec3{X: 1, Y: 2, Z: 3} && o.Near == 5
			},
			func(ui client.UI) bool { return ui.Hud.Objectives[0].Position.X == 4 }, func(ui client.UI) bool { return !ui.Hud.Objectives[0].Shown() }},
		"progress": {`mp.ui.progress{ text = "Vault", duration = 60000, style = "ring" }`, `it.running = false`,
			func(ui client.UI) bool {
				p := ui.Hud.Progress[0]
				return p.Shown() && p.Text == "Vault" && p.Duration == 60000 && p.Flags&protocol.ProgressRuns != 0
			},
			func(ui client.UI) bool { return ui.Hud.Progress[0].Flags&protocol.ProgressRuns == 0 }, func(ui client.UI) bool { return !ui.Hud.Progress[0].Shown() }},
		"speedometer": {`mp.ui.speedometer{ unit = "mph", max = 160, fuel = 0.5, gear = true, text = "KCGS" }`, `it.fuel = 0.25`,
			func(ui client.UI) bool {
				s := ui.Hud.Speedometer
				return s.Shown() && s.Max == 160 && s.Fuel == 0.5 && s.Text == "KCGS"
			},
			func(ui client.UI) bool { return ui.Hud.Speedometer.Fuel == 0.25 }, func(ui client.UI) bool { return !ui.Hud.Speedometer.Shown() }},
		"theme and parts": {`nil mp.ui.theme = { accent = "#FFB000" }`, `mp.ui.hud.radar = false`,
			func(ui client.UI) bool { return ui.Theme.Colors[0] == protocol.RGBA{R: 0xFF, G: 0xB0, A: 255} },
			func(ui client.UI) bool { return ui.Theme.Hud&1 == 0 }, nil},
		"kill feed": {`nil mp.ui.kill_feed.add{ victim = "Kilo", killer = "Nova", cause = "ak47", headshot = true }`, `mp.ui.kill_feed.add{ victim = "Marta" }`,
			func(ui client.UI) bool {
				k := ui.KillFeed
				return len(k) == 1 && k[0].Victim == "Kilo" && k[0].Killer == "Nova" && k[0].Cause == protocol.Cause(ak47)
			},
			func(ui client.UI) bool { return len(ui.KillFeed) == 2 }, func(ui client.UI) bool { return len(ui.KillFeed) == 0 }},
		"keys": {`nil mp.ui.platform_keys.player_list = "F1"`, `mp.ui.platform_keys.chat = false`,
			func(ui client.UI) bool { return ui.Keys.Keys[protocol.FunctionPlayerList].String() == "F1" },
			func(ui client.UI) bool { return ui.Keys.Keys[protocol.FunctionChat] == protocol.KeyNone }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inUI(t, `local it
mp.command("make", {}, function() it = `+c.make+` end)
mp.command("change", {}, function() `+c.change+` end)
mp.command("remove", {}, function() if it then it:remove() else mp.ui.kill_feed.clear() end end)`, func(b *bubble, nova *person) {
				nova.command("make")
				nova.sees(name, c.is)
				nova.command("change")
				nova.sees("its change", c.changed)
				kilo := b.enter("Kilo") // who joins later sees it as it is
				if name != "kill feed" {
					kilo.sees("what there is", c.changed)
				}
				if c.gone == nil {
					return
				}
				nova.command("remove")
				nova.sees("nothing", c.gone)
				kilo.sees("nothing", c.gone)
			})
		})
	}
}

// inUI runs a test with a resource of one file and one player; an error in the log is one of the test.
func inUI(t *testing.T, lua string, test func(b *bubble, nova *person)) {
	t.Helper()
	inBubble(t, 1, files{"ui/resource.toml": "", "ui/main.lua": lua}, nil, func(b *bubble) {
		b.mem.SetPath(udp.Path{Delay: 20 * time.Millisecond})
		test(b, b.enter("Nova"))
		if log := b.logs.String(); strings.Contains(log, "level=ERROR") {
			t.Errorf("the server complains:\n%s", log)
		}
	})
}
