package world

import (
	"time"

	"darqline/protocol"
)

// Receive sends a client's packet to the rules of its topic, which drop what does not fit the player's state. A
// PlayerSync is the caller's again when it returns.
func (tx Tx) Receive(p *Player, packet protocol.Packet) {
	if id := packet.ID(); p.SignsIn() && id != protocol.IDViewStatus && id != protocol.IDViewAction {
		return
	}
	switch m := packet.(type) {
	case *protocol.PlayerSync:
		tx.ReceiveSync(p, m)
	case *protocol.RequestSpawn:
		tx.ReceiveRequestSpawn(p)
	case *protocol.RespawnRequest:
		tx.ReceiveRespawnRequest(p)
	case *protocol.DeathReport:
		tx.ReceiveDeathReport(p, m)
	case *protocol.WeaponShot:
		tx.ReceiveWeaponShot(p, m)
	case *protocol.DamageReport:
		tx.ReceiveDamageReport(p, m)
	case *protocol.LethalDamageReport:
		tx.ReceiveLethalDamageReport(p, m)
	case *protocol.ProjectileCreate:
		tx.ReceiveProjectileCreate(p, m)
	case *protocol.SatchelDetonate:
		tx.ReceiveSatchelDetonate(p, m)
	case *protocol.StealthKillRequest:
		tx.ReceiveStealthKillRequest(p, m)
	case *protocol.ClientChat:
		tx.ReceiveChat(p, m)
	case *protocol.ClientCommand:
		tx.ReceiveCommand(p, m)
	case *protocol.DialogResponse:
		tx.ReceiveDialogResponse(p, m)
	case *protocol.DialogFormResponse:
		tx.ReceiveDialogFormResponse(p, m)
	case *protocol.MenuInput:
		tx.ReceiveMenuInput(p, m)
	case *protocol.OfferResponse:
		tx.ReceiveOfferResponse(p, m)
	case *protocol.ActionInput:
		tx.ReceiveActionInput(p, m)
	case *protocol.ViewStatus:
		tx.ReceiveViewStatus(p, m)
	case *protocol.ViewAction:
		tx.ReceiveViewAction(p, m)
	}
}

// forever stands for "nothing to do".
const forever = time.Duration(1<<63 - 1)

// Tick does what is due by the clock: scopes, ends of animations, fires and the like. It returns when to call it again.
func (tx Tx) Tick() (next time.Duration) {
	tx.w.pause.notice(tx.now())
	return min(tx.tickScopes(), tx.tickPlayers(), tx.tickCombat(), tx.tickUI())
}

// ResourceEnded takes back what a resource set and that does not outlive it (pages Player and Combat, Lua).
func (tx Tx) ResourceEnded(name string) {
	tx.playersOf(name)
	tx.combatOf(name)
	tx.resourceUI(name)
}

// Look brings all scopes up to date now, for tests and tools that do not wait for the clock.
func (tx Tx) Look() {
	tx.chart()
	for _, p := range tx.w.players {
		tx.look(p)
	}
}
