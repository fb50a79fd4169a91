package world

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"darqline/protocol"
)

// Status is a small line in a corner.
type Status struct {
	Text  string // 1..127 bytes
	Place protocol.Place
	Order int16 // higher first
	Icon  protocol.Icon
	Color protocol.RGBA // alpha 0: the theme's, as everywhere
}

func (Status) kind() elementKind          { return kindStatus }
func (s Status) check() error             { return cmp.Or(given("text", s.Text), line("text", s.Text, 127)) }
func (s Status) after(time.Duration) Look { return s }
func (s Status) resume(Look) Look         { return s }
func (Status) lasts() time.Duration       { return forever }
func (s Status) packet(_ Tx, at seenAs) protocol.Packet {
	return &protocol.HudStatusLine{Slot: at.slot, Present: true, Place: s.Place, Order: s.Order, Icon: s.Icon, Color: s.Color, Text: s.Text}
}

// given refuses an empty text.
func given(field, text string) error {
	if text == "" {
		return fmt.Errorf("field %q: it is empty", field)
	}
	return nil
}

// Gauge is a value as bar, ring or number. With a rate it changes by itself, until 0 or Max.
type Gauge struct {
	Label      string // up to 31 bytes
	Value, Max float64
	Rate       float64 // a second
	Warn       float64 // at or below it blinks; 0 never
	Style      protocol.GaugeStyle
	Segments   uint8 // of a bar: 0 or 2..20
	Decimals   uint8 // of the number
	ShowNumber bool
	Unit       string // plain, up to 7 bytes
	Place      protocol.Place
	Order      int16
	Icon       protocol.Icon
	Color      protocol.RGBA
}

func (Gauge) kind() elementKind    { return kindGauge }
func (Gauge) lasts() time.Duration { return forever }

func (g Gauge) check() error {
	switch {
	case !(g.Max > 0):
		return fmt.Errorf("field \"max\": above 0 expected, got %g", g.Max)
	case g.Segments == 1:
		return errors.New("field \"segments\": 0 or 2..20 expected, got 1")
	}
	return cmp.Or(line("label", g.Label, 31), line("unit", g.Unit, 7))
}

func (g Gauge) after(d time.Duration) Look {
	g.Value = min(max(g.Value+g.Rate*d.Seconds(), 0), g.Max)
	return g
}

func (g Gauge) resume(from Look) Look {
	g.Value = from.(Gauge).Value
	return g
}

func (g Gauge) packet(_ Tx, at seenAs) protocol.Packet {
	m := &protocol.HudGauge{Slot: at.slot, Present: true, Style: g.Style, Place: g.Place, Order: g.Order, Icon: g.Icon, Segments: g.Segments,
		Decimals: g.Decimals, Max: float32(g.Max), Value: float32(g.Value), Rate: float32(g.Rate), Warn: float32(g.Warn), Color: g.Color,
		Label: g.Label, Unit: g.Unit}
	if g.ShowNumber {
		m.Flags = protocol.GaugeShowsNumber
	}
	return m
}

// Countdown is a clock. One that counts down ends at zero.
type Countdown struct {
	Mode    protocol.CountdownMode
	Time    time.Duration // left, or past with CountdownUp; up to a day
	Running bool
	Tenths  bool
	Ticks   bool
	Label   string // up to 47 bytes
	End     string // up to 31 bytes, shown at zero
	Color   protocol.RGBA
}

const longestCountdown = 24 * time.Hour

func (Countdown) kind() elementKind { return kindCountdown }
func (c Countdown) check() error {
	return cmp.Or(line("label", c.Label, 47), line("end_text", c.End, 31))
}

func (c Countdown) after(d time.Duration) Look {
	switch {
	case !c.Running:
	case c.Mode == protocol.CountdownUp:
		c.Time = min(c.Time+d, longestCountdown)
	default:
		c.Time = max(c.Time-d, 0)
	}
	return c
}

func (c Countdown) resume(from Look) Look {
	c.Time = from.(Countdown).Time
	return c
}

func (c Countdown) lasts() time.Duration {
	if !c.Running || c.Mode == protocol.CountdownUp {
		return forever
	}
	return c.Time
}

func (c Countdown) packet(_ Tx, at seenAs) protocol.Packet {
	m := &protocol.HudCountdown{Slot: at.slot, Mode: c.Mode, Time: uint32(c.Time.Milliseconds()), Color: c.Color, Label: c.Label, End: c.End}
	m.Flags = flagIf(c.Running, protocol.CountdownRuns) | flagIf(c.Tenths, protocol.CountdownTenths) | flagIf(c.Ticks, protocol.CountdownTicks)
	return m
}

// flagIf is a flag where it is set.
func flagIf[F ~uint8](set bool, flag F) F {
	if set {
		return flag
	}
	return 0
}

// Announcement is a large text for a while; it replaces what is in its place, and goes by itself.
type Announcement struct {
	Title string        // 1..200 bytes
	Text  string        // up to 296 bytes and 4 lines
	Left  time.Duration // 500 ms up to a minute
	Place protocol.AnnouncementPlace
	Style protocol.AnnouncementStyle
	Color protocol.RGBA
}

const (
	shortestAnnouncement = 500 * time.Millisecond
	longestAnnouncement  = time.Minute
)

func (Announcement) kind() elementKind      { return kindAnnouncement }
func (a Announcement) lasts() time.Duration { return a.Left }

func (a Announcement) check() error {
	return cmp.Or(given("title", a.Title), line("title", a.Title, 200), lines("text", a.Text, 296, 4))
}

func (a Announcement) after(d time.Duration) Look {
	a.Left = max(a.Left-d, 0)
	return a
}

func (a Announcement) resume(from Look) Look {
	a.Left = from.(Announcement).Left
	return a
}

func (a Announcement) packet(Tx, seenAs) protocol.Packet {
	left := min(max(a.Left, shortestAnnouncement), longestAnnouncement)
	return &protocol.HudAnnouncement{Place: a.Place, Duration: uint32(left.Milliseconds()), Style: a.Style, Color: a.Color,
		Content: protocol.AnnouncementContent{Title: a.Title, Text: a.Text}}
}

// Speedometer is what a client cannot know of its own speedometer. Fuel and distance are drawn where they have a value.
type Speedometer struct {
	Unit                 protocol.SpeedUnit
	Max                  uint16 // end of the scale, 50..1000 in the unit
	Gear, Health         bool
	HasFuel, HasDistance bool
	Fuel                 float64 // 0..1
	Distance             float64 // metres; the client counts on
	Text                 string  // up to 31 bytes
	Color                protocol.RGBA
}

func (Speedometer) kind() elementKind          { return kindSpeedometer }
func (s Speedometer) check() error             { return line("text", s.Text, 31) }
func (s Speedometer) after(time.Duration) Look { return s }
func (s Speedometer) resume(Look) Look         { return s }
func (Speedometer) lasts() time.Duration       { return forever }

func (s Speedometer) packet(Tx, seenAs) protocol.Packet {
	m := &protocol.HudSpeedometer{Present: true, Unit: s.Unit, Max: s.Max, Fuel: float32(s.Fuel), Distance: float32(s.Distance), Color: s.Color, Text: s.Text}
	m.Parts = flagIf(s.Gear, protocol.SpeedometerGear) | flagIf(s.HasFuel, protocol.SpeedometerFuel) |
		flagIf(s.Health, protocol.SpeedometerHealth) | flagIf(s.HasDistance, protocol.SpeedometerDistance)
	return m
}
