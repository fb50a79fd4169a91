//go:build !windows

package udp

import "syscall"

var (
	portTaken     = []error{syscall.EADDRINUSE}
	noSuchAddress = []error{syscall.EADDRNOTAVAIL}

	// passing are errors of one datagram that a read reports though the socket is well: a peer's port is closed or out of reach.
	passing = []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EHOSTDOWN}
)
