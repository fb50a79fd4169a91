package host_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// TestExampleShop plays the shop of page Chat, HUD and dialogs: a table, a form that comes back with what is wrong, the
// sale, and all ways out of it.
func TestExampleShop(t *testing.T) {
	inExample(t, "ammunation", func(b *bubble) {
		nova := b.enter("Nova")
		b.pocket(nova, 2500)

		nova.command("ammunation")
		table := nova.dialog("Ammu-Nation")
		want := []protocol.TableRow{{Cells: []string{"Colt 45", "$500"}}, {Cells: []string{"AK-47", "$3500"}, Flags: protocol.RowDisabled}}
		if !reflect.DeepEqual(table.Rows, want) || table.Columns[1].Align != protocol.AlignRight || table.Accept != "Buy" || table.Cancel != "Leave" {
			t.Errorf("the table is %+v", table)
		}
		var refused *client.DialogError
		if err := nova.c.AnswerDialog(table.ID, client.DialogAnswer{Row: 1}); !errors.As(err, &refused) {
			t.Errorf("what is too dear can be chosen: %v", err)
		}

		nova.answer(table, client.DialogAnswer{Row: 0})
		form := nova.dialog("Colt 45")
		if f := form.Fields; len(f) != 2 || f[0].Number.Initial != 34 || f[0].Flags&protocol.FormSlider == 0 || f[1].Flags&protocol.FormRequired != 0 {
			t.Errorf("the form is %+v", form.Fields)
		}
		b.pocket(nova, 600) // he loses some while he reads
		nova.answer(form, rounds(500, 1))
		form = nova.dialog("Colt 45")
		if form.Error != "You have only $600" || form.ErrorField != 0 || form.Fields[0].Number.Initial != 500 || form.Fields[1].Choice.Initial != 1 {
			t.Errorf("the form comes back as %+v", form)
		}
		nova.answer(form, rounds(34))
		nova.reads(protocol.MessageSuccess, "You bought a {FFB000}Colt 45")
		b.has(nova, 600-500-2*34)
		if n := b.rounds(nova, colt); n != 34 {
			t.Errorf("%d rounds, expected 34", n)
		}

		table = nova.dialog("Ammu-Nation") // and back to the shop, where nothing is to be had any more
		for i, row := range table.Rows {
			if row.Flags&protocol.RowDisabled == 0 {
				t.Errorf("row %d can be chosen with $32", i)
			}
		}
		nova.dismiss(table)
		nova.noDialog()
		b.has(nova, 32)
	})
}

func TestExampleShopBackAndAgain(t *testing.T) {
	inExample(t, "ammunation", func(b *bubble) {
		nova := b.enter("Nova")
		b.pocket(nova, 5000)
		nova.command("ammunation")
		table := nova.dialog("Ammu-Nation")
		nova.command("ammunation") // nobody stands at the counter twice
		b.hears(nova, "/ammunation")
		if again := nova.dialog("Ammu-Nation"); again.ID != table.ID {
			t.Error("the command ran twice")
		}
		nova.answer(table, client.DialogAnswer{Row: 1})
		nova.dismiss(nova.dialog("AK-47"))
		nova.dismiss(nova.dialog("Ammu-Nation"))
		nova.noDialog()
		b.has(nova, 5000)

		nova.command("ammunation")
		nova.answer(nova.dialog("Ammu-Nation"), client.DialogAnswer{Row: 1})
		nova.answer(nova.dialog("AK-47"), rounds(17, 0))
		nova.reads(protocol.MessageSuccess, "You bought a {FFB000}AK-47")
		b.has(nova, 5000-3500-34)
		nova.dialog("Ammu-Nation")
	})
}

// TestExampleShopInterrupted: a player leaves and the resource reloads in the middle, at the table and at the form.
func TestExampleShopInterrupted(t *testing.T) {
	inExample(t, "ammunation", func(b *bubble) {
		for _, title := range []string{"Ammu-Nation", "Colt 45"} {
			open := func(p *person) client.Dialog {
				b.pocket(p, 1000)
				p.command("ammunation")
				d := p.dialog("Ammu-Nation")
				if title != d.Title {
					p.answer(d, client.DialogAnswer{Row: 0})
					d = p.dialog(title)
				}
				return d
			}
			nova := b.enter("Nova")
			open(nova)
			nova.leave()

			nova = b.enter("Nova")
			d := open(nova)
			if err := b.reload("ammunation"); err != nil {
				t.Fatal(err)
			}
			nova.noDialog()
			if err := nova.c.AnswerDialog(d.ID, rounds(34)); !errors.Is(err, client.ErrNotOpen) {
				t.Errorf("the dialog %q can be answered after the reload: %v", title, err)
			}
			nova.dismiss(open(nova))
			rest(time.Second)
			b.has(nova, 1000)
			nova.leave()
		}
	}, "player.money: this player has left") // it looks at his money once more before it asks again
}

// TestExampleShopDies: death does not close the shop, for nobody asked it to, and the dead are given no weapon: that ends the
// command, not the shop.
func TestExampleShopDies(t *testing.T) {
	inExample(t, "ammunation", func(b *bubble) {
		nova := b.enter("Nova")
		b.pocket(nova, 1000)
		nova.command("ammunation")
		nova.answer(nova.dialog("Ammu-Nation"), client.DialogAnswer{Row: 0})
		form := nova.dialog("Colt 45")
		b.kill(nova)
		b.eventually(5*time.Second, "Nova is dead", func() bool { return nova.c.Self().State == client.Wasted })
		nova.answer(form, rounds(34))
		nova.noDialog()
		b.eventually(20*time.Second, "Nova is back", func() bool { return b.arrived(nova) })
		nova.command("ammunation")
		nova.dismiss(nova.dialog("Ammu-Nation"))
		nova.noDialog()
	}, "player:give_weapon: the player is dead")
}

// rounds is the form of a weapon filled in: how many rounds, and the paint if any.
func rounds(n float64, paint ...uint8) client.DialogAnswer {
	fields := []protocol.FormAnswer{{Number: 0, Type: protocol.FormNumber, Float: n}}
	for _, p := range paint {
		fields = append(fields, protocol.FormAnswer{Number: 1, Type: protocol.FormChoice, Choice: p})
	}
	return client.DialogAnswer{Fields: fields}
}
