package host

import (
	"strings"
	"testing"
)

// TestGroups: a group is a name for a list, and groups may hold groups.
func TestGroups(t *testing.T) {
	c, fault := read(t, `
[permissions.groups]
helper = ["mute", "kick"]
admin = ["helper", "ban", "admin"]
[permissions.names]
"Tommy" = ["admin", "vip"]
"tommy" = ["beta"]
"Ken" = ["helper"]
`)
	if fault != "" {
		t.Fatal(fault)
	}
	given := c.Permissions.ofPlayers()
	for name, want := range map[string]string{"tommy": "admin ban beta helper kick mute vip", "ken": "helper kick mute", "nobody": ""} {
		if got := strings.Join(given.Names[name], " "); got != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
	warnings := strings.Join(c.warnings(), "\n")
	if !strings.Contains(warnings, `permissions.names: whoever joins as "Tommy" may use what admin, vip may, because a name proves nothing`) {
		t.Errorf("the log says %s", warnings)
	}
	for text, want := range map[string]string{
		"[permissions.groups]\nadmin = [\"Kick\"]":   `server.toml:2: permissions.groups.admin[0]: "Kick": a permission or group is 1..31 of a-z, 0-9, _, . and -`,
		"[permissions.groups]\n\"ad min\" = [\"x\"]": `server.toml:2: a name in [permissions.groups]: "ad min": a permission or group is 1..31 of a-z, 0-9, _, . and -`,
		"[permissions.names]\n\"Tommy\" = \"admin\"": `server.toml:2: permissions.names.Tommy`,
	} {
		if _, fault := read(t, text); !strings.HasPrefix(fault, want) {
			t.Errorf("%q:\n got %s\nwant %s", text, fault, want)
		}
	}
}
