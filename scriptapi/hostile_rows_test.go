package scriptapi

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/resources"
)

// hostileRows are the rows of the table of hostile scripts, with their variants.
func hostileRows() []hostile {
	return []hostile{
		{name: "01 loop", code: `while true do end`, want: stopped},
		{name: "01 goto", code: `::a:: goto a`, want: stopped},
		{name: "01 tail call", code: `local function f() return f() end f()`, want: stopped},
		{name: "01 entry", entry: `while true do end`, refused: stopped},
		{name: "02 pcall", code: `while true do pcall(function() while true do end end) end`, want: stopped},
		{name: "02 xpcall", code: `while true do xpcall(function() while true do end end, function() while true do end end) end`, want: stopped},
		{name: "02 resume", code: `while true do coroutine.resume(coroutine.create(function() while true do end end)) end`, want: stopped},
		{name: "02 wrap", code: `while true do pcall(coroutine.wrap(function() while true do end end)) end`, want: stopped},
		{name: "03 sort", code: `local fns = {} for i = 1, 50 do fns[i] = function() while true do end end end while true do table.sort(fns, pcall) end`, want: stopped},
		{name: "03 call on strings", code: `getmetatable("").__call = pcall`, want: "index"},
		{name: "03 gsub", code: `while true do (("x"):rep(1000)):gsub(".", pcall) end`, want: stopped},
		{name: "04 old coroutine", entry: `local co = coroutine.create(function() while true do end end)
			mp.after(10, function() while true do coroutine.resume(co) end end)`, want: stopped},
		{name: "05 coroutine across handlers", entry: `local n, co = 0, coroutine.wrap(function() while true do for i = 1, 20 do ("x"):rep(2^20) end coroutine.yield() end end)
			mp.every(50, function() co() n = n + 1 if n == 30 then print("went on") end end)`, says: "went on"},
		{name: "05 coroutine that waits", entry: `local n = 0 local co = coroutine.wrap(function() while true do for i = 1, 20 do ("x"):rep(2^20) end mp.wait(20) n = n + 1 if n == 30 then print("went on") end end end)
			mp.after(0, function() co() end)`, says: "went on"},
		{name: "06 nested coroutines", code: `local function f() coroutine.wrap(f)() end f()`, want: "too many coroutines inside each other (16)"},
		{name: "06 nested by resume", code: `local function f() return assert(coroutine.resume(coroutine.create(f))) end f()`, want: "too many coroutines inside each other (16)"},
		{name: "07 coroutines kept", code: `local t = {} for i = 1, 1e6 do local c = coroutine.create(coroutine.yield) coroutine.resume(c) t[i] = c end`, want: stopped},
		{name: "07 coroutines dropped", code: `for i = 1, 3000 do local c = coroutine.wrap(function() coroutine.yield(i) end) c() end`},
		{name: "07 price of one", entry: `kept = {} mp.after(10, function() for i = 1, 1000 do local c = coroutine.create(coroutine.yield) coroutine.resume(c) kept[i] = c end end)`, play: priceOfCoroutines},
		{name: "08 recursion", code: `local function f() return 1 + f() end f()`, want: "stack overflow"},
		{name: "08 pcall", code: `local function f() return select(2, pcall(f)) end error(f())`, want: "stack overflow"},
		{name: "08 index", code: `local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. "x"] end return t.x`, want: "stack overflow"},
		{name: "08 index chain", code: `local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x`, want: "too many recursions"},
		{name: "08 tostring", code: `local m = {} m.__tostring = function(t) return tostring(t) end print(setmetatable({}, m))`, want: "stack overflow"},
		{name: "09 rep 1e9", code: `return ("x"):rep(1e9)`, want: "string too long", heap: 10},
		{name: "09 rep 4e9", code: `return ("x"):rep(4e9)`, want: "string too long", heap: 10},
		{name: "09 rep 1e11", code: `return ("x"):rep(1e11)`, want: "string too long", heap: 10},
		{name: "09 rep 1e18", code: `return ("x"):rep(1e18)`, want: "string too long", heap: 10},
		{name: "10 doubling", code: `local s = "x" for i = 1, 33 do s = s .. s end`, want: "string too long"},
		{name: "10 wide", code: `local s = ("x"):rep(1000) for i = 1, 5 do s = s` + strings.Repeat("..s", 60) + ` end`, want: "string too long"},
		{name: "11 sparse", code: `local t = {} t[67108863] = 1 print(#t)`, says: "0", heap: 10},
		{name: "11 many sparse", code: `local k = {} for i = 1, 2000 do local t = {} t[1000000] = 1 k[i] = t end`, want: stopped},
		{name: "11 insert", code: `local t = {} table.insert(t, 6e7, 1)`, want: "out of bounds", heap: 10},
		{name: "12 tables", code: `local t = {} while true do t[#t + 1] = {} end`, want: stopped},
		{name: "12 closures", code: `local t = {} for i = 1, 1e9 do t[i] = function() return i end end`, want: stopped},
		{name: "12 strings", code: `local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end`, want: stopped},
		{name: "13 unpack", code: `return unpack({}, 1, 1e8)`, want: "too many", heap: 10},
		{name: "13 unpack in xpcall", code: `print(xpcall(function() return unpack({}, 1, 1e8) end, function(e) return e end))`, says: "false", heap: 10},
		{name: "13 byte", code: `return (("x"):rep(2^20)):byte(1, -1)`, want: "too long", heap: 10},
		{name: "13 byte in xpcall", code: `print(xpcall(function() return (("x"):rep(2^20)):byte(1, -1) end, function(e) return e end))`, says: "false", heap: 10},
		{name: "13 varargs", code: `local function f(...) return (f(1, 2, 3, 4, 5, 6, 7, 8, 9, ...)) end f()`, want: "stack overflow"},
		{name: "13 varargs in pcall", code: `local function f(...) return (f(1, 2, 3, 4, 5, 6, 7, 8, 9, ...)) end assert(not pcall(f)) print("caught")`, says: "caught"},
		{name: "14 sort of 2e7", code: `local t = {} for i = 1, 2e7 do t[i] = 0 end table.sort(t, rawequal)`, want: stopped},
		{name: "14 sort by equality", code: `local t = {} for i = 1, 1e4 do t[i] = 0 end table.sort(t, rawequal)`, want: "invalid order function"},
		{name: "15 load", code: `return load(math.random)`, want: `"load", which is not a function`},
		{name: "15 loadstring", code: `return loadstring("return 1")`, want: `"loadstring", which is not a function`},
		{name: "16 a million #", entry: "return " + strings.Repeat("#", 1e6) + "x", refused: "a Lua file has at most 262144"},
		{name: "16 250,000 #", entry: "return " + strings.Repeat("#", 250_000) + "x", refused: "more than 200 operators in a row"},
		{name: "16 powers", entry: "return x" + strings.Repeat("^x", 20_000), refused: "more than 200 operators in a row"},
		{name: "16 do", entry: strings.Repeat("do ", 36_000) + strings.Repeat("end ", 36_000), refused: "nested deeper than 200"},
		{name: "16 elseif", entry: "if x then " + strings.Repeat("elseif x then ", 18_000) + "end", refused: "more than 1000 elseif"},
		{name: "17 dump", code: `return string.dump(function() end)`, want: `"dump", which is not a function`},
		{name: "17 bytecode", entry: "\x1bLua\x51\x00\x01\x04\x08\x04\x08\x00", refused: "bytecode"},
		{name: "18 optional", code: `return ("a"):rep(30):find(("a?"):rep(30) .. ("a"):rep(30))`, want: stopped, heap: 20},
		{name: "18 lazy", code: `return ("a"):rep(2000):find((".-"):rep(5) .. "b")`, want: stopped, heap: 20},
		{name: "18 greedy", code: `return ("a"):rep(2^20):find(".*b")`, want: stopped, heap: 20},
		{name: "19 gsub of 300 KB", code: `local s, n = ("a"):rep(300000):gsub("a", "bb") print(#s, n)`, says: "600000\t300000"},
		{name: "19 gsub without an end", code: `local s = ("a"):rep(5e5) while true do s:gsub("a", "b") end`, want: stopped},
		{name: "19 gmatch", code: `local s, n = ("a"):rep(2^20), 0 while true do for c in s:gmatch("a") do n = n + 1 end end`, want: stopped},
		{name: "20 width", code: `return ("%999999d"):format(1)`, want: "width or precision too long"},
		{name: "20 index", code: `return (("%999999[1]d"):rep(2000)):format(1)`, want: "width or precision too long"},
		{name: "20 %#v", code: `return ("%#v"):format(mp.players.get(0))`, want: "invalid option"},
		{name: "20 %T", code: `return ("%T"):format(mp.players.get(0))`, want: "invalid option"},
		{name: "21 concat", code: `local t, s = {}, ("x"):rep(2^20) for i = 1, 2000 do t[i] = s end return table.concat(t)`, want: "string too long", heap: 20},
		{name: "22 getfenv", code: `return getfenv(print)`, want: `"getfenv", which is not a function`},
		{name: "22 setfenv", code: `return setfenv(0, {})`, want: `"setfenv", which is not a function`},
		{name: "22 debug", code: `return debug.getinfo(1)`, want: "index a nil value"},
		{name: "22 own string library", code: `string.rep = error string.format = nil tostring = nil _G.pairs = nil print(1)`, says: "1", play: libraryOfOthers},
		{name: "22 metatable of strings", code: `getmetatable("").__index = function() end`, want: "index"},
		{name: "22 setmetatable of a number", code: `setmetatable(1, {})`, want: "table expected, got number"},
		{name: "22 setmetatable of a function", code: `setmetatable(print, {})`, want: "table expected, got function"},
		{name: "22 metatable of a handle", code: `getmetatable(mp.players.get(0)).__index = nil`, want: "index"},
		{name: "23 randomseed", code: `math.randomseed(1) local a = math.random(1e6) math.randomseed(1) print(a == math.random(1e6))`, says: "true", play: randomOfOthers},
		{name: "24 collectgarbage", code: `while true do collectgarbage() end`, want: `"collectgarbage", which is not a function`},
		{name: "25 gc", code: `local n = 0 for i = 1, 1e5 do setmetatable({}, { __gc = function() n = n + 1 end }) end print(n)`, says: "0"},
		{name: "25 newproxy", code: `return newproxy(true)`, want: `"newproxy", which is not a function`},
		{name: "26 print", code: `local s = ("x"):rep(1e5) while true do print(s) end`, want: stopped, play: linesAreLimited},
		{name: "26 mp.log", code: `local s = ("x"):rep(1e5) while true do mp.log.warn(s, { a = s }) end`, want: stopped, play: linesAreLimited},
		{name: "26 print of many", code: `local t, s = {}, ("x"):rep(2^20) for i = 1, 4000 do t[i] = s end print(unpack(t))`, says: "xxx", play: linesAreLimited},
		{name: "26 long error", code: `error(("x"):rep(1e6))`, want: "xxx", play: linesAreLimited},
		{name: "27 dofile", code: `dofile()`, want: `"dofile", which is not a function`},
		{name: "27 loadfile", code: `loadfile()`, want: `"loadfile", which is not a function`},
		{name: "27 require outside", code: `require "../x"`, want: "path with dots"},
		{name: "27 require up", code: `require "..x"`, want: "path with dots"},
		{name: "27 require absolute", code: `require "/etc/passwd"`, want: "path with dots"},
		{name: "27 require another's", code: `require "neighbour.main"`, want: "require finds files of the same resource"},
		{name: "27 io", code: `return io.open("/etc/passwd")`, want: "index a nil value"},
		{name: "27 execute", code: `os.execute("id")`, want: `"execute", which is not a function`},
		{name: "27 exit", code: `os.exit()`, want: `"exit", which is not a function`},
		{name: "28 strings set and cleared", entry: `at, n = {}, 0 mp.every(50, function() for i = 1, 10000 do n = n + 1 at["key" .. n] = true at["key" .. n] = nil end end)`, play: tableStaysSmall},
		{name: "28 ids set and cleared", entry: `at, n = {}, 5e6 mp.every(50, function() for i = 1, 10000 do n = n + 1 at[n] = true at[n] = nil end end)`, play: tableStaysSmall},
		{name: "28 300,000 at once", entry: `at = {} for i = 1, 300000 do local k = "key" .. i at[k] = true at[k] = nil end`, play: tableOfOneHandler},
		{name: "28 in a walk", code: `local t = {} for i = 1, 5000 do t["k" .. i] = i end local n = 0 for k in pairs(t) do t[k] = nil n = n + 1 if n % 500 == 0 then mp.wait(1) end end print(n, next(t))`, says: "5000\tnil"},
		{name: "28 handles set and cleared", entry: `at = {} mp.on("player_join", function(p) at[p] = { name = p.name } end) mp.on("player_leave", function(p) at[p] = nil end)`, play: handlesAreCollected},
		{name: "29 timers that multiply", entry: `local function f() mp.after(10, f) mp.after(10, f) end f()`, want: "10000 timers", play: func(s *stage) { s.advance(200 * time.Millisecond) }},
		{name: "29 timer of itself", entry: `local n = 0 local function f() n = n + 1 if n == 1000 then print("thousand") end mp.after(0, f) end mp.after(1, f)`, says: "thousand", play: timerOfItself},
		{name: "29 event of itself", entry: `mp.on("hostile:x", function() mp.emit("hostile:x") end) mp.after(0, function() mp.emit("hostile:x") end)`, want: "16 deep"},
		{name: "29 exports of each other", entry: `mp.exports.define{ f = function() return mp.exports.hostile.f() end } mp.after(0, function() mp.exports.hostile.f() end)`, want: "deep"},
		{name: "30 waits anywhere", code: waitsAnywhere, says: "waited 9"},
		{name: "30 wait in resource_stop", entry: `mp.on("resource_stop", function() mp.wait(10) end)`, want: "cannot wait in resource_stop", play: func(s *stage) { s.advance(100 * time.Millisecond); s.stop("hostile") }},
		{name: "31 colshapes", code: `for i = 1, 1e5 do mp.colshapes.create{ shape = "sphere", position = vec3(0, 0, 0), radius = 2 } end`, want: "limit of 4096 colshapes"},
		{name: "31 commands", code: `for i = 1, 1e5 do mp.command("c" .. i, {}, print) end`, want: "at most"},
		{name: "31 handlers", code: `for i = 1, 1e5 do mp.on("player_join", print) end`, want: "at most"},
		{name: "31 views", code: `for i = 1, 1e5 do mp.views.define{ name = "v" .. i, entry = "shop.html" } end`, want: "at most"},
		{name: "32 cyclic", code: `local t = {} t.a = { t } print(pcall(mp.json.encode, t))`, says: "is a cycle"},
		{name: "32 deep", code: `local t = {} for i = 1, 10000 do t = { t } end print(pcall(mp.json.encode, t))`, says: "nested deeper"},
		{name: "32 sparse", code: `local t = {} t[1000000] = 1 print(pcall(mp.json.encode, t))`, says: "false"},
		{name: "32 deep text", code: `print(pcall(mp.json.decode, ("["):rep(10000)))`, says: "nested deeper"},
		{name: "33 error in the handler", code: `print(xpcall(error, function() error("again") end))`, says: "error in error handling"},
		{name: "33 tostring of an error", code: `error(setmetatable({}, { __tostring = function() while true do end end }))`, want: "the error is a table value", play: oneLine},
		{name: "33 tostring that fails", code: `error(setmetatable({}, { __tostring = function(t) error(t) end }))`, want: "the error is a table value", play: oneLine},
	}
}

