package protocol

import "darqline/protocol/wire"

// A PartDamage is the state of a panel, a door or a tyre: 0 is whole.
type PartDamage = uint8

// The worst states of parts.
const (
	PanelGone PartDamage = 3
	DoorGone  PartDamage = 4 // 1 swinging, 2 bashed, 3 both
	TyreGone  PartDamage = 2 // 1 burst
)

// Parts is the damage of a vehicle's body, 19 bytes (page Vehicles, Parts).
type Parts struct {
	Rev    uint8         // revision set by the server
	Panels [7]PartDamage // wings left front, right front, left rear, right rear, windscreen, front bumper, rear bumper
	Doors  [6]PartDamage // bonnet, boot, left front, right front, left rear, right rear
	Lights uint8         // broken: bit 0 left front, 1 right front, 2 right rear, 3 left rear
	Tyres  [4]PartDamage // left front, left rear, right front, right rear; bikes: front, rear
}

func (p *Parts) Wire(c *wire.Codec) {
	c.U8(&p.Rev)
	wire.Array(c, p.Panels[:], func(v *PartDamage, c *wire.Codec) { wire.Range(c, v, 0, PanelGone) })
	wire.Array(c, p.Doors[:], func(v *PartDamage, c *wire.Codec) { wire.Range(c, v, 0, DoorGone) })
	wire.Bits(c, &p.Lights, 4)
	wire.Array(c, p.Tyres[:], func(v *PartDamage, c *wire.Codec) { wire.Range(c, v, 0, TyreGone) })
}

// VehicleDamage is the owner's report of a vehicle's body.
type VehicleDamage struct {
	VehicleID uint32
	Authority uint32
	Parts     Parts
}

func (*VehicleDamage) ID() ID { return IDVehicleDamage }

func (p *VehicleDamage) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	c.Struct(&p.Parts)
}

// RemoteVehicleDamage is a vehicle's body as it holds.
type RemoteVehicleDamage struct {
	VehicleID uint32
	Parts     Parts
}

func (*RemoteVehicleDamage) ID() ID { return IDRemoteVehicleDamage }

func (p *RemoteVehicleDamage) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	c.Struct(&p.Parts)
}

// VehicleHealth sets a vehicle's health.
type VehicleHealth struct {
	VehicleID uint32
	Health    float32 // 0..1000
	HealthRev uint8   // to be echoed in VehicleState
}

func (*VehicleHealth) ID() ID { return IDVehicleHealth }

func (p *VehicleHealth) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	c.F32In(&p.Health, 0, MaxVehicleHealth)
	c.U8(&p.HealthRev)
}

// A VehicleDeathCause is what made a wreck.
type VehicleDeathCause uint8

const (
	DeathScript VehicleDeathCause = iota // VehicleDeath alone
	DeathBurnt
	DeathExplosion // or shot
	DeathWater
)

var vehicleDeathCauses = []string{"script", "burnt", "explosion", "water"}

// String is the cause's word, as Lua sees it.
func (d VehicleDeathCause) String() string { return named(vehicleDeathCauses, d, "VehicleDeathCause") }

// UnknownWeapon is the weapon of a death that nobody knows more of.
const UnknownWeapon = 255

// killWeapons are the weapons and causes of page Combat.
var killWeapons = new(wire.Set).With(0, 18).With(22, 46).With(48, 54).With(UnknownWeapon, UnknownWeapon)

// VehicleExplode is the owner's report that his vehicle blows up or drowns.
type VehicleExplode struct {
	VehicleID   uint32
	Authority   uint32
	Cause       VehicleDeathCause // not DeathScript
	KillerID    uint16            // NoPlayer: nobody
	KillerToken uint32            // 0: nobody
	Weapon      uint8             // a weapon or cause of page Combat, or UnknownWeapon
}

func (*VehicleExplode) ID() ID { return IDVehicleExplode }

func (p *VehicleExplode) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	wire.Range(c, &p.Cause, DeathBurnt, DeathWater)
	someone(c, &p.KillerID, &p.KillerToken)
	wire.OneOf(c, &p.Weapon, killWeapons)
}

func (p *VehicleExplode) Check() error { return oneOrNone("killer", p.KillerID, p.KillerToken) }

// VehicleDeath makes a vehicle a wreck.
type VehicleDeath struct {
	VehicleID   uint32
	Cause       VehicleDeathCause
	KillerID    uint16 // NoPlayer: nobody
	KillerToken uint32 // 0: nobody
	Weapon      uint8  // a weapon or cause of page Combat, or UnknownWeapon
	Position    Vec3   // of the explosion
}

func (*VehicleDeath) ID() ID { return IDVehicleDeath }

func (p *VehicleDeath) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.Enum(c, &p.Cause, DeathWater)
	someone(c, &p.KillerID, &p.KillerToken)
	wire.OneOf(c, &p.Weapon, killWeapons)
	c.Position(&p.Position)
}

func (p *VehicleDeath) Check() error { return oneOrNone("killer", p.KillerID, p.KillerToken) }
