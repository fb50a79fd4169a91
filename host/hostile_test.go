package host_test

import (
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
)

// scene is Mallory beside two honest players, Alice and Bobby, who all see each other, and Carol in another dimension.
type scene struct {
	*bubble
	m                   *rogue
	alice, bobby, carol *person
	healthy             health
	deaths              int
	requests            int
	violations          map[world.Violation]int
}

// repeat is more often than a check has to fail for player_violation.
const repeat = 15

// hostile is what a cheater's client tries. Nothing of it reaches anybody else or changes anything.
var hostile = map[string]struct {
	kind world.Violation // of the checks that fail; none: no violation
	act  func(s *scene)
}{
	"frames of before a teleport": {world.ViolationEpoch, func(s *scene) {
		to := protocol.Vec3{X: s.m.frame.Position.X + 50, Y: s.m.frame.Position.Y, Z: s.m.frame.Position.Z}
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.Teleport(p, world.Teleport{Position: &to}) })
		for range 50 + repeat { // 2 s are given
			s.m.walk(nil)
		}
		s.m.frame.Position, s.m.frame.Epoch = to, waitFor[*protocol.TeleportPlayer](s.m).Epoch
	}},
	"walking at 10,000 m/s": {world.ViolationMovement, func(s *scene) {
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Position.X += 400 })
			s.m.obey()
		}
	}},
	"walking through the map": {world.ViolationMovement, func(s *scene) {
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Position.Z -= 500 })
			s.m.obey()
		}
	}},
	"walking while frozen": {world.ViolationMovement, func(s *scene) {
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.SetFrozen(p, true, "test") })
		for range 25 {
			s.m.walk(nil)
		}
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Position.X += 3 })
			s.m.obey()
		}
	}},
	"frames once more": {none, func(s *scene) {
		for range repeat {
			s.m.seq--
			s.m.walk(func(f *protocol.Frame) { f.Position.X += 2 })
		}
	}},
	"a weapon that he does not have": {world.ViolationWeapon, func(s *scene) {
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Weapon = 38 })
		}
	}},
	"health of his own": {none, func(s *scene) {
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.SetHealth(p, 10) })
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Health, f.Armor = 100, 100 })
		}
		s.m.frame.Health = 10
	}},
	"a jetpack that nobody has given him": {none, func(s *scene) {
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Action, f.Animation = protocol.SpecialAction(1), 7 })
		}
	}},
	"a seat in a vehicle that is not there": {none, func(s *scene) {
		for range repeat {
			s.m.walk(func(f *protocol.Frame) { f.Flags |= protocol.FlagSeated; f.Carrier = 5 })
		}
	}},
	"shots without ammunition": {world.ViolationAmmo, func(s *scene) {
		s.m.do(func(tx world.Tx, p *world.Player) {
			_ = tx.GiveWeapon(p, ak47, 1, true)
			_ = tx.SetAmmo(p, ak47, 0, protocol.ClipLeave)
		})
		s.m.hold(ak47)
		for range repeat {
			rest(100 * time.Millisecond)
			s.m.shoot(ak47, s.alice)
		}
	}},
	"a thousand rounds in one": {world.ViolationRate, func(s *scene) {
		s.m.gun()
		for range repeat {
			s.m.shots += 1000
			s.m.shoot(ak47, s.alice)
		}
		s.m.shots -= 1000 * repeat
	}},
	"shots with a gun that he does not have": {none, func(s *scene) {
		for range repeat {
			rest(100 * time.Millisecond)
			s.m.shoot(ak47, s.alice)
		}
	}},
	"shots with a gun that is not in hand": {none, func(s *scene) {
		s.m.gun()
		s.m.hold(protocol.WeaponFist)
		rest(600 * time.Millisecond)
		for range repeat {
			s.m.shoot(ak47, s.alice)
		}
	}},
	"shots while frozen": {none, func(s *scene) {
		s.m.gun()
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.SetFrozen(p, true, "test") })
		for range repeat {
			rest(100 * time.Millisecond)
			s.m.shoot(ak47, s.alice)
		}
	}},
	"shots from elsewhere": {none, func(s *scene) {
		s.m.gun()
		for range repeat {
			rest(100 * time.Millisecond)
			s.m.fire(&protocol.WeaponShot{Weapon: ak47, Origin: s.m.off(50), End: s.m.off(60)})
		}
	}},
	"shots beyond the range": {none, func(s *scene) {
		s.m.gun()
		for range repeat {
			rest(100 * time.Millisecond)
			s.m.fire(&protocol.WeaponShot{Weapon: ak47, Origin: s.m.off(0), End: s.m.off(500)})
		}
	}},
	"shots at who is not in his scope": {none, func(s *scene) {
		s.m.gun()
		for range repeat {
			rest(100 * time.Millisecond)
			s.m.shoot(ak47, s.carol)
		}
	}},
	"hits by no shot": {world.ViolationDamage, func(s *scene) {
		s.m.gun()
		for range repeat {
			s.m.hit(ak47, s.alice, 1000, 1)
		}
	}},
	"hits with a gun that he does not have": {world.ViolationDamage, func(s *scene) {
		for range repeat {
			s.m.hit(ak47, s.alice, 1, 1)
		}
	}},
	"hits of who is in another dimension": {world.ViolationDamage, func(s *scene) {
		s.m.gun()
		for range repeat {
			s.m.hit(ak47, s.carol, 0, 1)
		}
	}},
	"hits of who is out of scope": {world.ViolationDamage, func(s *scene) {
		s.m.gun()
		far := protocol.Vec3{X: 0, Y: 0, Z: 10}
		s.tell(s.carol, func(tx world.Tx, p *world.Player) {
			d := uint16(0)
			_ = tx.Teleport(p, world.Teleport{Position: &far, Dimension: &d})
		})
		rest(time.Second)
		for range repeat {
			s.m.hit(ak47, s.carol, 0, 1)
		}
	}},
	"hits of himself": {world.ViolationDamage, func(s *scene) {
		s.m.gun()
		for range repeat {
			s.m.send(&protocol.DamageReport{Victim: s.m.hello.PlayerToken, Shot: 1, Cause: protocol.Cause(ak47), BodyPart: protocol.PartHead, Pellets: 1})
		}
	}},
	"hits of the dead": {none, func(s *scene) {
		s.m.gun()
		s.tell(s.carol, func(tx world.Tx, p *world.Player) { _ = tx.Kill(p, nil, protocol.CauseScript) })
		rest(time.Second)
		s.deaths, s.healthy = 0, s.health()
		for range repeat {
			s.m.hit(ak47, s.carol, 0, 1)
		}
	}},
	"hits of who has not arrived": {none, func(s *scene) {
		victim := s.stranger("Arriving")
		victim.spawn()
		s.m.gun()
		for range repeat {
			s.m.send(&protocol.DamageReport{Victim: victim.hello.PlayerToken, Cause: protocol.Cause(ak47), BodyPart: protocol.PartHead, Pellets: 1, Shot: 1})
		}
		if n := len(all[*protocol.SetHealth](victim)) + len(all[*protocol.PlayerWasted](victim)); n > 0 {
			s.t.Errorf("%d losses reached the victim", n)
		}
	}},
	"hits of who is not there": {none, func(s *scene) {
		s.m.gun()
		for range repeat {
			s.m.send(&protocol.DamageReport{Victim: 4_000_000, Cause: protocol.Cause(ak47), BodyPart: protocol.PartHead, Pellets: 1, Shot: 1})
		}
	}},
	"blows from afar": {world.ViolationDamage, func(s *scene) {
		for range repeat {
			s.m.send(&protocol.DamageReport{Victim: s.bobby.token(), Cause: protocol.Cause(0), BodyPart: protocol.PartHead, Amount: 30})
		}
	}},
	"falls of another": {world.ViolationDamage, func(s *scene) {
		for range repeat {
			s.m.send(&protocol.DamageReport{Victim: s.alice.token(), Cause: protocol.CauseFall, BodyPart: protocol.PartTorso, Amount: 90})
		}
	}},
	"projectiles that he does not have": {world.ViolationProjectile, func(s *scene) {
		for range repeat {
			rest(500 * time.Millisecond)
			s.m.send(&protocol.ProjectileCreate{Weapon: grenade, Origin: s.m.off(0), Velocity: protocol.Vec3{X: 10}})
		}
	}},
	"rockets from elsewhere": {world.ViolationProjectile, func(s *scene) {
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.GiveWeapon(p, 35, 50, true) })
		s.m.hold(35)
		for range repeat {
			rest(500 * time.Millisecond)
			s.m.send(&protocol.ProjectileCreate{Weapon: 35, Origin: s.m.off(20), Velocity: protocol.Vec3{X: 100}})
		}
	}},
	"satchels that do not lie": {none, func(s *scene) {
		for range repeat {
			rest(500 * time.Millisecond)
			s.m.send(&protocol.SatchelDetonate{Positions: []protocol.Vec3{s.m.off(3)}})
		}
	}},
	"stealth kills without a knife": {none, func(s *scene) {
		for range repeat {
			rest(time.Second)
			s.m.send(&protocol.StealthKillRequest{Victim: s.alice.token()})
		}
	}},
	"stealth kills from afar": {none, func(s *scene) {
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.GiveWeapon(p, knife, 1, true) })
		s.m.hold(knife)
		for range 5 {
			rest(time.Second)
			s.m.send(&protocol.StealthKillRequest{Victim: s.bobby.token()})
		}
		s.m.do(func(tx world.Tx, p *world.Player) { tx.ClearWeapons(p) })
		s.m.hold(protocol.WeaponFist)
	}},
	"spawns that he asks for": {none, func(s *scene) {
		s.requests = 0
		for range 100 {
			s.m.send(&protocol.RequestSpawn{})
			s.m.send(&protocol.RespawnRequest{})
		}
		if s.requests > 0 {
			s.t.Errorf("scripts were asked %d times to spawn who is alive", s.requests)
		}
	}},
	"a flood of packets with another's token": {none, func(s *scene) {
		for i := range 200 {
			f := s.m.frame
			f.Position.X += 5
			s.m.raw(protocol.Header{Token: s.m.hello.Token + uint64(i) + 1}, &protocol.PlayerSync{Seq: s.m.seq + 1000, Frame: f})
		}
	}},
}

