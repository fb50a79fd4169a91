package udp

import (
	"context"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	window  = 256 << 10 // bytes of one direction that may be under way or unread; then writes wait
	backlog = 128       // streams that wait to be accepted; further dials wait
)

// streamListener implements net.Listener over a Memory.
type streamListener struct {
	net    *Memory
	addr   netip.AddrPort
	arrive sync.Cond
	queue  []*streamConn
	closed bool
}

// ListenStream listens for streams at an exact address; port 0 takes a free one.
func (m *Memory) ListenStream(addr netip.AddrPort) (net.Listener, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	local, err := m.bind("tcp", addr)
	if err != nil {
		return nil, opError("listen", "tcp", err)
	}
	l := &streamListener{net: m, addr: local, arrive: sync.Cond{L: &m.mu}}
	m.listeners[local] = l
	return l, nil
}

func (l *streamListener) Accept() (net.Conn, error) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	for len(l.queue) == 0 && !l.closed {
		l.arrive.Wait()
	}
	if l.closed {
		return nil, opError("accept", "tcp", net.ErrClosed)
	}
	c := l.queue[0]
	l.queue = slices.Delete(l.queue, 0, 1)
	return c, nil
}

func (l *streamListener) Close() error {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if l.closed {
		return opError("close", "tcp", net.ErrClosed)
	}
	l.closed = true
	delete(l.net.listeners, l.addr)
	for _, c := range l.queue {
		c.abort()
	}
	l.queue = nil
	l.arrive.Broadcast()
	return nil
}

func (l *streamListener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.addr) }

// DialStream connects from a fresh port of from. It takes a round trip; where nothing listens it is refused, and over a cut
// path it waits for ctx.
func (m *Memory) DialStream(ctx context.Context, from netip.Addr, to netip.AddrPort) (net.Conn, error) {
	to = unmap(to)
	wait := m.roundTrip(from.Unmap(), to.Addr())
	for {
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, opError("dial", "tcp", ctx.Err())
		case <-timer.C:
		}
		c, err := m.connect(from, to)
		if err != nil {
			return nil, opError("dial", "tcp", err)
		}
		if c != nil {
			return c, nil
		}
		wait = retryStream
	}
}

func (m *Memory) roundTrip(a, b netip.Addr) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pathOf(a, b).Delay + m.pathOf(b, a).Delay
}

// connect gives nil where there is no answer yet.
func (m *Memory) connect(from netip.Addr, to netip.AddrPort) (net.Conn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	local, err := m.bind("tcp", netip.AddrPortFrom(from, 0))
	if err != nil {
		return nil, err
	}
	if m.pathOf(local.Addr(), to.Addr()).Loss >= 1 || m.pathOf(to.Addr(), local.Addr()).Loss >= 1 {
		return nil, nil
	}
	l := m.listeners[to]
	if l == nil {
		return nil, syscall.ECONNREFUSED
	}
	if len(l.queue) >= backlog {
		return nil, nil
	}
	near, far := m.end(local, to), m.end(to, local)
	near.peer, far.peer = far, near
	l.queue = append(l.queue, far)
	l.arrive.Signal()
	return near, nil
}

// streamConn is one end of a stream, with the manners of TCP: half-close, and a reset for whoever sends to an end that is
// closed or closes with bytes unread. A reset throws away what the other end had not read yet, as some systems do.
type streamConn struct {
	net          *Memory
	local, peers netip.AddrPort
	peer         *streamConn

	out     *flow // the dice of what goes to the peer
	flight  []parcel
	pumping bool // an event will look at flight again

	change sync.Cond // anything below changed
	unread []byte
	flying int   // bytes sent to this end that have not arrived
	ended  bool  // the peer sends no more
	shut   bool  // this end sends no more
	closed bool  // by this end
	broken error // reset
	hard   bool  // Close resets: SetLinger(0)
	read   deadline
	write  deadline
}

var _ net.Conn = (*streamConn)(nil)

// parcel is something on its way to the peer.
type parcel struct {
	at     time.Time
	arrive func()
}

func (m *Memory) end(local, to netip.AddrPort) *streamConn {
	c := &streamConn{net: m, local: local, peers: to, change: sync.Cond{L: &m.mu}, out: m.flowOf(flowKey{"tcp", local, to})}
	m.streams[c] = struct{}{}
	return c
}

func (c *streamConn) Read(b []byte) (int, error) {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, opError("read", "tcp", net.ErrClosed)
		case c.broken != nil:
			return 0, opError("read", "tcp", c.broken)
		case c.read.passed():
			return 0, opError("read", "tcp", os.ErrDeadlineExceeded)
		case len(b) == 0:
			return 0, nil
		case len(c.unread) > 0:
			n := copy(b, c.unread)
			c.unread = c.unread[n:]
			c.peer.change.Broadcast()
			return n, nil
		case c.ended:
			return 0, io.EOF
		}
		c.change.Wait()
	}
}

