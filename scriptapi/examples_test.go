package scriptapi

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/scriptapi/sandbox"
)

func TestStubsAreLua(t *testing.T) {
	if _, err := sandbox.Compile("mp.lua", []byte(Stubs())); err != nil {
		t.Error(err)
	}
}

// Every example of the reference runs as it stands, in a resource of its own, between two players who see each other.
func TestExamples(t *testing.T) {
	examples := declarations().registry.Examples()
	if len(examples) < 40 {
		t.Fatalf("there are only %d examples", len(examples))
	}
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		for _, example := range examples[name] {
			f := newField(t)
			f.permissions["t resources"], f.permissions["t bans"], f.permissions["t server"] = true, true, true
			f.start("bank", `mp.exports.define{ balance = function() return 5 end, give = function() end }`)
			f.enter("Alice")
			f.enter("Bobby")
			f.took()
			f.start("t", `local player, victim = mp.players.get(0), mp.players.get(1)
local shop = mp.views.define{ name = "prelude", entry = "shop.html" }
local view = shop:open(player)
`+example)
			f.pass(6 * time.Second)
			for _, line := range f.lines {
				if strings.HasPrefix(line, "ERROR t/") {
					t.Errorf("%s:\n%s\n%s", name, example, line)
				}
			}
		}
	}
}
