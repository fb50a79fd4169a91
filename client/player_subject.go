package client

import (
	"time"

	"darqline/protocol"
)

func defaultAppearance() Appearance {
	a := Appearance{FightingStyle: protocol.FightStandard}
	for i := range a.Skills {
		a.Skills[i] = 1000
	}
	return a
}

// applySubject takes a packet about one player, the own one or another, that comes with PlayerSpawned or changes what it
// has said. It says whether it was one.
func (g *game) applySubject(now time.Duration, p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.PlayerSpawned:
		if p.PlayerID != g.me.ID { // it goes to the viewers only
			g.crowd.spawned(p, g.tell)
		}
	case *protocol.PlayerStreamOut:
		if p.PlayerID != g.me.ID {
			g.crowd.streamOut(p, g.tell)
		}
	case *protocol.PlayerWasted:
		g.playerWasted(now, p)
	case *protocol.SetSkin:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.Skin = p.Skin })
	case *protocol.PlayerSkills:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.Skills = p.Skills })
	case *protocol.SetPlayerStats:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.Stats = p.Stats })
	case *protocol.SetFightingStyle:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.FightingStyle = p.Style })
	case *protocol.SetWalkingStyle:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.WalkingStyle = p.Style })
	case *protocol.SetHeadless:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.Headless = p.Headless })
	case *protocol.SetOnFire:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.OnFire = p.OnFire })
	case *protocol.SetSpecialAction:
		g.change(p.PlayerID, p.PlayerToken, func(a *Appearance) { a.Action = p.Action })
	default:
		return g.applyAnimation(now, p)
	}
	return true
}

// change changes what is known of a player's appearance, the own one's or another's.
func (g *game) change(id uint16, token uint32, f func(*Appearance)) {
	if id == g.me.ID {
		if token == g.me.Token {
			f(&g.me.Appearance)
			g.changed = true
		}
		return
	}
	if r := g.crowd.subject(id, token, false, g.tell); r != nil {
		f(&r.Appearance)
		r.told(g.tell)
	}
}

// playerWasted takes a death. It ends animation and special action.
func (g *game) playerWasted(now time.Duration, p *protocol.PlayerWasted) {
	if p.PlayerID == g.me.ID {
		if p.PlayerToken != g.me.Token || !g.wasted(now, p) {
			return
		}
	} else {
		r := g.crowd.subject(p.PlayerID, p.PlayerToken, false, g.tell)
		if r == nil {
			return
		}
		r.Dead = true
		r.Action, r.Animation, r.echoed = protocol.ActionNone, Animation{}, false
		r.told(g.tell)
	}
	g.tell(func(h Handler) { h.Wasted(*p) })
}
