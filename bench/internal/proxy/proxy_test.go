package proxy

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"testing"
	"time"

	"darqline/host/udp"
)

// answering is a server that sends each datagram back, with the port that it came from in front.
func answering(t *testing.T) netip.AddrPort {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 2048)
		for {
			n, from, err := c.ReadFromUDPAddrPort(b[2:])
			if err != nil {
				return
			}
			binary.LittleEndian.PutUint16(b, from.Port())
			c.WriteToUDPAddrPort(b[:2+n], from)
		}
	}()
	t.Cleanup(func() { c.Close(); <-done })
	return c.LocalAddr().(*net.UDPAddr).AddrPort()
}

// client opens a proxy in front of a server and a socket in front of it. end gives what the proxy has counted.
func client(t *testing.T, c Config) (conn *net.UDPConn, end func() Stats) {
	p, err := Listen(answering(t), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Run(ctx)
	}()
	conn, err = net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(p.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	end = func() Stats {
		cancel()
		<-done
		return p.Stats()
	}
	t.Cleanup(func() { conn.Close(); end() })
	return conn, end
}

// TestCarriesBothWays asks one after the other until so many answers have come, whatever is lost on the way.
func TestCarriesBothWays(t *testing.T) {
	lossy := Way{Path: udp.Path{Loss: .2, Duplicate: .1, Delay: ms, Jitter: ms}}
	c, end := client(t, Config{Up: lossy, Down: lossy, Seed: 1})
	const want = 50
	b := make([]byte, 64)
	next := byte(0)
	for got := 0; got < want; {
		if _, err := c.Write([]byte{next}); err != nil {
			t.Fatal(err)
		}
		c.SetReadDeadline(time.Now().Add(20 * ms))
		for {
			n, err := c.Read(b)
			if err != nil {
				break // lost: the next one
			}
			if n != 3 {
				t.Fatalf("an answer of %d bytes", n)
			}
			if b[2] == next {
				got++
				break
			}
		}
		next++
	}
	if s := end(); s.Lost == 0 || s.Up < want || s.Down < want*3/4 || s.Stray != 0 || s.Rebinds != 0 {
		t.Errorf("it counted %+v", s)
	}
}

// TestAnotherPort waits for the server to see a second port: what is sent to the first does not come any more.
func TestAnotherPort(t *testing.T) {
	c, end := client(t, Config{Rebind: 50 * ms, Movers: 1, Seed: 1})
	const seen = 3
	ports := make(map[uint16]bool)
	b := make([]byte, 64)
	for len(ports) < seen {
		if _, err := c.Write([]byte("?")); err != nil {
			t.Fatal(err)
		}
		c.SetReadDeadline(time.Now().Add(20 * ms))
		if n, err := c.Read(b); err == nil && n == 3 {
			ports[binary.LittleEndian.Uint16(b)] = true
		}
	}
	if s := end(); s.Rebinds < seen-1 {
		t.Errorf("it counted %+v", s)
	}
}

func TestOutage(t *testing.T) {
	c, end := client(t, Config{Outages: 20 * ms, Outage: 40 * ms, Seed: 1})
	b := make([]byte, 64)
	for lost := 0; lost < 3; {
		if _, err := c.Write([]byte("?")); err != nil {
			t.Fatal(err)
		}
		c.SetReadDeadline(time.Now().Add(15 * ms))
		if _, err := c.Read(b); err != nil {
			lost++
		}
	}
	if s := end(); s.Outages == 0 || s.Lost == 0 {
		t.Errorf("it counted %+v", s)
	}
}
