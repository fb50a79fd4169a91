package lane

import (
	"fmt"
	"testing"
	"time"
)

// onPath returns a rig whose sender knows a clean path of 50 ms: event 1 went out at 0 and was acked at 50.
func onPath(t *testing.T) *rig {
	r := newRig(t, Gap)
	r.push(1)
	r.to(50 * ms)
	r.ack(1)
	r.path.dev, r.path.late = 0, 0
	r.expect("0:1")
	return r
}

func TestAckThatMovesNothingShowsAGap(t *testing.T) {
	r := onPath(t)
	r.push(3) // 2 is lost, 3 and 4 are thrown away and acked
	r.to(100 * ms)
	r.expect("50:2-4")
	r.ack(1)
	r.expect("100:2", "100:2", "100:3", "100:3", "100:4", "100:4") // in pairs: the path loses
	r.ack(1)                                                       // for 4: once a round trip
	r.to(149 * ms)
	r.ack(1)
	r.expect()
	r.to(150 * ms)
	r.ack(4)
	if st := r.Stats(); r.Unacked() != 0 || st.GoneBack != 1 || st.Resends != 3 || st.Copies != 3 || !st.Lossy {
		t.Errorf("stats %+v", st)
	}
}

func TestGivenIgnoresTheSigns(t *testing.T) {
	r := newRig(t, Given)
	r.push(1)
	r.to(50 * ms)
	r.ack(1)
	r.push(3)
	for range 4 {
		r.to(r.now + 40*ms)
		r.ack(1)
	}
	r.to(399 * ms)
	r.expect("0:1", "50:2-4", "300:2-4")
}

func TestLostResendIsSentAgainAfterARoundTrip(t *testing.T) {
	r := onPath(t)
	r.push(2)
	r.to(100 * ms)
	r.ack(1)
	r.to(150 * ms)
	r.take()
	r.ack(1) // caused by what was sent at 100 behind the lost 2
	r.expect("150:2", "150:2", "150:3", "150:3")
}

func TestGoingBackIsAckClocked(t *testing.T) {
	r := onPath(t)
	r.push(100)
	r.to(100 * ms)
	r.take()
	r.path.sends = 0
	r.ack(1)
	r.lossy(false) // single sends are easier to read
	var pairs []string
	for event := 2; event <= 33; event++ {
		pairs = append(pairs, fmt.Sprintf("100:%d", event), fmt.Sprintf("100:%d", event))
	}
	r.expect(pairs...)
	r.push(1) // a new event queues behind the resends
	r.expect()
	if at, _ := r.Next(); at <= r.now {
		t.Errorf("Next = %v while the ack clock stands still at %v", at, r.now)
	}
	r.to(150 * ms)
	r.ack(2)
	r.expect("150:34-35") // two for each event newly acked
	r.ack(5)
	r.expect("150:36-41")
	r.ack(33)
	r.expect("150:42-97")
	r.ack(36)
	r.expect("150:98-102") // and then the new one
}

func TestAckOvertakesTheResends(t *testing.T) {
	r := onPath(t)
	r.push(100)
	r.to(100 * ms)
	r.ack(1)
	r.lossy(false)
	r.take()  // 2 to 33 went again
	r.ack(60) // they were not lost, only late
	r.push(1) // 61 to 101 go again, by 118 of the ack clock, and then the new one
	r.expect("100:61-102")
}

// lossy sets what the acks have told of the path.
func (r *rig) lossy(is bool) { r.path.lossy = is }

func TestEchoOfASecondCopyIsNoGap(t *testing.T) {
	r := onPath(t)
	r.lossy(true)
	r.push(1)
	r.to(52 * ms)
	r.push(1)
	r.expect("50:2", "50:2", "52:3", "52:3")
	r.to(100 * ms)
	r.ack(2)
	r.ack(2) // the second copy of 2
	r.to(102 * ms)
	r.ack(3)
	r.ack(3)
	r.expect()
	if r.Stats().GoneBack != 0 {
		t.Error("went back for an echo")
	}
}

