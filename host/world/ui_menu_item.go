package world

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// What the texts of a menu may be, in bytes (page Chat, HUD and dialogs, Menus).
const (
	menuTitle    = 96
	menuSubtitle = 160
	menuLabel    = 96
	menuDetail   = 64
	menuHelp     = 200
	menuOption   = 48
	menuOptions  = 64 // options of a choice
	menuUnit     = 16
	menuSteps    = 1000
	menuFar      = 1e6 // bounds of a slider

	menuContent = 1188 // of a MenuItems
	orderGap    = 256  // between neighbours, so that others fit in between
)

var (
	errMenuFull = fmt.Errorf("a menu has at most %d items", protocol.MaxMenuItems)
	errMenuWorn = fmt.Errorf("65,535 items were in this menu, and none can be again: open another one")
)

// orderOf is the order of the item at a place where all are counted anew.
func orderOf(place int) uint16 { return uint16((place + 1) * orderGap) }

// newItem makes an item with the menu's next id.
func (m *Menu) newItem(e *MenuEntry) *MenuItem {
	m.lastID++
	i := &MenuItem{Menu: m, Owner: e.Owner, state: e.State}
	i.state.ItemID, i.state.Op, i.state.Revision = m.lastID, protocol.MenuSet, 0
	i.accepted = i.value()
	return i
}

// AddMenuItem adds an item before another one of the menu, or at the end.
func (tx Tx) AddMenuItem(m *Menu, e MenuEntry, before *MenuItem) (*MenuItem, error) {
	switch err := checkMenuItem("", &e.State); {
	case err != nil:
		return nil, err
	case len(m.items) >= protocol.MaxMenuItems:
		return nil, errMenuFull
	case m.lastID == math.MaxUint16:
		return nil, errMenuWorn
	}
	at := len(m.items)
	if before != nil {
		if at = slices.Index(m.items, before); at < 0 {
			return nil, errors.New("the item to stand before is not in this menu")
		}
	}
	i := m.newItem(&e)
	m.items = slices.Insert(m.items, at, i)
	m.mark(i)
	if low, high := m.orderAround(at); high-low > 1 {
		i.state.Order = uint16(low + (high-low)/2)
	} else {
		for place, other := range m.items {
			if other.state.Order != orderOf(place) {
				other.state.Order = orderOf(place)
				m.mark(other)
			}
		}
	}
	tx.paceItems(m)
	return i, nil
}

// orderAround is between which orders the item at a place stands.
func (m *Menu) orderAround(at int) (low, high int) {
	if at > 0 {
		low = int(m.items[at-1].state.Order)
	}
	if at+1 < len(m.items) {
		return low, int(m.items[at+1].state.Order)
	}
	return low, min(low+2*orderGap, math.MaxUint16+1)
}

// SetMenuItems makes a menu's items those of a list, in its order; those that are not in it are removed.
func (tx Tx) SetMenuItems(m *Menu, list []MenuEntry) error {
	if err := checkMenuItems(list); err != nil {
		return err
	}
	fresh := 0
	for n := range list {
		if list[n].Item == nil {
			fresh++
		}
	}
	if int(m.lastID)+fresh > math.MaxUint16 {
		return errMenuWorn
	}
	old := m.items
	m.items = make([]*MenuItem, 0, len(list))
	for n := range list {
		i := list[n].Item
		if i == nil {
			i = m.newItem(&list[n])
			m.mark(i)
		} else {
			m.replace(i, list[n].State)
		}
		if i.state.Order != orderOf(n) {
			i.state.Order = orderOf(n)
			m.mark(i)
		}
		m.items = append(m.items, i)
	}
	for _, i := range old {
		if !slices.Contains(m.items, i) {
			m.drop(i)
		}
	}
	tx.paceRemovals(m)
	tx.paceItems(m)
	return nil
}

