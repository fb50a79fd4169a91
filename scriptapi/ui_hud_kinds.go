package scriptapi

import (
	"errors"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// declareHud declares all HUD elements but the bars that are waited for.
func (rt *Runtime) declareHud(r *bind.Registry, h *bind.Handle[*world.Player]) {
	h.Add(
		declareElement[statusArgs](rt, r, elementKind[statusArgs]{name: "status", class: "Status", doc: "A small line in a corner.",
			example: `{ text = "Round 1 of 5", icon = "flag" }`}),
		declareElement[gaugeArgs](rt, r, elementKind[gaugeArgs]{name: "gauge", class: "Gauge", doc: "A value as bar, ring or number.", reads: "value",
			example: `{ label = "Hunger", value = 100, rate = -0.1, warn = 20, icon = "food" }`}),
		declareElement(rt, r, elementKind[countdownArgs]{name: "countdown", class: "Countdown", doc: "A clock that counts by itself.", reads: "time",
			example: `{ mode = "large", time = 3000, end_text = "GO!" }`}, rt.countdownMethods()...),
		declareElement[announcementArgs](rt, r, elementKind[announcementArgs]{name: "announcement", class: "Announcement",
			doc: "A large text that goes by itself and replaces the one in its place.", reads: "duration", example: `{ title = "You win", style = "mission" }`}),
		declareElement[notificationArgs](rt, r, elementKind[notificationArgs]{name: "notification", class: "Notification", doc: "A short message at the side.",
			reads: "duration", example: `{ text = "The bank opens", kind = "info", time_bar = true }`}),
		declareElement[objectiveArgs](rt, r, elementKind[objectiveArgs]{name: "objective", class: "Objective", doc: "A mark over a place or a player: where to go next.",
			example: `{ position = vec3(2460, -2120, 13.5), text = "Your truck", icon = "car" }`}),
		declareElement[speedometerArgs](rt, r, elementKind[speedometerArgs]{name: "speedometer", class: "Speedometer",
			doc: "What the speedometer in vehicles shows besides the speed; one a player.", example: `{ unit = "mph", max = 160, fuel = 0.8, gear = true }`}),
	)
	declareElement(rt, r, elementKind[barArgs]{name: "progress", class: "Progress", doc: "A bar that fills by itself.", reads: "value",
		example: `{ text = "The vault opens", duration = 60000 }`}, rt.barMethods()...) // player:progress waits
	rt.declareProgress(h)
}

type statusArgs struct {
	For     *world.Player  `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible bool           `lua:"visible" default:"true" doc:"Whether it shows; its place is kept."`
	Text    string         `lua:"text" range:"1..127" doc:"The line."`
	Place   protocol.Place `lua:"place" enum:"top_left|top_right|bottom_left|bottom_right" default:"top_right" doc:"In which corner."`
	Order   int16          `lua:"order" default:"0" doc:"Higher ones stand first."`
	Icon    protocol.Icon  `lua:"icon" default:"none" doc:"A picture beside it."`
	Color   *bind.RGBA     `lua:"color" doc:"Its color; the theme's without it."`
}

func (a *statusArgs) player() **world.Player { return &a.For }
func (a *statusArgs) face() world.Face {
	return world.Face{Hidden: !a.Visible, Look: world.Status{Text: a.Text, Place: a.Place, Order: a.Order, Icon: a.Icon, Color: wireColor(a.Color)}}
}

type gaugeArgs struct {
	For      *world.Player       `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible  bool                `lua:"visible" default:"true" doc:"Whether it shows; its place is kept."`
	Label    string              `lua:"label" range:"0..31" default:"" doc:"What it is."`
	Value    float64             `lua:"value" range:"0..1000000000" default:"0" doc:"How much it is now, up to max; what is read follows the rate."`
	Max      float64             `lua:"max" range:"0..1000000000" default:"100" doc:"The most that it can be, above 0."`
	Rate     float64             `lua:"rate" range:"-1000000000..1000000000" default:"0" doc:"By how much it changes each second by itself, within max; it stops at 0 and max."`
	Style    protocol.GaugeStyle `lua:"style" enum:"bar|ring|number" default:"bar" doc:"How it looks."`
	Segments uint8               `lua:"segments" range:"0..20" default:"0" doc:"Pieces of a bar: 0 or 2 to 20."`
	Decimals uint8               `lua:"decimals" range:"0..2" default:"0" doc:"Of the number."`
	Unit     string              `lua:"unit" range:"0..7" default:"" doc:"Behind the number."`
	Warn     float64             `lua:"warn" range:"0..1000000000" default:"0" doc:"At or below it blinks; 0: never."`
	Number   bool                `lua:"show_number" default:"false" doc:"Whether a bar or ring has its number."`
	Place    protocol.Place      `lua:"place" enum:"top_left|top_right|bottom_left|bottom_right" default:"bottom_right" doc:"In which corner."`
	Order    int16               `lua:"order" default:"0" doc:"Higher ones stand first."`
	Icon     protocol.Icon       `lua:"icon" default:"none" doc:"A picture beside it."`
	Color    *bind.RGBA          `lua:"color" doc:"Its color; the theme's without it."`
}

func (a *gaugeArgs) player() **world.Player { return &a.For }
func (a *gaugeArgs) number() *float64       { return &a.Value }
func (a *gaugeArgs) follow(l world.Look)    { a.Value = l.(world.Gauge).Value }
func (a *gaugeArgs) face() world.Face {
	return world.Face{Hidden: !a.Visible, Look: world.Gauge{Label: a.Label, Value: a.Value, Max: a.Max, Rate: a.Rate, Warn: a.Warn, Style: a.Style,
		Segments: a.Segments, Decimals: a.Decimals, ShowNumber: a.Number, Unit: a.Unit, Place: a.Place, Order: a.Order, Icon: a.Icon, Color: wireColor(a.Color)}}
}

type countdownArgs struct {
	For     *world.Player `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible bool          `lua:"visible" default:"true" doc:"Whether it shows; its place is kept."`
	Time    float64       `lua:"time" range:"0..86400000" default:"0" doc:"In ms: what is left, or past where it counts up. A large one has at most 60,000."`
	Mode    countMode     `lua:"mode" enum:"down|up|large" default:"down" doc:"m:ss down or up, or the last seconds, large."`
	Running bool          `lua:"running" default:"true" doc:"Whether it counts."`
	Label   string        `lua:"label" range:"0..47" default:"" doc:"What it is."`
	End     string        `lua:"end_text" range:"0..31" default:"" doc:"What stands there at zero, for 1.5 s."`
	Tenths  bool          `lua:"tenths" default:"false" doc:"Whether it shows tenths of a second."`
	Ticks   bool          `lua:"ticks" default:"false" doc:"Whether the last 10 s tick, or each second of a large one."`
	Color   *bind.RGBA    `lua:"color" doc:"Its color; the theme's without it."`
}

// countMode is a CountdownMode without none.
type countMode uint8

func (a *countdownArgs) player() **world.Player { return &a.For }
func (a *countdownArgs) number() *float64       { return &a.Time }
func (a *countdownArgs) follow(l world.Look)    { a.Time = msOf(l.(world.Countdown).Time) }
func (a *countdownArgs) face() world.Face {
	return world.Face{Hidden: !a.Visible, Look: world.Countdown{Mode: protocol.CountdownDown + protocol.CountdownMode(a.Mode), Time: wholeMS(a.Time),
		Running: a.Running, Tenths: a.Tenths, Ticks: a.Ticks, Label: a.Label, End: a.End, Color: wireColor(a.Color)}}
}

func (a *countdownArgs) given(before *countdownArgs) error {
	if before == nil && a.Time < 1 && protocol.CountdownDown+protocol.CountdownMode(a.Mode) != protocol.CountdownUp {
		return errors.New("key \"time\": what counts down begins above 0")
	}
	return nil
}

// msOf is a time for Lua, in whole ms.
func msOf(d time.Duration) float64 { return float64(d.Milliseconds()) }

type announcementArgs struct {
	For      *world.Player              `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible  bool                       `lua:"visible" default:"true" doc:"Whether it shows."`
	Title    string                     `lua:"title" range:"1..200" doc:"The large line."`
	Text     string                     `lua:"text" range:"0..296" default:"" doc:"Up to 4 lines below it."`
	Duration float64                    `lua:"duration" range:"500..60000" default:"4000" doc:"In ms; what is read is what is left."`
	Place    protocol.AnnouncementPlace `lua:"place" enum:"top|center|bottom" default:"center" doc:"Where; each place has one."`
	Style    protocol.AnnouncementStyle `lua:"style" enum:"title|mission|subtitle" default:"title" doc:"How it looks."`
	Color    *bind.RGBA                 `lua:"color" doc:"Its color; the theme's without it."`
}

func (a *announcementArgs) player() **world.Player { return &a.For }
func (a *announcementArgs) number() *float64       { return &a.Duration }
func (a *announcementArgs) follow(l world.Look)    { a.Duration = msOf(l.(world.Announcement).Left) }
func (a *announcementArgs) face() world.Face {
	return world.Face{Hidden: !a.Visible, Look: world.Announcement{Title: a.Title, Text: a.Text, Left: wholeMS(a.Duration), Place: a.Place, Style: a.Style,
		Color: wireColor(a.Color)}}
}

type notificationArgs struct {
	For      *world.Player        `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible  bool                 `lua:"visible" default:"true" doc:"Whether it shows."`
	Text     string               `lua:"text" range:"1..400" doc:"Up to 6 lines."`
	Title    string               `lua:"title" range:"0..96" default:"" doc:"A line above it."`
	Kind     protocol.MessageKind `lua:"kind" enum:"plain|info|success|warning|error" default:"plain" doc:"How it looks."`
	Duration float64              `lua:"duration" range:"0..60000" default:"5000" doc:"In ms, 1,000 or more; 0: it stays. What is read is what is left."`
	Bar      bool                 `lua:"time_bar" default:"false" doc:"Whether a bar shows the time left."`
	Sound    bool                 `lua:"sound" default:"false" doc:"Whether it is heard."`
	Icon     protocol.Icon        `lua:"icon" default:"none" doc:"A picture; that of the kind without it."`
}

func (a *notificationArgs) player() **world.Player { return &a.For }
func (a *notificationArgs) number() *float64       { return &a.Duration }
func (a *notificationArgs) follow(l world.Look)    { a.Duration = msOf(l.(world.Notification).Left) }
func (a *notificationArgs) face() world.Face {
	return world.Face{Hidden: !a.Visible, Look: world.Notification{Title: a.Title, Text: a.Text, Left: wholeMS(a.Duration), Kind: a.Kind, Icon: a.Icon,
		TimeBar: a.Bar, Sound: a.Sound}}
}

func (a *notificationArgs) given(before *notificationArgs) error {
	if a.Duration > 0 && a.Duration < 1000 && (before == nil || a.Duration != before.Duration) {
		return errors.New("key \"duration\": 0 or 1000..60000 ms expected, got " + number(a.Duration))
	}
	return nil
}

type objectiveArgs struct {
	For      *world.Player `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible  bool          `lua:"visible" default:"true" doc:"Whether it shows; its place is kept."`
	Position *bind.Vec3    `lua:"position" range:"-20000..20000" doc:"Where it stands."`
	Target   *world.Player `lua:"target,optional" doc:"Whom it follows; when he leaves, it goes."`
	Offset   *bind.Vec3    `lua:"offset" range:"-20000..20000" doc:"From the target, in its frame."`
	Text     string        `lua:"text" range:"0..63" default:"" doc:"What stands beside it."`
	Icon     protocol.Icon `lua:"icon" default:"none" doc:"Its picture."`
	Edge     bool          `lua:"edge" default:"true" doc:"Whether it stays at the screen's edge."`
	Distance bool          `lua:"show_distance" default:"true" doc:"Whether it shows how far it is."`
	Walls    bool          `lua:"behind_walls" default:"true" doc:"Whether it is seen through walls."`
	Near     float64       `lua:"near" range:"0..1000" default:"0" doc:"Nearer than that it is hidden, in m."`
	Far      float64       `lua:"far" range:"0..10000" default:"0" doc:"Beyond that it is hidden, in m, above near; 0: never."`
	Color    *bind.RGBA    `lua:"color" doc:"Its color; the theme's without it."`
}

func (a *objectiveArgs) player() **world.Player { return &a.For }
func (a *objectiveArgs) face() world.Face {
	o := world.Objective{Target: a.Target, Text: a.Text, Icon: a.Icon, Edge: a.Edge, ShowDistance: a.Distance, BehindWalls: a.Walls, Near: a.Near,
		Far: a.Far, Color: wireColor(a.Color)}
	if a.Position != nil {
		o.Position = wireVec3(*a.Position)
	}
	if a.Offset != nil {
		o.Offset = wireVec3(*a.Offset)
	}
	return world.Face{Hidden: !a.Visible, Look: o}
}

// given has an objective with a target stop following it when it gets a position, and the other way round.
func (a *objectiveArgs) given(before *objectiveArgs) error {
	switch {
	case before != nil && a.Position != nil && before.Position == nil:
		a.Target, a.Offset = nil, nil
	case before != nil && a.Target != nil && before.Target == nil:
		a.Position = nil
	}
	switch {
	case a.Position != nil && a.Target != nil:
		return errors.New("key \"position\": an objective stands at a position or follows a target, not both")
	case a.Position == nil && a.Target == nil:
		return errors.New("key \"position\": an objective stands at a position or follows a target")
	case a.Offset != nil && a.Target == nil:
		return errors.New("key \"offset\": it is from a target")
	}
	return nil
}

type speedometerArgs struct {
	For      *world.Player      `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible  bool               `lua:"visible" default:"true" doc:"Whether it shows; its place is kept."`
	Unit     protocol.SpeedUnit `lua:"unit" enum:"km/h|mph" default:"km/h" doc:"In what it counts."`
	Max      uint16             `lua:"max" range:"50..1000" default:"260" doc:"The end of its scale."`
	Gear     bool               `lua:"gear" default:"false" doc:"Whether it shows the gear."`
	Fuel     *float64           `lua:"fuel" range:"0..1" doc:"How full the tank is; not shown without it."`
	Health   bool               `lua:"health" default:"false" doc:"Whether it shows the vehicle's health."`
	Distance *float64           `lua:"distance" range:"0..1000000000" doc:"Metres driven, from which the client counts on; not shown without it."`
	Text     string             `lua:"text" range:"0..31" default:"" doc:"What stands below it."`
	Color    *bind.RGBA         `lua:"color" doc:"Its color; the theme's without it."`
}

func (a *speedometerArgs) player() **world.Player { return &a.For }
func (a *speedometerArgs) face() world.Face {
	s := world.Speedometer{Unit: a.Unit, Max: a.Max, Gear: a.Gear, Health: a.Health, HasFuel: a.Fuel != nil, HasDistance: a.Distance != nil,
		Text: a.Text, Color: wireColor(a.Color)}
	if s.HasFuel {
		s.Fuel = *a.Fuel
	}
	if s.HasDistance {
		s.Distance = *a.Distance
	}
	return world.Face{Hidden: !a.Visible, Look: s}
}
