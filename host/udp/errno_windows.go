package udp

import "syscall"

// Winsock's numbers; package syscall names few of them.
var (
	portTaken     = []error{syscall.Errno(10048), syscall.Errno(10013)} // WSAEADDRINUSE; WSAEACCES: held exclusively or reserved
	noSuchAddress = []error{syscall.Errno(10049)}                       // WSAEADDRNOTAVAIL

	// passing are errors of one datagram that a read or write reports though the socket is well: a peer's port is closed
	// (WSAECONNRESET, WSAENETRESET), a datagram was longer than the buffer (WSAEMSGSIZE).
	passing = []error{syscall.Errno(10054), syscall.Errno(10052), syscall.Errno(10040)}
)
