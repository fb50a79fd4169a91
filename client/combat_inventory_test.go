package client

import (
	"testing"

	"darqline/protocol"
)

func TestInventory(t *testing.T) {
	var v Inventory
	give := func(w protocol.Weapon, ammo uint32) {
		f, _ := w.Figures()
		v.give(w, ammo, f.Clip)
	}
	expect := func(what string, w protocol.Weapon, ammo uint32, clip uint16) {
		t.Helper()
		h := v.find(w)
		if h == nil || h.Ammo != ammo || h.Clip != clip {
			t.Errorf("%s: %+v, expected %d with %d in the magazine", what, h, ammo, clip)
		}
	}
	give(31, 70)
	expect("an m4", 31, 70, 50)
	give(31, 30)
	expect("more of it", 31, 100, 50)
	give(31, protocol.MaxAmmo)
	expect("too much", 31, protocol.MaxAmmo, 50)
	give(30, 20)
	expect("another of the slot", 30, 20, 20)
	if v.find(31) != nil || v.Ammo(31) != 0 {
		t.Error("two in one slot")
	}
	give(4, 1)
	give(4, 1)
	expect("a knife counts as 1", 4, 1, 0)
	h := v.find(30)
	h.use(15, 30)
	expect("fired", 30, 5, 5)
	give(30, 40)
	h.use(5, 30)
	expect("an empty magazine", 30, 40, 0)
	h.use(1, 30)
	expect("is changed at the next shot", 30, 39, 29)
	h.use(100, 30)
	expect("no more than there is", 30, 0, 0)
	if !v.take(30) || v.take(30) || v.take(200) {
		t.Error("take")
	}
}

func TestShotLog(t *testing.T) {
	var l shotLog
	l.seq = 0xFFFFFFF0 // it wraps
	first := l.fire(31, 1)
	l.fire(31, 5)
	l.fire(22, 3)
	last := l.fire(31, 2)
	for _, test := range []struct {
		w     protocol.Weapon
		shot  uint32
		after uint32
	}{
		{31, first - 1, 8}, {31, first, 7}, {31, first + 3, 4}, {31, first + 5, 2}, {31, last, 0}, {31, last + 9, 0}, {22, first, 3}, {22, last - 2, 0}, {24, first, 0},
	} {
		if got := l.after(test.w, test.shot); got != test.after {
			t.Errorf("weapon %d after shot %d: %d rounds, expected %d", test.w, test.shot, got, test.after)
		}
	}
	for range 3 * keptShots {
		last = l.fire(31, 1)
	}
	if got := l.after(31, last-keptShots-500); got != keptShots {
		t.Errorf("%d rounds are known of", got)
	}
}
