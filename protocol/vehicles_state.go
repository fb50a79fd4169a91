package protocol

import "darqline/protocol/wire"

// VehicleFlags are the flags of a VehicleState.
type VehicleFlags uint16

const (
	VehicleHandbrake VehicleFlags = 1 << iota
	VehicleHorn
	VehicleNitro // burning
	VehicleHydraulics
	VehicleGearDown // landing gear
	VehicleSmokeTrail
	VehicleSearchlight
	VehicleFiring // for show
	VehicleOnFire
	VehicleInWater
	VehicleOnGround  // a wheel at least
	VehicleBackwards // along the track
	VehicleDerailed
)

// A VehicleState is the continuous state of one vehicle (page Vehicles,
// VehicleState), 75 bytes.
type VehicleState struct {
	Position     Vec3
	Rotation     Quat
	Velocity     Vec3    // m/s
	TurnVelocity Vec3    // degrees/s, about the world's axes
	Health       float32 // 0..1000
	HealthRev    uint8   // revision of health that the sender has applied
	Steer        int8    // -127 left..127 right
	Pitch        int8    // -127 forward..127 back
	Rudder       int8    // -127 left..127 right
	Aux          int8    // -127..127: hydraulics up and down, moving part, rope
	Throttle     uint8
	Brake        uint8 // or reverse
	Flags        VehicleFlags
	Misc         uint16  // 0..20,000, place of the moving part
	TurretYaw    int16   // 0.01 degree, -18,000..18,000, left is positive
	TurretPitch  int16   // 0.01 degree, -9,000..9,000
	Rail         float32 // m along the track, 0..21,845; 0 off the rails
}

func (s *VehicleState) Wire(c *wire.Codec) {
	c.Position(&s.Position)
	c.Quat(&s.Rotation)
	c.FreeVec3(&s.Velocity)
	c.FreeVec3(&s.TurnVelocity)
	c.F32In(&s.Health, 0, MaxVehicleHealth)
	c.U8(&s.HealthRev)
	wire.Range(c, &s.Steer, -127, 127)
	wire.Range(c, &s.Pitch, -127, 127)
	wire.Range(c, &s.Rudder, -127, 127)
	wire.Range(c, &s.Aux, -127, 127)
	c.U8(&s.Throttle)
	c.U8(&s.Brake)
	wire.Bits(c, &s.Flags, 13)
	wire.Range(c, &s.Misc, 0, 20000)
	wire.Range(c, &s.TurretYaw, -18000, 18000)
	wire.Range(c, &s.TurretPitch, -9000, 9000)
	c.F32In(&s.Rail, 0, MaxRail)
}

// Limits of page Vehicles.
const (
	MaxVehicleHealth = 1000
	MaxRail          = 21845 // m along a track
	MaxCarriages     = 8
)

// VehicleFrame is the owner's report of one vehicle.
type VehicleFrame struct {
	VehicleID uint32
	Authority uint32
	Seq       uint32 // the owner's, 1 for his first frame under this authority
	State     VehicleState
}

func (*VehicleFrame) ID() ID { return IDVehicleFrame }

func (p *VehicleFrame) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	c.U32(&p.Seq)
	c.Struct(&p.State)
}

// RemoteVehicleFrame is that report, corrected, for everybody else.
type RemoteVehicleFrame struct {
	VehicleID uint32
	Authority uint32
	Seq       uint32 // as the owner sent it
	State     VehicleState
}

func (*RemoteVehicleFrame) ID() ID { return IDRemoteVehicleFrame }

func (p *RemoteVehicleFrame) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	c.U32(&p.Seq)
	c.Struct(&p.State)
}
