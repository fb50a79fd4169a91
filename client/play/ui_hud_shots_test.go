package play

import (
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"darqline/client"
	"darqline/protocol"
)

func rgb(r, g, b uint8) protocol.RGBA { return protocol.RGBA{R: r, G: g, B: b, A: 255} }

// hudElements are one of each look.
func hudElements(now time.Time) []client.HudElement {
	gauge := func(g protocol.HudGauge) client.Gauge {
		g.Present = true
		return client.Gauge{HudGauge: g, Since: now}
	}
	return []client.HudElement{
		client.StatusLine{HudStatusLine: protocol.HudStatusLine{Slot: 0, Present: true, Place: protocol.PlaceTopRight, Order: 5, Icon: 29, Text: "Grove Street {7BD88F}3{/} : {FF8A80}2{/} Ballas"}},
		client.StatusLine{HudStatusLine: protocol.HudStatusLine{Slot: 1, Present: true, Place: protocol.PlaceTopLeft, Icon: 31, Color: rgb(0x7c, 0xb7, 0xff), Text: "Round 2 of 5"}},
		client.StatusLine{HudStatusLine: protocol.HudStatusLine{Slot: 2, Present: true, Place: protocol.PlaceBottomLeft, Text: "los-santos.example"}},
		gauge(protocol.HudGauge{Slot: 0, Style: protocol.GaugeBar, Place: protocol.PlaceBottomRight, Order: 3, Icon: 17, Max: 100, Value: 62, Rate: -0.5, Flags: 1, Label: "Hunger", Unit: "%"}),
		gauge(protocol.HudGauge{Slot: 1, Style: protocol.GaugeBar, Place: protocol.PlaceBottomRight, Order: 2, Icon: 40, Max: 100, Value: 18, Warn: 25, Segments: 10, Color: rgb(0x7c, 0xb7, 0xff), Label: "Oxygen"}),
		gauge(protocol.HudGauge{Slot: 2, Style: protocol.GaugeRing, Place: protocol.PlaceBottomRight, Order: 1, Icon: 28, Max: 50, Value: 36, Flags: 1, Color: rgb(0x7b, 0xd8, 0x8f), Label: "Reputation"}),
		gauge(protocol.HudGauge{Slot: 3, Style: protocol.GaugeNumber, Place: protocol.PlaceTopRight, Order: 1, Icon: 36, Max: 1e6, Value: 1234.5, Decimals: 1, Label: "Loot", Unit: "kg"}),
		gauge(protocol.HudGauge{Slot: 4, Style: protocol.GaugeRing, Place: protocol.PlaceTopLeft, Order: -1, Icon: 22, Max: 10, Value: 7}),
		client.Countdown{HudCountdown: protocol.HudCountdown{Slot: 0, Mode: protocol.CountdownDown, Time: 185_000, Flags: protocol.CountdownRuns, Label: "Round ends"}, Since: now},
		client.Progress{HudProgress: protocol.HudProgress{Slot: 0, Present: true, Flags: protocol.ProgressRuns, Duration: 20_000, Elapsed: 6000, Cancel: 8, Text: "Picking the lock"}, Since: now},
		client.Progress{HudProgress: protocol.HudProgress{Slot: 1, Present: true, Style: protocol.GaugeRing, Duration: 8000, Elapsed: 3000, Color: rgb(0x7b, 0xd8, 0x8f), Text: "Bandaging"}, Since: now},
		client.Objective{ObjectiveMarker: objectiveAt(0, 2520, -1700, 10, "Your truck")},
		client.Objective{ObjectiveMarker: objectiveAt(1, 2460, -2120, 29, "The docks")},
		client.Objective{ObjectiveMarker: objectiveAt(2, 1481, -1600, 0, "{7BD88F}Job centre")},
	}
}

func objectiveAt(slot uint8, x, y float32, icon protocol.Icon, text string) protocol.ObjectiveMarker {
	return protocol.ObjectiveMarker{Slot: slot, Present: true, Icon: icon, Flags: protocol.MarkerEdge | protocol.MarkerDistance,
		Position: protocol.Vec3{X: x, Y: y, Z: 13.5}, Text: text}
}

func notificationsOf(now time.Time) []client.Notification {
	note := func(id uint32, kind protocol.MessageKind, icon protocol.Icon, left time.Duration, title, text string) client.Notification {
		n := client.Notification{HudNotificationAdd: protocol.HudNotificationAdd{NotificationID: id, Kind: kind, Icon: icon, Duration: 10_000, Flags: protocol.NotificationTimeBar,
			Content: protocol.NotificationContent{Title: title, Text: text}}, Until: now.Add(left)}
		if left == 0 {
			n.Until, n.Duration = time.Time{}, 0
		}
		return n
	}
	return []client.Notification{
		note(21, protocol.MessagePlain, 33, 3*time.Second, "Marta", "Are you coming to the pier?\nWe start at nine."),
		note(22, protocol.MessageSuccess, 0, 5*time.Second, "", "You bought a {FFB000}Colt 45"),
		note(23, protocol.MessageInfo, 0, 7*time.Second, "", "The shop closes at 22:00."),
		note(24, protocol.MessageWarning, 0, 9*time.Second, "", "Your car is on fire."),
		note(25, protocol.MessageError, 0, 0, "Wanted", "The police know your car."),
	}
}

