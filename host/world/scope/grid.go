package scope

import (
	"slices"

	"darqline/protocol"
)

// The grid is a torus of square cells: a place is in the cell of its coordinates modulo the torus' size (16 km, over twice
// the game's map), so that neither bounds nor outliers matter. Where the torus laps over itself, and beyond the edge of
// what is told apart, the distance decides as it does everywhere.
const (
	cell = 128 // metres
	side = 128 // cells
	mask = side - 1
	edge = 65536 // metres; what is farther out counts to the cell there
	// zero is the line of coordinate 0: large enough that no line is negative, and half a torus off the seam.
	zero   = edge/cell + side/2
	widest = (side/2 - 1) * cell // metres; the radius up to which a disc does not meet itself
	slack  = 0.25                // metres; more than the rounding of any position
)

// Grid holds things by where they are. The zero value is empty. Any number of goroutines may look at it while none builds.
type Grid struct {
	starts [side*side + 1]uint32 // of each cell in things
	things []Thing               // in the order of the cells
	slots  uint32                // the highest, and one
	cells  []uint16              // scratch of Build: the cell of each thing
}

// Build puts the things in place of all before. It keeps a copy.
func (g *Grid) Build(things []Thing) {
	g.things = slices.Grow(g.things[:0], len(things))[:len(things)]
	g.cells = slices.Grow(g.cells[:0], len(things))[:len(things)]
	clear(g.starts[:])
	g.slots = 0
	for i := range things {
		t := &things[i]
		right, up := shift(t.Dimension)
		c := uint16((line(t.Position.Y)+up)&mask*side + (line(t.Position.X)+right)&mask)
		g.cells[i] = c
		g.starts[c]++
		g.slots = max(g.slots, t.Slot+1)
	}
	var sum uint32
	for i := range g.starts { // now the end of each cell; its start when all are placed
		sum += g.starts[i]
		g.starts[i] = sum
	}
	for i := len(things) - 1; i >= 0; i-- {
		at := &g.starts[g.cells[i]]
		*at--
		g.things[*at] = things[i]
	}
}

// Near appends to into the things within radius metres (0 or more), that distance included, nearest first.
func (g *Grid) Near(into []Near, at protocol.Vec3, dimension uint16, radius float32) []Near {
	var room [2 * side]span
	limit := radius * radius
	first := len(into)
	for _, s := range g.disc(room[:0], at, dimension, radius) {
		for i := range g.things[s.from:s.to] {
			t := &g.things[int(s.from)+i]
			if d := square(t.Position, at); d <= limit && (t.Dimension == dimension || dimension == AllDimensions) {
				into = append(into, Near{t.Slot, d})
			}
		}
	}
	slices.SortFunc(into[first:], nearer)
	return into
}

// span is a run of the grid's things.
type span struct{ from, to uint32 }

// disc appends the spans that hold all things of the dimension within radius, and others: at most two for each row of
// cells.
func (g *Grid) disc(into []span, at protocol.Vec3, dimension uint16, radius float32) []span {
	if radius > widest || dimension == AllDimensions {
		return append(into, span{0, uint32(len(g.things))})
	}
	reach := radius + slack
	right, up := shift(dimension)
	middle := line(at.Y)
	for row, last := line(at.Y-reach), line(at.Y+reach); row <= last; row++ {
		var away float32 // from at to the row
		switch {
		case row < middle:
			away = at.Y - border(row+1)
		case row > middle:
			away = border(row) - at.Y
		}
		half := sqrt(max(0, reach*reach-away*away)) // of the chord that the row cuts out of the disc
		cells := g.starts[(row+up)&mask*side:][:side+1]
		from, to := (line(at.X-half)+right)&mask, (line(at.X+half)+right)&mask
		if from > to { // over the seam
			into = append(into, span{cells[from], cells[side]})
			from = 0
		}
		into = append(into, span{cells[from], cells[to+1]})
	}
	return into
}

// line numbers the rows and columns of cells over the whole world, from 0; it never falls while its coordinate grows.
func line(coordinate float32) int {
	return int(float64(max(-edge, min(edge, coordinate)))/cell + zero)
}

// border is the coordinate at which a line begins.
func border(line int) float32 { return float32((line - zero) * cell) }

// shift moves each dimension to another place of the torus: a thousand players in the same room of a thousand dimensions
// are not in each other's way.
func shift(dimension uint16) (right, up int) {
	scattered := dimension * 40503 // 65,536 by the golden ratio
	return int(scattered >> 9), int(scattered >> 2)
}
