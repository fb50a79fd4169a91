package scriptapi

import (
	"strings"
	"testing"

	"darqline/host/world"
	"darqline/protocol"
)

func TestListEntriesAndColumns(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("t", `
local p = mp.players.get(0)
local e = p.list_entry
print(e.color, e.group, e.order, e.listed, e == p.list_entry)
e.color, e.group, e.order, e.listed = "#FF0000", "Police", -5, false
print(e.color, e.group, e.order, e.listed)
mp.ui.player_list.title = "Race"
score = mp.ui.player_list.column{ label = "Score", align = "right", width = 20 }
score:set(p, 12.5)
score:set(p, "{00FF00}12")
kills = mp.ui.player_list.column{ label = "Kills", order = -1 }
print(score.label, tostring(score), mp.ui.player_list.title)
`)
	s.said("nil\t\t0\ttrue\ttrue\nrgba(255, 0, 0, 255)\tPolice\t-5\tfalse\nScore\tListColumn(\"Score\")\tRace")
	tick := func() {
		s.now += 1e9
		s.do(func(tx world.Tx) { tx.Tick() })
	}
	tick()
	m := sentTo[*protocol.PlayerListEntry](alice)
	if m == nil || len(m.Entries) != 2 {
		t.Fatalf("sent %+v", m)
	}
	head, row := m.Entries[0], m.Entries[1]
	if head.Title != "Race" || len(head.Columns) != 2 || head.Columns[1] != (protocol.ListColumn{Align: protocol.AlignRight, Width: 20, Heading: "Score"}) {
		t.Errorf("the header is %+v", head)
	}
	if row.Group != "Police" || row.Order != -5 || row.Flags != protocol.ListHidden|protocol.ListSelf || strings.Join(row.Cells, ",") != ",{00FF00}12" {
		t.Errorf("the row is %+v", row)
	}
	for _, test := range []struct{ code, want string }{
		{`mp.players.get(0).list_entry.group = ("x"):rep(33)`, `list_entry.group: a string of at most 32 bytes expected, got a string of 33 bytes`},
		{`mp.ui.player_list.title = ("x"):rep(97)`, `mp.ui.player_list.title: a string of at most 96 bytes expected, got a string of 97 bytes`},
		{`mp.ui.player_list.column{ label = "x" }:set(mp.players.get(0), {})`, `column:set: argument 2 "value": a text or a number expected, got a table`},
		{`mp.ui.player_list.column{ label = "x" }:set(mp.players.get(0), ("x"):rep(33))`, `column:set: argument 2 "value": at most 32 bytes expected, got 33`},
		{`for i = 1, 5 do mp.ui.player_list.column{ label = "x" } end`, `mp.ui.player_list.column: the player list has 6 columns already, of t`},
		{`local c = mp.ui.player_list.column{ label = "x" } c:remove() c:set(mp.players.get(0), 1)`, `column:set: this column was removed`},
	} {
		s.start("two", `a = mp.ui.player_list.column{ label = "a" } b = mp.ui.player_list.column{ label = "b" }`)
		if strings.Contains(test.code, "for i") { // 4 of others stand there
			s.stop("t")
			s.start("t2", `for i = 1, 2 do mp.ui.player_list.column{ label = "y" } end`)
		}
		got := s.fault(test.code)
		if strings.Contains(test.code, "for i") {
			if want := "the player list has 6 columns already, of "; !strings.Contains(got, want) {
				t.Errorf("%s: %s", test.code, got)
			}
		} else if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.code, got, test.want)
		}
		s.stop("two")
	}
	alice.leave()
}
