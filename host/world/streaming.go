package world

import (
	"slices"
	"time"

	"darqline/host/world/scope"
	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Figures of page Player, Streaming.
const (
	lookEvery   = 250 * time.Millisecond // for each viewer
	lookSlices  = 10                     // that the viewers are spread over
	fullEvery   = time.Second            // for who sees as many as he may: in a crowd the nearest change all the time, and what changes together is sent together
	hysteresis  = 1.1
	replaceGain = 20 // metres that one beyond max_streamed has to be nearer
)

// sight is who has a player in scope, and whom he has (page Player, Streaming).
type sight struct {
	view     scope.View       // the ids of whom he has in scope
	looked   time.Duration    // when it was brought up to date
	farthest float32          // metres to the last in a view that is full, else 0
	into     uint16           // the dimension that his client was last told
	viewers  []viewer         // who has him
	outs     map[uint32]about // by token: the last PlayerStreamOut to him of who is not in his scope
	edges    uint32           // of his life that were told, to all together
	relayed
}

// viewer is one who has a player in scope.
type viewer struct {
	*Player
	link  Link   // his
	id    uint16 // his; both stand here so that relaying reads one array
	entry about  // the PlayerSpawned that brought the player in
	after about  // the PlayerStreamOut that has to be sent before
	life  bool   // the entry is the beginning of a life, seen
	last  about  // the last edge of the player's life that was paced to him
}

// about is the key of what a pacer holds about a player: a packet id for a subject packet of that kind, or an edge of what
// is told of his life, each with a number of its own, because edges are never merged.
type about struct {
	token uint32
	what  uint32
}

const (
	aboutLives = 1 << 8  // from here on PlayerSpawned and PlayerWasted
	aboutOuts  = 1 << 31 // from here on PlayerStreamOut
)

// edge is the key of the next edge of a player's life; from is aboutLives or aboutOuts.
func (p *Player) edge(from uint32) about {
	p.edges++
	return about{p.Token, from + p.edges}
}

// StreamEvent is player_stream_in and player_stream_out.
type StreamEvent struct {
	Player, Viewer *Player
	In             bool
}

func (e StreamEvent) LuaName() string {
	if e.In {
		return "player_stream_in"
	}
	return "player_stream_out"
}

// streaming is the state of the scopes of all.
type streaming struct {
	grid    scope.Grid
	things  []scope.Thing
	changes scope.Changes
	round   []*Player // that are looked at in this round, by slices
	slice   int
	next    time.Duration

	arriving *Player // whose arrival is being told, with its reason
	reason   protocol.SpawnReason
}

// rules are what a view has room for.
func (w *World) rules() scope.Rules {
	r := &w.cfg.Players
	return scope.Rules{Enter: r.StreamDistance, Leave: hysteresis * r.StreamDistance, Max: r.MaxStreamed, Margin: replaceGain}
}

// shows says whether a player can be in anybody's scope.
func (p *Player) shows() bool {
	return !p.gone && !p.hidden && (p.life == Alive && !p.arriving || p.life == Wasted)
}

// thing is the player as others may have him in scope.
func (p *Player) thing() scope.Thing {
	return scope.Thing{Position: p.body.Position, Slot: uint32(p.ID), Dimension: p.dimension}
}

// chart puts all who can be seen where they are now.
func (tx Tx) chart() {
	s := &tx.w.streaming
	s.things = s.things[:0]
	for _, p := range tx.w.players {
		if p.shows() {
			s.things = append(s.things, p.thing())
		}
	}
	s.grid.Build(s.things)
}

// tickScopes looks at the next slice of the viewers and says when to come again.
func (tx Tx) tickScopes() (next time.Duration) {
	s := &tx.w.streaming
	if len(tx.w.players) == 0 {
		s.slice, s.round = 0, s.round[:0]
		return forever
	}
	now := tx.now()
	if now < s.next {
		return s.next
	}
	if s.slice == 0 {
		s.round = s.round[:0]
		for _, p := range tx.w.players {
			s.round = append(s.round, p)
		}
		slices.SortFunc(s.round, byID) // so that a game with the same seed looks at the same time
	}
	if s.slice == 0 || s.slice == lookSlices/2 {
		tx.chart()
	}
	n := len(s.round)
	for _, p := range s.round[s.slice*n/lookSlices : (s.slice+1)*n/lookSlices] {
		if !p.gone && (p.farthest == 0 || now-p.looked >= fullEvery-lookEvery/2) {
			tx.look(p)
		}
	}
	s.slice = (s.slice + 1) % lookSlices
	if s.slice == 0 {
		clear(s.round)
	}
	s.next = max(s.next+lookEvery/lookSlices, now)
	return s.next
}

// look brings a viewer's scope up to date with the chart.
func (tx Tx) look(v *Player) {
	at, dimension, ok := tx.centre(v)
	if !ok {
		tx.blind(v, false)
		return
	}
	tx.centred(v, at)
	s := &tx.w.streaming
	v.view.Look(&s.grid, scope.Thing{Position: at, Slot: uint32(v.ID), Dimension: dimension}, tx.w.rules(), &s.changes)
	v.farthest, v.looked = 0, tx.now()
	if seen := v.view.Seen(); len(seen) >= tx.w.cfg.Players.MaxStreamed {
		for _, n := range seen {
			v.farthest = max(v.farthest, n.Distance())
		}
	}
	for _, id := range s.changes.Left {
		if p := tx.w.players[uint16(id)]; p != nil {
			tx.streamOut(v, p, true)
		}
	}
	for _, n := range s.changes.Entered {
		if p := tx.w.players[uint16(n.Slot)]; p != nil {
			tx.streamIn(v, p, n.Distance())
		}
	}
}

// looksInto is called when a client is told which dimension it is in, or looks into: with another one than before it takes
// all others out of view by itself.
func (tx Tx) looksInto(v *Player, dimension uint16) {
	if v.into != dimension {
		v.into = dimension
		tx.blind(v, true)
	}
}

// blind empties a viewer's scope. silent is a new dimension, which his client takes as the end of all whom it shows.
func (tx Tx) blind(v *Player, silent bool) {
	for _, n := range v.view.Seen() {
		if p := tx.w.players[uint16(n.Slot)]; p != nil {
			tx.streamOut(v, p, !silent)
		}
	}
	v.view.Clear()
}

// streamIn brings a player who is in the view already to the viewer: all that shows him, then his newest frame.
func (tx Tx) streamIn(v, p *Player, distance float32) {
	reason := protocol.SpawnedInView
	if s := &tx.w.streaming; s.arriving == p {
		reason = s.reason
	}
	key, after := p.edge(aboutLives), v.outs[p.Token]
	delete(v.outs, p.Token)
	p.viewers = append(p.viewers, viewer{v, v.link, v.ID, key, after, reason != protocol.SpawnedInView, key})
	packets := []protocol.Packet{tx.appearance(p, reason)}
	packets = append(append(packets, tx.entryExtras(p)...), tx.livingSatchels(p)...)
	packets = append(packets, tx.scopeUI(v, p)...)
	v.link.Pace(pacer.Thing{Key: key, Class: pacer.Players, Distance: distance, After: after, Packets: packets})
	tx.relayTo(v, p)
	tx.stream(p, v, true)
}

// streamOut takes a player whom the view has no more from the viewer. Nothing that waits about him is sent, but the edges
// of a life that ends by a respawn. told is false where the client knows by itself.
func (tx Tx) streamOut(v, p *Player, told bool) {
	i := slices.IndexFunc(p.viewers, func(o viewer) bool { return o.Player == v })
	if i < 0 {
		return
	}
	was := p.viewers[i]
	p.viewers = slices.Delete(p.viewers, i, i+1)
	respawns := p.life == Alive && p.arriving && !p.gone
	unsent := v.link.Waits(was.entry)
	heard := !unsent || respawns && was.life && v.link.Waits(was.after) // else he came and went while the lane stood still
	v.forget(p.Token, respawns && heard)
	heard = heard || was.after != (about{}) // one who was known before is shown by the frame that came with the entry
	if told && heard {
		key := p.edge(aboutOuts)
		v.link.Pace(pacer.Thing{Key: key, Class: pacer.Removals, After: was.last, Packets: []protocol.Packet{
			&protocol.PlayerStreamOut{PlayerID: p.ID, PlayerToken: p.Token, LastSeq: p.frames}}})
		v.outs[p.Token] = key
	}
	tx.stream(p, v, false)
}

// forget drops what waits for a viewer about a player, but the word that he has left the scope; lives says to leave the
// edges of his life too.
func (v *Player) forget(token uint32, lives bool) {
	v.link.DropWhere(func(key any) bool {
		k, ok := key.(about)
		return ok && k.token == token && (k.what < aboutLives || !lives && k.what < aboutOuts)
	})
}

// stream tells the scripts.
func (tx Tx) stream(p, v *Player, in bool) {
	if e := (StreamEvent{p, v, in}); tx.listens(e.LuaName()) {
		tx.post(e)
	}
}

// arrived puts a player who has arrived into the scopes around him: reason is that of a first spawn or of a respawn.
func (tx Tx) arrived(p *Player, reason protocol.SpawnReason) {
	s := &tx.w.streaming
	s.arriving, s.reason = p, reason
	tx.moved(p)
	s.arriving = nil
}

// moved looks again at the scopes of and around a player who is suddenly elsewhere, or there at all.
func (tx Tx) moved(p *Player) {
	tx.chart()
	tx.look(p)
	for _, v := range tx.w.players {
		if v != p && tx.wants(v, p) != v.view.Has(uint32(p.ID)) {
			tx.look(v)
		}
	}
}

// wants says whether a viewer should have a player in scope.
func (tx Tx) wants(v, p *Player) bool {
	at, dimension, ok := tx.centre(v)
	if !ok || !p.shows() || dimension != p.dimension {
		return false
	}
	limit := tx.w.cfg.Players.StreamDistance
	switch {
	case v.view.Has(uint32(p.ID)):
		limit *= hysteresis
	case v.farthest > 0: // the view is full
		limit = min(limit, v.farthest-replaceGain)
	}
	return limit > 0 && squareOf(at, p.body.Position) < limit*limit
}

func squareOf(a, b protocol.Vec3) float32 {
	x, y, z := a.X-b.X, a.Y-b.Y, a.Z-b.Z
	return x*x + y*y + z*z
}

// vanish takes a player out of all scopes at once: he is hidden, respawns, or is in another dimension now. It is called
// when that stands.
func (tx Tx) vanish(p *Player) {
	for len(p.viewers) > 0 {
		v := p.viewers[len(p.viewers)-1].Player
		v.view.Remove(uint32(p.ID))
		tx.streamOut(v, p, true)
	}
}

// leaveScopes takes one who has left out of everything. PlayerLeave tells of it.
func (tx Tx) leaveScopes(p *Player) {
	tx.blind(p, true)
	for _, v := range p.viewers {
		v.view.Remove(uint32(p.ID))
		tx.stream(p, v.Player, false)
	}
	p.viewers = nil
	if p.edges == 0 {
		return
	}
	for _, v := range tx.w.players {
		delete(v.outs, p.Token)
		v.link.DropWhere(func(key any) bool {
			k, ok := key.(about)
			return ok && k.token == p.Token
		})
	}
}

// show brings a subject packet to its subject and to all who have him in scope. Of several of one kind that wait only the
// last is sent, and none before his PlayerSpawned. The error is about the packet or the subject's lane.
func (tx Tx) show(p *Player, m protocol.Packet) error {
	key := about{p.Token, uint32(m.ID())}
	if row, _ := protocol.Lookup(m.ID()); row.Lane == protocol.Droppable { // a full lane refuses it, and it is state
		p.link.Pace(pacer.Thing{Key: key, Class: pacer.Players, Renew: true, Packets: []protocol.Packet{m}})
	} else if err := p.link.Straight(m); err != nil {
		return err
	}
	tx.showOthers(p, m)
	return nil
}

// showOthers is show without the subject himself.
func (tx Tx) showOthers(p *Player, m protocol.Packet) {
	for _, v := range p.viewers {
		v.link.Pace(pacer.Thing{Key: about{p.Token, uint32(m.ID())}, Class: pacer.Players, After: v.last, Renew: true,
			Packets: []protocol.Packet{m}})
	}
}

// tellViewers sends an event about a player straight to those who have him in scope and have heard of him.
func (tx Tx) tellViewers(p *Player, m protocol.Packet) {
	for _, v := range p.viewers {
		if !v.link.Waits(v.entry) {
			v.link.Straight(m)
		}
	}
}

// fell tells a player and his viewers of his death. The body stays in scope.
func (tx Tx) fell(p *Player, m *protocol.PlayerWasted) {
	p.link.Straight(m)
	tx.deathUI(p)
	for i := range p.viewers {
		v := &p.viewers[i]
		key := p.edge(aboutLives)
		v.link.Pace(pacer.Thing{Key: key, Class: pacer.Players, After: v.last, Packets: []protocol.Packet{m}})
		v.last = key
	}
}

// Sees says whether a viewer has a player in scope.
func (tx Tx) Sees(viewer, p *Player) bool { return viewer.view.Has(uint32(p.ID)) }

// Viewers are all who have a player in scope, by id.
func (tx Tx) Viewers(p *Player) []*Player {
	list := make([]*Player, 0, len(p.viewers))
	for _, v := range p.viewers {
		list = append(list, v.Player)
	}
	slices.SortFunc(list, byID)
	return list
}
