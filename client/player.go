package client

import (
	"time"

	"darqline/protocol"
)

// State is where the own player stands (page Connection, "States").
type State uint8

const (
	Offline  State = iota // there is no session
	PreAuth               // the server waits for a sign-in
	PreSpawn              // not in the world yet
	Alive                 // in the world
	Wasted                // dead, until the server spawns the player again
	stateEnd = iota
)

func (s State) String() string {
	return [stateEnd]string{"offline", "pre_auth", "pre_spawn", "alive", "wasted"}[s]
}

// Appearance is what the server has said of a player's body, the own one's or another's (page Player).
type Appearance struct {
	Skin          uint16
	FightingStyle protocol.FightingStyle
	WalkingStyle  protocol.WalkingStyle
	Skills        [protocol.SkillCount]uint16 // by protocol.SkillNames
	Stats         [protocol.StatCount]uint16  // by protocol.StatNames
	Headless      bool
	OnFire        bool
	Action        protocol.SpecialAction
	Animation     Animation // ID 0: none
}

// Animation is an applied animation that runs.
type Animation struct {
	ID          uint16 // frames carry it while it plays; 0 none
	Block, Name string
	Flags       protocol.AnimationFlags
	Speed       float32 // 0..10, 1 normal
	Progress    float32 // 0..1, where it stood at Since
	Since       time.Time
	Played      time.Duration // at speed 1, after Progress and before Since
	Blend       time.Duration
	Duration    time.Duration // from Since; 0: it ends by itself, or never when looped
}

// Self is the client's own player, a copy that the caller may keep.
type Self struct {
	ID    uint16
	Token uint32
	State State
	// Frame is the newest frame, as the server would get it now: the program's own by Move, with what the server and
	// the client decide. It is void before the first spawn.
	Frame     protocol.Frame
	Dimension uint16
	Health    float32 // 0..100
	Armor     float32
	Vitals    uint16 // revision of Health and Armor
	Frozen    bool   // by the server
	Appearance

	Weapon    protocol.Weapon // in hand
	Inventory Inventory
	Satchels  []protocol.Vec3 // placed and alive, where they lie

	Money     int32
	Wanted    uint8
	Gravity   float32 // 1: the game's
	Drunk     protocol.SetDrunkLevel
	Bounds    protocol.SetWorldBounds
	Camera    protocol.SetCamera    // the last one but CameraLeave; its fade is void
	FadedOut  bool                  // the screen is faded out
	FadeColor protocol.RGBA         // while FadedOut
	Death     protocol.PlayerWasted // while Wasted
	Respawn   time.Time             // while Wasted: when the client asks for the respawn by itself
}

// Spectates tells that the camera follows a player or vehicle: the own ped stays where it is and takes no input.
func (s *Self) Spectates() bool {
	return s.Camera.Mode == protocol.CameraFollowPlayer || s.Camera.Mode == protocol.CameraFollowVehicle
}

// immovable tells that Move changes neither place nor keys.
func (s *Self) immovable() bool { return s.Frozen || s.Spectates() }

// Has reports whether the inventory has a weapon; fists are always there, and the detonator comes with a satchel.
func (s *Self) Has(w protocol.Weapon) bool {
	return w == protocol.WeaponFist || s.Inventory.find(w) != nil ||
		w == protocol.WeaponDetonator && (len(s.Satchels) > 0 || s.Inventory.find(protocol.WeaponSatchel) != nil)
}

// PlaceReason is why the server has put the own ped somewhere.
type PlaceReason uint8

const (
	PlacedSpawn    PlaceReason = iota // the first spawn
	PlacedRespawn                     // alive again, or spawned anew while alive
	PlacedTeleport                    // moved or turned
	PlacedScope                       // another dimension or interior; the place stays
	PlacedPush                        // another velocity; the place stays
)

// Placement tells that the server has put the own ped somewhere. Frames carry the new epoch from here on; a Move that was
// made before it is ignored.
type Placement struct {
	Why          PlaceReason
	Epoch        uint8
	Position     protocol.Vec3
	Velocity     protocol.Vec3 // m/s
	Heading      float64       // degrees
	Dimension    uint16
	Interior     uint8
	Vehicle      bool // the driven vehicle moves along
	FindGround   bool // the program picks z; its next Move says which
	CameraBehind bool
	FadeIn       bool
}

// Remote is another player as the server has shown him, a copy that the caller may keep.
type Remote struct {
	ID    uint16
	Token uint32
	Shown bool           // in view: his appearance and a frame are here
	Dead  bool           // a body, until the server spawns him again
	Frame protocol.Frame // the newest
	// Appearance is what the server has set. What of it plays at the moment, such as the special action, is in the frame.
	Appearance
}

// Self is the own player as he is now. Without a session its State is Offline.
func (c *Client) Self() Self {
	var me Self
	c.look(func(g *game) { me = g.self() })
	return me
}

// Remotes are the other players in view, by id.
func (c *Client) Remotes() []Remote {
	var list []Remote
	c.look(func(g *game) { list = g.crowd.inView() })
	return list
}

// Remote is another player in view.
func (c *Client) Remote(id uint16) (r Remote, ok bool) {
	c.look(func(g *game) { r, ok = g.crowd.shown(id) })
	return r, ok
}

// Move says how the own ped stands and moves. The client sends it as page Player wants it: every 40 ms while something
// changes, else every 500 ms, every 200 ms while the player is dead.
//
// Position, velocity, angles, stick, keys, flags, interior and carrier are the program's. Epoch is that of the Self or
// Placement from which it was computed: a frame of another epoch is ignored, so that a teleport cannot be undone by a
// frame that crosses it. Time, weapon, action, animation, health and armor are the client's own and are not read. Of a
// dead player, and while a dialog is open, stick and keys are not read; of one who is held by a menu or a progress bar the
// stick is not, of a frozen one and a spectator place and velocity neither.
func (c *Client) Move(f protocol.Frame) error {
	if err := encodable(&protocol.PlayerSync{Frame: f}); err != nil {
		return err
	}
	return c.act(func(g *game, _ time.Duration) error { g.move(f); return nil })
}

// Arm takes a weapon of the inventory in hand.
func (c *Client) Arm(w protocol.Weapon) error {
	return c.act(func(g *game, _ time.Duration) error { return g.arm(w) })
}

// EndAction ends the special action, as when a drink is finished. The client cannot start one.
func (c *Client) EndAction() error {
	return c.act(func(g *game, _ time.Duration) error { g.endAction(); return nil })
}

// EndAnimation ends the applied animation if it is this one, as when it has played or a key ended it.
func (c *Client) EndAnimation(id uint16) error {
	return c.act(func(g *game, _ time.Duration) error { g.endAnimation(id); return nil })
}

// RequestSpawn asks for the first spawn; the client does so by itself unless Config.NoSpawn is set.
func (c *Client) RequestSpawn() error {
	return c.act(func(g *game, _ time.Duration) error { g.requestSpawn(); return nil })
}

// Respawn says that the dead player is done with the death screen; the client says so by itself after 4 s.
func (c *Client) Respawn() error {
	return c.act(func(g *game, now time.Duration) error { g.askRespawn(now); return nil })
}
