package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// blipIcons are the icons that the game's map legend bears: not the centre, the
// map's position, north and the like.
var blipIcons = new(wire.Set).With(0, 63).Without(1, 2, 4, 56)

// A BlipShow says where a blip shows.
type BlipShow uint8

const (
	BlipNear BlipShow = iota // on radar and map
	BlipEdge                 // also held at the radar's edge
	BlipMap                  // on the map alone
)

var blipShows = []string{"near", "edge", "map"}

// String is the word for it, as Lua sees it.
func (s BlipShow) String() string { return named(blipShows, s, "BlipShow") }

// A BlipEntry is one blip of a Blip. A removal has only the blip's id.
type BlipEntry struct {
	BlipID  uint32
	Present bool
	Icon    uint8 // 0 a square, 3, 5..55, 57..63
	Size    uint8 // 1..8, of the square
	Show    BlipShow
	Order   int16  // the higher one is on top
	Range   uint16 // m from the player within which it shows, 0 always
	Color   RGBA   // of the square; alpha 0: the theme's accent
	Attachment
	Position Vec3 // in the world, also when attached
}

func (e *BlipEntry) Wire(c *wire.Codec) {
	wire.NonZero(c, &e.BlipID)
	c.Bool(&e.Present)
	wire.Removable(c, e, BlipEntry{BlipID: e.BlipID}, !e.Present, 32, (*BlipEntry).show)
}

func (e *BlipEntry) show(c *wire.Codec) {
	wire.OneOf(c, &e.Icon, blipIcons)
	wire.Range(c, &e.Size, 1, 8)
	wire.Enum(c, &e.Show, BlipMap)
	c.I16(&e.Order)
	c.U16(&e.Range)
	c.RGBA(&e.Color)
	e.Attachment.Wire(c)
	c.Position(&e.Position)
}

// Blip shows or removes icons on radar and map.
type Blip struct {
	Entries []BlipEntry // 1..30, none twice
}

func (*Blip) ID() ID { return IDBlip }

func (p *Blip) Wire(c *wire.Codec) { wire.Repeat(c, &p.Entries, 1, MaxBlips, (*BlipEntry).Wire) }

func (p *Blip) Check() error {
	for i := range p.Entries {
		if err := p.Entries[i].Attachment.Check(); err != nil {
			return fmt.Errorf("entries[%d]: %w", i, err)
		}
	}
	return twice(len(p.Entries), func(i int) uint32 { return p.Entries[i].BlipID })
}

// A ZoneEntry is one rectangle of a GangZone. A removal has only the zone's id.
type ZoneEntry struct {
	ZoneID  uint32
	Present bool
	MinX    float32
	MinY    float32
	MaxX    float32
	MaxY    float32
	Color   RGBA   // alpha 0: the theme's accent
	Flash   RGBA   // the other color
	FlashMs uint16 // time in each color, 200..5000; 0 does not flash
}

func (e *ZoneEntry) Wire(c *wire.Codec) {
	wire.NonZero(c, &e.ZoneID)
	c.Bool(&e.Present)
	wire.Removable(c, e, ZoneEntry{ZoneID: e.ZoneID}, !e.Present, 26, (*ZoneEntry).show)
}

func (e *ZoneEntry) show(c *wire.Codec) {
	c.F32In(&e.MinX, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&e.MinY, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&e.MaxX, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.F32In(&e.MaxY, -wire.MaxCoordinate, wire.MaxCoordinate)
	c.RGBA(&e.Color)
	c.RGBA(&e.Flash)
	wire.ZeroOr(c, &e.FlashMs, 200, 5000)
}

func (e *ZoneEntry) check() error {
	switch {
	case e.Present && !(e.MinX < e.MaxX && e.MinY < e.MaxY):
		return errors.New("min is not below max on both axes")
	case e.FlashMs == 0 && e.Flash != RGBA{}:
		return errors.New("flash is set and flash_ms is 0")
	}
	return nil
}

// GangZone shows or removes rectangles on radar and map.
type GangZone struct {
	Entries []ZoneEntry // 1..32, none twice
}

func (*GangZone) ID() ID { return IDGangZone }

func (p *GangZone) Wire(c *wire.Codec) { wire.Repeat(c, &p.Entries, 1, MaxZones, (*ZoneEntry).Wire) }

func (p *GangZone) Check() error {
	for i := range p.Entries {
		if err := p.Entries[i].check(); err != nil {
			return fmt.Errorf("entries[%d]: %w", i, err)
		}
	}
	return twice(len(p.Entries), func(i int) uint32 { return p.Entries[i].ZoneID })
}
