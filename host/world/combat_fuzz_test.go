package world

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"darqline/protocol"
)

// hostile makes combat packets that a client may send: right by the layout, and by nothing else.
type hostile struct {
	r  *rand.Rand
	d  *duel
	at protocol.Vec3
}

func (h *hostile) vec(spread float64) protocol.Vec3 {
	f := func(v float32) float32 {
		return min(max(v+float32(h.r.NormFloat64()*spread), -20000), 20000)
	}
	return vec(f(h.at.X), f(h.at.Y), f(h.at.Z))
}

func (h *hostile) ref() protocol.Ref {
	ids := []uint32{0, 1, 5, h.d.a.p.Token, h.d.b.p.Token, h.r.Uint32N(40)}
	return protocol.Ref{Kind: protocol.RefKind(h.r.IntN(7)), ID: ids[h.r.IntN(len(ids))]}
}

func (h *hostile) seq() uint32 {
	switch h.r.IntN(20) {
	case 0:
		return h.r.Uint32()
	case 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return h.d.a.p.gun.seq + 1
	}
	return h.d.a.p.gun.seq + uint32(h.r.IntN(20)) - 8
}

func (h *hostile) token() uint32 {
	return []uint32{h.d.a.p.Token, h.d.b.p.Token, h.d.b.p.Token, h.r.Uint32()}[h.r.IntN(4)]
}

// weapon is the one in hand, or any.
func (h *hostile) weapon() protocol.Weapon {
	if h.r.IntN(3) > 0 {
		return h.d.a.p.hand
	}
	return protocol.Weapon(h.r.IntN(60))
}

func (h *hostile) packet() protocol.Packet {
	w := h.weapon()
	h.at = h.d.a.p.body.Position
	switch h.r.IntN(8) {
	case 0, 1:
		m := &protocol.WeaponShot{Seq: h.seq(), Weapon: w, Origin: h.vec(3), End: h.vec(30)}
		switch h.r.IntN(3) {
		case 0:
			m.Hit = h.ref()
		case 1:
			m.Hit, m.End = protocol.Ref{Kind: protocol.RefPlayer, ID: h.d.b.p.Token}, h.d.b.p.body.Position
		}
		return m
	case 2, 3:
		m := &protocol.DamageReport{Victim: h.token(), Cause: protocol.Cause(w), BodyPart: protocol.BodyPart(3 + h.r.IntN(7))}
		if h.r.IntN(3) == 0 {
			m.Cause = []protocol.Cause{protocol.CauseFall, protocol.CauseFire, protocol.CauseExplosion}[h.r.IntN(3)]
		}
		switch f, _ := m.Cause.Figures(); {
		case f.Class == protocol.ClassBullet:
			m.Shot, m.Pellets = h.seq(), uint8(1+h.r.IntN(15))
			if h.r.IntN(3) > 0 {
				m.Shot, m.Pellets = h.d.a.p.gun.seq, 1
			}
		case f.By == protocol.ByVictim:
			m.Source, m.Vitals, m.Amount = h.ref(), h.d.a.p.vitals-uint16(h.r.IntN(2)), h.r.Float32()*3
		default:
			m.Amount = h.r.Float32() * 1000
		}
		return m
	case 4:
		return &protocol.LethalDamageReport{Source: h.ref(), Cause: protocol.CauseFall, Vitals: uint16(h.r.Uint32()), Amount: h.r.Float32() * 3}
	case 5:
		return &protocol.ProjectileCreate{Weapon: w, Origin: h.vec(1), Velocity: vec(h.r.Float32()*50, 10, 0)}
	case 6:
		m := &protocol.SatchelDetonate{}
		for range 1 + h.r.IntN(8) {
			m.Positions = append(m.Positions, h.vec(100))
		}
		return m
	}
	return &protocol.StealthKillRequest{Victim: h.token()}
}

