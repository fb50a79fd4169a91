package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// A MenuEvent is what the player did in a menu.
type MenuEvent uint8

const (
	MenuHighlighted MenuEvent = iota
	MenuSelected
	MenuChanged
	MenuLeft
)

var menuEvents = []string{"highlight", "select", "change", "close"}

// String is the event's word, as Lua has it.
func (e MenuEvent) String() string { return named(menuEvents, e, "MenuEvent") }

// MenuInput tells what the player did in a menu.
type MenuInput struct {
	MenuID   uint32
	ItemID   uint16 // 0 with MenuLeft
	Revision uint16 // of the item as the client has it
	Event    MenuEvent
	Value    uint16 // with MenuChanged: 0 or 1, number of the option, step of the slider
}

func (*MenuInput) ID() ID { return IDMenuInput }

func (p *MenuInput) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.MenuID)
	c.U16(&p.ItemID)
	c.U16(&p.Revision)
	wire.Enum(c, &p.Event, MenuLeft)
	c.U16(&p.Value)
}

func (p *MenuInput) Check() error {
	switch {
	case p.Event == MenuLeft && (p.ItemID != 0 || p.Revision != 0):
		return errors.New("who leaves a menu names no item and no revision")
	case p.Event != MenuLeft && p.ItemID == 0:
		return errors.New("item_id must not be 0")
	case p.Event != MenuChanged && p.Value != 0:
		return fmt.Errorf("value %d although nothing has changed", p.Value)
	}
	return nil
}
