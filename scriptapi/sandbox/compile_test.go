package sandbox

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestCompileErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"end missing", "local function f()\n  if x then\n    y()\nend\n", `m.lua:4: the file ends, but "end" is missing to close the "function" at line 1`},
		{"end too many", "local x = 1\nend", `m.lua:2: "end" has nothing to close`},
		{"wrong bracket", "f({ 1, 2 )\n", `m.lua:1: "}" expected (to close the "{" at line 1), found ")"`},
		{"until", "repeat\n x()\nend", `m.lua:3: "until" expected (to close the "repeat" at line 1), found "end"`},
		{"bracket open", "f(\n1\n\n\n", `m.lua:2: the file ends, but ")" is missing to close the "(" at line 1`},
		{"word", "local x = = 1", `m.lua:1: unexpected "="`},
		{"two words", "\n\nfoo bar", `m.lua:3: unexpected "bar"`},
		{"string", "local s = \"abc\nlocal y", `m.lua:1: a string is not closed on its line`},
		{"long string", "local s = [[abc\nlocal y", `m.lua:2: a long string or comment is never closed`},
		{"unfinished", "local x =", `m.lua:1: the file ends where more was expected`},
		{"goto", "goto nowhere", `m.lua:1: no visible label 'nowhere' for this goto`},
		{"break", "\nbreak", `m.lua:2: break outside of a loop`},
		{"UTF-16", "\xFF\xFEl\x00o\x00", `m.lua:1: the file is UTF-16 (little-endian); save it as UTF-8`},
		{"UTF-16 without a mark", "l\x00o\x00c\x00", `m.lua:1: the file is UTF-16 (little-endian); save it as UTF-8`},
		{"UTF-16 big-endian", "\xFE\xFF\x00l\x00o", `m.lua:1: the file is UTF-16 (big-endian); save it as UTF-8`},
		{"bytecode", "\x1bLua\x51", `m.lua:1: the file is bytecode; only Lua source is run`},
		{"too large", strings.Repeat("-", MaxSource+1), `m.lua:1: the file has 262145 bytes; a Lua file has at most 262144: move a part of it to a file that is required`},
		{"shebang keeps lines", "#!/usr/bin/lua\nlocal x = = 1", `m.lua:2: unexpected "="`},
		{"mark and shebang", "\xEF\xBB\xBF#!lua\nlocal x = = 1", `m.lua:2: unexpected "="`},
		{"a million #", "return " + strings.Repeat("#", MaxSource-10) + "x", `m.lua:1: more than 200 operators in a row`},
		{"brackets", strings.Repeat("(", 10_000), `m.lua:1: nested deeper than 200 levels`},
		{"do", strings.Repeat("do ", 43_000), `m.lua:1: nested deeper than 200 levels`},
		{"powers", "return x" + strings.Repeat("^x", 20_000), `m.lua:1: more than 200 operators in a row`},
		{"comment", "--[==[ ]=]", `m.lua:1: a long string or comment is never closed`},
		{"locals", strings.Repeat("local a ", 250), `m.lua:1: a function with more than about 200 local variables`},
		{"functions", strings.Repeat("f = function() end ", 5001), `m.lua:1: the file has more than 5000 functions`},
		{"not", "return " + strings.Repeat("not ", 1000) + "x", `m.lua:1: more than 200 operators in a row`},
		{"minus", "return " + strings.Repeat("- ", 1000) + "x", `m.lua:1: more than 200 operators in a row`},
		{"plus", "return 1" + strings.Repeat("+x", 60_000), `m.lua:1: nested deeper than 200 levels`},
		{"elseif", "if x then " + strings.Repeat("elseif x then ", 18_000) + "end", `more than 1000 elseif`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Compile("m.lua", []byte(c.source))
			var se *SyntaxError
			if !errors.As(err, &se) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestCompiles(t *testing.T) {
	for _, source := range []string{
		"", "\xEF\xBB\xBFreturn 1", "#!/usr/bin/lua", "#!/usr/bin/lua\nreturn 1", "for i = 1, 2 do while true do break end end",
		"local t = { ['end'] = 'do', [1] = { } } return t.x", "return 2^3^2, - - -x, not not x, #t",
		"return '(((', \"end\", [[ do ]] -- ((( do\n", "local x = 1;;", "goto a ::a::", "repeat local x until x",
		"return a" + strings.Repeat(" .. a", 999),
		"return a" + distinct(" .. '%d'", 999),
		"if x then y() " + distinct("elseif x == %d then y(%[1]d) ", 1000) + "end",
		"return {" + strings.Repeat("{-1, #x, not y},", 1000) + "}",
		"local s = 0 " + strings.Repeat("s = -s ", 500),
		"f" + strings.Repeat("(-x)", 100),
		strings.Repeat("print(-1)\n", 1000),
		strings.Repeat("repeat f(-1) until -x\nwhile -x do f(2 ^ -y) end ", 500),
		strings.Repeat("if -x then f(-1) else f(-2) end ", 500),
	} {
		if _, err := Compile("m.lua", []byte(source)); err != nil {
			t.Errorf("%.60q: %v", source, err)
		}
	}
}

// distinct repeats a format with the numbers from 1 to n.
func distinct(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"return 1", "local function f(...) return ... end", "if x then y() elseif z then end", "\xEF\xBB\xBF#!x\n", "x = {[1]=2; 'a', b = \"\\x\"}", "goto a ::a::"} {
		f.Add([]byte(s))
	}
	f.Add([]byte("f = {" + strings.Repeat("function() end,", 1000) + "}"))
	f.Add([]byte("local t = {" + distinct("%d, ", 5000) + "}"))
	f.Add([]byte(distinct("::l%d:: ", 1000)))
	f.Fuzz(func(t *testing.T, source []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := Compile("m.lua", source)
		runtime.ReadMemStats(&after)
		// All that a compilation allocates, kept or not: a file of 256 KiB stays far below 300 MB.
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20+1500*uint64(len(source)) {
			t.Fatalf("%d bytes take %d KB to compile", len(source), took>>10)
		}
		var se *SyntaxError
		if err != nil && (!errors.As(err, &se) || se.Line < 1 || se.Text == "" || strings.ContainsAny(se.Text, "\n")) {
			t.Fatalf("%q", err)
		}
		if (p == nil) == (err == nil) {
			t.Fatal("neither a program nor an error")
		}
	})
}
