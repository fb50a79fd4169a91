package play

import (
	"cmp"
	"slices"
	"time"

	"darqline/protocol"
)

// thing is a projectile: it flies, and then rests until it goes off; a satchel rests until its owner says.
type thing struct {
	ID      uint32 `json:"id"` // of this play, not the server's
	Owner   uint16 `json:"owner"`
	From    spot   `json:"from"`
	At      spot   `json:"at"` // where it comes to rest
	To      spot   `json:"to"`
	Time    int64  `json:"time"` // ms of flight
	Age     int64  `json:"age"`  // ms since the throw, when this was sent
	Satchel bool   `json:"satchel,omitempty"`
	Resting bool   `json:"resting,omitempty"`

	weapon protocol.Weapon
	source protocol.Ref // the server's id, for what it does to the own ped
	begun  time.Time
	flies  time.Duration
	fuse   time.Duration // from the throw; 0: it does not go off by itself
}

// things are the projectiles that fly or rest, and the places where what they did still hurts. The zero value is ready.
type things struct {
	serial  uint32
	all     map[uint32]thing
	hazards []hazard
}

// list is for a page that has just connected.
func (t *things) list() []thing {
	list := make([]thing, 0, len(t.all))
	for _, each := range t.all {
		each.Age = time.Since(each.begun).Milliseconds()
		list = append(list, each)
	}
	slices.SortFunc(list, func(a, b thing) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

func (t *things) removeOwner(id uint16) {
	for key, each := range t.all {
		if each.Owner == id && each.Satchel {
			delete(t.all, key)
		}
	}
}

// endSatchels takes a player's satchels away.
func (m *model) endSatchels(owner uint16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.things.removeOwner(owner)
	m.broadcast(message{Type: "satchels_end", ID: uint64(owner)})
}

// justThrown is how long the client may not have told yet of a satchel that is there.
const justThrown = 200 * time.Millisecond

// keepSatchels takes away the own satchels that are at none of these places: the server has refused their throw.
func (m *model) keepSatchels(owner uint16, places []protocol.Vec3) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ts := &m.world.things
	gone := false
	for id, t := range ts.all {
		refused := !slices.ContainsFunc(places, func(v protocol.Vec3) bool { return at(v) == t.To })
		if t.Owner == owner && t.Satchel && refused && time.Since(t.begun) > justThrown {
			delete(ts.all, id)
			gone = true
		}
	}
	if !gone {
		return
	}
	m.broadcast(message{Type: "satchels_end", ID: uint64(owner)})
	for _, t := range ts.all {
		if t.Owner == owner && t.Resting {
			m.broadcast(message{Type: "land", Thing: &t})
		}
	}
}

// throw adds a projectile and shows it.
func (m *model) throw(t thing) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ts := &m.world.things
	if ts.all == nil {
		ts.all = map[uint32]thing{}
	}
	ts.serial++
	t.ID, t.Age = ts.serial, time.Since(t.begun).Milliseconds()
	t.Resting = t.Age >= t.Time
	ts.all[t.ID] = t
	kind := "fly"
	if t.Resting {
		kind = "land"
	}
	m.broadcast(message{Type: kind, Thing: &t})
}

// fly lets things land and go off. It gives what that does to the own ped.
func (m *model) fly(now time.Time) []harm {
	m.mu.Lock()
	defer m.mu.Unlock()
	ts := &m.world.things
	var harms []harm
	for id, t := range ts.all {
		age := now.Sub(t.begun)
		if t.fuse > 0 && age >= t.fuse {
			delete(ts.all, id)
			harms = m.explode(now, t, harms)
			continue
		}
		if !t.Resting && age >= t.flies {
			t.Resting = true
			ts.all[id] = t
			t.Age = age.Milliseconds()
			m.broadcast(message{Type: "land", Thing: &t})
		}
	}
	return harms
}

// explode is what a projectile does at the end of its fuse. The lock is held.
func (m *model) explode(now time.Time, t thing, harms []harm) []harm {
	b := blast{ID: t.ID, At: t.At}
	ts := &m.world.things
	switch t.weapon {
	case weaponTearGas:
		b.Type, b.Radius, b.Zone, b.Lasts = "tear_gas", gasRadius, gasRadius, gasLasts.Milliseconds()
		ts.hazards = append(ts.hazards, hazard{t.At, gasRadius, protocol.CauseTearGas, t.source, 2, now.Add(gasLasts)})
	case weaponMolotov:
		kind := protocol.ExplosionMolotov
		b.Type, b.Radius, b.Zone, b.Lasts = kind.String(), kind.Radius(), fireRadius, fireLasts.Milliseconds()
		ts.hazards = append(ts.hazards, hazard{t.At, fireRadius, protocol.CauseFire, t.source, 4, now.Add(fireLasts)})
	default:
		kind := protocol.ExplosionRocket
		if t.weapon == weaponGrenade {
			kind = protocol.ExplosionGrenade
		}
		b.Type, b.Radius = kind.String(), kind.Radius()
		if amount := blastDamage(b, at(m.world.own.Position)); m.world.placed && amount > 0 {
			harms = append(harms, harm{protocol.CauseExplosion, t.source, amount})
		}
	}
	m.broadcast(message{Type: "blast", Blast: &b})
	return harms
}

func (h *handler) Projectile(p protocol.RemoteProjectileCreate) {
	age := time.Duration(p.Age) * time.Millisecond
	t := newThing(p.Weapon, p.Origin, p.Velocity, time.Now().Add(-age))
	if age > lateThrow && !t.Satchel {
		t.fuse = t.flies // over at once
	}
	t.Owner, t.source = p.PlayerID, protocol.Ref{Kind: protocol.RefProjectile, ID: p.ProjectileID}
	h.m.throw(t)
}
