package client

import (
	"time"

	"darqline/protocol"
)

// applyAnimation takes a packet about the applied animation of a player. It says whether it was one.
func (g *game) applyAnimation(now time.Duration, p protocol.Packet) bool {
	at := g.at(now)
	switch p := p.(type) {
	case *protocol.ApplyAnimation:
		g.animate(p.PlayerID, p.PlayerToken, func(a *Animation) {
			*a = Animation{
				ID: p.Animation, Block: p.Block, Name: p.Name, Flags: p.Flags, Speed: p.Speed, Progress: p.Progress,
				Since: at, Played: milliseconds(p.Elapsed), Blend: milliseconds(uint32(p.Blend)), Duration: milliseconds(p.Duration),
			}
		})
	case *protocol.ClearAnimations:
		g.animate(p.PlayerID, p.PlayerToken, func(a *Animation) { *a = Animation{} })
	case *protocol.SetAnimationProgress:
		g.animate(p.PlayerID, p.PlayerToken, func(a *Animation) {
			if a.ID == p.Animation && a.ID != 0 {
				a.rebase(at)
				a.Progress, a.Played = p.Progress, 0
			}
		})
	case *protocol.SetAnimationSpeed:
		g.animate(p.PlayerID, p.PlayerToken, func(a *Animation) {
			if a.ID == p.Animation && a.ID != 0 {
				a.rebase(at)
				a.Speed = p.Speed
			}
		})
	default:
		return false
	}
	return true
}

// animate changes a player's animation.
func (g *game) animate(id uint16, token uint32, f func(*Animation)) {
	var was, is Animation
	g.change(id, token, func(a *Appearance) {
		was = a.Animation
		f(&a.Animation)
		is = a.Animation
	})
	if id != g.me.ID {
		if r := g.crowd.players[id]; r != nil && was.ID != is.ID {
			r.echoed = false
		}
		return
	}
	g.ends = never
	if a := &g.me.Animation; a.Duration > 0 {
		g.ends = a.Since.Sub(g.begun) + a.Duration
	}
}

// rebase lets an animation count from now on.
func (a *Animation) rebase(at time.Time) {
	gone := at.Sub(a.Since)
	a.Played += time.Duration(float64(gone) * float64(a.Speed))
	if a.Duration > 0 {
		a.Duration = max(a.Duration-gone, 1)
	}
	a.Since = at
}

// endAnimation ends the own animation if it is this one.
func (g *game) endAnimation(id uint16) {
	if id != 0 && g.me.Animation.ID == id {
		g.me.Animation, g.ends = Animation{}, never
		g.changed = true
	}
}

// driveAnimation ends the own animation when its duration has passed.
func (g *game) driveAnimation(now time.Duration) time.Duration {
	if now >= g.ends {
		g.endAnimation(g.me.Animation.ID)
	}
	return g.ends
}

func milliseconds(n uint32) time.Duration { return time.Duration(n) * time.Millisecond }