// TestRandomPackets has a client send 10,000 packets that mean nothing, unarmed and armed: nobody's state changes but by
// the rules.
func TestRandomPackets(t *testing.T) {
	for _, armed := range []bool{false, true} {
		t.Run(fmt.Sprint("armed ", armed), func(t *testing.T) {
			d := newDuel(t)
			h := &hostile{r: rand.New(rand.NewPCG(3, 4)), d: d, at: d.a.p.body.Position}
			valid, deaths, most := 0, 0, 0
			for i := range 10_000 {
				if i%500 == 0 {
					h.again(armed)
				}
				m := h.packet()
				if _, err := protocol.Append(nil, protocol.Header{Token: 1}, m); err == nil {
					valid++
					d.do(func(tx Tx) { tx.Receive(d.a.p, m) })
				}
				d.rig.now += time.Duration(h.r.IntN(40)) * ms
				switch h.r.IntN(40) {
				case 0:
					h.takes(protocol.Weapon(h.r.IntN(47)))
				case 1, 2, 3:
					h.takes([]protocol.Weapon{31, 31, 34, 38, protocol.WeaponSatchel, protocol.WeaponDetonator}[h.r.IntN(6)])
				}
				if a := d.a.p; a.life == Wasted || d.b.p.life == Wasted {
					deaths++
					h.again(armed)
				}
				most = max(most, len(d.a.p.satchels))
				h.holds(armed)
			}
			if valid < 5000 || armed && (len(d.shots) < 50 || d.b.p.lives < 3 || most < 3) {
				t.Errorf("%d packets were sent, %d shots relayed, %d died, b had %d lives, a %d satchels: too little has happened", valid,
					len(d.shots), deaths, d.b.p.lives, most)
			}
		})
	}
}

// takes is a frame with a weapon in hand, if it is had.
func (h *hostile) takes(w protocol.Weapon) {
	h.d.a.frame(func(f *protocol.Frame) { f.Weapon = w })
}

// again gives the client a life, and where armed everything.
func (h *hostile) again(armed bool) {
	d := h.d
	for _, a := range []*actor{d.a, d.b} {
		if a.p.life == Wasted {
			d.must(func(tx Tx) error { return tx.Spawn(a.p, tx.SpawnDefaults(a.p), "") })
			a.frame(nil)
		}
	}
	if armed {
		for w := range protocol.WeaponLast + 1 {
			d.do(func(tx Tx) { tx.GiveWeapon(d.a.p, w, 1+h.r.IntN(protocol.MaxAmmo), false) })
		}
	}
	d.a.hush()
	d.b.hush()
}

// holds has what is true of everyone at all times.
func (h *hostile) holds(armed bool) {
	t := h.d.t
	t.Helper()
	for _, p := range []*Player{h.d.a.p, h.d.b.p} {
		if !(p.health >= 0 && p.health <= 100 && p.armor >= 0 && p.armor <= 100) || (p.health == 0) != (p.life == Wasted) {
			t.Fatalf("%v has %g health and %g armor, %v", p, p.health, p.armor, p.life)
		}
		if len(p.satchels) > protocol.MaxSatchels {
			t.Fatalf("%v has %d satchels", p, len(p.satchels))
		}
		for i, s := range p.slots {
			if s.ammo > protocol.MaxAmmo || s.has && int(weaponFigures(s.weapon).Slot) != i {
				t.Fatalf("%v has %+v in slot %d", p, s, i)
			}
		}
	}
	if b := h.d.b.p; !armed && (b.health != 100 || len(h.d.b.link.sent) > 0) || !reflect.DeepEqual(b.slots, [slotCount]held{}) {
		t.Fatalf("b has %g health, %+v, and was sent %s", b.health, b.slots, h.d.b.got())
	}
}

// FuzzCombat feeds the rules with whatever decodes.
func FuzzCombat(f *testing.F) {
	for _, m := range []protocol.Packet{
		&protocol.WeaponShot{Seq: 1, Weapon: ak}, &protocol.DamageReport{Victim: 101, Cause: 30, BodyPart: 3, Shot: 1, Pellets: 1},
		&protocol.DamageReport{Victim: 100, Cause: protocol.CauseFall, BodyPart: 3, Amount: 5, Vitals: 1},
		&protocol.LethalDamageReport{Cause: protocol.CauseFall, Amount: 500}, &protocol.ProjectileCreate{Weapon: 39, Velocity: vec(1, 1, 1)},
		&protocol.SatchelDetonate{Positions: []protocol.Vec3{{}}}, &protocol.StealthKillRequest{Victim: 101},
	} {
		b, err := protocol.Append(nil, protocol.Header{Token: 1}, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, m, err := protocol.Decode(b, protocol.ClientToServer)
		if err != nil {
			return
		}
		d := newDuel(t)
		h := &hostile{d: d, r: rand.New(rand.NewPCG(0, 0))}
		h.again(true)
		d.hold(d.a, ak)
		d.hold(d.a, protocol.WeaponSatchel)
		d.do(func(tx Tx) { tx.Receive(d.a.p, m); tx.Tick() })
		h.holds(true)
	})
}
