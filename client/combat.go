package client

import (
	"errors"
	"time"

	"darqline/protocol"
)

// Errors of what the own player does.
var (
	ErrNotAlive = errors.New("the player is not alive")
	ErrFrozen   = errors.New("the player has no control: frozen, or a spectator")
	ErrNotHeld  = errors.New("the weapon is not in the inventory")
	ErrNotArmed = errors.New("the weapon in hand cannot do that")
	ErrNoAmmo   = errors.New("no ammunition is left")
)

// Shot is one trigger pull with the weapon in hand, or what a spray used up since the last one.
type Shot struct {
	Hit    protocol.Ref  // what End is on; none of a spray
	Origin protocol.Vec3 // the muzzle
	End    protocol.Vec3 // point of impact, or the end of the range
	Rounds uint32        // 0: one. Sprays, every 100 ms: the units used
}

// Throw is a throw or launch with the weapon in hand.
type Throw struct {
	Target   protocol.Ref // of the heat seeker
	Origin   protocol.Vec3
	Velocity protocol.Vec3 // m/s
	Rest     protocol.Vec3 // of a satchel: where it comes to lie
}

// VitalsChange is why the server has set health or armor; Self has the figures. It is for flinch, blood, the direction of
// a hit, and a pickup's effect.
type VitalsChange struct {
	Cause         protocol.Cause // CauseScript: no reaction is shown
	BodyPart      protocol.BodyPart
	AttackerID    uint16  // NoPlayer none
	AttackerToken uint32  // 0 none
	GaveHealth    float32 // shown with a pickup's effect; 0: nothing
	GaveArmor     float32
}

// Rules are the server's figures of combat as it has told them.
type Rules struct {
	Multipliers protocol.DamageMultipliers
	DriveBy     protocol.DriveByIntervals
	Weapons     []protocol.WeaponProperties // changed ones, at most one a weapon and skill level
}

// Satchels tells that the satchels of a player, the own one's too, are gone. Explosions of type 0 show at Positions;
// without any they vanish.
type Satchels struct {
	PlayerID    uint16
	PlayerToken uint32
	Positions   []protocol.Vec3
}

// Rules are the server's figures of combat as they are now.
func (c *Client) Rules() Rules {
	r := defaultRules()
	c.look(func(g *game) { r = g.rules.clone() })
	return r
}

// Fires are the fires that the server has made and that burn here, by id.
func (c *Client) Fires() []protocol.CreateFire {
	var list []protocol.CreateFire
	c.look(func(g *game) { list = g.fires.list() })
	return list
}

// Shoot fires the weapon in hand and counts its ammunition. shot is the number that Hit wants for each player who was
// hit. What keeps him from it is one of the errors above; how fast he may fire is the program's to keep, by Rules.
func (c *Client) Shoot(s Shot) (shot uint32, err error) {
	err = c.act(func(g *game, now time.Duration) error { shot, err = g.shoot(now, s); return err })
	return shot, err
}

// Hit reports what the own player's weapon did to another, by a cause of the attacker's: once for each shot and victim.
func (c *Client) Hit(p protocol.DamageReport) error {
	if err := encodable(&p); err != nil {
		return err
	}
	return c.act(func(g *game, now time.Duration) error { return g.hit(now, p) })
}

// Hurt is damage that the world does to the own player: a cause that the victim reports, amount in points before
// multipliers. The client applies the loss at once and reports it; a loss that would kill is held at 1 health until
// the server answers.
func (c *Client) Hurt(cause protocol.Cause, source protocol.Ref, amount float32) error {
	if err := encodable(&protocol.LethalDamageReport{Cause: cause, Source: source, Amount: min(amount, protocol.MaxDamage)}); err != nil {
		return err
	}
	return c.act(func(g *game, now time.Duration) error { return g.hurt(now, cause, source, amount) })
}

// Die reports that the game has killed the own ped, which no resource can cancel. protocol.CauseScript: unknown.
func (c *Client) Die(cause protocol.Cause, source protocol.Ref, part protocol.BodyPart) error {
	p := &protocol.DeathReport{Source: source, Cause: cause, BodyPart: part}
	if err := encodable(p); err != nil {
		return err
	}
	return c.act(func(g *game, now time.Duration) error { return g.die(now, p) })
}

// Throw throws or launches the weapon in hand.
func (c *Client) Throw(t Throw) error {
	return c.act(func(g *game, now time.Duration) error { return g.throw(now, t) })
}

// Detonate sets the own satchels off, with the detonator in hand. The client does so by itself when the server asks.
func (c *Client) Detonate() error {
	return c.act(func(g *game, now time.Duration) error { return g.detonate(now) })
}

// StealthKill asks for a stealth kill of the player with that token, who stands before the own one's knife. Nothing
// happens before the server's answer, and nothing at all without one.
func (c *Client) StealthKill(victim uint32) error {
	p := &protocol.StealthKillRequest{Victim: victim}
	if err := encodable(p); err != nil {
		return err
	}
	return c.act(func(g *game, now time.Duration) error { return g.stealthKill(now, p) })
}
