package sandbox

import (
	"fmt"
	"strings"
	"testing"
)

// Large tables keep their meaning: order, holes, keys, locals, calls, nested tables and the lines of errors.
func TestHoistKeepsMeaning(t *testing.T) {
	b := newBench(t)
	var s strings.Builder
	s.WriteString("local n, order = 5, {}\nlocal function call(i) order[#order + 1] = i return i, 'second' end\nlocal t = {\n")
	for i := 1; i <= 2000; i++ {
		fmt.Fprintf(&s, "  { x = %d.5, name = \"house %d\", n = n, call(%d) }, key%d = %d, [%d.25] = n .. %d,\n", i, i, i, i, i, i, i)
	}
	s.WriteString("}\nfor i = 1, 2000 do\n")
	s.WriteString("  assert(t[i].x == i + 0.5 and t[i].name == 'house ' .. i and t[i].n == 5 and t[i][1] == i and t[i][2] == 'second')\n")
	s.WriteString("  assert(t['key' .. i] == i and t[i + 0.25] == '5' .. i and order[i] == i)\nend\nassert(#t == 2000)\nprint('right')\n")
	s.WriteString("local function f(...) local u = {" + strings.Repeat("'a', 'b', ", 400) + "...} return #u end print(f(1, 2, 3))\n")
	s.WriteString("local u = {" + strings.Repeat("'a', 'b', ", 400) + "call(7)} print(#u)\n")
	s.WriteString("local w = {" + strings.Repeat("'a', 'b', ", 400) + "(call(7)), nil, 9} print(#w, w[803])\n")
	if err := b.run(s.String()); err != nil {
		t.Fatal(err)
	}
	b.expect("right", "803", "802", "803 9")
	expectErrorAt(t, b, "local t = {\n"+strings.Repeat("'a', 'b',\n", 400)+"x.y }", 402)
	expectErrorAt(t, b, "local t = {\n"+strings.Repeat("'a', 'b',\n", 400)+"[nil] = 1 }", 402)
}

func expectErrorAt(t *testing.T, b *bench, code string, line int) {
	t.Helper()
	if se, ok := b.run(code).(*ScriptError); !ok || se.Line != line {
		t.Errorf("got %v, want line %d", se, line)
	}
}

func TestTooManyConstants(t *testing.T) {
	var s strings.Builder
	for i := range 10_100 {
		fmt.Fprintf(&s, "x = %d\n", i)
	}
	_, err := Compile("m.lua", []byte(s.String()))
	if err == nil || !strings.HasPrefix(err.Error(), "m.lua:10000: a function has more than 10000 different names") {
		t.Error(err)
	}
}

func BenchmarkCompileData(b *testing.B) {
	var s strings.Builder
	s.WriteString("return {\n")
	for i := range 2500 {
		fmt.Fprintf(&s, "  { name = \"house %d\", position = vec3(%d.5, -%d.25, %d.125), price = %d },\n", i, i, i, i, i*100)
	}
	s.WriteString("}\n")
	b.SetBytes(int64(s.Len()))
	for b.Loop() {
		if _, err := Compile("m.lua", []byte(s.String())); err != nil {
			b.Fatal(err)
		}
	}
}

// What the compiler has wrong in table constructors is right, around every 50th item.
func TestConstructors(t *testing.T) {
	b := newBench(t)
	if err := b.run(`function two() return "y", "z" end`); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 2, 49, 50, 51, 99, 100, 101, 150} {
		items := strings.Repeat("'a', ", n)
		for _, c := range []struct{ fields, want string }{
			{items + `k = two()`, "n a a nil nil y"},
			{items + `k = two(), [two()] = two()`, "n a a nil nil y"},
			{items + `two()`, "n+2 a a y z nil"},
			{items + `k = 5, two()`, "n+2 a a y z 5"},
			{items + `k = two(), 'b', two()`, "n+3 a a b y y"},
			{items + `(two())`, "n+1 a a y nil nil"},
			{items + `...`, "n+3 a a 1 2 nil"},
			{items + `k = ...`, "n a a nil nil 1"},
			{`k = two(), ` + items + `'b', x = two(), 'c'`, "n+2 a a b c y"},
		} {
			code := fmt.Sprintf("local function f(...) return {%s} end local t = f(1, 2, 3) print(#t, t[1], t[%d], t[%d], t[%d], t.k)", c.fields, n, n+1, n+2)
			if n == 0 {
				code = strings.Replace(code, "t[1], t[0]", "'a', 'a'", 1)
			}
			var extra int
			want := c.want
			if strings.HasPrefix(want, "n+") {
				extra = int(want[2] - '0')
				want = want[3:]
			} else {
				want = want[1:]
			}
			if err := b.run(code); err != nil {
				t.Errorf("%d: %s: %v", n, c.fields[len(items):], err)
				continue
			}
			want = fmt.Sprint(n+extra) + want
			if got := strings.Join(b.printed, ""); got != want {
				t.Errorf("%d items, %s: got %s, want %s", n, strings.ReplaceAll(c.fields, items, "ITEMS "), got, want)
			}
			b.printed = nil
		}
	}
}
