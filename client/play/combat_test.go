package play

import (
	"testing"

	"darqline/client"
	"darqline/protocol"
)

// TestUse: what a click does with each kind of weapon.
func TestUse(t *testing.T) {
	victim := func(x, y float32, heading float64) client.Remote {
		return client.Remote{ID: 5, Token: 105, Shown: true, Frame: protocol.Frame{Position: protocol.Vec3{X: x, Y: y, Z: 14}, Heading: protocol.Angle(heading)}}
	}
	dead := victim(5, 0, 0)
	dead.Dead = true
	for _, c := range []struct {
		name   string
		weapon protocol.Weapon
		other  client.Remote
		use    use
		want   []string
	}{
		{"a rifle on a player", 30, victim(20, 0, 0), use{At: [2]float32{20, 0}, Target: 105},
			[]string{"shoot {player 105} 20,0 rounds 0", "hit 105 by ak47 shot 7 pellets 1 amount 0.0"}},
		{"a shotgun", 25, victim(20, 0, 0), use{Target: 105},
			[]string{"shoot {player 105} 20,0 rounds 0", "hit 105 by shotgun shot 7 pellets 15 amount 0.0"}},
		{"a pistol out of reach", 22, victim(80, 0, 0), use{Target: 105}, []string{"shoot {none 0} 36,0 rounds 0"}},
		{"a rifle on the ground", 31, victim(20, 0, 0), use{At: [2]float32{0, 30}}, []string{"shoot {ground 0} 0,30 rounds 0"}},
		{"a body", 30, dead, use{At: [2]float32{5, 0}, Target: 105}, []string{"shoot {ground 0} 5,0 rounds 0"}},
		{"a player who has gone", 30, victim(20, 0, 0), use{At: [2]float32{20, 0}, Target: 99}, []string{"shoot {ground 0} 20,0 rounds 0"}},
		{"an extinguisher", 42, victim(5, 0, 0), use{Target: 105},
			[]string{"shoot {none 0} 5,0 rounds 10", "hit 105 by fire_extinguisher shot 0 pellets 0 amount 5.0"}},
		{"a flamethrower", 37, victim(3, 0, 0), use{Target: 105}, []string{"shoot {none 0} 3,0 rounds 5"}},
		{"a camera", 43, victim(3, 0, 0), use{At: [2]float32{3, 0}}, []string{"shoot {none 0} 1,0 rounds 0"}},
		{"a fist", 0, victim(2, 0, 0), use{Target: 105}, []string{"hit 105 by fist shot 0 pellets 0 amount 10.0"}},
		{"a fist into the air", 0, victim(9, 0, 0), use{Target: 105}, nil},
		{"a fist on the ground", 0, victim(9, 0, 0), use{At: [2]float32{1, 1}}, nil},
		{"a knife from behind", 4, victim(2, 0, 270), use{Target: 105}, []string{"stealth 105"}},
		{"a knife from the front", 4, victim(2, 0, 90), use{Target: 105}, []string{"hit 105 by knife shot 0 pellets 0 amount 10.0"}},
		{"a grenade", 16, victim(90, 0, 0), use{At: [2]float32{20, 0}}, []string{"throw to 20,0"}},
		{"a detonator", 40, victim(90, 0, 0), use{}, []string{"detonate"}},
		{"goggles", 44, victim(2, 0, 0), use{Target: 105}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSeat(newModel("", ""), nil)
			fake := newFakeSession()
			fake.be(client.Self{State: client.Alive, Weapon: c.weapon, Frame: protocol.Frame{Position: protocol.Vec3{Z: 14}}})
			fake.remotes = []client.Remote{c.other}
			s.set(fake)
			if err := s.use(c.use); err != nil {
				t.Fatal(err)
			}
			if !equal(fake.calls, c.want) {
				t.Errorf("the session got %q, expected %q", fake.calls, c.want)
			}
		})
	}
}

// TestRange: changed figures of the server count.
func TestRange(t *testing.T) {
	f, _ := protocol.Weapon(30).Figures()
	rules := client.Rules{Weapons: []protocol.WeaponProperties{{Weapon: 30, Skill: protocol.SkillPro, Range: 9}, {Weapon: 30, Skill: protocol.SkillStandard, Range: 150}}}
	if got := weaponRange(rules, 30, f); got != 150 {
		t.Errorf("range %v", got)
	}
	if got := weaponRange(client.Rules{}, 30, f); got != 70 {
		t.Errorf("default range %v", got)
	}
}

// TestRefusedUse: what the player cannot do now is not said in the chat, what went wrong is.
func TestRefusedUse(t *testing.T) {
	s := newSeat(newModel("", ""), nil)
	if err := s.use(use{}); err != errNotConnected {
		t.Errorf("without a session: %v", err)
	}
	for err, quiet := range map[error]bool{client.ErrNoAmmo: true, client.ErrNotAlive: true, client.ErrNotConnected: false} {
		s.set(refusing{newFakeSession(), err})
		if got := s.use(use{}); (got == nil) != quiet {
			t.Errorf("%v: %v", err, got)
		}
	}
}

// refusing is a session that can do nothing.
type refusing struct {
	*fakeSession
	err error
}

func (r refusing) Self() client.Self { return client.Self{Weapon: protocol.WeaponDetonator} }
func (r refusing) Detonate() error   { return r.err }
