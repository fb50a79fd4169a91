package client

import (
	"cmp"
	"slices"
	"time"

	"darqline/protocol"
)

// sliderPause is the time between two reports of a slider that is held.
const sliderPause = 100 * time.Millisecond

// Menu is the open menu.
type Menu struct {
	ID uint32
	protocol.MenuContent
	Flags    protocol.MenuFlags
	Place    protocol.Place
	Items    []protocol.MenuItem // as they are shown, with the values that the player has set
	Selected uint16              // id of the highlighted item; 0: none can be
	Awaiting bool                // it takes no key until the server has answered the last selection
}

func (m *Menu) holds() bool { return m.Flags&protocol.MenuHold != 0 }

// Item is an item of the menu, nil if it is not there.
func (m *Menu) Item(id uint16) *protocol.MenuItem {
	for i := range m.Items {
		if m.Items[i].ItemID == id {
			return &m.Items[i]
		}
	}
	return nil
}

// Press is what one of the menu's keys means in the menu as it is here, to be given to Client.MenuInput; false: nothing.
// Up and down go round, over headings and disabled items; left and right go round the options of a choice and to the ends
// of a slider; select selects, or turns a toggle.
func (m *Menu) Press(key protocol.Function) (protocol.MenuInput, bool) {
	switch key {
	case protocol.FunctionMenuBack:
		return protocol.MenuInput{MenuID: m.ID, Event: protocol.MenuLeft}, m.Flags&protocol.MenuClosable != 0
	case protocol.FunctionMenuUp, protocol.FunctionMenuDown:
		next := m.step(key == protocol.FunctionMenuDown)
		if next == nil || next.ItemID == m.Selected {
			return protocol.MenuInput{}, false
		}
		return protocol.MenuInput{MenuID: m.ID, ItemID: next.ItemID, Revision: next.Revision}, true
	}
	item := m.Item(m.Selected)
	if item == nil || !usable(item) {
		return protocol.MenuInput{}, false
	}
	p := protocol.MenuInput{MenuID: m.ID, ItemID: item.ItemID, Revision: item.Revision, Event: protocol.MenuChanged}
	value := int(itemValue(item))
	switch {
	case key == protocol.FunctionMenuSelect && item.Kind == protocol.MenuSelect:
		p.Event = protocol.MenuSelected
		return p, true
	case key == protocol.FunctionMenuSelect && item.Kind == protocol.MenuToggle:
		p.Value = uint16(1 - value)
		return p, true
	case key != protocol.FunctionMenuLeft && key != protocol.FunctionMenuRight:
		return protocol.MenuInput{}, false
	}
	by := 1
	if key == protocol.FunctionMenuLeft {
		by = -1
	}
	switch item.Kind {
	case protocol.MenuChoice:
		n := len(item.Choice.Options)
		p.Value = uint16((value + by + n) % n)
	case protocol.MenuSlider:
		p.Value = uint16(min(max(value+by, 0), int(item.Slider.Steps)))
	}
	return p, item.Kind != protocol.MenuSelect && item.Kind != protocol.MenuToggle && int(p.Value) != value
}

// step is the next item that can be highlighted, nil if none can.
func (m *Menu) step(down bool) *protocol.MenuItem {
	n := len(m.Items)
	at := slices.IndexFunc(m.Items, func(i protocol.MenuItem) bool { return i.ItemID == m.Selected })
	by := 1
	if !down {
		by, at = n-1, max(at, 0)
	}
	for range n {
		at = (at + by) % n
		if usable(&m.Items[at]) {
			return &m.Items[at]
		}
	}
	return nil
}

// usable tells that an item can be highlighted and used.
func usable(i *protocol.MenuItem) bool {
	return i.Kind != protocol.MenuHeading && i.Flags&protocol.MenuItemDisabled == 0
}

// itemValue is what an item is set to, as MenuInput has it.
func itemValue(i *protocol.MenuItem) uint16 {
	switch i.Kind {
	case protocol.MenuToggle:
		if i.Toggle {
			return 1
		}
	case protocol.MenuChoice:
		return uint16(i.Choice.Value)
	case protocol.MenuSlider:
		return i.Slider.Value
	}
	return 0
}

