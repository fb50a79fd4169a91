package luajson

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

func init() { lua.MaxArrayIndex = 1 << 20 } // as the sandbox does

// newState has the globals json (as mp.json), handle, which has no JSON, vec, which
// has, and infinite, a vec with a number that JSON has not.
func newState(t testing.TB) (*lua.LState, *Values) {
	L := lua.NewState()
	t.Cleanup(L.Close)
	values := New(L)
	json := L.NewTable()
	json.RawSetString("null", values.Null)
	L.SetFuncs(json, map[string]lua.LGFunction{
		"encode": func(L *lua.LState) int {
			text, err := Encode(L.Get(1), Options{Values: values, Userdata: vector})
			if err != nil {
				L.RaiseError("%s", err.Error())
			}
			L.Push(lua.LString(text))
			return 1
		},
		"decode": func(L *lua.LState) int {
			v, err := Decode(L, values, L.CheckString(1), nil)
			if err != nil {
				L.RaiseError("%s", err.Error())
			}
			L.Push(v)
			return 1
		},
		"object": func(L *lua.LState) int {
			if err := values.Object(L.Get(1)); err != nil {
				L.RaiseError("%s", err.Error())
			}
			L.SetTop(1)
			return 1
		},
	})
	L.SetGlobal("json", json)
	L.SetGlobal("handle", &lua.LUserData{Metatable: lua.LNil})
	L.SetGlobal("vec", &lua.LUserData{Value: 1.5, Metatable: lua.LNil})
	L.SetGlobal("infinite", &lua.LUserData{Value: math.Inf(1), Metatable: lua.LNil})
	return L, values
}

func vector(u *lua.LUserData) ([]Field, string) {
	if x, ok := u.Value.(float64); ok {
		return []Field{{"x", x}, {"y", 2}}, ""
	}
	return nil, "a Player"
}

// eval gives the value of a Lua expression.
func eval(t testing.TB, L *lua.LState, expression string) lua.LValue {
	if err := L.DoString("return " + expression); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	v := L.Get(-1)
	L.Pop(1)
	return v
}

func TestEncode(t *testing.T) {
	L, values := newState(t)
	for expression, want := range map[string]string{
		`nil`: `null`, `true`: `true`, `{}`: `[]`, `json.object{}`: `{}`, `json.null`: `null`,
		`{1,2,3}`: `[1,2,3]`, `{b=1, a=2, B=3}`: `{"B":3,"a":2,"b":1}`, `{{}, {{}}}`: `[[],[[]]]`,
		`0`: `0`, `-0`: `0`, `1e15`: `1000000000000000`, `2^53`: `9007199254740992`, `-2^53`: `-9007199254740992`,
		`2^53 * 2`: `18014398509481984`, `1e21`: `1e+21`, `1e-7`: `1e-7`, `1.5`: `1.5`, `0.1`: `0.1`, `1e300`: `1e+300`,
		`"é\"\\\n\1"`: `"é\"\\\n\u0001"`, `{vec}`: `[{"x":1.5,"y":2}]`,
		`{["1"]="s"}`: `{"1":"s"}`, `{json.null, 1}`: `[null,1]`,
		`(function() local t = {} return {t, t} end)()`:                            `[[],[]]`,
		`(function() local t = {1,2,3} t[3] = nil return t end)()`:                 `[1,2]`,
		`(function() local t = {a=1} t.a = nil return t end)()`:                    `[]`,
		`(function() local t = {n=1} t.n = nil t[1] = 5 return t end)()`:           `[5]`,
		`(function() local t = {} for i = 1, 32 do t = {t} end return t[1] end)()`: strings.Repeat("[", 32) + strings.Repeat("]", 32),
	} {
		got, err := Encode(eval(t, L, expression), Options{Values: values, Userdata: vector})
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", expression, got, err, want)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	L, values := newState(t)
	for expression, want := range map[string]string{
		`0/0`: `the value is nan`, `1/0`: `the value is inf`, `-1/0`: `the value is -inf`,
		`{ items = { {}, {}, { price = 0/0 } } }`: `items[3].price is nan`,
		`{1, nil, 3}`:                      `the value has a hole: [2] is nil, but [3] is not`,
		`{[1e7]=1}`:                        `the value has a hole: [1] is nil, but [10000000] is not`,
		`{ a = { [0] = 1 } }`:              `a has the number 0 as a key; keys are strings, or 1 to n`,
		`{ [1.5] = 1 }`:                    `the value has the number 1.5 as a key; keys are strings, or 1 to n`,
		`{ [true] = 1 }`:                   `the value has the boolean true as a key; keys are strings, or 1 to n`,
		`{ [{}] = 1 }`:                     `the value has a table as a key; keys are strings, or 1 to n`,
		`{ 1, x = 2 }`:                     `the value has both numbers and strings as keys (x among them)`,
		`{ f = print }`:                    `f is a function`,
		`{ co = coroutine.create(print) }`: `co is a thread`,
		`{ ["two words"] = { handle } }`:   `["two words"][1] is a Player`,
		`{ at = { infinite } }`:            `at[1].x is inf`,
		`{ s = "\255" }`:                   `s is not valid UTF-8`,
		`{ ["\255"] = 1 }`:                 `["\255"] as a key is not valid UTF-8`,
		`(function() local t = {} t.self = { t } return t end)()`:                  `self[1] is a cycle: the table contains itself`,
		`(function() local t = {} for i = 1, 10000 do t = {t} end return t end)()`: strings.Repeat("[1]", 32) + ` is nested deeper than 32 tables`,
		`{ s = ("x"):rep(100) }`: `s goes over the limit of 64 bytes`,
		`(function() local t = {} for i = 1, 40 do t[i] = i end return t end)()`: `[25] goes over the limit of 64 bytes`,
	} {
		_, err := Encode(eval(t, L, expression), Options{Values: values, Limit: 64, Userdata: vector})
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", expression, err, want)
		}
	}
}

