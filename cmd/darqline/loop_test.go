package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// keepNotices remembers what the page told, because a success is shown for a moment only.
const keepNotices = `window.told = []
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) window.told.push(node.innerText)
}).observe(document.querySelector("#notices"), { childList: true })`

// TestPlayers: a name is had by one player at a time, a kick says why, and a server that closes says so.
func TestPlayers(t *testing.T) {
	port := freePort(t)
	server := open(t, t.TempDir(), "serve", "--port", fmt.Sprint(port), "--no-watch")
	server.wait("My server is open.")
	address := fmt.Sprintf("127.0.0.1:%d", port)
	nova := open(t, t.TempDir(), "play", address, "--name", "Nova")
	nova.wait("connected to My server (" + address + ") as Nova, player 0")
	again := open(t, t.TempDir(), "play", address, "--name", "nova")
	again.wait(address + " refused the connection: somebody with this name is there already")
	kilo := open(t, t.TempDir(), "play", address, "--name", "Kilo")
	kilo.wait("connected to My server (" + address + ") as Kilo, player 1")
	server.wait("joined player=1 name=Kilo") // he is told of his place a moment before he is in it
	server.line("players")
	server.wait("  0  Nova  ")
	server.wait("  1  Kilo  ")
	server.line("say Good evening")
	server.wait("2 players were told.")
	server.line("kick 1 Good night")
	server.wait("Kilo was kicked.")
	server.wait("left player=1 name=Kilo reason=kicked")
	kilo.wait(address + " ended the connection: you were kicked: Good night")
	server.line("quit")
	server.wait("The server has stopped.")
	nova.wait(address + " ended the connection: it is closing")
}

// TestAuthorsLoop is the day of an author: start the demo, join it, look at the view, click, save a page, save a typo,
// mend it. All of it by the real program in a real browser.
func TestAuthorsLoop(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../fixtures/demo")); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	server := open(t, dir, "serve", "--port", fmt.Sprint(port))
	server.wait("Darqline demo is open.")
	player := open(t, dir, "play", fmt.Sprintf("127.0.0.1:%d", port), "--name", "Nova")
	url := strings.TrimSpace(player.wait("http://localhost:"))
	player.wait("connected to Darqline demo")

	act(t, ctx, chromedp.Navigate(url), chromedp.Evaluate[chromedp.Void](keepNotices))
	holds(t, ctx, `document.querySelector("#log").innerText.includes("Nova joined")`)
	holds(t, ctx, `document.querySelector("#log").innerText.includes("Welcome, Nova")`)
	view := &views{ctx, strings.TrimSuffix(strings.Replace(url, "localhost", "shop.localhost", 1), "/"), map[target.ID]context.Context{}}
	view.holds(t, `document.getElementById("money").textContent === "$2,500"`)
	holds(t, ctx, `document.querySelector(".frame.loaded")`)
	shoot(t, ctx, "1-joined")

	const buy = `document.querySelector(".buy[aria-label^='Buy Camera']")`
	view.holds(t, buy+` && !`+buy+`.disabled && (`+buy+`.click(), true)`)
	view.holds(t, `document.getElementById("money").textContent === "$2,338" && document.getElementById("bag").textContent === "Camera"`)
	shoot(t, ctx, "2-bought")

	save := func(name string, change func(string) string) (at time.Time) {
		t.Helper()
		path := filepath.Join(dir, "resources", "shop", name)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(change(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return time.Now()
	}
	replace := func(old, now string) func(string) string {
		return func(text string) string {
			if !strings.Contains(text, old) {
				t.Fatalf("the demo has no %q any more", old)
			}
			return strings.Replace(text, old, now, 1)
		}
	}

	saved := save("shop.html", replace("Corner shop</h1>", "Midnight market</h1>"))
	view.holds(t, `document.getElementById("title").textContent === "Midnight market" && document.getElementById("money").textContent === "$2,338"`)
	t.Logf("the page showed the saved view %v after the save", time.Since(saved).Round(time.Millisecond))
	server.wait("reloaded resource=shop")
	holds(t, ctx, `window.told.some((text) => /^shop reloaded\b[^]*\bgeneration \d+\b/.test(text))`)
	view.holds(t, `document.getElementById("bag").textContent === "Camera"`)
	shoot(t, ctx, "3-reloaded")

	const good, typo = `{ id = "radio",     name = "Radio", `, `{ id = = "radio",   name = "Radio", `
	save("main.lua", replace(good, typo))
	server.wait(`ERROR shop/main.lua:12: unexpected "="`)
	holds(t, ctx, `document.querySelector(".notice.error")?.innerText.includes('shop/main.lua:12: unexpected "="')`)
	view.holds(t, buy+` && !`+buy+`.disabled && (`+buy+`.click(), true)`) // the old generation plays on
	view.holds(t, `document.getElementById("money").textContent === "$2,176"`)
	shoot(t, ctx, "4-typo")

	save("main.lua", replace(typo, good))
	server.wait("its files are again those that run")
	holds(t, ctx, `!document.querySelector(".notice.error")`)
	save("main.lua", replace(good, typo))
	holds(t, ctx, `document.querySelector(".notice.error")`)
	saved = save("main.lua", replace(typo, strings.Replace(good, "Radio", "Wireless", 1)))
	view.holds(t, `document.getElementById("shelves").innerText.includes("Wireless") && document.getElementById("money").textContent === "$2,176"`)
	t.Logf("the page showed the saved script %v after the save", time.Since(saved).Round(time.Millisecond))
	holds(t, ctx, `!document.querySelector(".notice.error")`)
	view.holds(t, `document.getElementById("bag").textContent === "2 × Camera"`)
	shoot(t, ctx, "5-mended")

	server.line("quit")
	server.wait("The server has stopped.")
}
