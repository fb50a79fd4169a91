package host_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"darqline/host/internal/wholefile"
	"darqline/host/udp"
	"darqline/protocol"
)

// The faults that a storm is made of, beside those of the network.

// stall is a pause of the server's own: until its end no loop of it gets on. Its sockets' calls return only then, as they
// do in a process that was stopped, its script loop sleeps, and what players send waits in the socket. Only timers that
// nobody waits for can go on; what is due on them is done afterwards.
type stall struct{ until atomic.Pointer[time.Time] }

func (s *stall) begin(d time.Duration) {
	until := time.Now().Add(d)
	s.until.Store(&until)
}

func (s *stall) lasts() bool {
	until := s.until.Load()
	return until != nil && time.Now().Before(*until)
}

// wait returns when the pause is over. It blocks on the clock alone, so that a bubble's time goes on.
func (s *stall) wait() {
	if until := s.until.Load(); until != nil {
		time.Sleep(time.Until(*until))
	}
}

// stalledListener is the file server's.
type stalledListener struct {
	net.Listener
	s *stall
}

func (l stalledListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	l.s.wait()
	if err != nil {
		return nil, err
	}
	return stalledStream{c, l.s}, nil
}

type stalledStream struct {
	net.Conn
	s *stall
}

func (c stalledStream) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.s.wait()
	return n, err
}

func (c stalledStream) Write(b []byte) (int, error) {
	c.s.wait()
	return c.Conn.Write(b)
}

// wallClock is the machine's clock, which somebody sets.
type wallClock struct{ off atomic.Int64 }

func (c *wallClock) now() time.Time        { return time.Now().Add(time.Duration(c.off.Load())) }
func (c *wallClock) set(off time.Duration) { c.off.Store(int64(off)) }

// diskFaults are what a disk does that is full, or breaks.
var diskFaults = []struct {
	op  string
	err error
}{{"write", syscall.ENOSPC}, {"short", syscall.ENOSPC}, {"sync", syscall.EIO}, {"open", syscall.ENOSPC}, {"rename", syscall.EIO}, {"close", syscall.EIO}}

// spoil lets one kind of call fail, each time or once.
func spoil(disk *wholefile.Faults, r *rand.Rand) {
	f := diskFaults[r.IntN(len(diskFaults))]
	disk.Fail(f.op, r.IntN(3), f.err)
}

// pest is a stranger who sends what he likes, from many addresses, and reads nothing.
type pest struct {
	mem  *udp.Memory
	w    *wire
	r    *rand.Rand
	stop chan struct{}
	done sync.WaitGroup
}

func newPest(mem *udp.Memory, w *wire, r *rand.Rand) *pest {
	p := &pest{mem: mem, w: w, r: r, stop: make(chan struct{})}
	p.done.Go(func() {
		for {
			select {
			case <-p.stop:
				return
			case <-time.After(time.Duration(100+p.r.IntN(900)) * time.Millisecond):
				p.burst()
			}
		}
	})
	return p
}

func (p *pest) end() {
	close(p.stop)
	p.done.Wait()
}

// burst is one act, from one address.
func (p *pest) burst() {
	from := netip.AddrFrom4([4]byte{192, 0, 2, byte(1 + p.r.IntN(250))})
	conn, err := p.mem.DialPacket(from, netip.AddrPortFrom(serverHost, 7777))
	if err != nil {
		return
	}
	defer conn.Close()
	act := pranks[p.r.IntN(len(pranks))]
	for range 1 + p.r.IntN(30) {
		if b := act(p); len(b) > 0 {
			_, _ = conn.Write(b)
		}
	}
}

var pranks = []func(p *pest) []byte{
	func(p *pest) []byte { return p.noise(p.r.IntN(1400)) },
	func(p *pest) []byte { // a packet that there is, and nothing in it
		b := p.noise(1 + p.r.IntN(1200))
		if len(b) > 0 {
			b[0] = byte(p.r.IntN(256))
		}
		return b
	},
	func(p *pest) []byte { return p.again() },
	func(p *pest) []byte { // what a player has sent, with a bit of it turned
		b := p.again()
		if len(b) > 0 {
			b[p.r.IntN(len(b))] ^= 1 << p.r.IntN(8)
		}
		return b
	},
	func(p *pest) []byte {
		return encoded(protocol.Header{}, &protocol.ClientHello{Version: protocol.Version, Nonce: p.r.Uint64() | 1, Name: fmt.Sprint("Pest", p.r.IntN(1000))})
	},
	func(p *pest) []byte { // a cookie that nobody has given him
		h := &protocol.ClientHello{Version: protocol.Version, Nonce: p.r.Uint64() | 1, Name: "Pest"}
		copy(h.Cookie[:], p.noise(24))
		return encoded(protocol.Header{}, h)
	},
	func(p *pest) []byte {
		return encoded(protocol.Header{Token: p.r.Uint64() | 1}, &protocol.ClientAck{Ack: p.r.Uint32()})
	},
	func(p *pest) []byte {
		return encoded(protocol.Header{Token: p.r.Uint64() | 1}, &protocol.ClientBye{})
	},
}

func (p *pest) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(p.r.Uint32())
	}
	return b
}

// again is something that a player has sent, from another address.
func (p *pest) again() []byte {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	if len(p.w.heard) == 0 {
		return nil
	}
	return append([]byte(nil), p.w.heard[p.r.IntN(len(p.w.heard))]...)
}

func encoded(h protocol.Header, m protocol.Packet) []byte {
	b, err := protocol.Append(nil, h, m)
	if err != nil {
		panic(err)
	}
	return b
}

// trouble lets a player who has joined break a rule for 15 s, or until he is sent away.
func (r *rogue) trouble(d *rand.Rand) {
	h := protocol.Header{Token: r.hello.Token}
	act := []func(){
		func() { r.raw(h, &protocol.ClientAck{Ack: d.Uint32()}) }, // of what was never sent
		func() { // far ahead of what comes next
			r.raw(protocol.Header{Token: h.Token, Event: d.Uint32() | 1}, &protocol.ClientChat{Text: "x"})
		},
		func() { // more than anybody may
			for range 300 {
				r.raw(h, &protocol.PlayerSync{Seq: d.Uint32()})
			}
		},
		func() { _, _ = r.conn.Write(append(encoded(h, &protocol.ClientPong{Seq: 1}), 0)) }, // a byte too many
	}[d.IntN(4)]
	go func() {
		for range 150 {
			act()
			select {
			case <-r.done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
}
