package play

import (
	"cmp"
	"math"
	"slices"
	"time"

	"darqline/protocol"
)

// How things fly and burn here. There is no map, so the ground is where the thrower's feet are; every play client flies
// by these numbers, so all of them see the same.
const (
	gravity     = 9.81                    // m/s2
	feet        = 1.5                     // m that a muzzle is above the ground
	grenadeFuse = 2500 * time.Millisecond // from the throw
	gasLasts    = 10 * time.Second
	gasRadius   = 6
	fireLasts   = 6 * time.Second // of a molotov
	fireRadius  = 3
	flameWidth  = 20              // degrees to either side of a flamethrower's aim
	lateThrow   = 5 * time.Second // older ones lie where the throw ends, at once (page Combat, "RemoteProjectileCreate")
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

// newThing is a projectile of weapon w that was thrown at begun.
func newThing(w protocol.Weapon, origin, velocity protocol.Vec3, begun time.Time) thing {
	t := thing{weapon: w, From: at(origin), begun: begun}
	t.To, t.flies = land(w, origin, velocity)
	t.At, t.Time = t.To, t.flies.Milliseconds()
	switch w {
	case protocol.WeaponSatchel:
		t.Satchel = true
	case weaponGrenade:
		t.fuse = max(grenadeFuse, t.flies)
	default:
		t.fuse = t.flies
	}
	return t
}

// Weapons that fly in ways of their own.
const (
	weaponGrenade protocol.Weapon = 16
	weaponTearGas protocol.Weapon = 17
	weaponMolotov protocol.Weapon = 18
)

// land is where a throw or launch meets the ground, at the end of the weapon's range at the latest, and when.
func land(w protocol.Weapon, from, v protocol.Vec3) (spot, time.Duration) {
	f, _ := w.Figures()
	x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
	var seconds float64
	if f.Kind == protocol.WeaponRocket { // it flies straight
		speed := math.Sqrt(x*x + y*y + z*z)
		seconds = float64(f.Range) / max(speed, 1)
		if z < 0 {
			seconds = min(seconds, feet/-z)
		}
		return spot{from.X + float32(x*seconds), from.Y + float32(y*seconds), from.Z + float32(z*seconds)}, duration(seconds)
	}
	seconds = (z + math.Sqrt(z*z+2*gravity*feet)) / gravity
	return spot{from.X + float32(x*seconds), from.Y + float32(y*seconds), from.Z - feet}, duration(seconds)
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// launch is the velocity with which a throw or launch from a place meets the ground at x, y, or as far as it goes.
func launch(w protocol.Weapon, from protocol.Vec3, x, y float32) protocol.Vec3 {
	f, _ := w.Figures()
	dx, dy := float64(x-from.X), float64(y-from.Y)
	way := math.Hypot(dx, dy)
	if way == 0 {
		dx, way = 0.01, 0.01
	}
	reach := min(way, float64(f.Range))
	dx, dy = dx*reach/way, dy*reach/way
	if f.Kind == protocol.WeaponRocket {
		const speed = 50
		seconds := math.Hypot(reach, feet) / speed
		return protocol.Vec3{X: float32(dx / seconds), Y: float32(dy / seconds), Z: float32(-feet / seconds)}
	}
	seconds := min(max(reach/18, 0.4), 2)
	return protocol.Vec3{X: float32(dx / seconds), Y: float32(dy / seconds), Z: float32(gravity*seconds/2 - feet/seconds)}
}

// things are the projectiles that fly or rest, and the places where what they did still hurts. The zero value is ready.
type things struct {
	serial  uint32
	all     map[uint32]thing
	hazards []hazard
}

// hazard hurts whoever is in it.
type hazard struct {
	at     spot
	radius float32
	cause  protocol.Cause
	source protocol.Ref
	amount float32 // points, each time
	until  time.Time
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

// harm is what one thing does to the own ped now.
type harm struct {
	cause  protocol.Cause
	source protocol.Ref
	amount float32
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

// blastDamage is what an explosion takes from who is at a place (page Combat, "Damage model").
func blastDamage(b blast, from spot) float32 {
	d := distance(b.At, from)
	if d > b.Radius {
		return 0
	}
	return 82.5 * min(1, 2-2*d/b.Radius)
}

// burns is what the places that hurt do to the own ped now; those whose time is over go.
func (m *model) burns(now time.Time) []harm {
	m.mu.Lock()
	defer m.mu.Unlock()
	ts := &m.world.things
	ts.hazards = slices.DeleteFunc(ts.hazards, func(h hazard) bool { return !now.Before(h.until) })
	if !m.world.placed {
		return nil
	}
	own := at(m.world.own.Position)
	var harms []harm
	for _, h := range ts.hazards {
		if distance(h.at, own) <= h.radius {
			harms = append(harms, harm{h.cause, h.source, h.amount})
		}
	}
	for _, f := range m.world.fires {
		if distance(f.At, own) <= max(f.Size, 1) {
			harms = append(harms, harm{protocol.CauseFire, protocol.Ref{Kind: protocol.RefFire, ID: f.ID}, 4})
		}
	}
	harms = append(harms, m.world.flames(own)...)
	if m.world.burns(now) {
		harms = append(harms, harm{protocol.CauseFire, protocol.Ref{}, 3})
	}
	return harms
}

// flames is what other players' flamethrowers do: they name no victim, so each says it of itself.
func (w *world) flames(own spot) []harm {
	reach, _ := protocol.WeaponFlamethrower.Figures()
	var harms []harm
	for id, f := range w.frames {
		from := at(f.Frame.Position)
		if _, other := w.peds[id]; !other || f.Frame.Weapon != protocol.WeaponFlamethrower || f.Frame.Keys&protocol.KeyFire == 0 ||
			distance(from, own) > reach.Range {
			continue
		}
		to := protocol.Degrees(protocol.Angle(headingTo(from, own)))
		if math.Abs(math.Remainder(to-protocol.Degrees(f.Frame.AimYaw), 360)) <= flameWidth {
			harms = append(harms, harm{protocol.CauseFire, protocol.Ref{Kind: protocol.RefPlayer, ID: f.PlayerToken}, 5})
		}
	}
	return harms
}

// headingTo is the heading from one place to another, in degrees.
func headingTo(from, to spot) float64 {
	return math.Atan2(float64(from[0]-to[0]), float64(to[1]-from[1])) * 180 / math.Pi
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
