package world

import (
	"cmp"
	"slices"
	"time"

	"darqline/protocol"
)

// Notification is a short message at the side; it goes by itself.
type Notification struct {
	Title   string        // up to 96 bytes
	Text    string        // 1..400 bytes, up to 6 lines
	Left    time.Duration // 1 s up to a minute; 0: it stays
	Kind    protocol.MessageKind
	Icon    protocol.Icon // IconNone: of the kind
	TimeBar bool
	Sound   bool
}

const (
	shortestNotification = time.Second
	longestNotification  = time.Minute
	keptNotifications    = 20 // by a client, and of those that wait
)

func (Notification) kind() elementKind { return kindNotification }

func (n Notification) check() error {
	return cmp.Or(line("title", n.Title, 96), given("text", n.Text), lines("text", n.Text, 400, 6))
}

func (n Notification) after(d time.Duration) Look {
	if n.Left > 0 {
		n.Left = max(n.Left-d, time.Millisecond)
	}
	return n
}

func (n Notification) resume(from Look) Look {
	n.Left = from.(Notification).Left
	return n
}

func (n Notification) lasts() time.Duration {
	if n.Left == 0 {
		return forever
	}
	return n.Left
}

func (n Notification) packet(_ Tx, at seenAs) protocol.Packet {
	m := &protocol.HudNotificationAdd{NotificationID: at.id, Kind: n.Kind, Icon: n.Icon,
		Content: protocol.NotificationContent{Title: n.Title, Text: n.Text}}
	if n.Left > 0 {
		m.Duration = uint32(min(max(n.Left, shortestNotification), longestNotification).Milliseconds())
	}
	m.Flags = flagIf(n.TimeBar, protocol.NotificationTimeBar) | flagIf(n.Sound, protocol.NotificationSound)
	return m
}

// placeNote shows a player a notification. He has 20, counted with those that are over and still wait to be sent; then the
// oldest with a duration goes, or else the oldest.
func (tx Tx) placeNote(p *Player, e *Element) {
	p.hud.notes = slices.DeleteFunc(p.hud.notes, func(s *hudSlot) bool {
		s.left(p)
		return s.e == nil && !s.waits
	})
	if len(p.hud.notes) >= keptNotifications {
		i := max(0, slices.IndexFunc(p.hud.notes, func(s *hudSlot) bool { return s.e == nil || s.e.Spec.lasts() != forever }))
		s := p.hud.notes[i]
		p.hud.notes = slices.Delete(p.hud.notes, i, i+1)
		before := s.e
		tx.clear(p, s)
		tx.displaced(before)
	}
	s := &hudSlot{e: e, key: hudKey{kind: kindNotification, id: e.id}}
	p.hud.notes = append(p.hud.notes, s)
	tx.send(p, s, nil)
}

// unplaceNote takes a notification from a player's screen. One that has run out while it waited is sent all the same: it is
// the message that counts.
func (tx Tx) unplaceNote(p *Player, s *hudSlot, alone bool) {
	s.left(p)
	s.e = nil
	if alone && s.waits && s.present {
		return
	}
	if !alone {
		tx.clear(p, s)
	}
	p.hud.notes = slices.DeleteFunc(p.hud.notes, func(o *hudSlot) bool { return o == s })
}

// boundNotes ends the oldest of the shared notifications where there are more than a client keeps.
func (tx Tx) boundNotes(e *Element) {
	if e.Spec.For != nil || e.Spec.kind() != kindNotification {
		return
	}
	var notes []*Element
	for _, o := range tx.w.elements.shared {
		if o.Spec.kind() == kindNotification {
			notes = append(notes, o)
		}
	}
	if len(notes) > keptNotifications {
		i := max(0, slices.IndexFunc(notes, func(o *Element) bool { return o.Spec.lasts() != forever }))
		tx.endElement(notes[i], EndReplaced)
	}
}
