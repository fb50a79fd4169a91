package luajson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// Decode reads one JSON text, strictly by RFC 8259: nothing after it, no comment,
// no trailing comma, no key twice, valid UTF-8. An array becomes a table from 1,
// an object a table that is marked as one, null the state's Null. spend, which may
// be nil, is paid before the work is done. The error is a *SyntaxError.
func Decode(L *lua.LState, values *Values, text string, spend func(n int)) (lua.LValue, error) {
	if spend != nil {
		spend(1 + len(text)/2)
	}
	d := decoder{L: L, values: values, text: text}
	if !utf8.ValidString(text) {
		d.at = firstInvalid(text)
		d.fail("is not valid UTF-8")
		return nil, d.err
	}
	d.space()
	v := d.value(0)
	d.space()
	if d.err == nil && d.at < len(text) {
		d.fail("expected the end, got %s", d.got())
	}
	if d.err != nil {
		return nil, d.err
	}
	return v, nil
}

func firstInvalid(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(s)
}

// decoder reads on from at. After the first error at stays.
type decoder struct {
	L      *lua.LState
	values *Values
	text   string
	at     int
	err    error
}

func (d *decoder) fail(format string, v ...any) lua.LValue {
	if d.err == nil {
		before := d.text[:d.at]
		line := strings.LastIndexByte(before, '\n') + 1
		d.err = &SyntaxError{1 + strings.Count(before, "\n"), 1 + len(before) - line, sprintf(format, v...)}
	}
	return lua.LNil
}

// got names what stands at the place of an error.
func (d *decoder) got() string {
	if d.at >= len(d.text) {
		return "the end of the text"
	}
	r, _ := utf8.DecodeRuneInString(d.text[d.at:])
	return strconv.QuoteRune(r)
}

func (d *decoder) space() {
	for d.at < len(d.text) && strings.IndexByte(" \t\r\n", d.text[d.at]) >= 0 {
		d.at++
	}
}

func (d *decoder) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

// accept takes the byte c, and the space behind it, if it stands here.
func (d *decoder) accept(c byte) bool {
	if d.err != nil || d.peek() != c {
		return false
	}
	d.at++
	d.space()
	return true
}

func (d *decoder) value(depth int) lua.LValue {
	switch c := d.peek(); {
	case c == '{' || c == '[':
		if depth == MaxDepth {
			return d.fail("nested deeper than %d levels", MaxDepth)
		}
		if c == '{' {
			return d.object(depth + 1)
		}
		return d.array(depth + 1)
	case c == '"':
		return lua.LString(d.string())
	case c == '-' || isDigit(c):
		return d.number()
	}
	for _, word := range []struct {
		text  string
		value lua.LValue
	}{{"true", lua.LTrue}, {"false", lua.LFalse}, {"null", d.values.Null}} {
		if strings.HasPrefix(d.text[d.at:], word.text) {
			d.at += len(word.text)
			return word.value
		}
	}
	return d.fail("expected a value, got %s", d.got())
}

func (d *decoder) array(depth int) lua.LValue {
	d.accept('[')
	t := d.L.CreateTable(4, 0)
	if d.accept(']') {
		return t
	}
	for {
		v := d.value(depth)
		if d.err != nil {
			return lua.LNil
		}
		t.Append(v)
		d.space()
		if d.accept(']') {
			return t
		}
		if !d.accept(',') {
			return d.fail("expected ',' or ']', got %s", d.got())
		}
	}
}

func (d *decoder) object(depth int) lua.LValue {
	d.accept('{')
	t := d.L.CreateTable(0, 4) // NewTable has room for 32 elements and 32 keys
	d.values.Mark(t)
	if d.accept('}') {
		return t
	}
	for {
		start := d.at
		if d.peek() != '"' {
			return d.fail("expected a key in double quotes, got %s", d.got())
		}
		key := d.string()
		d.space()
		if d.err == nil && t.RawGetString(key) != lua.LNil {
			d.at = start
			return d.fail("the key %q stands here a second time", key)
		}
		if !d.accept(':') {
			return d.fail("expected ':', got %s", d.got())
		}
		v := d.value(depth)
		if d.err != nil {
			return lua.LNil
		}
		t.RawSetString(key, v)
		d.space()
		if d.accept('}') {
			return t
		}
		if !d.accept(',') {
			return d.fail("expected ',' or '}', got %s", d.got())
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (d *decoder) digits() {
	if !isDigit(d.peek()) {
		d.fail("expected a digit, got %s", d.got())
	}
	for isDigit(d.peek()) {
		d.at++
	}
}

func (d *decoder) number() lua.LValue {
	start := d.at
	if d.peek() == '-' {
		d.at++
	}
	if d.peek() == '0' {
		d.at++
		if isDigit(d.peek()) {
			return d.fail("a number does not begin with 0")
		}
	} else {
		d.digits()
	}
	if d.peek() == '.' {
		d.at++
		d.digits()
	}
	if d.peek()|0x20 == 'e' {
		d.at++
		if c := d.peek(); c == '+' || c == '-' {
			d.at++
		}
		d.digits()
	}
	if d.err != nil {
		return lua.LNil
	}
	f, err := strconv.ParseFloat(d.text[start:d.at], 64)
	if err != nil {
		d.at = start
		return d.fail("the number is out of range")
	}
	return lua.LNumber(f)
}

// string reads a string; the text is valid UTF-8 already.
func (d *decoder) string() string {
	d.at++
	var b strings.Builder
	start := d.at
	for d.at < len(d.text) {
		switch c := d.text[d.at]; {
		case c == '"':
			part := d.text[start:d.at]
			d.at++
			if b.Len() == 0 {
				return part
			}
			b.WriteString(part)
			return b.String()
		case c == '\\':
			b.WriteString(d.text[start:d.at])
			if !d.escape(&b) {
				return ""
			}
			start = d.at
		case c < ' ':
			d.fail("a control character in a string; write it as \\u%04x", c)
			return ""
		default:
			d.at++
		}
	}
	d.fail("the string does not end")
	return ""
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (d *decoder) escape(b *strings.Builder) bool {
	var c byte
	if d.at+1 < len(d.text) {
		c = d.text[d.at+1]
	}
	if c == 'u' {
		return d.unicode(b)
	}
	plain, ok := escapes[c]
	if !ok {
		d.fail("there is no such escape in a string")
		return false
	}
	b.WriteByte(plain)
	d.at += 2
	return true
}

// unicode reads \uXXXX, or two of them that make one character.
func (d *decoder) unicode(b *strings.Builder) bool {
	r, ok := d.hex(d.at)
	size := 6
	if ok && utf16.IsSurrogate(r) {
		low, _ := d.hex(d.at + 6)
		r = utf16.DecodeRune(r, low)
		ok = r != utf8.RuneError
		size = 12
	}
	if !ok {
		d.fail("expected \\u and four hexadecimal digits of a character")
		return false
	}
	b.WriteRune(r)
	d.at += size
	return true
}

func (d *decoder) hex(at int) (r rune, ok bool) {
	if at+6 > len(d.text) || d.text[at] != '\\' || d.text[at+1] != 'u' {
		return 0, false
	}
	for i := at + 2; i < at+6; i++ {
		if !isDigit(d.text[i]) && (d.text[i]|0x20 < 'a' || d.text[i]|0x20 > 'f') {
			return 0, false
		}
	}
	n, _ := strconv.ParseUint(d.text[at+2:at+6], 16, 32)
	return rune(n), true
}
