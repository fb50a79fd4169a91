package wire

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// An Elem is the layout of one element: a method expression such as
// (*FileEntry).Wire, or a function for a plain value.
type Elem[T any] func(*T, *Codec)

// Array is a fixed number of elements: Array(c, p.Keys[:], key).
func Array[T any](c *Codec, s []T, elem Elem[T]) {
	if c.layout != nil {
		inner := c.inside(func() { elem(&s[0], c) })
		f := Field{Type: "u8", Dim: fmt.Sprint(len(s)), Min: len(s) * inner.Min(), Max: len(s) * inner.Max()}
		if len(inner.Fields) == 1 {
			f.Type, f.Note, f.Word = inner.Fields[0].Type, inner.Fields[0].Note, inner.Fields[0].Word
		} else {
			f.Dim, f.Parts = fmt.Sprint(f.Max), []Part{{each, inner}}
		}
		c.miss(s, f)
		return
	}
	for i := range s {
		elem(&s[i], c)
	}
}

// Count is the u8 count, lo to hi, of a list whose Items follow.
func Count[T any](c *Codec, s *[]T, lo, hi int) Len { return countAs(c, countName, s, lo, hi) }

// CountOf is a Count that has the name of the list.
func CountOf[T any](c *Codec, s *[]T, lo, hi int) Len { return countAs(c, s, s, lo, hi) }

func countAs[T any](c *Codec, name any, s *[]T, lo, hi int) Len {
	b, ok := c.next(1)
	if !ok {
		c.miss(name, Field{Type: "u8", Min: 1, Max: 1, Note: fmt.Sprintf("%d..%d", lo, hi)})
		return c.described(lo, hi)
	}
	n := c.length(b, len(*s))
	if n < lo || n > hi {
		c.refuse(name, 1, fmt.Sprintf("%d is outside %d..%d", n, lo, hi))
	}
	return Len{n: n}
}

// Times is a number, lo to hi, that counts the Items of each element of a list.
func Times(c *Codec, p *uint8, lo, hi uint8) Len {
	Range(c, p, lo, hi)
	if c.layout != nil {
		return c.described(int(lo), int(hi))
	}
	return Len{n: int(*p)}
}

// described is the Len that the last field is, while describing; nothing
// otherwise.
func (c *Codec) described(lo, hi int) Len {
	if c.layout == nil {
		return Len{}
	}
	return Len{name: label(c.layout.Fields[len(c.layout.Fields)-1].Name), lo: lo, hi: hi}
}

// Items is the elements of a list whose Count came before.
func Items[T any](c *Codec, s *[]T, n Len, elem Elem[T]) {
	if c.layout != nil {
		inner := describeElem(c, s, elem)
		f := Field{Dim: string(n.name), By: string(n.name), Min: n.lo * inner.Min(), Max: n.hi * inner.Max(), Parts: []Part{{each, inner}}}
		switch {
		case len(inner.Fields) == 1 && inner.Fields[0].Parts == nil:
			f.Type, f.Note, f.Text, f.Word, f.Parts = inner.Fields[0].Type, inner.Fields[0].Note, inner.Fields[0].Text, inner.Fields[0].Word, nil
		case inner.alike():
			f.Type, f.Dim = inner.Fields[0].Type, fmt.Sprintf("%d*%s", len(inner.Fields), n.name)
		case inner.Min() == inner.Max():
			f.Type, f.Dim = "u8", fmt.Sprintf("%d*%s", inner.Max(), n.name)
		}
		c.miss(s, f)
		return
	}
	if c.encoding && len(*s) != n.n && c.buf != nil {
		c.refuse(s, 0, fmt.Sprintf("%d instead of %d", len(*s), n.n))
	}
	items(c, s, n.n, elem)
}

// Repeat is a u8 count, lo to hi, and that many elements.
func Repeat[T any](c *Codec, s *[]T, lo, hi int, elem Elem[T]) {
	n := Count(c, s, lo, hi)
	Items(c, s, n, elem)
}

