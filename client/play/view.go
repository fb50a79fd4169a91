package play

import "slices"

// openView shows v instead of the view that is open. Faults that the page of an older generation reported go.
func (m *model) openView(v *view) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v.Topics = []snapshot{}
	v.Origin = m.origin(label(v.Resource) + "." + pageHost)
	v.SignIn, v.nonce = m.connection.SignIn, m.connection.nonce
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

// viewAt is the open view if its origin has this label, else nil.
func (m *model) viewAt(host string) *view {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil || label(m.view.Resource) != host {
		return nil
	}
	return m.view
}
