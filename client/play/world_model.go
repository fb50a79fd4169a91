package play

import (
	"bytes"
	"time"

	"darqline/protocol"
)

// model's part for the world.

// setSelf takes the own player's state over; what pages see the same is not sent again.
func (m *model) setSelf(s self, token uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch w := &m.world; {
	case !s.OnFire:
		w.lit = time.Time{}
	case w.lit.IsZero():
		w.lit = time.Now()
	default:
		s.OnFire = w.burns(time.Now())
	}
	m.tellSelf(s, token)
}

// tellSelf is setSelf as the pages see it. The lock is held.
func (m *model) tellSelf(s self, token uint32) {
	msg := encode(message{Type: "self", Self: &s})
	m.world.self, m.world.token = &s, token
	if bytes.Equal(msg, m.world.sent) {
		return
	}
	m.world.sent = msg
	for p := range m.pages {
		p.push(msg)
	}
}

// burns tells whether the own ped still burns: after a while it puts itself out.
func (w *world) burns(now time.Time) bool { return !w.lit.IsZero() && now.Sub(w.lit) < burnsFor }

// burning is burns for the own frames; when it is over the pages are told.
func (m *model) burning(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &m.world
	burns := w.burns(now)
	if w.self != nil && w.self.OnFire && !burns {
		s := *w.self
		s.OnFire = false
		m.tellSelf(s, w.token)
	}
	return burns
}

// setPlace puts the own player somewhere or pushes it.
func (m *model) setPlace(p place, f protocol.Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.own, m.world.placed = f, true
	m.broadcast(message{Type: "place", Place: &p})
}

// setPed shows another player, or what has changed of him.
func (m *model) setPed(p ped) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.world.peds[p.ID] == p {
		return
	}
	m.world.peds[p.ID] = p
	m.broadcast(message{Type: "ped", Ped: &p})
}

func (m *model) removePed(id uint16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.world.peds, id)
	delete(m.world.frames, id)
	delete(m.world.fresh, id)
	delete(m.ui.Nametags, id)
	m.world.things.removeOwner(id)
	m.broadcast(message{Type: "ped_end", ID: uint64(id)})
	m.broadcast(message{Type: "satchels_end", ID: uint64(id)})
}

func (m *model) setFire(f fire) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.fires[f.ID] = f
	m.broadcast(message{Type: "fire", Fire: &f})
}

// endFires ends those for which gone is true.
func (m *model) endFires(gone func(fire) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, f := range m.world.fires {
		if gone(f) {
			delete(m.world.fires, id)
			m.broadcast(message{Type: "fire_end", ID: uint64(id)})
		}
	}
}

func (m *model) setCamera(c camera) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.camera = &c
	m.broadcast(message{Type: "camera", Camera: &c})
}

func (m *model) setFade(f fade) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.fade = &f
	m.broadcast(message{Type: "fade", Fade: &f})
}

// happen tells the pages of something that is over at once.
func (m *model) happen(msg message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broadcast(msg)
}

// playerName is a player's name of the list, "" if it is not there.
func (m *model) playerName(id uint16) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.players[id].Name
}

// pedOf is the id of the player in view with that token.
func (m *model) pedOf(token uint32) (id uint16, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, p := range m.world.peds {
		if p.Token == token {
			return id, true
		}
	}
	if m.world.self != nil && m.world.token == token {
		return m.world.self.ID, true
	}
	return 0, false
}
