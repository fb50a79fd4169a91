package lane

import (
	"math"
	"time"
)

const (
	goBackWindow = 32                   // resends when a gap shows, before acks allow more
	perAcked     = 2                    // further resends for each event newly acked
	copyMaxSize  = 256                  // bytes up to which a first send has a second copy
	copyDelay    = 1 * time.Millisecond // from a send to its second copy
	never        = time.Duration(math.MaxInt64)
)

// gap is what the sender adds to the given rule. The receiver answers every packet, so the acks tell more than what
// they acknowledge: one that does not move the queue was caused either by a second packet of a delivered event or by a
// packet ahead of a gap. The ledger of owed answers tells the two apart.
type gap struct {
	budget int           // resends that the ack clock allows while going back
	copyAt time.Duration // when the earliest second copy is due, or never

	heard    bool          // the peer has acked on this lane
	lastAck  time.Duration // when
	probed   bool          // the head was probed since the last ack
	owed     int           // packets of delivered events minus acks received: answers that may still come
	owedTill time.Duration // when they are too late

	ackedRound time.Duration // the last round of the event that the last moving ack named
}

// observe takes stock of an ack before the events it covers leave the queue.
func (s *Sender) observe(now time.Duration, ack uint32) {
	g := &s.gap
	g.heard, g.lastAck, g.probed = true, now, false
	s.expireOwed(now)
	for event := s.queue.head; event <= ack; event++ {
		e := s.queue.at(event)
		g.owed += e.sends
		s.path.delivered(e.sends)
		g.owedTill = max(g.owedTill, e.sent+s.path.rtt()+s.path.slack())
		if event == ack {
			g.ackedRound = e.round
			s.measure(now, e)
		}
	}
}

// measure takes the round trip from an event that was sent once, or whose resend cannot have been answered yet.
func (s *Sender) measure(now time.Duration, e *entry) {
	if e.rounds == 1 || e.rounds == 2 && now-e.round < s.path.srtt/2 {
		s.path.sample(now - e.first)
	}
}

// expireOwed gives up the answers that are too late: they are lost.
func (s *Sender) expireOwed(now time.Duration) {
	g := &s.gap
	if g.owed > 0 && now > g.owedTill {
		s.path.lost(g.owed)
		g.owed = 0
	}
}

// react reads from an ack, after its events have left the queue, whether the receiver lacks the new head.
func (s *Sender) react(now time.Duration, ack uint32, acked int) {
	g := &s.gap
	innocent := g.owed > 0
	g.owed = max(g.owed-1, -s.inFlight)
	if s.next < s.fresh {
		g.budget += perAcked * acked
	}
	switch {
	case s.queue.head >= s.next || ack+1 != s.queue.head: // nothing behind the ack was sent, or the ack is an old one
	case acked > 0:
		// The resend of an event was answered by just that event: what was sent between its sends did not count.
		if head := s.queue.at(s.queue.head); head.round < g.ackedRound && now-g.ackedRound >= s.settled() {
			s.goBack(s.queue.head)
		}
	case !innocent:
		s.closeGap(now)
	}
}

// settled is the age since its last send at which an event that is still missing was lost.
func (s *Sender) settled() time.Duration { return s.path.rtt() * 9 / 10 }

// closeGap acts on the sign that the receiver lacks the head but got something behind it.
func (s *Sender) closeGap(now time.Duration) {
	head := s.queue.at(s.queue.head)
	if now-head.sent >= s.settled() {
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

// planCopy plans the second copy of an event that was just sent, while the path loses packets.
func (s *Sender) planCopy(now time.Duration, e *entry) {
	if s.cfg.Resend != Gap || !s.path.lossy || s.quiet(now) || e.rounds == 1 && len(e.packet) > copyMaxSize {
		return
	}
	e.copied, e.copyAt = true, now+copyDelay
	s.gap.copyAt = min(s.gap.copyAt, e.copyAt)
}

// sendCopies sends the second copies that are due.
func (s *Sender) sendCopies(now time.Duration, send func([]byte)) {
	if now < s.gap.copyAt {
		return
	}
	s.gap.copyAt = never
	for event := s.queue.head; event < s.fresh; event++ {
		e := s.queue.at(event)
		switch {
		case !e.copied:
		case e.copyAt > now:
			s.gap.copyAt = min(s.gap.copyAt, e.copyAt)
		default:
			e.copied = false
			s.stats.Copies++
			s.put(now, e, send)
		}
	}
}

// probe sends the head again when its answer is overdue: with few events, none comes behind a lost one to show the
// gap. One probe for each ack received, so a peer that falls silent sees one at most.
func (s *Sender) probe(now time.Duration, send func([]byte)) {
	if now >= s.nextProbe() {
		s.gap.probed = true
		s.send(now, s.queue.head, send)
	}
}

// nextProbe returns when the head is to be probed, or never.
func (s *Sender) nextProbe() time.Duration {
	if s.gap.probed || s.path.srtt == 0 || s.queue.head >= s.next {
		return never
	}
	at := s.queue.at(s.queue.head).sent + s.path.rtt() + s.path.slack()
	if s.quiet(at) {
		return never
	}
	return at
}
