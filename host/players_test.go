package host_test

import (
	"fmt"
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

// at has a player's client stand somewhere near.
func (p *person) at(x, y, z float32) {
	p.move(func(f *protocol.Frame) { f.Position = protocol.Vec3{X: x, Y: y, Z: z} })
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
		for _, r := range v.c.Remotes() {
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
			if in, settled := scope(tx, v.centre(tx, viewer), subject); settled && in != tx.Sees(viewer, subject) {
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
