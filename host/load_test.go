package host

import (
	"log/slog"
	"testing"
	"time"
)

// TestLoad: what a busy loop does, by the share of the time that it works.
func TestLoad(t *testing.T) {
	l := &load{log: slog.New(slog.DiscardHandler)}
	now := time.Duration(0)
	widened := 0
	run := func(share float64, d time.Duration) {
		for end := now + d; now < end; now += 10 * time.Millisecond {
			if _, changed := l.worked(now, now+time.Duration(share*float64(10*time.Millisecond))); changed {
				widened++
			}
		}
	}
	window := func(share, least, most float64) {
		t.Helper()
		run(share, 2*time.Second)
		if ms := l.window().Seconds() * 1000; ms < least || ms > most {
			t.Errorf("at a share of %v frames are gathered for %.1f ms, want %v to %v", share, ms, least, most)
		}
	}
	window(0.1, 0, 0)
	window(0.35, 1.8, 2.2)
	window(0.6, 4, 4)
	window(0.85, 9, 11)
	if widened != 0 {
		t.Fatal("tiers are widened while there is time")
	}
	run(1, 10*time.Second)
	if l.widen < 4 {
		t.Errorf("after 10 s at the limit one frame in %d goes out", l.widen)
	}
	run(0.3, 10*time.Second)
	if l.widen != 1 {
		t.Errorf("with time to spare one frame in %d goes out", l.widen)
	}
	// One that is full at every frame and free at every second one is not switched every few seconds.
	widened = 0
	for range 600 {
		run(1.0/float64(max(1, l.widen)), time.Second)
	}
	if widened > 40 {
		t.Errorf("switched %d times in ten minutes", widened)
	}
}
