package protocol

import "darqline/protocol/wire"

// GiveHealth is health with the pickup's effect and sound.
type GiveHealth struct {
	Vitals uint16
	Amount float32 // shown; above 0, up to 100
	Health float32 // the outcome; above 0, up to 100
}

func (*GiveHealth) ID() ID { return IDGiveHealth }

func (p *GiveHealth) Wire(c *wire.Codec) {
	c.U16(&p.Vitals)
	c.F32Over(&p.Amount, 0, 100)
	c.F32Over(&p.Health, 0, 100)
}

// GiveArmor is armor with the pickup's effect and sound.
type GiveArmor struct {
	Vitals uint16
	Amount float32 // shown; above 0, up to 100
	Armor  float32 // the outcome; above 0, up to 100
}

func (*GiveArmor) ID() ID { return IDGiveArmor }

func (p *GiveArmor) Wire(c *wire.Codec) {
	c.U16(&p.Vitals)
	c.F32Over(&p.Amount, 0, 100)
	c.F32Over(&p.Armor, 0, 100)
}

// SetHealth is the recipient's health as the server has it, and what hit it.
type SetHealth struct {
	Vitals        uint16
	Health        float32 // above 0, up to 100: death is PlayerWasted
	Cause         Cause   // CauseScript: no reaction is shown
	BodyPart      BodyPart
	AttackerID    uint16 // NoPlayer none
	AttackerToken uint32 // 0 none
}

func (*SetHealth) ID() ID { return IDSetHealth }

func (p *SetHealth) Wire(c *wire.Codec) {
	c.U16(&p.Vitals)
	c.F32Over(&p.Health, 0, 100)
	wire.OneOf(c, &p.Cause, causes)
	p.BodyPart.wire(c)
	someone(c, &p.AttackerID, &p.AttackerToken)
}

func (p *SetHealth) Check() error { return oneOrNone("attacker", p.AttackerID, p.AttackerToken) }

// SetArmor is the recipient's armor as the server has it, and what hit it.
type SetArmor struct {
	Vitals        uint16
	Armor         float32 // 0..100
	Cause         Cause   // CauseScript: no reaction is shown
	BodyPart      BodyPart
	AttackerID    uint16 // NoPlayer none
	AttackerToken uint32 // 0 none
}

func (*SetArmor) ID() ID { return IDSetArmor }

func (p *SetArmor) Wire(c *wire.Codec) {
	c.U16(&p.Vitals)
	c.F32In(&p.Armor, 0, 100)
	wire.OneOf(c, &p.Cause, causes)
	p.BodyPart.wire(c)
	someone(c, &p.AttackerID, &p.AttackerToken)
}

func (p *SetArmor) Check() error { return oneOrNone("attacker", p.AttackerID, p.AttackerToken) }
