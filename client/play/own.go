package play

import (
	"errors"
	"fmt"
	"math"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// move is how a page moves the own player.
type move struct {
	Epoch    uint8                `json:"epoch"` // of the place from which it was computed
	Position spot                 `json:"position"`
	Velocity spot                 `json:"velocity"` // m/s
	Heading  float64              `json:"heading"`  // degrees
	Aim      float64              `json:"aim"`
	Stick    [2]int8              `json:"stick"` // -127..127 to the east and north
	Keys     protocol.PlayerKeys  `json:"keys"`
	Flags    protocol.PlayerFlags `json:"flags"`
}

func (v move) frame() (protocol.Frame, error) {
	for _, degrees := range []float64{v.Heading, v.Aim} {
		if math.Abs(degrees) > 360 {
			return protocol.Frame{}, fmt.Errorf("a heading is 0..360 degrees, not %g", degrees)
		}
	}
	f := protocol.Frame{
		Epoch:    v.Epoch,
		Position: protocol.Vec3{X: v.Position[0], Y: v.Position[1], Z: v.Position[2]},
		Heading:  protocol.Angle(v.Heading), AimYaw: protocol.Angle(v.Aim),
		MoveX: v.Stick[0], MoveY: v.Stick[1], Keys: v.Keys, Flags: v.Flags,
	}
	for i, speed := range v.Velocity {
		f.Velocity[i] = protocol.Hundredths(float64(speed))
	}
	_, err := protocol.Append(nil, protocol.Header{ID: protocol.IDPlayerSync, Token: 1}, &protocol.PlayerSync{Frame: f})
	return f, err
}

// move sends the own player's movement on. What interior it is in, the pages do not decide.
func (s *seat) move(f protocol.Frame) error {
	return s.with(func(now session) error {
		f.Interior = now.Self().Frame.Interior
		f = s.settled(f, time.Now())
		s.model.moved(f)
		return now.Move(f)
	})
}

// settle lets the own frames say what no page says, also while nothing moves.
func (s *seat) settle(now time.Time) {
	s.with(func(current session) error { // without a session there is nobody to settle
		before := current.Self().Frame
		f := s.settled(before, now)
		if f == before {
			return nil
		}
		s.model.moved(f)
		return current.Move(f)
	})
}

// settled is a frame with what no page says: that the ped burns and, while no page has the keyboard, that it stands and
// the player is away.
func (s *seat) settled(f protocol.Frame, now time.Time) protocol.Frame {
	f.Flags &^= protocol.FlagBurning | protocol.FlagPaused
	if s.model.burning(now) {
		f.Flags |= protocol.FlagBurning
	}
	if !s.model.focused() {
		f.Velocity, f.MoveX, f.MoveY, f.Keys = [3]int16{}, 0, 0, 0
		f.Flags = f.Flags&^(protocol.FlagAiming|protocol.FlagTyping) | protocol.FlagPaused
	}
	return f
}

func (s *seat) arm(w protocol.Weapon) error {
	return s.with(func(now session) error {
		if err := now.Arm(w); !errors.Is(err, client.ErrNotHeld) { // it may have been taken meanwhile
			return err
		}
		return nil
	})
}

func (s *seat) respawn() error { return s.with(session.Respawn) }
