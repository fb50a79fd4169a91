package world

import (
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// Figures of page Player, Streaming. A viewer gets every frame of who is near, of who is farther out those of every second
// tick, and of every fourth beyond. Frames are skipped, never held back: a tick is only a turn. In one tick a viewer gets the
// frames of all who are as far, and in the next ones none, so that they leave in one piece.
const (
	nearBy     = 100 // metres
	farther    = 200
	tick       = 40 * time.Millisecond
	relayRate  = 26 // frames a second of one player: 25, and a clock that is a little fast
	relayBurst = 4
)

// relayed is what has gone out of a player's frames.
type relayed struct {
	frames   uint32 // that were encoded: the seq of the last one
	rate     limit.Bucket
	owed     bool // one that no distance may hold back was over the rate: the next one is it
	farShots time.Duration
}

// relays are what sending a frame needs, kept so that it allocates nothing.
type relays struct {
	codec   protocol.Codec
	frame   protocol.RemotePlayerSync
	bytes   []byte
	to      []Link
	centres []protocol.Vec3 // by id
	widen   uint32          // of every tier, 1 unless the server is at its limit; 0 is 1
}

// SetWiden makes every distance tier get one frame of n times as many, for a server at its limit.
func (tx Tx) SetWiden(n int) { tx.w.relays.widen = uint32(n) }

// centred remembers where a connection's scope has its centre.
func (tx Tx) centred(p *Player, at protocol.Vec3) {
	r := &tx.w.relays
	for len(r.centres) <= int(p.ID) {
		r.centres = append(r.centres, protocol.Vec3{})
	}
	r.centres[p.ID] = at
}

// relay sends p.body to those who have him in scope and are due. now is set where no distance may hold it back.
func (tx Tx) relay(p *Player, now bool) {
	if at, _, ok := tx.centre(p); ok {
		tx.centred(p, at)
	}
	if len(p.viewers) == 0 || tx.w.cfg.Relay == nil {
		return
	}
	now = now || p.owed
	slot := uint32(tx.now() / tick)
	if p.owed = false; !p.rate.Take(tx.now(), relayRate, relayBurst, 1) {
		p.owed = now
		return
	}
	r := &tx.w.relays
	p.frames++
	r.to = r.to[:0]
	for i := range p.viewers {
		v := &p.viewers[i]
		if now || (slot+uint32(v.id))%tx.every(p, v.id) == 0 {
			r.to = append(r.to, v.link)
		}
	}
	tx.sendFrame(p)
}

// every says how many of a player's frames one is for a viewer.
func (tx Tx) every(p *Player, viewer uint16) uint32 {
	r := &tx.w.relays
	d, n := squareOf(r.centres[viewer], p.body.Position), uint32(4)
	switch {
	case p.body.Flags&protocol.FlagSeated != 0: // his vehicle moves by frames of its own
	case d < nearBy*nearBy:
		n = 1
	case d < farther*farther:
		n = 2
	}
	return n * max(1, r.widen)
}

// relayTo sends a player's newest frame to one who has just got him into scope.
func (tx Tx) relayTo(v, p *Player) {
	if tx.w.cfg.Relay == nil {
		return
	}
	p.frames++
	tx.w.relays.to = append(tx.w.relays.to[:0], v.link)
	tx.sendFrame(p)
}

// sendFrame encodes the frame once, for all.
func (tx Tx) sendFrame(p *Player) {
	r := &tx.w.relays
	r.frame.PlayerID, r.frame.PlayerToken, r.frame.Seq, r.frame.Frame = p.ID, p.Token, p.frames, p.body
	tx.sendOff(&r.frame)
}

// relayShot sends a shot to the shooter's viewers, at once; beyond 100 m at most one a tick.
func (tx Tx) relayShot(p *Player, m *protocol.RemoteWeaponShot) {
	if tx.w.cfg.Relay == nil {
		return
	}
	r := &tx.w.relays
	far := tx.now()-p.farShots >= tick
	r.to = r.to[:0]
	for i := range p.viewers {
		v := &p.viewers[i]
		near := squareOf(r.centres[v.id], p.body.Position) < nearBy*nearBy
		if near || far {
			r.to = append(r.to, v.link)
		}
		if !near && far {
			p.farShots = tx.now()
		}
	}
	tx.sendOff(m)
}

// sendOff encodes a packet off the lane and sends it to relays.to.
func (tx Tx) sendOff(m protocol.Packet) {
	r := &tx.w.relays
	if len(r.to) == 0 {
		return
	}
	b, err := r.codec.Append(r.bytes[:0], protocol.Header{}, m)
	if err != nil {
		panic(err) // what the rules let through does not encode: the host says so and drops it
	}
	r.bytes = b
	tx.w.cfg.Relay(r.to, b)
}
