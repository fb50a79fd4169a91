package lualib

import (
	"cmp"
	"math/bits"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// tabSort sorts a copy and puts it back, so that an error on the way leaves the
// table as it was, whatever the order function does.
func (l *library) tabSort(L *lua.LState) int {
	a := args{L, "sort"}
	t := a.table(1)
	var less func(x, y lua.LValue) bool
	if L.Get(2) != lua.LNil {
		f, ok := L.Get(2).(*lua.LFunction)
		if !ok {
			a.missing(2, "function")
		}
		less = l.orderFunction(L, f)
	}
	n := t.Len()
	l.meter.Spend(1 + n/4)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = t.RawGetInt(i + 1)
	}
	switch {
	case less == nil && sortNumbers(l.meter, values), less == nil && sortStrings(l.meter, values):
	case less == nil:
		sortBy(L, values, func(x, y lua.LValue) bool {
			l.meter.Spend(1)
			return lessThan(L, x, y)
		})
	default:
		sortBy(L, values, less)
	}
	for i, v := range values {
		t.RawSetInt(i+1, v)
	}
	return 0
}

func (l *library) orderFunction(L *lua.LState, f *lua.LFunction) func(x, y lua.LValue) bool {
	return func(x, y lua.LValue) bool {
		l.meter.Spend(2)
		L.Push(f)
		L.Push(x)
		L.Push(y)
		L.Call(2, 1)
		result := lua.LVAsBool(L.Get(-1))
		L.Pop(1)
		return result
	}
}

// lessThan is the operator <, with the error of Lua 5.1 for what has no order.
func lessThan(L *lua.LState, x, y lua.LValue) bool {
	if x.Type() == y.Type() {
		switch x.Type() {
		case lua.LTNumber, lua.LTString:
			return L.LessThan(x, y)
		}
		if L.GetMetaField(x, "__lt") != lua.LNil {
			return L.LessThan(x, y)
		}
		fail(L, "attempt to compare two %s values", x.Type())
	}
	fail(L, "attempt to compare %s with %s", x.Type(), y.Type())
	return false
}

// sortBy is a merge sort: stable, with the fewest calls of less, and at its end
// whatever less answers. An order that contradicts itself is an error.
func sortBy(L *lua.LState, values []lua.LValue, less func(x, y lua.LValue) bool) {
	mergeSort(values, make([]lua.LValue, (len(values)+1)/2), less)
	for i := 1; i < len(values); i++ {
		if less(values[i], values[i-1]) {
			fail(L, "invalid order function for sorting: it must be false for equal elements (<, not <=) and must not contradict itself")
		}
	}
}

func mergeSort(values, room []lua.LValue, less func(x, y lua.LValue) bool) {
	if len(values) < 2 {
		return
	}
	middle := (len(values) + 1) / 2
	mergeSort(values[:middle], room, less)
	mergeSort(values[middle:], room, less)
	if !less(values[middle], values[middle-1]) {
		return
	}
	left := room[:copy(room, values[:middle])]
	right := values[middle:]
	for i := range values {
		if len(left) == 0 {
			return
		}
		if len(right) > 0 && less(right[0], left[0]) {
			values[i], right = right[0], right[1:]
		} else {
			values[i], left = left[0], left[1:]
		}
	}
}

// sortNumbers sorts values if all of them are numbers.
func sortNumbers(m Meter, values []lua.LValue) bool {
	for _, v := range values {
		if _, ok := v.(lua.LNumber); !ok {
			return false
		}
	}
	m.Spend(sortSteps(len(values)))
	slices.SortFunc(values, func(x, y lua.LValue) int {
		return cmp.Compare(x.(lua.LNumber), y.(lua.LNumber))
	})
	return true
}

// sortStrings sorts values if all of them are strings.
func sortStrings(m Meter, values []lua.LValue) bool {
	size := 0
	for _, v := range values {
		s, ok := v.(lua.LString)
		if !ok {
			return false
		}
		size += len(s)
	}
	m.Spend(sortSteps(len(values)) * (1 + size/max(len(values), 1)/bytesPerUnit))
	slices.SortFunc(values, func(x, y lua.LValue) int {
		return cmp.Compare(x.(lua.LString), y.(lua.LString))
	})
	return true
}

// sortSteps is the price of sorting n values without calling the script.
func sortSteps(n int) int { return n * bits.Len(uint(n)) }
