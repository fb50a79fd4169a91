package world

import (
	"math"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// Figures of page Player, PlayerSync.
const (
	settleTime    = 2 * time.Second // after an ack, in which a client's frames may still be of before
	laneGivesUp   = 15 * time.Second
	wastedFrames  = 3 * time.Second // that frames of the dead are taken
	movementSlack = 10              // metres beyond what the speed allows
	leastElapsed  = 40 * time.Millisecond
	mostElapsed   = 2 * time.Second
	frozenSlack   = 1  // metres
	boundsSlack   = 20 // metres
	pullBackEvery = time.Second
	doorEvery     = 2 * time.Second
	pushTime      = 3 * time.Second // in which a SetVelocity adds its speed
	vitalsTime    = 2 * time.Second // that health or armor may differ
	idleRelay     = 500*time.Millisecond - leastElapsed
)

// awaited is something on the lane that the client's frames have to show.
type awaited struct {
	since time.Duration // when it was queued, then when it was acked
	acked bool
}

// seen notes that the client has it.
func (a *awaited) seen(now time.Duration) {
	if !a.acked {
		a.since, a.acked = now, true
	}
}

// over says whether the client has had so much time since its ack. The world sees an ack as the moment when nothing is
// unacked, or when the lane would have given up: it may be late, never early.
func (a *awaited) over(now time.Duration, link Link, grace time.Duration) bool {
	if link.Unacked() == 0 || now-a.since >= laneGivesUp {
		a.seen(now)
	}
	return a.acked && now-a.since >= grace
}

// motion is what the checks of a player's frames remember.
type motion struct {
	seq    uint32        // of the newest frame that came
	heard  time.Duration // when body.Time was the sender's clock
	at     time.Duration // of the last accepted position
	epoch  awaited
	ground bool // the next frame's z is free
	door   once // the client has changed the interior
	pulled once // he was brought back
	push   boost
	run    limit.Bucket // metres at the limit's speed
	health differs
	armor  differs

	relayed      time.Duration // when a frame last went to the viewers
	relayedEpoch uint8
	trail        trail
}

// once is what may happen again only after a while.
type once struct {
	at   time.Duration
	ever bool
}

func (o *once) may(now, every time.Duration) bool { return !o.ever || now-o.at >= every }

func (o *once) did(now time.Duration) { o.at, o.ever = now, true }

// boost is a speed that is allowed beside the limit, for a while.
type boost struct {
	speed float64 // m/s
	until time.Duration
}

func (b boost) at(now time.Duration) float64 {
	if now > b.until {
		return 0
	}
	return b.speed
}

// pause is the server's own: while it stands still, players go on. What they have sent meanwhile comes at once and is too
// much for the limit of frames, so that the next one that is taken is from far ahead.
type pause struct {
	seen  time.Duration // when the world was last at work
	late  time.Duration // how long it then stood still
	until time.Duration // in which that is excused
}

const (
	standstill = time.Second // without a look at the clock: the world has stood still
	catchUp    = time.Second // for what has come meanwhile to be read
)

// notice is called by whoever comes first after a pause, the clock or a frame.
func (p *pause) notice(now time.Duration) {
	if late := now - p.seen; late > standstill {
		p.late, p.until = late, now+catchUp
	}
	p.seen = now
}

// excuse is how long a way may have taken of which the server has seen only the end.
func (p *pause) excuse(now time.Duration) time.Duration {
	if now > p.until {
		return 0
	}
	return p.late
}

// differs is since when a client's figure is not the server's; 0 is not.
type differs struct{ since time.Duration }

// lasted says whether a difference has lasted and is to be put right; then it begins anew.
func (d *differs) lasted(now time.Duration, claimed, ours uint8) bool {
	switch {
	case max(claimed, ours)-min(claimed, ours) <= 1:
		d.since = 0
	case d.since == 0:
		d.since = max(now, 1)
	case now-d.since >= vitalsTime:
		d.since = max(now, 1)
		return true
	}
	return false
}

// begin forgets what was before a spawn or a teleport.
func (m *motion) begin(now time.Duration, at protocol.Vec3) {
	m.at, m.push, m.ground = now, boost{}, false
	m.trail.add(now, at)
}

// nextEpoch begins the epoch of a spawn, a teleport or a scope change: frames of older ones are of before it.
func (tx Tx) nextEpoch(p *Player) uint8 {
	p.body.Epoch++
	p.motion.epoch = awaited{since: tx.now()}
	return p.body.Epoch
}

// ReceiveSync checks a client's own frame, corrects it and relays it (page Player, PlayerSync).
func (tx Tx) ReceiveSync(p *Player, m *protocol.PlayerSync) {
	now := tx.now()
	tx.w.pause.notice(now)
	if !p.limits.sync.Take(now, 40, 20, 1) || !tx.current(p, m, now) {
		return
	}
	f := m.Frame
	if p.camera.follows() {
		f = tx.spectating(p, &f)
	} else {
		tx.correctCarrier(p, &f)
		if !tx.mayBeThere(p, &f, now) {
			return
		}
		tx.correct(p, &f, now)
		if p.motion.ground {
			p.motion.ground, p.place.anchor = false, f.Position
		}
		p.motion.at = now
		p.motion.trail.add(now, f.Position)
	}
	tx.accept(p, &f, now)
}

// current is step 1: the frame is of this life, newer than the last, and of the epoch that the server has set.
func (tx Tx) current(p *Player, m *protocol.PlayerSync, now time.Duration) bool {
	if p.life == PreSpawn || p.life == Wasted && now-p.died >= wastedFrames {
		return false
	}
	if int32(m.Seq-p.motion.seq) <= 0 {
		return false
	}
	p.motion.seq = m.Seq
	if m.Frame.Epoch == p.body.Epoch {
		p.motion.epoch.seen(now)
		return true
	}
	if p.motion.epoch.over(now, p.link, settleTime) {
		tx.violated(p, ViolationEpoch, "epoch %d, %d was acknowledged 2 s ago", m.Frame.Epoch, p.body.Epoch)
	}
	return false
}

// spectating is the frame of one who follows another: his ped stays as it is.
func (tx Tx) spectating(p *Player, f *protocol.Frame) protocol.Frame {
	own := p.body
	own.Time, own.Flags = f.Time, f.Flags&^protocol.FlagSeated|p.body.Flags&protocol.FlagSeated
	return own
}

// mayBeThere is steps 2 and 3: the player can have come from his last accepted position to this one. If not, he is
// brought back.
func (tx Tx) mayBeThere(p *Player, f *protocol.Frame, now time.Duration) bool {
	if f.Interior != p.body.Interior {
		if tx.mayUseDoor(p, now) {
			p.motion.door.did(now)
			return true
		}
		tx.violated(p, ViolationMovement, "interior %d instead of %d", f.Interior, p.body.Interior)
		tx.pullBack(p, now)
		return false
	}
	if !tx.mayMove(p, f, now) {
		tx.pullBack(p, now)
		return false
	}
	return true
}

// mayUseDoor says whether the client may change the interior by itself now.
func (tx Tx) mayUseDoor(p *Player, now time.Duration) bool {
	return tx.w.cfg.Players.Entrances && !tx.held(p, now) && p.motion.door.may(now, doorEvery)
}

// mayMove is step 2.
func (tx Tx) mayMove(p *Player, f *protocol.Frame, now time.Duration) bool {
	if p.seated() { // the position is the vehicle's
		return true
	}
	from := p.body.Position
	if p.motion.ground {
		from.Z = f.Position.Z
	}
	far := distance(from, f.Position)
	if limit := float64(tx.w.cfg.Players.MovementLimit); limit > 0 {
		elapsed := min(max(now-p.motion.at, leastElapsed, tx.w.pause.excuse(now)), mostElapsed).Seconds()
		speed := limit + p.motion.push.at(now)
		if most := speed*elapsed + movementSlack; far > most {
			tx.violated(p, ViolationMovement, "%.1f m in %.2f s, at most %.1f m", far, elapsed, most)
			return false
		}
		// The slack is for one late frame: used again in each it would be three times the limit.
		if !p.motion.run.Take(now, speed, speed*mostElapsed.Seconds()+movementSlack, far) {
			tx.violated(p, ViolationMovement, "%.1f m more, faster than %.0f m/s for seconds", far, speed)
			return false
		}
	}
	if tx.held(p, now) {
		anchor := p.place.anchor
		if p.motion.ground {
			anchor.Z = f.Position.Z
		}
		if moved := distance(anchor, f.Position); moved > frozenSlack {
			tx.violated(p, ViolationMovement, "%.1f m while frozen", moved)
			return false
		}
	}
	if out := outside(&p.place.bounds, f.Position); out > boundsSlack && out > outside(&p.place.bounds, p.body.Position) {
		tx.violated(p, ViolationMovement, "%.1f m outside the world bounds", out)
		return false
	}
	return true
}

// outside is how far a point is out of bounds, in metres.
func outside(b *protocol.SetWorldBounds, at protocol.Vec3) float64 {
	x := max(b.MinX-at.X, 0, at.X-b.MaxX)
	y := max(b.MinY-at.Y, 0, at.Y-b.MaxY)
	return math.Hypot(float64(x), float64(y))
}

// pullBack puts a player where he was last accepted, once a second at most.
func (tx Tx) pullBack(p *Player, now time.Duration) {
	if !p.motion.pulled.may(now, pullBackEvery) {
		return
	}
	p.motion.pulled.did(now)
	tx.mustInstruct(p, &protocol.TeleportPlayer{Epoch: p.body.Epoch + 1, Flags: protocol.TeleportKeepHeading,
		Position: p.body.Position, Interior: p.body.Interior})
	tx.nextEpoch(p)
	p.body.Velocity = [3]int16{}
	p.motion.at = now
	tx.relayOwn(p)
}

// correctCarrier is the part of step 4 that the others build on: who sits where is the server's.
func (tx Tx) correctCarrier(p *Player, f *protocol.Frame) {
	f.Flags = f.Flags&^protocol.FlagSeated | p.body.Flags&protocol.FlagSeated
	if p.seated() {
		f.Carrier, f.CarrierOffset = p.body.Carrier, [3]int16{}
	} else if f.Carrier != 0 && !tx.mayStandOn(p, f) {
		f.Carrier, f.CarrierOffset = 0, [3]int16{}
	}
}

// mayStandOn says whether what a player claims to stand on is a vehicle or object of his dimension within 50 m. There are
// none yet.
func (tx Tx) mayStandOn(p *Player, f *protocol.Frame) bool { return false }

// correct is step 4: what the server knows better is the server's.
func (tx Tx) correct(p *Player, f *protocol.Frame, now time.Duration) {
	health, armor := roundedUp(p.health), roundedUp(p.armor)
	if p.life == Alive {
		if p.motion.health.lasted(now, f.Health, health) {
			tx.resendHealth(p)
		}
		if p.motion.armor.lasted(now, f.Armor, armor) {
			tx.resendArmor(p)
		}
	}
	f.Health, f.Armor = health, armor
	f.Weapon = tx.correctWeapon(p, f.Weapon)
	f.Action = tx.correctAction(p, f.Action, now)
	f.Animation = tx.correctAnimation(p, f)
	if p.look.fire.on && f.Flags&protocol.FlagBurning == 0 && now-p.look.fire.since >= settleTime {
		p.look.fire = fire{}
	}
}

// accept makes a checked frame the player's state and relays it.
func (tx Tx) accept(p *Player, f *protocol.Frame, now time.Duration) {
	old := p.body
	p.body, p.motion.heard = *f, now
	if p.arriving {
		tx.arrive(p) // his viewers have got the frame with him
		p.motion.relayed, p.motion.relayedEpoch = now, f.Epoch
	} else {
		tx.relayChange(p, &old, now)
	}
	if old.Interior != f.Interior {
		tx.scopeEvents(p, p.dimension, old.Interior, ByClient)
		p.place.told.interior = f.Interior // the client is where it went
		tx.scopeMoved(p)
	}
	if paused := f.Flags & protocol.FlagPaused; paused != old.Flags&protocol.FlagPaused {
		if e := (PlayerPause{p, paused != 0}); tx.listens(e.LuaName()) {
			tx.post(e)
		}
	}
	tx.trackFrame(p)
}

// relayChange relays what is new in a frame: one that differs only in time every 500 ms.
func (tx Tx) relayChange(p *Player, old *protocol.Frame, now time.Duration) {
	f := &p.body
	same := *old
	same.Time = f.Time
	idle, newEpoch := same == *f, f.Epoch != p.motion.relayedEpoch
	if idle && !newEpoch && now-p.motion.relayed < idleRelay {
		return
	}
	p.motion.relayed, p.motion.relayedEpoch = now, f.Epoch
	tx.relay(p, idle || newEpoch || f.Weapon != old.Weapon || f.Action != old.Action ||
		(f.Keys^old.Keys)&(protocol.KeyFire|protocol.KeyAim) != 0 || still(f) && !still(old))
}

// still says whether a frame's player stands: where he came to a stop must not be held back.
func still(f *protocol.Frame) bool {
	return f.Velocity == [3]int16{} && f.MoveX == 0 && f.MoveY == 0
}

// relayOwn relays a frame of the server's own: after a teleport, a death or a change of health of one whose client
// is paused. Its time goes on as the client's does.
func (tx Tx) relayOwn(p *Player) {
	if p.life == PreSpawn || p.arriving {
		return
	}
	now := tx.now()
	p.body.Time += uint16((now - p.motion.heard) / time.Millisecond)
	p.motion.heard, p.motion.relayed, p.motion.relayedEpoch = now, now, p.body.Epoch
	tx.relay(p, true)
}

// roundedUp is health or armor as frames have it.
func roundedUp(points float32) uint8 { return uint8(math.Ceil(float64(min(max(points, 0), 100)))) }
