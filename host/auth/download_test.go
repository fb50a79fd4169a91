package auth

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// listen serves raw connections on loopback until the test ends.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
	return "http://" + l.Addr().String() + "/jwks.json"
}

func fetchFrom(ctx context.Context, url string) ([]byte, error) {
	return download(ctx, keyClient(nil), url)
}

// What a server does wrong over a real socket is an error in words, and nothing of it stays.
func TestDownloadFromBadServers(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	says := func(text string) func(net.Conn) { return func(c net.Conn) { readHead(c); io.WriteString(c, text) } }
	for name, tc := range map[string]struct {
		serve func(net.Conn)
		want  string
	}{
		"closes at once":         {func(c net.Conn) {}, ""},
		"closes after the head":  {says(head + "Content-Length: 100\r\n\r\n{"), "unexpected EOF"},
		"garbage":                {says("\x00\x01\x02\x03\r\n\r\n"), "malformed HTTP"},
		"HTML":                   {says("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"), "not JSON"},
		"500":                    {says("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"), "it answered 500"},
		"204":                    {says("HTTP/1.1 204 No Content\r\n\r\n"), "it answered 204"},
		"a head of 1 MB":         {says("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), "exceeded"},
		"10 GB":                  {flood(head+"Content-Length: 10737418240\r\n\r\n", " "), "the answer is larger than 256 KiB"},
		"10 GB in chunks":        {flood(head+"Transfer-Encoding: chunked\r\n\r\n", "8\r\n        \r\n"), "the answer is larger than 256 KiB"},
		"redirect to a host":     {says("HTTP/1.1 302 Found\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n"), "another server"},
		"redirect to a port":     {says("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"), "another server"},
		"redirect to a file":     {says("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"), "another server"},
		"redirect without end":   {says("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"), "more than 3 times"},
		"redirect without place": {says("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), "302"},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := fetchFrom(t.Context(), listen(t, tc.serve))
			if err == nil {
				_, err = parseKeys(data)
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

func readHead(c net.Conn) {
	var b [4096]byte
	c.Read(b[:])
}

// flood sends its head and then the same for as long as the other side takes it.
func flood(head, piece string) func(net.Conn) {
	block := strings.Repeat(piece, 4096)
	return func(c net.Conn) {
		readHead(c)
		io.WriteString(c, head)
		for sent := 0; sent < 64<<20; sent += len(block) {
			if _, err := io.WriteString(c, block); err != nil {
				return
			}
		}
	}
}

// A server that hangs or is slow is given up when the time is over; that it is 5 s is shown with the clock of a bubble.
func TestDownloadGivesUp(t *testing.T) {
	for name, answer := range map[string]string{
		"hangs":               "",
		"hangs in the head":   "HTTP/1.1 200 OK\r\n",
		"hangs in the body":   "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
		"hangs after a chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			url := listen(t, func(c net.Conn) {
				readHead(c)
				io.WriteString(c, answer)
				io.Copy(io.Discard, c) // until the other side is gone
			})
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := fetchFrom(ctx, url); err == nil || ctx.Err() == nil {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestSameServer(t *testing.T) {
	request := func(url string) *http.Request { return httptest.NewRequest("GET", url, nil) }
	for _, tc := range []struct {
		from, to string
		before   int // redirects
		ok       bool
	}{
		{"https://a.org/jwks.json", "https://a.org/other?x=1", 1, true},
		{"https://a.org/", "https://a.org:443/", 1, true},
		{"https://a.org/", "https://a.org:8443/", 1, false},
		{"https://a.org/", "https://b.a.org/", 1, false},
		{"https://a.org/", "https://a.org.example/", 1, false},
		{"https://a.org/", "http://a.org/", 1, false},
		{"https://a.org/", "http://a.org:443/", 1, false},
		{"http://127.0.0.1:80/", "http://127.0.0.1/", 1, true},
		{"http://127.0.0.1:9000/", "http://localhost:9000/", 1, false},
		{"http://127.0.0.1:9000/", "https://127.0.0.1:9000/", 1, false},
		{"https://a.org/", "https://a.org/", 3, true},
		{"https://a.org/", "https://a.org/", 4, false},
	} {
		via := make([]*http.Request, tc.before)
		for i := range via {
			via[i] = request(tc.from)
		}
		if err := sameServer(request(tc.to), via); (err == nil) != tc.ok {
			t.Errorf("%d. from %s to %s: %v", tc.before, tc.from, tc.to, err)
		}
	}
}

func TestDownloadFollowsOnItsServer(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/jwks.json", http.RedirectHandler("/v2/jwks.json", http.StatusMovedPermanently))
	mux.HandleFunc("/v2/jwks.json", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("%v", r.Header)
		}
		fmt.Fprint(w, jwks("rsa"))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	data, err := fetchFrom(t.Context(), server.URL+"/jwks.json")
	if err != nil || string(data) != jwks("rsa") {
		t.Errorf("%q, %v", data, err)
	}
}

// Over https: the certificate is checked, and there is no redirect to http.
func TestDownloadOverTLS(t *testing.T) {
	var plain atomic.Bool
	http1 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { plain.Store(true); fmt.Fprint(w, jwks("rsa")) }))
	defer http1.Close()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, http1.URL, http.StatusFound)
			return
		}
		fmt.Fprint(w, jwks("rsa"))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
	server.StartTLS()
	defer server.Close()
	if _, err := fetchFrom(t.Context(), server.URL); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v of a certificate that nobody knows", err)
	}
	trusting := keyClient(server.Client())
	if data, err := download(t.Context(), trusting, server.URL); err != nil || string(data) != jwks("rsa") {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := download(t.Context(), trusting, server.URL+"/down"); err == nil || !strings.Contains(err.Error(), "another server") || plain.Load() {
		t.Errorf("%v, asked over http: %v", err, plain.Load())
	}
	server.Client().CloseIdleConnections()
}
