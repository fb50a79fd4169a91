package strict

import (
	"fmt"
	"slices"
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
