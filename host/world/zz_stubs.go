package world

import (
	"time"

	"darqline/protocol"
)

// Placeholders until the rules stand; whoever writes one takes its line away.

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
