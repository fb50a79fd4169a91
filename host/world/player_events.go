package world

import "darqline/protocol"

// PlayerSpawnRequest is player_spawn_request: the client's world is loaded. Unless it is cancelled, or a handler has
// spawned him, the player spawns at players.spawn.
type PlayerSpawnRequest struct{ Player *Player }

// PlayerSpawn is player_spawn.
type PlayerSpawn struct {
	Player   *Player
	Respawn  bool
	Position protocol.Vec3
	Heading  float32
	Skin     uint16
}

// PlayerArrive is player_arrive: the first frame of a new life has come.
type PlayerArrive struct{ Player *Player }

// PlayerDeath is player_death.
type PlayerDeath struct {
	Player *Player
	Death
	Position protocol.Vec3
}

// PlayerRespawnRequest is player_respawn_request: the dead player is done with the death screen. Unless it is cancelled,
// or a handler has spawned him, he spawns at players.spawn.
type PlayerRespawnRequest struct {
	Player *Player
	life   uint32 // that has ended
}

// ChangedBy is who has changed a player's place: "script" or "client".
type ChangedBy string

const (
	ByScript ChangedBy = "script"
	ByClient ChangedBy = "client"
)

// PlayerDimensionChange is player_dimension_change.
type PlayerDimensionChange struct {
	Player   *Player
	Old, New uint16
	By       ChangedBy
}

// PlayerInteriorChange is player_interior_change.
type PlayerInteriorChange struct {
	Player   *Player
	Old, New uint8
	By       ChangedBy
}

// PlayerActionEnd is player_special_action_end.
type PlayerActionEnd struct {
	Player *Player
	Action protocol.SpecialAction
}

// PlayerAnimationEnd is player_animation_end.
type PlayerAnimationEnd struct {
	Player      *Player
	ID          uint16
	Block, Name string
	Reason      AnimationEnd
}

// PlayerPause is player_pause.
type PlayerPause struct {
	Player *Player
	Paused bool
}

// PlayerViolation is player_violation: checks of one kind have failed 10 times in 10 s.
type PlayerViolation struct {
	Player *Player
	Kind   Violation
	Detail string // of the last failure
}

func (PlayerSpawnRequest) LuaName() string    { return "player_spawn_request" }
func (PlayerSpawn) LuaName() string           { return "player_spawn" }
func (PlayerArrive) LuaName() string          { return "player_arrive" }
func (PlayerDeath) LuaName() string           { return "player_death" }
func (PlayerRespawnRequest) LuaName() string  { return "player_respawn_request" }
func (PlayerDimensionChange) LuaName() string { return "player_dimension_change" }
func (PlayerInteriorChange) LuaName() string  { return "player_interior_change" }
func (PlayerActionEnd) LuaName() string       { return "player_special_action_end" }
func (PlayerAnimationEnd) LuaName() string    { return "player_animation_end" }
func (PlayerPause) LuaName() string           { return "player_pause" }
func (PlayerViolation) LuaName() string       { return "player_violation" }

// Moot says that the request is settled already: its handlers need not run any more. A client repeats a request that
// waits for a slow script.
func (e PlayerSpawnRequest) Moot(tx Tx) bool { return e.Player.gone || e.Player.life != PreSpawn }

// Apply spawns the player where no script has.
func (e PlayerSpawnRequest) Apply(tx Tx) {
	if !e.Moot(tx) {
		tx.spawnDefault(e.Player)
	}
}

// Moot is as that of PlayerSpawnRequest.
func (e PlayerRespawnRequest) Moot(tx Tx) bool {
	return e.Player.gone || e.Player.life != Wasted || e.Player.lives != e.life
}

// Apply respawns the player where no script has.
func (e PlayerRespawnRequest) Apply(tx Tx) {
	if !e.Moot(tx) {
		tx.spawnDefault(e.Player)
	}
}
