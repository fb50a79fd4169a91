package luajson

import (
	lua "github.com/yuin/gopher-lua"
)

// Open makes the table that scripts see as mp.json: encode(value), decode(text),
// object(table) and null. limit is the most bytes that encode gives; userdata and
// spend are those of Options.
func Open(L *lua.LState, values *Values, o Options) *lua.LTable {
	o.Values = values
	t := L.NewTable()
	t.RawSetString("null", values.Null)
	t.RawSetString("encode", L.NewFunction(func(L *lua.LState) int {
		if L.GetTop() == 0 {
			L.RaiseError("%s", "mp.json.encode: value expected, got no value")
		}
		text, err := Encode(L.Get(1), o)
		if err != nil {
			L.RaiseError("mp.json.encode: %s", err.Error())
		}
		L.Push(lua.LString(text))
		return 1
	}))
	t.RawSetString("decode", L.NewFunction(func(L *lua.LState) int {
		text, ok := L.Get(1).(lua.LString)
		if !ok {
			L.RaiseError("mp.json.decode: string expected, got %s", L.Get(1).Type().String())
		}
		v, err := Decode(L, values, string(text), o.Spend)
		if err != nil {
			L.RaiseError("mp.json.decode: %s", err.Error())
		}
		L.Push(v)
		return 1
	}))
	t.RawSetString("object", L.NewFunction(func(L *lua.LState) int {
		object, ok := L.Get(1).(*lua.LTable)
		if !ok {
			L.RaiseError("mp.json.object: table expected, got %s", L.Get(1).Type().String())
		}
		if !values.Mark(object) {
			L.RaiseError("%s", "mp.json.object: the table has a metatable of its own")
		}
		L.Push(object)
		return 1
	}))
	return t
}
