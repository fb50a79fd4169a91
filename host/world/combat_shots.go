package world

import (
	"math"
	"time"

	"darqline/protocol"
)

// Figures of page Combat, WeaponShot.
const (
	shotMemory    = 2 * time.Second
	originSlack   = 10                     // metres from the player to his muzzle
	originSlackIn = 15                     // if he sits in a vehicle
	roundsAhead   = 5                      // that may come before their time
	jitter        = 250 * time.Millisecond // by which packets of one way differ
	savedUp       = time.Second
)

// pace is how fast something may be done again and again. Each time takes a time of its own; what of the time since the
// last one was not used is saved up.
type pace struct {
	at    time.Duration // of the last time
	saved time.Duration
	used  bool
}

// take does it once more at a cost, or says that it is too soon; most is how much can have been saved up before the last
// time.
func (c *pace) take(now, cost, most time.Duration) bool {
	saved := most + cost // the first time
	if c.used {
		saved = min(c.saved, most) + now - c.at
	}
	if cost > saved {
		return false
	}
	c.at, c.saved, c.used = now, saved-cost, true
	return true
}

// stepOf is the time that a weapon's interval takes at least, as the server sees it.
func stepOf(interval uint16) time.Duration {
	return time.Duration(interval) * time.Millisecond * 9 / 10
}

// gun is what is known of a player's shots with hand weapons.
type gun struct {
	seq    uint32 // rounds fired on this connection, as far as they were debited
	pace   pace
	weapon protocol.Weapon  // of the last shot
	shots  *[shotsKept]shot // by seq; nil before the first
}

// shotsKept is a power of two above the 64 shots behind and 8 ahead that a report may name.
const shotsKept = 128

// shot is one round, or one pull of a shotgun's trigger.
type shot struct {
	seq     uint32
	known   bool
	arrived bool // else its packet was lost, and only the count of the next one tells of it
	void    bool // it was dropped: nothing that it hit counts
	weapon  protocol.Weapon
	pellets uint8    // that have hit somebody
	victims []uint32 // tokens of those
	at      time.Duration
	origin  protocol.Vec3
	end     protocol.Vec3
}

// shot finds a round that was fired, among the newest.
func (g *gun) shot(seq uint32) *shot {
	if g.shots == nil {
		return nil
	}
	if s := &g.shots[seq%shotsKept]; s.known && s.seq == seq {
		return s
	}
	return nil
}

// record makes the rounds up to seq known; void says that none of them counts.
func (g *gun) record(seq uint32, w protocol.Weapon, now time.Duration, void bool) *shot {
	if g.shots == nil {
		g.shots = new([shotsKept]shot)
	}
	rounds := min(seq-g.seq, shotsKept)
	for i := range rounds {
		n := seq - (rounds - 1 - i)
		s := &g.shots[n%shotsKept]
		*s = shot{seq: n, known: true, void: void, weapon: w, at: now, victims: s.victims[:0]}
	}
	g.seq = seq
	return &g.shots[seq%shotsKept]
}

// struck says whether the shot has hit a player before.
func (s *shot) struck(token uint32) bool {
	for _, t := range s.victims {
		if t == token {
			return true
		}
	}
	return false
}

// farthest is how far a weapon's shots may go, in metres.
func (r *weaponRules) farthest() float64 { return float64(r.reach)*1.1 + 5 }

// rounds checks that n rounds could be fired by now. Each takes 0.9 of the weapon's interval; 5 may come before their time,
// and of the fastest weapons as many as a way that varies brings together. Those that were lost may have been shots of the
// weapon before.
func (g *gun) rounds(n uint32, step, stepBefore, now time.Duration) bool {
	if n > mostRounds {
		return false
	}
	cost := step + time.Duration(n-1)*min(step, stepBefore)
	if cost > now-g.pace.at+max(roundsAhead*step, jitter) {
		return false
	}
	return g.pace.take(now, cost, roundsAhead*step+savedUp)
}

// mostRounds is more than can be lost before a connection ends.
const mostRounds = 10_000

// fired debits the rounds up to seq, or says why they cannot have been fired.
func (tx Tx) fired(p *Player, w protocol.Weapon, seq uint32, rules *weaponRules) (why string) {
	s, now := p.slotOf(w), tx.now()
	if s == nil {
		return "it is not in the inventory"
	}
	n := seq - p.gun.seq
	if before := tx.figuresOf(p, p.gun.weapon); !p.gun.rounds(n, stepOf(rules.interval), stepOf(before.interval), now) {
		tx.violated(p, ViolationRate, "%v: %d rounds in %v", w, n, (now - p.gun.pace.at).Round(time.Millisecond))
		return "its shot was too soon"
	}
	p.gun.weapon = w
	p.gun.record(seq, w, now, s.ammo == 0)
	if s.ammo == 0 {
		tx.violated(p, ViolationAmmo, "%v has no ammunition left", w)
		if !s.empty {
			s.empty = true
			tx.tellAmmo(p, w)
		}
		return "it has no ammunition left"
	}
	tx.debit(p, s, n)
	return ""
}

