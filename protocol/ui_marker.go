package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// MarkerFlags are the flags of an ObjectiveMarker.
type MarkerFlags uint8

const (
	MarkerEdge     MarkerFlags = 1 << iota // stays at the screen's edge
	MarkerDistance                         // shows the distance
	MarkerOccluded                         // hidden behind walls
)

// ObjectiveMarker is a mark on the screen over a place or a thing in the
// world. With Present false it is removed, and all but the slot is zero.
type ObjectiveMarker struct {
	Slot    uint8 // below MaxObjectiveMarkers
	Present bool
	Icon    Icon
	Flags   MarkerFlags
	Attachment
	Position Vec3 // in the world, or the offset when attached
	Color    RGBA
	Near     float32 // m, 0..1000, hidden nearer
	Far      float32 // m, above Near, up to 10000, hidden beyond; 0 never
	Text     string  // up to 63 bytes
}

func (*ObjectiveMarker) ID() ID { return IDObjectiveMarker }

func (p *ObjectiveMarker) Wire(c *wire.Codec) {
	wire.Range(c, &p.Slot, 0, MaxObjectiveMarkers-1)
	c.Bool(&p.Present)
	wire.Removable(c, p, ObjectiveMarker{Slot: p.Slot}, !p.Present, 99, (*ObjectiveMarker).fields)
}

func (p *ObjectiveMarker) fields(c *wire.Codec) {
	wire.Enum(c, &p.Icon, IconLast)
	wire.Bits(c, &p.Flags, 3)
	p.Attachment.Wire(c)
	c.Position(&p.Position)
	c.RGBA(&p.Color)
	c.F32In(&p.Near, 0, 1000)
	c.F32In(&p.Far, 0, 10_000)
	c.Text(&p.Text, 64, wire.Line)
}

func (p *ObjectiveMarker) Check() error {
	if p.Far != 0 && p.Far <= p.Near {
		return fmt.Errorf("far %g is not above near %g", p.Far, p.Near)
	}
	return p.Attachment.Check()
}

// NametagFlags are the flags of a PlayerNametag.
type NametagFlags uint8

const (
	NametagShown NametagFlags = 1 << iota
	NametagHealth
	NametagArmor
	NametagThroughWalls
	NametagSigns // of typing and pause
)

// PlayerNametag is how the name over a player's head looks to the recipient.
type PlayerNametag struct {
	PlayerID    uint16
	PlayerToken uint32
	Flags       NametagFlags
	Color       RGBA    // alpha 0: the list's
	Distance    float32 // m, 1..300
	Icon        Icon
	Name        string // up to 47 bytes; empty: the list's
	Text        string // up to 63 bytes, the second line
}

func (*PlayerNametag) ID() ID { return IDPlayerNametag }

func (p *PlayerNametag) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Bits(c, &p.Flags, 5)
	c.RGBA(&p.Color)
	c.F32In(&p.Distance, 1, 300)
	wire.Enum(c, &p.Icon, IconLast)
	c.Text(&p.Name, 48, wire.Line)
	c.Text(&p.Text, 64, wire.Line)
}

// DefaultNametag is the nametag of a player of whom none was sent.
func DefaultNametag(id uint16, token uint32) *PlayerNametag {
	return &PlayerNametag{PlayerID: id, PlayerToken: token, Flags: NametagShown | NametagHealth | NametagArmor | NametagSigns, Distance: 40}
}
