package strict

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// group is a table of the file: rows whose dotted names are sorted into the tables that they name.
type group struct {
	names []string
	rows  map[string]Row // where the key ends here
	inner map[string]*group
}

func (t Table) group() *group {
	g := &group{rows: map[string]Row{}, inner: map[string]*group{}}
	for _, row := range t {
		g.add(row.name, row)
	}
	return g
}

func (g *group) add(name string, row Row) {
	first, rest, dotted := strings.Cut(name, ".")
	if _, isRow := g.rows[first]; isRow || !dotted && g.inner[first] != nil {
		panic("strict: key declared twice: " + row.name)
	}
	if !slices.Contains(g.names, first) {
		g.names = append(g.names, first)
	}
	if !dotted {
		g.rows[first] = row
		return
	}
	if g.inner[first] == nil {
		g.inner[first] = Table(nil).group()
	}
	g.inner[first].add(rest, row)
}

// read checks the table n; at is its full name, "" for the whole file.
func (g *group) read(r *reader, n *node, at string) {
	if n.keys == nil {
		r.wrongType(n, at, "a table")
		return
	}
	twins := g.twins(r, n, at)
	for _, name := range n.order {
		child, full := n.keys[name], join(at, name)
		if row, ok := g.rows[name]; ok {
			row.value.read(r, child, full)
		} else if inner, ok := g.inner[name]; ok {
			inner.read(r, child, full)
		} else if !twins[name] {
			r.fault(child.line, "unknown key %q%s%s", name, in(at), g.meant(name))
		}
	}
	g.missing(r, n, at)
}

// missing reports the required keys that n lacks, those of tables that are not there at all too.
func (g *group) missing(r *reader, n *node, at string) {
	for _, name := range g.names {
		if _, ok := n.keys[name]; ok {
			continue
		}
		if row, ok := g.rows[name]; ok && row.required {
			r.fault(n.line, "missing key %q%s", name, in(at))
		}
		if inner := g.inner[name]; inner != nil {
			inner.missing(r, &node{line: n.line}, join(at, name))
		}
	}
}

// twins reports keys of n that differ in case only, and gives those that are not themselves declared.
func (g *group) twins(r *reader, n *node, at string) map[string]bool {
	seen, twins := map[string]string{}, map[string]bool{}
	for _, name := range n.order {
		low := strings.ToLower(name)
		first, ok := seen[low]
		if !ok {
			seen[low] = name
			continue
		}
		r.fault(n.keys[name].line, "keys %q (line %d) and %q%s differ in case only; keep one", first, n.keys[first].line, name, in(at))
		twins[first], twins[name] = true, true
	}
	return twins
}

// meant is the hint for an unknown key: the nearest in this table, or the table where it belongs.
func (g *group) meant(name string) string {
	hint := Meant(name, g.names)
	if strings.Contains(hint, "did you mean") {
		return hint
	}
	for _, first := range g.names {
		if inner := g.inner[first]; inner != nil {
			if _, ok := inner.rows[name]; ok {
				return fmt.Sprintf("; it belongs in [%s]", first)
			}
		}
	}
	return hint
}

func join(at, name string) string {
	if strings.ContainsAny(name, ". \"'[]") || name == "" {
		name = fmt.Sprintf("%q", name)
	}
	if at == "" {
		return name
	}
	return at + "." + name
}

func in(at string) string {
	switch {
	case at == "":
		return ""
	case strings.HasSuffix(at, "]"):
		return " in " + at
	}
	return " in [" + at + "]"
}

// Group is a table with the given rows, for tables inside [ByName] and [List]; elsewhere dotted names do the same.
func Group(t Table) Value { return grouped{t} }

type grouped struct{ t Table }

func (v grouped) read(r *reader, n *node, at string) { v.t.group().read(r, n, at) }
func (v grouped) about() about                       { return about{kind: "table", inner: v.t} }

// List is a list of lo to hi values; item gives the value of one. The default stays where the file has no such key.
func List[T any](p *[]T, lo, hi int, item func(*T) Value) Value { return list[T]{p, lo, hi, item} }

// Strings is a list of any number of strings that keep all the rules.
func Strings[T ~string](p *[]T, rules ...Rule) Value {
	return List(p, 0, math.MaxInt, func(s *T) Value { return String(s, rules...) })
}

// Tables is an array of lo to hi tables, [[auth.providers]]. The function gives the rows of one table and may put
// defaults into it.
func Tables[T any](p *[]T, lo, hi int, rows func(*T) Table) Value {
	return List(p, lo, hi, func(t *T) Value { return Group(rows(t)) })
}

type list[T any] struct {
	p      *[]T
	lo, hi int
	item   func(*T) Value
}

