package world

import (
	"fmt"
	"slices"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// adjusted is a figure that resources may change: the newest change counts, and when its resource stops, the one before.
type adjusted[T any] struct{ changes []adjustment[T] }

type adjustment[T any] struct {
	by    string
	value T
}

func (a *adjusted[T]) set(by string, value T) {
	a.release(by)
	a.changes = append(a.changes, adjustment[T]{by, value})
}

func (a *adjusted[T]) release(by string) {
	a.changes = slices.DeleteFunc(a.changes, func(c adjustment[T]) bool { return c.by == by })
}

// or is the figure, or what it is where nobody has changed it.
func (a *adjusted[T]) or(unchanged T) T {
	if n := len(a.changes); n > 0 {
		return a.changes[n-1].value
	}
	return unchanged
}

// tunables are the figures of combat that resources may change for all.
type tunables struct {
	factors    factors
	driver     [len(protocol.DriveByWeapons)]adjusted[uint16]
	passenger  [len(protocol.DriveByWeapons)]adjusted[uint16]
	properties map[tuning]*adjustedProperties
}

// ---- multipliers

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

// ---- drive-by

// DriveByChange are changes of the intervals in ms at which weapons may be fired from a vehicle, 10..10,000, or 0 not at
// all; what is left out stays.
type DriveByChange struct{ Driver, Passenger map[protocol.Weapon]uint16 }

// DriveBy are the intervals as they are now.
func (tx Tx) DriveBy() protocol.DriveByIntervals {
	m := *defaultDriveBy
	f := &tx.w.combat.figures
	for i := range m.Driver {
		m.Driver[i] = f.driver[i].or(m.Driver[i])
		m.Passenger[i] = f.passenger[i].or(m.Passenger[i])
	}
	return m
}

var defaultDriveBy = protocol.DefaultDriveBy()

// SetDriveBy changes the intervals; by is the resource.
func (tx Tx) SetDriveBy(c DriveByChange, by string) error {
	for seat, list := range map[string]map[protocol.Weapon]uint16{"driver": c.Driver, "passenger": c.Passenger} {
		for w, ms := range list {
			if slices.Index(protocol.DriveByWeapons[:], w) < 0 {
				return fmt.Errorf("%s: %v is not fired from vehicles", seat, w)
			}
			if ms != 0 && (ms < 10 || ms > 10000) {
				return fmt.Errorf("%s: %v: 10..10000 expected, got %d", seat, w, ms)
			}
		}
	}
	f := &tx.w.combat.figures
	before := tx.DriveBy()
	for w, ms := range c.Driver {
		f.driver[slices.Index(protocol.DriveByWeapons[:], w)].set(by, ms)
	}
	for w, ms := range c.Passenger {
		f.passenger[slices.Index(protocol.DriveByWeapons[:], w)].set(by, ms)
	}
	tx.tellDriveBy(before)
	return nil
}

type driveByKey struct{}

// tellDriveBy sends everyone the intervals where they are not what they were.
func (tx Tx) tellDriveBy(before protocol.DriveByIntervals) {
	m := tx.DriveBy()
	if m == before {
		return
	}
	for _, p := range tx.w.players {
		p.link.Pace(pacer.Thing{Key: driveByKey{}, Class: pacer.Rest, Packets: []protocol.Packet{&m}})
	}
}

// ---- weapon properties

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
