package protocol

import "darqline/protocol/wire"

// A Weapon is a weapon's id (page Combat, Weapons): 0..18 and 22..46.
type Weapon uint8

// The weapons that rules name.
const (
	WeaponFist         Weapon = 0
	WeaponKnife        Weapon = 4
	WeaponHeatSeeker   Weapon = 36
	WeaponFlamethrower Weapon = 37
	WeaponSatchel      Weapon = 39
	WeaponDetonator    Weapon = 40
	WeaponLast         Weapon = 46
)

// A WeaponKind says how a weapon works.
type WeaponKind uint8

const (
	WeaponMelee  WeaponKind = iota // hits are reported by the attacker
	WeaponBullet                   // WeaponShot, and DamageReport by the attacker
	WeaponThrown                   // ProjectileCreate
	WeaponRocket                   // ProjectileCreate
	WeaponSpray                    // WeaponShot, for the ammunition only
	WeaponGear                     // neither hits nor shoots
)

var weaponKinds = []string{"melee", "bullet", "thrown", "rocket", "spray", "gear"}

func (k WeaponKind) String() string { return named(weaponKinds, k, "WeaponKind") }

// WeaponFigures are a weapon's default figures.
type WeaponFigures struct {
	Name     string // as Lua sees it; "" for 19, 20 and 21, which are no weapons
	Slot     uint8  // 0..12; a slot holds one weapon
	Kind     WeaponKind
	Clip     uint16  // rounds in a magazine, 0 none
	Range    float32 // m
	Hit      float32 // health points of one hit or pellet; of melee, the most that a report may claim
	Pellets  uint8   // of one shot, 0 for what has no hits
	Interval uint16  // least ms between two shots or hits
}

