package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"
)

// A FieldType is the type of a field of a ViewAction.
type FieldType uint8

const (
	FieldBoolean FieldType = iota
	FieldNumber
	FieldString
)

func (t FieldType) String() string {
	if t <= FieldString {
		return [...]string{"boolean", "number", "string"}[t]
	}
	return fmt.Sprintf("FieldType(%d)", uint8(t))
}

// A ViewField is one field of a ViewAction; Type says which value it has.
type ViewField struct {
	Name   string // by ValidTopic
	Type   FieldType
	Bool   bool
	Number float64
	String string // up to 255 bytes without control and format characters
}

// ParseFields reads the fields of a ViewAction (page Resource files and views)
// and refuses what is wrong whatever the action declares: more than 16 fields,
// a bad or repeated name, an unknown type, a boolean over 1, a number that is
// not finite, a string that is not UTF-8 or has a control or format character,
// fields that do not match count or are followed by nonzero bytes.
func ParseFields(count uint8, raw []byte) ([]ViewField, error) {
	if count > MaxActionFields {
		return nil, fmt.Errorf("%d fields, at most %d are allowed", count, MaxActionFields)
	}
	r := fieldReader{rest: raw}
	var fields []ViewField
	for i := range int(count) {
		f, err := r.field()
		if err == nil {
			err = f.check()
		}
		if err == nil {
			err = unused(fields, f.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("field %d: %w", i, err)
		}
		fields = append(fields, f)
	}
	for _, b := range r.rest {
		if b != 0 {
			return nil, errors.New("the fields are followed by nonzero bytes")
		}
	}
	return fields, nil
}

// BuildFields is the reverse of ParseFields; it refuses what that would refuse
// and what does not fit into 1,024 bytes.
func BuildFields(fields []ViewField) (count uint8, raw []byte, err error) {
	if len(fields) > MaxActionFields {
		return 0, nil, fmt.Errorf("%d fields, at most %d are allowed", len(fields), MaxActionFields)
	}
	raw = make([]byte, 0, ActionFieldsSize)
	for i := range fields {
		f := &fields[i]
		err := f.check()
		if err == nil {
			err = unused(fields[:i], f.Name)
		}
		if err != nil {
			return 0, nil, fmt.Errorf("field %d: %w", i, err)
		}
		raw = f.append(raw)
	}
	if len(raw) > ActionFieldsSize {
		return 0, nil, fmt.Errorf("the fields have %d bytes, at most %d fit", len(raw), ActionFieldsSize)
	}
	return uint8(len(fields)), raw[:ActionFieldsSize], nil
}

func unused(fields []ViewField, name string) error {
	for i := range fields {
		if fields[i].Name == name {
			return fmt.Errorf("%q is given twice", name)
		}
	}
	return nil
}

// check says what is wrong with a field by itself.
func (f *ViewField) check() error {
	if err := ValidTopic(f.Name); err != nil {
		return err
	}
	switch {
	case f.Type > FieldString:
		return fmt.Errorf("%q: type %d is not known", f.Name, f.Type)
	case f.Type == FieldNumber && (math.IsNaN(f.Number) || math.IsInf(f.Number, 0)):
		return fmt.Errorf("%q: %g is not a finite number", f.Name, f.Number)
	case f.Type == FieldString && len(f.String) > math.MaxUint8:
		return fmt.Errorf("%q: %d bytes, at most 255 fit", f.Name, len(f.String))
	case f.Type == FieldString && !utf8.ValidString(f.String):
		return fmt.Errorf("%q: not UTF-8", f.Name)
	}
	if f.Type == FieldString {
		for _, r := range f.String {
			if unicode.In(r, unicode.Cc, unicode.Cf) {
				return fmt.Errorf("%q: control or format character %U", f.Name, r)
			}
		}
	}
	return nil
}

func (f *ViewField) append(b []byte) []byte {
	b = append(b, byte(len(f.Name)))
	b = append(b, f.Name...)
	b = append(b, byte(f.Type))
	switch f.Type {
	case FieldBoolean:
		v := byte(0)
		if f.Bool {
			v = 1
		}
		return append(b, v)
	case FieldNumber:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Number))
	default:
		b = append(b, byte(len(f.String)))
		return append(b, f.String...)
	}
}

// A fieldReader takes fields off the front of the raw bytes.
type fieldReader struct{ rest []byte }

var errFieldsEnd = errors.New("the bytes end inside it")

func (r *fieldReader) take(n int) ([]byte, error) {
	if n > len(r.rest) {
		return nil, errFieldsEnd
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b, nil
}

// short is a length byte and as many bytes.
func (r *fieldReader) short() (string, error) {
	n, err := r.take(1)
	if err != nil {
		return "", err
	}
	b, err := r.take(int(n[0]))
	return string(b), err
}

func (r *fieldReader) field() (f ViewField, err error) {
	if f.Name, err = r.short(); err != nil {
		return f, err
	}
	t, err := r.take(1)
	if err != nil {
		return f, err
	}
	switch f.Type = FieldType(t[0]); f.Type {
	case FieldBoolean:
		b, err := r.take(1)
		if err != nil {
			return f, err
		}
		if b[0] > 1 {
			return f, fmt.Errorf("%q: a boolean is 0 or 1, not %d", f.Name, b[0])
		}
		f.Bool = b[0] == 1
	case FieldNumber:
		b, err := r.take(8)
		if err != nil {
			return f, err
		}
		f.Number = math.Float64frombits(binary.LittleEndian.Uint64(b))
	case FieldString:
		f.String, err = r.short()
	}
	return f, err
}
