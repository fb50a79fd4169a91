package protocol

import (
	"errors"
	"fmt"
	"strconv"

	"darqline/protocol/wire"
)

// A HandlingKind says where a VehicleHandling has a property.
type HandlingKind uint8

const (
	HandlingFloat  HandlingKind = iota // in Floats
	HandlingVector                     // in Floats, three
	HandlingBits                       // in Bits
	HandlingByte                       // in Bytes
)

// A HandlingProperty is one line of the table of page Vehicles, VehicleHandling.
// Its place in the table is its bit in the mask.
type HandlingProperty struct {
	Name   string
	Kind   HandlingKind
	At     int     // index of its first value
	Lo, Hi float64 // range of each value
}

// Places of the properties that rules name.
const (
	handlingInertia         = 11
	handlingSuspensionUpper = 21
	handlingSuspensionLower = 22
)

var handlingProperties = [32]HandlingProperty{
	{"mass", HandlingFloat, 0, 1, 100_000},
	{"turn_mass", HandlingFloat, 1, 0, 100_000_000},
	{"drag", HandlingFloat, 2, -200, 200},
	{"center_of_mass", HandlingVector, 3, -10, 10},
	{"submerged", HandlingByte, 0, 1, 255},
	{"traction", HandlingFloat, 6, -1000, 1000},
	{"traction_loss", HandlingFloat, 7, 0, 100},
	{"traction_bias", HandlingFloat, 8, 0, 1},
	{"gears", HandlingByte, 1, 1, 5},
	{"max_velocity", HandlingFloat, 9, 0.1, 2000},
	{"acceleration", HandlingFloat, 10, 0, 1000},
	{"inertia", HandlingFloat, 11, -1000, 1000},
	{"drive", HandlingByte, 2, 0, 2},
	{"engine", HandlingByte, 3, 0, 2},
	{"brake", HandlingFloat, 12, 0, 1000},
	{"brake_bias", HandlingFloat, 13, 0, 1},
	{"abs", HandlingByte, 4, 0, 1},
	{"steering_lock", HandlingFloat, 14, 0, 360},
	{"suspension_force", HandlingFloat, 15, 0, 100},
	{"suspension_damping", HandlingFloat, 16, 0, 100},
	{"suspension_high_speed", HandlingFloat, 17, 0, 600},
	{"suspension_upper", HandlingFloat, 18, -50, 50},
	{"suspension_lower", HandlingFloat, 19, -50, 50},
	{"suspension_bias", HandlingFloat, 20, 0, 3},
	{"anti_dive", HandlingFloat, 21, 0, 30},
	{"collision_damage", HandlingFloat, 22, 0, 10},
	{"seat_offset", HandlingFloat, 23, -20, 20},
	{"model_flags", HandlingBits, 0, 0, 1<<32 - 1},
	{"handling_flags", HandlingBits, 1, 0, 1<<28 - 1},
	{"head_light", HandlingByte, 5, 0, 3},
	{"tail_light", HandlingByte, 6, 0, 3},
	{"anim_group", HandlingByte, 7, 0, 29},
}

// HandlingProperties are all properties, in the order of the mask's bits. The
// caller must not change them.
func HandlingProperties() []HandlingProperty { return handlingProperties[:] }

// VehicleHandling is the handling of a vehicle where it is not its model's.
// What the mask does not name is zero.
type VehicleHandling struct {
	VehicleID uint32
	Mask      uint32 // bit n: property n of HandlingProperties is set
	Floats    [24]float32
	Bits      [2]uint32
	Bytes     [8]uint8
}

func (*VehicleHandling) ID() ID { return IDVehicleHandling }

func (p *VehicleHandling) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	c.U32(&p.Mask)
	wire.Array(c, p.Floats[:], func(v *float32, c *wire.Codec) { c.F32(v) })
	wire.Array(c, p.Bits[:], func(v *uint32, c *wire.Codec) { c.U32(v) })
	c.Bytes(p.Bytes[:])
}

// Has reports whether property n is set.
func (p *VehicleHandling) Has(n int) bool { return p.Mask>>n&1 == 1 }

// value is the value at index at of a property's kind.
func (p *VehicleHandling) value(kind HandlingKind, at int) float64 {
	switch kind {
	case HandlingBits:
		return float64(p.Bits[at])
	case HandlingByte:
		return float64(p.Bytes[at])
	}
	return float64(p.Floats[at])
}

func (p *VehicleHandling) Check() error {
	for n := range handlingProperties {
		property := &handlingProperties[n]
		values := 1
		if property.Kind == HandlingVector {
			values = 3
		}
		for i := range values {
			v := p.value(property.Kind, property.At+i)
			switch {
			case !p.Has(n) && !unset(float32(v)):
				return fmt.Errorf("%s is set and mask has no bit %d", property.Name, n)
			case p.Has(n) && !(v >= property.Lo && v <= property.Hi):
				return fmt.Errorf("%s: %s is outside %s..%s", property.Name, decimal(v), decimal(property.Lo), decimal(property.Hi))
			}
		}
	}
	upper := p.value(HandlingFloat, handlingProperties[handlingSuspensionUpper].At)
	lower := p.value(HandlingFloat, handlingProperties[handlingSuspensionLower].At)
	switch {
	case p.Has(handlingInertia) && p.Floats[handlingProperties[handlingInertia].At] == 0:
		return errors.New("inertia is not 0")
	case p.Has(handlingSuspensionUpper) && p.Has(handlingSuspensionLower) && upper == lower:
		return errors.New("suspension_upper and suspension_lower are not the same")
	}
	return nil
}

// decimal writes a number without an exponent.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
