package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

func TestGenerations(t *testing.T) {
	s := New(Config{})
	fs := func(text string) []File { return []File{{"a.html", []byte(text)}} }
	expect := func(step, want string) {
		t.Helper()
		got := ""
		if f := s.find([]byte("/shop/a.html")); f != nil {
			got = string(f.body)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
	}
	expect("nothing", "")
	s.Publish("shop", 5, fs("five"))
	expect("published", "five")
	s.Publish("shop", 4, fs("four"))
	expect("an older one later", "five")
	s.Remove("shop", 4)
	expect("an older one removed", "five")
	s.Publish("shop", 6, []File{{"b.html", nil}})
	expect("a newer one without the file", "")
	s.Publish("shop", 7, fs("seven"))
	s.Publish("other", 9, fs("nine"))
	s.Remove("shop", 7)
	expect("removed", "")
	s.Remove("shop", 7)
	if s.find([]byte("/other/a.html")) == nil {
		t.Error("the other resource went too")
	}
}

// A download under way when its resource is replaced or removed ends with the bytes it began with.
func TestReplacedInTheMiddleOfADownload(t *testing.T) {
	inWorld(t, func(w *world) {
		var conns []net.Conn
		for range 2 {
			c := w.dial(alice)
			io.WriteString(c, get("/shop/views/large.png"))
			conns = append(conns, c)
		}
		synctest.Wait()
		w.server.Publish("shop", 2, []File{{"views/large.png", content(9, 1<<20)}})
		first := read(conns[0], "GET")
		w.server.Remove("shop", 2)
		second := read(conns[1], "GET")
		same(w.T, "replaced", first.body, large)
		same(w.T, "removed", second.body, large)
		if r := w.ask(get("/shop/views/large.png")); r.status != 404 {
			w.Errorf("afterwards: %d", r.status)
		}
	})
}

// serveReal runs a server on a socket of the machine.
func serveReal(t *testing.T) (*Server, string) {
	t.Helper()
	s := New(Config{})
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve ended with %v", err)
		}
	})
	return s, l.Addr().String()
}

// loopbackClient speaks from an address of its own, so that each has its own limit of connections.
func loopbackClient(t *testing.T, i int) *http.Client {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS has one loopback address")
	}
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 2, byte(i+1))}}
	return &http.Client{Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}}
}

// A 3 MiB file is overwritten on disk and published again while 8 loops get it: what comes is always the whole of a generation,
// never of one older than was announced when the request began.
func TestOverwriteWhileServing(t *testing.T) {
	const rounds = 20
	s, addr := serveReal(t)
	onDisk := filepath.Join(t.TempDir(), "large.png")
	var mu sync.Mutex
	announced := uint32(0)
	generationOf := map[[32]byte]uint32{}
	reload := func(generation uint32) {
		if err := os.WriteFile(onDisk, bytes.Repeat([]byte{byte(generation), 1, 2}, 1<<20), 0o600); err != nil {
			t.Error(err)
		}
		snapshot, err := os.ReadFile(onDisk)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		generationOf[sha256.Sum256(snapshot)] = generation
		mu.Unlock()
		os.WriteFile(onDisk, []byte("half written"), 0o600)
		s.Publish("shop", generation, []File{{"large.png", snapshot}})
		mu.Lock()
		announced = generation
		mu.Unlock()
	}
	reload(1)
	done := make(chan struct{})
	var loops sync.WaitGroup
	for i := range 8 {
		client := loopbackClient(t, i)
		loops.Go(func() {
			for n := 0; ; {
				select {
				case <-done:
					if n > 0 { // each gets at least one
						return
					}
				default:
				}
				mu.Lock()
				before := announced
				mu.Unlock()
				r, err := client.Get("http://" + addr + "/shop/large.png")
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if r.StatusCode == http.StatusServiceUnavailable { // the ends of the last ones are not through yet
					continue
				}
				n++
				mu.Lock()
				got, known := generationOf[sha256.Sum256(body)]
				mu.Unlock()
				if err != nil || !known || got < before {
					t.Errorf("%d, %d bytes, %v: of generation %d (known %v), announced was %d", r.StatusCode, len(body), err, got, known, before)
					return
				}
			}
		})
	}
	for generation := range uint32(rounds) {
		reload(generation + 2)
	}
	close(done)
	loops.Wait()
}

// Real sockets reset as the bubble's do: a client that sends far more than its head still gets the whole answer.
func TestBodyIsIgnoredOnRealSockets(t *testing.T) {
	s, addr := serveReal(t)
	s.Publish("shop", 1, []File{{"large.png", large}})
	for i := range 20 {
		r, err := loopbackClient(t, i).Post("http://"+addr+"/shop/large.png", "text/plain", strings.NewReader(strings.Repeat("x", 200_000)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != 405 || err != nil || len(body) == 0 {
			t.Fatalf("%d, %q, %v", r.StatusCode, body, err)
		}
	}
}

// Nothing is left of connections that were reset, in whatever state.
func TestResetsOnRealSockets(t *testing.T) {
	s, addr := serveReal(t)
	s.Publish("shop", 1, []File{{"large.png", large}})
	head := get("/shop/large.png")
	for i := range 500 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		sent, _ := fmt.Fprint(c, head[:min(i%(len(head)+20), len(head))])
		if sent == len(head) && i%2 == 0 {
			c.Read(make([]byte, i*100))
		}
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
}

func TestListenError(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	want := "TCP port " + port + " is taken by another program: stop it or set files.port in server.toml (or --port for both)"
	if _, err := Listen(l.Addr().String()); err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
