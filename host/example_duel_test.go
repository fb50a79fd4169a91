package host_test

import (
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
)

const desertEagle = protocol.Weapon(24)

// duelists are Nova and Kilo with $1,000 each, who have the demo's duel.
func duelists(t *testing.T, test func(b *bubble, nova, kilo *person)) {
	t.Helper()
	inExample(t, "duel", func(b *bubble) {
		nova, kilo := b.enter("Nova"), b.enter("Kilo")
		b.pocket(nova, 1000)
		b.pocket(kilo, 1000)
		test(b, nova, kilo)
	})
}

// agreed is a duel that was offered and accepted, with its countdown on both screens.
func agreed(nova, kilo *person) {
	nova.b.t.Helper()
	nova.command("duel Kilo 500")
	kilo.answerOffer(kilo.offer("Duel"), true)
	for _, p := range []*person{nova, kilo} {
		p.sees("the countdown", func(ui client.UI) bool { return ui.Hud.Countdowns[0].Shown() })
	}
}

// TestExampleDuel plays the duel of page Chat, HUD and dialogs: offered, accepted, counted down, fought and won.
func TestExampleDuel(t *testing.T) {
	duelists(t, func(b *bubble, nova, kilo *person) {
		nova.command("duel Kilo 500")
		o := kilo.offer("Duel")
		if o.Content.Text != "Nova fights you for {FFB000}$500" || o.PlayerID != nova.id() || o.Duration != 15000 || o.Icon != protocol.Icon(24) {
			t.Errorf("the offer is %+v", o)
		}
		rest(5 * time.Second) // he thinks about it
		kilo.answerOffer(o, true)
		for _, p := range []*person{nova, kilo} {
			c := p.sees("the countdown", func(ui client.UI) bool { return ui.Hud.Countdowns[0].Shown() }).Hud.Countdowns[0]
			if c.Mode != protocol.CountdownLarge || c.Time > 3000 || c.End != "FIGHT" || c.Flags&protocol.CountdownTicks == 0 {
				t.Errorf("%s has the countdown %+v", p.name, c)
			}
		}
		rest(2500 * time.Millisecond)
		if n := b.rounds(nova, desertEagle); n != 0 {
			t.Errorf("%d rounds before the start", n)
		}
		for _, p := range []*person{nova, kilo} {
			p.sees("FIGHT", func(ui client.UI) bool { return ui.Hud.Countdowns[0].Ended })
			b.eventually(time.Second, p.name+" is armed", func() bool { return b.rounds(p, desertEagle) == 100 })
		}
		rest(2 * time.Second)
		if c := nova.c.UI().Hud.Countdowns[0]; c.Shown() {
			t.Errorf("the countdown stays: %+v", c)
		}

		marta := b.enter("Marta")
		b.pocket(marta, 1000)
		marta.command("duel Nova") // who fights has no time
		b.hears(marta, "Not now.")

		b.kill(kilo)
		nova.wins("against Kilo")
		b.has(nova, 1000)
		marta.sees("nothing", func(ui client.UI) bool { return !ui.Hud.Announcements[protocol.AnnouncementCenter].Shown() })
		rest(11 * time.Second)
		marta.command("duel Nova") // and he has it again
		nova.answerOffer(nova.offer("Duel"), true)
	})
}

