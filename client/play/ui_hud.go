package play

import (
	"cmp"
	"slices"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// hudElement is an element of the HUD. Times are Unix times in ms.
type hudElement struct {
	Kind string `json:"kind"` // announcement, countdown, status, gauge, progress, objective, speedometer
	Slot uint8  `json:"slot"` // of an announcement, its place
	Is   any    `json:"is"`   // one of the structs below; nil: it is removed
}

type announcement struct {
	Place string `json:"place"` // top, center, bottom
	Style string `json:"style"` // title, mission, subtitle
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
	Color string `json:"color,omitempty"`
}

type countdown struct {
	Mode   string `json:"mode"`   // down, up, large
	Time   int64  `json:"time"`   // ms, at Since
	Since  int64  `json:"since"`  // 0: it stands still
	Ended  bool   `json:"ended"`  // End is shown instead
	Tenths bool   `json:"tenths"` // of a second
	Ticks  bool   `json:"ticks"`  // it is heard
	Color  string `json:"color,omitempty"`
	Label  string `json:"label,omitempty"`
	End    string `json:"end,omitempty"`
}

// corner is what the elements of a corner have in common.
type corner struct {
	Place string `json:"place"` // top_left, top_right, bottom_left, bottom_right
	Order int16  `json:"order"` // higher first
	Icon  string `json:"icon,omitempty"`
	Color string `json:"color,omitempty"`
}

type statusLine struct {
	corner
	Text string `json:"text"`
}

type gauge struct {
	corner
	Style    string  `json:"style"` // bar, ring, number
	Segments uint8   `json:"segments,omitempty"`
	Decimals uint8   `json:"decimals"`
	Number   bool    `json:"number"` // it is shown beside the bar or in the ring
	Max      float64 `json:"max"`
	Value    float64 `json:"value"` // at Since
	Rate     float64 `json:"rate"`  // change a second
	Since    int64   `json:"since"`
	Warn     float64 `json:"warn,omitempty"` // at or below it, it blinks
	Label    string  `json:"label,omitempty"`
	Unit     string  `json:"unit,omitempty"`
}

type progress struct {
	Style    string `json:"style"`    // bar, ring
	Duration uint32 `json:"duration"` // ms; 0: without end
	Elapsed  uint32 `json:"elapsed"`  // ms, at Since
	Since    int64  `json:"since"`    // 0: it stands still
	Hold     bool   `json:"hold,omitempty"`
	Cancel   uint32 `json:"cancel,omitempty"` // action whose key cancels
	Color    string `json:"color,omitempty"`
	Text     string `json:"text,omitempty"`
}

type objective struct {
	Icon     string  `json:"icon,omitempty"`
	Text     string  `json:"text,omitempty"`
	Color    string  `json:"color,omitempty"`
	Edge     bool    `json:"edge"`     // it stays at the screen's edge
	Distance bool    `json:"distance"` // it is shown
	Near     float32 `json:"near"`     // m, hidden nearer
	Far      float32 `json:"far"`      // m, hidden beyond; 0: never
	anchor
}

// anchor is a place in the world, or one that goes with a player.
type anchor struct {
	At     spot    `json:"at"`               // of a Player, the offset
	Player *uint16 `json:"player,omitempty"` // whom it follows
	Gone   bool    `json:"gone,omitempty"`   // it follows what is not on the map
}

type speedometer struct {
	Unit     string   `json:"unit"` // km/h, mph
	Max      uint16   `json:"max"`
	Fuel     *float64 `json:"fuel,omitempty"`     // 0..1
	Distance *float64 `json:"distance,omitempty"` // m
	Color    string   `json:"color,omitempty"`
	Text     string   `json:"text,omitempty"`
}

// anchorOf gives where something is that may be attached. Vehicles and objects are not on the map.
func anchorOf(to protocol.Attachment, v protocol.Vec3) anchor {
	a := anchor{At: at(v)}
	switch to.Attach {
	case protocol.AttachNone:
	case protocol.AttachPlayer:
		id := uint16(to.AttachID)
		a.Player = &id
	default:
		a.Gone = true
	}
	return a
}

// running is since when something runs; 0: it stands still.
func running(runs bool, since time.Time) int64 {
	if !runs {
		return 0
	}
	return unixMs(since)
}

func hudElementOf(e client.HudElement) hudElement {
	switch e := e.(type) {
	case client.Announcement:
		return hudElement{"announcement", uint8(e.Place), announcement{
			Place: e.Place.String(), Style: e.Style.String(), Title: e.Content.Title, Text: e.Content.Text, Color: color(e.Color),
		}}
	case client.Countdown:
		has := func(f protocol.CountdownFlags) bool { return e.Flags&f != 0 }
		return hudElement{"countdown", e.Slot, countdown{
			Mode: e.Mode.String(), Time: int64(e.Time), Since: running(has(protocol.CountdownRuns), e.Since), Ended: e.Ended,
			Tenths: has(protocol.CountdownTenths), Ticks: has(protocol.CountdownTicks), Color: color(e.Color), Label: e.Label, End: e.End,
		}}
	case client.StatusLine:
		return hudElement{"status", e.Slot, statusLine{corner{e.Place.String(), e.Order, iconName(e.Icon), color(e.Color)}, e.Text}}
	case client.Gauge:
		return hudElement{"gauge", e.Slot, gaugeOf(&e)}
	case client.Progress:
		return hudElement{"progress", e.Slot, progress{
			Style: e.Style.String(), Duration: e.Duration, Elapsed: e.Elapsed, Since: running(e.Flags&protocol.ProgressRuns != 0, e.Since),
			Hold: e.Flags&protocol.ProgressHold != 0, Cancel: e.Cancel, Color: color(e.Color), Text: e.Text,
		}}
	case client.Objective:
		return hudElement{"objective", e.Slot, objective{
			Icon: iconName(e.Icon), Text: e.Text, Color: color(e.Color), Near: e.Near, Far: e.Far, anchor: anchorOf(e.Attachment, e.Position),
			Edge: e.Flags&protocol.MarkerEdge != 0, Distance: e.Flags&protocol.MarkerDistance != 0,
		}}
	case client.Speedometer:
		return hudElement{"speedometer", 0, speedometerOf(&e)}
	}
	return hudElement{}
}

func gaugeOf(e *client.Gauge) gauge {
	return gauge{
		corner: corner{e.Place.String(), e.Order, iconName(e.Icon), color(e.Color)}, Style: e.Style.String(),
		Segments: e.Segments, Decimals: e.Decimals, Number: e.Flags&protocol.GaugeShowsNumber != 0,
		Max: shortest(e.Max), Value: shortest(e.Value), Rate: shortest(e.Rate), Since: unixMs(e.Since), Warn: shortest(e.Warn),
		Label: e.Label, Unit: e.Unit,
	}
}

func speedometerOf(e *client.Speedometer) speedometer {
	out := speedometer{Unit: e.Unit.String(), Max: e.Max, Color: color(e.Color), Text: e.Text}
	if e.Parts&protocol.SpeedometerFuel != 0 {
		v := shortest(e.Fuel)
		out.Fuel = &v
	}
	if e.Parts&protocol.SpeedometerDistance != 0 {
		v := shortest(e.Distance)
		out.Distance = &v
	}
	return out
}

func (h *handler) Hud(e client.HudElement) {
	out := hudElementOf(e)
	if !e.Shown() {
		out.Is = nil
	}
	h.m.setHud(out)
}

// setHud takes an element over, in the place of what its slot had.
func (m *model) setHud(e hudElement) {
	m.mu.Lock()
	defer m.mu.Unlock()
	order := func(a, b hudElement) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Slot, b.Slot)) }
	i, found := slices.BinarySearchFunc(m.ui.Hud, e, order)
	switch {
	case e.Is == nil && found:
		m.ui.Hud = slices.Delete(m.ui.Hud, i, i+1)
	case found:
		m.ui.Hud[i] = e
	case e.Is != nil:
		m.ui.Hud = slices.Insert(m.ui.Hud, i, e)
	}
	m.broadcast(message{Type: "hud", Hud: &e})
}
