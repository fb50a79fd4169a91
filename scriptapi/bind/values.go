package bind

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox"
	"darqline/scriptapi/sandbox/number"
)

// Vec2 is a point or size on a plane.
type Vec2 struct{ X, Y float64 }

// Vec3 is a point, offset or rotation: game metres or degrees.
type Vec3 struct{ X, Y, Z float64 }

// RGBA is a color.
type RGBA struct{ R, G, B, A uint8 }

type vec2Args struct {
	X float64 `lua:"x" doc:"East."`
	Y float64 `lua:"y" doc:"North."`
}

type vec3Args struct {
	X float64 `lua:"x" doc:"East."`
	Y float64 `lua:"y" doc:"North."`
	Z float64 `lua:"z" doc:"Up."`
}

type rgbaArgs struct {
	R uint8 `lua:"r" doc:"Red."`
	G uint8 `lua:"g" doc:"Green."`
	B uint8 `lua:"b" doc:"Blue."`
	A uint8 `lua:"a" default:"255" doc:"Opacity."`
}

func valueConstructors() []Member {
	return []Member{
		Func("vec2", "Makes a point on a plane.", func(_ *Call, a vec2Args) (Vec2, error) { return Vec2(a), nil }),
		Func("vec3", "Makes a point, an offset or a rotation.", func(_ *Call, a vec3Args) (Vec3, error) { return Vec3(a), nil }),
		Func("rgba", "Makes a color.", func(_ *Call, a rgbaArgs) (RGBA, error) { return RGBA(a), nil }),
	}
}

// box is a value and its userdata in one block of memory.
type box[T any] struct {
	ud lua.LUserData
	v  T
}

func boxed[T any](mt *lua.LTable, env *lua.LTable, v T) *lua.LUserData {
	b := &box[T]{v: v}
	b.ud = lua.LUserData{Value: &b.v, Metatable: mt, Env: env}
	return &b.ud
}

// unbox reads a value of type T.
func unbox[T any](v lua.LValue) (*T, bool) {
	if ud, ok := v.(*lua.LUserData); ok {
		t, ok := ud.Value.(*T)
		return t, ok
	}
	return nil, false
}

func (e *Env) vec2(v Vec2) lua.LValue { return boxed(e.vec2MT, nil, v) }
func (e *Env) vec3(v Vec3) lua.LValue { return boxed(e.vec3MT, nil, v) }
func (e *Env) rgba(v RGBA) lua.LValue { return boxed(e.rgbaMT, nil, v) }

func (v Vec2) String() string { return fmt.Sprintf("vec2(%s, %s)", num(v.X), num(v.Y)) }
func (v Vec3) String() string { return fmt.Sprintf("vec3(%s, %s, %s)", num(v.X), num(v.Y), num(v.Z)) }
func (v RGBA) String() string { return fmt.Sprintf("rgba(%d, %d, %d, %d)", v.R, v.G, v.B, v.A) }

func num(f float64) string { return number.Format(f) }

// vector is what Vec2 and Vec3 have in common.
type vector[T any] struct {
	name   string
	make   func(*Env, T) lua.LValue
	field  func(*T, string) (float64, bool)
	zip    func(a, b *T, f func(x, y float64) float64) T
	scale  func(a *T, f func(x float64) float64) T
	length func(*T) float64
	show   func(*T) string
}

func openVectors(e *Env) {
	e.vec2MT = openVector(e, vector[Vec2]{
		name: "vec2", make: (*Env).vec2,
		field: func(v *Vec2, k string) (float64, bool) {
			switch k {
			case "x":
				return v.X, true
			case "y":
				return v.Y, true
			}
			return 0, false
		},
		zip:    func(a, b *Vec2, f func(x, y float64) float64) Vec2 { return Vec2{f(a.X, b.X), f(a.Y, b.Y)} },
		scale:  func(a *Vec2, f func(x float64) float64) Vec2 { return Vec2{f(a.X), f(a.Y)} },
		length: func(v *Vec2) float64 { return math.Hypot(v.X, v.Y) },
		show:   func(v *Vec2) string { return v.String() },
	})
	e.vec3MT = openVector(e, vector[Vec3]{
		name: "vec3", make: (*Env).vec3,
		field: func(v *Vec3, k string) (float64, bool) {
			switch k {
			case "x":
				return v.X, true
			case "y":
				return v.Y, true
			case "z":
				return v.Z, true
			}
			return 0, false
		},
		zip: func(a, b *Vec3, f func(x, y float64) float64) Vec3 {
			return Vec3{f(a.X, b.X), f(a.Y, b.Y), f(a.Z, b.Z)}
		},
		scale:  func(a *Vec3, f func(x float64) float64) Vec3 { return Vec3{f(a.X), f(a.Y), f(a.Z)} },
		length: func(v *Vec3) float64 { return math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z) },
		show:   func(v *Vec3) string { return v.String() },
	})
	e.rgbaMT = openColor(e)
}

