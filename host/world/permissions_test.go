package world

import (
	"strings"
	"testing"
)

// TestConfiguredPermissions: a configuration that changes gives and takes what is different, and leaves what scripts did.
func TestConfiguredPermissions(t *testing.T) {
	r := newRig(t)
	has := func(p *Player) (names string) {
		r.do(func(tx Tx) { names = strings.Join(tx.Permissions(p), " ") })
		return names
	}
	set := func(given Permissions) { r.do(func(tx Tx) { tx.SetPermissions(given) }) }
	set(Permissions{Names: map[string][]string{"alice": {"admin", "kick"}}})
	_, alice := r.join("ALICE")
	_, bobby := r.join("Bobby")
	r.want("by name, whatever its case", has(alice), "admin kick")
	r.want("nobody else", has(bobby), "")
	r.do(func(tx Tx) {
		tx.Grant(alice, "vip")
		tx.Revoke(alice, "admin")
	})
	set(Permissions{Names: map[string][]string{"alice": {"admin", "ban"}, "bobby": {"kick"}}})
	r.want("what is new is given, what is not taken, what scripts did stays", has(alice), "ban vip")
	r.want("one who is here already", has(bobby), "kick")
	set(Permissions{})
	r.want("nothing", has(alice), "vip")
}
