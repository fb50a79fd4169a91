// Package udp moves datagrams in batches. [Listen] opens the machine's socket, with one system call for many datagrams where
// there is such (Linux); [Memory] is its in-memory twin, a whole seeded network of datagrams and streams on which hosts and
// clients run in testing/synctest bubbles. Both keep the same contract, and one battery of tests holds them to it. [Group] is
// the many client sockets of a load generator.
package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
)

// Message is one datagram and its peer, or, in a write, several. For a read, Data is a buffer of the caller's with a capacity
// of at least 2,048 bytes; the read reslices it to the datagram's length (a longer datagram is cut to the capacity), sets Addr
// and makes Segment 0.
type Message struct {
	Addr netip.AddrPort
	Data []byte

	// Segment is for writes: 0, or Data holds datagrams of this many bytes in a row to one peer, of which the last may be
	// shorter; at most MaxSegments of them. More are sent too, they only cost more.
	Segment int
}

// Conn is a datagram socket. Reads and writes may run at the same time, but only one of each. IPv4 peers always have plain
// IPv4 addresses, never IPv4-mapped ones.
type Conn interface {
	// ReadBatch waits for at least one datagram and returns how many it put into ms. After Close it returns net.ErrClosed.
	ReadBatch(ms []Message) (int, error)
	// WriteBatch sends all of ms in order and returns how many of them the network took whole. A datagram that cannot be
	// sent (no route, full queue) is lost, as on the way, and the rest goes on; only a closed socket is an error, net.ErrClosed.
	WriteBatch(ms []Message) (int, error)
	// Mode says for a log what the socket runs on, such as "recvmmsg, sendmmsg with UDP segmentation".
	Mode() string
	LocalAddr() netip.AddrPort
	Close() error
}

// ListenError explains why the listening socket of the network "UDP" or "TCP" at addr (host:port) cannot be had, and what to do.
// setting names what the user changes to choose another port. The cause can still be unwrapped.
func ListenError(network, addr, setting string, cause error) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s %q: the address must be host:port, like [::]:7777: %w", network, addr, cause)
	}
	number, numeric := strconv.ParseUint(port, 10, 16)
	switch {
	case numeric != nil:
		return fmt.Errorf("cannot listen on %s %q: the port must be a number from 1 to 65535: set %s: %w", network, addr, setting, cause)
	case isAny(cause, portTaken):
		return &listenError{fmt.Sprintf("%s port %s is taken by another program: stop it or set %s", network, port, setting), cause}
	case errors.Is(cause, syscall.EACCES) && number < 1024:
		return &listenError{fmt.Sprintf("no right to listen on %s port %s: ports below 1024 need an administrator's rights: set %s to a higher one",
			network, port, setting), cause}
	case isAny(cause, noSuchAddress):
		return &listenError{fmt.Sprintf("cannot listen on %s address %s: this machine has no such address", network, host), cause}
	}
	return fmt.Errorf("cannot listen on %s %s: %w", network, addr, cause)
}

// listenError reads as its text alone: the system's words would only repeat it.
type listenError struct {
	text  string
	cause error
}

func (e *listenError) Error() string { return e.text }
func (e *listenError) Unwrap() error { return e.cause }

func isAny(err error, targets []error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
