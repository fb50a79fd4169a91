package client

import (
	"slices"

	"darqline/protocol"
)

func defaultRules() Rules {
	r := Rules{DriveBy: *protocol.DefaultDriveBy()}
	for i := range r.Multipliers.Classes {
		r.Multipliers.Classes[i] = 1
	}
	for i := range r.Multipliers.Parts {
		r.Multipliers.Parts[i] = 1
	}
	return r
}

func (r *Rules) clone() Rules {
	c := *r
	c.Weapons = slices.Clone(r.Weapons)
	return c
}

// set takes changed figures of a weapon in place of earlier ones. There are few weapons and levels, so the list stays
// short.
func (r *Rules) set(p *protocol.WeaponProperties) {
	for i := range r.Weapons {
		if r.Weapons[i].Weapon == p.Weapon && r.Weapons[i].Skill == p.Skill {
			r.Weapons[i] = *p
			return
		}
	}
	r.Weapons = append(r.Weapons, *p)
}

// clip is how many rounds a weapon's magazine holds.
func (r *Rules) clip(w protocol.Weapon) uint16 {
	for i := range r.Weapons {
		if r.Weapons[i].Weapon == w && r.Weapons[i].Skill == protocol.SkillStandard {
			return r.Weapons[i].Clip
		}
	}
	f, _ := w.Figures()
	return f.Clip
}

// applyRules takes a packet with figures of combat. It says whether it was one.
func (g *game) applyRules(p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.DamageMultipliers:
		g.rules.Multipliers = *p
	case *protocol.DriveByIntervals:
		g.rules.DriveBy = *p
	case *protocol.WeaponProperties:
		g.rules.set(p)
	default:
		return false
	}
	rules := g.rules.clone()
	g.tell(func(h Handler) { h.Rules(rules) })
	return true
}
