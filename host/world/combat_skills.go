package world

import "darqline/protocol"

// fullPro is the skill from which on a weapon is handled like a pro's.
const fullPro = 999

// gameFigures are the figures of the game's own table that page Combat does not list, at each skill level: they are the
// defaults of WeaponProperties.
type gameFigures struct {
	skill     int    // in protocol.SkillNames
	standard  uint16 // skill from which on the weapon is handled better than poorly
	target    [3]float32
	accuracy  [3]float32
	moveSpeed [3]float32
	flags     [3]uint32
}

// skillLevel is how a player handles a weapon.
func (tx Tx) skillLevel(p *Player, w protocol.Weapon) protocol.SkillLevel {
	g, ok := gameTable[w]
	if !ok || w > lastSkilled {
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
	return protocol.WeaponProperties{Weapon: t.weapon, Skill: t.skill, Range: f.Range, TargetRange: g.target[t.skill],
		Accuracy: g.accuracy[t.skill], Damage: f.Hit, MoveSpeed: g.moveSpeed[t.skill], Clip: f.Clip, Interval: f.Interval,
		Flags: g.flags[t.skill]}
}

var gameTable = map[protocol.Weapon]gameFigures{}