// ChangeMenuItem changes an item in place; its kind stays. A key that was pressed on the old item counts no more where options,
// range or enabled state have changed.
func (tx Tx) ChangeMenuItem(i *MenuItem, change func(s *protocol.MenuItem)) error {
	state := i.state
	change(&state)
	if err := checkMenuItem("", &state); err != nil {
		return err
	}
	if i.Menu.replace(i, state) {
		tx.paceItems(i.Menu)
	}
	return nil
}

// RaiseMenuItem drops keys that were pressed on the item before: a price has changed.
func (tx Tx) RaiseMenuItem(i *MenuItem) {
	i.state.Revision++
	tx.sendItem(i)
}

// RemoveMenuItem removes an item.
func (tx Tx) RemoveMenuItem(i *MenuItem) {
	m := i.Menu
	if i.gone || m.over {
		i.gone = true
		return
	}
	m.items = slices.DeleteFunc(m.items, func(o *MenuItem) bool { return o == i })
	m.drop(i)
	tx.paceRemovals(m)
	tx.paceItems(m)
}

// replace gives an item another state and says whether that is one.
func (m *Menu) replace(i *MenuItem, state protocol.MenuItem) bool {
	old := i.state
	state.ItemID, state.Op, state.Order, state.Revision, state.Kind = old.ItemID, old.Op, old.Order, old.Revision, old.Kind
	if sameItem(&old, &state) {
		return false
	}
	if !sameKeys(&old, &state) {
		state.Revision++
	}
	value := i.value()
	if i.state = state; i.value() != value {
		i.accepted = i.value()
	}
	m.mark(i)
	return true
}

func sameItem(a, b *protocol.MenuItem) bool {
	return a.Flags == b.Flags && a.Icon == b.Icon && a.Color == b.Color && a.Label == b.Label && a.Detail == b.Detail &&
		a.Help == b.Help && a.Toggle == b.Toggle && a.Choice.Value == b.Choice.Value && a.Slider.Value == b.Slider.Value &&
		sameKeys(a, b)
}

// sameKeys says whether a key means the same on two states of an item.
func sameKeys(a, b *protocol.MenuItem) bool {
	x, y := a.Slider, b.Slider
	x.Value, y.Value = 0, 0
	return a.Flags&protocol.MenuItemDisabled == b.Flags&protocol.MenuItemDisabled &&
		slices.Equal(a.Choice.Options, b.Choice.Options) && x == y
}

func (i *MenuItem) value() uint16 { return MenuValue(&i.state) }

// MenuValue is the value of an item's state as MenuInput has it; 0 where it has none.
func MenuValue(s *protocol.MenuItem) uint16 {
	switch s.Kind {
	case protocol.MenuToggle:
		if s.Toggle {
			return 1
		}
	case protocol.MenuChoice:
		return uint16(s.Choice.Value)
	case protocol.MenuSlider:
		return s.Slider.Value
	}
	return 0
}

// setValue sets a value that fits.
func (i *MenuItem) setValue(v uint16) {
	switch s := &i.state; s.Kind {
	case protocol.MenuToggle:
		s.Toggle = v == 1
	case protocol.MenuChoice:
		s.Choice.Value = uint8(v)
	case protocol.MenuSlider:
		s.Slider.Value = v
	}
}

// ---- on the way to the client

// itemsInPart is how many items, in the order of their ids, are one thing for the pacer. Large parts make few packets of many
// changes, small ones cost little at each change.
const itemsInPart = 8

func (i *MenuItem) part() uint16 { return i.state.ItemID / itemsInPart }

// mark notes that an item has to be sent, once for all that happens between two passes.
func (m *Menu) mark(i *MenuItem) {
	if m.over || i.gone {
		return
	}
	part := i.part()
	waiting := m.changed[part]
	if len(waiting) > 0 && !m.Player.link.Waits(menuItemsKey{m.id, part}) && !slices.Contains(m.stale, part) {
		waiting = m.sent(part)
	}
	if !slices.Contains(waiting, i) {
		waiting = append(waiting, i)
	}
	if m.changed == nil {
		m.changed = make(map[uint16][]*MenuItem)
	}
	m.changed[part] = waiting
	m.renew(part)
}

