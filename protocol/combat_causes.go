package protocol

import "darqline/protocol/wire"

// A Cause is what did damage (page Combat, Damage model): the id of a weapon,
// or one of those below.
type Cause uint8

const (
	CauseTearGas    Cause = 17
	CauseFire       Cause = 37 // flamethrower, molotov, burning
	CausePistolWhip Cause = 48 // a blow with a gun in hand
	CauseRammed     Cause = 49 // hit by a vehicle
	CauseRunOver    Cause = 50 // under its wheels or rotor blades
	CauseExplosion  Cause = 51
	CauseVehicleGun Cause = 52
	CauseDrowning   Cause = 53
	CauseFall       Cause = 54
	CauseScript     Cause = 255 // the server alone; in DeathReport, unknown
)

// A DamageClass is a class of causes, and its place in
// DamageMultipliers.Classes.
type DamageClass uint8

const (
	ClassMelee DamageClass = iota
	ClassBullet
	ClassExplosion
	ClassFire
	ClassGas
	ClassVehicle
	ClassFall
	ClassDrowning
	ClassNone // of CauseScript, which nothing multiplies
)

var damageClasses = []string{"melee", "bullet", "explosion", "fire", "gas", "vehicle", "fall", "drowning", "none"}

func (c DamageClass) String() string { return named(damageClasses, c, "DamageClass") }

// A Reporter is who tells the server of damage.
type Reporter uint8

const (
	ByServer   Reporter = iota // nobody: the server does it
	ByAttacker                 // only its own view shows what it aimed at
	ByVictim                   // the world's damage
)

// CauseFigures say how damage of a cause is handled.
type CauseFigures struct {
	Name  string // as Lua sees it
	Class DamageClass
	By    Reporter
	Claim float32 // the most that a report may claim, in points; 0: the amount is the server's
	Armor bool    // absorbs it
}

var causeFigures = func() (all [256]CauseFigures) {
	for w := range WeaponLast + 1 {
		f, _ := w.Figures()
		switch {
		case f.Kind == WeaponBullet:
			all[w] = CauseFigures{f.Name, ClassBullet, ByAttacker, 0, true}
		case f.Name != "" && f.Hit > 0:
			all[w] = CauseFigures{f.Name, ClassMelee, ByAttacker, f.Hit, true}
		}
	}
	all[CauseTearGas] = CauseFigures{"tear_gas", ClassGas, ByVictim, 20, false}
	all[CauseFire] = CauseFigures{"fire", ClassFire, ByVictim, 50, true}
	all[CausePistolWhip] = CauseFigures{"pistol_whip", ClassMelee, ByAttacker, 30, true}
	all[CauseRammed] = CauseFigures{"rammed", ClassVehicle, ByVictim, 1000, true}
	all[CauseRunOver] = CauseFigures{"run_over", ClassVehicle, ByVictim, 1000, true}
	all[CauseExplosion] = CauseFigures{"explosion", ClassExplosion, ByVictim, 1000, true}
	all[CauseVehicleGun] = CauseFigures{"vehicle_gun", ClassBullet, ByAttacker, 0, true}
	all[CauseDrowning] = CauseFigures{"drowning", ClassDrowning, ByVictim, 100, false}
	all[CauseFall] = CauseFigures{"fall", ClassFall, ByVictim, 1000, false}
	all[CauseScript] = CauseFigures{"script", ClassNone, ByServer, 0, false}
	return all
}()

// Figures say how the cause is handled; false for what is no cause.
func (c Cause) Figures() (CauseFigures, bool) {
	f := causeFigures[c]
	return f, f.Name != ""
}

// String is the cause's name, as Lua sees it.
func (c Cause) String() string {
	if f, ok := c.Figures(); ok {
		return f.Name
	}
	return unnamed(c, "Cause")
}

func causesThat(rule func(CauseFigures) bool) *wire.Set {
	set := new(wire.Set)
	for c := range uint16(len(causeFigures)) {
		if f, ok := Cause(c).Figures(); ok && rule(f) {
			set.With(c, c)
		}
	}
	return set
}

// The causes that packets may name.
var (
	causes         = causesThat(func(CauseFigures) bool { return true })
	reportedCauses = causesThat(func(f CauseFigures) bool { return f.By != ByServer })
	victimCauses   = causesThat(func(f CauseFigures) bool { return f.By == ByVictim })
	deathCauses    = causesThat(func(f CauseFigures) bool { return f.By != ByAttacker })
)

// A BodyPart is where a hit went; what the attacker does not report has
// PartTorso.
type BodyPart uint8

const (
	PartTorso BodyPart = iota + 3
	PartGroin
	PartLeftArm
	PartRightArm
	PartLeftLeg
	PartRightLeg
	PartHead
)

var bodyParts = []string{PartTorso: "torso", PartGroin: "groin", PartLeftArm: "left_arm", PartRightArm: "right_arm", PartLeftLeg: "left_leg", PartRightLeg: "right_leg", PartHead: "head"}

func (p BodyPart) String() string { return named(bodyParts, p, "BodyPart") }

func (p *BodyPart) wire(c *wire.Codec) { wire.Range(c, p, PartTorso, PartHead) }
