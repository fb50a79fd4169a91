package host

import (
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/protocol/wire"
	"darqline/resources/strict"
)

// PlayersConfig is the table [players].
type PlayersConfig struct {
	Spawn          SpawnConfig
	RespawnDelay   time.Duration
	StreamDistance float64 // metres
	MaxStreamed    int
	MovementLimit  float64 // m/s; 0 off
	Entrances      bool
}

// SpawnConfig is players.spawn: where who is not spawned by a script comes into the world.
type SpawnConfig struct {
	Position  []float64 // x, y, z in metres
	Heading   float64
	Skin      uint16
	Interior  uint8
	Dimension uint16
}

func defaultPlayers() PlayersConfig {
	return PlayersConfig{Spawn: SpawnConfig{Position: []float64{2495.3, -1688.6, 13.7}}, RespawnDelay: 3 * time.Second,
		StreamDistance: 300, MaxStreamed: 200, MovementLimit: 100, Entrances: true}
}

func (c *PlayersConfig) table() strict.Table {
	coordinate := func(p *float64) strict.Value { return strict.Number(p, -wire.MaxCoordinate, wire.MaxCoordinate) }
	return strict.Table{
		strict.Key("players.spawn.position", strict.List(&c.Spawn.Position, 3, 3, coordinate), "x, y and z of where one spawns whom no script spawns"),
		strict.Key("players.spawn.heading", strict.Number(&c.Spawn.Heading, 0, 359.99), "degrees, counter-clockwise from north"),
		strict.Key("players.spawn.skin", strict.Integer(&c.Spawn.Skin, 0, protocol.LastSkin), "a skin of the game"),
		strict.Key("players.spawn.interior", strict.Integer(&c.Spawn.Interior, 0, 255), "the game's area code, 0 outside"),
		strict.Key("players.spawn.dimension", strict.Integer(&c.Spawn.Dimension, 0, protocol.MaxDimension), "players of two dimensions never see each other"),
		strict.Key("players.respawn_delay", strict.Milliseconds(&c.RespawnDelay, 0, 60000), "ms from a death until a respawn may be asked for"),
		strict.Key("players.stream_distance", strict.Number(&c.StreamDistance, 50, 1000), "metres within which players see each other"),
		strict.Key("players.max_streamed", strict.Integer(&c.MaxStreamed, 1, 1000), "how many others one player sees at most, the nearest"),
		strict.Key("players.movement_limit", strict.Number(&c.MovementLimit, 0, 1000), "m/s that a player on foot may move at; 0: not checked"),
		strict.Key("players.entrances", strict.Boolean(&c.Entrances), "the game's own doors may be used"),
	}
}

func (c *PlayersConfig) rules() world.PlayerRules {
	s := &c.Spawn
	return world.PlayerRules{
		Spawn: world.SpawnPlace{Heading: float32(s.Heading), Skin: s.Skin, Interior: s.Interior, Dimension: s.Dimension,
			Position: protocol.Vec3{X: float32(s.Position[0]), Y: float32(s.Position[1]), Z: float32(s.Position[2])}},
		RespawnDelay: c.RespawnDelay, StreamDistance: float32(c.StreamDistance), MaxStreamed: c.MaxStreamed,
		MovementLimit: float32(c.MovementLimit), Entrances: c.Entrances,
	}
}
