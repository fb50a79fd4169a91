// Package bots plays many players against one server from one goroutine, and measures what each hears of the others: how
// long a frame takes from one to the other, and how many are lost. The players are honest: what they send passes every check
// of the pages.
package bots

import (
	"context"
	"fmt"
	"net"
	"time"

	"darqline/host/udp"
)

// Limits of a Config.
const (
	MaxCount  = 4000
	MaxRamp   = 500
	MaxRate   = 25 // frames a second: what a server relays of one player
	MinSpread = 10 // metres
	MaxSpread = 2000
	MinStay   = time.Second
)

// Config is a run of bots.
type Config struct {
	Server   string        // host:port
	Count    int           // 1..MaxCount
	Duration time.Duration // of the measure, from when all are in; 0: until the context ends
	Ramp     int           // joins a second, 1..MaxRamp
	Rate     int           // frames a second that each sends, 1..MaxRate
	Spread   float64       // metres that each walks away from where it spawns
	Seed     uint64        // of all chance
	Name     string        // what their names begin with; a number follows
	Password string        // of the server
	Deaths   float64       // falls to death a minute, of each
	Chat     float64       // lines a minute, of each
	Stay     time.Duration // while it is measured, each goes after half to one and a half of it and comes again; 0: it stays
	Loss     float64       // percent of the frames that the way loses: the measure begins without waiting for fewer to be lost

	// Numbered has each line of chat be a function of its number, and everybody check what he hears. The server must let
	// each line through to everyone: see Lines.
	Numbered bool

	Say func(text string) // hears how far the run is; may be nil
}

// Defaults are a Config that lacks only the server.
func Defaults() Config {
	return Config{Count: 10, Duration: time.Minute, Ramp: 100, Rate: MaxRate, Spread: 45, Seed: 1, Name: "Bot_", Deaths: 0.2}
}

// Check tells what is wrong with a configuration.
func (c *Config) Check() error {
	switch {
	case c.Count < 1 || c.Count > MaxCount:
		return fmt.Errorf("the count must be 1..%d, not %d", MaxCount, c.Count)
	case c.Duration < 0:
		return fmt.Errorf("the duration must not be negative")
	case c.Ramp < 1 || c.Ramp > MaxRamp:
		return fmt.Errorf("the ramp must be 1..%d joins a second, not %d", MaxRamp, c.Ramp)
	case c.Rate < 1 || c.Rate > MaxRate:
		return fmt.Errorf("the rate must be 1..%d frames a second, not %d", MaxRate, c.Rate)
	case !(c.Spread >= MinSpread && c.Spread <= MaxSpread):
		return fmt.Errorf("the spread must be %d..%d metres, not %v", MinSpread, MaxSpread, c.Spread)
	case !(c.Deaths >= 0 && c.Deaths <= 10) || !(c.Chat >= 0 && c.Chat <= 60):
		return fmt.Errorf("each dies 0..10 and says 0..60 times a minute, not %v and %v", c.Deaths, c.Chat)
	case c.Stay != 0 && c.Stay < MinStay:
		return fmt.Errorf("each stays at least %v, not %v; 0 is until the end", MinStay, c.Stay)
	case !(c.Loss >= 0 && c.Loss <= 100):
		return fmt.Errorf("the loss must be 0..100 percent, not %v", c.Loss)
	}
	return nil
}

// Run connects the bots, has them walk and measures. When the context ends the report tells what was measured by then; each
// bot says goodbye in any case. The error tells why nothing could be measured.
func Run(ctx context.Context, c Config) (*Report, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	server, err := net.ResolveUDPAddr("udp", c.Server)
	if err != nil {
		return nil, fmt.Errorf("the server's address: %w", err)
	}
	group := udp.NewGroup(server.AddrPort())
	defer group.Close()
	r := newRun(c, group)
	if err := r.open(server.AddrPort().Addr().Unmap()); err != nil {
		return nil, err
	}
	return r.run(ctx)
}
