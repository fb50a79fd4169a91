package world

import (
	"errors"
	"strings"
	"sync/atomic"
)

// naming is what a player is called.
type naming struct {
	name  atomic.Pointer[string] // set with the permit, read without
	lower string                 // in lower case
}

func (n *naming) set(name string) {
	n.name.Store(&name)
	n.lower = strings.ToLower(name)
}

// Name is the player's name as all see it. It needs no permit.
func (n *naming) Name() string { return *n.name.Load() }

// Name is Player.Name, beside the other facts.
func (tx Tx) Name(p *Player) string { return p.Name() }

// SetName gives a player another name by the rules for names, where nobody has it. All learn it with his row of the player list, and
// what permissions.names gives goes with the name. On an error, which is in words, nothing has changed.
func (tx Tx) SetName(p *Player, name string) error {
	if p.gone {
		return errors.New("he has left")
	}
	if err := p.link.Rename(name); err != nil {
		return err
	}
	p.set(p.link.Name())
	tx.configurePermissions(p)
	tx.rowChanged(p)
	return nil
}
