package world

import (
	"testing"

	"darqline/protocol"
)

func TestBlastPoints(t *testing.T) {
	for _, c := range []struct {
		explosion protocol.ExplosionType
		metres    float32
		points    float32
	}{
		{protocol.ExplosionGrenade, 0, 82.5},
		{protocol.ExplosionGrenade, 4.5, 82.5},
		{protocol.ExplosionGrenade, 6.75, 41.25},
		{protocol.ExplosionGrenade, 9, 0},
		{protocol.ExplosionGrenade, 20, 0},
		{protocol.ExplosionMolotov, 0, 0},
		{protocol.ExplosionRocket, 7.5, 41.25},
		{protocol.ExplosionRocketWeak, 0, 16.5},
		{protocol.ExplosionRocketWeak, 7.5, 8.25},
		{protocol.ExplosionBoat, 12.5, 82.5},
		{protocol.ExplosionTiny, 1.5, 82.5},
		{protocol.ExplosionTiny, 3.1, 0},
	} {
		if got := blastPoints(c.explosion, c.metres); got != c.points {
			t.Errorf("%v at %g m: %g instead of %g", c.explosion, c.metres, got, c.points)
		}
	}
}

func TestExplode(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(e *Explosion, d *duel)
		state       string
		shown, told bool
	}{
		"good":         {nil, "17.5+0", true, true},
		"harmless":     {func(e *Explosion, d *duel) { e.Harmless = true }, "100+0", true, false},
		"elsewhere":    {func(e *Explosion, d *duel) { e.Dimension = 4 }, "100+0", false, false},
		"far":          {func(e *Explosion, d *duel) { e.Position.X += 301 }, "100+0", false, false},
		"near":         {func(e *Explosion, d *duel) { e.Position.X += 299 }, "100+0", true, false},
		"molotov":      {func(e *Explosion, d *duel) { e.Type = protocol.ExplosionMolotov }, "100+0", true, false},
		"armored":      {func(e *Explosion, d *duel) { d.health(100, 80) }, "97.5+0", true, true},
		"invulnerable": {func(e *Explosion, d *duel) { d.b.p.invulnerable = true }, "100+0", true, false},
		"creator gone": {func(e *Explosion, d *duel) { d.do(func(tx Tx) { tx.Leave(d.a.link, protocol.ReasonQuit, "") }) }, "17.5+0", true, true},
		"who is dead": {func(e *Explosion, d *duel) {
			d.do(func(tx Tx) { tx.Kill(d.b.p, nil, protocol.CauseScript) })
			d.b.link.sent = nil
		}, "0+0", true, false},
		"who is coming": {func(e *Explosion, d *duel) { d.b.p.arriving = true }, "100+0", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			e := Explosion{Position: d.b.p.body.Position, Creator: d.a.p, Shake: 1}
			if c.change != nil {
				c.change(&e, d)
			}
			d.must(func(tx Tx) error { return tx.Explode(e) })
			d.want("state", d.b.state(), c.state)
			m := lastOf[*protocol.CreateExplosion](d.b.link)
			if (m != nil) != c.shown || (lastOf[*protocol.SetHealth](d.b.link) != nil) != c.told {
				t.Errorf("b was sent %s", d.b.got())
			}
			if m != nil && (m.CreatorID == protocol.NoPlayer) != d.a.p.gone {
				t.Errorf("creator %d", m.CreatorID)
			}
		})
	}
	d := newDuel(t)
	d.do(func(tx Tx) {
		if tx.Explode(Explosion{Shake: 3}) == nil || tx.Explode(Explosion{Type: 13}) == nil || tx.Explode(Explosion{Dimension: 65535}) == nil {
			t.Error("no error")
		}
	})
}
