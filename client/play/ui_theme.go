package play

import (
	"fmt"

	"darqline/protocol"
)

// theme is the look of all UI, and which parts of the HUD show.
type theme struct {
	Colors    map[string]string `json:"colors"`
	Radius    uint8             `json:"radius"` // px
	Scale     uint8             `json:"scale"`  // %
	Font      string            `json:"font"`   // sans, condensed, game
	ChatLines uint8             `json:"chat_lines"`
	Hud       []string          `json:"hud"` // parts shown
}

// themeColors and hudParts are the words of UiTheme, in its order.
var (
	themeColors = [...]string{"accent", "on_accent", "background", "panel", "text", "muted", "border", "selected", "info", "success", "warning", "error"}
	hudParts    = [...]string{
		"radar", "health", "armor", "breath", "money", "wanted", "weapon", "clock", "area_name", "vehicle_name", "crosshair", "chat",
		"kill_feed", "nametags", "player_list", "radio",
	}
)

func themeOf(p *protocol.UiTheme) *theme {
	t := &theme{
		Colors: map[string]string{}, Radius: p.Radius, Scale: p.Scale, Font: p.Font.String(), ChatLines: p.ChatLines, Hud: []string{},
	}
	for i, name := range themeColors {
		c := p.Colors[i]
		t.Colors[name] = fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
	}
	for bit, part := range hudParts {
		if p.Hud>>bit&1 != 0 {
			t.Hud = append(t.Hud, part)
		}
	}
	return t
}

func (h *handler) Theme(p protocol.UiTheme) { h.m.setTheme(themeOf(&p)) }

func (m *model) setTheme(t *theme) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Theme = t
	m.broadcast(message{Type: "theme", Theme: t})
}
