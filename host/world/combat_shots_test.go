package world

import (
	"math/rand/v2"
	"testing"
	"time"

	"darqline/protocol"
)

const (
	colt  = protocol.Weapon(22)
	eagle = protocol.Weapon(24)
	ak    = protocol.Weapon(30)
	spas  = protocol.Weapon(27)
	rifle = protocol.Weapon(34)
)

func TestShotIsRelayed(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 30)
	c := d.alive("C")
	c.frames(4*time.Second, move(0, 4, 0)) // out of the stream distance
	d.pass()
	d.fire(ak, nil)
	want := protocol.RemoteWeaponShot{PlayerID: d.a.p.ID, PlayerToken: d.a.p.Token, Seq: 1, Weapon: ak,
		Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: d.b.p.Token}, Origin: d.a.p.body.Position, End: d.b.p.body.Position}
	if len(d.shots) != 1 || d.shots[0] != want {
		t.Fatalf("relayed %+v", d.shots)
	}
	if n := d.a.p.slotOf(ak).ammo; n != 29 {
		t.Errorf("%d rounds left", n)
	}
}

// TestHostileShots has one check of page Combat, WeaponShot, for each case: what fails is not relayed.
func TestHostileShots(t *testing.T) {
	far := func(m *protocol.WeaponShot, by float32) { m.Origin.X += by; m.End.X += by }
	for name, c := range map[string]struct {
		before  func(d *duel)
		weapon  protocol.Weapon
		change  func(m *protocol.WeaponShot)
		relayed int
		ammo    uint32
		fails   string
	}{
		"good":       {relayed: 1, ammo: 9},
		"repeated":   {before: func(d *duel) { d.fire(ak, nil); d.shot--; d.shots = nil }, ammo: 9},
		"older":      {before: func(d *duel) { d.fire(ak, nil); d.shot -= 2; d.shots = nil }, ammo: 9},
		"not had":    {weapon: colt, ammo: 10},
		"dead":       {before: func(d *duel) { d.must(func(tx Tx) error { return tx.Kill(d.a.p, nil, protocol.CauseScript) }) }, ammo: 9},
		"frozen":     {before: func(d *duel) { d.must(func(tx Tx) error { return tx.SetFrozen(d.a.p, true, "") }) }, ammo: 10},
		"arriving":   {before: func(d *duel) { d.a.p.arriving = true }, ammo: 10},
		"no ammo":    {before: func(d *duel) { d.a.p.slotOf(ak).ammo = 0 }, ammo: 0, fails: "ammo 1"},
		"no weapon":  {before: func(d *duel) { d.hold(d.a, 0); d.pass() }, ammo: 10},
		"just put":   {before: func(d *duel) { d.hold(d.a, 0) }, relayed: 1, ammo: 9},
		"muzzle":     {change: func(m *protocol.WeaponShot) { far(m, 10.1) }, ammo: 9},
		"near":       {change: func(m *protocol.WeaponShot) { far(m, 9.9) }, relayed: 1, ammo: 9},
		"far":        {change: func(m *protocol.WeaponShot) { m.End = m.Origin; m.End.X += 82.1 }, ammo: 9},
		"at range":   {change: func(m *protocol.WeaponShot) { m.End = m.Origin; m.End.X += 81.9 }, relayed: 1, ammo: 9},
		"himself":    {change: func(m *protocol.WeaponShot) { m.Hit.ID-- }, ammo: 9},
		"stranger":   {change: func(m *protocol.WeaponShot) { m.Hit.ID = 4711 }, ammo: 9},
		"unseen":     {before: func(d *duel) { d.do(func(tx Tx) { tx.SetHidden(d.b.p, true, "") }) }, ammo: 9},
		"ground":     {change: func(m *protocol.WeaponShot) { m.Hit = protocol.Ref{Kind: protocol.RefGround} }, relayed: 1, ammo: 9},
		"too many":   {before: func(d *duel) { d.fire(ak, nil); d.shots = nil }, change: func(m *protocol.WeaponShot) { m.Seq = 9 }, ammo: 9, fails: "rate 1"},
		"five ahead": {before: func(d *duel) { d.fire(ak, nil); d.shots = nil }, change: func(m *protocol.WeaponShot) { m.Seq = 6 }, relayed: 1, ammo: 4},
		"a leap":     {change: func(m *protocol.WeaponShot) { m.Seq = 1 << 31 }, ammo: 10},
		"a jump":     {change: func(m *protocol.WeaponShot) { m.Seq = 1<<31 - 1 }, ammo: 10, fails: "rate 1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDuel(t)
			d.arm(d.a, ak, 10)
			if c.before != nil {
				c.before(d)
			}
			w := ak
			if c.weapon != 0 {
				w = c.weapon
			}
			d.fire(w, c.change)
			ammo := d.a.p.slotOf(ak).ammo
			if len(d.shots) != c.relayed || ammo != c.ammo || d.a.allFails() != c.fails {
				t.Errorf("%d relayed, %d rounds left, failed %q; want %d, %d, %q", len(d.shots), ammo, d.a.allFails(), c.relayed, c.ammo, c.fails)
			}
		})
	}
}

