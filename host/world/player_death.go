package world

import "darqline/protocol"

// Death is what is known of a death.
type Death struct {
	Killer   *Player // nil: nobody
	Cause    protocol.Cause
	BodyPart protocol.BodyPart
	Stealth  bool
	Unknown  bool // the player's client could not say what it was; Cause is CauseScript
}

// Weapon is the weapon that killed; false where the cause is none.
func (d Death) Weapon() (protocol.Weapon, bool) {
	f, ok := d.Cause.Figures()
	weapon := protocol.Weapon(d.Cause)
	if _, is := weapon.Figures(); !is || !ok || d.Cause == protocol.CauseFire || f.By == protocol.ByServer {
		return 0, false
	}
	return weapon, true
}

// Kill is player:kill: the player is Wasted at once. Only the living can be killed.
func (tx Tx) Kill(p *Player, killer *Player, cause protocol.Cause) error {
	if err := p.alive(); err != nil {
		return err
	}
	tx.die(p, Death{Killer: killer, Cause: cause, BodyPart: protocol.PartTorso})
	return nil
}

// ReceiveDeathReport is for a client whose game has killed its ped; nothing can cancel that.
func (tx Tx) ReceiveDeathReport(p *Player, m *protocol.DeathReport) {
	if !p.limits.death.Take(tx.now(), 1, 2, 1) || p.life != Alive || p.arriving {
		return
	}
	tx.die(p, Death{Killer: tx.credited(p, m.Source, m.Cause), Cause: m.Cause, BodyPart: m.BodyPart,
		Unknown: m.Cause == protocol.CauseScript})
}

// die makes a living player Wasted, whatever his health was: the subject and his viewers see the death, and scripts hear
// of it. It ends animation, special action and fire; weapons stay until the respawn.
func (tx Tx) die(p *Player, d Death) {
	if p.life != Alive || p.gone {
		return
	}
	m := &protocol.PlayerWasted{PlayerID: p.ID, PlayerToken: p.Token, Cause: d.Cause, BodyPart: d.BodyPart}
	m.KillerID, m.KillerToken = somebody(d.Killer)
	if d.Stealth {
		m.Flags = protocol.WastedStealth
	}
	arrived := !p.arriving
	p.life, p.arriving, p.died, p.health = Wasted, false, tx.now(), 0
	tx.fell(p, m)
	tx.endAnimation(p, AnimationCleared)
	tx.endAction(p)
	p.look.fire = fire{}
	tx.disarmDead(p)
	p.body.Health, p.body.Animation, p.body.Action = 0, 0, protocol.ActionNone
	p.body.Flags &^= protocol.FlagBurning
	tx.relayOwn(p)
	tx.post(PlayerDeath{p, d, p.body.Position})
	tx.feedDeath(p, d)
	if !arrived {
		tx.moved(p) // the body is there, although he never was
	}
}
