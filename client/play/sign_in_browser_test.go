package play

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// site is a provider's site that any page may ask by fetch. It counts what comes.
func site(t *testing.T) (origin string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Write([]byte("<!doctype html>token"))
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// nagging is a page that asks the site all the time in each way that might outlive its frame. What it was allowed must not.
const nagging = `<!doctype html><title>sign in</title><body><script src="nag.js"></script>`

const nag = `
const site = SITE;
const often = (ask) => setInterval(() => { try { ask().catch(() => {}); } catch {} }, 15);
const child = document.body.appendChild(document.createElement("iframe"));       // about:blank inherits the policy
if (darqline.authNonce) {
  often(() => fetch(site + "/page"));
  often(() => child.contentWindow.fetch(site + "/child"));
  new Worker("worker.js");
  new SharedWorker("worker.js");
}
window.ask = (url) => fetch(url).then((answer) => answer.text(), () => "refused");
window.signedIn = null;
window.attempt = (jwt) => darqline.signIn(jwt).then(() => "accepted", (error) => error.message);`

// TestSignInPage: the page of the sign-in screen has its nonce and its sites until the sign-in is over, and not longer,
// whatever it tries; it never has others.
func TestSignInPage(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	origin, asked := site(t)
	foreign, foreignAsked := site(t)
	quoted := strings.NewReplacer("SITE", `"`+origin+`"`)
	files := map[string]string{
		"a.html": nagging, "nag.js": quoted.Replace(nag),
		"worker.js": quoted.Replace(`setInterval(() => fetch(SITE + "/worker").catch(() => {}), 15)`),
	}
	p.awaited()
	v, ended := signInView(t, 1, files, origin)
	p.model.openView(v)
	do(t, ctx, chromedp.Navigate(p.url))
	p.session.expect(t, "loaded 1")
	until(t, ctx, `!document.querySelector("#account").hidden && document.querySelector("#account").textContent === "Waiting for sign-in"`)
	until(t, ctx, `document.querySelector("#say").classList.contains("off")`)

	at := strings.Replace(p.url, "localhost", "login.localhost", 1)
	view := frame(t, ctx, at)
	until(t, view, `darqline.authNonce === "`+testNonce+`"`)
	if got := evaluate[string](t, view, `ask("`+origin+`/token")`); !strings.HasSuffix(got, "token") {
		t.Errorf("a request to the provider gives %q", got)
	}
	for what, expression := range map[string]string{
		"another site":             `ask("` + foreign + `/")`,
		"the site by another name": `ask("` + strings.Replace(origin, "127.0.0.1", "localhost", 1) + `/")`,
		"the page around":          `ask("` + p.url + `/")`,
		"an image of the site":     `new Promise((done) => { const i = new Image(); i.onload = () => done("shown"); i.onerror = () => done("refused"); i.src = "` + origin + `/i.png" })`,
		"the site in a frame":      `new Promise((done) => { addEventListener("securitypolicyviolation", () => done("refused"), { once: true }); document.body.append(Object.assign(document.createElement("iframe"), { src: "` + origin + `/frame" })) })`,
		"a window of the site":     `window.open("` + origin + `/window") ? "opened" : "refused"`,
	} {
		if got := evaluate[string](t, view, expression); got != "refused" {
			t.Errorf("%s: %s", what, got)
		}
	}
	if foreignAsked.Load() != 0 {
		t.Error("another site was asked")
	}

	for bad, want := range map[string]string{
		`"no JWT"`:                  "darqline.signIn: the assertion is a JWT, three parts in base64url with dots between",
		`"a.b.c="`:                  "darqline.signIn: the assertion is a JWT, three parts in base64url with dots between",
		`42`:                        "darqline.signIn: the assertion is a string, got number",
		`"a.b." + "c".repeat(8189)`: "darqline.signIn: at most 8192 bytes, got 8193",
	} {
		if got := evaluate[string](t, view, `attempt(`+bad+`)`); got != want {
			t.Errorf("signIn(%s): %q", bad, got)
		}
	}
	do(t, view, chromedp.Evaluate[chromedp.Void](`void attempt("one.b.c").then((end) => { window.first = end })`))
	p.session.expect(t, "sign in one.b.c")
	do(t, view, chromedp.Evaluate[chromedp.Void](`void attempt("two.b.c")`))
	p.session.expect(t, "sign in two.b.c")
	until(t, view, `window.first === "A newer sign-in has taken its place."`)

	until(t, view, `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/page")).length > 3`)
	*ended = true // as the client does, before it tells
	p.model.signedIn("forum:4711")
	until(t, ctx, `document.querySelector("#account").textContent === "Signed in as forum:4711" && !document.querySelector("#say").classList.contains("off")`)
	until(t, ctx, `document.querySelector(".frame.loaded")`) // the page anew
	view = frame(t, ctx, at)
	until(t, view, `typeof window.ask === "function"`)
	before := asked.Load()
	if had := evaluate[bool](t, view, `"authNonce" in darqline || "signIn" in darqline`); had {
		t.Error("the page can sign in again")
	}
	for range 20 {
		if got := evaluate[string](t, view, `ask("`+origin+`/token")`); got != "refused" {
			t.Fatalf("a request to the provider after the sign-in gives %q", got)
		}
	}
	if n := asked.Load() - before; n != 0 {
		t.Errorf("%d requests reached the provider after the sign-in", n)
	}
}

// TestSignInWithoutAView: who waits for a page that does not come reads why.
func TestSignInWithoutAView(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	p.awaited()
	p.model.setSelf(self{State: "pre_auth", Weapons: []carried{}}, ownToken)
	do(t, ctx, chromedp.Navigate(p.url))
	until(t, ctx, `document.querySelector("#waiting").innerText.includes("Waiting for sign-in") && document.querySelector("#waiting").innerText.includes("player_sign_in")`)
	v, _ := signInView(t, 1, map[string]string{"a.html": "<!doctype html>hi"})
	p.model.openView(v)
	until(t, ctx, `document.querySelector(".frame.loaded") && getComputedStyle(document.querySelector("#waiting")).display === "none"`)

	// Without the play program nobody would tell the page that the sign-in is over.
	p.model.cutOff(t)
	until(t, ctx, `document.querySelector(".frame.loaded")`)
}

// cutOff ends the sockets of all pages, which connect again by themselves.
func (m *model) cutOff(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range m.pages {
		p.cancel()
	}
}
