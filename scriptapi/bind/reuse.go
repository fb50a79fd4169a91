package bind

import (
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// What Lua calls often must not allocate, and reflection costs little once its values exist. So each state keeps one Call for each
// member, with the variables that arguments and results go through and the reflect.Values of their fields.

// variable is a variable of a declared type, as Go and as reflection see it.
type variable struct {
	pointer any           // *T
	value   reflect.Value // what it points to
}

func newVariable(t reflect.Type) variable {
	p := reflect.New(t)
	return variable{p.Interface(), p.Elem()}
}

// take returns the variable's value and empties it, so that nothing is kept alive by it.
func take[T any](v variable) T {
	p := v.pointer.(*T)
	out := *p
	*p = *new(T)
	return out
}

// slot is what a state keeps for a member.
type slot struct {
	call     *Call          // nil while it is in use
	function *lua.LFunction // of a method
}

// begin returns the member's Call, or a new one where that is in use: calls nest, and they wait.
func (e *Env) begin(mb *member, th *lua.LState) *Call {
	s := &e.slots[mb.slot]
	c := s.call
	if c == nil {
		c = newCall(e, mb)
	}
	s.call = nil
	c.th = th
	return c
}

// end gives a Call back. One that raised an error is not given back: it is left to the garbage collector.
func (c *Call) end() {
	c.th = nil
	c.env.slots[c.mb.slot].call = c
}

func newCall(e *Env, mb *member) *Call {
	c := &Call{env: e, mb: mb}
	if len(mb.params) > 0 {
		c.args = newVariable(mb.args)
		for _, p := range mb.params {
			c.fields = append(c.fields, c.args.value.Field(p.index))
		}
	}
	if mb.out != nil {
		c.result = newVariable(mb.result)
	}
	switch {
	case mb.value != nil:
		c.value = newVariable(mb.value)
	case mb.settable:
		c.value = c.result
	}
	return c
}
