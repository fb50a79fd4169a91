package world

import (
	"sync/atomic"
	"time"

	"darqline/protocol"
)

// Damage is one loss of a player. A handler of player_damage may set Amount, 0..1,000.
type Damage struct {
	Attacker   *Player // nil: nobody
	Cause      protocol.Cause
	BodyPart   protocol.BodyPart
	Amount     float32      // points, after multipliers
	Pellets    uint8        // of a bullet weapon
	Source     protocol.Ref // a vehicle, fire or projectile
	Distance   float32      // metres from the attacker or the explosion; 0 where there is neither
	Lethal     bool         // it would have killed when it came; Tx.Lethal says it of now
	HealthLost float32      // of a loss that has happened
	ArmorLost  float32
	At         time.Duration // since the start of the server

	bare bool // armor does not absorb it, whatever its cause
}

// Class is the class of the damage's cause.
func (d *Damage) Class() protocol.DamageClass {
	f, _ := d.Cause.Figures()
	return f.Class
}

// Weapon is the weapon of the damage's cause; false where that is none.
func (d *Damage) Weapon() (protocol.Weapon, bool) { return Death{Cause: d.Cause}.Weapon() }

// PlayerDamage is player_damage: the loss happens unless a handler cancels it.
type PlayerDamage struct {
	Victim *Player
	Damage *Damage

	life     uint32  // of the victim
	reported bool    // by the victim, whose client has taken it already
	vitals   uint16  // that the victim reported
	claimed  float32 // what his client has taken, if it has multiplied as the server did
	lethal   bool    // the victim's client waits for an answer
}

// PlayerDamaged is player_damaged: a loss has happened.
type PlayerDamaged struct {
	Victim *Player
	Damage Damage
}

// PlayerShoot is player_shoot: others are shown the shot unless a handler cancels it.
type PlayerShoot struct {
	Player *Player
	Weapon protocol.Weapon
	Hit    protocol.Ref
	Struck *Player // that Hit names; nil: none
	Origin protocol.Vec3
	Target protocol.Vec3

	seq uint32
}

// ProjectileThrown is projectile_create: others see it unless a handler cancels it.
type ProjectileThrown struct {
	Player *Player
	Projectile
	Target protocol.Ref

	flying *projectile
	life   uint32
}

// SatchelsDetonate is satchels_detonate: they explode for others unless a handler cancels it.
type SatchelsDetonate struct {
	Player    *Player
	Positions []protocol.Vec3

	dimension uint16
}

// PlayerStealthKill is player_stealth_kill: it happens unless a handler cancels it.
type PlayerStealthKill struct {
	Attacker, Victim *Player

	lives [2]uint32
}

// PlayerWeaponChange is player_weapon_change.
type PlayerWeaponChange struct {
	Player   *Player
	Old, New protocol.Weapon
}

// PlayerAmmoEmpty is player_ammo_empty.
type PlayerAmmoEmpty struct {
	Player *Player
	Weapon protocol.Weapon
}

// FireEndReason is why a fire has ended.
type FireEndReason string

const (
	FireBurntOut FireEndReason = "duration"
	FirePutOut   FireEndReason = "script"
)

// FireEnd is fire_end. The fire's handle is good until its handlers are through; then Fire.Forget makes it stale.
type FireEnd struct {
	Fire   *Fire
	Reason FireEndReason
}

func (PlayerDamage) LuaName() string       { return "player_damage" }
func (PlayerDamaged) LuaName() string      { return "player_damaged" }
func (PlayerShoot) LuaName() string        { return "player_shoot" }
func (ProjectileThrown) LuaName() string   { return "projectile_create" }
func (SatchelsDetonate) LuaName() string   { return "satchels_detonate" }
func (PlayerStealthKill) LuaName() string  { return "player_stealth_kill" }
func (PlayerWeaponChange) LuaName() string { return "player_weapon_change" }
func (PlayerAmmoEmpty) LuaName() string    { return "player_ammo_empty" }
func (FireEnd) LuaName() string            { return "fire_end" }

// Undone is a cancellable event that has something to take back or to answer when a handler has cancelled it, or when it
// never reached one.
type Undone interface {
	Cancellable
	Cancelled(tx Tx)
}

var (
	_ Undone      = PlayerDamage{}
	_ Passing     = PlayerDamage{}
	_ Passing     = ProjectileThrown{}
	_ Passing     = PlayerStealthKill{}
	_ Undone      = ProjectileThrown{}
	_ Undone      = SatchelsDetonate{}
	_ Cancellable = PlayerShoot{}
	_ Cancellable = PlayerStealthKill{}
)

// Fire is a fire made by the server. What it is never changes; it needs no permit to read.
type Fire struct {
	ID        uint32
	Position  protocol.Vec3
	Size      float32 // 0.1..10
	Spread    uint8   // generations, 0..20
	Creator   *Player // nil: nobody
	Dimension uint16
	Resource  string // that made it

	ends  time.Duration // 0: when it is put out
	slot  uint32
	over  bool
	stale atomic.Bool
}

// Valid says whether the fire's handle may still be used: until its fire_end is over.
func (f *Fire) Valid() bool { return !f.stale.Load() }

// Forget makes the handle of a fire that has ended stale. The script side calls it when the handlers of fire_end are
// through.
func (f *Fire) Forget() { f.stale.Store(true) }
