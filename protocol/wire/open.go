package wire

import "fmt"

// ToTheEnd is the By of a field that takes all bytes that remain.
const ToTheEnd = "n"

// Magic is bytes that are always the same.
func (c *Codec) Magic(s string) {
	const name label = "magic"
	b, ok := c.next(len(s))
	switch {
	case !ok:
		c.miss(name, Field{Type: "u8", Dim: fmt.Sprint(len(s)), Min: len(s), Max: len(s), Text: true, Note: fmt.Sprintf("%q", s)})
	case c.encoding:
		copy(b, s)
	case string(b) != s:
		c.refuse(name, len(s), fmt.Sprintf("%q instead of %q", b, s))
	}
}

// Rest is lo to hi bytes of any value, all that remain of the packet. Decoding
// uses the room that *p has.
func (c *Codec) Rest(p *[]byte, lo, hi int) {
	if c.layout != nil {
		c.miss(p, Field{Type: "u8", Dim: ToTheEnd, By: ToTheEnd, Min: lo, Max: hi, Note: fmt.Sprintf("any; n is %d..%d", lo, hi)})
		return
	}
	n := len(*p)
	if !c.encoding {
		n = len(c.buf) - c.off
	}
	b, ok := c.next(n)
	switch {
	case !ok:
		c.short(p)
	case n < lo || n > hi:
		c.refuse(p, n, fmt.Sprintf("%d bytes are outside %d..%d", n, lo, hi))
	case c.encoding:
		copy(b, *p)
	default:
		*p = append((*p)[:0], b...)
	}
}

// Raw8 is a u8 length, named len, and as many bytes of any value.
func (c *Codec) Raw8(p *string) {
	head, ok := c.next(1)
	if !ok {
		c.miss(lenName, Field{Type: "u8", Min: 1, Max: 1})
		if c.layout != nil {
			c.miss(p, Field{Type: "u8", Dim: string(lenName), By: string(lenName), Max: 255})
		}
		return
	}
	n := c.length(head, len(*p))
	if n > 255 {
		c.refuse(lenName, 1, fmt.Sprintf("%d bytes, at most 255 fit", n))
	}
	b, ok := c.next(n)
	switch {
	case !ok:
		c.short(p)
	case c.encoding:
		copy(b, *p)
	default:
		*p = c.text(b, n)
	}
}

// Fill is a u16 length, lo to hi, named size, and as many elements as fill it
// exactly. It is the last of its packet.
func Fill[T any](c *Codec, s *[]T, lo, hi int, elem Elem[T]) {
	c.tail(sizeName, s, lo, hi, func() {
		switch {
		case c.layout != nil:
			inner := describeElem(c, s, elem)
			c.miss(s, Field{Parts: []Part{{each, inner}}})
		case c.encoding:
			items(c, s, len(*s), elem)
		default:
			room(c, s, (len(c.buf)-c.off)/8) // few elements are shorter
			for c.buf != nil && c.off < len(c.buf) {
				*s = append(*s, *new(T))
				elem(&(*s)[len(*s)-1], c)
			}
		}
	})
}