func (m *Menu) renew(part uint16) {
	if !slices.Contains(m.stale, part) {
		m.stale = append(m.stale, part)
	}
}

// sent forgets a part that has left the pacer.
func (m *Menu) sent(part uint16) []*MenuItem {
	for _, i := range m.changed[part] {
		i.known = true
	}
	delete(m.changed, part)
	return nil
}

// sendItem sends an item as the server has it.
func (tx Tx) sendItem(i *MenuItem) {
	i.Menu.mark(i)
	tx.paceItems(i.Menu)
}

// drop takes an item that is no longer in the list from the screen. One that the client never had is not mentioned.
func (m *Menu) drop(i *MenuItem) {
	i.gone = true
	if m.over {
		return
	}
	part := i.part()
	if at := slices.Index(m.changed[part], i); at >= 0 {
		fresh := slices.Contains(m.stale, part) // it is not in the pacer yet
		waited, begun := m.Player.link.Drop(menuItemsKey{m.id, part})
		i.known = i.known || begun || !waited && !fresh
		m.changed[part] = slices.Delete(m.changed[part], at, at+1)
		switch {
		case len(m.changed[part]) == 0:
			delete(m.changed, part)
		case waited || fresh:
			m.renew(part)
		default:
			m.sent(part)
		}
	}
	if i.known {
		m.dropID(i.state.ItemID)
	}
}

// dropID notes that an id has to be removed from the screen.
func (m *Menu) dropID(id uint16) {
	if !m.removing && !m.Player.link.Waits(menuGoneKey{m.id}) {
		m.removed = nil
	}
	m.removing = true
	if !slices.Contains(m.removed, id) {
		m.removed = append(m.removed, id)
	}
}

// paceItems queues what has to be sent of a menu's items. The first items are not changed on their way: what changes
// follows them.
func (tx Tx) paceItems(m *Menu) {
	for _, part := range m.stale {
		if len(m.changed[part]) == 0 {
			continue
		}
		states := make([]protocol.MenuItem, len(m.changed[part]))
		for n, i := range m.changed[part] {
			states[n] = i.state
		}
		m.Player.link.Pace(pacer.Thing{Key: menuItemsKey{m.id, part}, Class: pacer.Rest, After: menuKey{m.id},
			Packets: menuPackets(m.id, states)})
	}
	m.stale = m.stale[:0]
}

// paceRemovals queues the removals of items.
func (tx Tx) paceRemovals(m *Menu) {
	if m.over || !m.removing {
		return
	}
	m.removing = false
	states := make([]protocol.MenuItem, len(m.removed))
	for n, id := range m.removed {
		states[n] = protocol.MenuItem{ItemID: id, Op: protocol.MenuRemove}
	}
	m.Player.link.Pace(pacer.Thing{Key: menuGoneKey{m.id}, Class: pacer.Removals, After: menuKey{m.id}, Packets: menuPackets(m.id, states)})
}

// menuPackets puts items into as few packets as they need.
func menuPackets(menu uint32, items []protocol.MenuItem) []protocol.Packet {
	var packets []protocol.Packet
	for len(items) > 0 {
		n, size := 0, 0
		for n < len(items) && n < protocol.MaxMenuItems && size+itemSize(&items[n]) <= menuContent {
			size += itemSize(&items[n])
			n++
		}
		packets = append(packets, &protocol.MenuItems{MenuID: menu, Items: items[:n:n]})
		items = items[n:]
	}
	return packets
}

// itemSize is the bytes of an item.
func itemSize(s *protocol.MenuItem) int {
	if s.Op == protocol.MenuRemove {
		return 3
	}
	size := 17 + len(s.Label) + len(s.Detail) + len(s.Help)
	switch s.Kind {
	case protocol.MenuToggle:
		size++
	case protocol.MenuChoice:
		size += 2
		for _, o := range s.Choice.Options {
			size += 1 + len(o)
		}
	case protocol.MenuSlider:
		size += 13 + len(s.Slider.Unit)
	}
	return size
}
