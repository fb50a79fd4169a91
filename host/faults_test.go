package host

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"darqline/host/udp"
	"darqline/host/world"
)

// book is a log that can be counted in.
type book struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *book) count(what string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), what)
}

func TestFaultsDoNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log book
		f := &faults{log: slog.New(slog.NewTextHandler(&log, nil))}
		fail := func() {
			defer f.recovered("a test")
			panic("boom")
		}
		for range 1000 {
			fail()
		}
		if n := log.count("panic=boom"); n != faultsInFull {
			t.Errorf("%d faults in full", n)
		}
		time.Sleep(faultsEvery)
		fail()
		if log.count("count=990") != 1 || log.count("panic=boom") != faultsInFull+1 {
			t.Errorf("after a minute:\n%s", log.text.String())
		}
	})
}

// TestWhatFailsIsGuarded lets every piece of the loops fail, on a host that has nothing: none takes the loop down.
func TestWhatFailsIsGuarded(t *testing.T) {
	var log book
	h := &Host{}
	h.faults.log = slog.New(slog.NewTextHandler(&log, nil))
	l := newSyncLoop(h)
	pieces := map[string]func(){
		"a datagram":            func() { l.receive(0, &udp.Message{}) },
		"sending":               func() { l.flush() },
		"the rules of a packet": func() { l.applyOne(nil) },
		"handlers":              func() { h.dispatch(world.PlayerJoin{}) },
		"the program that embeds the server": func() {
			h.opt.Event = func(world.Event) { panic("its own") }
			h.program(world.PlayerJoin{})
		},
		"what is due": func() {
			if next := l.tick(time.Second, false); next != time.Second+latestTick {
				t.Errorf("a tick that fails comes again at %v", next)
			}
		},
	}
	for where, piece := range pieces {
		piece()
		if log.count("in=\""+where+"\"")+log.count("in="+where+" ") != 1 {
			t.Errorf("%s: not in the log, which has\n%s", where, log.text.String())
		}
	}
}
