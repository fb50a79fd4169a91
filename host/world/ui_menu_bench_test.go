package world

import (
	"fmt"
	"testing"
	"time"

	"darqline/protocol"
)

// BenchmarkMenuItems changes each of 100 items of a menu on every tick: the time of one change, and the packets of a tick.
func BenchmarkMenuItems(b *testing.B) {
	r := &rig{}
	r.w = New(Config{Now: func() time.Duration { return r.now }, Sink: r, Chat: testChat})
	l, p := r.join("Alice")
	var items []MenuEntry
	for n := range 100 {
		items = append(items, selectItem(fmt.Sprint("Item ", n)))
	}
	var m *Menu
	r.do(func(tx Tx) { m, _, _ = tx.OpenMenu(p, MenuSpec{Title: "M", Items: items, Start: -1}) })
	for l.pace.Len() > 0 {
		r.now += 100 * time.Millisecond
		l.pace.Flush(r.now, l)
	}
	l.sent = nil
	ticks, packets := 0, 0
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		r.do(func(tx Tx) {
			tx.ChangeMenuItem(m.items[n%100], func(s *protocol.MenuItem) { s.Detail = fmt.Sprint(n) })
		})
		if n%100 == 99 {
			r.now += 100 * time.Millisecond
			l.pace.Flush(r.now, l)
			ticks, packets = ticks+1, packets+len(l.sent)
			l.sent = nil
		}
	}
	b.ReportMetric(float64(packets)/float64(max(1, ticks)), "packets/tick")
}
