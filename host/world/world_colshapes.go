package world

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"

	"darqline/protocol"
)

// Figures of page World, Entering and leaving.
const (
	maxColshapes = 4096
	longestStep  = 60 // metres between two frames, above which nothing is tested between
	mostPoints   = 16 // between two frames
	leastPoint   = 0.5
)

// EveryDimension is the dimension of a thing that is in all of them.
const EveryDimension = -1

// ColshapeSpec is an area. What Position, Size and Points mean is the kind's (page World, ColshapeShape).
type ColshapeSpec struct {
	Kind      protocol.ColshapeKind
	Position  protocol.Vec3
	Size      protocol.Vec3
	Heading   float32 // degrees
	Points    []protocol.Point
	Dimension int     // 0..65,534, or EveryDimension
	Margin    float32 // metres by which one has to be outside to leave, 0..10
	Disabled  bool    // nobody is in it
	Color     protocol.RGBA
	By        string // the resource: it goes with it
}

// check says what is wrong with an area.
func (s *ColshapeSpec) check() error {
	if s.Dimension < EveryDimension || s.Dimension > protocol.MaxDimension {
		return fmt.Errorf("dimension -1..%d expected, got %d", protocol.MaxDimension, s.Dimension)
	}
	if !(s.Margin >= 0 && s.Margin <= 10) {
		return fmt.Errorf("margin 0..10 expected, got %g", s.Margin)
	}
	return check(&protocol.ColshapeShape{ColshapeID: 1, Present: true, Kind: s.Kind, Color: s.Color, Position: s.Position,
		Size: s.Size, Heading: s.Heading, Points: s.Points})
}

// Colshape is an area that tells who enters and leaves it. Detection is the server's alone.
type Colshape struct {
	ID     uint32
	spec   ColshapeSpec
	area   area
	inside map[*Player]struct{}

	changed bool // it is tested for everyone at the next tick
	looked  uint64
	gone    atomic.Bool
	telling bool // a handler of a leave that its end has caused runs
}

// Valid says whether a handle of it may be used: until it is destroyed, and in the handlers of the leaves which that
// causes. The script loop asks.
func (c *Colshape) Valid() bool { return !c.gone.Load() || c.telling }

// Telling runs the handlers of a leave, in which its handle is valid. The script loop calls it.
func (c *Colshape) Telling(run func()) {
	c.telling = true
	defer func() { c.telling = false }()
	run()
}

// String tells it apart in logs.
func (c *Colshape) String() string { return fmt.Sprintf("%d", c.ID) }

// LeaveReason is why somebody is not in an area any more.
type LeaveReason string

const (
	LeftMoved      LeaveReason = "moved"
	LeftTeleported LeaveReason = "teleported"
	LeftDimension  LeaveReason = "dimension"
	LeftGone       LeaveReason = "gone"
	LeftShape      LeaveReason = "shape"
)

// ColshapeEvent is colshape_enter, and with a reason colshape_leave. Each enter is followed by one leave.
type ColshapeEvent struct {
	Colshape *Colshape
	Player   *Player
	Reason   LeaveReason
}

func (e ColshapeEvent) LuaName() string {
	if e.Reason == "" {
		return "colshape_enter"
	}
	return "colshape_leave"
}

// ColshapeGone says that an area has been destroyed and that all its leaves were told.
type ColshapeGone struct{ Colshape *Colshape }

func (ColshapeGone) LuaName() string { return "colshape_gone" }

// colshapes are all areas.
type colshapes struct {
	byID    map[uint32]*Colshape
	grid    areas
	changed []*Colshape // since the last tick
	over    []*Colshape // destroyed since the last tick
	before  []*Colshape // that a player was in; this and the next are kept so that a frame allocates nothing
	found   []*Colshape
	enters  []*Colshape
	passes  []*Colshape
}

// tracked is where a player was when the areas were last tested for him, and which he is in, by rising id.
type tracked struct {
	inside    []*Colshape
	at        protocol.Vec3
	dimension uint16
	epoch     uint8
	here      bool
	again     bool // the scripts had no room for what has happened
}

// CreateColshape makes an area. Who is in it is told at the next tick.
func (tx Tx) CreateColshape(s ColshapeSpec) (*Colshape, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	w := &tx.w.colshapes
	if len(w.byID) >= maxColshapes {
		return nil, fmt.Errorf("limit of %d colshapes reached", maxColshapes)
	}
	if w.byID == nil {
		w.byID = make(map[uint32]*Colshape)
	}
	c := &Colshape{ID: tx.newID(), inside: make(map[*Player]struct{})}
	w.byID[c.ID] = c
	tx.reshape(c, s)
	return c, nil
}

