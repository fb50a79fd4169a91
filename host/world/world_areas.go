package world

import (
	"math"

	"darqline/protocol"
)

// area is the geometry of a colshape.
type area struct {
	kind       protocol.ColshapeKind
	x, y, z    float64 // the centre; of a cylinder and a polygon z is the floor
	w, d, h    float64 // half of width and depth, or the radius; the height; of a cuboid half of it
	sin, cos   float64 // of the heading
	points     []protocol.Point
	minX, minY float64 // with the margin
	maxX, maxY float64
	every      float64 // metres between two tested points
}

// border is how near to an edge of a polygon a point is on it, in metres.
const border = 1e-3

func newArea(s *ColshapeSpec) area {
	a := area{kind: s.Kind, x: float64(s.Position.X), y: float64(s.Position.Y), z: float64(s.Position.Z), w: float64(s.Size.X),
		d: float64(s.Size.Y), h: float64(s.Size.Z), points: s.Points}
	reachX, reachY := a.w, a.w
	switch s.Kind {
	case protocol.ColshapeSphere:
		a.every = step(2 * a.w)
	case protocol.ColshapeCylinder:
		a.every = step(2*a.w, a.h)
	case protocol.ColshapeCuboid, protocol.ColshapeRectangle:
		a.every = step(a.w, a.d)
		if s.Kind == protocol.ColshapeCuboid {
			a.every = step(a.w, a.d, a.h)
		}
		a.w, a.d, a.h = a.w/2, a.d/2, a.h/2
		a.sin, a.cos = math.Sincos(float64(s.Heading) * math.Pi / 180)
		reachX = a.w*math.Abs(a.cos) + a.d*math.Abs(a.sin)
		reachY = a.w*math.Abs(a.sin) + a.d*math.Abs(a.cos)
	case protocol.ColshapePolygon:
		minX, minY, maxX, maxY := corners(s.Points)
		a.x, a.y, reachX, reachY = (minX+maxX)/2, (minY+maxY)/2, (maxX-minX)/2, (maxY-minY)/2
		a.every = step(2*reachX, 2*reachY)
		if a.h > 0 {
			a.every = step(2*reachX, 2*reachY, a.h)
		}
	}
	m := float64(s.Margin) + border
	a.minX, a.maxX, a.minY, a.maxY = a.x-reachX-m, a.x+reachX+m, a.y-reachY-m, a.y+reachY+m
	return a
}

func corners(points []protocol.Point) (minX, minY, maxX, maxY float64) {
	minX, minY, maxX, maxY = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		minX, maxX = min(minX, float64(p.X)), max(maxX, float64(p.X))
		minY, maxY = min(minY, float64(p.Y)), max(maxY, float64(p.Y))
	}
	return minX, minY, maxX, maxY
}

// contains says whether a point is in the area grown by a margin, or on its border.
func (a *area) contains(at protocol.Vec3, margin float32) bool {
	x, y, z, m := float64(at.X), float64(at.Y), float64(at.Z), float64(margin)
	if x < a.minX || x > a.maxX || y < a.minY || y > a.maxY {
		return false
	}
	dx, dy, dz := x-a.x, y-a.y, z-a.z
	switch a.kind {
	case protocol.ColshapeSphere:
		return dx*dx+dy*dy+dz*dz <= (a.w+m)*(a.w+m)
	case protocol.ColshapeCylinder:
		return dx*dx+dy*dy <= (a.w+m)*(a.w+m) && dz >= -m && dz <= a.h+m
	case protocol.ColshapePolygon:
		return (a.h == 0 || dz >= -m && dz <= a.h+m) && a.inPolygon(x, y, m)
	}
	across, along := dx*a.cos+dy*a.sin, dy*a.cos-dx*a.sin
	return math.Abs(across) <= a.w+m && math.Abs(along) <= a.d+m &&
		(a.kind == protocol.ColshapeRectangle || math.Abs(dz) <= a.h+m)
}

