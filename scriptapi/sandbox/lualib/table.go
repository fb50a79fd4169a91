package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (l *library) openTable(L *lua.LState) {
	L.SetGlobal("table", module(L, map[string]lua.LGFunction{
		"concat": l.tabConcat, "insert": l.tabInsert, "remove": l.tabRemove, "sort": l.tabSort,
		"maxn": l.tabMaxn,
	}))
}

// tabConcat joins the strings and numbers at i..j: first it sums up, then it copies.
func (l *library) tabConcat(L *lua.LState) int {
	a := args{L, "concat"}
	t, sep := a.table(1), a.optStr(2, "")
	from := a.optInteger(3, 1)
	to := a.end(4, t)
	size := 0
	for i := from; i <= to; i++ {
		v := t.RawGet(lua.LNumber(i))
		if !isText(v) {
			fail(L, "invalid value (%s) at index %d in table for 'concat'", v.Type(), i)
		}
		l.meter.Spend(1)
		size += len(text(v))
		if i < to {
			size += len(sep)
		}
		limit(L, "concat", size)
	}
	l.pay(size)
	var b strings.Builder
	b.Grow(size)
	for i := from; i <= to; i++ {
		b.WriteString(text(t.RawGet(lua.LNumber(i))))
		if i < to {
			b.WriteString(sep)
		}
	}
	L.Push(lua.LString(b.String()))
	return 1
}

// slotsPerUnit is how many elements are moved for one unit.
const slotsPerUnit = 8

// maxArray is how many elements a table can have as an array; gopher-lua keeps
// those above lua.MaxArrayIndex in the hash part, where # does not see them.
func maxArray() int { return lua.MaxArrayIndex - 1 }

func (l *library) tabInsert(L *lua.LState) int {
	a := args{L, "insert"}
	t := a.table(1)
	n := t.Len()
	switch L.GetTop() {
	case 2:
		l.meter.Spend(1)
		l.append(a, t, n, L.Get(2))
		return 0
	case 3:
	default:
		fail(L, "wrong number of arguments to 'insert' (expected 2 or 3, got %d)", L.GetTop())
	}
	at := a.integer(2)
	if at < 1 || at > n+1 {
		a.fault(2, "position %d is out of bounds: the table has %d elements", at, n)
	}
	l.meter.Spend(1 + (n-at+1)/slotsPerUnit)
	v := L.Get(3)
	if at == n+1 {
		l.append(a, t, n, v)
		return 0
	}
	if n >= maxArray() {
		a.full()
	}
	t.Insert(at, lua.LTrue) // it does nothing for nil
	t.RawSetInt(at, v)
	// Insert adds a slot, though the array may end with empty ones (t[#t] = nil leaves
	// them): without this a queue would grow for ever. Remove(0) takes the last slot.
	if last := t.Remove(0); last != lua.LNil {
		t.RawSetInt(n+1, last)
	}
	return 0
}

func (l *library) append(a args, t *lua.LTable, n int, v lua.LValue) {
	if n >= maxArray() {
		a.full()
	}
	t.RawSetInt(n+1, v)
}

func (a args) full() {
	a.fault(1, "table is full: an array has at most %d elements", maxArray())
}

func (l *library) tabRemove(L *lua.LState) int {
	a := args{L, "remove"}
	t := a.table(1)
	n := t.Len()
	at := a.optInteger(2, n)
	if at < 1 || at > n {
		l.meter.Spend(1)
		return 0
	}
	l.meter.Spend(1 + (n-at)/slotsPerUnit)
	L.Push(t.Remove(at))
	return 1
}

// tabMaxn is the largest positive number that is a key.
func (l *library) tabMaxn(L *lua.LState) int {
	t := args{L, "maxn"}.table(1)
	most := lua.LNumber(t.MaxN())
	n := 0
	t.ForEach(func(k, _ lua.LValue) {
		n++
		if i, ok := k.(lua.LNumber); ok && i > most {
			most = i
		}
	})
	l.meter.Spend(1 + n)
	L.Push(most)
	return 1
}