func TestGapBehindALostEcho(t *testing.T) {
	r := onPath(t)
	r.lossy(true)
	r.push(1)
	r.to(60 * ms)
	r.push(1) // both packets of 3 are lost
	r.to(65 * ms)
	r.push(1)
	r.to(100 * ms)
	r.ack(2) // its second copy was lost
	r.take()
	r.to(111 * ms)
	r.take()
	r.ack(2) // too late for an echo: 4 arrived without 3
	if r.Stats().GoneBack != 1 {
		t.Error("took a gap's sign for the echo of a lost packet")
	}
}

func TestResendAnsweredByJustItselfShowsTheNextGap(t *testing.T) {
	r := onPath(t)
	r.push(8) // 2 to 9, all lost
	r.to(110 * ms)
	r.expect("50:2-9", "102:2") // more than 4 under way: the probe sends the head alone
	r.to(152 * ms)
	r.ack(2)
	r.to(153 * ms)
	if got := r.take(); len(got) != 14 || got[0] != "152:3" {
		t.Errorf("sent %v, want 3 to 9 in pairs", got)
	}
}

func TestHeadOnItsWayAgainGapBehindIt(t *testing.T) {
	r := onPath(t)
	r.push(6) // 2 to 7: only 7 arrives, late
	r.to(103 * ms)
	r.expect("50:2-7", "102:2")
	r.ack(1)
	r.lossy(false)
	if got := r.take(); len(got) != 10 || got[0] != "103:3" {
		t.Errorf("sent %v, want 3 to 7 in pairs and not 2 once more", got)
	}
}

func TestProbe(t *testing.T) {
	r := onPath(t)
	r.push(1)
	r.to(80 * ms)
	r.push(2)
	r.to(102 * ms) // a round trip of 50 ms and 2 ms of slack
	r.expect("50:2", "80:3-4", "102:2-4")
	r.to(290 * ms) // no ack, no further probe
	r.expect()
	r.to(300 * ms) // the given rule's check: only what is 250 ms old
	r.expect()
	r.to(400 * ms)
	r.expect("400:2-4")
}

func TestPeerThatFallsSilentSeesTheGivenRuleAndOneProbe(t *testing.T) {
	r := onPath(t)
	r.lossy(true)
	r.push(1)
	r.to(1000 * ms)
	r.push(1)
	r.to(1200 * ms)
	r.expect("50:2", "50:2", "102:2", "102:2", "400:2", "700:2", "1000:2", "1000:3")
}

func TestAckedPeerIsProbedAgain(t *testing.T) {
	r := onPath(t)
	r.push(1)
	r.to(110 * ms)
	r.ack(0) // late and old, but the peer is there
	r.to(154 * ms)
	r.expect("50:2", "102:2", "154:2")
}

func TestSecondCopyOnlyOfSmallPackets(t *testing.T) {
	for _, c := range []struct{ size, sends int }{{5, 2}, {256, 2}, {257, 1}, {1200, 1}} {
		r := onPath(t)
		r.lossy(true)
		r.Push(r.now, packet(c.size), false)
		r.flush()
		if got := r.take(); len(got) != c.sends {
			t.Errorf("%d bytes: sent %v, want %d packets", c.size, got, c.sends)
		}
		r.to(r.now + 52*ms)
		if got := r.take(); len(got) != 2 {
			t.Errorf("%d bytes: resent %v, want a pair", c.size, got)
		}
	}
}

func TestSecondCopyKeepsItsDistanceInBursts(t *testing.T) {
	r := onPath(t)
	r.lossy(true)
	r.path.apart = 1
	r.push(1)
	r.to(58 * ms)
	r.push(1)
	r.to(90 * ms)
	r.expect("50:2", "58:3", "65:2", "73:3")
	r.to(100 * ms)
	r.ack(2)
	if r.Stats().RTT != 50*ms {
		t.Errorf("RTT %v after an answer to the first copy", r.Stats().RTT)
	}
	r.to(123 * ms)
	r.ack(3) // either copy
	if r.Stats().RTT != 50*ms {
		t.Errorf("RTT %v after an answer to either copy", r.Stats().RTT)
	}
}

