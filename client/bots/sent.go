package bots

import (
	"math"
	"time"
)

// kept is how many frames of a bot are remembered: five seconds of them.
const kept = 128

// sent are the newest frames of one bot: when each left, found by the time that it carries.
type sent struct {
	number uint32 // of the newest; the first is 1
	ring   [kept]struct {
		at   int64 // wall time, ns
		time uint16
	}

	// Frames behind from, up to until, are in the measure.
	from, until uint32
}

// add notes the next frame. Its time is newer than that of the last.
func (s *sent) add(time uint16, at int64) {
	s.number++
	e := &s.ring[s.number%kept]
	e.at, e.time = at, time
}

// find looks for the frame with this time, the newest ones first.
func (s *sent) find(time uint16) (number uint32, at int64, ok bool) {
	for i := range min(s.number, kept) {
		n := s.number - i
		switch e := &s.ring[n%kept]; {
		case e.time == time:
			return n, e.at, true
		case int16(time-e.time) > 0:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// begin and end set the edges of the measure.
func (s *sent) begin() { s.from, s.until = s.number, math.MaxUint32 }
func (s *sent) end()   { s.until = s.number }

// pair is what a bot keeps of a player whom it has in scope.
type pair struct {
	token uint32 // of the player; 0: not in scope
	last  uint32 // number of the newest frame that came, 0 none yet
	near  bool   // that frame was of a place where every frame is due
}

// count takes the frame that a viewer got of a player near him: what lies between it and the one before is lost.
func (m *measure) count(s *sent, p *pair, number uint32, delay time.Duration) {
	first, last := max(p.last, s.from), min(number, s.until)
	if first >= last {
		return
	}
	m.expected += uint64(last - first)
	if number == last {
		m.received++
		m.delays.add(delay)
	}
}

// missed takes what was never followed by another frame, at the end of the measure.
func (m *measure) missed(s *sent, p *pair) {
	if first, last := max(p.last, s.from), min(s.number, s.until); p.last != 0 && p.near && first < last {
		m.expected += uint64(last - first)
	}
}

// measure is what was measured of all.
type measure struct {
	expected, received uint64
	delays             delays
}
