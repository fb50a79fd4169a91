package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"darqline/bench/internal/role"
	"darqline/client/bots"
	"darqline/host"
	"darqline/host/udp"
)

//go:embed resources
var resourceFiles embed.FS

// serve runs a server of its own and tells how it does.
func (s *soak) serve(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	resources, err := fs.Sub(resourceFiles, "resources")
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "resources"), resources); err != nil {
		return err
	}
	cfg := host.Defaults()
	cfg.Dir, cfg.Server.Bind, cfg.Server.MaxPlayers = dir, "127.0.0.1", min(s.players+10, 1000)
	if cfg.Server.Port, err = role.FreePort(); err != nil {
		return err
	}
	h, err := host.New(cfg, host.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	go func() {
		<-h.Listening()
		fmt.Println(h.Addr())
		s.tell(ctx, h)
	}()
	return h.Run(ctx)
}

// tell prints a look at every turn.
func (s *soak) tell(ctx context.Context, h *host.Host) {
	began, last, used := time.Now(), time.Now(), role.CPU()
	for turn := time.NewTicker(s.every); ; {
		select {
		case <-ctx.Done():
			return
		case <-turn.C:
		}
		var m runtime.MemStats
		debug.FreeOSMemory()
		runtime.ReadMemStats(&m)
		now := role.CPU()
		l := look{Minutes: time.Since(began).Minutes(), Players: h.Stats().Players, Heap: float64(m.HeapAlloc) / (1 << 20),
			Resident: role.Resident(), Goroutines: runtime.NumGoroutine(), Descriptors: role.Descriptors(),
			CPU: (now - used).Seconds() / time.Since(last).Seconds(), Pause: pauses()}
		last, used = time.Now(), now
		text, _ := json.Marshal(l)
		fmt.Println(string(text))
	}
}

// pauses is the 99th percentile of the collector's pauses so far, in ms.
func pauses() float64 {
	sample := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(sample)
	h := sample[0].Value.Float64Histogram()
	var all, sum uint64
	for _, n := range h.Counts {
		all += n
	}
	for i, n := range h.Counts {
		if sum += n; sum*100 >= all*99 && all > 0 {
			return h.Buckets[i+1] * 1000
		}
	}
	return 0
}

// bots plays.
func (s *soak) bots(ctx context.Context) error {
	c := bots.Defaults()
	c.Server, c.Count, c.Duration, c.Seed, c.Deaths, c.Chat, c.Ramp = s.target, s.players, s.length, s.seed, 1, 1, 50
	c.Spread = 200
	c.Say = func(text string) { fmt.Println(text) }
	report, err := bots.Run(ctx, c)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

// proxy stands between the players and the server and loses datagrams of both.
func (s *soak) proxy(ctx context.Context) error {
	target, err := netip.ParseAddrPort(s.target)
	if err != nil {
		return err
	}
	front, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	defer front.Close()
	fmt.Println(front.LocalAddr())
	p := &lossy{front: front, back: udp.NewGroup(target), known: make(map[netip.AddrPort]int), loss: s.loss / 100,
		random: rand.New(rand.NewPCG(s.seed, 2))}
	defer p.back.Close()
	read := make(chan []udp.Message)
	free := make(chan []udp.Message, 4)
	for range cap(free) {
		ms := make([]udp.Message, 64)
		for i := range ms {
			ms[i].Data = make([]byte, 0, 2048)
		}
		free <- ms
	}
	go func() {
		for ms := range free {
			n, err := front.ReadBatch(ms[:cap(ms)])
			if err != nil {
				return
			}
			select {
			case read <- ms[:n]:
			case <-ctx.Done():
				return
			}
		}
	}()
	for poll := time.NewTicker(3 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			return nil
		case ms := <-read:
			p.up(ms)
			free <- ms
		case <-poll.C:
			p.down()
		}
	}
}

// lossy is the proxy's state; it is used by one goroutine.
type lossy struct {
	front  udp.Conn
	back   udp.Group
	known  map[netip.AddrPort]int // a player's socket towards the server
	peers  []netip.AddrPort
	loss   float64
	random *rand.Rand
	out    []udp.Message
	used   int
}

func (p *lossy) lost() bool { return p.random.Float64() < p.loss }

// up passes on what players sent.
func (p *lossy) up(ms []udp.Message) {
	for i := range ms {
		m := &ms[i]
		at, ok := p.known[m.Addr]
		if !ok {
			var err error
			n := len(p.peers) + 1 // each comes from a host of his own
			if at, err = p.back.Add(netip.AddrFrom4([4]byte{127, 1, byte(n >> 8), byte(n)})); err != nil {
				fmt.Fprintln(os.Stderr, "proxy:", err)
				continue
			}
			p.known[m.Addr] = at
			p.peers = append(p.peers, m.Addr)
		}
		if !p.lost() {
			p.back.Send(at, m.Data)
		}
	}
}

// down passes on what the server sent meanwhile: what is left of a bundle goes on as a bundle.
func (p *lossy) down() {
	p.used = 0
	p.back.Poll(func(i int, b []byte, segment int, _ time.Time) {
		var m *udp.Message
		for rest := b; len(rest) > 0; {
			var head []byte
			head, rest = udp.Cut(rest, segment)
			if p.lost() {
				continue
			}
			if m == nil || len(m.Data)%segment != 0 || len(m.Data)/segment >= udp.MaxSegments {
				m = p.message()
				m.Addr, m.Data, m.Segment = p.peers[i], m.Data[:0], segment
			}
			m.Data = append(m.Data, head...)
		}
	})
	p.front.WriteBatch(p.out[:p.used])
}

func (p *lossy) message() *udp.Message {
	if p.used == len(p.out) {
		p.out = append(p.out, udp.Message{})
	}
	p.used++
	return &p.out[p.used-1]
}
