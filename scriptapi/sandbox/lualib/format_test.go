package lualib

import (
	"math"
	"regexp"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/number"
)

// goFault is Go's own text for a wrong conversion: "%!d(string=x)", "%!(NOVERB)".
var goFault = regexp.MustCompile(`%!.?\(`)

// Go's own words for a wrong conversion never show.
func FuzzFormat(f *testing.F) {
	for _, seed := range []string{"%d", "%-+ #05.3f|%q", "%5.1g%%%s", "%99.99e", "%c%u%o%X", "%#x"} {
		f.Add(seed, 1.5, "text")
	}
	f.Fuzz(func(t *testing.T, format string, n float64, s string) {
		m := newMachine(t)
		m.Push(m.GetField(m.GetGlobal("string"), "format"))
		m.Push(lua.LString(format))
		for range strings.Count(format, "%") {
			m.Push(lua.LNumber(n))
		}
		if err := m.PCall(1+strings.Count(format, "%"), 1, nil); err != nil {
			return
		}
		if got := m.Get(-1).String(); goFault.MatchString(got) && !strings.ContainsAny(format, "!(") || len(got) > MaxString {
			t.Fatalf("%q of %v gives %q", format, n, got)
		}
	})
}

// Whatever number is written can be read, and 17 digits bring the same one back.
func FuzzNumber(f *testing.F) {
	f.Add(1e15)
	f.Add(-0.1)
	f.Fuzz(func(t *testing.T, n float64) {
		text := number.Format(n)
		if math.IsNaN(n) || math.IsInf(n, 0) {
			if _, ok := number.Parse(text); ok {
				t.Fatalf("%q is read as a number", text)
			}
			return
		}
		back, ok := number.Parse(text)
		if !ok || math.Abs(back-n) > math.Abs(n)*1e-13 {
			t.Fatalf("%v is written %q and read %v", n, text, back)
		}
		exact := verb{letter: 'g', precision: 17}.float(n)
		if back, ok := number.Parse(exact); !ok || back != n {
			t.Fatalf("%v is formatted %q and read %v", n, exact, back)
		}
	})
}
