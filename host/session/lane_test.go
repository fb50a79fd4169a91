package session

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// A lane whose client acks nothing: critical packets wait in front of it, droppable ones are refused, and with 2,048 that
// wait it is an error. Nothing overtakes.
func TestACongestedLane(t *testing.T) {
	r := newRig(t, nil)
	c, _ := r.join(alice, 7, "Alice")
	critical, droppable := &protocol.SetTime{}, protocol.Packet(nil)
	for _, row := range protocol.Table() {
		if row.Lane == protocol.Droppable && row.New != nil && row.Direction == protocol.ServerToClient {
			if p := row.New(); encodes(p) {
				droppable = p
			}
		}
	}
	n := 0
	for ; c.Straight(critical) == nil; n++ {
		if n > 10_000 {
			t.Fatal("no end of what waits")
		}
	}
	if n != 192+2048 || c.Unacked() != 192 {
		t.Fatalf("%d were taken, %d are on the lane", n, c.Unacked())
	}
	if err := c.Straight(critical); !errors.Is(err, pacer.ErrBacklog) || c.state == Closing {
		t.Fatalf("one more: %v", err)
	}
	if droppable != nil {
		if err := c.Straight(droppable); !errors.Is(err, pacer.ErrRefused) {
			t.Fatalf("a droppable one: %v", err)
		}
	}
	c.state = PreAuth // as if it had been in it: the server's own packet that finds no room ends the connection
	r.s.states[Joined]--
	r.s.states[PreAuth]++
	if err := c.SignedIn("forum:1"); err == nil || c.state != Closing {
		t.Fatalf("AuthAccepted found room: %v", err)
	}
	if left := r.lefts(); len(left) != 1 || left[0].Reason != protocol.ReasonLane {
		t.Fatalf("left %+v", left)
	}
	if c.Straight(critical) != nil {
		t.Fatal("a packet to one who has ended is an error")
	}
	c.Pace(pacer.Thing{Key: 1, Packets: []protocol.Packet{critical}})
	if c.Waits(1) {
		t.Fatal("something waits for one who has ended")
	}
}

func encodes(p protocol.Packet) bool {
	_, err := protocol.Append(nil, protocol.Header{}, p)
	return err == nil
}

func TestWhatDoesNotEncode(t *testing.T) {
	r := newRig(t, nil)
	c, _ := r.join(alice, 7, "Alice")
	bad := &protocol.ServerMessage{Text: "\x01"}
	if c.Straight(bad) == nil {
		t.Fatal("the caller is not told")
	}
	r.sent = nil
	c.Pace(pacer.Thing{Key: 1, Class: pacer.Rest, Packets: []protocol.Packet{bad, &protocol.SetTime{}}})
	r.advance(50 * time.Millisecond)
	if len(take[*protocol.SetTime](r, alice)) != 1 || !strings.Contains(r.log.String(), "left out") || c.state == Closing {
		t.Fatal("one bad packet held up the others, or was not said")
	}
}

func TestThingsThatWait(t *testing.T) {
	r := newRig(t, nil)
	c, _ := r.join(alice, 7, "Alice")
	thing := func(key any, hour uint8) pacer.Thing {
		return pacer.Thing{Key: key, Class: pacer.Rest, Packets: []protocol.Packet{&protocol.SetTime{Hour: hour}}}
	}
	c.s.mu.Lock() // so that nothing leaves meanwhile
	c.pace.Flush(r.now, c.feed(r.now, true))
	c.s.mu.Unlock()
	for i := range 5 {
		c.Pace(thing(i, uint8(i)))
	}
	if !c.Replace(thing(0, 10)) || c.Replace(thing(99, 1)) {
		t.Fatal("what waits is replaced, and nothing else")
	}
	if waited, begun := c.Drop(1); !waited || begun || c.Waits(1) || !c.Waits(2) {
		t.Fatal("not dropped")
	}
	c.DropWhere(func(key any) bool { return key == 2 || key == 3 })
	r.sent = nil
	r.advance(100 * time.Millisecond)
	var hours []uint8
	for _, p := range take[*protocol.SetTime](r, alice) {
		hours = append(hours, p.Hour)
	}
	if !bytes.Equal(hours, []uint8{10, 4}) {
		t.Fatalf("sent %v, want the 10 that replaced the first and the last", hours)
	}
}

