package play

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"darqline/protocol"
)

// spot is a place in the world, or a velocity: metres to the east, the north and up.
type spot [3]float32

func at(v protocol.Vec3) spot { return spot{v.X, v.Y, v.Z} }

// self is what the page shows of the own player beside where it is.
type self struct {
	ID        uint16          `json:"id"`
	State     string          `json:"state"`  // of client.State
	Health    uint8           `json:"health"` // rounded up
	Armor     uint8           `json:"armor"`
	Money     int32           `json:"money"`
	Wanted    uint8           `json:"wanted"`
	Frozen    bool            `json:"frozen,omitempty"`
	Spectates bool            `json:"spectates,omitempty"`
	OnFire    bool            `json:"on_fire,omitempty"`
	Camera    bool            `json:"camera,omitempty"` // the server's, not on the own player
	Interior  uint8           `json:"interior,omitempty"`
	Dimension uint16          `json:"dimension,omitempty"`
	Weapon    protocol.Weapon `json:"weapon"` // in hand
	Weapons   []carried       `json:"weapons"`
	Bounds    *[4]float32     `json:"bounds,omitempty"` // min x, min y, max x, max y
	Death     *death          `json:"death,omitempty"`
	Respawn   int64           `json:"respawn,omitempty"` // Unix time in ms at which the client asks by itself
}

// carried is a weapon of the inventory.
type carried struct {
	ID       protocol.Weapon `json:"id"`
	Title    string          `json:"title"`
	Counted  bool            `json:"counted,omitempty"` // its ammunition is a number
	Ammo     uint32          `json:"ammo"`              // in all
	Clip     uint16          `json:"clip"`
	Magazine bool            `json:"magazine,omitempty"` // it holds more than one round
	Auto     bool            `json:"auto,omitempty"`     // it goes on while the button is held
	Interval uint16          `json:"interval"`           // ms between two uses
}

// death is how the own player died.
type death struct {
	Killer  string `json:"killer,omitempty"`
	Cause   string `json:"cause"`
	Stealth bool   `json:"stealth,omitempty"`
}

// place is where the server has put the own player; with Push only Velocity counts.
type place struct {
	Epoch    uint8   `json:"epoch"`
	Position spot    `json:"position"`
	Velocity spot    `json:"velocity"` // m/s
	Heading  float64 `json:"heading"`  // degrees
	Push     bool    `json:"push,omitempty"`
}

// ped is another player in view, beside what frames say.
type ped struct {
	ID    uint16 `json:"id"`
	Token uint32 `json:"token"`
	Skin  uint16 `json:"skin"`
	Dead  bool   `json:"dead,omitempty"`
}

// shot is a tracer.
type shot struct {
	From spot    `json:"from"`
	To   spot    `json:"to"`
	Hit  *uint16 `json:"hit,omitempty"` // the player who was hit
}

// blast is an explosion.
type blast struct {
	ID     uint32  `json:"id,omitempty"` // the thing that exploded
	At     spot    `json:"at"`
	Radius float32 `json:"radius"`
	Type   string  `json:"type"`

	Zone  float32 `json:"zone,omitempty"`  // m that go on burning
	Lasts int64   `json:"lasts,omitempty"` // ms
}

// fire is one that the server has made.
type fire struct {
	ID   uint32  `json:"id"`
	At   spot    `json:"at"`
	Size float32 `json:"size"`
}

// camera is what the middle of the map is on.
type camera struct {
	Mode     string `json:"mode"` // own, fixed, glide, player, vehicle
	Target   spot   `json:"target"`
	Duration uint32 `json:"duration,omitempty"` // ms of a glide
	Player   uint16 `json:"player"`
}

// fade is the map's cover.
type fade struct {
	Out   bool   `json:"out,omitempty"`
	Time  uint16 `json:"time"` // ms
	Color string `json:"color,omitempty"`
}

// world is what the pages see of the game. The model's lock guards it.
type world struct {
	self   *self
	sent   []byte    // self as it was sent last
	token  uint32    // the own player_token
	lit    time.Time // when the own ped was set on fire; zero: it is not
	own    protocol.Frame
	placed bool // own is a place
	peds   map[uint16]ped
	frames map[uint16]*protocol.RemotePlayerSync // the newest of each ped, and of the own player
	fresh  map[uint16]struct{}                   // those of frames that the pages do not have
	things things
	fires  map[uint32]fire
	camera *camera
	fade   *fade
}

func newWorld() world {
	return world{
		peds: map[uint16]ped{}, frames: map[uint16]*protocol.RemotePlayerSync{}, fresh: map[uint16]struct{}{},
		fires: map[uint32]fire{},
	}
}

// worldState is the world for a page that has just connected; frames follow.
type worldState struct {
	Weapons []string `json:"weapons"` // titles by id
	Self    *self    `json:"self"`
	Place   *place   `json:"place"`
	Peds    []ped    `json:"peds"`
	Things  []thing  `json:"things"`
	Fires   []fire   `json:"fires"`
	Camera  *camera  `json:"camera"`
	Fade    *fade    `json:"fade"`
}

func (w *world) state() worldState {
	s := worldState{
		Weapons: weaponTitles, Self: w.self, Camera: w.camera, Fade: w.fade, Things: w.things.list(),
		Peds:  append([]ped{}, slices.SortedFunc(maps.Values(w.peds), func(a, b ped) int { return cmp.Compare(a.ID, b.ID) })...),
		Fires: append([]fire{}, slices.SortedFunc(maps.Values(w.fires), func(a, b fire) int { return cmp.Compare(a.ID, b.ID) })...),
	}
	if w.placed {
		s.Place = &place{Epoch: w.own.Epoch, Position: at(w.own.Position), Heading: protocol.Degrees(w.own.Heading)}
	}
	return s
}
