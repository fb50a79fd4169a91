package world

import (
	"math/rand/v2"
	"testing"

	"darqline/protocol"
)

func TestVitals(t *testing.T) {
	d := newDuel(t)
	b := d.b
	do := func(what string, f func(tx Tx) error, state, told string) {
		t.Helper()
		v := b.p.vitals
		d.must(f)
		d.want(what+": state", b.state(), state)
		d.want(what+": told", unrevised(b.got(), v), told)
	}
	do("set", func(tx Tx) error { return tx.SetHealth(b.p, 40) }, "40+0", "health 40 v1")
	do("the same", func(tx Tx) error { return tx.SetHealth(b.p, 40) }, "40+0", "")
	do("armor", func(tx Tx) error { return tx.SetArmor(b.p, 30) }, "40+30", "armor 30 v1")
	do("no armor", func(tx Tx) error { return tx.SetArmor(b.p, 0) }, "40+0", "armor 0 v1")
	do("give", func(tx Tx) error {
		added, err := tx.GiveHealth(b.p, 25)
		if added != 25 {
			t.Errorf("added %g", added)
		}
		return err
	}, "65+0", "give health 25 to 65 v1")
	do("give more", func(tx Tx) error {
		added, err := tx.GiveHealth(b.p, 50)
		if added != 35 {
			t.Errorf("added %g", added)
		}
		return err
	}, "100+0", "give health 35 to 100 v1")
	do("give to one who has all", func(tx Tx) error {
		added, err := tx.GiveHealth(b.p, 50)
		if added != 0 {
			t.Errorf("added %g", added)
		}
		return err
	}, "100+0", "")
	do("give armor", func(tx Tx) error { _, err := tx.GiveArmor(b.p, 100); return err }, "100+100", "give armor 100 to 100 v1")
	do("script's damage", func(tx Tx) error { return tx.Damage(b.p, Blow{Amount: 130, Cause: protocol.CauseScript, BodyPart: 3}) },
		"70+0", "armor 0 v1, health 70 v2")
	do("past armor", func(tx Tx) error {
		tx.SetArmor(b.p, 50)
		b.link.sent = nil
		b.p.vitals--
		return tx.Damage(b.p, Blow{Amount: 10, Cause: 30, BodyPart: 9, Attacker: d.a.p, IgnoreArmor: true})
	}, "60+50", "health 60 v1 ak47 by 100")
	do("0 kills", func(tx Tx) error { return tx.SetHealth(b.p, 0) }, "0+50", "wasted 101 by 0 script 0")
	d.do(func(tx Tx) {
		_, err := tx.GiveHealth(b.p, 1)
		for what, err := range map[string]error{"dead": tx.SetHealth(b.p, 50), "dead give": err, "over": tx.SetHealth(d.a.p, 101),
			"under": tx.SetArmor(d.a.p, -1), "no damage": tx.Damage(d.a.p, Blow{}), "dead damage": tx.Damage(b.p, Blow{Amount: 1})} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}

// TestLastDamage is kept until the next life.
func TestLastDamage(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 10)
	d.fire(ak, nil)
	d.hears["player_damaged"] = true
	d.events = nil
	d.hit(ak, func(m *protocol.DamageReport) { m.BodyPart = protocol.PartHead })
	d.do(func(tx Tx) {
		got, ok := tx.LastDamage(d.b.p)
		if !ok || got.Attacker != d.a.p || got.Amount != 9.9 || got.HealthLost != 9.9 || got.At != d.rig.now || got.Distance != 10 {
			t.Errorf("%+v, %v", got, ok)
		}
		if w, ok := got.Weapon(); !ok || w != ak || got.Class() != protocol.ClassBullet {
			t.Errorf("weapon %v, %v, class %v", w, ok, got.Class())
		}
	})
	if e := eventsOf[PlayerDamaged](d.rig); len(e) != 1 || e[0].Damage.BodyPart != protocol.PartHead {
		t.Errorf("events %+v", e)
	}
	d.must(func(tx Tx) error { return tx.Spawn(d.b.p, tx.SpawnDefaults(d.b.p), "") })
	d.do(func(tx Tx) {
		if got, ok := tx.LastDamage(d.b.p); ok {
			t.Errorf("after the spawn: %+v", got)
		}
	})
}

// TestEventsOfADeath come in order: damaged, then death.
func TestEventsOfADeath(t *testing.T) {
	d := newDuel(t)
	d.hears["player_damaged"] = true
	d.events = nil
	d.suffer(protocol.CauseFall, 100, nil)
	d.rig.want("events", d.took(), "player_damaged, player_death")
}

// TestVitalsAgree has a client that loses by the world, scripts that set, and hits by others, while packets are on their
// way: when all has arrived, both sides have the same, and nothing was lost or counted twice.
func TestVitalsAgree(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		d := newDuel(t)
		d.hears["player_damage"] = seed%2 == 1
		c := mirror{d: d, health: 100, vitals: d.b.p.vitals}
		want := float32(100)
		for range 200 {
			switch r.IntN(6) {
			case 0:
				loss := float32(1+r.IntN(3)) / 4
				c.falls(loss)
				want -= loss
			case 1:
				loss := float32(1+r.IntN(3)) / 4
				d.must(func(tx Tx) error {
					return tx.Damage(d.b.p, Blow{Amount: loss, Cause: protocol.CauseScript, BodyPart: 3})
				})
				want -= loss
			case 2:
				d.must(func(tx Tx) error {
					added, err := tx.GiveHealth(d.b.p, 1)
					want += added
					return err
				})
			case 3:
				d.applyAll()
			case 4:
				c.hears(r.IntN(3))
			case 5:
				c.says(r.IntN(3))
			}
		}
		for range 5 {
			c.says(1000)
			d.applyAll()
			c.hears(1000)
		}
		if c.health != d.b.p.health || c.vitals != d.b.p.vitals || c.armor != d.b.p.armor {
			t.Fatalf("seed %d: the client has %g v%d, the server %g v%d", seed, c.health, c.vitals, d.b.p.health, d.b.p.vitals)
		}
		if d.b.p.health != want {
			t.Fatalf("seed %d: %g is left instead of %g", seed, d.b.p.health, want)
		}
	}
}

// mirror is b's client: what it has, and what is on its way from it.
type mirror struct {
	d             *duel
	health, armor float32
	vitals        uint16
	way           []*protocol.DamageReport
}

func (c *mirror) falls(loss float32) {
	c.health -= loss
	c.way = append(c.way, &protocol.DamageReport{Victim: c.d.b.p.Token, Cause: protocol.CauseFall, BodyPart: 3, Amount: loss, Vitals: c.vitals})
}

// says lets n reports arrive.
func (c *mirror) says(n int) {
	for range min(n, len(c.way)) {
		m := c.way[0]
		c.way = c.way[1:]
		c.d.b.p.quota.damage = limitless
		c.d.do(func(tx Tx) { tx.Receive(c.d.b.p, m) })
	}
}

// hears takes n packets from the server.
func (c *mirror) hears(n int) {
	sent := &c.d.b.link.sent
	for range min(n, len(*sent)) {
		switch m := (*sent)[0].(type) {
		case *protocol.SetHealth:
			c.health, c.vitals = m.Health, m.Vitals
		case *protocol.SetArmor:
			c.armor, c.vitals = m.Armor, m.Vitals
		case *protocol.GiveHealth:
			c.health, c.vitals = m.Health, m.Vitals
		}
		*sent = (*sent)[1:]
	}
}
