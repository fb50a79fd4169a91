package host

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// The frame loop's figures. Frames leave at once while the loop has time to spare; the busier it is the longer it gathers
// them, because datagrams that leave in one piece cost a fraction of single ones.
const (
	idleShare  = 0.20 // of the time that the loop works: up to here frames leave at once
	busyShare  = 0.50 // from here on they are gathered for busyWindow
	heavyShare = 0.75 // from here on for longer, up to fullWindow at fullShare
	fullShare  = 0.95

	busyWindow = 4 * time.Millisecond
	fullWindow = 16 * time.Millisecond

	measureOver = 100 * time.Millisecond
	smoothing   = 0.25 // weight of the newest measure

	// A loop that is never idle even so does not keep up: then everyone gets fewer frames of everyone.
	spareShare = 0.70 // below it more frames may fit again
	widestTier = 8
	widenAfter = 3 * time.Second
	backAfter  = time.Second
	backLatest = time.Minute // each try that was too early doubles the wait for the next one
)

// load measures how busy the frame loop is, and decides what follows from that. It is used under the loop's turn.
type load struct {
	log   *slog.Logger
	began time.Duration // of the measure
	work  time.Duration // in it
	share float64       // smoothed

	flushed time.Duration // of the last flush of frames
	widen   int           // that every distance tier is widened by; 0 is 1
	since   time.Duration // that the share has been beyond one of the two bounds
	back    time.Duration // how long there must be time to spare before more frames are tried
	tried   time.Duration // when more were tried last
	shown   atomic.Uint32 // share and widening for whoever asks: see Load

	second  time.Duration // that longest is of: its beginning
	longest time.Duration // piece of work in it
	turn    atomic.Int64  // that of the last whole second, or a longer one of this, in ns
}

// worked adds a piece of work. It returns the widening, if that has changed.
func (l *load) worked(from, to time.Duration) (widen int, changed bool) {
	l.work += to - from
	l.keepLongest(from, to)
	if to-l.began < measureOver {
		return 0, false
	}
	share := min(1, l.work.Seconds()/(to-l.began).Seconds())
	l.share += smoothing * (share - l.share)
	l.began, l.work = to, 0
	defer func() { l.shown.Store(uint32(l.share*1000) | uint32(max(1, l.widen))<<16) }()
	full, spare := l.share > fullShare, l.share < spareShare && l.widen > 1
	switch {
	case !full && !spare:
		l.since = to
	case full && to-l.since >= widenAfter && l.widen < widestTier:
		if l.back = max(l.back, backAfter); to-l.tried < 2*l.back+widenAfter {
			l.back = min(2*l.back, backLatest)
		} else {
			l.back = backAfter
		}
		l.since, l.widen = to, max(1, l.widen)*2
		l.log.Warn("the server is at its limit: players get fewer frames of each other until it has time again",
			"one_in", l.widen)
		return l.widen, true
	case spare && to-l.since >= l.back:
		l.since, l.tried, l.widen = to, to, l.widen/2
		l.log.Info("the server has time again: players get more frames of each other", "one_in", l.widen)
		return l.widen, true
	}
	return 0, false
}

// keepLongest keeps the longest piece of work of a second.
func (l *load) keepLongest(from, to time.Duration) {
	if from-l.second >= time.Second {
		l.turn.Store(int64(l.longest))
		l.second, l.longest = from, 0
	}
	if l.longest = max(l.longest, to-from); int64(l.longest) > l.turn.Load() {
		l.turn.Store(int64(l.longest))
	}
}

// LongestTurn is the longest turn of the loop that relays frames, in the last whole second or since then.
func (h *Host) LongestTurn() time.Duration { return time.Duration(h.sync.load.turn.Load()) }

// window is how long frames are gathered now.
func (l *load) window() time.Duration {
	between := func(from, to float64) float64 { return min(max((l.share-from)/(to-from), 0), 1) }
	return time.Duration(between(idleShare, busyShare)*float64(busyWindow) +
		between(heavyShare, fullShare)*float64(fullWindow-busyWindow))
}

// due says when frames that wait may leave: now, or a moment after the last ones left.
func (l *load) due() time.Duration { return l.flushed + l.window() }
