package world

import (
	"time"

	"darqline/protocol"
)

// Figures of page Combat, DamageReport.
const (
	meleeSlack   = 2.5                    // metres beyond a weapon's range
	early        = 200 * time.Millisecond // that a blow or throw may come before its time: the way varies
	shotsBehind  = 64
	shotsAhead   = 8
	lineSlack    = 3 // metres that a shot's line may miss the victim by
	lineSlackVeh = 6 // if he sits in a vehicle
)

// ReceiveDamageReport checks a client's claim of a hit, of or by itself.
func (tx Tx) ReceiveDamageReport(p *Player, m *protocol.DamageReport) {
	f, ok := m.Cause.Figures()
	if !ok || !p.quota.damage.Take(tx.now(), 60, 60, 1) {
		return
	}
	if f.By == protocol.ByVictim {
		tx.victimReports(p, m, &f)
		return
	}
	if !p.dueling() || p.place.frozen {
		return
	}
	victim := tx.playerByToken(m.Victim)
	if victim == nil || !victim.dueling() {
		return
	}
	amount, why := tx.attackerReports(p, victim, m, &f)
	if why != "" {
		tx.violated(p, ViolationDamage, "%v: %s", m.Cause, why)
		return
	}
	tx.hurt(victim, &Damage{Attacker: p, Cause: m.Cause, BodyPart: m.BodyPart, Amount: amount, Pellets: m.Pellets,
		Distance: metres(p.body.Position, victim.body.Position)}, true)
}

// attackerReports says how much an attacker's hit is before multipliers, or why it cannot have been.
func (tx Tx) attackerReports(p, victim *Player, m *protocol.DamageReport, f *protocol.CauseFigures) (float32, string) {
	switch vehicle := tx.vehicleOf(p); {
	case victim == p:
		return 0, "the victim is himself"
	case victim.dimension != p.dimension || victim.body.Interior != p.body.Interior:
		return 0, "the victim is in another dimension or interior"
	case !tx.Sees(p, victim):
		return 0, "the victim is not in scope"
	case vehicle != 0 && vehicle == tx.vehicleOf(victim):
		return 0, "the victim sits in the same vehicle"
	case m.Cause == protocol.CauseVehicleGun:
		return 0, "no gun of that vehicle has fired" // until vehicles have guns
	case f.Class == protocol.ClassBullet:
		return tx.bulletHits(p, victim, m)
	}
	return tx.blowHits(p, victim, m, f)
}

// blowHits is attackerReports of melee.
func (tx Tx) blowHits(p, victim *Player, m *protocol.DamageReport, f *protocol.CauseFigures) (float32, string) {
	now := tx.now()
	w, rules := protocol.Weapon(m.Cause), tx.figuresOf(p, protocol.WeaponFist)
	if m.Cause == protocol.CausePistolWhip {
		if !p.gunInHand(now) {
			return 0, "no gun is in hand"
		}
	} else {
		rules = tx.figuresOf(p, w)
		if !p.inHand(w, now) {
			return 0, "it is not in hand"
		}
	}
	near := float64(rules.reach) + meleeSlack
	if !tx.wasWhere(victim, func(at protocol.Vec3) bool { return distance(p.body.Position, at) <= near }) {
		return 0, "the victim is out of reach"
	}
	step := stepOf(rules.interval)
	if !p.blows.take(now, step, early) {
		return 0, "too soon after the last"
	}
	return min(m.Amount, f.Claim), ""
}

// bulletHits is attackerReports of a hand weapon's bullet.
func (tx Tx) bulletHits(p, victim *Player, m *protocol.DamageReport) (float32, string) {
	now := tx.now()
	w := protocol.Weapon(m.Cause)
	rules := tx.figuresOf(p, w)
	ahead := int32(m.Shot - p.gun.seq)
	switch {
	case !p.inHand(w, now):
		return 0, "it is not in hand"
	case ahead < -shotsBehind || ahead > shotsAhead:
		return 0, "its shot is too far from the last"
	case !tx.wasWhere(victim, func(at protocol.Vec3) bool { return distance(p.body.Position, at) <= rules.farthest() }):
		return 0, "the victim is out of range"
	}
	if ahead > 0 {
		if why := tx.fired(p, w, m.Shot, &rules); why != "" {
			return 0, why
		}
	}
	s := p.gun.shot(m.Shot)
	switch {
	case s == nil || s.void:
		return 0, "no such shot counts"
	case s.arrived && s.weapon != w:
		return 0, "its shot was another weapon's"
	case s.struck(victim.Token):
		return 0, "that shot has hit him before"
	case s.pellets+m.Pellets > rules.pellets:
		return 0, "more pellets than the weapon has"
	case s.arrived && now-s.at <= shotMemory && !tx.passes(s, victim):
		return 0, "its shot went past the victim"
	}
	s.pellets += m.Pellets
	s.victims = append(s.victims, victim.Token)
	return rules.hit * float32(m.Pellets), ""
}

