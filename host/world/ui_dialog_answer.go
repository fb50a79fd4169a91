package world

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"darqline/protocol"
)

// ReceiveDialogResponse takes the answer to a message, an input, a password, a list or a table (page Chat, HUD and dialogs,
// DialogResponse).
func (tx Tx) ReceiveDialogResponse(p *Player, m *protocol.DialogResponse) {
	tx.answerDialog(p, m, m.DialogID, func(d *Dialog) (*DialogAnswer, error) {
		a := &DialogAnswer{Button: m.Button, Row: -1, Text: m.Text}
		if m.Row != protocol.NoRow {
			a.Row = int(m.Row)
		}
		return a, d.checkAnswer(a)
	})
}

// ReceiveDialogFormResponse takes a filled form (page Chat, HUD and dialogs, DialogFormResponse).
func (tx Tx) ReceiveDialogFormResponse(p *Player, m *protocol.DialogFormResponse) {
	tx.answerDialog(p, m, m.DialogID, func(d *Dialog) (*DialogAnswer, error) {
		a := &DialogAnswer{Button: m.Button, Row: -1, Fields: m.Fields}
		return a, d.checkForm(a)
	})
}

// answerDialog ends the dialog that an answer names, whatever the answer is. One that a check of its packet refuses is an
// invalid one, and so is one above the limit: nobody presses so fast.
func (tx Tx) answerDialog(p *Player, m protocol.Packet, id uint32, read func(d *Dialog) (*DialogAnswer, error)) {
	may := tx.mayAnswer(p)
	d, ok := answered[*Dialog](tx, p, m, id)
	if !ok {
		return
	}
	a, err := read(d)
	if !may {
		err = fmt.Errorf("more than %d answers at once or %d a second", answerBurst, answerRate)
	}
	tx.closed(p, d.id)
	d.state = dialogJudged
	switch {
	case err != nil:
		tx.violated(p, ViolationUI, "%v to a dialog: %v", m.ID(), err)
		tx.endDialog(d, EndInvalid)
	case a.Button == protocol.ButtonAccept && d.Spec.Checked:
		d.answer = a
		if !tx.w.cfg.Sink.Post(DialogAnswered{d}) {
			tx.endDialog(d, EndClosed) // nobody could judge it
		}
	case a.Button == protocol.ButtonCancel:
		tx.endDialog(d, EndCancel)
	default:
		d.answer = a
		tx.endDialog(d, EndReason(a.Button.String()))
	}
}

// checkButton holds a button against those that there are.
func (s *DialogSpec) checkButton(b protocol.DialogButton) error {
	switch {
	case b == protocol.ButtonCancel && !s.Cancellable:
		return errors.New("cancel, but it cannot be cancelled")
	case b == protocol.ButtonExtra && s.Extra == "":
		return errors.New("extra, which it does not have")
	}
	return nil
}

// checkAnswer holds an answer against a dialog that is no form. What was typed is never in the error.
func (d *Dialog) checkAnswer(a *DialogAnswer) error {
	s := &d.Spec
	if err := s.checkButton(a.Button); err != nil {
		return err
	}
	switch {
	case s.Fields != nil:
		return errors.New("it is a form")
	case a.Button == protocol.ButtonCancel: // has neither row nor text
		return nil
	}
	if rows := s.choices(); rows != nil {
		return checkRow(a, rows)
	}
	switch {
	case a.Row >= 0:
		return fmt.Errorf("row %d, but it has none to choose", a.Row)
	case s.Input != nil:
		return s.Input.check(a.Text)
	case a.Text != "":
		return errors.New("a text, but nothing is typed in it")
	}
	return nil
}

// choices are the rows of a list or table.
func (s *DialogSpec) choices() []protocol.TableRow {
	if s.Columns != nil {
		return s.Rows
	}
	return s.Items
}

func checkRow(a *DialogAnswer, rows []protocol.TableRow) error {
	switch {
	case a.Text != "":
		return errors.New("a text, but nothing is typed in it")
	case a.Row < 0 && a.Button == protocol.ButtonExtra:
		return nil
	case a.Row < 0:
		return errors.New("no row")
	case a.Row >= len(rows):
		return fmt.Errorf("row %d of %d", a.Row, len(rows))
	case rows[a.Row].Flags&protocol.RowDisabled != 0:
		return fmt.Errorf("row %d, which cannot be chosen", a.Row)
	}
	return nil
}

func (i *InputSpec) check(text string) error {
	n := utf8.RuneCountInString(text)
	newlines := strings.Count(text, "\n")
	switch {
	case n < i.Min || n > i.Max:
		return fmt.Errorf("%d characters, %d to %d expected", n, i.Min, i.Max)
	case newlines > 0 && !i.Lines:
		return errors.New("several lines, one expected")
	case newlines >= showLines:
		return fmt.Errorf("%d lines, at most %d", newlines+1, showLines)
	}
	return nil
}

// fill puts what the player has answered where the dialog had what he began with.
func (d *Dialog) fill() {
	s, a := &d.Spec, d.answer
	switch {
	case s.Fields != nil:
		d.fillForm()
	case s.choices() != nil && a.Row >= 0:
		s.Start = a.Row
	case s.Input != nil && !s.Input.Hidden:
		input := *s.Input
		input.Initial = a.Text
		s.Input = &input
	}
}
