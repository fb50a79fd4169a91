package host_test

import (
	"darqline/host/udp"
	"fmt"
	"testing"
	"time"

	"darqline/client"
	"darqline/host/world"
	"darqline/protocol"
)

// What persons do in the world, beside what bubble_test.go has them do.

// Weapons of the tests.
const (
	colt      = protocol.Weapon(22)
	ak47      = protocol.Weapon(30)
	knife     = protocol.Weapon(4)
	grenade   = protocol.Weapon(16)
	satchel   = protocol.WeaponSatchel
	detonator = protocol.WeaponDetonator
)

func (p *person) Remote(r client.Remote) {
	if r.Shown {
		p.b.judge.showed(p, r.ID, r.Token)
	}
}

func (p *person) Frame(id uint16, token uint32, f *protocol.Frame) {
	p.mu.Lock()
	p.frames++
	p.mu.Unlock()
	p.b.judge.framed(p, id, token, f)
}

// enter is join, until the player has arrived in the world.
func (b *bubble) enter(name string) *person {
	b.t.Helper()
	p := b.join(name)
	b.eventually(10*time.Second, name+" has arrived", func() bool { return b.arrived(p) })
	return p
}

// arrived says whether a player is in the world, by his client and by the server.
func (b *bubble) arrived(p *person) (is bool) {
	b.tell(p, func(tx world.Tx, q *world.Player) {
		is = p.c.Self().State == client.Alive && tx.State(q) == world.Alive && !tx.Arriving(q)
	})
	return is
}

// tell does something to a player, with the permit; nothing to one who is not here.
func (b *bubble) tell(p *person, f func(tx world.Tx, q *world.Player)) {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	tx := b.host.World().Begin()
	defer tx.End()
	if q := tx.PlayerByID(s.PlayerID); q != nil && q.Token == s.PlayerToken {
		f(tx, q)
	}
}

// shows says whether a person's client shows another.
func (p *person) shows(other *person) bool {
	r, ok := p.c.Remote(other.id())
	return ok && r.Token == other.token()
}

func (p *person) id() uint16    { p.mu.Lock(); defer p.mu.Unlock(); return p.session.PlayerID }
func (p *person) token() uint32 { p.mu.Lock(); defer p.mu.Unlock(); return p.session.PlayerToken }

// move changes the frame of a player's client.
func (p *person) move(change func(f *protocol.Frame)) {
	f := p.c.Self().Frame
	change(&f)
	_ = p.c.Move(f) // an error is that of a session that is over
}

// agreement is what server and clients do not agree on, and "" where they do: whom a client shows is in its scope and as he
// is, by his own client and by the server. It tells who sees whom wrongly, too.
func (b *bubble) agreement(all []*person) (what string, who pair) {
	tx := b.host.World().Begin()
	defer tx.End()
	byToken := make(map[uint32]*person)
	for _, p := range all {
		byToken[p.token()] = p
	}
	for _, v := range all {
		viewer := tx.PlayerByID(v.id())
		if viewer == nil || viewer.Token != v.token() {
			return v.name + " is not here", pair{}
		}
		remotes := v.c.Remotes()
		if len(remotes) > b.cfg.Players.MaxStreamed {
			return fmt.Sprintf("%s shows %d players", v.name, len(remotes)), pair{v.token(), 0}
		}
		for _, r := range remotes {
			if byToken[r.Token] == nil {
				return fmt.Sprintf("%s shows player %d, who is not here", v.name, r.Token), pair{v.token(), r.Token}
			}
		}
		for _, s := range all {
			subject := tx.PlayerByID(s.id())
			if s == v || subject == nil {
				continue
			}
			who = pair{viewer.Token, subject.Token}
			if in, settled := scope(tx, v.centre(tx, viewer), subject); settled && in != tx.Sees(viewer, subject) && !(in && b.full(tx, v, viewer, subject)) {
				return fmt.Sprintf("%s has %s in scope: %t", v.name, s.name, !in), who
			}
			r, shown := v.c.Remote(s.id())
			if shown != tx.Sees(viewer, subject) {
				return fmt.Sprintf("%s shows %s: %t", v.name, s.name, shown), who
			}
			if shown {
				if what := differs(tx, subject, s, &r); what != "" {
					return fmt.Sprintf("%s sees %s with %s", v.name, s.name, what), who
				}
			}
		}
	}
	return "", pair{}
}

