package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"darqline/protocol"
)

const (
	maxResources     = 1024 // with client files, that one server can make a client keep
	progressInterval = 100 * time.Millisecond
)

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// start is one start of a resource: its manifest, as far as it has arrived, and where its files stand.
type start struct {
	name       string
	generation uint32
	total      int
	files      []file
	index      map[string]int // of a path in files
	bytes      int64

	state    ResourceState
	left     int // downloads it waits for
	reported int64
	failure  Failure
	err      error
}

type file struct {
	path string
	blob blob
}

func (s *start) complete() bool { return len(s.files) == s.total }

// library holds the manifests of a session and sees to it that their files get into the cache. It lives on the loop.
type library struct {
	cache     *cache
	downloads *downloads
	log       *slog.Logger
	report    func(ResourceStatus)
	settled   func(*start) // its files are all here, or cannot be had

	idle     bool // nothing is downloaded: a manifest stays announced
	starts   map[string]*start
	bytes    int64         // of all complete manifests
	dirty    bool          // the downloads want a look
	next     time.Duration // or at this time
	progress time.Duration // when progress is told next
}

func newLibrary(c *cache, log *slog.Logger, report func(ResourceStatus), settled func(*start)) *library {
	l := &library{cache: c, log: log, report: report, settled: settled, downloads: newDownloads(), starts: make(map[string]*start), next: never}
	l.downloads.complete = l.ready
	l.downloads.fail = l.fail
	return l
}

// manifest takes a part of a manifest. The first part of a new generation replaces the older one at once.
func (l *library) manifest(p *protocol.ResourceFiles) {
	s := l.starts[p.Name]
	if s == nil || p.Generation > s.generation {
		if p.First != 0 {
			l.log.Warn("a manifest begins in the middle and is ignored", "resource", p.Name, "generation", p.Generation, "first", p.First)
			return
		}
		if s != nil {
			l.forget(s)
		}
		if len(l.starts) >= maxResources {
			l.log.Warn("too many resources with client files; one is ignored", "resource", p.Name, "limit", maxResources)
			return
		}
		s = &start{name: p.Name, generation: p.Generation, total: int(p.Total), index: make(map[string]int)}
		l.starts[p.Name] = s
	}
	if p.Generation != s.generation || int(p.Total) != s.total || int(p.First) != len(s.files) {
		l.log.Warn("a part of a manifest is out of order and is ignored", "resource", p.Name, "generation", p.Generation, "first", p.First)
		return
	}
	for _, e := range p.Entries {
		s.index[e.Path] = len(s.files)
		s.files = append(s.files, file{e.Path, blob{e.SHA256, int64(e.Size)}})
		s.bytes += int64(e.Size)
	}
	if s.complete() {
		l.begin(s)
	}
}

// begin checks a complete manifest and starts what it lacks.
func (l *library) begin(s *start) {
	l.bytes += s.bytes
	for _, f := range s.files {
		l.cache.pin(f.blob)
	}
	l.tell(s, ResourceAnnounced)
	switch {
	case l.idle:
	case len(s.index) != len(s.files):
		l.fail(s, FailedIntegrity, errors.New("the manifest lists a path twice"))
	case s.bytes > protocol.MaxClientFilesSize:
		l.fail(s, FailedIntegrity, fmt.Errorf("the manifest lists %d bytes, the limit of a resource is %d", s.bytes, protocol.MaxClientFilesSize))
	case l.bytes > l.cache.limit:
		l.fail(s, FailedDownload, fmt.Errorf("the client files of all resources are %d bytes, the cache holds %d", l.bytes, l.cache.limit))
	default:
		l.check(s)
	}
}

// check wants every file that is not in the cache.
func (l *library) check(s *start) {
	wanted := make(map[blob]bool)
	for _, f := range s.files {
		if !wanted[f.blob] && !l.cache.has(f.blob) {
			wanted[f.blob] = true
			l.downloads.want(s, f.path, f.blob)
		}
	}
	if s.left == 0 {
		l.ready(s)
		return
	}
	l.dirty = true
	l.tell(s, ResourceDownloading)
}

// damaged is for a start that was ready, where a file in the cache then turned out not to be what its name says.
func (l *library) damaged(s *start) {
	l.log.Warn("a cached client file was missing or damaged; it is downloaded again", "resource", s.name)
	l.check(s)
}

func (l *library) ready(s *start) {
	l.tell(s, ResourceReady)
	l.settled(s)
}

func (l *library) fail(s *start, reason Failure, err error) {
	l.log.Warn("client files cannot be had", "resource", s.name, "generation", s.generation, "reason", string(reason), "error", err)
	s.failure, s.err = reason, err
	l.tell(s, ResourceFailed)
	l.settled(s)
}

// remove takes a ResourceRemove.
func (l *library) remove(name string, generation uint32) {
	if s := l.starts[name]; s != nil && s.generation == generation {
		l.forget(s)
	}
}

// forget drops a manifest and aborts its downloads.
func (l *library) forget(s *start) {
	l.downloads.drop(s)
	if s.complete() {
		l.bytes -= s.bytes
		for _, f := range s.files {
			l.cache.unpin(f.blob)
		}
	}
	delete(l.starts, s.name)
	l.tell(s, ResourceRemoved)
	l.settled(s)
}

// close forgets everything without telling: the session is over.
func (l *library) close() {
	l.downloads.dropAll()
	for _, s := range l.starts {
		if s.complete() {
			for _, f := range s.files {
				l.cache.unpin(f.blob)
			}
		}
	}
	clear(l.starts)
}

// finish takes the outcome of an attempt of a download.
func (l *library) finish(now time.Duration, j *job, out outcome) {
	if out.err != nil && out.result != aborted {
		l.log.Debug("a download did not end well", "file", j.source.path, "resource", j.source.start.name, "error", out.err)
	}
	l.dirty = true
	l.downloads.finish(now, j, out)
}

// drive starts downloads and tells their progress. It gives the time at which it wants to be called again, or never.
func (l *library) drive(ctx context.Context, now time.Duration) time.Duration {
	if l.dirty || now >= l.next {
		l.dirty = false
		l.next = l.downloads.pump(ctx, now)
	}
	if l.downloads.active == 0 {
		return l.next
	}
	if now >= l.progress {
		l.progress = now + progressInterval
		for _, s := range l.starts {
			if s.state == ResourceDownloading && s.reported != l.received(s) {
				l.tell(s, ResourceDownloading)
			}
		}
	}
	return min(l.next, l.progress)
}

// received counts the bytes of a start that are here.
func (l *library) received(s *start) int64 {
	n := s.bytes
	for _, f := range s.files {
		if j := l.downloads.jobs[f.blob]; j != nil {
			n -= f.blob.size - j.received.Load()
		}
	}
	return n
}

func (l *library) tell(s *start, state ResourceState) {
	s.state = state
	status := ResourceStatus{Name: s.name, Generation: s.generation, State: state, Total: s.bytes, Reason: s.failure, Err: s.err}
	switch state {
	case ResourceDownloading:
		s.reported = l.received(s)
		status.Received = s.reported
	case ResourceReady:
		status.Received = s.bytes
	}
	l.report(status)
}
