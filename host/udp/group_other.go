//go:build !linux

package udp

import "net/netip"

// NewGroup makes a group without sockets; server is where all will be connected to.
func NewGroup(server netip.AddrPort) Group { return &plainGroup{server: unmap(server)} }
