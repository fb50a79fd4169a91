package files

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"darqline/host/udp"
)

// Listen opens the TCP socket for Serve at addr (host:port). Its errors say what to do.
func Listen(addr string) (net.Listener, error) {
	// Every connection is short and has deadlines, so keepalive probes would be four system calls for nothing.
	l, err := (&net.ListenConfig{KeepAlive: -1}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, udp.ListenError("TCP", addr, "files.port in server.toml (or --port for both)", err)
	}
	return l, nil
}

const (
	firstPause = 5 * time.Millisecond
	longPause  = time.Second
	warnEvery  = time.Minute
)

// Serve answers the connections of l until ctx ends, then closes l and every connection and waits for their goroutines. It
// is called once. The error is nil when ctx ended it.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var connections sync.WaitGroup
	defer connections.Wait()
	stop := context.AfterFunc(ctx, func() {
		l.Close()
		s.gate.shut()
	})
	defer func() {
		if stop() { // the listener broke first
			l.Close()
			s.gate.shut()
		}
	}()
	var pause time.Duration
	var warned time.Time
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			pause = 0
			s.admit(c, &connections)
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("client files: the listening socket was closed: %w", err)
		default:
			// Most often the process has no file descriptor left; the ones that end give theirs back, and are soon taken again.
			if now := time.Now(); now.Sub(warned) >= warnEvery {
				warned = now
				s.log.Warn("client files: cannot accept connections for now; if this is said again, raise the limit of open files (ulimit -n)", "error", err)
			}
			pause = min(max(2*pause, firstPause), longPause)
			if !sleep(ctx, pause) {
				return nil
			}
		}
	}
}

func (s *Server) admit(c net.Conn, connections *sync.WaitGroup) {
	from := peer(c.RemoteAddr())
	v := s.gate.enter(c, from)
	if v == drop {
		c.Close()
		return
	}
	connections.Go(func() {
		defer s.gate.leave(c, from)
		defer func() {
			if r := recover(); r != nil {
				s.log.Error("client files: a fault of the server itself ended a connection; please report it", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		s.connection(c, v == refuse)
	})
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
