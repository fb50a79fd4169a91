package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// libraryUses use each library as its readme does. What they print is compared with lua5.1 where it is installed.
var libraryUses = map[string]string{
	"middleclass": `local class = require "middleclass"
		local Fruit = class("Fruit")
		Fruit.static.count = 0
		function Fruit:initialize(sweetness) self.sweetness = sweetness Fruit.count = Fruit.count + 1 end
		function Fruit:isSweet() return self.sweetness > 5 end
		Fruit.__eq = function(a, b) return a.sweetness == b.sweetness end
		Fruit.__lt = function(a, b) return a.sweetness < b.sweetness end
		Fruit.__le = function(a, b) return a.sweetness <= b.sweetness end
		Fruit.__add = function(a, b) return a.sweetness + b.sweetness end
		Fruit.__call = function(self, x) return x .. self.sweetness end
		Fruit.__concat = function(a, b) return tostring(a) .. "|" .. tostring(b) end
		local Lemon = class("Lemon", Fruit)
		function Lemon:initialize() Fruit.initialize(self, 1) end
		Lemon.__tostring = function() return "a lemon" end
		local HasWings = { fly = function(self) return "flap from " .. self.class.name end, included = function(_, c) c.winged = true end }
		Lemon:include(HasWings)
		local a, b = Lemon:new(), Lemon()
		print(a:isSweet(), a == b, a < b, a <= b, a + b, a("x"), a .. b, tostring(a), tostring(Lemon), a:fly(), Lemon.winged)
		print(a:isInstanceOf(Fruit), Lemon:isSubclassOf(Fruit), Fruit:isSubclassOf(Lemon), Fruit.count, Lemon.super == Fruit)
		print(pcall(class), pcall(Lemon.new))`,
	"classic": `local Object = require "classic"
		local Point = Object:extend()
		function Point:new(x, y) self.x, self.y = x or 0, y or 0 end
		function Point:__tostring() return "Point(" .. self.x .. ", " .. self.y .. ")" end
		Point.__add = function(a, b) return Point(a.x + b.x, a.y + b.y) end
		local Rect = Point:extend()
		function Rect:new(x, y, w, h) Rect.super.new(self, x, y) self.width, self.height = w or 0, h or 0 end
		local r = Rect(1, 2, 3, 4)
		print(r.x, r.width, r:is(Point), r:is(Object), tostring(Point(1, 2) + Point(3, 4)), Point(5):is(Rect))`,
	"30log": `local class = require "30log"
		local Window = class("Window", { width = 100, height = 100 })
		function Window:init(w, h) self.width, self.height = w or self.width, h or self.height end
		function Window:cut(n) self.width = self.width - n return self end
		local Frame = Window:extend("Frame", { color = "black" })
		function Frame:init(w, h, c) Frame.super.init(self, w, h) self.color = c or self.color end
		local f = Frame(10, 20)
		print(f.width, f.height, f.color, f:cut(3).width, Frame.name, Frame.super == Window, f:instanceOf(Window), Frame:subclassOf(Window), Window:classOf(Frame))
		local Big = { grow = function(self) self.width = self.width * 2 return self.width end }
		Frame:with(Big)
		print(f:grow(), Frame:includes(Big), class.isClass(Frame), class.isInstance(f), (tostring(f):gsub("0?x?%x+", "x", 0)) ~= nil)`,
	"inspect": `local inspect = require "inspect"
		print(inspect({ 1, 2, 3 }), inspect("a 'quoted' \"text\"\n\0\127"), inspect({ a = 1, b = 2 }), inspect(1 / 0), inspect(-0.5))
		print(inspect({ 1, "two", { three = { "four" } }, [true] = 5, [1.5] = 6, ["not an id"] = 7 }))
		local t = { name = "x" } t.me = t
		print(inspect(t), inspect(setmetatable({ a = 1 }, { b = 2 })), inspect({ a = { b = { c = 1 } } }, { depth = 2 }))
		print(inspect({ a = 1, secret = 2 }, { process = function(item, path) if path[#path] ~= "secret" then return item end end }))
		print(inspect({ 1, { 2 } }, { newline = "@", indent = ">>" }), inspect({ print, print, coroutine.create(print) }))`,
	"json": `local json = require "json"
		print(json.encode({ 1, 2, 3, { x = 10 } }), json.encode("a\n\"\\\1"), json.encode({ }), json.encode(0.1), json.encode(1e15), json.encode(true))
		local t = json.decode('[1,2.5e3,-3,{"x":10,"y":"\\u00e9\\ud83d\\ude00\\n"},null,true]')
		print(t[1], t[2], t[3], t[4].x, t[4].y, t[5], t[6], #json.encode(t[4]))
		for _, bad in ipairs{ "[1,", "{x:1}", "nul", "'a'", "[1 2]", "", "\"\\x\"" } do print(pcall(json.decode, bad)) end
		print(pcall(json.encode, { 1, nil, 3, x = 1 }), pcall(json.encode, { [1.5] = 1 }), pcall(json.encode, 0 / 0), pcall(json.encode, print))
		local c = {} c.c = c print(pcall(json.encode, c))`,
	"dkjson": `local json = require "dkjson"
		print(json.encode({ 1, 2, 3, { 1, 2, 3 }, { a = "x" } }), json.encode({ n = 1 / 3, s = "\n\226\130\172", b = false }, { keyorder = { "s", "n", "b" } }))
		print(json.encode({ list = { 1, 2 }, o = {} }, { indent = true, keyorder = { "list", "o" } }))
		local obj, pos, err = json.decode('{"a": [1, 2, {"b": null}], "c": "\\u20ac"}', 1, nil)
		print(obj.a[2], obj.a[3].b, obj.c, pos, err, json.null == nil)
		print(json.decode("[1, 2", 1), json.decode('{"a" 1}'), json.quotestring("a\0b"), json.use_lpeg ~= nil)
		print(getmetatable(obj).__jsontype, getmetatable(obj.a).__jsontype, json.encode(setmetatable({}, { __tojson = function() return "'x'" end })))`,
	"lume": `local lume = require "lume"
		print(lume.clamp(8, 1, 5), lume.round(2.3), lume.round(123.4567, .1), lume.sign(-3), lume.lerp(100, 200, .5), lume.smooth(100, 200, .5), lume.pingpong(1.4), lume.distance(0, 0, 3, 4), lume.angle(0, 0, 1, 1))
		print(table.concat(lume.map({ 1, 2, 3 }, function(x) return x * 2 end), ","), lume.reduce({ 1, 2, 3 }, function(a, b) return a + b end), table.concat(lume.filter({ 1, 2, 3, 4 }, function(x) return x % 2 == 0 end), ","))
		print(lume.find({ "a", "b" }, "b"), lume.match({ 1, 5, 8 }, function(x) return x > 4 end), lume.count({ a = 1, b = 2 }), table.concat(lume.sort({ 3, 1, 2 }), ""), table.concat(lume.unique({ 1, 1, 2 }), ""), table.concat(lume.slice({ "a", "b", "c", "d" }, 2, 3), ""))
		print(table.concat(lume.split("One two  three"), "|"), table.concat(lume.split("a,b,,c", ","), "|"), lume.trim("  abc  "), lume.trim("--abc--", "-"), lume.format("{b} hi {a}", { a = "mark", b = "Oh" }), lume.format("Hello {1}!", { "world" }), lume.wordwrap("Hello world. This is a short string", 14))
		print(lume.serialize({ 1 }), lume.hex and 1, lume.color("rgb(255, 0, 255)", 256), lume.color("#ff0000"), lume.uuid():len(), lume.isarray({}), lume.first({ 7 }), lume.last({ 7, 8 }))
		local f = lume.fn(function(a, b) return a + b end, 5) print(f(7), lume.once(function() return 1 end)(), lume.memoize(function(a, b) return a + b end)(2, 3), lume.combine(function() end)(), lume.chain({ 1, 2, 3 }):map(function(x) return x + 1 end):result()[3])
		for i, v in lume.ripairs({ "a", "b" }) do print(i, v) end
		print((pcall(lume.lambda, "x -> x*x")))`,
	"serpent": `local serpent = require "serpent"
		local a = { x = 1, list = { "a", 2, true, nil, { n = 1 / 3 } }, [true] = "yes", [1.5] = 2, ["a key"] = {}, inf = 1 / 0, minus = -1 / 0, text = "q\"\n\0\26" } a.self = a
		local plain = { sortkeys = true, comment = false }
		print(serpent.line(a, plain)) print(serpent.block(a, plain)) print(serpent.dump({ 1, { 2 } }, { sortkeys = true, compact = true }))
		print(serpent.line({ 1, 2, 3, 4 }, { maxnum = 2, comment = false }), serpent.line({ { { {} } } }, { maxlevel = 2, comment = false }), serpent.line(123456789.123, plain), serpent.line({ f = 1, g = 2 }, { keyignore = { f = true }, comment = false }))`,
	"fun": `local fun = require "fun"
		local function list(...) return table.concat(fun.totable(...), ",") end
		print(list(fun.map(function(x) return x * x end, fun.range(5))), list(fun.filter(function(x) return x % 2 == 0 end, fun.range(10))), fun.foldl(function(a, x) return a + x end, 0, fun.range(100)))
		print(list(fun.take(3, fun.cycle(fun.iter({ "a", "b" })))), list(fun.drop(2, { 1, 2, 3, 4 })), list(fun.chain({ 1 }, { 2 }, { 3 })), fun.sum(fun.range(10)), fun.length({ 1, 2, 3 }), fun.maximum({ 3, 9, 2 }), fun.minimum_by(math.min, { 3, 9, 2 }))
		fun.each(print, fun.zip(fun.range(3), "abc")) fun.each(print, fun.enumerate({ "x", "y" }))
		print(fun.all(function(x) return x > 0 end, { 1, 2 }), fun.any(function(x) return x > 1 end, { 1 }), fun.index("b", { "a", "b" }), fun.head({ 5 }), list(fun.tail({ 1, 2, 3 })), list(fun.intersperse("-", { 1, 2, 3 })), fun.tomap(fun.zip({ "a", "b" }, { 1, 2 })).b)
		print(fun.range(10):map(function(x) return x + 1 end):filter(function(x) return x > 5 end):take_n(2):foldl(fun.operator.add, 0), fun.operator.concat("a", "b"), fun.is_null({}), list(fun.tabulate(function(x) return x * 2 end):take(4)), list(fun.duplicate("z"):take(3)), list(fun.split(2, { 1, 2, 3 })))`,
}

