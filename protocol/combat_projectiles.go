package protocol

import "darqline/protocol/wire"

// MaxSatchels is how many living satchels a player has at most.
const MaxSatchels = 8

// ProjectileCreate says that the sender threw or launched something.
type ProjectileCreate struct {
	Weapon   Weapon // thrown or rocket
	Target   Ref    // of the heat seeker: none, player or vehicle; else none
	Origin   Vec3
	Velocity Vec3 // m/s
}

func (*ProjectileCreate) ID() ID { return IDProjectileCreate }

func (p *ProjectileCreate) Wire(c *wire.Codec) {
	wire.OneOf(c, &p.Weapon, projectileWeapons)
	c.Struct(&p.Target)
	c.Position(&p.Origin)
	c.FreeVec3(&p.Velocity)
}

func (p *ProjectileCreate) Check() error { return checkTarget(p.Weapon, &p.Target) }

// checkTarget holds all weapons but the heat seeker to no target.
func checkTarget(w Weapon, target *Ref) error {
	if w == WeaponHeatSeeker {
		return target.check("target", targetKinds)
	}
	return target.check("target", noKinds)
}

// RemoteProjectileCreate is a projectile of another player.
type RemoteProjectileCreate struct {
	PlayerID     uint16
	PlayerToken  uint32
	ProjectileID uint32
	Weapon       Weapon // thrown or rocket
	Target       Ref    // of the heat seeker: none, player or vehicle; else none
	Origin       Vec3
	Velocity     Vec3   // m/s
	Age          uint32 // ms since the throw
}

func (*RemoteProjectileCreate) ID() ID { return IDRemoteProjectileCreate }

func (p *RemoteProjectileCreate) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.NonZero(c, &p.ProjectileID)
	wire.OneOf(c, &p.Weapon, projectileWeapons)
	c.Struct(&p.Target)
	c.Position(&p.Origin)
	c.FreeVec3(&p.Velocity)
	c.U32(&p.Age)
}

func (p *RemoteProjectileCreate) Check() error { return checkTarget(p.Weapon, &p.Target) }

// satchels are the places of satchels that go off.
func satchels(c *wire.Codec, positions *[]Vec3) {
	wire.List(c, positions, 1, MaxSatchels, 12, func(v *Vec3, c *wire.Codec) { c.Position(v) })
}

// SatchelDetonate says that the sender's satchels go off.
type SatchelDetonate struct {
	Positions []Vec3 // 1..MaxSatchels
}

func (*SatchelDetonate) ID() ID { return IDSatchelDetonate }

func (p *SatchelDetonate) Wire(c *wire.Codec) { satchels(c, &p.Positions) }

// RemoteSatchelDetonate says that another player's satchels went off.
type RemoteSatchelDetonate struct {
	PlayerID    uint16
	PlayerToken uint32
	Positions   []Vec3 // 1..MaxSatchels
}

func (*RemoteSatchelDetonate) ID() ID { return IDRemoteSatchelDetonate }

func (p *RemoteSatchelDetonate) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	satchels(c, &p.Positions)
}

// DetonateSatchels has the recipient's client set off its own satchels.
type DetonateSatchels struct{}

func (*DetonateSatchels) ID() ID { return IDDetonateSatchels }

func (*DetonateSatchels) Wire(*wire.Codec) {}

// DestroySatchels lets a player's satchels vanish without exploding.
type DestroySatchels struct {
	PlayerID    uint16
	PlayerToken uint32
}

func (*DestroySatchels) ID() ID { return IDDestroySatchels }

func (p *DestroySatchels) Wire(c *wire.Codec) { subject(c, &p.PlayerID, &p.PlayerToken) }
