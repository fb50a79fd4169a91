package protocol

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"darqline/protocol/wire"
)

// A FieldValue is one field of a datagram as it stands there.
type FieldValue struct {
	Offset int    // bytes from the start of the datagram
	Size   int    // bytes
	Name   string // the page's, with the path to it: frame.move_x, entries[1].op
	Type   string // u8, f32, vec3, str8, u8[32] ...
	Value  string
}

// List names the fields of a datagram one by one, by its layout and not by its
// rules: of a malformed packet it gives all fields up to the first whose place
// cannot be told. The error is Decode's.
func List(b []byte, dir Direction) ([]FieldValue, error) {
	_, _, err := Decode(b, dir)
	if len(b) == 0 {
		return nil, err
	}
	r := byID[ID(b[0])]
	if r == nil || r.New == nil || r.Direction != dir && r.Direction != BothDirections {
		return nil, err
	}
	l := lister{b: b, numbers: map[string]int{}}
	if l.layout("", describe(r, r.packet(b, dir))) && l.at < len(b) {
		l.add(wire.Field{Name: "end", Type: "u8", Dim: fmt.Sprint(len(b) - l.at)}, "", len(b)-l.at)
	}
	return l.fields, err
}

// FormatFields writes one field a line: offset, name, type, value.
func FormatFields(fields []FieldValue) string {
	var name, kind int
	for _, f := range fields {
		name, kind = max(name, len(f.Name)), max(kind, len(f.Type))
	}
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%4d  %-*s  %-*s  %s\n", f.Offset, name, f.Name, kind, f.Type, f.Value)
	}
	return b.String()
}

// A lister walks over a datagram by a layout. Its methods report whether the
// next field's place is known.
type lister struct {
	b       []byte
	at      int
	fields  []FieldValue
	numbers map[string]int // by the names that fields have in their layouts: the last counts, lengths and ops
}

func (l *lister) layout(path string, layout wire.Layout) bool {
	for _, f := range layout.Fields {
		if !l.field(path, f) {
			return false
		}
	}
	return true
}

func (l *lister) field(path string, f wire.Field) bool {
	if f.By == wire.ToTheEnd {
		l.numbers[f.By] = len(l.b) - l.at
	}
	n, sized := l.numbers[f.By]
	switch {
	case f.By != "" && !sized:
		return false
	case strings.HasPrefix(f.Name, "by "):
		return n < len(f.Parts) && l.layout(path, f.Parts[n].Layout)
	case len(f.Parts) == 1 && f.Parts[0].Title == "each":
		return l.elements(path+f.Name, f, n)
	case len(f.Parts) == 1: // a structure, or what fills a tail
		return l.layout(path+f.Name+".", f.Parts[0].Layout)
	case f.Dim == "" || f.Type == "u8" && f.Word == nil:
		return l.value(path, f, n)
	}
	return l.scalars(path+f.Name, f, n)
}

// elements are those of a list or an array of structures, and the room behind
// them.
func (l *lister) elements(name string, f wire.Field, n int) bool {
	start := l.at
	each := f.Parts[0].Layout
	switch {
	case f.By == "": // an array
		n = f.Max / each.Max()
	case f.By == "len": // a list that fills the tail
		n = l.numbers["count"]
	}
	for i := 0; i < n && !(f.By == "size" && l.at == start+n); i++ { // as many as fill n bytes
		if !l.layout(fmt.Sprintf("%s[%d].", name, i), each) {
			return false
		}
	}
	return f.Min != f.Max || l.rest(name, start+f.Max)
}

