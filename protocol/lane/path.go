package lane

import "time"

const (
	minRTT     = 20 * time.Millisecond // a shorter round trip counts as this
	lossWindow = 1000                  // delivered packets over which the loss is judged
	lossFloor  = 200                   // the path loses if more than 1 of this many went unanswered: 0.5 %
)

// path is what the acks tell about the way to the peer and back: its round trip and whether it loses packets.
type path struct {
	srtt, dev  time.Duration // smoothed round trip and its mean deviation, as TCP has them (RFC 6298); 0 while unknown
	sends      int           // packets of delivered events in this window
	unanswered int           // of these, without an ack
	lossy      bool
}

// sample takes a measured round trip.
func (p *path) sample(rtt time.Duration) {
	if rtt <= 0 {
		return
	}
	if p.srtt == 0 {
		p.srtt, p.dev = rtt, rtt/2
		return
	}
	diff := rtt - p.srtt
	p.srtt += diff / 8
	if diff < 0 {
		diff = -diff
	}
	p.dev += (diff - p.dev) / 4
}

// rtt returns the round trip to reckon with.
func (p *path) rtt() time.Duration { return max(p.srtt, minRTT) }

// slack is how much later than a round trip an answer may come before it counts as missing.
func (p *path) slack() time.Duration { return max(4*p.dev, p.rtt()/8, 4*time.Millisecond) }

// delivered counts the packets that a delivered event took.
func (p *path) delivered(sends int) {
	p.sends += sends
	if p.sends < lossWindow {
		return
	}
	p.lossy = p.unanswered*lossFloor > p.sends
	p.sends, p.unanswered = 0, 0
}

// lost counts packets that were not answered. One is enough to call the path lossy until the window is judged: a
// path that loses 1 % of its packets shows none in 100 too often to wait for more.
func (p *path) lost(n int) {
	p.unanswered += n
	p.lossy = true
}
