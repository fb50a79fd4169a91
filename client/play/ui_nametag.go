package play

import (
	"maps"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// nametag is how the name over a player's head looks.
type nametag struct {
	Player   uint16  `json:"player"`
	Token    uint32  `json:"token"`
	Hidden   bool    `json:"hidden,omitempty"`
	Health   bool    `json:"health,omitempty"` // the bar
	Armor    bool    `json:"armor,omitempty"`
	Signs    bool    `json:"signs,omitempty"` // of typing and pause
	Distance float32 `json:"distance"`        // m, beyond which it is not seen
	Color    string  `json:"color,omitempty"` // "": the list's
	Icon     string  `json:"icon,omitempty"`
	Name     string  `json:"name,omitempty"` // "": the list's
	Text     string  `json:"text,omitempty"` // the second line
}

// bubble is a text over a player's head for a while.
type bubble struct {
	Player   uint16  `json:"player"`
	Token    uint32  `json:"token"`
	Distance float32 `json:"distance"`
	Color    string  `json:"color,omitempty"`
	Markup   bool    `json:"markup,omitempty"`
	Text     string  `json:"text,omitempty"` // "": it is gone
	Until    int64   `json:"until"`          // Unix time in ms
}

func (h *handler) Nametag(p protocol.PlayerNametag) {
	has := func(f protocol.NametagFlags) bool { return p.Flags&f != 0 }
	h.m.setNametag(nametag{
		Player: p.PlayerID, Token: p.PlayerToken, Hidden: !has(protocol.NametagShown), Health: has(protocol.NametagHealth),
		Armor: has(protocol.NametagArmor), Signs: has(protocol.NametagSigns), Distance: p.Distance, Color: color(p.Color),
		Icon: iconName(p.Icon), Name: p.Name, Text: p.Text,
	})
}

func (h *handler) Bubble(b client.Bubble) {
	h.m.setBubble(bubble{
		Player: b.PlayerID, Token: b.PlayerToken, Distance: b.Distance, Color: color(b.Color), Text: b.Text,
		Markup: b.Flags&protocol.BubbleMarkup != 0, Until: unixMs(b.Until),
	}, time.Now())
}

// setNametag takes over how a name looks. It goes with the player in view.
func (m *model) setNametag(t nametag) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Nametags[t.Player] = t
	m.broadcast(message{Type: "nametag", Nametag: &t})
}

// setBubble takes a bubble over. What ran out goes too: nobody tells of those of players who have left.
func (m *model) setBubble(b bubble, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.ui.Bubbles, func(_ uint16, old bubble) bool { return old.Until <= now.UnixMilli() })
	if b.Text == "" {
		delete(m.ui.Bubbles, b.Player)
	} else {
		m.ui.Bubbles[b.Player] = b
	}
	m.broadcast(message{Type: "bubble", Bubble: &b})
}
