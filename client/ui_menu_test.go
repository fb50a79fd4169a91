package client

import (
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

func menuHead(id uint32, items uint16, flags protocol.MenuFlags) *protocol.MenuShow {
	return &protocol.MenuShow{MenuID: id, Flags: flags, Items: items, Content: protocol.MenuContent{Title: "M"}}
}

func menuItem(id uint16, label string, change ...func(*protocol.MenuItem)) protocol.MenuItem {
	i := protocol.MenuItem{ItemID: id, Op: protocol.MenuSet, Revision: 1, Order: id, Label: label}
	for _, f := range change {
		f(&i)
	}
	return i
}

func itemsOf(id uint32, items ...protocol.MenuItem) *protocol.MenuItems {
	return &protocol.MenuItems{MenuID: id, Items: items}
}

func disabled(i *protocol.MenuItem)    { i.Flags |= protocol.MenuItemDisabled }
func closing(i *protocol.MenuItem)     { i.Flags |= protocol.MenuItemCloses }
func heading(i *protocol.MenuItem)     { i.Kind = protocol.MenuHeading }
func removed(i *protocol.MenuItem)     { *i = protocol.MenuItem{ItemID: i.ItemID} }
func toggle(i *protocol.MenuItem)      { i.Kind = protocol.MenuToggle }
func newRevision(i *protocol.MenuItem) { i.Revision++ }

func choice(value uint8) func(*protocol.MenuItem) {
	return func(i *protocol.MenuItem) {
		i.Kind, i.Choice = protocol.MenuChoice, protocol.MenuOptions{Value: value, Options: []string{"x", "y", "z"}}
	}
}

func slider(value uint16) func(*protocol.MenuItem) {
	return func(i *protocol.MenuItem) {
		i.Kind, i.Slider = protocol.MenuSlider, protocol.MenuScale{Step: 1, Steps: 100, Value: value}
	}
}

// press presses a menu key as a program does.
func (st *stage) press(key protocol.Function) bool {
	st.t.Helper()
	m := st.client.UI().Menu
	if m == nil {
		st.t.Fatal("no menu is open")
	}
	in, ok := m.Press(key)
	if ok {
		if err := st.client.MenuInput(in); err != nil {
			st.t.Fatalf("%v: %v", key, err)
		}
	}
	return ok
}

func TestAMenuIsShownWhenItsItemsAreThere(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		start := menuHead(4, 2, 0)
		start.Start = 3
		for _, step := range []struct {
			what   string
			packet protocol.Packet
			heard  []string
		}{
			{"items of nothing", itemsOf(4, menuItem(1, "a")), nil},
			{"a head", menuHead(4, 3, 0), nil},
			{"items of another menu", itemsOf(5, menuItem(1, "a"), menuItem(2, "b"), menuItem(3, "c")), nil},
			{"two items", itemsOf(4, menuItem(2, "b"), menuItem(9, "a", func(i *protocol.MenuItem) { i.Order = 1 })), nil},
			{"one of them again, and another", itemsOf(4, menuItem(2, "B"), menuItem(3, "c")), []string{"menu 4 M: >a=0 B=0 c=0"}},
			{"another head", &protocol.MenuShow{MenuID: 4, Items: 9, Start: 2, Content: protocol.MenuContent{Title: "N"}}, []string{"menu 4 N: >a=0 B=0 c=0"}},
			{"an item in place, one goes, one comes", itemsOf(4, menuItem(2, "b", removed), menuItem(9, "A"), menuItem(4, "d")), []string{"menu 4 N: c=0 d=0 >A=0"}},
			{"hiding another one", &protocol.MenuHide{MenuID: 5}, nil},
			{"another menu", start, []string{"menu 4 closed replaced"}},
			{"its items, where the third is first", itemsOf(4, menuItem(1, "a")), nil},
		} {
			if step.packet == start {
				start.MenuID = 6
			}
			st.lane(step.packet)
			t.Log(step.what)
			equal(t, st.take("menu"), step.heard...)
		}
		st.lane(itemsOf(6, menuItem(1, "a"), menuItem(3, "c")))
		equal(t, st.take("menu"), "menu 6 M: a=0 >c=0")
		st.lane(&protocol.MenuHide{MenuID: 6})
		equal(t, st.take("menu"), "menu 6 closed closed")
		wants(t, st.client.MenuInput(protocol.MenuInput{MenuID: 6, Event: protocol.MenuLeft}), ErrNotOpen)
	})
}

