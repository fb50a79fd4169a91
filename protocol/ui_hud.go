package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// Slots of HUD elements on one connection.
const (
	MaxCountdowns       = 2
	MaxStatusLines      = 8
	MaxGauges           = 8
	MaxProgressBars     = 4
	MaxObjectiveMarkers = 16
)

// A Place is where something stands on the screen.
type Place uint8

const (
	PlaceTopLeft Place = iota
	PlaceTopRight
	PlaceBottomLeft
	PlaceBottomRight
	PlaceCenter // menus alone
)

var places = []string{"top_left", "top_right", "bottom_left", "bottom_right", "center"}

// String is the place's word, as Lua has it.
func (p Place) String() string { return named(places, p, "Place") }

// An AnnouncementPlace is where an announcement stands; each place has one.
type AnnouncementPlace uint8

const (
	AnnouncementTop AnnouncementPlace = iota
	AnnouncementCenter
	AnnouncementBottom
)

var announcementPlaces = []string{"top", "center", "bottom"}

// String is the place's word, as Lua has it.
func (p AnnouncementPlace) String() string { return named(announcementPlaces, p, "AnnouncementPlace") }

// An AnnouncementStyle is the look of an announcement.
type AnnouncementStyle uint8

const (
	AnnouncementTitle   AnnouncementStyle = iota
	AnnouncementMission                   // the game's "mission passed"
	AnnouncementSubtitle
)

var announcementStyles = []string{"title", "mission", "subtitle"}

// String is the style's word, as Lua has it.
func (s AnnouncementStyle) String() string { return named(announcementStyles, s, "AnnouncementStyle") }

// AnnouncementContent is the texts of an announcement.
type AnnouncementContent struct {
	Title string // 1..200 bytes
	Text  string // up to 296 bytes and 4 lines
}

// HudAnnouncement is a large text for a while. With Duration 0 it is removed,
// and all but the place is zero.
type HudAnnouncement struct {
	Place    AnnouncementPlace
	Duration uint32 // ms left, 500..60000
	Style    AnnouncementStyle
	Color    RGBA
	Content  AnnouncementContent
}

func (*HudAnnouncement) ID() ID { return IDHudAnnouncement }

func (p *HudAnnouncement) Wire(c *wire.Codec) {
	wire.Enum(c, &p.Place, AnnouncementBottom)
	wire.ZeroOr(c, &p.Duration, 500, 60_000)
	wire.Removable(c, p, HudAnnouncement{Place: p.Place}, p.Duration == 0, 7, (*HudAnnouncement).fields)
}

func (p *HudAnnouncement) fields(c *wire.Codec) {
	wire.Enum(c, &p.Style, AnnouncementSubtitle)
	c.RGBA(&p.Color)
	c.Tail(&p.Content, 0, 499, func() {
		c.Str8(&p.Content.Title, 1, 200, wire.Line)
		c.Str16(&p.Content.Text, 0, 296, wire.Lines(4))
	})
}

// A CountdownMode is how a countdown counts.
type CountdownMode uint8

const (
	CountdownNone  CountdownMode = iota // removes it
	CountdownDown                       // m:ss
	CountdownUp                         // m:ss
	CountdownLarge                      // 3 2 1
)

var countdownModes = []string{"none", "down", "up", "large"}

// String is the mode's word, as Lua has it.
func (m CountdownMode) String() string { return named(countdownModes, m, "CountdownMode") }

// CountdownFlags are the flags of a countdown.
type CountdownFlags uint8

const (
	CountdownRuns CountdownFlags = 1 << iota
	CountdownTenths
	CountdownTicks // in the last 10 s, with CountdownLarge each second
)

// HudCountdown is a clock that the client counts. With CountdownNone it is
// removed, and all but the slot is zero.
type HudCountdown struct {
	Slot  uint8 // below MaxCountdowns
	Mode  CountdownMode
	Time  uint32 // ms left, or past with CountdownUp; up to a day, with CountdownLarge a minute
	Flags CountdownFlags
	Color RGBA
	Label string // up to 47 bytes
	End   string // up to 31 bytes, shown at zero; not with CountdownUp
}

func (*HudCountdown) ID() ID { return IDHudCountdown }

func (p *HudCountdown) Wire(c *wire.Codec) {
	wire.Range(c, &p.Slot, 0, MaxCountdowns-1)
	wire.Enum(c, &p.Mode, CountdownLarge)
	wire.Removable(c, p, HudCountdown{Slot: p.Slot}, p.Mode == CountdownNone, 89, (*HudCountdown).fields)
}

func (p *HudCountdown) fields(c *wire.Codec) {
	wire.Range(c, &p.Time, 0, 86_400_000)
	wire.Bits(c, &p.Flags, 3)
	c.RGBA(&p.Color)
	c.Text(&p.Label, 48, wire.Line)
	c.Text(&p.End, 32, wire.Line)
}

func (p *HudCountdown) Check() error {
	switch {
	case p.Mode == CountdownUp && p.End != "":
		return errors.New("a clock that counts up has no end")
	case p.Mode == CountdownLarge && p.Time > 60_000:
		return fmt.Errorf("time %d: large seconds are for the last 60000 ms", p.Time)
	}
	return nil
}

// HudStatusLine is a small line in a corner. With Present false it is removed,
// and all but the slot is zero.
type HudStatusLine struct {
	Slot    uint8 // below MaxStatusLines
	Present bool
	Place   Place // not PlaceCenter
	Order   int16 // higher first
	Icon    Icon
	Color   RGBA
	Text    string // 1..127 bytes
}

func (*HudStatusLine) ID() ID { return IDHudStatusLine }

func (p *HudStatusLine) Wire(c *wire.Codec) {
	wire.Range(c, &p.Slot, 0, MaxStatusLines-1)
	c.Bool(&p.Present)
	wire.Removable(c, p, HudStatusLine{Slot: p.Slot}, !p.Present, 136, (*HudStatusLine).fields)
}

func (p *HudStatusLine) fields(c *wire.Codec) {
	wire.Enum(c, &p.Place, PlaceBottomRight)
	c.I16(&p.Order)
	wire.Enum(c, &p.Icon, IconLast)
	c.RGBA(&p.Color)
	c.Text(&p.Text, 128, wire.Line)
}

func (p *HudStatusLine) Check() error {
	if p.Present && p.Text == "" {
		return errors.New("text is empty")
	}
	return nil
}
