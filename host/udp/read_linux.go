package udp

import (
	"fmt"
	"net"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxRead is how many datagrams one call brings. More buy nothing: at a game's rates a call finds two or three.
const maxRead = 64

// receiver is the reused arrays of recvmmsg. The kernel writes straight into the caller's buffers.
type receiver struct {
	heads [maxRead]unix.Mmsghdr
	parts [maxRead]unix.Iovec
	names [maxRead]sockaddr
	zones zones

	// wait is the method that the network poller calls until it is content, made once; the rest is its arguments and results.
	wait  func(fd uintptr) bool
	n     int
	errno syscall.Errno
}

// aim points the arrays at the buffers of ms.
func (r *receiver) aim(ms []Message) {
	for i := range ms {
		r.parts[i].Base = unsafe.SliceData(ms[i].Data)
		r.parts[i].SetLen(cap(ms[i].Data))
		h := &r.heads[i].Hdr
		h.Name, h.Namelen = (*byte)(unsafe.Pointer(&r.names[i])), unix.SizeofSockaddrInet6
		h.Iov = &r.parts[i]
		h.SetIovlen(1)
	}
	r.n = len(ms)
}

// receive is what the poller calls: it is done unless there is nothing to read.
func (s *batchSocket) receive(fd uintptr) bool {
	r := &s.receiver
	for {
		n, errno := s.kernel.recvmmsg(fd, r.heads[:r.n])
		switch errno {
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		r.n, r.errno = n, errno
		return true
	}
}

// ReadBatch implements [Conn].
func (s *batchSocket) ReadBatch(ms []Message) (int, error) {
	ms = ms[:min(len(ms), maxRead)]
	if len(ms) == 0 || !s.reads.Load() {
		return s.socket.ReadBatch(ms)
	}
	r := &s.receiver
	for {
		r.aim(ms)
		if s.raw.Read(r.wait) != nil {
			return 0, net.ErrClosed
		}
		switch {
		case r.errno == 0:
			for i := range r.n {
				ms[i].Addr = r.zones.decode(&r.names[i])
				ms[i].Data = ms[i].Data[:r.heads[i].Len]
				ms[i].Segment = 0
			}
			return r.n, nil
		case r.errno == unix.ENOSYS:
			s.refused(&s.reads)
			return s.socket.ReadBatch(ms)
		case !isAny(r.errno, passing):
			return 0, fmt.Errorf("reading UDP datagrams: %w", r.errno)
		}
	}
}
