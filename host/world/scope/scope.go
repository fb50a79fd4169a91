// Package scope answers who is near whom, for the scopes of page Player (Streaming): who enters and who leaves what a
// viewer sees. It is data alone: it knows no rules of the world, sends nothing, takes no lock and reads no clock.
//
// A Grid is built anew of all things whenever they have moved; a View is what one viewer has in scope and is brought up to
// date by View.Look. Once their slices have grown, none of it allocates.
package scope

import (
	"cmp"
	"math"

	"darqline/protocol"
)

// Nobody is the slot of a viewer that is no thing of the grid it looks at, as a player who looks for vehicles.
const Nobody = math.MaxUint32

// AllDimensions has Grid.Near find things of every dimension. No thing is in it.
const AllDimensions = math.MaxUint16

// Thing is one entry of a Grid, and the viewer of a Look.
type Thing struct {
	Position protocol.Vec3 // of a viewer, his centre; never NaN
	// Slot is the number by which the caller knows the thing: unique in its grid and an index, so best small, because a
	// View takes a bit for each slot up to the highest it ever saw.
	Slot      uint32
	Dimension uint16 // 0..65,534
}

// Near is a thing and how far it was when it was looked at.
type Near struct {
	Slot   uint32
	Square float32 // of the 3D distance, square metres
}

// Distance is in metres.
func (n Near) Distance() float32 { return sqrt(n.Square) }

// nearer sorts nearest first, and by slot what is equally far.
func nearer(a, b Near) int {
	if c := cmp.Compare(a.Square, b.Square); c != 0 {
		return c
	}
	return cmp.Compare(a.Slot, b.Slot)
}

// Rules are what a View has room for.
type Rules struct {
	Enter  float32 // metres; a thing enters below it
	Leave  float32 // metres, Enter or more; a thing leaves above it
	Max    int     // the nearest that are in view at most; 0 or less is no limit
	Margin float32 // metres; beyond Max a thing takes another's place only when it is nearer by this
}

// square is the squared distance. The conversions keep a compiler from fusing the steps: the same bits on every machine.
func square(a, b protocol.Vec3) float32 {
	x, y, z := a.X-b.X, a.Y-b.Y, a.Z-b.Z
	return float32(x*x) + float32(y*y) + float32(z*z)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
