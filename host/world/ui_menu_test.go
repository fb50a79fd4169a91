package world

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// desk is a rig with one player and what he is told of menus, offers and actions.
type desk struct {
	*rig
	link   *link
	player *Player
}

func newDesk(t *testing.T) *desk {
	d := &desk{rig: newRig(t)}
	d.link, d.player = d.join("Alice")
	d.link.drain()
	d.took()
	return d
}

func (d *desk) receive(m protocol.Packet) { d.do(func(tx Tx) { tx.Receive(d.player, m) }) }

// tick lets time pass and what is due be done.
func (d *desk) tick(by time.Duration) {
	d.now += by
	d.do(func(tx Tx) { tx.tickUI() })
}

func (d *desk) failures() uint32 {
	if d.player.failed == nil {
		return 0
	}
	return d.player.failed[ViolationUI].count
}

// heard gives what scripts are told since the last call, a word each.
func (d *desk) heard() string {
	var words []string
	for _, e := range d.events {
		switch e := e.(type) {
		case MenuSelected:
			words = append(words, "select "+e.Item.state.Label)
		case MenuChanged:
			words = append(words, "change "+e.Item.state.Label)
		case MenuHighlighted:
			words = append(words, "highlight "+e.Item.state.Label)
		case MenuDone:
			words = append(words, "menu "+string(e.Menu.reason))
		case OfferDone:
			words = append(words, strings.TrimSpace(fmt.Sprint("offer ", e.Offer.accepted, " ", e.Offer.reason)))
		case ActionInput:
			word := "release"
			if e.Pressed {
				word = "press"
			}
			words = append(words, word+" "+e.Action.Spec.Name)
		case ActionHeld:
			words = append(words, "hold "+e.Action.Spec.Name)
		case ActionGone:
			words = append(words, "gone "+e.Action.Spec.Name+" "+string(e.Reason))
		}
	}
	d.events = nil
	return strings.Join(words, ", ")
}

// shows gives what goes out now, a word each.
func (d *desk) shows() string {
	d.link.drain0()
	var words []string
	for _, p := range d.link.sent {
		switch p := p.(type) {
		case *protocol.MenuShow:
			words = append(words, fmt.Sprintf("show %s %d", p.Content.Title, p.Items))
		case *protocol.MenuItems:
			for _, i := range p.Items {
				if i.Op == protocol.MenuRemove {
					words = append(words, fmt.Sprint("remove ", i.ItemID))
				} else {
					words = append(words, fmt.Sprintf("%s=%d", i.Label, MenuValue(&i)))
				}
			}
		case *protocol.MenuHide:
			words = append(words, "hide")
		case *protocol.OfferShow:
			words = append(words, "offer "+p.Content.Title)
		case *protocol.OfferHide:
			words = append(words, "withdraw "+p.Reason.String())
		case *protocol.ActionDeclare:
			word := "declare " + p.Name
			if p.Flags&protocol.ActionOff != 0 {
				word += " off"
			}
			words = append(words, word)
		case *protocol.ActionRemove:
			words = append(words, "remove action")
		case *protocol.ActionPrompt:
			words = append(words, strings.TrimSpace("prompt "+p.Text))
		default:
			words = append(words, short(p))
		}
	}
	d.link.sent = nil
	return strings.Join(words, ", ")
}

// drain0 flushes until nothing waits, and keeps what was sent.
func (l *link) drain0() {
	for l.pace.Len() > 0 {
		l.flush()
	}
}

func selectItem(label string, flags ...protocol.MenuItemFlags) MenuEntry {
	e := MenuEntry{State: protocol.MenuItem{Label: label}}
	for _, f := range flags {
		e.State.Flags |= f
	}
	return e
}

func toggleItem(label string) MenuEntry {
	return MenuEntry{State: protocol.MenuItem{Label: label, Kind: protocol.MenuToggle}}
}

func choiceItem(label string, options ...string) MenuEntry {
	return MenuEntry{State: protocol.MenuItem{Label: label, Kind: protocol.MenuChoice, Choice: protocol.MenuOptions{Options: options}}}
}

func sliderItem(label string, steps uint16) MenuEntry {
	return MenuEntry{State: protocol.MenuItem{Label: label, Kind: protocol.MenuSlider, Slider: protocol.MenuScale{Step: 1, Steps: steps}}}
}

func headingItem(label string) MenuEntry {
	return MenuEntry{State: protocol.MenuItem{Label: label, Kind: protocol.MenuHeading}}
}

