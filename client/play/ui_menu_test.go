package play

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"darqline/client"
	"darqline/protocol"
)

// TestMenuKeys: the menu takes its keys and no others; the player walks on unless the menu holds it.
func TestMenuKeys(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	m := jobMenu(protocol.PlaceTopRight)
	w.h.Menu(m)
	until(t, ctx, `document.querySelector("#menu .item.selected .label")?.textContent === "Radius" && document.querySelector("#menu > .help").textContent === "How far to drive"`)
	until(t, ctx, `document.querySelector(".spoken").textContent.includes("Job centre") && document.querySelector(".spoken").textContent.includes("500 m")`)
	until(t, ctx, `document.querySelector("#menu").getBoundingClientRect().right > innerWidth - 40`)

	do(t, ctx, key("keydown", "KeyW"))
	eventually(t, "the player walks on", func() bool { return w.position().MoveY == 127 })
	do(t, ctx, keys(kb.ArrowDown))
	w.session.expect(t, "menu 4 item 5 revision 0 highlight 0") // over the heading
	do(t, ctx, keys(kb.ArrowRight))
	w.session.expect(t, "menu 4 item 3 revision 2 change 5")
	if f := w.position(); f.MoveX != 0 {
		t.Errorf("an arrow of the menu walks: %+v", f)
	}
	m.Selected = 1
	w.h.Menu(m)
	until(t, ctx, `document.querySelector("#menu .item.selected .label").textContent === "Trucker" && document.querySelector("#menu > .help").hidden`)
	do(t, ctx, keys(kb.ArrowUp)) // to the other end
	w.session.expect(t, "menu 4 item 7 revision 0 highlight 0")

	// The price has changed on the way: what was pressed on the old item is dropped.
	w.h.Menu(m)
	changed := jobMenu(protocol.PlaceTopRight)
	changed.Selected, changed.Items[0].Revision, changed.Items[0].Detail = 1, 9, "$5"
	w.h.Menu(changed)
	if _, ok := w.model.pressed(menuKey{Menu: 4, Key: "menu_select", Version: 0}); ok {
		t.Error("a key that was pressed on the old item selects the new one")
	}
	until(t, ctx, `document.querySelector("#menu .item.selected .detail").textContent === "$5"`)
	do(t, ctx, keys("\r"))
	w.session.expect(t, "menu 4 item 1 revision 9 select 0")

	do(t, ctx, press("t")) // who types, types
	until(t, ctx, `document.activeElement.id === "line"`)
	do(t, ctx, keys("\b", kb.ArrowDown, kb.Escape), keys(kb.Backspace))
	w.session.expect(t, "menu 4 item 0 revision 0 close 0")

	do(t, ctx, key("keydown", "KeyW"))
	eventually(t, "the player walks again", func() bool { return w.position().MoveY == 127 })
	changed.Flags |= protocol.MenuHold
	w.h.Menu(changed)
	eventually(t, "the menu holds the player", func() bool { return w.position().MoveY == 0 })
	w.h.MenuClosed(4, client.ClosedByServer)
	eventually(t, "it walks on", func() bool { return w.position().MoveY == 127 })
	until(t, ctx, `document.querySelector("#menu").hidden`)

	custom := *protocol.DefaultPlatformKeys()
	custom.Keys[protocol.FunctionMenuDown], _ = protocol.KeyByName("Num2")
	w.h.PlatformKeys(custom)
	w.h.Menu(m)
	until(t, ctx, `document.querySelector("#menu footer")?.textContent.includes("Num 2")`)
	do(t, ctx, key("keydown", "Numpad2"))
	w.session.expect(t, "menu 4 item 3 revision 2 highlight 0")
}

