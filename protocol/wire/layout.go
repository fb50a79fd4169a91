package wire

import (
	"fmt"
	"reflect"
	"strings"
)

// A Layout is the fields of a packet or structure, in order.
type Layout struct {
	Fields []Field
	Most   int // bytes, where they have less room than the sum of the fields
}

// A Field is one field as the reference shows it.
type Field struct {
	Name string
	Type string // u8, f32, rgba, str8, Frame ...
	Dim  string // "", or what stands in brackets: "32", "len", "37*count"
	Min  int    // bytes on the wire
	Max  int
	Note string                // what it may be
	Text bool                  // its bytes are a text
	By   string                // name of the field before it that counts its bytes or elements, or chooses its part; "" where the size is fixed
	Word func(v uint64) string // name of a value, nil where values have none
	// Parts are what the bytes of the field are made of: one for a structure
	// or a list's element, several for a union.
	Parts []Part
}

// A Part is a layout inside a field.
type Part struct {
	Title string
	Layout
}

// Min is the least number of bytes.
func (l Layout) Min() (n int) {
	for _, f := range l.Fields {
		n += f.Min
	}
	return n
}

// Max is the largest number of bytes.
func (l Layout) Max() (n int) {
	for _, f := range l.Fields {
		n += f.Max
	}
	if l.Most != 0 {
		return min(n, l.Most)
	}
	return n
}

// alike reports whether the fields are several numbers of one type.
func (l Layout) alike() bool {
	for _, f := range l.Fields {
		if f.Type != l.Fields[0].Type || f.Dim != "" || f.Parts != nil {
			return false
		}
	}
	return len(l.Fields) > 1
}

// String writes the layout as the pages do, a field a line, and below it what
// its parts are.
func (l Layout) String() string {
	var b strings.Builder
	l.write(&b, "")
	return b.String()
}

func (l Layout) write(b *strings.Builder, indent string) {
	wide := 0
	for _, f := range l.Fields {
		wide = max(wide, len(f.head()))
	}
	for _, f := range l.Fields {
		line := indent + f.head()
		if f.Note != "" {
			line = fmt.Sprintf("%s%-*s  // %s", indent, wide, f.head(), f.Note)
		}
		b.WriteString(line + "\n")
		for _, p := range f.Parts {
			fmt.Fprintf(b, "%s    %s%s\n", indent, p.Title, p.size())
			p.write(b, indent+"    ")
		}
	}
}

func (f Field) head() string {
	switch {
	case f.Type == "":
		return fmt.Sprintf("[%s]", f.Name)
	case f.Dim == "":
		return fmt.Sprintf("[%-3s %s]", f.Type, f.Name)
	}
	return fmt.Sprintf("[%-3s %s[%s]]", f.Type, f.Name, f.Dim)
}

func (p Part) size() string {
	switch least, most := p.Min(), p.Max(); {
	case most == 0:
		return ": nothing"
	case least == most:
		return fmt.Sprintf(", %d bytes:", most)
	default:
		return fmt.Sprintf(", %d..%d bytes:", least, most)
	}
}

// Describe is the layout of b, which is a fresh zero value.
func Describe(b Body) Layout {
	c := &Codec{root: b, layout: new(Layout)}
	b.Wire(c)
	return *c.layout
}

// note says of the last field what it may be; it does nothing where nothing is
// described.
func (c *Codec) note(format string, args ...any) {
	if c.layout != nil {
		c.layout.Fields[len(c.layout.Fields)-1].Note = fmt.Sprintf(format, args...)
	}
}

// inside describes what f walks over as a layout of its own.
func (c *Codec) inside(f func()) Layout {
	outer := c.layout
	c.layout = new(Layout)
	f()
	inner := *c.layout
	c.layout = outer
	return inner
}

func (c *Codec) describeStruct(s Body) {
	inner := c.inside(func() { s.Wire(c) })
	name := reflect.TypeOf(s).Elem().Name()
	c.miss(s, Field{Type: name, Min: inner.Min(), Max: inner.Max(), Parts: []Part{{name, inner}}})
}

func describeElem[T any](c *Codec, s *[]T, elem Elem[T]) Layout {
	*s = make([]T, 1) // so that the element has a place in the packet, and a name
	return c.inside(func() { elem(&(*s)[0], c) })
}

func describeUnion[T any, O ~uint8](c *Codec, p *T, op *O, variants []Elem[T]) {
	f := Field{Min: 1 << 16, By: c.name(op)}
	for i, v := range variants {
		inner := c.inside(func() { v(p, c) })
		f.Parts = append(f.Parts, Part{fmt.Sprintf("%s %d", f.By, i), inner})
		f.Min, f.Max = min(f.Min, inner.Min()), max(f.Max, inner.Max())
	}
	c.miss(label(unionPrefix+f.By), f)
}
