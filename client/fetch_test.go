package client

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// streams is a Network whose TCP connections end in serve, each on a goroutine of its own.
type streams struct {
	serve func(c net.Conn, r *http.Request)
	dial  func(ctx context.Context) error // before a connection; nil: at once
	dials atomic.Int32
}

func (s *streams) DialPacket(context.Context, string) (net.Conn, error) { panic("not here") }

func (s *streams) DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	s.dials.Add(1)
	if s.dial != nil {
		if err := s.dial(ctx); err != nil {
			return nil, err
		}
	}
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		if r, err := http.ReadRequest(bufio.NewReader(server)); err == nil {
			s.serve(server, r)
		}
	}()
	return client, nil
}

// answer writes a whole answer as it stands.
func answer(text string) func(net.Conn, *http.Request) {
	return func(c net.Conn, _ *http.Request) { io.WriteString(c, text) }
}

// serveFile answers as the server does: 200, or 206 to a Range.
func serveFile(c net.Conn, r *http.Request, body []byte) {
	var from int
	if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); n == 1 {
		fmt.Fprintf(c, "HTTP/1.1 206 Partial Content\r\nContent-Length: %d\r\nContent-Range: bytes %d-%d/%d\r\nConnection: close\r\n\r\n",
			len(body)-from, from, len(body)-1, len(body))
	} else {
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", len(body))
	}
	c.Write(body[from:])
}

func blobOf(body []byte) blob { return blob{sha256.Sum256(body), int64(len(body))} }

// testBody is content of a given size that no other size begins with.
func testBody(size int) []byte {
	body := make([]byte, size)
	for i := range body {
		body[i] = byte(i*7 + i>>8 + size)
	}
	return body
}

func partOf(t *testing.T, c *cache, b blob) []byte {
	t.Helper()
	body, err := os.ReadFile(c.path(b) + partSuffix)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return body
}

