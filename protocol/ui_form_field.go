package protocol

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"darqline/protocol/wire"
)

// A FormType is the type of a form's field.
type FormType uint8

const (
	FormBoolean FormType = iota
	FormNumber
	FormString
	FormChoice  // one of the options
	FormChoices // several of the options
	FormColor
	FormDate
	FormNote // a text between the fields, without an answer
)

var formTypes = []string{"boolean", "number", "string", "choice", "choices", "color", "date", "note"}

// String is the type's word, as Lua has it.
func (t FormType) String() string { return named(formTypes, t, "FormType") }

// FormFlags are the flags of a form's field.
type FormFlags uint8

const (
	FormRequired FormFlags = 1 << iota
	FormReadOnly
	FormInitial // has an initial value; else it is zero
	FormSlider  // a number with a step
	FormWhole   // a number without a fraction
	FormLines   // a string of several lines
	FormHidden  // a string that is not shown
	FormFilter  // a filter box, for choice and choices
)

// formFlags are the flags that each type may have.
var formFlags = [...]FormFlags{
	FormBoolean: FormRequired | FormReadOnly | FormInitial,
	FormNumber:  FormRequired | FormReadOnly | FormInitial | FormSlider | FormWhole,
	FormString:  FormRequired | FormReadOnly | FormInitial | FormLines | FormHidden,
	FormChoice:  FormRequired | FormReadOnly | FormInitial | FormFilter,
	FormChoices: FormRequired | FormReadOnly | FormInitial | FormFilter,
	FormColor:   FormRequired | FormReadOnly | FormInitial,
	FormDate:    FormRequired | FormReadOnly | FormInitial,
	FormNote:    0,
}

// Bounds of a date, in days since 1970-01-01.
const (
	MinDate = -25567 // 1900-01-01
	MaxDate = 84005  // 2199-12-31
)

// NoChoice is the initial value of a choice of which no option is selected.
const NoChoice = 0xFF

// maxWhole bounds a whole number: what an f64 counts without a gap.
const maxWhole = 1 << 53

// MaxFormField is the largest FormField in bytes.
const MaxFormField = 1100

// A FormField is one field of a form; which of the values it has is its
// type's.
type FormField struct {
	Type  FormType
	Flags FormFlags
	Label string // 1..96 bytes
	Help  string // up to 160 bytes

	Boolean bool // the initial value
	Number  NumberField
	String  StringField
	Choice  ChoiceField
	Choices ChoicesField
	Color   RGBA // the initial value
	Date    DateField
}

// A NumberField is the bounds of a number and its initial value.
type NumberField struct {
	Min, Max float64
	Step     float64 // between values from Min on; 0 any
	Initial  float64
}

// A StringField is the bounds of a string and its initial value.
type StringField struct {
	MinChars uint16
	MaxChars uint16 // 1..256
	Initial  string // plain, up to 512 bytes
}

// A ChoiceField is options of which one can be chosen.
type ChoiceField struct {
	Initial uint8 // number of an option, or NoChoice
	Options []string
}

// A ChoicesField is options of which Least to Most can be chosen.
type ChoicesField struct {
	Least, Most uint8
	Initial     uint64 // bit i is option i
	Options     []string
}

// A DateField is the bounds of a date and its initial value.
type DateField struct{ Min, Max, Initial int32 }

func (f *FormField) Wire(c *wire.Codec) {
	c.AtMost(f, MaxFormField, func() {
		wire.Enum(c, &f.Type, FormNote)
		wire.Bits(c, &f.Flags, 8)
		c.Str8(&f.Label, 1, 96, wire.Line)
		c.Str8(&f.Help, 0, 160, wire.Line)
		wire.Union(c, f, &f.Type, (*FormField).boolean, (*FormField).number, (*FormField).text, (*FormField).choice,
			(*FormField).choices, (*FormField).color, (*FormField).date, wire.Nothing)
	})
}

func (f *FormField) boolean(c *wire.Codec) { c.Bool(&f.Boolean) }

func (f *FormField) number(c *wire.Codec) {
	c.F64(&f.Number.Min)
	c.F64(&f.Number.Max)
	c.F64(&f.Number.Step)
	c.F64(&f.Number.Initial)
}

func (f *FormField) text(c *wire.Codec) {
	wire.Range(c, &f.String.MinChars, 0, 256)
	wire.Range(c, &f.String.MaxChars, 1, 256)
	c.Str16(&f.String.Initial, 0, 512, wire.PlainText)
}

func option(s *string, c *wire.Codec) { c.Str8(s, 1, 64, wire.Line) }

func (f *FormField) choice(c *wire.Codec) {
	n := wire.Count(c, &f.Choice.Options, 1, 100)
	c.U8(&f.Choice.Initial)
	wire.Items(c, &f.Choice.Options, n, option)
}

