package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"darqline/bench/internal/proxy"
	"darqline/bench/internal/role"
	"darqline/client/bots"
	"darqline/host"
)

//go:embed resources
var resourceFiles embed.FS

// configure is the server that a soak runs, in a folder of its own.
func configure(dir string, players int) (cfg host.Config, err error) {
	resources, err := fs.Sub(resourceFiles, "resources")
	if err != nil {
		return cfg, err
	}
	if err := os.CopyFS(filepath.Join(dir, "resources"), resources); err != nil {
		return cfg, err
	}
	cfg = host.Defaults()
	cfg.Dir, cfg.Server.Bind = dir, "127.0.0.1"
	cfg.Server.MaxPlayers = min(4*players+16, 1000) // all may be on their way in at once: a quarter may be Unconfirmed
	cfg.Chat.Burst, cfg.Chat.Interval = 100, 0      // every line counts
	cfg.Server.Port, err = role.FreePort()
	return cfg, err
}

// serve runs a server of its own and answers each line that it reads with a look.
func (s *soak) serve(ctx context.Context) error {
	if s.procs > 0 {
		runtime.GOMAXPROCS(s.procs)
	}
	if s.cgroup != "" {
		if err := os.WriteFile(filepath.Join(s.cgroup, "cgroup.procs"), fmt.Append(nil, os.Getpid()), 0o644); err != nil {
			return fmt.Errorf("--cgroup: %w", err)
		}
	}
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cfg, err := configure(dir, s.players)
	if err != nil {
		return err
	}
	h, err := host.New(cfg, host.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := &observer{host: h}
	go o.observe(ctx)
	go func() {
		defer cancel() // who asks has ended
		<-h.Listening()
		fmt.Println(h.Addr())
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			text, _ := json.Marshal(o.look())
			fmt.Println(string(text))
		}
	}()
	return h.Run(ctx)
}

// observer keeps the figures that have to be looked at more often than anybody asks.
type observer struct {
	host    *host.Host
	mu      sync.Mutex
	turns   []float64 // guarded by mu, as unacked; an hour of them at most
	unacked int
}

func (o *observer) observe(ctx context.Context) {
	ticker := time.NewTicker(time.Second / 4)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		unacked, turn := o.host.Lanes().Unacked, o.host.LongestTurn()
		o.mu.Lock()
		o.unacked = max(o.unacked, unacked)
		if n%4 == 0 && len(o.turns) < 3600 {
			o.turns = append(o.turns, float64(turn.Microseconds())/1000)
		}
		o.mu.Unlock()
	}
}

func (o *observer) look() look {
	cpu := role.CPU() // without the collection that follows
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	o.mu.Lock()
	defer o.mu.Unlock()
	l := look{Heap: float64(m.HeapAlloc) / (1 << 20), Resident: role.Resident(), Goroutines: runtime.NumGoroutine(),
		Descriptors: role.Descriptors(), CPU: cpu, Turns: o.turns, Unacked: o.unacked, Lanes: o.host.Lanes(), Moved: o.host.Stats().Moved}
	o.turns, o.unacked = nil, 0
	return l
}

// proxy stands between the players and the server until it is asked to end, or its asker has.
func (s *soak) proxy(ctx context.Context) error {
	target, err := netip.ParseAddrPort(s.target)
	if err != nil {
		return err
	}
	c, err := named(s.conditions)
	if err != nil {
		return err
	}
	config := c.Config
	config.Seed = s.seed
	p, err := proxy.Listen(target, config)
	if err != nil {
		return err
	}
	ctx = untilAsked(ctx)
	fmt.Println(p.Addr())
	p.Run(ctx)
	return json.NewEncoder(os.Stdout).Encode(network{p.Stats(), role.CPU()})
}

// untilAsked ends when whoever started this process writes a line to it, or has ended.
func untilAsked(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		bufio.NewScanner(os.Stdin).Scan()
	}()
	return ctx
}

// begins is what the players' process says when the measure begins.
const begins = "begins"

// bots plays.
func (s *soak) bots(ctx context.Context) error {
	condition, err := named(s.conditions)
	if err != nil {
		return err
	}
	c := players(s.target, s.players, condition)
	c.Duration, c.Seed, c.Ramp, c.Stay = s.length, s.seed, s.ramp, s.churn
	c.Say = func(text string) {
		if fmt.Println(text); strings.HasPrefix(text, "measuring") {
			fmt.Println(begins)
		}
	}
	report, err := bots.Run(untilAsked(ctx), c)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

// linesASecond is how many all players say together, as far as each is talkative enough.
const linesASecond = 10

// players are those who play under a condition.
func players(server string, count int, on *condition) bots.Config {
	c := bots.Defaults()
	c.Server, c.Count, c.Rate, c.Deaths, c.Spread, c.Numbered = server, count, 20, 1, 200, true
	c.Chat = min(60, linesASecond*60/float64(count))
	if on.lossy() {
		c.Loss = 100
	}
	return c
}
