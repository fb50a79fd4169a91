package lane

import (
	"testing"
	"time"
)

// bound is what a cell of the design's table allows.
type bound struct {
	rtt            time.Duration
	rate, loss     float64
	p50, p99, p999 float64 // ms
	sends          float64 // an event
}

// Up to 5 % loss the best sender of the table, every send twice; above it going back and the ack clock.
var bounds = []bound{
	{50, 10, 0, 25, 25, 25, 1}, {50, 50, 0, 25, 25, 25, 1}, {150, 10, 0, 75, 75, 75, 1}, {150, 50, 0, 75, 75, 75, 1},
	{50, 10, 1, 25, 25, 26, 2.1}, {50, 10, 5, 25, 26, 168, 2.1},
	{50, 50, 1, 25, 25, 26, 2.1}, {50, 50, 5, 25, 35, 96, 2.1},
	{150, 50, 5, 75, 195, 269, 2.1},
	{150, 50, 10, 334, 2400, 3000, 3}, {50, 50, 20, 104, 449, 606, 3.7},
}

func TestDelaysStayWithinTheTable(t *testing.T) {
	for _, b := range bounds {
		s := NewSender(Config{EventOffset: offset})
		o := simulate(s, conditions{rtt: b.rtt * ms, there: independent(b.loss / 100), back: independent(b.loss / 100),
			rate: b.rate, last: time.Duration(40000/b.rate) * time.Second, seed: 1})
		for _, q := range []struct{ at, most float64 }{{.5, b.p50}, {.99, b.p99}, {.999, b.p999}} {
			if got := float64(o.at(q.at)) / float64(ms); got > q.most+.5 {
				t.Errorf("RTT %d, %v/s, %v %%: quantile %v is %.1f ms, want at most %v", b.rtt, b.rate, b.loss, q.at, got, q.most)
			}
		}
		if o.sendsPerEvent() > b.sends {
			t.Errorf("RTT %d, %v/s, %v %%: %.3f sends an event, want at most %v", b.rtt, b.rate, b.loss, o.sendsPerEvent(), b.sends)
		}
		if o.ended {
			t.Errorf("RTT %d, %v/s, %v %%: disconnected", b.rtt, b.rate, b.loss)
		}
	}
}

func TestNeverWorseThanTheAckClock(t *testing.T) {
	for _, rtt := range []time.Duration{50 * ms, 150 * ms} {
		for _, rate := range []float64{10, 50} {
			for _, p := range []float64{0, .01, .05, .10, .20} {
				c := conditions{rtt: rtt, there: independent(p), back: independent(p), rate: rate,
					last: time.Duration(10000/rate) * time.Second, seed: 2}
				ours, ref := simulate(NewSender(Config{EventOffset: offset}), c), simulate(newReference(rtt, true, 1), c)
				for _, q := range []float64{.5, .99, .999} {
					if ours.at(q) > ref.at(q)+ms {
						t.Errorf("RTT %v, %v/s, loss %v: quantile %v is %v, the ack clock's %v", rtt, rate, p, q, ours.at(q), ref.at(q))
					}
				}
			}
		}
	}
}

func TestNoDisconnectBelow25Percent(t *testing.T) {
	for _, rtt := range []time.Duration{50 * ms, 150 * ms, 300 * ms} {
		for _, law := range []func(float64) loss{independent, func(p float64) loss { return bursty(p, 10*ms) }} {
			o := simulate(NewSender(Config{EventOffset: offset}), conditions{rtt: rtt, jitter: 10 * ms, there: law(.24), back: law(.24),
				rate: 20, last: 10 * time.Minute, seed: 3})
			if o.ended || len(o.delays) != o.events {
				t.Errorf("RTT %v: ended %v with %d of %d delivered", rtt, o.ended, len(o.delays), o.events)
			}
		}
	}
}

func TestJoinBurst(t *testing.T) {
	for _, b := range []struct {
		loss float64
		most time.Duration // median of the last event's delivery
	}{{.01, 270 * ms}, {.05, 730 * ms}} {
		if got := burst(func() sender { return NewSender(Config{EventOffset: offset}) }, 50*ms, b.loss, 40).at(.5); got > b.most {
			t.Errorf("loss %v: the last of 250 events comes after %v, want at most %v", b.loss, got, b.most)
		}
	}
}

func TestJitterAloneCostsLittle(t *testing.T) {
	o := simulate(NewSender(Config{EventOffset: offset}), conditions{rtt: 50 * ms, jitter: 20 * ms, there: independent(0), back: independent(0),
		rate: 50, last: 400 * time.Second, seed: 4})
	if o.sendsPerEvent() > 1.2 {
		t.Errorf("%.2f sends an event on a path that loses nothing", o.sendsPerEvent())
	}
}