// scalars are those of a list or an array of numbers or texts.
func (l *lister) scalars(name string, f wire.Field, n int) bool {
	start := l.at
	one := wire.Field{Type: f.Type, Text: f.Text, Word: f.Word, Max: f.Max}
	if most, err := strconv.Atoi(f.Dim); err == nil { // room for as many
		one.Max = f.Max / most
		if f.By == "" {
			n = most
		}
	} else if width := sizes[f.Type]; width != 0 {
		one.Max = width
	}
	for i := range n {
		one.Name = fmt.Sprintf("%s[%d]", name, i)
		if !l.value("", one, 0) {
			return false
		}
	}
	return f.Min != f.Max || l.rest(name, start+f.Max)
}

// rest is the zeros up to end, behind a list.
func (l *lister) rest(name string, end int) bool {
	n := end - l.at
	return n == 0 || n > 0 && l.add(wire.Field{Name: "rest of " + name, Type: "u8", Dim: fmt.Sprint(n)}, "", n)
}

// value is one number, text or run of bytes.
func (l *lister) value(path string, f wire.Field, n int) bool {
	size := f.Max
	switch prefix := sizes[f.Type]; {
	case prefix != 0 && strings.HasPrefix(f.Type, "str"):
		if len(l.b)-l.at < prefix {
			return false
		}
		size = prefix + int(unsigned(l.b[l.at:l.at+prefix]))
	case f.By != "" && f.Min != f.Max:
		size, f.Dim = n, fmt.Sprint(n)
	}
	return l.add(f, path, size)
}

// add notes the next size bytes, if there are as many.
func (l *lister) add(f wire.Field, path string, size int) bool {
	if size > len(l.b)-l.at {
		return false
	}
	v := FieldValue{Offset: l.at, Size: size, Name: path + f.Name, Type: f.Type}
	if f.Dim != "" {
		v.Type = fmt.Sprintf("%s[%s]", f.Type, f.Dim)
	}
	b := l.b[l.at : l.at+size]
	v.Value = show(b, f)
	if f.Dim == "" && size <= 2 {
		l.numbers[f.Name] = int(unsigned(b))
	}
	l.at += size
	l.fields = append(l.fields, v)
	return true
}

// sizes are those of the types in bytes; of a string, its length's.
var sizes = map[string]int{
	"u8": 1, "i8": 1, "bool": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "f64": 8,
	"rgba": 4, "vec3": 12, "quat": 16, "str8": 1, "str16": 2,
}

// show writes a value: numbers in decimal with the name that they have, texts
// in quotes, other bytes in hex.
func show(b []byte, f wire.Field) string {
	if strings.HasPrefix(f.Type, "str") {
		b = b[sizes[f.Type]:]
	}
	switch {
	case f.Text:
		return strconv.Quote(string(bytes.TrimRight(b, "\x00")))
	case f.Dim != "" && len(b) > 1 && len(bytes.Trim(b, "\x00")) == 0:
		return "zeros"
	case f.Dim != "":
		return fmt.Sprintf("%x", b)
	case f.Name == "packet_id" || f.Name == "token":
		return fmt.Sprintf("0x%0*X", 2*len(b), unsigned(b)) + word(b, f)
	}
	switch f.Type {
	case "rgba":
		return fmt.Sprintf("#%X", b)
	case "f32", "vec3", "quat":
		return floats(b)
	case "f64":
		return fmt.Sprint(math.Float64frombits(unsigned(b)))
	case "i8":
		return fmt.Sprint(int8(b[0]))
	case "i16":
		return fmt.Sprint(int16(unsigned(b)))
	case "i32":
		return fmt.Sprint(int32(unsigned(b)))
	}
	return fmt.Sprint(unsigned(b)) + word(b, f)
}

func unsigned(b []byte) (v uint64) {
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v
}

func floats(b []byte) string {
	var list []string
	for ; len(b) > 0; b = b[4:] {
		list = append(list, fmt.Sprint(math.Float32frombits(uint32(unsigned(b[:4])))))
	}
	return strings.Join(list, " ")
}

func word(b []byte, f wire.Field) string {
	if f.Word == nil {
		return ""
	}
	return strings.TrimRight(" "+f.Word(unsigned(b)), " ")
}
