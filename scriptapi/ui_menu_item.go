package scriptapi

import (
	"errors"
	"fmt"
	"math"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// menuItemArgs are an item of a menu. toggle, choice, slider or heading make it another one than one to select.
type menuItemArgs struct {
	Label    string        `lua:"label" range:"1..96" doc:"What it is called."`
	ID       bind.Raw      `lua:"id,optional" doc:"Any value of the script's, by which menu:item finds it."`
	Detail   string        `lua:"detail,optional" range:"0..64" doc:"What stands at the right."`
	Help     string        `lua:"help,optional" range:"0..200" doc:"What stands below the menu while it is selected."`
	Icon     protocol.Icon `lua:"icon,optional" doc:"A small picture."`
	Color    *bind.RGBA    `lua:"color" doc:"The label's color; the theme's without it."`
	Disabled bool          `lua:"disabled" default:"false" doc:"Whether it cannot be used."`
	Arrow    bool          `lua:"arrow" default:"false" doc:"Whether it shows that it leads on."`
	Close    bool          `lua:"close" default:"false" doc:"Whether selecting it closes the menu."`
	Toggle   *bool         `lua:"toggle" doc:"Makes it a toggle, with this value."`
	Choice   []string      `lua:"choice,optional" doc:"Makes it a choice of 1 to 64 options."`
	Slider   *sliderArgs   `lua:"slider" doc:"Makes it a slider: { min, max, step = 1, unit? }."`
	Heading  bool          `lua:"heading" default:"false" doc:"Makes it a heading: nobody stands on it."`
	At       *float64      `lua:"at" doc:"The number of the option that a choice has at first, 1 without it, or the number that a slider has, min without it."`
}

type sliderArgs struct {
	Min  float64 `lua:"min,1" range:"-1000000..1000000" doc:"Its left end."`
	Max  float64 `lua:"max,2" range:"-1000000..1000000" doc:"Its right end."`
	Step float64 `lua:"step" default:"1" range:"0..1000000" doc:"From one place to the next, of which there are up to 1,000."`
	Unit string  `lua:"unit,optional" range:"0..16" doc:"What stands behind the number: plain text."`
}

// menuItem is what Lua's side keeps of an item: the world's Owner of it.
type menuItem struct {
	menu   *openMenu
	id     bind.Raw
	slider sliderArgs
}

// value is an item's value for Lua.
func (k *menuItem) value(kind protocol.MenuKind, v uint16) any {
	switch kind {
	case protocol.MenuToggle:
		return v == 1
	case protocol.MenuChoice:
		return float64(v) + 1
	case protocol.MenuSlider:
		return k.slider.at(v)
	}
	return nil
}

// at is the number of a step, without the digits that come from steps such as 0.1.
func (s sliderArgs) at(step uint16) float64 {
	return math.Round((s.Min+s.Step*float64(step))*1e6) / 1e6
}

// steps is how many steps there are from min to a number; whole says that it is one of them.
func (s sliderArgs) steps(to float64) (n float64, whole bool) {
	n = math.Round((to - s.Min) / s.Step)
	return n, math.Abs((to-s.Min)/s.Step-n) <= 1e-6
}

// scale is a slider on the wire, at its left end.
func (s sliderArgs) scale() (protocol.MenuScale, error) {
	out := protocol.MenuScale{Min: float32(s.Min), Step: float32(s.Step), Unit: s.Unit}
	if s.Step <= 0 || s.Max <= s.Min {
		return out, errors.New("a max above min and a step above 0 expected")
	}
	n, whole := s.steps(s.Max)
	if !whole || n > 1000 {
		return out, fmt.Errorf("up to 1,000 whole steps of %s from %s to %s expected", number(s.Step), number(s.Min), number(s.Max))
	}
	out.Steps = uint16(n)
	return out, nil
}

// step is the step that a number stands for.
func (s sliderArgs) step(v float64) (uint16, error) {
	n, whole := s.steps(v)
	if !whole || v < s.Min || v > s.Max {
		return 0, fmt.Errorf("a number %s..%s in steps of %s expected, got %s", number(s.Min), number(s.Max), number(s.Step), number(v))
	}
	return uint16(n), nil
}

// state is the item as the world has it. The error names the field as Lua calls it; at is the item's own.
func (a *menuItemArgs) state(at string) (protocol.MenuItem, error) {
	s := protocol.MenuItem{Icon: a.Icon, Color: wireColor(a.Color), Label: a.Label, Detail: a.Detail, Help: a.Help,
		Flags: itemFlags(a.Disabled, protocol.MenuItemDisabled) | itemFlags(a.Arrow, protocol.MenuItemArrow) | itemFlags(a.Close, protocol.MenuItemCloses)}
	kinds := 0
	for n, is := range []bool{a.Toggle != nil, a.Choice != nil, a.Slider != nil, a.Heading} {
		if is {
			kinds++
			s.Kind = protocol.MenuToggle + protocol.MenuKind(n)
		}
	}
	wrong := func(field string, err error) (protocol.MenuItem, error) {
		return s, fmt.Errorf("field %q: %w", at+field, err)
	}
	switch {
	case kinds > 1:
		return s, fmt.Errorf("field %q: an item is one of toggle, choice, slider and heading", at+s.Kind.String())
	case a.At != nil && a.Choice == nil && a.Slider == nil:
		return wrong("at", errors.New("it is a choice's or a slider's"))
	}
	var err error
	switch s.Kind {
	case protocol.MenuToggle:
		s.Toggle = *a.Toggle
	case protocol.MenuChoice:
		s.Choice.Options = a.Choice
		if a.At != nil {
			if s.Choice.Value, err = option(*a.At, len(a.Choice)); err != nil {
				return wrong("at", err)
			}
		}
	case protocol.MenuSlider:
		if s.Slider, err = a.Slider.scale(); err != nil {
			return wrong("slider", err)
		}
		if a.At != nil {
			if s.Slider.Value, err = a.Slider.step(*a.At); err != nil {
				return wrong("at", err)
			}
		}
	}
	return s, nil
}

// option is the number of an option on the wire.
func option(v float64, among int) (uint8, error) {
	if v != math.Trunc(v) || v < 1 || v > float64(among) {
		return 0, fmt.Errorf("an option 1..%d expected, got %s", among, number(v))
	}
	return uint8(v) - 1, nil
}

func itemFlags(is bool, f protocol.MenuItemFlags) protocol.MenuItemFlags {
	if is {
		return f
	}
	return 0
}

// keep is what Lua's side keeps of an item.
func (a *menuItemArgs) keep(k *openMenu) *menuItem {
	i := &menuItem{menu: k, id: a.ID}
	if a.Slider != nil {
		i.slider = *a.Slider
	}
	return i
}

// spec is the menu as the world has it.
func (a *menuArgs) spec(k *openMenu) (world.MenuSpec, error) {
	s := world.MenuSpec{Title: a.Title, Subtitle: a.Subtitle, Place: a.Place, Start: -1, Closable: a.Closable, Highlight: a.Highlight,
		Hold: a.Hold, CloseOnDeath: a.Death, By: k.inst.name(), Owner: k}
	for n := range a.Items {
		item := &a.Items[n]
		state, err := item.state(fmt.Sprintf("items[%d].", n+1))
		if err != nil {
			return s, err
		}
		if !a.Start.IsNil() && s.Start < 0 && item.ID.Is(a.Start) {
			s.Start = n
		}
		s.Items = append(s.Items, world.MenuEntry{State: state, Owner: item.keep(k)})
	}
	if a.Start.IsNil() || s.Start >= 0 {
		return s, nil
	}
	n, _ := a.Start.Plain()
	place, _ := n.(float64)
	if place != math.Trunc(place) || place < 1 || place > float64(len(a.Items)) {
		return s, fmt.Errorf("field \"start\": no item has the id or the number %s", a.Start.Describe())
	}
	s.Start = int(place) - 1
	return s, nil
}

// itemByID finds an item by the script's id.
func itemByID(items []*world.MenuItem, id bind.Raw) *world.MenuItem {
	for _, i := range items {
		if i.Owner.(*menuItem).id.Is(id) {
			return i
		}
	}
	return nil
}

func (rt *Runtime) setItems(c *bind.Call, m *world.Menu, list []menuItemArgs) error {
	if err := ownMenu(c, m); err != nil {
		return err
	}
	k := m.Owner.(*openMenu)
	tx := rt.begin()
	defer tx.End()
	left := itemsOf(tx, m)
	entries := make([]world.MenuEntry, len(list))
	for n := range list {
		a := &list[n]
		state, err := a.state(fmt.Sprintf("items[%d].", n+1))
		if err != nil {
			return err
		}
		entries[n] = world.MenuEntry{State: state, Owner: a.keep(k)}
		for at, i := range left {
			if i != nil && !a.ID.IsNil() && i.Owner.(*menuItem).id.Is(a.ID) && tx.MenuItemState(i).Kind == state.Kind {
				entries[n].Item, left[at] = i, nil
				break
			}
		}
	}
	if !tx.MenuOpen(m) {
		return nil
	}
	if err := tx.SetMenuItems(m, entries); err != nil {
		return err
	}
	for _, e := range entries {
		if e.Item != nil {
			e.Item.Owner.(*menuItem).slider = e.Owner.(*menuItem).slider
		}
	}
	for _, i := range left {
		if i != nil {
			k.inst.env.Release(i)
		}
	}
	return nil
}

func (rt *Runtime) addItem(c *bind.Call, m *world.Menu, a addItemArgs) (*world.MenuItem, error) {
	if err := ownMenu(c, m); err != nil {
		return nil, err
	}
	state, err := a.Item.state("")
	if err != nil {
		return nil, err
	}
	tx := rt.begin()
	defer tx.End()
	i, err := tx.AddMenuItem(m, world.MenuEntry{State: state, Owner: a.Item.keep(m.Owner.(*openMenu))}, a.Before)
	if err == nil && !tx.MenuOpen(m) { // nothing will take its handle back
		_ = rt.cfg.Post(func() { c.Env().Release(i) })
	}
	return i, err
}

// declareMenuItems declares what an item has: what it was made with but for its kind, and its present value.
func (rt *Runtime) declareMenuItems(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[*world.MenuItem]{Name: "MenuItem", Type: "item", Doc: "An item of a menu. It can still be read when the menu is over.", NoType: true}).Add(
		bind.CallProp("id", "The script's own value for it, or nil.", func(c *bind.Call, i *world.MenuItem) bind.Raw {
			k := i.Owner.(*menuItem)
			if k.menu.inst == instanceOf(c) {
				return k.id
			}
			copied, _ := k.id.Plain() // a value of another state
			return c.Env().Raw(copied)
		}, nil),
		itemProp(rt, "label", "What it is called.", `range:"1..96"`, func(s *protocol.MenuItem) *string { return &s.Label }),
		itemProp(rt, "detail", "What stands at the right.", `range:"0..64"`, func(s *protocol.MenuItem) *string { return &s.Detail }),
		itemProp(rt, "help", "What stands below the menu while it is selected.", `range:"0..200"`, func(s *protocol.MenuItem) *string { return &s.Help }),
		itemProp(rt, "icon", "A small picture.", "", func(s *protocol.MenuItem) *protocol.Icon { return &s.Icon }),
		bind.Prop("color", "The label's color; nil is the theme's.",
			read(rt, func(tx world.Tx, i *world.MenuItem) *bind.RGBA { return color(tx.MenuItemState(i).Color) }),
			writeItem(rt, func(s *protocol.MenuItem, v *bind.RGBA) error { s.Color = wireColor(v); return nil })),
		itemFlag(rt, "disabled", "Whether it cannot be used.", protocol.MenuItemDisabled),
		itemFlag(rt, "arrow", "Whether it shows that it leads on.", protocol.MenuItemArrow),
		itemFlag(rt, "close", "Whether selecting it closes the menu.", protocol.MenuItemCloses),
		bind.Prop("toggle", "The value of a toggle; nil of another kind.", read(rt, func(tx world.Tx, i *world.MenuItem) *bool {
			s := tx.MenuItemState(i)
			return only(s.Kind == protocol.MenuToggle, s.Toggle)
		}), rt.setToggle),
		bind.Prop("choice", "The options of a choice; nil of another kind.",
			read(rt, func(tx world.Tx, i *world.MenuItem) *[]string {
				s := tx.MenuItemState(i)
				return only(s.Kind == protocol.MenuChoice, s.Choice.Options)
			}),
			writeItem(rt, func(s *protocol.MenuItem, v *[]string) error {
				if err := ofKind(s, protocol.MenuChoice); err != nil || v == nil {
					return err
				}
				s.Choice.Options = *v
				s.Choice.Value = uint8(max(0, min(int(s.Choice.Value), len(*v)-1)))
				return nil
			})),
		bind.Prop("slider", "The scale of a slider; nil of another kind.",
			read(rt, func(tx world.Tx, i *world.MenuItem) *sliderArgs {
				return only(tx.MenuItemState(i).Kind == protocol.MenuSlider, i.Owner.(*menuItem).slider)
			}), rt.setSlider),
		bind.Prop("heading", "Whether it is a heading.", read(rt, func(tx world.Tx, i *world.MenuItem) bool {
			return tx.MenuItemState(i).Kind == protocol.MenuHeading
		}), nil),
		bind.Prop("at", "The number of a choice's option, or a slider's number; nil of another kind.", read(rt, func(tx world.Tx, i *world.MenuItem) *float64 {
			v, ok := itemValue(tx, i).(float64)
			return only(ok, v)
		}), rt.setItemAt),
		bind.Prop("value", "A toggle's boolean, the number of a choice's option, or a slider's number; nil of another kind.", read(rt, itemValue), rt.setItemAny),
		bind.Method("raise", "Drops keys that were pressed on it before: its price has changed.", func(_ *bind.Call, i *world.MenuItem, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.RaiseMenuItem(i); return nil })
		}),
		bind.Method("remove", "Removes it.", func(c *bind.Call, i *world.MenuItem, _ bind.None) (bind.None, error) {
			c.Env().Release(i)
			return rt.with(func(tx world.Tx) error { tx.RemoveMenuItem(i); return nil })
		}),
	)
}

