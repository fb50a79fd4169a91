package client

import (
	"math"
	"testing"
	"time"

	"darqline/protocol"
)

func TestHudElementsAreSetAndRemoved(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		for _, c := range []struct {
			set, remove protocol.Packet
			name        string
			shown       func(Hud) bool
		}{
			{&protocol.HudAnnouncement{Place: 2, Duration: 500, Content: protocol.AnnouncementContent{Title: "A"}}, &protocol.HudAnnouncement{Place: 2},
				"Announcement", func(h Hud) bool { return h.Announcements[2].Shown() }},
			{&protocol.HudCountdown{Slot: 1, Mode: protocol.CountdownDown, Time: 5}, &protocol.HudCountdown{Slot: 1},
				"Countdown", func(h Hud) bool { return h.Countdowns[1].Shown() }},
			{&protocol.HudStatusLine{Slot: 7, Present: true, Text: "x"}, &protocol.HudStatusLine{Slot: 7},
				"StatusLine", func(h Hud) bool { return h.StatusLines[7].Shown() }},
			{&protocol.HudGauge{Slot: 7, Present: true, Max: 1}, &protocol.HudGauge{Slot: 7},
				"Gauge", func(h Hud) bool { return h.Gauges[7].Shown() }},
			{&protocol.HudProgress{Slot: 3, Present: true, Duration: 200}, &protocol.HudProgress{Slot: 3},
				"Progress", func(h Hud) bool { return h.Progress[3].Shown() }},
			{&protocol.ObjectiveMarker{Slot: 15, Present: true}, &protocol.ObjectiveMarker{Slot: 15},
				"Objective", func(h Hud) bool { return h.Objectives[15].Shown() }},
			{&protocol.HudSpeedometer{Present: true, Max: 260}, &protocol.HudSpeedometer{},
				"Speedometer", func(h Hud) bool { return h.Speedometer.Shown() }},
		} {
			st.lane(c.remove) // it is not there
			st.lane(c.set)
			if !c.shown(st.client.UI().Hud) {
				t.Errorf("%s is not shown", c.name)
			}
			st.lane(c.remove)
			equal(t, st.take("hud"), "hud client."+c.name+" true", "hud client."+c.name+" false")
			if c.shown(st.client.UI().Hud) {
				t.Errorf("%s is still shown", c.name)
			}
		}
	})
}

func TestAnAnnouncementGoesByItself(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		a := &protocol.HudAnnouncement{Place: protocol.AnnouncementCenter, Duration: 2000, Content: protocol.AnnouncementContent{Title: "A"}}
		st.lane(a)
		st.alive(time.Second)
		st.lane(a) // replaces what is there, and its time
		if e := st.client.UI().Hud.Announcements[1]; time.Until(e.Until) != 2*time.Second {
			t.Errorf("%v are left", time.Until(e.Until))
		}
		st.alive(1999 * time.Millisecond)
		equal(t, st.take("hud"), "hud client.Announcement true", "hud client.Announcement true")
		st.alive(time.Millisecond)
		equal(t, st.take("hud"), "hud client.Announcement false")
		if got := st.client.UI().Hud; got != (Hud{Announcements: [3]Announcement{1: {HudAnnouncement: protocol.HudAnnouncement{Place: 1}}}}) {
			t.Errorf("%+v", got)
		}
	})
}

func TestCountdowns(t *testing.T) {
	const runs = protocol.CountdownRuns
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		shows := func() time.Duration { return st.client.UI().Hud.Countdowns[0].TimeAt(time.Now()) }
		set := func(mode protocol.CountdownMode, ms uint32, flags protocol.CountdownFlags, end string) {
			st.lane(&protocol.HudCountdown{Mode: mode, Time: ms, Flags: flags, End: end})
			st.take()
		}
		set(protocol.CountdownDown, 3000, 0, "")
		st.alive(5 * time.Second)
		if shows() != 3*time.Second {
			t.Errorf("one that stands shows %v", shows())
		}
		set(protocol.CountdownUp, 3000, runs, "")
		st.alive(5 * time.Second)
		if shows() != 8*time.Second {
			t.Errorf("one that counts up shows %v", shows())
		}
		equal(t, st.take("hud"))

		set(protocol.CountdownDown, 3000, runs, "")
		st.alive(2999 * time.Millisecond)
		if shows() != time.Millisecond {
			t.Errorf("one that counts down shows %v", shows())
		}
		equal(t, st.take("hud"))
		st.alive(time.Millisecond)
		equal(t, st.take("hud"), "hud client.Countdown false")

		set(protocol.CountdownLarge, 3000, runs, "GO!")
		st.alive(3 * time.Second)
		if c := st.client.UI().Hud.Countdowns[0]; !c.Ended || c.End != "GO!" || shows() != 0 {
			t.Errorf("%+v", c)
		}
		equal(t, st.take("hud"), "hud client.Countdown true")
		st.lane(notification(1, 1000)) // which ends before it
		st.alive(endShown - time.Millisecond)
		equal(t, st.take("hud"))
		st.alive(time.Millisecond)
		equal(t, st.take("hud"), "hud client.Countdown false")
	})
}

