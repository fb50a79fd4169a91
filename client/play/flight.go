package play

import (
	"math"
	"time"

	"darqline/protocol"
)

// How things fly here. There is no map, so the ground is where the thrower's feet are; every play client flies by these
// numbers, so all of them see the same.
const (
	gravity     = 9.81                    // m/s2
	feet        = 1.5                     // m that a muzzle is above the ground
	grenadeFuse = 2500 * time.Millisecond // from the throw
	lateThrow   = 5 * time.Second         // older ones lie where the throw ends, at once (page Combat, "RemoteProjectileCreate")
)

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
