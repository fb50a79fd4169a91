package world

import (
	"time"

	"darqline/protocol"
)

// greet sends who is confirmed how all UI looks, and his keys (page Connection, What a new connection is sent).
func (tx Tx) greet(p *Player) {
	tx.joinTheme(p)
	tx.joinKeys(p)
}

// joinUI sends who has joined the actions and the elements that are for him.
func (tx Tx) joinUI(p *Player) {
	tx.joinActions(p)
	tx.joinHud(p)
}

// leaveUI ends what is open at who has left.
func (tx Tx) leaveUI(p *Player) {
	tx.endDialogs(p, EndLeave, anyDialog)
	tx.endMenus(p, EndLeave, anyMenu)
	tx.leaveOffers(p)
	tx.leaveActions(p)
	tx.leaveHud(p)
	tx.leaveList(p)
	tx.leaveTags(p)
	tx.leaveColshapes(p)
	tx.closeAll(p)
}

// deathUI closes what does not outlive a death.
func (tx Tx) deathUI(p *Player) {
	tx.endDialogs(p, EndDeath, func(d *Dialog) bool { return d.Spec.CloseOnDeath })
	tx.endMenus(p, EndDeath, func(m *Menu) bool { return m.spec.CloseOnDeath })
	tx.releaseAll(p)
	tx.deathHud(p)
}

// resourceUI ends what a resource that stops has open anywhere.
func (tx Tx) resourceUI(name string) {
	for _, p := range tx.Players() {
		tx.endDialogs(p, EndStop, func(d *Dialog) bool { return d.Spec.By == name })
		tx.endMenus(p, EndStop, func(m *Menu) bool { return m.By == name })
		tx.endOffers(p, EndStop, func(o *Offer) bool { return o.Spec.By == name })
	}
	tx.removeActions(name)
	tx.resourceHud(name)
	tx.listOf(name)
	tx.tagsOf(name)
	tx.colshapesOf(name)
}

// tickUI ends what has run out, and says when to come again.
func (tx Tx) tickUI() (next time.Duration) {
	tx.tellUnheard()
	tx.tickList()
	tx.tickColshapes()
	return min(tx.tickDialogs(), tx.tickOffers(), tx.tickActions(), tx.tickHud())
}

// scopeUI is what a viewer is sent with a player who enters his scope.
func (tx Tx) scopeUI(viewer, p *Player) []protocol.Packet { return tx.tagFor(viewer, p) }