func (f *FormField) choices(c *wire.Codec) {
	n := wire.Count(c, &f.Choices.Options, 1, 64)
	c.U8(&f.Choices.Least)
	c.U8(&f.Choices.Most)
	c.U64(&f.Choices.Initial)
	wire.Items(c, &f.Choices.Options, n, option)
}

func (f *FormField) color(c *wire.Codec) { c.RGBA(&f.Color) }

func (f *FormField) date(c *wire.Codec) {
	wire.Range(c, &f.Date.Min, MinDate, MaxDate)
	wire.Range(c, &f.Date.Max, MinDate, MaxDate)
	wire.Range(c, &f.Date.Initial, MinDate, MaxDate)
}

// check holds what the flags and bounds of a field mean together.
func (f *FormField) check() error {
	if int(f.Type) >= len(formFlags) {
		return nil // the layout refuses it
	}
	if wrong := f.Flags &^ formFlags[f.Type]; wrong != 0 {
		return fmt.Errorf("flags %#x are not a %v's", uint8(wrong), f.Type)
	}
	has := f.Flags&FormInitial != 0
	switch f.Type {
	case FormBoolean:
		return noInitial(has, f.Boolean)
	case FormNumber:
		return f.Number.check(f.Flags, has)
	case FormString:
		return f.String.check(f.Flags, has)
	case FormChoice:
		return f.Choice.check(has)
	case FormChoices:
		return f.Choices.check(has)
	case FormColor:
		return noInitial(has, f.Color)
	case FormDate:
		return f.Date.check(has)
	}
	return nil
}

// noInitial refuses an initial value without its flag.
func noInitial[T comparable](has bool, v T) error {
	if !has && v != *new(T) {
		return fmt.Errorf("initial value %v without its flag", v)
	}
	return nil
}

func (n *NumberField) check(flags FormFlags, has bool) error {
	whole := flags&FormWhole != 0
	switch {
	case n.Min > n.Max:
		return fmt.Errorf("min %g is above max %g", n.Min, n.Max)
	case n.Step < 0:
		return fmt.Errorf("step %g is below 0", n.Step)
	case flags&FormSlider != 0 && n.Step == 0:
		return errors.New("a slider has a step")
	case whole && !(isWhole(n.Min) && isWhole(n.Max)):
		return fmt.Errorf("bounds %g and %g of a whole number have a fraction or are beyond ±2^53", n.Min, n.Max)
	case has && (n.Initial < n.Min || n.Initial > n.Max || whole && !isWhole(n.Initial)):
		return fmt.Errorf("initial value %g is not a number of this field", n.Initial)
	case !has && math.Float64bits(n.Initial) != 0: // -0 too
		return fmt.Errorf("initial value %g without its flag", n.Initial)
	}
	return nil
}

func isWhole(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= maxWhole }

func (s *StringField) check(flags FormFlags, has bool) error {
	switch {
	case s.MinChars > s.MaxChars:
		return fmt.Errorf("min_chars %d is above max_chars %d", s.MinChars, s.MaxChars)
	case utf8.RuneCountInString(s.Initial) > int(s.MaxChars):
		return fmt.Errorf("the initial text has more than %d characters", s.MaxChars)
	case flags&FormLines == 0 && strings.Contains(s.Initial, "\n"):
		return errors.New("the initial text has several lines, the string has one")
	}
	return noInitial(has, s.Initial)
}

func (f *ChoiceField) check(has bool) error {
	if has && f.Initial != NoChoice && int(f.Initial) >= len(f.Options) {
		return fmt.Errorf("initial value %d is not an option of %d", f.Initial, len(f.Options))
	}
	return noInitial(has, f.Initial)
}

func (f *ChoicesField) check(has bool) error {
	n := len(f.Options)
	switch {
	case f.Least > f.Most:
		return fmt.Errorf("least %d is above most %d", f.Least, f.Most)
	case n < 64 && f.Initial>>n != 0:
		return fmt.Errorf("initial value %#x has bits beyond %d options", f.Initial, n)
	case has && bits.OnesCount64(f.Initial) > int(f.Most):
		return fmt.Errorf("initial value %#x has more than %d options", f.Initial, f.Most)
	}
	return noInitial(has, f.Initial)
}

func (d *DateField) check(has bool) error {
	switch {
	case d.Min > d.Max:
		return fmt.Errorf("min %d is above max %d", d.Min, d.Max)
	case has && (d.Initial < d.Min || d.Initial > d.Max):
		return fmt.Errorf("initial value %d is outside %d..%d", d.Initial, d.Min, d.Max)
	}
	return noInitial(has, d.Initial)
}
