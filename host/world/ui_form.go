package world

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"darqline/protocol"
)

// answerContent is what a DialogFormResponse has besides its fields, and answerSize what it has at most.
const (
	answerContent = 21
	answerSize    = 1200
)

// buildForm makes the parts of a form, as many fields in each as fit.
func (d *Dialog) buildForm(refused string) error {
	s := &d.Spec
	if n := len(s.Fields); n < 1 || n > protocol.MaxFormFields {
		return fmt.Errorf("field \"fields\": %d fields, 1 to %d expected", n, protocol.MaxFormFields)
	}
	if err := lines("text", s.Text, formContent, tableLines); err != nil {
		return err
	}
	texts, err := s.texts(formContent-7, len(refused), d.answer != nil)
	if err != nil {
		return err
	}
	part := d.formPart(0)
	part.Flags |= protocol.FormHead
	part.Content.Head, part.ErrorField = protocol.FormTexts{DialogTexts: texts, Error: refused}, d.about
	size := 7 + len(texts.Title) + len(texts.Body) + len(texts.Accept) + len(texts.Cancel) + len(texts.Extra) + len(refused)
	d.shows = append([]protocol.Packet(nil), part)
	for i := range s.Fields {
		f := &s.Fields[i]
		n := fieldSize(f)
		if n > protocol.MaxFormField {
			return fmt.Errorf("field \"fields[%d]\": %s bytes, at most %s", i+1, grouped(n), grouped(protocol.MaxFormField))
		}
		if size+n > formContent {
			part, size = d.formPart(i), 0
			d.shows = append(d.shows, part)
		}
		part.Content.Fields = append(part.Content.Fields, *f)
		size += n
	}
	return s.fitsAnswer()
}

func (d *Dialog) formPart(first int) *protocol.DialogForm {
	return &protocol.DialogForm{DialogID: d.id, Flags: d.Spec.flags(), Timeout: d.Spec.timeout(), Total: uint8(len(d.Spec.Fields)),
		First: uint8(first), ErrorField: protocol.WholeForm}
}

// fieldSize is the bytes of a field on the wire.
func fieldSize(f *protocol.FormField) int {
	size := 4 + len(f.Label) + len(f.Help)
	switch f.Type {
	case protocol.FormBoolean:
		size++
	case protocol.FormNumber:
		size += 32
	case protocol.FormString:
		size += 6 + len(f.String.Initial)
	case protocol.FormChoice:
		size += 2 + optionsSize(f.Choice.Options)
	case protocol.FormChoices:
		size += 11 + optionsSize(f.Choices.Options)
	case protocol.FormColor:
		size += 4
	case protocol.FormDate:
		size += 12
	}
	return size
}

func optionsSize(options []string) (size int) {
	for _, o := range options {
		size += 1 + len(o)
	}
	return size
}

// answerOf is the bytes that the answer of a field can have, at 2 bytes a character.
func answerOf(f *protocol.FormField) int {
	if f.Type == protocol.FormNote || f.Flags&protocol.FormReadOnly != 0 {
		return 0
	}
	return 2 + [...]int{protocol.FormBoolean: 1, protocol.FormNumber: 8, protocol.FormString: 2 + 2*int(f.String.MaxChars), protocol.FormChoice: 1,
		protocol.FormChoices: 8, protocol.FormColor: 4, protocol.FormDate: 4}[f.Type]
}

// fitsAnswer refuses a form that could not be answered in one packet.
func (s *DialogSpec) fitsAnswer() error {
	total, longest := answerContent, 0
	for i := range s.Fields {
		n := answerOf(&s.Fields[i])
		total += n
		if s.Fields[i].Type == protocol.FormString && n > answerOf(&s.Fields[longest]) {
			longest = i
		}
	}
	if total <= answerSize {
		return nil
	}
	return fmt.Errorf("the form can be %s bytes, at most %s: shorten fields[%d] (%d characters)", grouped(total), grouped(answerSize),
		longest+1, s.Fields[longest].String.MaxChars)
}

// checkForm holds a filled form against its declaration, whole. What was typed is never in the error.
func (d *Dialog) checkForm(a *DialogAnswer) error {
	s := &d.Spec
	if s.Fields == nil {
		return errors.New("it is no form")
	}
	if err := s.checkButton(a.Button); err != nil {
		return err
	}
	given := make([]bool, len(s.Fields))
	for i := range a.Fields {
		answer := &a.Fields[i]
		if int(answer.Number) >= len(s.Fields) {
			return fmt.Errorf("field %d of %d", answer.Number, len(s.Fields))
		}
		f := &s.Fields[answer.Number]
		there, err := checkFormField(f, answer)
		if err != nil {
			return fmt.Errorf("field %d: %w", answer.Number, err)
		}
		given[answer.Number] = there
	}
	if a.Button != protocol.ButtonAccept {
		return nil
	}
	for i := range s.Fields {
		if s.Fields[i].Flags&protocol.FormRequired != 0 && s.Fields[i].Flags&protocol.FormReadOnly == 0 && !given[i] {
			return fmt.Errorf("field %d is missing", i)
		}
	}
	return nil
}

