package udp

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// plainGroup is the Group of any system: a goroutine reads each socket and keeps what comes, with the time of the read, for
// the next Poll.
type plainGroup struct {
	server  netip.AddrPort
	sockets []*net.UDPConn
	readers sync.WaitGroup
	mu      sync.Mutex
	kept    []arrival // guarded by mu; more than maxKept are lost
	polled  []arrival // the other half of the double buffer
}

// arrival is one datagram; its buffer is used again.
type arrival struct {
	socket int
	data   []byte
	at     time.Time
}

// maxKept is 40 ms of the datagrams of 1,000 clients that hear 1,200 a second.
const maxKept = 48_000

var _ Group = (*plainGroup)(nil)

func (g *plainGroup) Add(from netip.Addr) (int, error) {
	var local *net.UDPAddr
	if from.IsValid() {
		local = net.UDPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	c, err := net.DialUDP("udp", local, net.UDPAddrFromAddrPort(g.server))
	if err != nil {
		return 0, err
	}
	_ = c.SetReadBuffer(groupBufferBytes) // what the system grants is enough to run
	i := len(g.sockets)
	g.sockets = append(g.sockets, c)
	g.readers.Go(func() { g.read(i, c) })
	return i, nil
}

func (g *plainGroup) read(i int, c *net.UDPConn) {
	b := make([]byte, maxDatagram)
	for {
		n, err := c.Read(b)
		switch {
		case err == nil:
			g.keep(i, b[:n], time.Now())
		case errors.Is(err, net.ErrClosed) || !isAny(err, passing):
			return
		}
	}
}

func (g *plainGroup) keep(i int, b []byte, at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := len(g.kept)
	switch {
	case n == maxKept:
		return
	case n < cap(g.kept):
		g.kept = g.kept[:n+1]
	default:
		g.kept = append(g.kept, arrival{})
	}
	a := &g.kept[n]
	a.socket, a.at, a.data = i, at, append(a.data[:0], b...)
}

func (g *plainGroup) Send(i int, b []byte) { _, _ = g.sockets[i].Write(b) }

func (g *plainGroup) Poll(arrived func(i int, b []byte, segment int, at time.Time)) {
	g.mu.Lock()
	g.kept, g.polled = g.polled[:0], g.kept
	g.mu.Unlock()
	for i := range g.polled {
		a := &g.polled[i]
		arrived(a.socket, a.data, len(a.data), a.at)
	}
}

func (g *plainGroup) LocalAddr(i int) netip.AddrPort {
	return unmap(g.sockets[i].LocalAddr().(*net.UDPAddr).AddrPort())
}

func (g *plainGroup) Close() error {
	var errs []error
	for _, c := range g.sockets {
		errs = append(errs, c.Close())
	}
	g.readers.Wait()
	g.sockets = nil
	return errors.Join(errs...)
}
