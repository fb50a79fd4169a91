package bind

import (
	"errors"

	lua "github.com/yuin/gopher-lua"
)

// Format is string.format of the calling state; each is applied to every string among the arguments first.
func (c *Call) Format(format string, args []Raw, each func(string) string) (string, error) {
	strings, _ := c.env.state.Lua().G.Global.RawGetString("string").(*lua.LTable)
	if strings == nil {
		return "", errors.New("the global string is no library any more")
	}
	c.th.Push(strings.RawGetString("format"))
	c.th.Push(lua.LString(format))
	for _, a := range args {
		if s, ok := a.V.(lua.LString); ok {
			a.V = lua.LString(each(string(s)))
		}
		c.th.Push(a.V)
	}
	c.th.Call(len(args)+1, 1)
	text := c.th.Get(-1).String()
	c.th.Pop(1)
	return text, nil
}
