package main

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const connections = 8

// load asks for the target over 8 connections at a time and prints the number of answers and the nanoseconds they took. The
// kernel throws the bodies away (MSG_TRUNC), so that the load costs less than any server. Each connection has a source address
// of its own, so that the limit per address stays out of it.
func load(target string, size int, length time.Duration) error {
	addr, path, _ := strings.Cut(target, "/")
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	poll, err := unix.EpollCreate1(0)
	if err != nil {
		return err
	}
	l := &loader{
		to:      unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()},
		request: fmt.Appendf(nil, "GET /%s HTTP/1.1\r\nHost: %s\r\n\r\n", path, addr),
		poll:    poll,
		bySlot:  make([]int, connections),
		got:     make([]int, connections),
		buf:     make([]byte, 4<<20),
	}
	start := time.Now()
	for i := range connections {
		if err := l.open(i); err != nil {
			return err
		}
	}
	requests := 0
	events := make([]unix.EpollEvent, connections)
	for time.Since(start) < length {
		n, err := unix.EpollWait(poll, events, 100)
		if err != nil && err != unix.EINTR {
			return err
		}
		for _, e := range events[:max(n, 0)] {
			slot := int(e.Fd)
			ended, err := l.drain(slot)
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
	}
	fmt.Println(requests, time.Since(start).Nanoseconds())
	return nil
}

type loader struct {
	to      unix.SockaddrInet4
	request []byte
	poll    int
	bySlot  []int // file descriptors
	got     []int // bytes of the answer
	buf     []byte
}

// open connects a slot and sends its request. Connecting over loopback is done when the call returns.
func (l *loader) open(slot int) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1)
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 1, byte(slot + 1)}}); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	if err := unix.Connect(fd, &l.to); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if _, err := unix.Write(fd, l.request); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	l.bySlot[slot], l.got[slot] = fd, 0
	return unix.EpollCtl(l.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(slot)})
}

// drain takes what has arrived and reports the end of the answer.
func (l *loader) drain(slot int) (ended bool, err error) {
	fd := l.bySlot[slot]
	for {
		n, _, errno := unix.Syscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&l.buf[0])), uintptr(len(l.buf)),
			unix.MSG_TRUNC|unix.MSG_DONTWAIT, 0, 0)
		switch {
		case errno == unix.EAGAIN:
			return false, nil
		case errno != 0:
			return false, fmt.Errorf("read: %w", errno)
		case n == 0:
			return true, unix.Close(fd)
		}
		l.got[slot] += int(n)
	}
}