var weaponFigures = [WeaponLast + 1]WeaponFigures{
	0:  {"fist", 0, WeaponMelee, 0, 1.6, 30, 1, 250},
	1:  {"brass_knuckles", 0, WeaponMelee, 0, 1.6, 30, 1, 250},
	2:  {"golf_club", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	3:  {"nightstick", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	4:  {"knife", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	5:  {"baseball_bat", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	6:  {"shovel", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	7:  {"pool_cue", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	8:  {"katana", 1, WeaponMelee, 0, 1.6, 30, 1, 250},
	9:  {"chainsaw", 1, WeaponMelee, 0, 1.6, 30, 1, 30},
	10: {"purple_dildo", 10, WeaponMelee, 0, 1.6, 30, 1, 250},
	11: {"dildo", 10, WeaponMelee, 0, 1.6, 30, 1, 250},
	12: {"vibrator", 10, WeaponMelee, 0, 1.6, 30, 1, 250},
	13: {"silver_vibrator", 10, WeaponMelee, 0, 1.6, 30, 1, 250},
	14: {"flowers", 10, WeaponMelee, 0, 1.6, 30, 1, 250},
	15: {"cane", 10, WeaponMelee, 0, 1.6, 30, 1, 250},
	16: {"grenade", 8, WeaponThrown, 1, 40, 0, 0, 300},
	17: {"tear_gas", 8, WeaponThrown, 1, 40, 0, 0, 300},
	18: {"molotov", 8, WeaponThrown, 1, 40, 0, 0, 300},
	22: {"colt_45", 2, WeaponBullet, 17, 35, 8.25, 1, 160},
	23: {"silenced_pistol", 2, WeaponBullet, 17, 35, 13.2, 1, 120},
	24: {"desert_eagle", 2, WeaponBullet, 7, 35, 46.2, 1, 120},
	25: {"shotgun", 3, WeaponBullet, 1, 40, 3.3, 15, 800},
	26: {"sawn_off_shotgun", 3, WeaponBullet, 2, 35, 3.3, 15, 120},
	27: {"combat_shotgun", 3, WeaponBullet, 7, 40, 4.95, 8, 120},
	28: {"micro_uzi", 4, WeaponBullet, 50, 35, 6.6, 1, 50},
	29: {"mp5", 4, WeaponBullet, 30, 45, 8.25, 1, 90},
	30: {"ak47", 5, WeaponBullet, 30, 70, 9.9, 1, 90},
	31: {"m4", 5, WeaponBullet, 50, 90, 9.9, 1, 90},
	32: {"tec9", 4, WeaponBullet, 50, 35, 6.6, 1, 70},
	33: {"country_rifle", 6, WeaponBullet, 1, 100, 24.75, 1, 800},
	34: {"sniper_rifle", 6, WeaponBullet, 1, 300, 41.25, 1, 900},
	35: {"rocket_launcher", 7, WeaponRocket, 1, 55, 0, 0, 800},
	36: {"heat_seeker", 7, WeaponRocket, 1, 55, 0, 0, 800},
	37: {"flamethrower", 7, WeaponSpray, 500, 5.1, 0, 0, 20},
	38: {"minigun", 7, WeaponBullet, 500, 75, 46.2, 1, 20},
	39: {"satchel_charge", 8, WeaponThrown, 1, 40, 0, 0, 300},
	40: {"detonator", 12, WeaponGear, 1, 0, 0, 0, 500},
	41: {"spray_can", 9, WeaponSpray, 500, 6.1, 5, 1, 10},
	42: {"fire_extinguisher", 9, WeaponSpray, 500, 10.1, 5, 1, 10},
	43: {"camera", 9, WeaponSpray, 36, 0, 0, 0, 500},
	44: {"night_vision", 11, WeaponGear, 0, 0, 0, 0, 0},
	45: {"thermal_goggles", 11, WeaponGear, 0, 0, 0, 0, 0},
	46: {"parachute", 11, WeaponGear, 0, 0, 0, 0, 0},
}

// Figures are the weapon's default figures; false for what is no weapon.
func (w Weapon) Figures() (WeaponFigures, bool) {
	if w > WeaponLast || weaponFigures[w].Name == "" {
		return WeaponFigures{}, false
	}
	return weaponFigures[w], true
}

// String is the weapon's name, as Lua sees it.
func (w Weapon) String() string {
	if f, ok := w.Figures(); ok {
		return f.Name
	}
	return unnamed(w, "Weapon")
}

// counted reports whether the weapon's ammunition is a number; melee and gear
// count as 1.
func (w Weapon) counted() bool {
	f, ok := w.Figures()
	return ok && f.Kind != WeaponMelee && f.Kind != WeaponGear
}

// weaponsThat is the set of the weapons for which a rule holds.
func weaponsThat(rule func(Weapon, WeaponFigures) bool) *wire.Set {
	set := new(wire.Set)
	for w := range WeaponLast + 1 {
		if f, ok := w.Figures(); ok && rule(w, f) {
			set.With(uint16(w), uint16(w))
		}
	}
	return set
}

func ofKind(kinds ...WeaponKind) *wire.Set {
	set := wire.SetOf(kinds...)
	return weaponsThat(func(_ Weapon, f WeaponFigures) bool { return set.Has(uint16(f.Kind)) })
}

// The weapons that packets may name.
var (
	weapons           = weaponsThat(func(Weapon, WeaponFigures) bool { return true })
	weaponsButFist    = weaponsThat(func(w Weapon, _ WeaponFigures) bool { return w != WeaponFist })
	countedWeapons    = weaponsThat(func(w Weapon, _ WeaponFigures) bool { return w.counted() })
	bulletWeapons     = ofKind(WeaponBullet)
	shotWeapons       = ofKind(WeaponBullet, WeaponSpray)
	projectileWeapons = ofKind(WeaponThrown, WeaponRocket)
	tunableWeapons    = ofKind(WeaponBullet).With(uint16(WeaponFlamethrower), uint16(WeaponFlamethrower))
)
