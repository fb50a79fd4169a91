package pattern

import (
	"fmt"
	"strings"
	"testing"
)

// find gives the result of a search as text: offsets and captures.
func find(src, pat string, spend func(int)) string {
	m := New(spend)
	m.Reset(src, pat)
	start, end, ok, err := m.Find(0)
	if err != nil {
		return "error: " + err.Error()
	}
	if !ok {
		return "none"
	}
	text := fmt.Sprintf("%d-%d", start, end)
	for i := range m.Captures() {
		c, err := m.Capture(i, start, end)
		switch {
		case err != nil:
			return "error: " + err.Error()
		case c.Position:
			text += fmt.Sprintf(" @%d", c.Start)
		default:
			text += fmt.Sprintf(" %q", src[c.Start:c.End])
		}
	}
	return text
}

func free(int) {}

func TestFind(t *testing.T) {
	for _, c := range []struct{ src, pat, want string }{
		{"hello", "l", "2-3"}, {"hello", "l+", "2-4"}, {"hello", "xyz", "none"}, {"hello", "", "0-0"}, {"", "", "0-0"},
		{"hello", "^h", "0-1"}, {"hello", "^e", "none"}, {"hello", "o$", "4-5"}, {"hello", "l$", "none"}, {"a$b", "a$b", "0-3"}, {"^x", "%^x", "0-2"},
		{"key = value", "(%w+)%s*=%s*(%w+)", `0-11 "key" "value"`}, {"abc", "()b()", "1-2 @1 @2"}, {"aaa", "(a-)$", `0-3 "aaa"`},
		{"f(a(b)c)d", "%b()", "1-8"}, {"((", "%b()", "none"}, {"THE (quick) fox", "%f[%a]%a+%f[%A]", "0-3"}, {"abab", "(ab)%1", `0-4 "ab"`}, {"abc", "(ab)%1", "none"},
		{"x-]", "[]]", "2-3"}, {"a-b", "[a-]+", "0-2"}, {"5", "[^%d]", "none"}, {"\x80", "%a", "none"}, {"\x00", "%z", "0-1"}, {"a\x00b", "\x00", "1-2"},
		{"aXb", "%u", "1-2"}, {"aXb", "%U", "0-1"}, {"  x", "%S", "2-3"}, {"aab", "a?a?a?b", "0-3"}, {"ac", "ab?c", "0-2"}, {"aaab", ".-b", "0-4"},
		{"x", "(", "error: unfinished capture"}, {"x", ")", "error: invalid pattern capture"}, {"x", "%", "error: malformed pattern (ends with '%')"},
		{"x", "[a", "error: malformed pattern (missing ']')"}, {"x", "[a%", "error: malformed pattern (missing ']')"}, {"x", "%b", "error: unbalanced pattern"},
		{"x", "%f", "error: missing '[' after '%f' in pattern"}, {"x", "%1", "error: invalid capture index"}, {"xx", "(x%1)", "error: invalid capture index"},
		{"x", strings.Repeat("()", 33), "error: too many captures"}, {"x", strings.Repeat("()", 2), "0-0 @0 @0"}, {"ab", "()%1", "none"},
	} {
		if got := find(c.src, c.pat, free); got != c.want {
			t.Errorf("find %q in %q: got %s, want %s", c.pat, c.src, got, c.want)
		}
	}
}

// A matcher that ended by a panic, or by an error, is as good as new after Reset.
func TestReset(t *testing.T) {
	m := New(func(n int) { panic("spent") })
	func() {
		defer func() { recover() }()
		m.Reset(strings.Repeat("a", 1000), ".-.-.-b")
		m.Find(0)
	}()
	m.spend = free
	m.Reset("x", "%")
	if _, _, _, err := m.Find(0); err == nil {
		t.Error("no error")
	}
	m.Reset("ab", "(b)")
	if start, end, ok, err := m.Find(0); start != 1 || end != 2 || !ok || err != nil || m.Captures() != 1 {
		t.Errorf("got %d-%d %v %v", start, end, ok, err)
	}
}

// Whatever it costs is paid, soon: a search never does much work between two payments.
func TestPays(t *testing.T) {
	type over struct{}
	for _, c := range []struct{ src, pat string }{
		{strings.Repeat("a", 30), strings.Repeat("a?", 30) + strings.Repeat("a", 30)},
		{strings.Repeat("a", 2000), strings.Repeat(".-", 5) + "b"},
		{strings.Repeat("a", 1_000_000), ".*b"},
		{strings.Repeat("(", 1_000_000), "%b()"},
		{strings.Repeat("b", 100_000), "[" + strings.Repeat("a", 100_000) + "]"},
		{strings.Repeat("a", 100_000), "(.*)%1b"},
	} {
		paid := 0
		func() {
			defer func() {
				if p := recover(); p != (over{}) {
					t.Errorf("%.20q ended after %d steps: %v", c.pat, paid, p)
				}
			}()
			find(c.src, c.pat, func(n int) {
				if n > 100_000 {
					t.Errorf("%.20q: %d steps at once", c.pat, n)
				}
				if paid += n; paid > 2_000_000 {
					panic(over{})
				}
			})
		}()
	}
}

