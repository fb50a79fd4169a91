package world

import (
	"fmt"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
)

// laned is a link whose pacer feeds a real lane, and whose client acks after a while or never.
type laned struct {
	*link
	out    *lane.Sender
	rtt    time.Duration // 0: never acks
	acks   []ack
	most   int // unacked events
	counts map[protocol.ID]int
}

type ack struct {
	at    time.Duration
	event uint32
}

func (l *laned) Unacked() int { return l.out.Unacked() }
func (l *laned) Straight(p protocol.Packet) error {
	defer l.out.Flush(l.r.now, func([]byte) {})
	return l.pace.Straight(l, p)
}

func (l *laned) Push(p protocol.Packet, room int) (int, error) {
	b, err := protocol.Append(nil, protocol.Header{}, p)
	if err != nil {
		return 0, err
	}
	row, _ := protocol.Lookup(p.ID())
	event, err := l.out.Push(l.r.now, b, row.Lane == protocol.Droppable)
	if err != nil {
		return 0, err
	}
	l.counts[p.ID()]++
	l.most = max(l.most, l.out.Unacked())
	if l.rtt > 0 {
		l.acks = append(l.acks, ack{l.r.now + l.rtt, event})
	}
	return len(b), nil
}

// turn does what the network does between two ticks.
func (l *laned) turn() {
	for len(l.acks) > 0 && l.acks[0].at <= l.r.now {
		if err := l.out.Ack(l.r.now, l.acks[0].event); err != nil {
			l.r.t.Fatal(err)
		}
		l.acks = l.acks[1:]
	}
	if err := l.pace.Flush(l.r.now, l); err != nil {
		l.r.t.Fatal(err)
	}
	l.out.Flush(l.r.now, func([]byte) {})
}

// lanes are players with real pacers and lanes.
func (r *rig) lanes(n int, rtt func(i int) time.Duration) (list []*laned, players []*Player) {
	for i := range n {
		l := &laned{link: r.connect(fmt.Sprint("P", i)), rtt: rtt(i), counts: make(map[protocol.ID]int),
			out: lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetServer})}
		r.do(func(tx Tx) { players = append(players, tx.Join(l)) })
		list = append(list, l)
	}
	return list, players
}

// fullHud makes all that a screen has room for, for who is named or for all: 8 status lines, 8 gauges, 4 bars, 16 objectives, 2
// countdowns, a speedometer, 3 announcements and 20 notifications. Each change of one is another state of it.
func (r *rig) fullHud(who *Player) (list []*Element, change func(e *Element, n int) Look) {
	add := func(n int, look func(i int) Look) {
		for i := range n {
			list = append(list, r.make(look(i), who))
		}
	}
	add(8, func(int) Look { return status("a") })
	add(8, func(int) Look { return Gauge{Max: 1e6} })
	add(4, func(int) Look { return Progress{Text: "a"} })
	add(16, func(int) Look { return Objective{} })
	add(2, func(int) Look { return Countdown{Mode: protocol.CountdownUp} })
	add(1, func(int) Look { return Speedometer{Max: 100} })
	add(3, func(i int) Look {
		return Announcement{Title: "a", Left: time.Minute, Place: protocol.AnnouncementPlace(i)}
	})
	add(20, func(int) Look { return Notification{Text: "a"} })
	return list, func(e *Element, n int) Look {
		switch l := e.Spec.Look.(type) {
		case Status:
			l.Text = fmt.Sprint(n)
			return l
		case Gauge:
			l.Value = float64(n)
			return l
		case Progress:
			l.Text = fmt.Sprint(n)
			return l
		case Objective:
			l.Position.X = float32(n % 10_000)
			return l
		case Countdown:
			l.Time = time.Duration(n) * time.Millisecond
			return l
		case Speedometer:
			l.Text = fmt.Sprint(n)
			return l
		case Announcement:
			l.Title = fmt.Sprint(n)
			return l
		case Notification:
			l.Text = fmt.Sprint(n)
			return l
		}
		return e.Spec.Look
	}
}

// mostPassed is what a lane can have unacked by the pacer alone.
const mostPassed = 128

// TestHudOnLanes has a script change all HUD elements that there can be, on each tick and for 200 players, 20 to 219 ms away. No lane
// goes over 128, and one that never acks harms itself alone. Afterwards all have the last state.
func TestHudOnLanes(t *testing.T) {
	const ticks = 25
	players := 200
	if testing.Short() {
		players = 40
	}
	r := newRig(t)
	silent := func(i int) bool { return i == 7 }
	list, _ := r.lanes(players, func(i int) time.Duration {
		if silent(i) {
			return 0
		}
		return time.Duration(20+i*200/players) * time.Millisecond
	})
	elements, change := r.fullHud(nil)
	made := 0
	for tick := range ticks {
		for n := range 100 {
			e := elements[n%len(elements)]
			r.change(e, change(e, 1000*tick+n))
			made++
		}
		r.now += 40 * time.Millisecond
		r.do(func(tx Tx) { tx.Tick() })
		for _, l := range list {
			l.turn()
		}
	}
	for _, l := range list {
		sent := 0
		for _, n := range l.counts {
			sent += n
		}
		switch {
		case l.most > mostPassed:
			t.Errorf("%s, %v away, has %d unacked", l.name, l.rtt, l.most)
		case silent(int(l.id)):
		case sent > made/2:
			t.Errorf("%s was sent %d packets for %d changes", l.name, sent, made)
		}
	}
	for range 50 {
		r.now += 40 * time.Millisecond
		for _, l := range list {
			l.turn()
		}
	}
	for _, l := range list {
		if n := l.pace.Len(); n > 0 && !silent(int(l.id)) {
			t.Errorf("%s: %d things wait", l.name, n)
		}
	}
	var before []int
	for _, l := range list {
		before = append(before, l.counts[protocol.IDHudGauge])
	}
	for n := range 1000 { // of one element alone
		e := elements[8]
		r.change(e, change(e, n))
	}
	for range 5 {
		r.now += 40 * time.Millisecond
		for _, l := range list {
			l.turn()
		}
	}
	for i, l := range list {
		if n := l.counts[protocol.IDHudGauge] - before[i]; n != 1 && !silent(i) {
			t.Errorf("%s was sent %d packets for one element", l.name, n)
		}
	}
}

// BenchmarkHudProperty sets one property of an element, for one player and for 200.
func BenchmarkHudProperty(b *testing.B) {
	for _, players := range []int{1, 200} {
		b.Run(fmt.Sprint(players), func(b *testing.B) {
			r := newRig(&testing.T{})
			list, _ := r.lanes(players, func(int) time.Duration { return time.Millisecond })
			e := r.make(Gauge{Max: 1e9}, nil)
			n := 0.0
			b.ReportAllocs()
			for b.Loop() {
				n++
				tx := r.w.Begin()
				err := tx.ChangeElement(e, Face{Look: Gauge{Max: 1e9, Value: n}}, false)
				tx.End()
				if err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			_ = list
		})
	}
}
