package world

import (
	"math"

	"darqline/protocol"
)

// Figures of page Combat, StealthKillRequest.
const (
	throatReach  = 2.5 // metres
	behindWithin = 45  // degrees to either side of the victim's back
	facingWithin = 60  // degrees off the victim
)

// ReceiveStealthKillRequest is for one whose knife is at another's throat. Where it cannot be there is no answer.
func (tx Tx) ReceiveStealthKillRequest(p *Player, m *protocol.StealthKillRequest) {
	if !p.quota.stealth.Take(tx.now(), 1, 2, 1) {
		return
	}
	victim := tx.playerByToken(m.Victim)
	if victim == nil || victim == p || !tx.mayStab(p, victim) {
		return
	}
	tx.decide(PlayerStealthKill{p, victim, [2]uint32{p.lives, victim.lives}})
}

// mayStab says whether a knife can be at another's throat.
func (tx Tx) mayStab(p, victim *Player) bool {
	return p.stands() && victim.stands() && !p.place.frozen && p.inHand(protocol.WeaponKnife, tx.now()) &&
		p.dimension == victim.dimension && p.body.Interior == victim.body.Interior &&
		distance(p.body.Position, victim.body.Position) <= throatReach && behind(&p.body, &victim.body) &&
		!victim.invulnerable && victim.body.Flags&protocol.FlagAiming == 0
}

// stands says whether a player fights on foot, on the ground and not in water.
func (p *Player) stands() bool {
	const wet = protocol.FlagInWater | protocol.FlagUnderWater
	return p.dueling() && !p.seated() && p.body.Flags&protocol.FlagOnGround != 0 && p.body.Flags&wet == 0
}

// behind says whether one is in the 90 degrees behind another and faces him within 60.
func behind(a, victim *protocol.Frame) bool {
	x, y := float64(victim.Position.X-a.Position.X), float64(victim.Position.Y-a.Position.Y)
	toVictim := math.Atan2(-x, y) * 180 / math.Pi // as a heading: counter-clockwise from north
	return turn(toVictim, protocol.Degrees(victim.Heading)) <= behindWithin &&
		turn(toVictim, protocol.Degrees(a.Heading)) <= facingWithin
}

// turn is the angle between two headings, 0..180 degrees.
func turn(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 360)) }

// Moot says that it cannot happen any more: one of them has died, left or gone elsewhere, or nothing hurts the victim.
func (e PlayerStealthKill) Moot(tx Tx) bool {
	p, victim := e.Attacker, e.Victim
	return !p.dueling() || !victim.dueling() || e.lives != [2]uint32{p.lives, victim.lives} || victim.invulnerable ||
		p.dimension != victim.dimension
}

// Apply kills.
func (e PlayerStealthKill) Apply(tx Tx) {
	p, victim := e.Attacker, e.Victim
	if e.Moot(tx) {
		return
	}
	m := &protocol.RemoteStealthKill{AttackerID: p.ID, AttackerToken: p.Token, VictimID: victim.ID, VictimToken: victim.Token}
	tx.mustInstruct(p, m)
	tx.mustInstruct(victim, m)
	tx.tellViewersOf(p, victim, m)
	tx.die(victim, Death{Killer: p, Cause: protocol.Cause(protocol.WeaponKnife), BodyPart: protocol.PartTorso, Stealth: true})
}

// tellViewersOf sends an event about two players to the viewers of either, once each and to neither of themselves.
func (tx Tx) tellViewersOf(a, b *Player, m protocol.Packet) {
	for i := range a.viewers {
		if v := &a.viewers[i]; v.Player != b && !v.link.Waits(v.entry) {
			v.link.Straight(m)
		}
	}
	for i := range b.viewers {
		v := &b.viewers[i]
		if v.Player != a && !v.link.Waits(v.entry) && !tx.hasTold(a, v.Player) {
			v.link.Straight(m)
		}
	}
}

// hasTold says whether a viewer has a player in scope and has heard of him.
func (tx Tx) hasTold(p, viewer *Player) bool {
	for i := range p.viewers {
		if v := &p.viewers[i]; v.Player == viewer {
			return !v.link.Waits(v.entry)
		}
	}
	return false
}
