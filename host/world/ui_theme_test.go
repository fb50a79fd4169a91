package world

import (
	"fmt"
	"math"
	"testing"

	"darqline/protocol"
)

func TestTheme(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Tom")
	l.shows()
	yes, no := true, false
	r.do(func(tx Tx) {
		light := Themes["light"]
		light.Scale = 80
		for range 10 {
			tx.SetTheme(Themes["dark"])
			tx.SetTheme(light)
		}
		tx.ShowHudTo(p, protocol.HudRadar, &no)
		tx.ShowHud(protocol.HudMoney, false)
		tx.ShowHudTo(p, protocol.HudMoney, &yes)
	})
	r.want("one packet with the last state", l.shows(), "theme 80 fffe")
	r.do(func(tx Tx) {
		tx.ShowHudTo(p, protocol.HudRadar, nil)
		tx.ShowHudTo(p, protocol.HudMoney, nil)
		if err := tx.SetThemeOf(p, func(t *Theme) { t.Scale = 120 }); err != nil {
			t.Fatal(err)
		}
		tx.SetTheme(Themes["contrast"])
		if got := tx.ThemeOf(p); got.Scale != 120 || got.Colors != Themes["contrast"].Colors {
			t.Errorf("he sees %+v", got)
		}
		err := tx.SetThemeOf(p, func(t *Theme) { t.Colors[protocol.ColorText].A = 0 })
		r.want("error", fmt.Sprint(err), `field "text": it cannot be transparent`)
	})
	r.want("his own", l.shows(), "theme 120 ffef")
	m := r.connect("Ann")
	r.do(func(tx Tx) { tx.Join(m) })
	r.want("who joins", m.shows(), "theme 110 ffef")
}

// TestThemesAreReadable holds the ready made themes to WCAG AA: 4.5 to 1 of text on what is behind it.
func TestThemesAreReadable(t *testing.T) {
	light := func(c protocol.RGBA) float64 {
		part := func(v uint8) float64 {
			f := float64(v) / 255
			if f <= 0.04045 {
				return f / 12.92
			}
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
	}
	for name, theme := range Themes {
		if err := theme.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		hold := func(front, back int) {
			a, b := light(theme.Colors[front]), light(theme.Colors[back])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("%s: %s on %s is %.2f to 1", name, themeColors[front], themeColors[back], ratio)
			}
		}
		hold(protocol.ColorOnAccent, protocol.ColorAccent)
		for _, back := range []int{protocol.ColorBackground, protocol.ColorPanel, protocol.ColorSelected} {
			hold(protocol.ColorText, back)
			hold(protocol.ColorMuted, back)
			hold(protocol.ColorAccent, back)
			for kind := protocol.ColorInfo; kind <= protocol.ColorError; kind++ {
				hold(kind, back)
			}
		}
	}
}
