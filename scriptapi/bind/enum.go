package bind

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/resources/nearest"
)

// enum is a declared type whose values have names.
type enum struct {
	name  string // in the stubs and on the page of names: "Weapon"
	words []string
	ids   []uint8
	kind  *kind
}

// NewEnum declares the names of E's values, which String gives: Lua reads the name, and gives the name or the id. of is what a value
// is, for errors: "weapon".
func NewEnum[E interface {
	~uint8
	fmt.Stringer
}](r *Registry, name, of string, values ...E) {
	e := &enum{name: name}
	ids := make(map[lua.LString]uint8, len(values))
	var words [256]lvalue
	for _, v := range values {
		e.words, e.ids = append(e.words, v.String()), append(e.ids, uint8(v))
		words[v] = lua.LString(v.String())
		ids[lua.LString(v.String())] = uint8(v)
	}
	k := &kind{lua: name, want: article(of) + "'s name or id", enum: e}
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		switch v := v.(type) {
		case lua.LString:
			id, ok := ids[v]
			if !ok {
				return e.unknown(describe(v)[len("string "):], string(v))
			}
			dst.SetUint(uint64(id))
			return nil
		case lua.LNumber:
			if f := float64(v); f < 0 || f > 255 || f != float64(uint8(f)) || words[uint8(f)] == nil {
				return e.unknown(num(f), "")
			}
			dst.SetUint(uint64(v))
			return nil
		}
		return k.mismatch(v)
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue {
		if word := words[v.Uint()]; word != nil {
			return word
		}
		return lua.LNil
	}
	e.kind = k
	r.enums[reflect.TypeFor[E]()] = e
}

// unknown is a value that has no name; word is what was given, where that was one.
func (e *enum) unknown(got, word string) error {
	text := "unknown " + got + ", "
	if near, ok := e.meant(word); ok {
		text += fmt.Sprintf("did you mean %q?", near)
	} else {
		text += e.kind.want + " expected"
	}
	return &mismatch{unknown: text}
}

// meant is the name that a word mistypes, or the first one that it is a part of: uzi.
func (e *enum) meant(word string) (string, bool) {
	if near, ok := nearest.Name(word, e.words); ok {
		return near, true
	}
	i := slices.IndexFunc(e.words, func(w string) bool { return len(word) > 2 && strings.Contains(w, strings.ToLower(word)) })
	if i < 0 {
		return "", false
	}
	return e.words[i], true
}

func (e *enum) quoted() []string {
	quoted := make([]string, len(e.words))
	for i, w := range e.words {
		quoted[i] = strconv.Quote(w)
	}
	return quoted
}

func (r *Registry) sortedEnums() []*enum {
	return slices.SortedFunc(maps.Values(r.enums), func(a, b *enum) int { return cmp.Compare(a.name, b.name) })
}

// linked is what an argument may be, for a table of the reference.
func (k *kind) linked() string {
	if k.enum != nil {
		return fmt.Sprintf("[%s](names.md#%s)", k.want, strings.ToLower(k.enum.name))
	}
	return strings.ReplaceAll(k.want, "|", "\\|")
}

// namesPage lists every enum with its ids.
func (r *Registry) namesPage() string {
	var b strings.Builder
	b.WriteString("# Names\n\nWhere a weapon or the like is given, its name or its id will do. What is read is the name.\n")
	for _, e := range r.sortedEnums() {
		fmt.Fprintf(&b, "\n## %s\n\n", e.name)
		for i, w := range e.words {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%d `%s`", e.ids[i], w)
		}
		b.WriteString("\n")
	}
	return b.String()
}
