package bind

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox"
	"darqline/scriptapi/sandbox/lualib"
)

// Call is a call from Lua that is being answered. It is valid until the Go function returns.
type Call struct {
	env *Env
	th  *lua.LState
	mb  *member

	args   variable
	fields []reflect.Value // of args, in the order of the parameters
	result variable
	value  variable // what a property is set to
}

// Env returns the calling state's side of the registry.
func (c *Call) Env() *Env { return c.env }

// State returns the calling state.
func (c *Call) State() *sandbox.State { return c.env.state }

// Owner returns what the state was made with (sandbox.StateConfig.Owner).
func (c *Call) Owner() any { return c.env.state.Owner() }

// Where returns the file and line of the Lua code that called.
func (c *Call) Where() (file string, line int) { return sandbox.Position(c.th) }

// Name returns what is called: "mp.chat.send", "player:kick".
func (c *Call) Name() string { return c.mb.full }

// ToString words a value as tostring does.
func (c *Call) ToString(v lua.LValue) string { return lualib.ToString(c.th, v).String() }

// because is the result nil and a reason.
type because struct{ reason string }

func (b because) Error() string { return b.reason }

// Because makes a function return nil and a reason instead of its result: an answer that did not come is no error. Without a reason
// it is nil.
func Because(reason string) error {
	if reason == "" {
		return nil
	}
	return because{reason}
}

// Await waits until wake is called, from any goroutine, and returns what it was given. If the resource stops meanwhile the handler
// ends there and Await does not return: what must be undone stands in a defer.
func Await[T any](c *Call, start func(wake func(T))) T {
	return await[T](c, sandbox.Wait{Start: starter(start)})
}

// Ask is Await for what answers when the resource stops: it then returns stopped, and the handler may finish without another wait.
func Ask[T any](c *Call, stopped T, start func(wake func(T))) T {
	return await[T](c, sandbox.Wait{Start: starter(start), Stopped: func() any { return stopped }})
}

func await[T any](c *Call, w sandbox.Wait) T {
	v, err := c.env.state.Await(w)
	if err != nil {
		c.raise(err)
	}
	return v.(T)
}

func starter[T any](start func(wake func(T))) func(func(any)) {
	return func(wake func(any)) { start(func(v T) { wake(v) }) }
}

// Func declares a function of a module.
func Func[A, R any](name, doc string, fn func(c *Call, a A) (R, error), opts ...Option) Member {
	return declareCall[A, R](name, doc, false, opts, func(c *Call, _ any, a A) (R, error) { return fn(c, a) })
}

// Get declares a property of a module that Lua reads.
func Get[V any](name, doc string, get func(c *Call) V, opts ...Option) Member {
	return declareProperty[V, V](name, doc, func(c *Call, _ any) V { return get(c) }, nil, opts)
}

// GetSet declares a property of a module that Lua reads and sets.
func GetSet[V any](name, doc string, get func(c *Call) V, set func(c *Call, v V) error, opts ...Option) Member {
	return declareProperty(name, doc, func(c *Call, _ any) V { return get(c) }, func(c *Call, _ any, v V) error { return set(c, v) }, opts)
}

// GetSetAs is GetSet of what is set in another form than it is read in.
func GetSetAs[V, S any](name, doc string, get func(c *Call) V, set func(c *Call, v S) error, opts ...Option) Member {
	return declareProperty(name, doc, func(c *Call, _ any) V { return get(c) }, func(c *Call, _ any, v S) error { return set(c, v) }, opts)
}

func declareCall[A, R any](name, doc string, method bool, opts []Option, fn func(*Call, any, A) (R, error)) Member {
	mb := &member{name: name, doc: doc, args: reflect.TypeFor[A](), result: reflect.TypeFor[R](), method: method}
	for _, o := range opts {
		o(mb)
	}
	mb.bindTo = func(mb *member) {
		mb.call = func(c *Call, self any) (int, error) {
			var a A
			if len(mb.params) > 0 {
				if err := c.arguments(); err != nil {
					return 0, err
				}
				a = take[A](c.args)
			}
			r, err := fn(c, self, a)
			switch {
			case err != nil:
				return c.failed(err)
			case mb.out == nil:
				return 0, nil
			}
			*c.result.pointer.(*R) = r
			n := c.pushResult()
			take[R](c.result)
			return n, nil
		}
	}
	return Member{mb}
}

// Set declares a property of a module that Lua only sets.
func Set[V any](name, doc string, set func(c *Call, v V) error, opts ...Option) Member {
	return declareProperty(name, doc+" It can only be set.", func(c *Call, _ any) (v V) {
		c.raise(errors.New("it can only be set"))
		return v
	}, func(c *Call, _ any, v V) error { return set(c, v) }, opts)
}

func declareProperty[V, S any](name, doc string, get func(*Call, any) V, set func(*Call, any, S) error, opts []Option) Member {
	mb := &member{name: name, doc: doc, result: reflect.TypeFor[V]()}
	if set != nil && reflect.TypeFor[S]() != mb.result {
		mb.value = reflect.TypeFor[S]()
	}
	for _, o := range opts {
		o(mb)
	}
	mb.bindTo = func(mb *member) {
		mb.get = func(c *Call, self any) lvalue {
			*c.result.pointer.(*V) = get(c, self)
			v := mb.out.encode(c.env, c.result.value)
			take[V](c.result)
			return v
		}
		if set == nil {
			return
		}
		mb.set = func(c *Call, self any, v lvalue) error {
			if err := mb.in.decode(c, v, c.value.value); err != nil {
				return err
			}
			return set(c, self, take[S](c.value))
		}
	}
	mb.settable = set != nil
	return Member{mb}
}

