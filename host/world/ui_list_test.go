package world

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// lists lets the list's changes go out, and gives what a player was sent.
func (l *link) lists() string {
	l.r.t.Helper()
	l.r.do(func(tx Tx) { tx.tickList() })
	return l.drain()
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
	r.do(func(tx Tx) { tx.tickList() }) // he waits in Alice's pacer
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
	r.do(func(tx Tx) { tx.tickList() }) // his row waits behind it
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
