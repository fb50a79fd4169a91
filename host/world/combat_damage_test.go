package world

import (
	"testing"
	"time"

	"darqline/protocol"
)

// TestHostileBlows has one check of page Combat, DamageReport, melee, for each case.
func TestHostileBlows(t *testing.T) {
	knife := protocol.WeaponKnife
	amount := func(points float32) func(m *protocol.DamageReport) {
		return func(m *protocol.DamageReport) { m.Amount = points }
	}
	cause := func(c protocol.Cause) func(m *protocol.DamageReport) {
		return func(m *protocol.DamageReport) { m.Cause = c }
	}
	for name, c := range map[string]struct {
		before func(d *duel)
		change func(m *protocol.DamageReport)
		state  string
		fails  string
	}{
		"good":            {state: "95+0"},
		"capped":          {change: amount(900), state: "70+0"},
		"fists in a fist": {change: cause(0), before: func(d *duel) { d.hold(d.a, 0) }, state: "95+0"},
		"fists, a knife":  {change: cause(0), before: func(d *duel) { d.pass() }, state: "100+0", fails: "damage 1"},
		"not had":         {change: cause(5), state: "100+0", fails: "damage 1"},
		"whip, no gun":    {change: cause(protocol.CausePistolWhip), state: "100+0", fails: "damage 1"},
		"whip":            {change: cause(protocol.CausePistolWhip), before: func(d *duel) { d.arm(d.a, colt, 1) }, state: "95+0"},
		"whip, a can":     {change: cause(protocol.CausePistolWhip), before: func(d *duel) { d.arm(d.a, 41, 1) }, state: "100+0", fails: "damage 1"},
		"whip, too far":   {change: cause(protocol.CausePistolWhip), before: func(d *duel) { d.arm(d.a, colt, 1); d.apart(4.2) }, state: "100+0", fails: "damage 1"},
		"at arm's length": {before: func(d *duel) { d.apart(4) }, state: "95+0"},
		"was there":       {before: func(d *duel) { d.b.frame(move(0, 6, 0)) }, state: "95+0"},
		"was there once":  {before: func(d *duel) { d.b.frame(move(0, 6, 0)); d.pass(); d.pass() }, state: "100+0", fails: "damage 1"},
		"out of reach":    {before: func(d *duel) { d.apart(4.2) }, state: "100+0", fails: "damage 1"},
		"too soon":        {before: func(d *duel) { d.hit(knife, nil) }, state: "95+0", fails: "damage 1"},
		"soon enough":     {before: func(d *duel) { d.hit(knife, nil); d.rig.now += 250 * ms }, state: "90+0"},
		"himself":         {change: func(m *protocol.DamageReport) { m.Victim-- }, state: "100+0", fails: "damage 1"},
		"nobody":          {change: func(m *protocol.DamageReport) { m.Victim = 4711 }, state: "100+0"},
		"not alive":       {before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.a.p, nil, protocol.CauseScript) }) }, state: "100+0"},
		"frozen":          {before: func(d *duel) { d.do(func(tx Tx) { tx.SetFrozen(d.a.p, true, "") }) }, state: "100+0"},
		"dead victim":     {before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.b.p, nil, protocol.CauseScript) }) }, state: "0+0"},
		"dead and gone":   {before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.b.p, nil, protocol.CauseScript) }); d.b.p.dimension = 3 }, state: "0+0"},
		"arriving victim": {before: func(d *duel) { d.b.p.arriving = true }, state: "100+0"},
		"invulnerable":    {before: func(d *duel) { d.do(func(tx Tx) { tx.SetInvulnerable(d.b.p, true) }) }, state: "100+0"},
		"unseen":          {before: func(d *duel) { d.do(func(tx Tx) { tx.SetHidden(d.b.p, true, "") }) }, state: "100+0", fails: "damage 1"},
		"other interior":  {before: func(d *duel) { d.b.p.body.Interior = 3 }, state: "100+0", fails: "damage 1"},
		"other dimension": {before: func(d *duel) { d.b.p.dimension = 3 }, state: "100+0", fails: "damage 1"},
		"vehicle gun": {change: func(m *protocol.DamageReport) {
			m.Cause, m.Source, m.Pellets, m.Amount = protocol.CauseVehicleGun, protocol.Ref{Kind: protocol.RefVehicle, ID: 9}, 1, 0
		}, state: "100+0", fails: "damage 1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.arm(d.a, knife, 1)
			d.apart(1)
			if c.before != nil {
				c.before(d)
			}
			d.hit(knife, c.change)
			if d.b.state() != c.state || d.a.allFails() != c.fails {
				t.Errorf("b has %s, failed %q; want %s, %q", d.b.state(), d.a.allFails(), c.state, c.fails)
			}
		})
	}
}