// menu opens a menu and lets it reach the screen.
func (d *desk) menu(spec MenuSpec, items ...MenuEntry) (m *Menu) {
	d.t.Helper()
	if spec.Title == "" {
		spec.Title = "M"
	}
	spec.Start = -1
	spec.Items = items
	var err error
	d.do(func(tx Tx) { m, _, err = tx.OpenMenu(d.player, spec) })
	if err != nil {
		d.t.Fatal(err)
	}
	d.link.drain()
	return m
}

func (d *desk) input(m *Menu, event protocol.MenuEvent, item, value uint16) {
	in := &protocol.MenuInput{MenuID: m.id, ItemID: item, Event: event, Value: value}
	if i := m.item(item); i != nil {
		in.Revision = i.state.Revision
	}
	d.receive(in)
}

const (
	highlight = protocol.MenuHighlighted
	selecting = protocol.MenuSelected
	changing  = protocol.MenuChanged
	leaving   = protocol.MenuLeft
)

func (d *desk) everyKind() *Menu {
	return d.menu(MenuSpec{}, selectItem("A"), selectItem("B", protocol.MenuItemDisabled), toggleItem("C"),
		choiceItem("D", "x", "y", "z"), sliderItem("E", 5), headingItem("F"))
}

// TestForgedMenuInput has every input that a check refuses: it is dropped, and the item is sent again.
func TestForgedMenuInput(t *testing.T) {
	tests := []struct {
		name     string
		in       protocol.MenuInput
		resent   string
		violated uint32
	}{
		{"select of a disabled one", protocol.MenuInput{ItemID: 2, Event: selecting}, "B=0", 0},
		{"select of a toggle", protocol.MenuInput{ItemID: 3, Event: selecting}, "C=0", 0},
		{"select of a heading", protocol.MenuInput{ItemID: 6, Event: selecting}, "F=0", 0},
		{"change of a select", protocol.MenuInput{ItemID: 1, Event: changing, Value: 1}, "A=0", 0},
		{"change of a heading", protocol.MenuInput{ItemID: 6, Event: changing}, "F=0", 0},
		{"a toggle of 2", protocol.MenuInput{ItemID: 3, Event: changing, Value: 2}, "C=0", 0},
		{"option 3 of 3", protocol.MenuInput{ItemID: 4, Event: changing, Value: 3}, "D=0", 0},
		{"option 65535", protocol.MenuInput{ItemID: 4, Event: changing, Value: 65535}, "D=0", 0},
		{"option 256, which is 0 in a byte", protocol.MenuInput{ItemID: 4, Event: changing, Value: 256}, "D=0", 0},
		{"step 6 of 5", protocol.MenuInput{ItemID: 5, Event: changing, Value: 6}, "E=0", 0},
		{"another revision", protocol.MenuInput{ItemID: 1, Event: selecting, Revision: 1}, "A=0", 0},
		{"highlight that is not told", protocol.MenuInput{ItemID: 1, Event: highlight}, "A=0", 0},
		{"an item that there is not", protocol.MenuInput{ItemID: 7, Event: selecting}, "", 0},
		{"item 65535", protocol.MenuInput{ItemID: 65535, Event: selecting}, "", 0},
		{"leaving what cannot be left", protocol.MenuInput{Event: leaving}, "", 0},
		{"another menu", protocol.MenuInput{MenuID: 999, ItemID: 1, Event: selecting}, "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			m := d.everyKind()
			in := test.in
			if in.MenuID == 0 {
				in.MenuID = m.id
			}
			d.receive(&in)
			d.want("Lua hears", d.heard(), "")
			d.want("sent again", d.shows(), test.resent)
			if got := d.failures(); got != test.violated {
				t.Errorf("%d violations, want %d", got, test.violated)
			}
		})
	}
}

