package world

import (
	"errors"
	"fmt"
	"time"

	"darqline/host/limit"
	"darqline/host/world/scope"
	"darqline/protocol"
)

// arsenal is a player's health, armor and weapons, which are the server's (page Combat).
type arsenal struct {
	health     float32
	armor      float32
	vitals     uint16  // revision of both
	lastDamage *Damage // since the spawn

	slots [slotCount]held
	hand  protocol.Weapon // of the newest frame
	grips [protocol.WeaponLast + 1]grip

	gun    gun // combat_shots.go
	blows  pace
	throws pace

	satchels  []*projectile // living
	detonates time.Duration // until when he needs no detonator in hand

	ownFactors  *factors                   // his own multipliers; nil: all 1
	toldFactors protocol.DamageMultipliers // as his client has them
	quota       combatQuota
	fires       scope.View // combat_fires.go
}

// combatQuota are the token buckets of page Combat, Limits.
type combatQuota struct{ shots, damage, lethal, projectiles, satchels, stealth limit.Bucket }

// battlefield is what combat is beside the players.
type battlefield struct {
	figures tunables // combat_figures.go
	flights flights  // combat_projectiles.go
	blaze   blaze    // combat_fires.go
	blasts  []blast  // combat_explosions.go
}

// maxVitals is full health, and full armor.
const maxVitals = 100

// Health is the player's health in points, 0..100; 0 before the first spawn and in death.
func (tx Tx) Health(p *Player) float32 { return p.health }

// Armor is the player's armor in points, 0..100.
func (tx Tx) Armor(p *Player) float32 { return p.armor }

// LastDamage is what last hurt the player since his spawn; false where nothing did.
func (tx Tx) LastDamage(p *Player) (Damage, bool) {
	if p.lastDamage == nil {
		return Damage{}, false
	}
	return *p.lastDamage, true
}

// SetHealth sets a living player's health, 0..100; 0 kills him with cause script.
func (tx Tx) SetHealth(p *Player, health float32) error {
	if err := p.mayHave(health); err != nil || p.gone {
		return err
	}
	if health == 0 {
		tx.die(p, Death{Cause: protocol.CauseScript, BodyPart: protocol.PartTorso})
		return nil
	}
	if health == p.health {
		return nil
	}
	return tx.setVitals(p, &protocol.SetHealth{Vitals: p.vitals + 1, Health: health, Cause: protocol.CauseScript,
		BodyPart: protocol.PartTorso, AttackerID: protocol.NoPlayer}, health, p.armor)
}

// SetArmor sets a living player's armor, 0..100.
func (tx Tx) SetArmor(p *Player, armor float32) error {
	if err := p.mayHave(armor); err != nil || p.gone || armor == p.armor {
		return err
	}
	return tx.setVitals(p, &protocol.SetArmor{Vitals: p.vitals + 1, Armor: armor, Cause: protocol.CauseScript,
		BodyPart: protocol.PartTorso, AttackerID: protocol.NoPlayer}, p.health, armor)
}

// mayHave refuses figures that nobody can have, and whoever cannot have any.
func (p *Player) mayHave(points float32) error {
	if !(points >= 0 && points <= maxVitals) {
		return fmt.Errorf("0..%d expected, got %g", maxVitals, points)
	}
	return p.alive()
}

// GiveHealth adds health with the pickup's effect, up to 100, and returns what was added.
func (tx Tx) GiveHealth(p *Player, amount float32) (added float32, err error) {
	added, err = p.roomFor(amount, p.health)
	if err != nil || added == 0 || p.gone {
		return 0, err
	}
	total := min(p.health+added, maxVitals)
	return added, tx.setVitals(p, &protocol.GiveHealth{Vitals: p.vitals + 1, Amount: added, Health: total}, total, p.armor)
}

// GiveArmor adds armor with the pickup's effect, up to 100, and returns what was added.
func (tx Tx) GiveArmor(p *Player, amount float32) (added float32, err error) {
	added, err = p.roomFor(amount, p.armor)
	if err != nil || added == 0 || p.gone {
		return 0, err
	}
	total := min(p.armor+added, maxVitals)
	return added, tx.setVitals(p, &protocol.GiveArmor{Vitals: p.vitals + 1, Amount: added, Armor: total}, p.health, total)
}

// roomFor is how much of an amount a living player who has some of it can take.
func (p *Player) roomFor(amount, has float32) (float32, error) {
	if !(amount > 0 && amount <= maxVitals) {
		return 0, fmt.Errorf("above 0, up to %d expected, got %g", maxVitals, amount)
	}
	return min(amount, maxVitals-has), p.alive()
}

// setVitals sends a packet with the next revision, and on success makes its figures the player's. Viewers see them in the
// frames.
func (tx Tx) setVitals(p *Player, m protocol.Packet, health, armor float32) error {
	if err := tx.instruct(p, m); err != nil {
		return err
	}
	p.vitals++
	p.health, p.armor = health, armor
	tx.showVitals(p)
	return nil
}

