package wire

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// A label is the name of a field that has no place of its own in the struct.
type label string

const (
	padding   label = "padding"
	countName label = "count"
	lenName   label = "len"
	sizeName  label = "size"
)

// unionPrefix stands before the name of the field that a union is chosen by.
const unionPrefix = "by "

// name finds the page's name of a field by its address in the packet. It is
// called for faults and descriptions only. A field is a pointer, or a slice of
// a whole array.
func (c *Codec) name(field any) string {
	if l, ok := field.(label); ok {
		return string(l)
	}
	v := reflect.ValueOf(field)
	path, _ := find(reflect.ValueOf(c.root).Elem(), v.Pointer(), v.Type())
	if c.layout != nil { // the layout around it says the rest
		path = path[strings.LastIndexByte(path, '.')+1:]
		path = strings.TrimSuffix(path, "[0]")
	}
	return path
}

// find walks from v to the value at addr that a pointer or slice of type want
// refers to.
func find(v reflect.Value, addr uintptr, want reflect.Type) (string, bool) {
	if v.Addr().Pointer() == addr && refersTo(want, v.Type()) {
		return "", true
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			path, ok := find(v.Field(i), addr, want)
			if f := v.Type().Field(i); ok && !f.Anonymous { // the page has the fields of an embedded struct for itself
				path = join(snake(f.Name), path)
			}
			if ok {
				return path, true
			}
		}
	case reflect.Array, reflect.Slice:
		if e := v.Type().Elem(); e.Kind() == reflect.Uint8 && e != want.Elem() {
			return "", false // many, and nothing in them
		}
		for i := range v.Len() {
			if path, ok := find(v.Index(i), addr, want); ok {
				return join(fmt.Sprintf("[%d]", i), path), true
			}
		}
	}
	return "", false
}

func refersTo(want, t reflect.Type) bool {
	if want.Kind() == reflect.Slice {
		return t.Kind() == reflect.Array && t.Elem() == want.Elem()
	}
	return want.Elem() == t
}

func join(name, rest string) string {
	if name == "" || rest == "" || rest[0] == '[' {
		return name + rest
	}
	return name + "." + rest
}

// snake turns a Go name into the page's: ViewID into view_id, AuthNonce into
// auth_nonce, SHA256 into sha256.
func snake(s string) string {
	var b strings.Builder
	rs := []rune(s)
	for i, r := range rs {
		if unicode.IsUpper(r) && i > 0 {
			before := rs[i-1]
			ends := i+1 < len(rs) && unicode.IsLower(rs[i+1]) // the last capital of a run begins a word
			if unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && ends {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
