package world

import (
	"time"

	"darqline/protocol"
)

// Life is where a player is in the game (page Player, Spawn and death).
type Life uint8

const (
	PreSpawn Life = iota
	Alive
	Wasted
)

func (l Life) String() string { return [...]string{"pre_spawn", "alive", "wasted"}[l] }

// PlayerRules is the table [players] of the configuration.
type PlayerRules struct {
	Spawn          SpawnPlace
	RespawnDelay   time.Duration
	StreamDistance float32 // metres
	MaxStreamed    int     // subjects that one viewer has in scope
	MovementLimit  float32 // m/s; 0: off
	Entrances      bool    // the game's own doors change the interior
}

// SpawnPlace is where who is not spawned by a script comes into the world.
type SpawnPlace struct {
	Position  protocol.Vec3
	Heading   float32
	Skin      uint16
	Interior  uint8
	Dimension uint16
}

// presence is a player's place in the game, as the server has it.
type presence struct {
	life         Life
	arriving     bool           // spawned, and no frame with the spawn's epoch has come
	body         protocol.Frame // the newest accepted frame, corrected: what others are shown and scripts read
	dimension    uint16
	hidden       bool
	skin         uint16
	invulnerable bool
}

// State is where the player is in the game.
func (tx Tx) State(p *Player) Life { return p.life }

// SetPlayers takes over the rules of [players] from now on.
func (tx Tx) SetPlayers(rules PlayerRules) { tx.w.cfg.Players = rules }
