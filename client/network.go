package client

import (
	"context"
	"net"
	"net/netip"
)

// Network is the way to a server. The real one is used when Config.Network is nil; tests hand in one in memory.
type Network interface {
	// DialPacket opens a connected datagram socket to server ("host:port"): Read and Write carry one datagram each,
	// and nothing of another address is read. RemoteAddr must parse as an address and port.
	DialPacket(ctx context.Context, server string) (net.Conn, error)
	// DialStream opens a TCP connection to the client-file server.
	DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error)
}

type realNetwork struct{ dialer net.Dialer }

func (n *realNetwork) DialPacket(ctx context.Context, server string) (net.Conn, error) {
	// A name such as localhost often has addresses of both families, and a datagram socket cannot try them in turn.
	// Servers are reached by IPv4 more often than not.
	if c, err := n.dialer.DialContext(ctx, "udp4", server); err == nil {
		return c, nil
	}
	return n.dialer.DialContext(ctx, "udp", server)
}

func (n *realNetwork) DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	return n.dialer.DialContext(ctx, "tcp", to.String())
}
