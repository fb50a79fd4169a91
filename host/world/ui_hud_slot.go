package world

import (
	"slices"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// elementKind is a kind of HUD element.
type elementKind uint8

const (
	kindStatus elementKind = iota
	kindGauge
	kindCountdown
	kindAnnouncement
	kindNotification
	kindObjective
	kindProgress
	kindSpeedometer
	kindsOfElements
)

// elementKinds are what can be open on a connection (page Chat, HUD and dialogs, What can be open).
var elementKinds = [kindsOfElements]struct {
	word  string
	slots int // 0: any number
	gone  func(slot uint8, id uint32) protocol.Packet
}{
	{"status line", protocol.MaxStatusLines, func(slot uint8, _ uint32) protocol.Packet { return &protocol.HudStatusLine{Slot: slot} }},
	{"gauge", protocol.MaxGauges, func(slot uint8, _ uint32) protocol.Packet { return &protocol.HudGauge{Slot: slot} }},
	{"countdown", protocol.MaxCountdowns, func(slot uint8, _ uint32) protocol.Packet { return &protocol.HudCountdown{Slot: slot} }},
	{"announcement", 3, func(slot uint8, _ uint32) protocol.Packet {
		return &protocol.HudAnnouncement{Place: protocol.AnnouncementPlace(slot)}
	}},
	{"notification", 0, func(_ uint8, id uint32) protocol.Packet { return &protocol.HudNotificationClear{NotificationID: id} }},
	{"objective", protocol.MaxObjectiveMarkers, func(slot uint8, _ uint32) protocol.Packet { return &protocol.ObjectiveMarker{Slot: slot} }},
	{"progress bar", protocol.MaxProgressBars, func(slot uint8, _ uint32) protocol.Packet { return &protocol.HudProgress{Slot: slot} }},
	{"speedometer", 1, func(uint8, uint32) protocol.Packet { return &protocol.HudSpeedometer{} }},
}

func (k elementKind) slots() int   { return elementKinds[k].slots }
func (k elementKind) word() string { return elementKinds[k].word }

// limited says whether a new element of the kind needs a free slot. An announcement replaces what is in its place.
func (k elementKind) limited() bool { return k != kindNotification && k != kindAnnouncement }

// endsItself says whether a client removes an element of the kind by its own clock.
func (k elementKind) endsItself() bool {
	return k == kindCountdown || k == kindAnnouncement || k == kindNotification
}

// counts says whether the state of an element of the kind is that of the moment at which its packet is made.
func (k elementKind) counts() bool { return k == kindGauge || k == kindCountdown || k == kindProgress }

// hud is what a player has on his screen.
type hud struct {
	own   []*Element // that are only for him, in the order in which they were made
	slots [kindsOfElements][]hudSlot
	notes []*hudSlot // notifications, oldest first
	late  bool       // something that counts may wait in his pacer
	theme func(t *Theme)
	parts map[protocol.HudParts]bool // that are not as for all
}

// hudSlot is a place on a player's screen: a slot, or that of a notification.
type hudSlot struct {
	e        *Element // nil: free
	key      hudKey
	onClient bool // the last state that has left the pacer is one that shows
	waits    bool // a state was paced and has not been seen to leave
	present  bool // it is one that shows
	mark     mark // of an objective that follows somebody
}

// hudKey is the key of a slot in the pacer: what replaces something there replaces what waits of it.
type hudKey struct {
	kind elementKind
	slot uint8
	id   uint32 // of a notification
}

// find is where a player has an element, or nil.
func (h *hud) find(e *Element) *hudSlot {
	for i := range h.slots[e.Spec.kind()] {
		if s := &h.slots[e.Spec.kind()][i]; s.e == e {
			return s
		}
	}
	if i := slices.IndexFunc(h.notes, func(s *hudSlot) bool { return s.e == e }); i >= 0 {
		return h.notes[i]
	}
	return nil
}

// held are the elements of a kind that a player has.
func (h *hud) held(k elementKind) (list []*Element) {
	for _, s := range h.slots[k] {
		if s.e != nil {
			list = append(list, s.e)
		}
	}
	return list
}

// placeOf is the slot that an announcement takes by its place.
func placeOf(l Look) protocol.AnnouncementPlace {
	a, _ := l.(Announcement)
	return a.Place
}

// place gives an element its place on a player's screen, and shows it there.
func (tx Tx) place(p *Player, e *Element) {
	k := e.Spec.kind()
	if k == kindNotification {
		tx.placeNote(p, e)
		return
	}
	slots := p.hud.slots[k]
	if slots == nil {
		slots = make([]hudSlot, k.slots())
		for i := range slots {
			slots[i].key = hudKey{kind: k, slot: uint8(i)}
		}
		p.hud.slots[k] = slots
	}
	var s *hudSlot
	if k == kindAnnouncement {
		s = &slots[placeOf(e.faceFor(p, tx.now()).Look)]
	} else {
		s = &slots[slices.IndexFunc(slots, func(s hudSlot) bool { return s.e == nil })]
	}
	before := s.e
	s.e = e
	tx.send(p, s, nil)
	tx.displaced(before)
	tx.watchBars(e)
}

// displaced ends an element that nobody has on his screen any more because another one took its place.
func (tx Tx) displaced(e *Element) {
	if e == nil || e.over {
		return
	}
	for p := range tx.viewers(e) {
		if p.hud.find(e) != nil {
			return
		}
	}
	tx.endElement(e, EndReplaced)
}

// sameForAll is the present state of an element for all who see no other, in the slot in which most have it.
type sameForAll struct {
	slot    uint8
	packets []protocol.Packet
}

// send paces the present state of a slot's element; same may hold it already, or gets it. nil: it is for one.
func (tx Tx) send(p *Player, s *hudSlot, same *sameForAll) {
	alike := same != nil && s.e.overrides[p] == nil && s.key.kind != kindObjective
	if alike && same.packets != nil && same.slot == s.key.slot {
		tx.pace(p, s, true, same.packets)
		return
	}
	f := s.e.faceFor(p, tx.now())
	if f.Hidden {
		tx.clear(p, s)
		return
	}
	packets := []protocol.Packet{f.packet(tx, seenAs{p, s.key.slot, s.e.id})}
	if o, ok := f.Look.(Objective); ok {
		s.mark = tx.markOf(o, p)
	}
	if alike {
		*same = sameForAll{s.key.slot, packets}
	}
	tx.pace(p, s, true, packets)
}

// clear removes from a client what a slot shows, if it shows anything there.
func (tx Tx) clear(p *Player, s *hudSlot) {
	tx.pace(p, s, false, []protocol.Packet{elementKinds[s.key.kind].gone(s.key.slot, s.key.id)})
}

// pace queues a state of a slot. What was on no client is not removed there.
func (tx Tx) pace(p *Player, s *hudSlot, present bool, packets []protocol.Packet) {
	s.left(p)
	class := pacer.Rest
	if !present {
		class = pacer.Removals
		if !s.onClient {
			if s.waits {
				p.link.Drop(s.key)
			}
			s.waits = false
			return
		}
	}
	p.link.Pace(pacer.Thing{Key: s.key, Class: class, Packets: packets})
	s.waits, s.present = true, present
	p.hud.late = p.hud.late || present && s.key.kind.counts()
}

// left notes whether what waited of a slot has left the pacer.
func (s *hudSlot) left(p *Player) {
	if s.waits && !p.link.Waits(s.key) {
		s.waits, s.onClient = false, s.present
	}
}

// unplace takes an element from a player's screen. alone says that his client removes it by itself.
func (tx Tx) unplace(p *Player, e *Element, alone bool) {
	s := p.hud.find(e)
	if s == nil {
		return
	}
	if s.key.kind == kindNotification {
		tx.unplaceNote(p, s, alone)
		return
	}
	s.left(p)
	if alone && !s.waits {
		s.onClient = false
	} else {
		tx.clear(p, s)
	}
	s.e = nil
	tx.watchBars(e)
}

// tickSlots brings up to date what counts or moves: what waits in a pacer, and marks over those who walk.
func (tx Tx) tickSlots() (next time.Duration) {
	h, now := &tx.w.elements, tx.now()
	if now < h.next {
		return h.next
	}
	busy := false
	for _, p := range tx.w.players {
		busy = tx.tickMarks(p) || busy
		if !p.hud.late {
			continue
		}
		p.hud.late = false
		for k := range p.hud.slots {
			if !elementKind(k).counts() {
				continue
			}
			for i := range p.hud.slots[k] {
				if s := &p.hud.slots[k][i]; s.e != nil && s.waits && s.present {
					if s.left(p); s.waits {
						tx.send(p, s, nil)
					}
				}
			}
		}
		busy = busy || p.hud.late
	}
	if !busy {
		return forever
	}
	h.next = now + tickEvery
	return h.next
}