func only[T any](is bool, v T) *T {
	if !is {
		return nil
	}
	return &v
}

// writeItem makes a property's setter of a change of an item's state.
func writeItem[V any](rt *Runtime, f func(s *protocol.MenuItem, v V) error) func(i *world.MenuItem, v V) error {
	return func(i *world.MenuItem, v V) error {
		var wrong error
		_, err := rt.with(func(tx world.Tx) error {
			return tx.ChangeMenuItem(i, func(s *protocol.MenuItem) {
				before := *s
				if wrong = f(s, v); wrong != nil {
					*s = before
				}
			})
		})
		if wrong != nil {
			return wrong
		}
		return err
	}
}

func itemProp[V any](rt *Runtime, name, doc, tag string, at func(s *protocol.MenuItem) *V) bind.HandleMember[*world.MenuItem] {
	return bind.Prop(name, doc, read(rt, func(tx world.Tx, i *world.MenuItem) V {
		s := tx.MenuItemState(i)
		return *at(&s)
	}), writeItem(rt, func(s *protocol.MenuItem, v V) error { *at(s) = v; return nil }), bind.Tag(tag))
}

func itemFlag(rt *Runtime, name, doc string, f protocol.MenuItemFlags) bind.HandleMember[*world.MenuItem] {
	return bind.Prop(name, doc, read(rt, func(tx world.Tx, i *world.MenuItem) bool { return tx.MenuItemState(i).Flags&f != 0 }),
		writeItem(rt, func(s *protocol.MenuItem, v bool) error {
			s.Flags = s.Flags&^f | itemFlags(v, f)
			return nil
		}))
}

