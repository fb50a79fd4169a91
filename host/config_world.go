package host

import (
	"fmt"
	"regexp"
	"time"

	"darqline/resources/strict"
)

// WorldConfig is the table [world]: how the world is at the start. Its keys are read and checked, and nothing uses them yet.
type WorldConfig struct {
	Time        string // "12:00"
	Running     bool
	Minute      time.Duration
	Weather     int
	GaragesOpen []int
}

func defaultWorld() WorldConfig {
	return WorldConfig{Time: "12:00", Running: true, Minute: time.Second, Weather: 10}
}

func (c *WorldConfig) table() strict.Table {
	garage := func(p *int) strict.Value { return strict.Integer(p, 0, 49) }
	return strict.Table{
		strict.Key("world.time", strict.String(&c.Time, strict.Check("00:00..23:59", clockTime)), "on the clock at the start").Unused(),
		strict.Key("world.running", strict.Boolean(&c.Running), "the clock runs").Unused(),
		strict.Key("world.minute_ms", strict.Milliseconds(&c.Minute, 50, 3600000), "ms that a minute of the clock takes").Unused(),
		strict.Key("world.weather", strict.Integer(&c.Weather, 0, 255), "at the start, a weather of the game").Unused(),
		strict.Key("world.garages_open", strict.List(&c.GaragesOpen, 0, 50, garage), "garages that are open at the start").Unused(),
	}
}

var clockPattern = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

func clockTime(s string) error {
	if !clockPattern.MatchString(s) {
		return fmt.Errorf("%q must be a time such as \"07:30\", from 00:00 to 23:59", s)
	}
	return nil
}
