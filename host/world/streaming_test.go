package world

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"darqline/protocol"
)

// theatre is a stage on which everybody's client is followed by what reaches it, and nobody may hear of anyone out of his
// scope.
type theatre struct {
	*stage
	all []*seat
}

// seat is an actor and what his client knows of the others.
type seat struct {
	*actor
	shown     map[uint32]bool // by token: PlayerSpawned came, and neither PlayerStreamOut nor PlayerLeave
	dead      map[uint32]bool
	dimension uint16
	lives     map[uint32]string // the edges of others' lives, in order
}

func newTheatre(t *testing.T) *theatre {
	th := &theatre{stage: newStage(t)}
	th.w.cfg.Relay = func(to []Link, b []byte) {
		_, m, err := protocol.Decode(b, protocol.ServerToClient)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := m.(*protocol.RemotePlayerSync)
		if !ok {
			return
		}
		for _, l := range to {
			viewer, subject := l.(*link), th.w.tokens[f.PlayerToken]
			if subject == nil || viewer.token == f.PlayerToken {
				t.Fatalf("a frame of %d goes to %s", f.PlayerToken, viewer.name)
			}
			if p := th.w.links[l]; p == nil || !p.view.Has(uint32(subject.ID)) {
				t.Fatalf("a frame of %s goes to %s, who has him not in scope", subject.Name(), viewer.Name())
			}
		}
		th.relays = append(th.relays, *f)
	}
	return th
}

func (th *theatre) enter(name string) *seat {
	s := &seat{actor: th.actor(name), shown: map[uint32]bool{}, dead: map[uint32]bool{}, lives: map[uint32]string{}}
	th.all = append(th.all, s)
	return s
}

// spawn lets him arrive at a place.
func (s *seat) spawn(at protocol.Vec3, dimension uint16) {
	s.s.must(func(tx Tx) error {
		how := tx.SpawnDefaults(s.p)
		how.Position, how.Dimension = at, dimension
		return tx.Spawn(s.p, how, "")
	})
	s.frame(nil)
}

// listen makes a pass of his pacer and takes in what came. Each packet about another must be about one in his scope,
// unless it is the end of somebody who was, or an edge of the life before a respawn.
func (s *seat) listen() {
	s.s.t.Helper()
	if err := s.pace.Flush(s.s.rig.now, s.link); err != nil {
		s.s.t.Fatal(err)
	}
	for _, m := range s.sent {
		s.hear(m)
	}
	s.sent = nil
}

func (s *seat) hear(m protocol.Packet) {
	t := s.s.t
	t.Helper()
	in := func(id uint16, token uint32) {
		t.Helper()
		if token == s.token {
			return
		}
		if p := s.s.w.tokens[token]; p == nil || !s.p.view.Has(uint32(id)) && !p.arriving {
			t.Fatalf("%s is sent %v of %d, who is not in his scope", s.name, m.ID(), token)
		}
	}
	switch m := m.(type) {
	case *protocol.PlayerSpawned:
		if m.Reason == protocol.SpawnedInView { // else it is a life that he saw begin, and that may have ended since
			in(m.PlayerID, m.PlayerToken)
		}
		if s.shown[m.PlayerToken] {
			t.Fatalf("%s is shown %d twice", s.name, m.PlayerToken)
		}
		s.shown[m.PlayerToken], s.dead[m.PlayerToken] = true, m.Flags&protocol.SpawnedDead != 0
		s.lives[m.PlayerToken] += "s"
	case *protocol.PlayerWasted:
		if !s.shown[m.PlayerToken] { // else it is the end of a life that he saw
			in(m.PlayerID, m.PlayerToken)
		}
		s.dead[m.PlayerToken] = true
		s.lives[m.PlayerToken] += "d"
	case *protocol.PlayerStreamOut:
		if s.lives[m.PlayerToken] == "" {
			t.Fatalf("%s hears that %d leaves his scope, whom he never saw", s.name, m.PlayerToken)
		}
		delete(s.shown, m.PlayerToken)
	case *protocol.PlayerLeave:
		delete(s.shown, m.PlayerToken)
	case *protocol.SetSkin:
		in(m.PlayerID, m.PlayerToken)
		if m.PlayerToken != s.token && !s.shown[m.PlayerToken] {
			t.Fatalf("%s hears of the skin of %d before he sees him", s.name, m.PlayerToken)
		}
	case *protocol.SpawnPlayer:
		s.into(m.Spawn.Dimension)
	case *protocol.RespawnPlayer:
		s.into(m.Spawn.Dimension)
	case *protocol.ScopeChanged:
		s.into(m.Dimension)
	}
}

