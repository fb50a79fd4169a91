package resources

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"darqline/resources/strict"
	"darqline/resources/watch"
)

// world is a script loop, a runner and a publisher that write down what happens to them, and a folder of resources.
type world struct {
	t       *testing.T
	dir     string
	config  Config
	manager *Manager
	notices chan Notice
	loop    chan func()

	mu  sync.Mutex
	log []string
}

func newWorld(t *testing.T, files map[string]string) *world {
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "resources"), notices: make(chan Notice, 1000), loop: make(chan func())}
	if files != nil {
		if err := os.Mkdir(w.dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range files {
		w.write(path, text)
	}
	w.config = Config{
		Dir: w.dir, Start: []string{"*"}, Runner: w, Publisher: w, Watch: watch.Off,
		Post:   func(f func()) error { w.loop <- f; return nil },
		Notice: func(n Notice) { w.notices <- n },
		Logger: slog.New(slog.DiscardHandler),
	}
	return w
}

// run makes the manager and runs it until the test ends.
func (w *world) run() *world {
	w.t.Helper()
	m, err := New(w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.manager = m
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := m.Run(ctx); err != nil {
			w.t.Error(err)
		}
	}()
	go func() {
		for {
			select {
			case f := <-w.loop:
				survive(f)
			case <-ended:
				return
			}
		}
	}()
	var once sync.Once
	w.t.Cleanup(func() { once.Do(func() { cancel(); <-ended }) })
	<-m.Started()
	return w
}

func (w *world) write(path, text string) {
	w.t.Helper()
	at := filepath.Join(w.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) path(path string) string { return filepath.Join(w.dir, filepath.FromSlash(path)) }

func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

// happened gives what was noted since it was last asked.
func (w *world) happened() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	log := strings.Join(w.log, "\n")
	w.log = nil
	return log
}

// wait gives the next notice of the kind and throws away what comes before it.
func (w *world) wait(kind NoticeKind) Notice {
	w.t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case n := <-w.notices:
			if n.Kind == kind {
				return n
			}
		case <-late:
			w.t.Fatalf("no notice of kind %d has come; what happened:\n%s", kind, w.happened())
		}
	}
}

// still checks that nothing happens for several quiet times.
func (w *world) still() {
	w.t.Helper()
	select {
	case n := <-w.notices:
		w.t.Fatalf("unexpected notice %+v", n)
	case <-time.After(3 * watch.Quiet):
	}
}

func (w *world) do(o *Operation) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := o.Wait(ctx); err != nil {
		return err.Error()
	}
	return ""
}

func (w *world) state(name string) string {
	s, ok := w.manager.Get(name)
	if !ok {
		return "unknown"
	}
	return s.State.String()
}

// survive runs an item of the loop as the host's script loop does: a panic ends there.
func survive(f func()) {
	defer func() { _ = recover() }()
	f()
}

func (w *world) Compile(b *Bundle) (any, error) {
	var faults Faults
	for path, source := range b.Scripts {
		if strings.Contains(string(source), "typo") {
			faults = append(faults, Fault{File: b.Name + "/" + path, Line: 1, Text: "syntax error near 'typo'"})
		}
		if strings.Contains(string(source), "panic") {
			panic("of the compiler")
		}
	}
	return string(b.Scripts[b.Entry]), faults.Err()
}

func (w *world) Start(g *Generation, state any) error {
	w.note("start %s %d %q %v", g.Bundle.Name, g.Number, g.Program, state)
	if strings.Contains(g.Program.(string), "error") {
		return errors.New(g.Bundle.Name + "/main.lua:1: error")
	}
	if strings.Contains(g.Program.(string), "crash") {
		panic("of the runner")
	}
	return nil
}

func (w *world) Stop(g *Generation, reason StopReason) any {
	w.note("stop %s %d %s", g.Bundle.Name, g.Number, reason)
	return fmt.Sprintf("state of %d", g.Number)
}

func (w *world) Changed(subject string, change Change) { w.note("changed %s %d", subject, change) }
func (w *world) Publish(g *Generation)                 { w.note("publish %s %d", g.Bundle.Name, g.Number) }
func (w *world) Retract(name string, generation uint32) {
	w.note("retract %s %d", name, generation)
}

func found(name string, value any) strict.Found { return strict.Given("resources."+name, value) }
