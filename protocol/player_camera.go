package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// A CameraMode is what the recipient's camera does.
type CameraMode uint8

const (
	CameraPlayer        CameraMode = iota // the own player, as ever
	CameraFixed                           // at Position, looking at Target
	CameraGlide                           // there, in Duration
	CameraFollowPlayer                    // PlayerID, with the token Subject
	CameraFollowVehicle                   // Subject
	CameraLeave                           // as it is
)

// A Fade is what the recipient's screen does.
type Fade uint8

const (
	FadeLeave Fade = iota
	FadeIn
	FadeOut
)

// SetCamera is the recipient's camera and screen fade. What a mode does not use
// is 0, PlayerID then NoPlayer.
type SetCamera struct {
	Mode      CameraMode
	Fade      Fade
	FadeTime  uint16 // ms, 0..10000
	FadeColor RGBA   // alpha 255 when fading out, else all 0
	Position  Vec3   // fixed and glide
	Target    Vec3   // fixed and glide: the point looked at
	Roll      float32
	Fov       float32 // all but own and leave: degrees, 10..120, 0 the game's 70
	Duration  uint32  // glide: ms, 1..600000
	PlayerID  uint16
	Subject   uint32
}

func (*SetCamera) ID() ID { return IDSetCamera }

func (p *SetCamera) Wire(c *wire.Codec) {
	wire.Enum(c, &p.Mode, CameraLeave)
	wire.Enum(c, &p.Fade, FadeOut)
	wire.Range(c, &p.FadeTime, 0, 10000)
	c.Color(&p.FadeColor)
	c.Position(&p.Position)
	c.Position(&p.Target)
	c.F32In(&p.Roll, -180, 180)
	c.F32ZeroOr(&p.Fov, 10, 120)
	wire.Range(c, &p.Duration, 0, 600000)
	c.U16(&p.PlayerID)
	c.U32(&p.Subject)
}

func (p *SetCamera) Check() error {
	placed := p.Mode == CameraFixed || p.Mode == CameraGlide
	follows := p.Mode == CameraFollowPlayer || p.Mode == CameraFollowVehicle
	switch {
	case p.Fade == FadeOut && p.FadeColor.A != 255:
		return fmt.Errorf("fade_color has alpha %d, fading out needs 255", p.FadeColor.A)
	case p.Fade != FadeOut && p.FadeColor != RGBA{}:
		return errors.New("fade_color is set although nothing fades out")
	case placed && p.Position == p.Target:
		return errors.New("position and target are the same point")
	case !placed && !(blank(p.Position, p.Target) && unset(p.Roll)):
		return p.unused("position, target or roll")
	case !placed && !follows && p.Fov != 0:
		return p.unused("fov")
	case p.Mode == CameraGlide && p.Duration == 0:
		return errors.New("duration 0, a glide needs 1..600000")
	case p.Mode != CameraGlide && p.Duration != 0:
		return p.unused("duration")
	case p.Mode == CameraFollowPlayer && p.PlayerID == NoPlayer:
		return errors.New("player_id is nobody's")
	case p.Mode != CameraFollowPlayer && p.PlayerID != NoPlayer:
		return p.unused("player_id")
	case follows && p.Subject == 0:
		return errors.New("subject 0 cannot be followed")
	case !follows && p.Subject != 0:
		return p.unused("subject")
	}
	return nil
}

func (p *SetCamera) unused(field string) error {
	return fmt.Errorf("%s: mode %d does not use it", field, p.Mode)
}
