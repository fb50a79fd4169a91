package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// WeaponShot says that the sender fired: each trigger pull of a bullet weapon,
// every 100 ms of a spray.
type WeaponShot struct {
	Seq    uint32 // rounds fired on this connection so far, these included
	Weapon Weapon // bullet or spray
	Hit    Ref    // none, player, vehicle, object or ground; none of a spray
	Origin Vec3   // the muzzle
	End    Vec3   // point of impact, or the end of the range
}

func (*WeaponShot) ID() ID { return IDWeaponShot }

func (p *WeaponShot) Wire(c *wire.Codec) {
	c.U32(&p.Seq)
	wire.OneOf(c, &p.Weapon, shotWeapons)
	c.Struct(&p.Hit)
	c.Position(&p.Origin)
	c.Position(&p.End)
}

func (p *WeaponShot) Check() error {
	if f, _ := p.Weapon.Figures(); f.Kind == WeaponSpray && p.Hit.Kind != RefNone {
		return errors.New("hit: a spray hits nothing by itself")
	}
	return p.Hit.check("hit", hitKinds)
}

// RemoteWeaponShot says that another player fired.
type RemoteWeaponShot struct {
	PlayerID    uint16
	PlayerToken uint32
	Seq         uint32 // the shooter's
	Weapon      Weapon // bullet
	Hit         Ref    // none, player, vehicle, object or ground
	Origin      Vec3
	End         Vec3
}

func (*RemoteWeaponShot) ID() ID { return IDRemoteWeaponShot }

func (p *RemoteWeaponShot) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.U32(&p.Seq)
	wire.OneOf(c, &p.Weapon, bulletWeapons)
	c.Struct(&p.Hit)
	c.Position(&p.Origin)
	c.Position(&p.End)
}

func (p *RemoteWeaponShot) Check() error { return p.Hit.check("hit", hitKinds) }
