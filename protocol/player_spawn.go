package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// SpawnFlags are the flags of a SpawnInfo.
type SpawnFlags uint8

const (
	SpawnKeepWeapons SpawnFlags = 1 << iota // not in SpawnPlayer
	SpawnFrozen
	SpawnFade // the screen in
)

// A SpawnInfo is how a player comes into the world (page Player, SpawnInfo), 33
// bytes.
type SpawnInfo struct {
	Position  Vec3
	Heading   float32
	Skin      uint16 // a skin of the game, see SetSkin
	Dimension uint16 // 0..65534
	Interior  uint8
	Epoch     uint8   // the client's frames carry it from now on
	Vitals    uint16  // revision of health and armor
	Health    float32 // above 0, up to 100
	Armor     float32 // 0..100
	Flags     SpawnFlags
}

func (s *SpawnInfo) Wire(c *wire.Codec) {
	c.Position(&s.Position)
	c.Heading(&s.Heading)
	wire.OneOf(c, &s.Skin, skins)
	wire.Range(c, &s.Dimension, 0, MaxDimension)
	c.U8(&s.Interior)
	c.U8(&s.Epoch)
	c.U16(&s.Vitals)
	c.F32Over(&s.Health, 0, 100)
	c.F32In(&s.Armor, 0, 100)
	wire.Bits(c, &s.Flags, 3)
}

// RequestSpawn says that the client has loaded and wants to play.
type RequestSpawn struct{}

func (*RequestSpawn) ID() ID { return IDRequestSpawn }

func (*RequestSpawn) Wire(*wire.Codec) {}

// SpawnPlayer puts the recipient into the world for the first time.
type SpawnPlayer struct{ Spawn SpawnInfo }

func (*SpawnPlayer) ID() ID { return IDSpawnPlayer }

func (p *SpawnPlayer) Wire(c *wire.Codec) { c.Struct(&p.Spawn) }

func (p *SpawnPlayer) Check() error {
	if p.Spawn.Flags&SpawnKeepWeapons != 0 {
		return errors.New("spawn: there are no weapons to keep at the first spawn")
	}
	return nil
}

// RespawnRequest says that the dead player is done with the death screen.
type RespawnRequest struct{}

func (*RespawnRequest) ID() ID { return IDRespawnRequest }

func (*RespawnRequest) Wire(*wire.Codec) {}

// RespawnPlayer brings the recipient's own ped, dead or not, back to life.
type RespawnPlayer struct{ Spawn SpawnInfo }

func (*RespawnPlayer) ID() ID { return IDRespawnPlayer }

func (p *RespawnPlayer) Wire(c *wire.Codec) { c.Struct(&p.Spawn) }

// A SpawnReason is why a PlayerSpawned comes.
type SpawnReason uint8

const (
	SpawnedFirst  SpawnReason = iota // spawned
	SpawnedAgain                     // respawned
	SpawnedInView                    // entered the recipient's scope
)

// SpawnedFlags are the flags of a PlayerSpawned.
type SpawnedFlags uint8

const (
	SpawnedDead SpawnedFlags = 1 << iota // health 0, and only with SpawnedInView
	SpawnedHeadless
	SpawnedOnFire
)

// PlayerSpawned is the full appearance of a player who is there.
type PlayerSpawned struct {
	PlayerID      uint16
	PlayerToken   uint32
	Reason        SpawnReason
	Flags         SpawnedFlags
	Skin          uint16 // see SetSkin
	Position      Vec3
	Heading       float32
	Interior      uint8
	FightingStyle FightingStyle
	WalkingStyle  WalkingStyle
	Action        SpecialAction
	Weapon        Weapon
	Health        uint8 // rounded up, 0..100
	Armor         uint8 // 0..100
	Skills        [SkillCount]uint16
}

func (*PlayerSpawned) ID() ID { return IDPlayerSpawned }

func (p *PlayerSpawned) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Enum(c, &p.Reason, SpawnedInView)
	wire.Bits(c, &p.Flags, 3)
	wire.OneOf(c, &p.Skin, skins)
	c.Position(&p.Position)
	c.Heading(&p.Heading)
	c.U8(&p.Interior)
	wire.OneOf(c, &p.FightingStyle, fightingStyles)
	wire.OneOf(c, &p.WalkingStyle, walkingStyles)
	wire.Enum(c, &p.Action, ActionUrinate)
	wire.OneOf(c, &p.Weapon, weapons)
	wire.Range(c, &p.Health, 0, 100)
	wire.Range(c, &p.Armor, 0, 100)
	wire.Array(c, p.Skills[:], thousandth)
}

func (p *PlayerSpawned) Check() error {
	dead := p.Flags&SpawnedDead != 0
	switch {
	case dead && p.Health != 0:
		return errors.New("dead with health")
	case !dead && p.Health == 0:
		return errors.New("health 0 and not dead")
	case dead && p.Reason != SpawnedInView:
		return errors.New("reason: dead at the spawn")
	}
	return nil
}

// PlayerStreamOut says that the subject has left the recipient's scope.
type PlayerStreamOut struct {
	PlayerID    uint16
	PlayerToken uint32
	LastSeq     uint32 // newest seq given to a frame of this subject
}

func (*PlayerStreamOut) ID() ID { return IDPlayerStreamOut }

func (p *PlayerStreamOut) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.U32(&p.LastSeq)
}