// setItemValue sets an item; false: the value does not fit it.
func setItemValue(i *protocol.MenuItem, v uint16) bool {
	switch {
	case i.Kind == protocol.MenuToggle && v <= 1:
		i.Toggle = v == 1
	case i.Kind == protocol.MenuChoice && int(v) < len(i.Choice.Options):
		i.Choice.Value = uint8(v)
	case i.Kind == protocol.MenuSlider && v <= i.Slider.Steps:
		i.Slider.Value = v
	default:
		return false
	}
	return true
}

// MenuInput is what the player does in the open menu; Menu.Press makes it of a key. Revision is that of the item that he
// saw: if the item is another one by now, nothing happens, and the error is ErrChanged. What can be shown at once is; a
// highlighted item is reported if the server wants it, a slider that is held at most 10 times a second.
func (c *Client) MenuInput(p protocol.MenuInput) error {
	if err := encodable(&p); err != nil {
		return err
	}
	return c.act(func(g *game, now time.Duration) error { return g.menuInput(g.at(now), p) })
}

// menu is the menu that came last. The zero value is none.
type menu struct {
	Menu
	start   uint16    // the item first selected; 0: the first that can be
	wanted  int       // items that it starts with
	shown   bool      // they were there
	awaited uint16    // the item that was selected, while Awaiting
	unsent  uint16    // slider whose last value was not reported yet; 0: none
	quiet   time.Time // no report of a held slider before it
}

func (m *menu) view() Menu {
	v := m.Menu
	v.Items = slices.Clone(v.Items)
	return v
}

// menuShow opens a menu, or changes the head of the open one.
func (g *game) menuShow(p *protocol.MenuShow) {
	m := &g.ui.menu
	if m.ID != p.MenuID {
		g.closeMenu(ClosedReplaced)
		*m = menu{Menu: Menu{ID: p.MenuID}, start: p.Start}
	}
	m.MenuContent, m.Flags, m.Place = p.Content, p.Flags, p.Place
	if !m.shown {
		m.wanted, m.start = int(p.Items), p.Start
	}
	g.menuChanged()
}

func (g *game) menuHide(p *protocol.MenuHide) {
	if g.ui.menu.ID == p.MenuID {
		g.closeMenu(ClosedByServer)
	}
}

// closeMenu ends the menu that is open or had not all its items yet.
func (g *game) closeMenu(why CloseReason) {
	id, shown := g.ui.menu.ID, g.ui.menu.shown
	g.ui.menu = menu{}
	if shown {
		g.tell(func(h Handler) { h.MenuClosed(id, why) })
	}
}

// menuItems sets and removes items of the menu that came last.
func (g *game) menuItems(p *protocol.MenuItems) {
	m := &g.ui.menu
	if m.ID != p.MenuID {
		return
	}
	before := m.Item(m.Selected)
	var place protocol.MenuItem // of the selected item, which may go
	if before != nil {
		place = *before
	}
	for i := range p.Items {
		m.set(p.Items[i])
	}
	slices.SortFunc(m.Items, compareItems)
	if now := m.Item(m.Selected); m.shown && (now == nil || now.Kind == protocol.MenuHeading) {
		g.highlight(m.after(&place))
	}
	g.menuChanged()
}

func compareItems(a, b protocol.MenuItem) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ItemID, b.ItemID))
}

// set takes one change. A slider whose last value is still to be reported keeps it, unless it is another item now.
func (m *menu) set(item protocol.MenuItem) {
	if m.awaited == item.ItemID {
		m.awaited, m.Awaiting = 0, false
	}
	old := m.Item(item.ItemID)
	held := m.unsent == item.ItemID
	if held && (item.Op == protocol.MenuRemove || old.Kind != item.Kind || old.Revision != item.Revision || !setItemValue(&item, itemValue(old))) {
		m.unsent = 0
	}
	switch {
	case item.Op == protocol.MenuRemove:
		m.Items = slices.DeleteFunc(m.Items, func(i protocol.MenuItem) bool { return i.ItemID == item.ItemID })
	case old != nil:
		*old = item
	case len(m.Items) < protocol.MaxMenuItems:
		m.Items = append(m.Items, item)
	}
}

