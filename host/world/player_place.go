package world

import (
	"errors"
	"math"
	"time"

	"darqline/protocol"
)

// NoBounds are the world bounds of one who may be everywhere.
var NoBounds = protocol.SetWorldBounds{MinX: -20000, MinY: -20000, MaxX: 20000, MaxY: 20000}

// frozenGrace is the time that a client has to stand still after it has acked a SetFrozen.
const frozenGrace = 500 * time.Millisecond

// scopeOf is a dimension and an interior.
type scopeOf struct {
	dimension uint16
	interior  uint8
}

// place is what scripts have set of where a player may be and how he moves.
type place struct {
	told     scopeOf // which the client is in, or looks into, by what it was last sent
	frozen   bool
	frozenBy string
	asked    awaited       // the SetFrozen
	holding  bool          // frozen, and the client has had time for it
	anchor   protocol.Vec3 // where it holds him

	gravity   float32
	gravityBy string
	bounds    protocol.SetWorldBounds
	boundsBy  string
}

// freeze is the server's side of frozen.
func (s *place) freeze(now time.Duration, by string) {
	if !s.frozen {
		s.frozen, s.holding, s.asked = true, false, awaited{since: now}
	}
	s.frozenBy = by
}

// held says whether a player's position has to stay.
func (tx Tx) held(p *Player, now time.Duration) bool {
	s := &p.place
	if !s.frozen {
		return false
	}
	if !s.holding && s.asked.over(now, p.link, frozenGrace) {
		s.holding, s.anchor = true, p.body.Position
	}
	return s.holding
}

// Teleport is where a player goes: at least one of the first four is set.
type Teleport struct {
	Position  *protocol.Vec3
	Heading   *float32
	Interior  *uint8
	Dimension *uint16

	KeepVelocity bool
	KeepVehicle  bool // what he drives moves along, with all in it
	FindGround   bool // at x and y of the position; the client picks z
	CameraBehind bool
}

// Teleport moves or turns a player. The server takes the new place at once. On an error nothing has changed.
func (tx Tx) Teleport(p *Player, t Teleport) error {
	switch {
	case p.life == PreSpawn:
		return ErrNotSpawned
	case p.gone:
		return nil
	case t.Position == nil && t.Heading == nil && t.Interior == nil && t.Dimension == nil:
		return errors.New("one of position, heading, interior and dimension is needed")
	}
	to := scopeOf{p.dimension, p.body.Interior}
	if t.Dimension != nil {
		to.dimension = *t.Dimension
	}
	if t.Interior != nil {
		to.interior = *t.Interior
	}
	m := t.packet(to.interior)
	if m == nil {
		return tx.setScope(p, to)
	}
	if err := check(m); err != nil { // before the scope changes
		return err
	}
	if to.dimension != p.dimension {
		if err := tx.setScope(p, to); err != nil {
			return err
		}
	}
	m.Epoch = p.body.Epoch + 1
	if err := tx.instruct(p, m); err != nil {
		return err
	}
	tx.putAt(p, t, m)
	return nil
}

// packet is what a teleport tells its client, and nil where neither position nor heading changes.
func (t *Teleport) packet(interior uint8) *protocol.TeleportPlayer {
	if t.Position == nil && t.Heading == nil {
		return nil
	}
	m := &protocol.TeleportPlayer{Interior: interior}
	if t.Position != nil {
		m.Position = *t.Position
	} else {
		m.Flags |= protocol.TeleportTurnOnly
	}
	if t.Heading != nil {
		m.Heading = *t.Heading
	} else {
		m.Flags |= protocol.TeleportKeepHeading
	}
	set := func(on bool, flag protocol.TeleportFlags) {
		if on {
			m.Flags |= flag
		}
	}
	set(t.KeepVelocity, protocol.TeleportKeepVelocity)
	set(t.FindGround && t.Position != nil, protocol.TeleportFindGround)
	set(t.CameraBehind, protocol.TeleportCameraBehind)
	return m
}

