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
	Unsigned | ~int8 | ~int16 | ~int32
}

// Unsigned is what an id or a set of flags is made of.
type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Range is an integer from lo to hi. It is also what the other integers are
// made of, one function so that each of a frame's fields costs one call; the
// methods U8 to I32 are its short forms for any value.
func Range[T Integer](c *Codec, p *T, lo, hi T) {
	size := int(unsafe.Sizeof(*p)) // known when it is compiled, so one case is left of each switch
	b, ok := c.next(size)
	if !ok {
		missInteger(c, p, lo, hi)
		return
	}
	v := *p
	if c.encoding {
		switch size {
		case 1:
			b[0] = byte(v)
		case 2:
			binary.LittleEndian.PutUint16(b, uint16(v))
		case 4:
			binary.LittleEndian.PutUint32(b, uint32(v))
		case 8:
			binary.LittleEndian.PutUint64(b, uint64(v))
		}
	} else {
		switch size {
		case 1:
			v = T(b[0])
		case 2:
			v = T(binary.LittleEndian.Uint16(b))
		case 4:
			v = T(binary.LittleEndian.Uint32(b))
		case 8:
			v = T(binary.LittleEndian.Uint64(b))
		}
		*p = v
	}
	if v < lo || v > hi {
		refuseInteger(c, p, lo, hi)
	}
}

// The cold paths stand apart, so that Range needs no room for what they build.
//
//go:noinline
func missInteger[T Integer](c *Codec, p *T, lo, hi T) {
	size := int(unsafe.Sizeof(*p))
	c.miss(p, Field{Type: kind(*p), Min: size, Max: size})
	switch {
	case lo-1 == hi: // every value
	case lo == 1 && hi+1 == 0:
		c.note("not 0")
	default:
		c.note("%d..%d", lo, hi)
	}
}

//go:noinline
func refuseInteger[T Integer](c *Codec, p *T, lo, hi T) {
	reason := fmt.Sprintf("%d is outside %d..%d", *p, lo, hi)
	if *p == 0 && lo == 1 && hi+1 == 0 {
		reason = "must not be 0"
	}
	c.refuse(p, int(unsafe.Sizeof(*p)), reason)
}

// U8 is a u8 of any value; the next six likewise.
func (c *Codec) U8(p *uint8)   { Range(c, p, 0, math.MaxUint8) }
func (c *Codec) U16(p *uint16) { Range(c, p, 0, math.MaxUint16) }
func (c *Codec) U32(p *uint32) { Range(c, p, 0, math.MaxUint32) }
func (c *Codec) U64(p *uint64) { Range(c, p, 0, math.MaxUint64) }
func (c *Codec) I8(p *int8)    { Range(c, p, math.MinInt8, math.MaxInt8) }
func (c *Codec) I16(p *int16)  { Range(c, p, math.MinInt16, math.MaxInt16) }
func (c *Codec) I32(p *int32)  { Range(c, p, math.MinInt32, math.MaxInt32) }

// NonZero is an integer that is not 0: an id, a token.
func NonZero[T Unsigned](c *Codec, p *T) { Range(c, p, 1, ^T(0)) }

// Enum is one of the values 0 to last.
func Enum[T ~uint8](c *Codec, p *T, last T) { Range(c, p, 0, last) }

// ZeroOr is 0, or an integer from lo to hi.
func ZeroOr[T Unsigned](c *Codec, p *T, lo, hi T) {
	Range(c, p, 0, hi)
	if c.layout != nil {
		c.note("0, or %d..%d", lo, hi)
	} else if *p != 0 && *p < lo {
		c.refuse(p, int(unsafe.Sizeof(*p)), fmt.Sprintf("%d is neither 0 nor within %d..%d", *p, lo, hi))
	}
}

// Bits is a set of flags, of which only those of mask may be set.
func Bits[T Unsigned](c *Codec, p *T, mask T) {
	Range(c, p, 0, ^T(0))
	if *p&^mask != 0 || c.layout != nil {
		notInMask(c, p, mask)
	}
}

//go:noinline
func notInMask[T Unsigned](c *Codec, p *T, mask T) {
	if ^mask != 0 {
		c.note("bits %#x", mask)
	}
	c.refuse(p, int(unsafe.Sizeof(*p)), fmt.Sprintf("bits %#x are not defined", *p&^mask))
}

// OneOf is one of the values of a set.
func OneOf[T ~uint8](c *Codec, p *T, set *Set) {
	b, ok := c.next(1)
	if !ok {
		missInteger(c, p, 0, 255)
		c.note("%s", set)
		return
	}
	if c.encoding {
		b[0] = byte(*p)
	} else {
		*p = T(b[0])
	}
	if !set.Has(b[0]) {
		notInSet(c, p, set)
	}
}

//go:noinline
func notInSet[T ~uint8](c *Codec, p *T, set *Set) {
	c.refuse(p, 1, fmt.Sprintf("%d is not one of %s", *p, set))
}

// Bool is a u8 that is 0 or 1.
func (c *Codec) Bool(p *bool) {
	b, ok := c.next(1)
	switch {
	case !ok:
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
	b, ok := c.next(4)
	switch {
	case !ok:
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
	b, ok := c.next(8)
	switch {
	case !ok:
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
