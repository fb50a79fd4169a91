package play

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"darqline/protocol"
)

// chromium starts a headless browser with one tab, or skips loudly where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("SKIPPED: there is no Chromium on this machine, so the page itself is not tested; install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	return tab(t, ctx)
}

// tab opens a tab at 1280x720. A context of a tab gives a second one of the same browser.
func tab(t *testing.T, parent context.Context) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, timeout := context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(timeout)
	do(t, ctx, chromedp.EmulateViewport(1280, 720), keyboard(true))
	return ctx
}

// keyboard lets the tab believe that it has the keyboard, as the window in front would.
func keyboard(on bool) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: on})
		return err
	})
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// patient makes false of what cannot be read yet: what a page will show is asked for before it is there.
func patient(expression string) string {
	return "(() => { try { return (" + expression + ") } catch { return false } })()"
}

// until waits until a JavaScript expression holds in the page.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Poll[chromedp.Void](patient(expression), chromedp.WithPollingTimeout(20*time.Second)))
	if err != nil {
		body, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
		t.Fatalf("%s: %v\nthe page shows:\n%s", expression, err, body)
	}
}

// demoView opens a view with the files of a folder.
func demoView(t *testing.T, id, generation uint32, resource, dir, entry, input string) *view {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = strings.ReplaceAll(string(data), "{{.Name}}", resource)
	}
	return testView(id, generation, resource, entry, input, files)
}

// testView is a view with these files, as the reference client opens them.
func testView(id, generation uint32, resource, entry, input string, files map[string]string) *view {
	return &view{
		ID: id, Resource: resource, Generation: generation, Entry: entry, Input: input,
		origins: func() []string { return nil },
		open: func(name string) ([]byte, string, error) {
			body, ok := files[name]
			if !ok {
				return nil, "", os.ErrNotExist
			}
			contentType, _ := protocol.ContentType(strings.TrimPrefix(path.Ext(name), "."))
			return []byte(body), contentType, nil
		},
	}
}

const testPage = `<!doctype html><html lang="en"><head><title>t</title><script src="view.js"></script></head>
<body style="margin:0"><button id="buy">Buy</button><input id="text"><p id="money"></p></body></html>`

const testScript = `
const seen = [];
const had = typeof darqline;                             // in the head, before the document is there
addEventListener("DOMContentLoaded", () => {
  document.getElementById("buy").addEventListener("click", () => darqline.send("buy", { item: "ak47", amount: 2, gift: false }));
  darqline.on("wallet", (wallet, revision) => {
    document.getElementById("money").textContent = "$" + wallet.money;
    seen.push([wallet.money, revision]);
  });
});`