// putAt is the server's side of a teleport.
func (tx Tx) putAt(p *Player, t Teleport, m *protocol.TeleportPlayer) {
	now := tx.now()
	tx.nextEpoch(p)
	old := p.body.Interior
	p.body.Interior = m.Interior
	if t.Heading != nil {
		p.body.Heading = protocol.Angle(float64(m.Heading))
	}
	if t.Position != nil {
		p.body.Position = m.Position
		p.body.Carrier, p.body.CarrierOffset = 0, [3]int16{}
		if !t.KeepVelocity {
			p.body.Velocity = [3]int16{}
		}
		p.motion.begin(now, m.Position)
		p.motion.ground, p.place.anchor = t.FindGround, m.Position
		tx.moved(p)
	}
	if !p.camera.follows() {
		p.place.told.interior = m.Interior // this packet has said so
	}
	tx.scopeEvents(p, p.dimension, old, ByScript)
	tx.scopeMoved(p)
	tx.relayOwn(p)
}

// Dimension and Interior are where the player is.
func (tx Tx) Dimension(p *Player) uint16 { return p.dimension }
func (tx Tx) Interior(p *Player) uint8   { return p.body.Interior }

// SetDimension moves a player into another dimension, 0..65,534; his position stays. Before the first spawn it is what a
// camera sees.
func (tx Tx) SetDimension(p *Player, dimension uint16) error {
	return tx.setScope(p, scopeOf{dimension, p.body.Interior})
}

// SetInterior changes the game's area code of a player; his position stays.
func (tx Tx) SetInterior(p *Player, interior uint8) error {
	return tx.setScope(p, scopeOf{p.dimension, interior})
}

// setScope takes a player into another dimension or interior.
func (tx Tx) setScope(p *Player, to scopeOf) error {
	old := scopeOf{p.dimension, p.body.Interior}
	if p.gone || to == old {
		return nil
	}
	if !p.camera.follows() {
		if err := tx.sendScope(p, to); err != nil {
			return err
		}
	} else if err := check(&protocol.ScopeChanged{Dimension: to.dimension}); err != nil {
		return err
	}
	p.dimension, p.body.Interior = to.dimension, to.interior
	if to.dimension != old.dimension {
		tx.vanish(p)
	}
	tx.scopeEvents(p, old.dimension, old.interior, ByScript)
	tx.scopeMoved(p)
	tx.moved(p)
	return nil
}

// sendScope tells a client which scope it is in, or looks into.
func (tx Tx) sendScope(p *Player, to scopeOf) error {
	m := &protocol.ScopeChanged{Epoch: p.body.Epoch + 1, Dimension: to.dimension, Interior: to.interior}
	if err := check(m); err != nil {
		return err
	}
	if err := p.link.Straight(m); err != nil {
		return err
	}
	tx.nextEpoch(p)
	p.place.told = to
	tx.looksInto(p, to.dimension)
	return nil
}

// tellScope tells a client which scope it is in, or looks into, if it does not know.
func (tx Tx) tellScope(p *Player) error {
	to := scopeOf{p.dimension, p.body.Interior}
	if s := p.camera.subject; s != nil {
		to = scopeOf{s.dimension, s.body.Interior}
	}
	if p.gone || to == p.place.told {
		return nil
	}
	return tx.sendScope(p, to)
}

// scopeMoved brings those who follow a player after him.
func (tx Tx) scopeMoved(p *Player) {
	for _, v := range tx.w.players {
		if v.camera.subject == p {
			_ = tx.tellScope(v) // on an error of his lane the connection ends
			tx.moved(v)
		}
	}
}

// scopeEvents tells scripts what has changed.
func (tx Tx) scopeEvents(p *Player, dimension uint16, interior uint8, by ChangedBy) {
	if dimension != p.dimension {
		tx.post(PlayerDimensionChange{p, dimension, p.dimension, by})
	}
	if interior != p.body.Interior {
		tx.post(PlayerInteriorChange{p, interior, p.body.Interior, by})
	}
}

