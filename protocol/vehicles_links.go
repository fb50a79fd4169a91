package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// checkLink holds two vehicles apart that are to hang together.
func checkLink(a, b uint32) error {
	if a == b {
		return fmt.Errorf("vehicle_id %d cannot hang on itself", a)
	}
	return nil
}

// VehicleTow reports that the client's game hitched or lost a trailer.
type VehicleTow struct {
	VehicleID uint32 // the tower
	TrailerID uint32
	Attached  bool
}

func (*VehicleTow) ID() ID { return IDVehicleTow }

func (p *VehicleTow) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.TrailerID)
	c.Bool(&p.Attached)
}

func (p *VehicleTow) Check() error { return checkLink(p.VehicleID, p.TrailerID) }

// VehicleTrailer begins or ends a trailer's link.
type VehicleTrailer struct {
	VehicleID uint32 // the tower
	TrailerID uint32
	Attached  bool
}

func (*VehicleTrailer) ID() ID { return IDVehicleTrailer }

func (p *VehicleTrailer) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.TrailerID)
	c.Bool(&p.Attached)
}

func (p *VehicleTrailer) Check() error { return checkLink(p.VehicleID, p.TrailerID) }

// VehicleWinch reports that a helicopter's winch took or let go of a vehicle.
type VehicleWinch struct {
	VehicleID uint32 // the helicopter
	LoadID    uint32
	Attached  bool
}

func (*VehicleWinch) ID() ID { return IDVehicleWinch }

func (p *VehicleWinch) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.LoadID)
	c.Bool(&p.Attached)
}

func (p *VehicleWinch) Check() error { return checkLink(p.VehicleID, p.LoadID) }

// A Winch is what hangs at a helicopter's rope.
type Winch uint8

const (
	WinchNone Winch = iota
	WinchLarge
	WinchHarness
	WinchSmall
)

var winches = []string{"none", "large", "harness", "small"}

// String is the winch's word, as Lua sees it.
func (w Winch) String() string { return named(winches, w, "Winch") }

// VehicleLift is the winch of a helicopter and what hangs on it.
type VehicleLift struct {
	VehicleID uint32 // the helicopter
	Winch     Winch
	LoadID    uint32 // 0: nothing
}

func (*VehicleLift) ID() ID { return IDVehicleLift }

func (p *VehicleLift) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.Enum(c, &p.Winch, WinchSmall)
	c.U32(&p.LoadID)
}

func (p *VehicleLift) Check() error {
	if p.Winch == WinchNone && p.LoadID != 0 {
		return errors.New("a load without a winch")
	}
	return checkLink(p.VehicleID, p.LoadID)
}
