package wire

import (
	"encoding/binary"
	"fmt"
	"math"
)

// MaxCoordinate bounds each axis of a place in the world, in metres.
const MaxCoordinate = 20000

// A Vec3 is three axes, in the unit of its field.
type Vec3 struct{ X, Y, Z float32 }

// A Quat is a rotation of unit length.
type Quat struct{ X, Y, Z, W float32 }

// An RGBA is a color. Alpha 0 stands for the theme's color unless its packet
// says otherwise.
type RGBA struct{ R, G, B, A uint8 }

// Position is a vec3 of world coordinates, each within +-20,000 m.
func (c *Codec) Position(p *Vec3) { c.Vec3(p, MaxCoordinate) }

// FreeVec3 is three finite f32.
func (c *Codec) FreeVec3(p *Vec3) { c.Vec3(p, math.MaxFloat32) }

// Vec3 is three f32, each within +-limit.
func (c *Codec) Vec3(p *Vec3, limit float32) {
	b, ok := c.next(12)
	if !ok {
		c.missVec3(p, limit)
		return
	}
	if c.encoding {
		binary.LittleEndian.PutUint32(b, math.Float32bits(p.X))
		binary.LittleEndian.PutUint32(b[4:], math.Float32bits(p.Y))
		binary.LittleEndian.PutUint32(b[8:], math.Float32bits(p.Z))
	} else {
		p.X = math.Float32frombits(binary.LittleEndian.Uint32(b))
		p.Y = math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		p.Z = math.Float32frombits(binary.LittleEndian.Uint32(b[8:]))
	}
	if !(p.X >= -limit && p.X <= limit && p.Y >= -limit && p.Y <= limit && p.Z >= -limit && p.Z <= limit) {
		c.refuseVec3(p, limit)
	}
}

//go:noinline
func (c *Codec) missVec3(p *Vec3, limit float32) {
	c.miss(p, Field{Type: "vec3", Min: 12, Max: 12})
	if limit < math.MaxFloat32 {
		c.note("each within ±%g", limit)
	}
}

//go:noinline
func (c *Codec) refuseVec3(p *Vec3, limit float32) {
	reason := fmt.Sprintf("(%g, %g, %g) is not within ±%g on each axis", p.X, p.Y, p.Z, limit)
	if limit == math.MaxFloat32 {
		reason = fmt.Sprintf("(%g, %g, %g) is not finite", p.X, p.Y, p.Z)
	}
	c.refuse(p, 12, reason)
}

// Direction is three f32 of unit length within 0.01.
func (c *Codec) Direction(p *Vec3) {
	c.FreeVec3(p)
	c.note("unit length")
	if sum := square(p.X) + square(p.Y) + square(p.Z); !unit(sum) {
		c.refuse(p, 12, fmt.Sprintf("a direction has length 1, not %g", math.Sqrt(sum)))
	}
}

func square(v float32) float64 { return float64(v) * float64(v) }

// unit reports whether a vector whose square is sum has length 1 within 0.01.
func unit(sum float64) bool { return sum >= 0.99*0.99 && sum <= 1.01*1.01 }

// I16Vec is three i16, each within +-limit.
func (c *Codec) I16Vec(p *[3]int16, limit int16) {
	b, ok := c.next(6)
	if !ok {
		c.missI16Vec(p, limit)
		return
	}
	if c.encoding {
		binary.LittleEndian.PutUint16(b, uint16(p[0]))
		binary.LittleEndian.PutUint16(b[2:], uint16(p[1]))
		binary.LittleEndian.PutUint16(b[4:], uint16(p[2]))
	} else {
		p[0] = int16(binary.LittleEndian.Uint16(b))
		p[1] = int16(binary.LittleEndian.Uint16(b[2:]))
		p[2] = int16(binary.LittleEndian.Uint16(b[4:]))
	}
	if limit < math.MaxInt16 && (max(p[0], p[1], p[2]) > limit || min(p[0], p[1], p[2]) < -limit) {
		c.refuseI16Vec(p, limit)
	}
}

//go:noinline
func (c *Codec) missI16Vec(p *[3]int16, limit int16) {
	c.miss(p, Field{Type: "i16", Dim: "3", Min: 6, Max: 6})
	if limit < math.MaxInt16 {
		c.note("each within ±%d", limit)
	}
}

//go:noinline
func (c *Codec) refuseI16Vec(p *[3]int16, limit int16) {
	c.refuse(p, 6, fmt.Sprintf("%d is not within ±%d on each axis", *p, limit))
}

// Quat is four f32, x y z w, of unit length within 0.01.
func (c *Codec) Quat(p *Quat) {
	b, ok := c.next(16)
	if !ok {
		c.miss(p, Field{Type: "quat", Min: 16, Max: 16, Note: "unit length"})
		return
	}
	if c.encoding {
		binary.LittleEndian.PutUint32(b, math.Float32bits(p.X))
		binary.LittleEndian.PutUint32(b[4:], math.Float32bits(p.Y))
		binary.LittleEndian.PutUint32(b[8:], math.Float32bits(p.Z))
		binary.LittleEndian.PutUint32(b[12:], math.Float32bits(p.W))
	} else {
		p.X = math.Float32frombits(binary.LittleEndian.Uint32(b))
		p.Y = math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		p.Z = math.Float32frombits(binary.LittleEndian.Uint32(b[8:]))
		p.W = math.Float32frombits(binary.LittleEndian.Uint32(b[12:]))
	}
	if !unit(square(p.X) + square(p.Y) + square(p.Z) + square(p.W)) {
		c.refuseQuat(p)
	}
}

//go:noinline
func (c *Codec) refuseQuat(p *Quat) {
	length := math.Sqrt(square(p.X) + square(p.Y) + square(p.Z) + square(p.W))
	c.refuse(p, 16, fmt.Sprintf("a rotation has length 1, not %g", length))
}

// RGBA is a color whose r, g and b are 0 where its alpha is: the theme's.
func (c *Codec) RGBA(p *RGBA) {
	if !c.rgba(p) {
		c.note("alpha 0: the theme's")
	} else if p.A == 0 && *p != (RGBA{}) {
		c.refuse(p, 4, "with alpha 0, the theme's color, r, g and b are 0")
	}
}

// Color is a color that is meant as it stands, with any alpha.
func (c *Codec) Color(p *RGBA) { c.rgba(p) }

func (c *Codec) rgba(p *RGBA) bool {
	b, ok := c.next(4)
	switch {
	case !ok:
		c.miss(p, Field{Type: "rgba", Min: 4, Max: 4})
		return false
	case c.encoding:
		b[0], b[1], b[2], b[3] = p.R, p.G, p.B, p.A
	default:
		*p = RGBA{b[0], b[1], b[2], b[3]}
	}
	return true
}
