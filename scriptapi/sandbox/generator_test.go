package sandbox

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// generator writes one small Lua 5.1 program that always ends, from a seed. Variables are named by what they hold: n1 a number, s1 a
// string, t1 a table, f1 a function, x1 anything.
type generator struct {
	*rand.Rand
	out     strings.Builder
	scope   []string // visible variables
	named   int      // variables that have been named
	depth   int      // of blocks
	loops   int      // around, in this function: break is allowed
	varargs bool     // ... may be used
	yields  bool     // the function is a coroutine's own
}

// program gives the source number i of a seed, without its frame.
func program(seed, i uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, i)), varargs: true}
	for _, kind := range "nstx" {
		g.local(kind)
	}
	g.statements(4 + g.IntN(10))
	g.line("print(%s)", g.visible())
	return g.out.String()
}

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat(" ", g.depth))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// name makes a new name. It is visible once it is declared.
func (g *generator) name(kind rune) string {
	if g.named++; g.IntN(12) == 0 {
		if old, ok := g.variable(kind); ok { // hides another of the same kind
			return old
		}
	}
	return fmt.Sprintf("%c%d", kind, g.named)
}

func (g *generator) declare(names ...string) { g.scope = append(g.scope, names...) }

// variable picks a visible one, of the newest rather.
func (g *generator) variable(kind rune) (string, bool) {
	var of []string
	for _, v := range g.scope {
		if rune(v[0]) == kind {
			of = append(of, v)
		}
	}
	if len(of) == 0 {
		return "", false
	}
	return of[max(g.IntN(len(of)), g.IntN(len(of)))], true
}