// into takes all others out of view in another dimension, without a word from the server.
func (s *seat) into(dimension uint16) {
	if s.dimension != dimension {
		clear(s.shown)
	}
	s.dimension = dimension
}

// step gives everyone's lane a pass and the clock a tick.
func (th *theatre) step() {
	th.rig.now += 25 * ms
	th.do(func(tx Tx) { tx.Tick() })
	for _, s := range th.all {
		if !s.p.gone {
			s.listen()
		}
	}
}

// rest lets everything settle: every lane is free, every scope was looked at.
func (th *theatre) rest() {
	for _, s := range th.all {
		s.unacked = 0
	}
	for range 40 {
		th.step()
	}
}

// agree holds what everybody sees, and what his client shows, to the rule by all pairs.
func (th *theatre) agree() {
	th.t.Helper()
	for _, v := range th.all {
		if v.p.gone {
			continue
		}
		at, dimension, ok := Tx{th.w}.centre(v.p)
		for _, s := range th.all {
			if s == v {
				continue
			}
			has := v.p.view.Has(uint32(s.p.ID)) && !s.p.gone
			d := distance(at, s.p.body.Position)
			must := ok && s.p.shows() && dimension == s.p.dimension
			if must && d < 300 && !has || has && (!must || d > 330) {
				th.t.Fatalf("%s has %s in scope: %t, at %.1f m, could be seen: %t", v.name, s.name, has, d, must)
			}
			if has != v.shown[s.token] {
				th.t.Fatalf("%s has %s in scope: %t, and his client shows him: %t", v.name, s.name, has, v.shown[s.token])
			}
			if has && v.dead[s.token] != (s.p.life == Wasted) {
				th.t.Fatalf("%s sees %s dead: %t, who is %v", v.name, s.name, v.dead[s.token], s.p.life)
			}
		}
	}
}

// TestScopesUnderEverything: players walk, teleport, change dimension, hide, die, respawn, look elsewhere and leave, with
// lanes that stand still for a while. Nobody is ever sent a word about who is not in his scope, and after quiet everyone
// sees whom he should.
func TestScopesUnderEverything(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			th := newTheatre(t)
			place := func() protocol.Vec3 {
				return protocol.Vec3{X: r.Float32()*900 - 450, Y: r.Float32()*900 - 450, Z: 10}
			}
			names := 0
			enter := func() {
				names++
				th.enter(fmt.Sprint("P", names)).spawn(place(), uint16(r.IntN(2)))
			}
			for range 8 {
				enter()
			}
			for range 600 {
				s := th.all[r.IntN(len(th.all))]
				if s.p.gone {
					continue
				}
				th.act(r, s, place)
				if r.IntN(40) == 0 && names < 20 {
					enter()
				}
				th.step()
				if r.IntN(100) == 0 {
					th.rest()
					th.agree()
				}
			}
			th.rest()
			th.agree()
		})
	}
}

