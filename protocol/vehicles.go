package protocol

import (
	"cmp"
	"errors"

	"darqline/protocol/wire"
)

// Vehicle models.
const (
	FirstVehicleModel = 400
	LastVehicleModel  = 611
)

// A VehicleOp says what a VehicleSync does.
type VehicleOp uint8

const (
	VehicleRemove VehicleOp = iota
	VehiclePut              // add, or replace whole
)

var vehicleOps = []string{"remove", "put"}

// String is the op's word.
func (o VehicleOp) String() string { return named(vehicleOps, o, "VehicleOp") }

// A VehicleStatus tells a vehicle from its wreck.
type VehicleStatus uint8

const (
	VehicleAlive VehicleStatus = iota
	VehicleWreck
)

var vehicleStatuses = []string{"alive", "wreck"}

// String is the status's word.
func (s VehicleStatus) String() string { return named(vehicleStatuses, s, "VehicleStatus") }

// VehicleSync puts a vehicle into the recipient's world, replaces it or removes
// it. A removal has nothing but its vehicle_id.
type VehicleSync struct {
	VehicleID uint32
	Op        VehicleOp
	Model     uint16 // 400..611
	Status    VehicleStatus
	Interior  uint8
	Authority uint32
	LastSeq   uint32 // of the frame that State is from, 0 none under this authority
	State     VehicleState
	Params    Params
	Parts     Parts
	Tuning    Tuning
	Colors    Colors
}

func (*VehicleSync) ID() ID { return IDVehicleSync }

func (p *VehicleSync) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.Enum(c, &p.Op, VehiclePut)
	wire.Removable(c, p, VehicleSync{VehicleID: p.VehicleID}, p.Op == VehicleRemove, 169, (*VehicleSync).put)
}

func (p *VehicleSync) put(c *wire.Codec) {
	wire.Range(c, &p.Model, FirstVehicleModel, LastVehicleModel)
	wire.Enum(c, &p.Status, VehicleWreck)
	c.U8(&p.Interior)
	wire.NonZero(c, &p.Authority)
	c.U32(&p.LastSeq)
	c.Struct(&p.State)
	c.Struct(&p.Params)
	c.Struct(&p.Parts)
	c.Struct(&p.Tuning)
	c.Struct(&p.Colors)
}

func (p *VehicleSync) Check() error {
	if p.Op == VehicleRemove {
		return nil
	}
	return cmp.Or(p.Tuning.Check(), p.Colors.Check())
}

// An OwnerRole says how a connection owns a vehicle.
type OwnerRole uint8

const (
	RoleNone OwnerRole = iota
	RoleDriver
	RoleSyncer
	RoleCarrier
	RoleRemote
)

var ownerRoles = []string{"none", "driver", "syncer", "carrier", "remote"}

// String is the role's word, as Lua sees it.
func (r OwnerRole) String() string { return named(ownerRoles, r, "OwnerRole") }

// VehicleSyncer gives the recipient a vehicle to report, or takes it from him.
type VehicleSyncer struct {
	VehicleID uint32
	Authority uint32 // to report under
	Role      OwnerRole
}

func (*VehicleSyncer) ID() ID { return IDVehicleSyncer }

func (p *VehicleSyncer) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	wire.Enum(c, &p.Role, RoleRemote)
}

// TransformMask says which fields of a VehicleTransform hold.
type TransformMask uint8

const (
	TransformPosition TransformMask = 1 << iota
	TransformRotation
	TransformVelocity
	TransformTurnVelocity
	TransformInterior
)

// NoRotation is the rotation of a thing that is not turned, and of a
// VehicleTransform that turns nothing.
func NoRotation() Quat { return Quat{W: 1} }

// unrotated reports whether q is NoRotation, byte for byte.
func unrotated(q Quat) bool { return unset(q.X, q.Y, q.Z) && q.W == 1 }

// VehicleTransform moves a vehicle. What its mask does not name is zero, the
// rotation NoRotation.
type VehicleTransform struct {
	VehicleID    uint32
	Authority    uint32
	Mask         TransformMask // at least one
	Interior     uint8
	Position     Vec3
	Rotation     Quat
	Velocity     Vec3 // m/s
	TurnVelocity Vec3 // degrees/s
}

func (*VehicleTransform) ID() ID { return IDVehicleTransform }

func (p *VehicleTransform) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	wire.Range(c, &p.Mask, 1, 31)
	c.U8(&p.Interior)
	c.Position(&p.Position)
	c.Quat(&p.Rotation)
	c.FreeVec3(&p.Velocity)
	c.FreeVec3(&p.TurnVelocity)
}

func (p *VehicleTransform) Check() error {
	switch lacks := ^p.Mask; {
	case lacks&TransformPosition != 0 && !blank(p.Position):
		return errors.New("position is set and mask has no position")
	case lacks&TransformRotation != 0 && !unrotated(p.Rotation):
		return errors.New("rotation is not 0 0 0 1 and mask has no rotation")
	case lacks&TransformVelocity != 0 && !blank(p.Velocity):
		return errors.New("velocity is set and mask has no velocity")
	case lacks&TransformTurnVelocity != 0 && !blank(p.TurnVelocity):
		return errors.New("turn_velocity is set and mask has no turn_velocity")
	case lacks&TransformInterior != 0 && p.Interior != 0:
		return errors.New("interior is set and mask has no interior")
	}
	return nil
}
