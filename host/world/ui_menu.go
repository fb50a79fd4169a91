package world

import (
	"cmp"
	"errors"
	"slices"

	"darqline/host/limit"
	"darqline/protocol"
	"darqline/protocol/pacer"
)

// menus is the menu that a player has open, at most one (page Chat, HUD and dialogs, Menus).
type menus struct {
	shown *Menu
	limit limit.Bucket
}

// MenuSpec is what a menu begins with.
type MenuSpec struct {
	Title, Subtitle string // lines with markup
	Place           protocol.Place
	Items           []MenuEntry // 1..128
	Start           int         // the item first selected, from 0; -1: the first that can be
	Closable        bool        // the player may leave it
	Highlight       bool        // the item that the player stands on is told
	Hold            bool        // he stands still meanwhile
	CloseOnDeath    bool
	By              string // the resource
	Owner           any    // whoever receives its events
}

// MenuEntry is an item in a list that is set as a whole. State says nothing of id, order and revision: those are the menu's.
type MenuEntry struct {
	Item  *MenuItem // one that stays, of the same kind; nil: a new one
	State protocol.MenuItem
	Owner any // of a new one
}

// Menu is a list that the player moves through by keys while he plays on. It is read through a Tx.
type Menu struct {
	Player *Player
	Owner  any
	By     string

	spec     MenuSpec // without its items
	id       uint32
	items    []*MenuItem // in the order of the screen
	lastID   uint16      // of an item; none is used again
	selected *MenuItem   // the last that the player is known to have stood on
	closing  bool        // an item that closes it was selected, and its handlers decide
	over     bool
	reason   EndReason

	changed  map[uint16][]*MenuItem // wait to be sent, by their part
	stale    []uint16               // parts of them of which the pacer has an older state
	removed  []uint16               // ids that wait to be removed from the screen
	removing bool                   // the pacer has an older state of them
}

// MenuItem is an item of a menu. It can still be read when it is removed or its menu is over; what is set then is shown to
// nobody.
type MenuItem struct {
	Menu  *Menu
	Owner any

	state    protocol.MenuItem
	accepted uint16 // the value that scripts know
	asking   bool   // a change of it waits for the scripts
	known    bool   // the client may have it
	gone     bool
}

// The events of a menu; LuaName is for logs, as none of them is one of mp.on.
type (
	// MenuSelected says that an item was selected, as it was at that revision: TakeMenuSelection tells whether it still is.
	// SelectedMenuItem ends what an item that closes the menu has begun.
	MenuSelected struct {
		Item     *MenuItem
		Revision uint16
	}
	// MenuChanged says that the player has changed an item; TakeMenuChange tells to what.
	MenuChanged struct{ Item *MenuItem }
	// MenuHighlighted says on which item the player stands.
	MenuHighlighted struct{ Item *MenuItem }
	// MenuDone says that a menu is over. There is exactly one for each that was opened.
	MenuDone struct{ Menu *Menu }
)

func (MenuSelected) LuaName() string    { return "menu_select" }
func (MenuChanged) LuaName() string     { return "menu_change" }
func (MenuHighlighted) LuaName() string { return "menu_highlight" }
func (MenuDone) LuaName() string        { return "menu_close" }

type (
	menuKey      struct{ id uint32 } // the head and the first items
	menuHeadKey  struct{ id uint32 } // a change of the head
	menuItemsKey struct {            // changes of a part of the items
		id   uint32
		part uint16
	}
	menuGoneKey struct{ id uint32 } // removals of items
	menuHideKey struct{ id uint32 }
)

// OpenMenu shows a menu in place of the one that is open. It is over at once where the leave of the player has been told to
// all; else a MenuDone will tell. The error is about the spec.
func (tx Tx) OpenMenu(p *Player, spec MenuSpec) (m *Menu, told bool, err error) {
	m = &Menu{Player: p, Owner: spec.Owner, By: spec.By, id: tx.newID(), spec: spec}
	m.spec.Items = nil
	if err := cmp.Or(checkMenuHead(&m.spec), checkMenuItems(spec.Items)); err != nil {
		return nil, false, err
	}
	var states []protocol.MenuItem
	for n := range spec.Items {
		i := m.newItem(&spec.Items[n])
		i.state.Order, i.known = orderOf(n), true
		m.items = append(m.items, i)
		states = append(states, i.state)
	}
	head := m.head()
	if spec.Start >= 0 && spec.Start < len(m.items) {
		m.selected = m.items[spec.Start]
		head.Start = m.selected.state.ItemID
	}
	if p.gone {
		tx.overMenu(m, EndLeave)
		return m, !p.answers.allOver, nil
	}
	if p.menus.shown != nil {
		tx.endMenu(p.menus.shown, EndReplaced)
	}
	p.menus.shown = m
	p.link.Pace(pacer.Thing{Key: menuKey{m.id}, Class: pacer.Waited,
		Packets: append([]protocol.Packet{head}, menuPackets(m.id, states)...)})
	tx.opened(p, m.id, menuKey{m.id}, m)
	return m, true, nil
}

