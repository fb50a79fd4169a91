package world

import "darqline/protocol"

// fullPro is the skill from which on a weapon is handled like a pro's.
const fullPro = 999

// twoGuns is the flag of a weapon of which there is one in each hand.
const twoGuns = 0x800

// gameFigures are the figures of the game's own table that page Combat does not list, at each skill level: they are the
// defaults of WeaponProperties.
type gameFigures struct {
	skill     int    // in protocol.SkillNames
	standard  uint16 // skill from which on the weapon is handled better than poorly; 0: it always is
	target    [3]float32
	accuracy  [3]float32
	moveSpeed [3]float32
	flags     [3]uint32
}

// skillLevel is how a player handles a weapon.
func (tx Tx) skillLevel(p *Player, w protocol.Weapon) protocol.SkillLevel {
	g := &gameTable[w]
	if g.standard == 0 {
		return protocol.SkillStandard
	}
	switch skill := p.look.skills[g.skill]; {
	case skill >= fullPro:
		return protocol.SkillPro
	case skill < g.standard:
		return protocol.SkillPoor
	}
	return protocol.SkillStandard
}

// figuresOf are the figures that the server's checks use for a weapon in a player's hand.
func (tx Tx) figuresOf(p *Player, w protocol.Weapon) weaponRules {
	f, _ := w.Figures()
	rules := weaponRules{f.Range, f.Hit, f.Interval, f.Pellets}
	if t := (tuning{w, tx.skillLevel(p, w)}); tx.w.combat.figures.properties[t] != nil {
		m := tx.properties(t)
		rules.reach, rules.hit, rules.interval = m.Range, m.Damage, m.Interval
	}
	return rules
}

// weaponRules are what checks need to know of a weapon.
type weaponRules struct {
	reach    float32 // metres
	hit      float32 // points of a hit or pellet
	interval uint16  // ms
	pellets  uint8
}

// defaultProperties are a weapon's figures at a skill level where nobody has changed them.
func defaultProperties(t tuning) protocol.WeaponProperties {
	f, _ := t.weapon.Figures()
	g := gameTable[t.weapon]
	if t.skill == protocol.SkillPro && g.flags[t.skill]&twoGuns != 0 {
		f.Clip *= 2
	}
	return protocol.WeaponProperties{Weapon: t.weapon, Skill: t.skill, Range: f.Range, TargetRange: g.target[t.skill],
		Accuracy: g.accuracy[t.skill], Damage: f.Hit, MoveSpeed: g.moveSpeed[t.skill], Clip: f.Clip, Interval: f.Interval,
		Flags: g.flags[t.skill]}
}

// gameTable is by weapon; of the weapons above the tec9 the game has the standard level only.
var gameTable = [protocol.WeaponLast + 1]gameFigures{
	22: {0, 40, [3]float32{25, 30, 35}, [3]float32{0.75, 1, 1.25}, [3]float32{1, 1, 1}, [3]uint32{0x3033, 0x3033, 0x3833}},
	23: {1, 500, [3]float32{25, 30, 35}, [3]float32{1, 1.25, 1.5}, [3]float32{1, 1.2, 1.5}, [3]uint32{0x7001, 0x7011, 0x7031}},
	24: {2, 200, [3]float32{25, 30, 35}, [3]float32{0.75, 1, 1.25}, [3]float32{1, 1.2, 1.5}, [3]uint32{0x7001, 0x7011, 0x7031}},
	25: {3, 200, [3]float32{30, 35, 40}, [3]float32{1, 1.2, 1.4}, [3]float32{1, 1.1, 1.3}, [3]uint32{0x2001, 0x2011, 0x2031}},
	26: {4, 200, [3]float32{25, 30, 35}, [3]float32{0.7, 0.8, 0.9}, [3]float32{1, 1.1, 1.3}, [3]uint32{0x3033, 0x3033, 0x3833}},
	27: {5, 200, [3]float32{35, 40, 40}, [3]float32{1.4, 1.8, 2}, [3]float32{1, 1, 1.2}, [3]uint32{0x7001, 0x7011, 0x7031}},
	28: {6, 50, [3]float32{25, 30, 35}, [3]float32{0.75, 1.05, 1.1}, [3]float32{1, 1, 1}, [3]uint32{0x3013, 0x3033, 0x3833}},
	29: {7, 250, [3]float32{35, 40, 45}, [3]float32{0.75, 1, 1.2}, [3]float32{1.1, 1.3, 1.5}, [3]uint32{0x7001, 0x7011, 0x7031}},
	30: {8, 200, [3]float32{40, 45, 50}, [3]float32{0.4, 0.5, 0.6}, [3]float32{0.9, 1, 1.1}, [3]uint32{0x7001, 0x7011, 0x7031}},
	31: {9, 200, [3]float32{40, 45, 50}, [3]float32{0.45, 0.65, 0.8}, [3]float32{0.9, 1, 1.1}, [3]uint32{0x7001, 0x7011, 0x7031}},
	32: {6, 50, [3]float32{25, 30, 35}, [3]float32{0.75, 1.05, 1.1}, [3]float32{1, 1, 1}, [3]uint32{0x3013, 0x3033, 0x3833}},
	33: only(55, 1.2, 0xA008),
	34: only(250, 1, 0xA014),
	37: only(4, 1, 0x30238),
	38: only(65, 1, 0x238),
}

func only(target, moveSpeed float32, flags uint32) gameFigures {
	return gameFigures{target: [3]float32{1: target}, accuracy: [3]float32{1: 1}, moveSpeed: [3]float32{1: moveSpeed},
		flags: [3]uint32{1: flags}}
}