func killsOf(now time.Time) []client.Kill {
	kill := func(cause protocol.Cause, flags protocol.KillFeedFlags, killer, victim string, colors ...protocol.RGBA) client.Kill {
		colors = append(colors, protocol.RGBA{}, protocol.RGBA{})
		return client.Kill{HudKillFeedAdd: protocol.HudKillFeedAdd{Cause: cause, Flags: flags, Killer: killer, Victim: victim, KillerColor: colors[0], VictimColor: colors[1]}, Until: now.Add(8 * time.Second)}
	}
	return []client.Kill{
		kill(30, 0, "Kilo", "Old_Pete", rgb(0x7c, 0xc4, 0xff)),
		kill(34, protocol.KillFeedHeadShot, "Marta", "Kilo", rgb(0x7b, 0xd8, 0x8f), rgb(0x7c, 0xc4, 0xff)),
		kill(protocol.CauseFire, 0, "", "Marta"),
		kill(24, protocol.KillFeedYou, "Nova", "Old_Pete", rgb(0xff, 0xb4, 0x54)),
	}
}

// prompted is an action with a prompt.
func prompted(id uint32, label, text string, change func(*client.Action)) client.Action {
	a := client.Action{ActionDeclare: protocol.ActionDeclare{ActionID: id, Resource: "doors", Name: "a", Label: label, Key: 5, When: 1}, Bound: 5,
		Prompt: protocol.ActionPrompt{ActionID: id, Present: true, Text: text}}
	change(&a)
	return a
}

var themes = map[string]protocol.UiTheme{
	"light": {Colors: [12]protocol.RGBA{rgb(0x9a, 0x4b, 0), rgb(255, 255, 255), rgb(0xf4, 0xf5, 0xf7), rgb(255, 255, 255), rgb(0x16, 0x19, 0x1f), rgb(0x52, 0x5a, 0x66),
		rgb(0xc9, 0xcf, 0xd8), rgb(0xff, 0xe6, 0xc7), rgb(0x0b, 0x57, 0xb0), rgb(0x14, 0x6b, 0x2e), rgb(0x7a, 0x52, 0), rgb(0xb3, 0x20, 0x1a)},
		Radius: 6, Scale: 100, ChatLines: 10, Hud: 1<<16 - 1},
	"contrast": {Colors: [12]protocol.RGBA{rgb(255, 255, 0), rgb(0, 0, 0), rgb(0, 0, 0), rgb(0, 0, 0), rgb(255, 255, 255), rgb(255, 255, 255), rgb(255, 255, 255),
		rgb(0, 0x3a, 0x8c), rgb(0x66, 0xcc, 0xff), rgb(0, 255, 0x66), rgb(255, 255, 0), rgb(255, 0x99, 0x99)}, Scale: 110, Font: protocol.FontCondensed, ChatLines: 10, Hud: 1<<16 - 1},
}

// people gives the others in view names, nametags and bubbles.
func (w *stageOf) people() {
	w.h.Nametag(protocol.PlayerNametag{PlayerID: 1, PlayerToken: ownToken + 1, Flags: 1 | 2 | 4 | 16, Distance: 80, Icon: 23, Color: rgb(0x7c, 0xc4, 0xff), Name: "{FFD166}Sgt.{/} Kilo", Text: "Los Santos police"})
	w.h.Nametag(protocol.PlayerNametag{PlayerID: 3, PlayerToken: ownToken + 3, Flags: 1 | 16, Distance: 80, Text: "{7BD88F}Grove Street"})
	w.bubble(2, 0, "anyone up for a race to the pier?")
	w.bubble(0, 1, "{FFB454}* waves at Kilo")
}

func (w *stageOf) bubble(id uint16, flags protocol.BubbleFlags, text string) {
	w.h.Bubble(client.Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: id, PlayerToken: ownToken + uint32(id), Duration: 9000, Distance: 60, Flags: flags, Text: text}, Until: time.Now().Add(9 * time.Second)})
}

