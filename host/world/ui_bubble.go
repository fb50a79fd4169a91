package world

import (
	"time"

	"darqline/protocol"
)

// Bubble is a text over a player's head.
type Bubble struct {
	Text     string        // lines, up to 4 and 512 bytes; empty: the last one goes
	Duration time.Duration // 500 ms..60 s
	Distance float32       // metres, 1..100
	Color    protocol.RGBA
	Markup   bool
}

// DefaultBubble is how a bubble looks of which nothing else is said.
func DefaultBubble(text string) Bubble {
	return Bubble{Text: text, Duration: 5 * time.Second, Distance: 20}
}

func (b *Bubble) packet(p *Player) *protocol.PlayerChatBubble {
	m := &protocol.PlayerChatBubble{PlayerID: p.ID, PlayerToken: p.Token}
	if b.Text == "" {
		return m
	}
	m.Duration, m.Distance, m.Color, m.Text = uint32(b.Duration.Milliseconds()), b.Distance, b.Color, b.Text
	if b.Markup {
		m.Flags = protocol.BubbleMarkup
	}
	return m
}

// Bubble shows a text over a player's head to those who have him in scope now. On an error nothing was sent.
func (tx Tx) Bubble(p *Player, b Bubble) error {
	m := b.packet(p)
	if err := check(m); err != nil {
		return err
	}
	tx.tellViewers(p, m)
	return nil
}

// bubbleOf shows a line of chat over its author's head, to those who hear it and no others.
func (tx Tx) bubbleOf(from *Player, line *ChatLine, hearers []*Player) {
	b := DefaultBubble(line.Text)
	b.Color, b.Markup = line.Color, line.Markup
	m := b.packet(from)
	hears := make(map[*Player]bool, len(hearers))
	for _, p := range hearers {
		hears[p] = true
	}
	for i := range from.viewers {
		if v := &from.viewers[i]; hears[v.Player] && !v.link.Waits(v.entry) {
			_ = v.event(m)
		}
	}
}
