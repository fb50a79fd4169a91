package lualib

import (
	crypto "crypto/rand"
	"encoding/binary"
	"math"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"
)

// generator is the source of math.random of one state.
type generator struct{ source *rand.Rand }

// seed starts the sequence that belongs to s; 0 takes a seed from the system.
func (g *generator) seed(s uint64) {
	if s == 0 {
		var b [8]byte
		crypto.Read(b[:])
		s = binary.LittleEndian.Uint64(b[:])
	}
	g.source = rand.New(rand.NewPCG(s, 0x64617271))
}

func (l *library) openMath(L *lua.LState) {
	t := module(L, map[string]lua.LGFunction{
		"atan2": math2("atan2", math.Atan2), "fmod": math2("fmod", math.Mod), "mod": math2("mod", math.Mod),
		"pow":   math2("pow", math.Pow),
		"frexp": mathFrexp, "ldexp": mathLdexp, "modf": mathModf,
		"max": mathMax, "min": mathMin,
		"random": l.mathRandom, "randomseed": l.mathRandomSeed,
	})
	for name, f := range map[string]func(float64) float64{
		"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "ceil": math.Ceil,
		"cos": math.Cos, "cosh": math.Cosh, "deg": degrees, "exp": math.Exp, "floor": math.Floor,
		"log": math.Log, "log10": math.Log10, "rad": radians, "sin": math.Sin, "sinh": math.Sinh,
		"sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
	} {
		t.RawSetString(name, L.NewFunction(func(L *lua.LState) int {
			L.Push(lua.LNumber(f(args{L, name}.num(1))))
			return 1
		}))
	}
	t.RawSetString("pi", lua.LNumber(math.Pi))
	t.RawSetString("huge", lua.LNumber(math.Inf(1)))
	L.SetGlobal("math", t)
}

func degrees(x float64) float64 { return x / (math.Pi / 180) }
func radians(x float64) float64 { return x * (math.Pi / 180) }

func math2(name string, f func(x, y float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		a := args{L, name}
		x := a.num(1)
		L.Push(lua.LNumber(f(x, a.num(2))))
		return 1
	}
}

func mathFrexp(L *lua.LState) int {
	fraction, exponent := math.Frexp(args{L, "frexp"}.num(1))
	L.Push(lua.LNumber(fraction))
	L.Push(lua.LNumber(exponent))
	return 2
}

func mathLdexp(L *lua.LState) int {
	a := args{L, "ldexp"}
	fraction := a.num(1)
	L.Push(lua.LNumber(math.Ldexp(fraction, a.integer(2))))
	return 1
}

func mathModf(L *lua.LState) int {
	x := args{L, "modf"}.num(1)
	whole, fraction := math.Trunc(x), 0.0
	if !math.IsInf(x, 0) {
		fraction = x - whole
	}
	fraction = math.Copysign(fraction, x)
	L.Push(lua.LNumber(whole))
	L.Push(lua.LNumber(fraction))
	return 2
}

func mathMax(L *lua.LState) int {
	return pick(args{L, "max"}, func(a, b float64) bool { return a > b })
}
func mathMin(L *lua.LState) int {
	return pick(args{L, "min"}, func(a, b float64) bool { return a < b })
}

func pick(a args, better func(a, b float64) bool) int {
	best := a.num(1)
	for i := 2; i <= a.L.GetTop(); i++ {
		if x := a.num(i); better(x, best) {
			best = x
		}
	}
	a.L.Push(lua.LNumber(best))
	return 1
}

// mathRandom: random() is in [0, 1), random(m) in 1..m, random(m, n) in m..n.
func (l *library) mathRandom(L *lua.LState) int {
	a := args{L, "random"}
	r := l.random.source.Float64()
	low, high, last := 1, 0, 1
	switch L.GetTop() {
	case 0:
		L.Push(lua.LNumber(r))
		return 1
	case 1:
		high = a.integer(1)
	case 2:
		low, high, last = a.integer(1), a.integer(2), 2
	default:
		fail(L, "wrong number of arguments to 'random' (expected 0, 1 or 2, got %d)", L.GetTop())
	}
	if low > high {
		a.fault(last, "interval is empty")
	}
	L.Push(lua.LNumber(math.Floor(r*(float64(high)-float64(low)+1)) + float64(low)))
	return 1
}

// mathRandomSeed starts the sequence of a number, for this state alone. Every
// number has its own sequence, which stays the same from run to run.
func (l *library) mathRandomSeed(L *lua.LState) int {
	bits := math.Float64bits(args{L, "randomseed"}.num(1))
	l.random.seed(bits | 1<<63) // never 0, which asks the system; -x is as x
	return 0
}
