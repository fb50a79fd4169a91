package scriptapi

import (
	"strings"
	"testing"

	"darqline/protocol"
)

func TestNametagsInLua(t *testing.T) {
	f := newField(t)
	f.enter("Alice")
	f.enter("Bobby")
	f.start("t", `
local p, b = mp.players.get(0), mp.players.get(1)
local n = p.nametag
print(n.name, n.text, n.color, n.icon, n.distance, n.visible, n.health, n.armor, n.signs, n.through_walls)
n.name, n.text, n.color, n.icon, n.distance, n.visible = "X", "{FF0000}Cop", "#00FF00", "shield", 99.5, false
n.health, n.armor, n.signs, n.through_walls = false, false, false, true
print(n.name, n.text, n.color, n.icon, n.distance, n.visible, n.health, n.armor, n.signs, n.through_walls)
n:override(b, { name = "For Bobby", visible = true })
`)
	f.said("\t\tnil\tnone\t40\ttrue\ttrue\ttrue\ttrue\tfalse\nX\t{FF0000}Cop\trgba(0, 255, 0, 255)\tshield\t99.5\tfalse\tfalse\tfalse\tfalse\ttrue")
	m := sentTo[*protocol.PlayerNametag](f.guests[1].guest)
	if m == nil || m.Name != "For Bobby" || m.Text != "{FF0000}Cop" || m.Flags != protocol.NametagShown|protocol.NametagThroughWalls || m.Distance != 99.5 {
		t.Fatalf("Bobby gets %+v", m)
	}
	f.stop("t")
	if m := sentTo[*protocol.PlayerNametag](f.guests[1].guest); *m != *protocol.DefaultNametag(m.PlayerID, m.PlayerToken) {
		t.Fatalf("after the stop Bobby gets %+v", m)
	}
	for _, test := range []struct{ code, want string }{
		{`mp.players.get(0).nametag.distance = 301`, `nametag.distance: number 1..300 expected, got 301`},
		{`mp.players.get(0).nametag.icon = "gnu"`, `nametag.icon: unknown "gnu", did you mean "gun"?`},
		{`mp.players.get(0).nametag:override(mp.players.get(1), { nam = "x" })`,
			`nametag:override: argument 2 "values": values: a table with the keys name, text, color, icon, distance, visible, health, armor, signs and through_walls expected, got the unknown key "nam"; did you mean "name"?`},
	} {
		if got := f.fault(test.code); !strings.HasSuffix(got, strings.TrimPrefix(test.want, "nametag:override: argument 2 \"values\": values: ")) {
			t.Errorf("%s:\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}
