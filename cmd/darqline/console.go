package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"darqline/host"
	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources"
	"darqline/resources/nearest"
)

// console takes a running server's commands from its terminal.
type console struct {
	h    *host.Host
	e    *env
	quit func()
}

// consoleCommand is one word of the console.
type consoleCommand struct {
	name, args, does string
	run              func(c console, ctx context.Context, rest string)
}

func consoleCommands() []consoleCommand {
	return []consoleCommand{
		{"help", "", "lists these commands", func(c console, _ context.Context, _ string) { c.help() }},
		{"players", "", "lists who is here", func(c console, _ context.Context, _ string) { c.players() }},
		{"resources", "", "lists the resources, their state and generation", func(c console, _ context.Context, _ string) { c.resources() }},
		{"start", "NAME", "starts a resource", func(c console, ctx context.Context, name string) {
			c.operate(ctx, name, "start", c.h.Resources().Start)
		}},
		{"stop", "NAME", "stops a resource", func(c console, ctx context.Context, name string) { c.operate(ctx, name, "stop", c.h.Resources().Stop) }},
		{"reload", "NAME", "reads a resource's folder again and swaps it", func(c console, ctx context.Context, name string) {
			c.operate(ctx, name, "reload", c.h.Resources().Reload)
		}},
		{"kick", "PLAYER [TEXT]", "sends a player away, by id or name", func(c console, _ context.Context, rest string) { c.kick(rest) }},
		{"ban", "PLAYER [for TIME] [TEXT]", "bans a player; \"ban\" alone says what else can be banned", func(c console, _ context.Context, rest string) { c.ban(rest) }},
		{"unban", "ID", "lifts a ban", func(c console, _ context.Context, rest string) { c.unban(rest) }},
		{"bans", "", "lists who is banned", func(c console, _ context.Context, _ string) { c.bans() }},
		{"say", "TEXT", "writes a line to everyone", func(c console, _ context.Context, text string) { c.say(text) }},
		{"quit", "", "stops the server", func(c console, _ context.Context, _ string) { c.quit() }},
	}
}

// run reads lines until the input ends, which is no reason to stop: a service has none.
func (c console) run(ctx context.Context) {
	lines := bufio.NewScanner(c.e.in)
	for lines.Scan() {
		if ctx.Err() != nil {
			return
		}
		c.line(ctx, lines.Text())
	}
}

func (c console) line(ctx context.Context, text string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if word == "" {
		return
	}
	var names []string
	for _, command := range consoleCommands() {
		names = append(names, command.name)
		if command.name == word {
			command.run(c, ctx, strings.TrimSpace(rest))
			return
		}
	}
	// Whatever is left may be a command of a resource, which the console may always run.
	known, reply, err := c.h.Command(ctx, strings.TrimPrefix(strings.TrimSpace(text), "/"))
	switch {
	case err != nil:
		c.print("%v", err)
	case reply != "":
		c.print("%s", reply)
	case !known:
		hint := ""
		if name, ok := nearest.Name(word, names); ok {
			hint = fmt.Sprintf("; did you mean %q?", name)
		}
		c.print("Unknown command %q%s\n\"help\" lists the commands.", word, hint)
	}
}

func (c console) print(format string, args ...any) { fmt.Fprintf(c.e.out, format+"\n", args...) }

func (c console) help() {
	w := tabwriter.NewWriter(c.e.out, 0, 0, 2, ' ', 0)
	for _, command := range consoleCommands() {
		fmt.Fprintf(w, "  %s %s\t%s\n", command.name, command.args, command.does)
	}
	w.Flush()
	c.print("Commands of resources work too, without their slash.")
}

func (c console) players() {
	tx := c.h.World().Begin()
	players := tx.Confirmed()
	w := tabwriter.NewWriter(c.e.out, 0, 0, 2, ' ', 0)
	for _, p := range players {
		ping := "-"
		if d, _, _, ok := tx.Ping(p); ok {
			ping = fmt.Sprint(d.Milliseconds(), " ms")
		}
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\t%s\t%s\n", p.ID, tx.Name(p), ping, tx.Address(p), tx.Connected(p).Round(time.Second), account(tx, p))
	}
	tx.End()
	if len(players) == 0 {
		c.print("Nobody is here.")
		return
	}
	w.Flush()
}

// account is the account that a player has, or that he still has to sign in.
func account(tx world.Tx, p *world.Player) string {
	if p.SignsIn() {
		return "(signs in)"
	}
	return tx.Account(p)
}

func (c console) resources() {
	w := tabwriter.NewWriter(c.e.out, 0, 0, 2, ' ', 0)
	for _, s := range c.h.Resources().List() {
		generation := "-"
		if s.Generation > 0 {
			generation = fmt.Sprint("generation ", s.Generation)
		}
		fault := ""
		if s.Error != nil {
			fault, _, _ = strings.Cut(s.Error.Error(), "\n")
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", s.Name, s.State, generation, fault)
	}
	w.Flush()
}

// operate starts, stops or reloads a resource and waits for the end of it.
func (c console) operate(ctx context.Context, name, verb string, do func(string) *resources.Operation) {
	if name == "" {
		c.print("Usage: %s NAME", verb)
		return
	}
	err := do(name).Wait(ctx)
	s, known := c.h.Resources().Get(name)
	switch {
	case err != nil && known && s.Error != nil && s.Error.Error() == err.Error():
		c.print("%s %s: it has a fault, which the log names; it is %s.", verb, name, s.State)
	case err != nil:
		c.print("%s %s: %v", verb, name, err)
	case known:
		c.print("%s is %s (generation %d).", name, s.State, s.Generation)
	}
}

// kickText is how many bytes a kicked player can be told (page Connection, KickNotify).
const kickText = 127

func (c console) kick(rest string) {
	who, text, _ := strings.Cut(rest, " ")
	if who == "" {
		c.print("Usage: kick PLAYER [TEXT]")
		return
	}
	text = strings.TrimSpace(text)
	if err := protocol.PlainText(text, kickText); err != nil {
		c.print("The text cannot be sent: %v.", err)
		return
	}
	tx := c.h.World().Begin()
	defer tx.End()
	if p := findPlayer(tx, who); p != nil {
		tx.Kick(p, text)
		c.print("%s was kicked.", tx.Name(p))
		return
	}
	c.print("No player has the id or name %q; \"players\" lists them.", who)
}

func (c console) say(text string) {
	if text == "" {
		c.print("Usage: say TEXT")
		return
	}
	tx := c.h.World().Begin()
	defer tx.End()
	switch n := tx.Announce(text); n {
	case 0:
		c.print("Nobody is here to read it.")
	case 1:
		c.print("1 player was told.")
	default:
		c.print("%d players were told.", n)
	}
}
