package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
)

// arithmetic gives strings the operators, as metamethods: the virtual machine by
// itself reads "010" as eight, "1_000" as a thousand and "inf" as infinity.
func arithmetic(L *lua.LState, metatable *lua.LTable) {
	for event, f := range map[string]func(x, y float64) float64{
		"__add": func(x, y float64) float64 { return x + y },
		"__sub": func(x, y float64) float64 { return x - y },
		"__mul": func(x, y float64) float64 { return x * y },
		"__div": func(x, y float64) float64 { return x / y },
		"__mod": modulo,
		"__pow": math.Pow,
	} {
		metatable.RawSetString(event, L.NewFunction(func(L *lua.LState) int {
			left, right := L.Get(1), L.Get(2)
			x, ok := operand(left)
			y, alsoOK := operand(right)
			if ok && alsoOK {
				L.Push(lua.LNumber(f(x, y)))
				return 1
			}
			return otherMeta(L, event, left, right)
		}))
	}
	metatable.RawSetString("__unm", L.NewFunction(func(L *lua.LState) int {
		x, ok := operand(L.Get(1))
		if !ok {
			noArithmetic(L, L.Get(1))
		}
		L.Push(lua.LNumber(-x))
		return 1
	}))
}

// modulo has the sign of y, as Lua's % has.
func modulo(x, y float64) float64 {
	m := math.Mod(x, y)
	if m*y < 0 {
		m += y
	}
	return m
}

func operand(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return number.Parse(string(v))
	}
	return 0, false
}

// otherMeta calls the metamethod of the operand that is neither string nor
// number; the string's came first, though it has nothing to say.
func otherMeta(L *lua.LState, event string, left, right lua.LValue) int {
	for _, v := range [...]lua.LValue{left, right} {
		if isText(v) {
			continue
		}
		if f := L.GetMetaField(v, event); f != lua.LNil {
			L.Push(f)
			L.Push(left)
			L.Push(right)
			L.Call(2, 1)
			return 1
		}
	}
	bad := right
	if _, ok := operand(left); !ok {
		bad = left
	}
	noArithmetic(L, bad)
	return 0
}

func noArithmetic(L *lua.LState, v lua.LValue) {
	if s, ok := v.(lua.LString); ok {
		const shown = 20
		fail(L, "attempt to perform arithmetic on a string value: %.*q is no number", shown, string(s))
	}
	fail(L, "attempt to perform arithmetic on a %s value", v.Type())
}
