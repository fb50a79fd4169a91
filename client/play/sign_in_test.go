package play

import (
	"net/http"
	"strings"
	"testing"

	"darqline/client"
)

const testNonce = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA"

// awaited puts the session into PreAuth with the test's nonce.
func (p *playing) awaited() {
	s := client.Session{ServerName: "Darqline demo", Name: "Nova", SignIn: true}
	for i := range s.AuthNonce {
		s.AuthNonce[i] = byte(i + 1)
	}
	(&handler{m: p.model}).Connected(s)
}

// signInView is a view whose page may ask sites until ended is true.
func signInView(t *testing.T, id uint32, files map[string]string, sites ...string) (v *view, ended *bool) {
	t.Helper()
	v, ended = testView(id, 6, "login", "a.html", "all", files), new(bool)
	v.origins = func() []string {
		if *ended {
			return nil
		}
		return sites
	}
	return v, ended
}

// TestSignInView: only the frame of a view that waits for the sign-in gets the nonce and the sites.
func TestSignInView(t *testing.T) {
	p := start(t)
	get := func(path, dest string) (policy, body string) {
		t.Helper()
		res, body := p.get(t, "GET", "login.localhost"+p.url[strings.LastIndexByte(p.url, ':'):], path, http.Header{"Sec-Fetch-Dest": {dest}})
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", path, res.StatusCode)
		}
		return res.Header.Get("Content-Security-Policy"), body
	}
	const allowed = "connect-src 'self' https://id.example.org http://127.0.0.1:9000;"
	files := map[string]string{"a.html": "<p>", "a.js": ""}

	p.awaited()
	v, ended := signInView(t, 1, files, "https://id.example.org", "http://127.0.0.1:9000")
	p.model.openView(v)
	policy, body := get("/a.html", "iframe")
	if !strings.Contains(policy, allowed) || !strings.Contains(body, `data-auth-nonce="`+testNonce+`"`) {
		t.Errorf("the frame gets %q and %q", policy, body)
	}
	for dest, path := range map[string]string{"document": "/a.html", "worker": "/a.js", "sharedworker": "/a.js", "script": "/a.js", "empty": "/a.html", "": "/a.html"} {
		if policy, body := get(path, dest); strings.Contains(policy, "example.org") || strings.Contains(body, "data-auth-nonce") {
			t.Errorf("as %q it gets %q and %q", dest, policy, body)
		}
	}

	*ended = true
	p.model.signedIn("forum:1")
	if policy, body := get("/a.html", "iframe"); strings.Contains(policy, "example.org") || strings.Contains(body, "data-auth-nonce") {
		t.Errorf("after the sign-in the frame gets %q and %q", policy, body)
	}
	v, _ = signInView(t, 2, files)
	p.model.openView(v)
	if _, body := get("/a.html", "iframe"); strings.Contains(body, "data-auth-nonce") {
		t.Errorf("a later view gets %q", body)
	}
}

// TestSignInSocket: what a page sends for the view that signs in goes to the session, the end of it to every page.
func TestSignInSocket(t *testing.T) {
	p := start(t)
	p.awaited()
	v, _ := signInView(t, 1, nil)
	p.model.openView(v)
	p.model.setData(1, snapshot{"providers", 1, `[]`})
	p.model.loadedView(1)
	conn := p.dial(t)
	if s := next(t, conn).State; !s.Connection.SignIn || !s.View.SignIn || s.Connection.Account != "" {
		t.Errorf("state %+v, view %+v", s.Connection, s.View)
	}
	say(t, conn, `{"type":"sign_in","view":2,"text":"of.another.view"}`)
	say(t, conn, `{"type":"sign_in","view":1,"text":"a.b.c"}`)
	p.session.expect(t, "sign in a.b.c")
	p.session.mu.Lock()
	p.session.refused = client.ErrBusy
	p.session.mu.Unlock()
	say(t, conn, `{"type":"sign_in","view":1,"text":"d.e.f"}`)
	if got := next(t, conn); got.Type != "sign_in_fault" || got.ID != 1 || got.Text != client.ErrBusy.Error() {
		t.Errorf("a refusal by the session came as %+v", got)
	}
	p.session.expect(t, "sign in d.e.f")

	(&handler{m: p.model}).SignedIn("forum:4711")
	if got := next(t, conn); got.Type != "connection" || got.Connection.SignIn || got.Connection.Account != "forum:4711" {
		t.Errorf("the end of the sign-in came as %+v", got)
	}
	if got := next(t, conn); got.Type != "view" || got.View.ID != 1 || got.View.SignIn || len(got.View.Topics) != 1 {
		t.Errorf("the view after the sign-in came as %+v", got)
	}
	if p.model.loadedView(1) {
		t.Error("the view counts as loaded twice")
	}
	say(t, conn, `{"type":"sign_in","view":1,"text":"g.h.i"}`)
	say(t, conn, `{"type":"say","text":"after"}`)
	p.session.expect(t, "chat after")

	p.awaited()
	if c := p.model.connection; !c.SignIn || c.Account != "" {
		t.Errorf("the next session begins with %+v", c)
	}
}