const waitsAnywhere = `local n = 0 local function wait() mp.wait(10) n = n + 1 return n end
	pcall(wait); xpcall(wait, print) table.sort({ 2, 1 }, function(a, b) if n < 3 then wait() end return a < b end);
	(("x"):gsub("x", function() wait() end)) for v in function(_, last) if not last then return wait() end end do end
	local _ = setmetatable({}, { __index = wait }).x tostring(setmetatable({}, { __tostring = function() wait() return "" end }))
	coroutine.wrap(wait)() local _ = setmetatable({}, { __concat = wait }) .. "" print("waited " .. n)`

// Every row of the table has its subtests.
func TestHostileRows(t *testing.T) {
	var rows []string
	for _, h := range hostileRows() {
		rows = append(rows, h.name[:2])
	}
	rows = slices.Compact(rows)
	for row := 1; row <= 33; row++ {
		if want := fmt.Sprintf("%02d", row); len(rows) < row || rows[row-1] != want {
			t.Fatalf("row %s is not tested in its place: %v", want, rows)
		}
	}
}

// priceOfCoroutines: a suspended one costs less than 12 KB.
func priceOfCoroutines(s *stage) {
	before := collected()
	s.advance(time.Second)
	if each := (collected() - before) / 1000; each > 12<<10 {
		s.t.Errorf("a suspended coroutine takes %d bytes", each)
	}
}

