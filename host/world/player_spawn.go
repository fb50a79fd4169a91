package world

import (
	"darqline/host/limit"
	"darqline/protocol"
)

// playerLimits are the token buckets of page Player, Limits.
type playerLimits struct{ sync, spawn, death limit.Bucket }

// Spawn is how a player comes into the world: player:spawn.
type Spawn struct {
	Position    protocol.Vec3
	Heading     float32
	Skin        uint16
	Dimension   uint16
	Interior    uint8
	Health      float32 // above 0, up to 100
	Armor       float32 // 0..100
	KeepWeapons bool    // of the life before; means nothing at the first spawn
	Frozen      bool
	Fade        bool // the screen in
}

// SpawnDefaults are what player:spawn takes where it is left out; the position is that of players.spawn.
func (tx Tx) SpawnDefaults(p *Player) Spawn {
	at := tx.w.cfg.Players.Spawn
	return Spawn{Position: at.Position, Heading: at.Heading, Skin: p.skin, Health: 100}
}

// Spawn brings a player into the world, for the first time or again, dead or not. by is the resource that starts him
// frozen. On an error nothing has changed.
func (tx Tx) Spawn(p *Player, s Spawn, by string) error {
	if p.gone {
		return nil
	}
	respawn := p.life != PreSpawn
	keep := s.KeepWeapons && respawn
	info := protocol.SpawnInfo{Position: s.Position, Heading: s.Heading, Skin: s.Skin, Dimension: s.Dimension,
		Interior: s.Interior, Epoch: p.body.Epoch + 1, Vitals: p.vitals + 1, Health: s.Health, Armor: s.Armor}
	set := func(on bool, flag protocol.SpawnFlags) {
		if on {
			info.Flags |= flag
		}
	}
	set(keep, protocol.SpawnKeepWeapons)
	set(s.Frozen, protocol.SpawnFrozen)
	set(s.Fade, protocol.SpawnFade)
	var m protocol.Packet = &protocol.SpawnPlayer{Spawn: info}
	if respawn {
		m = &protocol.RespawnPlayer{Spawn: info}
	}
	if err := check(m); err != nil {
		return err
	}
	if err := p.link.Straight(m); err != nil {
		return err
	}
	tx.begin(p, &info, keep)
	if s.Frozen {
		p.place.freeze(tx.now(), by)
	}
	tx.sendKept(p, respawn)
	tx.post(PlayerSpawn{p, respawn, s.Position, s.Heading, s.Skin})
	tx.vanish(p)
	_ = tx.tellScope(p) // one who looks elsewhere still does
	tx.scopeMoved(p)
	tx.moved(p)
	return nil
}

// begin is the state of a new life: arriving.
func (tx Tx) begin(p *Player, info *protocol.SpawnInfo, keep bool) {
	tx.endAnimation(p, AnimationCleared)
	if !keep {
		tx.endAction(p)
	}
	p.life, p.arriving = Alive, true
	p.lives++
	p.skin = info.Skin
	p.look.fire = fire{}
	tx.rearm(p, info.Health, info.Armor, keep)
	weapon := protocol.WeaponFist
	if keep {
		weapon = p.body.Weapon
	}
	oldDimension, oldInterior := p.dimension, p.body.Interior
	p.dimension = info.Dimension
	p.place.told = scopeOf{info.Dimension, info.Interior}
	tx.looksInto(p, info.Dimension)
	heading := protocol.Angle(float64(info.Heading))
	p.body = protocol.Frame{Time: p.body.Time, Epoch: p.body.Epoch, Interior: info.Interior, Position: info.Position,
		Heading: heading, AimYaw: heading, Flags: p.body.Flags & (protocol.FlagPaused | protocol.FlagTyping),
		Weapon: weapon, Action: p.look.action, Health: roundedUp(info.Health), Armor: roundedUp(info.Armor)}
	tx.nextEpoch(p)
	p.motion.health, p.motion.armor = differs{}, differs{}
	p.motion.begin(tx.now(), info.Position)
	p.place.anchor = info.Position
	p.place.holding, p.place.asked = false, awaited{since: tx.now()} // the spawn lets go of him, until the SetFrozen behind it
	tx.scopeEvents(p, oldDimension, oldInterior, ByScript)
}

// sendKept sends what was set before and the client does not keep (page Connection, What a new connection is sent).
func (tx Tx) sendKept(p *Player, respawn bool) {
	l, s := &p.look, &p.place
	var list []protocol.Packet
	if !respawn {
		list = append(list, tx.skillsPacket(p), tx.statsPacket(p), &protocol.SetMoney{Money: l.money},
			&protocol.SetWanted{Level: l.wanted})
	}
	add := func(set bool, m protocol.Packet) {
		if set {
			list = append(list, m)
		}
	}
	drunk, bounds := tx.drunkPacket(p), s.bounds
	add(l.fighting != protocol.FightStandard, &protocol.SetFightingStyle{PlayerID: p.ID, PlayerToken: p.Token, Style: l.fighting})
	add(l.walking != 0, &protocol.SetWalkingStyle{PlayerID: p.ID, PlayerToken: p.Token, Style: l.walking})
	add(l.headless, &protocol.SetHeadless{PlayerID: p.ID, PlayerToken: p.Token, Headless: true})
	add(s.frozen, &protocol.SetFrozen{Frozen: true})
	add(s.gravity != 1, &protocol.SetGravity{Factor: s.gravity})
	add(drunk.Level != 0, drunk)
	add(bounds != NoBounds, &bounds)
	for _, m := range list {
		_ = tx.instructState(p, m) // on an error of his lane the connection ends
	}
}

// spawnDefault spawns who no script has spawned.
func (tx Tx) spawnDefault(p *Player) {
	at := tx.w.cfg.Players.Spawn
	_ = tx.Spawn(p, Spawn{Position: at.Position, Heading: at.Heading, Skin: p.skin, Dimension: at.Dimension,
		Interior: at.Interior, Health: 100}, "") // on an error of his lane the connection ends
}

// ReceiveRequestSpawn is for a client that has loaded and wants to play.
func (tx Tx) ReceiveRequestSpawn(p *Player) {
	if p.life == PreSpawn && p.limits.spawn.Take(tx.now(), 1, 3, 1) {
		tx.decide(PlayerSpawnRequest{p})
	}
}

// ReceiveRespawnRequest is for a dead player who is done with the death screen.
func (tx Tx) ReceiveRespawnRequest(p *Player) {
	now := tx.now()
	if p.limits.spawn.Take(now, 1, 3, 1) && p.life == Wasted && now-p.died >= tx.w.cfg.Players.RespawnDelay {
		tx.decide(PlayerRespawnRequest{p, p.lives})
	}
}

// arrive is the first frame with the spawn's epoch.
func (tx Tx) arrive(p *Player) {
	p.arriving = false
	reason := protocol.SpawnedFirst
	if p.lives > 1 {
		reason = protocol.SpawnedAgain
	}
	tx.post(PlayerArrive{p})
	tx.arrived(p, reason)
}
