package client

import (
	"math"
	"time"

	"darqline/protocol"
)

// Numbers of page Player, "PlayerSync".
const (
	frameInterval  = 40 * time.Millisecond  // while something changes
	idleInterval   = 500 * time.Millisecond // else
	wastedInterval = 200 * time.Millisecond
)

// pace is when the own frames go.
type pace struct {
	seq    uint32 // frames sent
	sent   protocol.Frame
	sentAt time.Duration
}

// move takes the program's frame, but for what is the server's and the client's.
func (g *game) move(f protocol.Frame) {
	me := &g.me
	if me.State != Alive && me.State != Wasted || f.Epoch != me.Frame.Epoch {
		return
	}
	now := me.Frame
	if me.State == Wasted || g.ui.dialog.shown {
		f.MoveX, f.MoveY, f.Keys = 0, 0, 0 // it may still fall
	}
	if g.ui.holds() {
		f.MoveX, f.MoveY = 0, 0
	}
	if me.immovable() {
		f.Position, f.Carrier, f.CarrierOffset = now.Position, now.Carrier, now.CarrierOffset
		f.Flags = f.Flags&^protocol.FlagSeated | now.Flags&protocol.FlagSeated
		release(&f)
	}
	me.Frame = f
}

// frame is the own frame as it would be sent now, but for its time.
func (g *game) frame() protocol.Frame {
	f := g.me.Frame
	f.Time = 0
	f.Weapon, f.Action, f.Animation = g.me.Weapon, g.me.Action, g.me.Animation.ID
	f.Health, f.Armor = roundedUp(g.me.Health), roundedUp(g.me.Armor)
	return f
}

// roundedUp is a figure of 0..100 in a frame: only 0 is 0.
func roundedUp(v float32) uint8 { return uint8(math.Ceil(float64(min(max(v, 0), 100)))) }

// driveFrame fills p with a frame if one is due, and gives the time of the next one.
func (g *game) driveFrame(now time.Duration, p *protocol.PlayerSync) (next time.Duration, due bool) {
	if g.me.State != Alive && g.me.State != Wasted {
		return never, false
	}
	f := g.frame()
	at := g.pace.sentAt + g.interval(&f)
	if now < at {
		return at, false
	}
	g.stamp(now, f, p)
	return now + g.interval(&f), true
}

// stamp makes the next frame of the connection.
func (g *game) stamp(now time.Duration, f protocol.Frame, p *protocol.PlayerSync) {
	g.pace.seq++
	g.pace.sent, g.pace.sentAt = f, now
	f.Time = uint16(now.Milliseconds())
	p.Seq, p.Frame = g.pace.seq, f
}

// aim sends a frame before a report that needs it: the server believes a weapon only that it has seen in hand.
func (g *game) aim(now time.Duration) {
	f := g.frame()
	if f.Epoch == g.pace.sent.Epoch && f.Weapon == g.pace.sent.Weapon && g.pace.seq > 0 {
		return
	}
	p := new(protocol.PlayerSync)
	g.stamp(now, f, p)
	g.send(p)
}

// interval is how long after the last frame the next one, f, goes.
func (g *game) interval(f *protocol.Frame) time.Duration {
	last := &g.pace.sent
	seated := f.Flags&protocol.FlagSeated != 0 && last.Flags&protocol.FlagSeated != 0
	switch {
	case g.me.State == Wasted && last.Health == 0:
		return wastedInterval
	case seated && f.Epoch == last.Epoch && !steered(f, last):
		return idleInterval
	case *f != *last:
		return frameInterval
	}
	return idleInterval
}

// steered tells that of a seated player something has changed that his vehicle's frames do not carry.
func steered(a, b *protocol.Frame) bool {
	return a.Keys != b.Keys || a.Flags != b.Flags || a.Weapon != b.Weapon || a.AimYaw != b.AimYaw || a.AimPitch != b.AimPitch
}

// arm takes a weapon of the inventory in hand.
func (g *game) arm(w protocol.Weapon) error {
	if !g.me.Has(w) {
		return ErrNotHeld
	}
	g.me.Weapon = w
	g.changed = true
	return nil
}

// endAction ends the special action: the next frames say so.
func (g *game) endAction() {
	g.me.Action = protocol.ActionNone
	g.changed = true
}
