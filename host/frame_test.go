package host

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"darqline/host/udp"
	"darqline/protocol"
)

// crowd is a server whose network is a notebook, with players who stand close together: the whole way of a frame without
// the kernel's part.
type crowd struct {
	t       testing.TB
	h       *Host
	people  []walker
	sent    [][]byte // to the last one who joins
	keep    bool
	count   int                       // datagrams that left
	events  map[netip.AddrPort]uint32 // the last one on each lane
	to      netip.AddrPort
	scratch []byte
	codec   protocol.Codec
	sync    protocol.PlayerSync
	ackOf   protocol.ClientAck
}

type walker struct {
	addr  netip.AddrPort
	token uint64
	frame protocol.Frame
	seq   uint32
	event uint32
}

func (c *crowd) ReadBatch([]udp.Message) (int, error) { return 0, net.ErrClosed }
func (c *crowd) LocalAddr() netip.AddrPort            { return netip.AddrPort{} }
func (c *crowd) Mode() string                         { return "a notebook" }
func (c *crowd) Close() error                         { return nil }

func (c *crowd) WriteBatch(ms []udp.Message) (int, error) {
	for i := range ms {
		size := ms[i].Segment
		for head, rest := udp.Cut(ms[i].Data, size); ; head, rest = udp.Cut(rest, size) {
			c.note(ms[i].Addr, head)
			if len(rest) == 0 {
				break
			}
		}
	}
	return len(ms), nil
}

func (c *crowd) note(to netip.AddrPort, b []byte) {
	c.count++
	if row, ok := protocol.Lookup(protocol.ID(b[0])); ok && row.HasEvent() {
		c.events[to] = max(c.events[to], binary.LittleEndian.Uint32(b[protocol.EventOffsetServer:]))
	}
	if c.keep && to == c.to {
		c.sent = append(c.sent, append([]byte(nil), b...))
	}
}

func newCrowd(t testing.TB, n, streamed int) *crowd {
	cfg := Defaults()
	cfg.Dir = t.TempDir()
	cfg.Server.MaxPlayers, cfg.Players.MaxStreamed = max(n, 2), streamed
	cfg.Connection.Attempts, cfg.Connection.Unconfirmed, cfg.Connection.Timeout = 10000, 30*time.Second, time.Minute
	c := &crowd{t: t, events: make(map[netip.AddrPort]uint32)}
	var err error
	if c.h, err = New(cfg, Options{Watch: "off"}); err != nil {
		t.Fatal(err)
	}
	c.h.out.conn = c
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); c.h.script.run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended; c.h.runtime.Close() })
	for i := range n {
		c.join(i)
		if n > 100 { // the server takes 500 hellos a second in all
			time.Sleep(4 * time.Millisecond)
		}
	}
	for range 2 { // everybody has been looked at
		for range 12 {
			c.tick()
		}
	}
	return c
}

// tick lets the clock's half do its work, whatever the time.
func (c *crowd) tick() {
	c.h.sync.round(func(now time.Duration) {
		c.h.sessions.Tick(now)
		tx := c.h.world.Begin()
		defer tx.End()
		tx.Look()
	})
}

// receive hands the server a datagram as its reader does.
func (c *crowd) receive(from netip.AddrPort, b []byte) {
	c.h.sync.round(func(now time.Duration) { c.h.sessions.Receive(now, from, b) })
}

func (c *crowd) send(w *walker, p protocol.Packet) {
	w.event++
	b, err := protocol.Append(nil, protocol.Header{Token: w.token, Event: w.event}, p)
	if err != nil {
		c.t.Fatal(err)
	}
	c.receive(w.addr, b)
}

// answer waits for a packet of that kind to the one who joins.
func answer[P protocol.Packet](c *crowd) (found P) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); runtime.Gosched() {
		c.h.sync.settle()
		for _, b := range c.sent {
			if _, p, err := protocol.Decode(b, protocol.ServerToClient); err == nil {
				if p, ok := p.(P); ok {
					c.sent = nil
					return p
				}
			}
		}
	}
	c.t.Fatalf("no %T came", found)
	return found
}

func (c *crowd) join(i int) {
	w := walker{addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, byte(i >> 8), byte(i)}), 5000)}
	c.keep, c.to = true, w.addr
	hello := protocol.ClientHello{Version: protocol.Version, Nonce: uint64(i + 1), Name: fmt.Sprintf("Walker%d", i)}
	say := func() {
		b, err := protocol.Append(nil, protocol.Header{}, &hello)
		if err != nil {
			c.t.Fatal(err)
		}
		c.receive(w.addr, b)
	}
	say()
	hello.Cookie = answer[*protocol.ConnectChallenge](c).Cookie
	say()
	w.token = answer[*protocol.ServerHello](c).Token
	c.send(&w, &protocol.RequestSpawn{})
	spawn := answer[*protocol.SpawnPlayer](c).Spawn
	c.keep = false
	w.frame = protocol.Frame{Epoch: spawn.Epoch, Position: spawn.Position, Health: 100, Flags: protocol.FlagOnGround}
	w.frame.Position.X += float32(i % 30)
	w.frame.Position.Y += float32(i/30) * 2
	c.people = append(c.people, w)
	c.walk(i)
}

// walk sends one frame of one player.
func (c *crowd) walk(i int) {
	w := &c.people[i]
	w.seq++
	w.frame.Time += 40
	w.frame.Position.X += 0.05 * float32(int(w.seq&32)/16-1)
	c.sync.Seq, c.sync.Frame = w.seq, w.frame
	b, err := c.codec.Append(c.scratch[:0], protocol.Header{Token: w.token}, &c.sync)
	if err != nil {
		c.t.Fatal(err)
	}
	c.scratch = b
	c.receive(w.addr, b)
}

// ack keeps the players' lanes and lives going.
func (c *crowd) ack() {
	for i := range c.people {
		w := &c.people[i]
		c.ackOf.Ack = c.events[w.addr]
		b, err := c.codec.Append(c.scratch[:0], protocol.Header{Token: w.token}, &c.ackOf)
		if err != nil {
			c.t.Fatal(err)
		}
		c.receive(w.addr, b)
	}
}

// TestFrameAllocatesNothing: from the datagram that comes to those that leave.
func TestFrameAllocatesNothing(t *testing.T) {
	c := newCrowd(t, 20, 200)
	for range 300 { // slices grow; the rates are those of honest clients, so most of these are dropped
		for i := range c.people {
			c.walk(i)
		}
	}
	for range 30 { // what the joins have queued goes out, and the rates recover
		time.Sleep(15 * time.Millisecond)
		c.ack()
		c.tick()
	}
	before := c.count
	i := 0
	if n := testing.AllocsPerRun(100, func() { c.walk(i % 20); i++ }); n != 0 {
		t.Errorf("a frame allocates %v times", n)
	}
	c.h.sync.load.flushed = 0
	c.h.sync.settle()
	if sent := c.count - before; sent < 100*19/2 {
		t.Errorf("only %d datagrams left", sent)
	}
}

// BenchmarkFrames is the way of a frame without the kernel's part: decoding, checks, relaying to 48, bundles.
func BenchmarkFrames(b *testing.B) {
	for _, n := range []int{50, 500, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := newCrowd(b, n, 48)
			b.ReportAllocs()
			i, before := 0, c.count
			for b.Loop() {
				c.h.start = c.h.start.Add(-40 * time.Millisecond / time.Duration(n)) // 25 frames a second of each
				c.walk(i % n)
				if i++; i%n == 0 {
					c.ack()
				}
			}
			b.ReportMetric(float64(c.count-before)/float64(i), "datagrams/frame")
		})
	}
}