func collected() int64 {
	runtime.GC()
	runtime.GC()
	return heapSize()
}

// libraryOfOthers: what a resource does to its own libraries is its own.
func libraryOfOthers(s *stage) {
	s.advance(100 * time.Millisecond)
	s.start("other", `print(string.format("%s", ("x"):rep(3)), tostring(1), pairs ~= nil)`)
	if log := s.took(); !strings.Contains(log, "xxx\t1\ttrue") {
		s.t.Errorf("the other resource says %s", log)
	}
	s.lines = []string{"1"}
}

// randomOfOthers: a seed is the resource's own.
func randomOfOthers(s *stage) {
	s.start("one", `math.randomseed(7) mp.after(5000, function() print("one", math.random(1e9)) end)`)
	s.start("two", `math.randomseed(7) mp.after(9000, function() print("two", math.random(1e9)) end)`)
	s.advance(6 * time.Second)
	s.load(bundle("three", map[string]string{"main.lua": `math.randomseed(3) for i = 1, 10 do math.random() end`}), nil)
	s.advance(6 * time.Second)
	log := strings.Join(s.lines, "\n")
	one, two := strings.Index(log, "one\t"), strings.Index(log, "two\t")
	if one < 0 || two < 0 || log[one+4:one+9] != log[two+4:two+9] {
		s.t.Errorf("the others draw\n%s", log)
	}
}

