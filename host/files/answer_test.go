package files

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"darqline/host/udp"
)

func TestWholeFile(t *testing.T) {
	inWorld(t, func(w *world) {
		for path, want := range map[string]struct {
			kind string
			body []byte
		}{
			"/shop/page.html":       {"text/html; charset=utf-8", page},
			"/shop/views/large.png": {"image/png", large},
			"/shop/empty.css":       {"text/css; charset=utf-8", nil},
		} {
			r := w.ask(get(path))
			same(w.T, path, r.body, want.body)
			for name, value := range map[string]string{
				"Content-Type": want.kind, "Content-Length": fmt.Sprint(len(want.body)), "Accept-Ranges": "bytes",
				"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Connection": "close",
			} {
				if r.status != 200 || r.header.Get(name) != value {
					w.Errorf("%s: status %d, %s %q, want 200, %q", path, r.status, name, r.header.Get(name), value)
				}
			}
		}
	})
}

func TestContentTypes(t *testing.T) {
	for ext, want := range map[string]string{
		"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
		"json": "application/json", "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "svg": "image/svg+xml",
		"woff2": "font/woff2", "ttf": "font/ttf",
	} {
		if got := prepare(File{Path: "a.b/c." + ext}).kind; got != want {
			t.Errorf("%s: %q, want %q", ext, got, want)
		}
	}
}

func TestRange(t *testing.T) {
	const path = "/shop/page.html" // 1,000 bytes
	inWorld(t, func(w *world) {
		for _, c := range []struct {
			headers string
			from    int // -1: 416
		}{
			{"Range: bytes=0-", 0},
			{"Range: bytes=1-", 1},
			{"range:\tbytes=500- ", 500},
			{"Range: bytes=007-", 7},
			{"Range: bytes=999-", 999},
			{"Range: bytes=1000-", -1},
			{"Range: bytes=1001-", -1},
			{"Range: bytes=" + "1" + strings.Repeat("0", 30) + "-", -1},
			{"Range: bytes=-5", -1},
			{"Range: bytes=5-10", -1},
			{"Range: bytes=0-999", -1},
			{"Range: bytes=1-,5-", -1},
			{"Range: bytes=1-\r\nRange: bytes=1-", -1},
			{"Range: bytes=1-\r\nHost2: x\r\nrAnGe: bytes=1-", -1},
			{"Range: bytes = 1-", -1},
			{"Range: bytes=+1-", -1},
			{"Range: Bytes=1-", -1},
			{"Range: items=1-", -1},
			{"Range: 1-", -1},
			{"Range: bytes=-", -1},
			{"Range:", -1},
		} {
			r := w.ask(get(path, c.headers))
			status, contentRange, body := 416, "bytes */1000", r.body
			if c.from >= 0 {
				status, contentRange, body = 206, fmt.Sprintf("bytes %d-999/1000", c.from), page[c.from:]
			}
			if r.status != status || r.header.Get("Content-Range") != contentRange || r.err != nil {
				w.Errorf("%q: %d, Content-Range %q, %v, want %d, %q", c.headers, r.status, r.header.Get("Content-Range"), r.err, status, contentRange)
			}
			same(w.T, c.headers, r.body, body)
		}
	})
}

func TestRangeElsewhere(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, c := range []struct {
			raw    string
			status int
		}{
			{get("/shop/empty.css", "Range: bytes=0-"), 416},
			{get("/shop/none.css", "Range: bytes=0-"), 404},
			{strings.Replace(get("/shop/page.html", "Range: bytes=0-"), "GET", "PUT", 1), 405},
			{get("/shop/page.html", "Range: bytes=5-", `If-Range: "x"`), 200},
		} {
			if r := w.ask(c.raw); r.status != c.status {
				w.Errorf("%q: %d, want %d", c.raw, r.status, c.status)
			}
		}
	})
}

