package client

import (
	"time"

	"darqline/protocol"
)

// endShown is how long the end of a countdown is shown.
const endShown = 1500 * time.Millisecond

// HudElement is an element of the HUD after a change: an Announcement, a Countdown, a StatusLine, a Gauge, a Progress, an
// Objective or the Speedometer. What is removed has nothing left but its place or slot.
type HudElement interface{ Shown() bool }

// Hud is the elements of the HUD by place or slot, those that are not shown too.
type Hud struct {
	Announcements [protocol.AnnouncementBottom + 1]Announcement // by protocol.AnnouncementPlace
	Countdowns    [protocol.MaxCountdowns]Countdown
	StatusLines   [protocol.MaxStatusLines]StatusLine
	Gauges        [protocol.MaxGauges]Gauge
	Progress      [protocol.MaxProgressBars]Progress
	Objectives    [protocol.MaxObjectiveMarkers]Objective
	Speedometer   Speedometer
}

// holds tells that a progress bar keeps the player in place.
func (h *Hud) holds() bool {
	for i := range h.Progress {
		if h.Progress[i].Flags&protocol.ProgressHold != 0 {
			return true
		}
	}
	return false
}

// Announcement is a large text for a while.
type Announcement struct {
	protocol.HudAnnouncement
	Until time.Time
}

func (a Announcement) Shown() bool { return a.Duration != 0 }

// Countdown is a clock. At zero one that counts down goes, after its End if it has one.
type Countdown struct {
	protocol.HudCountdown
	Since time.Time // when it stood at Time
	Ended bool      // it is at zero, and End is shown instead
}

func (c Countdown) Shown() bool { return c.Mode != protocol.CountdownNone }

// TimeAt is what the clock shows.
func (c Countdown) TimeAt(t time.Time) time.Duration {
	time := milliseconds(c.Time)
	switch {
	case c.Flags&protocol.CountdownRuns == 0:
		return time
	case c.Mode == protocol.CountdownUp:
		return time + t.Sub(c.Since)
	}
	return max(time-t.Sub(c.Since), 0)
}

// zero is when a clock that counts down is at zero; false if it does not count down.
func (c *Countdown) zero() (time.Time, bool) {
	runs := c.Flags&protocol.CountdownRuns != 0 && c.Mode != protocol.CountdownUp && c.Mode != protocol.CountdownNone
	return c.Since.Add(milliseconds(c.Time)), runs
}

// StatusLine is a small line in a corner; of a corner, those with a higher Order stand first.
type StatusLine struct{ protocol.HudStatusLine }

func (s StatusLine) Shown() bool { return s.Present }

// Gauge is a value as bar, ring or number.
type Gauge struct {
	protocol.HudGauge
	Since time.Time // when it stood at Value
}

func (g Gauge) Shown() bool { return g.Present }

// ValueAt is what the gauge shows: its value follows its rate, and stops at 0 and Max.
func (g Gauge) ValueAt(t time.Time) float64 {
	return min(max(float64(g.Value)+float64(g.Rate)*t.Sub(g.Since).Seconds(), 0), float64(g.Max))
}

// Progress is a bar that fills by itself, and stays full until the server removes it.
type Progress struct {
	protocol.HudProgress
	Since time.Time // when it stood at Elapsed
}

func (p Progress) Shown() bool { return p.Present }

// ElapsedAt is how far the bar is, up to Duration. Without a Duration there is no end.
func (p Progress) ElapsedAt(t time.Time) time.Duration {
	elapsed, whole := milliseconds(p.Elapsed), milliseconds(p.Duration)
	if p.Flags&protocol.ProgressRuns != 0 {
		elapsed += t.Sub(p.Since)
	}
	if whole > 0 {
		elapsed = min(elapsed, whole)
	}
	return elapsed
}

// Objective is a mark on the screen over a place or a thing. Without the thing it is not drawn.
type Objective struct{ protocol.ObjectiveMarker }

func (o Objective) Shown() bool { return o.Present }

// Speedometer is shown in vehicles. The program knows the speed, and counts the metres driven since.
type Speedometer struct {
	protocol.HudSpeedometer
	Since time.Time // when the metres were Distance
}

func (s Speedometer) Shown() bool { return s.Present }

// applyHud takes an element of the HUD. It says whether it was one.
func (g *game) applyHud(at time.Time, p protocol.Packet) bool {
	h := &g.ui.hud
	switch p := p.(type) {
	case *protocol.HudAnnouncement:
		e := Announcement{HudAnnouncement: *p}
		if e.Shown() {
			e.Until = at.Add(milliseconds(p.Duration))
			g.ui.alarm(e.Until)
		}
		setHud(g, &h.Announcements[p.Place], e)
	case *protocol.HudCountdown:
		e := Countdown{HudCountdown: *p}
		if e.Shown() {
			e.Since = at
		}
		if zero, runs := e.zero(); runs {
			g.ui.alarm(zero)
		}
		setHud(g, &h.Countdowns[p.Slot], e)
	case *protocol.HudStatusLine:
		setHud(g, &h.StatusLines[p.Slot], StatusLine{*p})
	case *protocol.HudGauge:
		setHud(g, &h.Gauges[p.Slot], Gauge{*p, since(at, p.Present)})
	case *protocol.HudProgress:
		setHud(g, &h.Progress[p.Slot], Progress{*p, since(at, p.Present)})
	case *protocol.ObjectiveMarker:
		setHud(g, &h.Objectives[p.Slot], Objective{*p})
	case *protocol.HudSpeedometer:
		setHud(g, &h.Speedometer, Speedometer{*p, since(at, p.Present)})
	default:
		return false
	}
	return true
}

// since is the time of an element's state, none of one that is removed.
func since(at time.Time, present bool) time.Time {
	if !present {
		return time.Time{}
	}
	return at
}

// setHud takes the state of an element, and tells of it unless it was not shown and is not.
func setHud[E HudElement](g *game, old *E, e E) {
	tell := (*old).Shown() || e.Shown()
	if *old = e; tell {
		g.tell(func(h Handler) { h.Hud(e) })
	}
}

// driveHud ends announcements and countdowns.
func (g *game) driveHud(at time.Time) {
	h := &g.ui.hud
	for i := range h.Announcements {
		if e := &h.Announcements[i]; e.Shown() && g.ui.ended(at, e.Until) {
			setHud(g, e, Announcement{HudAnnouncement: protocol.HudAnnouncement{Place: e.Place}})
		}
	}
	for i := range h.Countdowns {
		g.driveCountdown(at, &h.Countdowns[i])
	}
}

// driveCountdown shows the end of a countdown at zero, and removes it after that.
func (g *game) driveCountdown(at time.Time, c *Countdown) {
	zero, runs := c.zero()
	if !runs || !g.ui.ended(at, zero) {
		return
	}
	if c.End != "" && !g.ui.ended(at, zero.Add(endShown)) {
		if !c.Ended {
			e := *c
			e.Ended = true
			setHud(g, c, e)
		}
		return
	}
	setHud(g, c, Countdown{HudCountdown: protocol.HudCountdown{Slot: c.Slot}})
}