func (c *streamConn) Write(b []byte) (int, error) {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	sent := 0
	for {
		switch {
		case c.closed:
			return sent, opError("write", "tcp", net.ErrClosed)
		case c.broken != nil:
			return sent, opError("write", "tcp", c.broken)
		case c.shut:
			return sent, opError("write", "tcp", syscall.EPIPE)
		case c.write.passed():
			return sent, opError("write", "tcp", os.ErrDeadlineExceeded)
		}
		if n := min(len(b)-sent, window-c.pending()); n > 0 {
			c.push(slices.Clone(b[sent : sent+n]))
			sent += n
			continue
		}
		if sent == len(b) {
			return sent, nil
		}
		c.change.Wait()
	}
}

func (c *streamConn) pending() int { return c.peer.flying + len(c.peer.unread) }

// Unread is how many written bytes the peer has not read yet; a real socket tells the like of it as its send queue.
func (c *streamConn) Unread() int {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	return c.pending()
}

// push sends data, or the end of the stream when it is nil.
func (c *streamConn) push(data []byte) {
	peer := c.peer
	peer.flying += len(data)
	c.carry(func() {
		peer.flying -= len(data)
		switch {
		case peer.broken != nil:
		case data == nil:
			peer.ended = true
		case peer.closed:
			c.reset()
		default:
			peer.unread = append(peer.unread, data...)
		}
		peer.change.Broadcast()
	})
}

// carry lets arrive happen after the path's delay, in order.
func (c *streamConn) carry(arrive func()) {
	p := c.net.pathOf(c.local.Addr(), c.peers.Addr())
	c.flight = append(c.flight, parcel{time.Now().Add(c.out.travel(p)), arrive})
	c.pump()
}

// pump delivers what is due; over a cut path it tries again later.
func (c *streamConn) pump() {
	for len(c.flight) > 0 && !c.pumping {
		now := time.Now()
		next := c.flight[0].at
		if c.net.pathOf(c.local.Addr(), c.peers.Addr()).Loss >= 1 {
			next = now.Add(retryStream)
		}
		if next.After(now) {
			c.pumping = true
			c.net.schedule(c.out, next, func() {
				c.pumping = false
				c.pump()
			})
			return
		}
		arrive := c.flight[0].arrive
		c.flight = slices.Delete(c.flight, 0, 1)
		arrive()
	}
}

// CloseWrite sends the end of the stream; reading goes on.
func (c *streamConn) CloseWrite() error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	switch {
	case c.closed:
		return opError("close", "tcp", net.ErrClosed)
	case c.broken != nil:
		return opError("close", "tcp", c.broken)
	}
	c.finish()
	return nil
}

func (c *streamConn) finish() {
	if !c.shut && c.broken == nil {
		c.shut = true
		c.push(nil)
	}
}

// SetLinger with 0 makes Close reset the stream, as on a TCP connection.
func (c *streamConn) SetLinger(seconds int) error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	c.hard = seconds == 0
	return nil
}

func (c *streamConn) Close() error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return opError("close", "tcp", net.ErrClosed)
	}
	if c.hard || len(c.unread) > 0 {
		c.abort()
	} else {
		c.finish()
	}
	c.closed = true
	c.unread = nil
	c.read.stop()
	c.write.stop()
	delete(c.net.streams, c)
	c.change.Broadcast()
	return nil
}

// abort resets the peer once the news has travelled.
func (c *streamConn) abort() {
	if c.broken != nil {
		return
	}
	c.broken = syscall.ECONNRESET
	peer := c.peer
	c.carry(peer.reset)
}

func (c *streamConn) reset() {
	if c.broken == nil {
		c.broken = syscall.ECONNRESET
		c.unread = nil
	}
	c.change.Broadcast()
	c.peer.change.Broadcast()
}

// BreakStreams resets both ends of every stream between two addresses at once, as a firewall does that forgets them.
func (m *Memory) BreakStreams(a, b netip.Addr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for c := range m.streams {
		if from, to := c.local.Addr(), c.peers.Addr(); from == a && to == b || from == b && to == a {
			c.reset()
		}
	}
}

func (c *streamConn) LocalAddr() net.Addr  { return net.TCPAddrFromAddrPort(c.local) }
func (c *streamConn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.peers) }

func (c *streamConn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

func (c *streamConn) SetReadDeadline(t time.Time) error  { return c.set(&c.read, t) }
func (c *streamConn) SetWriteDeadline(t time.Time) error { return c.set(&c.write, t) }

func (c *streamConn) set(d *deadline, t time.Time) error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return opError("set", "tcp", net.ErrClosed)
	}
	d.set(t, c.wake)
	c.change.Broadcast()
	return nil
}

func (c *streamConn) wake() {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	c.change.Broadcast()
}
