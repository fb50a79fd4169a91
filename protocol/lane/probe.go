package lane

import "time"

// probeMax is how many events may be under way for a probe to send them all, else it sends the head alone.
const probeMax = 4

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
