package client

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"
)

// Numbers of page Resource files and views, "Downloads".
const (
	maxDownloads  = 2
	maxFailures   = 8
	maxBlocked    = 10 * time.Minute
	minBackoff    = time.Second
	maxBackoff    = 30 * time.Second
	maxMismatches = 2 // the first one of a resumed file starts it anew; then all its bytes are this server's own
)

// downloads decides what is fetched when: two files at once, first from the resource start with fewer downloads left,
// one hash once, with back-off. It owns no goroutine: launch makes one attempt somewhere and finish is told its outcome,
// both on the owner's loop.
type downloads struct {
	launch   func(ctx context.Context, j *job, source use)
	complete func(s *start)                            // the last file of a start is in the cache
	fail     func(s *start, reason Failure, err error) // a file of it cannot be had
	jitter   func(limit time.Duration) time.Duration   // 0..limit; rand unless a test sets it

	jobs   map[blob]*job
	active int // attempts under way, cancelled ones included until they have ended
}

// use is one place where a manifest lists the file of a job.
type use struct {
	start *start
	path  string
}

// job is one file that is wanted and not in the cache.
type job struct {
	blob     blob
	uses     []use // in the order of the manifests
	received atomic.Int64

	running bool
	source  use // of the attempt under way
	cancel  context.CancelFunc

	due        time.Duration
	failures   int  // in a row, without a new byte
	blocked    bool // 503 since blockedAt without a new byte
	blockedAt  time.Duration
	mismatches int
	err        error // of the last attempt
}

func newDownloads() *downloads {
	return &downloads{
		jobs:   make(map[blob]*job),
		jitter: func(limit time.Duration) time.Duration { return rand.N(limit + 1) },
	}
}

// want adds one file of a start; s.left counts the jobs that it waits for.
func (d *downloads) want(s *start, path string, b blob) {
	j := d.jobs[b]
	if j == nil {
		j = &job{blob: b}
		d.jobs[b] = j
	} else if len(j.uses) == 0 { // its last attempt was aborted and has not ended yet
		j.due, j.failures, j.blocked, j.mismatches = 0, 0, false, 0
	}
	if !slices.ContainsFunc(j.uses, func(u use) bool { return u.start == s }) {
		s.left++
	}
	j.uses = append(j.uses, use{s, path})
}

// drop forgets what a start wanted. An attempt on its behalf is aborted at once, also where another start wants the same
// file: that one asks for it under its own path.
func (d *downloads) drop(s *start) {
	s.left = 0
	for b, j := range d.jobs {
		if j.running && j.source.start == s {
			j.cancel()
		}
		j.uses = slices.DeleteFunc(j.uses, func(u use) bool { return u.start == s })
		if len(j.uses) == 0 && !j.running {
			delete(d.jobs, b)
		}
	}
}

// dropAll forgets everything and aborts what is under way.
func (d *downloads) dropAll() {
	for b, j := range d.jobs {
		if j.uses = nil; j.running {
			j.cancel()
		} else {
			delete(d.jobs, b)
		}
	}
}

// pump starts what may start now. It gives the time at which it wants to be called again, or never.
func (d *downloads) pump(ctx context.Context, now time.Duration) time.Duration {
	for _, j := range d.stuck(now) {
		d.failed(j, FailedDownload, j.err)
	}
	for d.active < maxDownloads {
		j, source := d.pick(now)
		if j == nil {
			break
		}
		attempt, cancel := context.WithCancel(ctx)
		j.running, j.source, j.cancel = true, source, cancel
		d.active++
		d.launch(attempt, j, source)
	}
	next := never
	for _, j := range d.jobs {
		if j.running {
			continue // its end calls again
		}
		at := j.due
		if j.blocked {
			at = min(at, j.blockedAt+maxBlocked)
		}
		if at > now {
			next = min(next, at)
		}
	}
	return next
}

// stuck lists the jobs that have got nothing but 503 for too long.
func (d *downloads) stuck(now time.Duration) []*job {
	var list []*job
	for _, j := range d.jobs {
		if j.blocked && !j.running && now-j.blockedAt >= maxBlocked {
			list = append(list, j)
		}
	}
	return list
}

// pick gives the due job of the start with fewest downloads left; among equals the start that was announced first, in it
// the file that the manifest names first.
func (d *downloads) pick(now time.Duration) (*job, use) {
	var best *job
	var source use
	for _, j := range d.jobs {
		if j.running || j.due > now {
			continue
		}
		for _, u := range j.uses {
			if best == nil || u.before(source) {
				best, source = j, u
			}
		}
	}
	return best, source
}

func (u use) before(v use) bool {
	if u.start != v.start {
		if u.start.left != v.start.left {
			return u.start.left < v.start.left
		}
		return u.start.generation < v.start.generation
	}
	return u.start.index[u.path] < u.start.index[v.path]
}

// finish takes the outcome of an attempt.
func (d *downloads) finish(now time.Duration, j *job, out outcome) {
	d.active--
	j.cancel()
	j.running, j.err = false, out.err
	if len(j.uses) == 0 {
		delete(d.jobs, j.blob) // nobody wants it any more
		return
	}
	if out.fresh > 0 {
		j.failures, j.blocked = 0, false
	}
	switch out.result {
	case fetched:
		d.cached(j)
	case aborted:
		j.due = now
	case notStored:
		d.failed(j, FailedDownload, out.err)
	case mismatched:
		j.mismatches++
		if !out.resumed || j.mismatches >= maxMismatches {
			d.failed(j, FailedIntegrity, out.err)
			return
		}
		d.retry(now, j)
	case unavailable:
		if !j.blocked {
			j.blocked, j.blockedAt = true, now
		}
		j.due = now + out.retryAfter + d.jitter(out.retryAfter)
	case transient:
		d.retry(now, j)
	}
}

// retry counts a failure and backs off: 1, 2, 4 ... 30 s and up to half of it more.
func (d *downloads) retry(now time.Duration, j *job) {
	if j.failures++; j.failures >= maxFailures {
		d.failed(j, FailedDownload, j.err)
		return
	}
	wait := min(minBackoff<<(j.failures-1), maxBackoff)
	j.due = now + wait + d.jitter(wait/2)
}

// cached ends the job of a file that is now in the cache, for everyone who waits for it.
func (d *downloads) cached(j *job) {
	delete(d.jobs, j.blob)
	for _, s := range j.starts() {
		if s.left--; s.left == 0 {
			d.complete(s)
		}
	}
}

// failed ends the job and every start that needs its file.
func (d *downloads) failed(j *job, reason Failure, err error) {
	for _, s := range j.starts() {
		d.drop(s)
		d.fail(s, reason, err)
	}
}

// starts gives each start that uses the job once.
func (j *job) starts() []*start {
	var list []*start
	for _, u := range j.uses {
		if !slices.Contains(list, u.start) {
			list = append(list, u.start)
		}
	}
	return list
}
