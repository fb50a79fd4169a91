package files

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"darqline/host/udp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	serverAt = netip.MustParseAddrPort("10.0.0.1:7777")
	alice    = netip.MustParseAddr("10.0.1.1")
)

// content is n bytes that differ from place to place and from seed to seed.
func content(seed byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = seed + byte(i) + byte(i>>8)*3 + byte(i>>16)*7
	}
	return b
}

var (
	page  = content(1, 1000)
	large = content(2, 1<<20)
)

// world is a server on a network in memory, inside a bubble.
type world struct {
	*testing.T
	server *Server
	net    *udp.Memory
	stop   context.CancelFunc
	ended  chan error
}

// inWorld runs test beside a server that has shop/page.html, shop/large.png and shop/empty.css.
func inWorld(t *testing.T, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{T: t, server: New(Config{}), net: udp.NewMemory(1), ended: make(chan error, 1)}
		w.server.Publish("shop", 1, []File{{"page.html", page}, {"views/large.png", large}, {"empty.css", nil}})
		l, err := w.net.ListenStream(serverAt)
		if err != nil {
			t.Fatal(err)
		}
		var ctx context.Context
		ctx, w.stop = context.WithCancel(t.Context())
		defer w.stop()
		go func() { w.ended <- w.server.Serve(ctx, l) }()
		test(w)
		w.stop()
		if err := <-w.ended; err != nil {
			t.Errorf("Serve ended with %v", err)
		}
		if g := &w.server.gate; len(g.open) != 0 || len(g.byPeer) != 0 || g.served != 0 || g.refused != 0 {
			t.Errorf("the gate still counts: %d open, %d peers, %d served, %d refused", len(g.open), len(g.byPeer), g.served, g.refused)
		}
	})
}

func (w *world) dial(from netip.Addr) net.Conn {
	w.Helper()
	c, err := w.net.DialStream(w.Context(), from, serverAt)
	if err != nil {
		w.Fatal(err)
	}
	return c
}

// reply is what came back: status 0 for a connection that was closed without an answer.
type reply struct {
	status int
	header http.Header
	body   []byte
	err    error
}

// ask sends raw bytes over a connection of its own and reads all that comes back.
func (w *world) ask(raw string) reply {
	c := w.dial(alice)
	defer c.Close()
	go io.WriteString(c, raw)
	return read(c, "GET")
}

func read(c net.Conn, method string) reply {
	r, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		return reply{err: err}
	}
	defer r.Body.Close()
	if r.Close { // taken out by net/http
		r.Header.Set("Connection", "close")
	}
	body, err := io.ReadAll(r.Body)
	return reply{r.StatusCode, r.Header, body, err}
}

func get(path string, headers ...string) string {
	raw := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %v\r\n", path, serverAt)
	for _, h := range headers {
		raw += h + "\r\n"
	}
	return raw + "\r\n"
}

// slowly reads all at a rate; it returns how much came before the connection ended.
func slowly(c net.Conn, perSecond int) int {
	total := 0
	b := make([]byte, perSecond)
	for {
		time.Sleep(time.Second)
		n, err := io.ReadFull(c, b)
		total += n
		if err != nil {
			return total
		}
	}
}

// headerSize is the length of the header before a whole file.
func (w *world) headerSize(path string) int {
	return len(w.server.find([]byte(path)).whole.headerOnly().head)
}

// nth is one address of many, each with a limit of its own.
func nth(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}) }

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes that are not the %d wanted", what, len(got), len(want))
	}
}
