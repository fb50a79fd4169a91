package lane

import (
	"math"
	"time"
)

const (
	goBackWindow = 32                    // resends when a gap shows, before acks allow more
	perAcked     = 2                     // further resends for each event newly acked
	probeMax     = 4                     // events under way up to which a probe sends them all, else the head alone
	copyMaxSize  = 256                   // bytes up to which a first send has a second copy
	copyApart    = 15 * time.Millisecond // from a first send to its second copy where losses come in bursts
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

	last     time.Duration // the last round of the event that the last moving ack named
	echoes   int           // second copies of delivered events that may still be answered
	echoSent time.Duration // the last of them was sent then
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
	if g.echoSent < named.round {
		g.echoes = 0 // packets stay in order: what was sent before is answered or lost
	}
	for event := s.queue.head; event <= ack; event++ {
		e := s.queue.at(event)
		s.path.sends += e.sends
		if e.doubled && (event == ack || e.sent > named.round) {
			g.echoes++
			g.echoSent = max(g.echoSent, e.sent)
		}
	}
	s.path.judge()
	s.measure(now, named)
}

// measure takes the round trip from the event that a moving ack names. Where it was sent again, an ack that comes too
// soon after the last round answers the round before it; any other may answer either and says nothing.
func (s *Sender) measure(now time.Duration, e *entry) {
	copied := e.sent > e.round && now-e.sent >= s.settled() // either copy may be answered
	switch {
	case s.path.srtt == 0 || e.rounds == 1 && !copied:
		s.path.sample(now - e.round)
	case e.rounds == 1:
	case now-e.round < s.settled()*3/4:
		s.path.sample(now - e.prior)
	default:
		s.path.lossy = true
		if e.paired {
			s.path.pairs++
		}
	}
}

// echo reports whether an ack that moves nothing may be the answer to a second copy of what was delivered. An ack that
// is too early for that is none, nor uses one up.
func (s *Sender) echo(now time.Duration) bool {
	g := &s.gap
	age := now - g.echoSent
	if g.echoes == 0 || age < s.settled() || age > s.path.rtt()+s.path.slack()/4 {
		return false
	}
	g.echoes--
	return true
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

// again sends the second copy of an event that was just sent, or plans it, while the path loses packets. A resend's
// follows at once: it is one of many in a row, and a row that is sent twice breaks where one packet is lost, while
// a row of pairs breaks only where both are.
func (s *Sender) again(now time.Duration, e *entry, send func([]byte)) {
	switch {
	case s.cfg.Resend != Gap || !s.path.lossy || s.quiet(now):
	case e.rounds == 1 && len(e.packet) > copyMaxSize:
	case e.rounds == 1 && s.path.bursty():
		e.copied, e.copyAt = true, now+copyApart
		s.gap.copyAt = min(s.gap.copyAt, e.copyAt)
	default:
		e.paired = e.rounds == 1
		s.putCopy(now, e, send)
	}
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
			s.putCopy(now, e, send)
		}
	}
}

func (s *Sender) putCopy(now time.Duration, e *entry, send func([]byte)) {
	e.doubled = true
	s.stats.Copies++
	s.put(now, e, send)
}

// probe sends the head again when its answer is overdue: with few events, none comes behind a lost one to show the
// gap. What followed the head went in vain if the head was lost, so it is sent too where it is little. One probe for
// each ack received: a peer that falls silent sees one at most.
func (s *Sender) probe(now time.Duration, send func([]byte)) {
	if now < s.nextProbe() {
		return
	}
	s.gap.probed = true
	head := s.queue.at(s.queue.head)
	paired := head.paired
	s.send(now, s.queue.head, send)
	head.paired = paired // the answer shows whether the pair was lost
	if s.next-s.queue.head <= probeMax {
		for event := s.queue.head + 1; event < s.next; event++ {
			s.sendOnce(now, event, send)
		}
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
