package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// Integer is what a number, an enum or a set of flags is made of.
type Integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32
}

// Any is an integer of any value; it reports whether there was one. The
// methods U8 to I32 are its short forms.
func Any[T Integer](c *Codec, p *T) bool {
	size := int(unsafe.Sizeof(*p)) // known when it is compiled, so one case is left of each switch
	b := c.next(size)
	if b == nil {
		c.miss(p, Field{Type: kind(*p), Min: size, Max: size})
		return false
	}
	if c.encoding {
		switch size {
		case 1:
			b[0] = byte(*p)
		case 2:
			binary.LittleEndian.PutUint16(b, uint16(*p))
		case 4:
			binary.LittleEndian.PutUint32(b, uint32(*p))
		case 8:
			binary.LittleEndian.PutUint64(b, uint64(*p))
		}
		return true
	}
	switch size {
	case 1:
		*p = T(b[0])
	case 2:
		*p = T(binary.LittleEndian.Uint16(b))
	case 4:
		*p = T(binary.LittleEndian.Uint32(b))
	case 8:
		*p = T(binary.LittleEndian.Uint64(b))
	}
	return true
}

// U8 is a u8 of any value; the next six likewise.
func (c *Codec) U8(p *uint8)   { Any(c, p) }
func (c *Codec) U16(p *uint16) { Any(c, p) }
func (c *Codec) U32(p *uint32) { Any(c, p) }
func (c *Codec) U64(p *uint64) { Any(c, p) }
func (c *Codec) I8(p *int8)    { Any(c, p) }
func (c *Codec) I16(p *int16)  { Any(c, p) }
func (c *Codec) I32(p *int32)  { Any(c, p) }

// Range is an integer from lo to hi.
func Range[T Integer](c *Codec, p *T, lo, hi T) {
	if !Any(c, p) {
		c.note("%d..%d", lo, hi)
	} else if *p < lo || *p > hi {
		c.refuse(p, int(unsafe.Sizeof(*p)), fmt.Sprintf("%d is outside %d..%d", *p, lo, hi))
	}
}

// ZeroOr is 0, or an integer from lo to hi.
func ZeroOr[T Integer](c *Codec, p *T, lo, hi T) {
	if !Any(c, p) {
		c.note("0, or %d..%d", lo, hi)
	} else if *p != 0 && (*p < lo || *p > hi) {
		c.refuse(p, int(unsafe.Sizeof(*p)), fmt.Sprintf("%d is neither 0 nor within %d..%d", *p, lo, hi))
	}
}

// NonZero is an integer that is not 0: an id, a token.
func NonZero[T Integer](c *Codec, p *T) {
	if !Any(c, p) {
		c.note("not 0")
	} else if *p == 0 {
		c.refuse(p, int(unsafe.Sizeof(*p)), "must not be 0")
	}
}

// Enum is one of the values 0 to last.
func Enum[T ~uint8](c *Codec, p *T, last T) { Range(c, p, 0, last) }

// OneOf is one of the values of a set.
func OneOf[T ~uint8](c *Codec, p *T, set *Set) {
	if !Any(c, p) {
		c.note("%s", set)
	} else if !set.Has(uint8(*p)) {
		c.refuse(p, 1, fmt.Sprintf("%d is not one of %s", *p, set))
	}
}

// Bits is a set of flags, of which only those of mask may be set.
func Bits[T ~uint8 | ~uint16 | ~uint32 | ~uint64](c *Codec, p *T, mask T) {
	if !Any(c, p) {
		c.note("bits %#x", mask)
	} else if *p&^mask != 0 {
		c.refuse(p, int(unsafe.Sizeof(*p)), fmt.Sprintf("bits %#x are not defined", *p&^mask))
	}
}

// Bool is a u8 that is 0 or 1.
func (c *Codec) Bool(p *bool) {
	b := c.next(1)
	switch {
	case b == nil:
		c.miss(p, Field{Type: "bool", Min: 1, Max: 1})
	case c.encoding && *p:
		b[0] = 1
	case c.encoding:
		b[0] = 0
	case b[0] > 1:
		c.refuse(p, 1, fmt.Sprintf("a bool is 0 or 1, not %d", b[0]))
	default:
		*p = b[0] == 1
	}
}

// F32 is a finite f32.
func (c *Codec) F32(p *float32) { c.F32In(p, -math.MaxFloat32, math.MaxFloat32) }

// F32In is an f32 from lo to hi.
func (c *Codec) F32In(p *float32, lo, hi float32) {
	if !c.f32(p) {
		c.spanNote(float64(lo), float64(hi), math.MaxFloat32)
	} else if !(*p >= lo && *p <= hi) {
		c.refuse(p, 4, outside(float64(*p), float64(lo), float64(hi), math.MaxFloat32))
	}
}

// F32ZeroOr is 0, or an f32 from lo to hi.
func (c *Codec) F32ZeroOr(p *float32, lo, hi float32) {
	if !c.f32(p) {
		c.note("0, or %g..%g", lo, hi)
	} else if math.Float32bits(*p) != 0 && !(*p >= lo && *p <= hi) {
		c.refuse(p, 4, fmt.Sprintf("%g is neither 0 nor within %g..%g", *p, lo, hi))
	}
}

func (c *Codec) f32(p *float32) bool {
	b := c.next(4)
	switch {
	case b == nil:
		c.miss(p, Field{Type: "f32", Min: 4, Max: 4})
		return false
	case c.encoding:
		binary.LittleEndian.PutUint32(b, math.Float32bits(*p))
	default:
		*p = math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return true
}

// F64 is a finite f64.
func (c *Codec) F64(p *float64) { c.F64In(p, -math.MaxFloat64, math.MaxFloat64) }

// F64In is an f64 from lo to hi.
func (c *Codec) F64In(p *float64, lo, hi float64) {
	b := c.next(8)
	switch {
	case b == nil:
		c.miss(p, Field{Type: "f64", Min: 8, Max: 8})
		c.spanNote(lo, hi, math.MaxFloat64)
		return
	case c.encoding:
		binary.LittleEndian.PutUint64(b, math.Float64bits(*p))
	default:
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	if !(*p >= lo && *p <= hi) {
		c.refuse(p, 8, outside(*p, lo, hi, math.MaxFloat64))
	}
}

func (c *Codec) spanNote(lo, hi, most float64) {
	if hi < most {
		c.note("%g..%g", lo, hi)
	}
}

func outside(v, lo, hi, most float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || hi == most {
		return fmt.Sprintf("%g is not a finite number", v)
	}
	return fmt.Sprintf("%g is outside %g..%g", v, lo, hi)
}

// kind is the page's name of an integer's type.
func kind[T Integer](v T) string {
	t := reflect.TypeOf(v)
	letter := "u"
	if t.Kind() <= reflect.Int64 {
		letter = "i"
	}
	return fmt.Sprint(letter, t.Bits())
}
