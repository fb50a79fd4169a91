package lane

import (
	"encoding/binary"
	"math"
	"time"
)

// Sender numbers the events of one direction, keeps each until it is acked and says when it goes out again.
type Sender struct {
	cfg   Config
	queue queue
	next  uint32 // the event that goes out next; below the queue's end after a push and after going back
	fresh uint32 // the lowest event that was never sent

	waiting time.Duration // since when the oldest event waits: the push into an empty queue or the last moving ack
	check   time.Duration // the next look for due events
	now     time.Duration // the time of the last call, for Next

	gap   gap
	path  path
	stats Stats
}

// NewSender returns a sender at the start of its stream: the first event is 1.
func NewSender(cfg Config) *Sender {
	return &Sender{cfg: cfg, queue: queue{head: 1}, next: 1, fresh: 1, gap: gap{copyAt: never}}
}

// Push queues a copy of packet as the next event, with its event_id patched in. The next Flush sends it.
// Where it is refused (ErrRefused, ErrFull, ErrExhausted, ErrShort) no event_id is consumed, so the stream has no gap.
func (s *Sender) Push(now time.Duration, packet []byte, droppable bool) (event uint32, err error) {
	s.now = now
	switch {
	case len(packet) < s.cfg.EventOffset+4:
		return 0, ErrShort
	case s.queue.tail() == math.MaxUint32:
		return 0, ErrExhausted
	case droppable && s.queue.count >= DroppableMax:
		s.stats.Refused++
		return 0, ErrRefused
	case s.queue.count+1 >= MaxUnacked:
		return 0, ErrFull
	}
	if s.queue.count == 0 {
		s.audit(now)
		s.waiting = now
		s.checkDue(now) // the checks keep their beat through idle times
	}
	event = s.queue.tail()
	e := s.queue.push(packet)
	binary.LittleEndian.PutUint32(e.packet[s.cfg.EventOffset:], event)
	s.stats.Events++
	return event, nil
}

// Ack takes a received ack: every event up to it is done. An ack that moves nothing is no error; it may show a gap.
// ErrFutureAck: ack is above every event sent so far and changes nothing.
func (s *Sender) Ack(now time.Duration, ack uint32) error {
	s.now = now
	if ack >= s.fresh {
		return ErrFutureAck
	}
	s.stats.Acks++
	if s.cfg.Resend == Gap {
		s.observe(now, ack)
	}
	acked := 0
	for ; s.queue.head <= ack; acked++ {
		s.queue.pop()
	}
	if acked > 0 {
		s.waiting = now
		s.next = max(s.next, s.queue.head)
	}
	if s.cfg.Resend == Gap {
		s.react(now, ack, acked)
	}
	return nil
}

// RTT takes a round trip measured elsewhere, as by the keepalive's ping.
func (s *Sender) RTT(sample time.Duration) { s.path.sample(sample) }

// Flush hands everything that is due now to send, in order: resends, then first sends, then second copies.
// send must not keep the slice.
func (s *Sender) Flush(now time.Duration, send func(packet []byte)) {
	s.now = now
	if s.queue.count == 0 {
		return
	}
	if s.checkDue(now) {
		s.resendDue(now, send)
	}
	if s.cfg.Resend == Gap {
		s.probe(now, send)
	}
	for s.next != s.queue.tail() && s.mayResend() {
		if s.next < s.fresh {
			s.gap.budget--
		}
		s.send(now, s.next, send)
		s.next++
	}
	if s.cfg.Resend == Gap {
		s.sendCopies(now, send)
	}
}

// checkDue reports whether a check is due and plans the next one after now: missed ones are not made up for.
func (s *Sender) checkDue(now time.Duration) bool {
	if now < s.check {
		return false
	}
	s.check += (now-s.check)/CheckInterval*CheckInterval + CheckInterval
	return true
}

// resendDue is the given rule: at most 32 events whose last send is 250 ms old, oldest first.
func (s *Sender) resendDue(now time.Duration, send func([]byte)) {
	due := 0
	for event := s.queue.head; event < s.fresh && due < MaxDue; event++ {
		if now-s.queue.at(event).sent >= RTO {
			s.send(now, event, send)
			due++
		}
	}
}

// send sends an event for the first time or again, with its second copy where one is called for.
func (s *Sender) send(now time.Duration, event uint32, send func([]byte)) {
	s.sendOnce(now, event, send)
	s.again(now, s.queue.at(event), send)
}

// sendOnce sends an event for the first time or again, without a second copy.
func (s *Sender) sendOnce(now time.Duration, event uint32, send func([]byte)) {
	e := s.queue.at(event)
	if e.rounds == 0 {
		s.fresh = event + 1
	} else {
		s.stats.Resends++
	}
	e.rounds++
	e.prior, e.priorDoubled, e.round = e.round, e.doubled, now
	e.copied, e.doubled, e.paired = false, false, false
	s.put(now, e, send)
}

// put sends one packet of an event.
func (s *Sender) put(now time.Duration, e *entry, send func([]byte)) {
	e.sent = now
	e.sends++
	s.stats.Sends++
	send(e.packet)
}

// Next returns when Flush has something to do again; a time that is not after now means at once. It is ok false while
// no event waits. Push, Ack and Flush change it.
func (s *Sender) Next() (at time.Duration, ok bool) {
	if s.queue.count == 0 {
		return 0, false
	}
	if s.next != s.queue.tail() && s.mayResend() {
		return s.now, true
	}
	at = s.check
	if s.cfg.Resend == Gap {
		at = min(at, s.gap.copyAt, s.nextProbe())
	}
	return at, true
}

// Unacked returns how many events wait for their ack.
func (s *Sender) Unacked() int { return s.queue.count }

// Stalled reports that events have waited 15 s without an ack that moves the queue: the connection must end, even if
// other packets keep it alive.
func (s *Sender) Stalled(now time.Duration) bool {
	return s.queue.count > 0 && now-s.waiting >= StallTimeout
}

// Stats returns the sender's counters.
func (s *Sender) Stats() Stats {
	st := s.stats
	st.RTT, st.Lossy = s.path.srtt, s.path.lossy
	return st
}
