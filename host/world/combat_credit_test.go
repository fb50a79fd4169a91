package world

import (
	"testing"
	"time"

	"darqline/protocol"
)

// TestCredit is page Combat, DamageReport, the table of who is credited.
func TestCredit(t *testing.T) {
	ref := func(kind protocol.RefKind, id uint32) func(*duel) protocol.Ref {
		return func(*duel) protocol.Ref { return protocol.Ref{Kind: kind, ID: id} }
	}
	thrown := func(after time.Duration) func(*duel) protocol.Ref {
		return func(d *duel) protocol.Ref {
			d.arm(d.a, grenade, 1)
			d.throw(grenade, nil)
			id := d.projectiles()[0].ProjectileID
			d.rig.now += after
			return protocol.Ref{Kind: protocol.RefProjectile, ID: id}
		}
	}
	burning := func(away float32, dimension uint16) func(*duel) protocol.Ref {
		return func(d *duel) protocol.Ref {
			at := d.b.p.body.Position
			at.Z += away
			var id uint32
			d.must(func(tx Tx) error {
				f, err := tx.CreateFire(NewFire{Position: at, Size: 1.8, Creator: d.a.p, Dimension: dimension}, "r")
				id = f.ID
				return err
			})
			return protocol.Ref{Kind: protocol.RefFire, ID: id}
		}
	}
	flames := func(away float32, then func(d *duel)) func(*duel) protocol.Ref {
		return func(d *duel) protocol.Ref {
			d.arm(d.a, protocol.WeaponFlamethrower, 10)
			d.apart(away)
			if then != nil {
				then(d)
			}
			return protocol.Ref{Kind: protocol.RefPlayer, ID: d.a.p.Token}
		}
	}
	alight := func(d *duel) protocol.Ref {
		d.must(func(tx Tx) error { return tx.SetOnFire(d.b.p, true, d.a.p) })
		return protocol.Ref{}
	}
	gone := func(source func(*duel) protocol.Ref) func(*duel) protocol.Ref {
		return func(d *duel) protocol.Ref {
			r := source(d)
			d.do(func(tx Tx) { tx.Leave(d.a.link, protocol.ReasonQuit, "") })
			return r
		}
	}
	fire, blast, ram := protocol.CauseFire, protocol.CauseExplosion, protocol.CauseRammed
	for name, c := range map[string]struct {
		cause    protocol.Cause
		source   func(d *duel) protocol.Ref
		credited bool
	}{
		"nothing":             {fire, ref(0, 0), false},
		"vehicle":             {ram, ref(protocol.RefVehicle, 7), false},
		"grenade":             {blast, thrown(0), true},
		"grenade, 30 s later": {blast, thrown(30 * time.Second), true},
		"grenade, 31 s later": {blast, thrown(31 * time.Second), false},
		"grenade, far": {blast, func(d *duel) protocol.Ref {
			r := thrown(0)(d)
			d.apart(151)
			return r
		}, false},
		"grenade of who left": {blast, gone(thrown(0)), false},
		"grenade of elsewhere": {blast, func(d *duel) protocol.Ref {
			r := thrown(0)(d)
			d.must(func(tx Tx) error { return tx.SetDimension(d.b.p, 4) })
			return r
		}, false},
		"unknown projectile":  {blast, ref(protocol.RefProjectile, 4711), false},
		"fire":                {fire, burning(9.9, 0), true},
		"far fire":            {fire, burning(10.1, 0), false},
		"fire elsewhere":      {fire, burning(1, 3), false},
		"fire of who left":    {fire, gone(burning(1, 0)), false},
		"flamethrower":        {fire, flames(14.9, nil), true},
		"far flamethrower":    {fire, flames(15.1, nil), false},
		"put away":            {fire, flames(5, func(d *duel) { d.hold(d.a, 0); d.pass() }), false},
		"flamethrower's fall": {protocol.CauseFall, flames(5, nil), false},
		"set on fire":         {fire, alight, true},
		"set on fire, fall":   {protocol.CauseFall, alight, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			source := c.source(d)
			var who *Player
			d.do(func(tx Tx) { who = tx.credited(d.b.p, source, c.cause) })
			if (who == d.a.p) != c.credited || who != nil && who != d.a.p {
				t.Errorf("credited: %v", who)
			}
			d.b.link.sent = nil
			d.suffer(c.cause, 1, func(m *protocol.DamageReport) { m.Source = source })
			if d.b.p.health != 99 || d.b.p.lastDamage.Attacker != who {
				t.Errorf("b has %s by %v: the loss counts whatever the source is", d.b.state(), d.b.p.lastDamage)
			}
		})
	}
}

// TestOwnThing makes a victim his own attacker.
func TestOwnThing(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, grenade, 1)
	d.throw(grenade, nil)
	id := d.projectiles()[0].ProjectileID
	d.do(func(tx Tx) {
		tx.Receive(d.a.p, &protocol.DamageReport{Victim: d.a.p.Token, Cause: protocol.CauseExplosion, BodyPart: 3, Amount: 1000,
			Vitals: d.a.p.vitals, Source: protocol.Ref{Kind: protocol.RefProjectile, ID: id}})
	})
	d.want("a", d.a.got(), "wasted 100 by 100 explosion 0")
}
