package world

import (
	"cmp"
	"errors"
	"math"
	"slices"
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

// Errors of what scripts set, without the name of what was set.
var (
	ErrNotSpawned = errors.New("the player has not spawned")
	ErrDead       = errors.New("the player is dead")
	ErrSeated     = errors.New("the player sits in a vehicle")
)

// presence is a player's place in the game, as the server has it.
type presence struct {
	life         Life
	arriving     bool           // spawned, and no frame with the spawn's epoch has come
	lives        uint32         // spawns so far
	died         time.Duration  // when, in Wasted
	body         protocol.Frame // the newest accepted frame, corrected: what others are shown and scripts read
	dimension    uint16
	hidden       bool
	hiddenBy     string // the resource that hid him
	skin         uint16
	invulnerable bool

	limits  playerLimits
	motion  motion        // player_frame.go
	place   place         // player_place.go
	look    look          // player_look.go
	playing *animation    // player_animation.go; nil: none
	lastAni uint16        // the last id of an animation
	camera  camera        // player_camera.go
	failed  *failedChecks // player_violation.go; nil: none yet
}

// enterPlayer gives who has joined the state of one who was never touched.
func (tx Tx) enterPlayer(p *Player) {
	p.skin = tx.w.cfg.Players.Spawn.Skin
	p.place.gravity, p.place.bounds = 1, NoBounds
	p.look.fighting = protocol.FightStandard
	for i := range p.look.skills {
		p.look.skills[i] = fullSkill
	}
}

// leavePlayer is what a leave ends of others' state. It comes when the player is not among the players any more.
func (tx Tx) leavePlayer(p *Player) { tx.lostSubject(p) }

// State is where the player is in the game.
func (tx Tx) State(p *Player) Life { return p.life }

// Arriving says whether the player has spawned and was not seen there yet.
func (tx Tx) Arriving(p *Player) bool { return p.arriving }

// Frame is a copy of the player's newest accepted frame, corrected: position, heading, aim, keys, flags and so on. Before
// the first spawn it has no meaning.
func (tx Tx) Frame(p *Player) protocol.Frame { return p.body }

// Position is where the player is, in metres; before the first spawn it is an error.
func (tx Tx) Position(p *Player) (protocol.Vec3, error) {
	if p.life == PreSpawn {
		return protocol.Vec3{}, ErrNotSpawned
	}
	return p.body.Position, nil
}

// Hidden says whether the player is in nobody's scope by a script's will.
func (tx Tx) Hidden(p *Player) bool { return p.hidden }

// SetHidden takes a player out of all scopes, or back. by is the resource: it is taken back when that stops.
func (tx Tx) SetHidden(p *Player, hidden bool, by string) {
	p.hiddenBy = ownedBy(hidden, by)
	if p.hidden == hidden {
		return
	}
	p.hidden = hidden
	if hidden {
		tx.vanish(p)
	}
	tx.moved(p)
}

// SetPlayers takes over the rules of [players] from now on.
func (tx Tx) SetPlayers(rules PlayerRules) { tx.w.cfg.Players = rules }

// playersOf takes back what a resource that stops has set: hidden, frozen, cameras, gravity, bounds and animations.
// Position, dimension, skin, styles, skills, stats, money and wanted level stay.
func (tx Tx) playersOf(by string) {
	for _, p := range tx.Players() {
		if p.hiddenBy == by {
			tx.SetHidden(p, false, "")
		}
		tx.releasePlace(p, by)
		if p.camera.by == by {
			tx.ResetCamera(p)
		}
		if p.playing != nil && p.playing.by == by {
			tx.ClearAnimations(p)
		}
	}
}

// ownedBy is the owner of what was set, and nobody where it was set back.
func ownedBy(set bool, by string) string {
	if !set {
		return ""
	}
	return by
}

// AnyDimension has PlayersNear look in all dimensions.
const AnyDimension = -1

// PlayersNear are the players who have spawned within radius metres of a point, nearest first.
func (tx Tx) PlayersNear(at protocol.Vec3, radius float64, dimension int) []*Player {
	var near []*Player
	for _, p := range tx.w.players {
		if p.life != PreSpawn && (dimension == AnyDimension || dimension == int(p.dimension)) &&
			distance(p.body.Position, at) <= radius {
			near = append(near, p)
		}
	}
	slices.SortFunc(near, func(a, b *Player) int {
		return cmp.Or(cmp.Compare(distance(a.body.Position, at), distance(b.body.Position, at)), cmp.Compare(a.ID, b.ID))
	})
	return near
}

func distance(a, b protocol.Vec3) float64 { return length(b.X-a.X, b.Y-a.Y, b.Z-a.Z) }

func length(x, y, z float32) float64 {
	return math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y) + float64(z)*float64(z))
}

// instruct sends a self packet. Before the first spawn it is only checked, because all that is kept is sent then; to
// who has left while his handle is good it is lost. On an error nothing was sent.
func (tx Tx) instruct(p *Player, m protocol.Packet) error {
	if err := check(m); err != nil || p.gone || p.life == PreSpawn {
		return err
	}
	return p.link.Straight(m)
}

// present is instruct for a subject packet, which his viewers get too.
func (tx Tx) present(p *Player, m protocol.Packet) error {
	if err := check(m); err != nil || p.gone || p.life == PreSpawn {
		return err
	}
	return tx.show(p, m)
}

// check says what a client would refuse of a packet.
func check(m protocol.Packet) error {
	var room [protocol.MaxPacket]byte
	_, err := protocol.Append(room[:0], protocol.Header{}, m)
	return err
}

// alive refuses what only the living can do.
func (p *Player) alive() error {
	switch p.life {
	case PreSpawn:
		return ErrNotSpawned
	case Wasted:
		return ErrDead
	}
	return nil
}

// seated says whether the player sits in a vehicle.
func (p *Player) seated() bool { return p.body.Flags&protocol.FlagSeated != 0 }

// tickPlayers ends what time alone ends, and says when to come again.
func (tx Tx) tickPlayers() (next time.Duration) {
	next = tx.now() + tickEvery
	for _, p := range tx.w.players {
		tx.tickAnimation(p)
	}
	return next
}

// tickEvery is how often time alone is looked at.
const tickEvery = 100 * time.Millisecond
