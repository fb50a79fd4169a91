package world

import (
	"testing"

	"darqline/protocol"
)

// stab is a's request to kill b.
func (d *duel) stab() {
	d.do(func(tx Tx) { tx.Receive(d.a.p, &protocol.StealthKillRequest{Victim: d.b.p.Token}) })
}

// behindHim puts a behind b: both look north, a south of b with a knife, both on the ground.
func behindHim(t *testing.T) *duel {
	d := newDuel(t)
	d.arm(d.a, protocol.WeaponKnife, 1)
	d.apart(1)
	for _, a := range []*actor{d.a, d.b} {
		a.frame(func(f *protocol.Frame) { f.Flags |= protocol.FlagOnGround; f.Heading = 0 })
		a.hush()
	}
	return d
}

func TestStealthKill(t *testing.T) {
	d := behindHim(t)
	c := d.alive("C")
	d.pass()
	c.hush()
	d.stab()
	d.want("a", d.a.got(), "RemoteStealthKill")
	d.want("b", d.b.got(), "RemoteStealthKill, wasted 101 by 100 knife 1")
	d.want("c", told(c.link.sent[0]), "RemoteStealthKill")
	if len(c.link.sent) != 1 || d.b.p.life != Wasted {
		t.Errorf("c was sent %d packets, b is %v", len(c.link.sent), d.b.p.life)
	}
}

// TestHostileStealthKills has one check of page Combat, StealthKillRequest, for each case.
func TestHostileStealthKills(t *testing.T) {
	a := func(f func(f *protocol.Frame)) func(d *duel) { return func(d *duel) { f(&d.a.p.body) } }
	b := func(f func(f *protocol.Frame)) func(d *duel) { return func(d *duel) { f(&d.b.p.body) } }
	turned := func(degrees float64) func(f *protocol.Frame) {
		return func(f *protocol.Frame) { f.Heading = protocol.Angle(degrees) }
	}
	flag := func(set protocol.PlayerFlags) func(f *protocol.Frame) {
		return func(f *protocol.Frame) { f.Flags |= set }
	}
	jump := func(f *protocol.Frame) { f.Flags &^= protocol.FlagOnGround }
	for name, c := range map[string]struct {
		before func(d *duel)
		dies   bool
	}{
		"good":               {dies: true},
		"no knife in hand":   {before: func(d *duel) { d.hold(d.a, 0); d.pass() }},
		"dead":               {before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.a.p, nil, protocol.CauseScript) }) }},
		"arriving":           {before: func(d *duel) { d.a.p.arriving = true }},
		"victim arriving":    {before: func(d *duel) { d.b.p.arriving = true }},
		"frozen":             {before: func(d *duel) { d.do(func(tx Tx) { tx.SetFrozen(d.a.p, true, "") }) }},
		"victim frozen":      {before: func(d *duel) { d.do(func(tx Tx) { tx.SetFrozen(d.b.p, true, "") }) }, dies: true},
		"in the air":         {before: a(jump)},
		"victim in the air":  {before: b(jump)},
		"in water":           {before: a(flag(protocol.FlagInWater))},
		"victim in water":    {before: b(flag(protocol.FlagInWater))},
		"seated":             {before: a(flag(protocol.FlagSeated))},
		"victim seated":      {before: b(flag(protocol.FlagSeated))},
		"victim aims":        {before: b(flag(protocol.FlagAiming))},
		"invulnerable":       {before: func(d *duel) { d.b.p.invulnerable = true }},
		"other interior":     {before: b(func(f *protocol.Frame) { f.Interior = 1 })},
		"other dimension":    {before: func(d *duel) { d.b.p.dimension = 1 }},
		"too far":            {before: b(func(f *protocol.Frame) { f.Position.Y += 1.6 })},
		"near enough":        {before: b(func(f *protocol.Frame) { f.Position.Y += 1.4 }), dies: true},
		"seen by the victim": {before: b(turned(180))},
		"46 to the side":     {before: b(turned(46))},
		"44 to the side":     {before: b(turned(44)), dies: true},
		"44 the other way":   {before: b(turned(316)), dies: true},
		"looks away":         {before: a(turned(180))},
		"looks 61 aside":     {before: a(turned(61))},
		"looks 59 aside":     {before: a(turned(301)), dies: true},
		"too often": {before: func(d *duel) {
			d.b.p.invulnerable = true
			d.stab()
			d.stab()
			d.b.p.invulnerable = false
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := behindHim(t)
			if c.before != nil {
				c.before(d)
			}
			d.stab()
			if died := d.b.p.life == Wasted; died != c.dies {
				t.Errorf("died: %v", died)
			}
		})
	}
}

func TestStealthKillOfOneWhoIsGone(t *testing.T) {
	for name, meanwhile := range map[string]func(d *duel){
		"left": func(d *duel) { d.do(func(tx Tx) { tx.Leave(d.b.link, protocol.ReasonQuit, "") }) },
		"respawned": func(d *duel) {
			d.must(func(tx Tx) error { return tx.Spawn(d.b.p, tx.SpawnDefaults(d.b.p), "") })
			d.b.frame(nil)
		},
		"invulnerable": func(d *duel) { d.b.p.invulnerable = true },
		"killer dead":  func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.a.p, nil, protocol.CauseScript) }) },
	} {
		d := behindHim(t)
		d.hears["player_stealth_kill"] = true
		d.events = nil
		d.stab()
		e := eventsOf[PlayerStealthKill](d.rig)
		meanwhile(d)
		if len(e) != 1 {
			t.Fatalf("%s: %d events", name, len(e))
		}
		d.do(e[0].Apply)
		if d.b.p.life == Wasted {
			t.Errorf("%s: killed", name)
		}
	}
}
