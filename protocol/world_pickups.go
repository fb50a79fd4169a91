package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// Limits of page World, Batches.
const (
	MaxPickups = 40 // of one PickupSync
	MaxBlips   = 30 // of one Blip
	MaxZones   = 32 // of one GangZone
)

// Object models. Within them are the vehicles', which no object has.
const (
	FirstObjectModel = 321
	LastObjectModel  = 19999
)

// checkObjectModel refuses what no object or pickup looks like.
func checkObjectModel(model uint16) error {
	if model < FirstObjectModel || model > LastObjectModel || model >= FirstVehicleModel && model <= LastVehicleModel {
		return fmt.Errorf("model %d is not of %d..%d without %d..%d",
			model, FirstObjectModel, LastObjectModel, FirstVehicleModel, LastVehicleModel)
	}
	return nil
}

// A PickupOp says what an entry of a PickupSync does.
type PickupOp uint8

const (
	PickupRemove PickupOp = iota
	PickupShow
	PickupTaken // remove with the take sound; only to the taker
)

var pickupOps = []string{"remove", "show", "taken"}

// String is the op's word.
func (o PickupOp) String() string { return named(pickupOps, o, "PickupOp") }

// A PickupTaker is who can take a pickup.
type PickupTaker uint8

const (
	TakerFoot PickupTaker = iota
	TakerVehicle
	TakerAny
)

var pickupTakers = []string{"foot", "vehicle", "any"}

// String is the taker's word, as Lua sees it.
func (t PickupTaker) String() string { return named(pickupTakers, t, "PickupTaker") }

// PickupFlags are the flags of a Pickup.
type PickupFlags uint8

// PickupTurns lets a pickup turn.
const PickupTurns PickupFlags = 1

// A Pickup is one entry of a PickupSync. One that is not shown has only its id.
type Pickup struct {
	PickupID uint32
	Op       PickupOp
	Model    uint16 // 321..19999 without 400..611
	Taker    PickupTaker
	Flags    PickupFlags
	Position Vec3
	Radius   float32 // m, 0.5..10
}

func (e *Pickup) Wire(c *wire.Codec) {
	wire.NonZero(c, &e.PickupID)
	wire.Enum(c, &e.Op, PickupTaken)
	wire.Removable(c, e, Pickup{PickupID: e.PickupID, Op: e.Op}, e.Op != PickupShow, 20, (*Pickup).show)
}

func (e *Pickup) show(c *wire.Codec) {
	wire.Range(c, &e.Model, FirstObjectModel, LastObjectModel)
	wire.Enum(c, &e.Taker, TakerAny)
	wire.Bits(c, &e.Flags, 1)
	c.Position(&e.Position)
	c.F32In(&e.Radius, 0.5, 10)
}

// PickupSync shows or removes pickups.
type PickupSync struct {
	Entries []Pickup // 1..40, none twice
}

func (*PickupSync) ID() ID { return IDPickupSync }

func (p *PickupSync) Wire(c *wire.Codec) { wire.Repeat(c, &p.Entries, 1, MaxPickups, (*Pickup).Wire) }

func (p *PickupSync) Check() error {
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Op == PickupShow {
			if err := checkObjectModel(e.Model); err != nil {
				return fmt.Errorf("entries[%d]: %w", i, err)
			}
		}
	}
	return twice(len(p.Entries), func(i int) uint32 { return p.Entries[i].PickupID })
}

// PickupTouch tells that the player is in a pickup's radius.
type PickupTouch struct{ PickupID uint32 }

func (*PickupTouch) ID() ID { return IDPickupTouch }

func (p *PickupTouch) Wire(c *wire.Codec) { wire.NonZero(c, &p.PickupID) }
