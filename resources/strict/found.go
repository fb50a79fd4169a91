package strict

import "fmt"

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