func TestAMenuBeginsWhereItCan(t *testing.T) {
	for start, want := range map[uint16]uint16{0: 2, 1: 2, 2: 2, 3: 2, 4: 4, 9: 2} {
		g := newGame(testStart, Session{}, new(memoryKeys))
		head := menuHead(1, 4, 0)
		head.Start = start
		g.menuShow(head)
		g.menuItems(itemsOf(1, menuItem(1, "head", heading), menuItem(2, "a"), menuItem(3, "b", disabled), menuItem(4, "c")))
		if got := g.ui.menu.Selected; got != want {
			t.Errorf("start %d: item %d, expected %d", start, got, want)
		}
	}
}

func TestAMenuHasAtMost128Items(t *testing.T) {
	g := newGame(testStart, Session{}, new(memoryKeys))
	g.menuShow(menuHead(1, 1, 0))
	for id := uint16(1); id <= 300; id++ {
		g.menuItems(itemsOf(1, menuItem(id, "x")))
	}
	g.menuItems(itemsOf(1, menuItem(5, "y")))
	if m := g.ui.menu.view(); len(m.Items) != protocol.MaxMenuItems || m.Item(5).Label != "y" || m.Item(129) != nil {
		t.Errorf("%d items", len(m.Items))
	}
}

func TestMenuKeys(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 7, protocol.MenuHighlight|protocol.MenuClosable))
		st.lane(itemsOf(1, menuItem(1, "head", heading), menuItem(2, "buy"), menuItem(3, "gone", disabled), menuItem(4, "tog", toggle),
			menuItem(5, "one", choice(2)), menuItem(6, "sl", slider(99)), menuItem(7, "end", heading)))
		equal(t, st.take("menu"), "menu 1 M: head=0 >buy=0 gone=0 tog=0 one=2 sl=99 end=0")
		const up, down, left, right = protocol.FunctionMenuUp, protocol.FunctionMenuDown, protocol.FunctionMenuLeft, protocol.FunctionMenuRight
		const sel, back = protocol.FunctionMenuSelect, protocol.FunctionMenuBack
		highlight, selected, changed := protocol.MenuHighlighted, protocol.MenuSelected, protocol.MenuChanged
		type sent = protocol.MenuInput
		if p := one[*protocol.MenuInput](st); *p != (sent{MenuID: 1, ItemID: 2, Revision: 1}) {
			t.Fatalf("the first highlight: %+v", p)
		}
		for _, step := range []struct {
			key  protocol.Function
			want sent // zero: nothing
		}{
			{left, sent{}}, {right, sent{}},
			{sel, sent{ItemID: 2, Event: selected}},
			{up, sent{ItemID: 6, Event: highlight}}, // round
			{right, sent{ItemID: 6, Event: changed, Value: 100}},
			{right, sent{}}, // the end of the scale
			{sel, sent{}},
			{down, sent{ItemID: 2, Event: highlight}},
			{down, sent{ItemID: 4, Event: highlight}}, // over the disabled one
			{sel, sent{ItemID: 4, Event: changed, Value: 1}},
			{left, sent{}},
			{sel, sent{ItemID: 4, Event: changed}},
			{down, sent{ItemID: 5, Event: highlight}},
			{right, sent{ItemID: 5, Event: changed, Value: 0}}, // round
			{left, sent{ItemID: 5, Event: changed, Value: 2}},
			{left, sent{ItemID: 5, Event: changed, Value: 1}},
			{sel, sent{}},
			{back, sent{Event: protocol.MenuLeft}},
		} {
			st.press(step.key)
			got := received[*protocol.MenuInput](st)
			if step.want == (sent{}) {
				if len(got) != 0 {
					t.Errorf("key %v: %+v", step.key, got[0])
				}
				continue
			}
			if step.want.MenuID = 1; step.want.Event != protocol.MenuLeft {
				step.want.Revision = 1
			}
			if len(got) != 1 || *got[0] != step.want {
				t.Errorf("key %v: %+v, expected %+v", step.key, got, step.want)
			}
		}
		got := st.take("menu")
		if n := len(got); n != 11 { // a key that changes nothing tells nothing
			t.Errorf("%d changes: %v", n, got)
		}
		if got[len(got)-1] != "menu 1 closed answered" || got[len(got)-2] != "menu 1 M: head=0 buy=0 gone=0 tog=0 >one=1 sl=100 end=0" {
			t.Errorf("%v", got)
		}
	})
}

