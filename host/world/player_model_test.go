package world

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"darqline/protocol"
)

// seer is what a client knows of itself, by what it was sent and what it did.
type seer struct {
	*actor
	epoch uint8
	at    scopeOf // which it is in, or looks into
	alive bool
}

// read takes in what was sent.
func (c *seer) read() error {
	for _, m := range c.sent {
		switch m := m.(type) {
		case *protocol.SpawnPlayer:
			if c.alive {
				return fmt.Errorf("spawned for the first time twice")
			}
			c.epoch, c.at, c.alive = m.Spawn.Epoch, scopeOf{m.Spawn.Dimension, m.Spawn.Interior}, true
		case *protocol.RespawnPlayer:
			c.epoch, c.at = m.Spawn.Epoch, scopeOf{m.Spawn.Dimension, m.Spawn.Interior}
		case *protocol.ScopeChanged:
			c.epoch, c.at = m.Epoch, scopeOf{m.Dimension, m.Interior}
		case *protocol.TeleportPlayer:
			c.epoch = m.Epoch
			if c.p.camera.subject == nil { // else it looks elsewhere
				c.at.interior = m.Interior
			}
		}
	}
	c.sent = nil
	return nil
}

// agrees holds what the client knows against what the server thinks that it knows.
func (c *seer) agrees() error {
	p := c.p
	looks := scopeOf{p.dimension, p.body.Interior}
	if s := p.camera.subject; s != nil {
		looks = scopeOf{s.dimension, s.body.Interior}
	}
	switch {
	case c.epoch != p.body.Epoch:
		return fmt.Errorf("epoch %d, the server has %d", c.epoch, p.body.Epoch)
	case c.at != looks:
		return fmt.Errorf("it is in %+v, the server has %+v", c.at, looks)
	case p.arriving && len(p.viewers) > 0:
		return fmt.Errorf("%d see him before he has arrived", len(p.viewers))
	case p.hidden && len(p.viewers) > 0:
		return fmt.Errorf("%d see him although he is hidden", len(p.viewers))
	case p.arriving && p.life != Alive:
		return fmt.Errorf("%v and arriving", p.life)
	case p.life == Alive && (p.health <= 0) || p.life != Alive && p.health != 0:
		return fmt.Errorf("%v with health %g", p.life, p.health)
	case p.life == Wasted && p.body.Health != 0:
		return fmt.Errorf("a body with health %d", p.body.Health)
	}
	for _, v := range p.viewers {
		if _, dimension, ok := (Tx{c.s.w}).centre(v.Player); !ok || dimension != p.dimension {
			return fmt.Errorf("%s sees him from dimension %d", v.Name(), dimension)
		}
	}
	return nil
}

// TestAnyOrder does what scripts and clients can do in random order: after each step every client is where the server has
// it, and nobody is seen who must not be.
func TestAnyOrder(t *testing.T) {
	steps := 1500
	if testing.Short() {
		steps = 300
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := newStage(t)
		var all []*seer
		for i := range 5 {
			all = append(all, &seer{actor: s.actor(fmt.Sprint("P", i))})
		}
		for step := range steps {
			c, other := all[r.IntN(len(all))], all[r.IntN(len(all))]
			what := randomStep(s, r, c, other)
			if c.p.gone {
				for i := range all {
					if all[i] == c {
						all[i] = &seer{actor: s.actor(fmt.Sprint("P", step))}
					}
				}
			}
			for _, c := range all {
				c.empty()
				err := c.read()
				if err == nil {
					err = c.agrees()
				}
				if err != nil {
					t.Fatalf("seed %d, step %d (%s): %s: %v", seed, step, what, c.name, err)
				}
			}
			s.events, s.relays = nil, nil
		}
	}
}

func randomStep(s *stage, r *rand.Rand, c, other *seer) string {
	tx := s.w.Begin()
	place := vec(float32(r.IntN(500)), float32(r.IntN(500)), 10)
	dimension, interior := uint16(r.IntN(3)), uint8(r.IntN(3))
	what := r.IntN(20)
	switch what {
	case 0:
		tx.ReceiveRequestSpawn(c.p)
	case 1:
		tx.ReceiveRespawnRequest(c.p)
	case 2:
		tx.Spawn(c.p, Spawn{Position: place, Dimension: dimension, Interior: interior, Health: 50, KeepWeapons: r.IntN(2) == 0}, "demo")
	case 3:
		tx.Kill(c.p, other.p, protocol.CauseScript)
	case 4:
		tx.ReceiveDeathReport(c.p, &protocol.DeathReport{Cause: protocol.CauseFall, BodyPart: protocol.PartTorso})
	case 5:
		tx.Teleport(c.p, Teleport{Position: &place})
	case 6:
		tx.Teleport(c.p, Teleport{Position: &place, Dimension: &dimension, Interior: &interior})
	case 7:
		tx.SetDimension(c.p, dimension)
	case 8:
		tx.SetInterior(c.p, interior)
	case 9:
		tx.SetCamera(c.p, Camera{Position: place}, "demo")
	case 10:
		tx.Spectate(c.p, other.p, 0, "demo")
	case 11:
		tx.ResetCamera(c.p)
	case 12:
		tx.SetHidden(c.p, r.IntN(2) == 0, "demo")
	case 13:
		tx.SetFrozen(c.p, r.IntN(2) == 0, "demo")
	case 14:
		if r.IntN(10) == 0 {
			tx.Leave(c.link, protocol.ReasonQuit, "")
		}
	case 15:
		if r.IntN(10) == 0 {
			tx.playersOf("demo")
		}
	case 16:
		s.rig.now += time.Duration(r.IntN(4000)) * ms
		tx.Tick()
	}
	tx.End()
	if what > 16 && c.p.life != PreSpawn && !c.p.gone {
		before := c.p.body.Interior
		c.frame(func(f *protocol.Frame) {
			f.Position.X += float32(r.IntN(16)) // sometimes too far
			if what == 18 {
				f.Interior = interior
			}
			if what == 19 {
				f.Epoch -= uint8(r.IntN(2))
			}
		})
		if c.p.body.Interior != before { // the door was accepted: he went through it
			c.at.interior = c.p.body.Interior
		}
	}
	return fmt.Sprint(what)
}
