package client

import (
	"time"

	"darqline/protocol"
)

// Numbers of page Player, "RespawnRequest".
const (
	respawnAfter  = 4 * time.Second // of death, without a key
	respawnRepeat = 2 * time.Second // while there is no answer
	respawnPause  = time.Second     // between two requests, however often the key is pressed
)

// requestSpawn asks for the first spawn.
func (g *game) requestSpawn() {
	if g.me.State == PreSpawn {
		g.send(&protocol.RequestSpawn{})
	}
}

// signedIn ends PreAuth.
func (g *game) signedIn() {
	g.me.State = PreSpawn
	g.changed = true
}

// firstSpawn takes a SpawnPlayer, which is for PreSpawn alone.
func (g *game) firstSpawn(p *protocol.SpawnInfo) {
	if g.me.State == PreSpawn {
		g.spawn(p, PlacedSpawn)
	}
}

// spawnAgain takes a RespawnPlayer, for whom is dead or alive.
func (g *game) spawnAgain(p *protocol.SpawnInfo) {
	if g.me.State == Alive || g.me.State == Wasted {
		g.spawn(p, PlacedRespawn)
	}
}

func (g *game) spawn(p *protocol.SpawnInfo, why PlaceReason) {
	me := &g.me
	me.State = Alive
	me.Death, me.Respawn = protocol.PlayerWasted{}, time.Time{}
	me.Health, me.Armor, me.Vitals = p.Health, p.Armor, p.Vitals
	g.losses = losses{} // of a body that is gone
	me.Skin = p.Skin
	me.Frozen = p.Flags&protocol.SpawnFrozen != 0
	heading := protocol.Angle(float64(p.Heading))
	me.Frame = protocol.Frame{
		Epoch: p.Epoch, Interior: p.Interior, Position: p.Position, Heading: heading, AimYaw: heading, Flags: protocol.FlagOnGround,
	}
	g.rest()
	if p.Flags&protocol.SpawnKeepWeapons == 0 {
		me.Inventory, me.Weapon = Inventory{}, protocol.WeaponFist
		me.Satchels = nil
	}
	fade := p.Flags&protocol.SpawnFade != 0
	if fade {
		me.FadedOut, me.FadeColor = false, protocol.RGBA{}
	}
	g.dimension(p.Dimension)
	g.placed(Placement{Why: why, FadeIn: fade})
}

// rest ends animation and special action, as spawn and death do.
func (g *game) rest() {
	g.me.Action = protocol.ActionNone
	g.me.Animation, g.ends = Animation{}, never
}

// wasted takes the PlayerWasted of the own player.
func (g *game) wasted(now time.Duration, p *protocol.PlayerWasted) bool {
	me := &g.me
	if me.State != Alive {
		return false
	}
	me.State = Wasted
	me.Death = *p
	me.Health = 0
	g.losses = losses{}
	me.OnFire = false
	g.rest()
	release(&me.Frame)
	leaveCarrier(&me.Frame)
	g.asked = now - respawnPause
	g.respawn = now + respawnAfter
	me.Respawn = g.at(g.respawn)
	g.changed = true
	return true
}

// askRespawn asks for the respawn at once, by key.
func (g *game) askRespawn(now time.Duration) {
	if g.me.State == Wasted {
		g.respawn = max(now, g.asked+respawnPause)
	}
}

// driveRespawn asks for the respawn when it is time, and again while there is no answer.
func (g *game) driveRespawn(now time.Duration) time.Duration {
	if g.me.State != Wasted {
		return never
	}
	if now >= g.respawn {
		g.send(&protocol.RespawnRequest{})
		g.asked, g.respawn = now, now+respawnRepeat
	}
	return g.respawn
}
