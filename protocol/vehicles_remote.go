package protocol

import "darqline/protocol/wire"

// VehicleRemote tells who controls an RC vehicle from outside.
type VehicleRemote struct {
	VehicleID   uint32
	PlayerID    uint16
	PlayerToken uint32
	Active      bool // false: no longer
}

func (*VehicleRemote) ID() ID { return IDVehicleRemote }

func (p *VehicleRemote) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.Bool(&p.Active)
}

// VehicleRemoteExit gives an RC vehicle up.
type VehicleRemoteExit struct{ VehicleID uint32 }

func (*VehicleRemoteExit) ID() ID { return IDVehicleRemoteExit }

func (p *VehicleRemoteExit) Wire(c *wire.Codec) { wire.NonZero(c, &p.VehicleID) }

// VehicleRemoteEnter asks to control an RC vehicle.
type VehicleRemoteEnter struct{ VehicleID uint32 }

func (*VehicleRemoteEnter) ID() ID { return IDVehicleRemoteEnter }

func (p *VehicleRemoteEnter) Wire(c *wire.Codec) { wire.NonZero(c, &p.VehicleID) }
