package play

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"darqline/client"
	"darqline/protocol"
)

// guarded waits until an open dialog takes keys.
func guarded(t *testing.T, ctx context.Context) {
	t.Helper()
	until(t, ctx, `document.querySelector("dialog[open]")`)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`new Promise((done) => setTimeout(done, 300))`, chromedp.EvalAwaitPromise))
}

// ask shows a dialog as the client would tell it, and waits until it takes keys.
func (w *stageOf) ask(t *testing.T, ctx context.Context, id uint32, d client.Dialog) {
	t.Helper()
	d.ID, d.Opened = id, time.Now()
	if d.Error == "" {
		d.ErrorField = -1
	}
	w.h.Dialog(d)
	guarded(t, ctx)
}

// keys presses keys as a person does.
func keys(keys ...string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, each := range keys {
			if err := chromedp.Do(ctx, chromedp.KeyEvent(each)); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestDialogKeys: the keyboard is the dialog's own, the keys answer it, and it is given back.
func TestDialogKeys(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#stage").focus()`), key("keydown", "KeyW"))
	eventually(t, "the player walks", func() bool { return w.position().MoveY == 127 })

	all := dialogs(time.Now())
	w.h.Dialog(func() client.Dialog { d := all["message"]; d.ID, d.ErrorField = 1, -1; return d }())
	until(t, ctx, `document.querySelector("dialog[open]")?.contains(document.activeElement)`)
	eventually(t, "a dialog stops the player", func() bool { return w.position().Velocity == [3]int16{} })
	if role := evaluate[string](t, ctx, `document.querySelector("dialog").getAttribute("role") + ": " + document.getElementById(document.querySelector("dialog").getAttribute("aria-labelledby")).textContent`); role != "dialog: Welcome to Los Santos" {
		t.Errorf("the dialog is a %s", role)
	}

	// A key of the first quarter of a second was meant for the game.
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))`))
	guarded(t, ctx)
	do(t, ctx, keys("t", kb.F7))
	do(t, ctx, keys("\r"))
	w.session.expect(t, `answer 1 accept row -1 "" `) // and nothing before it
	w.h.DialogClosed(1, client.ClosedAnswered)
	until(t, ctx, `!document.querySelector("dialog[open]") && document.activeElement.id === "stage"`)

	d := all["rules"] // cannot be cancelled, and is longer than the screen
	d.Until = time.Now().Add(time.Minute)
	w.ask(t, ctx, 2, d)
	do(t, ctx, keys(kb.Escape, kb.Escape, kb.PageDown))
	until(t, ctx, `document.querySelector("dialog[open]").role === "alertdialog" && document.querySelector("dialog .middle").scrollTop > 0`)
	until(t, ctx, `/^5\d s$|^1:00$/.test(document.querySelector("dialog .remaining").textContent) && parseFloat(document.querySelector("dialog .time").style.scale) > 0.9`)
	do(t, ctx, keys("\r"))
	w.session.expect(t, `answer 2 accept row -1 "" `)
	w.h.DialogClosed(2, client.ClosedAnswered)

	w.ask(t, ctx, 3, all["table"])
	do(t, ctx, keys(kb.Escape))
	w.session.expect(t, `answer 3 cancel row -1 "" `)
	w.h.DialogClosed(3, client.ClosedAnswered)
}

// TestDialogKinds: what is typed and chosen is what the server gets.
func TestDialogKinds(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	all := dialogs(time.Now())
	done := func(id uint32) { t.Helper(); w.h.DialogClosed(id, client.ClosedAnswered) }

	w.ask(t, ctx, 1, all["input"])
	until(t, ctx, `document.querySelector("dialog > .fault").textContent === "There is a gang of this name already"`)
	w.session.mu.Lock()
	w.session.refused = &client.DialogError{Field: -1, Text: "at most 24 characters, not 30"}
	w.session.mu.Unlock()
	do(t, ctx, keys("Ballas"), keys("\r"))
	w.session.expect(t, `answer 1 accept row -1 "Ballas" `)
	until(t, ctx, `document.querySelector("dialog > .fault").textContent === "At most 24 characters, not 30"`)
	do(t, ctx, keys("é", "\r"))
	w.session.expect(t, `answer 1 accept row -1 "Ballasé" `)
	done(1)

	w.ask(t, ctx, 2, all["lines"])
	until(t, ctx, `document.querySelector("dialog .accept kbd").textContent === "Ctrl Enter"`)
	do(t, ctx, keys("one", "\r", "two", kb.F2))
	w.session.expect(t, `answer 2 extra row -1 "one\ntwo" `)
	done(2)

	w.ask(t, ctx, 3, all["list"]) // the second is selected first, the fourth cannot be
	do(t, ctx, keys(kb.ArrowDown, kb.ArrowDown, "\r"))
	w.session.expect(t, `answer 3 accept row 4 "" `)
	done(3)
	w.ask(t, ctx, 4, all["list"])
	do(t, ctx, keys("beach"))
	until(t, ctx, `document.querySelectorAll("dialog .row:not([hidden])").length === 2 && document.querySelector("dialog .count").textContent === "2 of 16"`)
	do(t, ctx, keys(kb.ArrowDown, kb.ArrowDown))
	until(t, ctx, `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent === "Santa Maria Beach"`)
	do(t, ctx, keys("\r"))
	w.session.expect(t, `answer 4 accept row 8 "" `)
	done(4)

	w.ask(t, ctx, 5, all["table"])
	do(t, ctx, chromedp.Click(chromedp.CSS("dialog th:nth-child(3) button")))
	until(t, ctx, `[...document.querySelectorAll("dialog td:first-child")].map((cell) => cell.textContent).join() === "Katana,Colt 45,Micro Uzi,Shotgun,AK-47,Sniper rifle" && document.querySelector("dialog th:nth-child(3)").ariaSort === "ascending"`)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog .search").focus()`), keys(kb.ArrowDown, kb.ArrowUp, "\r"))
	w.session.expect(t, `answer 5 accept row 3 "" `) // the Micro Uzi stands above the Shotgun
	done(5)
}

