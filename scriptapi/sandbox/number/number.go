// Package number reads and writes numbers as Lua 5.1 does, for every library
// and for the literals of a script, so that there is one form of a number.
package number

import (
	"math"
	"strconv"
	"strings"
)

const space = " \t\n\v\f\r"

// Parse reads s as Lua 5.1 reads a numeric string: white space around it, a
// sign, decimal digits with fraction and exponent, or hexadecimal digits after
// 0x. A leading zero is no octal number. The words inf and nan, which some C
// libraries accept, are no numbers; a value too large is infinity.
func Parse(s string) (float64, bool) {
	s = strings.Trim(s, space)
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" {
		return 0, false
	}
	hex := len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x'
	if hex {
		return parseHex(s[:len(s)-len(digits)], digits[2:])
	}
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9', c == '.', c == 'e', c == 'E', c == '+', c == '-':
		default:
			return 0, false
		}
	}
	return parseFloat(s)
}

func parseHex(sign, digits string) (float64, bool) {
	exponent := false
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F', c == '.':
		case c == 'p' || c == 'P':
			exponent = true
		case (c == '+' || c == '-') && exponent:
		default:
			return 0, false
		}
	}
	if !exponent {
		digits += "p0"
	}
	return parseFloat(sign + "0x" + digits)
}

func parseFloat(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// ParseBase reads s as an integer of the given base, 2 to 36: white space
// around it, a sign, and 0x if base is 16.
func ParseBase(s string, base int) (float64, bool) {
	s = strings.Trim(s, space)
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if base == 16 && len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	if s == "" {
		return 0, false
	}
	value := 0.0
	for i := range len(s) {
		d := digit(s[i])
		if d >= base {
			return 0, false
		}
		value = value*float64(base) + float64(d)
	}
	if negative {
		value = -value
	}
	return value, true
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 36
}

// Append adds the text that tostring gives for f: at most 14 significant
// digits (%.14g), inf, -inf, and nan without a sign.
func Append(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	if i := int64(f); float64(i) == f && i > -1e14 && i < 1e14 && (i != 0 || !math.Signbit(f)) {
		return strconv.AppendInt(dst, i, 10)
	}
	return strconv.AppendFloat(dst, f, 'g', 14, 64)
}

// Format is Append as a string.
func Format(f float64) string {
	var buf [32]byte
	return string(Append(buf[:0], f))
}
