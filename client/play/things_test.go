package play

import (
	"encoding/json"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// TestLaunch: a throw or launch meets the ground where the pointer was, or at the end of its range, at a speed that the
// server takes.
func TestLaunch(t *testing.T) {
	from := protocol.Vec3{X: 100, Y: -50, Z: 14}
	for _, w := range []protocol.Weapon{16, 17, 18, 35, 36, 39} {
		f, _ := w.Figures()
		most := 60.0
		if f.Kind == protocol.WeaponRocket {
			most = 150
		}
		for _, way := range []float32{0, 0.5, 3, 20, 39, 54, 500} {
			v := launch(w, from, from.X+way*0.6, from.Y-way*0.8)
			if speed := math.Sqrt(float64(v.X*v.X + v.Y*v.Y + v.Z*v.Z)); speed <= 0 || speed > most {
				t.Errorf("%v over %v m: %v m/s", w, way, speed)
			}
			to, flies := land(w, from, v)
			want := min(way, f.Range)
			if off := math.Hypot(float64(to[0]-from.X-want*0.6), float64(to[1]-from.Y+want*0.8)); off > 0.1 {
				t.Errorf("%v over %v m lands %v m off", w, way, off)
			}
			if flies <= 0 || flies > 5*time.Second {
				t.Errorf("%v over %v m flies %v", w, way, flies)
			}
			if math.Abs(float64(to[2]-from.Z+feet)) > 0.05 {
				t.Errorf("%v over %v m lands at height %v, expected %v", w, way, to[2], from.Z-feet)
			}
		}
	}
}

// flown lets a model fly in steps of a beat and gives what became of it: what pages were told, and what it did to the
// own ped.
func flown(m *model, s *seat, time_ time.Duration) {
	for end := time.Now().Add(time_); time.Now().Before(end); time.Sleep(frameInterval) {
		s.suffer(time.Now(), m.fly(time.Now()))
	}
}

// told are the types of the messages that wait for a page.
func told(p *page) (types []string) {
	for len(p.queue) > 0 {
		out := <-p.queue
		var msg message
		if json.Unmarshal(out.data, &msg) == nil {
			types = append(types, msg.Type)
		}
	}
	return types
}

// standing puts the own player of a model and of its session to a place.
func standing(m *model, fake *fakeSession, x, y float32) {
	f := protocol.Frame{Position: protocol.Vec3{X: x, Y: y, Z: 14}}
	fake.be(client.Self{State: client.Alive, Token: ownToken, Frame: f})
	m.setSelf(self{State: "alive", Health: 100}, ownToken)
	m.setPlace(place{}, f)
}

func TestThings(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon protocol.Weapon
		x      float32 // where the own player stands; the thing lands at 20, 0
		told   []string
		hurts  []string // the calls of the session
	}{
		{"a grenade at one's feet", 16, 20, []string{"fly", "land", "blast"}, []string{"hurt explosion {projectile 77} 82.5"}},
		{"a grenade near", 16, 27, []string{"fly", "land", "blast"}, []string{"hurt explosion {projectile 77} 33.8"}},
		{"a grenade far", 16, 40, []string{"fly", "land", "blast"}, nil},
		{"a rocket", 35, 20, []string{"fly", "blast"}, []string{"hurt explosion {projectile 77} 82.5"}},
		{"a satchel", 39, 20, []string{"fly", "land"}, nil},
		{"a molotov far", 18, 25, []string{"fly", "blast"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newModel("", "")
				s := newSeat(m, nil)
				fake := newFakeSession()
				s.set(fake)
				p := &page{queue: make(chan outgoing, pageQueue)}
				standing(m, fake, c.x, 0)
				m.join(p)
				told(p)
				origin := protocol.Vec3{Z: 14}
				(&handler{m: m}).Projectile(protocol.RemoteProjectileCreate{PlayerID: 5, PlayerToken: 105, ProjectileID: 77,
					Weapon: c.weapon, Origin: origin, Velocity: launch(c.weapon, origin, 20, 0)})
				flown(m, s, 12*time.Second)
				if got := told(p); !equal(got, c.told) {
					t.Errorf("pages were told %v, expected %v", got, c.told)
				}
				if !equal(fake.calls, c.hurts) {
					t.Errorf("the session got %q, expected %q", fake.calls, c.hurts)
				}
				if left := len(m.world.things.all); left != 0 && c.weapon != protocol.WeaponSatchel {
					t.Errorf("%d things are left", left)
				}
			})
		})
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestBurns: what burns hurts twice a second for as long as it burns, and who it is from is said.
func TestBurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel("", "")
		s := newSeat(m, nil)
		fake := newFakeSession()
		s.set(fake)
		standing(m, fake, 20, 0)
		h := &handler{m: m}
		count := func(during time.Duration, want string) (n int) {
			t.Helper()
			fake.calls = nil
			flown(m, s, during)
			for _, call := range fake.calls {
				if call != want {
					t.Errorf("the session got %q, expected only %q", call, want)
				}
				n++
			}
			return n
		}
		origin := protocol.Vec3{Z: 14}
		throw := func(w protocol.Weapon) {
			h.Projectile(protocol.RemoteProjectileCreate{PlayerID: 5, ProjectileID: 78, Weapon: w, Origin: origin, Velocity: launch(w, origin, 20, 0)})
		}
		throw(weaponMolotov)
		if n := count(20*time.Second, "hurt fire {projectile 78} 4.0"); n < 11 || n > 13 {
			t.Errorf("a molotov hurt %d times in %v", n, fireLasts)
		}
		throw(weaponTearGas)
		if n := count(20*time.Second, "hurt tear_gas {projectile 78} 2.0"); n < 19 || n > 21 {
			t.Errorf("gas hurt %d times in %v", n, gasLasts)
		}

		h.Fire(protocol.CreateFire{FireID: 9, Position: protocol.Vec3{X: 21, Z: 14}, Size: 1.8})
		if n := count(5*time.Second, "hurt fire {fire 9} 4.0"); n != 10 {
			t.Errorf("a fire hurt %d times in 5 s", n)
		}
		h.Extinguished(protocol.ExtinguishFire{FireID: 9})

		flamer := client.Remote{ID: 5, Token: 105, Shown: true, Frame: protocol.Frame{Position: protocol.Vec3{X: 16, Z: 14},
			Weapon: protocol.WeaponFlamethrower, Keys: protocol.KeyFire, AimYaw: protocol.Angle(260)}}
		h.Remote(flamer)
		if n := count(5*time.Second, "hurt fire {player 105} 5.0"); n != 10 {
			t.Errorf("a flamethrower hurt %d times in 5 s", n)
		}
		flamer.Frame.AimYaw = protocol.Angle(90)
		h.Remote(flamer)
		if n := count(5*time.Second, ""); n != 0 {
			t.Errorf("a flamethrower hurt %d times whom it does not point at", n)
		}

		// A ped on fire says so in its frames, and puts itself out after a while.
		burning := fake.Self()
		burning.OnFire = true
		fake.be(burning)
		m.setSelf(self{State: "alive", OnFire: true}, ownToken)
		if n := count(2*time.Second, "hurt fire {none 0} 3.0"); n != 4 || fake.Self().Frame.Flags&protocol.FlagBurning == 0 {
			t.Errorf("burning hurt %d times in 2 s, flags %v", n, fake.Self().Frame.Flags)
		}
		flown(m, s, burnsFor)
		if fake.Self().Frame.Flags&protocol.FlagBurning != 0 {
			t.Error("it burns for ever")
		}
	})
}

