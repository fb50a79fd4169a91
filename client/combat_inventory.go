package client

import "darqline/protocol"

// Slots is how many slots an inventory has; each holds one weapon.
const Slots = 13

// Held is a slot of an inventory.
type Held struct {
	Weapon protocol.Weapon
	Has    bool   // false: the slot is empty
	Ammo   uint32 // in all, the magazine's included; 1 of melee and gear
	Clip   uint16 // rounds in the magazine
}

// Inventory is what a player carries, by slot.
type Inventory [Slots]Held

// Ammo is a weapon's ammunition, 0 if it is not there.
func (v *Inventory) Ammo(w protocol.Weapon) uint32 {
	if h := v.find(w); h != nil {
		return h.Ammo
	}
	return 0
}

// find is the slot that holds a weapon, nil if none does.
func (v *Inventory) find(w protocol.Weapon) *Held {
	f, ok := w.Figures()
	if !ok {
		return nil
	}
	if h := &v[f.Slot]; h.Has && h.Weapon == w {
		return h
	}
	return nil
}

// give adds a weapon, or ammunition to one. clip is how much its magazine holds. It gives the weapon that was replaced.
func (v *Inventory) give(w protocol.Weapon, ammo uint32, clip uint16) (replaced protocol.Weapon, ok bool) {
	f, _ := w.Figures()
	h := &v[f.Slot]
	if h.Has && h.Weapon != w {
		replaced, ok = h.Weapon, true
		*h = Held{}
	}
	most := uint32(protocol.MaxAmmo)
	if !counted(f.Kind) {
		most, clip = 1, 0
	}
	if !h.Has {
		h.Clip = clip
	}
	h.Weapon, h.Has = w, true
	h.Ammo = min(h.Ammo+ammo, most)
	h.Clip = uint16(min(uint32(h.Clip), h.Ammo))
	return replaced, ok
}

// take removes a weapon.
func (v *Inventory) take(w protocol.Weapon) bool {
	h := v.find(w)
	if h == nil {
		return false
	}
	*h = Held{}
	return true
}

// use counts rounds down. An empty magazine is changed for a full one first.
func (h *Held) use(rounds uint32, clip uint16) {
	rounds = min(rounds, h.Ammo)
	if h.Clip == 0 {
		h.Clip = uint16(min(uint32(clip), h.Ammo))
	}
	h.Ammo -= rounds
	h.Clip = uint16(min(uint32(h.Clip)-min(uint32(h.Clip), rounds), h.Ammo))
}

// set takes the server's count, less the rounds that were fired since and that it does not know of.
func (h *Held) set(p *protocol.SetWeaponAmmo, unknown uint32) {
	h.Ammo = p.Ammo - min(unknown, p.Ammo)
	if p.Clip != protocol.ClipLeave {
		h.Clip = p.Clip - uint16(min(unknown, uint32(p.Clip)))
	}
	h.Clip = uint16(min(uint32(h.Clip), h.Ammo))
}

// counted reports whether a weapon's ammunition is a number.
func counted(k protocol.WeaponKind) bool {
	return k != protocol.WeaponMelee && k != protocol.WeaponGear
}

// keptShots is how many shots a shotLog keeps: more than a weapon fires while a connection can be silent.
const keptShots = 1024

// shotLog counts the rounds that were fired on a connection, and with which weapon.
type shotLog struct {
	seq  uint32 // rounds so far
	next int
	kept [keptShots]struct {
		seq    uint32
		rounds uint32 // 0: none
		weapon protocol.Weapon
	}
}

// fire notes rounds and gives the shot's number.
func (l *shotLog) fire(w protocol.Weapon, rounds uint32) uint32 {
	l.seq += rounds
	e := &l.kept[l.next]
	e.seq, e.rounds, e.weapon = l.seq, rounds, w
	l.next = (l.next + 1) % keptShots
	return l.seq
}

// after counts the rounds of a weapon after a shot.
func (l *shotLog) after(w protocol.Weapon, shot uint32) uint32 {
	var n uint32
	for i := range l.kept {
		if e := &l.kept[i]; e.rounds > 0 && e.weapon == w && newer(e.seq, shot) {
			n += min(e.rounds, e.seq-shot)
		}
	}
	return n
}
