package protocol

import (
	"cmp"
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// Limits of an ObjectState.
const (
	MaxMaterials     = 16
	MaxMaterialBytes = 1024
	MaxRotation      = 36000 // degrees: a move may make several turns
	MaxBone          = 18
	MaxHideRadius    = 6000 // m
)

// An ObjectOp says what an ObjectState is of.
type ObjectOp uint8

const (
	ObjectRemove ObjectOp = iota
	ObjectPut             // add, or replace in place
	ObjectHide            // the game's own buildings of a model
)

var objectOps = []string{"remove", "object", "hidden buildings"}

// String is the op's word.
func (o ObjectOp) String() string { return named(objectOps, o, "ObjectOp") }

// ObjectFlags are the flags of an ObjectState.
type ObjectFlags uint8

const (
	ObjectCollides ObjectFlags = 1 << iota
	ObjectStopsCamera
	ObjectBreaks
	ObjectDoubleSided
)

// A MoveMode is how an object moves.
type MoveMode uint8

const (
	MoveNone MoveMode = iota
	MoveOnce
	MoveLoop
	MoveThereAndBack
)

var moveModes = []string{"none", "once", "loop", "there_and_back"}

// String is the mode's word, as Lua sees it.
func (m MoveMode) String() string { return named(moveModes, m, "MoveMode") }

// An Easing is how a move speeds up and slows down (page World, ObjectState).
type Easing uint8

const (
	EaseLinear Easing = iota
	EaseInQuad
	EaseOutQuad
	EaseInOutQuad
	EaseInCubic
	EaseOutCubic
	EaseInOutCubic
	EaseInOutSine
	EaseOutBack
	EaseOutBounce
	EaseOutElastic
)

var easings = []string{
	"linear", "in_quad", "out_quad", "in_out_quad", "in_cubic", "out_cubic", "in_out_cubic", "in_out_sine", "out_back", "out_bounce", "out_elastic",
}

// String is the easing's word, as Lua sees it.
func (e Easing) String() string { return named(easings, e, "Easing") }

// ObjectState is an object, or buildings of the game that are hidden. A removal
// has only the object's id; hidden buildings have besides it only Model, 0 for
// all, Position, and their radius as DrawDistance.
type ObjectState struct {
	ObjectID     uint32
	Op           ObjectOp
	Model        uint16  // 321..19999 without 400..611; hidden: 0..19999
	Position     Vec3    // in the world, or in the target's axes
	Rotation     Vec3    // degrees about z, then x, then y
	Scale        float32 // 0.05..20; hidden: 0
	DrawDistance float32 // m, 10..3000, 0 the model's; hidden: the radius, 0.5..6000
	Alpha        uint8
	Flags        ObjectFlags
	Attachment
	Bone       uint8 // of the player it is attached to, 1..18; 0 the body
	Move       MoveMode
	Easing     Easing
	Duration   uint32 // ms of one way, 50..86,400,000
	Elapsed    uint32 // ms, below Duration; MoveThereAndBack: below twice that
	ToPosition Vec3
	ToRotation Vec3
	Materials  []Material // up to 16 in up to 1024 bytes, by rising slot
}

func (*ObjectState) ID() ID { return IDObjectState }

func (p *ObjectState) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.ObjectID)
	wire.Enum(c, &p.Op, ObjectHide)
	wire.Removable(c, p, ObjectState{ObjectID: p.ObjectID}, p.Op == ObjectRemove, 83, (*ObjectState).put)
}

func (p *ObjectState) put(c *wire.Codec) {
	wire.Range(c, &p.Model, 0, LastObjectModel)
	c.Position(&p.Position)
	c.Vec3(&p.Rotation, MaxRotation)
	c.F32ZeroOr(&p.Scale, 0.05, 20)
	c.F32ZeroOr(&p.DrawDistance, 0.5, MaxHideRadius)
	c.U8(&p.Alpha)
	wire.Bits(c, &p.Flags, 4)
	p.Attachment.Wire(c)
	wire.Range(c, &p.Bone, 0, MaxBone)
	wire.Enum(c, &p.Move, MoveThereAndBack)
	wire.Enum(c, &p.Easing, EaseOutElastic)
	wire.ZeroOr(c, &p.Duration, 50, 86_400_000)
	c.U32(&p.Elapsed)
	c.Position(&p.ToPosition)
	c.Vec3(&p.ToRotation, MaxRotation)
	n := wire.Count(c, &p.Materials, 0, MaxMaterials)
	c.Tail(&p.Materials, 0, MaxMaterialBytes, func() {
		wire.Items(c, &p.Materials, n, (*Material).Wire)
	})
}

func (p *ObjectState) Check() error {
	switch p.Op {
	case ObjectPut:
		return cmp.Or(p.checkLook(), p.checkMove(), p.Attachment.Check(), checkMaterials(p.Materials))
	case ObjectHide:
		return p.checkHidden()
	}
	return nil
}

func (p *ObjectState) checkLook() error {
	switch {
	case p.Scale == 0:
		return errors.New("scale is within 0.05..20")
	case p.DrawDistance != 0 && (p.DrawDistance < 10 || p.DrawDistance > 3000):
		return fmt.Errorf("draw_distance %g is neither 0 nor within 10..3000", p.DrawDistance)
	case p.Bone != 0 && p.Attach != AttachPlayer:
		return errors.New("bone is of a player that the object is attached to")
	}
	return checkObjectModel(p.Model)
}

func (p *ObjectState) checkMove() error {
	period := uint64(p.Duration)
	if p.Move == MoveThereAndBack {
		period *= 2
	}
	still := p.Easing == EaseLinear && p.Duration == 0 && p.Elapsed == 0 && blank(p.ToPosition, p.ToRotation)
	switch {
	case p.Move == MoveNone && !still:
		return errors.New("move is 0 and a field of a move is not")
	case p.Move == MoveNone:
		return nil
	case p.Attach != AttachNone:
		return errors.New("an attached object does not move")
	case p.Duration == 0:
		return errors.New("duration is within 50..86400000")
	case uint64(p.Elapsed) >= period:
		return fmt.Errorf("elapsed %d is not below %d", p.Elapsed, period)
	}
	return nil
}

func (p *ObjectState) checkHidden() error {
	more := !blank(p.Rotation) || !unset(p.Scale) || p.Alpha != 0 || p.Flags != 0 || p.Attachment != Attachment{} || p.Bone != 0 || len(p.Materials) != 0
	switch {
	case p.DrawDistance == 0:
		return fmt.Errorf("draw_distance, the radius, is within 0.5..%d", MaxHideRadius)
	case more || p.Move != MoveNone || p.checkMove() != nil:
		return errors.New("hidden buildings have only model, position and draw_distance")
	}
	return nil
}
