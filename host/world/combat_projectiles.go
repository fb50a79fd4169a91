package world

import (
	"time"

	"darqline/protocol"
)

// Figures of page Combat, ProjectileCreate.
const (
	flightMemory = 30 * time.Second // of what was thrown; a satchel until it is gone
	throwSlack   = 5                // metres from the player
	throwSpeed   = 60               // m/s, beside the player's own
	rocketSpeed  = 150
)

// Projectile is something thrown or launched by a player.
type Projectile struct {
	ID        uint32
	Owner     *Player
	Weapon    protocol.Weapon
	Origin    protocol.Vec3
	Velocity  protocol.Vec3 // m/s
	Dimension uint16
	Age       time.Duration
}

// projectile is one that the server remembers.
type projectile struct {
	Projectile
	target protocol.Ref
	at     time.Duration // of the throw
	shown  bool          // to others: no handler has cancelled it
}

// flights are what was thrown lately, and all satchels that live.
type flights struct {
	byID map[uint32]*projectile
	old  []*projectile // but satchels, oldest first
}

// add remembers a projectile.
func (f *flights) add(p *projectile) {
	if f.byID == nil {
		f.byID = make(map[uint32]*projectile)
	}
	f.byID[p.ID] = p
	if p.Weapon != protocol.WeaponSatchel {
		f.old = append(f.old, p)
	}
}

// forget drops what is too old.
func (f *flights) forget(now time.Duration) {
	n := 0
	for n < len(f.old) && now-f.old[n].at > flightMemory {
		delete(f.byID, f.old[n].ID)
		n++
	}
	f.old = f.old[n:]
	if len(f.old) == 0 {
		f.old = nil
	}
}

// Projectiles are what was thrown in the last 30 s and the living satchels, by id; of one player or, with nil, of all.
func (tx Tx) Projectiles(owner *Player) []Projectile {
	var list []Projectile
	for _, f := range tx.w.combat.flights.byID {
		if (owner == nil || f.Owner == owner) && f.shown {
			f := f.Projectile
			f.Age = tx.now() - tx.w.combat.flights.byID[f.ID].at
			list = append(list, f)
		}
	}
	sortByID(list, func(p *Projectile) uint32 { return p.ID })
	return list
}

// ReceiveProjectileCreate checks a throw, takes its round and shows it to others.
func (tx Tx) ReceiveProjectileCreate(p *Player, m *protocol.ProjectileCreate) {
	now := tx.now()
	if !p.quota.projectiles.Take(now, 3, 6, 1) || !p.dueling() {
		return
	}
	if p.place.frozen {
		tx.tellAmmo(p, m.Weapon)
		return
	}
	if why := tx.mayThrow(p, m); why != "" {
		tx.violated(p, ViolationProjectile, "%v: %s", m.Weapon, why)
		tx.tellAmmo(p, m.Weapon)
		return
	}
	f := &projectile{target: m.Target, at: now, Projectile: Projectile{ID: tx.newID(), Owner: p, Weapon: m.Weapon,
		Origin: m.Origin, Velocity: m.Velocity, Dimension: p.dimension}}
	tx.debit(p, p.slotOf(m.Weapon), 1)
	tx.w.combat.flights.add(f)
	if m.Weapon == protocol.WeaponSatchel {
		p.satchels = append(p.satchels, f)
	}
	tx.decide(ProjectileThrown{Player: p, Projectile: f.Projectile, Target: m.Target, flying: f, life: p.lives})
}

// mayThrow says why something cannot have been thrown.
func (tx Tx) mayThrow(p *Player, m *protocol.ProjectileCreate) (why string) {
	now := tx.now()
	s, f := p.slotOf(m.Weapon), weaponFigures(m.Weapon)
	limit := float64(throwSpeed)
	if f.Kind == protocol.WeaponRocket {
		limit = rocketSpeed
	}
	v := p.body.Velocity
	own := length(float32(v[0])/100, float32(v[1])/100, float32(v[2])/100)
	speed := length(m.Velocity.X, m.Velocity.Y, m.Velocity.Z)
	switch {
	case p.seated():
		return "he sits in a vehicle"
	case s == nil:
		return "it is not in the inventory"
	case s.ammo == 0:
		return "it has no ammunition left"
	case !p.inHand(m.Weapon, now):
		return "it is not in hand"
	case distance(m.Origin, p.body.Position) > throwSlack:
		return "it begins too far from him"
	case !(speed > 0 && speed <= limit+own):
		return "it is too fast, or does not move"
	case m.Weapon == protocol.WeaponSatchel && len(p.satchels) >= protocol.MaxSatchels:
		return "8 satchels lie there already"
	case !tx.mayTarget(p, m.Target):
		return "its target is not in scope"
	case !p.throws.take(now, stepOf(f.Interval), early):
		return "too soon after the last"
	}
	return ""
}

// mayTarget says whether a heat seeker's target is in its owner's scope.
func (tx Tx) mayTarget(p *Player, target protocol.Ref) bool {
	switch target.Kind {
	case protocol.RefNone:
		return true
	case protocol.RefPlayer:
		other := tx.playerByToken(target.ID)
		return other != nil && tx.Sees(p, other)
	}
	return tx.exists(p, target)
}

func weaponFigures(w protocol.Weapon) protocol.WeaponFigures {
	f, _ := w.Figures()
	return f
}

// packet is how others are shown the projectile now.
func (f *projectile) packet(now time.Duration) *protocol.RemoteProjectileCreate {
	return &protocol.RemoteProjectileCreate{PlayerID: f.Owner.ID, PlayerToken: f.Owner.Token, ProjectileID: f.ID,
		Weapon: f.Weapon, Target: f.target, Origin: f.Origin, Velocity: f.Velocity, Age: uint32((now - f.at).Milliseconds())}
}

// Moot says that it is gone: its owner has left, or his satchels have.
func (e ProjectileThrown) Moot(tx Tx) bool {
	return e.Player.gone || tx.w.combat.flights.byID[e.flying.ID] != e.flying
}

// Apply shows the projectile to others.
func (e ProjectileThrown) Apply(tx Tx) {
	p, f := e.Player, e.flying
	if e.Moot(tx) {
		return
	}
	f.shown = true
	if p.dimension != f.Dimension || p.lives != e.life {
		return
	}
	if f.Weapon != protocol.WeaponSatchel {
		tx.tellViewers(p, f.packet(tx.now()))
		return
	}
	tx.showSatchel(p, f)
}

// Cancelled gives the round back. What the thrower sees is his own affair.
func (e ProjectileThrown) Cancelled(tx Tx) {
	p, f := e.Player, e.flying
	tx.w.combat.flights.remove(f)
	p.satchels = without(p.satchels, f)
	if s := p.slotOf(f.Weapon); s != nil && p.lives == e.life && !p.gone {
		s.ammo = min(s.ammo+1, protocol.MaxAmmo)
		s.empty = false
		tx.tellAmmo(p, f.Weapon)
	}
}
