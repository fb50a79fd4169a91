package world

import (
	"fmt"
	"time"

	"darqline/protocol"
)

const slotCount = 13

// Figures of weapons in hand.
const (
	handMemory   = 500 * time.Millisecond // in which a weapon counts as in hand
	takenMemory  = 2 * time.Second        // in which frames may still show a weapon that was taken away
	satchelSlot  = 8
	detonateSlot = 12
)

// held is what a slot of the inventory has. The fist is what an empty slot 0 has.
type held struct {
	weapon protocol.Weapon
	has    bool
	empty  bool // the client was told that there is no ammunition
	ammo   uint32
}

// grip is when a weapon was last seen in hand, and when it was taken away; 0 never.
type grip struct{ shown, taken time.Duration }

// HeldWeapon is one weapon of an inventory.
type HeldWeapon struct {
	Weapon protocol.Weapon
	Slot   int
	Ammo   int
}

// slotOf finds a weapon that a player has, or nil. What he has by a satchel, or by having hands, is in no slot.
func (p *Player) slotOf(w protocol.Weapon) *held {
	f, ok := w.Figures()
	if !ok {
		return nil
	}
	if s := &p.slots[f.Slot]; s.has && s.weapon == w {
		return s
	}
	return nil
}

// has says whether a player can take a weapon in hand.
func (p *Player) has(w protocol.Weapon) bool {
	switch {
	case w == protocol.WeaponFist || p.slotOf(w) != nil:
		return true
	case w == protocol.WeaponDetonator:
		return len(p.satchels) > 0 || p.slotOf(protocol.WeaponSatchel) != nil
	}
	return false
}

// inHand says whether the player's newest frame, or one of the last 500 ms, has the weapon.
func (p *Player) inHand(w protocol.Weapon, now time.Duration) bool {
	if int(w) >= len(p.grips) || !p.has(w) {
		return false
	}
	shown := p.grips[w].shown
	return p.hand == w || shown > 0 && now-shown <= handMemory
}

// gunInHand says whether any gun is in hand, for a blow with it.
func (p *Player) gunInHand(now time.Duration) bool {
	for i := 2; i <= 7; i++ {
		if s := &p.slots[i]; s.has && p.inHand(s.weapon, now) {
			return true
		}
	}
	return false
}

// correctWeapon is the weapon that a frame may show: the claimed one where it is in the inventory, else fists and the
// violation "weapon". It remembers what was in hand in the last 500 ms.
func (tx Tx) correctWeapon(p *Player, claimed protocol.Weapon) protocol.Weapon {
	now := tx.now()
	if !p.has(claimed) {
		if taken := p.grips[claimed].taken; taken == 0 || now-taken > takenMemory {
			tx.violated(p, ViolationWeapon, "%v is not in the inventory", claimed)
		}
		claimed = protocol.WeaponFist
	}
	p.grips[claimed].shown = max(now, 1)
	if old := p.hand; old != claimed {
		p.hand = claimed
		p.grips[old].shown = max(now, 1)
		if e := (PlayerWeaponChange{p, old, claimed}); tx.listens(e.LuaName()) {
			tx.post(e)
		}
	}
	return claimed
}

// Weapon is what the player has in hand.
func (tx Tx) Weapon(p *Player) protocol.Weapon { return p.hand }

// Weapons are a copy of the player's inventory, by slot.
func (tx Tx) Weapons(p *Player) []HeldWeapon {
	var list []HeldWeapon
	for i, s := range p.slots {
		switch {
		case s.has:
			list = append(list, HeldWeapon{s.weapon, i, int(s.ammo)})
		case i == detonateSlot && p.has(protocol.WeaponDetonator):
			list = append(list, HeldWeapon{protocol.WeaponDetonator, i, 1})
		}
	}
	return list
}

// HasWeapon says whether the player can take a weapon in hand. Everyone has his fists.
func (tx Tx) HasWeapon(p *Player, w protocol.Weapon) bool { return p.has(w) }

// AmmoOf is the player's ammunition for a weapon in rounds: 0 where he has none of it, 1 for melee and gear.
func (tx Tx) AmmoOf(p *Player, w protocol.Weapon) int {
	switch s := p.slotOf(w); {
	case s != nil:
		return int(s.ammo)
	case p.has(w):
		return 1
	}
	return 0
}

// counted says whether a weapon's ammunition is a number; melee and gear count as 1.
func counted(w protocol.Weapon) bool {
	f, _ := w.Figures()
	return f.Kind != protocol.WeaponMelee && f.Kind != protocol.WeaponGear
}

