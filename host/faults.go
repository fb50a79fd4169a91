package host

import (
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// What faults says in full: who has found a packet that fails must not fill the disk by it.
const (
	faultsInFull = 10
	faultsEvery  = time.Minute
)

// faults writes down what fails inside the server itself. One packet, one handler or one round is lost by it, and nothing
// else.
type faults struct {
	log *slog.Logger

	mu    sync.Mutex
	since time.Time // of the minute that is counted
	count int
}

// recovered is deferred around a piece of work: its panic ends there, and is logged with its stack.
func (f *faults) recovered(what string) {
	if r := recover(); r != nil {
		f.say(what, r)
	}
}

func (f *faults) say(what string, r any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.since) >= faultsEvery {
		if f.count > faultsInFull {
			f.log.Error("more faults of the server itself in the last minute", "count", f.count-faultsInFull)
		}
		f.since, f.count = now, 0
	}
	if f.count++; f.count <= faultsInFull {
		f.log.Error("a fault of the server itself: what failed is dropped, all else goes on; please report it",
			"in", what, "panic", r, "stack", string(debug.Stack()))
	}
}
