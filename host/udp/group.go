package udp

import (
	"net/netip"
	"time"
)

// Group is many client sockets in one process, each with a port of its own and all connected to one server: what a load
// generator needs. It waits for nothing: whoever owns it polls every few milliseconds, which costs less than waking for each
// datagram, and the time of each arrival is the kernel's, so a late look does not change what is measured.
//
// Add, Poll and Close are for one goroutine at a time. Send may run beside Poll, from any number of goroutines.
type Group interface {
	// Add opens the next socket at a fresh port of an own address (the zero Addr lets the system choose one) and returns its
	// number; the first is 0.
	Add(from netip.Addr) (int, error)
	// Send sends one datagram from socket i. What cannot be sent is lost, as on the way.
	Send(i int, b []byte)
	// Poll hands over all that has arrived, without waiting, socket by socket and in each in order: b holds datagrams of
	// segment bytes in a row, of which the last may be shorter (see [Cut]), and is valid during the call. at is wall time.
	Poll(arrived func(i int, b []byte, segment int, at time.Time))
	// LocalAddr is where socket i is reached.
	LocalAddr(i int) netip.AddrPort
	Close() error
}

// groupBufferBytes is what the kernel is asked to hold for each socket: by its own count a small datagram takes most of a
// kilobyte, so this is over 40 ms of 1,200 datagrams a second several times over.
const groupBufferBytes = 512 << 10
