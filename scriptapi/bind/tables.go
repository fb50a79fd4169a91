package bind

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"darqline/resources/nearest"
)

func listKind(of *kind, t reflect.Type) *kind {
	k := &kind{lua: paren(of.lua) + "[]", want: "a list, each item " + of.want}
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		tbl, ok := v.(*lua.LTable)
		if !ok {
			return &mismatch{want: "a list", got: describe(v)}
		}
		n := tbl.Len()
		c.env.state.Budget().Spend(n)
		list := reflect.MakeSlice(t, n, n)
		for i := range n {
			if err := of.decode(c, tbl.RawGetInt(i+1), list.Index(i)); err != nil {
				return within(fmt.Sprintf("[%d]", i+1), err)
			}
		}
		dst.Set(list)
		return nil
	}
	k.encode = func(e *Env, v reflect.Value) lvalue {
		tbl := e.state.Lua().CreateTable(v.Len(), 0)
		for i := range v.Len() {
			tbl.RawSetInt(i+1, of.encode(e, v.Index(i)))
		}
		return tbl
	}
	return k
}

func paren(s string) string {
	for _, r := range s {
		if r == '|' || r == '(' {
			return "(" + s + ")"
		}
	}
	return s
}

func mapKind(of *kind, t reflect.Type) *kind {
	k := &kind{lua: "table<string, " + of.lua + ">", want: "a table with names as keys"}
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		tbl, ok := v.(*lua.LTable)
		if !ok {
			return k.mismatch(v)
		}
		m := reflect.MakeMap(t)
		for key, v := range pairs(tbl) {
			c.env.state.Budget().Spend(1)
			name, ok := key.(lua.LString)
			if !ok {
				return &mismatch{want: k.want, got: "the key " + describe(key)}
			}
			item := reflect.New(t.Elem()).Elem()
			if err := of.decode(c, v, item); err != nil {
				return within("."+string(name), err)
			}
			m.SetMapIndex(reflect.ValueOf(string(name)).Convert(t.Key()), item)
		}
		dst.Set(m)
		return nil
	}
	k.encode = func(e *Env, v reflect.Value) lvalue {
		tbl := e.state.Lua().CreateTable(0, v.Len())
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, key := range keys {
			tbl.RawSetString(key.String(), of.encode(e, v.MapIndex(key)))
		}
		return tbl
	}
	return k
}

// structKind is a table with declared keys.
func structKind(fields []*param, t reflect.Type) *kind {
	k := &kind{lua: "table", want: "a table", fields: fields}
	k.lua = "{ "
	for i, p := range fields {
		if i > 0 {
			k.lua += ", "
		}
		k.lua += p.name
		if p.optional {
			k.lua += "?"
		}
		k.lua += ": " + p.kind.lua
	}
	k.lua += " }"
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		tbl, ok := v.(*lua.LTable)
		if !ok {
			return k.mismatch(v)
		}
		return decodeKeys(c, tbl, fields, dst)
	}
	k.encode = func(e *Env, v reflect.Value) lvalue {
		tbl := e.state.Lua().CreateTable(0, len(fields))
		for _, p := range fields {
			tbl.RawSetString(p.name, p.kind.encode(e, v.Field(p.index)))
		}
		return tbl
	}
	return k
}

// decodeKeys reads the fields of a struct from a table; a key that is not declared is an error.
func decodeKeys(c *Call, tbl *lua.LTable, fields []*param, dst reflect.Value) error {
	for _, p := range fields {
		if err := p.decode(c, tbl.RawGetString(p.name), dst.Field(p.index)); err != nil {
			return within("."+p.name, err)
		}
	}
	for key := range pairs(tbl) {
		name, ok := key.(lua.LString)
		if ok && declared(fields, string(name)) {
			continue
		}
		want := make([]string, len(fields))
		for i, p := range fields {
			want[i] = p.name
		}
		got := "the unknown key " + describe(key)
		if ok {
			got = "the unknown key " + strconv.Quote(string(name))
			if near, ok := nearest.Name(string(name), want); ok {
				got += fmt.Sprintf("; did you mean %q?", near)
			}
		}
		return &mismatch{want: "a table with the keys " + joined(want), got: got}
	}
	return nil
}

func declared(fields []*param, name string) bool {
	for _, p := range fields {
		if p.name == name {
			return true
		}
	}
	return false
}

func joined(words []string) string {
	s := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			s += " and "
		default:
			s += ", "
		}
		s += w
	}
	return s
}

// decode reads one argument or key, with its default.
func (p *param) decode(c *Call, v lvalue, dst reflect.Value) error {
	if v == lua.LNil && p.optional {
		if p.def.IsValid() {
			dst.Set(p.def)
		}
		return nil
	}
	return p.kind.decode(c, v, dst)
}

// pairs walks a table in the order of pairs, without metamethods.
func pairs(t *lua.LTable) func(yield func(k, v lvalue) bool) {
	return func(yield func(k, v lvalue) bool) {
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			if !yield(k, v) {
				return
			}
		}
	}
}

// literal is the Lua value of a default's text.
func literal(text string, k *kind) lvalue {
	switch {
	case k.lua == "boolean":
		return lua.LBool(text == "true")
	case k.lua == "integer", k.lua == "number":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(fmt.Sprintf("bind: the default %q is no number", text))
		}
		return lua.LNumber(f)
	}
	return lua.LString(text)
}
