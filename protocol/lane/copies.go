package lane

import "time"

const (
	copyMaxSize = 256                   // bytes up to which a first send has a second copy
	copyApart   = 15 * time.Millisecond // from a first send to its second copy where losses come in bursts
)

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
