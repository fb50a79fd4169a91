package play

import (
	"darqline/client"
	"darqline/protocol"
)

// notification is a short message at the side.
type notification struct {
	ID       uint32 `json:"id"`
	Kind     string `json:"kind"` // as of a line
	Icon     string `json:"icon,omitempty"`
	Title    string `json:"title,omitempty"`
	Text     string `json:"text"`
	TimeBar  bool   `json:"time_bar,omitempty"`
	Sound    bool   `json:"sound,omitempty"`
	Duration uint32 `json:"duration"`        // ms
	Until    int64  `json:"until,omitempty"` // Unix time in ms; 0: it stays
}

func (h *handler) Notifications(list []client.Notification) {
	out := make([]notification, len(list))
	for i, n := range list {
		out[i] = notification{
			ID: n.NotificationID, Kind: kinds[n.Kind], Icon: iconName(n.Icon), Title: n.Content.Title, Text: n.Content.Text,
			TimeBar: n.Flags&protocol.NotificationTimeBar != 0, Sound: n.Flags&protocol.NotificationSound != 0,
			Duration: n.Duration, Until: unixMs(n.Until),
		}
	}
	h.m.setNotifications(out)
}

func (m *model) setNotifications(list []notification) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Notifications = list
	m.broadcast(message{Type: "notifications", Notifications: &list})
}