// TestRefusedSatchel: an own satchel that the server has refused does not stay on the map.
func TestRefusedSatchel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel("", "")
		h := &handler{m: m}
		var lie []protocol.Vec3
		for _, x := range []float32{0, 5} {
			each := newThing(protocol.WeaponSatchel, protocol.Vec3{X: x}, protocol.Vec3{X: 1}, time.Now())
			m.throw(each)
			lie = append(lie, protocol.Vec3{X: each.To[0], Y: each.To[1], Z: each.To[2]})
		}
		h.Self(client.Self{}) // from before the client knew
		if len(m.world.things.all) != 2 {
			t.Error("a satchel that has just been thrown is gone")
		}
		time.Sleep(time.Second)
		p := &page{queue: make(chan outgoing, pageQueue)}
		m.join(p)
		m.fly(time.Now())
		told(p)
		h.Self(client.Self{Satchels: lie[1:]})
		if got := told(p); !equal(got, []string{"self", "satchels_end", "land"}) || len(m.world.things.all) != 1 {
			t.Errorf("pages were told %v, %d lie", got, len(m.world.things.all))
		}
	})
}

// TestLateThrow: what was thrown long ago lies where the throw ended, at once.
func TestLateThrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel("", "")
		p := &page{queue: make(chan outgoing, pageQueue)}
		m.join(p)
		told(p)
		h := &handler{m: m}
		h.Projectile(protocol.RemoteProjectileCreate{PlayerID: 5, ProjectileID: 1, Weapon: 39, Velocity: protocol.Vec3{X: 3, Z: 2}, Age: 60_000})
		if got := told(p); !equal(got, []string{"land"}) {
			t.Errorf("pages were told %v", got)
		}
		later := &page{queue: make(chan outgoing, pageQueue)}
		m.join(later)
		var msg message
		if err := json.Unmarshal((<-later.queue).data, &msg); err != nil || len(msg.State.World.Things) != 1 || !msg.State.World.Things[0].Resting {
			t.Errorf("a page that comes later sees %+v", msg.State.World.Things)
		}
		h.Remote(client.Remote{ID: 5, Token: 105}) // out of view
		if len(m.world.things.all) != 0 {
			t.Error("his satchel stays")
		}
	})
}
