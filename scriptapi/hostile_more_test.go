package scriptapi

import (
	"strings"
	"time"
)

// hostileScripts are all of them.
func hostileScripts() []hostile { return append(hostileRows(), hostileMore()...) }

// big is a table that costs much to copy, and mega a string of a megabyte.
const (
	big  = `local big = {} for i = 1, 20000 do big[i] = { i } end `
	mega = `local mega = ("x"):rep(2^20) `
)

// hostileMore are scripts beyond the table, each of which was tried against this sandbox.
func hostileMore() []hostile {
	return []hostile{
		{name: "copy: many big tables emitted", code: big + `local t = {} for i = 1, 3000 do t[i] = big end mp.emit("hostile:x", unpack(t))`, want: stopped},
		{name: "copy: big table to many handlers", code: big + `for i = 1, 9000 do mp.on("hostile:x", function() end) end mp.emit("hostile:x", big)`, want: stopped},
		{name: "copy: big table to an export", code: big + `mp.exports.define{ f = function(t) return t end } for i = 1, 1e4 do mp.exports.hostile.f(big) end`, want: stopped},
		{name: "copy: export that returns much", code: big + `local t = {} for i = 1, 3000 do t[i] = big end mp.exports.define{ f = function() return unpack(t) end } mp.exports.hostile.f()`, want: stopped},
		{name: "copy: shared tables", code: `local t = { 1 } for i = 1, 30 do t = { t, t } end mp.emit("hostile:x", t)`, want: "100000 entries"},
		{name: "copy: deep", code: `local t = {} for i = 1, 10000 do t = { t } end mp.emit("hostile:x", t)`, want: "deeper than 32"},
		{name: "copy: cycle as a key", code: `local t = {} t[t] = t mp.emit("hostile:x", t)`, want: "cannot be copied"},
		{name: "copy: mp.state of everything", entry: `for i = 1, 1e5 do mp.state[i] = { i } end`, play: func(s *stage) { s.reload("hostile", `print("again")`); s.advance(time.Second) }, says: "again"},
		{name: "copy: mp.state of cycles", entry: `mp.state.a = mp.state mp.state.f = print mp.state[mp.state] = 1`, play: func(s *stage) { s.reload("hostile", `print("again")`) }, says: "again"},
		{name: "exports: endless", entry: `mp.exports.define{ f = function() while true do end end } mp.after(0, function() mp.exports.hostile.f() end)`, want: stopped},
		{name: "exports: wait for ever", code: `mp.exports.define{ f = function() mp.wait(1e9) end } mp.exports.hostile.f()`},
		{name: "exports: proxies", code: `local t = {} for i = 1, 1e6 do t[i] = mp.exports["x" .. i] end`, want: stopped},
		{name: "exports: long name", code: mega + `print(pcall(function() return mp.exports[mega][mega]() end))`, says: "false"},
		{name: "errors: object over coroutines", code: `local e = setmetatable({}, { __tostring = function() return "mine" end }) print(select(2, pcall(coroutine.wrap(function() coroutine.wrap(function() error(e) end)() end))) == e)`, says: "true"},
		{name: "errors: tostring that waits", code: `error(setmetatable({}, { __tostring = function() mp.wait(10) return "waited" end }))`, want: "waited"},
		{name: "errors: tostring of a megabyte", code: mega + `error(setmetatable({}, { __tostring = function() return mega end }))`, want: "xxx"},
		{name: "errors: tostring that takes memory", code: `error(setmetatable({}, { __tostring = function() local t = {} while true do t[#t + 1] = {} end end }))`, want: "the error is a table value"},
		{name: "errors: 10,000 different", entry: `local n = 0 mp.every(10, function() for i = 1, 50 do n = n + 1 mp.after(0, function() error("e" .. math.random()) end) end end)`, want: "e0."},
		{name: "errors: in every handler", code: `for i = 1, 9000 do mp.on("hostile:x", function() error("e") end) end mp.emit("hostile:x")`, want: "e"},
		{name: "errors: xpcall handler recursion", code: `local function h(e) return select(2, xpcall(error, h)) end print(xpcall(error, h))`, says: "false"},
		{name: "errors: error level", code: `for _, level in ipairs{ 1e18, -1e18, 0/0, 1/0 } do print(pcall(error, "x", level)) end`, says: "x"},
		{name: "errors: nil", code: `error()`, want: "nil"},
		{name: "coroutines: wrap as a comparator", code: `local t = {} for i = 1, 1000 do t[i] = i % 7 end local less = coroutine.wrap(function(a, b) while true do a, b = coroutine.yield(a < b) end end) table.sort(t, less) print(t[1], t[1000])`, says: "0\t6"},
		{name: "coroutines: yield in a comparator", code: `local co = coroutine.wrap(function() table.sort({ 3, 2, 1 }, function(a, b) coroutine.yield(a) return a < b end) return "sorted" end) local v repeat v = co() until v == "sorted" print(v)`, says: "sorted"},
		{name: "coroutines: resume of itself", code: `local co co = coroutine.create(function() return coroutine.resume(co) end) print(coroutine.resume(co))`, says: "non-suspended"},
		{name: "coroutines: resume from another handler", entry: `co = coroutine.create(function() mp.wait(1000) end) mp.after(0, function() coroutine.resume(co) end) mp.after(10, function() print(coroutine.resume(co)) end)`, says: "waits in it"},
		{name: "coroutines: killed by garbage", code: `for i = 1, 2e3 do coroutine.wrap(function() pcall(coroutine.yield) coroutine.yield() end)() end`},
		{name: "coroutines: dead ones", code: `local t = {} for i = 1, 1e5 do t[i] = coroutine.create(print) end`},
		{name: "coroutines: resume in pcall in resume", code: `local function f(n) return pcall(coroutine.wrap(function() return f(n + 1) end)) end print(f(1))`, says: "true"},
		{name: "source: long comment", entry: "--[==[" + strings.Repeat("x", 250_000) + "]==] print(1)", says: "1"},
		{name: "source: comment without an end", entry: "--[==[" + strings.Repeat("]=]", 80_000), refused: "never closed"},
		{name: "source: 60,000 upvalues", entry: "local " + strings.Repeat("a,", 190) + "b = 1 local function f() return " + strings.Repeat("a + ", 190) + "b end", play: nil, says: ""},
		{name: "source: 201 locals", entry: strings.Repeat("local a = 1 ", 250), refused: "about 200 local variables"},
		{name: "source: 20,000 locals in blocks", entry: strings.Repeat("do local a = 1 end ", 13_000)},
		{name: "source: 30,000 functions", entry: "local t = {} " + strings.Repeat("t[1] = function() end ", 11_000), refused: "more than 5000 functions"},
		{name: "source: calls in a row", entry: "local f = function() end f" + strings.Repeat("()", 100_000), refused: "nested deeper"},
		{name: "source: indexes in a row", entry: "local t = {} t" + strings.Repeat(".x", 100_000) + " = 1", refused: "nested deeper"},
		{name: "source: strings in a row", entry: "print" + strings.Repeat("''", 100_000), refused: "nested deeper"},
		{name: "source: or in a row", entry: "local x = 1" + strings.Repeat(" or 1", 45_000), refused: "nested deeper"},
		{name: "source: concats", entry: "local x = 1" + strings.Repeat(" .. 1", 50_000), refused: "more than 1000 operands"},
		{name: "source: comparisons", entry: "local x = 1" + strings.Repeat("<1", 100_000), refused: "nested deeper"},
		{name: "source: parameters", entry: "local function f(" + strings.Repeat("a,", 100_000) + "a) end", refused: "about 200 local variables"},
		{name: "source: arguments", entry: "print(" + strings.Repeat("1,", 100_000) + "1)", refused: "as many parts"},
		{name: "source: names on the left", entry: strings.Repeat("a,", 60_000) + "a = 1", refused: "hostile/main.lua:1"},
		{name: "source: values on the right", entry: "a = " + strings.Repeat("1,", 100_000) + "1", refused: "as many parts"},
		{name: "source: labels", entry: labels(12_000)},
		{name: "source: gotos", entry: "::a:: " + strings.Repeat("goto b ", 30_000) + "::b::"},
		{name: "source: returns", entry: strings.Repeat("do return 1 end ", 16_000)},
		{name: "source: table of tables", entry: "return " + strings.Repeat("{", 100_000), refused: "nested deeper"},
		{name: "source: closures in a constructor", entry: "local t = {" + strings.Repeat("function() return {} end,", 4_900) + "}"},
		{name: "source: 20,000 numbers", entry: "local t = {" + numbersUpTo(40_000) + "}"},
		{name: "source: 20,000 names", entry: "local x = 0 " + namesUpTo(20_000), refused: "different names"},
		{name: "source: digits", entry: "return " + strings.Repeat("9", 250_000)},
		{name: "source: hex digits", entry: "return 0x" + strings.Repeat("f", 250_000)},
		{name: "source: escapes", entry: `return "` + strings.Repeat(`\1`, 120_000) + `"`},
		{name: "source: zero bytes", entry: strings.Repeat("\x00", 1000), refused: "hostile/main.lua:1"},
		{name: "source: semicolons", entry: "local x = 1" + strings.Repeat(";", 200_000)},
		{name: "source: newlines", entry: strings.Repeat("\n", 250_000) + "x = = 1", refused: "main.lua:250001"},
		{name: "source: if in else", entry: strings.Repeat("if x then else ", 13_000) + strings.Repeat("end ", 13_000), refused: "nested deeper"},
		{name: "source: repeat", entry: "local x = 1 " + strings.Repeat("repeat until x ", 17_000)},
		{name: "source: long if", entry: "if x then " + strings.Repeat("y = 1 ", 40_000) + "end"},
		{name: "source: while of much", entry: "while x do " + strings.Repeat("y = 1 if z then break end ", 9_000) + "end"},
		{name: "loops: for to 1e308", code: `for i = 1, 1e308 do end`, want: stopped},
		{name: "loops: for with step 0", code: `for i = 1, 10, 0 do end for i = 10, 1, 0 do end`, want: stopped},
		{name: "loops: for of nan", code: `for i = 0/0, 1 do end for i = 1, 0/0 do end for i = 1, 2, 0/0 do end print("through")`, says: "through"},
		{name: "loops: for of fractions", code: `for i = 2^53, 2^53 + 1e9 do end`, want: stopped},
		{name: "loops: goto", code: `local i = 0 ::a:: i = i + 1 if i < 1e9 then goto a end`, want: stopped},
		{name: "loops: iterator without an end", code: `for _ in function() return 1 end do end`, want: stopped},
		{name: "loops: next over removed keys", code: `local t = {} for i = 1, 3e5 do t["k" .. i] = 1 end for k in pairs(t) do t[k] = nil end while true do next(t) end`, want: stopped},
		{name: "loops: length of an empty array", entry: `t = {} for i = 1, 1e6 do t[i] = 1 end local x for i = 1, 1e6 do t[i] = x end mp.after(0, function() while true do local n = #t end end)`, want: stopped},
		{name: "loops: equal megabytes", code: mega + `local a, b = mega .. "", mega:sub(1, -2) .. "x" while true do local x = a == b end`, want: stopped},
		{name: "loops: keys of a megabyte", code: mega + `local t = {} while true do local x = t[mega] end`, want: stopped},
		{name: "loops: setting keys of a megabyte", code: mega + `local t = {} for i = 1, 1e6 do t[mega .. i % 10] = 1 end`, want: "string too long"},
		{name: "loops: order of megabytes", code: mega + `local a, b = mega .. "", mega:sub(1, -2) .. "y" while true do local x = a < b end`, want: stopped},
		{name: "loops: sub of megabytes", code: mega + `local t = {} for i = 1, 1e7 do t[i] = mega:sub(2) end`, want: stopped},
		{name: "loops: upper of megabytes", code: mega + `while true do mega:upper() end`, want: stopped},
		{name: "loops: find of a megabyte", code: mega + `while true do mega:find("xxxy", 1, true) end`, want: stopped},
		{name: "loops: tostring of tables", code: `while true do tostring({}) end`, want: stopped},
		{name: "loops: tonumber of a megabyte", code: `local s = ("1"):rep(2^20) while true do tonumber(s) end`, want: stopped},
		{name: "loops: errors of a megabyte", code: mega + `while true do pcall(error, mega) end`, want: stopped},
		{name: "loops: json of much", code: big + `while true do mp.json.decode(mp.json.encode(big)) end`, want: stopped},
		{name: "loops: json of one string", code: mega + `while true do pcall(mp.json.encode, { mega }) end`, want: stopped},
		{name: "loops: json text", code: `local s = "[" .. ("1,"):rep(5e5) .. "1]" while true do mp.json.decode(s) end`, want: stopped},
		{name: "loops: wrong names", code: `while true do pcall(function() return mp.playes end) end`, want: stopped},
		{name: "loops: os.date", code: `while true do os.date(("%c"):rep(1000)) end`, want: stopped},
		{name: "loops: sort of strings", code: mega + `local t = {} for i = 1, 60 do t[i] = mega:sub(1, -3) .. i end while true do table.sort(t) end`, want: stopped},
		{name: "loops: concat of 1e6", code: `local t = {} for i = 1, 5e5 do t[i] = "" end while true do table.concat(t) end`, want: stopped},
		{name: "loops: remove from the front", code: `local t = {} for i = 1, 5e5 do t[i] = i end while #t > 0 do table.remove(t, 1) end`, want: stopped},
		{name: "loops: select", code: `local function f(...) for i = 1, 1e9 do select(i % 200 + 1, ...) end end local t = {} for i = 1, 200 do t[i] = i end f(unpack(t))`, want: stopped},
		{name: "loops: unpack", code: `local t = {} for i = 1, 4000 do t[i] = i end while true do unpack(t) end`, want: stopped},
		{name: "loops: string.char", code: `local t = {} for i = 1, 4000 do t[i] = 65 end while true do string.char(unpack(t)) end`, want: stopped},
		{name: "loops: setmetatable", code: `while true do setmetatable({}, { __index = function() end }) end`, want: stopped},
		{name: "loops: emits", code: `mp.on("hostile:x", function() end) while true do mp.emit("hostile:x", 1, 2, 3) end`, want: stopped},
		{name: "loops: timers on and off", code: `while true do mp.after(1000, print):off() end`, want: stopped},
		{name: "loops: handlers on and off", code: `while true do mp.on("player_join", print):off() end`, want: stopped},
		{name: "loops: views", entry: `local d = mp.views.define{ name = "x", entry = "shop.html" } mp.after(0, function() local p = mp.players.get(0) for i = 1, 1e4 do d:open(p):close() end end)`},
		{name: "loops: dialogs", code: `local p = mp.players.get(0) while true do p:open_dialog{ title = "x", text = "y", buttons = { "ok" }, replace = true } end`, want: stopped},
		{name: "loops: messages", code: `local p = mp.players.get(0) while true do p:message(("x"):rep(500)) end`, want: stopped},
		{name: "loops: vectors", code: `local v = vec3(1, 2, 3) while true do v = v + v * 2 end`, want: stopped},
		{name: "patterns: balance", code: `local s = ("("):rep(5e4) while true do s:find("%b()") end`, want: stopped},
		{name: "patterns: frontier", code: `local s = ("a "):rep(1e5) while true do s:gsub("%f[%w]%w+", "%0") end`, want: stopped},
		{name: "patterns: captures", code: `print(pcall(string.find, "x", ("()"):rep(40)))`, says: "too many captures"},
		{name: "patterns: long set", code: `local set = "[" .. ("a-b"):rep(3e5) .. "]" local s = ("z"):rep(2000) while true do s:find(set) end`, want: stopped},
		{name: "patterns: back reference", code: `local s = ("a"):rep(5000) while true do s:find("(.*)%1%1b") end`, want: stopped},
		{name: "patterns: gsub callback that fails", code: `for i = 1, 1000 do pcall(string.gsub, "x", "x", function() error("no") end) end print(("x"):gsub("x", "y"))`, says: "y\t1"},
		{name: "patterns: gsub callback that matches", code: `local function f(n) return (("x"):gsub("x", function() if n > 0 then return f(n - 1) end end)) end print(f(100))`, says: "x"},
		{name: "patterns: long pattern", code: `local p = ("a"):rep(5e5) local s = ("a"):rep(5e5) while true do s:find(p .. ".") end`, want: stopped},
		{name: "meta: index chain", code: `local t = {} for i = 1, 1000 do t = setmetatable({}, { __index = t }) end return t.x`, want: "too many recursions"},
		{name: "meta: circles", code: `local m = {} m.__index = m m.__newindex = m setmetatable(m, m) m.x = 1`, want: "too many recursions"},
		{name: "meta: call chain", code: `local t = print for i = 1, 1000 do t = setmetatable({}, { __call = t }) end t()`, want: "not a function"},
		{name: "meta: call of itself", code: `local t = setmetatable({}, {}) getmetatable(t).__call = t t()`, want: "call"},
		{name: "meta: everything waits", code: `local w = function() mp.wait(1) return 1 end local t = setmetatable({}, { __index = w, __newindex = w, __call = w, __add = w, __concat = w, __eq = w, __lt = w, __le = w, __unm = w, __len = w }) local u = setmetatable({}, getmetatable(t)) t.x = t.y + 1 local _ = t() .. "" _ = t .. u _ = t < u _ = t <= u _ = t == u _ = -t print("waited")`, says: "waited"},
		{name: "meta: handles", code: `local p = mp.players.get(0) print(pcall(setmetatable, p, {}), pcall(rawset, p, "x", 1), getmetatable(p))`, says: "false"},
		{name: "meta: vectors", code: `local v = vec3(1, 2, 3) print(pcall(function() v.x = 5 end), pcall(setmetatable, v, {}), getmetatable(v))`, says: "false"},
		{name: "meta: mp", code: `mp.chat = nil rawset(mp, "players", nil) _G.mp = nil print(1)`, says: "1", play: libraryOfOthers},
		{name: "meta: arguments with metatables", code: `local t = setmetatable({}, { __index = function() while true do end end }) mp.chat.send(t)`, want: "mp.chat.send"},
		{name: "meta: tostring in print", code: `print(setmetatable({}, { __tostring = function() while true do end end }))`, want: stopped},
		{name: "meta: globals without an address of Go", code: `for k, v in pairs(_G) do local s = tostring(k) .. tostring(v) if s:find("%.go") then error("leak") end end`},
		{name: "require: each other", files: map[string]string{"a.lua": `return require "b"`, "b.lua": `return require "a"`}, code: `require "a"`, want: "require each other: a -> b -> a"},
		{name: "require: itself", entry: `require "main"`, refused: "require each other: main -> main"},
		{name: "require: endless", files: map[string]string{"a.lua": `while true do end`}, code: `for i = 1, 100 do pcall(require, "a") end`, want: stopped},
		{name: "require: that waits", files: map[string]string{"a.lua": `mp.wait(10) return 5`}, code: `print(require "a")`, says: "5"},
		{name: "require: twice at once", files: map[string]string{"a.lua": `mp.wait(10) return {}`}, entry: `for i = 1, 2 do mp.after(0, function() print(type(require "a")) end) end`, says: "table", want: "another handler is loading the file"},
		{name: "require: long name", code: mega + `require(mega)`, want: "at most 200 bytes"},
		{name: "require: deep", files: map[string]string{"a.lua": `return require(("a."):rep(1000) .. "b")`}, code: `require "a"`, want: "at most 200 bytes"},
		{name: "waits: 20,000 handlers", entry: `for i = 1, 9999 do mp.after(0, function() mp.wait(1e9) end) end`, heap: 250},
		{name: "waits: in a timer of 10 ms", entry: `mp.every(10, function() mp.wait(1e9) end)`},
		{name: "waits: 0 ms for ever", entry: `mp.after(0, function() for i = 1, 1000 do mp.wait(0) end print("waited") end)`, says: "waited"},
		{name: "waits: by stopping oneself", code: `mp.resources.stop(mp.resource.name)`, want: "permission"},
		{name: "memory: kept by each handler", entry: `kept = {} mp.every(50, function() for i = 1, 20 do kept[#kept + 1] = ("x"):rep(2^20) .. "" end end)`, want: "the server has more than 200 MB", says: "hostile is stopped", heap: 260},
		{name: "memory: one table that grows", code: `local t = {} for i = 1, 1e7 do t[i] = i end`, want: stopped},
		{name: "memory: strings of a megabyte", code: `local t = {} for i = 1, 1e4 do t[i] = ("x"):rep(2^20) end`, want: stopped},
		{name: "memory: captured by closures", code: `local f for i = 1, 1e9 do local g = f f = function() return g end end`, want: stopped},
		{name: "memory: stack", code: `local function f(n) local a, b, c, d, e = n, n, n, n, n return f(n + 1) + a end f(1)`, want: "stack overflow"},
		{name: "memory: stacks of coroutines", code: `local kept = {} local function deep(n) if n == 0 then coroutine.yield() else deep(n - 1) return 1 end end for i = 1, 1000 do local c = coroutine.create(deep) coroutine.resume(c, 1000) kept[i] = c end`, want: stopped},
		{name: "memory: gmatch iterators", code: mega + `local t = {} for i = 1, 1e6 do t[i] = mega:gmatch("x") t[i]() end`, want: stopped},
		{name: "memory: pcall with many arguments", code: `local t = {} for i = 1, 500 do t[i] = i end local function f(...) return pcall(f, ...) end print(f(unpack(t)))`, says: "false"},
		{name: "memory: varargs doubled", code: `local function f(...) return f(..., ...) end f(1, 2, 3)`, want: stopped},
		{name: "memory: select of varargs", code: `local function f(...) local t = { ... } return f(unpack(t, 1, #t), unpack(t, 1, #t)) end f(1)`, want: stopped},
		{name: "arguments: megabytes", code: mega + `for _, f in ipairs{ mp.on, mp.emit, mp.command, mp.chat.broadcast, mp.ui.escape, mp.json.decode, mp.players.get, mp.after, vec3, require, mp.resources.get } do pcall(f, mega, mega, mega) end print("through")`, says: "through"},
		{name: "arguments: formats of text", code: `for i = 1, 2000 do mp.ui.strip(("{FFFFFF}"):rep(5000)) end`, want: stopped},
		{name: "arguments: names of a megabyte", code: mega + `local a, b = pcall(function() return mp[mega] end) local c, d = pcall(function() return mp.players.get(0)[mega] end) print(a, c, #b < 2^21)`, says: "false\tfalse\ttrue"},
		{name: "arguments: 4,000 of them", code: `local t = {} for i = 1, 4000 do t[i] = i end pcall(mp.players.get, unpack(t)) pcall(mp.emit, "hostile:x", unpack(t)) print("through")`, says: "through"},
		{name: "arguments: log with 20,000 fields", code: `local t = {} for i = 1, 2e4 do t["f" .. i] = i end mp.log.info("x", t)`, want: "at most 50 fields"},
		{name: "slots: 300 timers that loop", entry: `for i = 1, 300 do mp.every(10, function() while true do end end) end`, want: stopped, says: "hostile is stopped: 20 of its handlers", play: func(s *stage) { s.advance(time.Second) }},
	}
}

func labels(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("::l" + itoa(i) + ":: ")
	}
	return b.String()
}

func numbersUpTo(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(itoa(i) + ",")
	}
	return b.String()
}

func namesUpTo(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("n" + itoa(i) + "=x ")
	}
	return b.String()
}
