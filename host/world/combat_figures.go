package world

import (
	"fmt"
	"slices"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// tunables are the figures of combat that resources may change for all.
type tunables struct {
	factors    factors
	driver     [len(protocol.DriveByWeapons)]adjusted[uint16]
	passenger  [len(protocol.DriveByWeapons)]adjusted[uint16]
	properties map[tuning]*adjustedProperties
}

// tuning names the figures of one weapon at one skill level.
type tuning struct {
	weapon protocol.Weapon
	skill  protocol.SkillLevel
}

// adjustedProperties are the figures of one tuning as far as they were ever changed.
type adjustedProperties struct {
	reach, targetRange, accuracy, damage, moveSpeed adjusted[float32]
	clip, interval                                  adjusted[uint16]
	flags                                           adjusted[uint32]
}

func (a *adjustedProperties) release(by string) {
	a.reach.release(by)
	a.targetRange.release(by)
	a.accuracy.release(by)
	a.damage.release(by)
	a.moveSpeed.release(by)
	a.clip.release(by)
	a.interval.release(by)
	a.flags.release(by)
}

// over are the default figures with the changes.
func (a *adjustedProperties) over(m protocol.WeaponProperties) protocol.WeaponProperties {
	if a != nil {
		m.Range = a.reach.or(m.Range)
		m.TargetRange = a.targetRange.or(m.TargetRange)
		m.Accuracy = a.accuracy.or(m.Accuracy)
		m.Damage = a.damage.or(m.Damage)
		m.MoveSpeed = a.moveSpeed.or(m.MoveSpeed)
		m.Clip = a.clip.or(m.Clip)
		m.Interval = a.interval.or(m.Interval)
		m.Flags = a.flags.or(m.Flags)
	}
	return m
}

// PropertyChange is a change of a weapon's figures, in the ranges of protocol.WeaponProperties; nil stays.
type PropertyChange struct {
	Range, TargetRange, Accuracy, Damage, MoveSpeed *float32
	Clip, Interval                                  *uint16
	Flags                                           *uint32
}

func (c *PropertyChange) into(a *adjustedProperties, by string) {
	put(&a.reach, by, c.Range)
	put(&a.targetRange, by, c.TargetRange)
	put(&a.accuracy, by, c.Accuracy)
	put(&a.damage, by, c.Damage)
	put(&a.moveSpeed, by, c.MoveSpeed)
	put(&a.clip, by, c.Clip)
	put(&a.interval, by, c.Interval)
	put(&a.flags, by, c.Flags)
}

func put[T any](a *adjusted[T], by string, value *T) {
	if value != nil {
		a.set(by, *value)
	}
}

// SkillLevels are the levels at which a weapon has figures that can be changed: all three up to the tec9, only the
// standard one of the others that shoot, none of those that do not.
func SkillLevels(w protocol.Weapon) []protocol.SkillLevel {
	switch f, _ := w.Figures(); {
	case f.Kind == protocol.WeaponBullet && w <= lastSkilled:
		return []protocol.SkillLevel{protocol.SkillPoor, protocol.SkillStandard, protocol.SkillPro}
	case f.Kind == protocol.WeaponBullet || w == protocol.WeaponFlamethrower:
		return []protocol.SkillLevel{protocol.SkillStandard}
	}
	return nil
}

const lastSkilled protocol.Weapon = 32

// hasLevel says what is wrong with a weapon or a level of it.
func hasLevel(w protocol.Weapon, skill protocol.SkillLevel) error {
	switch levels := SkillLevels(w); {
	case levels == nil:
		return fmt.Errorf("%v has no properties", w)
	case !slices.Contains(levels, skill):
		return fmt.Errorf("%v has only the skill level %v", w, levels[0])
	}
	return nil
}

// Properties are the current figures of a weapon at a skill level.
func (tx Tx) Properties(w protocol.Weapon, skill protocol.SkillLevel) (protocol.WeaponProperties, error) {
	if err := hasLevel(w, skill); err != nil {
		return protocol.WeaponProperties{}, err
	}
	return tx.properties(tuning{w, skill}), nil
}

func (tx Tx) properties(t tuning) protocol.WeaponProperties {
	return tx.w.combat.figures.properties[t].over(defaultProperties(t))
}

// SetProperties changes figures of a weapon at some skill levels, at all that it has where none is named; by is the
// resource. On an error nothing has changed.
func (tx Tx) SetProperties(w protocol.Weapon, change PropertyChange, by string, skills ...protocol.SkillLevel) error {
	if len(skills) == 0 {
		if skills = SkillLevels(w); skills == nil {
			return hasLevel(w, protocol.SkillStandard)
		}
	}
	for _, skill := range skills {
		if err := hasLevel(w, skill); err != nil {
			return err
		}
		var trial adjustedProperties
		change.into(&trial, by)
		m := trial.over(tx.properties(tuning{w, skill}))
		if err := check(&m); err != nil {
			return err
		}
	}
	f := &tx.w.combat.figures
	if f.properties == nil {
		f.properties = make(map[tuning]*adjustedProperties)
	}
	for _, skill := range skills {
		t := tuning{w, skill}
		tx.retune(t, func() {
			if f.properties[t] == nil {
				f.properties[t] = new(adjustedProperties)
			}
			change.into(f.properties[t], by)
		})
	}
	return nil
}

// ResetProperties gives the weapons their default figures back, whoever changed them; all where none is named.
func (tx Tx) ResetProperties(weapons ...protocol.Weapon) error {
	for _, w := range weapons {
		if SkillLevels(w) == nil {
			return hasLevel(w, protocol.SkillStandard)
		}
	}
	f := &tx.w.combat.figures
	for _, t := range f.tuned() {
		if len(weapons) == 0 || slices.Contains(weapons, t.weapon) {
			tx.retune(t, func() { delete(f.properties, t) })
		}
	}
	return nil
}

// retune makes a change of one tuning and tells everyone where it has changed anything.
func (tx Tx) retune(t tuning, change func()) {
	before := tx.properties(t)
	change()
	after := tx.properties(t)
	if after == before {
		return
	}
	for _, p := range tx.w.players {
		p.link.Pace(pacer.Thing{Key: t, Class: pacer.Rest, Packets: []protocol.Packet{&after}})
	}
}

// tuned are the tunings that were ever changed, in order.
func (f *tunables) tuned() []tuning {
	list := make([]tuning, 0, len(f.properties))
	for t := range f.properties {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b tuning) int { return int(a.weapon)<<2 + int(a.skill) - int(b.weapon)<<2 - int(b.skill) })
	return list
}

// changed are the packets of what is not as by default.
func (f *tunables) changed() []protocol.Packet {
	var list []protocol.Packet
	for _, t := range f.tuned() {
		if m := f.properties[t].over(defaultProperties(t)); m != defaultProperties(t) {
			list = append(list, &m)
		}
	}
	return list
}

// releaseFigures takes back what a resource has changed.
func (tx Tx) releaseFigures(by string) {
	f := &tx.w.combat.figures
	f.factors.release(by)
	for _, p := range tx.w.players {
		if p.ownFactors != nil {
			p.ownFactors.release(by)
		}
	}
	tx.tellAllFactors()
	before := tx.DriveBy()
	for i := range f.driver {
		f.driver[i].release(by)
		f.passenger[i].release(by)
	}
	tx.tellDriveBy(before)
	for _, t := range f.tuned() {
		tx.retune(t, func() { f.properties[t].release(by) })
	}
}
