package files

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// elsewhere serves the world's files at a second address, over a listener of the test's own.
func (w *world) elsewhere(log io.Writer, wrap func(net.Listener) net.Listener) (dial func(from netip.Addr) net.Conn) {
	w.Helper()
	at := netip.MustParseAddrPort("10.0.0.1:8888")
	inner, err := w.net.ListenStream(at)
	if err != nil {
		w.Fatal(err)
	}
	s := New(Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	s.published.Store(w.server.published.Load())
	go s.Serve(w.Context(), wrap(inner))
	return func(from netip.Addr) net.Conn {
		c, err := w.net.DialStream(w.Context(), from, at)
		if err != nil {
			w.Fatal(err)
		}
		return c
	}
}

// brokenListener fails to accept before each connection that it hands out, as a process does that is out of file descriptors.
type brokenListener struct {
	net.Listener
	failures int // before the next connection
	again    int // before each further one
	attempts []time.Time
}

func (l *brokenListener) Accept() (net.Conn, error) {
	l.attempts = append(l.attempts, time.Now())
	if l.failures > 0 {
		l.failures--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	l.failures = l.again
	return l.Listener.Accept()
}

func TestAcceptBacksOff(t *testing.T) {
	inWorld(t, func(w *world) {
		var log bytes.Buffer
		var l *brokenListener
		dial := w.elsewhere(&log, func(inner net.Listener) net.Listener {
			l = &brokenListener{Listener: inner, failures: 20}
			return l
		})
		time.Sleep(30 * time.Second)
		c := dial(alice)
		io.WriteString(c, get("/"))
		if r := read(c, "GET"); r.status != 404 {
			w.Errorf("afterwards: %d, %v", r.status, r.err)
		}
		c.Close()
		for i := 1; i < 21; i++ {
			if pause := l.attempts[i].Sub(l.attempts[i-1]); pause < firstPause || pause > longPause {
				w.Errorf("attempt %d came after %v", i, pause)
			}
		}
		if n := strings.Count(log.String(), "too many open files"); n != 1 {
			w.Errorf("logged %d times:\n%s", n, log.String())
		}
	})
}

// Where descriptors come back one by one and are taken at once, the log is not the next thing that is flooded.
func TestShortageIsLoggedOnceAMinute(t *testing.T) {
	inWorld(t, func(w *world) {
		var log bytes.Buffer
		dial := w.elsewhere(&log, func(inner net.Listener) net.Listener {
			return &brokenListener{Listener: inner, failures: 1, again: 1}
		})
		for range 100 {
			dial(alice).Close()
			time.Sleep(time.Second)
		}
		if n := strings.Count(log.String(), "\n"); n != 2 {
			w.Errorf("logged %d lines in 100 s:\n%s", n, log.String())
		}
	})
}

func TestListenerThatBreaksEndsServe(t *testing.T) {
	inWorld(t, func(w *world) {
		inner, err := w.net.ListenStream(netip.MustParseAddrPort("10.0.0.1:8888"))
		if err != nil {
			w.Fatal(err)
		}
		s, ended := New(Config{}), make(chan error)
		go func() { ended <- s.Serve(w.Context(), inner) }()
		c, err := w.net.DialStream(w.Context(), alice, netip.MustParseAddrPort("10.0.0.1:8888"))
		if err != nil {
			w.Fatal(err)
		}
		synctest.Wait()
		inner.Close()
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "the listening socket was closed") {
			w.Errorf("Serve ended with %v", err)
		}
		if r := read(c, "GET"); r.status != 0 {
			w.Errorf("a connection got %d", r.status)
		}
		c.Close()
	})
}

// wrapping hands out the first connection wrapped.
type wrapping struct {
	net.Listener
	wrap func(net.Conn) net.Conn
}

func (l *wrapping) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil && l.wrap != nil {
		c, l.wrap = l.wrap(c), nil
	}
	return c, err
}

type panicking struct{ net.Conn }

func (c panicking) Write([]byte) (int, error) { panic("a fault made for this test") }

// A fault ends its own connection, whose place is free again, and is logged with its stack.
func TestPanicStaysInItsConnection(t *testing.T) {
	inWorld(t, func(w *world) {
		var log bytes.Buffer
		dial := w.elsewhere(&log, func(inner net.Listener) net.Listener {
			return &wrapping{inner, func(c net.Conn) net.Conn { return panicking{c} }}
		})
		var held []net.Conn
		for i := range maxPerAddress + 1 { // the first one's place among them
			c := dial(alice)
			if i == 0 {
				io.WriteString(c, get("/shop/page.html"))
				if r := read(c, "GET"); r.status != 0 {
					w.Errorf("the faulty connection got %d", r.status)
				}
				synctest.Wait()
			}
			held = append(held, c)
		}
		last := held[maxPerAddress]
		io.WriteString(last, get("/shop/page.html"))
		if r := read(last, "GET"); r.status != 200 {
			w.Errorf("the next got %d, %v", r.status, r.err)
		}
		for _, c := range held {
			c.Close()
		}
		if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "a fault made for this test") || !strings.Contains(text, "connection.go") {
			w.Errorf("logged:\n%s", text)
		}
	})
}

// paused is a connection whose second write comes back late and with nothing done, although the peer has read all: so it
// looks when this process was stopped for a while.
type paused struct {
	net.Conn
	writes int
}

func (c *paused) Write(b []byte) (int, error) {
	if c.writes++; c.writes == 2 {
		time.Sleep(20 * time.Second)
		for c.Unread() > 0 {
			time.Sleep(time.Second)
		}
		return 0, os.ErrDeadlineExceeded
	}
	return c.Conn.Write(b)
}
func (c *paused) Unread() int       { return c.Conn.(interface{ Unread() int }).Unread() }
func (c *paused) CloseWrite() error { return c.Conn.(interface{ CloseWrite() error }).CloseWrite() }

func TestOwnPauseCutsNobody(t *testing.T) {
	inWorld(t, func(w *world) {
		dial := w.elsewhere(io.Discard, func(inner net.Listener) net.Listener {
			return &wrapping{inner, func(c net.Conn) net.Conn { return &paused{Conn: c} }}
		})
		c := dial(alice)
		defer c.Close()
		io.WriteString(c, get("/shop/views/large.png"))
		r := read(c, "GET")
		same(w.T, "after a pause of 20 s", r.body, large)
	})
}
