package world

import (
	"fmt"
	"math"

	"darqline/protocol"
)

// mostDamage is the most points of one loss.
const mostDamage = protocol.MaxDamage

// hurt runs the damage model from step 1 for what an attacker or the server has done.
func (tx Tx) hurt(victim *Player, d *Damage, byAttacker bool) {
	d.Amount = tx.multiplied(victim, d, byAttacker)
	tx.propose(victim, d)
}

// propose is step 2: scripts may cancel or change the loss.
func (tx Tx) propose(victim *Player, d *Damage) {
	if !victim.dueling() || victim.invulnerable {
		return
	}
	d.Lethal = tx.Lethal(victim, d)
	tx.decide(PlayerDamage{Victim: victim, Damage: d, life: victim.lives})
}

// multiplied is step 1: amount times the multiplier of the class, and of the body part if the attacker reports, f32, in
// this order.
func (tx Tx) multiplied(victim *Player, d *Damage, parts bool) float32 {
	m := tx.factorsOf(victim)
	loss := d.Amount
	if class := d.Class(); int(class) < len(m.Classes) {
		loss *= m.Classes[class]
	}
	if parts {
		loss *= m.Parts[d.BodyPart-protocol.PartTorso]
	}
	return min(loss, mostDamage)
}

// split is step 3: what armor takes of a loss, and what is left for health.
func (d *Damage) split(health, armor float32) (ofHealth, ofArmor float32) {
	loss := d.Amount
	if f, _ := d.Cause.Figures(); (f.Armor || d.Cause == protocol.CauseScript) && !d.bare {
		ofArmor = min(armor, loss)
		loss -= ofArmor
	}
	return min(health, loss), ofArmor
}

// Lethal says whether a loss would kill the player now.
func (tx Tx) Lethal(victim *Player, d *Damage) bool {
	ofHealth, _ := d.split(victim.health, victim.armor)
	return ofHealth >= victim.health
}

// Moot says that the victim does not have the life any more that the loss was for.
func (e PlayerDamage) Moot(tx Tx) bool {
	return e.Victim.gone || e.Victim.lives != e.life || e.Victim.life != Alive
}

// Apply takes the loss, as the handlers have left it.
func (e PlayerDamage) Apply(tx Tx) {
	p, d := e.Victim, e.Damage
	if e.Moot(tx) {
		return
	}
	if !p.dueling() || p.invulnerable {
		e.Cancelled(tx)
		return
	}
	if d.Amount = min(max(d.Amount, 0), mostDamage); math.IsNaN(float64(d.Amount)) {
		d.Amount = 0
	}
	if d.Attacker != nil && d.Attacker.gone {
		d.Attacker = nil
	}
	d.HealthLost, d.ArmorLost = d.split(p.health, p.armor)
	d.At = tx.now()
	p.health -= d.HealthLost
	p.armor -= d.ArmorLost
	if d.HealthLost > 0 || d.ArmorLost > 0 {
		p.lastDamage = d
		if e := (PlayerDamaged{p, *d}); tx.listens(e.LuaName()) {
			tx.post(e)
		}
	}
	if p.health <= 0 {
		tx.die(p, Death{Killer: d.Attacker, Cause: d.Cause, BodyPart: d.BodyPart})
		return
	}
	tx.showVitals(p)
	e.tell(tx)
}

// tell is step 4.
func (e PlayerDamage) tell(tx Tx) {
	p, d := e.Victim, e.Damage
	switch {
	case !e.reported:
		if d.ArmorLost > 0 {
			tx.tellArmor(p, d)
		}
		if d.HealthLost > 0 {
			tx.tellHealth(p, d)
		}
	case e.lethal || e.vitals != p.vitals || d.Amount != e.claimed:
		tx.answerVitals(p)
	}
}

// Cancelled answers a victim whose client has taken a loss that the server does not take.
func (e PlayerDamage) Cancelled(tx Tx) {
	if e.reported && !e.Moot(tx) {
		tx.answerVitals(e.Victim)
	}
}

// Blow is damage by a script: player:damage. Nothing multiplies it.
type Blow struct {
	Amount      float32 // points, above 0, up to 1,000
	Attacker    *Player // nil: nobody
	Cause       protocol.Cause
	BodyPart    protocol.BodyPart
	IgnoreArmor bool
}

// Damage runs the damage model from step 2 on a living player.
func (tx Tx) Damage(p *Player, b Blow) error {
	if err := p.alive(); err != nil {
		return err
	}
	if !(b.Amount > 0 && b.Amount <= mostDamage) {
		return fmt.Errorf("amount: above 0, up to %d expected, got %g", mostDamage, b.Amount)
	}
	d := &Damage{Attacker: b.Attacker, Cause: b.Cause, BodyPart: b.BodyPart, Amount: b.Amount, bare: b.IgnoreArmor}
	if b.Attacker != nil {
		d.Distance = metres(b.Attacker.body.Position, p.body.Position)
	}
	tx.propose(p, d)
	return nil
}
