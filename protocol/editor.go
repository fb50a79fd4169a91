package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// An EditOp is an action of the map editor.
type EditOp uint8

const (
	EditSelect EditOp = 1 + iota
	EditDeselect
	EditCreate
	EditMove
	EditPreview
	EditClone
	EditDelete
	EditUndo
	EditRedo
	EditSave
	EditLeave
	EditPick
)

var editOps = []string{"", "select", "deselect", "create", "move", "preview", "clone", "delete", "undo", "redo", "save", "leave", "pick"}

// String is the op's word.
func (o EditOp) String() string { return named(editOps, o, "EditOp") }

// editUses are the fields that an op uses.
type editUses uint8

const (
	usesKind editUses = 1 << iota
	usesEntity
	usesRev
	usesModel
	usesTransform

	usesCommit = usesKind | usesEntity | usesRev
)

// usedBy is the table of page Map editing, EntityEdit.
var usedBy = [...]editUses{
	EditSelect:   usesKind | usesEntity,
	EditDeselect: usesEntity,
	EditCreate:   usesKind | usesModel | usesTransform,
	EditMove:     usesCommit | usesTransform,
	EditPreview:  usesCommit | usesTransform,
	EditClone:    usesCommit | usesTransform,
	EditDelete:   usesCommit,
	EditPick:     usesKind | usesEntity,
}

// A MapKind is a kind of entity of a map.
type MapKind uint8

const (
	MapObject MapKind = 1 + iota
	MapVehicle
	MapPickup
	MapCheckpoint
	MapLabel
	MapBlip
	MapZone
	MapColshape
	MapPoint
	MapHiddenBuildings
)

var mapKinds = []string{"", "object", "vehicle", "pickup", "checkpoint", "label", "blip", "zone", "colshape", "point", "hidden_buildings"}

// String is the kind's word, as Lua and map files have it.
func (k MapKind) String() string { return named(mapKinds, k, "MapKind") }

// EntityEdit is one action of the editor. What its op does not use is 0.
type EntityEdit struct {
	Session  uint32
	Request  uint32 // counts up from 1 in a session
	Step     uint16 // requests in a row with the same one are one undo step; 0 a step of its own
	Op       EditOp
	Kind     MapKind
	EntityID uint32 // 0 with EditDeselect: all
	Rev      uint32 // of the entity, as the client has seen it
	Model    uint16
	Position Vec3
	Rotation Vec3 // degrees, each within +-360
	Size     Vec3 // none below 0
}

func (*EntityEdit) ID() ID { return IDEntityEdit }

func (p *EntityEdit) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Session)
	wire.NonZero(c, &p.Request)
	c.U16(&p.Step)
	wire.Range(c, &p.Op, EditSelect, EditPick)
	wire.Enum(c, &p.Kind, MapHiddenBuildings)
	c.U32(&p.EntityID)
	c.U32(&p.Rev)
	c.U16(&p.Model)
	c.Position(&p.Position)
	c.Vec3(&p.Rotation, 360)
	c.FreeVec3(&p.Size)
}

func (p *EntityEdit) Check() error {
	if p.Op > EditPick {
		return nil // the layout refuses it
	}
	var uses editUses
	if int(p.Op) < len(usedBy) {
		uses = usedBy[p.Op]
	}
	transform := !blank(p.Position, p.Rotation, p.Size)
	for _, f := range [...]struct {
		name  string
		use   editUses
		set   bool
		never bool // 0 although it is used
	}{
		{"kind", usesKind, p.Kind != 0, false},
		{"entity_id", usesEntity, p.EntityID != 0, p.Op == EditDeselect},
		{"rev", usesRev, p.Rev != 0, false},
		{"model", usesModel, p.Model != 0, true},
		{"position, rotation or size", usesTransform, transform, true},
	} {
		used := uses&f.use != 0
		switch {
		case f.set && !used:
			return fmt.Errorf("%v has no %s", p.Op, f.name)
		case !f.set && used && !f.never:
			return fmt.Errorf("%v needs %s", p.Op, f.name)
		}
	}
	if p.Size.X < 0 || p.Size.Y < 0 || p.Size.Z < 0 {
		return fmt.Errorf("size (%g, %g, %g) is below 0", p.Size.X, p.Size.Y, p.Size.Z)
	}
	return nil
}

// EditCamera is the free camera of an editor.
type EditCamera struct {
	Seq      uint32
	Session  uint32
	Position Vec3
	Yaw      float32 // as a heading, 0 <= Yaw < 360
	Pitch    float32 // degrees, -90..90, up is positive
}

func (*EditCamera) ID() ID { return IDEditCamera }

func (p *EditCamera) Wire(c *wire.Codec) {
	c.U32(&p.Seq)
	wire.NonZero(c, &p.Session)
	c.Position(&p.Position)
	c.Heading(&p.Yaw)
	c.F32In(&p.Pitch, -90, 90)
}
