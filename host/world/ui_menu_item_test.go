package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"darqline/protocol"
)

func TestRefusedChange(t *testing.T) {
	d := newDesk(t)
	m := d.menu(MenuSpec{}, sliderItem("E", 9))
	e := m.items[0]
	change := func(v uint16) (value, old uint16) {
		d.input(m, changing, 1, v)
		d.do(func(tx Tx) { value, old, _ = tx.TakeMenuChange(e) })
		return value, old
	}
	value, old := change(4)
	d.do(func(tx Tx) { tx.RefuseMenuChange(e, value, old) })
	d.want("put back", d.shows(), "E=0")

	value, old = change(5)
	d.input(m, changing, 1, 6) // while the handler runs
	d.do(func(tx Tx) { tx.RefuseMenuChange(e, value, old) })
	d.want("asked about next", d.shows(), "")
	d.do(func(tx Tx) { value, old, _ = tx.TakeMenuChange(e) })
	d.want("from what scripts know", fmt.Sprint(old, " to ", value), "0 to 6")

	value, old = change(7)
	d.do(func(tx Tx) { // the handler itself sets another one, and refuses
		tx.ChangeMenuItem(e, func(s *protocol.MenuItem) { s.Slider.Value = 2 })
		tx.RefuseMenuChange(e, value, old)
	})
	d.want("what the handler set stays", d.shows(), "E=2")
}

func TestAnItemThatCloses(t *testing.T) {
	d := newDesk(t)
	m := d.menu(MenuSpec{Closable: true}, selectItem("A", protocol.MenuItemCloses), toggleItem("C"))
	d.input(m, selecting, 1, 0)
	d.want("select", d.heard(), "select A")
	d.input(m, selecting, 1, 0)
	d.input(m, changing, 2, 1)
	d.input(m, leaving, 0, 0)
	d.want("an honest client takes no key now", d.heard(), "")
	d.want("nothing yet", d.shows(), "")
	d.do(func(tx Tx) { tx.SelectedMenuItem(m.items[0], true) })
	d.want("refused", d.shows(), "A=0")
	d.want("still open", d.heard(), "")
	d.input(m, selecting, 1, 0)
	d.do(func(tx Tx) { tx.SelectedMenuItem(m.items[0], false) })
	d.want("over", d.heard(), "select A, menu closed")
	d.want("hidden", d.shows(), "hide")

	m = d.menu(MenuSpec{}, selectItem("A", protocol.MenuItemCloses), toggleItem("C"))
	d.full = true
	d.input(m, selecting, 1, 0)
	d.input(m, changing, 2, 1)
	d.want("scripts without room: the client goes on", d.shows(), "A=0, C=0")
}

func TestMenuItemsAreLive(t *testing.T) {
	d := newDesk(t)
	m := d.menu(MenuSpec{}, selectItem("A"), selectItem("B"))
	change := func(i *MenuItem, f func(s *protocol.MenuItem)) {
		d.do(func(tx Tx) {
			if err := tx.ChangeMenuItem(i, f); err != nil {
				t.Error(err)
			}
		})
	}
	a, b := m.items[0], m.items[1]
	for n := range 10 {
		change(a, func(s *protocol.MenuItem) { s.Detail = fmt.Sprint(n) })
		change(b, func(s *protocol.MenuItem) { s.Detail = fmt.Sprint(n) })
	}
	d.link.drain0()
	if n := len(d.link.sent); n != 1 {
		t.Errorf("%d packets for 20 changes", n)
	}
	d.want("merged", d.shows(), "A=0, B=0")
	change(a, func(s *protocol.MenuItem) { s.Detail = "9" })
	d.want("no change", d.shows(), "")
	if a.state.Revision != 0 {
		t.Errorf("revision %d for another detail", a.state.Revision)
	}
	change(a, func(s *protocol.MenuItem) { s.Flags = protocol.MenuItemDisabled })
	d.do(func(tx Tx) { tx.RaiseMenuItem(b) })
	if a.state.Revision != 1 || b.state.Revision != 1 {
		t.Errorf("revisions %d, %d", a.state.Revision, b.state.Revision)
	}
	d.want("sent", d.shows(), "A=0, B=0")

	var c, first *MenuItem
	d.do(func(tx Tx) {
		c, _ = tx.AddMenuItem(m, selectItem("C"), nil)
		tx.RemoveMenuItem(c)
	})
	d.want("what came and went is never sent", d.shows(), "")
	d.do(func(tx Tx) {
		c, _ = tx.AddMenuItem(m, selectItem("C"), nil)
		first, _ = tx.AddMenuItem(m, selectItem("0"), a)
	})
	d.want("added", d.shows(), "C=0, 0=0")
	if c.state.ItemID != 4 {
		t.Errorf("an id is used again: %d", c.state.ItemID)
	}
	if !(first.state.Order < a.state.Order && b.state.Order < c.state.Order) {
		t.Error("not in order")
	}
	d.do(func(tx Tx) { tx.RemoveMenuItem(a) })
	d.want("removed", d.shows(), "remove 1")
	d.receive(&protocol.MenuInput{MenuID: m.id, ItemID: 1, Event: selecting})
	d.want("told again", d.shows(), "remove 1")
	d.do(func(tx Tx) {
		if err := tx.SetMenuItems(m, []MenuEntry{{Item: c, State: c.state}, selectItem("N")}); err != nil {
			t.Error(err)
		}
	})
	d.want("set", d.shows(), "remove 5, remove 2, C=0, N=0")
	d.do(func(tx Tx) { tx.SetMenuHead(m, "M2", "sub") })
	d.want("head", d.shows(), "show M2 2")
	d.do(func(tx Tx) { tx.CloseMenu(m); tx.CloseMenu(m) })
	d.want("hide", d.shows(), "hide")
	d.want("once", d.heard(), "menu closed")
	change(c, func(s *protocol.MenuItem) { s.Label = "later" })
	d.do(func(tx Tx) { tx.RaiseMenuItem(c); tx.RemoveMenuItem(c) })
	d.want("nobody is shown what is over", d.shows(), "")
}

