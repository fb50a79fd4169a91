package host_test

import (
	"errors"
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
)

var (
	atDesk   = protocol.Vec3{X: 1481, Y: -1771, Z: 18.8}
	fromDesk = protocol.Vec3{X: 1481, Y: -1760, Z: 18.8}
	theTruck = protocol.Vec3{X: 2460, Y: -2120, Z: 13.5}
)

// TestExampleJobMenu plays the job centre of page Chat, HUD and dialogs: the prompt in the area, the key, the menu whose
// items stay true for all who have it open, and the last truck.
func TestExampleJobMenu(t *testing.T) {
	inExample(t, "jobs", func(b *bubble) {
		nova, kilo := b.enter("Nova"), b.enter("Kilo")
		if err := nova.c.PressAction(nova.use().ActionID); !errors.Is(err, client.ErrUnusable) {
			t.Errorf("without a prompt the key works: %v", err)
		}
		nova.toDesk()
		kilo.toDesk()
		if use := nova.use(); use.Label != "Job centre" || use.Prompt.Text != "Look for work" || use.Bound.String() != "E" {
			t.Errorf("the action is %+v", use)
		}

		m := nova.look()
		if len(m.Items) != 2 || m.Subtitle != "Los Santos" || m.Items[0].Detail != "3 left" || m.Items[0].Icon != protocol.Icon(10) {
			t.Errorf("the menu is %+v", m)
		}
		if s := m.Items[1]; s.Slider.Min != 100 || s.Slider.Step != 100 || s.Slider.Value != 4 || s.Slider.Unit != "m" || s.Help != "How far to drive" {
			t.Errorf("the slider is %+v", s)
		}
		kilo.look()
		nova.keys(protocol.FunctionMenuDown, protocol.FunctionMenuRight, protocol.FunctionMenuRight)
		if v := nova.c.UI().Menu.Items[1].Slider.Value; v != 6 {
			t.Errorf("the slider is at %d", v)
		}
		nova.keys(protocol.FunctionMenuUp, protocol.FunctionMenuSelect)
		nova.noMenu()
		nova.hasTruck()
		kilo.offered("2 left", true)

		kilo.keys(protocol.FunctionMenuBack)
		kilo.noMenu()
		if o := kilo.c.UI().Hud.Objectives[0]; o.Shown() {
			t.Errorf("who left the menu has %+v", o)
		}
		for _, left := range []string{"1 left", "0 left"} { // he may take more than one
			nova.look()
			kilo.look()
			nova.keys(protocol.FunctionMenuSelect)
			nova.noMenu()
			kilo.offered(left, left != "0 left")
			if left != "0 left" {
				kilo.keys(protocol.FunctionMenuBack)
				kilo.noMenu()
			}
		}
		kilo.keys(protocol.FunctionMenuBack)
		if m := kilo.look(); m.Items[0].Flags&protocol.MenuItemDisabled == 0 || m.Selected != m.Items[1].ItemID {
			t.Errorf("without trucks the menu is %+v", m)
		}
	})
}

// TestExampleJobMenuRace: two take the last truck at once. One gets it.
func TestExampleJobMenuRace(t *testing.T) {
	inExample(t, "jobs", func(b *bubble) {
		nova, kilo := b.enter("Nova"), b.enter("Kilo")
		nova.toDesk()
		kilo.toDesk()
		for range 2 {
			nova.look()
			nova.keys(protocol.FunctionMenuSelect)
			nova.noMenu()
		}
		nova.look()
		kilo.look()
		for _, p := range []*person{nova, kilo} { // on the way at the same time
			if in, ok := p.c.UI().Menu.Press(protocol.FunctionMenuSelect); !ok {
				t.Error("the truck cannot be selected")
			} else if err := p.c.MenuInput(in); err != nil {
				t.Error(err)
			}
		}
		rest(time.Second)
		if open := nova.c.UI().Menu != nil; open == (kilo.c.UI().Menu != nil) {
			t.Fatalf("the last truck was taken by both or by nobody: %t", open)
		}
		loser := nova
		if nova.c.UI().Menu == nil {
			loser = kilo
		}
		loser.offered("0 left", false)
		loser.keys(protocol.FunctionMenuBack) // his menu takes keys again
		loser.noMenu()
	})
}

// TestExampleJobMenuEnds: the menu ends with a death, a leave and a reload, and stays with who only walks away; none of it
// keeps another's menu from its changes.
func TestExampleJobMenuEnds(t *testing.T) {
	inExample(t, "jobs", func(b *bubble) {
		nova, kilo, marta := b.enter("Nova"), b.enter("Kilo"), b.enter("Marta")
		for _, p := range []*person{nova, kilo, marta} {
			p.toDesk()
			p.look()
		}
		b.place(nova, fromDesk)
		nova.sees("no prompt", func(ui client.UI) bool { return !nova.use().Prompt.Present })
		if err := nova.c.PressAction(nova.use().ActionID); !errors.Is(err, client.ErrUnusable) {
			t.Errorf("away from the desk the key works: %v", err)
		}
		nova.menu("Job centre")

		b.kill(kilo)
		kilo.noMenu()
		marta.leave()
		rest(time.Second)
		nova.keys(protocol.FunctionMenuSelect)
		nova.noMenu()
		nova.hasTruck()

		nova.toDesk()
		nova.look()
		if err := b.reload("jobs"); err != nil {
			t.Fatal(err)
		}
		nova.noMenu()
		nova.sees("no truck", func(ui client.UI) bool { return !ui.Hud.Objectives[0].Shown() })
		nova.toDesk() // a new area finds who stands in it
		if m := nova.look(); m.Items[0].Detail != "3 left" {
			t.Errorf("after the reload the menu has %q", m.Items[0].Detail)
		}
	})
}

// use is a player's action of the job centre.
func (p *person) use() client.Action {
	p.b.t.Helper()
	var found client.Action
	p.sees("the action", func(ui client.UI) bool {
		for _, a := range ui.Actions {
			if a.Resource == "jobs" {
				found = a
			}
		}
		return found.Name == "jobs"
	})
	return found
}

// toDesk brings a player to the desk, and waits for the prompt.
func (p *person) toDesk() {
	p.b.t.Helper()
	p.b.place(p, atDesk)
	p.b.eventually(5*time.Second, p.name+" has the prompt", func() bool { return p.use().Prompt.Present })
}

// look presses E, and waits for the menu.
func (p *person) look() client.Menu {
	p.b.t.Helper()
	key := p.use().Bound
	if _, err := p.c.PressKey(key); err != nil {
		p.b.t.Fatal(err)
	}
	m := p.menu("Job centre")
	if err := p.c.ReleaseKey(key); err != nil {
		p.b.t.Fatal(err)
	}
	rest(100 * time.Millisecond)
	return m
}

// offered waits until the open menu has so many trucks.
func (p *person) offered(detail string, can bool) {
	p.b.t.Helper()
	p.sees(detail, func(ui client.UI) bool {
		return ui.Menu != nil && ui.Menu.Items[0].Detail == detail && (ui.Menu.Items[0].Flags&protocol.MenuItemDisabled == 0) == can
	})
}

func (p *person) hasTruck() {
	p.b.t.Helper()
	p.sees("where the truck is", func(ui client.UI) bool {
		o := ui.Hud.Objectives[0]
		return o.Shown() && o.Text == "Your truck" && o.Position == theTruck && o.Icon == protocol.Icon(10)
	})
}
