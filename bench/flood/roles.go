package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"darqline/bench/internal/role"
	"darqline/client/bots"
	"darqline/host"
)

// serve runs a server with its defaults and two resources, and answers each line that it reads with a look.
func (b *bench) serve(ctx context.Context) error {
	if b.descriptors > 0 {
		if err := limitDescriptors(b.descriptors); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "flood-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	contents := map[string]string{
		"welcome/resource.toml": "[client]\nfiles = [\"page.html\"]\n",
		"welcome/page.html":     "<h1>Welcome</h1>",
		"welcome/main.lua":      `mp.on("player_join", function(player) player:message("Welcome") end)`,
		"map/main.lua":          "",
	}
	var maps []string
	for i := range mapFiles {
		maps = append(maps, strconv.Quote(mapPath(i)))
		contents["map/"+mapPath(i)] = string(mapBody(i))
	}
	contents["map/resource.toml"] = "[client]\nfiles = [" + strings.Join(maps, ", ") + "]\n"
	for path, text := range contents {
		full := filepath.Join(dir, "resources", path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			return err
		}
	}
	cfg := host.Defaults()
	cfg.Dir, cfg.Server.Bind = dir, "127.0.0.1"
	if cfg.Server.Port, err = role.FreePort(); err != nil {
		return err
	}
	h, err := host.New(cfg, host.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel() // who asks has ended
		<-h.Listening()
		fmt.Println(h.Addr())
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			text, _ := json.Marshal(lookAt(h))
			fmt.Println(string(text))
		}
	}()
	return h.Run(ctx)
}

func lookAt(h *host.Host) look {
	cpu := role.CPU() // without the collections that follow
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := h.Stats()
	l := look{Heap: float64(m.HeapAlloc) / (1 << 20), CPU: cpu, Players: s.Players, Unconfirmed: s.Unconfirmed,
		Malformed: s.Malformed, Unknown: s.UnknownToken, Moved: s.Moved, Challenges: s.Challenges, Descriptors: role.Descriptors(), Goroutines: runtime.NumGoroutine()}
	for _, n := range s.Rejected {
		l.Rejected += n
	}
	return l
}

// begins is what the players' process says when all are in.
const begins = "begins"

// bots plays. Its measure outlasts the flood a little.
func (b *bench) bots(ctx context.Context) error {
	c := bots.Defaults()
	c.Server, c.Count, c.Duration, c.Ramp = b.target, b.players, b.length+b.length/20, 10
	c.Say = func(text string) {
		if strings.HasPrefix(text, "measuring") {
			fmt.Println(begins)
		}
	}
	report, err := bots.Run(ctx, c)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}
