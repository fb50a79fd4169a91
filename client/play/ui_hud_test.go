package play

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"darqline/client"
	"darqline/protocol"
)

// TestHud: each element shows what the client says, in its place and order, follows its clock, and goes.
func TestHud(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	now := time.Now()
	for _, e := range hudElements(now) {
		w.h.Hud(e)
	}
	until(t, ctx, `document.querySelectorAll(".gauge").length === 5 && document.querySelectorAll(".progress").length === 2`)
	until(t, ctx, `document.querySelector(".right .corner").innerText.replace(/\s+/g, " ").trim() === "Grove Street 3 : 2 Ballas Loot 1,234.5 kg"`)
	until(t, ctx, `getComputedStyle(document.querySelector(".status span span")).color === "rgb(123, 216, 143)"`)
	until(t, ctx, `getComputedStyle(document.querySelector(".left .icon")).color === "rgb(124, 183, 255)"`)
	until(t, ctx, `/^3:0[0-5]$/.test(document.querySelector(".countdown b").textContent)`)

	// A gauge follows its rate by the page's own clock, stops at its end, and warns.
	hunger := `document.querySelector('[aria-label="Hunger"]')`
	gauge := hudElements(now)[3].(client.Gauge)
	gauge.Value, gauge.Rate, gauge.Warn, gauge.Since = 3, -20, 1, time.Now()
	w.h.Hud(gauge)
	until(t, ctx, hunger+`?.getAttribute("aria-valuetext") === "0 %" && `+hunger+`.classList.contains("warn") && `+hunger+`.querySelector("i").style.scale === "0 1"`)
	gauge.Value, gauge.Rate, gauge.Since = 80, 0, time.Now()
	w.h.Hud(gauge)
	until(t, ctx, hunger+`.getAttribute("aria-valuetext") === "80 %" && !`+hunger+`.classList.contains("warn")`)

	bar := hudElements(now)[9].(client.Progress)
	bar.Elapsed, bar.Duration, bar.Since, bar.Flags = 0, 300, time.Now(), protocol.ProgressRuns|protocol.ProgressHold
	w.h.Hud(bar)
	until(t, ctx, `document.querySelector(".progress").parentElement.querySelector('[aria-label="Picking the lock"]').getAttribute("aria-valuenow") === "100"`) // and stays
	do(t, ctx, key("keydown", "KeyW"))
	w.h.Hud(client.Countdown{HudCountdown: protocol.HudCountdown{Slot: 1, Mode: protocol.CountdownLarge, Time: 2500, Flags: protocol.CountdownRuns, End: "FIGHT"}, Since: time.Now()})
	until(t, ctx, `document.querySelector(".large b")?.textContent === "1"`)
	if f := w.position(); f.MoveY != 0 {
		t.Error("a player walks while a progress bar holds him in place")
	}
	w.h.Hud(client.Progress{})
	until(t, ctx, `document.querySelectorAll(".progress").length === 1`)
	do(t, ctx, key("keydown", "KeyW"))
	eventually(t, "he walks when the bar is gone", func() bool { return w.position().MoveY == 127 })
	do(t, ctx, key("keyup", "KeyW"))
	w.h.Hud(client.Countdown{HudCountdown: protocol.HudCountdown{Slot: 1, Mode: protocol.CountdownLarge, End: "FIGHT"}, Ended: true})
	until(t, ctx, `document.querySelector(".large b")?.textContent === "FIGHT"`)

	// A page that is opened later sees the same.
	second := tab(t, ctx)
	do(t, second, chromedp.Navigate(w.url))
	until(t, second, `document.querySelectorAll(".gauge").length === 5 && document.querySelectorAll(".progress").length === 1 && document.querySelector(".large b").textContent === "FIGHT"`)
	w.model.begin()
	for _, each := range []string{".gauge", ".progress", ".countdown", ".status", ".objective"} {
		until(t, second, `document.querySelectorAll("`+each+`").length === 0`)
	}
}

