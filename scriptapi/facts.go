package scriptapi

import (
	"math"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// read makes a property's getter of a fact that is read with the permit.
func read[T, V any](rt *Runtime, f func(tx world.Tx, thing T) V) func(thing T) V {
	return func(thing T) V {
		tx := rt.begin()
		defer tx.End()
		return f(tx, thing)
	}
}

// tryRead is read of what may have no value now.
func tryRead[T, V any](rt *Runtime, f func(tx world.Tx, thing T) (V, error)) func(thing T) (V, error) {
	return func(thing T) (V, error) {
		tx := rt.begin()
		defer tx.End()
		return f(tx, thing)
	}
}

// write makes a property's setter of a change that is made with the permit.
func write[T, V any](rt *Runtime, f func(tx world.Tx, thing T, v V) error) func(thing T, v V) error {
	return func(thing T, v V) error {
		tx := rt.begin()
		defer tx.End()
		return f(tx, thing, v)
	}
}

// writeBy is write of what is taken back when the resource stops that has set it.
func writeBy[T, V any](rt *Runtime, f func(tx world.Tx, thing T, v V, by string) error) func(c *bind.Call, thing T, v V) error {
	return func(c *bind.Call, thing T, v V) error {
		tx := rt.begin()
		defer tx.End()
		return f(tx, thing, v, instanceOf(c).name())
	}
}

// readHere is read of a property that writeBy sets.
func readHere[T, V any](rt *Runtime, f func(tx world.Tx, thing T) V) func(c *bind.Call, thing T) V {
	get := read(rt, f)
	return func(_ *bind.Call, thing T) V { return get(thing) }
}

// coordinates are the tags of a position.
const coordinates = `range:"-20000..20000"`

// round is a number of the wire without the digits that it has no room for: 13.7, not 13.699999809265.
func round(v float32) float64 { return math.Round(float64(v)*1000) / 1000 }

func vec3(v protocol.Vec3) bind.Vec3 { return bind.Vec3{X: round(v.X), Y: round(v.Y), Z: round(v.Z)} }

func wireVec3(v bind.Vec3) protocol.Vec3 {
	return protocol.Vec3{X: float32(v.X), Y: float32(v.Y), Z: float32(v.Z)}
}

// degrees is an angle of a frame, 0 up to but not 360.
func degrees(angle uint16) float64 {
	return math.Mod(math.Round(protocol.Degrees(angle)*100)/100, 360)
}

// heading is 0..360 as packets have it, where 360 is 0.
func heading(v float64) float32 {
	if h := float32(v); h < 360 {
		return h
	}
	return 0
}

// wholeMS is a time of so many ms, without a fraction: packets have none.
func wholeMS(n float64) time.Duration { return ms(n).Truncate(time.Millisecond) }

// wordSet makes a table of the words that are set: { fire = true }.
func wordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}