// apart puts b that many metres from a, and lets it be so for a while.
func (d *duel) apart(metres float32) {
	at := d.a.p.body.Position
	at.Y += metres
	weapon := d.a.p.body.Weapon
	for d.b.p.body.Position.Y < at.Y-10 {
		d.b.frame(move(0, 10, 0))
	}
	d.b.frame(func(f *protocol.Frame) { f.Position = at })
	if d.b.p.body.Position != at {
		d.t.Fatalf("b is at %v instead of %v", d.b.p.body.Position, at)
	}
	for range 26 {
		d.b.frame(nil)
	}
	d.hold(d.a, weapon)
	d.a.hush()
	d.b.hush()
}

// TestHostileBullets has one check of page Combat, DamageReport, bullet, for each case.
func TestHostileBullets(t *testing.T) {
	shot := func(change func(m *protocol.WeaponShot)) func(d *duel) {
		return func(d *duel) { d.fire(ak, change) }
	}
	for name, c := range map[string]struct {
		before func(d *duel)
		weapon protocol.Weapon
		change func(m *protocol.DamageReport)
		state  string
		fails  string
	}{
		"good":        {before: shot(nil), state: "90.1+0"},
		"repeated":    {before: func(d *duel) { d.fire(ak, nil); d.hit(ak, nil) }, state: "90.1+0", fails: "damage 1"},
		"no shot":     {change: func(m *protocol.DamageReport) { m.Shot = 1<<32 - 2 }, state: "100+0", fails: "damage 1"},
		"one ahead":   {change: func(m *protocol.DamageReport) { m.Shot = 1 }, state: "90.1+0"},
		"eight ahead": {before: func(d *duel) { d.fire(ak, nil); d.wait(time.Second) }, change: func(m *protocol.DamageReport) { m.Shot = 9 }, state: "90.1+0"},
		"nine ahead":  {before: func(d *duel) { d.fire(ak, nil); d.wait(time.Second) }, change: func(m *protocol.DamageReport) { m.Shot = 10 }, state: "100+0", fails: "damage 1"},
		"too soon":    {before: shot(nil), change: func(m *protocol.DamageReport) { m.Shot = 9 }, state: "100+0", fails: "rate 1, damage 1"},
		"no ammo":     {before: func(d *duel) { d.a.p.slotOf(ak).ammo = 0 }, change: func(m *protocol.DamageReport) { m.Shot = 1 }, state: "100+0", fails: "ammo 1, damage 1"},
		"none left":   {before: func(d *duel) { d.a.p.slotOf(ak).ammo = 0; d.fire(ak, nil) }, state: "100+0", fails: "ammo 1, damage 1"},
		"past him once": {before: func(d *duel) {
			d.fire(ak, func(m *protocol.WeaponShot) { m.End.X += 20 })
			d.wait(2*time.Second + 1)
			d.b.frame(nil)
		}, state: "90.1+0"},
		"lost":         {before: func(d *duel) { d.fire(ak, nil); d.wait(time.Second); d.shot += 8; d.fire(ak, nil) }, change: func(m *protocol.DamageReport) { m.Shot = 5 }, state: "90.1+0"},
		"64 behind":    {before: func(d *duel) { d.fire(ak, nil); d.wait(9 * time.Second); d.shot = 64; d.fire(ak, nil) }, change: func(m *protocol.DamageReport) { m.Shot = 1 }, state: "90.1+0"},
		"65 behind":    {before: func(d *duel) { d.fire(ak, nil); d.wait(9 * time.Second); d.shot = 65; d.fire(ak, nil) }, change: func(m *protocol.DamageReport) { m.Shot = 1 }, state: "100+0", fails: "damage 1"},
		"dropped shot": {before: shot(func(m *protocol.WeaponShot) { m.Origin.Z += 11; m.End.Z += 11 }), state: "100+0", fails: "damage 1"},
		"not in hand":  {before: func(d *duel) { d.fire(ak, nil); d.hold(d.a, 0); d.pass() }, state: "100+0", fails: "damage 1"},
		"not had":      {weapon: rifle, before: shot(nil), state: "100+0", fails: "damage 1"},
		"other weapon": {weapon: eagle, before: func(d *duel) { d.arm(d.a, eagle, 7); d.fire(ak, nil) }, state: "100+0", fails: "damage 1"},
		"pellets":      {before: shot(nil), change: func(m *protocol.DamageReport) { m.Pellets = 2 }, state: "100+0", fails: "damage 1"},
		"past him":     {before: shot(func(m *protocol.WeaponShot) { m.End.X += 3.1; m.Origin.X += 3.1 }), state: "100+0", fails: "damage 1"},
		"close by him": {before: shot(func(m *protocol.WeaponShot) { m.End.X += 2.9; m.Origin.X += 2.9 }), state: "90.1+0"},
		"backwards":    {before: shot(func(m *protocol.WeaponShot) { m.End.Y -= 20 }), state: "100+0", fails: "damage 1"},
		"where he was": {before: func(d *duel) { d.fire(ak, nil); d.b.frame(move(6, 0, 0)) }, state: "90.1+0"},
		"out of range": {before: func(d *duel) { d.apart(83) }, change: func(m *protocol.DamageReport) { m.Shot = 1 }, state: "100+0", fails: "damage 1"},
		"in range":     {before: func(d *duel) { d.apart(81) }, change: func(m *protocol.DamageReport) { m.Shot = 1 }, state: "90.1+0"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.arm(d.a, ak, 1000)
			if c.before != nil {
				c.before(d)
			}
			w := ak
			if c.weapon != 0 {
				w = c.weapon
			}
			d.hit(w, c.change)
			if d.b.state() != c.state || d.a.allFails() != c.fails {
				t.Errorf("b has %s, failed %q; want %s, %q", d.b.state(), d.a.allFails(), c.state, c.fails)
			}
		})
	}
}