func TestAckedEventLosesItsPlannedCopy(t *testing.T) {
	r := onPath(t)
	r.path.srtt = 5 * ms
	r.lossy(true)
	r.path.apart = 1
	r.push(1)
	r.to(55 * ms)
	r.ack(2)
	r.push(1)
	r.to(69 * ms)
	r.expect("50:2", "55:3")
	r.to(72 * ms)
	r.expect("70:3")
}

func TestRoundTrip(t *testing.T) {
	t.Run("sent once", func(t *testing.T) {
		r := newRig(t, Gap)
		for range 50 {
			r.push(1)
			r.to(r.now + 80*ms)
			r.ack(r.queue.head)
		}
		if rtt := r.Stats().RTT; rtt != 80*ms {
			t.Errorf("RTT %v, want 80ms", rtt)
		}
	})
	t.Run("grows though every event is probed", func(t *testing.T) {
		s := NewSender(Config{EventOffset: offset})
		simulate(s, conditions{rtt: 50 * ms, later: 150 * ms, there: independent(0), back: independent(0), rate: 20, last: 60 * time.Second})
		if rtt := s.Stats().RTT.Round(ms); rtt != 200*ms {
			t.Errorf("RTT %v after it grew from 50 to 200 ms", rtt)
		}
	})
	t.Run("from the keepalive", func(t *testing.T) {
		s := NewSender(Config{})
		s.RTT(40 * ms)
		s.RTT(48 * ms)
		if rtt := s.Stats().RTT; rtt != 41*ms {
			t.Errorf("RTT %v, want 41ms", rtt)
		}
		s.RTT(-1)
		if s.Stats().RTT <= 0 {
			t.Error("a negative sample broke the round trip")
		}
	})
	t.Run("at least 20 ms", func(t *testing.T) {
		s := NewSender(Config{})
		s.RTT(time.Microsecond)
		if s.path.rtt() != 20*ms {
			t.Errorf("reckons with %v", s.path.rtt())
		}
	})
}

func TestLossIsJudgedByTheWindow(t *testing.T) {
	for _, c := range []struct {
		sends, answers int
		lossy          bool
	}{{999, 0, true}, {1000, 995, false}, {1000, 994, true}, {1010, 1005, false}, {1000, 1010, false}} {
		p := path{lossy: true, sends: c.sends, answers: c.answers}
		if p.judge(); p.lossy != c.lossy {
			t.Errorf("%d sends, %d answers: lossy %v", c.sends, c.answers, p.lossy)
		}
	}
}

func TestBurstsAreToldFromChance(t *testing.T) {
	for _, c := range []struct {
		answers, pairs int
		bursty         bool
	}{
		{980, 0, false}, {980, 4, false}, {980, 10, true}, // 1 % each way: chance loses 0.2 of 500 pairs
		{902, 5, false}, {902, 30, true}, // 5 %: 4.8
		{640, 65, false}, {640, 100, false}, // 20 %: 65
	} {
		p := path{sends: 1000, answers: c.answers, pairs: c.pairs}
		if p.judge(); p.bursty() != c.bursty {
			t.Errorf("%d answers, %d pairs lost: bursty %v", c.answers, c.pairs, p.bursty())
		}
	}
	p := path{apart: 1, sends: 1000, answers: 1000}
	if p.judge(); p.bursty() {
		t.Error("copies keep their distance for ever")
	}
}

func TestLossOfASingleEventIsNoticedWhenTheLaneRests(t *testing.T) {
	r := onPath(t)
	r.push(1) // lost; the probe brings it
	r.to(152 * ms)
	r.ack(2)
	r.to(200 * ms)
	r.push(1)
	if !r.Stats().Lossy {
		t.Error("two packets, one answer, and the path is called clean")
	}
}

