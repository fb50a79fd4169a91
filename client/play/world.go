package play

import (
	"bytes"
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

// setSelf takes the own player's state over; what pages see the same is not sent again.
func (m *model) setSelf(s self, token uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch w := &m.world; {
	case !s.OnFire:
		w.lit = time.Time{}
	case w.lit.IsZero():
		w.lit = time.Now()
	default:
		s.OnFire = w.burns(time.Now())
	}
	m.tellSelf(s, token)
}

// tellSelf is setSelf as the pages see it. The lock is held.
func (m *model) tellSelf(s self, token uint32) {
	msg := encode(message{Type: "self", Self: &s})
	m.world.self, m.world.token = &s, token
	if bytes.Equal(msg, m.world.sent) {
		return
	}
	m.world.sent = msg
	for p := range m.pages {
		p.push(msg)
	}
}

// burns tells whether the own ped still burns: after a while it puts itself out.
func (w *world) burns(now time.Time) bool { return !w.lit.IsZero() && now.Sub(w.lit) < burnsFor }

// burning is burns for the own frames; when it is over the pages are told.
func (m *model) burning(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &m.world
	burns := w.burns(now)
	if w.self != nil && w.self.OnFire && !burns {
		s := *w.self
		s.OnFire = false
		m.tellSelf(s, w.token)
	}
	return burns
}

// setPlace puts the own player somewhere or pushes it.
func (m *model) setPlace(p place, f protocol.Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.own, m.world.placed = f, true
	m.broadcast(message{Type: "place", Place: &p})
}

// setPed shows another player, or what has changed of him.
func (m *model) setPed(p ped) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.world.peds[p.ID] == p {
		return
	}
	m.world.peds[p.ID] = p
	m.broadcast(message{Type: "ped", Ped: &p})
}

func (m *model) removePed(id uint16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.world.peds, id)
	delete(m.world.frames, id)
	delete(m.world.fresh, id)
	m.world.things.removeOwner(id)
	m.broadcast(message{Type: "ped_end", ID: uint64(id)})
	m.broadcast(message{Type: "satchels_end", ID: uint64(id)})
}

func (m *model) setFire(f fire) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.fires[f.ID] = f
	m.broadcast(message{Type: "fire", Fire: &f})
}

// endFires ends those for which gone is true.
func (m *model) endFires(gone func(fire) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, f := range m.world.fires {
		if gone(f) {
			delete(m.world.fires, id)
			m.broadcast(message{Type: "fire_end", ID: uint64(id)})
		}
	}
}

func (m *model) setCamera(c camera) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.camera = &c
	m.broadcast(message{Type: "camera", Camera: &c})
}

func (m *model) setFade(f fade) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.world.fade = &f
	m.broadcast(message{Type: "fade", Fade: &f})
}

// happen tells the pages of something that is over at once.
func (m *model) happen(msg message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broadcast(msg)
}

// playerName is a player's name of the list, "" if it is not there.
func (m *model) playerName(id uint16) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.players[id].Name
}

// pedOf is the id of the player in view with that token.
func (m *model) pedOf(token uint32) (id uint16, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, p := range m.world.peds {
		if p.Token == token {
			return id, true
		}
	}
	if m.world.self != nil && m.world.token == token {
		return m.world.self.ID, true
	}
	return 0, false
}
