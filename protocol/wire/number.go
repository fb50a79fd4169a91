package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
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

// A rule is what an integer's bounds mean.
type rule uint8

const (
	within  rule = iota // from lo to hi
	nonZero             // lo is 1 and hi the largest
	zeroOr              // 0, or from lo to hi
	bits                // a set of flags; hi has all of them
)

// integer is what all integers are made of, whatever they may be: one function,
// so that a field of a frame costs one call.
func integer[T Integer](c *Codec, p *T, lo, hi T, r rule) {
	size := int(unsafe.Sizeof(*p)) // known when it is compiled, so one case is left of each switch
	b, ok := c.next(size)
	if !ok {
		missInteger(c, p, lo, hi, r)
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
		outOfBounds(c, p, lo, hi, r)
	}
}

// The cold paths stand apart, here and elsewhere, so that the hot one needs no
// room for what they build.
//
//go:noinline
func missInteger[T Integer](c *Codec, p *T, lo, hi T, r rule) {
	size := int(unsafe.Sizeof(*p))
	f := Field{Type: kind(*p), Min: size, Max: size}
	if _, ok := any(*p).(fmt.Stringer); ok {
		f.Word = func(v uint64) string { return any(T(v)).(fmt.Stringer).String() }
	}
	switch all := lo-1 == hi; {
	case r == nonZero:
		f.Note = "not 0"
	case r == zeroOr:
		f.Note = fmt.Sprintf("0, or %d..%d", lo, hi)
	case r == bits && hi == 1:
		f.Note = "bit 0"
	case r == bits && !all:
		f.Note = fmt.Sprintf("bits 0..%d", mathbits.Len64(uint64(hi))-1)
	case !all:
		f.Note = fmt.Sprintf("%d..%d", lo, hi)
	}
	c.miss(p, f)
}

//go:noinline
func outOfBounds[T Integer](c *Codec, p *T, lo, hi T, r rule) {
	if r == zeroOr && *p == 0 {
		return
	}
	reason := fmt.Sprintf("%d is outside %d..%d", *p, lo, hi)
	switch r {
	case zeroOr:
		reason = fmt.Sprintf("%d is neither 0 nor within %d..%d", *p, lo, hi)
	case nonZero:
		reason = "must not be 0"
	case bits:
		reason = fmt.Sprintf("bits %#x are not defined", *p&^hi)
	}
	c.refuse(p, int(unsafe.Sizeof(*p)), reason)
}

// U8 is a u8 of any value; the next six likewise.
func (c *Codec) U8(p *uint8)   { integer(c, p, 0, math.MaxUint8, within) }
func (c *Codec) U16(p *uint16) { integer(c, p, 0, math.MaxUint16, within) }
func (c *Codec) U32(p *uint32) { integer(c, p, 0, math.MaxUint32, within) }
func (c *Codec) U64(p *uint64) { integer(c, p, 0, math.MaxUint64, within) }
func (c *Codec) I8(p *int8)    { integer(c, p, math.MinInt8, math.MaxInt8, within) }
func (c *Codec) I16(p *int16)  { integer(c, p, math.MinInt16, math.MaxInt16, within) }
func (c *Codec) I32(p *int32)  { integer(c, p, math.MinInt32, math.MaxInt32, within) }

// Range is an integer from lo to hi.
func Range[T Integer](c *Codec, p *T, lo, hi T) { integer(c, p, lo, hi, within) }

// NonZero is an integer that is not 0: an id, a token.
func NonZero[T Unsigned](c *Codec, p *T) { integer(c, p, 1, ^T(0), nonZero) }

// ZeroOr is 0, or an integer from lo to hi.
func ZeroOr[T Unsigned](c *Codec, p *T, lo, hi T) { integer(c, p, lo, hi, zeroOr) }

// Enum is one of the values 0 to last.
func Enum[T ~uint8](c *Codec, p *T, last T) { integer(c, p, 0, last, within) }

// Bits is a set of flags, of which the lowest n may be set.
func Bits[T Unsigned](c *Codec, p *T, n int) { integer(c, p, 0, T(1)<<n-1, bits) }

// OneOf is one of the values of a set.
func OneOf[T ~uint8 | ~uint16](c *Codec, p *T, set *Set) {
	size := int(unsafe.Sizeof(*p))
	b, ok := c.next(size)
	if !ok {
		missInteger(c, p, 0, ^T(0), within)
		c.note("%s", set)
		return
	}
	switch {
	case c.encoding && size == 1:
		b[0] = byte(*p)
	case c.encoding:
		binary.LittleEndian.PutUint16(b, uint16(*p))
	case size == 1:
		*p = T(b[0])
	default:
		*p = T(binary.LittleEndian.Uint16(b))
	}
	if !set.Has(uint16(*p)) {
		notInSet(c, p, set)
	}
}

//go:noinline
func notInSet[T ~uint8 | ~uint16](c *Codec, p *T, set *Set) {
	c.refuse(p, int(unsafe.Sizeof(*p)), fmt.Sprintf("%d is not one of %s", *p, set))
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
		if hi < math.MaxFloat32 {
			c.note("%g..%g", lo, hi)
		}
	} else if !(*p >= lo && *p <= hi) {
		c.refuse(p, 4, outside(*p, lo, hi, math.MaxFloat32))
	}
}

// F32Over is an f32 above lo, up to hi.
func (c *Codec) F32Over(p *float32, lo, hi float32) {
	if !c.f32(p) {
		c.note("above %g, up to %g", lo, hi)
	} else if !(*p > lo && *p <= hi) {
		c.refuse(p, 4, fmt.Sprintf("%g is not above %g and up to %g", *p, lo, hi))
	}
}

// Heading is degrees counter-clockwise from north, from 0 up to but not 360.
func (c *Codec) Heading(p *float32) {
	if !c.f32(p) {
		c.note("0..360, not 360")
	} else if !(*p >= 0 && *p < 360) {
		c.refuse(p, 4, fmt.Sprintf("%g is not a heading, 0 up to but not 360", *p))
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
		if hi < math.MaxFloat64 {
			c.note("%g..%g", lo, hi)
		}
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

// outside says what is wrong with a float that is not from lo to hi; where hi
// is the largest of its type, every finite number is.
func outside[T float32 | float64](v, lo, hi, largest T) string {
	if v != v || math.IsInf(float64(v), 0) || hi == largest {
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