func TestNoAmmoIsToldOnce(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 2)
	d.hears["player_ammo_empty"] = true
	for range 5 {
		d.fire(ak, nil)
		d.rig.now += 100 * ms
	}
	d.want("told", d.a.got(), "ak47 0 after 3")
	if e := eventsOf[PlayerAmmoEmpty](d.rig); len(e) != 1 || e[0].Weapon != ak || len(d.shots) != 2 {
		t.Errorf("events %v, %d shots relayed", e, len(d.shots))
	}
	d.arm(d.a, ak, 1) // what was fired of nothing costs none of it
	d.fire(ak, nil)
	if len(d.shots) != 3 || d.a.p.slotOf(ak).ammo != 0 {
		t.Errorf("%d shots relayed, %d rounds left", len(d.shots), d.a.p.slotOf(ak).ammo)
	}
	d.fire(ak, nil)
	d.want("told of the new end", d.a.got(), "ak47 0 after 7")
}

// TestRateOverTime fires at twice a weapon's rate: no more goes through than the interval allows.
func TestRateOverTime(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, eagle, 1000)
	began := d.rig.now
	for range 400 { // 24 s of one each 60 ms
		d.fire(eagle, nil)
		if len(d.shots) > 0 && d.a.p.gun.seq != d.shot {
			d.shot-- // it was dropped: a cheat counts on
		}
		d.rig.now += 60 * ms
		if d.shot%6 == 0 {
			d.hold(d.a, eagle)
			d.rig.now -= perFrame
		}
	}
	limit := int((d.rig.now-began)/(108*ms)) + 5 + 10
	if len(d.shots) > limit || len(d.shots) < limit-20 {
		t.Errorf("%d shots went through in %v, %d could", len(d.shots), d.rig.now-began, limit)
	}
	if d.a.fails(ViolationRate) < 100 {
		t.Errorf("failed: %s", d.a.allFails())
	}
}

// TestShotsOnTheirWay arrive after their weapon was taken away, or their player has died: the next weapon does not pay.
func TestShotsOnTheirWay(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 30)
	d.fire(ak, nil)
	d.arm(d.a, 31, 50) // in the same slot
	for range 4 {
		d.fire(ak, nil)
	}
	d.hit(ak, nil)
	d.fire(31, nil)
	if len(d.shots) != 2 || d.a.p.slotOf(31).ammo != 49 || d.b.p.health != 100 {
		t.Errorf("%d relayed, %d rounds left, b has %s", len(d.shots), d.a.p.slotOf(31).ammo, d.b.state())
	}
	d.must(func(tx Tx) error { return tx.Kill(d.a.p, nil, protocol.CauseScript) })
	for range 4 {
		d.fire(31, nil)
	}
	if n := d.a.p.slotOf(31).ammo; n != 45 {
		t.Errorf("%d rounds left in death", n)
	}
	d.must(func(tx Tx) error { return tx.Spawn(d.a.p, tx.SpawnDefaults(d.a.p), "") })
	d.a.frame(nil)
	d.arm(d.a, colt, 17)
	d.fire(colt, nil)
	if n := d.a.p.slotOf(colt).ammo; n != 16 {
		t.Errorf("%d rounds left in the next life", n)
	}
}