func TestMenuInput(t *testing.T) {
	d := newDesk(t)
	m := d.menu(MenuSpec{Closable: true, Highlight: true}, selectItem("A"), toggleItem("C"), choiceItem("D", "x", "y"), sliderItem("E", 5))
	d.input(m, highlight, 2, 0)
	d.want("highlight", d.heard(), "highlight C")
	d.do(func(tx Tx) {
		if i := tx.MenuSelection(m); i.state.Label != "C" {
			t.Errorf("on %s", i.state.Label)
		}
	})
	d.input(m, selecting, 1, 0)
	d.want("select", d.heard(), "select A")
	d.input(m, changing, 2, 1)
	d.input(m, changing, 3, 1)
	d.input(m, changing, 4, 2)
	d.input(m, changing, 4, 5)
	d.want("changes of one item before the scripts look are one", d.heard(), "change C, change D, change E")
	take := func(n int) string {
		var words string
		d.do(func(tx Tx) {
			value, old, ok := tx.TakeMenuChange(m.items[n])
			words = fmt.Sprint(old, " to ", value, " ", ok)
		})
		return words
	}
	d.want("toggle", take(1), "0 to 1 true")
	d.want("slider", take(3), "0 to 5 true")
	d.want("nothing more", take(3), "5 to 5 false")
	d.input(m, changing, 4, 5)
	d.want("the same value is no change", d.heard(), "")
	d.input(m, leaving, 0, 0)
	d.want("left", d.heard(), "menu cancel")
	d.want("his client has closed it", d.shows(), "")
	d.input(m, selecting, 1, 0)
	d.want("an answer that crossed the end", d.heard(), "")
	if d.failures() != 0 {
		t.Error("an honest one was counted")
	}
	d.now += lateAnswers + time.Second
	d.receive(&protocol.MenuInput{MenuID: m.id, ItemID: 1, Event: selecting})
	if d.failures() != 1 {
		t.Error("a late one was not counted")
	}
}

func TestMenuEnds(t *testing.T) {
	d := newDesk(t)
	d.menu(MenuSpec{}, selectItem("A"))
	d.menu(MenuSpec{CloseOnDeath: true, By: "shop"}, selectItem("B"))
	d.want("another one", d.heard(), "menu replaced")
	d.do(func(tx Tx) { tx.deathUI(d.player) })
	d.want("death", d.heard(), "menu death")
	d.link.drain()
	d.menu(MenuSpec{By: "shop"}, selectItem("C"))
	d.do(func(tx Tx) { tx.deathUI(d.player) })
	d.want("it stays at a death", d.heard(), "")
	d.do(func(tx Tx) { tx.resourceUI("bank") })
	d.want("another resource stops", d.heard(), "")
	d.do(func(tx Tx) { tx.resourceUI("shop") })
	d.want("its own", d.heard(), "menu stop")
	d.want("hidden", d.shows(), "hide")
	d.menu(MenuSpec{}, selectItem("D"))
	d.do(func(tx Tx) { tx.Leave(d.link, protocol.ReasonQuit, "") })
	d.want("not before the leave is told", d.heard(), "")
	d.do(func(tx Tx) {
		m, told, _ := tx.OpenMenu(d.player, MenuSpec{Title: "E", Items: []MenuEntry{selectItem("E")}})
		if tx.MenuOpen(m) || !told {
			t.Error("open at who has left")
		}
		d.events = tx.EndsOfLeave(d.player)
	})
	d.want("leave", d.heard(), "menu leave, menu leave")
}

func TestMenuLimit(t *testing.T) {
	d := newDesk(t)
	m := d.menu(MenuSpec{Closable: true}, toggleItem("C"))
	told := 0
	turn := func() string {
		d.input(m, changing, 1, 1-MenuValue(&m.items[0].state))
		if word := d.heard(); word != "" {
			d.do(func(tx Tx) { tx.TakeMenuChange(m.items[0]) })
			told++
			return word
		}
		return ""
	}
	for range menuBurst {
		turn()
	}
	if told != menuBurst {
		t.Fatalf("%d of the burst", told)
	}
	d.want("over it", turn(), "")
	d.want("sent again", d.shows(), "C=0")
	d.now += time.Second
	told = 0
	for range 2 * menuRate {
		turn()
	}
	if told < menuRate || told > menuRate+3 { // sending has taken some ms
		t.Fatalf("%d a second", told)
	}
	d.input(m, leaving, 0, 0)
	d.want("leaving is not limited", d.heard(), "menu cancel")
}

