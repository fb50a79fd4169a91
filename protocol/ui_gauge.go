package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// A GaugeStyle is the look of a HudGauge or, but for GaugeNumber, of a
// HudProgress.
type GaugeStyle uint8

const (
	GaugeBar GaugeStyle = iota
	GaugeRing
	GaugeNumber
)

var gaugeStyles = []string{"bar", "ring", "number"}

// String is the style's word, as Lua has it.
func (s GaugeStyle) String() string { return named(gaugeStyles, s, "GaugeStyle") }

// ProgressFlags are the flags of a HudProgress.
type ProgressFlags uint8

const (
	ProgressRuns ProgressFlags = 1 << iota
	ProgressHold               // the player stands still
)

// HudProgress is a bar that fills by itself. With Present false it is removed,
// and all but the slot is zero.
type HudProgress struct {
	Slot     uint8 // below MaxProgressBars
	Present  bool
	Style    GaugeStyle // GaugeBar or GaugeRing
	Flags    ProgressFlags
	Duration uint32 // ms of the whole, 200..3600000; 0 without end
	Elapsed  uint32 // ms, up to Duration
	Cancel   uint32 // action whose key cancels; 0 none
	Color    RGBA
	Text     string // up to 63 bytes
}

func (*HudProgress) ID() ID { return IDHudProgress }

func (p *HudProgress) Wire(c *wire.Codec) {
	wire.Range(c, &p.Slot, 0, MaxProgressBars-1)
	c.Bool(&p.Present)
	wire.Removable(c, p, HudProgress{Slot: p.Slot}, !p.Present, 82, (*HudProgress).fields)
}

func (p *HudProgress) fields(c *wire.Codec) {
	wire.Enum(c, &p.Style, GaugeRing)
	wire.Bits(c, &p.Flags, 2)
	wire.ZeroOr(c, &p.Duration, 200, 3_600_000)
	c.U32(&p.Elapsed)
	c.U32(&p.Cancel)
	c.RGBA(&p.Color)
	c.Text(&p.Text, 64, wire.Line)
}

func (p *HudProgress) Check() error {
	if p.Elapsed > p.Duration {
		return fmt.Errorf("elapsed %d is above duration %d", p.Elapsed, p.Duration)
	}
	return nil
}

// GaugeFlags are the flags of a HudGauge.
type GaugeFlags uint8

// GaugeShowsNumber says that a bar or ring has its number too.
const GaugeShowsNumber GaugeFlags = 1

// HudGauge is a value as bar, ring or number. With Present false it is
// removed, and all but the slot is zero.
type HudGauge struct {
	Slot     uint8 // below MaxGauges
	Present  bool
	Style    GaugeStyle
	Place    Place // not PlaceCenter
	Order    int16 // higher first
	Icon     Icon
	Segments uint8 // 2..20 of a bar; 0 none
	Decimals uint8 // of the number, 0..2
	Flags    GaugeFlags
	Max      float32 // above 0, up to 1e9
	Value    float32 // 0..Max, when the packet was built
	Rate     float32 // change a second, within +-Max
	Warn     float32 // at or below it blinks; 0 never
	Color    RGBA
	Label    string // up to 31 bytes
	Unit     string // plain, up to 7 bytes
}

func (*HudGauge) ID() ID { return IDHudGauge }

const maxGauge = 1e9

func (p *HudGauge) Wire(c *wire.Codec) {
	wire.Range(c, &p.Slot, 0, MaxGauges-1)
	c.Bool(&p.Present)
	wire.Removable(c, p, HudGauge{Slot: p.Slot}, !p.Present, 68, (*HudGauge).fields)
}

func (p *HudGauge) fields(c *wire.Codec) {
	wire.Enum(c, &p.Style, GaugeNumber)
	wire.Enum(c, &p.Place, PlaceBottomRight)
	c.I16(&p.Order)
	wire.Enum(c, &p.Icon, IconLast)
	wire.ZeroOr(c, &p.Segments, 2, 20)
	wire.Range(c, &p.Decimals, 0, 2)
	wire.Bits(c, &p.Flags, 1)
	c.F32Over(&p.Max, 0, maxGauge)
	c.F32In(&p.Value, 0, maxGauge)
	c.F32In(&p.Rate, -maxGauge, maxGauge)
	c.F32In(&p.Warn, 0, maxGauge)
	c.RGBA(&p.Color)
	c.Text(&p.Label, 32, wire.Line)
	c.Text(&p.Unit, 8, wire.Plain)
}

func (p *HudGauge) Check() error {
	switch {
	case p.Segments != 0 && p.Style != GaugeBar:
		return fmt.Errorf("segments: a %v has none", p.Style)
	case p.Value > p.Max:
		return fmt.Errorf("value %g is above max %g", p.Value, p.Max)
	case p.Rate > p.Max || p.Rate < -p.Max:
		return fmt.Errorf("rate %g is not within ±max %g", p.Rate, p.Max)
	}
	return nil
}

// A SpeedUnit is the unit of the speedometer.
type SpeedUnit uint8

const (
	SpeedKmh SpeedUnit = iota
	SpeedMph
)

var speedUnits = []string{"km/h", "mph"}

// String is the unit's word, as Lua has it.
func (u SpeedUnit) String() string { return named(speedUnits, u, "SpeedUnit") }

// SpeedometerParts are what a speedometer shows besides the speed.
type SpeedometerParts uint8

const (
	SpeedometerGear SpeedometerParts = 1 << iota
	SpeedometerFuel
	SpeedometerHealth
	SpeedometerDistance
)

// HudSpeedometer is the client's speedometer in vehicles. With Present false
// it is removed, and all else is zero.
type HudSpeedometer struct {
	Present  bool
	Unit     SpeedUnit
	Parts    SpeedometerParts
	Max      uint16  // end of the scale in the unit, 50..1000
	Fuel     float32 // 0..1; with SpeedometerFuel
	Distance float32 // metres, 0..1e9, when the packet was built; with SpeedometerDistance
	Color    RGBA
	Text     string // up to 31 bytes
}

func (*HudSpeedometer) ID() ID { return IDHudSpeedometer }

func (p *HudSpeedometer) Wire(c *wire.Codec) {
	c.Bool(&p.Present)
	wire.Removable(c, p, HudSpeedometer{}, !p.Present, 48, (*HudSpeedometer).fields)
}

func (p *HudSpeedometer) fields(c *wire.Codec) {
	wire.Enum(c, &p.Unit, SpeedMph)
	wire.Bits(c, &p.Parts, 4)
	wire.Range(c, &p.Max, 50, 1000)
	c.F32In(&p.Fuel, 0, 1)
	c.F32In(&p.Distance, 0, 1e9)
	c.RGBA(&p.Color)
	c.Text(&p.Text, 32, wire.Line)
}

func (p *HudSpeedometer) Check() error {
	switch {
	case !unset(p.Fuel) && p.Parts&SpeedometerFuel == 0:
		return fmt.Errorf("fuel %g without its part", p.Fuel)
	case !unset(p.Distance) && p.Parts&SpeedometerDistance == 0:
		return fmt.Errorf("distance %g without its part", p.Distance)
	}
	return nil
}