// wait lets time go by with a's weapon in hand.
func (d *duel) wait(how time.Duration) {
	d.rig.now += how
	d.hold(d.a, d.a.p.body.Weapon)
}

// TestPellets has one shot of a shotgun hit two players.
func TestPellets(t *testing.T) {
	d := newDuel(t)
	c := d.alive("C")
	c.frame(func(f *protocol.Frame) { f.Position = d.b.p.body.Position })
	d.pass()
	d.arm(d.a, spas, 7)
	d.fire(spas, nil)
	d.hit(spas, func(m *protocol.DamageReport) { m.Pellets = 5 })
	d.hit(spas, func(m *protocol.DamageReport) { m.Victim, m.Pellets = c.p.Token, 4 })
	if d.b.state() != "75.25+0" || c.state() != "100+0" || d.a.allFails() != "damage 1" {
		t.Errorf("b has %s, c has %s, failed %q", d.b.state(), c.state(), d.a.allFails())
	}
	d.hit(spas, func(m *protocol.DamageReport) { m.Pellets = 1 })
	if d.b.state() != "75.25+0" || d.a.allFails() != "damage 2" {
		t.Errorf("the same shot hits b twice: he has %s", d.b.state())
	}
	d.hit(spas, func(m *protocol.DamageReport) { m.Victim, m.Pellets = c.p.Token, 3 })
	if c.state() != "85.15+0" {
		t.Errorf("c has %s", c.state())
	}
}

