package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (l *library) openString(L *lua.LState) {
	t := module(L, map[string]lua.LGFunction{
		"byte": l.strByte, "char": l.strChar, "len": l.strLen, "sub": l.strSub,
		"lower": l.strLower, "upper": l.strUpper, "rep": l.strRep, "reverse": l.strReverse,
		"find": l.strFind, "match": l.strMatch, "gmatch": l.strGmatch, "gsub": l.strGsub,
		"format": l.strFormat,
	})
	L.SetGlobal("string", t)
	mt := L.CreateTable(0, 9)
	arithmetic(L, mt)
	mt.RawSetString("__index", t)
	mt.RawSetString("__metatable", lua.LString("string"))
	L.SetMetatable(lua.LString(""), mt)
}

// limit raises where a string of size bytes would be too long.
func limit(L *lua.LState, name string, size int) {
	if size > MaxString {
		fail(L, "string too long: '%s' would make %d bytes, the limit is %d", name, size, MaxString)
	}
}

// bounds makes offsets of the positions i..j of a string of n bytes, which count
// from the end where they are negative.
func bounds(i, j, n int) (from, to int) {
	if i < 0 {
		i = max(n+i+1, 1)
	}
	if j < 0 {
		j = n + j + 1
	}
	i, j = max(i, 1), min(j, n)
	if i > j {
		return 0, 0
	}
	return i - 1, j
}

func (l *library) strByte(L *lua.LState) int {
	a := args{L, "byte"}
	s := a.str(1)
	i := a.optInteger(2, 1)
	from, to := bounds(i, a.optInteger(3, i), len(s))
	n := to - from
	if n > MaxResults {
		fail(L, "string slice too long: 'byte' would return %d values, the limit is %d", n, MaxResults)
	}
	l.meter.Spend(1 + n)
	for _, c := range []byte(s[from:to]) {
		L.Push(lua.LNumber(c))
	}
	return n
}

func (l *library) strChar(L *lua.LState) int {
	a := args{L, "char"}
	n := L.GetTop()
	l.meter.Spend(1 + n)
	b := make([]byte, n)
	for i := range b {
		c := a.integer(i + 1)
		if c < 0 || c > 255 {
			a.fault(i+1, "invalid value")
		}
		b[i] = byte(c)
	}
	L.Push(lua.LString(b))
	return 1
}

func (l *library) strLen(L *lua.LState) int {
	L.Push(lua.LNumber(len(args{L, "len"}.str(1))))
	return 1
}

func (l *library) strSub(L *lua.LState) int {
	a := args{L, "sub"}
	s := a.str(1)
	i := a.integer(2)
	from, to := bounds(i, a.optInteger(3, -1), len(s))
	L.Push(lua.LString(s[from:to]))
	return 1
}

func (l *library) strLower(L *lua.LState) int { return l.mapBytes(L, "lower", 'A', 'Z') }
func (l *library) strUpper(L *lua.LState) int { return l.mapBytes(L, "upper", 'a', 'z') }

// mapBytes changes the case of the letters from..to. As in the C locale, bytes
// over 127 stay as they are.
func (l *library) mapBytes(L *lua.LState, name string, from, to byte) int {
	s := args{L, name}.str(1)
	l.pay(4 * len(s))
	b := []byte(s)
	for i, c := range b {
		if c >= from && c <= to {
			b[i] = c ^ 0x20
		}
	}
	L.Push(lua.LString(b))
	return 1
}

func (l *library) strRep(L *lua.LState) int {
	a := args{L, "rep"}
	s := a.str(1)
	n := max(a.integer(2), 0)
	if s == "" || n == 0 {
		L.Push(lua.LString(""))
		return 1
	}
	if n > MaxString/len(s) {
		fail(L, "string too long: 'rep' would make %.0f bytes, the limit is %d", float64(n)*float64(len(s)), MaxString)
	}
	l.pay(n * len(s))
	L.Push(lua.LString(strings.Repeat(s, n)))
	return 1
}

func (l *library) strReverse(L *lua.LState) int {
	s := args{L, "reverse"}.str(1)
	l.pay(4 * len(s))
	b := make([]byte, len(s))
	for i := range len(s) {
		b[len(s)-1-i] = s[i]
	}
	L.Push(lua.LString(b))
	return 1
}
