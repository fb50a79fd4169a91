package scriptapi

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// initial sets what a field has at first.
func (r *fieldReader) initial() error {
	out, raw := r.out, r.in.Initial
	v, err := raw.Plain()
	if err != nil && out.Type != protocol.FormChoice { // whose values may be anything
		return r.fail(".initial", "%v", err)
	}
	ok := true
	switch out.Type {
	case protocol.FormBoolean:
		out.Boolean, ok = v.(bool)
	case protocol.FormNumber:
		n := &out.Number
		n.Initial, ok = v.(float64)
		ok = ok && n.Initial >= n.Min && n.Initial <= n.Max && (r.spec.Type != "integer" || n.Initial == math.Trunc(n.Initial))
	case protocol.FormString:
		return r.initialString(v)
	case protocol.FormChoice:
		var i int
		i, ok = r.option(raw)
		out.Choice.Initial = uint8(i)
	case protocol.FormChoices:
		ok = r.initialChoices(raw)
	case protocol.FormColor:
		out.Color, ok = readInitialColor(v)
	case protocol.FormDate:
		text, _ := v.(string)
		if out.Date.Initial, err = readDay(text); err != nil {
			return r.fail(".initial", "%v", err)
		}
		ok = out.Date.Initial >= out.Date.Min && out.Date.Initial <= out.Date.Max
	}
	if !ok {
		return r.fail(".initial", "%s is no answer to a field of type %q", raw.Describe(), r.in.Type)
	}
	return nil
}

func (r *fieldReader) initialString(v any) error {
	text, ok := v.(string)
	plain := text
	if r.in.Lines {
		plain = strings.ReplaceAll(text, "\n", " ")
	}
	n := utf8.RuneCountInString(text)
	switch {
	case !ok:
		return r.fail(".initial", "a string expected, got %s", r.in.Initial.Describe())
	case n > int(r.out.String.MaxChars):
		return r.fail(".initial", "%d characters, at most %d", n, r.out.String.MaxChars)
	}
	if err := protocol.PlainText(plain, 512); err != nil {
		return r.fail(".initial", "%v", err)
	}
	r.out.String.Initial = text
	return nil
}

// option finds the option that a value is the value of, or the text.
func (r *fieldReader) option(v bind.Raw) (int, bool) {
	text, isText := stringOf(v)
	i := slices.IndexFunc(r.options, func(o optionArgs) bool {
		return !o.Value.IsNil() && o.Value.Is(v) || isText && o.Text == text
	})
	return max(i, 0), i >= 0
}

func (r *fieldReader) initialChoices(list bind.Raw) bool {
	values, ok := list.List()
	if !ok {
		return false
	}
	for _, v := range values {
		i, ok := r.option(v)
		if !ok {
			return false
		}
		r.out.Choices.Initial |= 1 << i
	}
	return bits.OnesCount64(r.out.Choices.Initial) <= int(r.out.Choices.Most)
}

// readInitialColor reads an rgba or "#RRGGBB"; a form's colors have no alpha.
func readInitialColor(v any) (protocol.RGBA, bool) {
	switch v := v.(type) {
	case bind.RGBA:
		v.A = 255
		return protocol.RGBA(v), true
	case string:
		c, ok := readColor(v)
		return protocol.RGBA(c), ok
	}
	return protocol.RGBA{}, false
}

// values are the answers by name. What was left out is not among them.
func (k *form) values(answers []protocol.FormAnswer) map[string]any {
	values := make(map[string]any, len(k.fields))
	for i, blank := range k.blank {
		if blank != nil {
			values[k.fields[i].Name] = blank
		}
	}
	for i := range answers {
		a := &answers[i]
		if v := k.value(a); v != nil {
			values[k.fields[a.Number].Name] = v
		}
	}
	return values
}

// value is one answer for Lua; nil where it was left out.
func (k *form) value(a *protocol.FormAnswer) any {
	switch a.Type {
	case protocol.FormBoolean:
		return a.Boolean
	case protocol.FormNumber:
		return a.Float
	case protocol.FormString:
		if a.String == "" {
			return nil
		}
		return a.String
	case protocol.FormChoice:
		return k.options[a.Number][a.Choice].answer()
	case protocol.FormChoices:
		if a.Choices == 0 {
			return nil
		}
		list := &bind.Table{}
		for i := range k.options[a.Number] {
			if a.Choices&(1<<i) != 0 {
				list.List = append(list.List, k.options[a.Number][i].answer())
			}
		}
		return list
	case protocol.FormColor:
		return bind.RGBA(a.Color)
	}
	return isoDay(a.Date)
}
