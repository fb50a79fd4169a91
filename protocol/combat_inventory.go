package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// MaxAmmo is the most ammunition that a weapon has in all.
const MaxAmmo = 99999

// ClipLeave is the SetWeaponAmmo.Clip that leaves the magazine as it is.
const ClipLeave = 0xFFFF

// GiveWeapon adds a weapon, or ammunition to one.
type GiveWeapon struct {
	Weapon Weapon
	Ammo   uint32 // rounds added, 1..MaxAmmo; 1 of melee and gear
	Arm    bool   // take it in hand
}

func (*GiveWeapon) ID() ID { return IDGiveWeapon }

func (p *GiveWeapon) Wire(c *wire.Codec) {
	wire.OneOf(c, &p.Weapon, weapons)
	wire.Range(c, &p.Ammo, 1, MaxAmmo)
	c.Bool(&p.Arm)
}

func (p *GiveWeapon) Check() error {
	if _, ok := p.Weapon.Figures(); ok && p.Ammo > 1 && !p.Weapon.counted() {
		return fmt.Errorf("ammo is %d, weapon %d (%v) counts as 1", p.Ammo, p.Weapon, p.Weapon)
	}
	return nil
}

// TakeWeapon removes a weapon with its ammunition.
type TakeWeapon struct {
	Weapon Weapon // not WeaponFist
}

func (*TakeWeapon) ID() ID { return IDTakeWeapon }

func (p *TakeWeapon) Wire(c *wire.Codec) { wire.OneOf(c, &p.Weapon, weaponsButFist) }

// SetWeaponAmmo sets a weapon's ammunition.
type SetWeaponAmmo struct {
	Weapon Weapon // not melee, not gear
	Ammo   uint32 // total, 0..MaxAmmo
	Clip   uint16 // rounds in the magazine, up to Ammo, or ClipLeave
	Shot   uint32 // newest WeaponShot seq that the server has debited
}

func (*SetWeaponAmmo) ID() ID { return IDSetWeaponAmmo }

func (p *SetWeaponAmmo) Wire(c *wire.Codec) {
	wire.OneOf(c, &p.Weapon, countedWeapons)
	wire.Range(c, &p.Ammo, 0, MaxAmmo)
	c.U16(&p.Clip)
	c.U32(&p.Shot)
}

func (p *SetWeaponAmmo) Check() error {
	if p.Clip != ClipLeave && uint32(p.Clip) > p.Ammo {
		return fmt.Errorf("clip is %d, ammo only %d", p.Clip, p.Ammo)
	}
	return nil
}

// ClearWeapons empties the recipient's inventory.
type ClearWeapons struct{}

func (*ClearWeapons) ID() ID { return IDClearWeapons }

func (*ClearWeapons) Wire(*wire.Codec) {}

// SetArmedWeapon takes a weapon in hand.
type SetArmedWeapon struct{ Weapon Weapon }

func (*SetArmedWeapon) ID() ID { return IDSetArmedWeapon }

func (p *SetArmedWeapon) Wire(c *wire.Codec) { wire.OneOf(c, &p.Weapon, weapons) }
