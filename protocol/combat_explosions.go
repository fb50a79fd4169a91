package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// An ExplosionType is a kind of explosion of the game.
type ExplosionType uint8

const (
	ExplosionGrenade ExplosionType = iota // also satchels
	ExplosionMolotov
	ExplosionRocket
	ExplosionRocketWeak
	ExplosionCar
	ExplosionCarQuick
	ExplosionBoat
	ExplosionAircraft
	ExplosionMine
	ExplosionObject
	ExplosionTankGrenade
	ExplosionSmall
	ExplosionTiny
)

var (
	explosionTypes = []string{
		"grenade", "molotov", "rocket", "rocket_weak", "car", "car_quick", "boat", "aircraft", "mine", "object", "tank_grenade", "small", "tiny",
	}
	explosionRadii = [...]float32{9, 6, 10, 10, 9, 9, 25, 25, 10, 10, 10, 3, 3}
)

func (t ExplosionType) String() string { return named(explosionTypes, t, "ExplosionType") }

// Radius is how far the explosion hurts, in m; 0 where there is no such type.
func (t ExplosionType) Radius() float32 {
	if int(t) < len(explosionRadii) {
		return explosionRadii[t]
	}
	return 0
}

// ExplosionFlags are the flags of a CreateExplosion.
type ExplosionFlags uint8

const (
	ExplosionHarmless ExplosionFlags = 1 << iota
	ExplosionSilent
	ExplosionInvisible
)

// CreateExplosion is an explosion made by the server.
type CreateExplosion struct {
	Type         ExplosionType
	Flags        ExplosionFlags
	CreatorID    uint16 // NoPlayer none
	CreatorToken uint32 // 0 none
	Position     Vec3
	Shake        float32 // of the camera, 0..2, 1 the type's own
}

func (*CreateExplosion) ID() ID { return IDCreateExplosion }

func (p *CreateExplosion) Wire(c *wire.Codec) {
	wire.Enum(c, &p.Type, ExplosionTiny)
	wire.Bits(c, &p.Flags, 3)
	someone(c, &p.CreatorID, &p.CreatorToken)
	c.Position(&p.Position)
	c.F32In(&p.Shake, 0, 2)
}

func (p *CreateExplosion) Check() error { return oneOrNone("creator", p.CreatorID, p.CreatorToken) }

// CreateFire is a fire made by the server.
type CreateFire struct {
	FireID       uint32
	Position     Vec3
	Size         float32 // 0.1..10, 1.8 an ordinary one
	Duration     uint32  // ms left, 0 until extinguished
	Spread       uint8   // generations it may spread by, 0..20
	CreatorID    uint16  // NoPlayer none
	CreatorToken uint32  // 0 none
}

func (*CreateFire) ID() ID { return IDCreateFire }

func (p *CreateFire) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.FireID)
	c.Position(&p.Position)
	c.F32In(&p.Size, 0.1, 10)
	c.U32(&p.Duration)
	wire.Range(c, &p.Spread, 0, 20)
	someone(c, &p.CreatorID, &p.CreatorToken)
}

func (p *CreateFire) Check() error { return oneOrNone("creator", p.CreatorID, p.CreatorToken) }

// ExtinguishFire ends one fire, or all fires of an area.
type ExtinguishFire struct {
	FireID   uint32  // 0: by area
	Position Vec3    // by area, else 0
	Radius   float32 // by area: m, above 0, up to 300; else 0
}

func (*ExtinguishFire) ID() ID { return IDExtinguishFire }

func (p *ExtinguishFire) Wire(c *wire.Codec) {
	c.U32(&p.FireID)
	c.Position(&p.Position)
	c.F32In(&p.Radius, 0, 300)
}

func (p *ExtinguishFire) Check() error {
	switch {
	case p.FireID == 0 && p.Radius == 0:
		return errors.New("neither a fire nor the radius of an area")
	case p.FireID != 0 && !(blank(p.Position) && unset(p.Radius)):
		return errors.New("position or radius is set although it is one fire")
	}
	return nil
}