// ReceiveWeaponShot checks a shot, takes its ammunition and relays it.
func (tx Tx) ReceiveWeaponShot(p *Player, m *protocol.WeaponShot) {
	now := tx.now()
	if !p.quota.shots.Take(now, 60, 60, 1) || int32(m.Seq-p.gun.seq) <= 0 {
		return
	}
	held := p.slotOf(m.Weapon)
	if held == nil || !p.dueling() {
		tx.wasted(p, held, m)
		return
	}
	if p.place.frozen || !p.inHand(m.Weapon, now) {
		return
	}
	rules := tx.figuresOf(p, m.Weapon)
	if p.seated() && !tx.drivesBy(p, m.Weapon, &rules) || tx.fired(p, m.Weapon, m.Seq, &rules) != "" {
		return
	}
	s := p.gun.shot(m.Seq)
	struck, ok := tx.mayHit(p, m, &rules)
	if !ok {
		s.void = true
		return
	}
	s.arrived, s.origin, s.end = true, m.Origin, m.End
	tx.decide(PlayerShoot{Player: p, Weapon: m.Weapon, Hit: tx.known(p, m.Hit), Struck: struck, Origin: m.Origin,
		Target: m.End, seq: m.Seq})
}

// wasted notes rounds that were on their way when their weapon was taken away or the player died. They count for nothing,
// and the next weapon is not to pay for them.
func (tx Tx) wasted(p *Player, held *held, m *protocol.WeaponShot) {
	if held != nil && p.life == Wasted {
		held.ammo -= min(held.ammo, m.Seq-p.gun.seq)
	}
	p.gun.record(m.Seq, m.Weapon, tx.now(), true)
}

// drivesBy says whether a seated player may fire a weapon from his seat, and puts that interval into the rules.
func (tx Tx) drivesBy(p *Player, w protocol.Weapon, rules *weaponRules) bool { return false }

// mayHit holds a shot's geometry against the player and says whom it names.
func (tx Tx) mayHit(p *Player, m *protocol.WeaponShot, rules *weaponRules) (struck *Player, ok bool) {
	slack := float64(originSlack)
	if p.seated() {
		slack = originSlackIn
	}
	if distance(m.Origin, p.body.Position) > slack || distance(m.Origin, m.End) > rules.farthest() {
		return nil, false
	}
	if m.Hit.Kind != protocol.RefPlayer {
		return nil, true
	}
	struck = tx.playerByToken(m.Hit.ID)
	vehicle := tx.vehicleOf(p)
	return struck, struck != nil && tx.Sees(p, struck) && (vehicle == 0 || vehicle != tx.vehicleOf(struck))
}

// known is a reference without those to vehicles and objects that are not there.
func (tx Tx) known(p *Player, ref protocol.Ref) protocol.Ref {
	if (ref.Kind == protocol.RefVehicle || ref.Kind == protocol.RefObject) && !tx.exists(p, ref) {
		return protocol.Ref{}
	}
	return ref
}

// Apply relays the shot; sprays are seen by keys and weapon in the frames.
func (e PlayerShoot) Apply(tx Tx) {
	p := e.Player
	if f, _ := e.Weapon.Figures(); p.gone || f.Kind != protocol.WeaponBullet {
		return
	}
	tx.relayShot(p, &protocol.RemoteWeaponShot{PlayerID: p.ID, PlayerToken: p.Token, Seq: e.seq, Weapon: e.Weapon,
		Hit: e.Hit, Origin: e.Origin, End: e.Target})
}

// offLine is how far a point is from the line between two others, in metres.
func offLine(from, to, at protocol.Vec3) float64 {
	x, y, z := float64(to.X-from.X), float64(to.Y-from.Y), float64(to.Z-from.Z)
	px, py, pz := float64(at.X-from.X), float64(at.Y-from.Y), float64(at.Z-from.Z)
	t := 0.0
	if square := x*x + y*y + z*z; square > 0 {
		t = min(max((px*x+py*y+pz*z)/square, 0), 1)
	}
	return math.Sqrt((px-t*x)*(px-t*x) + (py-t*y)*(py-t*y) + (pz-t*z)*(pz-t*z))
}

// metres is the distance as events tell it.
func metres(a, b protocol.Vec3) float32 { return float32(distance(a, b)) }
