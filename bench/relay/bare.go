package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"os"
	"sync"
	"time"

	"darqline/client/bots"
	"darqline/host/udp"
)

// A bare relay sends the same datagrams as the server with nothing around them: no connections, no checks, no scopes. A
// player is who sends; the nearest are the next ones by number.
const (
	frameIn  = 63 // bytes of PlayerSync
	frameOut = 61 // of RemotePlayerSync
	viewers  = 48
	window   = 4 * time.Millisecond
)

// bare is a bare relay with an adaptive flush: at once when the last is a window old, else at that time.
type bare struct {
	mu      sync.Mutex
	conn    udp.Conn
	outs    []udp.Message // by player
	dirty   []int
	sending []udp.Message
	flushed time.Time
	timer   *time.Timer
}

func bareRelay(r *roleFlags) error {
	opts, err := options(r.mode)
	if err != nil {
		return err
	}
	conn, err := udp.ListenWith("127.0.0.1:0", opts)
	if err != nil {
		return err
	}
	fmt.Println(conn.LocalAddr())
	go func() { // ends with its input, as the server does
		os.Stdin.Read(make([]byte, 1))
		conn.Close()
	}()
	b := &bare{conn: conn, outs: make([]udp.Message, r.players)}
	b.timer = time.AfterFunc(time.Hour, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.flush()
	})
	ms := make([]udp.Message, 64)
	for i := range ms {
		ms[i].Data = make([]byte, 0, 2048)
	}
	for {
		n, err := conn.ReadBatch(ms)
		if err != nil {
			return nil
		}
		b.take(ms[:n])
	}
}

// take adds a batch of frames to what leaves for the nearest of each, and lets it leave if it is time.
func (b *bare) take(ms []udp.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range ms {
		if len(m.Data) != frameIn {
			continue
		}
		// Numbered by their addresses, as they were made, not in the order of their first frames: else those next to each
		// other would send at the same moments, and far more would leave in one piece than in a real crowd.
		host := m.Addr.Addr().As4()
		id := int(host[2])<<8 | int(host[3])
		b.outs[id].Addr, b.outs[id].Segment = m.Addr, frameOut
		for k := 1; k <= min(viewers, len(b.outs)-1); k++ {
			to := (id + k) % len(b.outs)
			out := &b.outs[to]
			if !out.Addr.IsValid() {
				continue
			}
			if len(out.Data) == 0 {
				b.dirty = append(b.dirty, to)
			}
			out.Data = append(out.Data, m.Data[:frameOut]...)
		}
	}
	if wait := window - time.Since(b.flushed); wait > 0 {
		b.timer.Reset(wait)
		return
	}
	b.flush()
}

func (b *bare) flush() {
	b.flushed = time.Now()
	b.sending = b.sending[:0]
	for _, to := range b.dirty {
		b.sending = append(b.sending, b.outs[to])
		b.outs[to].Data = b.outs[to].Data[:0]
	}
	b.dirty = b.dirty[:0]
	b.conn.WriteBatch(b.sending)
}

// feed is the players of a bare relay: each sends its frames and counts what comes.
func feed(r *roleFlags) error {
	server, err := netip.ParseAddrPort(r.target)
	if err != nil {
		return err
	}
	group := udp.NewGroup(server)
	defer group.Close()
	for i := range r.players {
		if _, err := group.Add(netip.AddrFrom4([4]byte{127, 100, byte(i >> 8), byte(i)})); err != nil {
			return err
		}
	}
	const settle, linger = time.Second, time.Second // the CPU time is taken while all still runs
	frame := make([]byte, frameIn)
	var got, sent uint64
	every := time.Second / time.Duration(r.rate)
	due := make([]time.Duration, r.players)
	for i := range due {
		_, part := math.Modf(float64(i) * math.Phi) // the moments of who is near each other are apart
		due[i] = time.Duration(part * float64(every))
	}
	var result bots.Report
	begun, polled, measuring := time.Now(), time.Duration(0), false
	for {
		now := time.Since(begun)
		if now > settle && !measuring {
			measuring, got, sent = true, 0, 0
			fmt.Println("measuring")
		}
		if now > settle+r.length && result.Players == 0 {
			expected := sent * uint64(min(viewers, r.players-1))
			result = bots.Report{Players: r.players, Seconds: (now - settle).Seconds(), FramesSent: sent,
				FramesExpected: expected, FramesReceived: min(got, expected), FramesHeard: got}
		}
		if now > settle+r.length+linger {
			return json.NewEncoder(os.Stdout).Encode(result)
		}
		for i := range due {
			if due[i] <= now {
				group.Send(i, frame)
				for due[i] <= now { // each keeps to its own moments
					due[i] += every
				}
				sent++
			}
		}
		if now-polled > 5*time.Millisecond {
			polled = now
			group.Poll(func(_ int, b []byte, _ int, _ time.Time) { got += uint64(len(b) / frameOut) })
		}
		time.Sleep(time.Millisecond)
	}
}