// act does something random to a player, or lets him do it.
func (th *theatre) act(r *rand.Rand, s *seat, place func() protocol.Vec3) {
	switch n := r.IntN(20); {
	case n < 9:
		if s.p.life == Alive {
			s.frame(func(f *protocol.Frame) { f.Position.X += r.Float32()*4 - 2 })
		}
	case n == 9:
		th.do(func(tx Tx) {
			at := place()
			tx.Teleport(s.p, Teleport{Position: &at})
		})
	case n == 10:
		th.do(func(tx Tx) {
			dimension := uint16(r.IntN(2))
			tx.Teleport(s.p, Teleport{Dimension: &dimension})
		})
	case n == 11:
		th.do(func(tx Tx) { tx.SetHidden(s.p, r.IntN(2) == 0, "") })
	case n == 12:
		th.do(func(tx Tx) { tx.Kill(s.p, nil, protocol.CauseScript) })
	case n == 13:
		if s.p.life == Wasted {
			s.spawn(place(), uint16(r.IntN(2)))
		}
	case n == 14:
		th.do(func(tx Tx) {
			at := place()
			tx.SetCamera(s.p, Camera{Position: at, Target: protocol.Vec3{X: at.X + 1, Y: at.Y, Z: at.Z}}, "")
		})
	case n == 15:
		th.do(func(tx Tx) { tx.ResetCamera(s.p) })
	case n == 16:
		th.do(func(tx Tx) { tx.SetSkin(s.p, uint16(7+r.IntN(20)*2)) })
	case n == 17:
		s.unacked = r.IntN(2) * 150 // no pass is made above 128
	case n == 18 && r.IntN(6) == 0:
		th.do(func(tx Tx) { tx.Leave(s.link, protocol.ReasonQuit, "") })
	default:
		th.do(func(tx Tx) {
			o := th.all[r.IntN(len(th.all))]
			if o != s && !o.p.gone {
				tx.Spectate(s.p, o.p, 0, "")
			}
		})
	}
}

// TestEdgesOfALifeAreNotMerged: on a lane that stands still a viewer still sees the death before the respawn.
func TestEdgesOfALifeAreNotMerged(t *testing.T) {
	th := newTheatre(t)
	at := protocol.Vec3{X: 100, Y: 100, Z: 10}
	a, b := th.enter("Alice"), th.enter("Bob")
	a.spawn(at, 0)
	b.spawn(at, 0)
	th.rest()
	b.unacked = 150
	for range 3 {
		th.do(func(tx Tx) { tx.Kill(a.p, nil, protocol.CauseScript) })
		th.step()
		a.spawn(at, 0)
		th.step()
	}
	th.want("told while the lane stands still", b.lives[a.token], "s")
	th.rest()
	th.want("told in the end", b.lives[a.token], "sdsdsds")
	th.agree()
}

// TestCameAndWentIsNotTold: who was in scope for a moment only, while the lane stood still, was never there; and a leave
// is told to who has seen somebody though the list with his name still waits.
func TestCameAndWentIsNotTold(t *testing.T) {
	th := newTheatre(t)
	a, b := th.enter("Alice"), th.enter("Bob")
	a.spawn(protocol.Vec3{X: 1000, Y: 100, Z: 10}, 0)
	b.spawn(protocol.Vec3{X: 100, Y: 100, Z: 10}, 0)
	th.rest()
	b.unacked = 150
	for _, x := range []float32{110, 1000, 120, 1000} {
		th.do(func(tx Tx) { tx.Teleport(a.p, Teleport{Position: &protocol.Vec3{X: x, Y: 100, Z: 10}}) })
	}
	th.rest()
	th.want("told", b.lives[a.token], "")
	th.do(func(tx Tx) { tx.Teleport(a.p, Teleport{Position: &protocol.Vec3{X: 120, Y: 100, Z: 10}}) })
	th.rest()
	th.want("told when he stays", b.lives[a.token], "s")
	th.do(func(tx Tx) { tx.Leave(a.link, protocol.ReasonQuit, "") })
	th.rest()
	if len(b.shown) != 0 {
		t.Error("who has left is still shown")
	}
}

