package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// bufferBytes is what the kernel is asked to hold for each direction, about a second of a full server's traffic.
const bufferBytes = 4 << 20

// Options choose less than the best that the machine offers, to measure it or to work around it. Off Linux only the plain
// way exists.
type Options struct {
	Plain          bool // one system call a datagram
	NoSegmentation bool // sendmmsg without UDP segmentation

	// Fallback, if set, hears the new Mode when the kernel refuses at run time what it offered at the start; that
	// happens once for each thing refused, on the goroutine that reads or writes.
	Fallback func(mode string)
}

// Listen opens a datagram socket at addr (host:port) with the best that the machine offers. An empty host or [::] takes IPv6
// and IPv4, 0.0.0.0 IPv4 only. Its errors say what to do.
func Listen(addr string) (Conn, error) { return ListenWith(addr, Options{}) }

// ListenWith is Listen with options.
func ListenWith(addr string, o Options) (Conn, error) {
	network, local := socketAddr(addr)
	at, err := net.ResolveUDPAddr(network, local)
	if err != nil {
		return nil, ListenError("UDP", addr, "server.port / --port", err)
	}
	c, err := net.ListenUDP(network, at)
	if err != nil {
		return nil, ListenError("UDP", addr, "server.port / --port", err)
	}
	// What the kernel grants is enough to run; a refusal is not worth a word.
	_ = c.SetReadBuffer(bufferBytes)
	_ = c.SetWriteBuffer(bufferBytes)
	if o.Plain {
		return &socket{c}, nil
	}
	return best(c, o), nil
}

// socketAddr makes Go choose the families: both for an empty or [::] host, even where the kernel has no IPv6.
func socketAddr(addr string) (network, local string) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "udp", addr
	}
	switch ip, _ := netip.ParseAddr(host); {
	case ip == netip.IPv6Unspecified():
		return "udp", net.JoinHostPort("", port)
	case ip.Is4():
		return "udp4", addr
	}
	return "udp", addr
}

// socket is the plain implementation: one system call a datagram.
type socket struct{ c *net.UDPConn }

var _ Conn = (*socket)(nil)

func (s *socket) ReadBatch(ms []Message) (int, error) {
	if len(ms) == 0 {
		return 0, nil
	}
	m := &ms[0]
	for {
		n, from, err := s.c.ReadFromUDPAddrPort(m.Data[:cap(m.Data)])
		switch {
		case err == nil:
			m.Data, m.Addr, m.Segment = m.Data[:n], unmap(from), 0
			return 1, nil
		case errors.Is(err, net.ErrClosed):
			return 0, net.ErrClosed
		case !isAny(err, passing):
			return 0, fmt.Errorf("reading UDP datagrams: %w", err)
		}
	}
}

func (s *socket) WriteBatch(ms []Message) (int, error) {
	sent := 0
	for i := range ms {
		whole, err := s.write(&ms[i])
		if err != nil {
			return sent, err
		}
		if whole {
			sent++
		}
	}
	return sent, nil
}

// write sends the datagrams of one message and says whether the network took all.
func (s *socket) write(m *Message) (whole bool, err error) {
	whole = true
	for data, rest := Cut(m.Data, m.Segment); ; data, rest = Cut(rest, m.Segment) {
		if _, err := s.c.WriteToUDPAddrPort(data, m.Addr); err != nil {
			if errors.Is(err, net.ErrClosed) {
				return false, net.ErrClosed
			}
			whole = false
		}
		if len(rest) == 0 {
			return whole, nil
		}
	}
}

const plainMode = "one system call a datagram"

func (s *socket) Mode() string { return plainMode }

func (s *socket) LocalAddr() netip.AddrPort {
	return unmap(s.c.LocalAddr().(*net.UDPAddr).AddrPort())
}

func (s *socket) Close() error { return s.c.Close() }

func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