func ofKind(s *protocol.MenuItem, k protocol.MenuKind) error {
	if s.Kind == k {
		return nil
	}
	return fmt.Errorf("the item is a %v: its kind stays", s.Kind)
}

func itemValue(tx world.Tx, i *world.MenuItem) any {
	s := tx.MenuItemState(i)
	return i.Owner.(*menuItem).value(s.Kind, world.MenuValue(&s))
}

func (rt *Runtime) setSlider(i *world.MenuItem, v *sliderArgs) error {
	k := i.Owner.(*menuItem)
	err := writeItem(rt, func(s *protocol.MenuItem, v *sliderArgs) error {
		if err := ofKind(s, protocol.MenuSlider); err != nil || v == nil {
			return err
		}
		scale, err := v.scale()
		if err != nil {
			return err
		}
		n, _ := v.steps(min(max(k.slider.at(s.Slider.Value), v.Min), v.Max)) // the nearest to where it is
		scale.Value = uint16(n)
		s.Slider = scale
		return nil
	})(i, v)
	if err == nil && v != nil {
		k.slider = *v
	}
	return err
}

func (rt *Runtime) setToggle(i *world.MenuItem, v *bool) error {
	return writeItem(rt, func(s *protocol.MenuItem, v *bool) error {
		if err := ofKind(s, protocol.MenuToggle); err != nil || v == nil {
			return err
		}
		s.Toggle = *v
		return nil
	})(i, v)
}

func (rt *Runtime) setItemAt(i *world.MenuItem, v *float64) error {
	return writeItem(rt, func(s *protocol.MenuItem, v *float64) (err error) {
		switch {
		case v == nil:
			return errors.New("a number expected, got nil")
		case s.Kind == protocol.MenuChoice:
			s.Choice.Value, err = option(*v, len(s.Choice.Options))
		case s.Kind == protocol.MenuSlider:
			s.Slider.Value, err = i.Owner.(*menuItem).slider.step(*v)
		default:
			err = fmt.Errorf("the item is a %v, without a number", s.Kind)
		}
		return err
	})(i, v)
}

func (rt *Runtime) setItemAny(i *world.MenuItem, v any) error {
	switch v := v.(type) {
	case bool:
		return rt.setToggle(i, &v)
	case float64:
		return rt.setItemAt(i, &v)
	}
	return errors.New("a boolean or a number expected")
}
