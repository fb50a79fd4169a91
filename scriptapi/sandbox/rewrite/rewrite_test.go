package rewrite

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// run compiles source with a concat that shows its calls: a .. b gives "(a.b)".
func run(t testing.TB, L *lua.LState, source string) (string, error) {
	stmts, err := parse.Parse(strings.NewReader(source), "main.lua")
	if err != nil {
		return "", err
	}
	chunk, err := Chunk(stmts)
	if err != nil {
		return "", err
	}
	program, err := lua.Compile(chunk, "main.lua")
	if err != nil {
		return "", err
	}
	L.Push(L.NewFunctionFromProto(program))
	L.Push(L.NewFunction(func(L *lua.LState) int {
		var words []string
		if t, ok := L.Get(1).(*lua.LTable); ok && L.GetTop() == 1 {
			L.Pop(1)
			for i := range int(t.RawGetString("n").(lua.LNumber)) {
				L.Push(t.RawGetInt(i + 1))
			}
		}
		for i := 1; i <= L.GetTop(); i++ {
			if L.Get(i) == lua.LNil {
				L.RaiseError("nil")
			}
			words = append(words, L.Get(i).String())
		}
		L.Push(lua.LString("(" + strings.Join(words, ".") + ")"))
		return 1
	}))
	L.Push(L.NewFunction(func(L *lua.LState) int {
		if s, ok := L.Get(1).(lua.LString); ok {
			L.Push(lua.LNumber(len(s)))
		}
		return 1
	}))
	L.Call(2, 1)
	main := L.Get(-1)
	L.Pop(1)
	if err := L.CallByParam(lua.P{Fn: main, NRet: 1, Protect: true}, lua.LString("arg")); err != nil {
		return "", err
	}
	defer L.Pop(1)
	return L.Get(-1).String(), nil
}

func TestChunk(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	for source, want := range map[string]string{
		`return "a" .. "b"`:          "(a.b)",
		`return "a" .. "b" .. "c"`:   "(a.b.c)",
		`return ("a" .. "b") .. "c"`: "((a.b).c)",
		`return "a" .. ("b" .. "c")`: "(a.b.c)",
		`return ...`:                 "arg",
		`return "x" .. ...`:          "(x.arg)",
		`local function f() return "1", "2" end return "a" .. f()`: "(a.1)",
		`return #("a" .. "b")`:                                                                     "5",
		`return -("1" .. "2" == "x" and 1 or 2)`:                                                   "-2",
		`return not ("a" .. "b")`:                                                                  "false",
		`return ({ ["a" .. "b"] = "c" .. "d" })["(a.b)"]`:                                          "(c.d)",
		`return ({ "a" .. "b" })[1]`:                                                               "(a.b)",
		`local t = {} t["a" .. "b"] = 1 return t["(a.b)"]`:                                         "1",
		`local s = "" for i = 1, 3 do s = s .. i end return s`:                                     "(((.1).2).3)",
		`local s = "" while #s < 3 do s = s .. "x" end return s`:                                   "(.x)",
		`local s = "" repeat s = s .. "x" until #(s .. "y") > 5 return s`:                          "(.x)",
		`if "a" .. "b" == "(a.b)" then return 1 elseif "x" .. "y" then return 2 else return 3 end`: "1",
		`if nil then elseif "x" .. "y" == "(x.y)" then return 2 end`:                               "2",
		`for k in pairs{ ["a" .. "b"] = 1 } do return k .. "!" end`:                                "((a.b).!)",
		`for i = #("a" .. "b"), 5 do return i end`:                                                 "5",
		`local s = 0 for i = "", "12", ("1") do s = s * 10 + i end return s`:                       "12",
		`local function two() return "12", 1 end for i = two(), two() do return i end`:             "2",
		`function g(x) return function() return x .. "c" end end return g("a" .. "b")()`:           "((a.b).c)",
		`local o = { s = "o" } function o:m(x) return self.s .. x end return o:m("p" .. "q")`:      "(o.(p.q))",
		`do local a = "1" .. "2" return a end`:                                                     "(1.2)",
		`return 010 + 0x10`:                                                                        "26",
		`return 1e999 == 1/0 and 0xffffffffffffffffff > 1e21`:                                      "true",
		`return 9007199254740993`:                                                                  "9007199254740992",
		``:                                                                                         "nil",
	} {
		got, err := run(t, L, source)
		if err != nil || got != want {
			t.Errorf("%s\n got %s, %v\nwant %s", source, got, err, want)
		}
	}
}

func TestErrorLines(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	for source, want := range map[string]string{
		"\n\nreturn 'a' .. nil":                             "main.lua:3:",
		"local function f()\n\treturn 'a' .. nil\nend\nf()": "main.lua:2:",
		"\nlocal s = 'a'\n\t.. nil":                         "main.lua:2:",
		"error('x')":                                        "main.lua:1:",
		"\nlocal t = {\n a = 1,\n b = 'x' .. nil,\n}":       "main.lua:4:",
	} {
		if _, err := run(t, L, source); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", source, err, want)
		} else if !strings.Contains(err.Error(), "in main chunk") {
			t.Errorf("%q: the traceback has no main chunk: %v", source, err)
		}
	}
}

func TestLimits(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	for name, c := range map[string]struct{ source, want string }{
		"do":       {strings.Repeat("do ", 250) + strings.Repeat("end ", 250), "line 1: nested deeper than 200 levels"},
		"not":      {"\nreturn " + strings.Repeat("not ", 250) + "x", "line 2: nested deeper than 200 levels"},
		"power":    {"return " + strings.Repeat("x^", 250) + "x", "nested deeper than 200 levels"},
		"plus":     {"return " + strings.Repeat("x+", 250) + "x", "nested deeper than 200 levels"},
		"elseif":   {"if x then " + strings.Repeat("elseif x then ", 1001) + "end", "more than 1000 elseif"},
		"..":       {"return " + strings.Repeat("x..", 1000) + "x", "more than 1000 operands of .. in a row; use table.concat"},
		"call":     {"return " + strings.Repeat("f(", 250) + strings.Repeat(")", 250), "nested deeper than 200 levels"},
		"table":    {"return " + strings.Repeat("{", 250) + strings.Repeat("}", 250), "nested deeper than 200 levels"},
		"function": {strings.Repeat("function f() ", 250) + strings.Repeat("end ", 250), "nested deeper than 200 levels"},
	} {
		if _, err := run(t, L, c.source); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	for name, source := range map[string]string{
		"do":     strings.Repeat("do ", 150) + strings.Repeat("end ", 150),
		"elseif": "if x then " + strings.Repeat("elseif x then ", 900) + "end",
		"..":     "return " + strings.Repeat("'a'..", 999) + "'a'",
	} {
		if _, err := run(t, L, source); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
