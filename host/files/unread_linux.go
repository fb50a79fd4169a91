package files

import "golang.org/x/sys/unix"

// sendQueue runs after the stream's end was sent, which counts as a byte of the queue.
func sendQueue(fd uintptr) (int, bool) {
	n, err := unix.IoctlGetInt(int(fd), unix.SIOCOUTQ)
	return max(n-1, 0), err == nil
}
