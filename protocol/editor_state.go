package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// MaxEditEntries is the number of entities that one EditState can have.
const MaxEditEntries = 32

// An EditStatus says whether an edit session goes on.
type EditStatus uint8

const (
	EditEnded EditStatus = iota
	EditActive
)

var editStatuses = []string{"ended", "active"}

// String is the status's word.
func (s EditStatus) String() string { return named(editStatuses, s, "EditStatus") }

// An EditEnd is why an edit session has ended.
type EditEnd uint8

const (
	EditEndNone EditEnd = iota // it goes on
	EditEndLeft
	EditEndScript
	EditEndDied
	EditEndUnloaded
	EditEndStopped
	EditEndDimension
)

var editEnds = []string{"none", "left", "script", "died", "unloaded", "stopped", "dimension"}

// String is the reason's word, as Lua has it.
func (e EditEnd) String() string { return named(editEnds, e, "EditEnd") }

// EditRights are what an editor may do.
type EditRights uint16

const (
	RightCreate EditRights = 1 << iota
	RightMove
	RightClone
	RightDelete
	RightUndo
	RightSave
)

// An EditTool is the tool in an editor's hand.
type EditTool uint8

const (
	ToolSelect EditTool = iota
	ToolMove
	ToolRotate
	ToolSize
	ToolCreate
)

var editTools = []string{"select", "move", "rotate", "size", "create"}

// String is the tool's word, as Lua has it.
func (t EditTool) String() string { return named(editTools, t, "EditTool") }

// An EditResult is what became of an EntityEdit.
type EditResult uint8

const (
	EditNoAnswer EditResult = iota
	EditDone
	EditNoRight
	EditNotFound
	EditLocked // by another, or not selected
	EditStale  // another revision
	EditOutOfReach
	EditLimit // or too many at once
	EditBadValue
	EditRefused // by a script
	EditNothing // to undo or redo
	EditConflict
	EditSaveFailed
)

var editResults = []string{
	"none", "done", "no_right", "not_found", "locked", "stale", "out_of_reach", "limit", "bad_value", "refused", "nothing", "conflict", "save_failed",
}

// String is the result's word.
func (r EditResult) String() string { return named(editResults, r, "EditResult") }

var mapName = wire.Alphabet("[a-z0-9_-]", 1, 31, func(b byte) bool { return lowerOrDigit(b) || b == '_' || b == '-' })

// An EditSetup is what an active session is like.
type EditSetup struct {
	Rights     EditRights
	Map        string // [a-z0-9_-], 1..31 bytes
	Tool       EditTool
	BrushKind  MapKind // what ToolCreate makes; 0 no brush
	BrushModel uint16
	Grid       float32 // snap of positions in m, up to 100; 0 off
	Angle      float32 // snap of angles in degrees, up to 180; 0 off
	Reach      float32 // m, 10..3000
	Undo       uint16  // steps
	Redo       uint16
	Dirty      bool // the document differs from the file
}

// editSetupSize is an EditSetup's in bytes.
const editSetupSize = 55

func (s *EditSetup) Wire(c *wire.Codec) {
	wire.Bits(c, &s.Rights, 6)
	c.Name(&s.Map, 32, mapName)
	wire.Enum(c, &s.Tool, ToolCreate)
	wire.Enum(c, &s.BrushKind, MapHiddenBuildings)
	c.U16(&s.BrushModel)
	c.F32In(&s.Grid, 0, 100)
	c.F32In(&s.Angle, 0, 180)
	c.F32In(&s.Reach, 10, 3000)
	c.U16(&s.Undo)
	c.U16(&s.Redo)
	c.Bool(&s.Dirty)
}

// An EditEntry is an editable entity. With Present false it is no longer one,
// and all but its id is zero.
type EditEntry struct {
	EntityID   uint32
	Present    bool
	Kind       MapKind
	Rev        uint32
	OwnerID    uint16  // of the lock; NoPlayer with OwnerToken 0 nobody
	OwnerToken uint32  // of the lock's holder
	Position   Vec3    // of the document, in the world also when attached
	Heading    float32 // 0 <= Heading < 360
}

func (e *EditEntry) Wire(c *wire.Codec) {
	wire.NonZero(c, &e.EntityID)
	c.Bool(&e.Present)
	wire.Removable(c, e, EditEntry{EntityID: e.EntityID}, !e.Present, 27, (*EditEntry).fields)
}

func (e *EditEntry) fields(c *wire.Codec) {
	wire.Range(c, &e.Kind, MapObject, MapHiddenBuildings)
	wire.NonZero(c, &e.Rev)
	someone(c, &e.OwnerID, &e.OwnerToken)
	c.Position(&e.Position)
	c.Heading(&e.Heading)
}

// EditState is an edit session as the client must show it, the answer to a
// request, and editable entities.
type EditState struct {
	Session   uint32
	State     EditStatus
	Reason    EditEnd // with EditEnded
	EditSetup         // with EditActive
	Request   uint32  // that is answered; 0 none
	Result    EditResult
	EntityID  uint32      // what the answer is about; of create and clone the new one
	Entries   []EditEntry // up to 32, no entity twice; none with EditEnded
}

func (*EditState) ID() ID { return IDEditState }

func (p *EditState) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Session)
	wire.Enum(c, &p.State, EditActive)
	wire.Enum(c, &p.Reason, EditEndDimension)
	wire.Removable(c, &p.EditSetup, EditSetup{}, p.State == EditEnded, editSetupSize, (*EditSetup).Wire)
	c.U32(&p.Request)
	wire.Enum(c, &p.Result, EditSaveFailed)
	c.U32(&p.EntityID)
	wire.Repeat(c, &p.Entries, 0, MaxEditEntries, (*EditEntry).Wire)
}

func (p *EditState) Check() error {
	ended := p.State == EditEnded
	switch {
	case ended != (p.Reason != EditEndNone):
		return fmt.Errorf("reason %v in state %v", p.Reason, p.State)
	case ended && len(p.Entries) > 0:
		return errors.New("a session that has ended has no entries")
	case (p.Request == 0) != (p.Result == EditNoAnswer):
		return fmt.Errorf("result %v of request %d", p.Result, p.Request)
	case p.BrushKind == 0 && p.BrushModel != 0:
		return fmt.Errorf("brush_model %d without brush_kind", p.BrushModel)
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		for _, before := range p.Entries[:i] {
			if before.EntityID == e.EntityID {
				return fmt.Errorf("entries[%d]: entity %d stands there twice", i, e.EntityID)
			}
		}
		if !e.Present {
			continue
		}
		if err := oneOrNone("owner", e.OwnerID, e.OwnerToken); err != nil {
			return fmt.Errorf("entries[%d]: %w", i, err)
		}
	}
	return nil
}