// TestHudScreenshots writes pictures of the HUD and of what is around players into the folder DARQLINE_SCREENSHOTS.
func TestHudScreenshots(t *testing.T) {
	if os.Getenv("DARQLINE_SCREENSHOTS") == "" {
		t.Skip("set DARQLINE_SCREENSHOTS to a folder to take pictures of the page")
	}
	sizes := [][2]int64{{1280, 720}, {3840, 2160}}
	p := start(t)
	fill(p)
	w := crowded(p)
	ctx := w.open(t)
	each := func(list []client.HudElement, gone bool) {
		for _, e := range list {
			h := hudElementOf(e)
			if gone {
				h.Is = nil
			}
			w.model.setHud(h)
		}
	}
	w.h.Action(prompted(8, "Cancel", "", func(a *client.Action) { a.Bound, a.Prompt.Present = 24, false }))
	each(hudElements(time.Now()), false)
	shootAt(t, ctx, "hud", sizes...)
	for name, theme := range themes {
		w.h.Theme(theme)
		w.h.Notifications(notificationsOf(time.Now())[:2])
		shootAt(t, ctx, "theme-"+name, sizes[0])
	}
	w.h.Notifications(nil)
	w.h.Theme(protocol.UiTheme{Colors: themes["light"].Colors, Scale: 100, ChatLines: 5, Hud: protocol.HudHealth | protocol.HudChat})
	shootAt(t, ctx, "theme-parts", sizes[0])
	w.model.setTheme(nil)
	each(hudElements(time.Now()), true)

	w.h.Notifications(notificationsOf(time.Now()))
	w.h.KillFeed(killsOf(time.Now()))
	shootAt(t, ctx, "notifications", sizes...)
	w.h.Notifications(nil)
	w.h.KillFeed(nil)

	for i, style := range []string{"title", "mission", "subtitle"} {
		a := client.Announcement{HudAnnouncement: protocol.HudAnnouncement{Place: protocol.AnnouncementPlace(i), Duration: 4000, Style: protocol.AnnouncementStyle(i),
			Content: protocol.AnnouncementContent{Title: []string{"Ganton", "Mission passed!", "Big Smoke: {7CB7FF}Follow the train, CJ"}[i], Text: []string{"The fight for the block begins", "Respect +\n{7BD88F}$5,000", ""}[i]}}}
		w.h.Hud(a)
		if style == "mission" {
			w.h.Hud(client.Announcement{HudAnnouncement: protocol.HudAnnouncement{Place: 0}})
		}
	}
	shootAt(t, ctx, "announcements", sizes...)
	for i := range 3 {
		w.h.Hud(client.Announcement{HudAnnouncement: protocol.HudAnnouncement{Place: protocol.AnnouncementPlace(i)}})
	}
	large := client.Countdown{HudCountdown: protocol.HudCountdown{Slot: 1, Mode: protocol.CountdownLarge, Time: 2900, Label: "Get ready", End: "FIGHT"}, Since: time.Now()}
	w.h.Hud(large)
	shootAt(t, ctx, "countdown", sizes[0])
	large.Ended = true
	w.h.Hud(large)
	shootAt(t, ctx, "countdown-end", sizes[0])
	w.h.Hud(client.Countdown{HudCountdown: protocol.HudCountdown{Slot: 1}})

	w.people()
	w.h.Action(prompted(3, "Open", "Open the door", func(a *client.Action) {
		a.Prompt.Place, a.Prompt.Position, a.Prompt.Radius = protocol.PromptWorld, protocol.Vec3{X: 2502, Y: -1692, Z: 13.5}, 20
	}))
	w.h.Action(prompted(4, "Revive", "Revive Marta", func(a *client.Action) {
		a.Bound, a.Prompt.HoldMs, a.Down, a.Since = 6, 2000, true, time.Now().Add(-500*time.Millisecond)
	}))
	w.h.Action(prompted(5, "Work", "Look for work at the {FFB454}Job centre", func(*client.Action) {}))
	for range 6 {
		do(t, ctx, press("+"))
	}
	shootAt(t, ctx, "players-around", sizes...)
	w.h.ActionRemoved(3)

	w.h.Menu(jobMenu(protocol.PlaceTopRight))
	w.h.Offers(offersOf(time.Now()))
	w.h.Notifications(notificationsOf(time.Now())[:2])
	each(hudElements(time.Now())[:8], false)
	shootAt(t, ctx, "hud-menu", sizes[0])
	w.h.MenuClosed(4, client.ClosedByServer)
	w.h.Offers(nil)
	w.h.Notifications(nil)
	each(hudElements(time.Now())[:8], true)

	w.h.PlayerList(client.PlayerList{Title: "Los Santos Roleplay, {FFB454}round 2", Columns: []client.Column{{Heading: "Kills", Align: protocol.AlignRight}, {Heading: "Job", Width: 30}}})
	for i, name := range []string{"Nova", "Kilo", "Marta", "Old_Pete", "Ada", "Zed"} {
		w.h.Player(client.Player{ID: uint16(i), Name: name, Ping: 23 + i*31, Listed: i != 5, You: i == 0, Color: []protocol.RGBA{{}, rgb(0x7c, 0xc4, 0xff), rgb(0x7b, 0xd8, 0x8f)}[i%3],
			Group: []string{"", "{7CB7FF}Police", "{7BD88F}Grove Street"}[i%3], Cells: []string{"12", "Trucker"}})
	}
	w.model.addLine(line{Kind: "chat", Name: "Marta", Text: "behind the garage, quick", Team: true, Color: "#9fe3ae", At: time.Now().UnixMilli()})
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#players-button").click()`))
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#stage").focus()`), key("keydown", "KeyU"), chromedp.KeyEvent("on my way"))
	shootAt(t, ctx, "list", sizes...)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#players-button").click()`))
	w.h.Hud(client.Speedometer{HudSpeedometer: protocol.HudSpeedometer{Present: true, Max: 260, Parts: 2 | 8, Fuel: 0.4, Distance: 12345, Text: "Premier"}})
	shootAt(t, ctx, "speedometer", sizes[0])
}
