package protocol

import (
	"errors"
	"fmt"
	"math"

	"darqline/protocol/wire"
)

// MaxDimension is the highest dimension; -1, all of them, is Lua's alone.
const MaxDimension = 65534

// TeleportFlags are the flags of a TeleportPlayer.
type TeleportFlags uint8

const (
	TeleportKeepVelocity TeleportFlags = 1 << iota
	TeleportVehicle                    // the driven vehicle moves along
	TeleportFindGround                 // at x and y; the client picks z
	TeleportCameraBehind
	TeleportTurnOnly    // position unused
	TeleportKeepHeading // heading unused
)

// TeleportPlayer moves or turns the recipient.
type TeleportPlayer struct {
	Epoch    uint8
	Flags    TeleportFlags
	Position Vec3    // 0 with TeleportTurnOnly
	Heading  float32 // 0 with TeleportKeepHeading
	Interior uint8
}

func (*TeleportPlayer) ID() ID { return IDTeleportPlayer }

func (p *TeleportPlayer) Wire(c *wire.Codec) {
	c.U8(&p.Epoch)
	wire.Bits(c, &p.Flags, 6)
	c.Position(&p.Position)
	c.Heading(&p.Heading)
	c.U8(&p.Interior)
}

func (p *TeleportPlayer) Check() error {
	turn, keep := p.Flags&TeleportTurnOnly != 0, p.Flags&TeleportKeepHeading != 0
	switch {
	case turn && keep:
		return errors.New("flags 4 and 5 together leave nothing to do")
	case turn && !blank(p.Position):
		return errors.New("position is set although only the heading is used")
	case keep && !unset(p.Heading):
		return errors.New("heading is set although it is unused")
	}
	return nil
}

// ScopeChanged says which dimension and interior the recipient is in, or looks
// into as a spectator.
type ScopeChanged struct {
	Epoch     uint8
	Dimension uint16 // 0..65534
	Interior  uint8
}

func (*ScopeChanged) ID() ID { return IDScopeChanged }

func (p *ScopeChanged) Wire(c *wire.Codec) {
	c.U8(&p.Epoch)
	wire.Range(c, &p.Dimension, 0, MaxDimension)
	c.U8(&p.Interior)
}

// SetFrozen takes the recipient's controls, or gives them back.
type SetFrozen struct{ Frozen bool }

func (*SetFrozen) ID() ID { return IDSetFrozen }

func (p *SetFrozen) Wire(c *wire.Codec) { c.Bool(&p.Frozen) }

// MaxVelocity is the most that SetVelocity sets, in m/s.
const MaxVelocity = 200

// SetVelocity sets the velocity of the recipient's ped.
type SetVelocity struct {
	Velocity Vec3 // m/s, of length up to MaxVelocity
}

func (*SetVelocity) ID() ID { return IDSetVelocity }

func (p *SetVelocity) Wire(c *wire.Codec) { c.Vec3(&p.Velocity, MaxVelocity) }

func (p *SetVelocity) Check() error {
	x, y, z := float64(p.Velocity.X), float64(p.Velocity.Y), float64(p.Velocity.Z)
	if square := x*x + y*y + z*z; square > MaxVelocity*MaxVelocity {
		return fmt.Errorf("velocity has length %g, at most %d is allowed", math.Sqrt(square), MaxVelocity)
	}
	return nil
}

// SetGravity sets the gravity on the recipient's client.
type SetGravity struct {
	Factor float32 // -10..10, 1 the game's
}

func (*SetGravity) ID() ID { return IDSetGravity }

func (p *SetGravity) Wire(c *wire.Codec) { c.F32In(&p.Factor, -10, 10) }

// SetWorldBounds says where the recipient may be; the whole world is no bounds.
type SetWorldBounds struct{ MinX, MinY, MaxX, MaxY float32 }

func (*SetWorldBounds) ID() ID { return IDSetWorldBounds }

func (p *SetWorldBounds) Wire(c *wire.Codec) {
	c.F32In(&p.MinX, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&p.MinY, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&p.MaxX, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&p.MaxY, -wire.MaxCoordinate, wire.MaxCoordinate)
}

func (p *SetWorldBounds) Check() error {
	switch {
	case p.MinX >= p.MaxX:
		return fmt.Errorf("min_x %g is not below max_x %g", p.MinX, p.MaxX)
	case p.MinY >= p.MaxY:
		return fmt.Errorf("min_y %g is not below max_y %g", p.MinY, p.MaxY)
	}
	return nil
}
