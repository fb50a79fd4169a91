package files

import "golang.org/x/sys/unix"

func sendQueue(fd uintptr) (int, bool) {
	n, err := unix.IoctlGetInt(int(fd), unix.SIOCOUTQ)
	return n, err == nil
}
