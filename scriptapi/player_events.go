package scriptapi

import (
	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// playerEvents are the declarations of what happens to players in the game (page Player).
type playerEvents struct {
	spawnRequest    *bind.Event[playerArgs]
	spawn           *bind.Event[spawnedArgs]
	arrive          *bind.Event[playerArgs]
	death           *bind.Event[deathArgs]
	respawnRequest  *bind.Event[playerArgs]
	streamIn        *bind.Event[streamArgs]
	streamOut       *bind.Event[streamArgs]
	dimensionChange *bind.Event[placeChangeArgs]
	interiorChange  *bind.Event[placeChangeArgs]
	actionEnd       *bind.Event[actionEndArgs]
	animationEnd    *bind.Event[animationEndArgs]
	pause           *bind.Event[pauseArgs]
	violation       *bind.Event[violationArgs]
}

type spawnedArgs struct {
	Player *world.Player `lua:"player" doc:"Who is in the world now."`
	Spawn  spawnFacts    `lua:"spawn" doc:"Where and as whom."`
}

type spawnFacts struct {
	Respawn  bool      `lua:"respawn" doc:"Whether he was in the world before."`
	Position bind.Vec3 `lua:"position" doc:"Where."`
	Heading  float64   `lua:"heading" doc:"Which way he looks."`
	Skin     int       `lua:"skin" doc:"As whom."`
}

type deathArgs struct {
	Player *world.Player `lua:"player" doc:"Who is dead."`
	Death  deathFacts    `lua:"death" doc:"How."`
}

type deathFacts struct {
	Killer   *world.Player     `lua:"killer,optional" doc:"Who did it, or nil."`
	Cause    string            `lua:"cause" doc:"A cause's name; unknown where his client could not say."`
	BodyPart protocol.BodyPart `lua:"body_part" doc:"Where."`
	Weapon   *protocol.Weapon  `lua:"weapon" doc:"Where the cause is one."`
	Stealth  bool              `lua:"stealth" doc:"Whether his throat was cut."`
	Position bind.Vec3         `lua:"position" doc:"Where he lies."`
}

type streamArgs struct {
	Player *world.Player `lua:"player" doc:"Who comes into view or leaves it."`
	Viewer *world.Player `lua:"viewer" doc:"Who sees it."`
}

type placeChangeArgs struct {
	Player *world.Player `lua:"player" doc:"Who it is about."`
	Old    int           `lua:"old" doc:"Where he was."`
	New    int           `lua:"new" doc:"Where he is."`
	By     string        `lua:"by" doc:"script or client."`
}

type actionEndArgs struct {
	Player *world.Player          `lua:"player" doc:"Whose client ended it."`
	Action protocol.SpecialAction `lua:"action" doc:"What has ended."`
}

type animationEndArgs struct {
	Player    *world.Player  `lua:"player" doc:"Whose it was."`
	Animation animationFacts `lua:"animation" doc:"What has ended; id is what player:animate returned."`
	Reason    string         `lua:"reason" doc:"finished, replaced, cleared or keys."`
}

type animationFacts struct {
	ID    int    `lua:"id" doc:"What player:animate returned."`
	Block string `lua:"block" doc:"Its block."`
	Name  string `lua:"name" doc:"Its name."`
}

type pauseArgs struct {
	Player *world.Player `lua:"player" doc:"Who it is about."`
	Paused bool          `lua:"paused" doc:"Whether his menu is open or his window not active."`
}

type violationArgs struct {
	Player *world.Player `lua:"player" doc:"Whose client sends what it should not."`
	Kind   string        `lua:"kind" doc:"What has failed: epoch, movement, weapon, rate, ammo, damage, projectile or ui."`
	Detail string        `lua:"detail" doc:"The last failure, for the log."`
}

func declarePlayerEvents(r *bind.Registry) *playerEvents {
	return &playerEvents{
		spawnRequest: bind.NewEvent[playerArgs](r, "player_spawn_request",
			"A player's client has loaded. Unless a handler spawns him or returns false, he comes into the world at players.spawn of server.toml.", true),
		spawn:  bind.NewEvent[spawnedArgs](r, "player_spawn", "A player was spawned or respawned.", false),
		arrive: bind.NewEvent[playerArgs](r, "player_arrive", "A player who was spawned is there: from now on others see him.", false),
		death:  bind.NewEvent[deathArgs](r, "player_death", "A player is dead.", false),
		respawnRequest: bind.NewEvent[playerArgs](r, "player_respawn_request",
			"A dead player is done with the death screen. Unless a handler spawns him or returns false, he comes back at players.spawn of server.toml.", true),
		streamIn:        bind.NewEvent[streamArgs](r, "player_stream_in", "A player came into another's scope.", false),
		streamOut:       bind.NewEvent[streamArgs](r, "player_stream_out", "A player left another's scope.", false),
		dimensionChange: bind.NewEvent[placeChangeArgs](r, "player_dimension_change", "A player is in another dimension.", false),
		interiorChange:  bind.NewEvent[placeChangeArgs](r, "player_interior_change", "A player is in another interior.", false),
		actionEnd: bind.NewEvent[actionEndArgs](r, "player_special_action_end",
			"A player's client ended his special action: the drink is empty, the jetpack dropped.", false),
		animationEnd: bind.NewEvent[animationEndArgs](r, "player_animation_end", "An animation of player:animate has ended.", false),
		pause:        bind.NewEvent[pauseArgs](r, "player_pause", "A player paused the game or goes on.", false),
		violation: bind.NewEvent[violationArgs](r, "player_violation",
			"What a player's client sent has failed one kind of check 10 times in 10 s. The server itself kicks nobody for that.", false),
	}
}

// raise runs the handlers of a declared event.
func raise[A any](rt *Runtime, e *bind.Event[A], args A) (cancelled bool) {
	cancelled, _ = rt.fire(e.Name(), e.Args(args), e.Cancellable())
	return cancelled
}

// dispatchPlayer runs the handlers of an event of page Player.
func (rt *Runtime) dispatchPlayer(e world.Event) (cancelled bool) {
	on := rt.events.player
	switch e := e.(type) {
	case world.PlayerSpawnRequest:
		return raise(rt, on.spawnRequest, playerArgs{e.Player})
	case world.PlayerSpawn:
		raise(rt, on.spawn, spawnedArgs{e.Player, spawnFacts{e.Respawn, vec3(e.Position), round(e.Heading), int(e.Skin)}})
	case world.PlayerArrive:
		raise(rt, on.arrive, playerArgs{e.Player})
	case world.PlayerDeath:
		raise(rt, on.death, deathArgs{e.Player, factsOf(e)})
	case world.PlayerRespawnRequest:
		return raise(rt, on.respawnRequest, playerArgs{e.Player})
	case world.StreamEvent:
		event := on.streamOut
		if e.In {
			event = on.streamIn
		}
		raise(rt, event, streamArgs{e.Player, e.Viewer})
	case world.PlayerDimensionChange:
		raise(rt, on.dimensionChange, placeChangeArgs{e.Player, int(e.Old), int(e.New), string(e.By)})
	case world.PlayerInteriorChange:
		raise(rt, on.interiorChange, placeChangeArgs{e.Player, int(e.Old), int(e.New), string(e.By)})
	case world.PlayerActionEnd:
		raise(rt, on.actionEnd, actionEndArgs{e.Player, e.Action})
	case world.PlayerAnimationEnd:
		raise(rt, on.animationEnd, animationEndArgs{e.Player, animationFacts{int(e.ID), e.Block, e.Name}, string(e.Reason)})
	case world.PlayerPause:
		raise(rt, on.pause, pauseArgs{e.Player, e.Paused})
	case world.PlayerViolation:
		raise(rt, on.violation, violationArgs{e.Player, e.Kind.String(), e.Detail})
	}
	return false
}

func factsOf(e world.PlayerDeath) deathFacts {
	facts := deathFacts{Killer: stillHere(e.Killer), Cause: e.Cause.String(), BodyPart: e.BodyPart, Stealth: e.Stealth, Position: vec3(e.Position)}
	if e.Unknown {
		facts.Cause = "unknown"
	}
	if w, ok := e.Weapon(); ok {
		facts.Weapon = &w
	}
	return facts
}
