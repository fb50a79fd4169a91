package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
)

func (l *library) openBase(L *lua.LState) {
	L.SetGlobal("tostring", L.NewFunction(l.tostring))
	L.SetGlobal("tonumber", L.NewFunction(l.tonumber))
	L.SetGlobal("unpack", L.NewFunction(l.unpack))
	L.SetGlobal("select", L.NewFunction(choose))
	L.SetGlobal("type", L.NewFunction(typeName))
	L.SetGlobal("rawget", L.NewFunction(rawget))
	L.SetGlobal("rawequal", L.NewFunction(rawequal))
	l.openWalks(L)
	L.G.Registry.RawSetString(concatKey, L.NewFunction(l.concatOperator))
	L.G.Registry.RawSetString(boundKey, L.NewFunction(bound))
}

// bound is what a numeric for begins, ends and steps with: see rewrite.Chunk. What is no number is the machine's to refuse.
func bound(L *lua.LState) int {
	L.SetTop(1)
	if s, ok := L.Get(1).(lua.LString); ok {
		if f, ok := number.Parse(string(s)); ok {
			L.Push(lua.LNumber(f))
		}
	}
	return 1
}

// ToString is tostring: a number in Lua's form, __tostring where there is one.
func ToString(L *lua.LState, v lua.LValue) lua.LValue {
	if n, ok := v.(lua.LNumber); ok {
		return lua.LString(number.Format(float64(n)))
	}
	return L.ToStringMeta(v)
}

func (l *library) tostring(L *lua.LState) int {
	L.Push(ToString(L, args{L, "tostring"}.any(1)))
	return 1
}

func (l *library) tonumber(L *lua.LState) int {
	a := args{L, "tonumber"}
	base := a.optInteger(2, 10)
	if base == 10 {
		switch v := a.any(1).(type) {
		case lua.LNumber:
			L.Push(v)
			return 1
		case lua.LString:
			l.pay(len(v))
			f, ok := number.Parse(string(v))
			return pushNumber(L, f, ok)
		}
		L.Push(lua.LNil)
		return 1
	}
	s := a.str(1)
	if base < 2 || base > 36 {
		a.fault(2, "base out of range")
	}
	l.pay(len(s))
	f, ok := number.ParseBase(s, base)
	return pushNumber(L, f, ok)
}

// pushNumber pushes f, or nil where ok is false.
func pushNumber(L *lua.LState, f float64, ok bool) int {
	if ok {
		L.Push(lua.LNumber(f))
	} else {
		L.Push(lua.LNil)
	}
	return 1
}

func (l *library) unpack(L *lua.LState) int {
	a := args{L, "unpack"}
	t := a.table(1)
	from := a.optInteger(2, 1)
	to := a.end(3, t)
	if from > to {
		return 0
	}
	n := to - from + 1
	if n > MaxResults {
		fail(L, "too many results to unpack: %d of at most %d", n, MaxResults)
	}
	l.meter.Spend(1 + n)
	for i := from; i <= to; i++ {
		L.Push(t.RawGet(lua.LNumber(i)))
	}
	return n
}

// choose is select: the arguments from one on, or their number.
func choose(L *lua.LState) int {
	a := args{L, "select"}
	rest := L.GetTop() - 1
	if L.Get(1) == lua.LString("#") {
		L.Push(lua.LNumber(rest))
		return 1
	}
	n := a.integer(1)
	if n < 0 {
		n += rest + 1
	}
	if n < 1 {
		a.fault(1, "index out of range")
	}
	return max(rest-n+1, 0)
}

func typeName(L *lua.LState) int {
	L.Push(lua.LString(args{L, "type"}.any(1).Type().String()))
	return 1
}

func rawget(L *lua.LState) int {
	a := args{L, "rawget"}
	L.Push(a.table(1).RawGet(a.any(2)))
	return 1
}

func rawequal(L *lua.LState) int {
	a := args{L, "rawequal"}
	L.Push(lua.LBool(a.any(1) == a.any(2)))
	return 1
}
