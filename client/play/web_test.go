package play

import (
	"net/http"
	"strings"
	"testing"
)

// TestHosts: only this server's own names get anything, so that no name of another site that resolves to this machine
// reads the page, the socket or a view.
func TestHosts(t *testing.T) {
	p := start(t)
	p.model.openView(testView(1, 6, "shop", "shop.html", "all", map[string]string{"shop.html": "x"}))
	port := p.url[strings.LastIndexByte(p.url, ':'):]
	for _, c := range []struct {
		host, path string
		want       int
	}{
		{"localhost" + port, "/", 200},
		{"LOCALHOST" + port, "/app.js", 200},
		{"localhost" + port, "/shop.html", 404},
		{"localhost" + port, "/../handler.go", 404},
		{"127.0.0.1" + port, "/", 307},
		{"[::1]" + port, "/", 307},
		{"shop.localhost" + port, "/shop.html", 200},
		{"shop.localhost" + port, "/app.js", 404},
		{"bank.localhost" + port, "/shop.html", 404},
		{"x.shop.localhost" + port, "/shop.html", 404},
		{"localhost", "/", 421},
		{"localhost:1", "/", 421},
		{"shop.localhost:1", "/shop.html", 421},
		{"evil.example" + port, "/", 421},
		{"shop.localhost.evil.example" + port, "/shop.html", 421},
		{"evillocalhost" + port, "/", 421},
	} {
		res, body := p.get(t, "GET", c.host, c.path, nil)
		if res.StatusCode != c.want {
			t.Errorf("Host %s, %s: status %d, expected %d: %.80s", c.host, c.path, res.StatusCode, c.want, body)
		}
		if res.Header.Get("Cache-Control") != "no-store" || res.Header.Get("X-Content-Type-Options") != "nosniff" ||
			res.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("Host %s, %s: headers %v", c.host, c.path, res.Header)
		}
	}
	if res, _ := p.get(t, "GET", "127.0.0.1"+port, "/x", nil); res.Header.Get("Location") != p.url+"/" {
		t.Errorf("the address goes on to %q", res.Header.Get("Location"))
	}
}

func TestSocketOrigin(t *testing.T) {
	p := start(t)
	port := p.url[strings.LastIndexByte(p.url, ':'):]
	for _, origin := range []string{
		"", "null", "http://evil.example", "http://localhost", "http://shop.localhost" + port, "https://localhost" + port,
		"http://127.0.0.1" + port, "http://localhost" + port + ".evil.example",
	} {
		header := http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="},
		}
		if origin != "" {
			header["Origin"] = []string{origin}
		}
		if res, _ := p.get(t, "GET", p.host(), "/ws", header); res.StatusCode != http.StatusForbidden {
			t.Errorf("Origin %q: status %d, expected 403", origin, res.StatusCode)
		}
	}
	// A view's host has no socket at all.
	header := http.Header{"Origin": {"http://shop.localhost" + port}}
	if res, _ := p.get(t, "GET", "shop.localhost"+port, "/ws", header); res.StatusCode != http.StatusNotFound {
		t.Errorf("the socket on a view's host: status %d, expected 404", res.StatusCode)
	}
}

func TestPagePolicy(t *testing.T) {
	p := start(t)
	res, body := p.get(t, "GET", p.host(), "/", nil)
	policy := res.Header.Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
		"frame-src " + strings.Replace(p.url, "localhost", "*.localhost", 1) + ";",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("policy %q has no %q", policy, part)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	for _, outside := range []string{"http://", "https://", "//", "<style", "onclick", " style="} {
		if strings.Contains(body, outside) {
			t.Errorf("the page has %q: it loads nothing from elsewhere and nothing inline", outside)
		}
	}
	if res, _ := p.get(t, "POST", p.host(), "/", nil); res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", res.StatusCode)
	}
}

func TestPortTaken(t *testing.T) {
	p := start(t)
	_, port, _ := strings.Cut(p.host(), ":")
	var number int
	for _, digit := range port {
		number = number*10 + int(digit-'0')
	}
	err := run(t.Context(), Config{Port: number, Logger: discard}, newModel("", ""), nil)
	if err == nil || !strings.Contains(err.Error(), port) || !strings.Contains(err.Error(), "choose another port") {
		t.Errorf("the error names the port and what to do, got %v", err)
	}
}
