package world

import (
	"time"

	"darqline/protocol"
)

// joinUI sends who is confirmed the theme, the keys, the actions and the elements that are for him (page Connection, What a
// new connection is sent).
func (tx Tx) joinUI(p *Player) {}

// leaveUI ends what is open at who has left.
func (tx Tx) leaveUI(p *Player) {
	tx.endDialogs(p, EndLeave, anyDialog)
}

// deathUI closes what does not outlive a death.
func (tx Tx) deathUI(p *Player) {
	tx.endDialogs(p, EndDeath, func(d *Dialog) bool { return d.Spec.CloseOnDeath })
}

// resourceUI ends what a resource that stops has open anywhere.
func (tx Tx) resourceUI(name string) {
	for _, p := range tx.Players() {
		tx.endDialogs(p, EndStop, func(d *Dialog) bool { return d.Spec.By == name })
	}
}

// tickUI ends what has run out, and says when to come again.
func (tx Tx) tickUI() (next time.Duration) {
	tx.tellUnheard()
	return tx.tickDialogs()
}

// scopeUI is what a viewer is sent with a player who enters his scope.
func (tx Tx) scopeUI(viewer, p *Player) []protocol.Packet { return nil }
