package client

import (
	"cmp"
	"slices"

	"darqline/protocol"
)

// crowd is the mirror of the other players. The zero value is ready.
type crowd struct {
	generations Generations
	players     map[uint16]*remote
}

// remote is what is kept of one generation of a player_id.
type remote struct {
	Remote
	spawned bool   // his PlayerSpawned is here, since the last change of dimension
	framed  bool   // a frame newer than last_seq is here, since he was last out of view
	seq     uint32 // of Frame; 0: it is only what PlayerSpawned has said, or of an earlier dimension
	echoed  bool   // frames have carried the animation
	shot    uint32 // the seq of his last shot
	hasShot bool
}

type teller = func(func(Handler))

// frame takes a RemotePlayerSync. It says whether to tell of it: it is newer than the last one, of a player in view.
func (c *crowd) frame(p *protocol.RemotePlayerSync, tell teller) bool {
	if !c.generations.Frame(p.PlayerID, p.PlayerToken, p.Seq) {
		return false
	}
	r := c.adopt(p.PlayerID, p.PlayerToken, tell)
	r.Frame, r.framed, r.seq = p.Frame, true, p.Seq
	switch a := &r.Animation; {
	case a.ID == 0:
	case p.Frame.Animation == a.ID:
		r.echoed = true
	case r.echoed: // it has ended there
		*a, r.echoed = Animation{}, false
		r.told(tell)
	}
	if r.Shown {
		return true
	}
	r.appear(tell)
	return false // appear has told of it
}

// subject finds the player whom a packet is about, nil if it is void. Only PlayerSpawned is for whom nothing is known of.
func (c *crowd) subject(id uint16, token uint32, spawned bool, tell teller) *remote {
	if !c.generations.Subject(id, token, spawned) {
		return nil
	}
	return c.adopt(id, token, tell)
}

// adopt is the record of a live generation. One of an earlier owner of the id goes.
func (c *crowd) adopt(id uint16, token uint32, tell teller) *remote {
	r := c.players[id]
	if r != nil && r.Token == token {
		return r
	}
	if r != nil {
		r.hide(tell)
	}
	r = &remote{Remote: Remote{ID: id, Token: token, Appearance: defaultAppearance()}}
	if c.players == nil {
		c.players = make(map[uint16]*remote)
	}
	c.players[id] = r
	return r
}

// spawned takes a PlayerSpawned: a full appearance, which shows him as soon as a frame is here.
func (c *crowd) spawned(p *protocol.PlayerSpawned, tell teller) {
	r := c.subject(p.PlayerID, p.PlayerToken, true, tell)
	if r == nil {
		return
	}
	r.Appearance = Appearance{
		Skin:          p.Skin,
		FightingStyle: p.FightingStyle,
		WalkingStyle:  p.WalkingStyle,
		Skills:        p.Skills,
		Headless:      p.Flags&protocol.SpawnedHeadless != 0,
		OnFire:        p.Flags&protocol.SpawnedOnFire != 0,
		Action:        p.Action,
	}
	r.Dead, r.spawned, r.echoed = p.Flags&protocol.SpawnedDead != 0, true, false
	if r.framed {
		r.told(tell)
		r.appear(tell)
		return
	}
	heading := protocol.Angle(float64(p.Heading))
	r.seq = 0
	r.Frame = protocol.Frame{
		Interior: p.Interior, Position: p.Position, Heading: heading, AimYaw: heading,
		Weapon: p.Weapon, Action: p.Action, Health: p.Health, Armor: p.Armor,
	}
}

// streamOut takes a PlayerStreamOut: generation and appearance stay, and a newer frame shows him again.
func (c *crowd) streamOut(p *protocol.PlayerStreamOut, tell teller) {
	if !c.generations.StreamOut(p.PlayerID, p.PlayerToken, p.LastSeq) {
		return
	}
	r := c.adopt(p.PlayerID, p.PlayerToken, tell)
	r.hide(tell)
	if newer(r.seq, p.LastSeq) { // he is in view again, and his frames were faster than the lane
		r.framed = true
		r.appear(tell)
	}
}

// leave takes a PlayerLeave.
func (c *crowd) leave(id uint16, token uint32, tell teller) {
	if !c.generations.Leave(id, token) {
		return
	}
	if r := c.players[id]; r != nil {
		r.hide(tell)
		delete(c.players, id)
	}
}

// clear takes all out of view, as a new dimension does: each needs a new PlayerSpawned to be shown.
func (c *crowd) clear(tell teller) {
	for _, r := range c.sorted() {
		r.hide(tell)
		r.spawned, r.seq = false, 0
	}
}

// hide takes him out of view.
func (r *remote) hide(tell teller) {
	shown := r.Shown
	r.Shown, r.framed = false, false
	if shown {
		out := r.Remote
		tell(func(h Handler) { h.Remote(out) })
	}
}

// told tells of a change if he is in view.
func (r *remote) told(tell teller) {
	if r.Shown {
		now := r.Remote
		tell(func(h Handler) { h.Remote(now) })
	}
}

// appear shows him as soon as his PlayerSpawned and a frame are here.
func (r *remote) appear(tell teller) {
	if r.Shown || !r.spawned || !r.framed {
		return
	}
	r.Shown = true
	now := r.Remote
	tell(func(h Handler) {
		h.Remote(now)
		h.Frame(now.ID, now.Token, &now.Frame)
	})
}

// fired says whether a shot is newer than his last one.
func (r *remote) fired(seq uint32) bool {
	if r.hasShot && !newer(seq, r.shot) {
		return false
	}
	r.shot, r.hasShot = seq, true
	return true
}

// shown is a player in view.
func (c *crowd) shown(id uint16) (Remote, bool) {
	if r := c.players[id]; r != nil && r.Shown {
		return r.Remote, true
	}
	return Remote{}, false
}

// inView lists the players in view by id.
func (c *crowd) inView() []Remote {
	var list []Remote
	for _, r := range c.sorted() {
		if r.Shown {
			list = append(list, r.Remote)
		}
	}
	return list
}

func (c *crowd) sorted() []*remote {
	list := make([]*remote, 0, len(c.players))
	for _, r := range c.players {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *remote) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
