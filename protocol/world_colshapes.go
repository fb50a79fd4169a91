package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// A ColshapeKind is the form of a colshape.
type ColshapeKind uint8

const (
	ColshapeSphere ColshapeKind = iota
	ColshapeCuboid
	ColshapeCylinder
	ColshapeRectangle // of any height
	ColshapePolygon
)

var colshapeKinds = []string{"sphere", "cuboid", "cylinder", "rectangle", "polygon"}

// String is the kind's word, as Lua sees it.
func (k ColshapeKind) String() string { return named(colshapeKinds, k, "ColshapeKind") }

const (
	MinPoints = 3 // of a polygon
	MaxPoints = 64
)

// A Point is a corner of a polygon.
type Point struct{ X, Y float32 }

func (p *Point) Wire(c *wire.Codec) {
	c.F32In(&p.X, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&p.Y, -wire.MaxCoordinate, wire.MaxCoordinate)
}

// ColshapeShape is the outline of a colshape. A removal has only the colshape's
// id. What Position and Size mean is the kind's (page World, ColshapeShape).
type ColshapeShape struct {
	ColshapeID uint32
	Present    bool
	Kind       ColshapeKind
	Color      RGBA // alpha 0: the theme's accent
	Attachment
	Position Vec3
	Size     Vec3
	Heading  float32 // degrees, of a cuboid or rectangle
	Points   []Point // 3..64 of a polygon, else none
}

func (*ColshapeShape) ID() ID { return IDColshapeShape }

func (p *ColshapeShape) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.ColshapeID)
	c.Bool(&p.Present)
	wire.Removable(c, p, ColshapeShape{ColshapeID: p.ColshapeID}, !p.Present, 43, (*ColshapeShape).show)
}

func (p *ColshapeShape) show(c *wire.Codec) {
	wire.Enum(c, &p.Kind, ColshapePolygon)
	c.RGBA(&p.Color)
	p.Attachment.Wire(c)
	c.Position(&p.Position)
	c.Position(&p.Size)
	c.Heading(&p.Heading)
	wire.Repeat(c, &p.Points, 0, MaxPoints, (*Point).Wire)
}

// colshapeUses says of each kind which numbers it has.
var colshapeUses = [...]struct {
	planar, floor, attach, heading bool // planar: position has no z; floor: it has only z
	size                           [3]bool
}{
	ColshapeSphere:    {attach: true, size: [3]bool{true, false, false}},
	ColshapeCuboid:    {attach: true, heading: true, size: [3]bool{true, true, true}},
	ColshapeCylinder:  {attach: true, size: [3]bool{true, false, true}},
	ColshapeRectangle: {planar: true, heading: true, size: [3]bool{true, true, false}},
	ColshapePolygon:   {floor: true, size: [3]bool{false, false, true}},
}

func (p *ColshapeShape) Check() error {
	if !p.Present || p.Kind > ColshapePolygon {
		return nil // there is nothing, or the layout refuses it
	}
	uses := &colshapeUses[p.Kind]
	switch {
	case !uses.attach && p.Attach != AttachNone:
		return fmt.Errorf("attach: a %v cannot be attached", p.Kind)
	case uses.planar && !unset(p.Position.Z):
		return fmt.Errorf("position.z is 0: a %v has any height", p.Kind)
	case uses.floor && !unset(p.Position.X, p.Position.Y):
		return fmt.Errorf("position of a %v is 0, 0 and its floor", p.Kind)
	case !uses.heading && !unset(p.Heading):
		return fmt.Errorf("a %v has no heading", p.Kind)
	}
	if err := p.checkSize(uses.size); err != nil {
		return err
	}
	if err := p.checkPoints(); err != nil {
		return err
	}
	return p.Attachment.Check()
}

func (p *ColshapeShape) checkSize(uses [3]bool) error {
	for i, v := range [...]float32{p.Size.X, p.Size.Y, p.Size.Z} {
		anyHeight := p.Kind == ColshapePolygon && v == 0
		switch {
		case uses[i] && !(v > 0) && !anyHeight:
			return fmt.Errorf("size.%c of a %v is above 0", "xyz"[i], p.Kind)
		case uses[i] && anyHeight && !unset(p.Position.Z):
			return errors.New("size: a polygon of any height has the floor 0")
		case !uses[i] && !unset(v):
			return fmt.Errorf("size.%c of a %v is 0", "xyz"[i], p.Kind)
		}
	}
	return nil
}

func (p *ColshapeShape) checkPoints() error {
	n := len(p.Points)
	switch {
	case p.Kind != ColshapePolygon && n != 0:
		return fmt.Errorf("a %v has no points", p.Kind)
	case p.Kind == ColshapePolygon && n < MinPoints:
		return fmt.Errorf("count: a polygon has %d..%d points, not %d", MinPoints, MaxPoints, n)
	}
	for i := range p.Points {
		if p.Points[i] == p.Points[(i+1)%n] {
			return fmt.Errorf("points[%d] and its neighbour are the same", i)
		}
	}
	return nil
}
