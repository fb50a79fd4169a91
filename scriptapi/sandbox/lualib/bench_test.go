package lualib

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// bench calls the Lua function f with n of the benchmark.
func bench(b *testing.B, setup, body string) {
	m := newMachine(b)
	if _, err := m.run(setup + " function f() " + body + " end"); err != nil {
		b.Fatal(err)
	}
	f := m.GetGlobal("f")
	b.ReportAllocs()
	for b.Loop() {
		m.budget.left = 20e6
		if err := m.CallByParam(lua.P{Fn: f, Protect: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGsub300KB(b *testing.B) {
	bench(b, `s = ("ab"):rep(150 * 1024)`, `return s:gsub("a", "bb")`)
}

func BenchmarkGsubFunction(b *testing.B) {
	bench(b, `s = ("ab "):rep(1000)`, `return s:gsub("%a+", string.upper)`)
}

func BenchmarkGmatch(b *testing.B) {
	bench(b, `s = ("word "):rep(1000)`, `local n = 0 for w in s:gmatch("%a+") do n = n + 1 end return n`)
}

func BenchmarkFormat(b *testing.B) {
	bench(b, "", `return string.format("%s has %d of %5.2f", "player", 42, 3.14159)`)
}

func BenchmarkConcatOperator(b *testing.B) {
	bench(b, `name, n = "player", 42`, `return name .. " has " .. n .. " points"`)
}

func BenchmarkSortNumbers(b *testing.B) {
	bench(b, `src = {} for i = 1, 10000 do src[i] = i * 7919 % 10007 end`, `local t = {} for i = 1, #src do t[i] = src[i] end table.sort(t)`)
}

func BenchmarkSortFunction(b *testing.B) {
	bench(b, `src = {} for i = 1, 10000 do src[i] = i * 7919 % 10007 end`, `local t = {} for i = 1, #src do t[i] = src[i] end table.sort(t, function(a, b) return a > b end)`)
}

func BenchmarkTableConcat(b *testing.B) {
	bench(b, `t = {} for i = 1, 1000 do t[i] = "item" end`, `return table.concat(t, ", ")`)
}

// BenchmarkOpen is what the libraries add to a state.
func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 128})
		Open(L, Config{Meter: &budget{}, Seed: 1})
		L.Close()
	}
}