// TestExampleDuelRefused has all that ends a duel before it begins.
func TestExampleDuelRefused(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		then    func(b *bubble, nova, kilo *person)
		hears   string
	}{
		"declined":         {"duel Kilo 500", func(_ *bubble, _, kilo *person) { kilo.answerOffer(kilo.offer("Duel"), false) }, "Declined."},
		"no answer":        {"duel Kilo 500", func(_ *bubble, _, kilo *person) { kilo.offer("Duel"); rest(17 * time.Second); kilo.noOffer() }, "No answer."},
		"the rival leaves": {"duel Kilo", func(_ *bubble, _, kilo *person) { kilo.offer("Duel"); kilo.leave() }, "Declined."},
		"himself":          {"duel me", nil, "Not now."},
		"too dear":         {"duel Kilo 1001", nil, "Not now."},
		"the rival is poor": {"duel Kilo 500", func(b *bubble, nova, kilo *person) { // by the time that he accepts
			o := kilo.offer("Duel")
			b.pocket(kilo, 499)
			kilo.answerOffer(o, true)
			rest(5 * time.Second)
			nova.command("duel Kilo 499")
		}, "Wait"},
		"nobody":         {"duel Marta", nil, "Usage: /duel <rival> [stake 0..10000]"},
		"without a name": {"duel", nil, "Usage: /duel"},
		"a bad stake":    {"duel Kilo -5", nil, "stake: a whole number 0..10000 expected"},
	} {
		t.Run(name, func(t *testing.T) {
			duelists(t, func(b *bubble, nova, kilo *person) {
				nova.command(c.command)
				if c.then != nil {
					c.then(b, nova, kilo)
				}
				b.hears(nova, c.hears)
				rest(5 * time.Second)
				for _, p := range []*person{nova, kilo} {
					if ui := p.c.UI(); len(ui.Offers) > 0 || ui.Hud.Countdowns[0].Shown() || b.rounds(p, desertEagle) > 0 {
						t.Errorf("%s has a duel: %+v", p.name, ui)
					}
				}
			})
		})
	}
}

// TestExampleDuelChallengerLeaves: the offer goes with him, and nothing is left of it.
func TestExampleDuelChallengerLeaves(t *testing.T) {
	duelists(t, func(b *bubble, nova, kilo *person) {
		nova.command("duel Kilo 500")
		kilo.offer("Duel")
		nova.leave()
		kilo.noOffer()
		rest(time.Second)
	})
}

// TestExampleDuelInterrupted: who dies or leaves while it counts down has lost, and nobody is armed.
func TestExampleDuelInterrupted(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(b *bubble, kilo *person)
		text string
	}{
		"leave": {func(_ *bubble, kilo *person) { kilo.leave() }, "Kilo fled"},
		"death": {func(b *bubble, kilo *person) { b.kill(kilo) }, "against Kilo"},
	} {
		t.Run(name, func(t *testing.T) {
			duelists(t, func(b *bubble, nova, kilo *person) {
				agreed(nova, kilo)
				c.end(b, kilo)
				nova.wins(c.text)
				rest(5 * time.Second)
				if n := b.rounds(nova, desertEagle); n != 0 {
					t.Errorf("the winner has %d rounds", n)
				}
			})
		})
	}
}

// TestExampleDuelReloads: a reload takes the offer and the countdown with it, and the next duel is a new one.
func TestExampleDuelReloads(t *testing.T) {
	duelists(t, func(b *bubble, nova, kilo *person) {
		reload := func() {
			t.Helper()
			if err := b.reload("duel"); err != nil {
				t.Fatal(err)
			}
		}
		nova.command("duel Kilo 500")
		kilo.offer("Duel")
		reload()
		kilo.noOffer()

		agreed(nova, kilo)
		reload()
		for _, p := range []*person{nova, kilo} {
			p.sees("no countdown", func(ui client.UI) bool { return !ui.Hud.Countdowns[0].Shown() })
		}
		rest(5 * time.Second)
		if n := b.rounds(nova, desertEagle) + b.rounds(kilo, desertEagle); n != 0 {
			t.Errorf("the duel of the old generation goes on: %d rounds", n)
		}
		agreed(nova, kilo)
	})
}

// wins waits for the announcement of the winner.
func (p *person) wins(text string) {
	p.b.t.Helper()
	p.sees("that he wins", func(ui client.UI) bool {
		a := ui.Hud.Announcements[protocol.AnnouncementCenter]
		return a.Shown() && a.Content.Title == "You win" && a.Content.Text == text
	})
}
