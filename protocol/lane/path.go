package lane

import "time"

const (
	minRTT     = 20 * time.Millisecond // a shorter round trip counts as this
	lossWindow = 1000                  // delivered packets over which the loss is judged
	lossFloor  = 200                   // the path loses if more than 1 of this many went unanswered: 0.5 %

	lateDecay = 128 // round trips in which path.late falls to a third

	burstMin     = 5  // lost pairs in a window before it counts as bursty
	burstRatio   = 3  // bursty if so many times more pairs are lost than by chance
	burstWindows = 32 // windows after which pairs are tried again
)

// path is what the acks tell about the way to the peer and back: its round trip and whether it loses packets.
type path struct {
	srtt, dev time.Duration // smoothed round trip and its mean deviation, as TCP has them (RFC 6298); 0 while unknown
	late      time.Duration // how much longer than srtt a round trip was at most of late
	sends     int           // packets of delivered events in this window
	answers   int           // acks in this window
	pairs     int           // events lost together with their second copy, sent right behind the first
	apart     int           // windows for which second copies keep their distance
	lossy     bool
}

// sample takes a measured round trip. One of 0, as in a simulated network, counts as the shortest there is.
func (p *path) sample(rtt time.Duration) {
	rtt = max(rtt, 1)
	if p.srtt == 0 {
		p.srtt, p.dev, p.late = rtt, rtt/2, rtt/4
		return
	}
	diff := rtt - p.srtt
	p.srtt += diff / 8
	p.late = max(diff, p.late-p.late/lateDecay)
	if diff < 0 {
		diff = -diff
	}
	p.dev += (diff - p.dev) / 4
}

// rtt returns the round trip to reckon with.
func (p *path) rtt() time.Duration { return max(p.srtt, minRTT) }

// slack is how much later than a round trip an answer may come before it counts as missing.
func (p *path) slack() time.Duration { return max(p.late*3/2, 2*time.Millisecond) }

// judge calls the path lossy or not once enough packets are counted. It turns lossy at once where a loss shows: a path
// that loses 1 % of its packets shows none in 100 too often to wait for more.
//
// With a share r of answers missing, chance loses r*r of the pairs. Where it is far more, losses come in bursts.
func (p *path) judge() {
	if p.sends < lossWindow {
		return
	}
	missing := p.sends - p.answers
	p.lossy = missing*lossFloor > p.sends
	if p.pairs >= burstMin && p.pairs*p.sends > burstRatio*missing*missing/2 {
		p.apart = burstWindows
	} else if p.apart > 0 {
		p.apart--
	}
	p.sends, p.answers, p.pairs = 0, 0, 0
}

// bursty reports that losses come in bursts: a second copy right behind the first would share its fate.
func (p *path) bursty() bool { return p.apart > 0 }
