package world

import (
	"darqline/protocol"
	"darqline/protocol/pacer"
)

// NametagPart is a part of a nametag that is set by itself.
type NametagPart uint8

const (
	NametagName NametagPart = iota
	NametagText
	NametagColor
	NametagIcon
	NametagDistance
	NametagVisible
	NametagHealth
	NametagArmor
	NametagSigns
	NametagThroughWalls
	nametagParts
)

// nametagFlags are the flags of the parts that are one.
var nametagFlags = [nametagParts]protocol.NametagFlags{NametagVisible: protocol.NametagShown,
	NametagHealth: protocol.NametagHealth, NametagArmor: protocol.NametagArmor, NametagSigns: protocol.NametagSigns,
	NametagThroughWalls: protocol.NametagThroughWalls}

// copy takes a part of a nametag over.
func (part NametagPart) copy(to, from *protocol.PlayerNametag) {
	switch part {
	case NametagName:
		to.Name = from.Name
	case NametagText:
		to.Text = from.Text
	case NametagColor:
		to.Color = from.Color
	case NametagIcon:
		to.Icon = from.Icon
	case NametagDistance:
		to.Distance = from.Distance
	default:
		flag := nametagFlags[part]
		to.Flags = to.Flags&^flag | from.Flags&flag
	}
}

// nametagLayer is what scripts have set of a nametag: each part with the resource that has set it last.
type nametagLayer struct {
	values protocol.PlayerNametag
	by     [nametagParts]string
}

// apply lays it over a nametag.
func (l *nametagLayer) apply(m *protocol.PlayerNametag) {
	for part, by := range l.by {
		if by != "" {
			NametagPart(part).copy(m, &l.values)
		}
	}
}

// release takes back what a resource has set and says whether that was anything; "" takes back all.
func (l *nametagLayer) release(by string) (had bool) {
	for part := range l.by {
		if l.by[part] != "" && (by == "" || l.by[part] == by) {
			l.by[part], had = "", true
		}
	}
	return had
}

func (l *nametagLayer) empty() bool { return l.by == [nametagParts]string{} }

// nametag is how a player's name looks over his head: to all, and to some otherwise.
type nametag struct {
	all nametagLayer
	own map[*Player]*nametagLayer // by viewer
}

// Nametag is how a player's nametag looks to a viewer; nil: to those of whom nothing else is said.
func (tx Tx) Nametag(p, viewer *Player) protocol.PlayerNametag {
	m := protocol.DefaultNametag(p.ID, p.Token)
	p.tag.all.apply(m)
	if own := p.tag.own[viewer]; own != nil {
		own.apply(m)
	}
	return *m
}

// SetNametag sets parts of a player's nametag, for all or for one viewer. by is the resource: what it has set goes when it
// stops. On an error nothing has changed.
func (tx Tx) SetNametag(p, viewer *Player, values protocol.PlayerNametag, parts []NametagPart, by string) error {
	m := tx.Nametag(p, viewer)
	for _, part := range parts {
		part.copy(&m, &values)
	}
	if err := check(&m); err != nil {
		return err
	}
	if p.gone || viewer != nil && viewer.gone {
		return nil
	}
	tx.retag(p, func() {
		layer := &p.tag.all
		if viewer != nil {
			if p.tag.own == nil {
				p.tag.own = make(map[*Player]*nametagLayer)
			}
			if layer = p.tag.own[viewer]; layer == nil {
				layer = new(nametagLayer)
				p.tag.own[viewer] = layer
			}
		}
		for _, part := range parts {
			part.copy(&layer.values, &values)
			layer.by[part] = by
		}
	})
	return nil
}

// ResetNametag takes back all that was set of a nametag, or of what one viewer sees of it.
func (tx Tx) ResetNametag(p, viewer *Player) {
	tx.retag(p, func() {
		if viewer == nil {
			p.tag = nametag{}
		} else {
			delete(p.tag.own, viewer)
		}
	})
}

// retag changes a nametag and shows it to the viewers to whom it looks different now.
func (tx Tx) retag(p *Player, change func()) {
	was := make([]protocol.PlayerNametag, len(p.viewers))
	for i := range p.viewers {
		was[i] = tx.Nametag(p, p.viewers[i].Player)
	}
	change()
	for i := range p.viewers {
		v := &p.viewers[i]
		if m := tx.Nametag(p, v.Player); m != was[i] {
			v.link.Pace(pacer.Thing{Key: about{p.Token, uint32(m.ID())}, Class: pacer.Players, After: v.last, Renew: true,
				Packets: []protocol.Packet{&m}})
		}
	}
}

// tagFor is the nametag that a viewer is sent with a player, unless it is the default.
func (tx Tx) tagFor(viewer, p *Player) []protocol.Packet {
	if p.tag.own == nil && p.tag.all.empty() {
		return nil
	}
	m := tx.Nametag(p, viewer)
	if m == *protocol.DefaultNametag(p.ID, p.Token) {
		return nil
	}
	return []protocol.Packet{&m}
}

// leaveTags forgets what one who has left was to see of others.
func (tx Tx) leaveTags(gone *Player) {
	for _, p := range tx.w.players {
		delete(p.tag.own, gone)
	}
}

// tagsOf takes back what a resource that stops has set.
func (tx Tx) tagsOf(by string) {
	for _, p := range tx.w.players {
		if p.tag.own == nil && p.tag.all.empty() {
			continue
		}
		tx.retag(p, func() {
			p.tag.all.release(by)
			for viewer, own := range p.tag.own {
				if own.release(by); own.empty() {
					delete(p.tag.own, viewer)
				}
			}
		})
	}
}
