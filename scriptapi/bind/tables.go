package bind

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/resources/nearest"
)

func listKind(of *kind, t reflect.Type) *kind {
	k := &kind{lua: paren(of.lua) + "[]", want: "a list, each item " + of.want, item: of}
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

// structKind is a table with declared keys. Where only the first place has to be filled, its value may stand alone.
func structKind(fields []*param, t reflect.Type) *kind {
	k := &kind{lua: "{ " + keyTypes(fields) + " }", want: "a table", fields: fields}
	alone := standsAlone(fields)
	if alone != nil {
		k.lua = paren(alone.kind.lua) + "|" + k.lua
		k.want = alone.kind.want + " or a table"
	}
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		tbl, ok := v.(*lua.LTable)
		switch {
		case ok:
			return decodeKeys(c, tbl, fields, dst)
		case alone == nil || v.Type() != lua.LTString:
			return k.mismatch(v)
		}
		for _, p := range fields {
			given := lvalue(lua.LNil)
			if p == alone || p.self {
				given = v
			}
			if err := p.decode(c, given, dst.Field(p.index)); err != nil {
				return err
			}
		}
		return nil
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

// keyTypes are the keys of a table, for the stubs.
func keyTypes(fields []*param) string {
	var keys []string
	for _, p := range fields {
		switch {
		case p.self:
		case p.items:
			keys = append(keys, "[integer]: "+strings.TrimSuffix(p.kind.lua, "[]"))
		case p.place > 0:
			keys = append(keys, fmt.Sprintf("[%d]?: %s, %s?: %s", p.place, p.kind.lua, p.name, p.kind.lua))
		default:
			keys = append(keys, p.name+mark(p)+": "+p.kind.lua)
		}
	}
	return strings.Join(keys, ", ")
}

// standsAlone is the string of the first place, if all others may be left out.
func standsAlone(fields []*param) (first *param) {
	for _, p := range fields {
		switch {
		case p.place == 1 && p.kind.lua == "string":
			first = p
		case !p.optional:
			return nil
		}
	}
	return first
}

// decodeKeys reads the fields of a struct from a table; a key that is not declared is an error.
func decodeKeys(c *Call, tbl *lua.LTable, fields []*param, dst reflect.Value) error {
	for _, p := range fields {
		if err := p.fromTable(c, tbl, dst.Field(p.index)); err != nil {
			return err
		}
	}
	return undeclared(tbl, fields)
}

// undeclared is the error about a key that no field has.
func undeclared(tbl *lua.LTable, fields []*param) error {
	for key := range pairs(tbl) {
		if declared(fields, tbl, key) {
			continue
		}
		name, ok := key.(lua.LString)
		want := make([]string, 0, len(fields))
		for _, p := range fields {
			if !p.self && !p.items {
				want = append(want, p.name)
			}
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

// fromTable reads a field from where it stands in a table.
func (p *param) fromTable(c *Call, tbl *lua.LTable, dst reflect.Value) error {
	switch {
	case p.self:
		return p.decode(c, tbl, dst)
	case p.items:
		return p.kind.decode(c, tbl, dst) // the error's path begins with the item's number
	}
	v := tbl.RawGetString(p.name)
	if v == lua.LNil && p.place > 0 {
		v = tbl.RawGetInt(p.place)
	}
	if err := p.decode(c, v, dst); err != nil {
		return within("."+p.name, err)
	}
	return nil
}

// declared says whether a table may have a key.
func declared(fields []*param, tbl *lua.LTable, key lvalue) bool {
	for _, p := range fields {
		switch key := key.(type) {
		case lua.LString:
			if p.name == string(key) && !p.self && !p.items {
				return true
			}
		case lua.LNumber:
			n := float64(key)
			if p.place > 0 && n == float64(p.place) || p.items && n == math.Trunc(n) && n >= 1 && n <= float64(tbl.Len()) {
				return true
			}
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
		switch {
		case p.def.IsValid():
			dst.Set(p.def)
		case dst.Kind() == reflect.Struct && len(p.kind.fields) > 0 && allOptional(p.kind.fields):
			return decodeKeys(c, nothing, p.kind.fields, dst) // what is not said in it has defaults
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