func TestBadMenus(t *testing.T) {
	many := make([]MenuEntry, 129)
	for n := range many {
		many[n] = selectItem("x")
	}
	wide := make([]string, 64)
	for n := range wide {
		wide[n] = strings.Repeat("o", 48)
	}
	bad := func(change func(s *protocol.MenuItem)) []MenuEntry {
		e := selectItem("x")
		change(&e.State)
		return []MenuEntry{selectItem("good"), e}
	}
	tests := []struct {
		name  string
		spec  MenuSpec
		error string
	}{
		{"no title", MenuSpec{Items: many[:1]}, `field "title": a menu has one`},
		{"a long title", MenuSpec{Title: strings.Repeat("x", 97), Items: many[:1]}, `field "title": 97 bytes, at most 96`},
		{"a long subtitle", MenuSpec{Title: "x", Subtitle: strings.Repeat("x", 161), Items: many[:1]}, `field "subtitle": 161 bytes, at most 160`},
		{"no items", MenuSpec{Title: "x"}, `field "items": none, a menu has 1 to 128`},
		{"129 items", MenuSpec{Title: "x", Items: many}, `field "items": 129 items, at most 128`},
		{"no label", MenuSpec{Title: "x", Items: bad(func(s *protocol.MenuItem) { s.Label = "" })}, `field "items[2].label": an item has one`},
		{"a long label", MenuSpec{Title: "x", Items: bad(func(s *protocol.MenuItem) { s.Label = strings.Repeat("x", 97) })}, `field "items[2].label": 97 bytes, at most 96`},
		{"a long help", MenuSpec{Title: "x", Items: bad(func(s *protocol.MenuItem) { s.Help = strings.Repeat("x", 201) })}, `field "items[2].help": 201 bytes, at most 200`},
		{"a toggle that closes", MenuSpec{Title: "x", Items: bad(func(s *protocol.MenuItem) { s.Kind, s.Flags = protocol.MenuToggle, protocol.MenuItemCloses })},
			`field "items[2].close": a toggle does not close the menu`},
		{"a disabled heading", MenuSpec{Title: "x", Items: bad(func(s *protocol.MenuItem) { s.Kind, s.Flags = protocol.MenuHeading, protocol.MenuItemDisabled })},
			`field "items[2].heading": a heading is neither disabled nor does it lead on or close the menu`},
		{"a choice of nothing", MenuSpec{Title: "x", Items: []MenuEntry{choiceItem("x")}}, `field "items[1].choice": 0 options, 1..64 expected`},
		{"an empty option", MenuSpec{Title: "x", Items: []MenuEntry{choiceItem("x", "a", "")}}, `field "items[1].choice[2]": it is empty`},
		{"too much for a packet", MenuSpec{Title: "x", Items: []MenuEntry{choiceItem("x", wide...)}},
			`field "items[1]": the item has 3,156 bytes, at most 1,100: shorten its options`},
		{"1,001 steps", MenuSpec{Title: "x", Items: []MenuEntry{sliderItem("x", 1001)}}, `field "items[1].slider": 1,001 steps, 1..1,000 expected`},
		{"a control character", MenuSpec{Title: "x", Items: []MenuEntry{selectItem("bell\a")}}, `field "items[1].label": `},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			open := d.menu(MenuSpec{}, selectItem("A"))
			d.do(func(tx Tx) {
				if _, _, err := tx.OpenMenu(d.player, test.spec); err == nil || !strings.HasPrefix(err.Error(), test.error) {
					t.Errorf("got %v\nwant %s", err, test.error)
				}
				if tx.MenuOf(d.player) != open {
					t.Error("what is open was replaced all the same")
				}
			})
		})
	}
}

// TestRandomMenuInput throws 10,000 inputs at an open menu: only those that the page allows change anything.
func TestRandomMenuInput(t *testing.T) {
	d := newDesk(t)
	m := d.everyKind()
	rng := rand.New(rand.NewPCG(1, 2))
	var allowed int
	for range 10_000 {
		d.now += 100 * time.Millisecond
		in := &protocol.MenuInput{MenuID: m.id + uint32(rng.IntN(2)), ItemID: uint16(rng.IntN(9)), Revision: uint16(rng.IntN(2)),
			Event: protocol.MenuEvent(rng.IntN(4)), Value: uint16(rng.IntN(7))}
		if in.Check() != nil {
			continue
		}
		before := make([]uint16, len(m.items))
		for n, i := range m.items {
			before[n] = i.value()
		}
		right := in.MenuID == m.id && in.Revision == 0 && (in.ItemID == 1 && in.Event == selecting ||
			in.Event == changing && (in.ItemID == 3 && in.Value <= 1 || in.ItemID == 4 && in.Value <= 2 || in.ItemID == 5 && in.Value <= 5))
		d.receive(in)
		heard := d.heard()
		for n, i := range m.items {
			d.do(func(tx Tx) { tx.TakeMenuChange(i) })
			if i.value() != before[n] && !right {
				t.Fatalf("%+v has changed item %d", in, n+1)
			}
		}
		if heard != "" && !right {
			t.Fatalf("Lua heard %s of %+v", heard, in)
		}
		if right {
			allowed++
		}
	}
	if allowed < 50 || m.over {
		t.Fatalf("%d of the inputs were right", allowed)
	}
}
