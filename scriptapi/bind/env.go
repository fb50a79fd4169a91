package bind

import (
	"fmt"
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/resources/nearest"
	"darqline/scriptapi/sandbox"
)

// Env is the registry in one state.
type Env struct {
	registry  *Registry
	state     *sandbox.State
	vec2MT    *lua.LTable
	vec3MT    *lua.LTable
	rgbaMT    *lua.LTable
	handles   map[any]*lua.LUserData // one for each thing
	handleMTs map[*handleType]*lua.LTable
	kinds     map[reflect.Type]*kind
	tables    map[string]*lua.LTable
	slots     []slot // of the members
}

// Open gives a new state its globals.
func (r *Registry) Open(st *sandbox.State) *Env {
	r.compile()
	e := &Env{
		registry: r, state: st, handles: make(map[any]*lua.LUserData), handleMTs: make(map[*handleType]*lua.LTable),
		kinds: make(map[reflect.Type]*kind), tables: make(map[string]*lua.LTable), slots: make([]slot, r.slots),
	}
	openVectors(e)
	g := st.Lua().G.Global
	for _, m := range r.modules {
		if m.Name == "" {
			for _, mb := range m.members {
				g.RawSetString(mb.name, e.function(mb, nil))
			}
			continue
		}
		e.place(g, m)
	}
	return e
}

// place makes a module's table, and those that it stands in.
func (e *Env) place(g *lua.LTable, m *Module) {
	parent, path := g, strings.Split(m.Name, ".")
	for _, name := range path[:len(path)-1] {
		t, ok := parent.RawGetString(name).(*lua.LTable)
		if !ok {
			t = e.state.Lua().CreateTable(0, 0)
			parent.RawSetString(name, t)
		}
		parent = t
	}
	last := path[len(path)-1]
	t, ok := parent.RawGetString(last).(*lua.LTable)
	if !ok {
		t = e.state.Lua().CreateTable(0, 0)
		parent.RawSetString(last, t)
	}
	t.Metatable = e.moduleMT(m)
}

// moduleMT answers a module's members: functions are made when they are first asked for, and then stay in the table.
func (e *Env) moduleMT(m *Module) *lua.LTable {
	return e.metatable(m.Name, map[string]lua.LGFunction{
		"__index": func(th *lua.LState) int {
			t, _ := th.Get(1).(*lua.LTable)
			name, _ := th.Get(2).(lua.LString)
			mb := m.members[string(name)]
			switch {
			case mb == nil:
				th.Push(e.unknown(th, m, th.Get(2)))
			case mb.call != nil:
				fn := e.function(mb, nil)
				if t != nil {
					t.RawSetString(mb.name, fn)
				}
				th.Push(fn)
			default:
				c := e.begin(mb, th)
				th.Push(mb.get(c, nil))
				c.end()
			}
			return 1
		},
		"__newindex": func(th *lua.LState) int {
			name := th.Get(2).String()
			mb := m.members[name]
			switch {
			case mb == nil && m.set != nil:
				e.setOther(th, m, th.Get(2), th.Get(3))
				return 0
			case mb == nil:
				sandbox.Raise(th, "%s", m.unknown(name))
			case mb.set == nil:
				sandbox.Raise(th, "%s", mb.full+": it can only be read")
			}
			c := e.begin(mb, th)
			if err := mb.set(c, nil, th.Get(3)); err != nil {
				sandbox.Raise(th, "%s", mb.full+": "+valueError(err))
			}
			c.end()
			return 0
		},
	})
}

func (e *Env) unknown(th *lua.LState, m *Module, key lvalue) lvalue {
	name := key.String()
	if m.index == nil {
		sandbox.Raise(th, "%s", m.unknown(name))
	}
	c := &Call{env: e, th: th, mb: &member{name: name, full: m.Name + "." + name}}
	v, err := m.index(c, name)
	if err != nil {
		c.raise(err)
	}
	return e.Value(v)
}

// setOther sets what the module has no member for.
func (e *Env) setOther(th *lua.LState, m *Module, key, v lvalue) {
	c := &Call{env: e, th: th, mb: &member{name: key.String(), full: m.Name + "." + key.String()}}
	if _, ok := key.(lua.LString); !ok {
		sandbox.Raise(th, "%s", m.Name+": a key is a string, not "+describe(key))
	}
	if err := m.set(c, key.String(), Raw{e, v}); err != nil {
		c.raise(err)
	}
}

func (m *Module) unknown(name string) string {
	text := fmt.Sprintf("%s.%s: no such function or property", m.Name, name)
	if near, ok := nearest.Name(name, append(names(m.members), m.inside...)); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

// metatable makes a protected metatable.
func (e *Env) metatable(name string, fns map[string]lua.LGFunction) *lua.LTable {
	L := e.state.Lua()
	mt := L.CreateTable(0, len(fns)+1)
	for key, fn := range fns {
		mt.RawSetString(key, L.NewFunction(fn))
	}
	mt.RawSetString("__metatable", lua.LString(name))
	return mt
}

// State returns the state.
func (e *Env) State() *sandbox.State { return e.state }

// Table returns the state's table of that name, kept for its life (mp.state); it is empty at first.
func (e *Env) Table(name string) Raw {
	t := e.tables[name]
	if t == nil {
		t = e.state.Lua().CreateTable(0, 0)
		e.tables[name] = t
	}
	return Raw{e, t}
}

// SetTable fills a named table with a plain copy, as Raw.PlainOnly made it.
func (e *Env) SetTable(name string, plain any) {
	if t, ok := plain.(*Table); ok && t != nil {
		e.tables[name] = e.table(t).(*lua.LTable)
	}
}

// RunProgram runs a compiled file.
func (e *Env) RunProgram(p *sandbox.Program, run Run) (res Results, finished bool, err error) {
	return e.run(e.state.Program(p), run, nil)
}
