package host_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// What the examples of page Chat, HUD and dialogs are tested with: the demo's own folders, and players who read and answer.

// demo are the files of a resource of the demo.
func demo(t *testing.T, name string) files {
	t.Helper()
	dir, found := filepath.Join("..", "fixtures", "demo", "resources", name), files{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[name+"/"+e.Name()] = string(text)
	}
	return found
}

// inExample runs a test on a server with one resource of the demo, and holds that its log has no error but those that the
// example is known to end with.
func inExample(t *testing.T, name string, test func(b *bubble), known ...string) {
	t.Helper()
	inBubble(t, 1, demo(t, name), func(cfg *host.Config) { cfg.Players.Spawn.Position = []float64{1500, -1771, 18.8} }, func(b *bubble) {
		b.mem.SetPath(udp.Path{Delay: 20 * time.Millisecond})
		test(b)
		if faults := b.judge.verdict(); faults != "" {
			t.Error(faults)
		}
		for line := range strings.Lines(b.logs.String()) {
			is := func(known string) bool { return strings.Contains(line, known) }
			if (is("level=ERROR") || is("level=WARN")) && !slices.ContainsFunc(known, is) {
				t.Errorf("the server complains: %s", line)
			}
		}
	})
}

// command sends a command.
func (p *person) command(text string) {
	p.b.t.Helper()
	if err := p.c.Command(text); err != nil {
		p.b.t.Fatalf("/%s: %v", text, err)
	}
}

// sees waits until a person's screen is so, and gives it.
func (p *person) sees(what string, is func(ui client.UI) bool) (ui client.UI) {
	p.b.t.Helper()
	p.b.eventually(5*time.Second, p.name+" sees "+what, func() bool { ui = p.c.UI(); return is(ui) })
	return ui
}

// dialog waits for a dialog of a title, until it takes keys.
func (p *person) dialog(title string) client.Dialog {
	p.b.t.Helper()
	ui := p.sees("the dialog "+title, func(ui client.UI) bool { return ui.Dialog != nil && ui.Dialog.Title == title })
	rest(300 * time.Millisecond)
	return *ui.Dialog
}

// noDialog waits until no dialog is open, and holds that none comes.
func (p *person) noDialog() {
	p.b.t.Helper()
	p.sees("no dialog", func(ui client.UI) bool { return ui.Dialog == nil })
	if rest(time.Second); p.c.UI().Dialog != nil {
		p.b.t.Fatalf("%s has the dialog %q", p.name, p.c.UI().Dialog.Title)
	}
}

func (p *person) answer(d client.Dialog, a client.DialogAnswer) {
	p.b.t.Helper()
	if err := p.c.AnswerDialog(d.ID, a); err != nil {
		p.b.t.Fatalf("the dialog %q: %v", d.Title, err)
	}
}

func (p *person) dismiss(d client.Dialog) {
	p.b.t.Helper()
	p.answer(d, client.DialogAnswer{Button: protocol.ButtonCancel})
}

// menu waits for a menu of a title.
func (p *person) menu(title string) client.Menu {
	p.b.t.Helper()
	return *p.sees("the menu "+title, func(ui client.UI) bool { return ui.Menu != nil && ui.Menu.Title == title }).Menu
}

func (p *person) noMenu() {
	p.b.t.Helper()
	p.sees("no menu", func(ui client.UI) bool { return ui.Menu == nil })
}

// keys presses keys of the open menu, one after the other.
func (p *person) keys(functions ...protocol.Function) {
	p.b.t.Helper()
	for _, f := range functions {
		m := p.c.UI().Menu
		if m == nil {
			p.b.t.Fatalf("%s has no menu for %v", p.name, f)
		}
		in, ok := m.Press(f)
		if !ok {
			p.b.t.Fatalf("%v means nothing in the menu %q", f, m.Title)
		}
		if err := p.c.MenuInput(in); err != nil {
			p.b.t.Fatalf("%v in the menu %q: %v", f, m.Title, err)
		}
		rest(150 * time.Millisecond)
	}
}

// offer waits for an offer of a title.
func (p *person) offer(title string) client.Offer {
	p.b.t.Helper()
	return p.sees("the offer "+title, func(ui client.UI) bool { return len(ui.Offers) > 0 && ui.Offers[0].Content.Title == title }).Offers[0]
}

func (p *person) noOffer() {
	p.b.t.Helper()
	p.sees("no offer", func(ui client.UI) bool { return len(ui.Offers) == 0 })
}

func (p *person) answerOffer(o client.Offer, accept bool) {
	p.b.t.Helper()
	if err := p.c.AnswerOffer(o.OfferID, accept); err != nil {
		p.b.t.Fatalf("the offer %q: %v", o.Content.Title, err)
	}
}

// reads waits for a notification.
func (p *person) reads(kind protocol.MessageKind, text string) {
	p.b.t.Helper()
	p.sees("the notification "+text, func(ui client.UI) bool {
		for _, n := range ui.Notifications {
			if n.Kind == kind && n.Content.Text == text {
				return true
			}
		}
		return false
	})
}

// pocket gives a player money, or takes it.
func (b *bubble) pocket(p *person, money int32) {
	b.t.Helper()
	b.tell(p, func(tx world.Tx, q *world.Player) {
		if err := tx.SetMoney(q, money); err != nil {
			b.t.Error(err)
		}
	})
	b.has(p, money)
}

// has holds that a player has money, by the server and by his client.
func (b *bubble) has(p *person, money int32) {
	b.t.Helper()
	var own int32
	b.eventually(5*time.Second, "the client of "+p.name+" shows his money", func() bool {
		b.tell(p, func(tx world.Tx, q *world.Player) { own = tx.Money(q) })
		return p.c.Self().Money == own
	})
	if own != money {
		b.t.Fatalf("%s has $%d, expected $%d", p.name, own, money)
	}
}

// rounds are those of a weapon that a player has.
func (b *bubble) rounds(p *person, w protocol.Weapon) (n int) {
	b.tell(p, func(tx world.Tx, q *world.Player) { n = tx.AmmoOf(q, w) })
	return n
}

// kill ends a player, who stands up again later.
func (b *bubble) kill(p *person) {
	b.t.Helper()
	b.tell(p, func(tx world.Tx, q *world.Player) {
		if err := tx.Kill(q, nil, protocol.CauseFall); err != nil {
			b.t.Error(err)
		}
	})
}

// place puts a player somewhere, and waits until he is there.
func (b *bubble) place(p *person, at protocol.Vec3) {
	b.t.Helper()
	b.tell(p, func(tx world.Tx, q *world.Player) {
		if err := tx.Teleport(q, world.Teleport{Position: &at}); err != nil {
			b.t.Error(err)
		}
	})
	b.eventually(5*time.Second, p.name+" is there", func() bool { return b.arrived(p) && p.c.Self().Frame.Position == at })
}
