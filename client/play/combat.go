package play

import (
	"errors"
	"math"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// Numbers of the own player's body and hands.
const (
	muzzleAhead = 0.6                    // m from the ped's centre to the muzzle
	muzzleUp    = 0.5                    // m above it
	meleeReach  = 0.9                    // m that a blow reaches beyond the weapon's range
	sprayEvery  = 100 * time.Millisecond // between two reports of a spray (page Combat, "WeaponShot")
	sufferEvery = 500 * time.Millisecond // between two losses by what burns
	behind      = 45                     // degrees to either side of a victim's back from which a knife kills
	stealthWay  = 2.5                    // m
)

// use is a click: what the player does with the weapon in hand, at a place or on another player.
type use struct {
	At     [2]float32 `json:"at"`
	Target uint32     `json:"target"` // the player_token of who is there; 0 nobody
}

// use does what a click asks for. What the player cannot do now is not said: the page shows why.
func (s *seat) use(u use) error {
	err := s.with(func(now session) error {
		me := now.Self()
		f, _ := me.Weapon.Figures()
		a := aimOf(now, &me, u)
		switch {
		case f.Kind == protocol.WeaponMelee:
			return strike(now, &me, f, a)
		case f.Kind == protocol.WeaponBullet, f.Kind == protocol.WeaponSpray:
			return s.shoot(now, &me, f, a)
		case f.Kind == protocol.WeaponThrown, f.Kind == protocol.WeaponRocket:
			return s.throw(now, &me, a)
		case me.Weapon == protocol.WeaponDetonator:
			return now.Detonate()
		}
		return nil
	})
	for _, quiet := range []error{client.ErrNotAlive, client.ErrFrozen, client.ErrNotHeld, client.ErrNotArmed, client.ErrNoAmmo, client.ErrBusy} {
		if errors.Is(err, quiet) {
			return nil
		}
	}
	return err
}

// aim is where the weapon points.
type aim struct {
	victim *client.Remote // who is under the pointer, nil nobody
	muzzle protocol.Vec3
	end    protocol.Vec3
	way    float32 // m from the muzzle to end
}

func aimOf(now session, me *client.Self, u use) aim {
	from := me.Frame.Position
	a := aim{end: protocol.Vec3{X: u.At[0], Y: u.At[1], Z: from.Z - 1}}
	for _, r := range now.Remotes() {
		if u.Target != 0 && r.Token == u.Target && !r.Dead {
			a.victim, a.end = &r, r.Frame.Position
		}
	}
	dx, dy := float64(a.end.X-from.X), float64(a.end.Y-from.Y)
	length := max(math.Hypot(dx, dy), 0.01)
	a.muzzle = protocol.Vec3{
		X: from.X + float32(dx/length*muzzleAhead), Y: from.Y + float32(dy/length*muzzleAhead), Z: from.Z + muzzleUp,
	}
	a.way = distance(at(a.muzzle), at(a.end))
	return a
}

// strike is a blow, or a stealth kill from behind with a knife.
func strike(now session, me *client.Self, f protocol.WeaponFigures, a aim) error {
	if a.victim == nil {
		return nil
	}
	way := distance(at(me.Frame.Position), at(a.victim.Frame.Position))
	if me.Weapon == protocol.WeaponKnife && way <= stealthWay && fromBehind(me, a.victim) {
		return now.StealthKill(a.victim.Token)
	}
	if way > f.Range+meleeReach {
		return nil
	}
	return now.Hit(protocol.DamageReport{
		Victim: a.victim.Token, Cause: protocol.Cause(me.Weapon), BodyPart: protocol.PartTorso, Amount: f.Hit / 3,
	})
}

// fromBehind tells that the victim's back is turned.
func fromBehind(me *client.Self, victim *client.Remote) bool {
	toMe := headingTo(at(victim.Frame.Position), at(me.Frame.Position))
	return math.Abs(math.Remainder(toMe-protocol.Degrees(victim.Frame.Heading)-180, 360)) <= behind
}

// shoot fires one round, or a tenth of a second of a spray, and reports whom it hit.
func (s *seat) shoot(now session, me *client.Self, f protocol.WeaponFigures, a aim) error {
	reach := weaponRange(now.Rules(), me.Weapon, f)
	out := client.Shot{Origin: a.muzzle, End: a.end, Hit: protocol.Ref{Kind: protocol.RefGround}}
	hits := a.victim != nil && a.way <= reach
	switch {
	case a.way > reach:
		share := reach / a.way
		out.End = protocol.Vec3{
			X: a.muzzle.X + (a.end.X-a.muzzle.X)*share, Y: a.muzzle.Y + (a.end.Y-a.muzzle.Y)*share, Z: a.muzzle.Z + (a.end.Z-a.muzzle.Z)*share,
		}
		out.Hit = protocol.Ref{}
	case hits:
		out.Hit = protocol.Ref{Kind: protocol.RefPlayer, ID: a.victim.Token}
	}
	if f.Kind == protocol.WeaponSpray {
		out.Hit = protocol.Ref{}
		out.Rounds = uint32(sprayEvery / (time.Duration(f.Interval) * time.Millisecond))
	}
	number, err := now.Shoot(out)
	if err != nil {
		return err
	}
	s.model.shot(out.Hit, out.Origin, out.End)
	if !hits {
		return nil
	}
	report := protocol.DamageReport{Victim: a.victim.Token, Cause: protocol.Cause(me.Weapon), BodyPart: protocol.PartTorso}
	switch c, _ := report.Cause.Figures(); {
	case c.Class == protocol.ClassBullet:
		report.Shot, report.Pellets = number, f.Pellets
	case c.By == protocol.ByAttacker: // spray can and extinguisher
		report.Amount = f.Hit
	default: // the victim says what a flamethrower does to it
		return nil
	}
	return now.Hit(report)
}

// weaponRange is how far a weapon reaches by the server's figures.
func weaponRange(rules client.Rules, w protocol.Weapon, f protocol.WeaponFigures) float32 {
	for _, p := range rules.Weapons {
		if p.Weapon == w && p.Skill == protocol.SkillStandard {
			return p.Range
		}
	}
	return f.Range
}

// sprayInterval is how often a spray is reported while it is held, in ms; 0 for other weapons.
func sprayInterval(k protocol.WeaponKind) uint16 {
	if k == protocol.WeaponSpray {
		return uint16(sprayEvery.Milliseconds())
	}
	return 0
}

// throw throws or launches the weapon in hand to where the pointer is.
func (s *seat) throw(now session, me *client.Self, a aim) error {
	v := launch(me.Weapon, a.muzzle, a.end.X, a.end.Y)
	t := newThing(me.Weapon, a.muzzle, v, time.Now())
	t.Owner = me.ID
	out := client.Throw{Origin: a.muzzle, Velocity: v, Rest: protocol.Vec3{X: t.To[0], Y: t.To[1], Z: t.To[2]}}
	if me.Weapon == protocol.WeaponHeatSeeker && a.victim != nil {
		out.Target = protocol.Ref{Kind: protocol.RefPlayer, ID: a.victim.Token}
	}
	if err := now.Throw(out); err != nil {
		return err
	}
	s.model.throw(t)
	return nil
}

// suffer reports what things and fires do to the own ped. It is called on each beat.
func (s *seat) suffer(now time.Time, harms []harm) {
	if now.Sub(s.suffered) >= sufferEvery {
		s.suffered = now
		harms = append(harms, s.model.burns(now)...)
		s.settle(now)
	}
	if len(harms) == 0 {
		return
	}
	s.with(func(current session) error { // without one there is nobody to hurt
		for _, h := range harms {
			current.Hurt(h.cause, h.source, h.amount) // of who is dead: refused, and right so
		}
		return nil
	})
}
