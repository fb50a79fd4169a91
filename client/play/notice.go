package play

import "strings"

// noticePrefix begins the text of a ServerMessage by which the server tells its author of reloads and faults.
const noticePrefix = "[darqline] "

// maxNotices bounds the list; the oldest goes first.
const maxNotices = 24

// notice is something that the author of a resource wants to know. An error stays until the resource's next good
// reload or until somebody dismisses it; a success is shown for a moment.
type notice struct {
	ID       uint64 `json:"id"`
	Kind     string `json:"kind"` // as of a line
	Resource string `json:"resource"`
	Text     string `json:"text"`
	Count    int    `json:"count"` // how often it came
	Page     bool   `json:"page"`  // from the view's page, not from the server
}

// parseNotice reads a ServerMessage's text as a notice: "[darqline] shop reloaded: generation 7, 43 ms" or
// "[darqline] shop/main.lua:12: unexpected symbol".
func parseNotice(kind, text string) (notice, bool) {
	body, ok := strings.CutPrefix(text, noticePrefix)
	if !ok {
		return notice{}, false
	}
	resource := body
	if end := strings.IndexAny(body, "/: "); end >= 0 {
		resource = body[:end]
	}
	return notice{Kind: kind, Resource: resource, Text: body, Count: 1}, true
}

// notify adds n. A success ends the errors of its resource; an error that stands already is counted.
func (m *model) notify(n notice) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n.Kind == "success" {
		m.endNotices(func(old notice) bool { return old.Resource == n.Resource })
	}
	for i := range m.notices {
		if old := &m.notices[i]; old.Kind == n.Kind && old.Text == n.Text {
			old.Count++
			m.broadcast(message{Type: "notice", Notice: old})
			return
		}
	}
	m.serial++
	n.ID = m.serial
	if len(m.notices) == maxNotices {
		first := m.notices[0].ID
		m.endNotices(func(old notice) bool { return old.ID == first })
	}
	if n.Kind != "success" { // a success is for those who look now, not for a page that is opened later
		m.notices = append(m.notices, n)
	}
	m.broadcast(message{Type: "notice", Notice: &n})
}

// dismiss ends one notice, in every page.
func (m *model) dismiss(id uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.endNotices(func(n notice) bool { return n.ID == id })
}

// endNotices ends those for which gone is true. The lock is held.
func (m *model) endNotices(gone func(notice) bool) {
	kept := m.notices[:0]
	for _, n := range m.notices {
		if gone(n) {
			m.broadcast(message{Type: "notice_end", ID: n.ID})
			continue
		}
		kept = append(kept, n)
	}
	m.notices = kept
}
