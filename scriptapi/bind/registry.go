package bind

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Registry is everything that Lua sees. It is filled when the program starts and shared by all states; a declaration that makes no
// sense panics when it is first used, which every test does.
type Registry struct {
	modules []*Module
	handles []*handleType
	byGo    map[reflect.Type]*handleType
	enums   map[reflect.Type]*enum
	events  []*event
	once    sync.Once
	slots   int // how many members there are
}

// New returns a registry with the values vec2, vec3 and rgba.
func New() *Registry {
	r := &Registry{byGo: make(map[reflect.Type]*handleType), enums: make(map[reflect.Type]*enum)}
	r.Module("", "What every file sees.").Add(valueConstructors()...)
	return r
}

// Module is a table of functions and properties: "mp.chat"; "" are the globals.
type Module struct {
	Name    string
	Doc     string
	members map[string]*member
	inside  []string // modules that stand in it
	index   func(c *Call, name string) (any, error)
	set     func(c *Call, name string, v Raw) error
}

// Module returns the module of that name, and declares it with the first call. "mp.a" is reached through "mp".
func (r *Registry) Module(name, doc string) *Module {
	for _, m := range r.modules {
		if m.Name == name {
			return m
		}
	}
	m := &Module{Name: name, Doc: doc, members: make(map[string]*member)}
	r.modules = append(r.modules, m)
	return m
}

// Add declares members: Func, Get, GetSet.
func (m *Module) Add(members ...Member) *Module {
	for _, d := range members {
		mb := d.member
		mb.owner = m.Name
		mb.full = mb.name
		if m.Name != "" {
			mb.full = m.Name + "." + mb.name
		}
		if m.members[mb.name] != nil {
			panic("bind: " + mb.full + " is declared twice")
		}
		m.members[mb.name] = mb
	}
	return m
}

// Index declares what the module answers for a name that it has no member for: mp.exports.bank.
func (m *Module) Index(f func(c *Call, name string) (any, error)) *Module {
	m.index = f
	return m
}

// NewIndex declares what setting a name does that the module has no member for: mp.server.rules.discord = "...".
func (m *Module) NewIndex(f func(c *Call, name string, v Raw) error) *Module {
	m.set = f
	return m
}

// Member is a declared function, method or property.
type Member struct{ *member }

type member struct {
	name, doc, owner, full string
	examples               []string
	permission             string
	waits                  bool
	reasons                []string // why it may return nil
	keyed                  bool     // takes one table
	method                 bool
	late                   bool // it may be called on a handle that is gone
	early                  bool // it may be used on a handle that is not ready
	settable               bool
	orNil                  bool         // a handle that may be none
	args, result           reflect.Type // args: nil for properties
	value                  reflect.Type // what a property is set to; nil: its result
	tag                    reflect.StructTag
	resultDoc              string

	slot   int // its index in each state
	params []*param
	out    *kind
	in     *kind                                   // of value
	tuple  bool                                    // the fields of out are several results
	call   func(c *Call, self any) (int, error)    // functions and methods
	get    func(c *Call, self any) lvalue          // properties
	set    func(c *Call, self any, v lvalue) error // properties; nil: read only
	bindTo func(mb *member)                        // completes the closures once params and out are known
}

// Option says more about a member.
type Option func(*member)

// Example adds a piece of Lua to the reference page; a test runs it through the compiler.
func Example(lua string) Option { return func(m *member) { m.examples = append(m.examples, lua) } }

// Keyed: the function takes one table, the struct's fields are its keys: create{ model = 411 }.
func Keyed() Option { return func(m *member) { m.keyed = true } }

// Waits says that the function waits, for the reference.
func Waits() Option { return func(m *member) { m.waits = true } }

// Needs names the permission that the host must give the resource, for the reference.
func Needs(permission string) Option { return func(m *member) { m.permission = permission } }

// OrNil says that a result or property that is a handle may be nil, for the reference and the stubs.
func OrNil() Option { return func(m *member) { m.orNil = true } }

// Late says that a method may be called on a handle that is gone: for a wait, which always returns.
func Late() Option { return func(m *member) { m.late = true } }

// Early says that a member may be used before the thing is ready (HandleSpec.Ready); an argument that is a handle says so with the
// tag early:"true".
func Early() Option { return func(m *member) { m.early = true } }

