package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// LabelFlags are the flags of a Label3D.
type LabelFlags uint8

const (
	LabelHidden  LabelFlags = 1 << iota // behind walls and vehicles
	LabelShowOwn                        // also to the player it is attached to
)

// Label3D is a text in the world. A removal has only the label's id.
type Label3D struct {
	LabelID      uint32
	Present      bool
	Color        RGBA    // alpha 0: the theme's text
	DrawDistance float32 // m, 1..300
	Flags        LabelFlags
	Attachment
	Position Vec3   // in the world, or in the target's axes
	Text     string // 1..512 bytes, up to 16 lines
}

func (*Label3D) ID() ID { return IDLabel3D }

func (p *Label3D) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.LabelID)
	c.Bool(&p.Present)
	wire.Removable(c, p, Label3D{LabelID: p.LabelID}, !p.Present, 32, (*Label3D).show)
}

func (p *Label3D) show(c *wire.Codec) {
	c.RGBA(&p.Color)
	c.F32In(&p.DrawDistance, 1, 300)
	wire.Bits(c, &p.Flags, 2)
	p.Attachment.Wire(c)
	c.Position(&p.Position)
	n := c.Len16(&p.Text, 0, 512)
	c.Piece(&p.Text, n, wire.Lines(16))
}

func (p *Label3D) Check() error {
	if p.Present && p.Text == "" {
		return errors.New("a label has a text")
	}
	return p.Attachment.Check()
}

// A CheckpointKind is the look of a checkpoint.
type CheckpointKind uint8

const (
	CheckpointCylinder CheckpointKind = iota // of light
	CheckpointRace                           // arrow to Next
	CheckpointFinish
	CheckpointPlain // a race's, without a sign
	CheckpointAir   // ring, turned to Next
	CheckpointAirFinish
	CheckpointAirRotating
	CheckpointAirPulsing
	CheckpointAirSwinging
	CheckpointAirBobbing
	CheckpointArrow // downward
	CheckpointCorona
)

var checkpointKinds = []string{
	"cylinder", "race", "finish", "plain", "air", "air_finish", "air_rotating", "air_pulsing", "air_swinging", "air_bobbing", "arrow", "corona",
}

// String is the kind's word, as Lua sees it.
func (k CheckpointKind) String() string { return named(checkpointKinds, k, "CheckpointKind") }

// pointsOn reports whether the kind shows where to go next.
func (k CheckpointKind) pointsOn() bool { return k == CheckpointRace || k == CheckpointAir }

// CheckpointFlags are the flags of a Checkpoint.
type CheckpointFlags uint8

const (
	CheckpointRadar CheckpointFlags = 1 << iota // also a red marker on the radar
	CheckpointNext                              // has Next
)

// Checkpoint is a marker to reach. A removal has only the checkpoint's id.
type Checkpoint struct {
	CheckpointID uint32
	Present      bool
	Kind         CheckpointKind
	Position     Vec3
	Next         Vec3    // zero without CheckpointNext
	Radius       float32 // m, 0.5..200
	Color        RGBA    // alpha 0: the theme's accent
	Flags        CheckpointFlags
}

func (*Checkpoint) ID() ID { return IDCheckpoint }

func (p *Checkpoint) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.CheckpointID)
	c.Bool(&p.Present)
	wire.Removable(c, p, Checkpoint{CheckpointID: p.CheckpointID}, !p.Present, 34, (*Checkpoint).show)
}

func (p *Checkpoint) show(c *wire.Codec) {
	wire.Enum(c, &p.Kind, CheckpointCorona)
	c.Position(&p.Position)
	c.Position(&p.Next)
	c.F32In(&p.Radius, 0.5, 200)
	c.RGBA(&p.Color)
	wire.Bits(c, &p.Flags, 2)
}

func (p *Checkpoint) Check() error {
	next := p.Flags&CheckpointNext != 0
	switch {
	case p.Kind.pointsOn() && !next:
		return errors.New("a checkpoint of this kind has a next")
	case !next && !blank(p.Next):
		return errors.New("next is set and flags have no next")
	case next && p.Next == p.Position:
		return errors.New("next is where the checkpoint stands")
	}
	return nil
}
