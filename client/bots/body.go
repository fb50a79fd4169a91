package bots

import (
	"math"
	"time"

	"darqline/protocol"
)

// Numbers of page Player, RespawnRequest and PlayerSync.
const (
	respawnAfter = 4 * time.Second
	respawnAgain = 2 * time.Second
	wastedEvery  = 200 * time.Millisecond
)

// body is what the server has said of the bot's own player.
type body struct {
	epoch, interior uint8
	health, armor   float32
	frozen          bool
	respawns        time.Duration // when it asks to, while wasted
	dies            time.Duration // when it falls to death
	fallen          bool          // it has said so
	arrives         bool          // by the next frame
	walked          time.Duration // when it took the last step
}

// live does what a player does, and gives the time of the next.
func (b *bot) live(now time.Duration) time.Duration {
	switch b.state {
	case alive:
		if now >= b.dies && !b.fallen {
			b.fallen = true
			b.push(now, &protocol.DeathReport{Cause: protocol.CauseFall, BodyPart: protocol.PartTorso})
		}
		if now >= b.lines && b.run.phase < draining {
			b.lines = now + b.once(b.run.cfg.Chat)
			b.say(now)
		}
	case wasted:
		if now >= b.respawns {
			b.respawns = now + respawnAgain
			b.push(now, &protocol.RespawnRequest{})
		}
	default:
		return forever
	}
	if now >= b.frames {
		b.sendFrame(now)
		b.shoot(now)
	}
	return b.frames
}

// once is when something happens next that happens so many times a minute.
func (b *bot) once(aMinute float64) time.Duration {
	if aMinute == 0 {
		return forever / 2
	}
	return time.Duration(b.random().ExpFloat64() / aMinute * float64(time.Minute))
}

// applyBody takes what is about the own player's life and place, and says whether a packet is.
func (b *bot) applyBody(now time.Duration, p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.SpawnPlayer:
		if b.state == preSpawn {
			b.run.in++
			b.run.came = now
			b.stay(now)
			b.listen()
			b.spawn(now, &p.Spawn)
		}
	case *protocol.RespawnPlayer:
		if b.state != preSpawn {
			b.run.respawns++
			b.spawn(now, &p.Spawn)
		}
	case *protocol.PlayerWasted:
		if p.PlayerID == b.id && p.PlayerToken == b.playerToken && b.state == alive {
			b.run.deaths++
			b.state, b.health, b.respawns = wasted, 0, now+respawnAfter
		}
	case *protocol.TeleportPlayer:
		b.teleport(p)
	case *protocol.ScopeChanged:
		b.epoch, b.interior = p.Epoch, p.Interior
	case *protocol.SetFrozen:
		b.frozen = p.Frozen
	case *protocol.SetHealth:
		b.health = p.Health
	case *protocol.GiveHealth:
		b.health = p.Health
	case *protocol.SetArmor:
		b.armor = p.Armor
	case *protocol.GiveArmor:
		b.armor = p.Armor
	default:
		return false
	}
	return true
}

// spawn puts the bot into the world.
func (b *bot) spawn(now time.Duration, s *protocol.SpawnInfo) {
	b.state = alive
	b.body = body{epoch: s.Epoch, interior: s.Interior, health: s.Health, armor: s.Armor,
		frozen: s.Flags&protocol.SpawnFrozen != 0, arrives: true, dies: now + b.once(b.run.cfg.Deaths), walked: now}
	if s.Flags&protocol.SpawnKeepWeapons == 0 {
		b.weapons = weapons{rounds: b.rounds}
	}
	b.put(s.Position, float64(s.Heading))
	b.lines = now + b.once(b.run.cfg.Chat)
	b.frames = now // the first frame makes the player arrive
}

func (b *bot) teleport(p *protocol.TeleportPlayer) {
	b.run.teleports++
	b.epoch, b.interior = p.Epoch, p.Interior
	if p.Flags&protocol.TeleportKeepHeading == 0 {
		b.heading = float64(p.Heading)
	}
	if p.Flags&protocol.TeleportTurnOnly == 0 {
		b.put(p.Position, b.heading)
	}
}

// roundedUp is a figure of 0..100 in a frame: only 0 is 0.
func roundedUp(v float32) uint8 { return uint8(math.Ceil(float64(v))) }
