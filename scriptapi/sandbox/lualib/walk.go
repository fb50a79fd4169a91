package lualib

import (
	"maps"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// fields are those of an lua.LTable of gopher-lua 1.1.2. It keeps each key that it ever had in keys and k2i: a removed one stays, with the
// handle that it is. So next, and what forgets them, work on the fields themselves. A test holds that they are the same.
type fields struct {
	metatable lua.LValue
	array     []lua.LValue
	dict      map[lua.LValue]lua.LValue
	strdict   map[string]lua.LValue
	keys      []lua.LValue
	k2i       map[lua.LValue]int
}

func fieldsOf(t *lua.LTable) *fields { return (*fields)(unsafe.Pointer(t)) }

// removed is how many keys stand in the hash part without a value.
func (f *fields) removed() int { return len(f.keys) - len(f.dict) - len(f.strdict) }

// arrayIndex gives the place, from 0, of a key that belongs in the array part.
func arrayIndex(key lua.LValue) (int, bool) {
	n, ok := key.(lua.LNumber)
	if i := int(n); ok && lua.LNumber(i) == n && i > 0 && i < lua.MaxArrayIndex {
		return i - 1, true
	}
	return 0, false
}

func (l *library) openWalks(L *lua.LState) {
	next := L.NewFunction(l.baseNext)
	L.SetGlobal("next", next)
	L.SetGlobal("pairs", L.NewFunction(func(L *lua.LState) int {
		t := args{L, "pairs"}.table(1)
		L.Push(next)
		L.Push(t)
		L.Push(lua.LNil)
		return 3
	}))
	step := L.NewFunction(ipairsStep)
	L.SetGlobal("ipairs", L.NewFunction(func(L *lua.LState) int {
		t := args{L, "ipairs"}.table(1)
		L.Push(step)
		L.Push(t)
		L.Push(lua.LNumber(0))
		return 3
	}))
	L.SetGlobal("rawset", L.NewFunction(l.rawset))
	L.G.Registry.RawSetString(clearKey, L.NewFunction(l.clear))
}

func ipairsStep(L *lua.LState) int {
	a := args{L, "ipairs"}
	t, i := a.table(1), a.integer(2)+1
	v := t.RawGet(lua.LNumber(i))
	if v == lua.LNil {
		return 0
	}
	L.Push(lua.LNumber(i))
	L.Push(v)
	return 2
}

func (l *library) baseNext(L *lua.LState) int {
	t := args{L, "next"}.table(1)
	k, v, ok := l.next(t, L.Get(2))
	if !ok {
		fail(L, "invalid key to 'next': the table does not have it")
	}
	L.Push(k)
	if k == lua.LNil {
		return 1
	}
	L.Push(v)
	return 2
}

// passedPerUnit is how many empty places next passes for one unit.
const passedPerUnit = 8

// next gives what follows a key; nil at the end. ok is false where the key is not known, not even as a removed one.
func (l *library) next(t *lua.LTable, key lua.LValue) (k, v lua.LValue, ok bool) {
	f := fieldsOf(t)
	at, inArray := arrayIndex(key)
	switch {
	case inArray:
		at++
	case key == lua.LNil:
		inArray = true
	default:
		if at, ok = f.k2i[key]; !ok {
			return nil, nil, false
		}
		at++
	}
	passed := 0
	if inArray {
		for ; at < len(f.array); at++ {
			if v := f.array[at]; v != lua.LNil {
				return lua.LNumber(at + 1), v, true
			}
			if passed++; passed%passedPerUnit == 0 {
				l.meter.Spend(1)
			}
		}
		at = 0
	}
	for ; at < len(f.keys); at++ {
		if v := t.RawGetH(f.keys[at]); v != lua.LNil {
			if len(f.keys) > mostRemoved {
				l.walks.note(t, f.keys[at])
			}
			return f.keys[at], v, true
		}
		if passed++; passed%passedPerUnit == 0 {
			l.meter.Spend(1)
		}
	}
	if len(f.keys) > mostRemoved {
		l.walks.note(t, lua.LNil)
	}
	return lua.LNil, lua.LNil, true
}

func (l *library) rawset(L *lua.LState) int {
	a := args{L, "rawset"}
	t, key, value := a.table(1), a.any(2), a.any(3)
	L.RawSet(t, key, value)
	if value == lua.LNil {
		l.wear(t)
	}
	L.SetTop(1)
	return 1
}

// clear is the statement t[k] = nil of a rewritten chunk.
func (l *library) clear(L *lua.LState) int {
	t, isTable := L.Get(1).(*lua.LTable)
	if i, ok := arrayIndex(L.Get(2)); isTable && ok && i >= len(fieldsOf(t).array) && t.Metatable == lua.LNil {
		return 0 // the array would grow up to there
	}
	L.SetTable(L.Get(1), L.Get(2), lua.LNil)
	if isTable {
		l.wear(t)
	}
	return 0
}

// mostRemoved is how many removed keys a table may hold before it is worn.
const mostRemoved = 500

// wear looks at a table from which something was removed.
func (l *library) wear(t *lua.LTable) {
	f := fieldsOf(t)
	for n := len(f.array); n > 0 && f.array[n-1] == lua.LNil; n-- { // # would pass over them each time
		f.array = f.array[:n-1]
	}
	if n := f.removed(); n > mostRemoved && n > len(f.keys)/2 && l.walks.worn != nil {
		l.walks.worn(t)
	}
}

// Walks are where next stands in large tables, so that Compact loses none of it: a handler may wait in the middle of a walk.
type Walks struct {
	worn func(*lua.LTable)
	last [8]walk
	turn int
}

// walk is the key that next gave last.
type walk struct {
	table *lua.LTable
	key   lua.LValue
}

// note remembers the key that next gives for a table; nil at the end.
func (w *Walks) note(t *lua.LTable, key lua.LValue) {
	for i := range w.last {
		if w.last[i].table == t {
			if w.last[i].key = key; key == lua.LNil {
				w.last[i] = walk{}
			}
			return
		}
	}
	if key != lua.LNil {
		w.last[w.turn] = walk{t, key}
		w.turn = (w.turn + 1) % len(w.last)
	}
}

// Compact makes a table forget its removed keys, but for the one at which a walk stands. The others keep their order.
func (w *Walks) Compact(t *lua.LTable) {
	standing := lua.LValue(lua.LNil)
	for _, at := range w.last {
		if at.table == t {
			standing = at.key
		}
	}
	f := fieldsOf(t)
	left := len(f.dict) + len(f.strdict)
	keys, k2i := make([]lua.LValue, 0, left), make(map[lua.LValue]int, left)
	for _, key := range f.keys {
		if key == standing || t.RawGetH(key) != lua.LNil {
			k2i[key] = len(keys)
			keys = append(keys, key)
		}
	}
	f.keys, f.k2i = keys, k2i
	f.dict, f.strdict = maps.Collect(maps.All(f.dict)), maps.Collect(maps.All(f.strdict)) // Go's maps do not shrink
}
