// Package watch tells which folders below a root have changed, once each change has come to rest.
//
// It watches folders and never files, because editors save by renaming; it looks anew wherever the operating system may
// have left something out (a folder that was made with its content, an overflow, a root that was replaced), and it polls
// where nothing can be watched. What changed in a folder is not its business: it names the folder right below the root,
// and whoever reads that folder compares bytes (page Resources and views, Life).
package watch

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Mode is how changes are found.
type Mode string

const (
	Watch Mode = "watch" // by the operating system, by polling where that is not to be had
	Poll  Mode = "poll"  // by looking at every file once a second: for network and container file systems
	Off   Mode = "off"   // not at all
)

const (
	// Quiet is how long nothing may happen before a change counts as finished.
	Quiet = 150 * time.Millisecond
	// Longest is how long a change may go on before it is reported unfinished.
	Longest = time.Second
	// Interval is how often a polling watcher looks, and a watching one whether its root is still the same.
	Interval = time.Second
)

// Config is what a [Watcher] needs.
type Config struct {
	Dir    string // the root; it may be missing and come later
	Mode   Mode   // "" is Watch
	Logger *slog.Logger
	Notify func() (Notifier, error) // nil: that of the operating system
}

// Batch is what changed.
type Batch struct {
	All   bool     // anything may have changed
	Names []string // of what lies right below the root, sorted
}

// Watcher watches one root. Its goroutine is the one that calls Run.
type Watcher struct {
	c       Config
	polling bool
	batches chan Batch

	root     os.FileInfo // nil while there is none
	notifier Notifier
	watched  map[string]bool // folders that notifier watches
	stamps   map[string]os.FileInfo
	resync   bool // something was missed: watch all folders anew

	changed map[string]bool // since the last report
	all     bool
	ready   Batch // waits for its reader, growing
	first   time.Time
	quiet   *time.Timer
	beat    *time.Timer
}

// New gives a watcher that does nothing before Open.
func New(c Config) *Watcher {
	if c.Notify == nil {
		c.Notify = system
	}
	return &Watcher{
		c:       c,
		polling: c.Mode == Poll,
		batches: make(chan Batch),
		changed: map[string]bool{},
		quiet:   stopped(),
		beat:    stopped(),
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// Batches gives what changed. While nobody reads it, changes are gathered in one batch.
func (w *Watcher) Batches() <-chan Batch { return w.batches }

// Open begins to watch: what changes after it has returned is reported. It gives the mode that it found possible.
func (w *Watcher) Open() Mode {
	if w.c.Mode == Off {
		return Off
	}
	w.open()
	if w.polling {
		return Poll
	}
	return Watch
}

// Run reports changes until ctx ends. Open comes first.
func (w *Watcher) Run(ctx context.Context) {
	defer w.close()
	if w.c.Mode != Off {
		w.beat.Reset(Interval)
	}
	for {
		var events <-chan fsnotify.Event
		var faults <-chan error
		if w.notifier != nil {
			events, faults = w.notifier.Events(), w.notifier.Errors()
		}
		var out chan<- Batch
		if w.ready.All || len(w.ready.Names) > 0 {
			out = w.batches
		}
		select {
		case <-ctx.Done():
			return
		case out <- w.ready:
			w.ready = Batch{}
		case event, ok := <-events:
			if !ok {
				w.lost(errors.New("the notifier has ended"))
				continue
			}
			w.event(event)
		case err, ok := <-faults:
			if ok {
				w.lost(err)
			}
		case <-w.quiet.C:
			w.rest()
		case <-w.beat.C:
			w.heartbeat()
		}
	}
}

// open watches the root, if it is there, and every folder in it.
func (w *Watcher) open() {
	w.close()
	w.root = stat(w.c.Dir)
	if w.root == nil {
		return
	}
	if w.polling {
		w.stamps = look(w.c.Dir)
		return
	}
	notifier, err := w.c.Notify()
	if err != nil {
		w.fall(err)
		return
	}
	w.notifier, w.watched = notifier, map[string]bool{}
	w.add(w.c.Dir)
}

func (w *Watcher) close() {
	if w.notifier != nil {
		_ = w.notifier.Close()
		w.notifier = nil
	}
	w.watched, w.stamps = nil, nil
}

// fall changes to polling for good, and says so: there is no more to be had from the operating system.
func (w *Watcher) fall(err error) {
	w.close()
	w.polling = true
	w.stamps = look(w.c.Dir)
	w.touchAll()
	if w.c.Logger != nil {
		w.c.Logger.Warn("folders cannot be watched; looking at every file once a second instead", "dir", w.c.Dir,
			"error", err, "cure", "raise fs.inotify.max_user_watches and fs.inotify.max_user_instances (sysctl)")
	}
}

// add watches a folder and all below it that are not hidden. Each is watched before it is read, so that what is made
// meanwhile is either seen or reported.
func (w *Watcher) add(dir string) {
	if w.notifier == nil {
		return // an add above has fallen to polling
	}
	if err := w.notifier.Add(dir); err != nil {
		if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
			w.fall(err)
		}
		return
	}
	w.watched[dir] = true
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if at := filepath.Join(dir, entry.Name()); !hidden(entry.Name()) && w.isFolder(dir, entry) {
			w.add(at)
		}
	}
}