// ChangeColshape moves, resizes, enables an area. On an error nothing has changed.
func (tx Tx) ChangeColshape(c *Colshape, s ColshapeSpec) error {
	if err := s.check(); err != nil || c.gone.Load() {
		return err
	}
	tx.w.colshapes.grid.remove(c)
	tx.reshape(c, s)
	return nil
}

func (tx Tx) reshape(c *Colshape, s ColshapeSpec) {
	s.Points = slices.Clone(s.Points)
	c.spec, c.area = s, newArea(&s)
	tx.w.colshapes.grid.add(c)
	tx.testLater(c)
}

func (tx Tx) testLater(c *Colshape) {
	if !c.changed {
		c.changed = true
		tx.w.colshapes.changed = append(tx.w.colshapes.changed, c)
	}
}

// DestroyColshape ends an area. Who is in it leaves it at the next tick.
func (tx Tx) DestroyColshape(c *Colshape) {
	if c.gone.Swap(true) {
		return
	}
	delete(tx.w.colshapes.byID, c.ID)
	tx.w.colshapes.grid.remove(c)
	tx.testLater(c)
	tx.w.colshapes.over = append(tx.w.colshapes.over, c)
}

// Colshape is the area of that id, or nil.
func (tx Tx) Colshape(id uint32) *Colshape { return tx.w.colshapes.byID[id] }

// Colshapes are all areas, by id.
func (tx Tx) Colshapes() []*Colshape {
	return slices.SortedFunc(maps.Values(tx.w.colshapes.byID), byShape)
}

func byShape(a, b *Colshape) int { return cmp.Compare(a.ID, b.ID) }

// ColshapeCount is how many there are.
func (tx Tx) ColshapeCount() int { return len(tx.w.colshapes.byID) }

// ColshapesNear are the areas whose centre is within radius metres of a point, nearest first. Of an area of any height the
// centre is at the point's.
func (tx Tx) ColshapesNear(at protocol.Vec3, radius float64, dimension int) []*Colshape {
	list := slices.DeleteFunc(tx.Colshapes(), func(c *Colshape) bool {
		here := dimension == AnyDimension || c.spec.Dimension == EveryDimension || c.spec.Dimension == dimension
		return !here || c.area.far(at) > radius
	})
	slices.SortStableFunc(list, func(a, b *Colshape) int { return cmp.Compare(a.area.far(at), b.area.far(at)) })
	return list
}

// ColshapeSpec is an area as it is now.
func (tx Tx) ColshapeSpec(c *Colshape) ColshapeSpec { return c.spec }

// Inside are those who have entered an area and not left it, by id.
func (tx Tx) Inside(c *Colshape) []*Player { return slices.SortedFunc(maps.Keys(c.inside), byID) }

// Contains says whether a point is in an area.
func (tx Tx) Contains(c *Colshape, at protocol.Vec3) bool { return c.area.contains(at, 0) }

// ContainsPlayer says whether a player is where an area is, without its margin.
func (tx Tx) ContainsPlayer(c *Colshape, p *Player) bool {
	return p.life != PreSpawn && !p.gone && c.in(p.dimension) && c.area.contains(p.body.Position, 0)
}

func (c *Colshape) in(dimension uint16) bool {
	return c.spec.Dimension == EveryDimension || c.spec.Dimension == int(dimension)
}

// open says whether anybody can be in it.
func (c *Colshape) open() bool { return !c.spec.Disabled && !c.gone.Load() }

// tickColshapes tests what has changed since the last tick: players who were moved, and areas.
func (tx Tx) tickColshapes() {
	w := &tx.w.colshapes
	if len(w.byID) == 0 && len(w.changed) == 0 {
		return
	}
	for _, p := range tx.w.players {
		tx.track(p, w.changed)
	}
	for _, c := range w.changed {
		c.changed = false
	}
	for _, c := range w.over {
		tx.mustTell(ColshapeGone{c})
	}
	clear(w.changed)
	clear(w.over)
	w.changed, w.over = w.changed[:0], w.over[:0]
}

// trackFrame tests a player's new frame.
func (tx Tx) trackFrame(p *Player) {
	if len(tx.w.colshapes.byID) > 0 {
		tx.track(p, nil)
	}
}