// none is for what fails no check that is counted.
const none = world.Violation(255)

func TestHostileClients(t *testing.T) {
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			inScene(t, func(s *scene) {
				c.act(s)
				rest(time.Second)
				for _, p := range []*person{s.alice, s.bobby, s.carol} {
					for _, what := range []string{"shot", "projectile", "stealth kill", "satchels", "vitals"} {
						if n := p.hears(what); n > 0 {
							t.Errorf("%d times %s reached %s", n, what, p.name)
						}
					}
				}
				if got := s.health(); got != s.healthy {
					t.Errorf("health %v, before %v", got, s.healthy)
				}
				if s.deaths > 0 {
					t.Errorf("%d died", s.deaths)
				}
				s.m.walk(nil)
				s.m.walk(nil)
				s.seesMallory()
				want := map[world.Violation]int{c.kind: 1}
				delete(want, none)
				for kind, n := range s.violations {
					if n != want[kind] {
						t.Errorf("player_violation %v came %d times, expected %d", kind, n, want[kind])
					}
				}
				if c.kind != none && s.violations[c.kind] == 0 {
					t.Errorf("player_violation %v did not come", c.kind)
				}
			})
		})
	}
}

// TestTheSceneIsSet: what Mallory may do reaches the others, so that the tests of what he may not do can fail.
func TestTheSceneIsSet(t *testing.T) {
	inScene(t, func(s *scene) {
		s.m.gun()
		s.m.shoot(ak47, s.alice)
		s.m.hit(ak47, s.alice, 0, 1)
		s.m.do(func(tx world.Tx, p *world.Player) { _ = tx.GiveWeapon(p, grenade, 3, true) })
		s.m.hold(grenade)
		s.m.send(&protocol.ProjectileCreate{Weapon: grenade, Origin: s.m.off(0), Velocity: protocol.Vec3{X: 10}})
		rest(time.Second)
		for _, p := range []*person{s.alice, s.bobby} {
			if shots, throws := p.hears("shot"), p.hears("projectile"); shots != 1 || throws != 1 {
				t.Errorf("%s has heard %d shots and %d throws", p.name, shots, throws)
			}
		}
		if h := s.health()[0]; h < 90 || h > 90.2 {
			t.Errorf("Alice has %v", h)
		}
		if len(s.violations) > 0 {
			t.Errorf("an honest man fails checks: %v", s.violations)
		}
	})
}

