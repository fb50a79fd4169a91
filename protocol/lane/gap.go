package lane

import (
	"math"
	"time"
)

const (
	goBackWindow = 32 // resends when a gap shows, before acks allow more
	perAcked     = 2  // further resends for each event newly acked
	never        = time.Duration(math.MaxInt64)
)

// gap is what the sender adds to the given rule. The receiver answers every packet, so the acks tell more than what
// they acknowledge: one that does not move the queue is the echo of a second copy of what was delivered, or was caused
// by a packet ahead of a gap.
type gap struct {
	budget int           // resends that the ack clock allows while going back
	copyAt time.Duration // when the earliest second copy is due, or never

	heard   bool          // the peer has acked on this lane
	lastAck time.Duration // when
	probed  bool          // the head was probed since the last ack

	last   time.Duration // the last round of the event that the last moving ack named
	echoes echoes
}

// observe takes stock of an ack before the events it covers leave the queue.
func (s *Sender) observe(now time.Duration, ack uint32) {
	g := &s.gap
	g.heard, g.lastAck, g.probed = true, now, false
	s.path.answers++
	if ack < s.queue.head {
		return
	}
	named := s.queue.at(ack)
	g.last = named.round
	trigger, early := named.round, named.rounds > 1 && s.path.srtt > 0 && now-named.round < s.settled()*3/4
	if early {
		trigger = named.prior // too soon for an answer to the last round
	}
	g.echoes.forget(trigger) // packets stay in order: what was sent before is answered or lost
	if early && named.priorDoubled {
		g.echoes.expect(named.prior)
	}
	for event := s.queue.head; event <= ack; event++ {
		e := s.queue.at(event)
		s.path.sends += e.sends
		if e.round > trigger {
			g.echoes.expect(e.round)
		}
		if e.doubled && (event == ack || e.sent > trigger) {
			g.echoes.expect(e.sent)
		}
	}
	s.path.judge()
	s.measure(now, named, early)
}

// measure takes the round trip from the event that a moving ack names. Where it was sent again and the ack is not early,
// it may answer either round and says only that the first one was probably lost.
func (s *Sender) measure(now time.Duration, e *entry, early bool) {
	copied := e.sent > e.round && now-e.sent >= s.settled() // either copy may be answered
	switch {
	case early:
		s.path.sample(now - e.prior)
	case s.path.srtt == 0 || e.rounds == 1 && !copied:
		s.path.sample(now - e.round)
	case e.rounds > 1 && e.paired:
		s.path.pairs++
	}
}

// audit looks for lost packets when nothing is under way any more: each packet must have had its answer.
func (s *Sender) audit(now time.Duration) {
	s.gap.echoes.forget(now - s.path.rtt() - s.path.slack())
	if s.path.sends > s.path.answers+len(s.gap.echoes) {
		s.path.lossy = true
	}
}

// echo reports whether an ack that moves nothing may answer a further packet of what was delivered, and uses that up.
func (s *Sender) echo(now time.Duration) bool {
	s.gap.echoes.forget(now - s.path.rtt() - s.path.slack())
	return s.gap.echoes.take(now - s.settled())
}

// react reads from an ack, after its events have left the queue, whether the receiver lacks the new head.
func (s *Sender) react(now time.Duration, ack uint32, acked int) {
	g := &s.gap
	if s.next < s.fresh {
		g.budget += perAcked * acked
	}
	switch {
	case s.queue.head >= s.next || ack+1 != s.queue.head: // nothing behind the ack was sent, or the ack is an old one
	case s.path.srtt == 0:
	case acked > 0:
		// The resend of an event was answered by just that event: what was sent between its sends did not count.
		if head := s.queue.at(s.queue.head); head.round < g.last && now-g.last >= s.settled() {
			s.goBack(s.queue.head)
		}
	case !s.echo(now):
		s.closeGap(now)
	}
}

// settled is the age since its last send at which an event that is still missing was lost.
func (s *Sender) settled() time.Duration { return s.path.rtt() - min(2*s.path.dev, s.path.rtt()/10) }

// closeGap acts on the sign that the receiver lacks the head but got something behind it.
func (s *Sender) closeGap(now time.Duration) {
	head := s.queue.at(s.queue.head)
	if now-head.sent >= s.settled() {
		if head.paired {
			s.path.pairs++
		}
		s.goBack(s.queue.head)
		return
	}
	// The head is on its way again. What was sent before it, and not since, was thrown away.
	round := head.round
	for event := s.queue.head + 1; event < s.next; event++ {
		e := s.queue.at(event)
		if e.round < round {
			s.goBack(event)
			return
		}
		round = e.round
	}
}

// goBack sends everything from event on again: a window of it at once, the rest as acks come.
func (s *Sender) goBack(event uint32) {
	s.next = event
	s.gap.budget = goBackWindow
	s.path.lossy = true
	s.stats.GoneBack++
}

// mayResend reports whether the next event may go out: a first send always, a resend by the ack clock.
func (s *Sender) mayResend() bool { return s.next >= s.fresh || s.gap.budget > 0 }

// quiet reports that the peer acks nothing: it gets the given rule's sends and no others.
func (s *Sender) quiet(now time.Duration) bool {
	return !s.gap.heard || now-max(s.gap.lastAck, s.waiting) > RTO+s.path.rtt()
}
