package world

import (
	"testing"
	"time"
)

// TestViolations: ten of one kind in 10 s fire, then at most one in 10 s.
func TestViolations(t *testing.T) {
	s := newStage(t)
	a := s.alive("Ann")
	fail := func(n int, every time.Duration) int {
		for range n {
			s.rig.now += every
			s.do(func(tx Tx) { tx.violated(a.p, ViolationRate, "%d too many", 3) })
		}
		n = len(eventsOf[PlayerViolation](s.rig))
		s.events = nil
		return n
	}
	for _, step := range []struct {
		what  string
		n     int
		every time.Duration
		want  int
	}{
		{"nine", 9, time.Second, 0},
		{"the tenth, over 10 s after the first", 1, 2100 * ms, 0},
		{"once more at once: the last ten within 10 s", 1, 0, 1},
		{"many, at once", 100, 0, 0},
		{"10 s after the event", 1, 10 * time.Second, 1},
		{"slowly", 20, 1200 * ms, 0},
	} {
		if got := fail(step.n, step.every); got != step.want {
			t.Errorf("%s: %d events, want %d", step.what, got, step.want)
		}
	}
	s.do(func(tx Tx) {
		for range 10 {
			tx.violated(a.p, ViolationAmmo, "none of %d", 5)
		}
	})
	if e := eventsOf[PlayerViolation](s.rig); len(e) != 1 || e[0].Kind.String() != "ammo" || e[0].Detail != "none of 5" {
		t.Errorf("another kind: %+v", e)
	}
	if a.kicked != "" {
		t.Error("kicked")
	}
}
