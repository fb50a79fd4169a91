package client

import (
	"math"

	"darqline/protocol"
)

// prompt gives an action a prompt, changes it in place, or takes it away.
func (g *game) prompt(p *protocol.ActionPrompt) {
	s := &g.ui.actions
	a := s.find(p.ActionID)
	if a == nil {
		return
	}
	if p.Present && !a.Prompt.Present {
		s.prompts++
		a.prompted = s.prompts
	}
	a.Prompt = *p
	g.tellAction(a)
}

// sees tells that an action has a prompt that the player sees: on the screen, or near enough in the world.
func (g *game) sees(a *action) bool {
	p := &a.Prompt
	if !p.Present || p.Place == protocol.PromptScreen {
		return p.Present
	}
	place, ok := g.placeOf(p.Attachment, p.Position)
	return ok && distance(place, g.me.Frame.Position) <= float64(p.Radius)
}

// placeOf is where something is that may follow a player. Vehicles and objects are not mirrored: what follows one is
// nowhere.
func (g *game) placeOf(to protocol.Attachment, v protocol.Vec3) (protocol.Vec3, bool) {
	if to.Attach == protocol.AttachNone {
		return v, true
	}
	f := g.me.Frame
	if id := uint16(to.AttachID); to.Attach != protocol.AttachPlayer {
		return v, false
	} else if !g.isMe(id, to.AttachToken) {
		r, ok := g.crowd.shown(id)
		if !ok || r.Token != to.AttachToken {
			return v, false
		}
		f = r.Frame
	}
	sin, cos := math.Sincos(protocol.Degrees(f.Heading) * math.Pi / 180)
	x, y := float64(v.X), float64(v.Y)
	return protocol.Vec3{
		X: f.Position.X + float32(x*cos-y*sin),
		Y: f.Position.Y + float32(x*sin+y*cos),
		Z: f.Position.Z + v.Z,
	}, true
}
