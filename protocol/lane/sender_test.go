package lane

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

func TestEventIDsArePatchedIn(t *testing.T) {
	s := NewSender(Config{EventOffset: 9})
	packet := []byte("0123456789abcdef")
	for want := uint32(1); want <= 3; want++ {
		if event, err := s.Push(0, packet, false); event != want || err != nil {
			t.Fatalf("Push = %d, %v; want %d", event, err, want)
		}
	}
	if string(packet) != "0123456789abcdef" {
		t.Fatalf("Push changed the caller's packet to %q", packet)
	}
	copy(packet, "XXXX") // the sender has a copy of its own
	want := byte(1)
	s.Flush(0, func(p []byte) {
		if !bytes.Equal(p, []byte("012345678"+string([]byte{want, 0, 0, 0})+"def")) {
			t.Errorf("event %d was sent as %q", want, p)
		}
		want++
	})
	if want != 4 {
		t.Errorf("%d events sent, want 3", want-1)
	}
}

// A peer that acks nothing sees the given rule's timing, whatever is known of the round trip.
func TestSilentPeer(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		r.push(1)
		r.RTT(30 * ms)
		r.to(40 * ms)
		r.push(1)
		r.to(60 * ms)
		r.push(1)
		r.to(1000 * ms)
		// Checks at 100, 200, ...: an event goes out again 250 to 350 ms after its last send.
		r.expect("0:1", "40:2", "60:3", "300:1", "300:2", "400:3", "600:1", "600:2", "700:3", "900:1", "900:2", "1000:3")
	})
}

func TestSilentPeerNeverDiffersBetweenSettings(t *testing.T) {
	run := func(resend Resend) []string {
		r := newRig(t, resend)
		for i := range 400 {
			r.push(1)
			r.to(time.Duration(i) * 7 * ms)
		}
		r.to(14 * time.Second)
		return r.take()
	}
	if gap, given := run(Gap), run(Given); !slices.Equal(gap, given) {
		t.Error("a peer that acks nothing sees other sends with gap than with given")
	}
}

func TestAtMost32ResendsACheckOldestFirst(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		r.push(70)
		r.to(299 * ms)
		r.expect("0:1-70")
		r.to(650 * ms)
		r.expect("300:1-32", "400:33-64", "500:65-70", "600:1-32")
	})
}

func TestEventIsDueAt250MsExactly(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		r.push(1) // the beat of the checks starts here: 100, 200, 300
		r.to(50 * ms)
		r.push(1)
		r.to(51 * ms)
		r.push(1)
		r.to(300 * ms)
		r.expect("0:1", "50:2", "51:3", "300:1-2")
	})
}

func TestBeatOutlivesIdleTimesAndPauses(t *testing.T) {
	r := newRig(t, Given)
	r.push(1)
	r.ack(1)
	r.to(1030 * ms)
	r.push(1)
	r.to(1300 * ms)
	r.expect("0:1", "1030:2", "1300:2")
	r.ack(2)
	r.now = 2300 * ms
	r.push(1) // on the beat: the next check is a whole interval away
	if at, _ := r.Next(); at != 2400*ms {
		t.Errorf("Next = %v after a push at 2.3 s", at)
	}
	r.ack(3)
	r.now = 2550 * ms
	r.push(1)
	r.expect("2300:3", "2550:4")
	r.now = 5010 * ms // the process stood still: one check, not one for each that was missed
	r.flush()
	r.to(5299 * ms)
	r.expect("5010:4")
	r.to(5300 * ms)
	r.expect("5300:4")
}

func TestAckRemovesAllUpToIt(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		r.push(5)
		r.to(5 * ms)
		r.ack(3)
		if r.Unacked() != 2 {
			t.Fatalf("%d unacked after ack 3 of 5", r.Unacked())
		}
		r.ack(3)
		r.ack(0) // old acks remove nothing
		r.ack(5)
		if _, ok := r.Next(); ok || r.Unacked() != 0 {
			t.Error("an empty queue has something to do")
		}
		r.to(10 * time.Second)
		r.flush()
		r.expect("0:1-5")
	})
}

