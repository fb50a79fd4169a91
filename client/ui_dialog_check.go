package client

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"time"
	"unicode/utf8"

	"darqline/protocol"
	"darqline/protocol/wire"
)

const (
	maxFormAnswer = 1179 // bytes of a form's answers
	maxTextLines  = 40   // of an input
	maxTextBytes  = 512
	stepGrain     = 1e-6 // how far from a whole step a number may be, in steps
)

// DialogError is why an answer cannot be given, for the player to read.
type DialogError struct {
	Field int // of a form: the number of the field; -1: it is about the whole answer
	Text  string
}

func (e *DialogError) Error() string { return e.Text }

func wrongAnswer(format string, args ...any) error { return wrongField(-1, format, args...) }

func wrongField(field int, format string, args ...any) error {
	return &DialogError{Field: field, Text: fmt.Sprintf(format, args...)}
}

// Check holds an answer against the dialog as the server will; what it refuses, as a *DialogError, would end the dialog
// without an answer.
func (d *Dialog) Check(a DialogAnswer) error {
	switch {
	case a.Button > protocol.ButtonExtra:
		return wrongAnswer("there is no button %d", a.Button)
	case a.Button == protocol.ButtonCancel && !d.Cancellable:
		return wrongAnswer("this cannot be cancelled")
	case a.Button == protocol.ButtonCancel:
		return nil
	case a.Button == protocol.ButtonExtra && d.Extra == "":
		return wrongAnswer("there is no third button")
	case d.selects():
		return d.checkRow(a)
	case d.types():
		return checkText(-1, a.Text, d.MinChars, d.MaxChars, d.Lines, maxTextLines)
	case d.Kind == DialogForm:
		return d.checkForm(a)
	}
	return nil
}

func (d *Dialog) checkRow(a DialogAnswer) error {
	switch {
	case a.Row == -1 && a.Button == protocol.ButtonExtra:
		return nil
	case a.Row < 0 || a.Row >= len(d.Rows):
		return wrongAnswer("choose one")
	case d.Rows[a.Row].Flags&protocol.RowDisabled != 0:
		return wrongAnswer("this one cannot be chosen")
	}
	return nil
}

// checkForm holds all fields of an answer against the form.
func (d *Dialog) checkForm(a DialogAnswer) error {
	filled := make([]bool, len(d.Fields))
	size, last := 0, -1
	for i := range a.Fields {
		f := &a.Fields[i]
		if int(f.Number) <= last {
			return wrongField(int(f.Number), "field %d stands behind field %d", f.Number, last)
		}
		if err := d.CheckField(*f); err != nil {
			return err
		}
		last = int(f.Number)
		filled[last] = !blank(f)
		size += answerSize(f)
	}
	if size > maxFormAnswer {
		return wrongAnswer("this is too long: %d bytes, at most %d can be sent", size, maxFormAnswer)
	}
	if a.Button == protocol.ButtonAccept {
		for i := range d.Fields {
			if required := d.Fields[i].Flags&protocol.FormRequired != 0; required && fillable(&d.Fields[i]) && !filled[i] {
				return wrongField(i, "this is needed")
			}
		}
	}
	return nil
}

// fillable tells that a field has an answer.
func fillable(f *protocol.FormField) bool {
	return f.Type != protocol.FormNote && f.Flags&protocol.FormReadOnly == 0
}

// blank tells that an answer counts as left out.
func blank(a *protocol.FormAnswer) bool {
	return a.Type == protocol.FormString && a.String == "" || a.Type == protocol.FormChoices && a.Choices == 0
}

// answerSize is the bytes of an answer on the wire.
func answerSize(a *protocol.FormAnswer) int {
	const head = 2
	switch a.Type {
	case protocol.FormNumber, protocol.FormChoices:
		return head + 8
	case protocol.FormString:
		return head + 2 + len(a.String)
	case protocol.FormColor, protocol.FormDate:
		return head + 4
	}
	return head + 1
}

// CheckField holds the answer of one field against it, as when the player leaves the field. Whether a field that is left
// out is required is not looked at. An error is a *DialogError.
func (d *Dialog) CheckField(a protocol.FormAnswer) error {
	n := int(a.Number)
	if n >= len(d.Fields) {
		return wrongField(n, "there is no field %d", n)
	}
	f := &d.Fields[n]
	switch {
	case !fillable(f):
		return wrongField(n, "this cannot be filled in")
	case a.Type != f.Type:
		return wrongField(n, "a %v is expected, not a %v", f.Type, a.Type)
	case blank(&a):
		return nil
	}
	switch f.Type {
	case protocol.FormNumber:
		return checkNumber(n, f, a.Float)
	case protocol.FormString:
		s := &f.String
		return checkText(n, a.String, int(s.MinChars), int(s.MaxChars), f.Flags&protocol.FormLines != 0, maxTextBytes)
	case protocol.FormChoice:
		if int(a.Choice) >= len(f.Choice.Options) {
			return wrongField(n, "choose one")
		}
	case protocol.FormChoices:
		return checkChoices(n, &f.Choices, a.Choices)
	case protocol.FormColor:
		if a.Color.A != 255 {
			return wrongField(n, "a color is opaque")
		}
	case protocol.FormDate:
		if a.Date < f.Date.Min || a.Date > f.Date.Max {
			return wrongField(n, "a day from %s to %s is expected", day(f.Date.Min), day(f.Date.Max))
		}
	}
	return nil
}

// checkText holds what was typed against the limits of an input, a password or a string.
func checkText(field int, text string, least, most int, several bool, lines int) error {
	n := utf8.RuneCountInString(text)
	switch {
	case n < least:
		return wrongField(field, "at least %d characters, not %d", least, n)
	case n > most:
		return wrongField(field, "at most %d characters, not %d", most, n)
	case len(text) > maxTextBytes:
		return wrongField(field, "this is too long: %d bytes, at most %d can be sent", len(text), maxTextBytes)
	case !several && strings.Contains(text, "\n"):
		return wrongField(field, "one line, not several")
	case strings.Count(text, "\n") >= lines:
		return wrongField(field, "at most %d lines", lines)
	}
	if err := wire.PlainText.Check(text); err != nil {
		return wrongField(field, "%v", err)
	}
	return nil
}

func checkNumber(field int, f *protocol.FormField, v float64) error {
	n := &f.Number
	if !(v >= n.Min && v <= n.Max) {
		return wrongField(field, "a number from %g to %g is expected", n.Min, n.Max)
	}
	if f.Flags&protocol.FormWhole != 0 && v != math.Trunc(v) {
		return wrongField(field, "a whole number is expected")
	}
	if n.Step > 0 {
		if steps := (v - n.Min) / n.Step; !(math.Abs(steps-math.Round(steps)) <= stepGrain) {
			return wrongField(field, "steps of %g from %g are expected", n.Step, n.Min)
		}
	}
	return nil
}

func checkChoices(field int, f *protocol.ChoicesField, v uint64) error {
	n, least, most := bits.OnesCount64(v), int(f.Least), int(f.Most)
	switch {
	case bits.Len64(v) > len(f.Options):
		return wrongField(field, "there are only %d options", len(f.Options))
	case n < least:
		return wrongField(field, "choose at least %d", least)
	case n > most:
		return wrongField(field, "choose at most %d", most)
	}
	return nil
}

// day is a date of a form as people write it.
func day(n int32) string { return time.Unix(int64(n)*24*60*60, 0).UTC().Format(time.DateOnly) }