// track tests a player where he is now, in all areas if he has moved, else in those that have changed.
func (tx Tx) track(p *Player, changed []*Colshape) {
	t := &p.tracked
	here := p.life != PreSpawn && !p.gone
	jumped := here != t.here || p.body.Epoch != t.epoch || p.dimension != t.dimension
	if !jumped && t.at == p.body.Position && len(changed) == 0 && !t.again {
		return
	}
	reason, again := LeftMoved, t.again
	switch {
	case !here:
		reason = LeftGone
	case p.dimension != t.dimension && t.here:
		reason = LeftDimension
	case jumped:
		reason = LeftTeleported
	}
	from, moved := t.at, jumped || again || t.at != p.body.Position
	t.at, t.dimension, t.epoch, t.here, t.again = p.body.Position, p.dimension, p.body.Epoch, here, false
	w := &tx.w.colshapes
	w.before = append(w.before[:0], t.inside...)
	tx.trackLeaves(p, reason)
	if !here {
		return
	}
	found := changed
	if moved {
		if jumped || distance(from, t.at) > longestStep {
			from = t.at
		}
		w.found = w.grid.along(w.found[:0], from, t.at)
		found = w.found
	}
	tx.trackEnters(p, found, from)
}

// trackLeaves takes a player out of the areas that he is not in any more.
func (tx Tx) trackLeaves(p *Player, reason LeaveReason) {
	t := &p.tracked
	for i := 0; i < len(t.inside); {
		c, why := t.inside[i], reason
		if t.here && c.open() && c.in(p.dimension) && c.area.contains(t.at, c.spec.Margin) {
			i++
			continue
		}
		if c.changed && reason != LeftGone {
			why = LeftShape
		}
		if !tx.left(p, c, why) {
			i++
		}
	}
}

// trackEnters takes a player into areas that he is in now, or was on the way.
func (tx Tx) trackEnters(p *Player, found []*Colshape, from protocol.Vec3) {
	w, t := &tx.w.colshapes, &p.tracked
	w.enters, w.passes = w.enters[:0], w.passes[:0]
	for _, c := range found {
		if _, in := c.inside[p]; in || !c.open() || !c.in(p.dimension) {
			continue
		}
		if c.area.contains(t.at, 0) {
			w.enters = append(w.enters, c)
		} else if from != t.at && !slices.Contains(w.before, c) && c.area.crossed(from, t.at) {
			w.enters = append(w.enters, c)
			if !c.area.contains(t.at, c.spec.Margin) {
				w.passes = append(w.passes, c)
			}
		}
	}
	slices.SortFunc(w.enters, byShape)
	for _, c := range w.enters {
		tx.entered(p, c)
	}
	slices.SortFunc(w.passes, byShape)
	for _, c := range w.passes {
		if _, in := c.inside[p]; in {
			tx.left(p, c, LeftMoved)
		}
	}
}

// entered takes a player into an area. Where the scripts have no room for it he is not in it: the next test tells.
func (tx Tx) entered(p *Player, c *Colshape) {
	e := ColshapeEvent{Colshape: c, Player: p}
	if tx.listens(e.LuaName()) && !tx.w.cfg.Sink.Post(e) {
		p.tracked.again = true
		return
	}
	c.inside[p] = struct{}{}
	i, _ := slices.BinarySearchFunc(p.tracked.inside, c, byShape)
	p.tracked.inside = slices.Insert(p.tracked.inside, i, c)
}

// left takes a player out of an area; false where the scripts have no room for it and it can be told later.
func (tx Tx) left(p *Player, c *Colshape, reason LeaveReason) bool {
	e := ColshapeEvent{c, p, reason}
	switch {
	case !tx.listens(e.LuaName()):
	case reason == LeftGone || c.gone.Load():
		tx.mustTell(e)
	case !tx.w.cfg.Sink.Post(e):
		p.tracked.again = true
		return false
	}
	delete(c.inside, p)
	p.tracked.inside = slices.DeleteFunc(p.tracked.inside, func(o *Colshape) bool { return o == c })
	return true
}

// mustTell tells the scripts what has happened, later where they have no room for it now.
func (tx Tx) mustTell(e Event) {
	if len(tx.w.unheard) > 0 || !tx.w.cfg.Sink.Post(e) {
		tx.w.unheard = append(tx.w.unheard, e)
	}
}

// leaveColshapes takes one who has left out of all areas.
func (tx Tx) leaveColshapes(p *Player) { tx.track(p, nil) }

// colshapesOf destroys what a resource has made.
func (tx Tx) colshapesOf(by string) {
	for _, c := range tx.Colshapes() {
		if c.spec.By == by {
			tx.DestroyColshape(c)
		}
	}
}

// step is the distance of the points that are tested between two frames.
func step(size ...float64) float64 { return max(leastPoint, slices.Min(size)/2) }

// between is how many points are tested on a way of so many metres.
func between(far, every float64) int { return min(int(math.Ceil(far/every))-1, mostPoints) }
