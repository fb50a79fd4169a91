package client

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

func (r *recorder) Theme(p protocol.UiTheme)             { r.note("theme scale %d", p.Scale) }
func (r *recorder) PlatformKeys(p protocol.PlatformKeys) { r.note("keys chat %v", p.Keys[0]) }
func (r *recorder) Dialog(d Dialog) {
	r.note("dialog %d %v %q rows %d fields %d", d.ID, d.Kind, d.Title, len(d.Rows), len(d.Fields))
}
func (r *recorder) DialogClosed(id uint32, why CloseReason) { r.note("dialog %d closed %s", id, why) }
func (r *recorder) Menu(m Menu) {
	var items []string
	for _, i := range m.Items {
		mark := ""
		if i.ItemID == m.Selected {
			mark = ">"
		}
		items = append(items, fmt.Sprintf("%s%s=%d", mark, i.Label, itemValue(&i)))
	}
	r.note("menu %d %s: %s", m.ID, m.Title, strings.Join(items, " "))
}
func (r *recorder) MenuClosed(id uint32, why CloseReason) { r.note("menu %d closed %s", id, why) }
func (r *recorder) Offers(list []Offer) {
	line := "offers"
	for _, o := range list {
		line += fmt.Sprint(" ", o.OfferID)
	}
	r.note("%s", line)
}
func (r *recorder) OfferClosed(id uint32, why CloseReason) { r.note("offer %d closed %s", id, why) }
func (r *recorder) Action(a Action) {
	r.note("action %d %s key %v prompt %q down %v", a.ActionID, a.Name, a.Bound, a.Prompt.Text, a.Down)
}
func (r *recorder) ActionRemoved(id uint32) { r.note("action %d removed", id) }
func (r *recorder) Hud(e HudElement)        { r.note("hud %T %v", e, e.Shown()) }
func (r *recorder) Notifications(list []Notification) {
	line := "notifications"
	for _, n := range list {
		line += fmt.Sprint(" ", n.NotificationID)
	}
	r.note("%s", line)
}
func (r *recorder) KillFeed(list []Kill) {
	line := "kills"
	for _, k := range list {
		line += " " + k.Victim
	}
	r.note("%s", line)
}
func (r *recorder) Nametag(p protocol.PlayerNametag) {
	r.note("nametag %d/%d %q %g", p.PlayerID, p.PlayerToken, p.Name, p.Distance)
}
func (r *recorder) Bubble(b Bubble) { r.note("bubble %d/%d %q", b.PlayerID, b.PlayerToken, b.Text) }

// wants fails unless err is this error.
func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, expected %v", err, want)
	}
}

// keyOf is a key by its name.
func keyOf(name string) protocol.Key {
	k, ok := protocol.KeyByName(name)
	if !ok {
		panic(name)
	}
	return k
}

func theme(scale uint8) *protocol.UiTheme {
	p := &protocol.UiTheme{Scale: scale, ChatLines: 10}
	for i := range p.Colors {
		p.Colors[i] = protocol.RGBA{A: 255}
	}
	return p
}

// TestTheUILivesAsLongAsTheSession: a move keeps all, a new session begins empty, and without one there is nothing.
func TestTheUILivesAsLongAsTheSession(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(theme(75))
		st.lane(&protocol.DialogShow{DialogID: 1, Content: protocol.DialogContent{DialogTexts: protocol.DialogTexts{Title: "T"}}})
		st.lane(&protocol.HudGauge{Present: true, Max: 10, Value: 5})
		st.lane(&protocol.HudNotificationAdd{NotificationID: 1, Content: protocol.NotificationContent{Text: "n"}})
		full := func() bool {
			view := st.client.UI()
			return view.Theme.Scale == 75 && view.Dialog != nil && view.Hud.Gauges[0].Shown() && len(view.Notifications) == 1
		}
		if !full() {
			t.Fatal("not all is there")
		}
		time.Sleep(3 * time.Second) // silence: the client asks to go on
		st.challenge(0)
		st.send(st.hello(func(p *protocol.ServerHello) { p.State = protocol.HelloMoved }))
		st.take()
		if !full() {
			t.Error("the move has lost something")
		}
		st.stop()
		if view := st.client.UI(); view.Dialog != nil || view.Hud != (Hud{}) || view.Keys != *protocol.DefaultPlatformKeys() {
			t.Error("without a session there is nothing")
		}
		st.connect()
		if view := st.client.UI(); view.Theme.Scale != 0 || view.Dialog != nil || view.Hud != (Hud{}) || len(view.Notifications) != 0 {
			t.Error("a new session begins empty")
		}
	})
}

