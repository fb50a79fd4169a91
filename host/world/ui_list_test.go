package world

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// lists lets the list's changes go out, and gives what a player was sent.
func (l *link) lists() string {
	l.r.t.Helper()
	l.r.tickList()
	return l.drain()
}

// tickList lets the list's changes go out, after a pause that is long enough for as many players as a test has.
func (r *rig) tickList() {
	r.now += time.Second
	r.do(func(tx Tx) { tx.tickList() })
}

func TestPlayerListInBatches(t *testing.T) {
	r := newRig(t)
	for i := range 200 {
		r.join(fmt.Sprintf("Player_%03d_with_a_long_name", i))
	}
	l, _ := r.join("Zoe")
	said := l.drain()
	if n := strings.Count(said, "list["); n < 7 || n > 9 {
		t.Fatalf("%d packets for 201 players", n)
	}
	if !strings.HasPrefix(said, "list[header Player_000") || !strings.HasSuffix(said, "Zoe]") {
		t.Fatalf("sent %s", said)
	}
}

func TestWhoComesAndGoesIsNotTold(t *testing.T) {
	r := newRig(t)
	a, _ := r.join("Alice")
	a.drain()
	b, _ := r.join("Bobby")
	r.tickList() // he waits in Alice's pacer
	r.do(func(tx Tx) { tx.Leave(b, protocol.ReasonQuit, "") })
	r.want("Alice never knew Bobby", a.drain(), "")
	c, _ := r.join("Carol")
	r.want("Alice knows Carol", a.lists(), "list[Carol]")
	r.do(func(tx Tx) { tx.Leave(c, protocol.ReasonQuit, "") })
	r.want("and hears that she left", a.drain(), "leave 102")
}

func TestNobodyIsListedAfterHisLeave(t *testing.T) {
	r := newRig(t)
	b, _ := r.join("Bobby")
	c, _ := r.join("Carol")
	a, _ := r.join("Alice") // her list waits, with all three
	d, _ := r.join("Dave")
	r.tickList() // his row waits behind it
	r.do(func(tx Tx) { tx.Leave(b, protocol.ReasonQuit, "") })
	r.want("the list is made again", a.lists(), "list[header Carol Alice Dave]")
	r.do(func(tx Tx) { tx.Leave(c, protocol.ReasonQuit, "") })
	r.do(func(tx Tx) { tx.Leave(d, protocol.ReasonQuit, "") })
	r.want("both were known", a.drain(), "leave 101, leave 103")
}

func TestALeaveInTheMiddleOfAListIsTold(t *testing.T) {
	r := newRig(t)
	var others []*link
	for i := range 150 {
		l, _ := r.join(fmt.Sprintf("Player_%03d_with_a_long_name", i))
		others = append(others, l)
	}
	a, _ := r.join("Alice")
	for range 60 { // what goes before leaves room for four packets of the list
		r.do(func(tx Tx) {
			id := tx.newID()
			tx.clearScreen(tx.w.links[a], id)
		})
	}
	a.flush()
	if a.pace.Len() == 0 {
		t.Fatal("the whole list went in one pass")
	}
	r.do(func(tx Tx) { tx.Leave(others[0], protocol.ReasonQuit, "") })
	said := a.drain()
	if leave, again := strings.Index(said, "leave 100"), strings.LastIndex(said, "list[header"); leave < 0 || again < leave {
		t.Fatalf("leave at %d, the new list at %d", leave, again)
	}
	if n := strings.Count(said, "Player_000"); n != 1 {
		t.Fatalf("he is listed %d times: once before he left", n)
	}
}

func TestPings(t *testing.T) {
	r := newRig(t)
	a, _ := r.join("Alice")
	b, _ := r.join("Bobby")
	a.lists()
	b.drain()
	refresh := func() { r.do(func(tx Tx) { tx.RefreshPings() }) }
	refresh()
	r.want("nothing measured", a.drain(), "")
	a.ping, b.ping = 40*time.Millisecond, 200*time.Millisecond
	refresh()
	r.want("first", a.drain(), "list[100=40ms 101=200ms]")
	b.drain()
	a.ping, b.ping = 51*time.Millisecond, 230*time.Millisecond // 11 ms and 27 %; 30 ms, but 15 % only
	refresh()
	r.want("moved by more than 10 ms and 20 %", a.drain(), "list[100=51ms]")
	b.drain()
	a.ping = 90 * time.Millisecond
	b.unacked = idleLane
	refresh()
	r.want("an idle lane", a.drain(), "list[100=90ms]")
	if b.pace.Len() != 0 {
		t.Fatal("a ping goes to a lane that is not idle")
	}
}

// roll is what a client makes of the list's packets.
type roll struct {
	l       *link
	p       *Player
	title   string
	columns int
	rows    map[uint32]protocol.ListEntry
	self    uint32
}