// List is a u8 count, lo to hi, and room for hi elements of size bytes, the
// rest zeros.
func List[T any](c *Codec, s *[]T, lo, hi, size int, elem Elem[T]) {
	n := Count(c, s, lo, hi)
	if c.layout != nil {
		inner := describeElem(c, s, elem)
		f := Field{Type: "u8", Dim: fmt.Sprint(hi * size), By: string(countName), Min: hi * size, Max: hi * size, Parts: []Part{{each, inner}}}
		if len(inner.Fields) == 1 {
			f.Type, f.Note, f.Dim, f.Parts = inner.Fields[0].Type, inner.Fields[0].Note, fmt.Sprint(hi), nil
		}
		f.Note = strings.TrimPrefix(f.Note+", the rest zeros", ", ")
		c.miss(s, f)
		return
	}
	items(c, s, n.n, elem)
	c.rest(s, (hi-n.n)*size)
}

// rest is n zeros behind a list.
func (c *Codec) rest(field any, n int) {
	b, ok := c.next(n)
	switch {
	case !ok:
		c.short(field)
	case c.encoding:
		clear(b)
	default:
		c.zeros(field, b)
	}
}

// items walks over the n elements of a list.
func items[T any](c *Codec, s *[]T, n int, elem Elem[T]) {
	if !c.encoding {
		room(c, s, n)
	}
	for i := 0; i < n && c.buf != nil; i++ {
		if !c.encoding {
			*s = append(*s, *new(T))
		}
		elem(&(*s)[i], c)
	}
}

// room empties *s and gives it room for n elements, though for no more than
// there are bytes left: a short packet with a large count allocates little.
// Texts are what lists inside of lists are made of, so all their lists are
// parts of one array.
func room[T any](c *Codec, s *[]T, n int) {
	left := len(c.buf) - c.off
	n = min(n, left)
	if n <= 0 {
		*s = nil
		return
	}
	texts, ok := any(s).(*[]string)
	if !ok {
		*s = make([]T, 0, n)
		return
	}
	if n > len(c.texts) {
		c.texts = make([]string, max(n, left/8)) // few texts are shorter, with their length
	}
	*texts, c.texts = c.texts[:0:n], c.texts[n:]
}

// Tail is a u16 length, lo to hi, and the pieces that fill it exactly. It is
// the last of its packet.
func (c *Codec) Tail(field any, lo, hi int, pieces func()) { c.tail(lenName, field, lo, hi, pieces) }

func (c *Codec) tail(length label, field any, lo, hi int, pieces func()) {
	if c.layout != nil {
		c.miss(length, Field{Type: "u16", Min: 2, Max: 2, Note: fmt.Sprintf("%d..%d", lo, hi)})
		inner := c.inside(pieces)
		parts := []Part{{"in this order", inner}}
		if len(inner.Fields) == 1 { // a list alone
			parts = inner.Fields[0].Parts
		}
		c.miss(field, Field{Type: "u8", Dim: string(length), By: string(length), Min: lo, Max: hi, Parts: parts})
		return
	}
	head, ok := c.next(2)
	if !ok {
		c.short(length)
		return
	}
	start := c.off
	if !c.encoding {
		n := int(binary.LittleEndian.Uint16(head))
		if rest := len(c.buf) - c.off; n != rest {
			c.refuse(length, 2, fmt.Sprintf("it says %d bytes, %d follow", n, rest))
		}
	}
	pieces()
	n := c.off - start
	if n < lo || n > hi {
		c.refuse(length, n+2, fmt.Sprintf("%d bytes are outside %d..%d", n, lo, hi))
	} else if c.encoding {
		binary.LittleEndian.PutUint16(head, uint16(n))
	}
}

// Union is what follows by the value of op: variants[*op]. Which values there
// are is for the primitive that read op.
func Union[T any, O ~uint8](c *Codec, p *T, op *O, variants ...Elem[T]) {
	if c.layout != nil {
		describeUnion(c, p, op, variants)
		return
	}
	if c.buf != nil && int(*op) < len(variants) {
		variants[*op](p, c)
	}
}

// Nothing is the variant of a Union that has no fields.
func Nothing[T any](*T, *Codec) {}

// Absent is the variant of a Union that has no fields and no value.
func Absent[T comparable](p *T, c *Codec) {
	switch none := *new(T); {
	case !c.encoding && c.layout == nil:
		*p = none
	case c.encoding && *p != none:
		c.refuse(p, 0, "is not sent, and must be empty")
	}
}

// AtMost is fields that together have no more than most bytes.
func (c *Codec) AtMost(field any, most int, fields func()) {
	start := c.off
	fields()
	if c.layout != nil {
		c.layout.Most = most
	} else if n := c.off - start; c.buf != nil && n > most {
		c.refuse(field, n, fmt.Sprintf("%d bytes, at most %d are allowed", n, most))
	}
}
