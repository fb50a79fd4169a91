package world

import (
	"testing"
	"time"

	"darqline/protocol"
)

// centreIs holds where a connection looks from.
func (a *actor) centreIs(at protocol.Vec3, dimension uint16) {
	a.s.t.Helper()
	a.s.do(func(tx Tx) {
		if gotAt, gotDimension, ok := tx.centre(a.p); gotAt != at || gotDimension != dimension || !ok {
			a.s.t.Errorf("%s looks from %v in %d (%t), want %v in %d", a.name, gotAt, gotDimension, ok, at, dimension)
		}
	})
}

// TestCameras: the packets of every mode, and where the scope is.
func TestCameras(t *testing.T) {
	at, target := vec(100, 0, 50), vec(0, 0, 10)
	s := newStage(t)
	a := s.actor("Ann")
	s.do(func(tx Tx) {
		if _, _, ok := tx.centre(a.p); ok {
			t.Error("sees before the spawn")
		}
	})
	b := s.alive("Bob")
	none := protocol.SetCamera{PlayerID: protocol.NoPlayer}
	for _, c := range []struct {
		what string
		set  func(tx Tx) error
		want func(m *protocol.SetCamera)
		at   protocol.Vec3
		sees bool
	}{
		{"fixed", func(tx Tx) error {
			return tx.SetCamera(a.p, Camera{Position: at, Target: target, Roll: -5, Fov: 90}, "demo")
		},
			func(m *protocol.SetCamera) { m.Mode, m.Position, m.Target, m.Roll, m.Fov = 1, at, target, -5, 90 }, at, true},
		{"glide", func(tx Tx) error {
			return tx.SetCamera(a.p, Camera{Position: target, Target: at, Glide: 3 * time.Second}, "demo")
		},
			func(m *protocol.SetCamera) { m.Mode, m.Position, m.Target, m.Duration = 2, target, at, 3000 }, target, true},
		{"spectate", func(tx Tx) error { return tx.Spectate(a.p, b.p, 60, "demo") },
			func(m *protocol.SetCamera) { m.Mode, m.PlayerID, m.Subject, m.Fov = 3, b.p.ID, b.p.Token, 60 }, b.p.body.Position, true},
		{"fade out", func(tx Tx) error { return tx.Fade(a.p, true, time.Second, protocol.RGBA{R: 9}) },
			func(m *protocol.SetCamera) {
				m.Mode, m.Fade, m.FadeTime, m.FadeColor = 5, 2, 1000, protocol.RGBA{R: 9, A: 255}
			},
			b.p.body.Position, true},
		{"fade in", func(tx Tx) error { return tx.Fade(a.p, false, 500*ms, protocol.RGBA{}) },
			func(m *protocol.SetCamera) { m.Mode, m.Fade, m.FadeTime = 5, 1, 500 }, b.p.body.Position, true},
		{"reset", func(tx Tx) error { return tx.ResetCamera(a.p) }, func(m *protocol.SetCamera) {}, vec(0, 0, 0), false},
	} {
		s.must(c.set)
		want := none
		c.want(&want)
		samePackets(t, cameras(a.link), []protocol.Packet{&want})
		a.hush()
		s.do(func(tx Tx) {
			if got, _, ok := tx.centre(a.p); ok != c.sees || ok && got != c.at {
				t.Errorf("%s: looks from %v (%t)", c.what, got, ok)
			}
		})
	}
	for what, bad := range map[string]func(tx Tx) error{
		"itself":        func(tx Tx) error { return tx.Spectate(b.p, b.p, 0, "") },
		"not spawned":   func(tx Tx) error { return tx.Spectate(b.p, a.p, 0, "") },
		"fov":           func(tx Tx) error { return tx.Spectate(a.p, b.p, 5, "") },
		"same point":    func(tx Tx) error { return tx.SetCamera(a.p, Camera{Position: at, Target: at}, "") },
		"too long":      func(tx Tx) error { return tx.SetCamera(a.p, Camera{Target: at, Glide: 11 * time.Minute}, "") },
		"fade too long": func(tx Tx) error { return tx.Fade(a.p, true, 11*time.Second, protocol.RGBA{}) },
	} {
		s.do(func(tx Tx) {
			if err := bad(tx); err == nil || a.p.camera != (camera{}) {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	s.want("sent", a.said(), "")
}

func cameras(l *link) (list []protocol.Packet) {
	for _, m := range l.sent {
		if m.ID() == protocol.IDSetCamera {
			list = append(list, m)
		}
	}
	return list
}

// TestSpectator follows his subject through dimensions, and comes back to his own.
func TestSpectator(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	s.must(func(tx Tx) error { return tx.SetDimension(b.p, 7) })
	s.must(func(tx Tx) error { return tx.SetInterior(b.p, 3) })
	a.hush()
	epoch := a.p.body.Epoch
	scope := func(dimension uint16, interior uint8) {
		t.Helper()
		epoch++
		m := lastOf[*protocol.ScopeChanged](a.link)
		if m == nil || *m != (protocol.ScopeChanged{Epoch: epoch, Dimension: dimension, Interior: interior}) {
			t.Errorf("told %+v", m)
		}
	}
	s.must(func(tx Tx) error { return tx.Spectate(a.p, b.p, 0, "") })
	scope(7, 3)
	if a.sent[0].ID() != protocol.IDScopeChanged || a.sent[1].ID() != protocol.IDSetCamera {
		t.Errorf("sent %s", a.said())
	}
	a.centreIs(b.p.body.Position, 7)
	a.hush()
	s.must(func(tx Tx) error { return tx.SetDimension(b.p, 8) })
	scope(8, 3)
	b.frameAfter(3*time.Second, func(f *protocol.Frame) { f.Interior = 0 }) // through a door
	scope(8, 0)
	d := Spawn{Health: 100, Dimension: 6}
	s.must(func(tx Tx) error { return tx.Spawn(b.p, d, "") })
	scope(6, 0)
	s.must(func(tx Tx) error { return tx.SetDimension(b.p, 8) })
	scope(8, 0)
	a.hush()
	s.must(func(tx Tx) error {
		return tx.Teleport(b.p, Teleport{Position: ptr(vec(1, 2, 3)), Interior: ptr(uint8(9))})
	})
	scope(8, 9)
	a.centreIs(vec(1, 2, 3), 8)
	a.hush()
	s.must(func(tx Tx) error { return tx.SetDimension(a.p, 5) }) // his own: he does not look there
	if m := lastOf[*protocol.ScopeChanged](a.link); m != nil {
		t.Errorf("told %+v", m)
	}
	home, dimension := a.p.body.Position, a.p.dimension
	s.must(func(tx Tx) error { return tx.ResetCamera(a.p) })
	scope(5, 0)
	if a.sent[0].ID() != protocol.IDScopeChanged || dimension != 5 {
		t.Errorf("sent %s", a.said())
	}
	a.centreIs(home, 5)
}

// TestSpectatorsFrames give time and flags alone.
func TestSpectatorsFrames(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	s.must(func(tx Tx) error { return tx.Spectate(a.p, b.p, 0, "") })
	want := a.p.body
	want.Time += 40
	want.Flags = protocol.FlagTyping
	a.frame(func(f *protocol.Frame) {
		f.Position, f.Velocity, f.Keys, f.Weapon, f.Interior = vec(1, 2, 3), [3]int16{1, 2, 3}, protocol.KeyFire, 38, 9
		f.Flags = protocol.FlagTyping | protocol.FlagSeated
		f.Carrier, f.Health = 9, 1
	})
	if a.p.body != want || a.allFails() != "" {
		t.Errorf("got  %+v %s\nwant %+v", a.p.body, a.allFails(), want)
	}
	a.hush()
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") }) // he may arrive while he watches
	a.frame(func(f *protocol.Frame) { f.Position = vec(1, 2, 3) })
	if a.p.arriving || a.p.body.Position != testRules.Spawn.Position {
		t.Errorf("arriving %t at %v", a.p.arriving, a.p.body.Position)
	}
	if a.p.camera.subject != b.p {
		t.Error("the spawn has taken the camera")
	}
}

// TestSpawnWhileElsewhere: a spawn says where the ped is; who looks elsewhere is told so again.
func TestSpawnWhileElsewhere(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	s.must(func(tx Tx) error { return tx.SetDimension(b.p, 7) })
	s.must(func(tx Tx) error { return tx.Spectate(a.p, b.p, 0, "") })
	a.hush()
	s.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
	a.empty()
	if m := lastOf[*protocol.ScopeChanged](a.link); m == nil || m.Dimension != 7 || m.Epoch != a.p.body.Epoch {
		t.Errorf("told %+v", m)
	}
	a.centreIs(b.p.body.Position, 7)
}

// TestSubjectGoes: the server gives the own camera back.
func TestSubjectGoes(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Ann"), s.alive("Bob")
	s.must(func(tx Tx) error { return tx.SetDimension(b.p, 7) })
	s.must(func(tx Tx) error { return tx.Spectate(a.p, b.p, 0, "") })
	a.hush()
	s.do(func(tx Tx) { tx.Leave(b.link, protocol.ReasonQuit, "") })
	samePackets(t, a.sent[:2], []protocol.Packet{&protocol.ScopeChanged{Epoch: a.p.body.Epoch},
		&protocol.SetCamera{PlayerID: protocol.NoPlayer}})
	a.centreIs(a.p.body.Position, 0)
	s.do(func(tx Tx) {
		if err := tx.Spectate(a.p, b.p, 0, ""); err == nil {
			t.Error("one who has left is spectated")
		}
	})
}

// TestScopeTold: a client is told of a scope unless it is in that one already, however it came there.
func TestScopeTold(t *testing.T) {
	for name, c := range map[string]struct {
		come func(s *stage, a *actor)
		told bool // of interior 0, where his subject is
	}{
		"he is there":    {func(s *stage, a *actor) {}, false},
		"through a door": {func(s *stage, a *actor) { a.frame(func(f *protocol.Frame) { f.Interior = 3 }) }, true},
		"by a script":    {func(s *stage, a *actor) { s.must(func(tx Tx) error { return tx.SetInterior(a.p, 3) }) }, true},
		"by a teleport":  {func(s *stage, a *actor) { s.must(func(tx Tx) error { return tx.Teleport(a.p, inside) }) }, true},
		"while he looks away": {func(s *stage, a *actor) {
			c := s.alive("Cid")
			s.must(func(tx Tx) error { return tx.Spectate(a.p, c.p, 0, "") })
			s.must(func(tx Tx) error { return tx.Teleport(a.p, inside) })
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			a, b := s.alive("Ann"), s.alive("Bob")
			c.come(s, a)
			a.hush()
			s.must(func(tx Tx) error { return tx.Spectate(a.p, b.p, 0, "") })
			if m := lastOf[*protocol.ScopeChanged](a.link); (m != nil) != c.told || m != nil && m.Interior != 0 {
				t.Errorf("told %+v", m)
			}
		})
	}
}

var inside = Teleport{Position: ptr(vec(1, 2, 3)), Interior: ptr(uint8(3))}

// TestCameraSees: who has a camera sees at once what is around it, before his first spawn too.
func TestCameraSees(t *testing.T) {
	s := newStage(t)
	a, b := s.actor("Ann"), s.alive("Bob")
	s.do(func(tx Tx) {
		at := tx.Frame(b.p).Position
		if tx.Sees(a.p, b.p) {
			t.Error("sees without a camera")
		}
		tx.SetCamera(a.p, Camera{Position: at}, "")
		if !tx.Sees(a.p, b.p) {
			t.Error("does not see")
		}
		tx.ResetCamera(a.p)
		if tx.Sees(a.p, b.p) {
			t.Error("sees without a camera")
		}
	})
}
