package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// signInDemo runs fixtures/signin and its provider, on free ports and with two attempts for each player, and gives the
// server's address. Texts of its script that are to be others come in pairs.
func signInDemo(t *testing.T, script ...string) (server *shell, address string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../fixtures/signin")); err != nil {
		t.Fatal(err)
	}
	port, provider := freePort(t), freePort(t)
	change := func(name string, pairs ...string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change("server.toml", "127.0.0.1:9000", fmt.Sprintf("127.0.0.1:%d", provider), "[auth]", "[auth]\nattempts = 2")
	change("resources/login/main.lua", script...)
	os.RemoveAll(filepath.Join(dir, "provider-keys")) // of whoever has tried the demo in its own folder
	if out, err := program(t, dir, "check").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("check: %v\n%s", err, out)
	}
	open(t, dir, "issuer", "--port", fmt.Sprint(provider)).wait("Signing users in at")
	server = open(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
	server.wait("Members only is open.")
	return server, fmt.Sprintf("127.0.0.1:%d", port)
}

// member is a player with his page.
type member struct {
	t     *testing.T
	ctx   context.Context
	shell *shell
	view  *views
}

func joinDemo(t *testing.T, ctx context.Context, address, name string) *member {
	t.Helper()
	m := &member{t: t, ctx: ctx, shell: open(t, t.TempDir(), "play", address, "--name", name)}
	url := strings.TrimSpace(m.shell.wait("http://localhost:"))
	m.shell.wait("; sign in on the page")
	act(t, ctx, chromedp.Navigate(url))
	m.view = &views{ctx, strings.TrimSuffix(strings.Replace(url, "localhost", "login.localhost", 1), "/"), map[target.ID]context.Context{}}
	m.view.holds(t, `document.getElementById("where").textContent.endsWith("as `+name+`")`)
	holds(t, ctx, `document.querySelector(".frame.loaded") && document.querySelector("#account").textContent === "Waiting for sign-in"`)
	return m
}

// enter fills the form in and sends it.
func (m *member) enter(user, password string) {
	m.t.Helper()
	m.view.holds(m.t, fmt.Sprintf(`!document.getElementById("go").disabled && (document.getElementById("user").value = %q,
		document.getElementById("password").value = %q, document.getElementById("go").click(), true)`, user, password))
}

func (m *member) fault(text string) {
	m.t.Helper()
	m.view.holds(m.t, fmt.Sprintf(`!document.getElementById("fault").hidden && document.getElementById("fault").textContent === %q`, text))
}

func (m *member) signedIn(account string) {
	m.t.Helper()
	holds(m.t, m.ctx, `document.querySelector("#account").textContent === "Signed in as `+account+`" && !document.querySelector("iframe")`)
	m.shell.wait("signed in as " + account)
}

// TestSignIn: refused at the provider, refused by the server, in; and sent away by whoever signs in with the same account.
func TestSignIn(t *testing.T) {
	ctx := browser(t)
	server, address := signInDemo(t)
	nova := joinDemo(t, ctx, address, "Nova")
	shoot(t, ctx, "sign-in-1-waiting")

	nova.enter("nova", "guess")
	nova.fault("The account or the password is wrong.")
	shoot(t, ctx, "sign-in-2-wrong-password")

	// A JWT for another server is signed as well as any, and is worth nothing here.
	nova.view.holds(t, `(provider.audience = "another-server", true)`)
	nova.enter("nova", "demo")
	nova.fault("The server does not accept what the provider says (audience). One attempt is left.")
	server.wait("reason=audience")
	shoot(t, ctx, "sign-in-3-refused")

	nova.view.holds(t, `(provider.audience = "darqline-demo", true)`)
	nova.enter("nova", "demo")
	nova.signedIn("demo:nova")
	server.wait("account=demo:nova")
	holds(t, ctx, `document.querySelector("#log").innerText.includes("You are signed in as demo:nova.")`)
	holds(t, ctx, `!document.querySelector("#vitals").hidden`) // in the world
	act(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#line").focus()`), chromedp.KeyEvent("/whoami"+kb.Enter))
	holds(t, ctx, `document.querySelector("#log").innerText.includes("You are demo:nova.")`)
	shoot(t, ctx, "sign-in-4-in")

	second, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	act(t, second, chromedp.EmulateViewport(1280, 720))
	kilo := joinDemo(t, second, address, "Kilo")
	kilo.enter("nova", "demo")
	kilo.signedIn("demo:nova")
	const elsewhere = "somebody has signed in with your account elsewhere"
	nova.shell.wait(address + " ended the connection: " + elsewhere)
	holds(t, ctx, `document.body.dataset.phase === "ended" && document.querySelector("#banner").innerText.includes("`+elsewhere+`")`)
	shoot(t, ctx, "sign-in-5-elsewhere")

	// Whose attempts are used up is sent away, and may come again.
	act(t, ctx, chromedp.Navigate("about:blank"))
	marta := joinDemo(t, ctx, address, "Marta")
	for _, fault := range []string{"One attempt is left.", ""} {
		marta.view.holds(t, `(provider.audience = "another-server", true)`)
		marta.enter("marta", "demo")
		if fault != "" {
			marta.view.holds(t, `document.getElementById("fault").textContent.endsWith("`+fault+`")`)
		}
	}
	holds(t, ctx, `document.body.dataset.phase === "ended" && document.querySelector("#banner").innerText.includes("the sign-in failed or took too long")`)
	shoot(t, ctx, "sign-in-6-failed")
	act(t, ctx, chromedp.Click(chromedp.CSS("#banner button")))
	marta.view.holds(t, `document.getElementById("where").textContent.endsWith("as Marta")`)
	marta.enter("marta", "demo")
	marta.signedIn("demo:marta")

	server.line("quit")
	kilo.shell.wait("it is closing")
}

// TestTheWayToTheProviderEndsWithTheSignIn: a view that the script keeps open is a page like any other from then on.
func TestTheWayToTheProviderEndsWithTheSignIn(t *testing.T) {
	ctx := browser(t)
	server, address := signInDemo(t, "views[player]:close()", `views[player]:set("visit", { server = "it", player = "one of us" })`)
	nova := joinDemo(t, ctx, address, "Nova")
	const ask = `(window.asked ??= fetch(provider.url + "/jwks.json").then(() => window.answer = "answered", () => window.answer = "refused"), window.answer === %q)`
	nova.view.holds(t, fmt.Sprintf(ask, "answered"))
	nova.enter("nova", "demo")
	holds(t, ctx, `document.querySelector("#account").textContent === "Signed in as demo:nova" && document.querySelector(".frame.loaded")`)
	nova.view.holds(t, `document.getElementById("title").textContent === "Signed in" && document.getElementById("where").textContent.endsWith("one of us")`)
	nova.view.holds(t, fmt.Sprintf(ask, "refused"))
	holds(t, ctx, `document.querySelector("#notices").innerText.includes("connect-src does not allow")`)
	shoot(t, ctx, "sign-in-7-kept-open")
	server.line("quit")
}
