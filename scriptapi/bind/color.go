package bind

import (
	"reflect"
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// ParseColor reads "#RRGGBB" and "#RRGGBBAA".
func ParseColor(text string) (RGBA, bool) {
	if len(text) != 7 && len(text) != 9 || text[0] != '#' {
		return RGBA{}, false
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		return RGBA{}, false
	}
	if len(text) == 7 {
		n = n<<8 | 0xFF
	}
	return RGBA{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

// colorKind reads a color as rgba(...) or as its text.
func colorKind() *kind {
	k := valueKind("rgba", func(e *Env, v RGBA) lvalue { return e.rgba(v) }, nil)
	value := k.decode
	k.want = `an rgba or "#RRGGBB"`
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		text, ok := v.(lua.LString)
		if !ok {
			if _, is := unbox[RGBA](v); !is {
				return k.mismatch(v)
			}
			return value(c, v, dst)
		}
		color, ok := ParseColor(string(text))
		if !ok {
			return k.mismatch(v)
		}
		*dst.Addr().Interface().(*RGBA) = color
		return nil
	}
	return k
}
