package world

import (
	"errors"
	"time"

	"darqline/protocol"
)

// Figures of page Combat, Damage model and CreateExplosion.
const (
	blastMemory = 30 * time.Second
	blastDamage = 82.5 // points
	weakBlast   = 5    // that of a weak rocket is this part
)

// Explosion is one made by a script.
type Explosion struct {
	Position  protocol.Vec3
	Type      protocol.ExplosionType
	Creator   *Player // nil: nobody
	Dimension uint16
	Harmless  bool
	Silent    bool
	Invisible bool
	Shake     float32 // of the camera, 0..2; 1 is the type's own
}

// blast is an explosion that the server knows the place of.
type blast struct {
	explosion protocol.ExplosionType
	at        protocol.Vec3
	dimension uint16
	by        *Player
	when      time.Duration
}

// Explode shows an explosion to everyone near, and hurts at once unless it is harmless.
func (tx Tx) Explode(e Explosion) error {
	id, token := somebody(e.Creator)
	m := &protocol.CreateExplosion{Type: e.Type, CreatorID: id, CreatorToken: token, Position: e.Position, Shake: e.Shake}
	for flag, set := range map[protocol.ExplosionFlags]bool{protocol.ExplosionHarmless: e.Harmless,
		protocol.ExplosionSilent: e.Silent, protocol.ExplosionInvisible: e.Invisible} {
		if set {
			m.Flags |= flag
		}
	}
	if err := check(m); err != nil {
		return err
	}
	if e.Dimension > protocol.MaxDimension {
		return errNoDimension
	}
	for _, p := range tx.w.players {
		if tx.isNear(p, e.Position, e.Dimension, 0) {
			p.link.Straight(m)
		}
	}
	if !e.Harmless {
		tx.blast(blast{explosion: e.Type, at: e.Position, dimension: e.Dimension, by: e.Creator})
	}
	return nil
}

var errNoDimension = errors.New("dimension: 0..65534 expected, got 65535")

// isNear says whether a place is within the stream distance and some metres more of a connection's centre.
func (tx Tx) isNear(p *Player, at protocol.Vec3, dimension uint16, more float32) bool {
	centre, of, ok := tx.centre(p)
	return ok && of == dimension && distance(centre, at) <= float64(tx.w.cfg.Players.StreamDistance+more)
}

// blast hurts every Alive player within the radius, and remembers the explosion.
func (tx Tx) blast(b blast) {
	now := tx.now()
	b.when = now
	past := tx.w.combat.blasts
	for len(past) > 0 && now-past[0].when > blastMemory {
		past = past[1:]
	}
	tx.w.combat.blasts = append(past, b)
	for _, p := range tx.Players() {
		if p.dimension != b.dimension || !p.dueling() {
			continue
		}
		d := metres(b.at, p.body.Position)
		if points := blastPoints(b.explosion, d); points > 0 {
			tx.hurt(p, &Damage{Attacker: b.by, Cause: protocol.CauseExplosion, BodyPart: protocol.PartTorso, Amount: points,
				Distance: d}, false)
		}
	}
}

// blastPoints is what an explosion takes at a distance in metres.
func blastPoints(t protocol.ExplosionType, d float32) float32 {
	r := t.Radius()
	if t == protocol.ExplosionMolotov || d > r { // a molotov's fires hurt by themselves
		return 0
	}
	points := blastDamage * min(1, 2-2*d/r)
	if t == protocol.ExplosionRocketWeak {
		points /= weakBlast
	}
	return points
}