func (v list[T]) read(r *reader, n *node, at string) {
	if n.items == nil {
		r.wrongType(n, at, "a list")
		return
	}
	if len(n.items) < v.lo || len(n.items) > v.hi {
		r.fault(n.line, "%s must have %s, not %d", at, v.count(), len(n.items))
	}
	values := make([]T, len(n.items))
	for i, item := range n.items {
		v.item(&values[i]).read(r, item, fmt.Sprintf("%s[%d]", at, i))
	}
	*v.p = values
}

func (v list[T]) count() string {
	switch {
	case v.hi == math.MaxInt && v.lo == 0:
		return ""
	case v.hi == math.MaxInt:
		return fmt.Sprintf("at least %d entries", v.lo)
	case v.lo == v.hi:
		return fmt.Sprintf("%d entries", v.lo)
	}
	return fmt.Sprintf("%d..%d entries", v.lo, v.hi)
}

func (v list[T]) about() about {
	item := v.item(new(T)).about()
	if item.inner != nil {
		return about{kind: "list of tables", limits: v.count(), inner: item.inner, suffix: "[]"}
	}
	defaults := make([]string, len(*v.p))
	for i := range *v.p {
		defaults[i] = v.item(&(*v.p)[i]).about().fallback
	}
	limits := v.count()
	if item.limits != "" && limits != "" {
		limits += ", "
	}
	if item.limits != "" {
		limits += "each " + item.limits
	}
	return about{kind: "list of " + item.kind + "s", limits: limits, fallback: "[" + strings.Join(defaults, ", ") + "]", composite: true}
}

// AnyName is the rule of names that may be anything.
var AnyName Rule

// ByName is a table whose keys are names that the author chooses, at most hi of them: [permissions.resources]. Name is the
// rule of a name, value gives the value of one.
func ByName[T any](p *map[string]T, hi int, name Rule, value func(*T) Value) Value {
	return byName[T]{p, hi, name, value}
}

type byName[T any] struct {
	p     *map[string]T
	hi    int
	name  Rule
	value func(*T) Value
}

func (v byName[T]) read(r *reader, n *node, at string) {
	if n.keys == nil {
		r.wrongType(n, at, "a table")
		return
	}
	if len(n.keys) > v.hi {
		r.fault(n.line, "%s must have at most %d keys, not %d", at, v.hi, len(n.keys))
	}
	values := make(map[string]T, len(n.keys))
	for _, name := range n.order {
		child, full := n.keys[name], join(at, name)
		if v.name.check != nil {
			if err := v.name.check(name); err != nil {
				r.fault(child.line, "a name in [%s]%v", at, err)
				continue
			}
		}
		var one T
		v.value(&one).read(r, child, full)
		values[name] = one
	}
	*v.p = values
}

func (v byName[T]) about() about {
	item := v.value(new(T)).about()
	var limits string
	if v.name.text != "" {
		limits = "NAME: " + v.name.text
	}
	if item.inner != nil {
		return about{kind: "tables by name", limits: limits, inner: item.inner, suffix: ".NAME"}
	}
	if item.composite {
		return about{limits: limits, inner: Table{Key("NAME", v.value(new(T)), "")}}
	}
	limits = strings.Trim(limits+"; "+item.limits, "; ")
	pairs := make([]string, 0, len(*v.p))
	for name, one := range *v.p {
		pairs = append(pairs, join("", name)+" = "+v.value(&one).about().fallback)
	}
	sort.Strings(pairs)
	fallback := "{}"
	if len(pairs) > 0 {
		fallback = "{ " + strings.Join(pairs, ", ") + " }"
	}
	return about{kind: "table of " + item.kind + "s", limits: limits, fallback: fallback, composite: true}
}

// Found is a value that another declaration will judge: it keeps its place for the faults that are found then.
type Found struct {
	file string
	name string
	n    *node
}

// Later keeps a value of any kind for [Found.Read].
func Later(p *Found) Value { return later{p} }

type later struct{ p *Found }

func (v later) read(r *reader, n *node, at string) { *v.p = Found{r.file, at, n} }
func (v later) about() about                       { return about{kind: "value"} }

// Given is a value that does not come from a file; name is what faults call it: "resources.shop.starting_money".
func Given(name string, value any) Found {
	if i, ok := value.(int); ok {
		value = int64(i)
	}
	n := &node{}
	n.fill(value)
	return Found{name: name, n: n}
}

// Set reports whether there is a value.
func (f Found) Set() bool { return f.n != nil }

// Read judges the value now.
func (f Found) Read(value Value) Faults {
	r := &reader{file: f.file}
	value.read(r, f.n, f.name)
	return r.faults
}

// Fault makes a fault at the value.
func (f Found) Fault(format string, args ...any) Fault {
	return Fault{f.file, f.n.line, fmt.Sprintf(format, args...)}
}
