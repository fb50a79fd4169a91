// Package luajson turns Lua values into JSON and back, by the rules of the page
// Resources and views: keys in the order of their bytes, an empty table is [],
// whole numbers have neither fraction nor exponent, and whatever JSON has no
// form for is an error that names its path.
package luajson

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// MaxDepth is how deep tables, arrays and objects may be nested.
const MaxDepth = 32

// MaxInteger is the largest number up to which every integer has a float of its own.
const MaxInteger = 1 << 53

// Error is a value that has no JSON.
type Error struct {
	Path string // "items[3].price"; empty for the value itself
	Text string // "is nan"
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "the value " + e.Text
	}
	return e.Path + " " + e.Text
}

// SyntaxError is a place where a text is no JSON. Line and Column count from 1,
// Column in bytes.
type SyntaxError struct {
	Line, Column int
	Text         string
}

func (e *SyntaxError) Error() string {
	return sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// null is the value of the userdata that stands for null.
type null struct{}

// Values are the values of one state that JSON needs and Lua has not.
type Values struct {
	// Null stands for null: a table cannot hold nil.
	Null *lua.LUserData
	// object is the metatable of a table that is an object even if it is empty.
	object *lua.LTable
}

// New makes the values of a state.
func New(L *lua.LState) *Values {
	mt := L.NewTable()
	mt.RawSetString("__metatable", lua.LString("null"))
	mt.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString("null"))
		return 1
	}))
	return &Values{
		Null:   &lua.LUserData{Value: null{}, Metatable: mt},
		object: L.NewTable(),
	}
}

// IsNull tells whether v stands for null, in whatever state.
func IsNull(v lua.LValue) bool {
	u, ok := v.(*lua.LUserData)
	if !ok {
		return false
	}
	_, ok = u.Value.(null)
	return ok
}

// IsObject tells whether t is marked as an object.
func (v *Values) IsObject(t *lua.LTable) bool { return t.Metatable == lua.LValue(v.object) }

// Mark marks t as an object. It does not where t has a metatable of its own.
func (v *Values) Mark(t *lua.LTable) bool {
	if t.Metatable != lua.LNil && !v.IsObject(t) {
		return false
	}
	t.Metatable = v.object
	return true
}

// child gives the path of a field or an element inside of what path names.
func child(segment, path string) string {
	if path == "" || path[0] == '[' {
		return segment + path
	}
	return segment + "." + path
}

// field gives the segment of a key: name, or ["two words"].
func field(key string) string {
	if isName(key) {
		return key
	}
	const longest = 40
	if len(key) > longest {
		key = strings.ToValidUTF8(key[:longest], "") + "..."
	}
	return "[" + quoted(key) + "]"
}

// quoted writes a text as Lua reads it; what cannot be seen is told by its bytes.
func quoted(s string) string {
	b := []byte{'"'}
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == utf8.RuneError && size == 1 || !unicode.IsPrint(r):
			for _, c := range []byte(s[:size]) {
				b = fmt.Appendf(b, `\%03d`, c)
			}
		default:
			b = append(b, s[:size]...)
		}
		s = s[size:]
	}
	return string(append(b, '"'))
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
