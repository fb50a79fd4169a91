package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// Figures of page Player, written out once more.
const (
	ms       = time.Millisecond
	perFrame = 40 * ms
)

var testRules = PlayerRules{
	Spawn:        SpawnPlace{Position: protocol.Vec3{X: 2495.3, Y: -1688.6, Z: 13.7}},
	RespawnDelay: 3 * time.Second, StreamDistance: 300, MaxStreamed: 200, MovementLimit: 100, Entrances: true,
}

// stage is a rig for players: what is relayed is noted, and requests that nobody decides take effect at once.
type stage struct {
	*rig
	relays  []protocol.RemotePlayerSync
	decides bool // somebody hears the cancellable events
}

func newStage(t *testing.T) *stage {
	s := &stage{rig: newRig(t)}
	s.w.cfg.Players = testRules
	s.w.cfg.Listens = func(event string) bool {
		return event == "player_pause" || s.decides && !strings.HasPrefix(event, "player_stream")
	}
	s.w.cfg.Relay = func(to []Link, b []byte) {
		_, m, err := protocol.Decode(b, protocol.ServerToClient)
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := m.(*protocol.RemotePlayerSync); ok {
			s.relays = append(s.relays, *f)
		}
	}
	s.rig.now = time.Second
	return s
}

// actor is a player with an honest client: its frames are what the server has, unless a test changes them.
type actor struct {
	*link
	s   *stage
	p   *Player
	seq uint32
}

func (s *stage) actor(name string) *actor {
	l, p := s.join(name)
	a := &actor{link: l, s: s, p: p}
	a.hush()
	return a
}

// alive is an actor who has arrived at players.spawn.
func (s *stage) alive(name string) *actor {
	a := s.actor(name)
	s.do(func(tx Tx) { tx.ReceiveRequestSpawn(a.p) })
	a.frame(nil)
	if a.p.life != Alive || a.p.arriving {
		s.t.Fatalf("%s is %v, arriving %t", name, a.p.life, a.p.arriving)
	}
	a.hush()
	return a
}

// hush forgets what was sent, relayed and told to scripts.
func (a *actor) hush() {
	a.drain()
	a.s.events, a.s.relays = nil, nil
}

// frame sends what the client sees 40 ms later.
func (a *actor) frame(change func(f *protocol.Frame)) {
	a.frameAfter(perFrame, change)
}

func (a *actor) frameAfter(d time.Duration, change func(f *protocol.Frame)) {
	a.s.rig.now += d
	a.s.w.pause.seen = a.s.rig.now // the clock ticks
	a.seq++
	m := &protocol.PlayerSync{Seq: a.seq, Frame: a.p.body}
	m.Frame.Time += uint16(d / ms)
	if change != nil {
		change(&m.Frame)
	}
	a.s.do(func(tx Tx) { tx.ReceiveSync(a.p, m) })
}

// frames sends a frame every 40 ms for a while.
func (a *actor) frames(d time.Duration, change func(f *protocol.Frame)) {
	for range d / perFrame {
		a.frame(change)
	}
}

// must runs an operation that has to succeed.
func (s *stage) must(f func(tx Tx) error) {
	s.t.Helper()
	s.do(func(tx Tx) {
		if err := f(tx); err != nil {
			s.t.Fatal(err)
		}
	})
}

// fails counts a player's failed checks of a kind.
func (a *actor) fails(kind Violation) uint32 {
	if a.p.failed == nil {
		return 0
	}
	return a.p.failed[kind].count
}

// allFails are the kinds that have failed.
func (a *actor) allFails() string {
	var list []string
	for kind := range violationKinds {
		if n := a.fails(kind); n > 0 {
			list = append(list, fmt.Sprintf("%v %d", kind, n))
		}
	}
	return strings.Join(list, ", ")
}

// lastOf is the newest packet of a type that was sent, and nil where none was.
func lastOf[P protocol.Packet](l *link) P {
	var none P
	for _, m := range slices.Backward(l.sent) {
		if p, ok := m.(P); ok {
			return p
		}
	}
	return none
}

// eventsOf are the events of a type that were posted.
func eventsOf[E Event](r *rig) []E {
	var list []E
	for _, e := range r.events {
		if x, ok := e.(E); ok {
			list = append(list, x)
		}
	}
	return list
}

// applyAll lets the cancellable events take effect, as the script loop does where no handler cancels.
func (s *stage) applyAll() {
	events := s.events
	s.events = nil
	for _, e := range events {
		c, ok := e.(Cancellable)
		if m, is := e.(interface{ Moot(Tx) bool }); ok && is {
			s.do(func(tx Tx) { ok = !m.Moot(tx) })
		}
		if ok {
			s.do(c.Apply)
		}
	}
}

func vec(x, y, z float32) protocol.Vec3 { return protocol.Vec3{X: x, Y: y, Z: z} }

func move(x, y, z float32) func(f *protocol.Frame) {
	return func(f *protocol.Frame) {
		f.Position.X += x
		f.Position.Y += y
		f.Position.Z += z
	}
}
