package client

import (
	"context"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"darqline/protocol"
)

const (
	maxTopics = 32 // of a view, page Resources and views
	maxLoads  = 3  // attempts to read a view's files back from a cache that damages them
)

// views is the one view that a connection can have open (page Resource files and views). It lives on the loop.
type views struct {
	session *session
	open    *openView // nil: none
}

// openView is the view that the server has open, from its ViewOpen on.
type openView struct {
	view     *View
	shown    bool // the handler has it
	loads    int  // attempts to read its files
	loaded   bool // the page has run
	assembly map[string]*assembly
}

// assembly is the snapshot of one topic whose parts are arriving.
type assembly struct {
	revision    uint32
	next, parts uint8
	data        []byte
}

// openNew takes a ViewOpen: it replaces the open view and opens as soon as the files of exactly its generation are here.
func (vs *views) openNew(p *protocol.ViewOpen) {
	vs.end(ClosedReplaced)
	v := &View{ID: p.ViewID, Resource: p.Name, Generation: p.Generation, Entry: p.Entry, Input: p.Input}
	v.origins = vs.session.allowedOrigins(p.Origins)
	vs.open = &openView{view: v, assembly: make(map[string]*assembly)}
	if vs.session.client.config.NoBrowser {
		vs.fail(v.ID, protocol.ViewFailedNoBrowser)
		return
	}
	s := vs.manifest()
	switch {
	case s == nil:
		vs.session.log.Warn("a view of a generation that is not announced", "resource", p.Name, "generation", p.Generation)
		vs.fail(v.ID, protocol.ViewFailedDownload)
	case s.complete() && !s.has(p.Entry):
		vs.session.log.Warn("a view's page is not in the manifest", "resource", p.Name, "page", p.Entry)
		vs.fail(v.ID, protocol.ViewFailedPage)
	default:
		vs.settled(s)
	}
}

// manifest is the one of the open view's generation, nil if that has stopped.
func (vs *views) manifest() *start {
	s := vs.session.library.starts[vs.open.view.Resource]
	if s == nil || s.generation != vs.open.view.Generation {
		return nil
	}
	return s
}

func (s *start) has(path string) bool {
	_, ok := s.index[path]
	return ok
}

// settled goes on with the view that waits for s.
func (vs *views) settled(s *start) {
	o := vs.open
	if o == nil || o.view.Resource != s.name || o.view.Generation != s.generation {
		return
	}
	switch s.state {
	case ResourceRemoved:
		vs.end(ClosedRemoved)
	case ResourceReady:
		vs.load(s)
	case ResourceFailed:
		if s.failure == FailedIntegrity {
			vs.fail(o.view.ID, protocol.ViewFailedIntegrity)
		} else {
			vs.fail(o.view.ID, protocol.ViewFailedDownload)
		}
	}
}

// load reads the view's files off the loop and checks every one against the manifest.
func (vs *views) load(s *start) {
	o := vs.open
	if !s.has(o.view.Entry) {
		vs.fail(o.view.ID, protocol.ViewFailedPage)
		return
	}
	o.loads++
	files, cache := s.files, vs.session.client.cache
	vs.session.async(func(ctx context.Context) func() {
		bodies := make(map[string][]byte, len(files))
		var failed error
		for _, f := range files {
			body, err := cache.load(f.blob)
			if err != nil {
				failed = errors.Join(failed, err)
			}
			bodies[f.path] = body
			if ctx.Err() != nil {
				return func() {}
			}
		}
		return func() { vs.finishLoad(o, s, bodies, failed) }
	})
}

func (vs *views) finishLoad(o *openView, s *start, bodies map[string][]byte, err error) {
	if vs.open != o {
		return
	}
	if err != nil {
		if o.loads >= maxLoads || !errors.Is(err, errDamaged) {
			vs.session.library.fail(s, FailedDownload, err)
			return
		}
		vs.session.library.damaged(s)
		return
	}
	o.view.fill(bodies)
	o.shown = true
	vs.session.handler.ViewOpened(o.view)
	for _, d := range o.view.Latest() {
		if vs.open != o {
			return
		}
		vs.session.handler.ViewData(o.view.ID, d.Topic, d.Revision, d.JSON)
	}
}

// close takes a ViewClose.
func (vs *views) close(id uint32) {
	if vs.is(id) {
		vs.end(ClosedByServer)
	}
}

// end closes the open view, if there is one, and tells the handler if it had it.
func (vs *views) end(reason CloseReason) {
	o := vs.open
	if o == nil {
		return
	}
	vs.open = nil
	o.view.close()
	if o.shown {
		vs.session.handler.ViewClosed(o.view.ID, reason)
	}
}

func (vs *views) is(id uint32) bool { return vs.open != nil && vs.open.view.ID == id }

// loaded reports the page as loaded, once.
func (vs *views) loaded(id uint32) {
	if vs.is(id) && vs.open.shown && !vs.open.loaded {
		vs.open.loaded = true
		vs.session.push(&protocol.ViewStatus{ViewID: id, Status: protocol.ViewLoaded}, false)
	}
}

// fail closes the view and then reports why.
func (vs *views) fail(id uint32, status protocol.ViewStatusCode) {
	if vs.is(id) {
		vs.end(ClosedFailed)
		vs.session.push(&protocol.ViewStatus{ViewID: id, Status: status}, false)
	}
}

// action sends an action of the page. The server drops those of a page that was not reported as loaded.
func (vs *views) action(p *protocol.ViewAction) {
	if vs.is(p.ViewID) && vs.open.loaded {
		vs.session.push(p, true)
	}
}

// data takes a part of a snapshot. A part out of order resets the assembly of its topic.
func (vs *views) data(p *protocol.ViewData) {
	if !vs.is(p.ViewID) {
		return
	}
	o := vs.open
	a := o.assembly[p.Topic]
	if p.Part == 0 && (a != nil || len(o.assembly) < maxTopics) {
		a = &assembly{revision: p.Revision, parts: p.Parts}
		o.assembly[p.Topic] = a
	}
	if a == nil || a.next != p.Part || a.parts != p.Parts || a.revision != p.Revision {
		delete(o.assembly, p.Topic)
		return
	}
	a.next++
	a.data = append(a.data, p.Data...)
	if a.next < a.parts {
		return
	}
	delete(o.assembly, p.Topic)
	if !utf8.Valid(a.data) || !json.Valid(a.data) {
		vs.session.log.Warn("a snapshot is not JSON and is dropped", "resource", o.view.Resource, "topic", p.Topic)
		return
	}
	s := Snapshot{Topic: p.Topic, Revision: p.Revision, JSON: a.data}
	if err := o.view.keep(s); err != nil {
		vs.session.log.Warn("a snapshot is dropped", "resource", o.view.Resource, "topic", p.Topic, "error", err)
		return
	}
	if o.shown {
		vs.session.handler.ViewData(p.ViewID, s.Topic, s.Revision, s.JSON)
	}
}

// endSignIn takes the sites of the sign-in screen away from the open view.
func (vs *views) endSignIn() {
	if vs.open != nil {
		vs.open.view.endSignIn()
	}
}
