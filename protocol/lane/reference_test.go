package lane

import (
	"encoding/binary"
	"time"
)

// reference is a second, small sender to compare with: it goes back on a duplicate ack and is then ack-clocked, or
// sends everything twice. It keeps no limits but 512 and knows the round trip from the start.
type reference struct {
	rtt     time.Duration
	clock   bool // 32 resends, then two for each acked event; else all at once
	copies  int  // packets a send
	head    uint32
	next    uint32
	fresh   uint32
	budget  int
	repeats int // acks of the same event; the first is the second copy's
	sent    map[uint32]time.Duration
	check   time.Duration
	now     time.Duration
	count   uint32
}

func newReference(rtt time.Duration, clock bool, copies int) *reference {
	return &reference{rtt: rtt, clock: clock, copies: copies, head: 1, next: 1, fresh: 1, check: CheckInterval,
		sent: map[uint32]time.Duration{}}
}

func (s *reference) Push(now time.Duration, _ []byte, _ bool) (uint32, error) {
	if s.now = now; s.count+1-s.head+1 >= MaxUnacked {
		return 0, ErrFull
	}
	s.count++
	return s.count, nil
}

func (s *reference) Ack(now time.Duration, ack uint32) error {
	s.now = now
	if ack >= s.head {
		for ; s.head <= ack; s.head++ {
			delete(s.sent, s.head)
			s.budget += 2
		}
		s.next = max(s.next, s.head)
		s.repeats = 0
	} else if s.repeats++; s.repeats >= s.copies && s.head < s.next && ack+1 == s.head && now-s.sent[s.head] >= s.rtt*9/10 {
		s.next, s.budget = s.head, 32
	}
	return nil
}

func (s *reference) may() bool { return s.next >= s.fresh || !s.clock || s.budget > 0 }

func (s *reference) Flush(now time.Duration, send func([]byte)) {
	s.now = now
	put := func(event uint32) {
		s.sent[event] = now
		for range s.copies {
			send(binary.LittleEndian.AppendUint32([]byte{0}, event))
		}
	}
	if now >= s.check {
		s.check += CheckInterval
		due := 0
		for event := s.head; event < s.fresh && due < MaxDue; event++ {
			if now-s.sent[event] >= RTO {
				put(event)
				due++
			}
		}
	}
	for ; s.next <= s.count && s.may(); s.next++ {
		s.budget--
		put(s.next)
		s.fresh = max(s.fresh, s.next+1)
	}
}

func (s *reference) Next() (time.Duration, bool) {
	if s.head > s.count {
		s.check = max(s.check, s.now+CheckInterval)
		return 0, false
	}
	if s.next <= s.count && s.may() {
		return s.now, true
	}
	return s.check, true
}

func (s *reference) Stalled(time.Duration) bool { return false }
