package wire

import "reflect"

// Removable is the fields behind the op of a thing that a packet may remove.
// Where the thing is gone they are size zero bytes, which is as few as the
// fields can have, and *p is bare: only what stands before them.
func Removable[T any](c *Codec, p *T, bare T, gone bool, size int, fields Elem[T]) {
	if c.layout != nil || !gone {
		fields(p, c)
		return
	}
	b, ok := c.next(size)
	switch {
	case !ok:
		c.short(label("removal"))
	case c.encoding:
		clear(b)
		if !reflect.DeepEqual(*p, bare) {
			c.refuse(p, size, "what is removed has no other fields")
		}
	default:
		*p = bare
		for i, v := range b {
			if v != 0 {
				name, before := fieldAt(Describe(layoutOf[T](fields)), i)
				c.refuse(label(join(c.name(p), name)), size-before, "must be 0 where the thing is removed")
				return
			}
		}
	}
}

// layoutOf lets fields that are not a whole body be described.
type layoutOf[T any] Elem[T]

func (fields layoutOf[T]) Wire(c *Codec) {
	p := new(T)
	c.root = p
	fields(p, c)
}

// fieldAt finds the field that has byte i of a layout whose fields are as short
// as they can be, and how many bytes stand before it.
func fieldAt(l Layout, i int) (name string, before int) {
	for _, f := range l.Fields {
		if i >= before+f.Min {
			before += f.Min
			continue
		}
		if f.Dim == "" && len(f.Parts) == 1 { // a structure
			inner, more := fieldAt(f.Parts[0].Layout, i-before)
			return join(f.Name, inner), before + more
		}
		return f.Name, before
	}
	return "", before
}
