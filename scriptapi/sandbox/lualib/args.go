package lualib

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
)

// args reads the arguments of one call and raises the errors of Lua 5.1 in its words.
type args struct {
	L    *lua.LState
	name string
}

// fail raises an error at the line of the script that called.
func fail(L *lua.LState, format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	if at := L.Where(1); at != "" { // nothing where pcall called, as in Lua
		text = at + " " + text
	}
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString(text)})
}

// fault raises "bad argument #n to 'name' (text)".
func (a args) fault(n int, format string, v ...any) {
	fail(a.L, "bad argument #%d to '%s' (%s)", n, a.name, fmt.Sprintf(format, v...))
}

func (a args) missing(n int, want string) {
	got := "no value"
	if n <= a.L.GetTop() {
		got = a.L.Get(n).Type().String()
	}
	a.fault(n, "%s expected, got %s", want, got)
}

func (a args) any(n int) lua.LValue {
	if n > a.L.GetTop() {
		a.fault(n, "value expected")
	}
	return a.L.Get(n)
}

func (a args) str(n int) string {
	switch v := a.L.Get(n).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return number.Format(float64(v))
	}
	a.missing(n, "string")
	return ""
}

func (a args) optStr(n int, otherwise string) string {
	if a.L.Get(n) == lua.LNil {
		return otherwise
	}
	return a.str(n)
}

func (a args) num(n int) float64 {
	switch v := a.L.Get(n).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		if f, ok := number.Parse(string(v)); ok {
			return f
		}
	}
	a.missing(n, "number")
	return 0
}

// maxInt is beyond every length and position, and far from the ends of int.
const maxInt = 1 << 53

// integer cuts the fraction off. What is beyond 2^53 becomes 2^53, so that sums
// of positions cannot overflow; a NaN is an error.
func (a args) integer(n int) int {
	f := a.num(n)
	if math.IsNaN(f) {
		a.fault(n, "number has no integer representation")
	}
	return int(math.Trunc(min(max(f, -maxInt), maxInt)))
}

func (a args) optInteger(n, otherwise int) int {
	if a.L.Get(n) == lua.LNil {
		return otherwise
	}
	return a.integer(n)
}

func (a args) table(n int) *lua.LTable {
	t, ok := a.L.Get(n).(*lua.LTable)
	if !ok {
		a.missing(n, "table")
	}
	return t
}

// end is the last index of a range in t: the argument n, or the length of t.
func (a args) end(n int, t *lua.LTable) int {
	if a.L.Get(n) == lua.LNil {
		return t.Len()
	}
	return a.integer(n)
}