func TestFutureAck(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		if err := r.Ack(0, 1); !errors.Is(err, ErrFutureAck) {
			t.Errorf("ack 1 before any event: %v", err)
		}
		if err := r.Ack(0, 0); err != nil {
			t.Errorf("ack 0 (nothing delivered): %v", err)
		}
		r.push(2)
		r.Push(0, packet(10), false) // queued but not sent yet
		for _, ack := range []uint32{3, 4, math.MaxUint32} {
			if err := r.Ack(ms, ack); !errors.Is(err, ErrFutureAck) {
				t.Errorf("ack %d with 2 events sent: %v", ack, err)
			}
		}
		if r.Unacked() != 3 {
			t.Error("a future ack removed events")
		}
	})
}

func TestDroppableIsRefusedAt256(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		r.push(255)
		if event, err := r.Push(0, packet(10), true); event != 256 || err != nil {
			t.Fatalf("droppable with 255 unacked: %d, %v", event, err)
		}
		for range 3 {
			if event, err := r.Push(0, packet(10), true); event != 0 || !errors.Is(err, ErrRefused) {
				t.Fatalf("droppable with 256 unacked: %d, %v", event, err)
			}
		}
		if event, err := r.Push(0, packet(10), false); event != 257 || err != nil {
			t.Fatalf("the critical event after a refusal: %d, %v; want 257: no id is consumed", event, err)
		}
		r.flush()
		r.ack(2)
		if event, err := r.Push(0, packet(10), true); event != 258 || err != nil {
			t.Fatalf("droppable with 255 unacked again: %d, %v", event, err)
		}
		if got := r.Stats().Refused; got != 3 {
			t.Errorf("Refused = %d, want 3", got)
		}
	})
}

func TestReaching512Ends(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		r.push(511)
		if event, err := r.Push(0, packet(10), false); event != 0 || !errors.Is(err, ErrFull) {
			t.Fatalf("event 512: %d, %v", event, err)
		}
		if _, err := r.Push(0, packet(10), true); !errors.Is(err, ErrRefused) {
			t.Fatalf("droppable event 512: %v", err)
		}
		r.expect("0:1-511")
	})
}

func TestPushRefusesWhatHoldsNoEventID(t *testing.T) {
	s := NewSender(Config{EventOffset: 9})
	if _, err := s.Push(0, packet(12), false); !errors.Is(err, ErrShort) {
		t.Errorf("12 bytes at offset 9: %v", err)
	}
	if event, err := s.Push(0, packet(13), false); event != 1 || err != nil {
		t.Errorf("13 bytes at offset 9: %d, %v", event, err)
	}
}

func TestIDsDoNotWrap(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		const last = math.MaxUint32 - 1
		r.queue.head, r.next, r.fresh = last-1, last-1, last-1
		r.push(2)
		if event, err := r.Push(0, packet(10), false); event != 0 || !errors.Is(err, ErrExhausted) {
			t.Fatalf("event after the last: %d, %v", event, err)
		}
		r.to(300 * ms)
		r.expect("0:4294967293-4294967294", "300:4294967293-4294967294")
		r.ack(last)
		if _, err := r.Push(0, packet(10), false); r.Unacked() != 0 || !errors.Is(err, ErrExhausted) {
			t.Errorf("after the last ack: %d unacked, %v", r.Unacked(), err)
		}
	})
}