// TestTheme: a server's look is for what is the server's, parts of the HUD go, and the player can hide all of it.
func TestTheme(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.h.Hud(hudElements(time.Now())[0])
	theme := themes["light"]
	theme.Hud = protocol.HudHealth | protocol.HudChat
	w.h.Theme(theme)
	color := func(of string) string { return `getComputedStyle(document.querySelector("` + of + `")).color` }
	until(t, ctx, color("#chat")+` === "rgb(22, 25, 31)" && `+color(".status")+` === "rgb(22, 25, 31)" && `+color("#bar")+` === "rgb(233, 237, 243)"`)
	until(t, ctx, `["#money", "#wanted", "#weapon", "#armor", "#players-button"].every((part) => document.querySelector(part).offsetWidth === 0) && document.querySelector("#health").offsetWidth > 0`)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#stage").focus()`), key("keydown", "Tab"))
	until(t, ctx, `document.querySelector("#players").offsetWidth === 0`)
	do(t, ctx, key("keydown", "F7"))
	until(t, ctx, `getComputedStyle(document.querySelector(".status")).visibility === "hidden" && getComputedStyle(document.querySelector("#chat")).opacity === "0"`)
	do(t, ctx, key("keydown", "F7"))
	until(t, ctx, `getComputedStyle(document.querySelector(".status")).visibility === "visible"`)
}

// TestNotifications: those that the client shows are on the screen, each with the time it has left; and so is the kill feed.
func TestNotifications(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	list := notificationsOf(time.Now())
	w.h.Notifications(list)
	until(t, ctx, `[...document.querySelectorAll(".notification")].map((n) => n.className).join() === "notification plain fresh,notification success fresh,notification info fresh,notification warning fresh,notification error fresh"`)
	until(t, ctx, `(() => { const share = parseFloat(document.querySelectorAll(".notification .time")[2].style.scale); return share > 0.3 && share < 0.7 })()`)
	list[1].Content.Text = "Sold out"
	w.h.Notifications(list[1:3])
	until(t, ctx, `[...document.querySelectorAll(".notification p")].map((n) => n.textContent).join() === "Sold out,The shop closes at 22:00."`)

	w.h.KillFeed(killsOf(time.Now()))
	until(t, ctx, `document.querySelectorAll(".kill").length === 4 && document.querySelector(".kill").textContent === "KiloAK-47Old_Pete" && document.querySelectorAll(".kill.you").length === 1 && document.querySelectorAll(".kill .headshot").length === 1`)
	w.h.KillFeed(nil)
	until(t, ctx, `document.querySelectorAll(".kill").length === 0`)
}

// shown tells whether a node is on the map.
func shown(of string) string { return `document.querySelector("` + of + `")?.hidden === false` }

