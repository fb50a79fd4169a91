package world

import (
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

const (
	grenade = protocol.Weapon(16)
	rocket  = protocol.Weapon(35)
)

// throw is a's throw.
func (d *duel) throw(w protocol.Weapon, change func(m *protocol.ProjectileCreate)) {
	m := &protocol.ProjectileCreate{Weapon: w, Origin: d.a.p.body.Position, Velocity: vec(0, 10, 5)}
	if change != nil {
		change(m)
	}
	d.do(func(tx Tx) { tx.Receive(d.a.p, m) })
}

// projectiles are those that b was shown, straight or paced.
func (d *duel) projectiles() (list []*protocol.RemoteProjectileCreate) {
	for d.b.link.pace.Len() > 0 {
		d.b.link.flush()
	}
	for _, m := range d.b.link.sent {
		if m, ok := m.(*protocol.RemoteProjectileCreate); ok {
			list = append(list, m)
		}
	}
	d.b.link.sent = nil
	return list
}

func TestThrow(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, grenade, 3)
	d.throw(grenade, nil)
	got := d.projectiles()
	if len(got) != 1 || got[0].PlayerToken != d.a.p.Token || got[0].Weapon != grenade || got[0].Age != 0 || got[0].Velocity != vec(0, 10, 5) {
		t.Fatalf("b was shown %+v", got)
	}
	d.want("a is told nothing", d.a.got(), "")
	d.rig.now += time.Second
	d.do(func(tx Tx) {
		list := tx.Projectiles(d.a.p)
		if len(list) != 1 || list[0].ID != got[0].ProjectileID || list[0].Age < time.Second || len(tx.Projectiles(d.b.p)) != 0 {
			t.Errorf("remembered %+v", list)
		}
		d.rig.now += 30 * time.Second
		tx.tickCombat()
		if list := tx.Projectiles(nil); len(list) != 0 {
			t.Errorf("still remembered %+v", list)
		}
	})
}

