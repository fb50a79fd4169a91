package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// A VehicleWeapon is a weapon that is mounted on a vehicle.
type VehicleWeapon uint8

const (
	VehicleGun VehicleWeapon = iota
	VehicleRocket
	VehicleMissile // homing
	VehicleFlare
	VehicleShell // of a tank
	VehicleBomb
)

var vehicleWeapons = []string{"gun", "rocket", "missile", "flare", "shell", "bomb"}

// String is the weapon's word, as Lua sees it.
func (w VehicleWeapon) String() string { return named(vehicleWeapons, w, "VehicleWeapon") }

// MaxRounds is the most rounds that one VehicleShot reports of the weapon.
func (w VehicleWeapon) MaxRounds() uint8 {
	switch w {
	case VehicleGun:
		return 10
	case VehicleRocket:
		return 2
	}
	return 1
}

// checkShot holds rounds and target to the weapon.
func checkShot(w VehicleWeapon, rounds uint8, target uint32) error {
	switch {
	case rounds == 0 || rounds > w.MaxRounds():
		return fmt.Errorf("rounds %d: a %v has 1..%d", rounds, w, w.MaxRounds())
	case target != 0 && w != VehicleMissile:
		return errors.New("target is for a homing missile")
	}
	return nil
}

// VehicleShot reports that a mounted weapon fired.
type VehicleShot struct {
	VehicleID uint32
	Weapon    VehicleWeapon
	Rounds    uint8  // 1..Weapon.MaxRounds()
	Origin    Vec3   // of the last round
	Direction Vec3   // of length 1
	Target    uint32 // vehicle that a homing missile is locked on, else 0
}

func (*VehicleShot) ID() ID { return IDVehicleShot }

func (p *VehicleShot) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.Enum(c, &p.Weapon, VehicleBomb)
	wire.Range(c, &p.Rounds, 1, 10)
	c.Position(&p.Origin)
	c.Direction(&p.Direction)
	c.U32(&p.Target)
}

func (p *VehicleShot) Check() error { return checkShot(p.Weapon, p.Rounds, p.Target) }

// RemoteVehicleShot shows that another's mounted weapon fired.
type RemoteVehicleShot struct {
	VehicleID   uint32
	PlayerID    uint16
	PlayerToken uint32
	Weapon      VehicleWeapon
	Rounds      uint8
	Origin      Vec3
	Direction   Vec3
	Target      uint32
}

func (*RemoteVehicleShot) ID() ID { return IDRemoteVehicleShot }

func (p *RemoteVehicleShot) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Enum(c, &p.Weapon, VehicleBomb)
	wire.Range(c, &p.Rounds, 1, 10)
	c.Position(&p.Origin)
	c.Direction(&p.Direction)
	c.U32(&p.Target)
}

func (p *RemoteVehicleShot) Check() error { return checkShot(p.Weapon, p.Rounds, p.Target) }
