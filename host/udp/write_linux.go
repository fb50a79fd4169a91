package udp

import (
	"net"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxWrite is how many messages one call sends; the kernel takes no more.
const maxWrite = 1024

// sender is the reused arrays of sendmmsg.
type sender struct {
	heads []unix.Mmsghdr
	slots []slot
	zones zones
	six   bool

	// wait is the method that the network poller calls until it is content, made once; the rest is its arguments and results.
	wait     func(fd uintptr) bool
	from, to int           // heads[from:to] are yet to be sent
	errno    syscall.Errno // why heads[from] failed, if from < to
}

// slot is what one head points at, and the place where it came from.
type slot struct {
	part    unix.Iovec
	control segmentControl
	name    sockaddr
	place   place
}

// place is a position in a batch: a message and how many bytes of it are behind us.
type place struct{ message, offset int }

// segmentControl is the control message that has the kernel split one message into datagrams of size bytes.
type segmentControl struct {
	unix.Cmsghdr
	size uint16
	_    [6]byte
}

// grow makes room for n messages, up to maxWrite; at least twice the room, so that it does so a few times only.
func (w *sender) grow(n int) {
	if min(n, maxWrite) <= len(w.heads) {
		return
	}
	n = min(max(n, 2*len(w.heads)), maxWrite)
	w.heads, w.slots = make([]unix.Mmsghdr, n), make([]slot, n)
	for i := range w.heads {
		h, s := &w.heads[i].Hdr, &w.slots[i]
		h.Name, h.Iov = (*byte)(unsafe.Pointer(&s.name)), &s.part
		h.SetIovlen(1)
		s.control.Level, s.control.Type = unix.IPPROTO_UDP, unix.UDP_SEGMENT
		s.control.SetLen(unix.CmsgLen(2))
	}
}

// fill prepares what follows at and returns the place behind it.
func (w *sender) fill(ms []Message, at place, segments bool) place {
	w.from, w.to = 0, 0
	for ; at.message < len(ms) && w.to < len(w.heads); w.to++ {
		m, h, s := &ms[at.message], &w.heads[w.to].Hdr, &w.slots[w.to]
		size := m.Segment
		if segments {
			size = together(size)
		}
		data, rest := Cut(m.Data[at.offset:], size)
		s.place = at
		s.part.Base = unsafe.SliceData(data)
		s.part.SetLen(len(data))
		h.Namelen = w.zones.encode(&s.name, m.Addr, w.six)
		h.Control = nil
		h.SetControllen(0)
		if segments && m.Segment > 0 && len(data) > m.Segment {
			s.control.size = uint16(m.Segment)
			h.Control = (*byte)(unsafe.Pointer(&s.control))
			h.SetControllen(int(unsafe.Sizeof(s.control)))
		}
		if at.offset += len(data); len(rest) == 0 {
			at = place{at.message + 1, 0}
		}
	}
	return at
}

// send is what the poller calls: it is done unless the socket's buffer is full. It stops at a message that fails.
func (s *batchSocket) send(fd uintptr) bool {
	w := &s.sender
	for w.from < w.to {
		n, errno := s.kernel.sendmmsg(fd, w.heads[w.from:w.to])
		switch errno {
		case 0, unix.EINTR:
			w.from += n
		case unix.EAGAIN:
			return false
		default:
			w.errno = errno
			return true
		}
	}
	return true
}

// WriteBatch implements [Conn].
func (s *batchSocket) WriteBatch(ms []Message) (int, error) {
	w := &s.sender
	w.grow(len(ms))
	lost, last := 0, -1 // messages that the network did not take whole, and the newest of them
	for at := (place{}); at.message < len(ms); {
		if !s.writes.Load() {
			sent, err := s.plainly(ms, at)
			return at.message - lost + sent, err
		}
		segments := s.segments.Load()
		at = w.fill(ms, at, segments)
		for w.from < w.to {
			if s.raw.Write(w.wait) != nil {
				return w.slots[w.from].place.message - lost, net.ErrClosed
			}
			if w.from == w.to {
				break
			}
			failed := w.slots[w.from].place
			if w.errno == unix.ENOSYS {
				s.refused(&s.writes)
				at = failed
				break
			}
			if !s.singly(ms) && failed.message != last {
				lost, last = lost+1, failed.message
			}
			if w.from++; w.from < w.to && segments && !s.segments.Load() {
				at = w.slots[w.from].place
				break
			}
		}
	}
	return len(ms) - lost, nil
}

// smallestPath is the largest datagram that any way through the net takes (RFC 791: 576 bytes less the longest header). A
// longer segment may be refused because it does not fit one peer's path, which says nothing about the kernel.
const smallestPath = 508

// singly sends the message that failed as single datagrams if its segments may be why, and then it switches segmentation
// off. It says whether the network took them; where it did not, the reason was another.
func (s *batchSocket) singly(ms []Message) bool {
	w := &s.sender
	switch w.errno {
	case unix.EIO, unix.EINVAL, unix.ENOPROTOOPT:
	default:
		return false
	}
	if w.heads[w.from].Hdr.Control == nil {
		return false
	}
	from := &w.slots[w.from]
	m := ms[from.place.message]
	m.Data = m.Data[from.place.offset:]
	m.Data = m.Data[:min(len(m.Data), together(m.Segment))]
	whole, err := s.socket.write(&m)
	if err != nil || !whole {
		return false
	}
	if m.Segment <= smallestPath {
		s.refused(&s.segments)
	}
	return true
}

// plainly sends what follows at without sendmmsg.
func (s *batchSocket) plainly(ms []Message, at place) (int, error) {
	if at.offset == 0 {
		return s.socket.WriteBatch(ms[at.message:])
	}
	m := ms[at.message]
	m.Data = m.Data[at.offset:]
	whole, err := s.socket.write(&m)
	if err != nil {
		return 0, err
	}
	sent, err := s.socket.WriteBatch(ms[at.message+1:])
	if whole {
		sent++
	}
	return sent, err
}