// TestHostileThrows has one check of page Combat, ProjectileCreate, for each case.
func TestHostileThrows(t *testing.T) {
	seek := func(ref protocol.Ref) func(m *protocol.ProjectileCreate) {
		return func(m *protocol.ProjectileCreate) { m.Target = ref }
	}
	fast := func(speed float32) func(m *protocol.ProjectileCreate) {
		return func(m *protocol.ProjectileCreate) { m.Velocity = vec(speed, 0, 0) }
	}
	again := func(d *duel) { d.throw(grenade, nil); d.a.hush(); d.projectiles(); d.a.p.slotOf(grenade).ammo++ }
	for name, c := range map[string]struct {
		weapon protocol.Weapon
		before func(d *duel)
		change func(m *protocol.ProjectileCreate)
		shown  bool
		silent bool   // the thrower is told nothing
		fails  string // else
	}{
		"good":              {shown: true},
		"dead":              {before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.a.p, nil, protocol.CauseScript) }); d.a.hush() }, silent: true},
		"arriving":          {before: func(d *duel) { d.a.p.arriving = true }, silent: true},
		"frozen":            {before: func(d *duel) { d.do(func(tx Tx) { tx.SetFrozen(d.a.p, true, "") }); d.a.hush() }},
		"seated":            {before: func(d *duel) { d.a.p.body.Flags |= protocol.FlagSeated }, fails: "projectile 1"},
		"not had":           {weapon: 18, silent: true, fails: "projectile 1"},
		"no ammo":           {before: func(d *duel) { d.a.p.slotOf(grenade).ammo = 0 }, fails: "projectile 1"},
		"not in hand":       {before: func(d *duel) { d.hold(d.a, 0); d.pass() }, fails: "projectile 1"},
		"far":               {change: func(m *protocol.ProjectileCreate) { m.Origin.Z += 5.1 }, fails: "projectile 1"},
		"near":              {change: func(m *protocol.ProjectileCreate) { m.Origin.Z += 4.9 }, shown: true},
		"standing still":    {change: fast(0), fails: "projectile 1"},
		"too fast":          {change: fast(60.1), fails: "projectile 1"},
		"fast":              {change: fast(60), shown: true},
		"infinitely fast":   {change: fast(3e38), fails: "projectile 1"},
		"fast on the run":   {before: func(d *duel) { d.a.p.body.Velocity[1] = 700 }, change: fast(66), shown: true},
		"rocket":            {weapon: rocket, before: func(d *duel) { d.arm(d.a, rocket, 1) }, change: fast(150), shown: true},
		"too fast a rocket": {weapon: rocket, before: func(d *duel) { d.arm(d.a, rocket, 1) }, change: fast(151), fails: "projectile 1"},
		"too soon":          {before: again, fails: "projectile 1"},
		"soon enough":       {before: func(d *duel) { again(d); d.rig.now += 300 * ms }, shown: true},
		"no target":         {weapon: 36, before: func(d *duel) { d.arm(d.a, 36, 1) }, shown: true},
		"unknown target":    {weapon: 36, before: func(d *duel) { d.arm(d.a, 36, 1) }, change: seek(protocol.Ref{Kind: protocol.RefPlayer, ID: 4711}), fails: "projectile 1"},
		"unseen target":     {weapon: 36, before: func(d *duel) { d.arm(d.a, 36, 1); d.do(func(tx Tx) { tx.SetHidden(d.b.p, true, "") }) }, change: seek(protocol.Ref{Kind: protocol.RefPlayer, ID: 101}), fails: "projectile 1"},
		"no vehicle":        {weapon: 36, before: func(d *duel) { d.arm(d.a, 36, 1) }, change: seek(protocol.Ref{Kind: protocol.RefVehicle, ID: 7}), fails: "projectile 1"},
		"himself":           {weapon: 36, before: func(d *duel) { d.arm(d.a, 36, 1) }, change: seek(protocol.Ref{Kind: protocol.RefPlayer, ID: 100}), fails: "projectile 1"},
		"seen":              {weapon: 36, before: func(d *duel) { d.arm(d.a, 36, 1) }, change: seek(protocol.Ref{Kind: protocol.RefPlayer, ID: 101}), shown: true},
		"nine satchels": {weapon: protocol.WeaponSatchel, before: func(d *duel) {
			d.arm(d.a, protocol.WeaponSatchel, 9)
			for range 8 {
				d.throw(protocol.WeaponSatchel, nil)
				d.rig.now += 500 * ms
				d.hold(d.a, protocol.WeaponSatchel)
			}
			d.projectiles()
			d.a.hush()
		}, fails: "projectile 1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.arm(d.a, grenade, 5)
			w := grenade
			if c.weapon != 0 {
				w = c.weapon
			}
			if c.before != nil {
				c.before(d)
			}
			before := -1
			d.do(func(tx Tx) { before = tx.AmmoOf(d.a.p, w) })
			d.throw(w, c.change)
			told := d.a.got()
			after := 0
			d.do(func(tx Tx) { after = tx.AmmoOf(d.a.p, w) })
			shown := len(d.projectiles()) == 1
			if shown != c.shown || (before-after == 1) != c.shown || d.a.allFails() != c.fails {
				t.Errorf("shown %v, %d rounds gone, failed %q", shown, before-after, d.a.allFails())
			}
			if answered := told != ""; answered == (c.shown || c.silent) {
				t.Errorf("the thrower was told %q", told)
			}
		})
	}
}

func TestCancelledThrowIsGivenBack(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, protocol.WeaponSatchel, 2)
	d.hears["projectile_create"] = true
	d.events = nil
	d.throw(protocol.WeaponSatchel, nil)
	e := eventsOf[ProjectileThrown](d.rig)
	if len(e) != 1 || d.a.p.slotOf(protocol.WeaponSatchel).ammo != 1 || len(d.a.p.satchels) != 1 || len(d.projectiles()) != 0 {
		t.Fatalf("%+v", e)
	}
	d.do(func(tx Tx) {
		if tx.livingSatchels(d.a.p) != nil || tx.Projectiles(nil) != nil || tx.Satchels(d.a.p) != 1 {
			t.Error("others are shown what was not decided")
		}
	})
	d.do(e[0].Cancelled)
	d.want("told", d.a.got(), "satchel_charge 2 after 0")
	if len(d.a.p.satchels) != 0 || d.a.p.slotOf(protocol.WeaponSatchel).ammo != 2 {
		t.Errorf("%d satchels, %d rounds", len(d.a.p.satchels), d.a.p.slotOf(protocol.WeaponSatchel).ammo)
	}
	d.do(e[0].Apply)
	if len(d.projectiles()) != 0 {
		t.Error("shown after all")
	}
}