// TestOneDeath: however often a death is reported, there is one, and the way back takes its time.
func TestOneDeath(t *testing.T) {
	inScene(t, func(s *scene) {
		for range 5 {
			s.m.send(&protocol.DeathReport{Cause: protocol.CauseFall, BodyPart: protocol.PartTorso})
			s.m.send(&protocol.LethalDamageReport{Cause: protocol.CauseFall, Amount: 900})
		}
		rest(500 * time.Millisecond)
		if s.deaths != 1 || s.bobby.hears("wasted") != 1 || len(all[*protocol.PlayerWasted](s.m)) != 1 {
			t.Errorf("%d deaths", s.deaths)
		}
		s.m.frame.Health = 0
		for range 5 { // before players.respawn_delay is over
			s.m.send(&protocol.RespawnRequest{})
			rest(300 * time.Millisecond)
		}
		if n := len(all[*protocol.RespawnPlayer](s.m)); n > 0 {
			t.Errorf("%d respawns before the delay", n)
		}
		rest(3 * time.Second)
		for range 20 { // the body lies by now
			s.m.walk(func(f *protocol.Frame) { f.Position.X += 5 })
		}
		s.seesMallory()
		for range 5 {
			s.m.send(&protocol.RespawnRequest{})
		}
		rest(500 * time.Millisecond)
		if n := len(all[*protocol.RespawnPlayer](s.m)); n != 1 {
			t.Errorf("%d respawns, expected 1", n)
		}
	})
}