// read applies what has come, and refuses what a client would not understand.
func (r *roll) read() {
	t := r.l.r.t
	for _, m := range r.l.sent {
		switch m := m.(type) {
		case *protocol.PlayerLeave:
			delete(r.rows, m.PlayerToken)
		case *protocol.PlayerListEntry:
			for _, e := range m.Entries {
				switch e.Op {
				case protocol.ListHeader:
					r.title, r.columns = e.Title, len(e.Columns)
				case protocol.ListWhole:
					if len(e.Cells) != r.columns {
						t.Fatalf("a row of %d cells under %d columns", len(e.Cells), r.columns)
					}
					if e.Flags&protocol.ListSelf != 0 {
						r.self = e.PlayerToken
					}
					e.Flags &^= protocol.ListSelf
					r.rows[e.PlayerToken] = e
				}
			}
		}
	}
	r.l.sent = nil
}

// TestEverybodyHasTheSameList lets players come and go and scripts change the list at random, while lanes stand still and go
// on: in the end each client has the list that there is.
func TestEverybodyHasTheSameList(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 7))
		r := newRig(t)
		var here []*roll
		var columns []*ListColumn
		one := func() *roll { return here[random.IntN(len(here))] }
		join := func() {
			l := r.connect(fmt.Sprintf("Player_%d_with_a_long_name", r.links))
			var p *Player
			r.do(func(tx Tx) { p = tx.Join(l) })
			here = append(here, &roll{l: l, p: p, rows: make(map[uint32]protocol.ListEntry)})
		}
		join()
		for range 400 {
			switch n := random.IntN(12); {
			case n < 2:
				join()
			case n == 2 && len(here) > 1:
				i := random.IntN(len(here))
				gone := here[i]
				here = slices.Delete(here, i, i+1)
				r.do(func(tx Tx) { tx.Leave(gone.l, protocol.ReasonQuit, "") })
			case n == 3:
				r.do(func(tx Tx) {
					row := ListRow{Order: int16(random.IntN(3)), Group: []string{"", "Police"}[random.IntN(2)], Hidden: random.IntN(4) == 0}
					if err := tx.SetListRow(one().p, row); err != nil {
						t.Error(err)
					}
				})
			case n == 4 && random.IntN(3) == 0:
				r.do(func(tx Tx) {
					if c, err := tx.AddColumn(ColumnSpec{Heading: "x", Order: random.IntN(3), By: "t"}); err == nil {
						columns = append(columns, c)
					}
				})
			case n == 5 && len(columns) > 0 && random.IntN(3) == 0:
				i := random.IntN(len(columns))
				r.do(func(tx Tx) { tx.RemoveColumn(columns[i]) })
				columns = slices.Delete(columns, i, i+1)
			case n == 6 && len(columns) > 0:
				r.do(func(tx Tx) {
					if err := tx.SetCell(columns[random.IntN(len(columns))], one().p, fmt.Sprint(random.IntN(9))); err != nil {
						t.Error(err)
					}
				})
			case n == 7:
				r.do(func(tx Tx) {
					if err := tx.SetListTitle(fmt.Sprint("title ", random.IntN(9)), "t"); err != nil {
						t.Error(err)
					}
				})
			case n < 10:
				r.tickList()
			default:
				to := one()
				to.l.unacked = random.IntN(2) * 500 // 500: no pass is made
				to.l.flush()
				to.read()
			}
		}
		r.tickList()
		for _, to := range here {
			to.l.unacked = 0
			for to.l.pace.Len() > 0 {
				to.l.flush()
				to.read()
			}
			r.do(func(tx Tx) {
				if to.title != tx.ListTitle() || to.columns != len(tx.w.list.columns) || to.self != to.p.Token || len(to.rows) != len(here) {
					t.Fatalf("seed %d: %s has %q, %d columns, %d rows of %d, himself %d", seed, to.p, to.title, to.columns, len(to.rows), len(here), to.self)
				}
				for _, other := range here {
					if got, want := to.rows[other.p.Token], tx.listEntry(other.p); !reflect.DeepEqual(got, want) {
						t.Fatalf("seed %d: of %s\n got %+v\nwant %+v", seed, other.p, got, want)
					}
				}
			})
		}
	}
}

