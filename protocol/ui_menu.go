package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// MaxMenuItems is the number of items that a menu can have.
const MaxMenuItems = 128

// A MenuOp says what a MenuItem does.
type MenuOp uint8

const (
	MenuRemove MenuOp = iota
	MenuSet           // adds an item, or changes it in place
)

var menuOps = []string{"remove", "set"}

// String is the op's word.
func (o MenuOp) String() string { return named(menuOps, o, "MenuOp") }

// A MenuKind is the kind of a menu's item.
type MenuKind uint8

const (
	MenuSelect MenuKind = iota
	MenuToggle
	MenuChoice
	MenuSlider
	MenuHeading
)

var menuKinds = []string{"select", "toggle", "choice", "slider", "heading"}

// String is the kind's word.
func (k MenuKind) String() string { return named(menuKinds, k, "MenuKind") }

// MenuItemFlags are the flags of a menu's item.
type MenuItemFlags uint8

const (
	MenuItemDisabled MenuItemFlags = 1 << iota
	MenuItemArrow                  // leads on
	MenuItemCloses                 // closes the menu when it is selected
)

// MaxMenuItem is the largest MenuItem in bytes.
const MaxMenuItem = 1100

// A MenuItem is one change of a menu. Its op and kind say which fields it has.
type MenuItem struct {
	ItemID   uint16 // not 0
	Op       MenuOp
	Revision uint16 // rises with what a key pressed on the old item must not mean
	Order    uint16 // items are sorted by it, then by id
	Kind     MenuKind
	Flags    MenuItemFlags
	Icon     Icon
	Color    RGBA
	Label    string // 1..96 bytes
	Detail   string // up to 64 bytes, at the right
	Help     string // up to 200 bytes, below the menu while the item is selected

	Toggle bool // the value
	Choice MenuOptions
	Slider MenuScale
}

// MenuOptions are the options of a choice and which of them it has.
type MenuOptions struct {
	Value   uint8    // number of the option
	Options []string // 1..64 of 1..48 bytes
}

// A MenuScale is the scale of a slider and its step: shown is Min + Value*Step.
type MenuScale struct {
	Min   float32 // within +-1e6
	Step  float32 // above 0, up to 1e6
	Steps uint16  // 1..1000
	Value uint16  // 0..Steps
	Unit  string  // plain, up to 16 bytes
}

func (i *MenuItem) Wire(c *wire.Codec) {
	c.AtMost(i, MaxMenuItem, func() {
		wire.NonZero(c, &i.ItemID)
		wire.Enum(c, &i.Op, MenuSet)
		wire.Union(c, i, &i.Op, wire.Nothing, (*MenuItem).set)
	})
}

func (i *MenuItem) set(c *wire.Codec) {
	c.U16(&i.Revision)
	c.U16(&i.Order)
	wire.Enum(c, &i.Kind, MenuHeading)
	wire.Bits(c, &i.Flags, 3)
	wire.Enum(c, &i.Icon, IconLast)
	c.RGBA(&i.Color)
	c.Str8(&i.Label, 1, 96, wire.Line)
	c.Str8(&i.Detail, 0, 64, wire.Line)
	c.Str8(&i.Help, 0, 200, wire.Line)
	wire.Union(c, i, &i.Kind, wire.Nothing, (*MenuItem).toggle, (*MenuItem).choice, (*MenuItem).slider, wire.Nothing)
}

func (i *MenuItem) toggle(c *wire.Codec) { c.Bool(&i.Toggle) }

func (i *MenuItem) choice(c *wire.Codec) {
	n := wire.Count(c, &i.Choice.Options, 1, 64)
	c.U8(&i.Choice.Value)
	wire.Items(c, &i.Choice.Options, n, func(s *string, c *wire.Codec) { c.Str8(s, 1, 48, wire.Line) })
}

func (i *MenuItem) slider(c *wire.Codec) {
	s := &i.Slider
	c.F32In(&s.Min, -1e6, 1e6)
	c.F32Over(&s.Step, 0, 1e6)
	wire.Range(c, &s.Steps, 1, 1000)
	c.U16(&s.Value)
	c.Str8(&s.Unit, 0, 16, wire.Plain)
}

func (i *MenuItem) check() error {
	switch {
	case i.Op != MenuSet:
		return nil
	case i.Kind == MenuHeading && i.Flags != 0:
		return errors.New("a heading has no flags")
	case i.Kind != MenuSelect && i.Flags&MenuItemCloses != 0:
		return fmt.Errorf("flags: a %v does not close the menu", i.Kind)
	case i.Kind == MenuChoice && int(i.Choice.Value) >= len(i.Choice.Options):
		return fmt.Errorf("value %d is not an option of %d", i.Choice.Value, len(i.Choice.Options))
	case i.Kind == MenuSlider && i.Slider.Value > i.Slider.Steps:
		return fmt.Errorf("value %d is above %d steps", i.Slider.Value, i.Slider.Steps)
	}
	return nil
}

// MenuItems sets and removes items of a menu.
type MenuItems struct {
	MenuID uint32
	Items  []MenuItem // 1..128, no item twice
}

func (*MenuItems) ID() ID { return IDMenuItems }

func (p *MenuItems) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.MenuID)
	n := wire.Count(c, &p.Items, 1, MaxMenuItems)
	c.Tail(&p.Items, 3, 1188, func() { wire.Items(c, &p.Items, n, (*MenuItem).Wire) })
}

func (p *MenuItems) Check() error {
	var seen idSet
	for n := range p.Items {
		item := &p.Items[n]
		if !seen.add(item.ItemID) {
			return fmt.Errorf("items[%d]: item %d stands there twice", n, item.ItemID)
		}
		if err := item.check(); err != nil {
			return fmt.Errorf("items[%d]: %w", n, err)
		}
	}
	return nil
}

// MenuFlags are the flags of a menu.
type MenuFlags uint8

const (
	MenuClosable  MenuFlags = 1 << iota // menu_back closes it
	MenuHighlight                       // the highlighted item is reported
	MenuHold                            // the player stands still
)

// MenuContent is the texts of a menu's head.
type MenuContent struct {
	Title    string // 1..96 bytes
	Subtitle string // up to 160 bytes
}

// MenuShow opens a menu, or changes the head of the open one of this id.
type MenuShow struct {
	MenuID  uint32
	Flags   MenuFlags
	Place   Place  // PlaceCenter too
	Items   uint16 // that it starts with, 1..128; they follow in MenuItems
	Start   uint16 // id of the item first selected; 0 the first that can be
	Content MenuContent
}

func (*MenuShow) ID() ID { return IDMenuShow }

func (p *MenuShow) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.MenuID)
	wire.Bits(c, &p.Flags, 3)
	wire.Enum(c, &p.Place, PlaceCenter)
	wire.Range(c, &p.Items, 1, MaxMenuItems)
	c.U16(&p.Start)
	c.Tail(&p.Content, 3, 258, func() {
		c.Str8(&p.Content.Title, 1, 96, wire.Line)
		c.Str8(&p.Content.Subtitle, 0, 160, wire.Line)
	})
}

// MenuHide closes a menu if it is open.
type MenuHide struct{ MenuID uint32 }

func (*MenuHide) ID() ID { return IDMenuHide }

func (p *MenuHide) Wire(c *wire.Codec) { wire.NonZero(c, &p.MenuID) }
