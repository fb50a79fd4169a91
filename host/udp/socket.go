package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// bufferBytes is what the kernel is asked to hold for each direction, about a second of a full server's traffic.
const bufferBytes = 4 << 20

// Listen opens a datagram socket at addr (host:port). An empty host or [::] takes IPv6 and IPv4, 0.0.0.0 IPv4 only.
// Its errors say what to do.
func Listen(addr string) (Conn, error) {
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
	return &socket{c}, nil
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
			m.Data, m.Addr = m.Data[:n], unmap(from)
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
		_, err := s.c.WriteToUDPAddrPort(ms[i].Data, ms[i].Addr)
		if err == nil {
			sent++
		} else if errors.Is(err, net.ErrClosed) {
			return sent, net.ErrClosed
		}
	}
	return sent, nil
}

func (s *socket) LocalAddr() netip.AddrPort {
	return unmap(s.c.LocalAddr().(*net.UDPAddr).AddrPort())
}

func (s *socket) Close() error { return s.c.Close() }

func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
