package scriptapi

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// fieldArgs are a field of a form.
type fieldArgs struct {
	Name     string       `lua:"name,optional" doc:"Under which values have it; a note needs none."`
	Type     string       `lua:"type" doc:"Such as \"integer(1..5)\"; a final ? makes it optional."`
	Label    string       `lua:"label" range:"1..96" doc:"What stands beside it."`
	Help     string       `lua:"help,optional" range:"0..160" doc:"More about it."`
	Initial  bind.Raw     `lua:"initial,optional" doc:"What it has at first: of the field's type, of choices a list, of a date a string such as \"2026-05-01\"."`
	ReadOnly bool         `lua:"read_only" default:"false" doc:"Whether it only shows initial."`
	Step     *float64     `lua:"step" range:"0..1e15" doc:"Of a number: between its values, from the least on."`
	Slider   bool         `lua:"slider" default:"false" doc:"Of a number with a step."`
	Lines    bool         `lua:"lines" default:"false" doc:"Of a string: whether it may have several lines."`
	Hidden   bool         `lua:"hidden" default:"false" doc:"Of a string: a password."`
	Options  []optionArgs `lua:"options,optional" doc:"Of choice and choices: strings or { text, value }."`
	Search   bool         `lua:"search" default:"false" doc:"Of choice and choices: whether there is a filter box."`
	Min      string       `lua:"min,optional" doc:"Of a date: the first day."`
	Max      string       `lua:"max,optional" doc:"Of a date: the last day."`
}

type optionArgs struct {
	Text  string   `lua:"text,1" range:"1..64" doc:"What he reads."`
	Value bind.Raw `lua:"value,optional" doc:"What values have; without it the text."`
}

// answer is what values have of an option.
func (o *optionArgs) answer() any {
	if o.Value.IsNil() {
		return o.Text
	}
	return o.Value
}

// form is what the script's side knows of a form's fields.
type form struct {
	fields  []fieldArgs
	options [][]optionArgs
	blank   []any // what values have of what was left out: nil, or an empty value where that is allowed
}

// formTypes are the types of a form's fields.
var formTypes = []string{"boolean", "integer", "number", "string", "choice", "choices", "color", "date", "note"}

// readForm makes a form's fields of their declarations.
func readForm(fields []fieldArgs) (form, []protocol.FormField, error) {
	k := form{fields: fields, options: make([][]optionArgs, len(fields)), blank: make([]any, len(fields))}
	out := make([]protocol.FormField, len(fields))
	for i := range fields {
		r := fieldReader{in: &fields[i], out: &out[i], options: fields[i].Options}
		if err := r.read(); err != nil {
			return k, nil, fmt.Errorf("field \"fields[%d]%w", i+1, err)
		}
		k.options[i], k.blank[i] = r.options, r.blank
		for j := range i {
			if name := fields[i].Name; name != "" && fields[j].Name == name {
				return k, nil, fmt.Errorf("field \"fields[%d].name\": %q stands there twice", i+1, name)
			}
		}
	}
	return k, out, nil
}

// fieldReader reads one field. Its errors begin with what follows the field in its name: .type": ...
type fieldReader struct {
	in      *fieldArgs
	out     *protocol.FormField
	spec    world.Field
	options []optionArgs
	blank   any
}

func (r *fieldReader) fail(key, format string, args ...any) error {
	return fmt.Errorf("%s\": %s", key, fmt.Sprintf(format, args...))
}

