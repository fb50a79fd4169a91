package world

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"darqline/resources/nearest"
)

// Field is what one value of a declaration may be: of a view's action, of a command, of a form.
type Field struct {
	Name      string
	Type      string   // "integer", "string", "choice" ...
	Min, Max  float64  // of the value, or of a string's length in characters
	Ranged    bool     // a range was written
	Choices   []string // of "choice(a|b)"
	Optional  bool     // a final ?
	Default   string   // after =; Defaulted says that there is one
	Defaulted bool
}

// ParseField reads "type", "type(range)", with a final "?" for optional and, where allowed, "=value" for a default.
// types are the names that may stand there.
func ParseField(name, text string, types []string, defaults bool) (Field, error) {
	f := Field{Name: name}
	spec := text
	if head, value, ok := strings.Cut(spec, "="); ok {
		if !defaults {
			return f, fmt.Errorf("%q: a default has no place here", text)
		}
		spec, f.Default, f.Defaulted = head, value, true
	}
	if rest, ok := strings.CutSuffix(spec, "?"); ok {
		spec, f.Optional = rest, true
	}
	bounds := ""
	if head, rest, ok := strings.Cut(spec, "("); ok {
		inner, ok := strings.CutSuffix(rest, ")")
		if !ok {
			return f, fmt.Errorf("%q: the ) is missing", text)
		}
		spec, bounds = head, inner
	}
	f.Type = spec
	if !slices.Contains(types, f.Type) {
		if name, ok := meant(f.Type, types); ok {
			return f, fmt.Errorf("unknown type %q; did you mean %q?", text, strings.Replace(text, f.Type, name, 1))
		}
		return f, fmt.Errorf("unknown type %q; a type is %s", text, strings.Join(types, ", "))
	}
	return f, f.bounds(text, bounds)
}

// meant is the type that a word begins, such as int, or else the nearest one.
func meant(word string, types []string) (string, bool) {
	for _, t := range types {
		if len(word) >= 3 && strings.HasPrefix(t, word) {
			return t, true
		}
	}
	return nearest.Name(word, types)
}

func (f *Field) bounds(text, bounds string) error {
	f.Min, f.Max = math.Inf(-1), math.Inf(1)
	if f.Type == "string" || f.Type == "text" {
		f.Min, f.Max = 0, 255
	}
	if f.Type == "choice" {
		f.Choices = strings.Split(bounds, "|")
		for _, c := range f.Choices {
			if c == "" {
				return fmt.Errorf("%q: a choice is written choice(one|other)", text)
			}
		}
		return nil
	}
	if bounds == "" {
		return nil
	}
	switch f.Type {
	case "string", "text", "integer", "number", "choices":
	default:
		return fmt.Errorf("%q: %s has no range", text, f.Type)
	}
	low, high, ok := strings.Cut(bounds, "..")
	if !ok {
		return fmt.Errorf("%q: a range is written (low..high)", text)
	}
	var err error
	if f.Min, err = strconv.ParseFloat(low, 64); err != nil {
		return fmt.Errorf("%q: %q is not a number", text, low)
	}
	if f.Max, err = strconv.ParseFloat(high, 64); err != nil {
		return fmt.Errorf("%q: %q is not a number", text, high)
	}
	if f.Min > f.Max || math.IsNaN(f.Min) || math.IsNaN(f.Max) {
		return fmt.Errorf("%q: the range goes from %s down to %s", text, low, high)
	}
	f.Ranged = true
	return nil
}

// Omittable says whether the value may be left out.
func (f Field) Omittable() bool { return f.Optional || f.Defaulted }
