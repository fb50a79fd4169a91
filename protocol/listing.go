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
	Note   string // what it may be, as the reference says it: "1..24", "not 0"
	Value  string
}

// List names the fields of a datagram one by one, by its layout and not by its
// rules: of a malformed packet it gives all fields up to the first whose place
// cannot be told. The error is Decode's; where a rule between fields begins with
// the name of one, it has that field's offset too.
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
	return l.fields, located(err, l.fields)
}

// located is err with the place of the field that a rule between fields names
// first: "entries[1]: flash is set and flash_ms is 0" is about entries[1].flash.
func located(err error, fields []FieldValue) error {
	fault, ok := err.(*wire.Error)
	if !ok || fault.Field != "" {
		return err
	}
	found, inside := *fault, ""
	for word := range strings.FieldsSeq(fault.Reason) {
		name, outer := strings.CutSuffix(word, ":")
		name, _, _ = strings.Cut(strings.Trim(name, ","), ".") // size.z is in size
		path, at := fieldCalled(name, inside, fields)
		if path == "" {
			continue
		}
		found.Field, found.Offset = path, at
		if !outer {
			break
		}
		inside = path + "."
	}
	return &found
}

// fieldCalled finds the first field of a name inside of another, or in all of
// the packet, and where it begins.
func fieldCalled(name, inside string, fields []FieldValue) (path string, offset int) {
	for _, f := range fields {
		if path := pathTo(name, inside, f.Name); path != "" {
			return path, f.Offset
		}
	}
	return "", 0
}

// pathTo cuts a field's path behind the part of that name, given with its index
// or without; "" if there is none inside.
func pathTo(name, inside, field string) string {
	rest, ok := strings.CutPrefix(field, inside)
	if !ok {
		return ""
	}
	end := len(inside)
	for part := range strings.SplitSeq(rest, ".") {
		list, _, _ := strings.Cut(part, "[")
		switch name {
		case part:
			return field[:end+len(part)]
		case list:
			return field[:end+len(list)]
		}
		end += len(part) + len(".")
	}
	return ""
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
	n, known := l.numbers[f.By]
	if f.By != "" && !known {
		return false
	}
	switch f.Shape() {
	case wire.ShapeUnion:
		return n < len(f.Parts) && l.layout(path, f.Parts[n].Layout)
	case wire.ShapeStruct:
		return l.layout(path+f.Name+".", f.Parts[0].Layout)
	case wire.ShapeStructs:
		return l.elements(path+f.Name, f, func(name string) bool { return l.layout(name+".", f.Parts[0].Layout) })
	case wire.ShapeValues:
		one := f.Element()
		return l.elements(path+f.Name, f, func(name string) bool {
			one.Name = name
			return l.value("", one, 0)
		})
	}
	return l.value(path, f, n)
}

// elements are those of a list or an array, and the room behind them.
func (l *lister) elements(name string, f wire.Field, one func(name string) bool) bool {
	start, elements := l.at, f.Elements()
	n := elements.Number
	if elements.By != "" {
		n = l.numbers[elements.By]
	}
	for i := 0; i < n && !(elements.Bytes && l.at == start+n); i++ { // as many as fill n bytes
		if !one(fmt.Sprintf("%s[%d]", name, i)) {
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
	switch prefix := wire.Width(f.Type); {
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
	v := FieldValue{Offset: l.at, Size: size, Name: path + f.Name, Type: f.Type, Note: f.Note}
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

// show writes a value: numbers in decimal with the name that they have, texts
// in quotes, other bytes in hex.
func show(b []byte, f wire.Field) string {
	if strings.HasPrefix(f.Type, "str") {
		b = b[wire.Width(f.Type):]
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