func (r *fieldReader) read() error {
	in, out := r.in, r.out
	if err := r.readType(); err != nil {
		return err
	}
	for _, text := range []struct{ key, text string }{{".label", in.Label}, {".help", in.Help}} {
		if err := protocol.PlainText(text.text, 255); err != nil {
			return r.fail(text.key, "%v", err)
		}
	}
	out.Label, out.Help = in.Label, in.Help
	if err := r.onlyIts(); err != nil {
		return err
	}
	if out.Type == protocol.FormNote {
		return nil
	}
	if in.Name == "" {
		return r.fail(".name", "a field that is filled in has one")
	}
	if !r.spec.Optional {
		out.Flags |= protocol.FormRequired
	}
	if in.ReadOnly {
		out.Flags |= protocol.FormReadOnly
	}
	if err := r.bounds(); err != nil {
		return err
	}
	if in.ReadOnly {
		r.blank = nil // values do not have it
	}
	if in.Initial.IsNil() {
		return nil
	}
	out.Flags |= protocol.FormInitial
	return r.initial()
}

// readType reads "integer(1..5)?". The options of a choice may stand in it, as they do in commands.
func (r *fieldReader) readType() error {
	text := r.in.Type
	bare, optional := strings.CutSuffix(text, "?")
	if bare == "choice" {
		r.spec = world.Field{Type: bare, Optional: optional}
	} else {
		var err error
		if r.spec, err = world.ParseField(r.in.Name, text, formTypes, false); err != nil {
			return r.fail(".type", "%v", err)
		}
		for _, choice := range r.spec.Choices {
			r.options = append(r.options, optionArgs{Text: choice})
		}
	}
	if r.spec.Type == "integer" {
		r.out.Type, r.out.Flags = protocol.FormNumber, protocol.FormWhole
		return nil
	}
	r.out.Type = protocol.FormType(slices.IndexFunc(formTypes, func(t string) bool { return t == r.spec.Type }))
	if r.out.Type > 0 {
		r.out.Type-- // integer is a number
	}
	return nil
}

// onlyIts refuses what only other types have, and sets the flags of what this one has.
func (r *fieldReader) onlyIts() error {
	in, t := r.in, r.out.Type
	number, text := t == protocol.FormNumber, t == protocol.FormString
	choice := t == protocol.FormChoice || t == protocol.FormChoices
	for _, k := range []struct {
		key   string
		given bool
		has   bool
		flag  protocol.FormFlags
	}{
		{".step", in.Step != nil, number, 0},
		{".slider", in.Slider, number, protocol.FormSlider},
		{".lines", in.Lines, text, protocol.FormLines},
		{".hidden", in.Hidden, text, protocol.FormHidden},
		{".options", in.Options != nil, choice, 0},
		{".search", in.Search, choice, protocol.FormFilter},
		{".min", in.Min != "", t == protocol.FormDate, 0},
		{".max", in.Max != "", t == protocol.FormDate, 0},
		{".initial", !in.Initial.IsNil(), t != protocol.FormNote, 0},
		{".read_only", in.ReadOnly, t != protocol.FormNote, 0},
	} {
		switch {
		case k.given && !k.has:
			return r.fail(k.key, "a field of type %q has none", r.spec.Type)
		case k.given:
			r.out.Flags |= k.flag
		}
	}
	return nil
}

// bounds sets what an answer may be.
func (r *fieldReader) bounds() error {
	f := &r.spec
	switch r.out.Type {
	case protocol.FormNumber:
		return r.numberBounds()
	case protocol.FormString:
		if f.Min < 0 || f.Max > 256 || f.Max < 1 || f.Min != math.Trunc(f.Min) || f.Max != math.Trunc(f.Max) {
			return r.fail(".type", "%q: a string has 0 to 256 characters", r.in.Type)
		}
		r.out.String.MinChars, r.out.String.MaxChars = uint16(f.Min), uint16(f.Max)
		if f.Ranged && f.Min == 0 && !f.Optional { // it may be empty: that is no missing answer
			r.out.Flags &^= protocol.FormRequired
			r.blank = ""
		}
	case protocol.FormChoice:
		return r.choiceBounds(100)
	case protocol.FormChoices:
		return r.choiceBounds(64)
	case protocol.FormDate:
		return r.dateBounds()
	}
	return nil
}

const wholeLimit = 1 << 53

