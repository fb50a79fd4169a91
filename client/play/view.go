package play

import (
	"errors"
	"slices"
)

// openView shows v instead of the view that is open. Faults that the page of an older generation reported go.
func (m *model) openView(v *view) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v.Topics = []snapshot{}
	v.Origin = m.origin(label(v.Resource) + "." + pageHost)
	m.view = v
	m.endNotices(func(n notice) bool { return n.Page && n.Resource == v.Resource })
	m.broadcast(message{Type: "view", View: v})
}

// setData keeps the latest snapshot of a topic of the open view.
func (m *model) setData(id uint32, s snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.view
	if v == nil || v.ID != id {
		return
	}
	v.Topics = slices.DeleteFunc(v.Topics, func(old snapshot) bool { return old.Topic == s.Topic })
	v.Topics = append(v.Topics, s)
	m.broadcast(message{Type: "data", ID: uint64(id), Snapshot: &s})
}

func (m *model) closeView(id uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil || m.view.ID != id {
		return
	}
	m.view = nil
	m.broadcast(message{Type: "view_end", ID: uint64(id)})
}

// loadedView marks the view as loaded; it says false for a view that is not open and for a repeated load, as when a
// second browser tab loads it.
func (m *model) loadedView(id uint32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil || m.view.ID != id || m.view.loaded {
		return false
	}
	m.view.loaded = true
	return true
}

// waitingView says whether the view is open and no page has loaded it yet.
func (m *model) waitingView(id uint32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.view != nil && m.view.ID == id && !m.view.loaded
}

// faultView turns a fault in the view's page into a notice of its resource.
func (m *model) faultView(id uint32, text string) {
	m.mu.Lock()
	v := m.view
	m.mu.Unlock()
	if v == nil || v.ID != id || text == "" {
		return
	}
	const most = 2 << 10
	m.notify(notice{Kind: "error", Resource: v.Resource, Text: v.Resource + "/" + text[:min(len(text), most)], Count: 1, Page: true})
}

var errNoView = errors.New("no view of this resource is open")

// file reads a file of the open view if the view's origin has this label.
func (m *model) file(host, path string) (body []byte, contentType string, origins []string, err error) {
	m.mu.Lock()
	v := m.view
	m.mu.Unlock()
	if v == nil || label(v.Resource) != host {
		return nil, "", nil, errNoView
	}
	body, contentType, err = v.open(path)
	return body, contentType, v.origins(), err
}
