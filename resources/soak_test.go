package resources

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"darqline/resources/watch"
)

// largest writes a resource of 64 client files that have 16 MiB together, and as many scripts.
func largest(tb testing.TB, dir string) {
	shop := filepath.Join(dir, "shop")
	if err := os.MkdirAll(shop, 0o755); err != nil {
		tb.Fatal(err)
	}
	var names []string
	for i := range MaxClientFiles {
		name := fmt.Sprintf("file%02d.png", i)
		names = append(names, fmt.Sprintf("%q", name))
		body := bytes.Repeat([]byte{byte(i), 1, 2, 3}, MaxClientTotal/MaxClientFiles/4)
		if err := os.WriteFile(filepath.Join(shop, name), body, 0o644); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shop, fmt.Sprintf("lib%02d.lua", i)), []byte("return 1"), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	manifest := "entry = \"lib00.lua\"\n[client]\nfiles = [" + strings.Join(names, ", ") + "]\n"
	if err := os.WriteFile(filepath.Join(shop, ManifestName), []byte(manifest), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// TestThousandReloads holds that reloads leave nothing behind: no goroutine, no descriptor, no memory.
func TestThousandReloads(t *testing.T) {
	reloads := 1000
	if testing.Short() {
		reloads = 100
	}
	w := newWorld(t, map[string]string{"shop/resource.toml": "[client]\nfiles = [\"a.png\"]", "shop/main.lua": "1",
		"shop/a.png": strings.Repeat("x", 64<<10)})
	w.config.Watch = watch.Watch
	w.config.Notice = nil
	w.run()
	reload := func(n int) {
		for i := range n {
			text := fmt.Sprint(i)
			if i%10 == 9 {
				text = "typo"
			}
			w.write("shop/main.lua", text)
			if got := w.do(w.manager.Reload("shop")); (got != "") != (text == "typo") {
				t.Fatalf("reload %d: %s", i, got)
			}
			w.happened()
		}
	}
	reload(50)
	goroutines, heap, descriptors := usage()
	watches := inotifyWatches()
	reload(reloads)
	if n := inotifyWatches(); n != watches {
		t.Errorf("folders watched %d -> %d", watches, n)
	}
	for range 100 { // what has ended may still be on its way out
		if g, h, d := usage(); g <= goroutines && d <= descriptors && h < heap+512<<10 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	g, h, d := usage()
	t.Errorf("goroutines %d -> %d, heap %d -> %d KiB, descriptors %d -> %d", goroutines, g, heap>>10, h>>10, descriptors, d)
}

func usage() (goroutines int, heap uint64, descriptors int) {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	entries, _ := os.ReadDir("/proc/self/fd") // none where there is no such folder
	return runtime.NumGoroutine(), stats.HeapAlloc, len(entries)
}

// inotifyWatches counts the folders that this process watches, on Linux; else it is 0.
func inotifyWatches() (n int) {
	infos, _ := filepath.Glob("/proc/self/fdinfo/*")
	for _, at := range infos {
		info, _ := os.ReadFile(at)
		n += bytes.Count(info, []byte("inotify wd:"))
	}
	return n
}

// BenchmarkReload64Files16MiB reloads the largest resource there can be. Besides the time of a whole reload it gives the
// part that the script loop spends, with a runner that does nothing.
func BenchmarkReload64Files16MiB(b *testing.B) {
	dir := b.TempDir()
	largest(b, dir)
	var pause time.Duration
	loop := make(chan func())
	m, err := New(Config{
		Dir: dir, Start: []string{"*"}, Runner: idle{}, Publisher: idle{}, Watch: watch.Off, Logger: slog.New(slog.DiscardHandler),
		Post:   func(f func()) error { loop <- f; return nil },
		Notice: func(n Notice) { pause += n.Pause },
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = m.Run(ctx)
	}()
	go func() {
		for {
			select {
			case f := <-loop:
				f()
			case <-ended:
				return
			}
		}
	}()
	<-m.Started()
	pause = 0
	b.SetBytes(MaxClientTotal)
	for b.Loop() {
		if err := m.Reload("shop").Wait(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(pause.Nanoseconds())/float64(b.N), "pause-ns/op")
	cancel()
	<-ended
}

// idle is a runner and publisher that does nothing.
type idle struct{}

func (idle) Compile(*Bundle) (any, error)     { return nil, nil }
func (idle) Start(*Generation, any) error     { return nil }
func (idle) Stop(*Generation, StopReason) any { return nil }
func (idle) Changed(string, Change)           {}
func (idle) Publish(*Generation)              {}
func (idle) Retract(string, uint32)           {}
