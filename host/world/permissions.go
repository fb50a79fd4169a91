package world

import (
	"maps"
	"slices"
)

// Permissions are what the configuration gives to players.
type Permissions struct {
	Accounts map[string][]string
	Names    map[string][]string // by name, in lower case
}

// of is what a player is given.
func (given Permissions) of(p *Player) []string {
	return slices.Concat(given.Accounts[p.account], given.Names[p.lower])
}

// HasPermission says whether the player has a permission (page Resources and views, Permissions).
func (tx Tx) HasPermission(p *Player, name string) bool { return p.permissions[name] }

// Grant gives a permission until the player leaves; Revoke takes one back, also one that the configuration gave.
func (tx Tx) Grant(p *Player, name string) {
	if p.permissions == nil {
		p.permissions = make(map[string]bool)
	}
	p.permissions[name] = true
}

func (tx Tx) Revoke(p *Player, name string) { delete(p.permissions, name) }

// Permissions are the names that the player has, sorted.
func (tx Tx) Permissions(p *Player) []string { return slices.Sorted(maps.Keys(p.permissions)) }

// SetPermissions takes over what the configuration gives. What scripts have granted and revoked stays.
func (tx Tx) SetPermissions(given Permissions) {
	tx.w.cfg.Permissions = given
	for _, p := range tx.w.players {
		tx.configurePermissions(p)
	}
}

// configurePermissions gives a player what the configuration gives him now and has not before, and takes what it does not
// give any more.
func (tx Tx) configurePermissions(p *Player) {
	given := tx.w.cfg.Permissions.of(p)
	for _, name := range p.configured {
		if !slices.Contains(given, name) {
			tx.Revoke(p, name)
		}
	}
	for _, name := range given {
		if !slices.Contains(p.configured, name) {
			tx.Grant(p, name)
		}
	}
	p.configured = given
}
