package files

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// ended is when and how a connection ended.
type ended struct {
	after  time.Duration
	status int
}

// 400 connections from 100 addresses send a byte each 5 s: 64 are served, 256 refused, 80 closed at once. Meanwhile a reader
// is told to come back, and afterwards it gets its file.
func TestSlowHeads(t *testing.T) {
	inWorld(t, func(w *world) {
		ends := make(chan ended, 400)
		var writers sync.WaitGroup
		for i := range 400 {
			c := w.dial(nth(i / 4))
			start := time.Now()
			writers.Go(func() {
				for _, b := range []byte(get("/shop/page.html")) {
					if _, err := c.Write([]byte{b}); err != nil {
						return
					}
					time.Sleep(5 * time.Second)
				}
			})
			go func() {
				r := read(c, "GET")
				c.Close()
				ends <- ended{time.Since(start), r.status}
			}()
		}
		synctest.Wait()
		if g := &w.server.gate; g.served != 64 || g.refused != 256 {
			w.Errorf("%d served, %d refused", g.served, g.refused)
		}
		if r := w.ask(get("/shop/page.html")); r.status != 0 {
			w.Errorf("past all limits: %d, want a close", r.status)
		}
		count := map[ended]int{}
		for range 400 {
			count[<-ends]++
		}
		if count[ended{0, 0}] != 80 || count[ended{10 * time.Second, 0}] != 320 {
			w.Errorf("ends: %v, want 80 at once and 320 after 10 s", count)
		}
		writers.Wait()
		if r := w.ask(get("/shop/views/large.png")); r.status != 200 || !bytes.Equal(r.body, large) {
			w.Errorf("afterwards: %d, %d bytes", r.status, len(r.body))
		}
	})
}

func TestLimits(t *testing.T) {
	v6 := func(s string) netip.Addr { return netip.MustParseAddr(s) }
	inWorld(t, func(w *world) {
		hold := func(from netip.Addr, n int) (held []net.Conn) {
			for range n {
				held = append(held, w.dial(from))
			}
			synctest.Wait()
			return held
		}
		status := func(from netip.Addr) (int, string) {
			c := w.dial(from)
			defer c.Close()
			io.WriteString(c, get("/shop/page.html"))
			r := read(c, "GET")
			return r.status, r.header.Get("Retry-After")
		}
		expect := func(from netip.Addr, want int, retry string) {
			w.Helper()
			if got, after := status(from); got != want || after != retry {
				w.Errorf("%v: %d, Retry-After %q, want %d, %q", from, got, after, want, retry)
			}
		}
		four := hold(alice, 4)
		six := hold(v6("2001:db8:1:2::1"), 4)
		expect(alice, 503, "2")
		expect(v6("::ffff:10.0.1.1"), 503, "2")
		expect(v6("2001:db8:1:2:ffff::9"), 503, "2")
		expect(v6("2001:db8:1:3::1"), 200, "")
		expect(nth(1), 200, "")
		four[0].Close()
		synctest.Wait()
		expect(alice, 200, "")
		var rest []net.Conn
		for i := range maxConnections - 7 {
			rest = append(rest, hold(nth(i), 1)...)
		}
		expect(nth(5000), 503, "2")
		rest[0].Close()
		synctest.Wait()
		expect(nth(5000), 200, "")
		for _, c := range append(append(four, six...), rest...) {
			c.Close()
		}
	})
}

// The refusal waits for the head, so that the peer is not reset while it still sends.
func TestRefusalComesAfterTheHead(t *testing.T) {
	inWorld(t, func(w *world) {
		for range maxPerAddress {
			defer w.dial(alice).Close()
		}
		synctest.Wait()
		over := w.dial(alice)
		defer over.Close()
		head := get("/shop/page.html")
		start := time.Now()
		go func() {
			io.WriteString(over, head[:20])
			time.Sleep(9 * time.Second)
			io.WriteString(over, head[20:])
		}()
		if r := read(over, "GET"); r.status != 503 || time.Since(start) != 9*time.Second {
			w.Errorf("%d after %v", r.status, time.Since(start))
		}
		if r := w.ask("GET /shop/page.html HTTP/1.2\r\n\r\n"); r.status != 400 {
			w.Errorf("over the limit and no request: %d", r.status)
		}
	})
}

// A refusal that is not read, or whose head is late, is cut by the same rules.
func TestRefusedConnectionsKeepTheRules(t *testing.T) {
	inWorld(t, func(w *world) {
		for range maxPerAddress {
			defer w.dial(alice).Close()
		}
		synctest.Wait()
		late := w.dial(alice)
		start := time.Now()
		if r := read(late, "GET"); r.status != 0 || time.Since(start) != 10*time.Second {
			w.Errorf("%d after %v", r.status, time.Since(start))
		}
		late.Close()
	})
}

func TestSlowReaders(t *testing.T) {
	inWorld(t, func(w *world) {
		var readers sync.WaitGroup
		begin := func(from netip.Addr, perSecond int, check func(got int, took time.Duration)) {
			c := w.dial(from)
			io.WriteString(c, get("/shop/views/large.png"))
			start := time.Now()
			readers.Go(func() {
				got := slowly(c, perSecond)
				check(got-w.headerSize("/shop/views/large.png"), time.Since(start))
				c.Close()
			})
		}
		for i := range 60 {
			begin(nth(i), 100, func(got int, took time.Duration) {
				if got == len(large) || took < 10*time.Second || took > 10*time.Second+2*time.Second {
					w.Errorf("at 100 B/s: %d bytes, ended after %v, want a cut after 10 s", got, took)
				}
			})
		}
		begin(alice, 9<<10, func(got int, took time.Duration) {
			if got != len(large) {
				w.Errorf("at 9 KiB/s: %d of %d bytes in %v", got, len(large), took)
			}
		})
		begin(alice, 7<<10, func(got int, took time.Duration) {
			limit := (10 + 128) * time.Second
			if got == len(large) || took < limit || took > limit+2*time.Second {
				w.Errorf("at 7 KiB/s: %d bytes, ended after %v, want a cut after %v", got, took, limit)
			}
		})
		// Reads all but the last bytes, which lie in the buffers by then, and stops.
		begin(alice, len(large)-1000, func(got int, took time.Duration) {
			if took > time.Minute {
				w.Errorf("a reader that stopped near the end lasted %v", took)
			}
		})
		readers.Wait()
	})
}