// TestWhatAMenuRefuses is never sent.
func TestWhatAMenuRefuses(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 4, 0))
		st.lane(itemsOf(1, menuItem(1, "head", heading), menuItem(2, "buy"), menuItem(3, "gone", disabled), menuItem(4, "one", choice(0))))
		in := func(item uint16, event protocol.MenuEvent, value uint16) protocol.MenuInput {
			return protocol.MenuInput{MenuID: 1, ItemID: item, Revision: 1, Event: event, Value: value}
		}
		old := in(2, protocol.MenuSelected, 0)
		old.Revision = 0
		other := in(2, protocol.MenuSelected, 0)
		other.MenuID = 2
		for _, c := range []struct {
			what string
			in   protocol.MenuInput
			want error
		}{
			{"another menu", other, ErrNotOpen},
			{"an old item", old, ErrChanged},
			{"no such item", in(9, protocol.MenuSelected, 0), ErrChanged},
			{"a heading", in(1, protocol.MenuHighlighted, 0), ErrUnusable},
			{"a disabled item", in(3, protocol.MenuSelected, 0), ErrUnusable},
			{"selecting a choice", in(4, protocol.MenuSelected, 0), ErrUnusable},
			{"changing a select item", in(2, protocol.MenuChanged, 0), ErrUnusable},
			{"a value that there is not", in(4, protocol.MenuChanged, 3), ErrUnusable},
			{"leaving", protocol.MenuInput{MenuID: 1, Event: protocol.MenuLeft}, ErrUnusable},
		} {
			t.Log(c.what)
			wants(t, st.client.MenuInput(c.in), c.want)
		}
		if st.client.MenuInput(in(0, protocol.MenuSelected, 0)) == nil || st.client.MenuInput(in(2, protocol.MenuSelected, 1)) == nil {
			t.Error("what cannot be sent was taken")
		}
		if _, ok := st.client.UI().Menu.Press(protocol.FunctionMenuBack); ok {
			t.Error("it cannot be closed")
		}
		st.lane(show(9, protocol.DialogMessage))
		wants(t, st.client.MenuInput(in(2, protocol.MenuSelected, 0)), ErrDialog)
		if got := received[*protocol.MenuInput](st); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestAHeldSliderIsReportedTenTimesASecondWithItsLastValue(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 2, protocol.MenuClosable))
		st.lane(itemsOf(1, menuItem(1, "sl", slider(0)), menuItem(2, "tog", toggle)))
		st.receive()
		var values []uint16
		hear := func() {
			for _, p := range received[*protocol.MenuInput](st) {
				values = append(values, p.Value)
			}
		}
		for range 100 {
			st.press(protocol.FunctionMenuRight)
			time.Sleep(9 * time.Millisecond)
			hear()
		}
		if m := st.client.UI().Menu; itemValue(m.Item(1)) != 100 {
			t.Fatalf("shown at once is %d", itemValue(m.Item(1)))
		}
		time.Sleep(time.Second)
		hear()
		if want := []uint16{1, 12, 23, 34, 45, 56, 67, 78, 89, 100}; !slices.Equal(values, want) {
			t.Errorf("reported %v", values)
		}

		st.press(protocol.FunctionMenuLeft)
		st.press(protocol.FunctionMenuLeft) // waits
		st.press(protocol.FunctionMenuBack)
		got := received[*protocol.MenuInput](st)
		if len(got) != 3 || got[0].Value != 99 || got[1].Value != 98 || got[2].Event != protocol.MenuLeft {
			t.Errorf("the last value goes before the menu is left: %+v", got)
		}
	})
}

// TestALiveItemAndAHeldSlider: what the player has set and not reported yet is not undone by a new label; it is void
// when the item is another one.
func TestALiveItemAndAHeldSlider(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 1, 0))
		st.lane(itemsOf(1, menuItem(1, "sl", slider(5))))
		st.press(protocol.FunctionMenuRight)
		st.press(protocol.FunctionMenuRight) // 7 waits
		st.receive()
		st.take()
		st.lane(itemsOf(1, menuItem(1, "SL", slider(6))))
		equal(t, st.take("menu"), "menu 1 M: >SL=7")
		time.Sleep(sliderPause)
		if p := one[*protocol.MenuInput](st); p.Value != 7 || p.Revision != 1 {
			t.Errorf("%+v", p)
		}
		st.press(protocol.FunctionMenuRight)
		st.take()
		st.lane(itemsOf(1, menuItem(1, "SL", slider(50), newRevision)))
		equal(t, st.take("menu"), "menu 1 M: >SL=50")
		time.Sleep(time.Second)
		if got := received[*protocol.MenuInput](st); len(got) != 0 {
			t.Errorf("a value of the item before: %+v", got[0])
		}
	})
}

