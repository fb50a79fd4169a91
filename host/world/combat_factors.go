package world

import (
	"fmt"

	"darqline/protocol"
)

const (
	classCount = int(protocol.ClassDrowning) + 1
	partCount  = int(protocol.PartHead-protocol.PartTorso) + 1
	mostFactor = 100
)

// factors are the multipliers of damage: the server's, or a player's own.
type factors struct {
	classes [classCount]adjusted[float32]
	parts   [partCount]adjusted[float32]
}

func (f *factors) release(by string) {
	for i := range f.classes {
		f.classes[i].release(by)
	}
	for i := range f.parts {
		f.parts[i].release(by)
	}
}

// values are the multipliers as they count now.
func (f *factors) values() (m protocol.DamageMultipliers) {
	for i := range m.Classes {
		m.Classes[i] = 1
		if f != nil {
			m.Classes[i] = f.classes[i].or(1)
		}
	}
	for i := range m.Parts {
		m.Parts[i] = 1
		if f != nil {
			m.Parts[i] = f.parts[i].or(1)
		}
	}
	return m
}

// Multipliers are changes of damage multipliers, 0..100; what is left out stays.
type Multipliers struct {
	Classes map[protocol.DamageClass]float32
	Parts   map[protocol.BodyPart]float32
}

func (m *Multipliers) check() error {
	for c, v := range m.Classes {
		if int(c) >= classCount {
			return fmt.Errorf("%v damage has no multiplier", c)
		}
		if !(v >= 0 && v <= mostFactor) {
			return fmt.Errorf("%v: 0..%d expected, got %g", c, mostFactor, v)
		}
	}
	for p, v := range m.Parts {
		if p < protocol.PartTorso || p > protocol.PartHead {
			return fmt.Errorf("%v is no body part", p)
		}
		if !(v >= 0 && v <= mostFactor) {
			return fmt.Errorf("%v: 0..%d expected, got %g", p, mostFactor, v)
		}
	}
	return nil
}

func (m *Multipliers) into(f *factors, by string) {
	for c, v := range m.Classes {
		f.classes[c].set(by, v)
	}
	for p, v := range m.Parts {
		f.parts[p-protocol.PartTorso].set(by, v)
	}
}

// Multipliers are the server's multipliers of damage, without those of a player's own.
func (tx Tx) Multipliers() protocol.DamageMultipliers { return tx.w.combat.figures.factors.values() }

// SetMultipliers changes the server's multipliers; by is the resource.
func (tx Tx) SetMultipliers(m Multipliers, by string) error {
	if err := m.check(); err != nil {
		return err
	}
	m.into(&tx.w.combat.figures.factors, by)
	tx.tellAllFactors()
	return nil
}

// PlayerMultipliers are the player's own multipliers of damage, by which the server's are multiplied.
func (tx Tx) PlayerMultipliers(p *Player) protocol.DamageMultipliers { return p.ownFactors.values() }

// SetPlayerMultipliers changes the player's own multipliers; by is the resource.
func (tx Tx) SetPlayerMultipliers(p *Player, m Multipliers, by string) error {
	if err := m.check(); err != nil {
		return err
	}
	if p.ownFactors == nil {
		p.ownFactors = new(factors)
	}
	m.into(p.ownFactors, by)
	tx.tellFactors(p)
	return nil
}

// factorsOf are the multipliers that hold for a player: the server's times his own, and no damage of any class for who is
// invulnerable.
func (tx Tx) factorsOf(p *Player) protocol.DamageMultipliers {
	all, own := tx.Multipliers(), p.ownFactors.values()
	for i := range all.Classes {
		all.Classes[i] = min(all.Classes[i]*own.Classes[i], mostFactor)
		if p.invulnerable {
			all.Classes[i] = 0
		}
	}
	for i := range all.Parts {
		all.Parts[i] = min(all.Parts[i]*own.Parts[i], mostFactor)
	}
	return all
}

// tellFactors sends a player's client the multipliers where they are not what it has.
func (tx Tx) tellFactors(p *Player) {
	m := tx.factorsOf(p)
	if p.gone || m == p.toldFactors {
		return
	}
	p.toldFactors = m
	p.link.Straight(&m)
}

func (tx Tx) tellAllFactors() {
	for _, p := range tx.w.players {
		tx.tellFactors(p)
	}
}