// A peer that takes nothing at all is cut after exactly 10 s, however much the buffers took.
func TestStalledReader(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, path := range []string{"/shop/page.html", "/shop/views/large.png"} {
			c := w.dial(alice)
			io.WriteString(c, get(path))
			start := time.Now()
			for w.open() > 0 {
				time.Sleep(time.Millisecond)
			}
			if took := time.Since(start).Round(100 * time.Millisecond); took != 10*time.Second {
				w.Errorf("%s: cut after %v", path, took)
			}
			c.Close()
		}
	})
}

// lasts tells how long the server keeps connections.
func (w *world) lasts() time.Duration {
	start := time.Now()
	for w.open() > 0 {
		time.Sleep(10 * time.Millisecond)
	}
	return time.Since(start)
}

// The whole answer has 10 s and its length, header and all, at 8 KiB/s.
func TestWholeAnswerInTime(t *testing.T) {
	inWorld(t, func(w *world) {
		c := w.dial(alice)
		io.WriteString(c, get("/shop/views/large.png"))
		var reader sync.WaitGroup
		reader.Go(func() { slowly(c, 7<<10) })
		size := time.Duration(w.headerSize("/shop/views/large.png") + len(large))
		if took, want := w.lasts(), 10*time.Second+size*time.Second/(8<<10); took < want || took > want+10*time.Millisecond {
			w.Errorf("cut after %v, want %v", took, want)
		}
		c.Close()
		reader.Wait()
	})
}

// 16 KiB in each 10 s are enough to go on, a byte less is not.
func TestSlowestReader(t *testing.T) {
	inWorld(t, func(w *world) {
		for n, longest := range map[int]bool{16 << 10: true, 16<<10 - 1: false} {
			c := w.dial(alice)
			io.WriteString(c, get("/shop/views/large.png"))
			var reader sync.WaitGroup
			reader.Go(func() {
				for err := error(nil); err == nil; _, err = io.ReadFull(c, make([]byte, n)) {
					time.Sleep(9900 * time.Millisecond)
				}
			})
			if took := w.lasts(); longest != (took > 2*time.Minute) {
				w.Errorf("who reads %d bytes in 9.9 s is cut after %v", n, took)
			}
			c.Close()
			reader.Wait()
		}
	})
}

// Who has taken the whole answer cannot hold its place by sending on: neither in drops nor in a stream.
func TestPeerThatSendsOnAfterTheAnswer(t *testing.T) {
	inWorld(t, func(w *world) {
		for size, every := range map[int]time.Duration{1: 400 * time.Millisecond, 4 << 10: 10 * time.Millisecond} {
			c := w.dial(alice)
			io.WriteString(c, get("/shop/views/large.png", "Content-Length: 1000000000"))
			var both sync.WaitGroup
			both.Go(func() { io.Copy(io.Discard, c) })
			both.Go(func() {
				for err := error(nil); err == nil; _, err = c.Write(make([]byte, size)) {
					time.Sleep(every)
				}
			})
			if took := w.lasts(); took > 11*time.Second {
				w.Errorf("%d bytes each %v: its place was taken for %v", size, every, took)
			}
			c.Close()
			both.Wait()
		}
	})
}

// open counts the connections under way once all has come to rest.
func (w *world) open() int {
	synctest.Wait()
	g := &w.server.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.open)
}

func TestResetInEveryState(t *testing.T) {
	inWorld(t, func(w *world) {
		head := get("/shop/views/large.png")
		for i := range 1000 {
			c := w.dial(nth(i))
			io.WriteString(c, head[:min(len(head), i%(len(head)+40))])
			if i%3 == 0 {
				io.ReadFull(c, make([]byte, i*200*(i%2)))
			}
			c.(interface{ SetLinger(int) error }).SetLinger(0)
			if i%3 != 0 || i%2 == 1 {
				c.Close()
			} else {
				w.net.BreakStreams(nth(i), serverAt.Addr())
				c.Close()
			}
		}
		if n := w.open(); n != 0 {
			w.Errorf("%d connections are left", n)
		}
	})
}

func TestStopCutsDownloads(t *testing.T) {
	inWorld(t, func(w *world) {
		reading, waiting := w.dial(alice), w.dial(alice)
		io.WriteString(reading, get("/shop/views/large.png"))
		io.ReadFull(reading, make([]byte, 1000))
		start := time.Now()
		w.stop()
		w.ended <- <-w.ended
		if took := time.Since(start); took > lookTime {
			w.Errorf("Serve ended after %v", took)
		}
		reading.Close()
		waiting.Close()
	})
}

func TestPeer(t *testing.T) {
	for from, want := range map[string]string{
		"1.2.3.4":              "1.2.3.4",
		"::ffff:1.2.3.4":       "1.2.3.4",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::",
		"fe80::1:2:3:4%eth0":   "fe80::",
		"::1":                  "::",
	} {
		got := peer(net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 1)))
		if got != netip.MustParseAddr(want) {
			t.Errorf("%s counts as %v, want %s", from, got, want)
		}
	}
}