// checkFormField holds an answer against its field; there is false for what counts as left out.
func checkFormField(f *protocol.FormField, a *protocol.FormAnswer) (there bool, err error) {
	switch {
	case f.Type == protocol.FormNote, f.Flags&protocol.FormReadOnly != 0:
		return false, errors.New("it cannot be filled in")
	case f.Type != a.Type:
		return false, fmt.Errorf("a %v, %v expected", a.Type, f.Type)
	case Blank(a):
		return false, nil
	}
	switch a.Type {
	case protocol.FormNumber:
		err = checkNumber(f, a.Float)
	case protocol.FormString:
		n := utf8.RuneCountInString(a.String)
		switch {
		case n < int(f.String.MinChars) || n > int(f.String.MaxChars):
			err = fmt.Errorf("%d characters, %d to %d expected", n, f.String.MinChars, f.String.MaxChars)
		case f.Flags&protocol.FormLines == 0 && strings.Contains(a.String, "\n"):
			err = errors.New("several lines, one expected")
		}
	case protocol.FormChoice:
		if int(a.Choice) >= len(f.Choice.Options) {
			err = fmt.Errorf("option %d of %d", a.Choice, len(f.Choice.Options))
		}
	case protocol.FormChoices:
		n, options := bits.OnesCount64(a.Choices), len(f.Choices.Options)
		switch {
		case options < 64 && a.Choices>>options != 0:
			err = fmt.Errorf("options %#x of %d", a.Choices, options)
		case n < int(f.Choices.Least) || n > int(f.Choices.Most):
			err = fmt.Errorf("%d options, %d to %d expected", n, f.Choices.Least, f.Choices.Most)
		}
	case protocol.FormDate:
		if a.Date < f.Date.Min || a.Date > f.Date.Max {
			err = fmt.Errorf("day %d is outside %d..%d", a.Date, f.Date.Min, f.Date.Max)
		}
	}
	return err == nil, err
}

// Blank says whether an answer counts as left out: an empty string, no options.
func Blank(a *protocol.FormAnswer) bool {
	return a.Type == protocol.FormString && a.String == "" || a.Type == protocol.FormChoices && a.Choices == 0
}

// stepGrain is how far from a whole step a number may be, in steps.
const stepGrain = 1e-6

func checkNumber(f *protocol.FormField, v float64) error {
	n := &f.Number
	switch {
	case !(v >= n.Min && v <= n.Max):
		return fmt.Errorf("%g is outside %g..%g", v, n.Min, n.Max)
	case f.Flags&protocol.FormWhole != 0 && v != math.Trunc(v):
		return fmt.Errorf("%g is not whole", v)
	}
	if n.Step == 0 {
		return nil
	}
	if steps := (v - n.Min) / n.Step; !(math.Abs(steps-math.Round(steps)) <= stepGrain) {
		return fmt.Errorf("%g is between the steps of %g from %g", v, n.Step, n.Min)
	}
	return nil
}

// fillForm makes the answers the fields' initial values. What is typed unseen and what was left out has none.
func (d *Dialog) fillForm() {
	fields := slices.Clone(d.Spec.Fields)
	for i := range fields {
		f := &fields[i]
		if f.Type == protocol.FormNote || f.Flags&protocol.FormReadOnly != 0 {
			continue
		}
		f.Flags &^= protocol.FormInitial
		f.Boolean, f.Number.Initial, f.String.Initial, f.Choice.Initial = false, 0, "", 0
		f.Choices.Initial, f.Color, f.Date.Initial = 0, protocol.RGBA{}, 0
	}
	for i := range d.answer.Fields {
		a := &d.answer.Fields[i]
		f := &fields[a.Number]
		if Blank(a) || f.Flags&protocol.FormHidden != 0 {
			continue
		}
		f.Flags |= protocol.FormInitial
		switch a.Type {
		case protocol.FormBoolean:
			f.Boolean = a.Boolean
		case protocol.FormNumber:
			f.Number.Initial = a.Float
		case protocol.FormString:
			f.String.Initial = a.String
		case protocol.FormChoice:
			f.Choice.Initial = a.Choice
		case protocol.FormChoices:
			f.Choices.Initial = a.Choices
		case protocol.FormColor:
			f.Color = a.Color
		case protocol.FormDate:
			f.Date.Initial = a.Date
		}
	}
	d.Spec.Fields = fields
}