// TestLibraries loads well-known libraries by require and uses them.
func TestLibraries(t *testing.T) {
	lua51, missing := exec.LookPath("lua5.1")
	for name, use := range libraryUses {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("testdata", "libraries", name+".lua"))
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t)
			b.files[name+".lua"] = string(source)
			if err := b.runIn(b.st, Call{Event: "entry", Limits: patient}, addresses+use); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(b.printed, "\n") + "\n"
			if missing != nil {
				t.Skip("SKIPPED: lua5.1 is not installed, so what the library gives was not compared")
			}
			// Without what scripts do not get, so that a library that asks for it takes the same way.
			script := filepath.Join(t.TempDir(), "main.lua")
			main := "package.path = " + literal(filepath.Join(mustAbs(t, "testdata"), "libraries", "?.lua")) +
				" debug, io, load, loadstring, dofile, loadfile, setfenv, getfenv, newproxy, package.loaded.debug = nil package = nil " + addresses + use
			if err := os.WriteFile(script, []byte(main), 0o600); err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			command := exec.CommandContext(t.Context(), lua51, script)
			command.Stderr = &stderr
			want, err := command.Output()
			if err != nil {
				t.Fatalf("lua5.1: %v: %s", err, stderr.Bytes())
			}
			if got != string(want) {
				t.Error(firstDifference(got, string(want)))
			}
		})
	}
}

// addresses makes print hide where things lie and which file a message names.
const addresses = `local write = print local function print(...) local words = {} for i = 1, select("#", ...) do
	words[i] = tostring((select(i, ...))):gsub("0x%x+", "0x"):gsub("^[%w/._-]+%.lua:%d+: ", "") end write(table.concat(words, " ")) end `

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(abs)
}

// literal writes s as a Lua string.
func literal(s string) string { return "[==[" + s + "]==]" }