func TestWhatElementsShowOverTime(t *testing.T) {
	at := func(s float64) time.Time { return testStart.Add(time.Duration(s * float64(time.Second))) }
	gauge := func(value, rate float32) Gauge {
		return Gauge{protocol.HudGauge{Max: 100, Value: value, Rate: rate}, testStart}
	}
	for _, c := range []struct {
		g    Gauge
		s    float64
		want float64
	}{
		{gauge(50, 0), 9, 50}, {gauge(50, -2), 10, 30}, {gauge(50, -2), 60, 0}, {gauge(50, 0.5), 3, 51.5}, {gauge(50, 100), 60, 100},
	} {
		if got := c.g.ValueAt(at(c.s)); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%g %+g/s after %g s: %g, expected %g", c.g.Value, c.g.Rate, c.s, got, c.want)
		}
	}
	progress := func(duration, elapsed uint32, flags protocol.ProgressFlags) Progress {
		return Progress{protocol.HudProgress{Duration: duration, Elapsed: elapsed, Flags: flags}, testStart}
	}
	for _, c := range []struct {
		p    Progress
		s    float64
		want time.Duration
	}{
		{progress(5000, 1000, 0), 3, time.Second},
		{progress(5000, 1000, protocol.ProgressRuns), 3, 4 * time.Second},
		{progress(5000, 1000, protocol.ProgressRuns), 9, 5 * time.Second},
		{progress(0, 0, protocol.ProgressRuns), 900, 900 * time.Second},
	} {
		if got := c.p.ElapsedAt(at(c.s)); got != c.want {
			t.Errorf("%+v after %g s: %v", c.p, c.s, got)
		}
	}
}

func TestWhatHoldsThePlayer(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		holds := func(what string, want bool) {
			if st.client.UI().Holds() != want {
				t.Errorf("%s: %v", what, !want)
			}
		}
		holds("nothing", false)
		st.lane(&protocol.HudProgress{Slot: 2, Present: true, Duration: 200, Flags: protocol.ProgressHold})
		holds("a bar", true)
		st.lane(&protocol.HudProgress{Slot: 2})
		holds("no bar", false)
		st.lane(menuHead(1, 1, protocol.MenuHold))
		holds("a menu without its items", false)
		st.lane(itemsOf(1, menuItem(1, "a")))
		holds("a menu", true)
		st.lane(menuHead(1, 1, 0))
		holds("a menu that does not", false)
	})
}

func TestMovementStopsWhileADialogIsOpen(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		walk := st.client.Self().Frame
		walk.MoveX, walk.Keys = 100, protocol.KeyJump
		move := func() protocol.Frame {
			t.Helper()
			if err := st.client.Move(walk); err != nil {
				t.Fatal(err)
			}
			return st.client.Self().Frame
		}
		if f := move(); f.MoveX != 100 || f.Keys == 0 {
			t.Fatalf("%+v", f)
		}
		st.lane(show(1, protocol.DialogMessage))
		if f := st.client.Self().Frame; f.MoveX != 0 || f.Keys != 0 {
			t.Errorf("before the program moves again: %+v", f)
		}
		if f := move(); f.MoveX != 0 || f.Keys != 0 {
			t.Errorf("a dialog: %+v", f)
		}
		st.lane(&protocol.DialogHide{DialogID: 1})
		st.lane(&protocol.HudProgress{Present: true, Flags: protocol.ProgressHold})
		if f := move(); f.MoveX != 0 || f.Keys == 0 {
			t.Errorf("a bar: %+v", f)
		}
		st.lane(&protocol.HudProgress{})
		if f := move(); f.MoveX != 100 {
			t.Errorf("nothing: %+v", f)
		}
	})
}
