package main

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"darqline/protocol"
)

// flood is one kind of attack.
type flood struct {
	name string
	run  func(ctx context.Context, b *bench, c *cannon) outcome
}

// outcome is what a flood has seen beside the figures that all have.
type outcome struct {
	text   string
	err    error
	proven bool // the attacker has proven his address, so answers may be longer than what he sends
}

// floods are those of the test plan: strangers first, then those who are in.
var floods = []flood{
	{"none", nil},
	{"hellos from a million hosts", hellos},
	{"hellos with wrong, expired and foreign cookies", cookies},
	{"queries from a million hosts", queries},
	{"random bytes of any length", random},
	{"right packets with unknown tokens", tokens},
	{"captured packets from other hosts", replay},
	{"proven hellos that never confirm", unconfirmed},
	{"a player's right packets", rightPackets},
	{"a player's malformed packets", malformed},
	{"a player's acks of the future", futureAcks},
	{"a player without acks", noAcks},
}

const million = 1_000_000

func encode(h protocol.Header, p protocol.Packet) []byte {
	h.ID = p.ID()
	b, err := protocol.Append(nil, h, p)
	if err != nil {
		panic(err)
	}
	return b
}

// Where things stand in a ClientHello.
const (
	nonceAt  = 3
	cookieAt = 11
)

// hello is a ClientHello without a cookie.
func hello(name string) []byte {
	return encode(protocol.Header{}, &protocol.ClientHello{Version: protocol.Version, Nonce: 1, Name: name})
}

func hellos(ctx context.Context, b *bench, c *cannon) outcome {
	one := hello("Nobody")
	err := c.fire(ctx, b.rate, func(i int, b []byte) (int, netip.Addr) {
		copy(b, one)
		binary.LittleEndian.PutUint64(b[nonceAt:], uint64(i)+1)
		return len(one), hostOf(i % million)
	})
	return outcome{err: err}
}

// cookies sends ones that are made up, ones of other hosts, and after 20 s ones that have expired.
func cookies(ctx context.Context, b *bench, c *cannon) outcome {
	const hosts = 200
	var mu sync.Mutex
	var known [hosts][]byte // right when they came
	c.heard = func(to netip.Addr, b []byte) {
		_, p, _ := protocol.Decode(b, protocol.ServerToClient)
		if p, ok := p.(*protocol.ConnectChallenge); ok && p.Nonce <= hosts {
			mu.Lock()
			defer mu.Unlock()
			if known[p.Nonce-1] == nil {
				known[p.Nonce-1] = p.Cookie[:]
			}
		}
	}
	one := hello("Nobody")
	began := time.Now()
	err := c.fire(ctx, b.rate, func(i int, b []byte) (int, netip.Addr) {
		copy(b, one)
		host := i % hosts
		binary.LittleEndian.PutUint64(b[nonceAt:], uint64(host)+1)
		mu.Lock()
		defer mu.Unlock()
		switch cookie := known[host]; {
		case cookie == nil && i < 50*hosts: // ask for one
		case cookie != nil && i%3 == 0 && time.Since(began) > 22*time.Second:
			copy(b[cookieAt:], cookie)
		case cookie != nil && i%3 == 1:
			copy(b[cookieAt:], cookie)
			return len(one), hostOf(host + hosts)
		default:
			crand.Read(b[cookieAt : cookieAt+24])
		}
		return len(one), hostOf(host)
	})
	return outcome{err: err}
}

// queries come from everywhere, while somebody asks who has proven where he is.
func queries(ctx context.Context, b *bench, c *cannon) outcome {
	asker, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(b.addr))
	if err != nil {
		return outcome{err: err}
	}
	defer asker.Close()
	done := make(chan outcome, 1)
	go func() { done <- ask(ctx, asker) }()
	var sizes [64][]byte
	for i := range sizes {
		sizes[i] = encode(protocol.Header{}, &protocol.ServerQuery{Kind: protocol.QueryKind(i % 4), RequestID: uint32(i), Padding: make([]byte, 44+18*i)})
	}
	err = c.fire(ctx, b.rate, func(i int, b []byte) (int, netip.Addr) {
		return copy(b, sizes[i%len(sizes)]), hostOf(i % million)
	})
	result := <-done
	result.err = errors.Join(err, result.err)
	return result
}