func TestCancelledShotIsSpent(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 10)
	d.hears["player_shoot"] = true
	d.events = nil
	d.fire(ak, func(m *protocol.WeaponShot) { m.Hit = protocol.Ref{Kind: protocol.RefVehicle, ID: 5} })
	e := eventsOf[PlayerShoot](d.rig)
	if len(e) != 1 || e[0].Weapon != ak || e[0].Hit != (protocol.Ref{}) || len(d.shots) != 0 || d.a.p.slotOf(ak).ammo != 9 {
		t.Errorf("%+v, %d relayed", e, len(d.shots))
	}
	d.applyAll()
	if len(d.shots) != 1 {
		t.Errorf("%d relayed", len(d.shots))
	}
}

// TestLostRoundsOfAnotherWeapon may have been fired as fast as that.
func TestLostRoundsOfAnotherWeapon(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, rifle, 50)
	d.arm(d.a, 38, 500)
	d.fire(38, nil)
	d.wait(time.Second)
	d.hold(d.a, rifle)
	d.shot += 40 // rounds of the minigun in that second, all lost
	d.fire(rifle, nil)
	if len(d.shots) != 2 || d.a.allFails() != "" {
		t.Errorf("%d relayed, failed %s", len(d.shots), d.a.allFails())
	}
}

// TestPutAwayLately has a client that sends frames seldom, because nothing changes.
func TestPutAwayLately(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, ak, 10)
	d.a.frameAfter(480*ms, func(f *protocol.Frame) { f.Weapon = 0 })
	d.rig.now += 100 * ms
	d.fire(ak, nil)
	if len(d.shots) != 1 {
		t.Error("what was in hand 100 ms ago is not")
	}
}

func TestSpraysAreNotRelayed(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, protocol.WeaponFlamethrower, 100)
	d.fire(protocol.WeaponFlamethrower, func(m *protocol.WeaponShot) { m.Seq = 5 })
	if len(d.shots) != 0 || d.a.p.slotOf(protocol.WeaponFlamethrower).ammo != 95 {
		t.Errorf("%d relayed, %d units left", len(d.shots), d.a.p.slotOf(protocol.WeaponFlamethrower).ammo)
	}
}

func TestFarShotsAreRelayedOnceATick(t *testing.T) {
	d := newDuel(t)
	d.arm(d.a, protocol.Weapon(38), 100)
	d.b.frames(3*time.Second, move(0, 2, 0))
	d.pass()
	d.hold(d.a, 38)
	d.shots = nil
	for range 4 {
		d.fire(38, func(m *protocol.WeaponShot) { m.Hit, m.End = protocol.Ref{}, m.Origin })
		d.rig.now += 20 * ms
	}
	if len(d.shots) != 2 {
		t.Errorf("%d shots relayed beyond 100 m in 80 ms", len(d.shots))
	}
}

// TestHonestShooting has a client that fires at a victim who runs, as it sees him, over a network that loses, delays and
// reorders shots and holds up the lane: it fails no check, all its hits count, and the two sides agree on the ammunition.
func TestHonestShooting(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := newDuel(t)
		guns := []protocol.Weapon{22, 25, 28, 31, 34, 38}
		own := map[protocol.Weapon]int{}
		for _, w := range guns {
			d.arm(d.a, w, 9000)
			own[w] = 9000
		}
		d.must(func(tx Tx) error { return tx.SetMultipliers(bullets(0), "r") })
		d.hears["player_damage"] = true
		d.events = nil
		h := honest{d: d, r: r, loss: r.Float64() * 0.4, jitter: time.Duration(1+r.IntN(250)) * ms}
		for range 12 {
			h.burst(guns[r.IntN(len(guns))], own)
		}
		h.arrive(d.rig.now + time.Hour)
		if got := d.a.allFails(); got != "" {
			t.Fatalf("seed %d, loss %.2f, jitter %v: failed %s", seed, h.loss, h.jitter, got)
		}
		if n := len(eventsOf[PlayerDamage](d.rig)); n != h.hits {
			t.Fatalf("seed %d: %d of %d hits count", seed, n, h.hits)
		}
		total := 0
		for _, w := range guns {
			total += 9000 - int(d.a.p.slotOf(w).ammo)
		}
		if fired := int(h.last); total != fired || d.a.p.gun.seq != h.last {
			t.Fatalf("seed %d: the client fired %d, the server debited %d up to %d", seed, fired, total, d.a.p.gun.seq)
		}
	}
}