// frame attaches to the view's frame, which is another site than the page and so has a process of its own.
func frame(t *testing.T, ctx context.Context, origin string) context.Context {
	t.Helper()
	for range 200 {
		infos, err := chromedp.Targets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range infos {
			if info.Type == "iframe" && strings.HasPrefix(info.URL, origin+"/") {
				inside, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(info.TargetID))
				t.Cleanup(cancel)
				return inside
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("there is no frame on %s: a view is not on a site of its own", origin)
	return nil
}

func evaluate[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// TestView goes the way of an author: the view opens on its own origin, shows a snapshot, a click comes back, the new
// snapshot is shown, a new generation takes its place, and a second tab and a reload see the same.
func TestView(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	p.connected()
	p.model.openView(testView(1, 6, "my_shop", "ui/view.html", "all", map[string]string{"ui/view.html": testPage, "ui/view.js": testScript}))
	p.model.setData(1, snapshot{"wallet", 4, `{"money":500}`})
	do(t, ctx, chromedp.Navigate(p.url))
	p.session.expect(t, "loaded 1")

	origin := strings.Replace(p.url, "localhost", "r-my-shop--4.localhost", 1)
	view := frame(t, ctx, origin)
	until(t, view, `document.getElementById("money").textContent === "$500"`)
	if had := evaluate[string](t, view, "had"); had != "object" {
		t.Errorf("window.darqline was %s when the page's first script ran", had)
	}
	do(t, view, chromedp.Click(chromedp.CSS("#buy")))
	p.session.expect(t, "action 1 4 buy [{item ak47} {amount 2} {gift false}]")
	p.model.setData(1, snapshot{"wallet", 5, `{"money":300}`})
	until(t, view, `document.getElementById("money").textContent === "$300"`)
	if seen := evaluate[string](t, view, "JSON.stringify(seen)"); seen != "[[500,4],[300,5]]" {
		t.Errorf("the page saw %s", seen)
	}

	do(t, view, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, `document.activeElement.id === "stage"`)

	second := tab(t, ctx)
	do(t, second, chromedp.Navigate(p.url))
	until(t, second, `document.querySelector(".frame.loaded h2")?.textContent === "my_shop"`)
	do(t, ctx, chromedp.Reload())
	until(t, ctx, `document.querySelector(".frame.loaded")`)
	do(t, frame(t, ctx, origin), chromedp.Click(chromedp.CSS("#buy")))
	p.session.expect(t, "action 1 5 buy [{item ak47} {amount 2} {gift false}]") // and no second ViewStatus before it

	p.model.closeView(1)
	until(t, second, `!document.querySelector("iframe")`)
	p.model.openView(testView(2, 7, "my_shop", "new.html", "all", map[string]string{"new.html": "<title>new</title>seven"}))
	p.session.expect(t, "loaded 2")
	for _, each := range []context.Context{ctx, second} {
		until(t, each, `document.querySelectorAll("iframe").length === 1 && document.querySelector(".frame.loaded header")?.textContent.includes("generation 7")`)
	}
}

// TestBridge: what a view's page may do, and what throws.
func TestBridge(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	p.connected()
	page := `<!doctype html><script src="fault.js"></script><script>inline()</script><form><input></form>`
	p.model.openView(testView(1, 6, "shop", "view.html", "all", map[string]string{"view.html": page, "fault.js": "darqline.send('early');\n\nnothing.here();"}))
	do(t, ctx, chromedp.Navigate(p.url))
	p.session.expect(t, "loaded 1")
	p.session.expect(t, "action 1 0 early []") // it waited until the server knew that the page has loaded
	view := frame(t, ctx, strings.Replace(p.url, "localhost", "shop.localhost", 1))

	for _, c := range []struct{ call, want string }{
		{`darqline.send("buy", { item: null })`, `darqline.send("buy"): field "item": a boolean, number or string expected, got null`},
		{`darqline.send("buy", { item: ["a"] })`, `field "item": a boolean, number or string expected, got an array`},
		{`darqline.send("buy", { item: 0 / 0 })`, `field "item": a finite number expected, got NaN`},
		{`darqline.send("buy", { item: "\ud800" })`, "surrogate"},
		{`darqline.send("buy", { item: "a\nb" })`, "control or format character"},
		{`darqline.send("buy", { item: "é".repeat(128) })`, "at most 255 bytes, got 256"},
		{`darqline.send("buy", { Item: 1 })`, "a-z, 0-9 and _"},
		{`darqline.send("buy", [1])`, "the fields are an object, got an array"},
		{`darqline.send("buy", Object.fromEntries(Array.from({ length: 17 }, (_, i) => ["f" + i, 1])))`, "at most 16 fields, got 17"},
		{`darqline.send("buy", Object.fromEntries(Array.from({ length: 5 }, (_, i) => ["f" + i, "x".repeat(250)])))`, "at most 1024"},
		{`darqline.send("Buy now")`, "the action is 1 to 31"},
		{`darqline.on("catalog")`, "the second argument is a function"},
		{`darqline.on(7, () => {})`, "the topic is 1 to 31"},
		{`darqline.rects([{ x: 1, y: 2, width: "3", height: 4 }])`, "rects: [0].width is a number, got string"},
		{`darqline.send = 1`, "read only"},
	} {
		got := evaluate[string](t, view, `(() => { "use strict"; try { `+c.call+`; return "no error" } catch (error) { return error.constructor.name + ": " + error.message } })()`)
		if !strings.HasPrefix(got, "TypeError: ") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, expected a TypeError with %q", c.call, got, c.want)
		}
	}
	do(t, view, chromedp.Evaluate[chromedp.Void](`darqline.close(); darqline.send("a", { b: undefined })`))
	p.session.expect(t, "action 1 0 close []")
	p.session.expect(t, "action 1 0 a []")

	for _, c := range []struct{ what, expression string }{
		{"requests to elsewhere", `fetch("` + p.url + `/").then(() => false, () => true)`},
		{"the page's socket", `new Promise((done) => { const s = new WebSocket("ws://` + p.host() + `/ws"); s.onopen = () => done(false); s.onerror = () => done(true) })`},
		{"images of elsewhere", `new Promise((done) => { const i = new Image(); i.onload = () => done(false); i.onerror = () => done(true); i.src = "` + p.url + `/icon.svg" })`},
		{"popups", `window.open("about:blank") === null`},
		{"the page around", `(() => { try { return !parent.document } catch { return true } })()`},
		{"service workers", `navigator.serviceWorker.register("/fault.js").then(() => false, () => true)`},
	} {
		if !evaluate[bool](t, view, c.expression) {
			t.Errorf("a view reaches %s", c.what)
		}
	}
	until(t, ctx, `document.querySelector("#notices").innerText.includes("shop/fault.js:3: ")`)
	until(t, ctx, `document.querySelector("#notices").innerText.includes("does not allow something inline")`)
	if evaluate[string](t, ctx, "location.href") != p.url+"/" {
		t.Error("the view moved the page")
	}

	// The frame cannot leave its origin: the page's policy holds it.
	do(t, view, chromedp.Evaluate[chromedp.Void](`setTimeout(() => { location.href = "`+strings.Replace(p.url, "localhost", "127.0.0.1", 1)+`/" })`))
	p.model.openView(testView(2, 7, "shop", "missing.html", "all", nil))
	p.session.expect(t, "failed 2")
	until(t, ctx, `document.querySelector(".frame.failed")`)
}

// press is a key that types nothing where the page takes it; the test driver would type it all the same.
func press(key string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true }))`, key))
}

// TestPage is the page around the view: chat, keys, notices, the ways in which a session stands.
func TestPage(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	p.connected()
	do(t, ctx, chromedp.Navigate(p.url))
	until(t, ctx, `document.body.dataset.phase === "connected" && document.title === "Darqline demo · darqline play"`)

	p.model.addLine(line{Kind: "chat", Name: "Kilo", Text: "<img src=x onerror=alert(1)>{FF0000}"})
	p.model.addLine(line{Kind: "plain", Text: "{FFB454}Nova{/} {{joined} {key:3} {nope}", Markup: true})
	until(t, ctx, `[...document.querySelectorAll(".line")].map((line) => line.textContent).join("|") === "Kilo <img src=x onerror=alert(1)>{FF0000}|Nova {joined} ? {nope}"`)
	until(t, ctx, `document.querySelectorAll("#log img").length === 0 && getComputedStyle(document.querySelector("#log .plain .text span")).color === "rgb(255, 180, 84)"`)

	do(t, ctx, press("t"))
	until(t, ctx, `document.activeElement.id === "line"`)
	do(t, ctx, chromedp.KeyEvent("hello\r"))
	p.session.expect(t, "chat hello")
	do(t, ctx, chromedp.KeyEvent("/roll 20\r"))
	p.session.expect(t, "command roll 20")
	until(t, ctx, `document.activeElement.id !== "line"`) // what a command opens has the keys
	do(t, ctx, press("t"), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp))
	until(t, ctx, `document.activeElement.value === "hello"`)
	do(t, ctx, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent("\r"))
	p.session.expect(t, "command roll 20")
	do(t, ctx, chromedp.KeyEvent(kb.Escape), press("/"))
	until(t, ctx, `document.activeElement.value === "/"`)
	do(t, ctx, chromedp.KeyEvent(kb.Escape), press("r"))
	until(t, ctx, `!document.querySelector("#resources").hidden`)
	do(t, ctx, press("?"))
	until(t, ctx, `document.querySelector("#resources").hidden && !document.querySelector("#help").hidden`)

	p.model.setResource(resource{Name: "shop", Generation: 3, State: "downloading", Received: 1 << 20, Total: 4 << 20})
	until(t, ctx, `document.querySelector("#resources-list progress")?.value === 0.25 && !document.querySelector("#transfer").hidden`)
	p.model.setPlayer(player{ID: 3, Name: "<b>Marta</b>", Ping: 20})
	until(t, ctx, `document.querySelector("#players-body .name")?.textContent === "<b>Marta</b>" && document.querySelector("#players-count").textContent === "1"`)

	p.model.notify(fault("shop", "shop/main.lua:12: unexpected symbol near 'end'"))
	until(t, ctx, `document.querySelector(".notice.error pre b")?.textContent === "shop/main.lua:12: "`)
	p.model.notify(notice{Kind: "success", Resource: "shop", Text: "shop reloaded: generation 7, 43 ms", Count: 1})
	until(t, ctx, `!document.querySelector(".notice.error") && document.querySelector(".notice.success")?.innerText.includes("generation 7, 43 ms")`)
	p.model.notify(fault("bank", "bank/main.lua:1: again"))
	do(t, ctx, chromedp.Click(chromedp.CSS(".notice.error .dismiss")))
	until(t, ctx, `!document.querySelector(".notice.error")`)

	p.session.end <- &ending{text: "127.0.0.1:7777 refused the connection: banned", final: true}
	until(t, ctx, `document.body.dataset.phase === "ended" && document.querySelector("#banner").innerText.includes("refused the connection: banned")`)
	until(t, ctx, `document.querySelectorAll("#players-body tr").length === 0`)
	do(t, ctx, chromedp.Click(chromedp.CSS("#banner button")))
	until(t, ctx, `document.body.dataset.phase === "connecting"`)
}

// TestInput: who gets the mouse in each input mode.
func TestInput(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	p.connected()
	files := map[string]string{"view.html": `<!doctype html><style></style><script src="view.js"></script><button>x</button>`, "view.js": `
