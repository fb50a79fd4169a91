package bots

import (
	"testing"
	"time"
)

func TestSentIsFoundByItsTime(t *testing.T) {
	var s sent
	if _, _, ok := s.find(0); ok {
		t.Error("found what was never sent")
	}
	time := func(i int) uint16 { return uint16(60_000 + 40*i) } // it wraps on the way
	for i := range 200 {
		s.add(time(i), int64(i))
	}
	for _, test := range []struct {
		name   string
		time   uint16
		number uint32
		ok     bool
	}{
		{"the newest", time(199), 200, true},
		{"an older one", time(150), 151, true},
		{"the oldest", time(200 - kept), 200 - kept + 1, true},
		{"one that is forgotten", time(199 - kept), 0, false},
		{"one of the server's own", time(150) + 1, 0, false},
		{"one that is newer than all", time(200), 0, false},
	} {
		number, at, ok := s.find(test.time)
		if number != test.number || ok != test.ok || ok && at != int64(number-1) {
			t.Errorf("%s: frame %d of %d, %v; want %d, %v", test.name, number, at, ok, test.number, test.ok)
		}
	}
}

// TestMeasureCountsGaps plays a sequence of arrivals at one viewer; frames 11 to 20 of the sender are measured.
func TestMeasureCountsGaps(t *testing.T) {
	for _, test := range []struct {
		name               string
		last               uint32 // that had come before
		come               []uint32
		expected, received uint64
	}{
		{"all", 10, []uint32{11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}, 10, 10},
		{"a hole", 10, []uint32{11, 14, 15, 16, 17, 18, 19, 20}, 10, 8},
		{"a hole over the begin", 7, []uint32{13, 14, 15, 16, 17, 18, 19, 20}, 10, 8},
		{"a hole over the end", 10, []uint32{11, 12, 13, 14, 15, 16, 17, 18, 25}, 10, 8},
		{"nothing follows", 10, []uint32{11, 12, 13}, 10, 3},
		{"nothing at all", 10, nil, 10, 0},
		{"only before", 5, []uint32{6, 7, 8, 9, 10}, 10, 0},
		{"entered late", 0, []uint32{15, 16, 17, 18, 19, 20}, 5, 5}, // the first one counts for nothing
	} {
		t.Run(test.name, func(t *testing.T) {
			var s sent
			for i := range 30 {
				switch i {
				case 10:
					s.begin()
				case 20:
					s.end()
				}
				s.add(uint16(i), 0)
			}
			m, p := new(measure), &pair{token: 1, last: test.last, near: true}
			for _, number := range test.come {
				if p.last != 0 {
					m.count(&s, p, number, time.Millisecond)
				}
				p.last = number
			}
			m.missed(&s, p)
			if m.expected != test.expected || m.received != test.received || m.delays.total != test.received {
				t.Errorf("%d of %d, %d delays; want %d of %d", m.received, m.expected, m.delays.total, test.received, test.expected)
			}
		})
	}
}

func TestFramesKeepTheirMoments(t *testing.T) {
	const every = 40 * time.Millisecond
	b := bot{frames: 1003 * time.Millisecond}
	for _, test := range []struct{ now, want time.Duration }{
		{1003, 1043}, {1012, 1043}, {1022, 1043}, {1024, 1083}, {1500, 1523},
	} {
		if got := b.nextFrame(test.now*time.Millisecond, every); got != test.want*time.Millisecond {
			t.Errorf("one of 1003 ms that goes at %d is followed by one at %v, want %d ms", test.now, got, test.want)
		}
	}
}