// A file cut anywhere and resumed is the file again.
func TestResume(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, cut := range []int{1, piece - 1, piece, piece + 1, 500_000, len(large) - 1} {
			c := w.dial(alice)
			io.WriteString(c, get("/shop/views/large.png"))
			got := make([]byte, w.headerSize("/shop/views/large.png")+cut)
			io.ReadFull(c, got)
			c.Close()
			first := got[len(got)-cut:]
			r := w.ask(get("/shop/views/large.png", fmt.Sprintf("Range: bytes=%d-", cut)))
			same(w.T, fmt.Sprintf("cut at %d", cut), append(first, r.body...), large)
		}
	})
}

func TestOtherAnswers(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, c := range []struct {
			raw    string
			status int
		}{
			{get("/shop/page.htm"), 404},
			{get("/shop/Page.html"), 404},
			{get("/shop/"), 404},
			{get("/shop"), 404},
			{get("/"), 404},
			{get("//shop/page.html"), 404},
			{get("/shop//page.html"), 404},
			{get("/shop/./page.html"), 404},
			{get("/shop/views/../page.html"), 404},
			{get("/shop/%2e%2e/page.html"), 404},
			{get("/shop/page%2ehtml"), 404},
			{get("/shop/page.html?"), 404},
			{get("/shop/page.html?v=1"), 404},
			{get("/shop/page.html#top"), 404},
			{get("/other/page.html"), 404},
			{get("http://10.0.0.1:7777/shop/page.html"), 404},
			{get("*"), 404},
			{"HEAD /shop/page.html HTTP/1.1\r\nHost: a\r\n\r\n", 405},
			{"POST /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 405},
			{"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 405},
			{"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405},
			{"get /shop/page.html HTTP/1.1\r\nHost: a\r\n\r\n", 405},
			{"POST /none HTTP/1.1\r\nHost: a\r\n\r\n", 405},
			{"GET /shop/page.html HTTP/1.0\r\n\r\n", 200},
			{"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 200},
			{"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200},
			{get("/shop/page.html") + get("/shop/empty.css"), 200}, // the second gets no answer
		} {
			method, _, _ := strings.Cut(c.raw, " ")
			conn := w.dial(alice)
			go io.WriteString(conn, c.raw)
			r := read(conn, method)
			rest, _ := io.ReadAll(conn)
			conn.Close()
			if r.status != c.status || r.err != nil || len(rest) > 0 {
				w.Errorf("%q: %d, %v, then %q, want %d", c.raw, r.status, r.err, rest, c.status)
			}
			if allow := r.header.Get("Allow"); (allow == "GET") != (c.status == 405) {
				w.Errorf("%q: Allow is %q", c.raw, allow)
			}
			if r.status != 200 && method != "HEAD" && (len(r.body) == 0 || r.header.Get("X-Content-Type-Options") != "nosniff") {
				w.Errorf("%q: body %q, headers %v", c.raw, r.body, r.header)
			}
		}
	})
}

// What the peer sends after its head must not cost it the answer: closing over unread bytes would be a reset.
func TestAnswerSurvivesWhatFollowsTheHead(t *testing.T) {
	inWorld(t, func(w *world) {
		w.net.SetPath(udp.Path{Delay: 100 * time.Millisecond})
		for _, after := range []int{1, headLimit, 100_000} {
			c := w.dial(alice)
			go func() {
				fmt.Fprintf(c, "POST /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", after)
				for sent := 0; sent < after; sent += 1000 {
					c.Write(make([]byte, min(1000, after-sent)))
					time.Sleep(5 * time.Millisecond)
				}
			}()
			time.Sleep(3 * time.Second)
			if r := read(c, "POST"); r.status != 405 || r.err != nil {
				w.Errorf("%d bytes after the head: %d, %v", after, r.status, r.err)
			}
			c.Close()
		}
	})
}

// acked is a peer whose system has taken at once all that was sent to it.
type acked struct{ *conn }

func (acked) Unread() int { return 0 }

// Where the answer has arrived already, what the peer still sends is read before the close, or else the close would be a reset.
func TestWhatIsAnnouncedIsReadBeforeTheClose(t *testing.T) {
	s := New(Config{})
	head := "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"
	c := acked{&conn{in: []byte(head + strings.Repeat("x", 5000)), step: len(head)}}
	s.connection(c, false)
	if len(c.in) > 0 || !c.closed {
		t.Errorf("closed %v with %d bytes unread", c.closed, len(c.in))
	}
}