func TestItemsGoBetweenOthers(t *testing.T) {
	d := newDesk(t)
	m := d.menu(MenuSpec{}, selectItem("A"), selectItem("Z"))
	at := m.items[1]
	for n := range protocol.MaxMenuItems - 2 { // orders between two run out after 8
		d.do(func(tx Tx) {
			if _, err := tx.AddMenuItem(m, selectItem(fmt.Sprint(n)), at); err != nil {
				t.Fatal(err)
			}
		})
		if !slices.IsSortedFunc(m.items, func(a, b *MenuItem) int { return int(a.state.Order) - int(b.state.Order) }) {
			t.Fatal("not sorted")
		}
		if n > 0 && m.items[len(m.items)-2].state.Order == m.items[len(m.items)-3].state.Order {
			t.Fatal("one order twice")
		}
	}
	d.do(func(tx Tx) {
		if _, err := tx.AddMenuItem(m, selectItem("one more"), nil); err == nil {
			t.Error("129 items")
		}
	})
	// what the client has is what the server has
	d.link.drain0()
	seen := map[uint16]uint16{1: orderOf(0), 2: orderOf(1)}
	for _, p := range d.link.sent {
		for _, i := range p.(*protocol.MenuItems).Items {
			seen[i.ItemID] = i.Order
		}
	}
	for _, i := range m.items {
		if seen[i.state.ItemID] != i.state.Order {
			t.Fatalf("item %d has order %d, the client has %d", i.state.ItemID, i.state.Order, seen[i.state.ItemID])
		}
	}
}

func TestTheFirstItemsGoWithTheHead(t *testing.T) {
	d := newDesk(t)
	var m *Menu
	var items []MenuEntry
	for n := range 128 {
		items = append(items, selectItem(fmt.Sprintf("%03d%s", n, strings.Repeat("x", 90))))
	}
	d.do(func(tx Tx) { m, _, _ = tx.OpenMenu(d.player, MenuSpec{Title: "M", Items: items, Start: 3}) })
	d.receive(&protocol.MenuInput{MenuID: m.id, ItemID: 1, Event: selecting})
	if d.failures() != 1 {
		t.Error("an answer before it was shown was not counted")
	}
	d.do(func(tx Tx) {
		tx.ChangeMenuItem(m.items[0], func(s *protocol.MenuItem) { s.Label = "changed" })
		tx.RemoveMenuItem(m.items[1])
	})
	shown := strings.Split(d.shows(), ", ")
	if shown[0] != "show M 128" || !strings.HasPrefix(shown[1], "000xxx") || len(shown) != 131 {
		t.Fatalf("%d: %.300v", len(shown), shown)
	}
	d.want("what has changed follows", strings.Join(shown[129:], " "), "changed=0 remove 2")

	d.do(func(tx Tx) {
		m, _, _ = tx.OpenMenu(d.player, MenuSpec{Title: "M", Items: items})
		tx.CloseMenu(m)
	})
	d.want("never sent", d.shows(), "hide") // of the first one
	d.receive(&protocol.MenuInput{MenuID: m.id, ItemID: 1, Event: selecting})
	if d.failures() != 2 {
		t.Error("an answer to what was never sent was not counted")
	}
}
