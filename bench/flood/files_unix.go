//go:build unix

package main

import (
	"net"
	"syscall"
)

// limitDescriptors lets this process have no more than n open.
func limitDescriptors(n int) error {
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: uint64(n), Max: uint64(n)})
}

// receiveRoom gives a socket a receive buffer of that many bytes before it connects, so that what the peer has not read stays
// with the server; 0 leaves it as it is.
func receiveRoom(bytes int) func(network, address string, c syscall.RawConn) error {
	if bytes == 0 {
		return nil
	}
	return func(_, _ string, c syscall.RawConn) error {
		var err error
		control := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, bytes) })
		if control != nil {
			return control
		}
		return err
	}
}

// wasReset tells that the peer has cut the connection, also while there is something left to read.
func wasReset(c *net.TCPConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	pending := 0
	err = raw.Control(func(fd uintptr) { pending, _ = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR) })
	return err != nil || pending != 0
}
