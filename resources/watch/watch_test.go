package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestIgnored(t *testing.T) {
	for path, want := range map[string]bool{
		"shop/main.lua":         false,
		"shop/lib/a.b.lua":      false,
		"shop/4913/x.lua":       false,
		"shop/a~b":              false,
		"shop/main.lua~":        true,
		"shop/.main.lua.swp":    true,
		"shop/main.swp":         true,
		"shop/4913":             true,
		".git/HEAD":             true,
		"shop/.backup/a.json":   true,
		"shop/maps/.autosave/x": true,
		".hidden":               true,
	} {
		if got := Ignored(filepath.FromSlash(path)); got != want {
			t.Errorf("Ignored(%q) = %v", path, got)
		}
	}
}

// fake is a notifier whose events a test makes.
type fake struct {
	events  chan fsnotify.Event
	faults  chan error
	watched map[string]bool
	refuse  error
}

func (f *fake) Add(dir string) error          { f.watched[dir] = true; return f.refuse }
func (f *fake) Remove(dir string) error       { delete(f.watched, dir); return nil }
func (f *fake) Events() <-chan fsnotify.Event { return f.events }
func (f *fake) Errors() <-chan error          { return f.faults }
func (f *fake) Close() error                  { return nil }

// bubble runs a watcher over a real folder in virtual time.
func bubble(t *testing.T, c Config, test func(t *testing.T, w *Watcher, f *fake)) {
	c.Dir = t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{events: make(chan fsnotify.Event), faults: make(chan error), watched: map[string]bool{}}
		c.Notify = func() (Notifier, error) { return f, nil }
		w := New(c)
		w.Open()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); w.Run(ctx) }()
		test(t, w, f)
		cancel()
		<-ended
	})
}

func (f *fake) write(w *Watcher, rel string) {
	f.events <- fsnotify.Event{Name: filepath.Join(w.c.Dir, rel), Op: fsnotify.Write}
}

func TestQuietTime(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, w *Watcher, f *fake) {
		began := time.Now()
		f.write(w, "shop/a")
		time.Sleep(Quiet - 1)
		f.write(w, "bank/b")
		got := <-w.Batches()
		if took := time.Since(began); took != 2*Quiet-1 || !reflect.DeepEqual(got, Batch{Names: []string{"bank", "shop"}}) {
			t.Errorf("got %+v after %v", got, took)
		}
	})
}

func TestLongestTime(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, w *Watcher, f *fake) {
		began := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 20 {
				f.write(w, "shop/a")
				time.Sleep(Quiet / 2)
			}
		}()
		<-w.Batches()
		if took := time.Since(began); took != Longest {
			t.Errorf("reported after %v", took)
		}
		<-done
	})
}

// TestNobodyReads holds that what changes while nobody reads is one growing batch.
func TestNobodyReads(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, w *Watcher, f *fake) {
		for _, name := range []string{"shop", "bank", "shop"} {
			f.write(w, name+"/a")
			time.Sleep(Longest)
		}
		if got := <-w.Batches(); !reflect.DeepEqual(got, Batch{Names: []string{"bank", "shop"}}) {
			t.Errorf("got %+v", got)
		}
		f.faults <- fsnotify.ErrEventOverflow
		if got := <-w.Batches(); !got.All {
			t.Errorf("got %+v", got)
		}
	})
}

func TestIgnoredEvents(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, w *Watcher, f *fake) {
		f.write(w, "shop/main.lua~")
		f.write(w, ".git/HEAD")
		f.events <- fsnotify.Event{Name: filepath.Join(w.c.Dir, "shop", "a"), Op: fsnotify.Chmod}
		select {
		case got := <-w.Batches():
			t.Errorf("got %+v", got)
		case <-time.After(time.Minute):
		}
	})
}

func TestOff(t *testing.T) {
	bubble(t, Config{Mode: Off}, func(t *testing.T, w *Watcher, f *fake) {
		if len(f.watched) > 0 || w.Open() != Off {
			t.Error("it watches")
		}
		select {
		case got := <-w.Batches():
			t.Errorf("got %+v", got)
		case <-time.After(time.Hour):
		}
	})
}

func TestFallsToPolling(t *testing.T) {
	dir := t.TempDir()
	f := &fake{watched: map[string]bool{}, refuse: errors.New("no space left on device")}
	w := New(Config{Dir: dir, Notify: func() (Notifier, error) { return f, nil }})
	if mode := w.Open(); mode != Poll {
		t.Errorf("mode %q", mode)
	}
	if mode := New(Config{Dir: filepath.Join(dir, "missing"), Mode: Poll}).Open(); mode != Poll {
		t.Errorf("mode %q", mode)
	}
}

// TestPolling finds what a second look at a real folder finds, in virtual time.
func TestPolling(t *testing.T) {
	bubble(t, Config{Mode: Poll}, func(t *testing.T, w *Watcher, f *fake) {
		next := func(what string, want Batch) {
			t.Helper()
			select {
			case got := <-w.Batches():
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %+v", what, got)
				}
			case <-time.After(time.Minute):
				t.Errorf("%s: nothing", what)
			}
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		shop := Batch{Names: []string{"shop"}}
		at := filepath.Join(w.c.Dir, "shop", "lib", "a.lua")
		do(os.MkdirAll(filepath.Dir(at), 0o755))
		do(os.WriteFile(at, []byte("x"), 0o644))
		next("new", shop)
		do(os.Chtimes(at, time.Unix(1, 0), time.Unix(1, 0)))
		next("an older time", shop)
		do(os.WriteFile(at+"~", nil, 0o644))
		do(os.Rename(at, at+"2"))
		next("renamed", shop)
		do(os.RemoveAll(filepath.Join(w.c.Dir, "shop")))
		next("removed", shop)
		do(os.Remove(w.c.Dir))
		next("no root", Batch{All: true})
		do(os.Mkdir(w.c.Dir, 0o755))
		next("a new root", Batch{All: true})
	})
}
