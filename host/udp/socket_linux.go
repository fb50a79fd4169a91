package udp

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// batchSocket moves many datagrams in one system call. What the kernel refuses at run time is switched off for good, and the
// plain socket inside does that work from then on.
type batchSocket struct {
	socket
	raw      syscall.RawConn
	kernel   kernel
	fallback func(mode string)
	reads    atomic.Bool // recvmmsg
	writes   atomic.Bool // sendmmsg
	segments atomic.Bool // UDP segmentation in sendmmsg
	receiver receiver
	sender   sender
}

var _ Conn = (*batchSocket)(nil)

// kernel is the system calls that a batchSocket makes; tests put others in their place.
type kernel struct {
	recvmmsg func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno)
	sendmmsg func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno)
}

var system = kernel{
	recvmmsg: func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) { return mmsg(unix.SYS_RECVMMSG, fd, ms) },
	sendmmsg: func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) { return mmsg(unix.SYS_SENDMMSG, fd, ms) },
}

func mmsg(call, fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) {
	n, _, errno := unix.Syscall6(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(ms))), uintptr(len(ms)), unix.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// best is the batched way as far as this kernel has it.
func best(c *net.UDPConn, o Options) Conn {
	s := batch(c, system)
	if s == nil {
		return &socket{c}
	}
	s.segments.Store(!o.NoSegmentation && segmentation())
	s.fallback = o.Fallback
	return s
}

// batch makes the socket without UDP segmentation, or none where the kernel (or what filters its calls) has no calls for it.
func batch(c *net.UDPConn, k kernel) *batchSocket {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	s := &batchSocket{socket: socket{c}, raw: raw, kernel: k}
	err = raw.Control(func(fd uintptr) {
		local, _ := unix.Getsockname(int(fd))
		_, s.sender.six = local.(*unix.SockaddrInet6)
		// With the right to (CAP_NET_ADMIN) more than the system's limit, which holds some 500 frames.
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, bufferBytes)
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUFFORCE, bufferBytes)
		_, refused := k.recvmmsg(fd, nil)
		s.reads.Store(refused == 0)
		_, refused = k.sendmmsg(fd, nil)
		s.writes.Store(refused == 0)
	})
	if err != nil || !s.reads.Load() && !s.writes.Load() {
		return nil
	}
	s.receiver.wait = s.receive
	s.sender.wait = s.send
	return s
}

// segmentation tries once a process whether the kernel splits one message into datagrams, with a datagram and a half to
// ourselves: some systems that speak Linux's calls would take the order and send the whole.
var segmentation = sync.OnceValue(func() bool {
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		return false
	}
	defer c.Close()
	s := batch(c, system)
	if s == nil || !s.writes.Load() {
		return false
	}
	s.segments.Store(true)
	if sent, err := s.WriteBatch([]Message{{Addr: s.LocalAddr(), Data: []byte("abc"), Segment: 2}}); sent != 1 || err != nil {
		return false
	}
	c.SetReadDeadline(time.Now().Add(time.Second))
	n, err := c.Read(make([]byte, 3))
	return n == 2 && err == nil && s.segments.Load()
})

func (s *batchSocket) Mode() string {
	reads, writes := "one system call a datagram read", "one system call a datagram sent"
	if s.reads.Load() {
		reads = "recvmmsg"
	}
	switch {
	case s.writes.Load() && s.segments.Load():
		writes = "sendmmsg with UDP segmentation"
	case s.writes.Load():
		writes = "sendmmsg"
	case !s.reads.Load():
		return plainMode
	}
	return reads + ", " + writes
}

// refused switches off what the kernel does not do after all.
func (s *batchSocket) refused(what *atomic.Bool) {
	what.Store(false)
	if s.fallback != nil {
		s.fallback(s.Mode())
	}
}