addEventListener("load", () => darqline.rects([{ x: 0, y: 0, width: 100, height: 100 }]));
addEventListener("mousedown", (event) => darqline.send("down", { x: event.clientX, y: event.clientY }));`}
	do(t, ctx, chromedp.Navigate(p.url))
	click := func(x, y float64) {
		t.Helper()
		at := evaluate[map[string]float64](t, ctx, `(({ x, y }) => ({ x, y }))(document.querySelector("iframe").getBoundingClientRect())`)
		do(t, ctx, chromedp.MouseEvent("mouseMoved", at["x"]+x, at["y"]+y))
		time.Sleep(100 * time.Millisecond) // the frame's message that the mouse left its rectangles
		do(t, ctx, chromedp.MouseEvent("mouseMoved", at["x"]+x+1, at["y"]+y), chromedp.MouseClickXY(at["x"]+x+1, at["y"]+y))
	}
	for i, input := range []string{"all", "none", "cursor"} {
		id := uint32(i + 1)
		p.model.openView(testView(id, id, "shop", "view.html", input, files))
		p.session.expect(t, fmt.Sprintf("loaded %d", id))
		until(t, ctx, `document.querySelector(".loaded .view") && getComputedStyle(document.querySelector(".loaded .view")).opacity === "1"`)
		click(300, 200)
		click(50, 50)
		click(400, 300)
		switch input {
		case "all":
			p.session.expect(t, "action 1 0 down [{x 301} {y 200}]")
			p.session.expect(t, "action 1 0 down [{x 51} {y 50}]")
			p.session.expect(t, "action 1 0 down [{x 401} {y 300}]")
		case "cursor":
			p.session.expect(t, "action 3 0 down [{x 51} {y 50}]")
		}
	}
	p.model.closeView(3)
	p.model.openView(testView(4, 4, "shop", "view.html", "all", files))
	p.session.expect(t, "loaded 4") // and nothing before it: no other click came through
}