func TestEchoesAreBounded(t *testing.T) {
	var e echoes
	for i := range 2 * echoMax {
		e.expect(time.Duration(i))
	}
	if len(e) != echoMax {
		t.Errorf("%d echoes kept", len(e))
	}
	e.forget(100)
	if e.take(99) || !e.take(100) || e.take(100) {
		t.Error("take does not use up the echo sent at 100")
	}
}

func TestEchoesOfAProbeThatWasNotNeeded(t *testing.T) {
	r := onPath(t)
	r.lossy(true)
	r.push(6) // 2 to 7, all of which arrive, but their acks are late
	r.to(103 * ms)
	r.take()
	for _, ack := range []uint32{2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7} {
		r.ack(ack)
	}
	r.push(1)
	r.to(154 * ms)
	r.ack(7) // the pair that the probe sent at 102
	r.ack(7)
	r.ack(8)
	if st := r.Stats(); st.GoneBack != 0 || r.Unacked() != 0 {
		t.Errorf("took echoes for gaps: %+v", st)
	}
}

func TestEchoIsLostOnceALaterPacketIsAnswered(t *testing.T) {
	r := onPath(t)
	r.lossy(true)
	r.path.late = 20 * ms // answers may be 30 ms late: the time alone does not tell
	r.push(1)
	r.to(60 * ms)
	r.push(1)
	r.to(61 * ms)
	r.push(1) // both packets of 4 are lost
	r.to(62 * ms)
	r.push(1)
	r.to(100 * ms)
	r.ack(2) // and the echo of 2
	r.to(110 * ms)
	r.ack(3)
	r.ack(3)
	r.to(112 * ms)
	r.ack(3) // for 5
	if r.Stats().GoneBack != 1 {
		t.Error("took a gap's sign for an echo that would have come earlier")
	}
}

func TestBurstsAreNoticed(t *testing.T) {
	for _, c := range []struct {
		name   string
		law    loss
		rate   float64
		bursty bool
	}{
		{"chance 1 %", independent(.01), 50, false}, {"chance 5 %", independent(.05), 10, false}, {"chance 5 %", independent(.05), 50, false},
		{"chance 20 %", independent(.2), 10, false}, {"chance 20 %", independent(.2), 50, false},
		{"bursts 2 %", bursty(.02, 10*ms), 10, true}, {"bursts 2 %", bursty(.02, 10*ms), 50, true}, {"bursts 5 %", bursty(.05, 10*ms), 50, true},
	} {
		s := NewSender(Config{EventOffset: offset})
		simulate(s, conditions{rtt: 60 * ms, there: c.law, back: c.law, rate: c.rate, last: time.Duration(8000/c.rate) * time.Second, seed: 6})
		if s.path.bursty() != c.bursty {
			t.Errorf("%s at %v/s: bursty %v", c.name, c.rate, s.path.bursty())
		}
	}
}

func TestSlackFollowsTheLatestAnswers(t *testing.T) {
	var p path
	for range 500 {
		p.sample(50 * ms)
	}
	if p.slack() != 2*ms {
		t.Errorf("slack %v on a steady path, want 2ms", p.slack())
	}
	p.sample(70 * ms)
	if got := p.slack(); got != 30*ms {
		t.Errorf("slack %v after an answer 20 ms late, want 30ms", got)
	}
	for range lateDecay {
		p.sample(50 * ms)
	}
	if got := p.slack(); got < 9*ms || got > 13*ms {
		t.Errorf("slack %v after %d round trips, want about a third of 30ms", got, lateDecay)
	}
}

func TestProbeSendsAtMostFourEvents(t *testing.T) {
	for _, c := range []struct{ underWay, probed int }{{1, 1}, {4, 4}, {5, 1}} {
		r := onPath(t)
		r.push(c.underWay)
		r.to(101 * ms)
		r.take()
		r.to(102 * ms)
		if got := r.take(); len(got) != c.probed {
			t.Errorf("%d under way: the probe sent %v, want %d", c.underWay, got, c.probed)
		}
	}
}
