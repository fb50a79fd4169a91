package scriptapi

import (
	"path/filepath"
	"strings"
	"testing"

	"darqline/host/bans"
)

// emptyBans is a list without a ban.
func emptyBans(t testing.TB) *bans.List {
	t.Helper()
	list, err := bans.Open(filepath.Join(t.TempDir(), "bans.json"), bans.Options{NameKey: strings.ToLower})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
