package sandbox

import (
	"strings"
	"testing"
)

func TestAssignments(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"local a, b = 1, 2 a, b = b, a print(a, b)", "2 1"},
		{"local a, b, c = 1, 2, 3 a, b, c = c, a, b print(a, b, c)", "3 1 2"},
		{"local a, b = 0, 1 for i = 1, 10 do a, b = b, a + b end print(a, b)", "55 89"},
		{"local a, t = 1, {} a, t.x = 5, a print(a, t.x)", "5 1"},
		{"local i, t = 1, { 10, 20 } i, t[i] = 2, 30 print(i, t[1], t[2])", "2 30 20"},
		{"local i, t = 1, { 10, 20 } t[i], i = 30, 2 print(i, t[1], t[2])", "2 30 20"},
		{"local a = { n = 1 } local b = a a, a.n = { n = 5 }, 7 print(a.n, b.n)", "5 7"},
		{"local a = { n = 1 } local b = a a.n, a = 7, { n = 5 } print(a.n, b.n)", "5 7"},
		{"local function two() return 7, 8 end local a, b = 1, 2 a, b = two() print(a, b)", "7 8"},
		{"local function two() return 7, 8 end local a, b, c a, b, c = b, two() print(a, b, c)", "nil 7 8"},
		{"local a, b = 1, 2 a, b = b print(a, b)", "2 nil"},
		{"local a, b = 1, 2 a, b = b, a, print('extra') print(a, b)", "extra|2 1"},
		{"local x, y = 1, 2 local f = function() return x end x, y = y, f() print(x, y)", "2 1"},
		{"local x, y = 1, 2 local function swap() x, y = y, x end swap() print(x, y)", "2 1"},
		{"a, b = 1, 2 a, b = b, a print(a, b)", "2 1"},
		{"local t = { 1, 2 } t[1], t[2] = t[2], t[1] print(t[1], t[2])", "2 1"},
		{"local a, b = 1, 2 local a, b = b, a print(a, b)", "2 1"},
		{"local a, b = 1, 2 b = not a and 5 print(b)", "false"},
		{"local a, b, c = 1, 2, 3 b, c = not a and 5 print(b, c)", "false nil"},
		{"local function f(x) local y = 1 x = (tostring(x)) return x, y end print(f(5))", "5 1"},
		{"local function f(x) local y = 1 x = x .. y .. x return x, y end print(f(5))", "515 1"},
		{"local function f(x) local y = 1 x = tostring(x), 2 return x, y end print(f(5))", "5 1"},
		{"local c, t = 3, {} t.x, c = c print(t.x, c)", "3 nil"},
		{"local a a, a = 1, 2 print(a)", "1"},
		{"local f = function() return 1 end local f = function() return f() + 1 end print(f())", "2"},
		{"g = function() return 1 end local g = function(...) return 1 + g() end print(g())", "2"},
		{"local function h(n) if n == 0 then return 0 end return 1 + h(n - 1) end print(h(3))", "3"},
		{"local r = 0 repeat if nil then r = 9 else r = r + 1 end until r > 2 print(r)", "3"},
		{"local r = 0 repeat local z = false and 's' r = r + 1 until r > 2 or z == 1 print(r)", "3"},
		{"local function f(x) x = x and x .. 'b' or 'c' return x end print(f('a'), f())", "ab c"},
	} {
		b := newBench(t)
		if err := b.run(c.code); err != nil {
			t.Errorf("%s: %v", c.code, err)
		}
		if got := strings.Join(b.printed, "|"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.code, got, c.want)
		}
	}
}
