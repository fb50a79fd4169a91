package bind

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/resources/nearest"
	"darqline/scriptapi/sandbox"
)

// HandleSpec declares a type of things that Lua holds. T is comparable and stands for one thing: a pointer, or an id with a
// generation.
type HandleSpec[T comparable] struct {
	Name   string               // of the class in docs and stubs: "Player"
	Type   string               // "player": error texts call methods player:kick, the property type answers it
	Doc    string               // one sentence
	Gone   string               // what is said of a stale handle: "this player has left"
	Valid  func(thing T) bool   // nil: until it is dropped
	Ready  func(thing T) error  // why only what is Early works on it yet; nil: everything does
	Early  string               // what docs say of what is: "Works before he is ready."
	String func(thing T) string // what tostring shows between "Player(" and ")"; nil: nothing
	Data   bool                 // has the property data
	NoType bool                 // has no property type
}

// Handle is a declared type of handles.
type Handle[T comparable] struct{ typ *handleType }

type handleType struct {
	spec    HandleSpec[any]
	goType  reflect.Type
	members map[string]*member
}

// handle is the value behind a userdata: one for each thing in each state.
type handle struct {
	typ     *handleType
	thing   any
	data    *lua.LTable
	dropped bool
}

func (h *handle) alive() bool {
	return !h.dropped && (h.typ.spec.Valid == nil || h.typ.spec.Valid(h.thing))
}

// usable says why a handle cannot be used: it is stale, or its thing is not ready for what is not early.
func (h *handle) usable(early bool) error {
	switch {
	case !h.alive():
		return errors.New(h.typ.spec.Gone)
	case early || h.typ.spec.Ready == nil:
		return nil
	}
	return h.typ.spec.Ready(h.thing)
}

// NewHandle declares a type of handles.
func NewHandle[T comparable](r *Registry, s HandleSpec[T]) *Handle[T] {
	h := &handleType{goType: reflect.TypeFor[T](), members: make(map[string]*member)}
	h.spec = HandleSpec[any]{Name: s.Name, Type: s.Type, Doc: s.Doc, Gone: s.Gone, Data: s.Data, NoType: s.NoType, Early: s.Early}
	if s.Valid != nil {
		h.spec.Valid = func(t any) bool { return s.Valid(t.(T)) }
	}
	if s.Ready != nil {
		h.spec.Ready = func(t any) error { return s.Ready(t.(T)) }
	}
	if s.String != nil {
		h.spec.String = func(t any) string { return s.String(t.(T)) }
	}
	if h.spec.Gone == "" {
		h.spec.Gone = "this " + s.Type + " is gone"
	}
	if r.byGo[h.goType] != nil {
		panic(fmt.Sprintf("bind: %s has a handle already", h.goType))
	}
	r.byGo[h.goType] = h
	r.handles = append(r.handles, h)
	return &Handle[T]{h}
}

// HandleMember is a declared property or method of the handles of T.
type HandleMember[T comparable] struct{ *member }

// Add declares members: Prop, Method.
func (h *Handle[T]) Add(members ...HandleMember[T]) *Handle[T] {
	for _, d := range members {
		mb := d.member
		mb.owner = h.typ.spec.Name
		mb.full = h.typ.spec.Type + "." + mb.name
		if mb.method {
			mb.full = h.typ.spec.Type + ":" + mb.name
		}
		if h.typ.members[mb.name] != nil || mb.name == "valid" || mb.name == "data" && h.typ.spec.Data || mb.name == "type" && !h.typ.spec.NoType {
			panic("bind: " + mb.full + " is declared twice")
		}
		if mb.early && h.typ.spec.Early != "" {
			mb.doc += " " + h.typ.spec.Early
		}
		h.typ.members[mb.name] = mb
	}
	return h
}

// Prop declares a property. set may be nil: it is read only then. set's error is Lua's: "player.health: text".
func Prop[T comparable, V any](name, doc string, get func(thing T) V, set func(thing T, v V) error, opts ...Option) HandleMember[T] {
	return PropAs(name, doc, get, set, opts...)
}

