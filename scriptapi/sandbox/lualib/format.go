package lualib

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// strFormat is string.format with the options of Lua 5.1: c d i u o x X e E f g G
// q s and %%. A fraction is cut off for the integers; what has no integer of 64
// bits is an error.
func (l *library) strFormat(L *lua.LState) int {
	a := args{L, "format"}
	format := a.str(1)
	l.pay(len(format))
	out := builder{L: L, name: "format"}
	arg := 1
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			out.add(format)
			break
		}
		out.add(format[:i])
		format = format[i+1:]
		if format != "" && format[0] == '%' {
			out.add("%")
			format = format[1:]
			continue
		}
		var v verb
		v, format = parseVerb(L, format)
		arg++
		text := v.text(a, arg)
		l.meter.Spend(v.price(len(text)))
		out.add(text)
	}
	L.Push(lua.LString(out.String()))
	return 1
}

// verb is one conversion: flags, width and precision, and its letter.
type verb struct {
	left, plus, blank, alternate, zero bool
	width, precision                   int // precision -1: none
	letter                             byte
}

const flags = "-+ #0"

func parseVerb(L *lua.LState, s string) (v verb, rest string) {
	i := 0
	for ; i < len(s) && strings.IndexByte(flags, s[i]) >= 0; i++ {
		switch s[i] {
		case '-':
			v.left = true
		case '+':
			v.plus = true
		case ' ':
			v.blank = true
		case '#':
			v.alternate = true
		case '0':
			v.zero = true
		}
	}
	if i > len(flags) {
		fail(L, "invalid format (repeated flags)")
	}
	v.width, i = twoDigits(s, i)
	v.precision = -1
	if i < len(s) && s[i] == '.' {
		v.precision, i = twoDigits(s, i+1)
	}
	if i < len(s) && s[i] >= '0' && s[i] <= '9' {
		fail(L, "invalid format (width or precision too long)")
	}
	if i == len(s) {
		fail(L, "invalid option '%%' to 'format': the format ends with '%%', write '%%%%'")
	}
	v.letter = s[i]
	if strings.IndexByte("cdiuoxXeEfgGqs", v.letter) < 0 {
		fail(L, "invalid option '%%%s' to 'format'", printable(v.letter))
	}
	return v, s[i+1:]
}

func printable(c byte) string {
	if c < ' ' || c > '~' {
		return "\\" + strconv.Itoa(int(c))
	}
	return string(rune(c))
}

func twoDigits(s string, i int) (n, end int) {
	for end = i; end < len(s) && end < i+2 && s[end] >= '0' && s[end] <= '9'; end++ {
		n = 10*n + int(s[end]-'0')
	}
	return n, end
}

// price is what a conversion to n bytes costs. The many digits of a float are
// long divisions: up to 20 us for one.
func (v verb) price(n int) int {
	switch {
	case strings.IndexByte("eEfgG", v.letter) < 0:
		return 4 + n/bytesPerUnit
	case v.precision > 17:
		return 4 + 16*n
	}
	return 4 + n
}

// text converts the argument n.
func (v verb) text(a args, n int) string {
	switch v.letter {
	case 'c':
		return v.pad("", string([]byte{byte(a.integer(n))}))
	case 'd', 'i':
		return v.integer(a.int64(n))
	case 'u', 'o', 'x', 'X':
		return v.unsigned(a.uint64(n))
	case 'e', 'E', 'f', 'g', 'G':
		return v.float(a.num(n))
	case 'q':
		return quote(a.str(n))
	}
	s := a.str(n)
	if v.precision >= 0 && v.precision < len(s) {
		s = s[:v.precision]
	}
	v.zero = false
	return v.pad("", s)
}

// pad fills up to the width; sign stays in front of zeros.
func (v verb) pad(sign, s string) string {
	fill := v.width - len(sign) - len(s)
	switch {
	case fill <= 0:
		return sign + s
	case v.left:
		return sign + s + strings.Repeat(" ", fill)
	case v.zero:
		return sign + strings.Repeat("0", fill) + s
	}
	return strings.Repeat(" ", fill) + sign + s
}

// sign gives what stands before a number.
func (v verb) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case v.plus:
		return "+"
	case v.blank:
		return " "
	}
	return ""
}

func (v verb) integer(i int64) string {
	digits := strconv.FormatInt(i, 10)
	return v.digits(v.sign(i < 0), strings.TrimPrefix(digits, "-"))
}

func (v verb) unsigned(u uint64) string {
	base, prefix := 10, ""
	switch v.letter {
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
		if v.alternate && u != 0 {
			prefix = "0" + string(v.letter)
		}
	}
	digits := strconv.FormatUint(u, base)
	if v.letter == 'X' {
		digits = strings.ToUpper(digits)
	}
	if v.letter == 'o' && v.alternate && digits[0] != '0' && v.precision <= len(digits) {
		digits = "0" + digits
	}
	return v.digits(prefix, digits)
}

// digits brings an integer to its precision, which is the least number of digits.
func (v verb) digits(sign, digits string) string {
	if v.precision >= 0 {
		v.zero = false
		if digits == "0" && v.precision == 0 && !(v.letter == 'o' && v.alternate) {
			digits = ""
		}
		digits = strings.Repeat("0", max(v.precision-len(digits), 0)) + digits
	}
	return v.pad(sign, digits)
}

func (v verb) float(f float64) string {
	upper := v.letter < 'a'
	sign := v.sign(math.Signbit(f) && !math.IsNaN(f))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		word := "inf"
		if math.IsNaN(f) {
			word = "nan"
		}
		if upper {
			word = strings.ToUpper(word)
		}
		v.zero = false
		return v.pad(sign, word)
	}
	precision := v.precision
	if precision < 0 {
		precision = 6
	}
	s := strconv.FormatFloat(math.Abs(f), v.letter|0x20, precision, 64)
	if v.alternate {
		s = v.keepPoint(s, precision)
	}
	if upper {
		s = strings.ToUpper(s)
	}
	return v.pad(sign, s)
}

// keepPoint is the flag #: a decimal point always, and for %g its zeros.
func (v verb) keepPoint(s string, precision int) string {
	mantissa, exponent := s, ""
	if i := strings.IndexByte(s, 'e'); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if v.letter|0x20 == 'g' {
		significant := strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0")
		n := len(significant)
		if n == 0 {
			n = 1 // zero: its one digit stands before the point
		}
		mantissa += strings.Repeat("0", max(max(precision, 1)-n, 0))
	}
	return mantissa + exponent
}

// quote is %q: a text that Lua reads back as the same string.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString("\\r")
		case 0:
			b.WriteString("\\000")
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

const noInteger = "number has no integer representation"

// int64 cuts the fraction off.
func (a args) int64(n int) int64 {
	f := math.Trunc(a.num(n))
	if !(f >= -1<<63 && f < 1<<63) {
		a.fault(n, noInteger)
	}
	return int64(f)
}

// uint64 cuts the fraction off; a negative number is its two's complement.
func (a args) uint64(n int) uint64 {
	f := math.Trunc(a.num(n))
	if f >= 0 && f < 1<<64 {
		return uint64(f)
	}
	return uint64(a.int64(n))
}