func TestFetch(t *testing.T) {
	const size = 1000
	body := testBody(size)
	wrong := bytes.Clone(body)
	wrong[10]++
	head := func(status string, headers ...string) string {
		return "HTTP/1.1 " + status + "\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n"
	}
	whole := func(b []byte, headers ...string) func(net.Conn, *http.Request) {
		return answer(head("200 OK", headers...) + string(b))
	}
	tests := []struct {
		name   string
		part   []byte // of an earlier session
		serve  func(net.Conn, *http.Request)
		result result
		keeps  int  // bytes of the part afterwards
		bad    bool // mismatched: resumed
		asks   string
	}{
		{name: "whole", serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: fetched},
		{name: "without a length", serve: whole(body), result: fetched},
		{name: "in chunks", serve: whole(fmt.Appendf(nil, "3e8\r\n%s\r\n0\r\n\r\n", body), "Transfer-Encoding: chunked"), result: fetched},
		{name: "length one less", serve: whole(body[:999], "Content-Length: 999"), result: mismatched},
		{name: "length one more", serve: whole(append(bytes.Clone(body), 0), "Content-Length: 1001"), result: mismatched},
		{name: "length 0", serve: whole(nil, "Content-Length: 0"), result: mismatched},
		{name: "a byte past the size", serve: whole(append(bytes.Clone(body), 0)), result: mismatched},
		{name: "wrong bytes", serve: whole(wrong, "Content-Length: 1000"), result: mismatched},
		{name: "cut off", serve: whole(body[:400], "Content-Length: 1000"), result: transient, keeps: 400},
		{name: "cut off without a length", serve: whole(body[:999]), result: transient, keeps: 999},
		{name: "cut off after the head", serve: whole(nil, "Content-Length: 1000"), result: transient},
		{name: "closed without an answer", serve: answer(""), result: transient},
		{name: "no HTTP", serve: answer("hello\r\n\r\n"), result: transient},
		{name: "half a head", serve: answer("HTTP/1.1 200 OK\r\nContent-"), result: transient},
		{name: "an endless head", serve: whole(body, "X: "+strings.Repeat("x", 1<<20)), result: transient},
		{name: "two lengths", serve: whole(body, "Content-Length: 1000", "Content-Length: 999"), result: transient},
		{name: "404", serve: answer(head("404 Not Found")), result: transient},
		{name: "500", serve: answer(head("500 Oops")), result: transient},
		{name: "204", serve: answer(head("204 No Content")), result: transient},
		{name: "a redirect is not followed", serve: answer(head("302 Found", "Location: http://192.0.2.1/x")), result: transient},
		{name: "206 unasked", serve: answer(head("206 Partial Content", "Content-Range: bytes 0-999/1000") + string(body)), result: transient},
		{name: "503", serve: answer(head("503 Busy", "Retry-After: 7")), result: unavailable},

		{name: "resumed at 1", part: body[:1], serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: fetched, asks: "bytes=1-"},
		{name: "resumed in the middle", part: body[:400], serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: fetched, asks: "bytes=400-"},
		{name: "resumed at the last byte", part: body[:999], serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: fetched, asks: "bytes=999-"},
		{name: "all there already", part: body, serve: nil, result: fetched},
		{name: "more than the size there", part: append(bytes.Clone(body), 1), serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: fetched},
		{name: "an empty part", part: []byte{}, serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: fetched},
		{name: "a wrong part", part: wrong[:400], serve: func(c net.Conn, r *http.Request) { serveFile(c, r, body) }, result: mismatched, bad: true, asks: "bytes=400-"},
		{name: "a whole wrong part", part: wrong, serve: nil, result: mismatched, bad: true},
		{name: "200 to a Range begins anew", part: wrong[:400], serve: whole(body, "Content-Length: 1000"), result: fetched, asks: "bytes=400-"},
		{name: "200 to a Range, wrong bytes", part: body[:400], serve: whole(wrong, "Content-Length: 1000"), result: mismatched, asks: "bytes=400-"},
		{name: "206 cut off", part: body[:400], serve: func(c net.Conn, r *http.Request) {
			io.WriteString(c, head("206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Length: 600")+string(body[400:700]))
		}, result: transient, keeps: 700, asks: "bytes=400-"},
		{name: "206 and a byte past the size", part: body[:400],
			serve: answer(head("206 Partial Content", "Content-Range: bytes 400-999/1000") + string(body[400:]) + "x"), result: mismatched, bad: true, asks: "bytes=400-"},
		{name: "206 from another offset", part: body[:400],
			serve: answer(head("206 Partial Content", "Content-Range: bytes 0-999/1000") + string(body)), result: transient, asks: "bytes=400-"},
		{name: "206 of another size", part: body[:400],
			serve: answer(head("206 Partial Content", "Content-Range: bytes 400-999/1001") + string(body[400:])), result: transient, asks: "bytes=400-"},
		{name: "206 that ends early", part: body[:400],
			serve: answer(head("206 Partial Content", "Content-Range: bytes 400-998/1000") + string(body[400:])), result: transient, asks: "bytes=400-"},
		{name: "206 without a range", part: body[:400], serve: answer(head("206 Partial Content") + string(body[400:])), result: transient, asks: "bytes=400-"},
		{name: "206 of another length", part: body[:400],
			serve: answer(head("206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Length: 601") + string(body[400:])), result: transient, asks: "bytes=400-"},
		{name: "206 with two ranges", part: body[:400],
			serve: answer(head("206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Range: bytes 0-999/1000") + string(body[400:])), result: transient, asks: "bytes=400-"},
		{name: "416", part: body[:400], serve: answer(head("416 No", "Content-Range: bytes */300")), result: transient, asks: "bytes=400-"},
		{name: "404 to a Range", part: body[:400], serve: answer(head("404 Not Found")), result: transient, keeps: 400, asks: "bytes=400-"},
		{name: "503 to a Range", part: body[:400], serve: answer(head("503 Busy")), result: unavailable, keeps: 400, asks: "bytes=400-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCache(t.TempDir(), DefaultCacheLimit)
				b := blobOf(body)
				if tt.part != nil {
					if err := os.WriteFile(c.path(b)+partSuffix, tt.part, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				var asked *http.Request
				network := &streams{serve: func(c net.Conn, r *http.Request) { asked = r; tt.serve(c, r) }}
				f := &fetcher{network: network, cache: c}
				var received atomic.Int64
				out := f.fetch(t.Context(), netip.MustParseAddrPort("203.0.113.7:7788"), "/shop/img/coin.png", b, &received)
				if out.result != tt.result || out.resumed && !tt.bad && out.result == mismatched || !out.resumed && tt.bad {
					t.Fatalf("got %d, resumed %v: %v", out.result, out.resumed, out.err)
				}
				if got := partOf(t, c, b); !bytes.Equal(got, body[:tt.keeps]) {
					t.Errorf("the part has %d bytes, expected %d", len(got), tt.keeps)
				}
				if tt.keeps == 0 && exists(c.path(b)+partSuffix) {
					t.Error("an empty part is left")
				}
				if _, err := c.load(b); (err == nil) != (tt.result == fetched) {
					t.Errorf("in the cache: %v", err)
				}
				if (asked == nil) != (tt.serve == nil) {
					t.Fatalf("asked: %v", asked)
				}
				if asked != nil {
					if asked.Method != "GET" || asked.RequestURI != "/shop/img/coin.png" || asked.Host != "203.0.113.7:7788" || !asked.Close {
						t.Errorf("asked %s %s of %s", asked.Method, asked.RequestURI, asked.Host)
					}
					if got := asked.Header.Get("Range"); got != tt.asks {
						t.Errorf("Range %q, expected %q", got, tt.asks)
					}
					if asked.Header.Get("Accept-Encoding") != "" {
						t.Error("asked for compression")
					}
				}
			})
		})
	}
}

