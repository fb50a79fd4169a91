package world

import (
	"time"

	"darqline/protocol"
)

// Placeholders until the rules stand; whoever writes one takes its line away.

// PRES
func (tx Tx) ReceiveSync(p *Player, m *protocol.PlayerSync)         {}
func (tx Tx) ReceiveRequestSpawn(p *Player)                         {}
func (tx Tx) ReceiveRespawnRequest(p *Player)                       {}
func (tx Tx) ReceiveDeathReport(p *Player, m *protocol.DeathReport) {}
func (tx Tx) tickPlayers() time.Duration                            { return forever }
func (tx Tx) leavePlayer(p *Player)                                 {}
func (tx Tx) playersOf(resource string)                             {}
func (tx Tx) centre(p *Player) (at protocol.Vec3, dimension uint16, ok bool) {
	return p.body.Position, p.dimension, p.life != PreSpawn
}
func (tx Tx) appearance(p *Player, reason protocol.SpawnReason) *protocol.PlayerSpawned { return nil }
func (tx Tx) entryExtras(p *Player) []protocol.Packet                                   { return nil }

// COMB
func (tx Tx) ReceiveWeaponShot(p *Player, m *protocol.WeaponShot)                 {}
func (tx Tx) ReceiveDamageReport(p *Player, m *protocol.DamageReport)             {}
func (tx Tx) ReceiveLethalDamageReport(p *Player, m *protocol.LethalDamageReport) {}
func (tx Tx) ReceiveProjectileCreate(p *Player, m *protocol.ProjectileCreate)     {}
func (tx Tx) ReceiveSatchelDetonate(p *Player, m *protocol.SatchelDetonate)       {}
func (tx Tx) ReceiveStealthKillRequest(p *Player, m *protocol.StealthKillRequest) {}
func (tx Tx) tickCombat() time.Duration                                           { return forever }
func (tx Tx) leaveCombat(p *Player)                                               {}
func (tx Tx) combatOf(resource string)                                            {}