// TestAFloodOfSpawnRequests asks scripts a few times only, and spawns once.
func TestAFloodOfSpawnRequests(t *testing.T) {
	inScene(t, func(s *scene) {
		r := s.stranger("Impatient")
		s.requests = 0
		s.listen(func(e world.Event) {
			if e, ok := e.(world.PlayerSpawnRequest); ok && e.Player.ID == r.hello.PlayerID {
				s.requests++
			}
		})
		for range 300 {
			r.send(&protocol.RequestSpawn{})
		}
		rest(time.Second)
		if n := len(all[*protocol.SpawnPlayer](r)); n != 1 || s.requests > 3 {
			t.Errorf("%d spawns, scripts were asked %d times", n, s.requests)
		}
	})
}

func inScene(t *testing.T, test func(s *scene)) {
	inBubble(t, 1, files{}, nil, func(b *bubble) {
		s := &scene{bubble: b, violations: make(map[world.Violation]int)}
		b.judge.hostile["Mallory"] = true
		b.listen(func(e world.Event) {
			switch e := e.(type) {
			case world.PlayerViolation:
				s.violations[e.Kind]++
			case world.PlayerDeath:
				s.deaths++
			case world.PlayerSpawnRequest, world.PlayerRespawnRequest:
				s.requests++
			}
		})
		s.alice, s.bobby, s.carol = b.enter("Alice"), b.enter("Bobby"), b.enter("Carol")
		b.tell(s.carol, func(tx world.Tx, p *world.Player) { _ = tx.SetDimension(p, 5) })
		s.m = b.rogue("Mallory")
		s.alice.move(func(f *protocol.Frame) { f.Position.X += 2 })
		s.bobby.move(func(f *protocol.Frame) { f.Position.X += 8 })
		rest(2 * time.Second)
		s.seesMallory()
		for _, p := range []*person{s.alice, s.bobby, s.carol} {
			p.deafen()
		}
		s.healthy = s.health()
		test(s)
		if faults := b.judge.verdict(); faults != "" {
			t.Error(faults)
		}
	})
}

// seesMallory holds that Bobby sees Mallory as the server has him: where he honestly is.
func (s *scene) seesMallory() {
	s.t.Helper()
	rest(600 * time.Millisecond)
	r, ok := s.bobby.c.Remote(s.m.hello.PlayerID)
	if !ok {
		s.t.Error("Bobby does not see Mallory")
		return
	}
	want := s.m.frame
	got := r.Frame
	got.Time, got.Epoch, want.Time, want.Epoch = 0, 0, 0, 0
	if got != want {
		s.t.Errorf("Bobby sees Mallory as %+v, he is %+v", got, want)
	}
}

// health is that of the honest.
func (s *scene) health() (all health) {
	for i, p := range []*person{s.alice, s.bobby, s.carol} {
		s.tell(p, func(tx world.Tx, q *world.Player) { all[i] = tx.Health(q) })
	}
	return all
}

type health [3]float32 // of Alice, Bobby and Carol

// gun gives the rogue a gun and ammunition.
func (r *rogue) gun() {
	r.do(func(tx world.Tx, p *world.Player) { _ = tx.GiveWeapon(p, ak47, 500, true) })
	r.hold(ak47)
}

// off is a point that many metres before the rogue.
func (r *rogue) off(metres float32) protocol.Vec3 {
	at := r.frame.Position
	at.X += metres
	return at
}

// obey takes the place and the epoch of the newest TeleportPlayer.
func (r *rogue) obey() {
	if list := all[*protocol.TeleportPlayer](r); len(list) > 0 {
		m := list[len(list)-1]
		r.frame.Epoch, r.frame.Position = m.Epoch, m.Position
	}
}

func (r *rogue) fire(m *protocol.WeaponShot) {
	r.shots++
	m.Seq = r.shots
	r.send(m)
}

// shoot fires at somebody, who stands before the rogue.
func (r *rogue) shoot(w protocol.Weapon, at *person) {
	r.fire(&protocol.WeaponShot{Weapon: w, Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: at.token()}, Origin: r.off(0), End: r.off(10)})
}

// hit reports that a shot has hit: the last one, or one that is so far ahead.
func (r *rogue) hit(w protocol.Weapon, victim *person, ahead uint32, pellets uint8) {
	r.send(&protocol.DamageReport{Victim: victim.token(), Shot: max(r.shots+ahead, 1), Cause: protocol.Cause(w), BodyPart: protocol.PartTorso, Pellets: pellets})
}
