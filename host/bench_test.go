package host_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/udp"
	"darqline/resources"
	"darqline/resources/watch"
)

// BenchmarkReload swaps a resource with 64 client files and 16 MiB in a whole server, scripts and publishing included.
// took is from the call to the end of the swap, pause the part of it that the script loop stood.
func BenchmarkReload(b *testing.B) {
	dir := b.TempDir()
	heavy := filepath.Join(dir, "resources", "heavy")
	if err := os.MkdirAll(heavy, 0o755); err != nil {
		b.Fatal(err)
	}
	var names bytes.Buffer
	random := rand.NewChaCha8([32]byte{})
	for i := range 64 {
		name := fmt.Sprintf("f%d.png", i)
		fmt.Fprintf(&names, "%q, ", name)
		body := make([]byte, 256<<10)
		random.Read(body)
		if err := os.WriteFile(filepath.Join(heavy, name), body, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(heavy, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write("resource.toml", "[client]\nfiles = ["+names.String()+"]\n")
	write("main.lua", `
mp.state.rows = mp.state.rows or {}
for i = 1, 1000 do mp.state.rows[i] = { id = i, name = "row " .. i } end
for i = 1, 100 do mp.every(1000, function() end) end
for i = 1, 10 do mp.command("c" .. i, {}, function() end) end
mp.on("player_join", function() end)`)

	var mu sync.Mutex
	var took, pause, worst time.Duration
	cfg := host.Defaults()
	cfg.Dir = dir
	h, err := host.New(cfg, host.Options{
		Watch:   watch.Off,
		Network: host.MemoryNetwork{Memory: udp.NewMemory(1), Host: netip.MustParseAddr("10.0.0.1")},
		Notice: func(n resources.Notice) {
			mu.Lock()
			defer mu.Unlock()
			if n.Kind == resources.NoticeReloaded {
				took, pause, worst = took+n.Took, pause+n.Pause, max(worst, n.Pause)
			}
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	<-h.Resources().Started()
	b.ResetTimer()
	for range b.N {
		if err := h.Resources().Reload("heavy").Wait(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	b.ReportMetric(ms(took)/float64(b.N), "took-ms")
	b.ReportMetric(ms(pause)/float64(b.N), "pause-ms")
	b.ReportMetric(ms(worst), "worst-pause-ms")
}