// The list of choices is no longer than the pattern.
func TestChoices(t *testing.T) {
	m := New(free)
	pat := strings.Repeat("a?", 50_000)
	m.Reset(strings.Repeat("a", 100_000), pat)
	if _, end, ok, _ := m.Find(0); !ok || end != 50_000 {
		t.Errorf("got %d, %v", end, ok)
	}
	if len(m.choices) > len(pat) {
		t.Errorf("%d choices", len(m.choices))
	}
	if m.Reset("", ""); cap(m.choices) > keep {
		t.Errorf("room for %d choices is kept", cap(m.choices))
	}
}

// naive is the matcher as the manual tells it: each function gives all ends that
// are possible, in the order in which they are tried. It knows no captures.
func naive(m *Matcher, s, p int, found func(end int) bool) bool {
	if p == len(m.pat) {
		return found(s)
	}
	if m.pat[p] == '$' && p+1 == len(m.pat) {
		return s == len(m.src) && found(s)
	}
	end := m.itemEnd(p)
	var suffix byte
	if end < len(m.pat) {
		suffix = m.pat[end]
	}
	one := m.matchOne(s, p, end)
	switch suffix {
	case '?':
		return one && naive(m, s+1, end+1, found) || naive(m, s, end+1, found)
	case '*':
		return one && naive(m, s+1, p, found) || naive(m, s, end+1, found)
	case '+':
		if !one {
			return false
		}
		plain := *m
		plain.pat = m.pat[:end] + "*" + m.pat[end+1:]
		return naive(&plain, s+1, p, found)
	case '-':
		return naive(m, s, end+1, found) || one && naive(m, s+1, p, found)
	}
	return one && naive(m, s+1, end, found)
}

// A search ends in a match inside the source or an error, and without captures it
// finds what the naive matcher finds.
func FuzzFind(f *testing.F) {
	for _, seed := range [][2]string{{"hello world", "(%w+) (%w+)"}, {"aab", "a-b$"}, {"f(a)", "%b()%f[%z]"}, {"x", "[^]-a%d"}, {"abab", "(a)(b)%1%2"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, src, pat string) {
		type over struct{}
		defer func() {
			if p := recover(); p != nil && p != (over{}) {
				panic(p)
			}
		}()
		steps := 0
		m := New(func(n int) {
			if steps += n; steps > 200_000 {
				panic(over{})
			}
		})
		m.Reset(src, pat)
		start, end, ok, err := m.Find(0)
		if err != nil {
			return
		}
		if ok && (start < 0 || start > end || end > len(src)) {
			t.Fatalf("%q in %q: %d-%d of %d", pat, src, start, end, len(src))
		}
		for i := range m.Captures() {
			if c, err := m.Capture(i, start, end); ok && err == nil && (c.Start < start || c.Start > c.End || c.End > end) {
				t.Fatalf("%q in %q: capture %d is %v of %d-%d", pat, src, i, c, start, end)
			}
		}
		if strings.ContainsAny(pat, "()") || strings.Contains(pat, "%") || strings.HasPrefix(pat, "^") || len(src) > 200 {
			return
		}
		m.Reset(src, pat)
		for s := 0; s <= len(src); s++ {
			last := -1
			if naive(m, s, 0, func(end int) bool { last = end; return true }) {
				if !ok || start != s || end != last {
					t.Fatalf("%q in %q: got %d-%d %v, want %d-%d", pat, src, start, end, ok, s, last)
				}
				return
			}
			if m.err != nil {
				return
			}
		}
		if ok {
			t.Fatalf("%q in %q: got %d-%d, want none", pat, src, start, end)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	m := New(free)
	for b.Loop() {
		m.Reset("the quick brown fox jumps over the lazy dog", "(%w+) dog$")
		m.Find(0)
	}
}

// BenchmarkBacktrack is the price of a step: .* gives back one byte after the other.
func BenchmarkBacktrack(b *testing.B) {
	src, steps := strings.Repeat("a", 1000), 0
	m := New(func(n int) { steps += n })
	for b.Loop() {
		m.Reset(src, ".*b")
		m.Find(0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
