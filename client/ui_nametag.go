package client

import (
	"maps"
	"slices"
	"time"

	"darqline/protocol"
)

// Bubble is a text over a player's head for a while.
type Bubble struct {
	protocol.PlayerChatBubble // Duration 0: it is gone
	Until                     time.Time
}

// byPlayer lists what players have, by player_id.
func byPlayer[T any](m map[uint16]T) []T {
	list := make([]T, 0, len(m))
	for _, id := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[id])
	}
	return list
}

// cloned is a copy of a list that is never nil.
func cloned[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }

// Nametag is how the name over another player's head looks.
func (c *Client) Nametag(id uint16, token uint32) protocol.PlayerNametag {
	tag := *protocol.DefaultNametag(id, token)
	c.look(func(g *game) {
		if t, ok := g.ui.nametags[id]; ok && t.PlayerToken == token {
			tag = t
		}
	})
	return tag
}

// nametag takes how a player's name looks from now on.
func (g *game) nametag(p *protocol.PlayerNametag) {
	if g.other(p.PlayerID, p.PlayerToken) == nil {
		return
	}
	if *p == *protocol.DefaultNametag(p.PlayerID, p.PlayerToken) {
		delete(g.ui.nametags, p.PlayerID)
	} else {
		g.ui.nametags[p.PlayerID] = *p
	}
	tag := *p
	g.tell(func(h Handler) { h.Nametag(tag) })
}

// comesAnew takes a PlayerSpawned: a nametag that is not the default one follows, and a bubble of who had the id before is
// gone.
func (g *game) comesAnew(id uint16, token uint32) {
	if live, ok := g.crowd.generations.Live(id); !ok || live != token {
		return
	}
	if b, ok := g.ui.bubbles[id]; ok && b.PlayerToken != token {
		delete(g.ui.bubbles, id)
	}
	if _, ok := g.ui.nametags[id]; ok {
		delete(g.ui.nametags, id)
		tag := *protocol.DefaultNametag(id, token)
		g.tell(func(h Handler) { h.Nametag(tag) })
	}
}

// bubble shows a text over a player's head, or removes it.
func (g *game) bubble(at time.Time, p *protocol.PlayerChatBubble) {
	if !g.isMe(p.PlayerID, p.PlayerToken) && g.other(p.PlayerID, p.PlayerToken) == nil {
		return
	}
	b := Bubble{PlayerChatBubble: *p}
	if p.Duration == 0 {
		if _, ok := g.ui.bubbles[p.PlayerID]; !ok {
			return
		}
		delete(g.ui.bubbles, p.PlayerID)
	} else {
		b.Until = at.Add(milliseconds(p.Duration))
		g.ui.alarm(b.Until)
		g.ui.bubbles[p.PlayerID] = b
	}
	g.tell(func(h Handler) { h.Bubble(b) })
}

func (g *game) driveBubbles(at time.Time) {
	for _, b := range byPlayer(g.ui.bubbles) {
		if g.ui.ended(at, b.Until) {
			delete(g.ui.bubbles, b.PlayerID)
			gone := Bubble{PlayerChatBubble: protocol.PlayerChatBubble{PlayerID: b.PlayerID, PlayerToken: b.PlayerToken}}
			g.tell(func(h Handler) { h.Bubble(gone) })
		}
	}
}

// forget drops what was over the head of a player who has left.
func (u *ui) forget(id uint16, token uint32) {
	if t, ok := u.nametags[id]; ok && t.PlayerToken == token {
		delete(u.nametags, id)
	}
	if b, ok := u.bubbles[id]; ok && b.PlayerToken == token {
		delete(u.bubbles, id)
	}
}
