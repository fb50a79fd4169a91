package play

import (
	"math"
	"slices"
	"time"

	"darqline/protocol"
)

// How things burn here.
const (
	gasLasts   = 10 * time.Second
	gasRadius  = 6               // m
	fireLasts  = 6 * time.Second // of a molotov
	fireRadius = 3
	flameWidth = 20              // degrees to either side of a flamethrower's aim
	burnsFor   = 5 * time.Second // a ped that was set on fire
)

// hazard hurts whoever is in it.
type hazard struct {
	at     spot
	radius float32
	cause  protocol.Cause
	source protocol.Ref
	amount float32 // points, each time
	until  time.Time
}

// harm is what one thing does to the own ped now.
type harm struct {
	cause  protocol.Cause
	source protocol.Ref
	amount float32
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
