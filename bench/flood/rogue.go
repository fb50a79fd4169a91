package main

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"darqline/protocol"
)

// rogue is a client that joins as it has to, and then does what its flood wants.
type rogue struct {
	socket  *net.UDPConn
	hello   protocol.ClientHello
	token   uint64
	silent  bool // acks nothing
	reading sync.WaitGroup

	mu   sync.Mutex
	kept [][]byte // what it has sent
	end  protocol.Reason
	gone time.Time
}

// join brings one in from a host of its own.
func join(server, from netip.AddrPort, name string, silent bool) (*rogue, error) {
	socket, err := net.DialUDP("udp4", net.UDPAddrFromAddrPort(from), net.UDPAddrFromAddrPort(server))
	if err != nil {
		return nil, err
	}
	r := &rogue{socket: socket, silent: silent,
		hello: protocol.ClientHello{Version: protocol.Version, Nonce: rand.Uint64() | 1, Name: name}}
	b := make([]byte, 2048)
	for range 20 {
		r.send(0, &r.hello)
		socket.SetReadDeadline(time.Now().Add(helloEvery))
		n, err := socket.Read(b)
		if err != nil {
			continue
		}
		switch _, p, _ := protocol.Decode(b[:n], protocol.ServerToClient); p := p.(type) {
		case *protocol.ConnectChallenge:
			r.hello.Cookie = p.Cookie
		case *protocol.ConnectReject:
			socket.Close()
			return nil, errors.New("refused: " + p.Reason.String())
		case *protocol.ServerHello:
			r.token = p.Token
			socket.SetReadDeadline(time.Time{})
			r.send(r.token, &protocol.ClientAck{})
			r.reading.Go(r.read)
			return r, nil
		}
	}
	socket.Close()
	return nil, errors.New("no answer")
}

const helloEvery = 500 * time.Millisecond

func (r *rogue) send(token uint64, p protocol.Packet) {
	b, err := protocol.Append(nil, protocol.Header{ID: p.ID(), Token: token}, p)
	if err != nil {
		panic(err)
	}
	r.mu.Lock()
	if len(r.kept) < 1000 {
		r.kept = append(r.kept, b)
	}
	r.mu.Unlock()
	r.socket.Write(b)
}

// read acks and answers until it is thrown out.
func (r *rogue) read() {
	b, delivered := make([]byte, 2048), uint32(0)
	for {
		n, err := r.socket.Read(b)
		if errors.Is(err, net.ErrClosed) {
			return
		} else if err != nil {
			continue
		}
		h, p, err := protocol.Decode(b[:n], protocol.ServerToClient)
		switch p := p.(type) {
		case *protocol.ServerKeepalive:
			r.send(r.token, &protocol.ClientPong{Seq: p.Seq, Probe: p.Probe})
		case *protocol.KickNotify:
			r.mu.Lock()
			if r.gone.IsZero() {
				r.end, r.gone = p.Reason, time.Now()
			}
			r.mu.Unlock()
		default:
			if err == nil && h.Event != 0 && !r.silent {
				if h.Event == delivered+1 {
					delivered++
				}
				r.send(r.token, &protocol.ClientAck{Ack: delivered})
			}
		}
	}
}

// ended says how and when it was thrown out.
func (r *rogue) ended() (protocol.Reason, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end, r.gone
}

// leave goes without a word.
func (r *rogue) leave() {
	r.socket.Close()
	r.reading.Wait()
}