// satchels has a place some.
func (d *duel) satchels(n int) {
	d.arm(d.a, protocol.WeaponSatchel, n)
	for range n {
		d.throw(protocol.WeaponSatchel, nil)
		d.rig.now += 300 * ms
		d.hold(d.a, protocol.WeaponSatchel)
	}
	d.hold(d.a, protocol.WeaponDetonator)
	d.projectiles()
	d.a.hush()
}

func (d *duel) detonate(at ...protocol.Vec3) {
	d.do(func(tx Tx) { tx.Receive(d.a.p, &protocol.SatchelDetonate{Positions: at}) })
}

func TestSatchelsAreStateForWhoComesLater(t *testing.T) {
	d := newDuel(t)
	d.satchels(2)
	c := d.alive("C")
	d.pass()
	_ = c
	d.do(func(tx Tx) {
		if n := len(tx.livingSatchels(d.a.p)); n != 2 {
			t.Errorf("%d satchels are shown to who comes later", n)
		}
	})
	d.must(func(tx Tx) error { return tx.Kill(d.a.p, nil, protocol.CauseScript) })
	found := false
	for _, m := range d.b.link.sent {
		if _, ok := m.(*protocol.DestroySatchels); ok {
			found = true
		}
	}
	if !found || len(d.a.p.satchels) != 0 {
		t.Errorf("at the death: destroyed %v, %d live", found, len(d.a.p.satchels))
	}
}

func TestSatchelOnAFullLane(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, protocol.WeaponSatchel, 1)
	d.b.link.unacked = 200
	d.must(func(tx Tx) error { return tx.GiveWeapon(d.b.p, colt, 1, false) }) // waits: droppable packets are refused now
	d.throw(protocol.WeaponSatchel, nil)
	d.b.link.unacked = 0
	if n := len(d.projectiles()); n != 1 {
		t.Errorf("shown %d satchels once the lane has room", n)
	}
}

// TestSatchelsBeforeTheirOwner has a viewer whose lane is full when he gets the owner of satchels into scope: whatever
// happens to them meanwhile, he ends with those that live.
func TestSatchelsBeforeTheirOwner(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(d *duel)
		told      string
	}{
		"nothing":   {func(d *duel) {}, "PlayerSpawned, RemoteProjectileCreate"},
		"destroyed": {func(d *duel) { d.do(func(tx Tx) { tx.DestroySatchels(d.a.p) }) }, "PlayerSpawned, RemoteProjectileCreate, DestroySatchels"},
		"one more":  {func(d *duel) { d.throw(protocol.WeaponSatchel, nil) }, "PlayerSpawned, RemoteProjectileCreate, RemoteProjectileCreate"},
		"one instead": {func(d *duel) {
			d.do(func(tx Tx) { tx.DestroySatchels(d.a.p) })
			d.throw(protocol.WeaponSatchel, nil)
		}, "PlayerSpawned, RemoteProjectileCreate, DestroySatchels, RemoteProjectileCreate"},
		"one come and gone": {func(d *duel) {
			d.throw(protocol.WeaponSatchel, nil)
			d.do(func(tx Tx) { tx.DestroySatchels(d.a.p) })
		}, "PlayerSpawned, RemoteProjectileCreate, DestroySatchels"},
		"gone off": {func(d *duel) { d.hold(d.a, protocol.WeaponDetonator); d.detonate(d.a.p.body.Position) },
			"RemoteSatchelDetonate, PlayerSpawned, RemoteProjectileCreate, DestroySatchels"},
		"owner unseen again": {func(d *duel) {
			d.throw(protocol.WeaponSatchel, nil)
			d.do(func(tx Tx) { tx.SetHidden(d.a.p, true, "") })
		}, ""},
		"owner gone": {func(d *duel) {
			d.throw(protocol.WeaponSatchel, nil)
			d.do(func(tx Tx) { tx.Leave(d.a.link, protocol.ReasonQuit, "") })
		}, "leave 100"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.arm(d.a, protocol.WeaponSatchel, 5)
			d.throw(protocol.WeaponSatchel, nil)
			d.rig.now += 300 * ms
			d.hold(d.a, protocol.WeaponSatchel)
			v := d.alive("C")
			d.do(func(tx Tx) {
				tx.SetInvulnerable(v.p, true)
				tx.SetInvulnerable(d.a.p, true)
				tx.SetHidden(d.a.p, true, "")
			})
			v.hush()
			d.do(func(tx Tx) { tx.SetHidden(d.a.p, false, "") })
			c.meanwhile(d)
			d.want("told", strings.TrimPrefix(v.drain(), "PlayerStreamOut"), c.told)
		})
	}
}