// TestOfferKeys: the keys are for the oldest offer.
func TestOfferKeys(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.h.m.setPlayer(player{ID: 1, Name: "Kilo"})
	list := offersOf(time.Now())
	w.h.Offers(list)
	until(t, ctx, `document.querySelectorAll(".offer").length === 3 && document.querySelector(".offer.first").innerText.includes("from Kilo") && /^\d+ s$/.test(document.querySelector(".offer .remaining").textContent)`)
	do(t, ctx, keys("y"))
	w.session.expect(t, "offer 11 true")
	w.h.Offers(list[1:])
	until(t, ctx, `document.querySelectorAll(".offer").length === 2 && document.querySelector(".offer.first h3").textContent === "A ride to the pier"`)
	do(t, ctx, keys("n"))
	w.session.expect(t, "offer 12 false")
	do(t, ctx, chromedp.Click(chromedp.CSS(".offer:last-child .accept")))
	w.session.expect(t, "offer 13 true")
	until(t, ctx, `document.activeElement.id !== "line" && document.activeElement.tagName !== "BUTTON"`)
}

// TestActionKeys: a key of the map is an action's once, with both edges; the page's own use of the key gives way.
func TestActionKeys(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	keyE, _ := protocol.KeyByName("E")
	use := client.Action{Bound: keyE, ActionDeclare: protocol.ActionDeclare{ActionID: 7, Resource: "doors", Name: "open", Label: "Open a door", Key: keyE,
		When: protocol.ActionOnFoot, Flags: protocol.ActionOnlyWithPrompt}}
	w.h.Action(use)
	until(t, ctx, `document.querySelector("#actions-list dd")?.textContent === "Open a door doors"`)
	do(t, ctx, keys("e")) // without a prompt it is the map's
	w.session.expect(t, "arm grenade")
	use.Prompt = protocol.ActionPrompt{ActionID: 7, Present: true, Place: protocol.PromptWorld, Position: protocol.Vec3{X: 2495, Y: -1690, Z: 13.5}, Radius: 3, Text: "Open"}
	w.h.Action(use)
	w.h.Message(client.Message{Text: "Press {key:7}, not {key:9}", Markup: true})
	until(t, ctx, `document.querySelector("#log .line:last-child")?.textContent.trim() === "Press E, not ?"`)
	do(t, ctx, key("keydown", "KeyE"), key("keydown", "KeyE"), key("keyup", "KeyE"))
	w.session.expect(t, "press E")
	w.session.expect(t, "release E")
	use.Prompt.Position.Y = -1600 // too far away
	use.Label = "Too far"
	w.h.Action(use)
	until(t, ctx, `document.querySelector("#actions-list").innerText.includes("Too far")`)
	do(t, ctx, keys("e"))
	w.session.expect(t, "arm grenade")

	w.h.Action(client.Action{Bound: 23, ActionDeclare: protocol.ActionDeclare{ActionID: 8, Name: "jump", Label: "Fly", When: protocol.ActionOnFoot, Flags: protocol.ActionSwallow}})
	until(t, ctx, `document.querySelectorAll("#actions-list dd").length === 2`)
	do(t, ctx, key("keydown", "KeyW"))
	w.session.expect(t, "press W")
	do(t, ctx, key("keydown", "KeyD"))
	eventually(t, "the game does not see the action's key", func() bool { return w.position().MoveX == 127 && w.position().MoveY == 0 })

	do(t, ctx, key("keyup", "KeyD"), key("keyup", "KeyW"))
	w.session.expect(t, "release W")
	do(t, ctx, press("?"), chromedp.Evaluate[chromedp.Void](`document.querySelector("#actions-list button").click()`), key("keydown", "KeyG"))
	w.session.expect(t, "bind 7 G")
	w.h.ActionRemoved(8)
	use.Bound = 7
	w.h.Action(use)
	until(t, ctx, `document.querySelector("#actions-list").innerText.includes("G") && document.querySelectorAll("#actions-list dd").length === 1 && document.querySelector("#log .line:last-child").textContent.trim() === "Press G, not ?"`)
}
