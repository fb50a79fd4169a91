package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// SetTime is the recipient's time of day.
type SetTime struct{ Hour, Minute, Second uint8 }

func (*SetTime) ID() ID { return IDSetTime }

func (p *SetTime) Wire(c *wire.Codec) {
	wire.Range(c, &p.Hour, 0, 23)
	wire.Range(c, &p.Minute, 0, 59)
	wire.Range(c, &p.Second, 0, 59)
}

// SetWeather is the weather, or the way from one to another.
type SetWeather struct {
	From, To  uint8  // 0..22 are the game's
	BlendMs   uint32 // 0..3,600,000
	ElapsedMs uint32 // of BlendMs, already past
}

func (*SetWeather) ID() ID { return IDSetWeather }

func (p *SetWeather) Wire(c *wire.Codec) {
	c.U8(&p.From)
	c.U8(&p.To)
	wire.Range(c, &p.BlendMs, 0, 3_600_000)
	c.U32(&p.ElapsedMs)
}

func (p *SetWeather) Check() error {
	switch {
	case p.ElapsedMs > p.BlendMs:
		return fmt.Errorf("elapsed_ms %d is past blend_ms %d", p.ElapsedMs, p.BlendMs)
	case p.BlendMs == 0 && p.From != p.To:
		return errors.New("without a blend from and to are the same")
	}
	return nil
}

// RunClock starts or stops the clock and sets its speed.
type RunClock struct {
	Running  bool
	MinuteMs uint32 // real ms of one game minute, 50..3,600,000
}

func (*RunClock) ID() ID { return IDRunClock }

func (p *RunClock) Wire(c *wire.Codec) {
	c.Bool(&p.Running)
	wire.Range(c, &p.MinuteMs, 50, 3_600_000)
}

// Garages is how many garages the game has.
const Garages = 50

// GarageDoors are all garage doors.
type GarageDoors struct {
	Instant bool   // without an animation
	Open    uint64 // bit i: garage i
}

func (*GarageDoors) ID() ID { return IDGarageDoors }

func (p *GarageDoors) Wire(c *wire.Codec) {
	c.Bool(&p.Instant)
	wire.Bits(c, &p.Open, Garages)
}

// PlayerWaypoint tells that the player set or cleared the target on his map.
type PlayerWaypoint struct {
	Present  bool
	Position Vec3 // zero when cleared
}

func (*PlayerWaypoint) ID() ID { return IDPlayerWaypoint }

func (p *PlayerWaypoint) Wire(c *wire.Codec) {
	c.Bool(&p.Present)
	wire.Removable(c, p, PlayerWaypoint{}, !p.Present, 12, (*PlayerWaypoint).target)
}

func (p *PlayerWaypoint) target(c *wire.Codec) { c.Position(&p.Position) }

// SetWaypoint sets or clears that target.
type SetWaypoint struct {
	Present  bool
	Position Vec3 // zero when cleared
}

func (*SetWaypoint) ID() ID { return IDSetWaypoint }

func (p *SetWaypoint) Wire(c *wire.Codec) {
	c.Bool(&p.Present)
	wire.Removable(c, p, SetWaypoint{}, !p.Present, 12, (*SetWaypoint).target)
}

func (p *SetWaypoint) target(c *wire.Codec) { c.Position(&p.Position) }

// twice finds an id that stands in a batch of n entries twice. It is asked
// before the layout while encoding, so n and the ids may be anything.
func twice(n int, id func(i int) uint32) error {
	const size = 1 << 7
	if n > size/2 {
		return nil // the layout refuses it
	}
	var seen [size]uint32 // a hash table; 0 is free, and no id
	for i := range n {
		v := id(i)
		at := v * 0x9E3779B1 >> 25 // spreads counted ids over the table
		for seen[at] != 0 && seen[at] != v {
			at = (at + 1) % size
		}
		if seen[at] != 0 {
			return fmt.Errorf("entries[%d]: id %d stands there twice", i, v)
		}
		seen[at] = v
	}
	return nil
}