// inPolygon follows the even-odd rule; who is as near to an edge as the margin is in it too.
func (a *area) inPolygon(x, y, margin float64) bool {
	in, near := false, (margin+border)*(margin+border)
	for i, p := range a.points {
		q := a.points[(i+1)%len(a.points)]
		px, py, qx, qy := float64(p.X), float64(p.Y), float64(q.X), float64(q.Y)
		if (py > y) != (qy > y) && x < px+(y-py)/(qy-py)*(qx-px) {
			in = !in
		}
		ex, ey := qx-px, qy-py
		t := min(max(((x-px)*ex+(y-py)*ey)/(ex*ex+ey*ey), 0), 1)
		if dx, dy := x-px-t*ex, y-py-t*ey; dx*dx+dy*dy <= near {
			return true
		}
	}
	return in
}

// crossed says whether a point between two positions is in the area.
func (a *area) crossed(from, to protocol.Vec3) bool {
	n := between(distance(from, to), a.every)
	for i := 1; i <= n; i++ {
		t := float32(i) / float32(n+1)
		at := protocol.Vec3{X: from.X + t*(to.X-from.X), Y: from.Y + t*(to.Y-from.Y), Z: from.Z + t*(to.Z-from.Z)}
		if a.contains(at, 0) {
			return true
		}
	}
	return false
}

// far is the distance of the centre.
func (a *area) far(at protocol.Vec3) float64 {
	dz := float64(at.Z) - a.z
	if a.kind == protocol.ColshapeRectangle || a.kind == protocol.ColshapePolygon {
		dz = 0
	}
	return math.Hypot(math.Hypot(float64(at.X)-a.x, float64(at.Y)-a.y), dz)
}

// areas finds colshapes by place: by squares of the ground, and those that cover many of them one by one.
type areas struct {
	squares map[square][]*Colshape
	wide    []*Colshape
	look    uint64
}

type square struct{ x, y int16 }

const (
	squareSide  = 128 // metres
	mostSquares = 64  // that one colshape is noted in
)

func squareAt(x, y float64) square {
	return square{int16(math.Floor(x / squareSide)), int16(math.Floor(y / squareSide))}
}

// squaresOf are the corners of the squares that a colshape covers, and whether those are too many to note it in.
func squaresOf(a *area) (lo, hi square, wide bool) {
	lo, hi = squareAt(a.minX, a.minY), squareAt(a.maxX, a.maxY)
	return lo, hi, (int(hi.x)-int(lo.x)+1)*(int(hi.y)-int(lo.y)+1) > mostSquares
}

func (g *areas) add(c *Colshape) {
	if c.spec.Disabled {
		return
	}
	lo, hi, wide := squaresOf(&c.area)
	if wide {
		g.wide = append(g.wide, c)
		return
	}
	if g.squares == nil {
		g.squares = make(map[square][]*Colshape)
	}
	for s := range squares(lo, hi) {
		g.squares[s] = append(g.squares[s], c)
	}
}

func (g *areas) remove(c *Colshape) {
	lo, hi, wide := squaresOf(&c.area)
	if wide {
		g.wide = without(g.wide, c)
		return
	}
	for s := range squares(lo, hi) {
		if g.squares[s] = without(g.squares[s], c); len(g.squares[s]) == 0 {
			delete(g.squares, s)
		}
	}
}

// along adds the colshapes that may be met on a way of at most 60 m.
func (g *areas) along(list []*Colshape, from, to protocol.Vec3) []*Colshape {
	g.look++
	lo := squareAt(float64(min(from.X, to.X)), float64(min(from.Y, to.Y)))
	hi := squareAt(float64(max(from.X, to.X)), float64(max(from.Y, to.Y)))
	for s := range squares(lo, hi) {
		for _, c := range g.squares[s] {
			if c.looked != g.look {
				c.looked = g.look
				list = append(list, c)
			}
		}
	}
	return append(list, g.wide...)
}

func squares(lo, hi square) func(yield func(square) bool) {
	return func(yield func(square) bool) {
		for x := lo.x; x <= hi.x; x++ {
			for y := lo.y; y <= hi.y; y++ {
				if !yield(square{x, y}) {
					return
				}
			}
		}
	}
}
