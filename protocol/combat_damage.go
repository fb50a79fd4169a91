package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// MaxDamage is the most that one report can claim, in points.
const MaxDamage = 1000

// DamageReport is a hit (page Combat, Damage model). Its cause says who
// reports it and which fields it has; the others are 0.
type DamageReport struct {
	Victim   uint32 // player_token; the sender's own if the victim reports
	Source   Ref    // if the victim reports: none, player, vehicle, projectile or fire; of a vehicle's gun: the vehicle
	Shot     uint32 // of a hand weapon's bullet: the WeaponShot's seq
	Cause    Cause  // not CauseScript
	BodyPart BodyPart
	Pellets  uint8   // bullets: 1..15 that hit this victim
	Vitals   uint16  // if the victim reports: the last revision applied
	Amount   float32 // all but bullets: points before multipliers, above 0, up to MaxDamage
}

func (*DamageReport) ID() ID { return IDDamageReport }

func (p *DamageReport) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Victim)
	c.Struct(&p.Source)
	c.U32(&p.Shot)
	wire.OneOf(c, &p.Cause, reportedCauses)
	p.BodyPart.wire(c)
	wire.Range(c, &p.Pellets, 0, 15)
	c.U16(&p.Vitals)
	c.F32In(&p.Amount, 0, MaxDamage)
}

func (p *DamageReport) Check() error {
	f, ok := p.Cause.Figures()
	if !ok {
		return nil // the layout refuses it
	}
	victim, bullet := f.By == ByVictim, f.Class == ClassBullet
	sources := noKinds
	switch {
	case victim:
		sources = sourceKinds
	case p.Cause == CauseVehicleGun:
		sources = vehicleKind
	}
	noAmount := p.Amount == 0
	if bullet {
		noAmount = unset(p.Amount)
	}
	for _, rule := range []struct {
		field  string
		wanted bool // else the field is 0
		isZero bool
	}{
		{"shot", bullet && p.Cause != CauseVehicleGun, p.Shot == 0},
		{"pellets", bullet, p.Pellets == 0},
		{"amount", !bullet, noAmount},
	} {
		switch {
		case rule.wanted && rule.isZero:
			return fmt.Errorf("%s is 0, cause %d (%v) needs it", rule.field, p.Cause, p.Cause)
		case !rule.wanted && !rule.isZero:
			return fmt.Errorf("%s is set, cause %d (%v) has none", rule.field, p.Cause, p.Cause)
		}
	}
	if !victim && p.Vitals != 0 {
		return errors.New("vitals is set, only a victim reports it")
	}
	return p.Source.check("source", sources)
}

// LethalDamageReport is world damage that would kill the sender, whose client
// holds the ped at 1 health until the answer.
type LethalDamageReport struct {
	Source Ref    // as in DamageReport
	Cause  Cause  // one that the victim reports
	Vitals uint16 // the last revision applied
	Amount float32
}

func (*LethalDamageReport) ID() ID { return IDLethalDamageReport }

func (p *LethalDamageReport) Wire(c *wire.Codec) {
	c.Struct(&p.Source)
	wire.OneOf(c, &p.Cause, victimCauses)
	c.U16(&p.Vitals)
	c.F32Over(&p.Amount, 0, MaxDamage)
}

func (p *LethalDamageReport) Check() error { return p.Source.check("source", sourceKinds) }

// DamageMultipliers are how the recipient's client scales its own world damage.
type DamageMultipliers struct {
	Classes [ClassDrowning + 1]float32 // by DamageClass, 0..100
	Parts   [PartHead - PartTorso + 1]float32
}

func (*DamageMultipliers) ID() ID { return IDDamageMultipliers }

func (p *DamageMultipliers) Wire(c *wire.Codec) {
	factor := func(f *float32, c *wire.Codec) { c.F32In(f, 0, 100) }
	wire.Array(c, p.Classes[:], factor)
	wire.Array(c, p.Parts[:], factor)
}