// Frozen says whether the player's movement and fire controls are taken.
func (tx Tx) Frozen(p *Player) bool { return p.place.frozen }

// SetFrozen takes the player's movement and fire controls, or gives them back. by is the resource: they are given back
// when that stops.
func (tx Tx) SetFrozen(p *Player, frozen bool, by string) error {
	if frozen != p.place.frozen {
		if err := tx.instruct(p, &protocol.SetFrozen{Frozen: frozen}); err != nil {
			return err
		}
	}
	if frozen {
		p.place.freeze(tx.now(), by)
	} else {
		p.place.frozen, p.place.holding, p.place.frozenBy = false, false, ""
	}
	return nil
}

// Velocity is in m/s.
func (tx Tx) Velocity(p *Player) (protocol.Vec3, error) {
	v := p.body.Velocity
	if p.life == PreSpawn {
		return protocol.Vec3{}, ErrNotSpawned
	}
	return protocol.Vec3{X: float32(v[0]) / 100, Y: float32(v[1]) / 100, Z: float32(v[2]) / 100}, nil
}

// SetVelocity sets the velocity of the player's ped, of length up to protocol.MaxVelocity m/s. The movement check allows
// its speed for 3 s.
func (tx Tx) SetVelocity(p *Player, v protocol.Vec3) error {
	if err := p.alive(); err != nil {
		return err
	}
	if p.seated() {
		return ErrSeated
	}
	if err := tx.instruct(p, &protocol.SetVelocity{Velocity: v}); err != nil {
		return err
	}
	p.motion.push = boost{length(v.X, v.Y, v.Z), tx.now() + pushTime}
	p.body.Velocity = [3]int16{protocol.Hundredths(float64(v.X)), protocol.Hundredths(float64(v.Y)),
		protocol.Hundredths(float64(v.Z))}
	return nil
}

// Gravity is the factor of gravity on the player's client, 1 by default.
func (tx Tx) Gravity(p *Player) float32 { return p.place.gravity }

// SetGravity sets it, -10..10. by is the resource: 1 again when that stops.
func (tx Tx) SetGravity(p *Player, factor float32, by string) error {
	if err := tx.instruct(p, &protocol.SetGravity{Factor: factor}); err != nil {
		return err
	}
	p.place.gravity, p.place.gravityBy = factor, ownedBy(factor != 1, by)
	return nil
}

// WorldBounds are where the player may be; NoBounds is everywhere.
func (tx Tx) WorldBounds(p *Player) protocol.SetWorldBounds { return p.place.bounds }

// SetWorldBounds sets them. by is the resource: they go when that stops.
func (tx Tx) SetWorldBounds(p *Player, bounds protocol.SetWorldBounds, by string) error {
	if err := tx.instruct(p, &bounds); err != nil {
		return err
	}
	p.place.bounds, p.place.boundsBy = bounds, ownedBy(bounds != NoBounds, by)
	return nil
}

// releasePlace takes back what a resource has set here.
func (tx Tx) releasePlace(p *Player, by string) {
	if p.place.frozenBy == by {
		_ = tx.SetFrozen(p, false, "")
	}
	if p.place.gravityBy == by {
		_ = tx.SetGravity(p, 1, "")
	}
	if p.place.boundsBy == by {
		_ = tx.SetWorldBounds(p, NoBounds, "")
	}
}

// DistanceTo is the distance of a player to a point of a dimension in metres, and infinity in another one.
func (tx Tx) DistanceTo(p *Player, at protocol.Vec3, dimension uint16) (float64, error) {
	switch {
	case p.life == PreSpawn:
		return 0, ErrNotSpawned
	case dimension != p.dimension:
		return math.Inf(1), nil
	}
	return distance(p.body.Position, at), nil
}
