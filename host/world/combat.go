package world

import "darqline/protocol"

// arsenal is a player's health, armor and weapons, which are the server's (page Combat).
type arsenal struct {
	health float32
	armor  float32
	vitals uint16 // revision of both
}

// correctWeapon is the weapon that a frame may show: the claimed one where it is in the inventory, else fists and the
// violation "weapon". It remembers what was in hand in the last 500 ms.
func (tx Tx) correctWeapon(p *Player, claimed protocol.Weapon) protocol.Weapon { return claimed }

// rearm begins a life: vitals with the next revision, an empty inventory unless it is kept.
func (tx Tx) rearm(p *Player, health, armor float32, keep bool) {}

// disarmDead is what a death ends of combat: satchels. Weapons stay until the respawn.
func (tx Tx) disarmDead(p *Player) {}

// sendCombatSettings sends who is confirmed the multipliers, drive-by intervals and changed weapon properties, straight.
func (tx Tx) sendCombatSettings(p *Player) {}

// livingSatchels are the packets that show a player's satchels to who gets him into scope.
func (tx Tx) livingSatchels(p *Player) []protocol.Packet { return nil }
