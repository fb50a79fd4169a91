package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// Places in UiTheme.Colors.
const (
	ColorAccent = iota
	ColorOnAccent
	ColorBackground
	ColorPanel
	ColorText
	ColorMuted
	ColorBorder
	ColorSelected
	ColorInfo
	ColorSuccess
	ColorWarning
	ColorError
)

// A Font is the font of a UiTheme.
type Font uint8

const (
	FontSans Font = iota
	FontCondensed
	FontGame
)

var fonts = []string{"sans", "condensed", "game"}

// String is the font's word, as Lua has it.
func (f Font) String() string { return named(fonts, f, "Font") }

// HudParts are the parts of the HUD that show.
type HudParts uint16

const (
	HudRadar HudParts = 1 << iota
	HudHealth
	HudArmor
	HudBreath
	HudMoney
	HudWanted
	HudWeapon
	HudClock
	HudAreaName
	HudVehicleName
	HudCrosshair
	HudChat
	HudKillFeed
	HudNametags
	HudPlayerList
	HudRadio
)

// UiTheme is the look of all UI.
type UiTheme struct {
	Colors    [12]RGBA // by ColorAccent to ColorError; here alpha 0 is transparent
	Radius    uint8    // of corners, 0..16 px
	Scale     uint8    // percent, 75..150
	Font      Font
	ChatLines uint8 // 5..30
	Hud       HudParts
}

func (*UiTheme) ID() ID { return IDUiTheme }

func (p *UiTheme) Wire(c *wire.Codec) {
	wire.Array(c, p.Colors[:], func(color *RGBA, c *wire.Codec) { c.Color(color) })
	wire.Range(c, &p.Radius, 0, 16)
	wire.Range(c, &p.Scale, 75, 150)
	wire.Enum(c, &p.Font, FontGame)
	wire.Range(c, &p.ChatLines, 5, 30)
	wire.Bits(c, &p.Hud, 16)
}

func (p *UiTheme) Check() error {
	for _, i := range [...]int{ColorAccent, ColorOnAccent, ColorText, ColorMuted, ColorInfo, ColorSuccess, ColorWarning, ColorError} {
		if p.Colors[i].A == 0 {
			return fmt.Errorf("colors[%d] must not have alpha 0", i)
		}
	}
	return nil
}

// PlatformKeys are the keys of the client's own functions.
type PlatformKeys struct {
	Keys [16]Key // by FunctionChat to FunctionChatDown
}

func (*PlatformKeys) ID() ID { return IDPlatformKeys }

func (p *PlatformKeys) Wire(c *wire.Codec) {
	wire.Array(c, p.Keys[:], func(k *Key, c *wire.Codec) { wire.Enum(c, k, KeyLast) })
}

// Check holds the rules of page Chat, HUD and dialogs, PlatformKeys: no
// Escape, no menu function without a key, and no key twice among the menu's
// functions or among the others.
func (p *PlatformKeys) Check() error {
	var usedInMenu, used [KeyLast + 1]bool
	for i, k := range p.Keys {
		f := Function(i)
		seen := &used
		if f.Menu() {
			seen = &usedInMenu
		}
		switch {
		case k == KeyEscape:
			return fmt.Errorf("keys[%d]: Escape cannot be given away", i)
		case k == KeyNone && f.needsKey():
			return fmt.Errorf("keys[%d]: a menu needs this key", i)
		case k > KeyLast: // the layout refuses it
		case k != KeyNone && seen[k]:
			return fmt.Errorf("keys[%d]: %v stands there twice", i, k)
		default:
			seen[k] = true
		}
	}
	return nil
}