// scope is the rule of page Player, Streaming; between the distances of entering and of leaving both are right.
func scope(tx world.Tx, from, to *world.Player) (in, settled bool) {
	far, err := tx.DistanceTo(from, tx.Frame(to).Position, tx.Dimension(to))
	in = err == nil && !tx.Hidden(to) && tx.State(to) != world.PreSpawn && !tx.Arriving(to) && far <= 1.1*streamDistance
	return in, !in || far < streamDistance
}

// centre is from where a person's scope is: himself, or whom his camera follows.
func (p *person) centre(tx world.Tx, own *world.Player) *world.Player {
	me := p.c.Self()
	if me.Camera.Mode != protocol.CameraFollowPlayer {
		return own
	}
	return tx.PlayerByID(me.Camera.PlayerID)
}

// full says that somebody is rightly not in a scope that has players.max_streamed already: none of those is 20 m farther.
func (b *bubble) full(tx world.Tx, v *person, viewer, subject *world.Player) bool {
	at := tx.Frame(v.centre(tx, viewer)).Position
	far := func(p *world.Player) float64 { d, _ := tx.DistanceTo(p, at, tx.Dimension(p)); return d }
	n := 0
	for _, p := range tx.Players() {
		if tx.Sees(viewer, p) {
			n++
			if far(p) >= far(subject)+20 {
				return false
			}
		}
	}
	return n == b.cfg.Players.MaxStreamed
}

// differs says in what a player is not the same for the server, his own client and another's.
func differs(tx world.Tx, q *world.Player, own *person, r *client.Remote) string {
	me, f := own.c.Self(), tx.Frame(q)
	dead := tx.State(q) == world.Wasted
	spectates := me.Spectates() // his frames are not read then, and his own has the interior that he looks into
	for _, is := range []struct {
		what               string
		seen, own, servers any
	}{
		{"generation", r.Token, me.Token, q.Token},
		{"dead", r.Dead, me.State == client.Wasted, dead},
		{"position", r.Frame.Position, me.Frame.Position, f.Position},
		{"epoch", r.Frame.Epoch, me.Frame.Epoch, f.Epoch},
		{"interior", r.Frame.Interior, me.Frame.Interior, tx.Interior(q)},
		{"health", r.Frame.Health, me.Frame.Health, f.Health},
		{"armor", r.Frame.Armor, me.Frame.Armor, f.Armor},
		{"weapon", r.Frame.Weapon, me.Frame.Weapon, f.Weapon},
		{"skin", r.Skin, me.Skin, tx.Skin(q)},
		{"walking style", r.WalkingStyle, me.WalkingStyle, tx.WalkingStyle(q)},
		{"headless", r.Headless, me.Headless, tx.Headless(q)},
	} {
		if is.seen != is.servers || is.own != is.servers && !spectates {
			return fmt.Sprintf("%s %v; his own is %v, the server's %v", is.what, is.seen, is.own, is.servers)
		}
	}
	return ""
}

// couple is Alice and Bobby who see each other over a line with a delay.
func couple(t *testing.T, test func(b *bubble, alice, bobby *person)) {
	inBubble(t, 1, files{}, nil, func(b *bubble) {
		b.mem.SetPath(udp.Path{Delay: 50 * time.Millisecond})
		alice, bobby := b.enter("Alice"), b.enter("Bobby")
		b.agree(alice, bobby)
		test(b, alice, bobby)
		if faults := b.judge.verdict(); faults != "" {
			t.Error(faults)
		}
	})
}

// agree waits until all agree on who sees whom, and how.
func (b *bubble) agree(all ...*person) {
	b.t.Helper()
	what := ""
	b.eventually(2*time.Second, "they agree", func() bool { what, _ = b.agreement(all); return what == "" })
}

// Who comes into scope and leaves it at once was there before: the frame that came with the entry shows no ghost.
func TestNoGhostOfWhoComesAndGoesAtOnce(t *testing.T) {
	couple(t, func(b *bubble, alice, bobby *person) {
		hide := func(hidden ...bool) {
			b.tell(bobby, func(tx world.Tx, p *world.Player) {
				for _, h := range hidden {
					tx.SetHidden(p, h, "test")
				}
			})
			rest(700 * time.Millisecond)
			if in := !hidden[len(hidden)-1]; alice.shows(bobby) != in {
				t.Errorf("hidden %v, and Alice shows him: %t", hidden, !in)
			}
		}
		hide(true)
		hide(false, true)
		hide(false)
		hide(true, false, true)
		hide(false, true, false)
	})
}

