package world

import (
	"cmp"
	"slices"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// detonatorWaiver is how long a client needs no detonator in hand after DetonateSatchels.
const detonatorWaiver = 2 * time.Second

// Satchels is how many living satchels a player has.
func (tx Tx) Satchels(p *Player) int { return len(p.satchels) }

// DetonateSatchels has a player's client set off his satchels.
func (tx Tx) DetonateSatchels(p *Player) error {
	if len(p.satchels) == 0 || p.gone {
		return nil
	}
	if err := tx.instruct(p, &protocol.DetonateSatchels{}); err != nil {
		return err
	}
	p.detonates = tx.now() + detonatorWaiver
	return nil
}

// DestroySatchels lets a player's satchels vanish.
func (tx Tx) DestroySatchels(p *Player) { tx.destroySatchels(p) }

func (tx Tx) destroySatchels(p *Player) {
	if len(p.satchels) == 0 {
		return
	}
	tx.loseSatchels(p)
	m := &protocol.DestroySatchels{PlayerID: p.ID, PlayerToken: p.Token}
	tx.mustInstruct(p, m)
	tx.endSatchels(p, m)
}

// loseSatchels forgets a player's satchels and takes back what waits of them.
func (tx Tx) loseSatchels(p *Player) {
	for _, f := range p.satchels {
		tx.w.combat.flights.remove(f)
		for i := range p.viewers {
			p.viewers[i].link.Drop(f.key())
		}
	}
	p.satchels = nil
}

// remove forgets a projectile.
func (f *flights) remove(p *projectile) {
	delete(f.byID, p.ID)
	f.old = without(f.old, p)
}

func without[T comparable](list []T, gone T) []T {
	return slices.DeleteFunc(list, func(t T) bool { return t == gone })
}

func sortByID[T any](list []T, id func(*T) uint32) {
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(id(&a), id(&b)) })
}

// aboutSatchels begins the keys of satchels among those about a player, below aboutOuts: what waits of them is dropped with
// him.
const aboutSatchels = 1 << 30

// key is that of a satchel in the pacers.
func (f *projectile) key() about { return about{f.Owner.Token, aboutSatchels + f.ID%aboutSatchels} }

// showSatchel brings a satchel to its owner's viewers: an event to who takes it at once, and state to who does not.
func (tx Tx) showSatchel(p *Player, f *projectile) {
	m := f.packet(tx.now())
	ended := about{p.Token, uint32(protocol.IDDestroySatchels)}
	for i := range p.viewers {
		v := &p.viewers[i]
		after := any(v.entry)
		if v.link.Waits(ended) {
			after = ended
		}
		if v.link.Waits(after) || v.link.Straight(m) != nil {
			v.link.Pace(pacer.Thing{Key: f.key(), Class: pacer.Players, After: after, Packets: []protocol.Packet{m}})
		}
	}
}

// endSatchels tells a player's viewers by m that his satchels are gone; who is about to be shown him with them is told
// afterwards.
func (tx Tx) endSatchels(p *Player, m protocol.Packet) {
	for i := range p.viewers {
		v := &p.viewers[i]
		if !v.link.Waits(v.entry) {
			v.link.Straight(m)
			continue
		}
		v.link.Pace(pacer.Thing{Key: about{p.Token, uint32(protocol.IDDestroySatchels)}, Class: pacer.Players, After: v.entry,
			Renew: true, Packets: []protocol.Packet{&protocol.DestroySatchels{PlayerID: p.ID, PlayerToken: p.Token}}})
	}
}

// livingSatchels are the packets that show a player's satchels to who gets him into scope.
func (tx Tx) livingSatchels(p *Player) []protocol.Packet {
	var list []protocol.Packet
	for _, f := range p.satchels {
		if f.shown && f.Dimension == p.dimension {
			list = append(list, f.packet(tx.now()))
		}
	}
	return list
}

// ReceiveSatchelDetonate sets off the sender's satchels where they lie for him.
func (tx Tx) ReceiveSatchelDetonate(p *Player, m *protocol.SatchelDetonate) {
	now := tx.now()
	if !p.quota.satchels.Take(now, 2, 2, 1) || !p.dueling() || p.place.frozen ||
		len(m.Positions) > len(p.satchels) || !p.inHand(protocol.WeaponDetonator, now) && now > p.detonates {
		return
	}
	for _, at := range m.Positions {
		if distance(at, p.body.Position) > float64(tx.w.cfg.Players.StreamDistance) {
			return
		}
	}
	tx.loseSatchels(p)
	tx.decide(SatchelsDetonate{Player: p, Positions: m.Positions, dimension: p.dimension})
}

// Apply lets the satchels explode for everyone who sees their owner or is near, and hurts who stands by.
func (e SatchelsDetonate) Apply(tx Tx) {
	p := e.Player
	if p.gone {
		return
	}
	m := &protocol.RemoteSatchelDetonate{PlayerID: p.ID, PlayerToken: p.Token, Positions: e.Positions}
	for _, v := range tx.w.players {
		if v != p && !tx.hasTold(p, v) && tx.isNearAny(v, e.Positions, e.dimension) {
			v.link.Straight(m)
		}
	}
	if p.dimension == e.dimension {
		tx.endSatchels(p, m)
	}
	for _, at := range e.Positions {
		tx.blast(blast{explosion: protocol.ExplosionGrenade, at: at, dimension: e.dimension, by: p})
	}
}

// isNearAny says whether one of the places is within the stream distance of a connection's centre.
func (tx Tx) isNearAny(p *Player, places []protocol.Vec3, dimension uint16) bool {
	return slices.ContainsFunc(places, func(at protocol.Vec3) bool { return tx.isNear(p, at, dimension, 0) })
}

// Cancelled lets them vanish for who has them in view.
func (e SatchelsDetonate) Cancelled(tx Tx) {
	if p := e.Player; !p.gone && p.dimension == e.dimension {
		tx.endSatchels(p, &protocol.DestroySatchels{PlayerID: p.ID, PlayerToken: p.Token})
	}
}
