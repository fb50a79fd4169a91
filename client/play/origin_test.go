package play

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

func TestDoctypeEnd(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"<!doctype html>", "<html>"},
		{"<!DOCTYPE html SYSTEM \"about:legacy-compat\">", "\n<html>"},
		{"\ufeff <!-- a > b --> \n<!doctype html>", "<head>"},
		{"<!--> <!doctype html>", "x"},
		{"<!--a--><!doctype html>", "<!--b-->"},
		{"", "<html><!doctype html>"},
		{"", "text"},
		{"", ""},
		{"", "<!-- never ends <!doctype html>"},
		{"", "<!doctype"},
		{"\ufeff", "<p>"},
	} {
		if got := doctypeEnd([]byte(c.before + c.after)); got != len(c.before) {
			t.Errorf("doctypeEnd(%q) = %d, expected %d", c.before+c.after, got, len(c.before))
		}
	}
}

// FuzzWithBridge: whatever the page is, it comes whole, and the bridge stands before its first script.
func FuzzWithBridge(f *testing.F) {
	for _, seed := range []string{"", "<!doctype html><script>", "<!-- <script> --><!doctype html>", "\ufeff<!---->", "<!-->x"} {
		f.Add([]byte(seed))
	}
	s := &server{port: 8080}
	f.Fuzz(func(t *testing.T, page []byte) {
		got := s.withBridge(page, "")
		tag := []byte(`<script src="/@darqline/bridge.js" data-page="http://localhost:8080"></script>`)
		at := bytes.Index(got, tag)
		if at < 0 || !bytes.Equal(append(append([]byte{}, got[:at]...), got[at+len(tag):]...), page) {
			t.Fatalf("%q became %q", page, got)
		}
	})
}

// TestViewFiles: an origin has the files of the open view's generation and nothing else, with their types and the
// policy of the page.
func TestViewFiles(t *testing.T) {
	p := start(t)
	port := p.url[strings.LastIndexByte(p.url, ':'):]
	host := "r-my-shop--4.localhost" + port
	get := func(path string) (*http.Response, string) { return p.get(t, "GET", host, path, nil) }

	if res, _ := get("/shop.html"); res.StatusCode != http.StatusNotFound {
		t.Fatalf("without a view: status %d", res.StatusCode)
	}
	if res, _ := get(bridgePath); res.StatusCode != http.StatusNotFound {
		t.Fatalf("the bridge without a view: status %d", res.StatusCode)
	}
	p.model.openView(testView(1, 6, "my_shop", "shop.html", "all", map[string]string{
		"shop.html": "<!doctype html><title>six</title>", "a/old.js": "6", "icon.svg": "<svg/>",
	}))
	res, body := get("/shop.html")
	if body != `<!doctype html><script src="/@darqline/bridge.js" data-page="`+p.url+`"></script><title>six</title>` {
		t.Errorf("the page is %q", body)
	}
	const policy = "default-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self' "
	if got := res.Header.Get("Content-Security-Policy"); !strings.HasPrefix(got, policy+p.url+";") {
		t.Errorf("policy %q", got)
	} else if !strings.HasSuffix(got, "; sandbox allow-scripts allow-same-origin allow-forms") {
		t.Errorf("policy %q does not hold a view that is opened by itself", got)
	}
	for path, contentType := range map[string]string{
		"/shop.html": "text/html; charset=utf-8", "/a/old.js": "text/javascript; charset=utf-8", "/icon.svg": "image/svg+xml",
		bridgePath: "text/javascript; charset=utf-8",
	} {
		res, _ := get(path)
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != contentType {
			t.Errorf("%s: status %d, Content-Type %q", path, res.StatusCode, res.Header.Get("Content-Type"))
		}
	}
	if res, _ := p.get(t, "GET", host, "/a/old.js", http.Header{"Service-Worker": {"script"}}); res.StatusCode != http.StatusForbidden {
		t.Errorf("a service worker's script: status %d, expected 403", res.StatusCode)
	}
	if res, _ := p.get(t, "POST", host, "/shop.html", nil); res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d, expected 405", res.StatusCode)
	}

	p.model.openView(testView(2, 7, "my_shop", "shop.html", "all", map[string]string{"shop.html": "seven"}))
	if _, body := get("/shop.html"); !strings.HasSuffix(body, "seven") {
		t.Errorf("after a reload the page is %q", body)
	}
	if res, _ := get("/a/old.js"); res.StatusCode != http.StatusNotFound {
		t.Errorf("a file of the old generation: status %d", res.StatusCode)
	}
	p.model.closeView(2)
	if res, _ := get("/shop.html"); res.StatusCode != http.StatusNotFound {
		t.Errorf("after the view's end: status %d", res.StatusCode)
	}
}
