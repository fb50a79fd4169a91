package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text says what a text may hold (page Chat, HUD and dialogs): Plain and Line
// are one line without control (Cc), format (Cf), line or paragraph separator
// characters; the client reads markup in a Line and none in a Plain text.
type Text int

const (
	Plain Text = iota
	Line
)

// Lines is a text of up to n lines, n at least 2, separated by \n.
func Lines(n int) Text { return Text(n) }

// PlainLines is a text like Lines in which the client reads no markup.
func PlainLines(n int) Text { return Text(-n) }

// PlainText is PlainLines without a limit of its own.
const PlainText Text = math.MinInt32

func (t Text) String() string {
	switch {
	case t == Plain:
		return "plain"
	case t == Line:
		return "line"
	case t == PlainText:
		return "plain, with \\n"
	case t < 0:
		return fmt.Sprintf("plain lines, up to %d", -int(t))
	}
	return fmt.Sprintf("lines, up to %d", int(t))
}

// Check says what is wrong with s as a text of this kind, or nil.
func (t Text) Check(s string) error {
	most, lines := int(t), 1
	if most < 0 {
		most = -most
	}
	for i := 0; ; {
		for i < len(s) && s[i] >= ' ' && s[i] < 0x7F { // most are
			i++
		}
		if i == len(s) {
			return nil
		}
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == '\n' && most > 1:
			if lines++; lines > most {
				return fmt.Errorf("more than %d lines", most)
			}
		case r < ' ' || r == 0x7F:
			return fmt.Errorf("control character %U", r)
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf("byte %#x is not UTF-8", s[i])
		case r == '\u2028' || r == '\u2029':
			return fmt.Errorf("line or paragraph separator %U", r)
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return fmt.Errorf("control or format character %U", r)
		}
		i += size
	}
}

// A Rule is what a name or another string of a stated alphabet must be.
type Rule struct {
	Note  string // for the reference, such as "a resource's name"
	Check func(string) error
}

// Text is a text[size]: NUL-terminated, the rest zeros.
func (c *Codec) Text(p *string, size int, t Text) {
	if !c.terminated(p, size) {
		c.note("%s", t)
		return
	}
	c.check(p, size, t.Check)
}

// Name is a name[size]: a string by a rule, NUL-terminated, the rest zeros.
func (c *Codec) Name(p *string, size int, rule *Rule) {
	if !c.terminated(p, size) {
		c.note("%s", rule.Note)
		return
	}
	c.check(p, size, rule.Check)
}

// Raw is size bytes of any value; trailing zeros are not part of the string.
func (c *Codec) Raw(p *string, size int) {
	b, ok := c.next(size)
	switch {
	case !ok:
		f := fixed(size)
		f.Text = true
		c.miss(p, f)
	case !c.encoding:
		*p = c.text(b, len(bytes.TrimRight(b, "\x00")))
	case len(*p) > size:
		c.refuse(p, size, fmt.Sprintf("%d bytes, at most %d fit", len(*p), size))
	default:
		clear(b[copy(b, *p):])
	}
}

// RawBytes is size bytes of any value; fewer are filled up with zeros.
func (c *Codec) RawBytes(p *[]byte, size int) {
	b, ok := c.next(size)
	switch {
	case !ok:
		c.miss(p, fixed(size))
	case !c.encoding:
		*p = bytes.Clone(b)
	case len(*p) > size:
		c.refuse(p, size, fmt.Sprintf("%d bytes, at most %d fit", len(*p), size))
	default:
		clear(b[copy(b, *p):])
	}
}

// Joined is a list of strings in one name[size], separated by \n. The rule is
// given the whole list; an empty field is an empty list.
func (c *Codec) Joined(p *[]string, size int, note string, rule func([]string) error) {
	whole := strings.Join(*p, "\n")
	if !c.terminatedAs(p, &whole, size) {
		c.note("%s", note)
		return
	}
	parts := *p
	if !c.encoding {
		parts = nil
		if whole != "" {
			parts = strings.Split(whole, "\n")
		}
		*p = parts
	}
	if err := rule(parts); err != nil {
		c.refuse(p, size, err.Error())
	}
}

// Str8 is a u8 length and a text of lo to hi bytes.
func (c *Codec) Str8(p *string, lo, hi int, t Text) { c.str(p, "str8", 1, lo, hi, t) }

// Name8 is a u8 length and a string of lo to hi bytes by a rule.
func (c *Codec) Name8(p *string, lo, hi int, rule *Rule) {
	c.Str8(p, lo, hi, Plain)
	if c.layout != nil {
		c.note("%s, %d..%d bytes", rule.Note, lo, hi)
	}
	c.check(p, len(*p), rule.Check)
}

// Str16 is a u16 length and a text of lo to hi bytes.
func (c *Codec) Str16(p *string, lo, hi int, t Text) { c.str(p, "str16", 2, lo, hi, t) }

func (c *Codec) str(p *string, kind string, prefix, lo, hi int, t Text) {
	b, ok := c.next(prefix)
	if !ok {
		c.miss(p, Field{Type: kind, Text: true, Min: prefix + lo, Max: prefix + hi, Note: fmt.Sprintf("%s, %d..%d bytes", t, lo, hi)})
		return
	}
	n := c.length(b, len(*p))
	if n < lo || n > hi {
		c.refuse(p, prefix, fmt.Sprintf("%d bytes are outside %d..%d", n, lo, hi))
		return
	}
	c.bytes(p, n, t)
}

// A Len is a length or count that stands apart from what it counts.
type Len struct {
	name   label
	n      int
	lo, hi int
}

// Len8 is the u8 length, lo to hi, of a text that follows later as a Piece. Its
// name is the text's with _len.
func (c *Codec) Len8(p *string, lo, hi int) Len { return c.len(p, 1, lo, hi) }

