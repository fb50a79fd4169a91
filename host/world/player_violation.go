package world

import (
	"fmt"
	"time"

	"darqline/protocol"
)

// Violation is a kind of check that clients' packets fail (page Player, Limits). The server never kicks for one.
type Violation uint8

const (
	ViolationEpoch Violation = iota
	ViolationMovement
	ViolationWeapon
	ViolationRate
	ViolationAmmo
	ViolationDamage
	ViolationProjectile
	ViolationUI
	violationKinds
)

func (v Violation) String() string {
	return [...]string{"epoch", "movement", "weapon", "rate", "ammo", "damage", "projectile", "ui"}[v]
}

// A kind fires when it has failed so often in so long, and not again in that time.
const (
	violationCount  = 10
	violationWindow = 10 * time.Second
)

// failedChecks are a player's newest failures by kind.
type failedChecks [violationKinds]struct {
	at    [violationCount]time.Duration // a ring
	count uint32
	fired once
}

// violated notes a failed check; the text says what came and what was expected.
func (tx Tx) violated(p *Player, kind Violation, text string, args ...any) {
	if p.failed == nil {
		p.failed = new(failedChecks)
	}
	now, f := tx.now(), &p.failed[kind]
	f.at[f.count%violationCount] = now
	f.count++
	oldest := f.at[f.count%violationCount] // the tenth last
	if f.count < violationCount || now-oldest > violationWindow || !f.fired.may(now, violationWindow) {
		return
	}
	f.fired.did(now)
	tx.post(PlayerViolation{p, kind, fmt.Sprintf(text, args...)})
}

// mustInstruct sends what the server itself has to say; a lane that does not take it ends the connection by itself.
func (tx Tx) mustInstruct(p *Player, m protocol.Packet) { _ = tx.instruct(p, m) }