// TestForm fills in a form with a field of each type by the keyboard.
func TestForm(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.ask(t, ctx, 1, dialogs(time.Now())["form"])
	until(t, ctx, `document.activeElement.type === "range" && document.activeElement.ariaInvalid === "true" && document.querySelector("#fault-1").textContent === "You have only $300"`)
	do(t, ctx, keys(kb.ArrowRight, kb.ArrowRight)) // the slider
	until(t, ctx, `document.querySelector("dialog input[type=number]").value === "136"`)
	do(t, ctx, keys(kb.Tab, kb.Tab, kb.ArrowDown, kb.ArrowDown)) // over its number to the paint
	do(t, ctx, keys(kb.Tab, "A", kb.Tab))                        // one character is too few, which it says when it is left
	until(t, ctx, `document.querySelector("#fault-3").textContent === "At least 2 characters, not 1"`)
	do(t, ctx, keys(kb.Tab, kb.Tab, " "))                                                           // over the wrapping and the search: the sling is taken off
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog .clear").click()`)) // of the color
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog .text input").focus()`), keys("k"))
	w.session.mu.Lock()
	w.session.refused = &client.DialogError{Field: 7, Text: "a day from 2024-10-04 to 2052-02-20 is expected"}
	w.session.mu.Unlock()
	do(t, ctx, keys("\r"))
	const want = `answer 1 accept row -1 "" [1 number 136][2 choice 1][3 string Ak][4 boolean true][5 choices 4][7 date 20800]`
	w.session.expect(t, want)
	until(t, ctx, `document.activeElement.type === "date" && document.querySelector("#fault-7").textContent.startsWith("A day from")`)
	do(t, ctx, keys("\r"))
	w.session.expect(t, want)
}

