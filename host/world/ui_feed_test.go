package world

import (
	"testing"

	"darqline/protocol"
)

func TestKillFeed(t *testing.T) {
	s := newStage(t)
	s.w.elements.feedOff = false
	a, b, c := s.alive("Tom"), s.alive("Ann"), s.alive("Bob")
	a.hush()
	s.must(func(tx Tx) error { return tx.Kill(a.p, b.p, protocol.CauseScript) })
	for _, test := range []struct {
		who  *actor
		want string
	}{{a, "kill Ann>Tom 2"}, {b, "kill Ann>Tom 2"}, {c, "kill Ann>Tom 0"}} {
		s.want(test.who.name, test.who.shows(), test.want)
	}
	s.decides = true
	s.events = nil
	s.must(func(tx Tx) error { return tx.Kill(b.p, nil, protocol.CauseScript) })
	s.want("handlers decide", c.shows(), "")
	s.applyAll()
	s.want("none has cancelled", c.shows(), "kill >Ann 0")
}
