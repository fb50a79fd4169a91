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
	me.Frozen = p.Flags&protocol.SpawnFrozen != 0
	g.afresh(p.Skin)
	heading := protocol.Angle(float64(p.Heading))
	me.Frame = protocol.Frame{
		Epoch: p.Epoch, Interior: p.Interior, Position: p.Position, Heading: heading, AimYaw: heading, Flags: protocol.FlagOnGround,
	}
	if p.Flags&protocol.SpawnKeepWeapons == 0 {
		me.Inventory, me.Weapon, me.Action = Inventory{}, protocol.WeaponFist, protocol.ActionNone
	}
	fade := p.Flags&protocol.SpawnFade != 0
	if fade {
		me.FadedOut, me.FadeColor = false, protocol.RGBA{}
	}
	g.dimension(p.Dimension)
	g.placed(Placement{Why: why, FadeIn: fade})
}

// afresh puts what the server sends again at every spawn, where it is not the default, back to the default. Skills,
// stats, money and wanted level stay (page Connection, "What a new connection is sent").
func (g *game) afresh(skin uint16) {
	me := &g.me
	me.Appearance = Appearance{Skin: skin, FightingStyle: protocol.FightStandard, Skills: me.Skills, Stats: me.Stats, Action: me.Action}
	g.ends = never
	me.Gravity, me.Drunk, me.Bounds = 1, protocol.SetDrunkLevel{}, noBounds
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
	me.Action = protocol.ActionNone
	me.Animation, g.ends = Animation{}, never
	me.Frame.MoveX, me.Frame.MoveY, me.Frame.Keys = 0, 0, 0
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
