package session

import (
	"time"

	"darqline/protocol"
)

// What the Unconfirmed may take up (page Connection, Limits). Whoever proves his address and never confirms costs himself two
// datagrams, so what he holds is for those who do confirm: his place as soon as somebody needs it, and no more is sent to
// him than he could miss.
const (
	minUnconfirmed = 4                      // connections; or a quarter of server.max_players
	confirmTime    = 500 * time.Millisecond // in which an honest client confirms: a round trip, on a long way too
)

// share is how many may be Unconfirmed at once.
func (s *Sessions) share() int { return max(minUnconfirmed, s.cfg.MaxPlayers/4) }

// hesitant is how many could have confirmed by now and have not.
func (s *Sessions) hesitant(now time.Duration) (n int) {
	if s.states[Unconfirmed] == 0 {
		return 0
	}
	for _, c := range s.conns {
		if c.hesitates(now) {
			n++
		}
	}
	return n
}

func (c *Conn) hesitates(now time.Duration) bool { return c.state == Unconfirmed && now >= c.ownUntil }

// silenced says that nothing more of the lane goes out until the connection is confirmed: the first pass is on its way, and to
// send it again and again to one who does not answer would make his two datagrams a thousand of the server's. What was lost
// of it goes out again at once when he confirms, by an answer to any ServerKeepalive.
func (c *Conn) silenced() bool { return c.state == Unconfirmed && c.greeted }

// crowded says that a hello has to wait, because nobody could be admitted now but in the place of one who may be about to
// confirm. It is not refused: under a flood it is chance whose hello comes at the right moment, and a client that asks
// twice a second has twenty chances. Whose address is here already takes its own place.
func (s *Sessions) crowded(now time.Duration, a *Attempt) bool {
	left := s.share() - s.states[Unconfirmed] - len(s.attempts)
	if left > 0 || len(s.attempts) >= maxPending {
		return false
	}
	if c := s.byAddr[a.key.addr]; c != nil && c.state == Unconfirmed || s.pendingOf(a.key.addr) != nil {
		return false
	}
	return left+s.hesitant(now) <= 0
}

// makeRoom forgets the Unconfirmed one that has hesitated longest, where an attempt needs its place: in silence, as when its
// time is over.
func (s *Sessions) makeRoom(now time.Duration, a *Attempt) {
	if s.states[Unconfirmed] < s.share() && len(s.conns)+s.held(a) < s.cfg.MaxPlayers {
		return
	}
	var longest *Conn
	for _, c := range s.conns {
		if c.state == Unconfirmed && (longest == nil || c.ownUntil < longest.ownUntil) {
			longest = c
		}
	}
	if longest != nil {
		longest.end(now, protocol.ReasonTimeout, "", 0, false)
	}
}