// honest is a client behind a bad network.
type honest struct {
	d      *duel
	r      *rand.Rand
	loss   float64
	jitter time.Duration
	last   uint32
	way    []onTheWay
	lane   []onTheWay // in order
	hits   int
	seen   []protocol.Vec3 // where b was, by frames
}

type onTheWay struct {
	at time.Duration
	m  protocol.Packet
}

// burst fires some rounds with a gun, one each interval.
func (h *honest) burst(w protocol.Weapon, own map[protocol.Weapon]int) {
	f, _ := w.Figures()
	h.frames(w, time.Second)
	for range 1 + h.r.IntN(30) {
		h.last++
		own[w]--
		m := protocol.WeaponShot{Seq: h.last, Weapon: w, Origin: h.d.a.p.body.Position, End: h.seen[max(0, len(h.seen)-6)]}
		if h.r.Float64() >= h.loss {
			h.way = append(h.way, onTheWay{h.d.rig.now + time.Duration(h.r.Int64N(int64(h.jitter))), &m})
		}
		if w != 38 && h.r.IntN(2) == 0 { // a minigun's report may well be more than 8 rounds ahead
			h.claim(w)
		}
		h.frames(w, time.Duration(f.Interval)*ms)
	}
	m := protocol.WeaponShot{Seq: h.last, Weapon: w, Origin: h.d.a.p.body.Position, End: h.d.b.p.body.Position}
	h.way = append(h.way, onTheWay{h.d.rig.now, &m}) // the last of a burst comes, so that the debit is whole
	h.frames(w, h.jitter)
}

// claim reports a hit with the last round, on a lane that is held up now and then.
func (h *honest) claim(w protocol.Weapon) {
	at := h.d.rig.now + time.Duration(h.r.IntN(60))*ms
	if h.r.IntN(10) == 0 {
		at += 300 * ms
	}
	if n := len(h.lane); n > 0 {
		at = max(at, h.lane[n-1].at)
	}
	h.hits++
	h.lane = append(h.lane, onTheWay{at, &protocol.DamageReport{Victim: h.d.b.p.Token, Shot: h.last, Cause: protocol.Cause(w),
		BodyPart: protocol.PartTorso, Pellets: 1}})
}

// frames lets time go by, in which frames and what is on its way arrive.
func (h *honest) frames(w protocol.Weapon, d time.Duration) {
	for end := h.d.rig.now + d; h.d.rig.now < end; {
		h.d.a.frameAfter(min(perFrame, end-h.d.rig.now), func(f *protocol.Frame) { f.Weapon = w })
		run := float32(0.3)
		if len(h.seen)/60%2 == 1 {
			run = -run
		}
		h.d.b.frameAfter(0, move(run, 0, 0))
		h.seen = append(h.seen, h.d.b.p.body.Position)
		h.arrive(h.d.rig.now)
	}
}

func (h *honest) arrive(now time.Duration) {
	left := h.way[:0]
	for _, p := range h.way {
		if p.at > now {
			left = append(left, p)
			continue
		}
		h.d.do(func(tx Tx) { tx.Receive(h.d.a.p, p.m) })
	}
	h.way = left
	for len(h.lane) > 0 && h.lane[0].at <= now {
		m := h.lane[0].m
		h.lane = h.lane[1:]
		h.d.do(func(tx Tx) { tx.Receive(h.d.a.p, m) })
	}
}