func (r *fieldReader) numberBounds() error {
	n, f, in := &r.out.Number, &r.spec, r.in
	whole := f.Type == "integer"
	n.Min, n.Max = f.Min, f.Max
	switch {
	case whole && !f.Ranged:
		n.Min, n.Max = -wholeLimit, wholeLimit
	case !f.Ranged:
		n.Min, n.Max = -math.MaxFloat64, math.MaxFloat64
	case math.IsInf(f.Min, 0) || math.IsInf(f.Max, 0):
		return r.fail(".type", "%q: the range is not finite", in.Type)
	case whole && (f.Min != math.Trunc(f.Min) || f.Max != math.Trunc(f.Max) || math.Abs(f.Min) > wholeLimit || math.Abs(f.Max) > wholeLimit):
		return r.fail(".type", "%q: an integer's range has whole numbers within 2^53", in.Type)
	}
	if in.Step != nil {
		n.Step = *in.Step
	} else if in.Slider && whole {
		n.Step = 1
	}
	switch {
	case n.Step > 0 && !f.Ranged:
		return r.fail(".type", "%q: a number with a step has a range, such as %q", in.Type, f.Type+"(0..100)")
	case in.Slider && n.Step == 0:
		return r.fail(".step", "a slider of numbers has one")
	}
	return nil
}

func (r *fieldReader) choiceBounds(most int) error {
	if n := len(r.options); n < 1 || n > most {
		return r.fail(".options", "%d options, 1 to %d expected", n, most)
	}
	texts := make([]string, len(r.options))
	for i := range r.options {
		texts[i] = r.options[i].Text
		if err := protocol.PlainText(texts[i], 64); err != nil {
			return r.fail(fmt.Sprintf(".options[%d]", i+1), "%v", err)
		}
	}
	if r.out.Type == protocol.FormChoice {
		r.out.Choice.Options = texts
		return nil
	}
	c, f := &r.out.Choices, &r.spec
	c.Options, c.Least, c.Most = texts, 1, uint8(len(texts))
	if f.Optional {
		c.Least = 0
	}
	if !f.Ranged {
		return nil
	}
	if f.Min < 0 || f.Max < 1 || f.Min != math.Trunc(f.Min) || f.Max != math.Trunc(f.Max) || f.Min > float64(len(texts)) {
		return r.fail(".type", "%q: there are %d options", r.in.Type, len(texts))
	}
	c.Least, c.Most = uint8(f.Min), uint8(min(f.Max, float64(len(texts))))
	if f.Min == 0 && !f.Optional {
		r.out.Flags &^= protocol.FormRequired
		r.blank = &bind.Table{}
	}
	return nil
}

func (r *fieldReader) dateBounds() error {
	d := &r.out.Date
	d.Min, d.Max = protocol.MinDate, protocol.MaxDate
	for _, end := range []struct {
		key, text string
		day       *int32
	}{{".min", r.in.Min, &d.Min}, {".max", r.in.Max, &d.Max}} {
		if end.text == "" {
			continue
		}
		day, err := readDay(end.text)
		if err != nil {
			return r.fail(end.key, "%v", err)
		}
		*end.day = day
	}
	if d.Min > d.Max {
		return r.fail(".min", "%s is after max, %s", r.in.Min, isoDay(d.Max))
	}
	return nil
}

// readDay reads an ISO date as days since 1970-01-01.
func readDay(text string) (int32, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("a date such as \"2026-05-01\" expected, got %q", text)
	}
	day := int32(t.Unix() / 86400)
	if day < protocol.MinDate || day > protocol.MaxDate {
		return 0, fmt.Errorf("%s is outside %s to %s", text, isoDay(protocol.MinDate), isoDay(protocol.MaxDate))
	}
	return day, nil
}

func isoDay(day int32) string { return time.Unix(int64(day)*86400, 0).UTC().Format(time.DateOnly) }
