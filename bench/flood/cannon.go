package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/ipv4"
)

// cannon is one socket that sends as any address of 127.0.0.0/8, and gets what is answered to any of them.
type cannon struct {
	socket *net.UDPConn
	packet *ipv4.PacketConn
	server *net.UDPAddr

	sent, received, bytesOut, bytesIn atomic.Uint64
	heard                             func(to netip.Addr, b []byte) // of what comes, if it matters; set before fire
	reading                           sync.WaitGroup
}

const volley = 64 // datagrams of one system call

func aim(server netip.AddrPort) (*cannon, error) {
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{})
	if err != nil {
		return nil, err
	}
	socket.SetReadBuffer(4 << 20)
	socket.SetWriteBuffer(4 << 20)
	c := &cannon{socket: socket, packet: ipv4.NewPacketConn(socket), server: net.UDPAddrFromAddrPort(server)}
	if err := c.packet.SetControlMessage(ipv4.FlagDst, true); err != nil {
		socket.Close()
		return nil, err
	}
	c.reading.Go(c.read)
	return c, nil
}

func (c *cannon) close() {
	c.socket.Close()
	c.reading.Wait()
}

func (c *cannon) read() {
	ms := make([]ipv4.Message, volley)
	for i := range ms {
		ms[i].Buffers, ms[i].OOB = [][]byte{make([]byte, 2048)}, make([]byte, 64)
	}
	for {
		n, err := c.packet.ReadBatch(ms, 0)
		if err != nil {
			return
		}
		for _, m := range ms[:n] {
			c.received.Add(1)
			c.bytesIn.Add(uint64(m.N))
			if c.heard == nil {
				continue
			}
			var cm ipv4.ControlMessage
			if cm.Parse(m.OOB[:m.NN]) == nil {
				to, _ := netip.AddrFromSlice(cm.Dst.To4())
				c.heard(to, m.Buffers[0][:m.N])
			}
		}
	}
}

// shot makes datagram i: it writes into b, which has room for 65,507 bytes, and says whose it is.
type shot func(i int, b []byte) (n int, from netip.Addr)

// fire sends at a rate until the context ends. What the kernel has no room for counts as sent: the line would lose it, too.
func (c *cannon) fire(ctx context.Context, rate int, load shot) error {
	proto := (&ipv4.ControlMessage{Src: net.IPv4(127, 99, 98, 97)}).Marshal()
	at := bytes.Index(proto, []byte{127, 99, 98, 97})
	if at < 0 {
		return errors.New("this system takes no source address")
	}
	ms := make([]ipv4.Message, volley)
	bodies := make([][]byte, volley)
	for i := range ms {
		bodies[i] = make([]byte, 65_507)
		ms[i] = ipv4.Message{Buffers: make([][]byte, 1), OOB: bytes.Clone(proto), Addr: c.server}
	}
	began, done := time.Now(), 0
	for pause := time.NewTicker(2 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-pause.C:
		}
		for due := int(time.Since(began).Seconds() * float64(rate)); done < due; {
			n := min(volley, due-done)
			for i := range n {
				size, from := load(done+i, bodies[i])
				ms[i].Buffers[0] = bodies[i][:size]
				copy(ms[i].OOB[at:], from.AsSlice())
				c.bytesOut.Add(uint64(size))
			}
			for sent := 0; sent < n; {
				k, err := c.packet.WriteBatch(ms[sent:n], 0)
				if err != nil || k == 0 {
					k = 1 // this one is lost
				}
				sent += k
			}
			c.sent.Add(uint64(n))
			done += n
		}
	}
}

// hostOf is the n-th address of those that are nobody's.
func hostOf(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 1 + byte(n>>16)%90, byte(n >> 8), byte(n)})
}
