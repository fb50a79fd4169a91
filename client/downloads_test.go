package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// desk is a downloads without a network: the test says how each attempt ends.
type desk struct {
	*downloads
	t        *testing.T
	started  []string // "resource/path" of each attempt, in order
	jobs     map[string]*job
	settled  []string
	contexts map[string]context.Context
}

func newDesk(t *testing.T) *desk {
	d := &desk{downloads: newDownloads(), t: t, jobs: make(map[string]*job), contexts: make(map[string]context.Context)}
	d.jitter = func(time.Duration) time.Duration { return 0 }
	d.launch = func(ctx context.Context, j *job, source use) {
		name := source.start.name + "/" + source.path
		d.started = append(d.started, name)
		d.jobs[name], d.contexts[name] = j, ctx
	}
	d.complete = func(s *start) { d.settled = append(d.settled, s.name+" ready") }
	d.fail = func(s *start, r Failure, _ error) { d.settled = append(d.settled, s.name+" "+string(r)) }
	return d
}

// start wants files of content n each, named by their letters.
func (d *desk) start(name string, generation uint32, contents ...byte) *start {
	s := &start{name: name, generation: generation, index: make(map[string]int)}
	for i, n := range contents {
		path := fmt.Sprint(n)
		s.index[path] = i
		d.want(s, path, blob{hash: [32]byte{n}, size: 10})
	}
	return s
}

// end ends the attempt of name.
func (d *desk) end(now time.Duration, name string, out outcome) {
	d.finish(now, d.jobs[name], out)
	d.pump(d.t.Context(), now)
}

func (d *desk) take() []string {
	list := d.started
	d.started = nil
	return list
}

func TestTwoDownloadsAtOnceTheResourceWithFewerLeftFirst(t *testing.T) {
	d := newDesk(t)
	d.start("big", 1, 1, 2, 3, 4)
	d.start("small", 2, 5, 6)
	d.start("twin", 3, 7, 8)
	d.pump(t.Context(), 0)
	equal(t, d.take(), "small/5", "small/6")
	d.start("tiny", 4, 9)
	d.pump(t.Context(), 0)
	equal(t, d.take())
	d.end(0, "small/6", outcome{result: fetched})
	equal(t, d.take(), "tiny/9")
	d.end(0, "tiny/9", outcome{result: fetched})
	equal(t, d.take(), "twin/7")
	d.end(0, "small/5", outcome{result: fetched})
	equal(t, d.take(), "twin/8")
	d.end(0, "twin/7", outcome{result: fetched})
	d.end(0, "twin/8", outcome{result: fetched})
	equal(t, d.take(), "big/1", "big/2")
	equal(t, d.settled, "tiny ready", "small ready", "twin ready")
}

func TestOneHashIsOneDownload(t *testing.T) {
	d := newDesk(t)
	d.start("a", 1, 1, 2)
	d.start("b", 2, 2)
	s := d.start("c", 3, 1)
	d.want(s, "copy", blob{hash: [32]byte{1}, size: 10}) // the same content under two paths
	d.pump(t.Context(), 0)
	equal(t, d.take(), "b/2", "c/1")
	d.end(0, "b/2", outcome{result: fetched})
	d.end(0, "c/1", outcome{result: fetched})
	equal(t, d.take())
	slices.Sort(d.settled)
	equal(t, d.settled, "a ready", "b ready", "c ready")
}

func TestBackoff(t *testing.T) {
	d := newDesk(t)
	d.start("a", 1, 1)
	var now time.Duration
	var waits []int
	d.pump(t.Context(), now)
	for len(d.settled) == 0 {
		if len(d.take()) != 1 {
			t.Fatalf("no attempt at %v", now)
		}
		d.end(now, "a/1", outcome{result: transient, err: errors.New("no connection")})
		if next := d.pump(t.Context(), now); next != never {
			waits = append(waits, int((next-now)/time.Second))
			d.pump(t.Context(), next-1)
			equal(t, d.take())
			now = next
			d.pump(t.Context(), now)
		}
	}
	if !slices.Equal(waits, []int{1, 2, 4, 8, 16, 30, 30}) {
		t.Errorf("waits %v", waits)
	}
	equal(t, d.settled, "a download")
}

func TestANewByteBeginsTheCountAnew(t *testing.T) {
	d := newDesk(t)
	d.start("a", 1, 1)
	var now time.Duration
	for range 50 {
		now = d.advance(now)
		d.finish(now, d.jobs["a/1"], outcome{result: transient, fresh: 1})
	}
	equal(t, d.settled)
}

func TestJitterOfBackoffAnd503(t *testing.T) {
	for _, tt := range []struct {
		out  outcome
		wait time.Duration
	}{
		{outcome{result: transient}, time.Second + time.Second/2},
		{outcome{result: unavailable, retryAfter: 7 * time.Second}, 14 * time.Second},
		{outcome{result: unavailable, retryAfter: time.Minute}, 2 * time.Minute},
	} {
		d := newDesk(t)
		d.jitter = func(limit time.Duration) time.Duration { return limit }
		d.start("a", 1, 1)
		d.pump(t.Context(), 0)
		d.finish(0, d.jobs["a/1"], tt.out)
		if next := d.pump(t.Context(), 0); next != tt.wait {
			t.Errorf("%+v: next at %v, expected %v", tt.out, next, tt.wait)
		}
	}
	j := newDownloads().jitter
	for range 1000 {
		if v := j(time.Second); v < 0 || v > time.Second {
			t.Fatalf("jitter %v", v)
		}
	}
}