// fetchOne fetches a file of 1,000 bytes.
func fetchOne(ctx context.Context, c *cache, n *streams) outcome {
	var received atomic.Int64
	f := &fetcher{network: n, cache: c}
	return f.fetch(ctx, netip.MustParseAddrPort("203.0.113.7:7788"), "/a/b.js", blobOf(testBody(1000)), &received)
}

func TestConnectTimesOutAfter5s(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &streams{dial: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
		begun := time.Now()
		out := fetchOne(t.Context(), newCache(t.TempDir(), DefaultCacheLimit), n)
		if d := time.Since(begun); out.result != transient || d != 5*time.Second {
			t.Errorf("%v after %v", out.result, d)
		}
	})
}

func TestReceiveTimesOutOnLackOfProgress(t *testing.T) {
	body := testBody(1000)
	for _, tt := range []struct {
		name   string
		pause  time.Duration
		result result
		took   time.Duration
	}{
		{"slow is not dead", 14 * time.Second, fetched, 10 * 14 * time.Second},
		{"dead", time.Hour, transient, 15 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := make(chan struct{})
				defer close(done)
				n := &streams{serve: func(c net.Conn, _ *http.Request) {
					io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
					for i := 0; i < 1000; i += 100 {
						select {
						case <-time.After(tt.pause):
						case <-done:
							return
						}
						c.Write(body[i : i+100])
					}
				}}
				begun := time.Now()
				out := fetchOne(t.Context(), newCache(t.TempDir(), DefaultCacheLimit), n)
				if d := time.Since(begun); out.result != tt.result || d != tt.took {
					t.Errorf("%v after %v: %v", out.result, d, out.err)
				}
			})
		})
	}
}

func TestAnAbortClosesTheRequestAtOnce(t *testing.T) {
	for _, stage := range []string{"dial", "head", "body"} {
		t.Run(stage, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				closed := false
				n := &streams{serve: func(c net.Conn, _ *http.Request) {
					if stage == "body" {
						io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"+string(testBody(1000)[:300]))
					}
					_, err := c.Read(make([]byte, 1))
					closed = err != nil
				}}
				if stage == "dial" {
					n.dial = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
				}
				time.AfterFunc(time.Second, cancel)
				begun := time.Now()
				c := newCache(t.TempDir(), DefaultCacheLimit)
				out := fetchOne(ctx, c, n)
				synctest.Wait()
				if out.result != aborted || time.Since(begun) != time.Second || !closed && stage != "dial" {
					t.Errorf("%v after %v, closed %v", out.result, time.Since(begun), closed)
				}
				if got := partOf(t, c, blobOf(testBody(1000))); stage == "body" && len(got) != 300 {
					t.Errorf("%d bytes are kept", len(got))
				}
			})
		})
	}
}

func TestAFullDiskIsSaidOnce(t *testing.T) {
	body := testBody(1000)
	serve := func(c net.Conn, r *http.Request) { serveFile(c, r, body) }
	synctest.Test(t, func(t *testing.T) {
		c := newCache(t.TempDir(), DefaultCacheLimit)
		c.write = func(f *os.File, b []byte) (int, error) {
			n, _ := f.Write(b[:len(b)/2])
			return n, syscall.ENOSPC
		}
		if out := fetchOne(t.Context(), c, &streams{serve: serve}); out.result != notStored || !errors.Is(out.err, syscall.ENOSPC) {
			t.Fatalf("%v %v", out.result, out.err)
		}
		// What did reach the disk is whole and is resumed once there is room.
		c.write = (*os.File).Write
		if out := fetchOne(t.Context(), c, &streams{serve: serve}); out.result != fetched || out.fresh != 500 {
			t.Errorf("%v, %d new bytes", out.result, out.fresh)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		n := &streams{serve: serve}
		if out := fetchOne(t.Context(), newCache(filepath.Join(file, "cache"), DefaultCacheLimit), n); out.result != notStored || n.dials.Load() != 0 {
			t.Errorf("%v after %d requests", out.result, n.dials.Load())
		}
	})
}

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": 2 * time.Second, "soon": 2 * time.Second, "-1": 2 * time.Second, "Wed, 21 Oct 2026 07:28:00 GMT": 2 * time.Second,
		"0": time.Second, "2": 2 * time.Second, "60": time.Minute, "61": time.Minute, "99999999999999999999999": time.Minute,
	} {
		if got := retryAfter(header); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}

// An empty file is legal and needs no request.
func TestEmptyFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(t.TempDir(), DefaultCacheLimit)
		n := &streams{}
		var received atomic.Int64
		f := &fetcher{network: n, cache: c}
		if out := f.fetch(t.Context(), netip.AddrPort{}, "/a/b.js", blobOf(nil), &received); out.result != fetched || n.dials.Load() != 0 {
			t.Errorf("%v", out)
		}
		if out := f.fetch(t.Context(), netip.AddrPort{}, "/a/b.js", blob{hash: [32]byte{1}}, &received); out.result != mismatched || out.resumed {
			t.Errorf("%v", out)
		}
	})
}