// ask asks 8 times a second and counts what is answered within a second.
func ask(ctx context.Context, socket *net.UDPConn) outcome {
	asked, answered, cookie, b := 0, 0, uint64(0), make([]byte, 2048)
	for turn := time.NewTicker(time.Second / 8); ; {
		select {
		case <-ctx.Done():
			o := outcome{text: fmt.Sprintf("%d of %d askers with a cookie were answered", answered, asked)}
			if answered*100 < asked*99 {
				o.err = errors.New(o.text)
			}
			return o
		case <-turn.C:
		}
		asked++
		for range 2 { // once more with the cookie, where one is wanted
			socket.Write(encode(protocol.Header{}, &protocol.ServerQuery{Kind: protocol.QueryInfo, RequestID: uint32(asked), Cookie: cookie, Padding: make([]byte, 1000)}))
			socket.SetReadDeadline(time.Now().Add(time.Second))
			n, err := socket.Read(b)
			if err != nil {
				break
			}
			_, p, _ := protocol.Decode(b[:n], protocol.ServerToClient)
			a, ok := p.(*protocol.ServerQueryAnswer)
			if ok && a.Kind == protocol.QueryChallenge {
				cookie = a.Cookie()
				continue
			}
			if ok && a.RequestID == uint32(asked) {
				answered++
			}
			break
		}
	}
}

func random(ctx context.Context, b *bench, c *cannon) outcome {
	r := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 128<<10)
	r.Read(noise)
	err := c.fire(ctx, b.rate, func(i int, b []byte) (int, netip.Addr) {
		size := int(r.Uint64() % 1300)
		if i%200 == 0 {
			size = int(r.Uint64() % 65_508)
		}
		copy(b[:size], noise[r.Uint64()%(64<<10):])
		if size > 0 && i%2 == 0 {
			b[0] = byte(i>>1)%0xA3 + 1 // an id that there is
		}
		return size, hostOf(i % million)
	})
	return outcome{err: err}
}

// frames are what players send all the time.
func frames(token uint64) [][]byte {
	return [][]byte{
		encode(protocol.Header{Token: token}, &protocol.PlayerSync{Frame: protocol.Frame{Position: protocol.Vec3{X: 2495, Y: -1688, Z: 13}, Health: 100}}),
		encode(protocol.Header{Token: token}, &protocol.ClientAck{}),
		encode(protocol.Header{Token: token}, &protocol.ClientPong{Seq: 1, Probe: 1}),
		encode(protocol.Header{Token: token, Event: 1}, &protocol.ClientChat{Text: "Hello"}),
	}
}

func tokens(ctx context.Context, b *bench, c *cannon) outcome {
	all := frames(1)
	err := c.fire(ctx, b.rate, func(i int, b []byte) (int, netip.Addr) {
		n := copy(b, all[i%len(all)])
		binary.LittleEndian.PutUint64(b[1:], rand.Uint64())
		return n, hostOf(i % million)
	})
	return outcome{err: err}
}

func replay(ctx context.Context, b *bench, c *cannon) outcome {
	r, err := join(b.addr, netip.AddrPortFrom(hostOf(million), 0), "Captured", false)
	if err != nil {
		return outcome{err: err}
	}
	defer r.leave()
	time.Sleep(2 * time.Second) // that something is there to capture
	r.mu.Lock()
	r.kept = append(r.kept, frames(r.token)...)
	kept := r.kept[:len(r.kept):len(r.kept)]
	r.mu.Unlock()
	err = c.fire(ctx, b.rate, func(i int, b []byte) (int, netip.Addr) { return copy(b, kept[i%len(kept)]), hostOf(i % million) })
	if reason, gone := r.ended(); !gone.IsZero() && err == nil {
		err = fmt.Errorf("who was captured was thrown out: %v", reason)
	}
	return outcome{text: "who was captured plays on", err: err}
}

