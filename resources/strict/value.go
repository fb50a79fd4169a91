package strict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Value says what the value of a key may be and where it goes.
type Value interface {
	// read checks n and puts it into the target; at is the key's full name.
	read(r *reader, n *node, at string)
	about() about
}

// about is what a reference page says of a value.
type about struct {
	kind     string // "integer", "list of strings"
	limits   string // "1..65535"
	fallback string // as TOML writes it
	inner    Table  // the rows of a table, nil for anything else
	suffix   string // of the inner rows: "" for a table, ".NAME" for one by name, "[]" for a list

	composite bool // a list or a table of scalars
}

// Rule is what a string must keep beside being one.
type Rule struct {
	text  string
	check func(string) error // its error goes on where the key's name ends
}

// Bytes allows strings of lo to hi bytes.
func Bytes(lo, hi int) Rule { return length("bytes", lo, hi, func(s string) int { return len(s) }) }

// Characters allows strings of lo to hi Unicode code points.
func Characters(lo, hi int) Rule { return length("characters", lo, hi, utf8.RuneCountInString) }

func length(unit string, lo, hi int, count func(string) int) Rule {
	limits := fmt.Sprintf("%d..%d %s", lo, hi, unit)
	return Rule{limits, func(s string) error {
		if n := count(s); n < lo || n > hi {
			return fmt.Errorf(" must have %s, not %d", limits, n)
		}
		return nil
	}}
}

// Check allows strings that the function does not refuse; text says for the reference page which those are. The function's
// error names the string: "main.txt" must end in .lua.
func Check(text string, check func(string) error) Rule {
	return Rule{text, func(s string) error {
		if err := check(s); err != nil {
			return fmt.Errorf(": %w", err)
		}
		return nil
	}}
}

// String is a string that keeps all the rules.
func String[T ~string](p *T, rules ...Rule) Value { return text[T]{p, rules} }

type text[T ~string] struct {
	p     *T
	rules []Rule
}

func (v text[T]) read(r *reader, n *node, at string) {
	s, ok := n.value.(string)
	if !ok {
		r.wrongType(n, at, "a string")
		return
	}
	for _, rule := range v.rules {
		if err := rule.check(s); err != nil {
			r.fault(n.line, "%s%v", at, err)
			return
		}
	}
	*v.p = T(s)
}

func (v text[T]) about() about {
	limits := make([]string, len(v.rules))
	for i, rule := range v.rules {
		limits[i] = rule.text
	}
	return about{kind: "string", limits: strings.Join(limits, ", "), fallback: strconv.Quote(string(*v.p))}
}

// Choice is one of a few strings.
func Choice[T ~string](p *T, among ...T) Value { return choice[T]{p, among} }

type choice[T ~string] struct {
	p     *T
	among []T
}

func (v choice[T]) names() []string {
	names := make([]string, len(v.among))
	for i, c := range v.among {
		names[i] = string(c)
	}
	return names
}

func (v choice[T]) read(r *reader, n *node, at string) {
	s, ok := n.value.(string)
	if !ok {
		r.wrongType(n, at, words(v.names(), "or"))
		return
	}
	if !slices.Contains(v.among, T(s)) {
		r.fault(n.line, "%s must be %s, not %q", at, words(v.names(), "or"), s)
		return
	}
	*v.p = T(s)
}

func (v choice[T]) about() about {
	return about{kind: "string", limits: words(v.names(), "or"), fallback: strconv.Quote(string(*v.p))}
}

// Boolean is true or false.
func Boolean(p *bool) Value { return boolean{p} }

type boolean struct{ p *bool }

func (v boolean) read(r *reader, n *node, at string) {
	b, ok := n.value.(bool)
	if !ok {
		r.wrongType(n, at, "true or false")
		return
	}
	*v.p = b
}

func (v boolean) about() about { return about{kind: "boolean", fallback: strconv.FormatBool(*v.p)} }

type integral interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// Integer is a whole number from lo to hi.
func Integer[T integral](p *T, lo, hi T) Value {
	return integer{
		lo: int64(lo), hi: int64(hi),
		get: func() int64 { return int64(*p) },
		set: func(i int64) { *p = T(i) },
	}
}

// Milliseconds is a time from lo to hi that the file gives as a whole number of milliseconds.
func Milliseconds(p *time.Duration, lo, hi int64) Value { return duration(p, time.Millisecond, lo, hi) }

// Seconds is a time from lo to hi that the file gives as a whole number of seconds.
func Seconds(p *time.Duration, lo, hi int64) Value { return duration(p, time.Second, lo, hi) }

func duration(p *time.Duration, unit time.Duration, lo, hi int64) Value {
	return integer{
		lo: lo, hi: hi,
		get: func() int64 { return int64(*p / unit) },
		set: func(i int64) { *p = time.Duration(i) * unit },
	}
}

type integer struct {
	lo, hi int64
	get    func() int64
	set    func(int64)
}

func (v integer) read(r *reader, n *node, at string) {
	i, ok := n.value.(int64)
	if !ok {
		r.wrongType(n, at, "an integer")
		return
	}
	if i < v.lo || i > v.hi {
		r.fault(n.line, "%s must be %d..%d, not %d", at, v.lo, v.hi, i)
		return
	}
	v.set(i)
}

func (v integer) about() about {
	return about{kind: "integer", limits: fmt.Sprintf("%d..%d", v.lo, v.hi), fallback: strconv.FormatInt(v.get(), 10)}
}

// Number is a finite number from lo to hi, with a fraction or without.
func Number(p *float64, lo, hi float64) Value { return number{p, lo, hi} }

type number struct {
	p      *float64
	lo, hi float64
}

func (v number) read(r *reader, n *node, at string) {
	var f float64
	switch x := n.value.(type) {
	case int64:
		f = float64(x)
	case float64:
		f = x
	default:
		r.wrongType(n, at, "a number")
		return
	}
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		r.fault(n.line, "%s must be a finite number, not %s", at, decimal(f))
	case f < v.lo || f > v.hi:
		r.fault(n.line, "%s must be %s, not %s", at, v.limits(), decimal(f))
	default:
		*v.p = f
	}
}

// limits leaves out a side that is no limit.
func (v number) limits() string {
	low, high := v.lo <= -math.MaxFloat64, v.hi >= math.MaxFloat64
	switch {
	case low && high:
		return ""
	case low:
		return decimal(v.hi) + " or less"
	case high:
		return decimal(v.lo) + " or more"
	}
	return decimal(v.lo) + ".." + decimal(v.hi)
}

func (v number) about() about {
	return about{kind: "number", limits: v.limits(), fallback: decimal(*v.p)}
}

// decimal writes a number as people do: 20000, 1.5, 1e+21, nan.
func decimal(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return strings.ToLower(strconv.FormatFloat(f, 'f', -1, 64))
}

func (r *reader) wrongType(n *node, at, want string) {
	r.fault(n.line, "%s must be %s, not %s", at, want, n.describe())
}

// describe says what a node is, as an error text names it.
func (n *node) describe() string {
	switch v := n.value.(type) {
	case string:
		if utf8.RuneCountInString(v) > 40 {
			v = string([]rune(v)[:40]) + "..."
		}
		return fmt.Sprintf("the string %q", v)
	case int64:
		return fmt.Sprintf("the integer %d", v)
	case float64:
		return "the number " + decimal(v)
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case time.Time:
		return "a date or time"
	}
	if n.items != nil {
		return "a list"
	}
	return "a table"
}
