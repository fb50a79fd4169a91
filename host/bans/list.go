package bans

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"sync"
	"time"

	"darqline/host/internal/wholefile"
)

// Options are what a list needs beside its file.
type Options struct {
	NameKey func(string) string // equal for two names that count as the same
	Now     func() time.Time    // the wall clock; nil: time.Now
	FS      wholefile.FS        // nil: the system's
	Logger  *slog.Logger        // nil: nothing is logged

	// Changed is told of each change, in order, when it holds; nil: nobody. It may look bans up and must not change them.
	Changed func(added, removed []Ban)
}

// List is the bans of a server. Its methods may be called from any goroutine.
type List struct {
	path string
	opt  Options

	change sync.Mutex  // one change at a time; held while the disk works. It guards what follows
	next   int         // the next id
	seen   fs.FileInfo // of the file as it was read or written last; nil: there was none
	fresh  fs.FileInfo // of a file that was found changed, and may not be whole yet
	broken error       // the file was edited, and cannot be read

	mu sync.RWMutex // held for moments only: look-ups do not wait for the disk
	ix *index
}

// Open reads a list. A file that is not there is an empty one; one that cannot be read is an error with its line, and
// stays as it is. What a killed process has left beside it is removed.
func Open(path string, opt Options) (*List, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.FS == nil {
		opt.FS = wholefile.System{}
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.Changed == nil {
		opt.Changed = func([]Ban, []Ban) {}
	}
	l := &List{path: path, opt: opt, next: 1, ix: newIndex(opt.NameKey)}
	if err := wholefile.Clean(opt.FS, path); err != nil {
		opt.Logger.Warn("a temporary file cannot be removed", "path", wholefile.Temporary(path), "error", err)
	}
	info, err := opt.FS.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the bans cannot be read: %w", err)
	}
	c, err := l.read(info)
	if err != nil {
		return nil, err
	}
	l.next, l.seen, l.ix = c.next, info, l.indexOf(c.bans)
	return l, nil
}

// read reads the file.
func (l *List) read(info fs.FileInfo) (content, error) {
	if info.Size() > maxBytes {
		return content{}, fmt.Errorf("%s has %d bytes, at most %d can be read", l.path, info.Size(), maxBytes)
	}
	data, err := os.ReadFile(l.path)
	if err != nil {
		return content{}, fmt.Errorf("the bans cannot be read: %w", err)
	}
	return parse(l.path, data, l.opt.Now())
}

// indexOf makes an index of bans; those that are over are forgotten.
func (l *List) indexOf(list []Ban) *index {
	now, ix := l.opt.Now(), newIndex(l.opt.NameKey)
	for _, b := range list {
		if !b.expired(now) {
			ix.add(newEntry(b))
		}
	}
	return ix
}

// Match finds the ban of somebody: of several the one that lasts longest. A zero serial and an empty nameKey or account
// are none. It does not wait for the disk.
func (l *List) Match(host netip.Addr, serial [32]byte, nameKey, account string) (Ban, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.ix.match(l.opt.Now(), host, serial, nameKey, account)
}

// All are the bans, in the order of their making.
func (l *List) All() []Ban {
	now := l.opt.Now()
	l.mu.RLock()
	defer l.mu.RUnlock()
	list := make([]Ban, 0, len(l.ix.all))
	for _, e := range l.ix.all {
		if !e.Ban.expired(now) {
			list = append(list, e.Ban)
		}
	}
	return list
}

// After is when a ban ends that begins now.
func (l *List) After(d time.Duration) time.Time { return l.opt.Now().Add(d) }

// Add makes bans that belong together: they share a new id, and hold all or none. It returns when they are on the disk.
// Each needs Kind and Value; they are returned as they hold.
func (l *List) Add(list ...Ban) ([]Ban, error) {
	l.change.Lock()
	defer l.change.Unlock()
	if err := l.catchUp(); err != nil {
		return nil, err
	}
	now := l.opt.Now()
	added := make([]Ban, len(list))
	fresh := make([]*entry, len(list))
	for i, b := range list {
		b.ID, b.Created = l.next, now
		b, err := b.checked()
		if err != nil {
			return nil, err
		}
		added[i], fresh[i] = b, newEntry(b)
	}
	over := l.ix.expired(now)
	if len(l.ix.all)-len(over)+len(list) > maxBans {
		return nil, fmt.Errorf("the list holds %d bans, which is all it can: lift some, or ban ranges", maxBans)
	}
	if err := l.write(l.next+1, append(without(l.ix.all, setOf(over)), fresh...)); err != nil {
		return nil, err
	}
	l.next++
	l.apply(fresh, over)
	return added, nil
}

