package client

import (
	"fmt"
	"slices"
	"time"

	"darqline/protocol"
)

// applyWeapons takes a packet about the own inventory. It says whether it was one.
func (g *game) applyWeapons(now time.Duration, p protocol.Packet) bool {
	me := &g.me
	switch p := p.(type) {
	case *protocol.GiveWeapon:
		replaced, ok := me.Inventory.give(p.Weapon, p.Ammo, g.rules.clip(p.Weapon))
		if p.Arm || ok && me.Weapon == replaced {
			me.Weapon = p.Weapon
		}
	case *protocol.TakeWeapon:
		me.Inventory.take(p.Weapon)
	case *protocol.SetWeaponAmmo:
		if h := me.Inventory.find(p.Weapon); h != nil {
			before := h.Ammo
			h.set(p, g.shots.after(p.Weapon, p.Shot))
			if p.Weapon == protocol.WeaponSatchel && h.Ammo > before {
				g.refused(now, int(h.Ammo-before))
			}
		}
	case *protocol.ClearWeapons:
		me.Inventory = Inventory{}
	case *protocol.SetArmedWeapon:
		if me.Has(p.Weapon) {
			me.Weapon = p.Weapon
		}
	default:
		return false
	}
	g.disarm()
	g.changed = true
	return true
}

// refusedWithin is how old a throw is at most that the server refuses.
const refusedWithin = 2 * time.Second

// refused takes back the newest satchels, whose throw the server has just refused by giving n of them back: it would
// refuse to set off more than lie there.
func (g *game) refused(now time.Duration, n int) {
	for last := len(g.thrown) - 1; last >= 0 && n > 0 && now-g.thrown[last] <= refusedWithin; last-- {
		g.thrown, g.me.Satchels = g.thrown[:last], g.me.Satchels[:last]
		n--
	}
}

// disarm takes to the fists where the weapon in hand is gone.
func (g *game) disarm() {
	if !g.me.Has(g.me.Weapon) {
		g.me.Weapon = protocol.WeaponFist
	}
}

// able tells what keeps the player from using a weapon.
func (g *game) able() error {
	switch {
	case g.me.State != Alive || g.me.Health == 0:
		return ErrNotAlive
	case g.me.immovable():
		return ErrFrozen
	}
	return nil
}

// armed is the slot of the weapon in hand if it is of one of the kinds and has ammunition.
func (g *game) armed(kinds ...protocol.WeaponKind) (*Held, error) {
	if err := g.able(); err != nil {
		return nil, err
	}
	f, _ := g.me.Weapon.Figures()
	h := g.me.Inventory.find(g.me.Weapon)
	switch {
	case h == nil || !slices.Contains(kinds, f.Kind):
		return nil, ErrNotArmed
	case h.Ammo == 0:
		return nil, ErrNoAmmo
	}
	return h, nil
}

// shoot fires the weapon in hand.
func (g *game) shoot(now time.Duration, s Shot) (uint32, error) {
	h, err := g.armed(protocol.WeaponBullet, protocol.WeaponSpray)
	if err != nil {
		return 0, err
	}
	rounds := min(max(s.Rounds, 1), h.Ammo)
	p := &protocol.WeaponShot{Seq: g.shots.seq + rounds, Weapon: h.Weapon, Hit: s.Hit, Origin: s.Origin, End: s.End}
	if err := encodable(p); err != nil {
		return 0, err
	}
	g.aim(now)
	g.shots.fire(h.Weapon, rounds)
	h.use(rounds, g.rules.clip(h.Weapon))
	g.changed = true
	g.send(p)
	return p.Seq, nil
}

// hit reports what the own weapon did to another.
func (g *game) hit(now time.Duration, p protocol.DamageReport) error {
	if err := g.able(); err != nil {
		return err
	}
	if f, _ := p.Cause.Figures(); f.By != protocol.ByAttacker || p.Victim == g.me.Token {
		return fmt.Errorf("client: %v to player_token %d is not damage that the attacker reports", p.Cause, p.Victim)
	}
	g.aim(now)
	g.send(&p)
	return nil
}

// throw throws or launches the weapon in hand.
func (g *game) throw(now time.Duration, t Throw) error {
	h, err := g.armed(protocol.WeaponThrown, protocol.WeaponRocket)
	if err != nil {
		return err
	}
	satchel := h.Weapon == protocol.WeaponSatchel
	if satchel && len(g.me.Satchels) >= protocol.MaxSatchels {
		return fmt.Errorf("client: %d satchels lie already", protocol.MaxSatchels)
	}
	p := &protocol.ProjectileCreate{Weapon: h.Weapon, Target: t.Target, Origin: t.Origin, Velocity: t.Velocity}
	if err := encodable(p); err != nil {
		return err
	}
	if satchel {
		if err := encodable(&protocol.SatchelDetonate{Positions: []protocol.Vec3{t.Rest}}); err != nil {
			return err
		}
		g.me.Satchels, g.thrown = append(g.me.Satchels, t.Rest), append(g.thrown, now)
	}
	g.aim(now)
	h.use(1, g.rules.clip(h.Weapon))
	g.changed = true
	g.send(p)
	return nil
}

// detonate sets the own satchels off by hand.
func (g *game) detonate(now time.Duration) error {
	switch err := g.able(); {
	case err != nil:
		return err
	case g.me.Weapon != protocol.WeaponDetonator:
		return ErrNotArmed
	}
	g.aim(now)
	g.blowUp()
	return nil
}

// blowUp lets the own satchels explode, if there are any.
func (g *game) blowUp() {
	if len(g.me.Satchels) > 0 {
		g.send(&protocol.SatchelDetonate{Positions: g.me.Satchels})
		g.satchelsGone(g.me.Satchels)
	}
}

// satchelsGone takes the own satchels away.
func (g *game) satchelsGone(exploded []protocol.Vec3) {
	g.me.Satchels, g.thrown = nil, nil
	g.disarm()
	g.changed = true
	gone := Satchels{PlayerID: g.me.ID, PlayerToken: g.me.Token, Positions: slices.Clone(exploded)}
	g.tell(func(h Handler) { h.Satchels(gone) })
}

// stealthKill asks for a stealth kill.
func (g *game) stealthKill(now time.Duration, p *protocol.StealthKillRequest) error {
	switch err := g.able(); {
	case err != nil:
		return err
	case g.me.Weapon != protocol.WeaponKnife:
		return ErrNotArmed
	}
	g.aim(now)
	g.send(p)
	return nil
}