func TestStalledAfter15s(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		r := newRig(t, resend)
		if r.Stalled(time.Hour) {
			t.Error("an empty queue stalls")
		}
		r.to(time.Second)
		r.push(2)
		r.to(10 * time.Second)
		r.push(1)
		r.ack(0) // moves nothing
		if r.Stalled(16*time.Second-1) || !r.Stalled(16*time.Second) {
			t.Error("not stalled exactly 15 s after the queue began to wait")
		}
		r.to(12 * time.Second)
		r.ack(1)
		if r.Stalled(27*time.Second-1) || !r.Stalled(27*time.Second) {
			t.Error("not stalled exactly 15 s after the last moving ack")
		}
		r.ack(3)
		if r.Stalled(time.Hour) {
			t.Error("an emptied queue stalls")
		}
	})
}

func TestReceiver(t *testing.T) {
	var r Receiver
	for _, step := range []struct {
		event   uint32
		deliver bool
		ack     uint32
	}{
		{2, false, 0}, // ahead of a gap
		{0, false, 0}, // not an id
		{1, true, 1},
		{1, false, 1}, // duplicate
		{3, false, 1},
		{2, true, 2},
		{3, true, 3},
		{math.MaxUint32, false, 3},
	} {
		if deliver := r.Accept(step.event); deliver != step.deliver || r.Ack() != step.ack {
			t.Errorf("Accept(%d) = %v, ack %d; want %v, %d", step.event, deliver, r.Ack(), step.deliver, step.ack)
		}
	}
	r.delivered = math.MaxUint32
	if r.Accept(0) || r.Accept(1) {
		t.Error("the receiver's ids wrap")
	}
}

func TestResendString(t *testing.T) {
	if Gap.String() != "gap" || Given.String() != "given" {
		t.Error("the settings' words differ from the configuration's")
	}
}

func TestNoAllocationInTheSteadyState(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		s := NewSender(Config{EventOffset: offset, Resend: resend})
		p, now, event := packet(100), time.Duration(0), uint32(0)
		step := func() {
			for range 8 {
				event, _ = s.Push(now, p, false)
			}
			s.Flush(now, func([]byte) {})
			now += 50 * ms
			if event%64 == 0 {
				s.Ack(now, event-8) // and now and then a gap
				s.Flush(now, func([]byte) {})
				now += 50 * ms
			}
			s.Ack(now, event)
		}
		for range 100 {
			step()
		}
		if n := testing.AllocsPerRun(1000, step); n != 0 {
			t.Errorf("%v allocations for 8 events", n)
		}
	})
}

func TestStats(t *testing.T) {
	r := onPath(t)
	r.push(2)
	r.to(100 * ms)
	r.ack(1) // a gap: both go again, in pairs
	r.ack(3)
	if err := r.Ack(r.now, 9); err == nil {
		t.Error("no error for a future ack")
	}
	r.push(1) // with its copy
	want := Stats{Events: 4, Sends: 9, Resends: 2, Copies: 3, GoneBack: 1, Acks: 3, RTT: 50 * ms, Lossy: true}
	if got := r.Stats(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Next is at once while an event has not been sent, then the next check, and nothing once all is acked.
func TestNext(t *testing.T) {
	onBoth(t, func(t *testing.T, resend Resend) {
		s := NewSender(Config{Resend: resend})
		if at, ok := s.Next(); ok {
			t.Fatalf("an empty lane wants to go on at %v", at)
		}
		const now = 70 * ms
		for range 2 {
			if _, err := s.Push(now, make([]byte, 20), false); err != nil {
				t.Fatal(err)
			}
			if at, ok := s.Next(); !ok || at > now {
				t.Fatalf("what was pushed at %v goes out at %v, %v", now, at, ok)
			}
			s.Flush(now, func([]byte) {})
			if at, ok := s.Next(); !ok || at <= now || at > 100*ms {
				t.Fatalf("the next check is at %v, %v", at, ok)
			}
		}
		if err := s.Ack(80*ms, 2); err != nil {
			t.Fatal(err)
		}
		if at, ok := s.Next(); ok {
			t.Fatalf("a lane that is acked wants to go on at %v", at)
		}
	})
}