// PropAs is Prop of what is set in another form than it is read in.
func PropAs[T comparable, V, S any](name, doc string, get func(thing T) V, set func(thing T, v S) error, opts ...Option) HandleMember[T] {
	var put func(c *Call, self any, v S) error
	if set != nil {
		put = func(_ *Call, self any, v S) error { return set(self.(T), v) }
	}
	return HandleMember[T]{declareProperty(name, doc, func(_ *Call, self any) V { return get(self.(T)) }, put, opts).member}
}

// TryProp is Prop of what may have no value now: get's error is Lua's.
func TryProp[T comparable, V any](name, doc string, get func(thing T) (V, error), set func(thing T, v V) error, opts ...Option) HandleMember[T] {
	var put func(c *Call, self any, v V) error
	if set != nil {
		put = func(_ *Call, self any, v V) error { return set(self.(T), v) }
	}
	return HandleMember[T]{declareProperty(name, doc, func(c *Call, self any) V {
		v, err := get(self.(T))
		if err != nil {
			c.raise(err)
		}
		return v
	}, put, opts).member}
}

// CallProp declares a property whose functions see the call: for what differs from state to state.
func CallProp[T comparable, V any](name, doc string, get func(c *Call, thing T) V, set func(c *Call, thing T, v V) error, opts ...Option) HandleMember[T] {
	return CallPropAs(name, doc, get, set, opts...)
}

// CallPropAs is CallProp of what is set in another form than it is read in.
func CallPropAs[T comparable, V, S any](name, doc string, get func(c *Call, thing T) V, set func(c *Call, thing T, v S) error, opts ...Option) HandleMember[T] {
	var put func(c *Call, self any, v S) error
	if set != nil {
		put = func(c *Call, self any, v S) error { return set(c, self.(T), v) }
	}
	return HandleMember[T]{declareProperty(name, doc, func(c *Call, self any) V { return get(c, self.(T)) }, put, opts).member}
}

// Method declares an action: player:kick("reason").
func Method[T comparable, A, R any](name, doc string, fn func(c *Call, thing T, a A) (R, error), opts ...Option) HandleMember[T] {
	return HandleMember[T]{declareCall(name, doc, true, opts, func(c *Call, self any, a A) (R, error) {
		return fn(c, self.(T), a)
	}).member}
}

func handleKind(h *handleType, tag reflect.StructTag) *kind {
	early := tag.Get("early") != ""
	k := &kind{lua: h.spec.Name, want: article(h.spec.Name), handle: true}
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		hd, ok := unboxHandle(v)
		if !ok || hd.typ != h {
			return k.mismatch(v)
		}
		if err := hd.usable(early); err != nil {
			return err
		}
		dst.Set(reflect.ValueOf(hd.thing))
		return nil
	}
	k.encode = func(e *Env, v reflect.Value) lvalue {
		if v.IsZero() {
			return lua.LNil
		}
		return e.handle(h, v.Interface())
	}
	return k
}

func unboxHandle(v lvalue) (*handle, bool) {
	if ud, ok := v.(*lua.LUserData); ok {
		h, ok := ud.Value.(*handle)
		return h, ok
	}
	return nil, false
}

// handle returns the state's one userdata for a thing.
func (e *Env) handle(h *handleType, thing any) *lua.LUserData {
	if ud := e.handles[thing]; ud != nil {
		return ud
	}
	hd := &handle{typ: h, thing: thing}
	ud := &lua.LUserData{Value: hd, Metatable: e.handleMT(h)}
	if hd.alive() { // what is gone already would never be dropped
		e.handles[thing] = ud
	}
	return ud
}

// Drop forgets a thing that is gone: its handle is stale from now on, and its data go.
func (e *Env) Drop(thing any) {
	ud := e.handles[thing]
	if ud == nil {
		return
	}
	h := ud.Value.(*handle)
	h.dropped, h.data = true, nil
	delete(e.handles, thing)
}

// Release forgets a thing that is over but may still be asked about: its handle stays good for whoever has it, and is collected
// with him. The thing is not handed to Lua again.
func (e *Env) Release(thing any) { delete(e.handles, thing) }

// Held counts the things that the state keeps a handle of, for tests.
func (e *Env) Held(match func(thing any) bool) (n int) {
	for thing := range e.handles {
		if match(thing) {
			n++
		}
	}
	return n
}