// Tables that share tables make a text that grows by powers; the limit ends it.
func TestEncodeShared(t *testing.T) {
	L, values := newState(t)
	v := eval(t, L, `(function() local t = {} for i = 1, 31 do t = {t, t} end return t end)()`)
	paid := 0
	_, err := Encode(v, Options{Values: values, Limit: 16 << 10, Spend: func(n int) { paid += n }})
	if err == nil || !strings.Contains(err.Error(), "goes over the limit of 16384 bytes") || paid > 100_000 {
		t.Errorf("got %v for %d units", err, paid)
	}
}

func TestDecode(t *testing.T) {
	L, values := newState(t)
	for text, want := range map[string]string{
		`null`: `null`, ` [1, 2.5,-3e2 ,0] `: `[1,2.5,-300,0]`, `{"b":{},"a":[]}`: `{"a":[],"b":{}}`,
		`"\u00e9\ud83d\ude00\n\/"`: `"é😀\n/"`, `[null,{"x":null}]`: `[null,{"x":null}]`, `true`: `true`, `""`: `""`, `"\u0000"`: `"\u0000"`,
		strings.Repeat("[", 32) + strings.Repeat("]", 32): strings.Repeat("[", 32) + strings.Repeat("]", 32),
	} {
		v, err := Decode(L, values, text, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := Encode(v, Options{Values: values}); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	L, values := newState(t)
	for text, want := range map[string]string{
		``:                         `line 1, column 1: expected a value, got the end of the text`,
		"{\n  \"a\": 1,\n}":        `line 3, column 1: expected a key in double quotes, got '}'`,
		`[1,]`:                     `line 1, column 4: expected a value, got ']'`,
		`[1 2]`:                    `line 1, column 4: expected ',' or ']', got '2'`,
		`{"a" 1}`:                  `line 1, column 6: expected ':', got '1'`,
		`{"a":1,"a":2}`:            `line 1, column 8: the key "a" stands here a second time`,
		`01`:                       `line 1, column 2: a number does not begin with 0`,
		`1.`:                       `line 1, column 3: expected a digit, got the end of the text`,
		`-`:                        `line 1, column 2: expected a digit, got the end of the text`,
		`1e999`:                    `line 1, column 1: the number is out of range`,
		`nul`:                      `line 1, column 1: expected a value, got 'n'`,
		`NaN`:                      `line 1, column 1: expected a value, got 'N'`,
		`"a`:                       `line 1, column 3: the string does not end`,
		"\"a\nb\"":                 `line 1, column 3: a control character in a string; write it as \u000a`,
		`"\x"`:                     `line 1, column 2: there is no such escape in a string`,
		`"\ud800"`:                 `line 1, column 2: expected \u and four hexadecimal digits of a character`,
		`"\ud800\u0041"`:           `line 1, column 2: expected \u and four hexadecimal digits of a character`,
		`"\u12"`:                   `line 1, column 2: expected \u and four hexadecimal digits of a character`,
		"[\"\xff\"]":               `line 1, column 3: is not valid UTF-8`,
		`[] x`:                     `line 1, column 4: expected the end, got 'x'`,
		`// c`:                     `line 1, column 1: expected a value, got '/'`,
		strings.Repeat("[", 33):    `line 1, column 33: nested deeper than 32 levels`,
		strings.Repeat("[", 1<<20): `line 1, column 33: nested deeper than 32 levels`,
	} {
		_, err := Decode(L, values, text, nil)
		if err == nil || err.Error() != want {
			t.Errorf("%.60s: got %v, want %s", text, err, want)
		}
	}
}

func TestScripts(t *testing.T) {
	L, _ := newState(t)
	for script, want := range map[string]string{
		`assert(json.encode(json.decode('{}')) == '{}')`:                      "",
		`assert(json.decode('[null]')[1] == json.null)`:                       "",
		`assert(tostring(json.null) == "null")`:                               "",
		`assert(getmetatable(json.null) == "null")`:                           "",
		`local t = setmetatable(json.decode('{"a":1}'), {}) assert(t.a == 1)`: "",
		`json.object(setmetatable({}, {}))`:                                   "the table has a metatable of its own",
		`json.object(1)`:                                                      "a table expected, got number",
	} {
		err := L.DoString(script)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", script, err, want)
		}
	}
}

// What is decoded encodes to a text of the same value, by Go's own reading, and
// that text is a fixed point.
func FuzzRoundTrip(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,{"b":null}],"c":"x\n"}`, `[]`, `{}`, `-0.5e10`, `"\ud83d\ude00"`, `[[[1e21]]]`} {
		f.Add(seed)
	}
	L, values := newState(f)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Decode(L, values, text, nil)
		if !json.Valid([]byte(text)) {
			if err == nil {
				t.Fatalf("accepted %q", text)
			}
			return
		}
		if err != nil {
			return // stricter than encoding/json: depth, keys twice, UTF-8
		}
		first, err := Encode(v, Options{Values: values})
		if err != nil {
			t.Fatalf("%q does not encode: %v", text, err)
		}
		if !json.Valid(first) {
			t.Fatalf("%q encodes to %q, which is no JSON", text, first)
		}
		again, err := Decode(L, values, string(first), nil)
		if err != nil {
			t.Fatalf("%q, from %q: %v", first, text, err)
		}
		if second, _ := Encode(again, Options{Values: values}); string(first) != string(second) {
			t.Fatalf("%q becomes %q", first, second)
		}
	})
}

// FuzzErrorPath hides a value that has no JSON in tables: the error's path, read as Lua, leads to it.
func FuzzErrorPath(f *testing.F) {
	f.Add([]byte{0, 7, 129, 3, 66}, "key")
	f.Add([]byte{5}, "two words")
	f.Add([]byte{64, 65, 66, 67}, "end")
	f.Add([]byte{2, 130, 9}, "\"]\n\\")
	L, values := newState(f)
	bad := []lua.LValue{lua.LNumber(math.NaN()), lua.LNumber(math.Inf(-1)), L.GetGlobal("print"), lua.LString("\xFF"), L.GetGlobal("handle")}
	f.Fuzz(func(t *testing.T, path []byte, key string) {
		if len(path) == 0 || len(path) > MaxDepth || !utf8.ValidString(key) || len(key) > 38 || key == "" {
			return // a long key is cut in the path
		}
		leaf := bad[int(path[0])%len(bad)]
		v := leaf
		for _, step := range path {
			outer := L.NewTable()
			if n := int(step % 64); step < 128 { // the last of a list
				for i := range n {
					outer.RawSetInt(i+1, lua.LNumber(i))
				}
				outer.RawSetInt(n+1, v)
			} else {
				outer.RawSetString("aa", lua.LTrue)
				outer.RawSetString(key+strings.Repeat("_", 1+n%2), v) // no reserved word
			}
			v = outer
		}
		_, err := Encode(v, Options{Values: values, Userdata: vector})
		var fault *Error
		if !errors.As(err, &fault) {
			t.Fatalf("%x, %q: %v", path, key, err)
		}
		L.SetGlobal("root", v)
		expression := "root" + fault.Path
		if !strings.HasPrefix(fault.Path, "[") {
			expression = "root." + fault.Path
		}
		if err := L.DoString("return " + expression); err != nil {
			t.Fatalf("%s: %v", err, fault)
		}
		got := L.Get(-1)
		L.SetTop(0)
		if n, ok := leaf.(lua.LNumber); got != leaf && !(ok && math.IsNaN(float64(n)) && got != got) {
			t.Fatalf("%s leads to %v, not to %v", fault.Path, got, leaf)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	L, values := newState(b)
	v := eval(b, L, `(function() local t = {} for i = 1, 100 do t[i] = { id = i, name = "item", price = 9.5 } end return t end)()`)
	for b.Loop() {
		Encode(v, Options{Values: values, Limit: 16 << 10})
	}
}

func BenchmarkDecode(b *testing.B) {
	L, values := newState(b)
	v := eval(b, L, `(function() local t = {} for i = 1, 100 do t[i] = { id = i, name = "item", price = 9.5 } end return t end)()`)
	text, _ := Encode(v, Options{Values: values})
	for b.Loop() {
		Decode(L, values, string(text), nil)
	}
}
