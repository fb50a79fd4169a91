package files

import (
	"net"
	"syscall"
)

// unread is how many bytes the peer's system has not acknowledged, the nearest to "has not read" that a sender can know.
// The end of the stream counts as a byte once it was sent. It is not known on every system.
func unread(c net.Conn) (n int, known bool) {
	switch c := c.(type) {
	case interface{ Unread() int }:
		return c.Unread(), true
	case syscall.Conn:
		raw, err := c.SyscallConn()
		if err != nil {
			return 0, false
		}
		err = raw.Control(func(fd uintptr) { n, known = sendQueue(fd) })
		return n, known && err == nil
	}
	return 0, false
}
