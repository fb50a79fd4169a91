package world

import "darqline/protocol"

// The token bucket of MenuInput (page Chat, HUD and dialogs, Answers); leaving is not limited.
const (
	menuBurst = 30
	menuRate  = 15
)

// ReceiveMenuInput takes what a player did in a menu. What fails a check is dropped, and the item is sent again as the server
// has it (page Chat, HUD and dialogs, MenuInput).
func (tx Tx) ReceiveMenuInput(p *Player, in *protocol.MenuInput) {
	may := in.Event == protocol.MenuLeft || p.menus.limit.Take(tx.now(), menuRate, menuBurst, 1)
	m, ok := answered[*Menu](tx, p, in, in.MenuID)
	if !ok || m.closing { // while the scripts decide on the last key, an honest client takes none
		return
	}
	if in.Event == protocol.MenuLeft {
		if m.spec.Closable {
			tx.endMenu(m, EndCancel)
		}
		return
	}
	i := m.item(in.ItemID)
	switch {
	case i == nil:
		tx.removeAgain(m, in.ItemID)
	case !may || !i.takes(in) || !tx.input(i, in):
		tx.sendItem(i)
	}
}

func (m *Menu) item(id uint16) *MenuItem {
	for _, i := range m.items {
		if i.state.ItemID == id {
			return i
		}
	}
	return nil
}

// removeAgain tells of an item that there is no more.
func (tx Tx) removeAgain(m *Menu, id uint16) {
	if id <= m.lastID {
		m.dropID(id)
		tx.paceRemovals(m)
	}
}

// takesKeys says whether the player can stand on an item.
func (i *MenuItem) takesKeys() bool {
	return i.state.Kind != protocol.MenuHeading && i.state.Flags&protocol.MenuItemDisabled == 0
}

// takes holds an input against the item as it is.
func (i *MenuItem) takes(in *protocol.MenuInput) bool {
	s := &i.state
	if !i.takesKeys() || in.Revision != s.Revision {
		return false
	}
	switch in.Event {
	case protocol.MenuHighlighted:
		return i.Menu.spec.Highlight
	case protocol.MenuSelected:
		return s.Kind == protocol.MenuSelect
	}
	switch s.Kind {
	case protocol.MenuToggle:
		return in.Value <= 1
	case protocol.MenuChoice:
		return int(in.Value) < len(s.Choice.Options)
	case protocol.MenuSlider:
		return in.Value <= s.Slider.Steps
	}
	return false
}

// input lets the scripts know of an input that is right; it says no where they have no room.
func (tx Tx) input(i *MenuItem, in *protocol.MenuInput) bool {
	m := i.Menu
	post := tx.w.cfg.Sink.Post
	m.selected = i
	switch in.Event {
	case protocol.MenuHighlighted:
		post(MenuHighlighted{i})
	case protocol.MenuSelected:
		if !post(MenuSelected{i, in.Revision}) {
			return false
		}
		m.closing = i.state.Flags&protocol.MenuItemCloses != 0
	case protocol.MenuChanged:
		if i.value() == in.Value {
			return true
		}
		if !i.asking && !post(MenuChanged{i}) {
			return false
		}
		i.asking = true
		i.setValue(in.Value)
	}
	return true
}

// TakeMenuSelection says whether an item still is what was selected. A script that ran since may have changed it, for who
// pressed the key a moment earlier: then nothing is selected, and the item is sent again.
func (tx Tx) TakeMenuSelection(i *MenuItem, revision uint16) bool {
	if !i.gone && i.takesKeys() && i.state.Revision == revision {
		return true
	}
	m := i.Menu
	m.closing = m.closing && m.selected != i
	if !i.gone && !m.over {
		tx.sendItem(i)
	}
	return false
}

// SelectedMenuItem is called when the handlers of MenuSelected are through: a menu whose item closes it goes, unless one of
// them keeps it.
func (tx Tx) SelectedMenuItem(i *MenuItem, keep bool) {
	m := i.Menu
	if m.over || !m.closing {
		return
	}
	m.closing = false
	if keep {
		tx.sendItem(i)
		return
	}
	tx.endMenu(m, EndClosed)
}

// TakeMenuChange is what a player has changed an item to since the scripts last heard of it: values as MenuInput has them.
// ok is false where there is nothing to hear: a script has set it meanwhile, or it was changed back.
func (tx Tx) TakeMenuChange(i *MenuItem) (value, old uint16, ok bool) {
	value, old = i.value(), i.accepted
	i.asking, i.accepted = false, value
	return value, old, value != old
}

// RefuseMenuChange puts an item's old value back, unless the player has changed it again meanwhile: that is asked about next.
func (tx Tx) RefuseMenuChange(i *MenuItem, value, old uint16) {
	if i.accepted != value {
		return // a handler has set another one
	}
	i.accepted = old
	if i.value() == value {
		i.setValue(old)
		tx.sendItem(i)
	}
}