// isFolder takes a link to a folder for one only right below the root, where it may be a resource.
func (w *Watcher) isFolder(dir string, entry os.DirEntry) bool {
	if entry.Type()&os.ModeSymlink == 0 || dir != w.c.Dir {
		return entry.IsDir()
	}
	info := stat(filepath.Join(dir, entry.Name()))
	return info != nil && info.IsDir()
}

// drop ends the watches of a folder and all below it. The folder may have gone elsewhere, where its old watches would
// still report under its old name.
func (w *Watcher) drop(dir string) {
	for at := range w.watched {
		if at == dir || strings.HasPrefix(at, dir+string(filepath.Separator)) {
			_ = w.notifier.Remove(at)
			delete(w.watched, at)
		}
	}
}

func (w *Watcher) event(event fsnotify.Event) {
	rel, err := filepath.Rel(w.c.Dir, event.Name)
	if err != nil || rel == "." {
		w.checkRoot()
		return
	}
	if Ignored(rel) || event.Op == fsnotify.Chmod {
		return
	}
	if event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
		w.drop(event.Name)
	}
	if event.Has(fsnotify.Create) {
		if info, err := os.Lstat(event.Name); err == nil && w.isFolder(filepath.Dir(event.Name), fs.FileInfoToDirEntry(info)) {
			w.drop(event.Name)
			w.add(event.Name)
		}
	}
	w.touch(rel)
}

// lost takes an error of the notifier. After an overflow anything may have happened.
func (w *Watcher) lost(err error) {
	if w.notifier == nil {
		return
	}
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.fall(err)
		return
	}
	w.resync = true
	w.touchAll()
}

// touch notes that something below the root has changed.
func (w *Watcher) touch(rel string) {
	name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	w.changed[name] = true
	w.wait()
}

func (w *Watcher) touchAll() {
	w.all = true
	w.wait()
}

// wait puts the report off, until nothing has happened for Quiet, and Longest at most.
func (w *Watcher) wait() {
	now := time.Now()
	if w.first.IsZero() {
		w.first = now
	}
	w.quiet.Reset(min(Quiet, Longest-now.Sub(w.first)))
}

// rest reports what changed, now that nothing does any more.
func (w *Watcher) rest() {
	if w.polling && time.Since(w.first) < Longest && w.poll() {
		return // it goes on; wait has been called again
	}
	if w.resync {
		w.resync = false
		w.open()
	}
	names := slices.AppendSeq(w.ready.Names, maps.Keys(w.changed))
	slices.Sort(names)
	w.ready = Batch{All: w.all || w.ready.All, Names: slices.Compact(names)}
	w.changed, w.all, w.first = map[string]bool{}, false, time.Time{}
}

// heartbeat finds what no event tells: that the root is another one, and everything where we poll.
func (w *Watcher) heartbeat() {
	began := time.Now()
	if !w.checkRoot() && w.polling && w.root != nil && w.first.IsZero() {
		w.poll()
	}
	// A tree that takes long to look at is looked at less often: never more than a tenth of the time.
	w.beat.Reset(max(Interval, 10*time.Since(began)))
}

// checkRoot finds out whether the root has come, gone or been replaced.
func (w *Watcher) checkRoot() (changed bool) {
	now := stat(w.c.Dir)
	if now == nil && w.root == nil || now != nil && w.root != nil && os.SameFile(now, w.root) {
		return false
	}
	w.open()
	w.touchAll()
	return true
}

func stat(path string) os.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}