// TestAKindThatChangesUnderAHeldSlider must not report a value of another kind, whatever the revision.
func TestAKindThatChangesUnderAHeldSlider(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 1, 0))
		st.lane(itemsOf(1, menuItem(1, "sl", slider(0))))
		st.press(protocol.FunctionMenuRight)
		st.press(protocol.FunctionMenuLeft) // waits
		st.receive()
		st.lane(itemsOf(1, menuItem(1, "t", toggle)))
		time.Sleep(time.Second)
		if got := received[*protocol.MenuInput](st); len(got) != 0 {
			t.Errorf("%+v", got[0])
		}
	})
}

func TestAfterAClosingItemTheMenuAwaitsTheServer(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 2, protocol.MenuClosable))
		st.lane(itemsOf(1, menuItem(1, "buy", closing), menuItem(2, "other")))
		st.press(protocol.FunctionMenuSelect)
		if !st.client.UI().Menu.Awaiting {
			t.Fatal("it does not wait")
		}
		leave := protocol.MenuInput{MenuID: 1, Event: protocol.MenuLeft}
		wants(t, st.client.MenuInput(leave), ErrAwaiting)
		st.lane(itemsOf(1, menuItem(2, "OTHER")))
		st.lane(menuHead(1, 2, protocol.MenuClosable))
		wants(t, st.client.MenuInput(leave), ErrAwaiting)
		st.lane(itemsOf(1, menuItem(1, "buy", closing))) // refused
		if st.client.UI().Menu.Awaiting {
			t.Fatal("it still waits")
		}
		st.press(protocol.FunctionMenuSelect)
		st.lane(itemsOf(1, menuItem(1, "", removed)))
		if st.client.UI().Menu.Awaiting {
			t.Fatal("it waits for an item that is gone")
		}
		if n := len(received[*protocol.MenuInput](st)); n != 2 {
			t.Errorf("%d inputs", n)
		}
	})
}

func TestTheSelectionStaysOnItsItem(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(menuHead(1, 3, protocol.MenuHighlight))
		st.lane(itemsOf(1, menuItem(10, "a"), menuItem(20, "b"), menuItem(30, "c")))
		st.press(protocol.FunctionMenuDown)
		st.receive()
		st.take()
		for _, step := range []struct {
			what   string
			packet *protocol.MenuItems
			heard  string
			now    uint16 // reported as highlighted; 0: nothing
		}{
			{"an item before it", itemsOf(1, menuItem(5, "new")), "menu 1 M: new=0 a=0 >b=0 c=0", 0},
			{"it moves", itemsOf(1, menuItem(20, "b", func(i *protocol.MenuItem) { i.Order = 99 })), "menu 1 M: new=0 a=0 c=0 >b=0", 0},
			{"it is disabled", itemsOf(1, menuItem(20, "b", disabled)), "menu 1 M: new=0 a=0 >b=0 c=0", 0},
			{"it goes, the next one has it", itemsOf(1, menuItem(20, "", removed)), "menu 1 M: new=0 a=0 >c=0", 30},
			{"the last one goes", itemsOf(1, menuItem(30, "", removed)), "menu 1 M: new=0 >a=0", 10},
			{"it is a heading", itemsOf(1, menuItem(10, "a", heading)), "menu 1 M: >new=0 a=0", 5},
			{"none is left", itemsOf(1, menuItem(5, "", removed)), "menu 1 M: a=0", 0},
			{"one comes", itemsOf(1, menuItem(7, "n")), "menu 1 M: >n=0 a=0", 7},
		} {
			st.lane(step.packet)
			t.Log(step.what)
			equal(t, st.take("menu"), step.heard)
			got := received[*protocol.MenuInput](st)
			if step.now == 0 && len(got) == 0 || len(got) == 1 && got[0].ItemID == step.now {
				continue
			}
			t.Errorf("reported %+v", got)
		}
	})
}