// passes says whether a shot's line passes near a position that the victim had in the last second.
func (tx Tx) passes(s *shot, victim *Player) bool {
	slack := float64(lineSlack)
	if victim.seated() {
		slack = lineSlackVeh
	}
	return tx.wasWhere(victim, func(at protocol.Vec3) bool { return offLine(s.origin, s.end, at) <= slack })
}

// wasWhere says whether a test holds for any place where a player is, or was in the last second.
func (tx Tx) wasWhere(p *Player, test func(at protocol.Vec3) bool) bool {
	if test(p.body.Position) {
		return true
	}
	for at := range tx.lastSecond(p) {
		if test(at) {
			return true
		}
	}
	return false
}

// victimReports is for what the world did to the sender, whose client has taken the loss already.
func (tx Tx) victimReports(p *Player, m *protocol.DamageReport, f *protocol.CauseFigures) {
	if p.life != Alive {
		return
	}
	if m.Victim != p.Token {
		tx.violated(p, ViolationDamage, "%v: reported for another", m.Cause)
		tx.answerVitals(p)
		return
	}
	tx.worldHurts(p, &Damage{Cause: m.Cause, BodyPart: m.BodyPart, Amount: m.Amount, Source: m.Source}, m.Vitals, false)
}

// ReceiveLethalDamageReport is for world damage that would kill the sender, whose client waits for the answer.
func (tx Tx) ReceiveLethalDamageReport(p *Player, m *protocol.LethalDamageReport) {
	if !p.quota.lethal.Take(tx.now(), 2, 4, 1) || p.life != Alive {
		return
	}
	tx.worldHurts(p, &Damage{Cause: m.Cause, BodyPart: protocol.PartTorso, Amount: m.Amount, Source: m.Source}, m.Vitals, true)
}

// worldHurts applies a loss that its victim has reported, and answers where the server does not take it as claimed.
func (tx Tx) worldHurts(p *Player, d *Damage, vitals uint16, lethal bool) {
	f, _ := d.Cause.Figures()
	claimed := d.Amount
	d.Amount = min(d.Amount, f.Claim)
	d.Attacker = tx.credited(p, d.Source, d.Cause)
	if d.Source.Kind == protocol.RefPlayer {
		d.Source = protocol.Ref{}
	}
	if d.Attacker != nil {
		d.Distance = metres(d.Attacker.body.Position, p.body.Position)
	}
	if p.arriving || p.invulnerable {
		tx.answerVitals(p)
		return
	}
	if d.Amount != claimed {
		lethal = true // answered whatever comes of it
	}
	d.Amount = tx.multiplied(p, d, false)
	d.Lethal = tx.Lethal(p, d)
	tx.decide(PlayerDamage{Victim: p, Damage: d, life: p.lives, reported: true, vitals: vitals, claimed: d.Amount, lethal: lethal})
}

// credited is whom the server's own record names for world damage of a player's (page Combat, DamageReport); nil: nobody.
// Distances are from the victim.
func (tx Tx) credited(p *Player, source protocol.Ref, cause protocol.Cause) *Player {
	var who *Player
	switch source.Kind {
	case protocol.RefProjectile:
		f := tx.w.combat.flights.byID[source.ID]
		if f != nil && f.Dimension == p.dimension && tx.now()-f.at <= flightMemory && distance(f.Origin, p.body.Position) <= 150 {
			who = f.Owner
		}
	case protocol.RefFire:
		f := tx.w.combat.blaze.byID(source.ID)
		if f != nil && f.Dimension == p.dimension && distance(f.Position, p.body.Position) <= 10 {
			who = f.Creator
		}
	case protocol.RefPlayer:
		other := tx.playerByToken(source.ID)
		if cause == protocol.CauseFire && other != nil && other.dimension == p.dimension &&
			other.inHand(protocol.WeaponFlamethrower, tx.now()) && distance(other.body.Position, p.body.Position) <= 15 {
			who = other
		}
	case protocol.RefNone:
		if cause == protocol.CauseFire && p.look.fire.on {
			who = p.look.fire.by
		}
	}
	if who == nil || who.gone {
		return nil
	}
	return who
}
