package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// ParamFlags are the flags of Params.
type ParamFlags uint16

const (
	ParamEngine ParamFlags = 1 << iota
	ParamLights
	ParamSiren
	ParamAlarm
	ParamLocked // for this recipient
	ParamFrozen
	ParamInvulnerable
	ParamPartsInvulnerable
	ParamTyresInvulnerable
	ParamTaxiLight
	ParamSirenFitted // to a model without one
	ParamNoCollision
	ParamTankSafe // shots do not blow it up
	ParamDerailable
)

// Params is what switches on a vehicle, 9 bytes (page Vehicles, Params).
type Params struct {
	Flags   ParamFlags
	Doors   [6]uint8 // bonnet, boot, left front, right front, left rear, right rear: 0 closed..255 open
	Windows uint8    // open: bit 0 left front, 1 right front, 2 left rear, 3 right rear
}

func (p *Params) Wire(c *wire.Codec) {
	wire.Bits(c, &p.Flags, 14)
	c.Bytes(p.Doors[:])
	wire.Bits(c, &p.Windows, 4)
}

// VehicleParams switches what switches on a vehicle.
type VehicleParams struct {
	VehicleID uint32
	Params    Params
}

func (*VehicleParams) ID() ID { return IDVehicleParams }

func (p *VehicleParams) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	c.Struct(&p.Params)
}

// A Control is what a VehicleControl asks for.
type Control uint8

const (
	ControlEngine Control = iota
	ControlLights
	ControlSiren
	ControlLocked
	ControlAlarm
	ControlTaxiLight
	ControlDoor // the first of six, in the order of Params

	ControlWindow Control = 12 // the first of four, in the order of Params
	lastControl   Control = 15
)

var controls = []string{
	"engine", "lights", "siren", "locked", "alarm", "taxi_light",
	"door", "door", "door", "door", "door", "door", "window", "window", "window", "window",
}

// String is the control's word, as Lua sees it; all doors have the same.
func (c Control) String() string { return named(controls, c, "Control") }

// VehicleControl asks to switch something.
type VehicleControl struct {
	VehicleID uint32
	Control   Control
	Value     uint8 // 0 or 1; doors 0..255
}

func (*VehicleControl) ID() ID { return IDVehicleControl }

func (p *VehicleControl) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.Enum(c, &p.Control, lastControl)
	c.U8(&p.Value)
}

func (p *VehicleControl) Check() error {
	door := p.Control >= ControlDoor && p.Control < ControlWindow
	if !door && p.Value > 1 {
		return fmt.Errorf("value %d: %v is 0 or 1", p.Value, p.Control)
	}
	return nil
}