func openVector[T comparable](e *Env, d vector[T]) *lua.LTable {
	L := e.state.Lua()
	operand := func(th *lua.LState, i int, op string) *T {
		v, ok := unbox[T](th.Get(i))
		if !ok {
			sandbox.Raise(th, "%s %s: a %s expected, got %s", d.name, op, d.name, describe(th.Get(i)))
		}
		return v
	}
	factor := func(th *lua.LState, i int, op string) float64 {
		n, ok := th.Get(i).(lua.LNumber)
		if !ok {
			sandbox.Raise(th, "%s %s: a number expected, got %s", d.name, op, describe(th.Get(i)))
		}
		return float64(n)
	}
	zip := func(op string, f func(x, y float64) float64) lua.LGFunction {
		return func(th *lua.LState) int {
			th.Push(d.make(e, d.zip(operand(th, 1, op), operand(th, 2, op), f)))
			return 1
		}
	}
	length := L.NewFunction(func(th *lua.LState) int {
		th.Push(lua.LNumber(d.length(operand(th, 1, ":length"))))
		return 1
	})
	distance := L.NewFunction(func(th *lua.LState) int {
		delta := d.zip(operand(th, 1, ":distance"), operand(th, 2, ":distance"), func(x, y float64) float64 { return x - y })
		th.Push(lua.LNumber(d.length(&delta)))
		return 1
	})
	return e.metatable(d.name, map[string]lua.LGFunction{
		"__index": func(th *lua.LState) int {
			v, key := operand(th, 1, "field"), th.Get(2).String()
			switch key {
			case "length":
				th.Push(length)
			case "distance":
				th.Push(distance)
			default:
				f, ok := d.field(v, key)
				if !ok {
					sandbox.Raise(th, "%s.%s: no such field; a %s has %s", d.name, key, d.name, fieldsOf[d.name])
				}
				th.Push(lua.LNumber(f))
			}
			return 1
		},
		"__newindex": immutable(d.name),
		"__add":      zip("+", func(x, y float64) float64 { return x + y }),
		"__sub":      zip("-", func(x, y float64) float64 { return x - y }),
		"__mul": func(th *lua.LState) int {
			vector, scalar := 1, 2
			if _, ok := th.Get(1).(lua.LNumber); ok {
				vector, scalar = 2, 1
			}
			v, k := operand(th, vector, "*"), factor(th, scalar, "*")
			th.Push(d.make(e, d.scale(v, func(x float64) float64 { return x * k })))
			return 1
		},
		"__div": func(th *lua.LState) int {
			v, k := operand(th, 1, "/"), factor(th, 2, "/")
			th.Push(d.make(e, d.scale(v, func(x float64) float64 { return x / k })))
			return 1
		},
		"__unm": func(th *lua.LState) int {
			th.Push(d.make(e, d.scale(operand(th, 1, "-"), func(x float64) float64 { return -x })))
			return 1
		},
		"__eq":       equal[T],
		"__tostring": func(th *lua.LState) int { th.Push(lua.LString(d.show(operand(th, 1, "tostring")))); return 1 },
	})
}

var fieldsOf = map[string]string{
	"vec2": "x, y, :length() and :distance(other)", "vec3": "x, y, z, :length() and :distance(other)", "rgba": "r, g, b and a",
}

func openColor(e *Env) *lua.LTable {
	color := func(th *lua.LState) *RGBA {
		c, ok := unbox[RGBA](th.Get(1))
		if !ok {
			sandbox.Raise(th, "%s", "rgba: a color expected, got "+describe(th.Get(1)))
		}
		return c
	}
	return e.metatable("rgba", map[string]lua.LGFunction{
		"__index": func(th *lua.LState) int {
			c, key := color(th), th.Get(2).String()
			var v uint8
			switch key {
			case "r":
				v = c.R
			case "g":
				v = c.G
			case "b":
				v = c.B
			case "a":
				v = c.A
			default:
				sandbox.Raise(th, "rgba.%s: no such field; an rgba has %s", key, fieldsOf["rgba"])
			}
			th.Push(lua.LNumber(v))
			return 1
		},
		"__newindex": immutable("rgba"),
		"__eq":       equal[RGBA],
		"__tostring": func(th *lua.LState) int { th.Push(lua.LString(color(th).String())); return 1 },
	})
}

func equal[T comparable](th *lua.LState) int {
	a, ok := unbox[T](th.Get(1))
	b, ok2 := unbox[T](th.Get(2))
	th.Push(lua.LBool(ok && ok2 && *a == *b))
	return 1
}

func immutable(name string) lua.LGFunction {
	return func(th *lua.LState) int {
		sandbox.Raise(th, "%s.%s: it never changes; make a new one", name, th.Get(2).String())
		return 0
	}
}
