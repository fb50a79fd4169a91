package client

import (
	"time"

	"darqline/protocol"
)

// applyCombat takes what happens around the player. It says whether it was such a packet.
func (g *game) applyCombat(now time.Duration, p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.RemoteWeaponShot:
		if r := g.other(p.PlayerID, p.PlayerToken); r != nil && r.fired(p.Seq) {
			g.tell(func(h Handler) { h.Shot(*p) })
		}
	case *protocol.RemoteProjectileCreate:
		if g.other(p.PlayerID, p.PlayerToken) != nil {
			g.tell(func(h Handler) { h.Projectile(*p) })
		}
	case *protocol.RemoteSatchelDetonate:
		// Taken from whom nothing is known of, too: it is heard as far as an explosion is.
		if p.PlayerID != g.me.ID && g.crowd.subject(p.PlayerID, p.PlayerToken, true, g.tell) != nil {
			g.tell(func(h Handler) { h.Satchels(Satchels{p.PlayerID, p.PlayerToken, p.Positions}) })
		}
	case *protocol.DestroySatchels:
		g.destroySatchels(p)
	case *protocol.DetonateSatchels:
		if g.able() == nil {
			g.blowUp()
		}
	case *protocol.RemoteStealthKill:
		g.tell(func(h Handler) { h.StealthKill(*p) })
	case *protocol.CreateExplosion:
		g.tell(func(h Handler) { h.Explosion(*p) })
	case *protocol.CreateFire:
		if g.fires.light(now, p) {
			g.tell(func(h Handler) { h.Fire(*p) })
		}
	case *protocol.ExtinguishFire:
		g.fires.extinguish(p)
		g.tell(func(h Handler) { h.Extinguished(*p) })
	default:
		return g.applyRules(p)
	}
	return true
}

// other is the other player whom a packet is about, nil if it is void.
func (g *game) other(id uint16, token uint32) *remote {
	if id == g.me.ID {
		return nil
	}
	return g.crowd.subject(id, token, false, g.tell)
}

func (g *game) destroySatchels(p *protocol.DestroySatchels) {
	switch {
	case g.isMe(p.PlayerID, p.PlayerToken):
		if len(g.me.Satchels) > 0 {
			g.satchelsGone(nil)
		}
	case g.other(p.PlayerID, p.PlayerToken) != nil:
		g.tell(func(h Handler) { h.Satchels(Satchels{PlayerID: p.PlayerID, PlayerToken: p.PlayerToken}) })
	}
}
