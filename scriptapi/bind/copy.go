package bind

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox"
)

const (
	maxDepth   = 32      // tables in tables of a copied value
	maxEntries = 100_000 // of all its tables

	stepsPerEntry = 10 // what copying one costs
)

// Table is a copied Lua table: the items 1..n, and the rest in the order of pairs.
type Table struct {
	List  []any
	Pairs []Pair
}

// Pair is one key of a Table that is not in its list.
type Pair struct{ Key, Value any }

// Get returns the value of a string key; nil if there is none.
func (t *Table) Get(key string) any {
	for _, p := range t.Pairs {
		if p.Key == key {
			return p.Value
		}
	}
	return nil
}

// copyOut copies a Lua value into Go: nil, bool, float64, string, Vec2, Vec3, RGBA, the thing of a handle, *Table. The handler
// that runs pays for it.
func (e *Env) copyOut(v lvalue) (any, error) {
	c := copier{state: e.state}
	return c.out(v, "", 0)
}

type copier struct {
	state   *sandbox.State
	stack   []*lua.LTable // the tables that stand around
	entries int
	drop    func(path, what string) // nil: what cannot be copied is an error
}

// fault is what cannot be copied: an error, or left out.
func (c *copier) fault(path, what string) error {
	if c.drop != nil {
		c.drop(path, what)
		return nil
	}
	if path == "" {
		return fmt.Errorf("%s cannot be copied", what)
	}
	return fmt.Errorf("%s: %s cannot be copied", path, what)
}

func (c *copier) out(v lvalue, path string, depth int) (any, error) {
	switch v := v.(type) {
	case nil, *lua.LNilType:
		return nil, nil
	case lua.LBool:
		return bool(v), nil
	case lua.LNumber:
		return float64(v), nil
	case lua.LString:
		return string(v), nil
	case *lua.LUserData:
		switch u := v.Value.(type) {
		case *Vec2:
			return *u, nil
		case *Vec3:
			return *u, nil
		case *RGBA:
			return *u, nil
		case *handle:
			if !u.alive() {
				return nil, c.fault(path, "a "+u.typ.spec.Name+" that is gone")
			}
			return u.thing, nil
		}
		return nil, c.fault(path, "userdata")
	case *lua.LTable:
		t, err := c.table(v, path, depth)
		if t == nil {
			return nil, err
		}
		return t, err
	}
	return nil, c.fault(path, "a "+v.Type().String())
}

func (c *copier) table(t *lua.LTable, path string, depth int) (*Table, error) {
	for _, around := range c.stack {
		if around == t {
			return nil, c.fault(path, "a table that contains itself")
		}
	}
	if depth >= maxDepth {
		return nil, c.fault(path, fmt.Sprintf("a table nested deeper than %d", maxDepth))
	}
	c.stack = append(c.stack, t)
	defer func() { c.stack = c.stack[:len(c.stack)-1] }()
	out := &Table{}
	for k, v := range pairs(t) {
		c.state.Pay(stepsPerEntry)
		if c.entries++; c.entries > maxEntries {
			return nil, fmt.Errorf("a value of more than %d entries cannot be copied", maxEntries)
		}
		at := path + step(k)
		value, err := c.out(v, at, depth+1)
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		if n, ok := k.(lua.LNumber); ok && float64(n) == float64(len(out.List)+1) {
			out.List = append(out.List, value)
			continue
		}
		key, err := c.key(k, at)
		if err != nil {
			return nil, err
		}
		if key != nil {
			out.Pairs = append(out.Pairs, Pair{key, value})
		}
	}
	return out, nil
}

func (c *copier) key(k lvalue, at string) (any, error) {
	if _, ok := k.(*lua.LTable); ok {
		return nil, c.fault(at, "a table as a key")
	}
	return c.out(k, at, 0)
}

// step words a key in a path: .price, [3], ["two words"].
func step(k lvalue) string {
	switch k := k.(type) {
	case lua.LString:
		for i, r := range k {
			if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
				return "[" + strconv.Quote(string(k)) + "]"
			}
		}
		return "." + string(k)
	case lua.LNumber:
		return "[" + num(float64(k)) + "]"
	}
	return "[" + describe(k) + "]"
}

func plainKind() *kind {
	return &kind{
		lua: "any", want: "a plain value",
		decode: func(c *Call, v lvalue, dst reflect.Value) error {
			plain, err := c.env.copyOut(v)
			if err != nil {
				return err
			}
			if plain != nil {
				dst.Set(reflect.ValueOf(plain))
			}
			return nil
		},
		encode: func(e *Env, v reflect.Value) lvalue {
			if v.IsNil() {
				return lua.LNil
			}
			return e.Value(v.Interface())
		},
	}
}

// Value makes a Lua value of the state from a Go value: every type that the package doc lists, and *Table. What has no Lua type
// panics: it is a fault of the program.
func (e *Env) Value(v any) lvalue {
	switch v := v.(type) {
	case nil:
		return lua.LNil
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case int:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case Vec2:
		return e.vec2(v)
	case Vec3:
		return e.vec3(v)
	case RGBA:
		return e.rgba(v)
	case Raw:
		if v.V == nil {
			return lua.LNil
		}
		return v.V
	case *Table:
		return e.table(v)
	case typed:
		return v.kind.encode(e, v.v)
	case Native:
		return e.native(v)
	case Proxy:
		return e.proxy(v)
	}
	t := reflect.TypeOf(v)
	k := e.kinds[t]
	if k == nil {
		k = e.registry.kindOf(t, "", "value "+t.String())
		e.kinds[t] = k
	}
	return k.encode(e, reflect.ValueOf(v))
}

func (e *Env) table(t *Table) lvalue {
	if t == nil {
		return lua.LNil
	}
	e.state.Pay(stepsPerEntry * (1 + len(t.List) + len(t.Pairs)))
	out := e.state.Lua().CreateTable(len(t.List), len(t.Pairs))
	for i, v := range t.List {
		out.RawSetInt(i+1, e.Value(v))
	}
	for _, p := range t.Pairs {
		if f, ok := p.Key.(float64); ok && math.IsNaN(f) {
			continue
		}
		out.RawSet(e.Value(p.Key), e.Value(p.Value))
	}
	return out
}
