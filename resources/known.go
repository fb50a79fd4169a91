package resources

import (
	"errors"
	"slices"
	"time"

	"darqline/resources/watch"
)

// changed looks at what the watcher names.
func (m *Manager) changed(batch watch.Batch) {
	m.rescan()
	for _, name := range m.names() {
		r := m.resources[name]
		if r == nil || r.gone || !r.missing.IsZero() || !batch.All && !slices.Contains(batch.Names, name) {
			continue
		}
		switch {
		case r.state == Running:
			_ = m.reload(r, false)
		case r.state == Failed && r.wanted:
			m.tryAgain(r)
		case r.state == Stopped:
			_, r.err = m.read(r)
		}
	}
	m.show()
}

// tryAgain starts a failed resource if its bytes have changed.
func (m *Manager) tryAgain(r *resource) {
	if b, _ := m.read(r); b != nil && b.Digest != r.seen && !m.justEmptied(r, b) {
		_ = m.start(r)
	}
}

// lookAgain has a resource looked at once more after another quiet time.
func (m *Manager) lookAgain(name string) {
	m.second[name] = true
	m.again.Reset(watch.Quiet)
}

// rescan compares the folders that are there with those that are known: new ones become known, what runs without its
// folder stops, and what ran when its folder went starts again with it.
func (m *Manager) rescan() {
	folders, ignored, err := scan(m.c.Dir)
	if err != nil {
		m.c.Logger.Warn("the folder of resources cannot be read", "dir", m.c.Dir, "error", err)
		return
	}
	for _, f := range m.builtin {
		if !slices.ContainsFunc(folders, func(other folder) bool { return other.name == f.name }) {
			folders = append(folders, f)
		}
	}
	m.ignore(ignored)
	there := map[string]bool{}
	for _, f := range folders {
		there[f.name] = true
		m.found(f)
	}
	for _, name := range m.names() {
		if r := m.resources[name]; !there[name] && !r.gone {
			m.missing(r)
		}
	}
}

// missing takes a resource that is not there, but may be in the middle of a save by renaming: it is lost when it has been
// away for a quiet time.
func (m *Manager) missing(r *resource) {
	now := time.Now()
	switch {
	case r.missing.IsZero():
		r.missing = now
		m.lookAgain(r.folder.name)
	case now.Sub(r.missing) >= watch.Quiet:
		m.lost(r)
	}
}

// found takes a folder that is there.
func (m *Manager) found(f folder) {
	r := m.resources[f.name]
	switch {
	case r == nil:
		r = &resource{folder: f, wanted: slices.Contains(m.c.Start, f.name)}
		m.resources[f.name] = r
		_, r.err = m.read(r)
		m.show()
		if !r.wanted {
			m.tell(Notice{Kind: NoticeFound, Resource: f.name, Err: r.err})
		}
	case r.gone:
		r.gone, r.missing, r.err = false, time.Time{}, nil
		m.show()
	default:
		r.folder, r.missing = f, time.Time{}
		return
	}
	if r.wanted && m.begun() {
		_ = m.start(r)
	}
}

// begun reports whether startAll is over.
func (m *Manager) begun() bool {
	select {
	case <-m.started:
		return true
	default:
		return false
	}
}

// lost takes a resource whose folder is no longer there.
func (m *Manager) lost(r *resource) {
	if err := m.halt(r); err != nil {
		m.lookAgain(r.folder.name)
		return
	}
	r.gone = true
	if !r.wanted {
		delete(m.resources, r.folder.name)
		m.show()
		m.tell(Notice{Kind: NoticeGone, Resource: r.folder.name})
		return
	}
	r.err = errors.New("its folder is gone; it starts again when the folder comes back")
	m.show()
	m.tell(Notice{Kind: NoticeStopped, Resource: r.folder.name, Generation: r.number, Err: r.err})
}

// ignore names every folder that is no resource, once for each reason.
func (m *Manager) ignore(now Faults) {
	reasons := map[string]string{}
	for _, f := range now {
		reasons[f.File] = f.Text
		if m.ignored[f.File] != f.Text {
			m.tell(Notice{Kind: NoticeIgnored, Resource: f.File, Err: Faults{f}})
		}
	}
	m.ignored = reasons
}
