package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/strict"
)

// PermissionConfig is the table [permissions]: what resources may do beyond their own things, and what commands players may
// use. A group is a name for a list of permissions, and is one itself: who is in the group "admin" may use a command with
// permission = "admin", too.
type PermissionConfig struct {
	Resources map[string][]string
	Players   map[string][]string // by account
	Groups    map[string][]string
	Names     map[string][]string // by the player's name, which proves nothing
}

// resourcePermissions are what [permissions.resources] may give (page Resources and views).
var resourcePermissions = []string{"bans", "server", "resources", "editor"}

func (c *PermissionConfig) table() strict.Table {
	ofResource := strict.Check("a permission", func(s string) error {
		if !slices.Contains(resourcePermissions, s) {
			return fmt.Errorf("%q is no permission%s", s, strict.Meant(s, resourcePermissions))
		}
		return nil
	})
	name := strict.Check("1..31 of a-z, 0-9, _, . and -", func(s string) error {
		if s == "" || len(s) > 31 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
			return fmt.Errorf("%q: a permission or group is 1..31 of a-z, 0-9, _, . and -", s)
		}
		return nil
	})
	account := strict.Check("an account, PROVIDER:SUBJECT", func(s string) error {
		if provider, subject, _ := strings.Cut(s, ":"); provider == "" || subject == "" {
			return fmt.Errorf("%q is no account: write the provider's name, a colon and whom it knows, such as \"forum:4711\"", s)
		}
		return nil
	})
	list := func(rule strict.Rule) func(p *[]string) strict.Value {
		return func(p *[]string) strict.Value { return strict.Strings(p, rule) }
	}
	return strict.Table{
		strict.Key("permissions.resources", strict.ByName(&c.Resources, 1000, strict.Check("a resource's name", protocol.ValidResourceName),
			list(ofResource)), "what a resource may do beyond its own things").Live(),
		strict.Key("permissions.players", strict.ByName(&c.Players, 10000, account, list(name)),
			"permissions and groups of who has signed in with that account; a permission is what a command asks for").Live(),
		strict.Key("permissions.groups", strict.ByName(&c.Groups, 1000, name, list(name)),
			"a group: permissions, or other groups, that are given together by its name").Live(),
		strict.Key("permissions.names", strict.ByName(&c.Names, 10000, strict.AnyName, list(name)),
			"permissions and groups of whoever joins with that name, for tests and closed servers: a name proves nothing, anyone can take it").Live(),
	}
}

// ofPlayers is what players are given, with all that their groups hold.
func (c *PermissionConfig) ofPlayers() world.Permissions {
	given := world.Permissions{Accounts: make(map[string][]string, len(c.Players)), Names: make(map[string][]string, len(c.Names))}
	for account, list := range c.Players {
		given.Accounts[account] = c.whole(list)
	}
	for name, list := range c.Names {
		key := strings.ToLower(name)
		given.Names[key] = c.whole(append(given.Names[key], list...))
	}
	return given
}

// whole is a list of permissions and groups with all that the groups hold.
func (c *PermissionConfig) whole(list []string) []string {
	all := make(map[string]bool)
	var add func(names []string)
	add = func(names []string) {
		for _, name := range names {
			if !all[name] { // also ends a group that holds itself
				all[name] = true
				add(c.Groups[name])
			}
		}
	}
	add(list)
	return slices.Sorted(maps.Keys(all))
}

// warnings are what the log says of permissions that are given by a name, or to accounts that nobody can have: providers are the
// names of those who sign players in.
func (c *PermissionConfig) warnings(providers []string) (list []string) {
	for _, account := range slices.Sorted(maps.Keys(c.Players)) {
		if provider, _, _ := strings.Cut(account, ":"); !slices.Contains(providers, provider) {
			list = append(list, fmt.Sprintf("permissions.players: nobody can have the account %q, because no [[auth.providers]] is called %q%s",
				account, provider, strict.Meant(provider, providers)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Names)) {
		list = append(list, fmt.Sprintf("permissions.names: whoever joins as %q may use what %s may, because a name proves nothing: "+
			"keep this to tests, or to a server with a password", name, strings.Join(c.Names[name], ", ")))
	}
	return list
}
