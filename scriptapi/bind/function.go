package bind

import (
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox"
)

// Function is a Lua function that a resource handed over. It is comparable; the zero value is none.
type Function struct {
	env *Env
	fn  *lua.LFunction
}

// Given tells whether there is a function.
func (f Function) Given() bool { return f.fn != nil }

// Env returns the state's side that the function belongs to.
func (f Function) Env() *Env { return f.env }

// Where returns where the function is written.
func (f Function) Where() (file string, line int) {
	if f.fn == nil || f.fn.Proto == nil {
		return "", 0
	}
	return f.fn.Proto.SourceName, f.fn.Proto.LineDefined
}

// Run is how a Lua function is run; see sandbox.Call.
type Run struct {
	Event  string                       // for errors: "event player_join"
	Limits sandbox.Limits               // zero: those of a handler
	Share  bool                         // on what is left of the handler that runs (exports)
	NoWait string                       // not empty: waits are the error "cannot wait in ..."
	Done   func(res Results, err error) // called once, when it ends; may be nil
}

// Results are what a Lua function returned.
type Results struct {
	env    *Env
	values []lua.LValue
}

// Len is how many there are.
func (r Results) Len() int { return len(r.values) }

// False tells whether the first result is false: a handler that cancels.
func (r Results) False() bool { return len(r.values) > 0 && r.values[0] == lua.LFalse }

// Truthy tells whether the first result is neither nil nor false.
func (r Results) Truthy() bool { return len(r.values) > 0 && lua.LVAsBool(r.values[0]) }

// Raw returns the result at index i, from 0; nil if there are fewer.
func (r Results) Raw(i int) Raw {
	if i >= len(r.values) {
		return Raw{r.env, lua.LNil}
	}
	return Raw{r.env, r.values[i]}
}

// Plain copies all results as plain values.
func (r Results) Plain() ([]any, error) {
	out := make([]any, len(r.values))
	for i, v := range r.values {
		var err error
		if out[i], err = r.env.copyOut(v); err != nil {
			return nil, fmt.Errorf("result %d: %w", i+1, err)
		}
	}
	return out, nil
}

// Call runs the function with the arguments, made by Env.Value, until it ends (finished) or waits.
func (f Function) Call(run Run, args ...any) (res Results, finished bool, err error) {
	return f.env.run(f.fn, run, args)
}

func (e *Env) run(fn *lua.LFunction, run Run, args []any) (res Results, finished bool, err error) {
	c := sandbox.Call{Fn: fn, Event: run.Event, Limits: run.Limits, Share: run.Share, NoWait: run.NoWait}
	if len(args) > 0 {
		c.Args = make([]lua.LValue, len(args))
		for i, a := range args {
			c.Args[i] = e.Value(a)
		}
	}
	if run.Done != nil {
		c.Done = func(values []lua.LValue, err error) { run.Done(Results{e, values}, err) }
	}
	values, finished, err := e.state.Run(c)
	return Results{e, values}, finished, err
}

func functionKind() *kind {
	k := &kind{lua: "function", want: "a function"}
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		fn, ok := v.(*lua.LFunction)
		if !ok {
			return k.mismatch(v)
		}
		*dst.Addr().Interface().(*Function) = Function{c.env, fn}
		return nil
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue {
		if fn := v.Interface().(Function).fn; fn != nil {
			return fn
		}
		return lua.LNil
	}
	return k
}

// Raw is a Lua value of one state, as it is. It must not be handed to another state.
type Raw struct {
	env *Env
	V   lua.LValue
}

// IsNil tells whether it is nil (or was never given).
func (r Raw) IsNil() bool { return r.V == nil || r.V == lua.LNil }

// Describe words it for an error: its type and, where that is short, what it is.
func (r Raw) Describe() string {
	if r.V == nil {
		return "nothing"
	}
	return describe(r.V)
}

// Plain copies it as a plain value.
func (r Raw) Plain() (any, error) {
	if r.V == nil {
		return nil, nil
	}
	return r.env.copyOut(r.V)
}

// PlainOnly copies what is plain of it, and tells drop the path and the fault of what is not: ".shop[3]", "a function".
func (r Raw) PlainOnly(drop func(path, what string)) any {
	c := copier{state: r.env.state, drop: drop}
	v, _ := c.out(r.V, "", 0)
	return v
}

func rawKind() *kind {
	return &kind{
		lua: "any", want: "a value",
		decode: func(c *Call, v lvalue, dst reflect.Value) error {
			*dst.Addr().Interface().(*Raw) = Raw{c.env, v}
			return nil
		},
		encode: func(_ *Env, v reflect.Value) lvalue {
			if lv := v.Interface().(Raw).V; lv != nil {
				return lv
			}
			return lua.LNil
		},
	}
}

// Native is a Lua function made on the spot, of plain arguments.
type Native struct {
	Name string // for errors: "mp.exports.bank.balance"
	Call func(c *Call, args []any) ([]any, error)
}

// Proxy is a table made on the spot whose fields are asked for.
type Proxy struct {
	Name  string // for tostring and errors: "mp.exports.bank"
	Index func(c *Call, key string) (any, error)
}

func (e *Env) native(n Native) lvalue {
	mb := &member{name: n.Name, full: n.Name}
	return e.state.Lua().NewFunction(func(th *lua.LState) int {
		c := &Call{env: e, th: th, mb: mb}
		args := make([]any, th.GetTop())
		for i := range args {
			var err error
			if args[i], err = e.copyOut(th.Get(i + 1)); err != nil {
				c.raise(fmt.Errorf("argument %d: %w", i+1, err))
			}
		}
		results, err := n.Call(c, args)
		if err != nil {
			c.raise(err)
		}
		for _, r := range results {
			th.Push(e.Value(r))
		}
		return len(results)
	})
}

func (e *Env) proxy(p Proxy) lvalue {
	mb := &member{name: p.Name, full: p.Name}
	t := e.state.Lua().CreateTable(0, 0)
	t.Metatable = e.metatable(p.Name, map[string]lua.LGFunction{
		"__index": func(th *lua.LState) int {
			c := &Call{env: e, th: th, mb: mb}
			v, err := p.Index(c, th.Get(2).String())
			if err != nil {
				c.raise(err)
			}
			th.Push(e.Value(v))
			return 1
		},
		"__newindex": func(th *lua.LState) int {
			sandbox.Raise(th, "%s", p.Name+" can only be read")
			return 0
		},
	})
	return t
}