// head is the packet of a menu's head as it is now.
func (m *Menu) head() *protocol.MenuShow {
	h := &protocol.MenuShow{MenuID: m.id, Place: m.spec.Place, Items: uint16(max(1, len(m.items))),
		Content: protocol.MenuContent{Title: m.spec.Title, Subtitle: m.spec.Subtitle}}
	if m.spec.Closable {
		h.Flags |= protocol.MenuClosable
	}
	if m.spec.Highlight {
		h.Flags |= protocol.MenuHighlight
	}
	if m.spec.Hold {
		h.Flags |= protocol.MenuHold
	}
	return h
}

// CloseMenu ends a menu for a script, once.
func (tx Tx) CloseMenu(m *Menu) {
	if !m.over {
		tx.endMenu(m, EndClosed)
	}
}

// endMenu takes a menu from the screen, or from the way there, and ends it.
func (tx Tx) endMenu(m *Menu, reason EndReason) {
	link := m.Player.link
	tx.closed(m.Player, m.id)
	waited, begun := link.Drop(menuKey{m.id})
	if reason != EndCancel && (!waited || begun) { // who has left a menu has closed it himself
		link.Pace(pacer.Thing{Key: menuHideKey{m.id}, Class: pacer.Removals,
			Packets: []protocol.Packet{&protocol.MenuHide{MenuID: m.id}}})
	}
	link.Drop(menuHeadKey{m.id})
	for part := range m.changed {
		link.Drop(menuItemsKey{m.id, part})
	}
	link.Drop(menuGoneKey{m.id})
	m.Player.menus.shown = nil
	tx.overMenu(m, reason)
}

func (tx Tx) overMenu(m *Menu, reason EndReason) {
	m.over, m.reason, m.changed, m.stale, m.removed = true, reason, nil, nil, nil
	tx.end(m.Player, MenuDone{m})
}

// endMenus ends a player's menu if it matches.
func (tx Tx) endMenus(p *Player, reason EndReason, match func(m *Menu) bool) {
	if m := p.menus.shown; m != nil && match(m) {
		tx.endMenu(m, reason)
	}
}

func anyMenu(*Menu) bool { return true }

// SetMenuHead changes a menu's title and subtitle in place.
func (tx Tx) SetMenuHead(m *Menu, title, subtitle string) error {
	spec := m.spec
	spec.Title, spec.Subtitle = title, subtitle
	if err := checkMenuHead(&spec); err != nil {
		return err
	}
	m.spec = spec
	if !m.over {
		m.Player.link.Pace(pacer.Thing{Key: menuHeadKey{m.id}, Class: pacer.Rest, After: menuKey{m.id},
			Packets: []protocol.Packet{m.head()}})
	}
	return nil
}

// MenuOf is the menu that is on the player's screen or on its way there; nil: none.
func (tx Tx) MenuOf(p *Player) *Menu { return p.menus.shown }

// MenuID is the number under which the client knows a menu.
func (tx Tx) MenuID(m *Menu) uint32 { return m.id }

// MenuOpen says whether a menu is not over.
func (tx Tx) MenuOpen(m *Menu) bool { return !m.over }

// MenuEnd is why a menu is over.
func (tx Tx) MenuEnd(m *Menu) EndReason { return m.reason }

// MenuHead is a menu's title and subtitle.
func (tx Tx) MenuHead(m *Menu) (title, subtitle string) { return m.spec.Title, m.spec.Subtitle }

// MenuItems are a menu's items in the order of the screen.
func (tx Tx) MenuItems(m *Menu) []*MenuItem { return slices.Clone(m.items) }

// MenuSelection is the item that the player is known to have stood on last: the first that can be selected before he has
// told anything, nil where there is none.
func (tx Tx) MenuSelection(m *Menu) *MenuItem {
	if m.selected != nil && !m.selected.gone {
		return m.selected
	}
	for _, i := range m.items {
		if i.takesKeys() {
			return i
		}
	}
	return nil
}

// MenuItemState is an item as the server has it.
func (tx Tx) MenuItemState(i *MenuItem) protocol.MenuItem { return i.state }

// MenuItemGone says whether an item was removed.
func (tx Tx) MenuItemGone(i *MenuItem) bool { return i.gone }

// checkMenuHead says what is wrong with the texts of a head.
func checkMenuHead(s *MenuSpec) error {
	if s.Title == "" {
		return errors.New("field \"title\": a menu has one")
	}
	return cmp.Or(line("title", s.Title, menuTitle), line("subtitle", s.Subtitle, menuSubtitle))
}
