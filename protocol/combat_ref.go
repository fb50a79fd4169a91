package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// A RefKind is the kind of thing that a Ref points at.
type RefKind uint8

const (
	RefNone RefKind = iota
	RefPlayer
	RefVehicle
	RefObject
	RefProjectile
	RefFire
	RefGround // or a building
)

var refKinds = []string{"none", "player", "vehicle", "object", "projectile", "fire", "ground"}

func (k RefKind) String() string { return named(refKinds, k, "RefKind") }

// The kinds that packets list.
var (
	hitKinds    = wire.SetOf(RefNone, RefPlayer, RefVehicle, RefObject, RefGround)
	sourceKinds = wire.SetOf(RefNone, RefPlayer, RefVehicle, RefProjectile, RefFire)
	targetKinds = wire.SetOf(RefNone, RefPlayer, RefVehicle)
	vehicleKind = wire.SetOf(RefVehicle)
	noKinds     = wire.SetOf(RefNone)
)

// A Ref is what a report points at (page Combat, Ref), 5 bytes.
type Ref struct {
	Kind RefKind
	ID   uint32 // of a player, the player_token; 0 with RefNone and RefGround
}

func (r *Ref) Wire(c *wire.Codec) {
	wire.Enum(c, &r.Kind, RefGround)
	c.U32(&r.ID)
}

// check holds the Ref of that name to the kinds that its packet lists, and to
// having an id where its kind has one.
func (r *Ref) check(name string, kinds *wire.Set) error {
	named := r.Kind != RefNone && r.Kind != RefGround
	switch {
	case !kinds.Has(uint16(r.Kind)):
		return fmt.Errorf("%s: kind %d (%v) is not one of %s", name, r.Kind, r.Kind, kinds)
	case named && r.ID == 0:
		return fmt.Errorf("%s: a %v without an id", name, r.Kind)
	case !named && r.ID != 0:
		return fmt.Errorf("%s: kind %d (%v) with the id %d", name, r.Kind, r.Kind, r.ID)
	}
	return nil
}
