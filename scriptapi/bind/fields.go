package bind

import (
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Fields declares a property for each field of A, the struct that a constructor reads its table into: what can be given when a
// thing is made can be read and set later, with the same names, checks and defaults. at is where a thing has them; set gets a copy
// with the change. A field with the tag made:"only" can only be read.
func Fields[T comparable, A any](at func(thing T) *A, set func(thing T, next *A) error) []HandleMember[T] {
	var members []HandleMember[T]
	t := reflect.TypeFor[A]()
	for i := range t.NumField() {
		f := t.Field(i)
		name, flags, _ := strings.Cut(f.Tag.Get("lua"), ",")
		optional := strings.Contains(flags, "optional")
		mb := &member{name: name, doc: f.Tag.Get("doc"), result: f.Type, tag: f.Tag, orNil: optional, settable: !madeOnly(f.Tag)}
		mb.bindTo = func(mb *member) {
			mb.get = func(c *Call, self any) lvalue {
				return mb.out.encode(c.env, reflect.ValueOf(at(self.(T))).Elem().Field(i))
			}
			if !mb.settable {
				return
			}
			p := &param{kind: mb.out, optional: optional}
			if text, ok := f.Tag.Lookup("default"); ok {
				p.optional, p.def = true, parseDefault(mb.out, text, f.Type, mb.full)
			}
			mb.set = func(c *Call, self any, v lvalue) error {
				next := *at(self.(T))
				field := reflect.ValueOf(&next).Elem().Field(i)
				field.SetZero()
				if err := p.decode(c, v, field); err != nil {
					return err
				}
				return set(self.(T), &next)
			}
		}
		members = append(members, HandleMember[T]{mb})
	}
	return members
}

func madeOnly(tag reflect.StructTag) bool { return tag.Get("made") == "only" }

// Changes is a table with some of the fields of A, but for those with the tag made:"only".
type Changes[A any] struct {
	values A
	given  []int // indexes of the fields
}

// Apply sets the fields that were given.
func (ch *Changes[A]) Apply(to *A) {
	from, dst := reflect.ValueOf(&ch.values).Elem(), reflect.ValueOf(to).Elem()
	for _, i := range ch.given {
		dst.Field(i).Set(from.Field(i))
	}
}

// Has says whether a field was given, by its Lua name.
func (ch *Changes[A]) Has(name string) bool {
	for _, i := range ch.given {
		if n, _, _ := strings.Cut(reflect.TypeFor[A]().Field(i).Tag.Get("lua"), ","); n == name {
			return true
		}
	}
	return false
}

// kinder is a type that knows its own kind.
type kinder interface {
	kindIn(r *Registry, full string) *kind
}

func (Changes[A]) kindIn(r *Registry, full string) *kind {
	t := reflect.TypeFor[A]()
	var fields []*param
	for _, p := range r.params(t, full) {
		if !madeOnly(t.Field(p.index).Tag) {
			p.optional = true
			fields = append(fields, p)
		}
	}
	k := &kind{lua: "{ " + keyTypes(fields) + " }", want: "a table", fields: fields}
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		tbl, ok := v.(*lua.LTable)
		if !ok {
			return k.mismatch(v)
		}
		ch := dst.Addr().Interface().(*Changes[A])
		to := reflect.ValueOf(&ch.values).Elem()
		for _, p := range fields {
			if tbl.RawGetString(p.name) == lua.LNil {
				continue
			}
			if err := p.fromTable(c, tbl, to.Field(p.index)); err != nil {
				return err
			}
			ch.given = append(ch.given, p.index)
		}
		return undeclared(tbl, fields)
	}
	k.encode = func(*Env, reflect.Value) lvalue { panic("bind: " + full + ": changes are no result") }
	return k
}
