package world

import (
	"errors"
	"fmt"
	"time"

	"darqline/host/world/scope"
	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Figures of page Combat, CreateFire.
const (
	mostFires       = 256 // in the server
	mostFiresSeen   = 60  // by one client: the game has room for no more
	fireLookEvery   = 250 * time.Millisecond
	mostExtinguish  = 300 // metres
	fireReplaceGain = 20  // metres
)

// ErrTooManyFires means that no more fires can be made.
var ErrTooManyFires = errors.New("256 fires burn already: put one out first")

// blaze is all fires made by the server, and who sees them.
type blaze struct {
	slots   [mostFires]*Fire
	count   int
	grid    scope.Grid
	things  []scope.Thing
	changes scope.Changes
	next    time.Duration
}

// byID finds a fire that burns.
func (b *blaze) byID(id uint32) *Fire {
	for _, f := range b.slots {
		if f != nil && f.ID == id {
			return f
		}
	}
	return nil
}

// NewFire is what a fire is made of.
type NewFire struct {
	Position  protocol.Vec3
	Size      float32       // 0.1..10, 1.8 an ordinary one
	Duration  time.Duration // whole ms; 0: until it is put out
	Spread    uint8         // generations that it may spread by, 0..20
	Creator   *Player       // nil: nobody
	Dimension uint16
}

// CreateFire makes a fire; by is the resource, with which it ends.
func (tx Tx) CreateFire(n NewFire, by string) (*Fire, error) {
	b := &tx.w.combat.blaze
	if b.count >= mostFires {
		return nil, ErrTooManyFires
	}
	if n.Dimension > protocol.MaxDimension {
		return nil, errNoDimension
	}
	if most := time.Duration(1<<32-1) * time.Millisecond; n.Duration < 0 || n.Duration > most {
		return nil, fmt.Errorf("duration: 0..%d ms expected, got %d", most.Milliseconds(), n.Duration.Milliseconds())
	}
	f := &Fire{Position: n.Position, Size: n.Size, Spread: n.Spread, Creator: n.Creator, Dimension: n.Dimension, Resource: by, ID: 1}
	if n.Duration > 0 {
		f.ends = tx.now() + n.Duration
	}
	if err := check(f.packet(tx.now())); err != nil {
		return nil, err
	}
	f.ID = tx.newID()
	for b.slots[f.slot] != nil {
		f.slot++
	}
	b.slots[f.slot] = f
	b.count++
	b.next = 0 // looked at on the next tick
	return f, nil
}

// packet is how a viewer is shown the fire now.
func (f *Fire) packet(now time.Duration) *protocol.CreateFire {
	m := &protocol.CreateFire{FireID: f.ID, Position: f.Position, Size: f.Size, Spread: f.Spread}
	m.CreatorID, m.CreatorToken = somebody(f.Creator)
	if f.ends > 0 {
		m.Duration = uint32(max((f.ends - now).Milliseconds(), 1))
	}
	return m
}

// Fires are all that burn, by id.
func (tx Tx) Fires() []*Fire {
	var list []*Fire
	for _, f := range tx.w.combat.blaze.slots {
		if f != nil {
			list = append(list, f)
		}
	}
	sortByID(list, func(f **Fire) uint32 { return (*f).ID })
	return list
}

// Extinguish puts a fire out that a script has made.
func (tx Tx) Extinguish(f *Fire) { tx.endFire(f, FirePutOut) }

// ExtinguishArea puts out all fires within radius metres of a place, those of the engine too.
func (tx Tx) ExtinguishArea(at protocol.Vec3, radius float32, dimension uint16) error {
	if !(radius > 0 && radius <= mostExtinguish) {
		return fmt.Errorf("radius: above 0, up to %d expected, got %g", mostExtinguish, radius)
	}
	m := &protocol.ExtinguishFire{Position: at, Radius: radius}
	if err := check(m); err != nil {
		return err
	}
	for _, f := range tx.Fires() {
		if f.Dimension == dimension && distance(f.Position, at) <= float64(radius) {
			tx.endFire(f, FirePutOut)
		}
	}
	for _, p := range tx.w.players {
		if tx.isNear(p, at, dimension, radius) {
			p.link.Straight(m)
		}
	}
	return nil
}

// endFire ends a fire for all who see it and for the scripts.
func (tx Tx) endFire(f *Fire, reason FireEndReason) {
	if f.over {
		return
	}
	f.over = true
	b := &tx.w.combat.blaze
	b.slots[f.slot] = nil
	b.count--
	for _, p := range tx.w.players {
		if p.fires.Remove(f.slot) {
			p.loseFire(f.ID)
		}
	}
	tx.post(FireEnd{f, reason})
}

// releaseFires ends the fires that a resource has made.
func (tx Tx) releaseFires(by string) {
	for _, f := range tx.Fires() {
		if f.Resource == by {
			tx.endFire(f, FirePutOut)
		}
	}
}

type fireKey struct{ id uint32 }
type fireEndKey struct{ id uint32 }

// loseFire takes a fire from a player's client, if that has heard of it.
func (p *Player) loseFire(id uint32) {
	if waited, begun := p.link.Drop(fireKey{id}); waited && !begun {
		return
	}
	p.link.Pace(pacer.Thing{Key: fireEndKey{id}, Class: pacer.Removals,
		Packets: []protocol.Packet{&protocol.ExtinguishFire{FireID: id}}})
}

// tickFires ends those whose time is over, and every 250 ms looks who sees which.
func (tx Tx) tickFires() (next time.Duration) {
	b, now := &tx.w.combat.blaze, tx.now()
	if b.count == 0 {
		return forever
	}
	next = forever
	for _, f := range b.slots {
		switch {
		case f == nil || f.ends == 0:
		case f.ends <= now:
			tx.endFire(f, FireBurntOut)
		default:
			next = min(next, f.ends)
		}
	}
	if now >= b.next {
		b.next = now + fireLookEvery
		tx.lookAtFires()
	}
	return min(next, b.next)
}

// lookAtFires brings everyone's fires up to date.
func (tx Tx) lookAtFires() {
	b := &tx.w.combat.blaze
	b.things = b.things[:0]
	for _, f := range b.slots {
		if f != nil {
			b.things = append(b.things, scope.Thing{Position: f.Position, Slot: f.slot, Dimension: f.Dimension})
		}
	}
	b.grid.Build(b.things)
	reach := tx.w.cfg.Players.StreamDistance
	rules := scope.Rules{Enter: reach, Leave: hysteresis * reach, Max: mostFiresSeen, Margin: fireReplaceGain}
	for _, p := range tx.w.players {
		viewer := scope.Thing{Slot: scope.Nobody}
		at, dimension, ok := tx.centre(p)
		if viewer.Position, viewer.Dimension = at, dimension; !ok {
			viewer.Dimension = scope.AllDimensions // where nothing is
		}
		p.fires.Look(&b.grid, viewer, rules, &b.changes)
		for _, slot := range b.changes.Left {
			if f := b.slots[slot]; f != nil {
				p.loseFire(f.ID)
			}
		}
		for _, n := range b.changes.Entered {
			f := b.slots[n.Slot]
			p.link.Pace(pacer.Thing{Key: fireKey{f.ID}, Class: pacer.Rest, Distance: n.Distance(),
				Packets: []protocol.Packet{f.packet(tx.now())}})
		}
	}
}
