package strict

import (
	"fmt"
	"math"
	"strings"
)

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
