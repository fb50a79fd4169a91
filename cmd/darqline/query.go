package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"darqline/client"
	"darqline/protocol"
)

var queryCommand = command{
	name:    "query",
	args:    "[host:port]",
	summary: "ask a server what it is and who is there",
	help: `Asks a server as launchers and server lists do, without joining it: its name, its
players, its rules. It need not speak this program's revision of the protocol.

Without an address it asks the server on this machine, 127.0.0.1:7777. It exits
with 0 when the server has answered and with 1 when it has not. With --json it
prints one object either way, for scripts.`,
	setup: func(fs *flag.FlagSet) runner {
		var asJSON bool
		timeout := 15 * time.Second
		fs.BoolVar(&asJSON, "json", false, "print one JSON object")
		numeric(fs, "timeout", &timeout, "give up after this `TIME`", time.ParseDuration, "a time such as 3s")
		return func(ctx context.Context, e *env, args []string) error { return query(ctx, e, timeout, asJSON, args) }
	},
}

// query asks and prints.
func query(ctx context.Context, e *env, timeout time.Duration, asJSON bool, args []string) error {
	server, err := serverAddress(args)
	if err != nil {
		return err
	}
	if timeout <= 0 {
		return fmt.Errorf("--timeout must be above 0, not %v: %w", timeout, errUsage)
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	status, err := client.Query(bounded, nil, server)
	if ctx.Err() != nil {
		return errSilent
	}
	switch {
	case err != nil && asJSON:
		json.NewEncoder(e.out).Encode(map[string]string{"address": server, "error": queryFault(server, err).Error()})
		return errSilent
	case err != nil:
		return queryFault(server, err)
	case asJSON:
		return json.NewEncoder(e.out).Encode(statusJSON(status))
	}
	return writeStatus(e.out, status)
}

// queryFault says what may be wrong and what to do.
func queryFault(server string, err error) error {
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return fmt.Errorf("there is no host %q: is the name right?", unknown.Name)
	case errors.Is(err, client.ErrNotThere):
		return fmt.Errorf("no server listens at %s: it is off, or its port is another one", server)
	case errors.Is(err, client.ErrNoAnswer), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer from %s: it is offline, a firewall drops UDP on the way, or it answers no queries "+
			"(query.enabled in its server.toml)", server)
	}
	return err
}

// serverJSON is what --json prints. Keys are added, never changed or taken out (docs/hosts.md, Asking a server).
type serverJSON struct {
	Address    string            `json:"address"`
	PingMS     float64           `json:"ping_ms"`
	Revision   int               `json:"revision"`
	Compatible bool              `json:"compatible"`
	Name       string            `json:"name"`
	Mode       string            `json:"mode"`
	Language   string            `json:"language"`
	Website    string            `json:"website"`
	Password   bool              `json:"password"`
	SignIn     bool              `json:"sign_in"`
	Closing    bool              `json:"closing"`
	Players    int               `json:"players"`
	MaxPlayers int               `json:"max_players"`
	Uptime     uint32            `json:"uptime"`
	BootID     string            `json:"boot_id"`
	List       []playerJSON      `json:"list"`
	Rules      map[string]string `json:"rules"`
	Complete   bool              `json:"complete"`
}

type playerJSON struct {
	ID        uint16  `json:"id"`
	Name      string  `json:"name"`
	PingMS    *uint16 `json:"ping_ms"` // null: not measured yet
	Connected uint32  `json:"connected"`
}

// noPing is the ping of a player that is not measured yet.
const noPing = 0xFFFF

func statusJSON(s *client.ServerStatus) serverJSON {
	out := serverJSON{
		Address: s.Address.String(), PingMS: float64(s.Ping.Microseconds()) / 1000, Revision: int(s.Version),
		Compatible: s.Version == protocol.Version, Name: s.Name, Mode: s.Mode, Language: s.Language, Website: s.Website,
		Password: s.Flags&protocol.QueryPassword != 0, SignIn: s.Flags&protocol.QuerySignIn != 0, Closing: s.Flags&protocol.QueryClosing != 0,
		Players: int(s.Players), MaxPlayers: int(s.MaxPlayers), Uptime: s.Uptime, BootID: fmt.Sprintf("%016x", s.BootID),
		List: []playerJSON{}, Rules: make(map[string]string, len(s.Rules)), Complete: s.Whole,
	}
	for _, p := range s.List {
		one := playerJSON{ID: p.PlayerID, Name: p.Name, Connected: p.Seconds}
		if p.Ping != noPing {
			one.PingMS = &p.Ping
		}
		out.List = append(out.List, one)
	}
	for _, r := range s.Rules {
		out.Rules[r.Key] = r.Value
	}
	return out
}

// writeStatus writes it for people.
func writeStatus(out io.Writer, s *client.ServerStatus) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %s\t%s\n", what, printable(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintln(w, printable(s.Name))
	row("address", "%s", s.Address)
	row("players", "%d of %d", s.Players, s.MaxPlayers)
	row("ping", "%.1f ms", float64(s.Ping.Microseconds())/1000)
	if s.Version == protocol.Version {
		row("revision", "%d", s.Version)
	} else {
		row("revision", "the server speaks %d, this program %d: one of the two needs an update to join", s.Version, protocol.Version)
	}
	for _, f := range [][2]string{{"mode", s.Mode}, {"language", s.Language}, {"website", s.Website}, {"asks for", demands(s.Flags)}} {
		if f[1] != "" {
			row(f[0], "%s", f[1])
		}
	}
	if s.Flags&protocol.QueryClosing != 0 {
		row("state", "closing")
	}
	row("runs for", "%s", time.Duration(s.Uptime)*time.Second)
	for i, p := range s.List {
		if i == 0 {
			fmt.Fprint(w, "\n  id\tname\tping\ttime\n")
		}
		ping := "-"
		if p.Ping != noPing {
			ping = fmt.Sprint(p.Ping, " ms")
		}
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\n", p.PlayerID, printable(p.Name), ping, time.Duration(p.Seconds)*time.Second)
	}
	for i, r := range s.Rules {
		if i == 0 {
			fmt.Fprint(w, "\n  rule\tvalue\n")
		}
		fmt.Fprintf(w, "  %s\t%s\n", printable(r.Key), printable(r.Value))
	}
	if !s.Whole {
		fmt.Fprint(w, "\n  A part of the lists was lost on the way.\n")
	}
	return w.Flush()
}

// demands is what a player needs to join.
func demands(f protocol.QueryFlags) string {
	var list []string
	if f&protocol.QueryPassword != 0 {
		list = append(list, "a password")
	}
	if f&protocol.QuerySignIn != 0 {
		list = append(list, "a sign-in")
	}
	return strings.Join(list, " and ")
}

// printable is a server's text without what a terminal would obey. The asker refuses such texts already.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
