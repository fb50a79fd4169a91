package sandbox

import (
	"fmt"
	"strings"
)

// list gives n expressions; the last may be a call or ... that gives several.
func (g *generator) list(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = g.any()
		if i == n-1 && g.IntN(3) == 0 {
			words[i] = g.call()
		}
	}
	return strings.Join(words, ", ")
}

func (g *generator) call() string {
	if f, ok := g.variable('f'); ok && g.IntN(3) > 0 {
		return f + "(" + g.any() + ")"
	}
	if g.varargs && g.IntN(2) == 0 {
		return "..."
	}
	return g.pick("pcall(tostring, "+g.any()+")", "select(2, "+g.any()+", "+g.any()+", 3)", "unpack({"+g.any()+", "+g.any()+"}, 1, 2)", "string.find("+g.text()+", 'a')", "string.byte("+g.text()+", 1, 2)", "string.gsub(cut("+g.text()+"), '[ab]', '<%0>')")
}

func (g *generator) any() string {
	if v, ok := g.variable('x'); ok && g.IntN(3) == 0 {
		return v
	}
	switch g.IntN(10) {
	case 0, 1, 2:
		return g.number()
	case 3, 4, 5:
		return g.text()
	case 6:
		return g.pick("nil", "true", "false")
	case 7:
		return "(" + g.condition() + ")"
	case 8:
		if t, ok := g.variable('t'); ok {
			return t + g.key()
		}
	}
	return g.logical()
}

func (g *generator) logical() string {
	return "(" + g.simple() + g.pick(" and ", " or ") + g.simple() + g.pick("", "", " and "+g.simple(), " or "+g.simple()) + ")"
}

// simple is an expression without another in it.
func (g *generator) simple() string {
	if v, ok := g.variable([]rune("nsx")[g.IntN(3)]); ok && g.IntN(3) > 0 {
		return v
	}
	return g.pick("nil", "false", "true", "0", "1", "-2.5", "''", "'a'", "not "+g.constant(), "#"+g.constant())
}

func (g *generator) constant() string { return g.pick("'abc'", "'x'", "''") }

func (g *generator) condition() string {
	switch g.IntN(7) {
	case 0:
		return g.number() + g.pick(" < ", " <= ", " > ", " >= ", " == ", " ~= ") + g.number()
	case 1:
		return g.text() + g.pick(" < ", " <= ", " > ", " >= ", " == ", " ~= ") + g.text()
	case 2:
		return "not " + g.simple()
	case 3:
		return g.simple() + g.pick(" == ", " ~= ") + g.simple()
	case 4:
		return g.logical()
	case 5:
		return "not " + g.logical() + g.pick(" and ", " or ") + g.simple()
	}
	return g.simple()
}

func (g *generator) number() string {
	if v, ok := g.variable('n'); ok && g.IntN(2) == 0 {
		return v
	}
	// There must be no -0: the machine makes it 0, and the compilers of both take one for the other as constants.
	opaque := "#''"
	if v, ok := g.variable('n'); ok {
		opaque = v
	}
	switch g.IntN(9) {
	case 0:
		return "(" + opaque + g.pick(" + ", " - ", " * ") + g.number() + " + 0)"
	case 1:
		return "(" + opaque + g.pick(" / 4", " ^ 2", " - -1", " + 0x10", " * 1e2") + ")"
	case 2:
		return g.pick("#"+g.text(), "(#"+g.text()+" % -3)", "((0.5 - #"+g.text()+") % 3)") // of large numbers C's % is rounded
	case 3:
		if t, ok := g.variable('t'); ok {
			return "len(" + t + ")"
		}
	case 4:
		return "(- " + opaque + " + 0)"
	case 5:
		return g.pick("('2' + 1)", "(10 .. 1) + 0", "math.floor("+g.number()+" / 3)", "math.max("+g.number()+", 2)", "tonumber('12')", "select('#', "+g.any()+")")
	}
	return g.pick("0", "1", "2", "3", "-1", "0.5", "10", "1e3", "0xff", "3.25", ".5", "7.0")
}

// text is a string that is kept short: what a loop doubles would have no end.
func (g *generator) text() string {
	if v, ok := g.variable('s'); ok && g.IntN(2) == 0 {
		return v
	}
	switch g.IntN(8) {
	case 0:
		return "cut(" + g.text() + " .. " + g.text() + ")"
	case 1:
		return "cut(" + g.number() + " .. " + g.text() + " .. " + g.number() + ")"
	case 2:
		return "tostring(" + g.any() + ")"
	case 3:
		return "cut(" + g.text3() + ":" + g.pick("sub(2)", "sub(-2, -1)", "upper()", "rep(2)", "reverse()", "gsub('a', 'b')", "gsub('.', string.upper, 1)", "format()", "lower():rep(2, ',')") + ")"
	case 4:
		return fmt.Sprintf("string.format(%s, %s, %s)", g.pick("'%s-%d'", "'%5s|%3d'", "'%-4s%x'"), g.text(), g.pick("1", "42", "7"))
	}
	return g.pick("''", "'a'", "\"b\"", "'abc'", "[[long]]", `"a\tb\65\n"`, "'10'", "'x y'", "[=[ ]] ]=]")
}

// text3 is a string that methods can be called on, without % for format.
func (g *generator) text3() string { return "(" + g.pick("'abc'", "'banana'", "'x'", g.text()) + ")" }

func (g *generator) table() string {
	if v, ok := g.variable('t'); ok && g.IntN(3) == 0 {
		return v
	}
	var b strings.Builder
	b.WriteString("{")
	for range g.IntN(4) {
		b.WriteString(g.pick(" "+g.any(), " "+g.any(), " a = "+g.any(), " [ "+g.text()+" ] = "+g.any(), " [2] = 'two'", " b = { "+g.any()+" }"))
		b.WriteString(g.pick(",", ";"))
	}
	if g.IntN(4) == 0 {
		b.WriteString(" " + g.call())
	}
	b.WriteString(" }")
	return b.String()
}
