package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
)

// concatOperator is the operator .. of a rewritten chunk: one call has all the
// operands of a chain a .. b .. c, or those of a long one in one table (see rewrite.Chunk).
func (l *library) concatOperator(L *lua.LState) int {
	if L.GetTop() == 1 {
		spread(L)
	}
	n := L.GetTop()
	right := L.Get(n)
	for n > 1 {
		first := n
		for first > 1 && isText(right) && isText(L.Get(first-1)) {
			first--
		}
		if first < n {
			right = l.join(L, first, n-1, right)
			n = first
			continue
		}
		right = l.concatMeta(L, L.Get(n-1), right)
		n--
	}
	L.Push(right)
	return 1
}

// spread replaces the table of operands by the operands.
func spread(L *lua.LState) {
	t := L.Get(1).(*lua.LTable)
	L.Pop(1)
	for i := range int(t.RawGetString("n").(lua.LNumber)) {
		L.Push(t.RawGetInt(i + 1))
	}
}

func isText(v lua.LValue) bool {
	switch v.(type) {
	case lua.LString, lua.LNumber:
		return true
	}
	return false
}

// join makes one string of the texts at from..to and right.
func (l *library) join(L *lua.LState, from, to int, right lua.LValue) lua.LValue {
	var room [8]string
	parts := room[:0]
	size := 0
	for i := from; i <= to+1; i++ {
		v := right
		if i <= to {
			v = L.Get(i)
		}
		part := text(v)
		size += len(part)
		parts = append(parts, part)
	}
	if size > MaxString {
		fail(L, "string too long: .. would make %d bytes, the limit is %d", size, MaxString)
	}
	l.pay(size)
	return lua.LString(strings.Join(parts, ""))
}

// text is a string or a number as a string.
func text(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return number.Format(float64(v))
	}
	return ""
}

func (l *library) concatMeta(L *lua.LState, left, right lua.LValue) lua.LValue {
	for _, operand := range [...]lua.LValue{left, right} {
		f := L.GetMetaField(operand, "__concat")
		if f == lua.LNil {
			continue
		}
		L.Push(f)
		L.Push(left)
		L.Push(right)
		L.Call(2, 1)
		result := L.Get(-1)
		L.Pop(1)
		return result
	}
	bad := right
	if !isText(left) {
		bad = left
	}
	fail(L, "attempt to concatenate a %s value", bad.Type())
	return lua.LNil
}
