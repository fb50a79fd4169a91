package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"time"

	"darqline/client/bots"
	"darqline/protocol"
)

var botsCommand = command{
	name:    "bots",
	args:    "[host:port]",
	summary: "fill a server with players that walk, and measure it",
	help: `Joins a server with many players at once, who walk around where they spawn, shoot
with what they are given, die and come back. When all are in it measures how long a
frame takes from one to another and how many are lost; a table at the end tells, or
with --json one object. Ctrl-C ends it early.

Without an address it joins the server on this machine, 127.0.0.1:7777. Over a
network a server lets few in from one address: raise its connection.per_host and
connection.attempts for that.`,
	setup: func(fs *flag.FlagSet) runner {
		c := bots.Defaults()
		var asJSON bool
		fs.IntVar(&c.Count, "count", c.Count, "`N` players")
		numeric(fs, "duration", &c.Duration, "measure for this `TIME`, such as 60s or 5m; 0: until Ctrl-C", time.ParseDuration, "a time such as 60s or 5m")
		fs.BoolVar(&asJSON, "json", false, "print the result as one JSON object")
		fs.IntVar(&c.Ramp, "ramp", c.Ramp, "let `N` join a second, at most 500")
		fs.IntVar(&c.Rate, "rate", c.Rate, "send `N` frames a second, at most 25")
		numeric(fs, "spread", &c.Spread, "walk at most so many `METRES` away from where one spawned", parseNumber, "a number")
		fs.Uint64Var(&c.Seed, "seed", c.Seed, "`NUMBER` that all chance follows from")
		fs.StringVar(&c.Name, "name", c.Name, "`TEXT` that the players' names begin with")
		fs.StringVar(&c.Password, "password", "", "the server's `PASSWORD`")
		numeric(fs, "deaths", &c.Deaths, "each falls to death so many `TIMES` a minute", parseNumber, "a number")
		numeric(fs, "chat", &c.Chat, "each says so many `LINES` a minute", parseNumber, "a number")
		numeric(fs, "churn", &c.Stay, "each stays about this `TIME` and comes again; 0s: it stays", time.ParseDuration, "a time such as 60s or 5m")
		return func(ctx context.Context, e *env, args []string) error { return runBots(ctx, e, c, asJSON, args) }
	},
}

func parseNumber(s string) (float64, error) { return strconv.ParseFloat(s, 64) }

// numeric declares a flag of a value that package flag would explain as a whole number.
func numeric[T any](fs *flag.FlagSet, name string, to *T, usage string, parse func(string) (T, error), what string) {
	usage += fmt.Sprintf(" (default %v)", *to)
	fs.Func(name, usage, func(s string) (err error) {
		if *to, err = parse(s); err != nil {
			return fmt.Errorf("must be %s, not %s", what, s)
		}
		return nil
	})
}

// runBots runs the players and prints what they measured.
func runBots(ctx context.Context, e *env, c bots.Config, asJSON bool, args []string) error {
	server, err := serverAddress(args)
	if err != nil {
		return err
	}
	c.Server = server
	if err := c.Check(); err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	if err := protocol.PlainText(c.Name, 40); err != nil {
		return fmt.Errorf("--name %q: %w: %w", c.Name, err, errUsage)
	}
	c.Say = func(text string) { fmt.Fprintln(e.err, text) }
	fmt.Fprintf(e.err, "joining %s with %s\n", server, count(c.Count, "player"))
	report, err := bots.Run(ctx, c)
	switch {
	case errors.Is(err, bots.ErrEarly) && ctx.Err() != nil && !asJSON:
		return nil
	case err != nil:
		return err
	case asJSON:
		return json.NewEncoder(e.out).Encode(report)
	}
	fmt.Fprintln(e.out)
	return report.Write(e.out)
}
