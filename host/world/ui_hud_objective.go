package world

import (
	"errors"
	"math"
	"time"

	"darqline/protocol"
)

// Objective is a mark on the screen over a place, or over a player whom it follows.
type Objective struct {
	Position     protocol.Vec3
	Target       *Player       // nil: it stands at Position
	Offset       protocol.Vec3 // in the target's frame
	Text         string        // up to 63 bytes
	Icon         protocol.Icon
	Edge         bool // it stays at the screen's edge
	ShowDistance bool
	BehindWalls  bool
	Near, Far    float64 // m: hidden nearer, and beyond; 0 never
	Color        protocol.RGBA
}

// How often the place of a target out of scope is told, and what way is worth it (page World, blips).
const (
	markEvery = 2 * time.Second
	markMoved = 10 // metres
)

// mark is how a client was told of an objective's target.
type mark struct {
	attached bool
	at       protocol.Vec3
	told     time.Duration
}

func (Objective) kind() elementKind          { return kindObjective }
func (o Objective) after(time.Duration) Look { return o }
func (o Objective) resume(Look) Look         { return o }
func (Objective) lasts() time.Duration       { return forever }

func (o Objective) check() error {
	if o.Target != nil && o.Target.gone {
		return errors.New("field \"target\": this player has left")
	}
	return line("text", o.Text, 63)
}

func (o Objective) packet(tx Tx, at seenAs) protocol.Packet {
	m := &protocol.ObjectiveMarker{Slot: at.slot, Present: true, Icon: o.Icon, Position: o.Position, Color: o.Color, Near: float32(o.Near),
		Far: float32(o.Far), Text: o.Text}
	m.Flags = flagIf(o.Edge, protocol.MarkerEdge) | flagIf(o.ShowDistance, protocol.MarkerDistance) | flagIf(!o.BehindWalls, protocol.MarkerOccluded)
	switch mark := tx.markOf(o, at.viewer); {
	case o.Target == nil || at.viewer == nil:
	case mark.attached:
		m.Attachment = protocol.Attachment{Attach: protocol.AttachPlayer, AttachID: uint32(o.Target.ID), AttachToken: o.Target.Token}
		m.Position = o.Offset
	default:
		m.Position = mark.at
	}
	return m
}

// markOf is how a viewer's client is told of an objective's target now: attached where it has him, else by his place.
// Before his first spawn he has none, and no client draws what is attached to him.
func (tx Tx) markOf(o Objective, viewer *Player) mark {
	if o.Target == nil || viewer == nil {
		return mark{}
	}
	t := o.Target
	return mark{attached: t == viewer || t.life == PreSpawn || tx.Sees(viewer, t), at: o.place(), told: tx.now()}
}

// place is where the mark over a target stands: his offset turns with him.
func (o Objective) place() protocol.Vec3 {
	at := o.Target.body.Position
	sin, cos := math.Sincos(protocol.Degrees(o.Target.body.Heading) * math.Pi / 180)
	at.X += float32(float64(o.Offset.X)*cos - float64(o.Offset.Y)*sin)
	at.Y += float32(float64(o.Offset.X)*sin + float64(o.Offset.Y)*cos)
	at.Z += o.Offset.Z
	return at
}

// tickMarks tells a player of targets that came into his scope, left it, or have moved out of it. It says whether he has a
// mark that follows anybody.
func (tx Tx) tickMarks(p *Player) (follows bool) {
	slots := p.hud.slots[kindObjective]
	for i := range slots {
		s := &slots[i]
		if s.e == nil {
			continue
		}
		f := s.e.faceFor(p, tx.now())
		o := f.Look.(Objective)
		if o.Target == nil || f.Hidden {
			continue
		}
		follows = true
		now := tx.markOf(o, p)
		if now.attached != s.mark.attached ||
			!now.attached && now.told-s.mark.told >= markEvery && distance(now.at, s.mark.at) > markMoved {
			tx.send(p, s, nil)
		}
	}
	return follows
}
