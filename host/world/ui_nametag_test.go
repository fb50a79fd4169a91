package world

import (
	"fmt"
	"strings"
	"testing"

	"darqline/protocol"
)

// tags is what an actor was sent of nametags since the last call.
func (a *actor) tags() string {
	var list []string
	for a.pace.Len() > 0 {
		a.flush()
	}
	for _, m := range a.sent {
		if m, ok := m.(*protocol.PlayerNametag); ok {
			list = append(list, fmt.Sprintf("%d %s|%s|%d|%g", m.PlayerToken, m.Name, m.Text, m.Flags, m.Distance))
		}
	}
	a.hush()
	return strings.Join(list, ", ")
}

func TestNametags(t *testing.T) {
	s := newStage(t)
	alice, bobby := s.alive("Alice"), s.alive("Bobby")
	look := func() { s.do(func(tx Tx) { tx.Look() }) }
	look()
	alice.tags()
	s.want("nothing of the default", bobby.tags(), "")
	set := func(viewer *Player, m protocol.PlayerNametag, by string, parts ...NametagPart) {
		s.t.Helper()
		s.must(func(tx Tx) error { return tx.SetNametag(alice.p, viewer, m, parts, by) })
	}
	const shown = protocol.NametagShown
	set(nil, protocol.PlayerNametag{Text: "Police"}, "a", NametagText)
	set(nil, protocol.PlayerNametag{Flags: shown}, "b", NametagHealth, NametagVisible)
	s.want("two changes are one packet", bobby.tags(), "100 |Police|21|40")
	s.want("not to himself", alice.tags(), "")
	set(nil, protocol.PlayerNametag{Text: "Police"}, "a", NametagText)
	s.want("no change", bobby.tags(), "")
	set(bobby.p, protocol.PlayerNametag{Name: "Suspect", Distance: 100}, "a", NametagName, NametagDistance)
	s.want("for one", bobby.tags(), "100 Suspect|Police|21|100")
	carol := s.actor("Carol")
	s.do(func(tx Tx) { tx.ReceiveRequestSpawn(carol.p) })
	carol.frame(nil)
	s.want("with the player, if it is not the default", carol.tags(), "100 |Police|21|40")
	set(nil, protocol.PlayerNametag{Distance: 50}, "b", NametagDistance)
	s.want("what is overridden does not look different", bobby.tags(), "")
	s.want("to the others it does", carol.tags(), "100 |Police|21|50")
	s.do(func(tx Tx) { tx.ResourceEnded("a") })
	s.want("a stops: what b has set stays", bobby.tags(), "100 ||21|50")
	s.do(func(tx Tx) { tx.ResetNametag(alice.p, nil) })
	s.want("reset", bobby.tags(), "100 ||23|40")
	set(bobby.p, protocol.PlayerNametag{Text: "you"}, "b", NametagText)
	bobby.tags()
	carol.tags()
	s.do(func(tx Tx) { tx.Leave(bobby.link, protocol.ReasonQuit, "") })
	if len(alice.p.tag.own) != 0 {
		t.Error("what one who has left was to see is kept")
	}
	s.do(func(tx Tx) {
		if tx.SetNametag(alice.p, nil, protocol.PlayerNametag{Distance: 301}, []NametagPart{NametagDistance}, "a") == nil ||
			tx.SetNametag(alice.p, nil, protocol.PlayerNametag{Text: "\a"}, []NametagPart{NametagText}, "a") == nil {
			t.Error("what a client would refuse was taken")
		}
	})
	s.want("nothing was sent", carol.tags(), "")
}