// advance lets time pass until an attempt begins or a start is settled.
func (d *desk) advance(now time.Duration) time.Duration {
	d.t.Helper()
	d.started = nil
	for {
		next := d.pump(d.t.Context(), now)
		if len(d.started) > 0 || len(d.settled) > 0 {
			return now
		}
		if next == never {
			d.t.Fatal("nothing happens any more")
		}
		now = next
	}
}

func Test503FailsAfter10MinutesWithoutProgress(t *testing.T) {
	busy := outcome{result: unavailable, retryAfter: 70 * time.Second, err: errors.New("HTTP 503")}
	d := newDesk(t)
	d.start("a", 1, 1)
	now := d.advance(0)
	for attempts := 1; len(d.settled) == 0; attempts++ {
		if attempts == 5 { // a new byte begins the 10 minutes anew
			d.finish(now, d.jobs["a/1"], outcome{result: transient, fresh: 1})
		} else {
			d.finish(now, d.jobs["a/1"], busy)
		}
		now = d.advance(now)
	}
	equal(t, d.settled, "a download")
	if want := 4*70*time.Second + time.Second + 10*time.Minute; now != want {
		t.Errorf("failed at %v, expected %v", now, want)
	}
}

func TestFailuresMixedWith503Count(t *testing.T) {
	d := newDesk(t)
	d.start("a", 1, 1)
	var now time.Duration
	for i := 0; len(d.settled) == 0; i++ {
		if now = d.advance(now); i%2 == 0 {
			d.finish(now, d.jobs["a/1"], outcome{result: unavailable, retryAfter: time.Second})
		} else {
			d.finish(now, d.jobs["a/1"], outcome{result: transient})
		}
		if i > 100 {
			t.Fatal("never fails")
		}
	}
	equal(t, d.settled, "a download")
}

func TestIntegrity(t *testing.T) {
	fromStart := outcome{result: mismatched}
	resumed := outcome{result: mismatched, resumed: true, fresh: 5}
	for _, tt := range []struct {
		name string
		outs []outcome
		want string
	}{
		{"of a file downloaded from the start", []outcome{fromStart}, "a integrity"},
		{"a resumed one is downloaded anew", []outcome{resumed, {result: fetched}}, "a ready"},
		{"and then counts, however it came", []outcome{resumed, resumed}, "a integrity"},
		{"from the start after a resumed one", []outcome{resumed, fromStart}, "a integrity"},
		{"the cache cannot be written", []outcome{{result: notStored}}, "a download"},
	} {
		d := newDesk(t)
		d.start("a", 1, 1)
		var now time.Duration
		for _, out := range tt.outs {
			now = d.advance(now)
			d.finish(now, d.jobs["a/1"], out)
		}
		equal(t, d.settled, tt.want)
	}
}

func TestDropAbortsAndGoesOnForOthers(t *testing.T) {
	d := newDesk(t)
	a := d.start("a", 1, 1, 2)
	d.start("b", 2, 1, 3, 4)
	d.pump(t.Context(), 0)
	equal(t, d.take(), "a/1", "a/2")
	d.drop(a)
	for _, name := range []string{"a/1", "a/2"} {
		if d.contexts[name].Err() == nil {
			t.Errorf("%s goes on", name)
		}
	}
	d.pump(t.Context(), 0)
	equal(t, d.take()) // both still count until they have ended
	d.end(0, "a/1", outcome{result: aborted})
	equal(t, d.take(), "b/1") // under the path of the one that still wants it
	d.end(0, "a/2", outcome{result: aborted})
	equal(t, d.take(), "b/3")
	if len(d.downloads.jobs) != 3 {
		t.Errorf("%d jobs", len(d.downloads.jobs))
	}
}

func TestANewGenerationWaitsForTheEndOfTheAbortedAttempt(t *testing.T) {
	d := newDesk(t)
	old := d.start("a", 1, 1)
	d.pump(t.Context(), 0)
	d.finish(0, d.jobs["a/1"], outcome{result: transient})
	d.pump(t.Context(), time.Second)
	d.take()
	d.drop(old)
	d.start("a", 2, 1)
	d.pump(t.Context(), time.Second)
	equal(t, d.take())
	d.end(time.Second, "a/1", outcome{result: aborted})
	equal(t, d.take(), "a/1")
	if j := d.jobs["a/1"]; j.failures != 0 {
		t.Errorf("%d failures of the older generation count", j.failures)
	}
}

func TestAFailureFailsEveryoneAndStopsTheRest(t *testing.T) {
	d := newDesk(t)
	d.start("a", 1, 1, 2, 3)
	d.start("b", 2, 1, 4, 5, 6)
	d.start("c", 3, 7, 8, 9, 10)
	d.pump(t.Context(), 0)
	equal(t, d.take(), "a/1", "a/2")
	d.finish(0, d.jobs["a/1"], outcome{result: mismatched})
	if d.contexts["a/2"].Err() == nil {
		t.Error("the rest of a failed start goes on")
	}
	equal(t, d.settled, "a integrity", "b integrity")
	d.end(0, "a/2", outcome{result: aborted})
	equal(t, d.take(), "c/7", "c/8")
}
