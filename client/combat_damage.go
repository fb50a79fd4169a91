package client

import (
	"fmt"
	"time"

	"darqline/protocol"
)

// sumFor is how long losses of one cause and source are summed to one report (page Combat, "DamageReport").
const sumFor = 100 * time.Millisecond

// maxSums is how many causes and sources are summed at a time; one more, and what has collected goes at once.
const maxSums = 32

// losses are what the world did to the own player and the server has not been told of yet.
type losses struct {
	pending []loss
	lethal  bool // a LethalDamageReport is not answered: the ped is held at 1 health
}

// loss is a sum of one cause and source.
type loss struct {
	report protocol.DamageReport
	until  time.Duration
}

// add puts an amount to its sum. One that would go over what a report may claim begins a new one.
func (l *losses) add(now time.Duration, p protocol.DamageReport, send func(*protocol.DamageReport)) {
	most, _ := p.Cause.Figures()
	for i := range l.pending {
		sum := &l.pending[i].report
		if sum.Cause != p.Cause || sum.Source != p.Source {
			continue
		}
		if sum.Amount+p.Amount <= most.Claim {
			sum.Amount += p.Amount
			return
		}
		done := *sum
		send(&done)
		l.pending[i] = loss{report: p, until: now + sumFor}
		return
	}
	if len(l.pending) == maxSums {
		l.flush(send)
	}
	l.pending = append(l.pending, loss{report: p, until: now + sumFor})
}

// flush sends what has collected.
func (l *losses) flush(send func(*protocol.DamageReport)) {
	for i := range l.pending {
		p := l.pending[i].report
		send(&p)
	}
	l.pending = l.pending[:0]
}

// drive sends all if the first is due, and gives the time at which the next one is.
func (l *losses) drive(now time.Duration, send func(*protocol.DamageReport)) time.Duration {
	next := never
	for i := range l.pending {
		next = min(next, l.pending[i].until)
	}
	if now >= next {
		l.flush(send)
		return never
	}
	return next
}

func (g *game) report(p *protocol.DamageReport) { g.send(p) }

// hurt applies a loss by the world as the server will: the multiplier of its class, armor first where it absorbs.
func (g *game) hurt(now time.Duration, cause protocol.Cause, source protocol.Ref, amount float32) error {
	f, ok := cause.Figures()
	if !ok || f.By != protocol.ByVictim {
		return fmt.Errorf("client: %v is not damage that the victim reports", cause)
	}
	me := &g.me
	switch {
	case me.State != Alive:
		return ErrNotAlive
	case g.losses.lethal || me.Health == 0: // nothing more until the server answers
		return nil
	}
	amount = min(amount, f.Claim)
	lost := min(amount*g.rules.Multipliers.Classes[f.Class], protocol.MaxDamage)
	if lost <= 0 { // invulnerable
		return nil
	}
	health, armor := me.Health, me.Armor
	if f.Armor {
		absorbed := min(armor, lost)
		armor, lost = armor-absorbed, lost-absorbed
	}
	health -= lost
	g.changed = true
	if health <= 0 {
		g.losses.flush(g.report)
		g.losses.lethal = true
		me.Health = min(me.Health, 1)
		g.send(&protocol.LethalDamageReport{Source: source, Cause: cause, Vitals: me.Vitals, Amount: amount})
		return nil
	}
	me.Health, me.Armor = health, armor
	g.losses.add(now, protocol.DamageReport{
		Victim: me.Token, Source: source, Cause: cause, BodyPart: protocol.PartTorso, Vitals: me.Vitals, Amount: amount,
	}, g.report)
	return nil
}

// die reports that the game has killed the ped.
func (g *game) die(_ time.Duration, p *protocol.DeathReport) error {
	switch {
	case g.me.State != Alive:
		return ErrNotAlive
	case g.me.Health == 0:
		return nil // it is reported
	}
	g.losses.flush(g.report)
	g.me.Health = 0
	g.changed = true
	g.send(p)
	return nil
}

// applyVitals takes a packet about the own health and armor. It says whether it was one.
func (g *game) applyVitals(p protocol.Packet) bool {
	var vitals uint16
	change := VitalsChange{Cause: protocol.CauseScript, BodyPart: protocol.PartTorso, AttackerID: protocol.NoPlayer}
	health, armor := g.me.Health, g.me.Armor
	answer := false
	switch p := p.(type) {
	case *protocol.SetHealth:
		vitals, health, answer = p.Vitals, p.Health, true
		change.Cause, change.BodyPart, change.AttackerID, change.AttackerToken = p.Cause, p.BodyPart, p.AttackerID, p.AttackerToken
	case *protocol.SetArmor:
		vitals, armor = p.Vitals, p.Armor
		change.Cause, change.BodyPart, change.AttackerID, change.AttackerToken = p.Cause, p.BodyPart, p.AttackerID, p.AttackerToken
	case *protocol.GiveHealth:
		vitals, health, change.GaveHealth = p.Vitals, p.Health, p.Amount
	case *protocol.GiveArmor:
		vitals, armor, change.GaveArmor = p.Vitals, p.Armor, p.Amount
	default:
		return false
	}
	g.losses.flush(g.report) // with the revision that they were taken from
	g.me.Vitals = vitals
	if g.me.State == Alive {
		g.me.Health, g.me.Armor = health, armor
		g.losses.lethal = g.losses.lethal && !answer
	}
	g.changed = true
	g.tell(func(h Handler) { h.Vitals(change) })
	return true
}
