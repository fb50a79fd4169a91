package files

import "golang.org/x/sys/unix"

func sendQueue(fd uintptr) (int, bool) {
	n, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_NWRITE)
	return n, err == nil
}
