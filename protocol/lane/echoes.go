package lane

import (
	"slices"
	"time"
)

const echoMax = 128 // echoes kept track of

// echoes are the packets of delivered events that the receiver may still ack once more, by when they were sent.
type echoes []time.Duration

// expect adds a packet. Beyond the bound it does not: an unexpected echo costs a needless resend and no more.
func (e *echoes) expect(sent time.Duration) {
	if len(*e) < echoMax {
		*e = append(*e, sent)
	}
}

// forget drops the packets that were sent before the given time.
func (e *echoes) forget(before time.Duration) {
	*e = slices.DeleteFunc(*e, func(sent time.Duration) bool { return sent < before })
}

// take uses up one packet that was sent at the given time or before it, and reports whether there was one.
func (e *echoes) take(latest time.Duration) bool {
	i := slices.IndexFunc(*e, func(sent time.Duration) bool { return sent <= latest })
	if i < 0 {
		return false
	}
	*e = slices.Delete(*e, i, i+1)
	return true
}