// TestDamageModel is page Combat, Damage model, steps 1 to 4.
func TestDamageModel(t *testing.T) {
	for name, c := range map[string]struct {
		health, armor float32
		weapon        protocol.Weapon
		part          protocol.BodyPart
		factors       Multipliers
		own           Multipliers
		state, told   string
	}{
		"armor first":   {100, 100, ak, protocol.PartTorso, Multipliers{}, Multipliers{}, "100+90.1", "armor 90.1 v%d ak47 by 100"},
		"the rest":      {100, 4, ak, protocol.PartTorso, Multipliers{}, Multipliers{}, "94.1+0", "armor 0 v%d ak47 by 100, health 94.1 v%d ak47 by 100"},
		"no armor":      {50, 0, ak, protocol.PartHead, Multipliers{}, Multipliers{}, "40.1+0", "health 40.1 v%d ak47 by 100"},
		"class":         {100, 0, ak, protocol.PartTorso, bullets(2), Multipliers{}, "80.2+0", "health 80.2 v%d ak47 by 100"},
		"part":          {100, 0, ak, protocol.PartHead, heads(3), Multipliers{}, "70.3+0", "health 70.3 v%d ak47 by 100"},
		"other part":    {100, 0, ak, protocol.PartTorso, heads(3), Multipliers{}, "90.1+0", "health 90.1 v%d ak47 by 100"},
		"own times":     {100, 0, ak, protocol.PartTorso, bullets(2), bullets(0.5), "90.1+0", "health 90.1 v%d ak47 by 100"},
		"nothing":       {100, 0, ak, protocol.PartTorso, bullets(0), Multipliers{}, "100+0", ""},
		"the last":      {9.9, 0, ak, protocol.PartTorso, Multipliers{}, Multipliers{}, "0+0", "wasted 101 by 100 ak47 0"},
		"all of it":     {100, 100, ak, protocol.PartTorso, bullets(100), Multipliers{}, "0+0", "wasted 101 by 100 ak47 0"},
		"just survives": {10, 0, ak, protocol.PartTorso, Multipliers{}, Multipliers{}, "0.1+0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.must(func(tx Tx) error { return tx.SetMultipliers(c.factors, "r") })
			d.must(func(tx Tx) error { return tx.SetPlayerMultipliers(d.b.p, c.own, "r") })
			d.arm(d.a, c.weapon, 10)
			d.b.hush()
			d.health(c.health, c.armor)
			v := d.b.p.vitals
			d.fire(c.weapon, nil)
			d.hit(c.weapon, func(m *protocol.DamageReport) { m.BodyPart = c.part })
			if name == "just survives" {
				if d.b.p.health <= 0 || d.b.p.health > 0.11 {
					t.Errorf("b has %s", d.b.state())
				}
				return
			}
			d.want("state", rounded(d.b.state()), c.state)
			d.want("told", rounded(d.b.got()), revised(c.told, v))
		})
	}
}

// TestDamageEvent has the figures that handlers see.
func TestDamageEvent(t *testing.T) {
	d := newDuel(t)
	d.hears["player_damage"] = true
	d.must(func(tx Tx) error { return tx.SetMultipliers(bullets(100), "r") })
	d.arm(d.a, rifle, 10)
	d.fire(rifle, nil)
	d.events = nil
	d.hit(rifle, func(m *protocol.DamageReport) { m.BodyPart = protocol.PartHead })
	e := eventsOf[PlayerDamage](d.rig)
	if len(e) != 1 || d.b.state() != "100+0" {
		t.Fatalf("%d events, b has %s", len(e), d.b.state())
	}
	want := Damage{Attacker: d.a.p, Cause: 34, BodyPart: protocol.PartHead, Amount: 1000, Pellets: 1, Distance: 10, Lethal: true}
	if *e[0].Damage != want || e[0].Victim != d.b.p {
		t.Errorf("%+v", *e[0].Damage)
	}
	d.do(func(tx Tx) {
		if e[0].Moot(tx) {
			t.Error("moot")
		}
		tx.Kill(d.b.p, nil, protocol.CauseScript)
		if !e[0].Moot(tx) {
			t.Error("not moot after the death")
		}
	})
	d.must(func(tx Tx) error { return tx.Spawn(d.b.p, tx.SpawnDefaults(d.b.p), "") })
	d.b.frame(nil)
	d.b.p.invulnerable = true
	d.wait(time.Second)
	d.fire(rifle, nil)
	d.events = nil
	d.hit(rifle, nil)
	if len(eventsOf[PlayerDamage](d.rig)) != 0 {
		t.Error("an event of who is invulnerable")
	}
}

// TestAttackerLeaves before his hit has taken effect.
func TestAttackerLeaves(t *testing.T) {
	d := newDuel(t)
	d.hears["player_damage"] = true
	d.arm(d.a, ak, 10)
	d.health(5, 0)
	d.fire(ak, nil)
	d.events = nil
	d.hit(ak, nil)
	e := eventsOf[PlayerDamage](d.rig)
	d.do(func(tx Tx) { tx.Leave(d.a.link, protocol.ReasonQuit, "") })
	d.b.hush()
	d.do(e[0].Apply)
	d.want("b", d.b.got(), "wasted 101 by 0 ak47 0")
	d.do(func(tx Tx) { tx.Leave(d.b.link, protocol.ReasonQuit, "") })
	d.do(func(tx Tx) {
		if !e[0].Moot(tx) {
			t.Error("not moot after the leave")
		}
	})
}

