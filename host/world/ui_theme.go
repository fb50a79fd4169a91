package world

import (
	"fmt"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Theme is the look of all UI (page Chat, HUD and dialogs, UiTheme).
type Theme struct {
	Colors    [12]protocol.RGBA // by protocol.ColorAccent to ColorError; alpha 0 is transparent
	Radius    uint8             // of corners, 0..16 px
	Scale     uint8             // 75..150 %
	Font      protocol.Font
	ChatLines uint8 // 5..30
}

// theme is what all see who have nothing else.
type theme struct {
	Theme
	hud protocol.HudParts
}

// themeColors are the names of a theme's colors, as Lua has them.
var themeColors = [12]string{"accent", "on_accent", "background", "panel", "text", "muted", "border", "selected", "info", "success",
	"warning", "error"}

func rgb(n uint32) protocol.RGBA {
	return protocol.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
}

func opaque(colors [12]uint32) (out [12]protocol.RGBA) {
	for i, c := range colors {
		out[i] = rgb(c)
	}
	return out
}

// Themes are ready made, by name: "dark" is what a server begins with.
var Themes = map[string]Theme{
	"dark": {Colors: opaque([12]uint32{0xFFB454, 0x1B1206, 0x0B0E14, 0x141923, 0xF2F4F8, 0xA9B1BF, 0x2E3646, 0x263045,
		0x7CB7FF, 0x7BD88F, 0xFFD166, 0xFF8A80}), Radius: 6, Scale: 100, ChatLines: 10},
	"light": {Colors: opaque([12]uint32{0x9A4B00, 0xFFFFFF, 0xF4F5F7, 0xFFFFFF, 0x16191F, 0x525A66, 0xC9CFD8, 0xFFE6C7,
		0x0B57B0, 0x146B2E, 0x7A5200, 0xB3201A}), Radius: 6, Scale: 100, ChatLines: 10},
	"contrast": {Colors: opaque([12]uint32{0xFFFF00, 0x000000, 0x000000, 0x000000, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF, 0x003A8C,
		0x66CCFF, 0x00FF66, 0xFFFF00, 0xFF9999}), Scale: 110, ChatLines: 10},
}

const allHudParts protocol.HudParts = 1<<16 - 1

// sharedTheme is the theme of all, and which parts of the HUD they see.
func (tx Tx) sharedTheme() *theme {
	if tx.w.elements.theme == nil {
		tx.w.elements.theme = &theme{Themes["dark"], allHudParts}
	}
	return tx.w.elements.theme
}

// Theme is the theme of all who have no other.
func (tx Tx) Theme() Theme { return tx.sharedTheme().Theme }

// SetTheme gives all another theme. On an error nothing has changed.
func (tx Tx) SetTheme(t Theme) error {
	if err := t.check(); err != nil {
		return err
	}
	if shared := tx.sharedTheme(); shared.Theme != t {
		shared.Theme = t
		tx.sendThemes()
	}
	return nil
}

// ThemeOf is what a player sees.
func (tx Tx) ThemeOf(p *Player) Theme {
	t := tx.Theme()
	if p.hud.theme != nil {
		p.hud.theme(&t)
	}
	return t
}

// SetThemeOf changes the theme for one player, until he leaves; what it does not touch is that of all. nil takes it back.
func (tx Tx) SetThemeOf(p *Player, change func(t *Theme)) error {
	if change != nil {
		t := tx.Theme()
		change(&t)
		if err := t.check(); err != nil {
			return err
		}
	}
	was := tx.ThemeOf(p)
	p.hud.theme = change
	if tx.ThemeOf(p) != was {
		tx.sendTheme(p)
	}
	return nil
}

// check says what a client would refuse of a theme.
func (t Theme) check() error {
	for i, c := range t.Colors {
		switch i {
		case protocol.ColorBackground, protocol.ColorPanel, protocol.ColorBorder, protocol.ColorSelected:
		default:
			if c.A == 0 {
				return fmt.Errorf("field %q: it cannot be transparent", themeColors[i])
			}
		}
	}
	return check(t.packet(0))
}

func (t Theme) packet(parts protocol.HudParts) *protocol.UiTheme {
	return &protocol.UiTheme{Colors: t.Colors, Radius: t.Radius, Scale: t.Scale, Font: t.Font, ChatLines: t.ChatLines, Hud: parts}
}

// HudShown says whether all who have nothing else see a part of the HUD.
func (tx Tx) HudShown(part protocol.HudParts) bool { return tx.sharedTheme().hud&part != 0 }

// ShowHud shows all a part of the HUD, or hides it.
func (tx Tx) ShowHud(part protocol.HudParts, show bool) {
	if tx.HudShown(part) != show {
		tx.sharedTheme().hud ^= part
		tx.sendThemes()
	}
}

// HudShownTo says whether a player sees a part of the HUD.
func (tx Tx) HudShownTo(p *Player, part protocol.HudParts) bool { return tx.partsOf(p)&part != 0 }

// ShowHudTo shows one player a part of the HUD, or hides it, until he leaves; nil: as for all.
func (tx Tx) ShowHudTo(p *Player, part protocol.HudParts, show *bool) {
	was := tx.partsOf(p)
	if show == nil {
		delete(p.hud.parts, part)
	} else {
		if p.hud.parts == nil {
			p.hud.parts = make(map[protocol.HudParts]bool)
		}
		p.hud.parts[part] = *show
	}
	if tx.partsOf(p) != was {
		tx.sendTheme(p)
	}
}

func (tx Tx) partsOf(p *Player) protocol.HudParts {
	parts := tx.sharedTheme().hud
	for part, show := range p.hud.parts {
		parts &^= part
		if show {
			parts |= part
		}
	}
	return parts
}

type themeKey struct{}

// joinTheme sends who is confirmed the look of all that follows.
func (tx Tx) joinTheme(p *Player) {
	p.link.Straight(tx.ThemeOf(p).packet(tx.partsOf(p)))
}

// sendTheme paces a theme that has changed.
func (tx Tx) sendTheme(p *Player) {
	if !p.gone {
		p.link.Pace(pacer.Thing{Key: themeKey{}, Class: pacer.Rest, Packets: []protocol.Packet{tx.ThemeOf(p).packet(tx.partsOf(p))}})
	}
}

func (tx Tx) sendThemes() {
	for _, p := range tx.Confirmed() {
		tx.sendTheme(p)
	}
}
