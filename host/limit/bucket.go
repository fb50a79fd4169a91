// Package limit has the token bucket that the rate limits of all rooms are made of.
package limit

import "time"

// Bucket holds up to its burst of tokens and gains its rate of them a second; both are arguments, because a
// configuration may change while it stands. The zero value is a full one.
type Bucket struct {
	spent float64 // tokens away from full
	at    time.Duration
}

// Take takes n tokens, or none and says no.
func (b *Bucket) Take(now time.Duration, rate, burst, n float64) bool {
	b.refill(now, rate)
	if b.spent+n > burst {
		return false
	}
	b.spent += n
	return true
}

// TakeHard is Take of one token that costs even when it is refused, down to floor tokens below zero: who hammers on
// stays out.
func (b *Bucket) TakeHard(now time.Duration, rate, burst, floor float64) bool {
	if b.Take(now, rate, burst, 1) {
		return true
	}
	b.spent = min(b.spent+1, burst+floor)
	return false
}

// Wait is the time until n tokens will be there.
func (b *Bucket) Wait(now time.Duration, rate, burst, n float64) time.Duration {
	b.refill(now, rate)
	missing := b.spent + n - burst
	if missing <= 0 || rate <= 0 {
		return 0
	}
	return time.Duration(missing / rate * float64(time.Second))
}

// Left is the number of tokens that are there.
func (b *Bucket) Left(now time.Duration, rate, burst float64) float64 {
	b.refill(now, rate)
	return burst - b.spent
}

func (b *Bucket) refill(now time.Duration, rate float64) {
	if now > b.at {
		b.spent = max(0, b.spent-rate*(now-b.at).Seconds())
		b.at = now
	}
}