// Returns is the sentence about what comes back.
func Returns(doc string) Option { return func(m *member) { m.resultDoc = doc } }

// Reasons lists why a function may return nil and a reason (Because), for the reference.
func Reasons(words ...string) Option { return func(m *member) { m.reasons = words } }

// Tag gives a property's value the tags of a field: Tag(`range:"0..100"`).
func Tag(tag string) Option { return func(m *member) { m.tag = reflect.StructTag(tag) } }

// None is the result of a function that returns nothing, and the arguments of one that takes none.
type None struct{}

// compile completes every declaration. It panics on what makes no sense.
func (r *Registry) compile() {
	r.once.Do(func() {
		for _, m := range r.modules {
			for _, mb := range m.members {
				r.complete(mb)
			}
			if i := strings.LastIndexByte(m.Name, '.'); i >= 0 {
				for _, outer := range r.modules {
					if outer.Name == m.Name[:i] {
						outer.inside = append(outer.inside, m.Name[i+1:])
					}
				}
			}
		}
		for _, h := range r.handles {
			for _, mb := range h.members {
				r.complete(mb)
			}
		}
		for _, e := range r.events {
			e.params = r.params(e.args, "event "+e.name)
		}
	})
}

func (r *Registry) complete(mb *member) {
	if mb.args != nil {
		mb.params = r.params(mb.args, mb.full)
	}
	if mb.result != nil && mb.result != reflect.TypeFor[None]() {
		mb.out, mb.tuple = r.kindOf(mb.result, mb.tag, mb.full), isTuple(mb.result)
	}
	mb.in = mb.out
	if mb.value != nil {
		mb.in = r.kindOf(mb.value, mb.tag, mb.full)
	}
	mb.slot = r.slots
	r.slots++
	mb.bindTo(mb)
}

// param is one argument or one key.
type param struct {
	name, doc string
	index     int // of the struct's field
	kind      *kind
	optional  bool
	rest      bool
	place     int           // in a table, it may also stand there: 1, 2 ...; 0: nowhere
	items     bool          // the list part of the table
	self      bool          // the table itself, or what stands in its place
	def       reflect.Value // valid if there is a default
	defText   string
}

// params reads the fields of an argument struct.
func (r *Registry) params(t reflect.Type, full string) []*param {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("bind: %s: the arguments are a struct, not %s", full, t))
	}
	var ps []*param
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("lua")
		if !ok {
			if f.IsExported() && f.Type != reflect.TypeFor[Tuple]() {
				panic(fmt.Sprintf("bind: %s: the field %s has no lua tag", full, f.Name))
			}
			continue
		}
		name, flags, _ := strings.Cut(tag, ",")
		p := &param{name: name, doc: f.Tag.Get("doc"), index: i}
		ft := f.Type
		for _, flag := range strings.Split(flags, ",") {
			switch flag {
			case "":
			case "optional":
				p.optional = true
			case "rest":
				p.rest = true
				ft = ft.Elem()
			case "tostring":
			case "items":
				p.items = true
			case "self":
				p.self, p.optional = true, true
			case "1", "2", "3":
				p.place = int(flag[0] - '0')
			default:
				panic(fmt.Sprintf("bind: %s: the field %s has the unknown flag %q", full, f.Name, flag))
			}
		}
		if ft.Kind() == reflect.Pointer && r.byGo[ft] == nil {
			p.optional = true
		}
		tags := f.Tag
		if slices.Contains(strings.Split(flags, ","), "tostring") {
			tags += ` tostring:"true"`
		}
		p.kind = r.kindOf(ft, tags, full+" "+name)
		if text, ok := f.Tag.Lookup("default"); ok {
			p.optional, p.defText = true, text
			p.def = parseDefault(p.kind, text, ft, full+" "+name)
		}
		ps = append(ps, p)
	}
	return ps
}

func parseDefault(k *kind, text string, t reflect.Type, full string) reflect.Value {
	v := reflect.New(t).Elem()
	if err := k.decode(nil, literal(text, k), v); err != nil {
		panic(fmt.Sprintf("bind: %s: the default %q: %v", full, text, err))
	}
	return v
}

// names returns the sorted names of members.
func names[T any](m map[string]T) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}
