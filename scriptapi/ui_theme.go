package scriptapi

import (
	"strings"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// themeTable is a theme as Lua has it. Its colors stand in the order of protocol.ColorAccent and so on.
type themeTable struct {
	Accent     bind.RGBA     `lua:"accent" doc:"What stands out."`
	OnAccent   bind.RGBA     `lua:"on_accent" doc:"Text on it."`
	Background bind.RGBA     `lua:"background" doc:"Behind all; alpha 0 is transparent."`
	Panel      bind.RGBA     `lua:"panel" doc:"Of a dialog, a menu and the like."`
	Text       bind.RGBA     `lua:"text" doc:"What is read."`
	Muted      bind.RGBA     `lua:"muted" doc:"What matters less."`
	Border     bind.RGBA     `lua:"border" doc:"Around a panel."`
	Selected   bind.RGBA     `lua:"selected" doc:"Behind what is selected."`
	Info       bind.RGBA     `lua:"info" doc:"Of messages of this kind."`
	Success    bind.RGBA     `lua:"success" doc:"Of messages of this kind."`
	Warning    bind.RGBA     `lua:"warning" doc:"Of messages of this kind."`
	Error      bind.RGBA     `lua:"error" doc:"Of messages of this kind."`
	Radius     uint8         `lua:"radius" range:"0..16" doc:"Of corners, in px."`
	Scale      uint8         `lua:"scale" range:"75..150" doc:"In percent."`
	Font       protocol.Font `lua:"font" enum:"sans|condensed|game" doc:"Of all texts."`
	ChatLines  uint8         `lua:"chat_lines" range:"5..30" doc:"How many the chat window has."`
}

func (t *themeTable) colors() [12]*bind.RGBA {
	return [...]*bind.RGBA{&t.Accent, &t.OnAccent, &t.Background, &t.Panel, &t.Text, &t.Muted, &t.Border, &t.Selected, &t.Info, &t.Success,
		&t.Warning, &t.Error}
}

func themeOf(t world.Theme) themeTable {
	out := themeTable{Radius: t.Radius, Scale: t.Scale, Font: t.Font, ChatLines: t.ChatLines}
	for i, c := range out.colors() {
		*c = bind.RGBA(t.Colors[i])
	}
	return out
}

func (t *themeTable) theme() world.Theme {
	out := world.Theme{Radius: t.Radius, Scale: t.Scale, Font: t.Font, ChatLines: t.ChatLines}
	for i, c := range t.colors() {
		out.Colors[i] = protocol.RGBA(*c)
	}
	return out
}

// changed is a theme with what was given of another one.
func changed(t world.Theme, by *bind.Changes[themeTable]) world.Theme {
	table := themeOf(t)
	by.Apply(&table)
	return table.theme()
}

type themesTable struct {
	Dark     themeTable `lua:"dark" doc:"What a server begins with."`
	Light    themeTable `lua:"light" doc:"Dark on light."`
	Contrast themeTable `lua:"contrast" doc:"For who sees badly."`
}

type setThemeArgs struct {
	Theme *bind.Changes[themeTable] `lua:"theme" doc:"What differs from everyone's theme; nil: nothing."`
}

// hudOf is player.hud.
type hudOf struct{ *world.Player }

// hudParts are the parts of the HUD by name, in the order of their bits.
var hudParts = strings.Fields("radar health armor breath money wanted weapon clock area_name vehicle_name crosshair chat kill_feed nametags player_list radio")

// declareTheme declares the look of all UI, and which parts of the HUD show.
func (rt *Runtime) declareTheme(r *bind.Registry, h *bind.Handle[*world.Player]) {
	r.Module("mp.ui", "").Add(
		bind.GetSetAs("theme", "The look of all UI. What is set may be a part of it; the rest stays.", func(*bind.Call) themeTable {
			tx := rt.begin()
			defer tx.End()
			return themeOf(tx.Theme())
		}, func(_ *bind.Call, by bind.Changes[themeTable]) error {
			tx := rt.begin()
			defer tx.End()
			return tx.SetTheme(changed(tx.Theme(), &by))
		}, bind.Example(`mp.ui.theme = { accent = "#FFB000", radius = 0 }`)),
		bind.Get("themes", "Ready made ones: dark, light and contrast.", func(*bind.Call) themesTable {
			return themesTable{themeOf(world.Themes["dark"]), themeOf(world.Themes["light"]), themeOf(world.Themes["contrast"])}
		}, bind.Example(`mp.ui.theme = mp.ui.themes.light`)),
	)
	module := r.Module("mp.ui.hud", "Which parts of the HUD show, for all.")
	parts := bind.NewHandle(r, bind.HandleSpec[hudOf]{
		Name: "PlayerHud", Type: "player.hud", Doc: "Which parts of the HUD a player sees.", NoType: true, Gone: "this player has left",
		Valid: func(p hudOf) bool { return p.Player.Valid() },
	})
	for i, name := range hudParts {
		part := protocol.HudParts(1) << i
		what := strings.ReplaceAll(name, "_", " ")
		module.Add(bind.GetSet(name, "Whether all see it: "+what+".", func(*bind.Call) bool {
			tx := rt.begin()
			defer tx.End()
			return tx.HudShown(part)
		}, func(_ *bind.Call, show bool) error {
			tx := rt.begin()
			defer tx.End()
			tx.ShowHud(part, show)
			return nil
		}))
		parts.Add(bind.PropAs(name, "Whether he sees it: "+what+". nil: as for all.",
			func(p hudOf) bool {
				tx := rt.begin()
				defer tx.End()
				return tx.HudShownTo(p.Player, part)
			}, func(p hudOf, show *bool) error {
				tx := rt.begin()
				defer tx.End()
				tx.ShowHudTo(p.Player, part, show)
				return nil
			}))
	}
	h.Add(
		bind.Prop("hud", "Which parts of the HUD he sees: player.hud.radar = false.", func(p *world.Player) hudOf { return hudOf{p} }, nil, bind.Early()),
		bind.Method("set_theme", "Changes the look of all UI for him, until he leaves; what is not given is as for all.",
			func(_ *bind.Call, p *world.Player, a setThemeArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error {
					if a.Theme == nil {
						return tx.SetThemeOf(p, nil)
					}
					return tx.SetThemeOf(p, func(t *world.Theme) { *t = changed(*t, a.Theme) })
				})
			}, bind.Early(), bind.Example(`player:set_theme{ scale = 125 }`)),
	)
}
