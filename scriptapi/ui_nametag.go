package scriptapi

import (
	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// nametagOf is the handle behind player.nametag.
type nametagOf struct{ p *world.Player }

type nametagArgs struct {
	Name         *string        `lua:"name" range:"0..47" doc:"Instead of his name; empty: his name."`
	Text         *string        `lua:"text" range:"0..63" doc:"The second line; empty: none."`
	Color        *bind.RGBA     `lua:"color" doc:"The name's color."`
	Icon         *protocol.Icon `lua:"icon" doc:"Beside the name."`
	Distance     *float64       `lua:"distance" range:"1..300" doc:"From how far it is seen, in m."`
	Visible      *bool          `lua:"visible" doc:"Whether it is seen at all."`
	Health       *bool          `lua:"health" doc:"Whether it has a bar of his health."`
	Armor        *bool          `lua:"armor" doc:"Whether it has a bar of his armor."`
	Signs        *bool          `lua:"signs" doc:"Whether it says that he types or pauses."`
	ThroughWalls *bool          `lua:"through_walls" doc:"Whether it is seen through walls."`
}

type nametagOverrideArgs struct {
	Viewer *world.Player `lua:"viewer" doc:"Who sees it otherwise."`
	Values *nametagArgs  `lua:"values" doc:"What he sees otherwise, any of the properties; nil takes all of it back."`
}

// nametagPart is a property of a nametag, as all see it.
func nametagPart[V any](rt *Runtime, name, doc, tag string, part world.NametagPart, get func(m *protocol.PlayerNametag) V,
	set func(m *protocol.PlayerNametag, v V)) bind.HandleMember[nametagOf] {
	return bind.CallProp(name, doc, readHere(rt, func(tx world.Tx, n nametagOf) V {
		m := tx.Nametag(n.p, nil)
		return get(&m)
	}), writeBy(rt, func(tx world.Tx, n nametagOf, v V, by string) error {
		var m protocol.PlayerNametag
		set(&m, v)
		return tx.SetNametag(n.p, nil, m, []world.NametagPart{part}, by)
	}), bind.Tag(tag))
}

// nametagFlag is a property of a nametag that is a flag.
func nametagFlag(rt *Runtime, name, doc string, part world.NametagPart, flag protocol.NametagFlags) bind.HandleMember[nametagOf] {
	return nametagPart(rt, name, doc, "", part, func(m *protocol.PlayerNametag) bool { return m.Flags&flag != 0 },
		func(m *protocol.PlayerNametag, v bool) { setFlag(m, v, flag) })
}

func setFlag(m *protocol.PlayerNametag, on bool, flag protocol.NametagFlags) {
	if on {
		m.Flags |= flag
	}
}

func (rt *Runtime) declareNametags(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[nametagOf]{
		Name: "Nametag", Type: "nametag", Doc: "How a player's name looks over his head. What a resource has set goes when it stops.",
		Gone: "this player has left", NoType: true,
		Valid: func(n nametagOf) bool { return n.p.Valid() }, String: func(n nametagOf) string { return n.p.String() },
	}).Add(
		nametagPart(rt, "name", "Instead of his name; empty: his name.", `range:"0..47"`, world.NametagName,
			func(m *protocol.PlayerNametag) string { return m.Name }, func(m *protocol.PlayerNametag, v string) { m.Name = v }),
		nametagPart(rt, "text", "The second line, with markup; empty: none.", `range:"0..63"`, world.NametagText,
			func(m *protocol.PlayerNametag) string { return m.Text }, func(m *protocol.PlayerNametag, v string) { m.Text = v }),
		nametagPart(rt, "color", "The name's color; nil: that of his list_entry.", "", world.NametagColor,
			func(m *protocol.PlayerNametag) *bind.RGBA { return color(m.Color) },
			func(m *protocol.PlayerNametag, v *bind.RGBA) { m.Color = wireColor(v) }),
		nametagPart(rt, "icon", "Beside the name; none at first.", "", world.NametagIcon,
			func(m *protocol.PlayerNametag) protocol.Icon { return m.Icon }, func(m *protocol.PlayerNametag, v protocol.Icon) { m.Icon = v }),
		nametagPart(rt, "distance", "From how far it is seen, in m; 40 at first.", `range:"1..300"`, world.NametagDistance,
			func(m *protocol.PlayerNametag) float64 { return round(m.Distance) },
			func(m *protocol.PlayerNametag, v float64) { m.Distance = float32(v) }),
		nametagFlag(rt, "visible", "Whether it is seen at all.", world.NametagVisible, protocol.NametagShown),
		nametagFlag(rt, "health", "Whether it has a bar of his health.", world.NametagHealth, protocol.NametagHealth),
		nametagFlag(rt, "armor", "Whether it has a bar of his armor.", world.NametagArmor, protocol.NametagArmor),
		nametagFlag(rt, "signs", "Whether it says that he types or pauses.", world.NametagSigns, protocol.NametagSigns),
		nametagFlag(rt, "through_walls", "Whether it is seen through walls; not at first.", world.NametagThroughWalls, protocol.NametagThroughWalls),
		bind.Method("override", "Shows it to one viewer otherwise.", func(c *bind.Call, n nametagOf, a nametagOverrideArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error {
				if a.Values == nil {
					tx.ResetNametag(n.p, a.Viewer)
					return nil
				}
				m, parts := a.Values.parts()
				return tx.SetNametag(n.p, a.Viewer, m, parts, instanceOf(c).name())
			})
		}, bind.Example(`player.nametag:override(player, { name = "You", health = false })`)),
		bind.Method("reset", "Takes back all that was set of it, by whomever and for whomever.", func(_ *bind.Call, n nametagOf, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.ResetNametag(n.p, nil); return nil })
		}),
	)
}

// parts are the properties that a table has.
func (a *nametagArgs) parts() (m protocol.PlayerNametag, parts []world.NametagPart) {
	add := func(part world.NametagPart, given bool, set func()) {
		if given {
			parts = append(parts, part)
			set()
		}
	}
	flag := func(part world.NametagPart, v *bool, flag protocol.NametagFlags) {
		add(part, v != nil, func() { setFlag(&m, *v, flag) })
	}
	add(world.NametagName, a.Name != nil, func() { m.Name = *a.Name })
	add(world.NametagText, a.Text != nil, func() { m.Text = *a.Text })
	add(world.NametagColor, a.Color != nil, func() { m.Color = wireColor(a.Color) })
	add(world.NametagIcon, a.Icon != nil, func() { m.Icon = *a.Icon })
	add(world.NametagDistance, a.Distance != nil, func() { m.Distance = float32(*a.Distance) })
	flag(world.NametagVisible, a.Visible, protocol.NametagShown)
	flag(world.NametagHealth, a.Health, protocol.NametagHealth)
	flag(world.NametagArmor, a.Armor, protocol.NametagArmor)
	flag(world.NametagSigns, a.Signs, protocol.NametagSigns)
	flag(world.NametagThroughWalls, a.ThroughWalls, protocol.NametagThroughWalls)
	return m, parts
}