// TestOverlay: marks, prompts, names and bubbles are over what they are about, and only from where they are seen.
func TestOverlay(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	near := objectiveAt(0, 2520, -1700, 10, "Your truck")
	near.Near = 5
	w.h.Hud(client.Objective{ObjectiveMarker: near})
	w.h.Hud(client.Objective{ObjectiveMarker: objectiveAt(1, 1481, -1700, 0, "Job centre")})
	until(t, ctx, `document.querySelector(".objective")?.textContent === "Your truck28 m" && document.querySelectorAll(".objective.beyond").length === 1`)
	until(t, ctx, `(() => { // over its place; the other at the left edge
	  const [a, b] = [...document.querySelectorAll(".objective")].map((node) => node.getBoundingClientRect());
	  const [x, y] = window.darqlinePlay.look().toScreen(2520, -1700), stage = document.querySelector("#stage").getBoundingClientRect();
	  return Math.abs(a.x + a.width / 2 - x) < 2 && Math.abs(a.y + a.height / 2 - y) < 2 && b.x >= stage.x && b.x < stage.x + 80;
	})()`)

	w.h.Action(prompted(3, "Open", "Open the door", func(a *client.Action) {
		a.Prompt.Place, a.Prompt.Position, a.Prompt.Radius = protocol.PromptWorld, protocol.Vec3{X: 2518, Y: -1700, Z: 13.5}, 5
	}))
	hold := prompted(4, "Revive", "Revive Marta", func(a *client.Action) { a.Bound, a.Prompt.HoldMs = 6, 400 })
	w.h.Action(hold)
	until(t, ctx, shown("#hud .prompt")+` && document.querySelector("#hud .prompt").textContent === "FRevive Marta" && document.querySelector("#over .prompt").hidden`)
	hold.Down, hold.Since = true, time.Now()
	w.h.Action(hold)
	until(t, ctx, `parseFloat(document.querySelector("#hud .prompt.down .full").style.strokeDasharray) >= 1`)

	w.model.setPlayer(player{ID: 5, Name: "Kilo", Unlisted: true})
	r := w.other(5, 2520, -1680, 90)
	w.h.Nametag(protocol.PlayerNametag{PlayerID: 5, PlayerToken: 105, Flags: protocol.NametagShown, Distance: 30, Text: "Police"})
	w.h.Bubble(client.Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: 5, PlayerToken: 105, Duration: 9000, Distance: 20, Text: "{hi"}, Until: time.Now().Add(time.Minute)})
	until(t, ctx, `(() => { const [p] = window.darqlinePlay.look().peds; return p?.tag?.text === "Police" && p.name === "Kilo" && document.querySelector(".bubble").hidden })()`)
	w.place(2519, -1698, 0)
	until(t, ctx, shown(".bubble")+` && document.querySelector(".bubble").textContent === "{hi" && `+shown("#over .prompt")+` && document.querySelector(".objective").hidden`)
	w.frame(&r, 40, func(f *protocol.Frame) { f.Position.X += 100; f.Epoch++ })
	until(t, ctx, `window.darqlinePlay.look().peds[0].tag === null && document.querySelector(".bubble").hidden`)
	w.frame(&r, 40, func(f *protocol.Frame) { f.Position.X -= 100; f.Epoch++ })
	until(t, ctx, `window.darqlinePlay.look().peds[0].tag && !document.querySelector(".bubble").hidden`)
	w.h.Theme(protocol.UiTheme{Colors: themes["light"].Colors, Scale: 100, ChatLines: 10})
	until(t, ctx, `window.darqlinePlay.look().peds[0].tag === null`)
	until(t, ctx, `document.querySelectorAll("#players-body tr").length === 1`) // the one who is not listed has a name, and no row
}

// TestTeamChat: the team's key writes to the team, and the next line is for all again.
func TestTeamChat(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#stage").focus()`), key("keydown", "KeyU"))
	until(t, ctx, `document.activeElement.id === "line" && !document.querySelector("#channel").hidden`)
	do(t, ctx, chromedp.KeyEvent("on my way\r"))
	w.session.expect(t, "team chat on my way")
	do(t, ctx, chromedp.KeyEvent("/me waves\r"))
	w.session.expect(t, "command me waves")
	do(t, ctx, chromedp.KeyEvent(kb.Escape), key("keydown", "KeyT"))
	until(t, ctx, `document.querySelector("#channel").hidden`)
	do(t, ctx, chromedp.KeyEvent("hello\r"))
	w.session.expect(t, "chat hello")
	w.h.Chat(client.Chat{Name: "{FF0000}Marta", NameMarkup: true, Text: "{00FF00}here", Team: true, Color: rgb(1, 2, 3)})
	until(t, ctx, `document.querySelector("#log .line")?.textContent === "team Marta {00FF00}here" && getComputedStyle(document.querySelector("#log .text")).color === "rgb(1, 2, 3)" && getComputedStyle(document.querySelector("#log .name span")).color === "rgb(255, 0, 0)"`)
}

