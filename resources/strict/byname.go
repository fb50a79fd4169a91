package strict

import (
	"sort"
	"strings"
)

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
