package world

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"darqline/protocol"
)

func (a *actor) weapons() string {
	var list string
	a.s.do(func(tx Tx) {
		for _, h := range tx.Weapons(a.p) {
			list += fmt.Sprintf("%d:%v %d ", h.Slot, h.Weapon, h.Ammo)
		}
	})
	return list
}

func TestInventory(t *testing.T) {
	d := newDuel(t)
	a := d.a
	give := func(w protocol.Weapon, ammo int) {
		d.must(func(tx Tx) error { return tx.GiveWeapon(a.p, w, ammo, false) })
	}
	give(colt, 17)
	give(colt, 17)
	give(protocol.WeaponKnife, 5)
	d.want("colt and knife", a.weapons(), "1:knife 1 2:colt_45 34 ")
	d.want("told", a.got(), "give colt_45 17, give colt_45 17, give knife 1")
	give(eagle, 7)
	d.want("the eagle replaces the colt", a.weapons(), "1:knife 1 2:desert_eagle 7 ")
	give(eagle, protocol.MaxAmmo)
	d.want("stops at the most", a.weapons(), "1:knife 1 2:desert_eagle 99999 ")
	d.must(func(tx Tx) error { return tx.SetAmmo(a.p, eagle, 0, protocol.ClipLeave) })
	d.want("an empty weapon is kept", a.weapons(), "1:knife 1 2:desert_eagle 0 ")
	d.do(func(tx Tx) {
		had, err := tx.TakeWeapon(a.p, eagle)
		again, _ := tx.TakeWeapon(a.p, eagle)
		fist, _ := tx.TakeWeapon(a.p, protocol.WeaponFist)
		if !had || err != nil || again || fist {
			t.Errorf("took %v, %v; again %v; fist %v", had, err, again, fist)
		}
		if !tx.HasWeapon(a.p, protocol.WeaponFist) || tx.HasWeapon(a.p, eagle) || tx.AmmoOf(a.p, eagle) != 0 {
			t.Error("has what was taken, or no fists")
		}
	})
	d.must(func(tx Tx) error { return tx.ClearWeapons(a.p) })
	d.want("cleared", a.weapons(), "")
}

func TestInventoryErrors(t *testing.T) {
	d := newDuel(t)
	fresh := d.actor("new")
	d.must(func(tx Tx) error { return tx.GiveWeapon(d.a.p, colt, 20, false) })
	d.do(func(tx Tx) {
		for name, err := range map[string]error{
			"before the spawn":     tx.GiveWeapon(fresh.p, colt, 1, false),
			"no rounds":            tx.GiveWeapon(d.a.p, colt, 0, false),
			"too many rounds":      tx.GiveWeapon(d.a.p, colt, protocol.MaxAmmo+1, false),
			"no weapon":            tx.GiveWeapon(d.a.p, 20, 1, false),
			"ammo of none":         tx.SetAmmo(d.a.p, eagle, 1, protocol.ClipLeave),
			"too much ammo":        tx.SetAmmo(d.a.p, colt, protocol.MaxAmmo+1, protocol.ClipLeave),
			"a clip above ammo":    tx.SetAmmo(d.a.p, colt, 5, 6),
			"arming what he lacks": tx.ArmWeapon(d.a.p, eagle),
		} {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if !errors.Is(tx.ArmWeapon(d.a.p, eagle), ErrNoWeapon) {
			t.Error("not ErrNoWeapon")
		}
	})
	d.want("nothing has changed", d.a.weapons(), "2:colt_45 20 ")
}

func TestDetonatorComesWithSatchels(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, protocol.WeaponSatchel, 2)
	d.want("held", d.a.weapons(), "8:satchel_charge 2 12:detonator 1 ")
	d.throw(protocol.WeaponSatchel, nil)
	d.must(func(tx Tx) error { return tx.ClearWeapons(d.a.p) })
	d.want("placed", d.a.weapons(), "12:detonator 1 ")
	d.do(func(tx Tx) { tx.DestroySatchels(d.a.p) })
	d.want("gone", d.a.weapons(), "")
}

func TestFramesShowOnlyWhatHeHas(t *testing.T) {
	d := newDuel(t)
	d.hears["player_weapon_change"] = true
	d.hold(d.a, colt)
	if d.a.p.body.Weapon != 0 || d.a.fails(ViolationWeapon) != 1 {
		t.Errorf("%v in hand, failed %s", d.a.p.body.Weapon, d.a.allFails())
	}
	d.must(func(tx Tx) error { return tx.GiveWeapon(d.a.p, colt, 17, true) })
	d.events = nil
	d.hold(d.a, colt)
	d.hold(d.a, colt)
	if e := eventsOf[PlayerWeaponChange](d.rig); len(e) != 1 || e[0].Old != 0 || e[0].New != colt {
		t.Errorf("events %+v", e)
	}
	d.do(func(tx Tx) { tx.TakeWeapon(d.a.p, colt) })
	if d.a.p.body.Weapon != 0 {
		t.Errorf("%v is still in hand", d.a.p.body.Weapon)
	}
	d.hold(d.a, colt) // on its way when it was taken
	if d.a.p.body.Weapon != 0 || d.a.fails(ViolationWeapon) != 1 {
		t.Errorf("%v in hand, failed %s", d.a.p.body.Weapon, d.a.allFails())
	}
	d.rig.now += 3 * time.Second
	d.hold(d.a, colt)
	if d.a.fails(ViolationWeapon) != 2 {
		t.Errorf("failed %s", d.a.allFails())
	}
}

func TestTheDeadCanBeDisarmed(t *testing.T) {
	d := newDuel(t)
	fresh := d.actor("new")
	d.must(func(tx Tx) error { return tx.ClearWeapons(fresh.p) })
	d.want("nothing to take before the spawn", fresh.got(), "")
	d.arm(d.a, colt, 17)
	d.must(func(tx Tx) error { return tx.Kill(d.a.p, nil, protocol.CauseScript) })
	d.a.hush()
	d.must(func(tx Tx) error { return tx.ClearWeapons(d.a.p) })
	d.want("told", d.a.got(), "ClearWeapons")
	d.want("has", d.a.weapons(), "")
}

func TestRespawnEmptiesTheInventory(t *testing.T) {
	for _, keep := range []bool{false, true} {
		d := newDuel(t)
		d.arm(d.a, colt, 17)
		d.must(func(tx Tx) error { return tx.Kill(d.a.p, nil, protocol.CauseScript) })
		if d.a.weapons() == "" {
			t.Error("weapons went with the death")
		}
		d.must(func(tx Tx) error { return tx.SetAmmo(d.a.p, colt, 9, protocol.ClipLeave) })
		d.must(func(tx Tx) error {
			s := tx.SpawnDefaults(d.a.p)
			s.KeepWeapons = keep
			return tx.Spawn(d.a.p, s, "")
		})
		if got := d.a.weapons() != ""; got != keep {
			t.Errorf("keep %v: has %q", keep, d.a.weapons())
		}
	}
}