// GiveWeapon adds a weapon with 1..99,999 rounds to a living player's inventory, in the place of another one of its slot,
// or adds the rounds to those he has; arm takes it in hand. Melee and gear count as 1.
func (tx Tx) GiveWeapon(p *Player, w protocol.Weapon, ammo int, arm bool) error {
	if err := p.alive(); err != nil {
		return err
	}
	if ammo < 1 || ammo > protocol.MaxAmmo {
		return fmt.Errorf("ammo: 1..%d expected, got %d", protocol.MaxAmmo, ammo)
	}
	if !counted(w) {
		ammo = 1
	}
	if err := tx.instruct(p, &protocol.GiveWeapon{Weapon: w, Ammo: uint32(ammo), Arm: arm}); err != nil {
		return err
	}
	f, _ := w.Figures()
	s := &p.slots[f.Slot]
	switch {
	case !s.has || s.weapon != w:
		if s.has {
			p.lost(s.weapon, tx.now())
		}
		*s = held{weapon: w, has: true, ammo: uint32(ammo)}
	case counted(w):
		s.ammo = min(s.ammo+uint32(ammo), protocol.MaxAmmo)
		s.empty = false
	}
	return nil
}

// lost remembers that a weapon was taken from a player, whose frames may show it for a while.
func (p *Player) lost(w protocol.Weapon, now time.Duration) { p.grips[w].taken = max(now, 1) }

// TakeWeapon takes a weapon with its ammunition from a player, dead or alive, and says whether he had it. Fists stay.
func (tx Tx) TakeWeapon(p *Player, w protocol.Weapon) (had bool, err error) {
	s := p.slotOf(w)
	if s == nil || w == protocol.WeaponFist {
		return false, nil
	}
	if err := tx.instruct(p, &protocol.TakeWeapon{Weapon: w}); err != nil {
		return true, err
	}
	*s = held{}
	p.lost(w, tx.now())
	tx.dropped(p)
	return true, nil
}

// ClearWeapons empties a player's inventory, dead or alive.
func (tx Tx) ClearWeapons(p *Player) error {
	if err := tx.instruct(p, &protocol.ClearWeapons{}); err != nil {
		return err
	}
	tx.emptySlots(p)
	return nil
}

// emptySlots takes all weapons away.
func (tx Tx) emptySlots(p *Player) {
	for i := range p.slots {
		if s := &p.slots[i]; s.has {
			p.lost(s.weapon, tx.now())
			*s = held{}
		}
	}
	tx.dropped(p)
}

// dropped is fists instead of a weapon in hand that is not the player's any more.
func (tx Tx) dropped(p *Player) {
	if !p.has(p.hand) {
		p.lost(p.hand, tx.now())
		p.body.Weapon = tx.correctWeapon(p, protocol.WeaponFist)
	}
}

// SetAmmo sets the rounds of a weapon that a player has, dead or alive, 0..99,999 in all, and those in its magazine, or
// protocol.ClipLeave.
func (tx Tx) SetAmmo(p *Player, w protocol.Weapon, ammo, clip int) error {
	s := p.slotOf(w)
	switch {
	case s == nil:
		return ErrNoWeapon
	case ammo < 0 || ammo > protocol.MaxAmmo:
		return fmt.Errorf("ammo: 0..%d expected, got %d", protocol.MaxAmmo, ammo)
	case clip != protocol.ClipLeave && (clip < 0 || clip > ammo || clip > 0xFFFE):
		return fmt.Errorf("clip: 0..%d expected, got %d", min(ammo, 0xFFFE), clip)
	case !counted(w):
		return fmt.Errorf("%v has no ammunition", w)
	}
	m := &protocol.SetWeaponAmmo{Weapon: w, Ammo: uint32(ammo), Clip: uint16(clip), Shot: p.gun.seq}
	if err := tx.instruct(p, m); err != nil {
		return err
	}
	s.ammo, s.empty = uint32(ammo), ammo == 0
	return nil
}

// tellAmmo sends a client the ammunition as the server has it.
func (tx Tx) tellAmmo(p *Player, w protocol.Weapon) {
	if s := p.slotOf(w); s != nil {
		tx.mustInstruct(p, &protocol.SetWeaponAmmo{Weapon: w, Ammo: s.ammo, Clip: protocol.ClipLeave, Shot: p.gun.seq})
	}
}

// debit takes rounds that were fired.
func (tx Tx) debit(p *Player, s *held, rounds uint32) {
	s.ammo -= min(s.ammo, rounds)
	if e := (PlayerAmmoEmpty{p, s.weapon}); s.ammo == 0 && tx.listens(e.LuaName()) {
		tx.post(e)
	}
}

// ArmWeapon takes a weapon of his inventory into a living player's hand.
func (tx Tx) ArmWeapon(p *Player, w protocol.Weapon) error {
	if err := p.alive(); err != nil {
		return err
	}
	if !p.has(w) {
		return ErrNoWeapon
	}
	return tx.instruct(p, &protocol.SetArmedWeapon{Weapon: w})
}
