package luajson

import (
	"errors"

	lua "github.com/yuin/gopher-lua"
)

// Object marks a value as an object: mp.json.object.
func (v *Values) Object(value lua.LValue) error {
	t, ok := value.(*lua.LTable)
	if !ok {
		return errors.New("a table expected, got " + value.Type().String())
	}
	if !v.Mark(t) {
		return errors.New("the table has a metatable of its own")
	}
	return nil
}
