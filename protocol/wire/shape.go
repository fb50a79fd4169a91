package wire

import "strings"

// A Shape is how a field is read by who walks over a packet by its layout
// alone, as a dump and a dissector do.
type Shape uint8

const (
	ShapeValue   Shape = iota // one number, text or run of bytes
	ShapeValues               // several of what Element says
	ShapeStruct               // Parts[0] once
	ShapeStructs              // Parts[0] several times
	ShapeUnion                // Parts[n], where n is the value of the field By
)

// each is the title of the part that is an element of a list or array.
const each = "each"

// Shape tells how the field is read.
func (f Field) Shape() Shape {
	switch {
	case strings.HasPrefix(f.Name, unionPrefix):
		return ShapeUnion
	case len(f.Parts) == 1 && f.Parts[0].Title == each:
		return ShapeStructs
	case len(f.Parts) == 1:
		return ShapeStruct
	case f.Dim == "" || f.Type == "u8" && f.Word == nil:
		return ShapeValue
	}
	return ShapeValues
}

// Elements say how many a ShapeValues or ShapeStructs has. Behind them it is
// filled up with zeros, where its size is fixed.
type Elements struct {
	Number int    // always as many, where By is ""
	By     string // name of the field whose value says it
	Bytes  bool   // that value is the bytes that they fill
}

// Elements tells how many there are.
func (f Field) Elements() Elements {
	switch {
	case f.By == "" && f.Parts != nil:
		return Elements{Number: f.Max / f.Parts[0].Max()}
	case f.By == "":
		return Elements{Number: f.Max / Width(f.Type)}
	case f.By == string(lenName): // a list that is all of a tail
		return Elements{By: string(countName)}
	}
	return Elements{By: f.By, Bytes: f.By == string(sizeName)}
}

// Element is one of the values of a ShapeValues.
func (f Field) Element() Field {
	width := Width(f.Type)
	return Field{Name: f.Name, Type: f.Type, Note: f.Note, Text: f.Text, Word: f.Word, Min: width, Max: width}
}

var widths = map[string]int{
	"u8": 1, "i8": 1, "bool": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "f64": 8,
	"rgba": 4, "vec3": 12, "quat": 16, "str8": 1, "str16": 2,
}

// Width is the size in bytes of one value of a type; of a string, of its
// length.
func Width(kind string) int { return widths[kind] }