// TestHudModel: a page that is opened later gets what is shown now, and nothing of what is over.
func TestHudModel(t *testing.T) {
	m := newModel("127.0.0.1:7777", "Nova")
	h := &handler{m: m}
	now := time.Now()
	for _, e := range hudElements(now) {
		h.Hud(e)
	}
	h.Hud(client.StatusLine{HudStatusLine: protocol.HudStatusLine{Slot: 1}})
	h.Hud(client.Countdown{HudCountdown: protocol.HudCountdown{}})
	h.Hud(client.Announcement{HudAnnouncement: protocol.HudAnnouncement{Place: protocol.AnnouncementTop}}) // it was not there
	h.Hud(client.Progress{HudProgress: protocol.HudProgress{Slot: 1, Present: true, Duration: 1000, Elapsed: 5}, Since: now})
	var kinds []string
	for _, e := range m.ui.Hud {
		kinds = append(kinds, e.Kind)
		if p, ok := e.Is.(progress); ok && e.Slot == 1 && (p.Elapsed != 5 || p.Since != 0) {
			t.Errorf("a bar that stands still: %+v", p)
		}
	}
	if want := "gauge gauge gauge gauge gauge objective objective objective progress progress status status"; strings.Join(kinds, " ") != want {
		t.Errorf("elements %q, expected %q", kinds, want)
	}

	h.Bubble(client.Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: 1, Text: "late"}, Until: now.Add(-time.Second)}) // of one who has left
	h.Bubble(client.Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: 2, Text: "hi"}, Until: now.Add(time.Minute)})
	h.Bubble(client.Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: 3, Text: "ho"}, Until: now.Add(time.Minute)})
	h.Bubble(client.Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: 3}})
	if len(m.ui.Bubbles) != 1 || m.ui.Bubbles[2].Text != "hi" {
		t.Errorf("bubbles %+v", m.ui.Bubbles)
	}
	h.Nametag(protocol.PlayerNametag{PlayerID: 2, PlayerToken: 7, Flags: protocol.NametagHealth, Distance: 9})
	if tag := m.ui.Nametags[2]; !tag.Hidden || !tag.Health || tag.Armor || tag.Token != 7 {
		t.Errorf("nametag %+v", tag)
	}
	m.removePed(2)
	if len(m.ui.Nametags) != 0 {
		t.Error("a nametag outlives its player")
	}
	h.Theme(protocol.UiTheme{Hud: protocol.HudRadio | protocol.HudMoney, Colors: [12]protocol.RGBA{2: {R: 1, A: 0}}})
	if got := m.ui.Theme; strings.Join(got.Hud, " ") != "money radio" || got.Colors["background"] != "#01000000" {
		t.Errorf("theme %+v", got)
	}
}

// TestHudClocks: what the page computes by its own clock.
func TestHudClocks(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	do(t, ctx, chromedp.Navigate(p.url))
	for _, c := range []struct{ expression, want string }{
		{`(await import("/ui/clock.js")).minutes(185_000)`, "3:05"},
		{`(await import("/ui/clock.js")).minutes(9_990, true)`, "0:09.9"},
		{`(await import("/ui/clock.js")).minutes(86_400_000)`, "1440:00"},
		{`(await import("/ui/hud_countdown.js")).timeAt({ mode: "down", time: 3000, since: 1000 }, 2500)`, "1500"},
		{`(await import("/ui/hud_countdown.js")).timeAt({ mode: "down", time: 3000, since: 1000 }, 9000)`, "0"},
		{`(await import("/ui/hud_countdown.js")).timeAt({ mode: "up", time: 3000, since: 1000 }, 2500)`, "4500"},
		{`(await import("/ui/hud_countdown.js")).timeAt({ mode: "up", time: 3000, since: 0 }, 2500)`, "3000"},
		{`(await import("/ui/hud_gauge.js")).valueAt({ value: 50, rate: -4, since: 1000, max: 60 }, 3000)`, "42"},
		{`(await import("/ui/hud_gauge.js")).valueAt({ value: 50, rate: 4, since: 1000, max: 60 }, 9000)`, "60"},
		{`(await import("/ui/hud_progress.js")).elapsedAt({ elapsed: 500, since: 1000, duration: 4000 }, 2000)`, "1500"},
		{`(await import("/ui/hud_progress.js")).elapsedAt({ elapsed: 500, since: 1000, duration: 4000 }, 9000)`, "4000"},
		{`(await import("/ui/hud_objective.js")).far(999.6)`, "1.0 km"},
		{`(await import("/ui/hud_objective.js")).far(1240)`, "1.2 km"},
	} {
		if got := evaluate[string](t, ctx, `(async () => String(`+c.expression+`))()`); got != c.want {
			t.Errorf("%s is %s, expected %s", c.expression, got, c.want)
		}
	}
}
