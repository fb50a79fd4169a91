package world

import (
	"testing"

	"darqline/protocol"
)

func TestSettingsAtTheJoin(t *testing.T) {
	d := newDuel(t)
	damage, reach := float32(50), float32(100)
	d.must(func(tx Tx) error {
		return tx.SetProperties(ak, PropertyChange{Damage: &damage}, "r", protocol.SkillPro)
	})
	d.must(func(tx Tx) error { return tx.SetProperties(rifle, PropertyChange{Range: &reach}, "r") })
	l := d.connect("C")
	d.do(func(tx Tx) { tx.Join(l) })
	d.want("sent", l.said(), "UiTheme, PlatformKeys, DamageMultipliers, DriveByIntervals, WeaponProperties, WeaponProperties")
}

func TestProperties(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 100)
	damage, clip, interval := float32(20), uint16(40), uint16(200)
	d.must(func(tx Tx) error { return tx.SetProperties(ak, PropertyChange{Damage: &damage, Clip: &clip}, "r") })
	d.want("told", d.b.link.drain(), "WeaponProperties, WeaponProperties, WeaponProperties")
	d.must(func(tx Tx) error {
		return tx.SetProperties(ak, PropertyChange{Damage: &damage, Interval: &interval}, "s", protocol.SkillPro)
	})
	d.want("told what has changed", d.b.link.drain(), "WeaponProperties")
	d.fire(ak, nil)
	d.hit(ak, nil)
	d.want("the server uses them", d.b.state(), "80+0")
	d.wait(450 * ms)
	d.fire(ak, func(m *protocol.WeaponShot) { m.Seq += 7 }) // 8 rounds in 490 ms: not of one each 180 ms
	if d.a.fails(ViolationRate) != 1 {
		t.Errorf("failed %s", d.a.allFails())
	}
	d.shot -= 7
	reach := float32(20)
	d.must(func(tx Tx) error { return tx.SetProperties(ak, PropertyChange{Range: &reach}, "s", protocol.SkillPro) })
	d.shots = nil
	d.fire(ak, func(m *protocol.WeaponShot) { m.End.Y += 18 })
	if len(d.shots) != 0 {
		t.Error("farther than the range")
	}
	if n := len(d.w.combat.figures.properties[tuning{ak, protocol.SkillPro}].damage.changes); n != 2 {
		t.Errorf("%d changes of one figure are kept", n)
	}
	d.must(func(tx Tx) error {
		return tx.SetProperties(ak, PropertyChange{Damage: &damage}, "s", protocol.SkillPro)
	})
	if n := len(d.w.combat.figures.properties[tuning{ak, protocol.SkillPro}].damage.changes); n != 2 {
		t.Errorf("%d changes of one figure are kept", n)
	}
	d.b.link.drain()
	d.do(func(tx Tx) { tx.ResourceEnded("s") })
	d.do(func(tx Tx) {
		m, _ := tx.Properties(ak, protocol.SkillPro)
		if m.Damage != 20 || m.Clip != 40 || m.Interval != 90 {
			t.Errorf("after the end of one: %+v", m)
		}
		tx.ResourceEnded("r")
		if m, _ = tx.Properties(ak, protocol.SkillPro); m != defaultProperties(tuning{ak, protocol.SkillPro}) {
			t.Errorf("after the end of both: %+v", m)
		}
	})
	d.want("told the last state", d.b.link.drain(), "WeaponProperties, WeaponProperties, WeaponProperties")
	d.must(func(tx Tx) error { return tx.SetProperties(ak, PropertyChange{Damage: &damage}, "r") })
	d.must(func(tx Tx) error { return tx.ResetProperties() })
	d.do(func(tx Tx) {
		if m, _ := tx.Properties(ak, protocol.SkillPoor); m.Damage != 9.9 {
			t.Errorf("after the reset: %+v", m)
		}
	})
}

// TestDefaultProperties can all be sent.
func TestDefaultProperties(t *testing.T) {
	n := 0
	for w := range protocol.WeaponLast + 1 {
		for _, skill := range SkillLevels(w) {
			n++
			m := defaultProperties(tuning{w, skill})
			if err := check(&m); err != nil || m.Flags == 0 || m.Accuracy == 0 || m.MoveSpeed == 0 {
				t.Errorf("%v %v: %+v: %v", w, skill, m, err)
			}
		}
	}
	if n != 11*3+4 {
		t.Errorf("%d tunings", n)
	}
}

