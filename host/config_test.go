package host

import (
	"os"
	"path/filepath"
	"testing"
)

// TestConfigFaults holds the texts of what the rows and the checks across keys refuse.
func TestConfigFaults(t *testing.T) {
	known := []string{"shop", "bank"}
	for text, want := range map[string]string{
		"":                         "",
		"[server]\nport = 7778\n":  "",
		"[server]\nprot = 7778\n":  `server.toml:2: unknown key "prot" in [server]; did you mean "port"?`,
		"[server]\nbind = \"::x\"": `server.toml:2: server.bind: "::x" must be an IP address, such as "[::]" or "203.0.113.5"`,
		"[permissions.resources]\nshop = [\"ban\"]":  `server.toml:2: permissions.resources.shop[0]: "ban" is no permission; did you mean "bans"?`,
		"[permissions.resources]\nshpo = [\"bans\"]": `server.toml:2: [permissions.resources]: there is no resource "shpo"; did you mean "shop"?`,
		"\n[resources.shpo]\nx = 1":                  `server.toml:2: [resources]: there is no resource "shpo"; did you mean "shop"?`,
		"[resources.race]":                           `server.toml:1: [resources]: there is no resource "race"; there is "shop" and "bank"`,
		"[connection]\nkeepalive = 5000":             `server.toml:1: connection.timeout must be at least 6 times connection.keepalive (30000), not 10000`,
		"[names]\nmin = 9\nmax = 4":                  `server.toml:2: names.min (9) must not be above names.max (4)`,
	} {
		path := filepath.Join(t.TempDir(), "server.toml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := ReadConfig(path)
		if err == nil {
			err = c.CheckNames(known)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}