// Datagrams of one size leave in one piece, to where the connection is by then.
func TestRelay(t *testing.T) {
	r := newRig(t, nil)
	a, token := r.join(alice, 1, "Alice")
	b, tokenB := r.join(bob, 2, "Bobby")
	type sent struct {
		to      netip.AddrPort
		size    int
		segment int
	}
	var out []sent
	small, large := bytes.Repeat([]byte{1}, 90), bytes.Repeat([]byte{2}, 120)
	r.now += time.Second
	for range segments + 1 {
		Relay(r.s, []any{a, b, nil, "nobody"}, small)
	}
	Relay(r.s, []*Conn{a}, large)
	if !r.s.RelaysWait() {
		t.Fatal("nothing waits")
	}
	r.bye(bob, tokenB)
	to := netip.AddrPortFrom(alice.Addr(), 6000)
	if hello, _ := r.knock(to, resume(9, token), Verdict{}); hello == nil {
		t.Fatal("not moved")
	}
	r.s.cfg.Send = func(to netip.AddrPort, b []byte, segment int) { out = append(out, sent{to, len(b), segment}) }
	r.s.FlushRelays()
	want := []sent{{to, 90, 90}, {to, 120, 120}} // the full piece has gone before
	if len(out) != len(want) || out[0] != want[0] || out[1] != want[1] || r.s.RelaysWait() {
		t.Fatalf("sent %+v, want %+v", out, want)
	}
	Relay(r.s, []*Conn{a}, large)
	r.s.FlushRelays() // of the other size nothing waits
	if len(out) != 3 || out[2] != want[1] {
		t.Fatalf("sent %+v", out)
	}
}

func TestKickWhere(t *testing.T) {
	r := newRig(t, nil)
	gone, _ := r.join(alice, 1, "Alice")
	r.join(netip.AddrPortFrom(alice.Addr(), 6000), 2, "Bobby")
	stays, _ := r.join(carol, 3, "Carol")
	r.sent = nil
	if n := r.s.KickWhere(func(c *Conn) bool { return c.BanSubject().Host == alice.Addr() }, protocol.ReasonBanned, "go", 60); n != 2 {
		t.Fatalf("%d were kicked", n)
	}
	if kicks := take[*protocol.KickNotify](r, alice); len(kicks) != 1 || kicks[0].Reason != protocol.ReasonBanned || kicks[0].Seconds != 60 || kicks[0].Text != "go" {
		t.Fatalf("kicks %+v", kicks)
	}
	gone.Kick(protocol.ReasonKicked, "") // once more, of one who has left
	if left := r.lefts(); len(left) != 2 || stays.Ended() || !gone.Ended() {
		t.Fatalf("%d have left", len(left))
	}
}

func TestClientBye(t *testing.T) {
	for reason, want := range map[protocol.ByeReason]protocol.Reason{
		protocol.ByeQuit: protocol.ReasonQuit, protocol.ByeCrashed: protocol.ReasonCrashed, protocol.ByeKicked: 255,
	} {
		r := newRig(t, nil)
		c, token := r.join(alice, 1, "Alice")
		r.sent = nil
		for range 3 {
			r.receive(alice, token, 0, &protocol.ClientBye{Reason: reason})
		}
		left := r.lefts()
		switch {
		case want == 255: // right only as an answer to KickNotify
			if c.Ended() || len(left) != 0 {
				t.Errorf("reason %d ended the connection", reason)
			}
		case len(left) != 1 || left[0].Reason != want || !left[0].Joined || r.s.stats.UnknownToken != 2 || len(r.sent) != 0:
			t.Errorf("reason %d: left %+v", reason, left)
		}
	}
}

func TestWhoSomebodyIs(t *testing.T) {
	r := newRig(t, nil)
	r.now = 90 * time.Second
	serial := [32]byte{1, 2}
	hello, _ := r.knock(alice, protocol.ClientHello{Nonce: 1, Name: "Alice", Locale: "pt-br", Serial: serial}, Verdict{})
	c := r.s.conns[hello.Token]
	r.now += 2 * time.Second
	if c.Locale() != "pt-br" || c.Serial() != "0102"+strings.Repeat("0", 60) || c.Connected() != 2*time.Second || c.Address() != alice || c.Name() != "Alice" {
		t.Errorf("%q %q %v %v", c.Locale(), c.Serial(), c.Connected(), c.Address())
	}
	if got := c.BanSubject(); got != (BanSubject{Host: alice.Addr(), Serial: serial, NameKey: "alice"}) {
		t.Errorf("%+v", got)
	}
	if err := c.Rename("Bobby"); err != nil || c.Name() != "Bobby" {
		t.Error(err)
	}
	other, _ := r.join(bob, 2, "Carol")
	if other.Serial() != "" {
		t.Errorf("serial %q of one who told none", other.Serial())
	}
}
