package world

import (
	"errors"
	"time"

	"darqline/protocol"
)

// camera is what a script has a player look through.
type camera struct {
	mode    protocol.CameraMode // never CameraLeave
	at      protocol.Vec3       // fixed and glide: where it is in the end
	subject *Player             // followed; nil else
	by      string              // the resource that set it
}

// follows says whether the own ped takes no input.
func (c *camera) follows() bool { return c.subject != nil }

// Camera is where a camera is put, and how it looks.
type Camera struct {
	Position protocol.Vec3
	Target   protocol.Vec3 // the point looked at, not Position
	Roll     float32       // degrees, -180..180
	Fov      float32       // degrees, 10..120; 0: the game's 70
	Glide    time.Duration // from the present camera, 1 ms..10 min; 0: at once
}

// CameraSubject is whom the player's camera follows, or nil.
func (tx Tx) CameraSubject(p *Player) *Player { return p.camera.subject }

// SetCamera puts a player's camera somewhere; his scope is around it from now on. It works before the first spawn too. by
// is the resource: the camera is the player's own again when that stops.
func (tx Tx) SetCamera(p *Player, c Camera, by string) error {
	m := &protocol.SetCamera{Mode: protocol.CameraFixed, Position: c.Position, Target: c.Target, Roll: c.Roll, Fov: c.Fov,
		PlayerID: protocol.NoPlayer}
	if c.Glide != 0 {
		m.Mode, m.Duration = protocol.CameraGlide, uint32(c.Glide.Milliseconds())
	}
	return tx.setCamera(p, m, camera{m.Mode, c.Position, nil, by})
}

// Spectate has a player's camera follow another, into his dimension and interior too. Fov is as that of Camera.
func (tx Tx) Spectate(p, target *Player, fov float32, by string) error {
	switch {
	case p == target:
		return errors.New("a player cannot spectate himself")
	case target.gone:
		return errors.New("the target has left")
	case target.life == PreSpawn:
		return errors.New("the target has not spawned")
	}
	m := &protocol.SetCamera{Mode: protocol.CameraFollowPlayer, Fov: fov, PlayerID: target.ID, Subject: target.Token}
	return tx.setCamera(p, m, camera{mode: m.Mode, subject: target, by: by})
}

// ResetCamera gives a player his own camera back.
func (tx Tx) ResetCamera(p *Player) error {
	return tx.setCamera(p, &protocol.SetCamera{PlayerID: protocol.NoPlayer}, camera{})
}

// Fade darkens a player's screen in a time of up to 10 s, or brings it back. The color is for darkening alone.
func (tx Tx) Fade(p *Player, out bool, lasts time.Duration, color protocol.RGBA) error {
	m := &protocol.SetCamera{Mode: protocol.CameraLeave, Fade: protocol.FadeIn, FadeTime: uint16(lasts.Milliseconds()),
		PlayerID: protocol.NoPlayer}
	if out {
		color.A = 255
		m.Fade, m.FadeColor = protocol.FadeOut, color
	}
	return tx.sendCamera(p, m)
}

// sendCamera sends a SetCamera, which goes before the first spawn too.
func (tx Tx) sendCamera(p *Player, m *protocol.SetCamera) error {
	if err := check(m); err != nil || p.gone {
		return err
	}
	return p.link.Straight(m)
}

// setCamera changes what a player looks through. A change of scope goes right before it, so that what is followed is not
// taken out of view after it.
func (tx Tx) setCamera(p *Player, m *protocol.SetCamera, to camera) error {
	if err := check(m); err != nil || p.gone {
		return err
	}
	old := p.camera
	p.camera = to
	err := tx.tellScope(p)
	if err == nil {
		err = tx.sendCamera(p, m)
	}
	if err != nil {
		p.camera = old
		return err
	}
	tx.moved(p)
	return nil
}

// lostSubject gives those who followed one who has left their own cameras back.
func (tx Tx) lostSubject(gone *Player) {
	gone.camera = camera{}
	for _, p := range tx.w.players {
		if p.camera.subject == gone {
			_ = tx.ResetCamera(p) // on an error of his lane the connection ends
		}
	}
}

// centre is where a connection looks from, for all scopes; false where it sees nothing (page Player, Streaming).
func (tx Tx) centre(p *Player) (at protocol.Vec3, dimension uint16, ok bool) {
	switch c := &p.camera; {
	case c.subject != nil:
		return c.subject.body.Position, c.subject.dimension, true
	case c.mode != protocol.CameraPlayer:
		return c.at, p.dimension, true
	}
	return p.body.Position, p.dimension, p.life != PreSpawn
}
