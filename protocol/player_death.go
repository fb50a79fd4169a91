package protocol

import "darqline/protocol/wire"

// DeathReport says that the client's game has killed its ped.
type DeathReport struct {
	Source   Ref   // what did it: none, player, vehicle, projectile or fire
	Cause    Cause // one that the victim reports, or CauseScript: unknown
	BodyPart BodyPart
}

func (*DeathReport) ID() ID { return IDDeathReport }

func (p *DeathReport) Wire(c *wire.Codec) {
	c.Struct(&p.Source)
	wire.OneOf(c, &p.Cause, deathCauses)
	p.BodyPart.wire(c)
}

func (p *DeathReport) Check() error { return p.Source.check("source", sourceKinds) }

// WastedFlags are the flags of a PlayerWasted.
type WastedFlags uint8

// WastedStealth says that it was a stealth kill.
const WastedStealth WastedFlags = 1

// PlayerWasted says that a player is dead.
type PlayerWasted struct {
	PlayerID    uint16
	PlayerToken uint32
	KillerID    uint16 // NoPlayer nobody
	KillerToken uint32 // 0 nobody
	Cause       Cause
	BodyPart    BodyPart
	Flags       WastedFlags
}

func (*PlayerWasted) ID() ID { return IDPlayerWasted }

func (p *PlayerWasted) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	someone(c, &p.KillerID, &p.KillerToken)
	wire.OneOf(c, &p.Cause, causes)
	p.BodyPart.wire(c)
	wire.Bits(c, &p.Flags, 1)
}

func (p *PlayerWasted) Check() error { return oneOrNone("killer", p.KillerID, p.KillerToken) }