// linesAreLimited: at most 200 lines a second of 8 KiB.
func linesAreLimited(s *stage) {
	s.advance(2 * time.Second)
	if n := len(s.lines); n > 205 {
		s.t.Errorf("%d lines", n)
	}
	for _, line := range s.lines {
		if len(line) > 10<<10 {
			s.t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// tableStaysSmall: a table from which everything is removed again takes no more memory after 300,000 keys.
func tableStaysSmall(s *stage) {
	s.advance(200 * time.Millisecond)
	before := collected()
	s.advance(2 * time.Second)
	if grown := (collected() - before) >> 10; grown > 2000 {
		s.t.Errorf("the table grew by %d KB", grown)
	}
}

// tableOfOneHandler: 300,000 keys that come and go in one handler are forgotten when it ends.
func tableOfOneHandler(s *stage) {
	before := collected()
	s.stop("hostile")
	if freed := (before - collected()) >> 10; freed > 2000 {
		s.t.Errorf("the table has %d KB", freed)
	}
}

// handlesAreCollected: a table keyed by players keeps none who has left.
func handlesAreCollected(s *stage) {
	crowd := func() {
		for range 300 {
			g := s.join("Bobby")
			g.leave()
			s.players--
		}
		s.advance(50 * time.Millisecond)
	}
	crowd()
	before := collected()
	for range 5 {
		crowd()
	}
	if each := (collected() - before) / 1500; each > 200 {
		s.t.Errorf("each player who has left takes %d bytes", each)
	}
}

// timerOfItself: one that is due at once runs again in the next round, not in this one.
func timerOfItself(s *stage) {
	for range 2000 {
		s.now += time.Millisecond
		for len(s.queue) > 0 {
			f := s.queue[0]
			s.queue = s.queue[1:]
			f()
		}
		s.rt.RunTimers(s.now)
	}
	s.end("hostile", resources.StopStop)
}

// oneLine: an error that cannot be worded takes one line.
func oneLine(s *stage) {
	s.advance(2 * time.Second)
	if n := strings.Count(strings.Join(s.lines, "\n"), "ERROR"); n != 1 {
		s.t.Errorf("%d lines of errors", n)
	}
}