// TestDialogPause: the panel of keys hides what is open and closes nothing; a page that connects later sees it too.
func TestDialogPause(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.h.Offers(offersOf(time.Now()))
	w.ask(t, ctx, 1, dialogs(time.Now())["input"])
	do(t, ctx, keys("Vagos", kb.F1))
	until(t, ctx, `!document.querySelector("dialog[open]") && !document.querySelector("#help").hidden && document.querySelector("#screen").hidden`)
	do(t, ctx, keys("y"), keys(kb.Escape))
	until(t, ctx, `document.querySelector("dialog[open] input").value === "Vagos" && document.activeElement.value === "Vagos" && document.querySelector("#help").hidden`)
	do(t, ctx, keys("\r"))
	w.session.expect(t, `answer 1 accept row -1 "Vagos" `)
	do(t, ctx, chromedp.Reload())
	until(t, ctx, `document.querySelector("dialog[open] h2")?.textContent === "Found a gang" && document.querySelectorAll(".offer").length === 3`)
	w.model.begin()
	until(t, ctx, `!document.querySelector("dialog[open]") && document.querySelectorAll(".offer").length === 0`)
}

// TestDialogOverView: a dialog hides a view that takes input, takes its keyboard, and gives it back.
func TestDialogOverView(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.model.openView(testView(1, 6, "shop", "view.html", "all", map[string]string{"view.html": testPage, "view.js": testScript}))
	w.session.expect(t, "loaded 1")
	until(t, ctx, `document.activeElement.tagName === "IFRAME"`)
	w.ask(t, ctx, 1, dialogs(time.Now())["input"])
	until(t, ctx, `getComputedStyle(document.querySelector(".frame")).visibility === "hidden" && document.activeElement.closest("dialog")`)
	do(t, ctx, keys("Aztecas", "\r"))
	w.session.expect(t, `answer 1 accept row -1 "Aztecas" `)
	w.h.DialogClosed(1, client.ClosedAnswered)
	until(t, ctx, `getComputedStyle(document.querySelector(".frame")).visibility === "visible" && document.activeElement.tagName === "IFRAME"`)
}

// TestDialogAnswer: what a page sends is read by the types of the form's fields, and nothing else is.
func TestDialogAnswer(t *testing.T) {
	d := dialogs(time.Now())["form"]
	for value, want := range map[string]string{
		`{"number":1,"value":34}`: "[1 number 34]", `{"number":2,"value":2}`: "[2 choice 2]", `{"number":5,"value":[0,6]}`: "[5 choices 65]",
		`{"number":6,"value":"#102aFF"}`: "[6 color #102aff]", `{"number":7,"value":20001}`: "[7 date 20001]", `{"number":4,"value":false}`: "[4 boolean false]",
		`{"number":1,"value":"34"}`: "this is no number", `{"number":2,"value":-1}`: "this is no choice", `{"number":6,"value":"red"}`: "this is no color",
		`{"number":5,"value":[-1]}`: "this is no choices", `{"number":4,"value":1}`: "this is no boolean",
	} {
		var f formAnswer
		if err := json.Unmarshal([]byte(value), &f); err != nil {
			t.Fatal(err)
		}
		a := dialogAnswer{Button: "accept", Fields: []formAnswer{f}}
		got, err := a.answer(&d)
		if text := filled(got.Fields); err == nil && text != want || err != nil && err.Error() != want {
			t.Errorf("%s: %s %v, expected %s", value, text, err, want)
		}
	}
	if _, err := (&dialogAnswer{Button: "maybe"}).answer(&d); err == nil {
		t.Error("a button that does not exist was taken")
	}
	long := client.Dialog{Kind: client.DialogMessage, DialogTexts: protocol.DialogTexts{Body: "a"},
		Rows: []protocol.TableRow{{Cells: []string{"b"}}, {Cells: []string{"c"}, Flags: protocol.RowContinued}, {Cells: []string{""}}, {Cells: []string{"d"}}}}
	if got := dialogOf(long); got.Body != "a\nbc\n\nd" || got.Rows != nil {
		t.Errorf("a long message is %+v", got)
	}
}