// Len16 is the u16 length, named len, of the packet's last text, which follows
// as a Piece.
func (c *Codec) Len16(p *string, lo, hi int) Len { return c.len(p, 2, lo, hi) }

func (c *Codec) len(p *string, size, lo, hi int) Len {
	b, ok := c.next(size)
	if !ok {
		name := c.lenName(p, size)
		c.miss(name, Field{Type: fmt.Sprint("u", 8*size), Min: size, Max: size, Note: fmt.Sprintf("%d..%d", lo, hi)})
		return Len{name: name, lo: lo, hi: hi}
	}
	n := c.length(b, len(*p))
	if n < lo || n > hi {
		c.refuse(c.lenName(p, size), size, fmt.Sprintf("%d bytes are outside %d..%d", n, lo, hi))
	}
	return Len{n: n}
}

func (c *Codec) lenName(p *string, size int) label {
	if size == 1 {
		return label(c.name(p) + "_len")
	}
	return lenName
}

// Piece is a text whose length came before.
func (c *Codec) Piece(p *string, n Len, t Text) {
	if c.layout != nil {
		c.miss(p, Field{Type: "u8", Dim: string(n.name), By: string(n.name), Text: true, Min: n.lo, Max: n.hi, Note: t.String()})
		return
	}
	c.bytes(p, n.n, t)
}

// Room is a u16 length, lo to hi, and room for hi bytes, the rest zeros. A nil
// rule allows any bytes.
func (c *Codec) Room(p *[]byte, lo, hi int, rule *Rule) {
	head, ok := c.next(2)
	if !ok {
		c.miss(lenName, Field{Type: "u16", Min: 2, Max: 2, Note: fmt.Sprintf("%d..%d", lo, hi)})
	} else if n := c.length(head, len(*p)); n < lo || n > hi {
		c.refuse(lenName, 2, fmt.Sprintf("%d is outside %d..%d", n, lo, hi))
	}
	b, ok := c.next(hi)
	if !ok {
		f := fixed(hi)
		f.Note, f.By, f.Text = "the rest zeros", string(lenName), true
		if rule != nil {
			f.Note = rule.Note + ", the rest zeros"
		}
		c.miss(p, f)
		return
	}
	if c.encoding {
		clear(b[copy(b, *p):])
	} else {
		n := int(binary.LittleEndian.Uint16(head))
		*p = bytes.Clone(b[:n])
		c.zeros(p, b[n:])
	}
	if rule == nil {
		return
	}
	if err := rule.Check(string(*p)); err != nil {
		c.refuse(p, hi, err.Error())
	}
}

// text is the first n of b, the bytes read last. All texts of a packet are parts
// of one copy of it, so that they cost one allocation together.
func (c *Codec) text(b []byte, n int) string {
	if n == 0 {
		return ""
	}
	if c.copied == "" {
		c.copied = string(c.buf)
	}
	start := c.off - len(b)
	return c.copied[start : start+n]
}

// length reads or writes a length prefix of one or two bytes.
func (c *Codec) length(b []byte, n int) int {
	switch {
	case c.encoding && len(b) == 1:
		b[0] = byte(n)
	case c.encoding:
		binary.LittleEndian.PutUint16(b, uint16(n))
	case len(b) == 1:
		return int(b[0])
	default:
		return int(binary.LittleEndian.Uint16(b))
	}
	return n
}

// bytes is n bytes of text without a terminator.
func (c *Codec) bytes(p *string, n int, t Text) {
	b, ok := c.next(n)
	if !ok {
		c.short(p)
		return
	}
	if c.encoding {
		copy(b, *p)
	} else {
		*p = c.text(b, n)
	}
	c.check(p, n, t.Check)
}

func (c *Codec) check(p *string, size int, rule func(string) error) {
	if err := rule(*p); err != nil {
		c.refuse(p, size, err.Error())
	}
}

// terminated is a NUL-terminated string in size bytes; it reports whether
// there was one.
func (c *Codec) terminated(p *string, size int) bool { return c.terminatedAs(p, p, size) }

func (c *Codec) terminatedAs(field any, p *string, size int) bool {
	b, ok := c.next(size)
	if !ok {
		f := fixed(size)
		f.Text = true
		c.miss(field, f)
		return false
	}
	if c.encoding {
		if len(*p) >= size {
			c.refuse(field, size, fmt.Sprintf("%d bytes, at most %d fit", len(*p), size-1))
			return true
		}
		if strings.IndexByte(*p, 0) >= 0 {
			c.refuse(field, size, "a NUL inside the text")
		}
		clear(b[copy(b, *p):])
		return true
	}
	end := bytes.IndexByte(b, 0)
	if end < 0 {
		c.refuse(field, size, "not NUL-terminated")
		return true
	}
	*p = c.text(b, end)
	c.zeros(field, b[end:])
	return true
}

func fixed(size int) Field {
	return Field{Type: "u8", Dim: fmt.Sprint(size), Min: size, Max: size}
}

// Alphabet is the rule of strings of lo to hi bytes, each of which is allowed.
func Alphabet(note string, lo, hi int, allowed func(byte) bool) *Rule {
	var has [256]bool
	for b := range has {
		has[b] = allowed(byte(b))
	}
	return &Rule{Note: note, Check: func(s string) error {
		switch {
		case s == "" && lo > 0:
			return errors.New("is empty")
		case len(s) < lo || len(s) > hi:
			return fmt.Errorf("%d bytes are outside %d..%d", len(s), lo, hi)
		}
		for i := range len(s) {
			if !has[s[i]] {
				return fmt.Errorf("%q is not of %s", s[i], note)
			}
		}
		return nil
	}}
}