// Who is frozen and respawns is let go for as long as the SetFrozen behind it takes, and not pulled back for that.
func TestTheFrozenMayRespawn(t *testing.T) {
	couple(t, func(b *bubble, alice, bobby *person) {
		b.tell(bobby, func(tx world.Tx, p *world.Player) { _ = tx.SetFrozen(p, true, "test") })
		rest(2 * time.Second)
		bobby.move(func(f *protocol.Frame) { f.Position.X += 5 })
		b.agree(alice, bobby) // he does not move
		b.lookout.loseNext(protocol.IDSetFrozen, 1)
		b.tell(bobby, func(tx world.Tx, p *world.Player) { _ = tx.Spawn(p, tx.SpawnDefaults(p), "test") })
		for range 30 {
			bobby.move(func(f *protocol.Frame) { f.Position.X += 0.3 })
			rest(10 * time.Millisecond)
		}
		rest(time.Second)
		b.agree(alice, bobby)
		if n := b.lookout.pulls[bobby.token()]; n > 0 {
			t.Errorf("he was pulled back %d times", n)
		}
	})
}

// Over a line that loses everything for a while, an honest player walks on, is teleported, and ends where the server has
// put him.
func TestATeleportOverADeadLine(t *testing.T) {
	couple(t, func(b *bubble, alice, bobby *person) {
		b.mem.SetPathTo(serverHost, bobby.addr, udp.Path{Loss: 1}) // he hears nothing, and is heard
		to := protocol.Vec3{X: 2600, Y: -1600, Z: 20}
		b.tell(bobby, func(tx world.Tx, p *world.Player) { _ = tx.Teleport(p, world.Teleport{Position: &to}) })
		for range 50 {
			bobby.move(func(f *protocol.Frame) { f.Position.X += 0.2 })
			rest(40 * time.Millisecond)
		}
		if r, _ := alice.c.Remote(bobby.id()); r.Frame.Position != to {
			t.Errorf("Alice sees him at %v, he was put to %v", r.Frame.Position, to)
		}
		b.mem.SetPathTo(serverHost, bobby.addr, udp.Path{Delay: 50 * time.Millisecond})
		b.agree(alice, bobby)
		if at := bobby.c.Self().Frame.Position; at != to {
			t.Errorf("he is at %v", at)
		}
	})
}

// A third who follows another with his camera sees whom that one sees, and is seen where he stands.
func TestSpectatorsSeeWhatTheirSubjectSees(t *testing.T) {
	couple(t, func(b *bubble, alice, bobby *person) {
		carol := b.enter("Carol")
		far, dimension := protocol.Vec3{X: 0, Y: 0, Z: 10}, uint16(3)
		b.tell(carol, func(tx world.Tx, p *world.Player) {
			_ = tx.Teleport(p, world.Teleport{Position: &far, Dimension: &dimension})
		})
		rest(time.Second)
		if alice.shows(carol) || carol.shows(alice) {
			t.Error("they see each other in two dimensions")
		}
		watch := func(whom *person) {
			tx := b.host.World().Begin()
			defer tx.End()
			if err := tx.Spectate(tx.PlayerByID(carol.id()), tx.PlayerByID(whom.id()), 0, "test"); err != nil {
				t.Fatal(err)
			}
		}
		watch(alice)
		rest(time.Second)
		if !carol.shows(alice) || !carol.shows(bobby) || alice.shows(carol) {
			t.Errorf("Carol shows Alice: %t, Bobby: %t; Alice shows Carol: %t", carol.shows(alice), carol.shows(bobby), alice.shows(carol))
		}
		b.tell(alice, func(tx world.Tx, p *world.Player) { _ = tx.SetDimension(p, 9) })
		rest(time.Second)
		if !carol.shows(alice) || carol.shows(bobby) {
			t.Errorf("in another dimension Carol shows Alice: %t, Bobby: %t", carol.shows(alice), carol.shows(bobby))
		}
		alice.leave() // whom he follows goes: he has his own camera again
		rest(time.Second)
		if me := carol.c.Self(); me.Spectates() || me.Dimension != dimension || len(carol.c.Remotes()) > 0 {
			t.Errorf("Carol looks into dimension %d and shows %d", me.Dimension, len(carol.c.Remotes()))
		}
	})
}