// TestPausedVictim shows his loss although his client sends nothing.
func TestPausedVictim(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 10)
	d.fire(ak, nil)
	d.relays = nil
	d.hit(ak, nil)
	if len(d.relays) != 0 {
		t.Errorf("relayed for a client that sends frames: %+v", d.relays)
	}
	d.b.frame(func(f *protocol.Frame) { f.Flags |= protocol.FlagPaused })
	d.pass()
	d.hold(d.a, ak)
	d.fire(ak, nil)
	d.relays = nil
	d.hit(ak, nil)
	if len(d.relays) != 1 || d.relays[0].Frame.Health != 81 {
		t.Errorf("relayed %+v", d.relays)
	}
}

func bullets(f float32) Multipliers {
	return Multipliers{Classes: map[protocol.DamageClass]float32{protocol.ClassBullet: f}}
}

func heads(f float32) Multipliers {
	return Multipliers{Parts: map[protocol.BodyPart]float32{protocol.PartHead: f}}
}

// TestVictimReports has what the world does to b, by its own client.
func TestVictimReports(t *testing.T) {
	for name, c := range map[string]struct {
		cause         protocol.Cause
		amount        float32
		health, armor float32
		before        func(d *duel)
		change        func(m *protocol.DamageReport)
		state, told   string
		fails         string
	}{
		"fall":          {cause: protocol.CauseFall, amount: 10, health: 100, armor: 50, state: "90+50"},
		"fire":          {cause: protocol.CauseFire, amount: 10, health: 100, armor: 50, state: "100+40"},
		"capped":        {cause: protocol.CauseFire, amount: 60, health: 100, state: "50+0", told: "armor 0 v1, health 50 v2"},
		"gas":           {cause: protocol.CauseTearGas, amount: 20, health: 100, armor: 50, state: "80+50"},
		"drowning":      {cause: protocol.CauseDrowning, amount: 30, health: 100, armor: 50, state: "70+50"},
		"kills":         {cause: protocol.CauseFall, amount: 100, health: 100, state: "0+0", told: "wasted 101 by 0 fall 0"},
		"old vitals":    {cause: protocol.CauseFall, amount: 10, health: 100, change: func(m *protocol.DamageReport) { m.Vitals-- }, state: "90+0", told: "armor 0 v1, health 90 v2"},
		"for another":   {cause: protocol.CauseFall, amount: 10, health: 100, change: func(m *protocol.DamageReport) { m.Victim-- }, state: "100+0", told: "armor 0 v1, health 100 v2", fails: "damage 1"},
		"arriving":      {cause: protocol.CauseFall, amount: 10, health: 100, before: func(d *duel) { d.b.p.arriving = true }, state: "100+0", told: "armor 0 v1, health 100 v2"},
		"invulnerable":  {cause: protocol.CauseFall, amount: 10, health: 100, before: func(d *duel) { d.b.p.invulnerable = true }, state: "100+0", told: "armor 0 v1, health 100 v2"},
		"multiplied":    {cause: protocol.CauseFall, amount: 10, health: 100, before: func(d *duel) { d.falls(0.5) }, state: "95+0"},
		"no falls":      {cause: protocol.CauseFall, amount: 10, health: 100, before: func(d *duel) { d.falls(0) }, state: "100+0"},
		"part is torso": {cause: protocol.CauseFall, amount: 10, health: 100, before: func(d *duel) { d.must(func(tx Tx) error { return tx.SetMultipliers(heads(5), "r") }) }, change: func(m *protocol.DamageReport) { m.BodyPart = protocol.PartHead }, state: "90+0"},
		"dead":          {cause: protocol.CauseFall, amount: 10, before: func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.b.p, nil, protocol.CauseScript) }) }, state: "0+0"},
		"while frozen":  {cause: protocol.CauseFall, amount: 10, health: 100, before: func(d *duel) { d.do(func(tx Tx) { tx.SetFrozen(d.b.p, true, "") }) }, state: "90+0"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.health(c.health, c.armor)
			if c.before != nil {
				c.before(d)
			}
			d.b.hush()
			v := d.b.p.vitals
			d.suffer(c.cause, c.amount, c.change)
			d.want("state", d.b.state(), c.state)
			d.want("told", unrevised(d.b.got(), v), c.told)
			d.want("failed", d.b.allFails(), c.fails)
		})
	}
}

func (d *duel) falls(f float32) {
	d.must(func(tx Tx) error {
		return tx.SetMultipliers(Multipliers{Classes: map[protocol.DamageClass]float32{protocol.ClassFall: f}}, "r")
	})
}

