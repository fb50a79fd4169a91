package bots

import (
	"testing"

	"darqline/protocol"
)

func TestInventory(t *testing.T) {
	const colt, silenced, m4, knife = 22, 23, 31, protocol.WeaponKnife
	var w weapons
	expect := func(what string, armed protocol.Weapon, ammo uint32) {
		t.Helper()
		if w.armed != armed || w.ammo[armed] != ammo {
			t.Errorf("%s: %v with %d rounds, want %v with %d", what, w.armed, w.ammo[w.armed], armed, ammo)
		}
	}
	w.apply(&protocol.GiveWeapon{Weapon: knife, Ammo: 1, Arm: true})
	expect("a knife is no gun", protocol.WeaponFist, 0)
	w.apply(&protocol.GiveWeapon{Weapon: colt, Ammo: 17})
	w.apply(&protocol.GiveWeapon{Weapon: colt, Ammo: 17})
	expect("ammunition adds up", colt, 34)
	w.apply(&protocol.GiveWeapon{Weapon: m4, Ammo: 50})
	expect("the gun in hand stays", colt, 34)
	w.apply(&protocol.GiveWeapon{Weapon: silenced, Ammo: 17})
	if w.ammo[colt] != 0 {
		t.Error("two weapons in one slot")
	}
	w.apply(&protocol.SetArmedWeapon{Weapon: m4})
	expect("told to", m4, 50)
	w.apply(&protocol.SetArmedWeapon{Weapon: colt})
	expect("not there", m4, 50)
	w.rounds = 12
	w.apply(&protocol.SetWeaponAmmo{Weapon: m4, Ammo: 40, Shot: 10})
	expect("two rounds are under way", m4, 38)
	w.apply(&protocol.TakeWeapon{Weapon: m4})
	expect("the other gun", silenced, 17)
	w.apply(&protocol.ClearWeapons{})
	expect("nothing left", protocol.WeaponFist, 0)
}