// first is the stack index of the first argument: methods have their handle before it.
func (c *Call) first() int {
	if c.mb.method {
		return 2
	}
	return 1
}

// arguments reads all arguments into c.args. After an error the call must not be used again.
func (c *Call) arguments() error {
	first := c.first()
	if c.mb.keyed {
		tbl, ok := c.th.Get(first).(*lua.LTable)
		if c.th.Get(first) == lua.LNil && allOptional(c.mb.params) {
			tbl, ok = nothing, true
		}
		if !ok {
			return fmt.Errorf("one table expected, %s{ ... }, got %s", c.mb.name, c.got(first))
		}
		if err := decodeKeys(c, tbl, c.mb.params, c.args.value); err != nil {
			return keyError(err)
		}
		return nil
	}
	for i, p := range c.mb.params {
		if p.rest {
			return c.rest(p, i, c.fields[i])
		}
		if err := p.decode(c, c.th.Get(first+i), c.fields[i]); err != nil {
			return c.argumentError(i, p, err)
		}
	}
	if extra := c.th.GetTop() - first + 1; extra > len(c.mb.params) {
		return fmt.Errorf("%s expected, got %d", count(len(c.mb.params)), extra)
	}
	return nil
}

// nothing is the table of a keyed function that was called without one.
var nothing = &lua.LTable{}

func allOptional(params []*param) bool {
	for _, p := range params {
		if !p.optional {
			return false
		}
	}
	return true
}

func count(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return strconv.Itoa(n) + " arguments"
}

func (c *Call) rest(p *param, i int, dst reflect.Value) error {
	n := max(c.th.GetTop()-c.first()-i+1, 0)
	list := reflect.MakeSlice(dst.Type(), n, n)
	for j := range n {
		if err := p.kind.decode(c, c.th.Get(c.first()+i+j), list.Index(j)); err != nil {
			return c.argumentError(i+j, p, err)
		}
	}
	dst.Set(list)
	return nil
}

// got words the value at a stack index, telling nil from nothing.
func (c *Call) got(index int) string {
	if index > c.th.GetTop() {
		return "nothing"
	}
	return describe(c.th.Get(index))
}

func (c *Call) argumentError(i int, p *param, err error) error {
	name := strconv.Quote(p.name)
	var m *mismatch
	if !errors.As(err, &m) {
		return fmt.Errorf("argument %d %s: %w", i+1, name, err)
	}
	got := m.got
	if m.unknown != "" {
		return fmt.Errorf("%s%s: %s", p.name, m.path, m.unknown)
	}
	if m.path == "" {
		if c.first()+i > c.th.GetTop() {
			got = "nothing"
		}
		return fmt.Errorf("argument %d %s: %s expected, got %s", i+1, name, m.want, got)
	}
	return fmt.Errorf("argument %d %s: %s%s: %s expected, got %s", i+1, name, p.name, m.path, m.want, got)
}

func keyError(err error) error {
	var m *mismatch
	if !errors.As(err, &m) {
		return err
	}
	if m.path == "" {
		return m
	}
	if m.unknown != "" {
		return fmt.Errorf("%s: %s", strings.TrimPrefix(m.path, "."), m.unknown)
	}
	got := m.got
	if got == "nil" {
		got = "nothing"
	}
	return fmt.Errorf("key %q: %s expected, got %s", strings.TrimPrefix(m.path, "."), m.want, got)
}

// failed turns a Go error into nil and a reason, or into a Lua error.
func (c *Call) failed(err error) (int, error) {
	var b because
	if errors.As(err, &b) {
		c.th.Push(lua.LNil)
		c.th.Push(lua.LString(b.reason))
		return 2, nil
	}
	return 0, err
}

// Tuple, embedded in a result struct, makes its fields several results.
type Tuple struct{}

// pushResult pushes what is in c.result.
func (c *Call) pushResult() int {
	v, out := c.result.value, c.mb.out
	if !c.mb.tuple {
		c.th.Push(out.encode(c.env, v))
		return 1
	}
	for _, p := range out.fields {
		c.th.Push(p.kind.encode(c.env, v.Field(p.index)))
	}
	return len(out.fields)
}

func isTuple(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == reflect.TypeFor[Tuple]()
}

// function makes the Lua function of a declared one.
func (e *Env) function(mb *member, h *handleType) *lua.LFunction {
	return e.state.Lua().NewFunction(func(th *lua.LState) int {
		c := e.begin(mb, th)
		var self any
		if h != nil {
			hd, ok := unboxHandle(th.Get(1))
			if !ok || hd.typ != h {
				c.raise(fmt.Errorf("call it with a colon on %s, %s(...); got %s before the arguments", article(h.spec.Name), mb.full, c.got(1)))
			}
			if err := hd.usable(mb.early); err != nil && !mb.late {
				c.raise(err)
			}
			self = hd.thing
		}
		n, err := mb.call(c, self)
		if err != nil {
			c.raise(err)
		}
		c.end()
		return n
	})
}

// raise ends the call with a Lua error "FUNCTION: what".
func (c *Call) raise(err error) { sandbox.Raise(c.th, "%s", c.mb.full+": "+err.Error()) }
