package protocol

import (
	"errors"
	"math"

	"darqline/protocol/wire"
)

// PlayerKeys are the keys of a Frame that are down.
type PlayerKeys uint16

const (
	KeyFire PlayerKeys = 1 << iota
	KeyAim
	KeyJump
	KeySprint
	KeyCrouch
	KeyWalk
	KeyEnterExit
	KeyAction
	KeyLookLeft
	KeyLookRight
	KeyLookBehind
)

// PlayerFlags are the flags of a Frame.
type PlayerFlags uint16

const (
	FlagOnGround PlayerFlags = 1 << iota
	FlagDucked
	FlagInWater
	FlagUnderWater
	FlagClimbing
	FlagParachute // canopy open
	FlagAiming
	FlagReloading
	FlagAkimboUp
	FlagStealthAim
	FlagChoking
	FlagGoggles // worn over the eyes
	FlagSeated
	FlagBurning
	FlagPaused // menu open or window not active
	FlagTyping
)

var (
	playerKeys  = []string{"fire", "aim", "jump", "sprint", "crouch", "walk", "enter_exit", "action", "look_left", "look_right", "look_behind"}
	playerFlags = []string{
		"on_ground", "ducked", "in_water", "under_water", "climbing", "parachute", "aiming", "reloading",
		"akimbo_up", "stealth_aim", "choking", "goggles", "seated", "burning", "paused", "typing",
	}
)

// Words are the names of the keys that are down, as Lua sees them.
func (k PlayerKeys) Words() []string { return words(k, playerKeys) }

// Words are the names of the flags that are set, as Lua sees them.
func (f PlayerFlags) Words() []string { return words(f, playerFlags) }

// A SpecialAction is a special action in progress.
type SpecialAction uint8

const (
	ActionNone SpecialAction = iota
	ActionJetpack
	ActionDance1
	ActionDance2
	ActionDance3
	ActionDance4
	ActionHandsUp
	ActionPhone
	ActionSit
	ActionBeer
	ActionSmoke
	ActionWine
	ActionSprunk
	ActionCuffed
	ActionCarry
	ActionUrinate
)

var specialActions = []string{
	"none", "jetpack", "dance_1", "dance_2", "dance_3", "dance_4", "hands_up", "phone",
	"sit", "beer", "smoke", "wine", "sprunk", "cuffed", "carry", "urinate",
}

func (a SpecialAction) String() string { return named(specialActions, a, "SpecialAction") }

// A Frame is the continuous state of one player (page Player, Frame), 50
// bytes. Its numbers are the wire's.
type Frame struct {
	Time          uint16 // sender's monotonic clock, ms modulo 65,536
	Epoch         uint8  // of the last spawn, teleport or scope change that the sender has applied
	Interior      uint8
	Position      Vec3     // the ped's centre
	Velocity      [3]int16 // 0.01 m/s, clamped
	Heading       uint16   // 360/65,536 degree, counter-clockwise from north
	AimYaw        uint16   // same unit
	AimPitch      int16    // 0.01 degree, -9,000..9,000, up is positive
	MoveX         int8     // stick, -127 left..127 right
	MoveY         int8     // stick, -127 back..127 forward
	Keys          PlayerKeys
	Flags         PlayerFlags
	Weapon        Weapon // in hand
	Action        SpecialAction
	Health        uint8    // rounded up, 0..100; 0 dead
	Armor         uint8    // rounded up, 0..100
	Animation     uint16   // id of the applied animation that is playing, 0 none
	Carrier       uint32   // vehicle sat in, or vehicle or object stood on; 0 none
	CarrierOffset [3]int16 // 0.01 m in the carrier's axes, each within +-5,000
}

func (f *Frame) Wire(c *wire.Codec) {
	c.U16(&f.Time)
	c.U8(&f.Epoch)
	c.U8(&f.Interior)
	c.Position(&f.Position)
	c.I16Vec(&f.Velocity, 32767)
	c.U16(&f.Heading)
	c.U16(&f.AimYaw)
	wire.Range(c, &f.AimPitch, -9000, 9000)
	wire.Range(c, &f.MoveX, -127, 127)
	wire.Range(c, &f.MoveY, -127, 127)
	wire.Bits(c, &f.Keys, 11)
	wire.Bits(c, &f.Flags, 16)
	wire.OneOf(c, &f.Weapon, weapons)
	wire.Enum(c, &f.Action, ActionUrinate)
	wire.Range(c, &f.Health, 0, 100)
	wire.Range(c, &f.Armor, 0, 100)
	c.U16(&f.Animation)
	c.U32(&f.Carrier)
	c.I16Vec(&f.CarrierOffset, 5000)
}

// Check holds the carrier's rules.
func (f *Frame) Check() error {
	seated := f.Flags&FlagSeated != 0
	switch {
	case seated && f.Carrier == 0:
		return errors.New("frame: seated without a carrier")
	case (seated || f.Carrier == 0) && f.CarrierOffset != [3]int16{}:
		return errors.New("frame: carrier_offset is 0 when seated or without a carrier")
	}
	return nil
}

// PlayerSync is the sender's own frame.
type PlayerSync struct {
	Seq   uint32 // +1 for each frame sent, from 1
	Frame Frame
}

func (*PlayerSync) ID() ID { return IDPlayerSync }

func (p *PlayerSync) Wire(c *wire.Codec) {
	c.U32(&p.Seq)
	c.Struct(&p.Frame)
}

func (p *PlayerSync) Check() error { return p.Frame.Check() }

// RemotePlayerSync is a frame of another player.
type RemotePlayerSync struct {
	PlayerID    uint16
	PlayerToken uint32
	Seq         uint32 // the server's counter for this subject, from 1
	Frame       Frame
}

func (*RemotePlayerSync) ID() ID { return IDRemotePlayerSync }

func (p *RemotePlayerSync) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.U32(&p.Seq)
	c.Struct(&p.Frame)
}

func (p *RemotePlayerSync) Check() error { return p.Frame.Check() }

// Angle is degrees in the unit of Heading and AimYaw, wrapped into one turn.
func Angle(degrees float64) uint16 {
	return uint16(int64(math.Round(math.Mod(degrees, 360) * 65536 / 360)))
}

// Degrees is the reverse of Angle: 0 up to but not 360.
func Degrees(angle uint16) float64 { return float64(angle) * 360 / 65536 }

// Hundredths is v in the unit of Velocity and CarrierOffset, clamped to what an
// i16 holds.
func Hundredths(v float64) int16 {
	return int16(max(math.MinInt16, min(math.MaxInt16, math.Round(v*100))))
}