// visible lists what can be printed.
func (g *generator) visible() string {
	var list []string
	for _, v := range g.scope {
		if v[0] != 'f' && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return strings.Join(list[max(len(list)-12, 0):], ", ")
}

// block writes the statements of an inner block between two lines.
func (g *generator) block(begin string, inside func(), end string) {
	g.line("%s", begin)
	outer := len(g.scope)
	g.depth++
	inside()
	g.depth--
	g.scope = g.scope[:outer]
	g.line("%s", end)
}

func (g *generator) some() { g.statements(1 + g.IntN(3)) }

func (g *generator) statements(n int) {
	for range n {
		g.statement()
	}
}

func (g *generator) statement() {
	if g.depth > 4 {
		g.assign()
		return
	}
	switch g.IntN(24) {
	case 0, 1, 2:
		g.local([]rune("nnsstxx")[g.IntN(7)])
	case 3, 4, 5:
		g.assign()
	case 6:
		g.line("print(%s)", g.list(1+g.IntN(3)))
	case 7:
		g.branch()
	case 8, 9, 10:
		g.loop()
	case 11, 12:
		g.function()
	case 13:
		g.block("do", g.some, "end")
	case 14, 15:
		g.protected()
	case 16:
		g.metatable()
	case 17:
		g.coroutine()
	case 18:
		g.method()
	case 19:
		g.closures()
	case 20:
		if t, ok := g.variable('t'); ok {
			g.line("if dense(%s) then %s end", t, g.pick("table.insert("+t+", "+g.any()+")", "table.insert("+t+", 1, "+g.any()+")", "print(table.remove("+t+"))",
				"table.sort("+t+", function(a, b) return tostring(a) < tostring(b) end)", t+"[#"+t+" + 1] = "+g.any()))
		}
	case 21:
		g.results()
	case 22:
		if g.yields {
			g.line("%s", g.pick("coroutine.yield()", "print('back', coroutine.yield("+g.list(1+g.IntN(2))+"))", "local "+g.newAny()+" = coroutine.yield("+g.any()+")"))
		}
	case 23:
		if g.loops > 0 {
			g.line("if %s then break end", g.condition())
		}
	}
}

func (g *generator) newAny() string {
	x := g.name('x')
	g.declare(x)
	return x
}

func (g *generator) local(kind rune) {
	if kind == 'x' && g.IntN(3) == 0 { // several
		names := []string{g.name('x'), g.name('x'), g.name('x')}[:2+g.IntN(2)]
		g.line("local %s = %s", strings.Join(names, ", "), g.list(1+g.IntN(4)))
		g.declare(names...)
		return
	}
	name := g.name(kind)
	g.line("local %s = %s", name, g.of(kind))
	g.declare(name)
}

func (g *generator) of(kind rune) string {
	switch kind {
	case 'n':
		return g.number()
	case 's':
		return g.text()
	case 't':
		return g.table()
	}
	return g.any()
}

// assign sets variables and fields, several at once too.
func (g *generator) assign() {
	var targets, values []string
	for range 1 + max(0, g.IntN(6)-3) {
		kind := []rune("nsxxt")[g.IntN(5)]
		v, ok := g.variable(kind)
		if !ok {
			continue
		}
		if kind == 't' {
			v, kind = v+g.key(), 'x'
		}
		targets, values = append(targets, v), append(values, g.of(kind))
	}
	switch {
	case len(targets) == 0:
	case len(targets) == 2 && g.IntN(2) == 0 && targets[0][0] == targets[1][0] && !strings.ContainsAny(targets[0]+targets[1], ".["):
		g.line("%s, %s = %[2]s, %[1]s", targets[0], targets[1])
	default:
		g.line("%s = %s", strings.Join(targets, ", "), strings.Join(values, ", "))
	}
}

func (g *generator) key() string {
	return g.pick(".a", ".b", "[1]", "[2]", "[3]", `["a"]`, "[ "+g.text()+" ]", "[#"+g.text()+"]", "[true]")
}

func (g *generator) branch() {
	g.block("if "+g.condition()+" then", g.some, "")
	for range g.IntN(3) {
		g.block("elseif "+g.condition()+" then", g.some, "")
	}
	if g.IntN(2) == 0 {
		g.block("else", g.some, "")
	}
	g.line("end")
}

func (g *generator) loop() {
	g.loops++
	defer func() { g.loops-- }()
	body := func() {
		g.line("tick()")
		g.some()
	}
	switch g.IntN(5) {
	case 0, 1:
		i := g.name('n')
		bounds := g.pick("1, 3", "3, 1, -1", "1, 2, 0.5", "0, -1", "#"+g.text()+", 4", "'1', '2'", "1, 0")
		g.block("for "+i+" = "+bounds+" do", func() { g.declare(i); body() }, "end")
	case 2:
		k, v := g.name('x'), g.name('x')
		of := g.pick("ipairs("+g.table()+")", "string.gmatch("+g.text()+", '%a')", "each("+g.list(3)+")", "ipairs{"+g.list(3)+"}")
		g.block("for "+k+", "+v+" in "+of+" do", func() { g.declare(k, v); body() }, "end")
	case 3:
		g.named++
		i := fmt.Sprintf("i%d", g.named)
		g.line("local %s = 0", i)
		g.block(g.pick("while "+i+" < 3 do", "while "+i+" < 2 and "+g.condition()+" do"), func() { g.line("%s = %[1]s + 1", i); body() }, "end")
	case 4:
		g.named++
		i := fmt.Sprintf("i%d", g.named)
		g.line("local %s = 0", i)
		g.line("repeat")
		outer := len(g.scope)
		g.depth++
		g.line("%s = %[1]s + 1", i)
		body()
		last := g.pick(i+" >= 2", i+" > 1 or "+g.condition()) // may use the body's variables
		g.depth--
		g.scope = g.scope[:outer]
		g.line("until %s", last)
	}
}

// body writes a function's parameters and statements.
func (g *generator) body(head func(params string) string, end string, inside func()) {
	loops, varargs, yields := g.loops, g.varargs, g.yields
	var params []string
	for range g.IntN(3) {
		params = append(params, g.name('x'))
	}
	g.loops, g.varargs, g.yields = 0, g.IntN(3) == 0, false
	list := slices.Clone(params)
	if g.varargs {
		list = append(list, "...")
	}
	g.block(head(strings.Join(list, ", ")), func() {
		g.declare(params...)
		g.line("enter()")
		inside()
	}, end)
	g.loops, g.varargs, g.yields = loops, varargs, yields
}

func (g *generator) returning() {
	g.some()
	switch g.IntN(5) {
	case 0:
	case 1:
		g.line("return %s", g.call())
	default:
		g.line("return %s", g.list(g.IntN(3)))
	}
}

func (g *generator) function() {
	f := g.name('f')
	if g.IntN(3) == 0 {
		g.body(func(params string) string { return "local " + f + " = function(" + params + ")" }, "end", g.returning)
	} else {
		g.body(func(params string) string { return "local function " + f + "(" + params + ")" }, "end", g.returning)
	}
	g.declare(f)
	g.line("print(%s(%s))", f, g.list(g.IntN(4)))
}

// protected is a pcall or xpcall of what may fail.
func (g *generator) protected() {
	x, y := g.name('x'), g.name('x')
	begin, end := "pcall(function(", "end, "+g.list(1)+")"
	if g.IntN(4) == 0 {
		begin, end = "xpcall(function(", "end, fault)"
	}
	g.body(func(params string) string { return "local " + x + ", " + y + " = " + begin + params + ")" }, end, func() {
		g.some()
		g.line("%s", g.pick("error("+g.any()+")", "error("+g.text()+", "+g.pick("0", "1", "2")+")", "error{"+g.list(1)+"}", "local _ = ("+g.any()+")"+g.pick(".a.b", "()", " + {}", " .. {}", " < {}"),
			"return "+g.list(2), "if "+g.condition()+" then error('early') end", "error()"))
	})
	g.declare(x, y)
	g.line("%s = fault(%[1]s)", y)
	g.line("print(%s, %s)", x, y)
}

func (g *generator) metatable() {
	t := g.name('t')
	plain := g.table()
	// Not __unm, which gets its operand twice in lua5.1, nor __len, which it does not have for tables.
	event := g.pick("__index", "__newindex", "__call", "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__concat", "__eq", "__lt", "__le", "__tostring")
	g.body(func(params string) string {
		return "local " + t + " = setmetatable(" + plain + ", { " + event + " = function(" + params + ")"
	}, "end })", func() {
		g.some()
		if event == "__tostring" {
			g.line("return %s", g.text())
		} else {
			g.line("return %s", g.list(2))
		}
	})
	g.declare(t)
	varargs := g.varargs
	g.varargs = false // of the function around the use
	defer func() { g.varargs = varargs }()
	use := map[string]string{
		"__index": "T.zz", "__newindex": "(function() T.zz = 1 return rawget(T, 'zz') end)()", "__call": "T(" + g.list(2) + ")", "__add": "T + 1", "__sub": "1 - T", "__mul": "T * 'x'",
		"__div": "T / T", "__mod": "T % 2", "__pow": "2 ^ T", "__concat": g.pick("T .. 'x'", "1 .. T", "T .. T", "'a' .. 'b' .. T .. 'c' .. 'd'"), "__eq": "T == setmetatable({}, getmetatable(T))",
		"__lt": "T < T", "__le": "T <= setmetatable({}, getmetatable(T))", "__tostring": "tostring(T)",
	}[event]
	g.line("print(pcall(function() return %s end))", strings.ReplaceAll(use, "T", t))
}

func (g *generator) coroutine() {
	co := g.name('x')
	g.body(func(params string) string { return "local " + co + " = coroutine.create(function(" + params + ")" }, "end)", func() {
		g.yields = true
		g.line("coroutines = coroutines + 1 if coroutines > 10 then error('coroutines') end")
		g.some()
		g.line("coroutine.yield(%s)", g.list(2))
		g.returning()
	})
	for range 1 + g.IntN(4) {
		g.line("print(status(%s), coroutine.resume(%s))", co, strings.TrimSuffix(co+", "+g.list(g.IntN(3)), ", "))
	}
	g.line("print(coroutine.status(%s))", co)
	g.line("%s = nil", co)
	g.declare(co)
}

func (g *generator) method() {
	t, ok := g.variable('t')
	if !ok {
		return
	}
	name := g.pick("m", "a.m", "k")
	colon := g.pick(":", ".")
	if name == "a.m" {
		g.line("%s.a = {}", t)
	}
	at := strings.LastIndexByte("."+name, '.')
	path := t + ("." + name)[:at]
	last := ("." + name)[at+1:]
	g.body(func(params string) string { return "function " + path + colon + last + "(" + params + ")" }, "end", g.returning)
	g.line("print(%s:%s(%s))", path, last, g.list(g.IntN(3)))
	g.line("%s.%s = nil", path, last)
}

// closures makes functions in a loop, which share or do not share their variables.
func (g *generator) closures() {
	t, i, x := g.name('t'), g.name('n'), g.name('x')
	g.line("local %s = {}", t)
	g.block("for "+i+" = 1, 3 do", func() {
		g.declare(i)
		g.line("local %s = %s", x, g.any())
		g.declare(x)
		g.line("%s[%s] = { get = function() return %s, %[2]s end, set = function(v) %[3]s = v end }", t, i, x)
		if g.IntN(3) == 0 {
			g.line("if %s then break end", g.condition())
		}
	}, "end")
	g.line("if %s[2] then %[1]s[2].set(%s) end", t, g.any())
	g.line("for i, c in ipairs(%s) do print(i, c.get()) end", t)
	g.line("%s = {}", t)
	g.declare(t)
}

// results spreads and cuts several values.
func (g *generator) results() {
	f, ok := g.variable('f')
	if !ok {
		return
	}
	call := f + "(" + g.list(2) + ")"
	g.line("print(%s)", g.pick("select('#', "+call+")", "("+call+")", call+", "+call, "len{"+call+", "+call+"}", "unpack({"+g.any()+", "+call+"}, 1, 3)", "("+call+") == nil", "select(-1, 0, "+call+")",
		"(function(...) return select('#', ...), ... end)("+call+")", "math.max(1, #tostring("+call+" or 1))"))
}
