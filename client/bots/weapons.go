package bots

import (
	"time"

	"darqline/protocol"
)

// How bots shoot: a few rounds at somebody near, then a pause.
const (
	aimFirst   = time.Second // with the weapon in hand, until the server has certainly seen it
	burstMost  = 6
	pauseLeast = 2 * time.Second
	pauseMost  = 6 * time.Second
	hitOne     = 3 // of so many shots one hits
	muzzle     = 0.6
	wide       = 3 // metres that a miss goes wide
)

// weapons are what the server gave, and the shots.
type weapons struct {
	ammo   [protocol.WeaponLast + 1]uint32
	armed  protocol.Weapon // a gun, or the fist
	shown  protocol.Weapon // in the last frame
	since  time.Duration   // that frames have shown it
	rounds uint32          // fired on this connection
	burst  int             // rounds left
	next   time.Duration   // of the next shot
	target uint16          // player_id
	firing bool            // the next frame shows it
}

// apply takes a packet about the inventory.
func (w *weapons) apply(p protocol.Packet) {
	switch p := p.(type) {
	case *protocol.GiveWeapon:
		f, _ := p.Weapon.Figures()
		for other := range w.ammo { // one a slot
			if g, ok := protocol.Weapon(other).Figures(); ok && g.Slot == f.Slot && protocol.Weapon(other) != p.Weapon {
				w.ammo[other] = 0
			}
		}
		w.ammo[p.Weapon] = min(w.ammo[p.Weapon]+p.Ammo, protocol.MaxAmmo)
	case *protocol.TakeWeapon:
		w.ammo[p.Weapon] = 0
	case *protocol.SetWeaponAmmo:
		w.ammo[p.Weapon] = p.Ammo
		if p.Weapon == w.armed { // rounds under way are not counted yet
			w.ammo[p.Weapon] -= min(p.Ammo, w.rounds-min(p.Shot, w.rounds))
		}
	case *protocol.ClearWeapons:
		w.ammo = [protocol.WeaponLast + 1]uint32{}
	case *protocol.SetArmedWeapon:
		if w.ammo[p.Weapon] > 0 {
			w.armed = p.Weapon
		}
	}
	if !w.loaded(w.armed) {
		w.armed = protocol.WeaponFist
		for i := range w.ammo {
			if w.loaded(protocol.Weapon(i)) {
				w.armed = protocol.Weapon(i)
				return
			}
		}
	}
}

// loaded says whether a weapon is a gun with ammunition.
func (w *weapons) loaded(i protocol.Weapon) bool {
	f, ok := i.Figures()
	return ok && f.Kind == protocol.WeaponBullet && w.ammo[i] > 0
}

// hold shows in a frame what is in hand.
func (b *bot) hold(f *protocol.Frame, now time.Duration) {
	w := &b.weapons
	if w.shown != w.armed {
		w.shown, w.since = w.armed, now
	}
	f.Weapon = w.shown
	if w.firing {
		f.Keys |= protocol.KeyFire | protocol.KeyAim
		f.Flags |= protocol.FlagAiming
	}
}

// shoot fires at somebody in scope when it is time to.
func (b *bot) shoot(now time.Duration) {
	w := &b.weapons
	w.firing = w.firing && w.burst > 0
	if b.state != alive || b.frozen || b.fallen || !w.loaded(w.shown) || now-w.since < aimFirst || now < w.next {
		return
	}
	if w.burst == 0 {
		w.burst = 1 + b.random().IntN(burstMost)
		w.target = uint16(b.random().IntN(len(b.pairs)))
		w.next = now + pauseLeast + time.Duration(b.random().Int64N(int64(pauseMost-pauseLeast)))
		w.firing = true
		return
	}
	f, _ := w.shown.Figures()
	victim := b.victim(float64(f.Range))
	if w.burst--; victim == nil {
		w.burst = 0
		return
	}
	w.next = max(now+time.Duration(f.Interval)*time.Millisecond*5/4, w.next)
	w.fire(b, now, f, victim)
}

// victim is the first bot within range that is in scope, from the present target on.
func (b *bot) victim(reach float64) *bot {
	for i := range b.pairs {
		id := (int(b.target) + i) % len(b.pairs)
		if b.pairs[id].token == 0 || id >= len(b.run.byID) {
			continue
		}
		v := b.run.byID[id]
		if v == nil || v.state != alive || v.playerToken != b.pairs[id].token || v.z != b.z {
			continue
		}
		if away, _ := b.at.to(v.at); away < reach {
			b.target = uint16(id)
			return v
		}
	}
	return nil
}

// fire sends the shot, and the hit if it is one.
func (w *weapons) fire(b *bot, now time.Duration, f protocol.WeaponFigures, victim *bot) {
	w.rounds++
	w.ammo[w.shown]--
	b.run.shots++
	hit := b.random().IntN(hitOne) == 0
	shot := protocol.WeaponShot{Seq: w.rounds, Weapon: w.shown,
		Origin: protocol.Vec3{X: float32(b.at.x), Y: float32(b.at.y), Z: b.z + muzzle},
		End:    protocol.Vec3{X: float32(victim.at.x), Y: float32(victim.at.y), Z: victim.z + muzzle}}
	if hit {
		shot.Hit = protocol.Ref{Kind: protocol.RefPlayer, ID: victim.playerToken}
	} else {
		shot.End.Z += wide
	}
	b.send(&shot)
	if hit {
		b.push(now, &protocol.DamageReport{Victim: victim.playerToken, Shot: w.rounds, Cause: protocol.Cause(w.shown),
			BodyPart: protocol.PartTorso, Pellets: max(1, f.Pellets/2)})
	}
	if w.ammo[w.shown] == 0 {
		w.apply(nil)
	}
}