// unconfirmed proves 10,000 addresses and then says nothing, while somebody honest comes.
func unconfirmed(ctx context.Context, b *bench, c *cannon) outcome {
	const hosts = 10_000
	var mu sync.Mutex
	cookies := make([][]byte, hosts)
	c.heard = func(_ netip.Addr, b []byte) {
		_, p, _ := protocol.Decode(b, protocol.ServerToClient)
		if p, ok := p.(*protocol.ConnectChallenge); ok && p.Nonce <= hosts {
			mu.Lock()
			defer mu.Unlock()
			cookies[p.Nonce-1] = p.Cookie[:]
		}
	}
	done := make(chan outcome, 1)
	go func() { done <- visit(ctx, b) }()
	one := hello("Nobody")
	err := c.fire(ctx, min(b.rate, 2000), func(i int, b []byte) (int, netip.Addr) {
		host := i % hosts
		n := copy(b, one)
		copy(b[nameAt:], fmt.Sprintf("Nobody%05d", host))
		binary.LittleEndian.PutUint64(b[nonceAt:], uint64(host)+1)
		mu.Lock()
		defer mu.Unlock()
		copy(b[cookieAt:cookieAt+24], cookies[host])
		return n, hostOf(host)
	})
	result := <-done
	result.proven = true
	result.err = errors.Join(err, result.err)
	return result
}

const nameAt = cookieAt + 24 + 8

// visit joins and leaves, again and again, and tells the longest wait.
func visit(ctx context.Context, b *bench) outcome {
	var longest time.Duration
	visits, refused, most := 0, 0, 0
	time.Sleep(3 * time.Second)
	for n := 0; ctx.Err() == nil; n++ {
		began := time.Now()
		for ctx.Err() == nil {
			r, err := join(b.addr, netip.AddrPortFrom(hostOf(2*million+n), 0), fmt.Sprint("Honest", n), false)
			if err == nil {
				r.send(r.token, &protocol.ClientBye{})
				r.leave()
				visits++
				break
			}
			refused++
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
		longest = max(longest, time.Since(began))
		if l, err := b.look(); err == nil {
			most = max(most, l.Unconfirmed)
		}
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Second):
		}
	}
	o := outcome{text: fmt.Sprintf("%d honest ones came in, the slowest after %.1f s, refused %d times; at most %d unconfirmed", visits, longest.Seconds(), refused, most)}
	if longest > 10*time.Second || visits == 0 {
		o.err = errors.New(o.text)
	}
	return o
}

// hostile joins and sends as it likes, and is thrown out for it.
func hostile(ctx context.Context, b *bench, c *cannon, silent bool, load func(token uint64, i int) []byte) outcome {
	r, err := join(b.addr, netip.AddrPortFrom(hostOf(million), 0), "Hostile", silent)
	if err != nil {
		return outcome{err: err}
	}
	defer r.leave()
	began := time.Now()
	for pause, i := time.NewTicker(2*time.Millisecond), 0; ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		for due := int(time.Since(began).Seconds() * float64(b.rate)); i < due; i++ {
			d := load(r.token, i)
			if d == nil {
				continue
			}
			r.socket.Write(d)
			c.sent.Add(1)
			c.bytesOut.Add(uint64(len(d)))
		}
	}
	o := outcome{proven: true}
	reason, gone := r.ended()
	if gone.IsZero() {
		o.err = errors.New("he was never thrown out")
		return o
	}
	o.text = fmt.Sprintf("thrown out after %.1f s: %v", gone.Sub(began).Seconds(), reason)
	return o
}

func rightPackets(ctx context.Context, b *bench, c *cannon) outcome {
	var all [][]byte
	return hostile(ctx, b, c, false, func(token uint64, i int) []byte {
		if all == nil {
			all = frames(token)
		}
		return all[i%len(all)]
	})
}

func malformed(ctx context.Context, b *bench, c *cannon) outcome {
	return hostile(ctx, b, c, false, func(token uint64, i int) []byte {
		d := frames(token)[i%2]
		return d[:len(d)-1]
	})
}

func futureAcks(ctx context.Context, b *bench, c *cannon) outcome {
	return hostile(ctx, b, c, false, func(token uint64, i int) []byte {
		return encode(protocol.Header{Token: token}, &protocol.ClientAck{Ack: 1<<31 + uint32(i)})
	})
}

// noAcks only answers keepalives, so that nothing but the lane can end him.
func noAcks(ctx context.Context, b *bench, c *cannon) outcome {
	if b.length < 20*time.Second {
		return outcome{text: "not run: it takes 20 s", proven: true}
	}
	return hostile(ctx, b, c, true, func(uint64, int) []byte { return nil })
}