// TestDistanceTiers: every frame nearby, every second one to 200 m, every fourth beyond; none is held back.
func TestDistanceTiers(t *testing.T) {
	th := newTheatre(t)
	got := map[string]int{}
	relay := th.w.cfg.Relay
	a := th.enter("Alice")
	a.spawn(protocol.Vec3{X: 0, Y: 0, Z: 10}, 0)
	for i, x := range []float32{50, 150, 250} {
		th.enter(fmt.Sprint("Viewer", i)).spawn(protocol.Vec3{X: x, Y: 0, Z: 10}, 0)
	}
	th.rest()
	th.w.cfg.Relay = func(to []Link, b []byte) {
		relay(to, b)
		for _, l := range to {
			got[l.Name()]++
		}
	}
	walk := func(n int) string {
		clear(got)
		for range n {
			a.frame(func(f *protocol.Frame) { f.Position.Y += 0.1 })
		}
		return fmt.Sprint(got["Viewer0"], got["Viewer1"], got["Viewer2"])
	}
	th.want("frames", walk(100), "100 50 25")
	th.do(func(tx Tx) { tx.SetWiden(2) })
	th.want("frames at the limit", walk(100), "50 25 13")
	th.do(func(tx Tx) { tx.SetWiden(1) })
	clear(got)
	a.frame(func(f *protocol.Frame) { f.Keys |= protocol.KeyFire })
	th.want("a change of what all must see", fmt.Sprint(got["Viewer0"], got["Viewer1"], got["Viewer2"]), "1 1 1")
}

// TestRelayRate: a client that sends too often does not make the server send more.
func TestRelayRate(t *testing.T) {
	th := newTheatre(t)
	a, b := th.enter("Alice"), th.enter("Bob")
	a.spawn(protocol.Vec3{X: 0, Y: 0, Z: 10}, 0)
	b.spawn(protocol.Vec3{X: 5, Y: 0, Z: 10}, 0)
	th.rest()
	a.hush()
	for range 400 { // 10 s at 40 Hz
		a.frameAfter(25*ms, func(f *protocol.Frame) { f.Position.Y += 0.1 })
	}
	if n := len(th.relays); n < 250 || n > 270 {
		t.Errorf("400 frames in 10 s are relayed as %d, want about 260", n)
	}
}

// TestMaxStreamed: in a crowd everybody sees the nearest, and no more.
func TestMaxStreamed(t *testing.T) {
	th := newTheatre(t)
	th.w.cfg.Players.MaxStreamed = 5
	for i := range 12 {
		th.enter(fmt.Sprint("P", i)).spawn(protocol.Vec3{X: float32(i * 25), Y: 0, Z: 10}, 0)
	}
	th.rest()
	for i, s := range th.all {
		if n := len(s.shown); n != 5 {
			t.Errorf("%s is shown %d others, want 5", s.name, n)
		}
		if i == 0 && (!s.shown[th.all[1].token] || s.shown[th.all[11].token]) {
			t.Errorf("the first sees %v", s.shown)
		}
	}
}

// TestStreamEvents: what is in scope is told to scripts that want to know, in and out in turn.
func TestStreamEvents(t *testing.T) {
	th := newTheatre(t)
	th.w.cfg.Listens = func(event string) bool { return strings.HasPrefix(event, "player_stream") }
	a, b := th.enter("Alice"), th.enter("Bob")
	a.spawn(protocol.Vec3{X: 0, Y: 0, Z: 10}, 0)
	b.spawn(protocol.Vec3{X: 5, Y: 0, Z: 10}, 0)
	th.events = nil
	th.do(func(tx Tx) { tx.Teleport(a.p, Teleport{Position: &protocol.Vec3{X: 1000}}) })
	th.do(func(tx Tx) { tx.Teleport(a.p, Teleport{Position: &protocol.Vec3{X: 10}}) })
	th.do(func(tx Tx) { tx.Leave(a.link, protocol.ReasonQuit, "") })
	var told []string
	for _, e := range eventsOf[StreamEvent](th.rig) {
		told = append(told, fmt.Sprint(e.Player.Name(), " ", e.In, " ", e.Viewer.Name()))
	}
	th.want("events", strings.Join(told, ", "), "Bob false Alice, Alice false Bob, Bob true Alice, Alice true Bob, "+
		"Bob false Alice, Alice false Bob")
}