// showVitals shows the viewers health and armor of one whose client is paused. Others' clients send a frame at once, because
// something has changed.
func (tx Tx) showVitals(p *Player) {
	health, armor := roundedUp(p.health), roundedUp(p.armor)
	if p.body.Flags&protocol.FlagPaused != 0 && (p.body.Health != health || p.body.Armor != armor) {
		p.body.Health, p.body.Armor = health, armor
		tx.relayOwn(p)
	}
}

// resendHealth tells a client the health that is the server's, without a reaction.
func (tx Tx) resendHealth(p *Player) { tx.tellHealth(p, correction) }

// resendArmor is resendHealth for armor.
func (tx Tx) resendArmor(p *Player) { tx.tellArmor(p, correction) }

// correction is the damage that a client is told of where it only has to have the server's figures.
var correction = &Damage{Cause: protocol.CauseScript, BodyPart: protocol.PartTorso}

// tellHealth sends the player's health as it is now, with the next revision and what hit him.
func (tx Tx) tellHealth(p *Player, d *Damage) {
	p.vitals++
	id, token := somebody(d.Attacker)
	tx.mustInstruct(p, &protocol.SetHealth{Vitals: p.vitals, Health: p.health, Cause: d.Cause, BodyPart: d.BodyPart,
		AttackerID: id, AttackerToken: token})
}

// tellArmor is tellHealth for armor.
func (tx Tx) tellArmor(p *Player, d *Damage) {
	p.vitals++
	id, token := somebody(d.Attacker)
	tx.mustInstruct(p, &protocol.SetArmor{Vitals: p.vitals, Armor: p.armor, Cause: d.Cause, BodyPart: d.BodyPart,
		AttackerID: id, AttackerToken: token})
}

// answerVitals brings a client up to date that has taken a loss in another way than the server.
func (tx Tx) answerVitals(p *Player) {
	if p.life == Alive {
		tx.tellArmor(p, correction)
		tx.tellHealth(p, correction)
	}
}

// somebody is how packets name a player, and nobody where he is nil or has left.
func somebody(p *Player) (id uint16, token uint32) {
	if p == nil || p.gone {
		return protocol.NoPlayer, 0
	}
	return p.ID, p.Token
}

// Invulnerable says whether nothing hurts the player.
func (tx Tx) Invulnerable(p *Player) bool { return p.invulnerable }

// SetInvulnerable makes a player lose nothing by any damage, over his respawns too, or takes that back.
func (tx Tx) SetInvulnerable(p *Player, on bool) {
	p.invulnerable = on
	tx.tellFactors(p)
}

// rearm begins a life: vitals with the next revision, an empty inventory unless it is kept.
func (tx Tx) rearm(p *Player, health, armor float32, keep bool) {
	p.vitals++
	p.health, p.armor = health, armor
	p.lastDamage = nil
	if !p.gun.pace.used {
		p.gun.pace.at = tx.now() // nothing of the time before the first spawn counts
	}
	if !keep {
		tx.emptySlots(p)
	}
}

// disarmDead is what a death ends of combat: satchels. Weapons stay until the respawn.
func (tx Tx) disarmDead(p *Player) {
	p.health = 0
	tx.destroySatchels(p)
}

// sendCombatSettings sends who is confirmed the multipliers, drive-by intervals and changed weapon properties, straight.
func (tx Tx) sendCombatSettings(p *Player) {
	p.toldFactors = tx.factorsOf(p)
	told := p.toldFactors
	p.link.Straight(&told)
	driveBy := tx.DriveBy()
	p.link.Straight(&driveBy)
	for _, m := range tx.w.combat.figures.changed() {
		p.link.Straight(m)
	}
}

// leaveCombat is what a leave ends of combat. PlayerLeave takes the satchels from the viewers.
func (tx Tx) leaveCombat(p *Player) { tx.loseSatchels(p) }

// combatOf takes back what a resource that stops has set: weapon properties, multipliers, drive-by lists and fires.
func (tx Tx) combatOf(resource string) {
	tx.releaseFigures(resource)
	tx.releaseFires(resource)
}

// tickCombat ends what time alone ends, and says when to come again.
func (tx Tx) tickCombat() (next time.Duration) {
	tx.w.combat.flights.forget(tx.now())
	return tx.tickFires()
}

// ErrNoWeapon means that the player does not have a weapon in his inventory.
var ErrNoWeapon = errors.New("not in the inventory")

// dueling says whether a player takes part in combat: he lives and was seen where he spawned.
func (p *Player) dueling() bool { return p.life == Alive && !p.arriving && !p.gone }

// vehicleOf is the vehicle that a player sits in; 0: none. There are no vehicles yet.
func (tx Tx) vehicleOf(p *Player) uint32 { return 0 }

// exists says whether a vehicle or object is there for a player. There are none yet.
func (tx Tx) exists(p *Player, ref protocol.Ref) bool { return false }
