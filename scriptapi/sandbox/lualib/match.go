package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
	"darqline/scriptapi/sandbox/pattern"
)

// matcher takes a matcher from the free ones of the state. It comes back by free at
// a regular end alone, and so never while a stopped resource unwinds.
func (l *library) matcher(src, pat string) *pattern.Matcher {
	var m *pattern.Matcher
	if n := len(l.matchers); n > 0 {
		m = l.matchers[n-1]
		l.matchers = l.matchers[:n-1]
	} else {
		m = pattern.New(l.meter.Spend)
	}
	m.Reset(src, pat)
	return m
}

const maxFreeMatchers = 4

func (l *library) free(m *pattern.Matcher) {
	m.Reset("", "")
	if len(l.matchers) < maxFreeMatchers {
		l.matchers = append(l.matchers, m)
	}
}

func check(L *lua.LState, err error) {
	if err != nil {
		fail(L, "%s", err)
	}
}

func (l *library) strFind(L *lua.LState) int  { return l.find(args{L, "find"}, true) }
func (l *library) strMatch(L *lua.LState) int { return l.find(args{L, "match"}, false) }

func (l *library) find(a args, positions bool) int {
	L, s, pat := a.L, a.str(1), a.str(2)
	from := a.optInteger(3, 1)
	if from < 0 {
		from += len(s) + 1
	}
	from = min(max(from-1, 0), len(s))
	if positions && (lua.LVAsBool(L.Get(4)) || pattern.Plain(pat)) {
		return l.findPlain(L, s, pat, from)
	}
	m := l.matcher(s, pat)
	start, end, ok, err := m.Find(from)
	check(L, err)
	n := 1
	switch {
	case !ok:
		L.Push(lua.LNil)
	case positions:
		L.Push(lua.LNumber(start + 1))
		L.Push(lua.LNumber(end))
		n = 2 + pushCaptures(L, m, s, start, end, 0)
	default:
		n = pushCaptures(L, m, s, start, end, 1)
	}
	l.free(m)
	return n
}

func (l *library) findPlain(L *lua.LState, s, text string, from int) int {
	l.pay(len(s) - from)
	i := strings.Index(s[from:], text)
	if i < 0 {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(lua.LNumber(from + i + 1))
	L.Push(lua.LNumber(from + i + len(text)))
	return 2
}

// pushCaptures pushes the captures of a match, at least so many.
func pushCaptures(L *lua.LState, m *pattern.Matcher, s string, start, end, least int) int {
	n := max(m.Captures(), least)
	for i := range n {
		L.Push(capture(L, m, s, i, start, end))
	}
	return n
}

func capture(L *lua.LState, m *pattern.Matcher, s string, i, start, end int) lua.LValue {
	c, err := m.Capture(i, start, end)
	check(L, err)
	if c.Position {
		return lua.LNumber(c.Start + 1)
	}
	return lua.LString(s[c.Start:c.End])
}

// strGmatch returns an iterator that looks for the next match when it is asked.
func (l *library) strGmatch(L *lua.LState) int {
	a := args{L, "gmatch"}
	s, pat := a.str(1), a.str(2)
	from := 0
	L.Push(L.NewFunction(func(L *lua.LState) int {
		if from > len(s) {
			return 0
		}
		m := l.matcher(s, pat)
		start, end, ok, err := m.Next(from)
		check(L, err)
		n := 0
		if ok {
			n = pushCaptures(L, m, s, start, end, 1)
		}
		l.free(m)
		switch {
		case !ok:
			from = len(s) + 1
		case end == start:
			from = end + 1
		default:
			from = end
		}
		return n
	}))
	return 1
}

// strGsub builds its result in one pass.
func (l *library) strGsub(L *lua.LState) int {
	a := args{L, "gsub"}
	s, pat := a.str(1), a.str(2)
	by := a.replacement(3)
	most := a.optInteger(4, len(s)+1)
	anchored := strings.HasPrefix(pat, "^")
	m := l.matcher(s, pat)
	out := builder{L: L, name: "gsub"}
	from, n := 0, 0
	for n < most {
		start, end, ok, err := m.Find(from)
		check(L, err)
		if !ok {
			break
		}
		n++
		l.meter.Spend(4)
		out.add(s[from:start])
		l.replace(&out, by, m, s, start, end)
		from = end
		if end == start {
			if start == len(s) {
				break
			}
			out.add(s[start : start+1])
			from++
		}
		if anchored {
			break
		}
	}
	out.add(s[min(from, len(s)):])
	l.free(m)
	l.pay(out.Len())
	L.Push(lua.LString(out.String()))
	L.Push(lua.LNumber(n))
	return 2
}

// replacement gives the third argument of gsub: LString, *LTable or *LFunction.
func (a args) replacement(n int) lua.LValue {
	switch v := a.L.Get(n).(type) {
	case lua.LNumber, lua.LString:
		return lua.LString(a.str(n))
	case *lua.LTable, *lua.LFunction:
		return v
	}
	a.missing(n, "string/function/table")
	return nil
}

// replace adds what stands for the match s[start:end].
func (l *library) replace(out *builder, by lua.LValue, m *pattern.Matcher, s string, start, end int) {
	L := out.L
	var value lua.LValue
	switch by := by.(type) {
	case lua.LString:
		expand(out, string(by), m, s, start, end)
		return
	case *lua.LTable:
		value = L.GetTable(by, capture(L, m, s, 0, start, end))
	case *lua.LFunction:
		L.Push(by)
		L.Call(pushCaptures(L, m, s, start, end, 1), 1)
		value = L.Get(-1)
		L.Pop(1)
	}
	switch v := value.(type) {
	case lua.LString:
		out.add(string(v))
	case lua.LNumber:
		out.add(number.Format(float64(v)))
	default:
		if lua.LVAsBool(value) {
			fail(L, "invalid replacement value (a %s)", value.Type())
		}
		out.add(s[start:end])
	}
}

// expand adds a replacement text, in which %0 is the match, %1 to %9 are the
// captures and % before anything else stands for that.
func expand(out *builder, text string, m *pattern.Matcher, s string, start, end int) {
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			out.add(text)
			return
		}
		out.add(text[:i])
		if i+1 == len(text) {
			fail(out.L, "invalid use of '%%' in replacement string: it ends with '%%', write '%%%%'")
		}
		switch c := text[i+1]; {
		case c == '0':
			out.add(s[start:end])
		case c >= '1' && c <= '9':
			switch v := capture(out.L, m, s, int(c-'1'), start, end).(type) {
			case lua.LString:
				out.add(string(v))
			case lua.LNumber:
				out.add(number.Format(float64(v)))
			}
		default:
			out.add(text[i+1 : i+2])
		}
		text = text[i+2:]
	}
}

// builder is a strings.Builder that never grows over MaxString.
type builder struct {
	strings.Builder
	L    *lua.LState
	name string
}

func (b *builder) add(s string) {
	limit(b.L, b.name, b.Len()+len(s))
	b.WriteString(s)
}
