package session

import (
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// TestBacklogAndLanes reads off what is on the way to two players, one of whom acks.
func TestBacklogAndLanes(t *testing.T) {
	r := newRig(t, nil)
	a, tokenA := r.join(alice, 1, "Alice")
	b, _ := r.join(bob, 2, "Bobby")
	r.advance(time.Second)
	if unacked, waiting := r.s.Backlog(); unacked != 0 || waiting != 0 {
		t.Fatalf("%d events and %d things before anything was sent", unacked, waiting)
	}
	for range 3 {
		for _, c := range []*Conn{a, b} {
			if err := c.Straight(&protocol.SetTime{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for key := range 40 { // more than one pass takes
		b.Pace(pacer.Thing{Key: key, Class: pacer.Rest, Packets: []protocol.Packet{&protocol.SetTime{}}})
	}
	if unacked, waiting := r.s.Backlog(); unacked != 6 || waiting != 40 {
		t.Fatalf("%d events and %d things, want 6 and 40", unacked, waiting)
	}
	r.receive(alice, tokenA, 0, &protocol.ClientAck{Ack: 3})
	if unacked, _ := r.s.Backlog(); unacked != 3 {
		t.Fatalf("%d events after an ack of 3", unacked)
	}
	if l := r.s.Lanes(); l.Events != 6 || l.Sends != 6 || l.Resends != 0 || l.Refused != 0 || l.Unacked != 3 {
		t.Fatalf("%+v", l)
	}
	b.Kick(protocol.ReasonKicked, "")
	if unacked, waiting := r.s.Backlog(); unacked != 0 || waiting != 0 {
		t.Fatalf("%d events and %d things for one who has left", unacked, waiting)
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]uint32{-time.Hour: 0, -1: 0, 0: 0, 1: 1, time.Second: 1, time.Second + 1: 2, time.Minute: 60} {
		if got := seconds(d); got != want {
			t.Errorf("%v is told as %d s, want %d", d, got, want)
		}
	}
}

// TestNothingGoesOnAfterTheEnd has events wait for an ack that is overdue while their client says goodbye.
func TestNothingGoesOnAfterTheEnd(t *testing.T) {
	r := newRig(t, nil)
	c, token := r.join(alice, 1, "Alice")
	r.advance(time.Second)
	for range 3 {
		if err := c.Straight(&protocol.SetTime{}); err != nil {
			t.Fatal(err)
		}
	}
	c.Pace(pacer.Thing{Key: 1, Class: pacer.Rest, Packets: []protocol.Packet{&protocol.SetTime{}}})
	r.sent = nil
	r.now += 900 * time.Millisecond
	r.bye(alice, token)
	if len(r.sent) != 0 || r.log.Len() != 0 {
		t.Fatalf("%d packets go to one who has left: %s", len(r.sent), r.log.String())
	}
}
