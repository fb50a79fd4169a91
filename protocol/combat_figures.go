package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// DriveByWeapons are the weapons of DriveByIntervals in their order on the
// wire.
var DriveByWeapons = [14]Weapon{22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 38}

// DriveByIntervals are which weapons may be fired from a vehicle, and how fast:
// ms between shots by DriveByWeapons, 10..10000, 0 not allowed.
type DriveByIntervals struct {
	Driver    [len(DriveByWeapons)]uint16
	Passenger [len(DriveByWeapons)]uint16
}

func (*DriveByIntervals) ID() ID { return IDDriveByIntervals }

func (p *DriveByIntervals) Wire(c *wire.Codec) {
	interval := func(ms *uint16, c *wire.Codec) { wire.ZeroOr(c, ms, 10, 10000) }
	wire.Array(c, p.Driver[:], interval)
	wire.Array(c, p.Passenger[:], interval)
}

// DefaultDriveBy are the intervals of a server that says nothing else.
func DefaultDriveBy() *DriveByIntervals {
	p := new(DriveByIntervals)
	passenger := map[Weapon]uint16{22: 300, 23: 300, 24: 800, 26: 700}
	for i, w := range DriveByWeapons {
		f, _ := w.Figures()
		switch w {
		case 28, 29, 32:
			p.Driver[i], p.Passenger[i] = f.Interval, f.Interval
		case 30, 31:
			p.Passenger[i] = f.Interval
		default:
			p.Passenger[i] = passenger[w]
		}
	}
	return p
}

// A SkillLevel is how well a player handles a weapon, by his skill.
type SkillLevel uint8

const (
	SkillPoor SkillLevel = iota
	SkillStandard
	SkillPro
)

var skillLevels = []string{"poor", "standard", "pro"}

func (l SkillLevel) String() string { return named(skillLevels, l, "SkillLevel") }

// WeaponProperties are changed figures of a weapon at a skill level.
type WeaponProperties struct {
	Weapon      Weapon     // bullet, or the flamethrower
	Skill       SkillLevel // of the weapons above 32 only SkillStandard
	Range       float32    // m, 1..1000
	TargetRange float32    // m, lock-on, 0..1000
	Accuracy    float32    // 0..10, 1 ordinary, more is better
	Damage      float32    // points per hit or pellet, 0..1000
	MoveSpeed   float32    // factor while aiming, 0..10
	Clip        uint16     // 1..10000
	Interval    uint16     // ms between shots, 10..10000
	Flags       uint32     // the game's weapon flags
}

func (*WeaponProperties) ID() ID { return IDWeaponProperties }

func (p *WeaponProperties) Wire(c *wire.Codec) {
	wire.OneOf(c, &p.Weapon, tunableWeapons)
	wire.Enum(c, &p.Skill, SkillPro)
	c.F32In(&p.Range, 1, 1000)
	c.F32In(&p.TargetRange, 0, 1000)
	c.F32In(&p.Accuracy, 0, 10)
	c.F32In(&p.Damage, 0, 1000)
	c.F32In(&p.MoveSpeed, 0, 10)
	wire.Range(c, &p.Clip, 1, 10000)
	wire.Range(c, &p.Interval, 10, 10000)
	c.U32(&p.Flags)
}

func (p *WeaponProperties) Check() error {
	if p.Weapon > 32 && p.Skill != SkillStandard {
		return fmt.Errorf("skill is %d (%v), weapon %d (%v) has only the standard one", p.Skill, p.Skill, p.Weapon, p.Weapon)
	}
	return nil
}