func TestSkillLevel(t *testing.T) {
	d := newDuel(t)
	d.do(func(tx Tx) {
		for _, c := range []struct {
			weapon protocol.Weapon
			index  int
			skill  uint16
			level  protocol.SkillLevel
		}{{ak, 8, 1000, 2}, {ak, 8, 999, 2}, {ak, 8, 998, 1}, {ak, 8, 200, 1}, {ak, 8, 199, 0}, {colt, 0, 40, 1}, {colt, 0, 39, 0},
			{32, 6, 49, 0}, {rifle, 10, 0, 1}, {grenade, 0, 0, 1}} {
			d.a.p.look.skills[c.index] = c.skill
			if got := tx.skillLevel(d.a.p, c.weapon); got != c.level {
				t.Errorf("%v at %d is %v", c.weapon, c.skill, got)
			}
		}
	})
}

func TestMultipliersGoBack(t *testing.T) {
	d := newDuel(t)
	b := d.b
	sent := func() (m protocol.DamageMultipliers) {
		if p := lastOf[*protocol.DamageMultipliers](b.link); p != nil {
			m = *p
		}
		b.link.sent = nil
		return m
	}
	d.must(func(tx Tx) error { return tx.SetMultipliers(bullets(20), "r") })
	if m := sent(); m.Classes[protocol.ClassBullet] != 20 || m.Classes[0] != 1 || m.Parts[6] != 1 {
		t.Errorf("told %+v", m)
	}
	d.must(func(tx Tx) error { return tx.SetPlayerMultipliers(b.p, bullets(20), "s") })
	if m := sent(); m.Classes[protocol.ClassBullet] != 100 {
		t.Errorf("the product stops at 100: %+v", m)
	}
	d.do(func(tx Tx) { tx.SetInvulnerable(b.p, true) })
	if m := sent(); m.Classes != [8]float32{} || m.Parts[0] != 1 {
		t.Errorf("invulnerable: %+v", m)
	}
	d.do(func(tx Tx) { tx.SetInvulnerable(b.p, false); tx.ResourceEnded("r") })
	if m := sent(); m.Classes[protocol.ClassBullet] != 20 {
		t.Errorf("the player's own: %+v", m)
	}
	d.do(func(tx Tx) { tx.ResourceEnded("s") })
	if m := sent(); m.Classes[protocol.ClassBullet] != 1 {
		t.Errorf("back: %+v", m)
	}
	d.must(func(tx Tx) error { return tx.SetMultipliers(bullets(1), "r") })
	d.want("told nothing that is not new", b.got(), "")
	d.do(func(tx Tx) {
		if tx.SetMultipliers(bullets(101), "r") == nil || tx.SetMultipliers(bullets(-1), "r") == nil ||
			tx.SetMultipliers(Multipliers{Classes: map[protocol.DamageClass]float32{protocol.ClassNone: 1}}, "r") == nil ||
			tx.SetMultipliers(Multipliers{Parts: map[protocol.BodyPart]float32{2: 1}}, "r") == nil {
			t.Error("no error")
		}
	})
}

func TestDriveBy(t *testing.T) {
	d := newDuel(t)
	d.must(func(tx Tx) error {
		return tx.SetDriveBy(DriveByChange{Driver: map[protocol.Weapon]uint16{28: 100}, Passenger: map[protocol.Weapon]uint16{ak: 0}}, "r")
	})
	d.want("told", d.b.link.drain(), "DriveByIntervals")
	d.do(func(tx Tx) {
		m := tx.DriveBy()
		if m.Driver[6] != 100 || m.Passenger[8] != 0 || m.Passenger[9] != 90 {
			t.Errorf("%+v", m)
		}
		tx.ResourceEnded("r")
		if m = tx.DriveBy(); m != *protocol.DefaultDriveBy() {
			t.Errorf("back: %+v", m)
		}
		if tx.SetDriveBy(DriveByChange{Driver: map[protocol.Weapon]uint16{28: 9}}, "r") == nil ||
			tx.SetDriveBy(DriveByChange{Driver: map[protocol.Weapon]uint16{rocket: 90}}, "r") == nil {
			t.Error("no error")
		}
	})
	d.want("told again", d.b.link.drain(), "DriveByIntervals")
}
