package host

import (
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"sync"

	"darqline/host/files"
	"darqline/host/udp"
)

// Network opens a server's sockets. The zero Options use the machine's own; tests and embedding programs may hand in
// another, such as MemoryNetwork.
type Network interface {
	ListenPacket(addr string) (udp.Conn, error)
	ListenStream(addr string) (net.Listener, error)
}

// systemNetwork is the machine's.
type systemNetwork struct{ log *slog.Logger }

func (n systemNetwork) ListenPacket(addr string) (udp.Conn, error) {
	return udp.ListenWith(addr, udp.Options{Fallback: func(mode string) {
		n.log.Warn("the kernel refuses what sent datagrams together: the server needs more CPU from here on", "runs_on", mode)
	}})
}

func (systemNetwork) ListenStream(addr string) (net.Listener, error) { return files.Listen(addr) }

// MemoryNetwork runs a server inside an in-memory network, at one address of it.
type MemoryNetwork struct {
	Memory *udp.Memory
	Host   netip.Addr
}

func (n MemoryNetwork) at(addr string) (netip.AddrPort, error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	return netip.AddrPortFrom(n.Host, uint16(number)), err
}

func (n MemoryNetwork) ListenPacket(addr string) (udp.Conn, error) {
	at, err := n.at(addr)
	if err != nil {
		return nil, err
	}
	return n.Memory.Listen(at)
}

func (n MemoryNetwork) ListenStream(addr string) (net.Listener, error) {
	at, err := n.at(addr)
	if err != nil {
		return nil, err
	}
	return n.Memory.ListenStream(at)
}

// outbox gathers the datagrams of one round and sends them as one batch.
type outbox struct {
	mu      sync.Mutex
	conn    udp.Conn
	pending []udp.Message
	used    int
	sending []udp.Message // the other half of the double buffer
	send    sync.Mutex    // a socket has one writer at a time
}

// maxPending is how many datagrams may wait for the socket; the network loses the rest, as it may at any time.
const maxPending = 16_384

// keepBuffer is the largest buffer that is kept for the next round. What a lane sends in one piece takes up to 64 datagrams of
// 1,200 bytes, and any place in a batch may have had such a piece once.
const keepBuffer = 16 << 10

// add copies a datagram, or several of segment bytes; it is called with the session's lock held. What follows a datagram of
// its size to the same peer joins it: so what a lane sends at once leaves in one piece.
func (o *outbox) add(to netip.AddrPort, b []byte, segment int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.used > 0 && segment == 0 {
		if m := &o.pending[o.used-1]; m.Addr == to && joins(m, len(b)) {
			m.Data, m.Segment = append(m.Data, b...), len(b)
			return
		}
	}
	switch {
	case o.used == maxPending:
		return
	case o.used == len(o.pending):
		o.pending = append(o.pending, udp.Message{})
	}
	m := &o.pending[o.used]
	m.Addr, m.Data, m.Segment = to, append(m.Data[:0], b...), segment
	o.used++
}

// flush sends what was gathered. The network loses what it cannot take; only a closed socket ends the server, and the
// reader sees that.
func (o *outbox) flush() {
	o.send.Lock()
	defer o.send.Unlock()
	o.mu.Lock()
	n := o.used
	o.pending, o.sending, o.used = o.sending, o.pending, 0
	o.mu.Unlock()
	o.conn.WriteBatch(o.sending[:n])
	for i := range o.sending[:n] {
		if m := &o.sending[i]; cap(m.Data) > keepBuffer {
			m.Data = nil
		}
	}
}

// joins says whether a datagram of size bytes may follow in a message: all of a message but the last are of one size.
func joins(m *udp.Message, size int) bool {
	one := m.Segment
	if one == 0 {
		one = len(m.Data)
	}
	return one == size && len(m.Data)%size == 0 && len(m.Data) < udp.MaxSegments*size
}
