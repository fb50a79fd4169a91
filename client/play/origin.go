package play

import (
	"bytes"
	_ "embed" // bridge and types
	"html"
	"net/http"
	"strings"
)

// bridge is window.darqline for the pages of views.
//
//go:embed bridge.js
var bridge []byte

// Types is darqline.d.ts, the types of window.darqline for an author's editor.
//
//go:embed darqline.d.ts
var Types string

// bridgePath cannot be a client file: "@" is not in a client path's alphabet.
const bridgePath = "/@darqline/bridge.js"

// serveView serves the open view's files on the origin of its resource: the verified bytes of that generation and
// nothing else.
func (s *server) serveView(w http.ResponseWriter, r *http.Request, host string) {
	if !readOnly(w, r) {
		return
	}
	header := w.Header()
	if r.Header.Get("Service-Worker") != "" { // it would outlive the generation
		http.Error(w, "A view has no service worker.", http.StatusForbidden)
		return
	}
	header.Set("Origin-Agent-Cluster", "?1")
	v := s.model.viewAt(host)
	if v == nil {
		header.Set("Content-Security-Policy", s.viewPolicy(nil))
		http.Error(w, "Not found: no view of this resource is open", http.StatusNotFound)
		return
	}
	var nonce string
	var origins []string
	if r.Header.Get("Sec-Fetch-Dest") == "iframe" { // nothing that would outlive the frame, such as a worker or a tab
		nonce, origins = v.nonce, v.origins()
	}
	header.Set("Content-Security-Policy", s.viewPolicy(origins))
	body, contentType, err := v.open(strings.TrimPrefix(r.URL.Path, "/"))
	if r.URL.Path == bridgePath {
		body, contentType, err = bridge, "text/javascript; charset=utf-8", nil
	}
	if err != nil {
		http.Error(w, "Not found: "+err.Error(), http.StatusNotFound)
		return
	}
	if strings.HasPrefix(contentType, "text/html") {
		body = s.withBridge(body, nonce)
	}
	write(w, contentType, body)
}

// viewPolicy allows the view's own origin alone, and requests to the sites of the sign-in screen (page Resource files
// and views). Forms are allowed for their events, but go nowhere.
func (s *server) viewPolicy(origins []string) string {
	connect := strings.Join(append([]string{"'self'"}, origins...), " ")
	return "default-src 'self'; connect-src " + connect + "; object-src 'none'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'self' " + s.origin(pageHost) + "; sandbox allow-scripts allow-same-origin allow-forms"
}

// withBridge puts the bridge before everything that the page itself runs. HTML lets a script stand before the html tag:
// the parser opens html and head for it, and takes the attributes of the real html tag over when it comes. Only the
// doctype has to stay first, since a page without it is laid out by other rules. With a nonce the page signs in.
func (s *server) withBridge(page []byte, nonce string) []byte {
	at := doctypeEnd(page)
	tag := `<script src="` + bridgePath + `" data-page="` + html.EscapeString(s.origin(pageHost)) + `"`
	if nonce != "" {
		tag += ` data-auth-nonce="` + nonce + `"`
	}
	tag += "></script>"
	out := make([]byte, 0, len(page)+len(tag))
	out = append(out, page[:at]...)
	out = append(out, tag...)
	return append(out, page[at:]...)
}

// doctypeEnd is the index behind the doctype, or where the page begins to have content if there is none. Before it
// may stand a byte order mark, spaces and comments.
func doctypeEnd(page []byte) int {
	at := 0
	if bytes.HasPrefix(page, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	for {
		rest := bytes.TrimLeft(page[at:], " \t\r\n\f")
		start := len(page) - len(rest)
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest[2:], []byte("-->")) // from 2: "<!-->" is a whole comment
			if end < 0 {
				return at
			}
			at = start + 2 + end + len("-->")
		case len(rest) >= 9 && strings.EqualFold(string(rest[:9]), "<!doctype"):
			end := bytes.IndexByte(rest, '>')
			if end < 0 {
				return at
			}
			return start + end + 1
		default:
			return at
		}
	}
}
