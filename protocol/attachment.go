package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// An AttachKind is what a thing follows.
type AttachKind uint8

const (
	AttachNone AttachKind = iota
	AttachPlayer
	AttachVehicle
	AttachObject
)

var attachKinds = []string{"none", "player", "vehicle", "object"}

// String is the kind's word.
func (k AttachKind) String() string { return named(attachKinds, k, "AttachKind") }

// An Attachment says what a thing follows (page World, Attachment). Packets
// embed it.
type Attachment struct {
	Attach      AttachKind
	AttachID    uint32 // player_id, vehicle id or object id
	AttachToken uint32 // the player's player_token, else 0
}

func (a *Attachment) Wire(c *wire.Codec) {
	wire.Enum(c, &a.Attach, AttachObject)
	c.U32(&a.AttachID)
	c.U32(&a.AttachToken)
}

// Check holds id and token to what the thing is attached to.
func (a *Attachment) Check() error {
	switch {
	case a.Attach == AttachNone && (a.AttachID != 0 || a.AttachToken != 0):
		return errors.New("attach_id and attach_token are 0 without an attachment")
	case a.Attach == AttachPlayer && (a.AttachID >= NoPlayer || a.AttachToken == 0):
		return fmt.Errorf("attach_id %d with attach_token %d is no player", a.AttachID, a.AttachToken)
	case a.Attach > AttachPlayer && a.AttachID == 0:
		return fmt.Errorf("attach_id is 0: no %v has it", a.Attach)
	case a.Attach > AttachPlayer && a.AttachToken != 0:
		return errors.New("attach_token is a player's")
	}
	return nil
}
