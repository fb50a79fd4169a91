package files

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

var badHeads = []string{
	"GET /shop/page.html\r\n", // HTTP/0.9; answered without waiting for more
	"GET /shop/page.html HTTP/1.2\r\nHost: a\r\n\r\n",
	"GET /shop/page.html HTTP/2.0\r\nHost: a\r\n\r\n",
	"GET /shop/page.html http/1.1\r\nHost: a\r\n\r\n",
	"GET /shop/page.html HTTP/1.1 \r\nHost: a\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"GET /shop/page.html HTTP/1.10\r\nHost: a\r\n\r\n",
	"GET /shop/page.html HTTP/01.1\r\nHost: a\r\n\r\n",
	"GET /shop/page.html\r\nHost: a\r\n\r\n",
	"GET /shop/page.html \r\nHost: a\r\n\r\n",
	"GET  /shop/page.html HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /shop/page .html HTTP/1.1\r\nHost: a\r\n\r\n",
	" GET /shop/page.html HTTP/1.1\r\nHost: a\r\n\r\n",
	"\r\nGET /shop/page.html HTTP/1.1\r\nHost: a\r\n\r\n",
	"\r\n\r\n",
	"G@T /shop/page.html HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /shop/p\xc3\xa4ge.html HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /shop/page.html\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET\t/shop/page.html\tHTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\nHost: a\n\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\x00\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nX: \x7f\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nX: b\r\n\tfolded: c\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost : a\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\n\r\n", // no Host
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a/b\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a b\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: u@a\r\n\r\n",
	"GET /shop/page.html HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617\r\n\r\n", // 1 where 64 bits wrap
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\x0bchunked\r\n\r\n",
	"GET /shop/page.html HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
	"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", // the beginning of TLS
}

func TestBadHeads(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, raw := range badHeads {
			start := time.Now()
			if r := w.ask(raw); r.status != 400 || r.err != nil || time.Since(start) != 0 {
				w.Errorf("%q: %d, %v after %v, want 400 at once", raw, r.status, r.err, time.Since(start))
			}
		}
	})
}

func TestOddButGoodHeads(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, raw := range []string{
			"GET /shop/page.html HTTP/1.1\r\nHost:\r\n\r\n",
			"GET /shop/page.html HTTP/1.1\r\nHOST:\t [::1]:7777 \r\n\r\n",
			"GET /shop/page.html HTTP/1.0\r\nHost: a\r\n\r\n",
			"GET /shop/page.html HTTP/1.1\r\nHost: a\r\nX:\r\nY: \"\xc3\xa4\" (;,)\r\n\r\n",
		} {
			if r := w.ask(raw); r.status != 200 {
				w.Errorf("%q: %d", raw, r.status)
			}
		}
	})
}

// headOf makes a good head of n bytes.
func headOf(n int) string {
	head := get("/shop/page.html", "X: ")
	return strings.Replace(head, "X: ", "X: "+strings.Repeat("x", n-len(head)), 1)
}

func TestHeadLimit(t *testing.T) {
	inWorld(t, func(w *world) {
		for n, want := range map[int]int{4096: 200, 4097: 400, 5000: 400, 200_000: 400} {
			if r := w.ask(headOf(n)); r.status != want || r.err != nil {
				w.Errorf("a head of %d bytes: %d, %v, want %d", n, r.status, r.err, want)
			}
		}
	})
}

// conn is a peer that has sent all of in, a few bytes a read, and then its end.
type conn struct {
	net.Conn // nil: what is not below is not called
	in       []byte
	step     int
	out      bytes.Buffer
	closed   bool
}

func (c *conn) Read(b []byte) (int, error) {
	if len(c.in) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), c.step)], c.in)
	c.in = c.in[n:]
	return n, nil
}
func (c *conn) Write(b []byte) (int, error)     { return c.out.Write(b) }
func (c *conn) SetReadDeadline(time.Time) error { return nil }
func (c *conn) SetDeadline(time.Time) error     { return nil }
func (c *conn) CloseWrite() error               { return nil }
func (c *conn) Close() error                    { c.closed = true; return nil }

// Whatever comes, there is one well-formed answer of the page or none and the connection ends; it does not depend on how the
// bytes were cut, and what gets a file is a request to net/http too, for the same target. Over a limit, what can be read gets
// 503 and nothing else.
func FuzzHttpHead(f *testing.F) {
	for _, raw := range badHeads {
		f.Add([]byte(raw))
	}
	for _, raw := range []string{get("/shop/page.html"), get("/shop/page.html", "Range: bytes=5-"), get("/shop/none"),
		get("/shop/page.html", "Range: bytes=5000-"), "HEAD / HTTP/1.0\r\n\r\n", headOf(4096), headOf(4097), get("/shop/page.html") + "more"} {
		f.Add([]byte(raw))
	}
	s := New(Config{})
	s.Publish("shop", 1, []File{{"page.html", page}})
	f.Fuzz(func(t *testing.T, raw []byte) {
		whole, bytewise, over := &conn{in: raw, step: len(raw)}, &conn{in: raw, step: 1}, &conn{in: raw, step: len(raw)}
		s.connection(whole, false)
		s.connection(bytewise, false)
		s.connection(over, true)
		if !whole.closed || !bytewise.closed || !over.closed {
			t.Fatal("a connection was left open")
		}
		answer := whole.out.Bytes()
		bad := []byte("HTTP/1.1 400 ")
		if refused := over.out.Bytes(); bytes.HasPrefix(answer, bad) || len(answer) == 0 {
			if !bytes.Equal(refused, answer) {
				t.Fatalf("over a limit %q, else %q", refused, answer)
			}
		} else if !bytes.HasPrefix(refused, []byte("HTTP/1.1 503 ")) || !bytes.Contains(refused, []byte("\r\nRetry-After: 2\r\n")) {
			t.Fatalf("over a limit %q", refused)
		}
		if !bytes.Equal(answer, bytewise.out.Bytes()) {
			t.Fatalf("cut into bytes it is another answer: %q, whole %q", bytewise.out.Bytes(), answer)
		}
		if len(answer) == 0 {
			return
		}
		method := "GET"
		if bytes.HasPrefix(raw, []byte("HEAD ")) && !bytes.HasPrefix(answer, bad) {
			method = "HEAD"
		}
		rest := bufio.NewReader(bytes.NewReader(answer))
		r, err := http.ReadResponse(rest, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("%q: %v", answer, err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || rest.Buffered() > 0 || !r.Close {
			t.Fatalf("body of %d bytes, %v, %d bytes after it, close %v", len(body), err, rest.Buffered(), r.Close)
		}
		switch r.StatusCode {
		case 400, 404, 405, 416:
		case 200, 206:
			theirs, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
			if err != nil || theirs.Method != "GET" || theirs.RequestURI != "/shop/page.html" {
				t.Fatalf("net/http reads %q as %v, %v", raw, theirs, err)
			}
		default:
			t.Fatalf("status %d", r.StatusCode)
		}
	})
}

func BenchmarkHead(b *testing.B) {
	head := []byte("GET /shop/page.html HTTP/1.1\r\nHost: 127.0.0.1:7777\r\nUser-Agent: darqline\r\nAccept: */*\r\nRange: bytes=100-\r\n\r\n")
	b.ReportAllocs()
	for b.Loop() {
		var r request
		if end, ok := headEnd(head, 0); end == 0 || !ok || !r.parse(head[:end]) {
			b.Fatal("refused")
		}
	}
}
