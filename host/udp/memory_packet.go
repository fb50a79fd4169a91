package udp

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// packetSocket is one datagram socket of a Memory. The server's face is its Conn methods, the client's face [clientSocket].
type packetSocket struct {
	net    *Memory
	local  netip.AddrPort // where it is reached; changed by Rebind
	only   netip.AddrPort // the one peer of a connected socket; zero takes all
	arrive sync.Cond
	queue  []Message
	read   deadline
	write  deadline
	closed bool
}

var _ Conn = (*packetSocket)(nil)

// Listen opens a datagram socket at an exact address; port 0 takes a free one.
func (m *Memory) Listen(addr netip.AddrPort) (Conn, error) {
	s, err := m.open(addr, netip.AddrPort{})
	if err != nil {
		return nil, ListenError("UDP", addr.String(), "server.port / --port", err)
	}
	return s, nil
}

func (m *Memory) open(addr, only netip.AddrPort) (*packetSocket, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	local, err := m.bind("udp", addr)
	if err != nil {
		return nil, err
	}
	s := &packetSocket{net: m, local: local, only: only, arrive: sync.Cond{L: &m.mu}}
	m.sockets[local] = s
	return s, nil
}

// ReadBatch implements [Conn].
func (s *packetSocket) ReadBatch(ms []Message) (int, error) {
	if len(ms) == 0 {
		return 0, nil
	}
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if err := s.await(); err != nil {
		return 0, err
	}
	n := min(len(ms), len(s.queue))
	for i := range n {
		got := s.queue[i]
		room := ms[i].Data[:cap(ms[i].Data)]
		ms[i] = Message{Addr: got.Addr, Data: room[:copy(room, got.Data)]}
	}
	s.queue = slices.Delete(s.queue, 0, n)
	return n, nil
}

// await waits under mu for a datagram.
func (s *packetSocket) await() error {
	for {
		switch {
		case s.closed:
			return net.ErrClosed
		case s.read.passed():
			return os.ErrDeadlineExceeded
		case len(s.queue) > 0:
			return nil
		}
		s.arrive.Wait()
	}
}

// WriteBatch implements [Conn].
func (s *packetSocket) WriteBatch(ms []Message) (int, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	for i := range ms {
		m := &ms[i]
		for data, rest := Cut(m.Data, m.Segment); ; data, rest = Cut(rest, m.Segment) {
			s.net.send(s.local, unmap(m.Addr), data)
			if len(rest) == 0 {
				break
			}
		}
	}
	return len(ms), nil
}

// Mode implements [Conn].
func (s *packetSocket) Mode() string { return "in memory" }

// LocalAddr implements [Conn].
func (s *packetSocket) LocalAddr() netip.AddrPort {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	return s.local
}

// Close implements [Conn]. What is under way to the socket is lost.
func (s *packetSocket) Close() error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.closed = true
	s.queue = nil
	s.read.stop()
	s.write.stop()
	delete(s.net.sockets, s.local)
	s.arrive.Broadcast()
	return nil
}

func (s *packetSocket) wake() {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.arrive.Broadcast()
}

// send throws the dice for one datagram, under mu.
func (m *Memory) send(from, to netip.AddrPort, data []byte) {
	if len(data) > maxDatagram {
		return
	}
	p := m.pathOf(from.Addr(), to.Addr())
	f := m.flowOf(flowKey{"udp", from, to})
	if f.dice.Float64() < p.Loss {
		return
	}
	copies := 1
	if f.dice.Float64() < p.Duplicate {
		copies = 2
	}
	kept := Message{Addr: from, Data: slices.Clone(data)}
	deliver := func() { m.deliver(to, kept) }
	for range copies {
		after := f.travel(p)
		if f.dice.Float64() < p.Reorder {
			late := after + time.Duration(f.dice.Int64N(int64(p.Delay+heldBack))) + 1
			m.schedule(f, time.Now().Add(late), deliver)
			continue
		}
		m.inOrder(f, after, deliver)
	}
}

func (m *Memory) deliver(to netip.AddrPort, msg Message) {
	s := m.sockets[to]
	if s == nil || len(s.queue) >= queueLimit || s.only.IsValid() && s.only != msg.Addr {
		return
	}
	s.queue = append(s.queue, msg)
	s.arrive.Signal()
}

// DialPacket opens a client's datagram socket at a fresh port of from. It sends to and hears only the one address; Read and
// Write move one datagram. Nothing listening there is silence, not an error.
func (m *Memory) DialPacket(from netip.Addr, to netip.AddrPort) (net.Conn, error) {
	s, err := m.open(netip.AddrPortFrom(from, 0), unmap(to))
	if err != nil {
		return nil, opError("dial", "udp", err)
	}
	return &clientSocket{s}, nil
}

// Rebind moves a socket of DialPacket behind a fresh port of another address (or the same), as a NAT does that forgets its
// mapping: from now on its datagrams come from there, and what is sent to the old address is lost.
func (m *Memory) Rebind(c net.Conn, from netip.Addr) (netip.AddrPort, error) {
	s := c.(*clientSocket).s
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.closed {
		return netip.AddrPort{}, net.ErrClosed
	}
	local, err := m.bind("udp", netip.AddrPortFrom(from, 0))
	if err != nil {
		return local, err
	}
	delete(m.sockets, s.local)
	s.local = local
	m.sockets[local] = s
	return local, nil
}

// clientSocket is a connected packetSocket with the standard library's face.
type clientSocket struct{ s *packetSocket }

var _ net.Conn = (*clientSocket)(nil)

func (c *clientSocket) Read(b []byte) (int, error) {
	ms := [1]Message{{Data: b[:0:len(b)]}}
	if _, err := c.s.ReadBatch(ms[:]); err != nil {
		return 0, opError("read", "udp", err)
	}
	return len(ms[0].Data), nil
}

func (c *clientSocket) Write(b []byte) (int, error) {
	m := c.s.net
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case c.s.closed:
		return 0, opError("write", "udp", net.ErrClosed)
	case c.s.write.passed():
		return 0, opError("write", "udp", os.ErrDeadlineExceeded)
	case len(b) > maxDatagram:
		return 0, opError("write", "udp", syscall.EMSGSIZE)
	}
	m.send(c.s.local, c.s.only, b)
	return len(b), nil
}

func (c *clientSocket) Close() error         { return c.s.Close() }
func (c *clientSocket) LocalAddr() net.Addr  { return net.UDPAddrFromAddrPort(c.s.LocalAddr()) }
func (c *clientSocket) RemoteAddr() net.Addr { return net.UDPAddrFromAddrPort(c.s.only) }

func (c *clientSocket) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

func (c *clientSocket) SetReadDeadline(t time.Time) error  { return c.set(&c.s.read, t) }
func (c *clientSocket) SetWriteDeadline(t time.Time) error { return c.set(&c.s.write, t) }

func (c *clientSocket) set(d *deadline, t time.Time) error {
	m := c.s.net
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.s.closed {
		return opError("set", "udp", net.ErrClosed)
	}
	d.set(t, c.s.wake)
	return nil
}