// TestAListOf500 is what one who joins gets, and what all get of a change of all.
func TestAListOf500(t *testing.T) {
	r := newRig(t)
	r.do(func(tx Tx) {
		for _, heading := range []string{"Score", "Kills", "Team"} {
			if _, err := tx.AddColumn(ColumnSpec{Heading: heading, By: "t"}); err != nil {
				t.Fatal(err)
			}
		}
	})
	cells := func(text string) {
		r.do(func(tx Tx) {
			for _, p := range tx.Players() {
				for _, c := range tx.w.list.columns {
					if err := tx.SetCell(c, p, text); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
	packets := func(said string) int { return strings.Count(said, "list[") }
	for i := range 499 {
		l, _ := r.join(fmt.Sprintf("Player_%05d", i))
		l.pace = pacer.Pacer{}
	}
	cells("12345")
	l, _ := r.join("Zoe_12_bytes")
	if n := packets(l.lists()); n < 20 || n > 45 {
		t.Errorf("a list of 500 is %d packets", n)
	}
	r.want("nothing more", l.lists(), "")
	cells("54321")
	if n := packets(l.lists()); n < 20 || n > 25 {
		t.Errorf("500 changed rows are %d packets", n)
	}
}

func TestListRules(t *testing.T) {
	r := newRig(t)
	a, alice := r.join("Alice")
	b, bobby := r.join("Bobby")
	a.lists()
	b.lists()
	r.do(func(tx Tx) {
		for _, bad := range []ListRow{{Group: strings.Repeat("x", 33)}, {Group: "two\nlines"}, {Color: protocol.RGBA{R: 1}}} {
			if tx.SetListRow(alice, bad) == nil || tx.ListRow(alice) != (ListRow{}) {
				t.Errorf("%+v was taken", bad)
			}
		}
		if tx.SetListTitle(strings.Repeat("x", 97), "t") == nil || tx.ListTitle() != "" {
			t.Error("a title of 97 bytes was taken")
		}
		for _, bad := range []ColumnSpec{{}, {Heading: strings.Repeat("x", 33)}, {Heading: "x", Width: 101}} {
			if _, err := tx.AddColumn(bad); err == nil || len(tx.w.list.columns) != 0 {
				t.Errorf("%+v was taken", bad)
			}
		}
		var last *ListColumn
		for i := range 6 {
			c, err := tx.AddColumn(ColumnSpec{Heading: fmt.Sprint(i), Order: -i % 3, By: []string{"bank", "race"}[i%2]})
			if err != nil {
				t.Fatal(err)
			}
			last = c
		}
		var order []string
		for _, c := range tx.w.list.columns {
			order = append(order, c.Spec.Heading)
		}
		r.want("the order", strings.Join(order, " "), "2 5 1 4 0 3")
		_, err := tx.AddColumn(ColumnSpec{Heading: "x"})
		r.want("a seventh", fmt.Sprint(err), "the player list has 6 columns already, of bank, race")
		if tx.SetCell(last, alice, strings.Repeat("x", 33)) == nil {
			t.Error("a cell of 33 bytes was taken")
		}
		if err := tx.SetListTitle("Race", "race"); err != nil {
			t.Error(err)
		}
	})
	r.want("all in one", a.lists(), "list[header Alice Bobby]")
	b.lists()
	r.do(func(tx Tx) { tx.ResourceEnded("race") })
	a.lists()
	r.do(func(tx Tx) {
		if n := len(tx.w.list.columns); n != 3 || tx.ListTitle() != "" {
			t.Errorf("%d columns under %q after the stop", n, tx.ListTitle())
		}
	})
	b.lists()
	r.do(func(tx Tx) {
		if err := tx.SetListRow(bobby, ListRow{Hidden: true}); err != nil {
			t.Error(err)
		}
		if err := tx.SetListRow(bobby, ListRow{Hidden: true}); err != nil {
			t.Error(err)
		}
	})
	r.tickList()
	b.flush()
	if m := lastOf[*protocol.PlayerListEntry](b); m == nil || m.Entries[0].Flags != protocol.ListHidden|protocol.ListSelf {
		t.Errorf("Bobby gets %+v", m)
	}
	r.want("one row", a.lists(), "list[Bobby]")
}

// TestPingsThatWereMissed: who was told nothing while his lane was busy gets all of them later.
func TestPingsThatWereMissed(t *testing.T) {
	r := newRig(t)
	a, _ := r.join("Alice")
	b, _ := r.join("Bobby")
	a.lists()
	b.lists()
	a.ping, b.ping, b.unacked = 40*time.Millisecond, 50*time.Millisecond, idleLane
	r.do(func(tx Tx) { tx.RefreshPings() })
	r.want("Alice", a.drain(), "list[100=40ms 101=50ms]")
	b.unacked = 0
	r.do(func(tx Tx) { tx.RefreshPings() })
	r.want("nothing has moved for Alice", a.drain(), "")
	r.want("Bobby", b.drain(), "list[100=40ms 101=50ms]")
}

// BenchmarkList500Changed is a cell of each of 500 players changed, told to all of them.
func BenchmarkList500Changed(b *testing.B) {
	r := &rig{}
	r.w = New(Config{Now: func() time.Duration { return r.now }, Sink: r, Chat: testChat})
	for i := range 500 {
		r.join(fmt.Sprintf("Player_%05d", i))
	}
	var column *ListColumn
	r.do(func(tx Tx) { column, _ = tx.AddColumn(ColumnSpec{Heading: "x", By: "t"}) })
	n := 0
	for b.Loop() {
		n++
		r.now += time.Second
		r.do(func(tx Tx) {
			for _, p := range tx.w.players {
				_ = tx.SetCell(column, p, fmt.Sprint(n))
			}
			tx.tickList()
			for _, p := range tx.w.players {
				p.link.(*link).pace = pacer.Pacer{}
			}
		})
	}
}
