package luajson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
)

var sprintf = fmt.Sprintf

// Options are the limits of one encoding.
type Options struct {
	// Limit is the most bytes that the result may have; 0 is no limit.
	Limit int
	// Values are the state's, for its object mark. Nil: an empty table is [].
	Values *Values
	// Userdata gives the fields of a value that becomes an object, as a vec3 does, or
	// says what it is that has no JSON: "a Player". Nil: no userdata has JSON.
	Userdata func(u *lua.LUserData) (fields []Field, what string)
	// Spend pays for the work, one unit about an instruction; nil: nothing is paid.
	Spend func(n int)
}

// Field is a number within a userdata. Fields are in the order of their names.
type Field struct {
	Name  string
	Value float64
}

// Encode gives the JSON of v. Its error is an *Error.
func Encode(v lua.LValue, o Options) ([]byte, error) {
	if o.Limit <= 0 {
		o.Limit = math.MaxInt
	}
	e := encoder{Options: o}
	e.value(v)
	if e.err != nil {
		return nil, e.err
	}
	return e.out, nil
}

// encoder builds the text. After the first error it does nothing more, but each
// level on the way back puts its own segment in front of the error's path.
type encoder struct {
	Options
	out     []byte
	err     *Error
	parents []*lua.LTable
}

func (e *encoder) fail(format string, v ...any) { e.err = &Error{Text: sprintf(format, v...)} }

func (e *encoder) value(v lua.LValue) {
	if e.Spend != nil {
		e.Spend(2)
	}
	switch v := v.(type) {
	case *lua.LNilType:
		e.out = append(e.out, "null"...)
	case lua.LBool:
		e.out = strconv.AppendBool(e.out, bool(v))
	case lua.LNumber:
		e.number(float64(v))
	case lua.LString:
		e.text(string(v))
	case *lua.LTable:
		e.table(v)
	case *lua.LUserData:
		e.userdata(v)
	default:
		e.fail("is a %s", v.Type())
	}
	if e.err == nil && len(e.out) > e.Limit {
		e.fail("goes over the limit of %d bytes", e.Limit)
	}
}

func (e *encoder) number(f float64) {
	switch {
	case math.IsNaN(f):
		e.fail("is nan")
	case math.IsInf(f, 1):
		e.fail("is inf")
	case math.IsInf(f, -1):
		e.fail("is -inf")
	case math.Trunc(f) == f && math.Abs(f) <= MaxInteger:
		e.out = strconv.AppendInt(e.out, int64(f), 10)
	default:
		e.out = appendFloat(e.out, f)
	}
}

// appendFloat writes f as JavaScript does, with the fewest digits.
func appendFloat(dst []byte, f float64) []byte {
	format := byte('f')
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	// 1e-09 is written 1e-9.
	if n := len(dst); format == 'e' && n-start >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

const hexDigits = "0123456789abcdef"

func (e *encoder) text(s string) {
	if e.Spend != nil {
		e.Spend(len(s) / 16)
	}
	if !utf8.ValidString(s) {
		e.fail("is not valid UTF-8")
		return
	}
	if len(s) > e.Limit-min(len(e.out), e.Limit) {
		e.fail("goes over the limit of %d bytes", e.Limit)
		return
	}
	e.out = append(e.out, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		e.out = append(e.out, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			e.out = append(e.out, '\\', c)
		case '\n':
			e.out = append(e.out, '\\', 'n')
		case '\r':
			e.out = append(e.out, '\\', 'r')
		case '\t':
			e.out = append(e.out, '\\', 't')
		default:
			e.out = append(e.out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	e.out = append(e.out, s[start:]...)
	e.out = append(e.out, '"')
}

func (e *encoder) userdata(u *lua.LUserData) {
	if IsNull(u) {
		e.out = append(e.out, "null"...)
		return
	}
	if e.Userdata == nil {
		e.fail("is a userdata")
		return
	}
	fields, what := e.Userdata(u)
	if fields == nil {
		e.fail("is %s", what)
		return
	}
	for i, f := range fields {
		e.out = append(e.out, "{,"[min(i, 1)])
		e.text(f.Name)
		e.out = append(e.out, ':')
		if e.number(f.Value); e.err != nil {
			e.err.Path = f.Name
			return
		}
	}
	e.out = append(e.out, '}')
}

func (e *encoder) table(t *lua.LTable) {
	if slices.Contains(e.parents, t) {
		e.fail("is a cycle: the table contains itself")
		return
	}
	if len(e.parents) == MaxDepth {
		e.fail("is nested deeper than %d tables", MaxDepth)
		return
	}
	e.parents = append(e.parents, t)
	s := e.survey(t)
	switch {
	case e.err != nil:
	case s.numbers > 0:
		e.array(t, s.numbers)
	case len(s.keys) > 0 || e.Values != nil && e.Values.IsObject(t):
		e.object(t, s.keys)
	default:
		e.out = append(e.out, "[]"...)
	}
	e.parents = e.parents[:len(e.parents)-1]
}

// shape is what keys a table has.
type shape struct {
	numbers int // 1..numbers, without a hole
	keys    []string
}

// survey looks at all keys of t before any of it is written.
func (e *encoder) survey(t *lua.LTable) (s shape) {
	most, n := 0.0, 0
	var odd lua.LValue
	t.ForEach(func(k, _ lua.LValue) {
		n++
		switch k := k.(type) {
		case lua.LString:
			s.keys = append(s.keys, string(k))
		case lua.LNumber:
			if f := float64(k); f < 1 || f != math.Trunc(f) {
				odd = k
			} else {
				s.numbers++
				most = max(most, f)
			}
		default:
			odd = k
		}
	})
	if e.Spend != nil {
		e.Spend(n + int(min(most, 1<<20))/32)
	}
	switch {
	case odd != nil:
		e.fail("has %s as a key; keys are strings, or 1 to n", describe(odd))
	case s.numbers > 0 && len(s.keys) > 0:
		slices.Sort(s.keys)
		e.fail("has both numbers and strings as keys (%s among them)", field(s.keys[0]))
	case s.numbers > 0 && most != float64(s.numbers):
		hole := 1
		for t.RawGet(lua.LNumber(hole)) != lua.LNil {
			hole++
		}
		e.fail("has a hole: [%d] is nil, but [%.0f] is not", hole, most)
	}
	slices.Sort(s.keys)
	return s
}

func describe(key lua.LValue) string {
	switch key := key.(type) {
	case lua.LNumber:
		return "the number " + number.Format(float64(key))
	case lua.LBool:
		return "the boolean " + key.String()
	}
	return "a " + key.Type().String()
}

func (e *encoder) array(t *lua.LTable, n int) {
	e.out = append(e.out, '[')
	for i := 1; i <= n; i++ {
		if i > 1 {
			e.out = append(e.out, ',')
		}
		if e.value(t.RawGet(lua.LNumber(i))); e.err != nil {
			e.err.Path = child(sprintf("[%d]", i), e.err.Path)
			return
		}
	}
	e.out = append(e.out, ']')
}

func (e *encoder) object(t *lua.LTable, keys []string) {
	e.out = append(e.out, '{')
	for i, key := range keys {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if e.text(key); e.err != nil {
			e.err.Text = "as a key " + e.err.Text
			e.err.Path = field(key)
			return
		}
		e.out = append(e.out, ':')
		if e.value(t.RawGetString(key)); e.err != nil {
			e.err.Path = child(field(key), e.err.Path)
			return
		}
	}
	e.out = append(e.out, '}')
}