func (e *Env) handleMT(h *handleType) *lua.LTable {
	if mt := e.handleMTs[h]; mt != nil {
		return mt
	}
	self := func(th *lua.LState) *handle {
		hd, ok := unboxHandle(th.Get(1))
		if !ok || hd.typ != h {
			sandbox.Raise(th, "%s expected, got %s", article(h.spec.Name), describe(th.Get(1)))
		}
		return hd
	}
	mt := e.metatable(h.spec.Name, map[string]lua.LGFunction{
		"__index": func(th *lua.LState) int {
			hd := self(th)
			name, _ := th.Get(2).(lua.LString)
			mb := h.members[string(name)]
			switch {
			case mb == nil:
				th.Push(e.builtin(th, hd, string(name)))
			case mb.method:
				s := &e.slots[mb.slot]
				if s.function == nil {
					s.function = e.function(mb, h)
				}
				th.Push(s.function)
			default:
				th.Push(e.read(th, mb, hd))
			}
			return 1
		},
		"__newindex": func(th *lua.LState) int {
			hd := self(th)
			name, _ := th.Get(2).(lua.LString)
			e.write(th, hd, string(name), th.Get(3))
			return 0
		},
		"__tostring": func(th *lua.LState) int {
			th.Push(lua.LString(self(th).String()))
			return 1
		},
	})
	e.handleMTs[h] = mt
	return mt
}

// read reads a property.
func (e *Env) read(th *lua.LState, mb *member, hd *handle) lvalue {
	c := e.begin(mb, th)
	if err := hd.usable(mb.early); err != nil {
		c.raise(err)
	}
	v := mb.get(c, hd.thing)
	c.end()
	return v
}

// builtin answers the properties that every handle has.
func (e *Env) builtin(th *lua.LState, hd *handle, name string) lvalue {
	switch {
	case name == "valid":
		return lua.LBool(hd.alive())
	case name == "type" && !hd.typ.spec.NoType:
		return lua.LString(hd.typ.spec.Type)
	case name == "data" && hd.typ.spec.Data:
		if !hd.alive() {
			sandbox.Raise(th, "%s", hd.typ.spec.Type+".data: "+hd.typ.spec.Gone)
		}
		if hd.data == nil {
			hd.data = e.state.Lua().CreateTable(0, 0)
		}
		return hd.data
	}
	sandbox.Raise(th, "%s", hd.typ.unknown(name, "property or method"))
	return lua.LNil
}

func (h *handleType) unknown(name, what string) string {
	all := append(names(h.members), "valid")
	if h.spec.Data {
		all = append(all, "data")
	}
	if !h.spec.NoType {
		all = append(all, "type")
	}
	text := fmt.Sprintf("%s.%s: no such %s", h.spec.Type, name, what)
	if near, ok := nearest.Name(name, all); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

// write sets a property.
func (e *Env) write(th *lua.LState, hd *handle, name string, v lvalue) {
	spec, mb := &hd.typ.spec, hd.typ.members[name]
	fail := func(format string, args ...any) {
		sandbox.Raise(th, "%s", spec.Type+"."+name+": "+fmt.Sprintf(format, args...))
	}
	switch {
	case name == "data" && spec.Data:
		fail("set its fields, %s.data.NAME = ...; the table itself stays", spec.Type)
	case mb == nil && (name == "valid" || name == "type" && !spec.NoType), mb != nil && mb.get != nil && mb.set == nil:
		fail("it can only be read")
	case mb == nil:
		sandbox.Raise(th, "%s", hd.typ.unknown(name, "property"))
	case mb.method:
		fail("it is a method, not a property")
	}
	if err := hd.usable(mb.early); err != nil {
		fail("%s", err)
	}
	c := e.begin(mb, th)
	if err := mb.set(c, hd.thing, v); err != nil {
		fail("%s", valueError(err))
	}
	c.end()
}

// valueError words the error of a property that was set.
func valueError(err error) string {
	var m *mismatch
	if errors.As(err, &m) && m.path != "" {
		return fmt.Sprintf("%s: %s", strings.TrimPrefix(m.path, "."), m)
	}
	return err.Error()
}

// String words a handle without its Go value.
func (h *handle) String() string {
	inside := ""
	switch {
	case !h.alive():
		inside = "gone"
	case h.typ.spec.String != nil:
		inside = h.typ.spec.String(h.thing)
	}
	return h.typ.spec.Name + "(" + inside + ")"
}
