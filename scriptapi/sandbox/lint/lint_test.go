package lint

import (
	"strings"
	"testing"
)

var catalogue = Catalogue{
	Globals: Members{
		"print": nil, "type": nil, "unpack": nil, "pairs": nil, "require": nil, "tostring": nil, "_VERSION": nil,
		"string": {"format": nil, "rep": nil}, "table": {"insert": nil}, "os": {"time": nil}, "math": {"floor": nil},
		"mp": {
			"on": nil, "state": nil, "wait": nil, "exports": nil,
			"players": {"get": nil, "all": nil, "near": nil}, "vehicles": {"create": nil, "get": nil},
		},
	},
	Events: []string{"player_join", "player_leave", "player_chat", "vehicle_enter"},
}

// check gives faults and hints of one file, hints with a ? in front.
func check(source string) string {
	faults, hints := Check([]File{{"main.lua", []byte(source)}}, catalogue)
	var lines []string
	for _, f := range faults {
		lines = append(lines, f.String())
	}
	for _, h := range hints {
		lines = append(lines, "? "+h.String())
	}
	return strings.Join(lines, "\n")
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"clean", `local n = 0 mp.on("player_join", function(p) n = n + 1 print(p.name, n) end)`, ""},
		{"syntax", "local x = \nif", `main.lua:2: `},
		{"undefined", "local config = {}\nprint(cofnig)", `main.lua:2: global "cofnig" is never set; did you mean "config"?`},
		{"undefined call", "prnt(1)", `main.lua:1: global "prnt" is never set; did you mean "print"?`},
		{"set later", "print(total) total = 1", ""},
		{"function global", "function greet() end greet()", ""},
		{"global in function", "local function f()\n count = 1\nend f()", `? main.lua:2: "count" becomes a global of the whole resource`},
		{"global outside and in", "count = 0 local function f() count = 1 end f()", ""},
		{"unknown module", `mp.plyers.all()`, `main.lua:1: mp has no "plyers"; did you mean "players"?`},
		{"unknown member", `mp.players.gett(1)`, `main.lua:1: mp.players has no "gett"; did you mean "get"?`},
		{"unknown method", `mp.players:nera(1)`, `mp.players has no "nera"; did you mean "near"?`},
		{"colon", `mp.players:get(1)`, `main.lua:1: mp.players.get takes no mp.players as its first argument; write mp.players.get(...) with a dot`},
		{"colon of a string", `local s = "x" print(s:rep(2), ("y"):rep(2), mp.state:foo())`, ""},
		{"colon of an own library", `string = {} function string:rep() end string:rep()`, ""},
		{"index by string", `print(mp["plyers"])`, `mp has no "plyers"`},
		{"alias", "local players = mp.players\nplayers.gett(1)", `main.lua:2: mp.players has no "gett"`},
		{"alias set anew", "local players = mp.players players = {} players.gett(1)", ""},
		{"shadowed", `local mp = {} mp.foo()`, ""},
		{"parameter shadows", `local function f(mp) mp.foo() end f()`, ""},
		{"unknown members below", `mp.state.anything.goes = 1 mp.exports.bank.pay()`, ""},
		{"setting mp", `mp.foo = 1`, `mp has no "foo"`},
		{"library extended", "function string.trim(s) return s end print(string.trim('x'))", ""},
		{"library replaced", "string = {} string.foo()", ""},
		{"event", `mp.on("player_jion", print)`, `main.lua:1: there is no event "player_jion"; did you mean "player_join"?`},
		{"own event", `mp.on("bank:paid", print)`, ""},
		{"event by name", `local e = "nope" mp.on(e, print)`, ""},
		{"os.execute", `os.execute("ls")`, `main.lua:1: there is no os.execute here: a script cannot run programs`},
		{"io.open", `local f = io.open("x")`, `main.lua:1: there is no io here: a script has no files`},
		{"loadstring", `loadstring("x")()`, `there is no loadstring here: `},
		{"other server", `addEventHandler("x", print)`, `use mp.on(`},
		{"feature test", "local unpack = table.unpack or unpack print(unpack, jit and jit.version, type(foo), bar == nil, not baz)", "is never set"},
		{"or default", `local x = missing or 1 print(x, missing ~= nil, type(missing))`, ""},
		{"repeat sees body", `repeat local done = true until done`, ""},
		{"until is checked", `repeat local done = true until doen`, `global "doen" is never set; did you mean "done"?`},
		{"for scope", "for i = 1, 3 do print(i) end print(i)", `global "i" is never set`},
		{"for in scope", "for k, v in pairs({}) do print(k, v) end", ""},
		{"if scope", "if true then local a = 1 print(a) else print(a) end", `global "a" is never set`},
		{"local in own value", "local a = a", `global "a" is never set`},
		{"recursive local", "local function f() return f() end", ""},
		{"self and arg", "local o = {} function o:m(...) print(self, arg, ...) end", ""},
		{"_G read", "print(_G.foo)", ""},
		{"_G set", "_G.foo = 1 print(foo)", ""},
		{"_G dynamic", "for k, v in pairs({}) do _G[k] = v end print(foo)", ""},
		{"goto", "::top:: do goto top end", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := check(c.source)
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s\n got %q\nwant %q", c.source, got, c.want)
			}
		})
	}
}

func TestGlobalsOfOtherFiles(t *testing.T) {
	faults, _ := Check([]File{
		{"shop/main.lua", []byte("print(price)\nprint(prcie)")},
		{"shop/lib.lua", []byte("price = 5")},
	}, catalogue)
	if len(faults) != 1 || faults[0].String() != `shop/main.lua:2: global "prcie" is never set; did you mean "price"?` {
		t.Errorf("got %v", faults)
	}
}

// A file that does not compile may set any global: the others are not blamed.
func TestBrokenFile(t *testing.T) {
	faults, _ := Check([]File{{"a.lua", []byte("print(price)")}, {"b.lua", []byte("price = ")}}, catalogue)
	if len(faults) != 1 || faults[0].File != "b.lua" {
		t.Errorf("got %v", faults)
	}
}

func TestRequire(t *testing.T) {
	faults, _ := Check([]File{
		{"shop/main.lua", []byte("require 'lib.util'\nrequire 'lib.utli'\nlocal n = 'x' require(n)")},
		{"shop/lib/util.lua", []byte("return {}")},
	}, catalogue)
	if len(faults) != 1 || faults[0].String() != `shop/main.lua:2: there is no file for require "lib.utli"; did you mean "lib.util"?` {
		t.Errorf("got %v", faults)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("local x = mp.players.get(1) for i = 1, 2 do y = i end")
	f.Add("function a.b:c(...) return self end repeat local z until z")
	f.Fuzz(func(t *testing.T, source string) { check(source) })
}

func BenchmarkCheck(b *testing.B) {
	source := []byte(strings.Repeat("local function f(p) if p.x > 1 then print(mp.players.get(p.id)) end end\n", 1000))
	source = append(append([]byte("do "), source[:70*100]...), " end"...)
	for b.Loop() {
		Check([]File{{"main.lua", source}}, catalogue)
	}
}