// Remove lifts the bans with an id and returns them, none where there is no such id. It returns when the disk knows.
func (l *List) Remove(id int) ([]Ban, error) {
	l.change.Lock()
	defer l.change.Unlock()
	if err := l.catchUp(); err != nil {
		return nil, err
	}
	over := l.ix.expired(l.opt.Now())
	var gone []*entry
	for _, e := range without(l.ix.all, setOf(over)) {
		if e.ID == id {
			gone = append(gone, e)
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	removed := bansOf(gone)
	gone = append(gone, over...)
	if err := l.write(l.next, without(l.ix.all, setOf(gone))); err != nil {
		return nil, err
	}
	l.apply(nil, gone)
	return removed, nil
}

// Refresh takes over a file that was edited, and forgets bans that are over. It is to be called every few seconds. Its
// error is told once for each edit: the bans are then those of before, and no change is possible until the file is mended.
func (l *List) Refresh() error {
	l.change.Lock()
	defer l.change.Unlock()
	if over := l.ix.expired(l.opt.Now()); len(over) > 0 {
		l.apply(nil, over)
	}
	info, err := l.opt.FS.Stat(l.path)
	switch {
	case err != nil:
		if l.seen != nil && errors.Is(err, fs.ErrNotExist) {
			l.seen, l.broken = nil, nil
			return fmt.Errorf("%s is gone: its bans still hold, and the next change writes them again", l.path)
		}
		return nil
	case same(info, l.seen):
		return nil
	case !same(info, l.fresh): // whoever saves it may not be through yet
		l.fresh = info
		return nil
	}
	return l.reload(info)
}

// catchUp takes over a file that was edited before it is written again: what somebody has put there is never lost.
func (l *List) catchUp() error {
	info, err := l.opt.FS.Stat(l.path)
	if err == nil && !same(info, l.seen) {
		l.reload(info)
	}
	if l.broken != nil {
		return fmt.Errorf("the list of bans was edited and is not changed until it can be read again: %w", l.broken)
	}
	return nil
}

// reload takes over the file as it is now.
func (l *List) reload(info fs.FileInfo) error {
	l.seen, l.fresh = info, nil
	c, err := l.read(info)
	if l.broken = err; err != nil {
		return err
	}
	ix := l.indexOf(c.bans)
	added, removed := difference(l.ix.all, ix.all)
	l.mu.Lock()
	l.ix = ix
	l.mu.Unlock()
	l.next = max(l.next, c.next)
	l.opt.Logger.Info("bans were read again", "path", l.path, "added", len(added), "removed", len(removed))
	l.tell(added, removed)
	return nil
}

// write brings a list to the disk.
func (l *List) write(next int, list []*entry) error {
	err := wholefile.Write(l.opt.FS, l.path, render(next, list), 0o600)
	var failed *wholefile.Error
	if errors.As(err, &failed) && failed.Replaced {
		l.opt.Logger.Warn("the list of bans may not outlast a power cut", "error", err)
		err = nil
	}
	if err != nil {
		return err
	}
	if info, err := l.opt.FS.Stat(l.path); err == nil {
		l.seen = info
	}
	return nil
}

// apply makes a change hold that the disk has.
func (l *List) apply(added, removed []*entry) {
	l.mu.Lock()
	l.ix.remove(removed)
	for _, e := range added {
		l.ix.add(e)
	}
	l.mu.Unlock()
	l.tell(added, removed)
}

func (l *List) tell(added, removed []*entry) {
	if len(added) > 0 || len(removed) > 0 {
		l.opt.Changed(bansOf(added), bansOf(removed))
	}
}

func bansOf(list []*entry) []Ban {
	bans := make([]Ban, len(list))
	for i, e := range list {
		bans[i] = e.Ban
	}
	return bans
}

// difference compares two lists by what their lines say.
func difference(old, now []*entry) (added, removed []*entry) {
	extra := func(list, than []*entry) (extra []*entry) {
		has := make(map[string]bool, len(than))
		for _, e := range than {
			has[string(e.line)] = true
		}
		for _, e := range list {
			if !has[string(e.line)] {
				extra = append(extra, e)
			}
		}
		return extra
	}
	return extra(now, old), extra(old, now)
}

// same says whether a file is the one that was seen.
func same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}
