package lualib

import (
	"reflect"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// The fields are those of gopher-lua's tables, one by one.
func TestFieldsOfTables(t *testing.T) {
	theirs, ours := reflect.TypeFor[lua.LTable](), reflect.TypeFor[fields]()
	if theirs.NumField() != ours.NumField() || theirs.Size() != ours.Size() {
		t.Fatalf("a table has %d fields and %d bytes, here it has %d and %d", theirs.NumField(), theirs.Size(), ours.NumField(), ours.Size())
	}
	for i := range theirs.NumField() {
		a, b := theirs.Field(i), ours.Field(i)
		if a.Type != b.Type || a.Offset != b.Offset || i > 0 && a.Name != b.Name {
			t.Errorf("field %d is %s %v of a table and %s %v here", i, a.Name, a.Type, b.Name, b.Type)
		}
	}
}

func TestNext(t *testing.T) {
	m := newMachine(t)
	for script, want := range map[string]string{
		`local t, n = { 1, nil, 3, x = 4 }, 0 for k, v in pairs(t) do n = n + v end return n`:                                       "8",
		`local t, n = { x = 1, y = 2, z = 3 }, 0 for k in pairs(t) do t[k] = nil n = n + 1 end return n, next(t)`:                   "3 nil",
		`local t, n = {}, 0 for i = 1, 9 do t[i] = i end for k in pairs(t) do t[k] = nil n = n + 1 end return n, #t`:                "9 0",
		`local t, n = {}, 0 for i = 1, 9 do t[i] = i t[-i] = i end for k in pairs(t) do t[k] = nil n = n + 1 end return n, next(t)`: "18 nil",
		`local t = { [0] = "a", "b" } return next(t), next(t, 1), next(t, 0)`:                                                       "1 0 nil",
		`return next({})`:               "nil",
		`return next({ 5 })`:            "1 5",
		`return select("#", pairs({}))`: "3",
		`return pairs({}) == next`:      "true",
		`return rawset({}, 1, 2)[1]`:    "2",
		`local t = {} t[1000000] = nil local k = 5 t[k] = nil return #t`:                                                                                      "0",
		`local log = "" local t = setmetatable({}, { __newindex = function(_, k, v) log = log .. k .. tostring(v) end }) local k = "a" t[k] = nil return log`: "anil",
	} {
		if got, err := m.run(script); err != nil || got != want {
			t.Errorf("%s\n got %q, %v\nwant %q", script, got, err, want)
		}
	}
	for script, want := range map[string]string{
		`return next({}, "x")`:            "main.lua:1: invalid key to 'next'",
		`return next()`:                   "main.lua:1: bad argument #1 to 'next' (table expected, got no value)",
		`return pairs(nil)`:               "main.lua:1: bad argument #1 to 'pairs' (table expected, got nil)",
		`local t, k = {} t[k] = nil`:      "main.lua:1: table index is nil",
		`local t, k = {}, 0/0 t[k] = nil`: "main.lua:1: table index is NaN",
		`rawset({}, nil, 1)`:              "main.lua:1: table index is nil",
		"local t, k = nil, 1\nt[k] = nil": "main.lua:2: attempt to index a non-table object(nil)",
	} {
		if _, err := m.run(script); err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s: got %v, want %s", script, err, want)
		}
	}
}

// A compacted table has what it had, in its order, and a walk goes on from a key that was removed.
func TestCompact(t *testing.T) {
	m := newMachine(t)
	var worn *lua.LTable
	l := &library{meter: m.budget, walks: Walks{worn: func(t *lua.LTable) { worn = t }}}
	l.openWalks(m.LState)
	if _, err := m.run(`t, at, last = {}, 0, nil for i = 1, 5000 do t["k" .. i] = i end for i = 1, 4000 do local k = "k" .. i t[k] = nil end
		for k in pairs(t) do at = at + 1 t[k] = nil if at == 300 then last = k break end end`); err != nil {
		t.Fatal(err)
	}
	if worn == nil || fieldsOf(worn).removed() < 4000 {
		t.Fatal("the table is not worn")
	}
	l.walks.Compact(worn)
	if n := len(fieldsOf(worn).keys); n != 701 {
		t.Errorf("%d keys are left", n)
	}
	got, err := m.run(`local n, first = 0, next(t, last) for k, v in next, t, last do assert(k == "k" .. v) n = n + 1 end t.new = 1 return n, first, t.k1, t.k5000, t.new`)
	if err != nil || got != "700 k4301 nil 5000 1" {
		t.Errorf("got %s, %v", got, err)
	}
}
