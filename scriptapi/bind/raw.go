package bind

import (
	lua "github.com/yuin/gopher-lua"
)

// Raw makes the state's value of a Go value, as Value does.
func (e *Env) Raw(v any) Raw { return Raw{e, e.Value(v)} }

// Is tells whether two values are the same: equal strings, numbers and booleans, or one and the same table, function or handle.
func (r Raw) Is(other Raw) bool { return r.V != nil && r.V == other.V }

// List gives the items of a table.
func (r Raw) List() (items []Raw, ok bool) {
	t, ok := r.V.(*lua.LTable)
	if !ok {
		return nil, false
	}
	r.env.state.Budget().Spend(t.Len())
	for i := range t.Len() {
		items = append(items, Raw{r.env, t.RawGetInt(i + 1)})
	}
	return items, true
}
