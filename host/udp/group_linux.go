package udp

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// NewGroup makes a group without sockets; server is where all will be connected to.
func NewGroup(server netip.AddrPort) Group {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return &plainGroup{server: unmap(server)}
	}
	defer unix.Close(fd)
	if _, refused := system.recvmmsg(uintptr(fd), nil); refused != 0 {
		return &plainGroup{server: unmap(server)}
	}
	return newKernelGroup(server)
}

// groupRead is how many reads of a socket go into one system call. What a server sent with UDP segmentation arrives merged,
// so one read may be 64 datagrams.
const groupRead = 32

// kernelGroup drains each socket with one recvmmsg. The sockets stand outside of Go's poller and there is no epoll: at a
// server's rates each has something at each poll, and nobody pays for wake-ups.
type kernelGroup struct {
	server   netip.AddrPort
	sockets  []int
	zones    zones
	heads    [groupRead]unix.Mmsghdr
	parts    [groupRead]unix.Iovec
	controls [groupRead]arrivalControl
	buffers  [groupRead][]byte
}

// arrivalControl is room for the control messages of one read, a time and a segment size, aligned for them.
type arrivalControl [8]uint64

var _ Group = (*kernelGroup)(nil)

func newKernelGroup(server netip.AddrPort) *kernelGroup {
	g := &kernelGroup{server: unmap(server)}
	for i := range g.heads {
		g.buffers[i] = make([]byte, 1<<16)
		g.parts[i].Base = &g.buffers[i][0]
		g.parts[i].SetLen(len(g.buffers[i]))
		h := &g.heads[i].Hdr
		h.Iov = &g.parts[i]
		h.SetIovlen(1)
		h.Control = (*byte)(unsafe.Pointer(&g.controls[i]))
	}
	return g
}

func (g *kernelGroup) Add(from netip.Addr) (int, error) {
	family := unix.AF_INET6
	if g.server.Addr().Is4() {
		family = unix.AF_INET
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}
	if err := g.prepare(fd, from); err != nil {
		unix.Close(fd)
		return 0, err
	}
	g.sockets = append(g.sockets, fd)
	return len(g.sockets) - 1, nil
}

func (g *kernelGroup) prepare(fd int, from netip.Addr) error {
	// Without these a poll costs more, loses more or tells the time of the poll.
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, groupBufferBytes)
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_UDP, unix.UDP_GRO, 1)
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	if from.IsValid() {
		if err := unix.Bind(fd, g.sockaddr(netip.AddrPortFrom(from, 0))); err != nil {
			return fmt.Errorf("cannot send from %v: %w", from, err)
		}
	}
	if err := unix.Connect(fd, g.sockaddr(g.server)); err != nil {
		return fmt.Errorf("cannot send to %v: %w", g.server, err)
	}
	return nil
}

func (g *kernelGroup) sockaddr(a netip.AddrPort) unix.Sockaddr {
	if ip := a.Addr().Unmap(); ip.Is4() {
		return &unix.SockaddrInet4{Addr: ip.As4(), Port: int(a.Port())}
	}
	return &unix.SockaddrInet6{Addr: a.Addr().As16(), Port: int(a.Port()), ZoneId: g.zones.number(a.Addr().Zone())}
}

func (g *kernelGroup) Send(i int, b []byte) { _, _ = unix.Write(g.sockets[i], b) }

func (g *kernelGroup) Poll(arrived func(i int, b []byte, segment int, at time.Time)) {
	for i, fd := range g.sockets {
		for g.drain(i, fd, arrived) {
		}
	}
}

// drain reads once and says whether there may be more.
func (g *kernelGroup) drain(i, fd int, arrived func(i int, b []byte, segment int, at time.Time)) bool {
	for k := range g.heads {
		g.heads[k].Hdr.SetControllen(int(unsafe.Sizeof(arrivalControl{})))
	}
	n, errno := system.recvmmsg(uintptr(fd), g.heads[:])
	if errno != 0 {
		return errno == unix.EINTR || isAny(errno, passing)
	}
	for k := range n {
		b := g.buffers[k][:g.heads[k].Len]
		segment, at := g.controls[k].read(int(g.heads[k].Hdr.Controllen))
		if segment == 0 {
			segment = len(b)
		}
		if at.IsZero() {
			at = time.Now()
		}
		arrived(i, b, segment, at)
	}
	return n == groupRead
}

// read finds the segment size and the time among the first n bytes, both zero if the kernel does not say.
func (c *arrivalControl) read(n int) (segment int, at time.Time) {
	all := unsafe.Slice((*byte)(unsafe.Pointer(c)), unsafe.Sizeof(*c))
	for rest := all[:min(n, len(all))]; len(rest) >= unix.SizeofCmsghdr; {
		h := (*unix.Cmsghdr)(unsafe.Pointer(&rest[0]))
		if int(h.Len) < unix.SizeofCmsghdr || int(h.Len) > len(rest) {
			break
		}
		body := rest[unix.CmsgLen(0):h.Len]
		switch {
		case h.Level == unix.IPPROTO_UDP && h.Type == unix.UDP_GRO && len(body) >= 4:
			segment = int(*(*int32)(unsafe.Pointer(&body[0])))
		case h.Level == unix.SOL_SOCKET && h.Type == unix.SO_TIMESTAMPNS && len(body) >= int(unsafe.Sizeof(unix.Timespec{})):
			t := (*unix.Timespec)(unsafe.Pointer(&body[0]))
			at = time.Unix(t.Unix())
		}
		rest = rest[min(unix.CmsgSpace(len(body)), len(rest)):]
	}
	return segment, at
}

func (g *kernelGroup) LocalAddr(i int) netip.AddrPort {
	local, err := unix.Getsockname(g.sockets[i])
	if err != nil {
		return netip.AddrPort{}
	}
	switch a := local.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *unix.SockaddrInet6:
		return unmap(netip.AddrPortFrom(netip.AddrFrom16(a.Addr), uint16(a.Port)))
	}
	return netip.AddrPort{}
}

func (g *kernelGroup) Close() error {
	var errs []error
	for _, fd := range g.sockets {
		errs = append(errs, unix.Close(fd))
	}
	g.sockets = nil
	return errors.Join(errs...)
}
