package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// SkillCount and StatCount are how many skills and stats a player has.
const (
	SkillCount = 11
	StatCount  = 12
)

// SkillNames are the weapon skills in their order on the wire, which is that of
// the game's stats 69 to 79.
var SkillNames = [SkillCount]string{
	"pistol", "silenced_pistol", "desert_eagle", "shotgun", "sawn_off_shotgun", "combat_shotgun", "micro_uzi", "mp5", "ak47", "m4", "sniper",
}

// StatNames are the body and skill stats in their order on the wire: the
// game's 21, 22, 23, 25, 68, 81, 160, 223, 225, 229, 230 and 233.
var StatNames = [StatCount]string{
	"fat", "stamina", "muscle", "sex_appeal", "respect", "gambling", "driving", "flying", "lung_capacity", "bike", "cycling", "luck",
}

// thousandth is a skill or stat.
func thousandth(v *uint16, c *wire.Codec) { wire.Range(c, v, 0, 1000) }

// PlayerSkills are all weapon skills of a player.
type PlayerSkills struct {
	PlayerID    uint16
	PlayerToken uint32
	Skills      [SkillCount]uint16 // by SkillNames, 0..1000
}

func (*PlayerSkills) ID() ID { return IDPlayerSkills }

func (p *PlayerSkills) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Array(c, p.Skills[:], thousandth)
}

// SetPlayerStats are all body and skill stats of a player.
type SetPlayerStats struct {
	PlayerID    uint16
	PlayerToken uint32
	Stats       [StatCount]uint16 // by StatNames, 0..1000
}

func (*SetPlayerStats) ID() ID { return IDSetPlayerStats }

func (p *SetPlayerStats) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Array(c, p.Stats[:], thousandth)
}

// SetWanted is the number of stars on the recipient's HUD.
type SetWanted struct {
	Level uint8 // 0..6
}

func (*SetWanted) ID() ID { return IDSetWanted }

func (p *SetWanted) Wire(c *wire.Codec) { wire.Range(c, &p.Level, 0, 6) }

// MaxMoney bounds the money on the HUD in both directions.
const MaxMoney = 999_999_999

// SetMoney is the money on the recipient's HUD.
type SetMoney struct {
	Money int32 // within MaxMoney
}

func (*SetMoney) ID() ID { return IDSetMoney }

func (p *SetMoney) Wire(c *wire.Codec) { wire.Range(c, &p.Money, -MaxMoney, MaxMoney) }

// SetDrunkLevel makes the recipient's camera and steering sway.
type SetDrunkLevel struct {
	Level    uint8  // 0 sober..100
	Duration uint32 // ms in which it sinks to 0, up to 3600000; 0 until changed
}

func (*SetDrunkLevel) ID() ID { return IDSetDrunkLevel }

func (p *SetDrunkLevel) Wire(c *wire.Codec) {
	wire.Range(c, &p.Level, 0, 100)
	wire.Range(c, &p.Duration, 0, 3_600_000)
}

func (p *SetDrunkLevel) Check() error {
	if p.Level == 0 && p.Duration != 0 {
		return errors.New("level 0 has no duration")
	}
	return nil
}