// TestLethalReports are always answered.
func TestLethalReports(t *testing.T) {
	for name, c := range map[string]struct {
		amount float32
		before func(d *duel)
		told   string
	}{
		"kills":        {100, nil, "wasted 101 by 0 fall 0"},
		"healed":       {60, nil, "armor 0 v1, health 40 v2"},
		"arriving":     {100, func(d *duel) { d.b.p.arriving = true }, "armor 0 v1, health 100 v2"},
		"invulnerable": {100, func(d *duel) { d.b.p.invulnerable = true }, "armor 0 v1, health 100 v2"},
		"dead already": {100, func(d *duel) { d.do(func(tx Tx) { tx.Kill(d.b.p, nil, protocol.CauseScript) }) }, ""},
		"too often": {100, func(d *duel) {
			d.b.p.invulnerable = true
			for range 4 {
				d.lethal(1)
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			if c.before != nil {
				c.before(d)
			}
			d.b.link.sent = nil
			v := d.b.p.vitals
			d.lethal(c.amount)
			d.want("told", unrevised(d.b.got(), v), c.told)
		})
	}
}

func (d *duel) lethal(amount float32) {
	d.do(func(tx Tx) {
		tx.Receive(d.b.p, &protocol.LethalDamageReport{Cause: protocol.CauseFall, Vitals: d.b.p.vitals, Amount: amount})
	})
}

// TestHandlers has what scripts may do with a loss.
func TestHandlers(t *testing.T) {
	decide := func(d *duel, f func(e PlayerDamage)) {
		d.t.Helper()
		list := eventsOf[PlayerDamage](d.rig)
		if len(list) != 1 {
			d.t.Fatalf("%d events", len(list))
		}
		f(list[0])
	}
	for name, c := range map[string]struct {
		lethal      bool
		handle      func(d *duel, e PlayerDamage)
		state, told string
	}{
		"let be":    {false, func(d *duel, e PlayerDamage) { d.do(e.Apply) }, "90+0", ""},
		"cancelled": {false, func(d *duel, e PlayerDamage) { d.do(e.Cancelled) }, "100+0", "armor 0 v1, health 100 v2"},
		"changed": {false, func(d *duel, e PlayerDamage) {
			e.Damage.Amount = 30
			d.do(e.Apply)
		}, "70+0", "armor 0 v1, health 70 v2"},
		"made lethal": {false, func(d *duel, e PlayerDamage) {
			e.Damage.Amount = 1000
			d.do(e.Apply)
		}, "0+0", "wasted 101 by 0 fall 0"},
		"lethal, cancelled": {true, func(d *duel, e PlayerDamage) { d.do(e.Cancelled) }, "100+0", "armor 0 v1, health 100 v2"},
		"invulnerable meanwhile": {false, func(d *duel, e PlayerDamage) {
			d.b.p.invulnerable = true
			d.do(e.Apply)
		}, "100+0", "armor 0 v1, health 100 v2"},
		"dead meanwhile": {false, func(d *duel, e PlayerDamage) {
			d.do(func(tx Tx) { tx.Kill(d.b.p, nil, protocol.CauseScript) })
			d.b.link.sent = nil
			d.do(e.Apply)
		}, "0+0", ""},
		"respawned meanwhile": {false, func(d *duel, e PlayerDamage) {
			d.must(func(tx Tx) error { return tx.Spawn(d.b.p, tx.SpawnDefaults(d.b.p), "") })
			d.b.frame(nil)
			d.b.hush()
			d.do(e.Apply)
			d.do(e.Cancelled)
		}, "100+0", ""},
		"left meanwhile": {false, func(d *duel, e PlayerDamage) {
			d.do(func(tx Tx) { tx.Leave(d.b.link, protocol.ReasonQuit, "") })
			d.b.link.sent = nil
			d.do(e.Apply)
			d.do(e.Cancelled)
		}, "100+0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.hears["player_damage"] = true
			d.events = nil
			v := d.b.p.vitals
			if c.lethal {
				d.lethal(100)
			} else {
				d.suffer(protocol.CauseFall, 10, nil)
			}
			decide(d, func(e PlayerDamage) {
				if e.Damage.Lethal != c.lethal {
					t.Errorf("lethal is %v", e.Damage.Lethal)
				}
				c.handle(d, e)
			})
			d.want("state", d.b.state(), c.state)
			d.want("told", unrevised(d.b.got(), v), c.told)
		})
	}
}
