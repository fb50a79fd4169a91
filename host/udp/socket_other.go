//go:build !linux

package udp

import "net"

// best is the plain way: no other system sends or receives many datagrams in one call that Go offers.
func best(c *net.UDPConn, _ Options) Conn { return &socket{c} }
