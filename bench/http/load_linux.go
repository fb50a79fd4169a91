package main

import (
	"fmt"
	"net/netip"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

const connections = 8

// load asks for the target over 8 connections and prints the number of answers and the nanoseconds they took. It must cost
// less than any server, so it is one thread of raw system calls that looks at its connections in turn and never sleeps (waking it
// would be work of the server's core), and the kernel throws the bodies away (MSG_TRUNC). Each connection has a source address of its own, so that
// the limit per address stays out of it.
func load(target string, size int, length time.Duration) error {
	addr, path, _ := strings.Cut(target, "/")
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	l := &loader{
		to:      inet4(at.Addr().As4(), at.Port()),
		request: fmt.Appendf(nil, "GET /%s HTTP/1.1\r\nHost: %s\r\n\r\n", path, addr),
		room:    make([]byte, 8<<20),
	}
	start := time.Now()
	for slot := range connections {
		if err := l.open(slot); err != nil {
			return err
		}
	}
	requests := 0
	for slot := 0; time.Since(start) < length; slot = (slot + 1) % connections {
		ended, err := l.take(slot)
		if err != nil {
			return err
		}
		if !ended {
			continue
		}
		if l.got[slot] < size {
			return fmt.Errorf("an answer has %d bytes of %d", l.got[slot], size)
		}
		requests++
		if err := l.open(slot); err != nil {
			return err
		}
	}
	fmt.Println(requests, time.Since(start).Nanoseconds())
	return nil
}

type loader struct {
	to      syscall.RawSockaddrInet4
	request []byte
	room    []byte
	sockets [connections]uintptr
	got     [connections]int
}

func inet4(ip [4]byte, port uint16) syscall.RawSockaddrInet4 {
	return syscall.RawSockaddrInet4{Family: syscall.AF_INET, Addr: ip, Port: port<<8 | port>>8}
}

const bindAddressNoPort = 24 // IP_BIND_ADDRESS_NO_PORT: connect picks the port

// open connects a slot and sends its request.
func (l *loader) open(slot int) error {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_SOCKET, syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if errno != 0 {
		return fmt.Errorf("socket: %w", errno)
	}
	l.sockets[slot], l.got[slot] = fd, 0
	syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, bindAddressNoPort, 1)
	from := inet4([4]byte{127, 0, 1, byte(slot + 1)}, 0)
	if err := address(syscall.SYS_BIND, fd, &from); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	if err := address(syscall.SYS_CONNECT, fd, &l.to); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(&l.request[0])), uintptr(len(l.request)))
	if int(n) != len(l.request) {
		return fmt.Errorf("write: %w", errno)
	}
	return nil
}

func address(call, fd uintptr, a *syscall.RawSockaddrInet4) error {
	if _, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(a)), unsafe.Sizeof(*a)); errno != 0 {
		return errno
	}
	return nil
}

// take takes what has come of a slot's answer and reports its end.
func (l *loader) take(slot int) (ended bool, err error) {
	fd := l.sockets[slot]
	for {
		n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(&l.room[0])), uintptr(len(l.room)),
			syscall.MSG_TRUNC|syscall.MSG_DONTWAIT, 0, 0)
		switch {
		case errno == syscall.EAGAIN || errno == syscall.EINTR:
			return false, nil
		case errno != 0:
			return false, fmt.Errorf("read: %w", errno)
		case n == 0:
			syscall.RawSyscall(syscall.SYS_CLOSE, fd, 0, 0)
			return true, nil
		}
		l.got[slot] += int(n)
	}
}