// TestDetonation has satchels go off beside b.
func TestDetonation(t *testing.T) {
	d := newDuel(t)
	d.satchels(2)
	c := d.alive("C") // 340 m from a
	for range 34 {
		c.frame(move(0, 10, 0))
	}
	d.pass()
	c.hush()
	d.hold(d.a, protocol.WeaponDetonator)
	far := d.b.p.body.Position
	far.Y += 40
	d.detonate(d.b.p.body.Position, far)
	d.want("b", d.b.state(), "17.5+0")
	d.do(func(tx Tx) {
		if tx.Sees(c.p, d.a.p) {
			t.Error("c sees a")
		}
	})
	d.want("c, near a satchel", c.got(), "RemoteSatchelDetonate")
	n := 0
	for _, m := range d.b.link.sent {
		if _, ok := m.(*protocol.RemoteSatchelDetonate); ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("b was told %d times", n)
	}
	if d.a.p.health >= 100 && distance(d.a.p.body.Position, d.b.p.body.Position) < 9 {
		t.Error("the owner is not hurt")
	}
	if m := lastOf[*protocol.RemoteSatchelDetonate](d.b.link); m == nil || len(m.Positions) != 2 {
		t.Errorf("b was told %+v", m)
	}
	if len(d.a.p.satchels) != 0 {
		t.Errorf("%d satchels live", len(d.a.p.satchels))
	}
}

// TestHostileDetonations has one check of page Combat, SatchelDetonate, for each case.
func TestHostileDetonations(t *testing.T) {
	for name, c := range map[string]struct {
		before func(d *duel)
		count  int
		far    float32
		goes   bool
	}{
		"good":         {goes: true},
		"too many":     {count: 3},
		"dead":         {before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.a.p, nil, protocol.CauseScript) }) }},
		"frozen":       {before: func(d *duel) { d.do(func(tx Tx) { tx.SetFrozen(d.a.p, true, "") }) }},
		"no detonator": {before: func(d *duel) { d.hold(d.a, 0); d.pass() }},
		"waived":       {before: func(d *duel) { d.hold(d.a, 0); d.pass(); d.do(func(tx Tx) { tx.DetonateSatchels(d.a.p) }) }, goes: true},
		"waived no more": {before: func(d *duel) {
			d.hold(d.a, 0)
			d.do(func(tx Tx) { tx.DetonateSatchels(d.a.p) })
			d.pass()
			d.pass()
			d.pass()
		}},
		"far away":    {far: 301},
		"at the edge": {far: 299, goes: true},
		"too often": {before: func(d *duel) {
			d.detonate(vec(0, 0, 0), vec(0, 0, 0), vec(0, 0, 0))
			d.detonate(vec(0, 0, 0), vec(0, 0, 0), vec(0, 0, 0))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.satchels(2)
			if c.before != nil {
				c.before(d)
			}
			d.b.hush()
			at := d.a.p.body.Position
			at.X += c.far
			list := []protocol.Vec3{at}
			for len(list) < c.count {
				list = append(list, at)
			}
			d.detonate(list...)
			if went := lastOf[*protocol.RemoteSatchelDetonate](d.b.link) != nil; went != c.goes {
				t.Errorf("went off: %v", went)
			}
		})
	}
}

func TestCancelledDetonation(t *testing.T) {
	d := newDuel(t)
	d.satchels(1)
	d.hears["satchels_detonate"] = true
	d.events = nil
	d.detonate(d.b.p.body.Position)
	e := eventsOf[SatchelsDetonate](d.rig)
	if len(e) != 1 || d.b.state() != "100+0" || len(d.a.p.satchels) != 0 {
		t.Fatalf("%+v, b has %s", e, d.b.state())
	}
	d.do(e[0].Cancelled)
	if lastOf[*protocol.DestroySatchels](d.b.link) == nil || lastOf[*protocol.RemoteSatchelDetonate](d.b.link) != nil {
		t.Error("b was not told that they are gone, or that they went off")
	}
}