// after is the item that takes the place of one that is gone: the next one that can be highlighted, else the last.
func (m *menu) after(gone *protocol.MenuItem) uint16 {
	var last uint16
	for i := range m.Items {
		if usable(&m.Items[i]) {
			last = m.Items[i].ItemID
			if compareItems(m.Items[i], *gone) > 0 {
				break
			}
		}
	}
	return last
}

// menuChanged shows the menu as soon as the items that it starts with are there, and tells of what has changed.
func (g *game) menuChanged() {
	m := &g.ui.menu
	switch {
	case !m.shown && len(m.Items) < m.wanted:
		return
	case !m.shown:
		m.shown = true
		first := m.Item(m.start)
		if first == nil || !usable(first) {
			g.highlight(m.after(&protocol.MenuItem{}))
		} else {
			g.highlight(m.start)
		}
	}
	now := m.view()
	g.tell(func(h Handler) { h.Menu(now) })
}

// highlight moves the selection, and reports it if the server wants it.
func (g *game) highlight(id uint16) {
	m := &g.ui.menu
	if m.Selected == id {
		return
	}
	m.Selected = id
	if item := m.Item(id); item != nil && m.Flags&protocol.MenuHighlight != 0 {
		g.send(&protocol.MenuInput{MenuID: m.ID, ItemID: id, Revision: item.Revision})
	}
}

func (g *game) menuInput(at time.Time, p protocol.MenuInput) error {
	m := &g.ui.menu
	switch {
	case !m.shown || m.ID != p.MenuID:
		return ErrNotOpen
	case g.ui.dialog.shown:
		return ErrDialog
	case m.Awaiting:
		return ErrAwaiting
	case p.Event == protocol.MenuLeft:
		if m.Flags&protocol.MenuClosable == 0 {
			return ErrUnusable
		}
		g.reportSlider(at)
		g.closeMenu(ClosedAnswered)
		g.send(&p)
		return nil
	}
	item := m.Item(p.ItemID)
	switch {
	case item == nil || item.Revision != p.Revision:
		return ErrChanged
	case !usable(item):
		return ErrUnusable
	case p.Event == protocol.MenuSelected && item.Kind != protocol.MenuSelect:
		return ErrUnusable
	case p.Event == protocol.MenuChanged:
		before := itemValue(item)
		if !setItemValue(item, p.Value) {
			return ErrUnusable
		}
		if before == p.Value {
			return nil
		}
	}
	before := m.Selected
	g.highlight(p.ItemID)
	switch {
	case p.Event == protocol.MenuSelected:
		g.reportSlider(at)
		if item.Flags&protocol.MenuItemCloses != 0 {
			m.Awaiting, m.awaited = true, p.ItemID
		}
		g.send(&p)
	case p.Event == protocol.MenuChanged:
		g.changeItem(at, item, &p)
	}
	if m.Selected != before || m.Awaiting || p.Event == protocol.MenuChanged {
		g.menuChanged()
	}
	return nil
}

// changeItem reports a change: at once, but for a slider that is held.
func (g *game) changeItem(at time.Time, item *protocol.MenuItem, p *protocol.MenuInput) {
	m := &g.ui.menu
	if m.unsent != item.ItemID {
		g.reportSlider(at)
	}
	if item.Kind != protocol.MenuSlider {
		g.send(p)
		return
	}
	m.unsent = item.ItemID
	g.driveMenu(at)
}

// driveMenu reports the value of a slider that is held when its pause is over.
func (g *game) driveMenu(at time.Time) {
	if m := &g.ui.menu; m.unsent != 0 && g.ui.ended(at, m.quiet) {
		g.reportSlider(at)
	}
}

// reportSlider reports the last value of a slider, if that is still to be done.
func (g *game) reportSlider(at time.Time) {
	m := &g.ui.menu
	item := m.Item(m.unsent)
	if m.unsent == 0 || item == nil {
		return
	}
	m.unsent, m.quiet = 0, at.Add(sliderPause)
	g.send(&protocol.MenuInput{
		MenuID: m.ID, ItemID: item.ItemID, Revision: item.Revision, Event: protocol.MenuChanged, Value: item.Slider.Value,
	})
}
