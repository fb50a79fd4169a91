package world

import (
	"iter"
	"time"

	"darqline/protocol"
)

// memory is how long positions are kept for the checks of page Combat.
const memory = time.Second

// trail is where a player was: a ring of the newest accepted positions.
type trail struct {
	spots [64]spot // more than the frames of a second
	next  uint32
}

type spot struct {
	at       time.Duration
	position protocol.Vec3
	set      bool
}

func (t *trail) add(now time.Duration, at protocol.Vec3) {
	t.spots[t.next%uint32(len(t.spots))] = spot{now, at, true}
	t.next++
}

// lastSecond are the positions that the player had in the last second, newest first: the accepted ones, and the one where
// he was when it began.
func (tx Tx) lastSecond(p *Player) iter.Seq[protocol.Vec3] {
	now, t := tx.now(), &p.motion.trail
	return func(yield func(protocol.Vec3) bool) {
		for i := range uint32(len(t.spots)) {
			s := &t.spots[(t.next-1-i)%uint32(len(t.spots))]
			if !s.set || !yield(s.position) || now-s.at >= memory {
				return
			}
		}
	}
}
