package main

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// proxy is a path between one client and one server: each packet is lost by chance or delayed, in order.
type proxy struct {
	front, back *net.UDPConn // the client's side, the server's side
	client      atomic.Pointer[netip.AddrPort]
	sent        atomic.Int64 // packets from the client, before the loss
	wg          sync.WaitGroup
}

type delayed struct {
	at   time.Time
	data []byte
}

func startProxy(server int, delay time.Duration, loss float64, seed uint64) (*proxy, error) {
	front, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	back, err := net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: server})
	if err != nil {
		front.Close()
		return nil, err
	}
	p := &proxy{front: front, back: back}
	p.pump(delay, loss, rand.New(rand.NewPCG(seed, 3)), func(b []byte) (int, error) {
		n, from, err := front.ReadFromUDPAddrPort(b)
		if err == nil {
			p.client.Store(&from)
			p.sent.Add(1)
		}
		return n, err
	}, func(b []byte) { back.Write(b) })
	p.pump(delay, loss, rand.New(rand.NewPCG(seed, 4)), back.Read, func(b []byte) {
		if to := p.client.Load(); to != nil {
			front.WriteToUDPAddrPort(b, *to)
		}
	})
	return p, nil
}

// pump carries one direction until its socket is closed.
func (p *proxy) pump(delay time.Duration, loss float64, r *rand.Rand, read func([]byte) (int, error), write func([]byte)) {
	queue := make(chan delayed, 4096)
	p.wg.Go(func() {
		defer close(queue)
		buf := make([]byte, 2048)
		for {
			n, err := read(buf)
			if err != nil {
				if isRefused(err) { // the other end has gone before its last packets came
					continue
				}
				return
			}
			if r.Float64() < loss {
				continue
			}
			select {
			case queue <- delayed{time.Now().Add(delay), append([]byte(nil), buf[:n]...)}:
			default: // a full queue loses, as a path's does
			}
		}
	})
	p.wg.Go(func() {
		for d := range queue {
			time.Sleep(time.Until(d.at))
			write(d.data)
		}
	})
}

func (p *proxy) port() int { return p.front.LocalAddr().(*net.UDPAddr).Port }

// stop ends the path and returns how many packets the client sent.
func (p *proxy) stop() int64 {
	p.front.Close()
	p.back.Close()
	p.wg.Wait()
	return p.sent.Load()
}
