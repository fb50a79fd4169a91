package number

import (
	"math"
	"testing"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]float64{
		"0": 0, "10": 10, " 5\t\n": 5, "-3": -3, "+3": 3, "1e2": 100, "1E-2": 0.01, ".5": 0.5, "5.": 5, "010": 10, "0x10": 16, "-0XfF": -255, "0x.8": 0.5, "0x1p4": 16,
		"1e999": math.Inf(1), "-1e999": math.Inf(-1), "9223372036854775808": 1 << 63,
	} {
		if got, ok := Parse(s); !ok || got != want {
			t.Errorf("%q: got %v, %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", " ", "-", "--1", "+-1", "1 2", "0x", "0xg", "1_000", "0x_1", "0b1", "0o7", "inf", "nan", "Infinity", "1e", ".", "e5", "1e+", "0x1p", "５", "1\x00"} {
		if got, ok := Parse(s); ok {
			t.Errorf("%q: got %v, want none", s, got)
		}
	}
}

func TestParseBase(t *testing.T) {
	for _, c := range []struct {
		s    string
		base int
		want float64
	}{{"ff", 16, 255}, {" -0xFF ", 16, -255}, {"777", 8, 511}, {"1010", 2, 10}, {"zZ", 36, 1295}, {"10", 10, 10}} {
		if got, ok := ParseBase(c.s, c.base); !ok || got != c.want {
			t.Errorf("%q in base %d: got %v, %v", c.s, c.base, got, ok)
		}
	}
	for _, s := range []string{"", "-", "8", "1.5", "0x7", "1 1"} {
		if got, ok := ParseBase(s, 8); ok {
			t.Errorf("%q in base 8: got %v", s, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for want, f := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "1": 1, "-42": -42, "1e+15": 1e15, "99999999999999": 99999999999999, "1e+14": 1e14, "9.007199254741e+15": 1 << 53,
		"0.1": 0.1, "0.3": 0.1 + 0.2, "inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(), "3.1415926535898": math.Pi, "1e-05": 1e-5,
	} {
		if got := Format(f); got != want {
			t.Errorf("%v: got %s, want %s", f, got, want)
		}
	}
}
