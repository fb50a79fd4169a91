package world

import (
	"errors"
	"fmt"
	"math"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// PromptSpec is a hint with an action's key (page Chat, HUD and dialogs, ActionPrompt).
type PromptSpec struct {
	Text     string        // a line with markup, 1..127 bytes
	Hold     time.Duration // 0, or 200..10000 ms: the key is held while a ring fills
	InWorld  bool          // else low on the screen
	Target   *Player       // whom it follows; nil: nobody
	Position protocol.Vec3 // in the world, or the offset from the target
	Radius   float32       // m, 0.5..50: within it is visible
}

// prompt is the hint of an action that a player has.
type prompt struct {
	spec PromptSpec
	key  promptKey
	sent bool // some state of it is on his screen
}

type (
	promptKey     struct{ action uint32 }
	promptGoneKey struct{ action uint32 }
)

// How much farther than its radius a prompt can be used: positions of a client are late.
const (
	promptSlack = 3   // m
	promptLate  = 0.3 // s
)

const promptText = 127

// SetPrompt shows a player the hint of an action, or changes it in place.
func (tx Tx) SetPrompt(a *Action, p *Player, spec PromptSpec) error {
	if err := tx.MayUse(a, p); err != nil {
		return err
	}
	switch {
	case spec.Text == "":
		return errors.New("field \"text\": a prompt has one")
	case spec.Hold != 0 && (spec.Hold < 200*time.Millisecond || spec.Hold > 10*time.Second):
		return fmt.Errorf("field \"hold_ms\": 0 or 200..10,000 expected, got %s", grouped(int(spec.Hold.Milliseconds())))
	case spec.Target != nil && spec.Target.gone:
		return errors.New("field \"target\": this player has left")
	}
	if err := line("text", spec.Text, promptText); err != nil {
		return err
	}
	m := spec.packet(a.id)
	if err := check(m); err != nil || p.gone {
		return err
	}
	pr := p.actions.prompts[a]
	if pr != nil {
		pr.sent = pr.shown(p)
	} else {
		pr = &prompt{key: promptKey{a.id}}
		if p.actions.prompts == nil {
			p.actions.prompts = make(map[*Action]*prompt)
		}
		p.actions.prompts[a] = pr
		p.link.Drop(promptGoneKey{a.id})
	}
	if pr.spec = spec; pr.held(p, a) {
		p.actions.down[a].hold = nil // the ring begins anew
	}
	p.link.Pace(pacer.Thing{Key: pr.key, Class: pacer.Rest, After: actionKey{a.id}, Packets: []protocol.Packet{m}})
	return nil
}

func (s *PromptSpec) packet(action uint32) *protocol.ActionPrompt {
	m := &protocol.ActionPrompt{ActionID: action, Present: true, HoldMs: uint16(s.Hold.Milliseconds()), Text: s.Text}
	if s.InWorld {
		m.Place, m.Position, m.Radius = protocol.PromptWorld, s.Position, s.Radius
	}
	if s.Target != nil {
		m.Attachment = protocol.Attachment{Attach: protocol.AttachPlayer, AttachID: uint32(s.Target.ID), AttachToken: s.Target.Token}
	}
	return m
}

// held says whether the player holds the action by this prompt, whose time is another one now.
func (pr *prompt) held(p *Player, a *Action) bool {
	down := p.actions.down[a]
	return down != nil && down.hold == pr && down.due-down.at != pr.spec.Hold
}

// RemovePrompt takes the hint of an action from a player. A key that is down is not released.
func (tx Tx) RemovePrompt(a *Action, p *Player) { tx.dropPrompt(p, a) }

func (tx Tx) dropPrompt(p *Player, a *Action) {
	pr := p.actions.prompts[a]
	if pr == nil {
		return
	}
	shown := pr.shown(p)
	delete(p.actions.prompts, a)
	if _, begun := p.link.Drop(pr.key); shown || begun {
		p.link.Pace(pacer.Thing{Key: promptGoneKey{a.id}, Class: pacer.Removals,
			Packets: []protocol.Packet{&protocol.ActionPrompt{ActionID: a.id}}})
	}
}

// PromptOf is the hint of an action that a player has.
func (tx Tx) PromptOf(a *Action, p *Player) (spec PromptSpec, ok bool) {
	pr := p.actions.prompts[a]
	if pr == nil {
		return spec, false
	}
	return pr.spec, true
}

// shown says whether the prompt has been sent.
func (pr *prompt) shown(p *Player) bool {
	return pr.sent || !p.link.Waits(pr.key)
}

// reaches says whether a player is near enough to a prompt to use it.
func (tx Tx) reaches(p *Player, pr *prompt) bool {
	s := &pr.spec
	if !s.InWorld {
		return true
	}
	at, speed := s.Position, p.speed()
	if s.Target != nil {
		if s.Target.life == PreSpawn || s.Target.dimension != p.dimension {
			return false
		}
		at, speed = s.Target.at(s.Position), speed+s.Target.speed()
	}
	return p.life != PreSpawn && distance(p.body.Position, at) <= float64(s.Radius)+promptSlack+promptLate*speed
}

// speed is how fast a player moves, in m/s.
func (p *Player) speed() float64 {
	v := p.body.Velocity
	return length(float32(v[0]), float32(v[1]), float32(v[2])) / 100
}

// at is where something stands that follows the player.
func (p *Player) at(offset protocol.Vec3) protocol.Vec3 {
	sin, cos := math.Sincos(protocol.Degrees(p.body.Heading) * math.Pi / 180)
	x, y := float64(offset.X), float64(offset.Y)
	at := p.body.Position
	return protocol.Vec3{X: at.X + float32(x*cos-y*sin), Y: at.Y + float32(x*sin+y*cos), Z: at.Z + offset.Z}
}