func TestSlashLinesAreNoChat(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		if st.client.Chat("/veh") == nil || st.client.TeamChat("/veh") == nil {
			t.Error("a command was sent as chat")
		}
		if got := received[*protocol.ClientChat](st); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})
}

// performUI is one act of the program with what is on the screen.
func performUI(g *game, now time.Duration, a, b, c byte) {
	at, id := g.at(now), uint32(b)
	switch d, m := &g.ui.dialog, &g.ui.menu; a & 7 {
	case 0:
		answer := DialogAnswer{Button: protocol.DialogButton(b & 3), Row: int(c) - 1, Text: strings.Repeat("x", int(c))}
		for i, f := range d.Fields {
			answer.Fields = append(answer.Fields, protocol.FormAnswer{Number: uint8(i), Type: f.Type, Choice: c, Choices: uint64(c), Float: float64(c)})
		}
		_ = g.answerDialog(at, d.ID, answer)
	case 1:
		if p, ok := m.Press(protocol.Function(b & 15)); ok {
			_ = g.menuInput(at, p)
		}
	case 2:
		if len(m.Items) > 0 {
			item := &m.Items[int(b)%len(m.Items)]
			p := protocol.MenuInput{MenuID: m.ID, ItemID: item.ItemID, Revision: item.Revision, Event: protocol.MenuEvent(c & 3)}
			if p.Event == protocol.MenuChanged {
				p.Value = uint16(c >> 2)
			}
			if p.Event != protocol.MenuLeft {
				_ = g.menuInput(at, p)
			}
		}
	case 3:
		if n := len(g.ui.offers); n > 0 {
			_ = g.answerOffer(g.ui.offers[int(b)%n].OfferID, c&1 == 0)
		}
	case 4:
		_, _ = g.pressKey(at, protocol.Key(b))
	case 5:
		g.release(func(a *action) bool { return a.held == protocol.Key(b) })
	case 6:
		if n := len(g.ui.actions.list); n > 0 {
			id = g.ui.actions.list[int(b)%n].ActionID
		}
		_ = g.pressAction(at, id)
	case 7:
		g.releaseKeys()
	}
}

// settleUI holds what is on the screen to its bounds.
func settleUI(t *testing.T, g *game) {
	u := &g.ui
	down := 0
	for _, a := range u.actions.list {
		if a.Down {
			down++
		}
		if a.Down && (u.dialog.shown || !g.fits(a)) {
			t.Fatalf("action %d is held", a.ActionID)
		}
	}
	if down != u.actions.down || len(u.actions.list) > maxActions || len(u.offers) > maxOffers || len(u.kills) > shownKills ||
		len(u.notes.kept) > keptNotifications || len(u.notes.view()) > shownNotifications || len(u.menu.Items) > protocol.MaxMenuItems {
		t.Fatal("a bound of the UI is broken")
	}
	if d := &u.dialog; len(d.Rows) > protocol.MaxDialogRows || len(d.Fields) > protocol.MaxFormFields ||
		d.shown && (len(d.Rows) != d.rows || len(d.Fields) != d.fields) {
		t.Fatalf("%+v", d)
	}
	if m := &u.menu; m.shown && m.Selected != 0 && m.Item(m.Selected) == nil || !m.shown && m.Selected != 0 {
		t.Fatalf("%+v", m)
	}
	for id, tag := range u.nametags {
		if token, ok := g.crowd.generations.Live(id); ok && token < tag.PlayerToken {
			t.Fatalf("player %d has a nametag of %d", token, tag.PlayerToken)
		}
	}
	if view := u.view(); view.Menu != nil && view.Menu.ID == 0 || view.Dialog != nil && view.Dialog.ID == 0 {
		t.Fatalf("%+v", view)
	}
}
