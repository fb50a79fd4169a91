package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"darqline/client"
	"darqline/client/play"
	"darqline/protocol"
)

var playCommand = command{
	name:    "play",
	args:    "[host:port]",
	summary: "join a server from a browser",
	help: `Joins a server as a player and shows in a browser what the game would show:
the world from above, where you walk, shoot and meet the others, and over it chat,
players, downloads and views. It prints the address of the page, which only this
machine can open; "?" there lists the keys.

Without an address it joins the server on this machine, 127.0.0.1:7777. Downloaded
files are kept in the user's cache folder and checked before each use. When the
session ends it says why, and joins again where that makes sense.`,
	setup: func(fs *flag.FlagSet) runner {
		var o playOptions
		fs.StringVar(&o.name, "name", "", "play under this `NAME` (default: the user's)")
		fs.StringVar(&o.password, "password", "", "the server's `PASSWORD`")
		fs.StringVar(&o.locale, "locale", "en", "the player's `LANGUAGE`, such as en or pt-br")
		fs.IntVar(&o.port, "http-port", 0, "serve the page on this `PORT` (default: a free one)")
		fs.StringVar(&o.cache, "cache", "", "keep downloaded files in this `FOLDER`")
		return func(ctx context.Context, e *env, args []string) error { return join(ctx, e, o, args) }
	},
}

type playOptions struct {
	name, password, locale, cache string
	port                          int
}

// join plays until it is told to stop.
func join(ctx context.Context, e *env, o playOptions, args []string) error {
	server, err := serverAddress(args)
	if err == nil {
		err = o.check()
	}
	if err != nil {
		return err
	}
	if o.name == "" {
		o.name = userName()
	}
	keys, err := play.OpenKeys(keysPath())
	if err != nil {
		fmt.Fprintln(e.err, err)
	}
	err = play.Run(ctx, play.Config{
		Server: server, Name: o.name, Password: o.password, Locale: o.locale, CacheDir: o.cache, Port: o.port,
		Serial: client.Serial(installation(), server), Keys: keys,
		Logger: slog.New(newTextHandler(e.err, slog.LevelWarn)),
		Ready: func(url string) {
			fmt.Fprintf(e.out, "\nJoining %s as %s. Open the game here:\n\n  %s\n\nCtrl-C leaves.\n\n", server, o.name, url)
		},
		Status: func(text string) { fmt.Fprintln(e.out, text) },
	})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// defaultPort is server.port where nothing is set.
const defaultPort = "7777"

// serverAddress completes what the player typed to host:port.
func serverAddress(args []string) (string, error) {
	switch len(args) {
	case 0:
		return net.JoinHostPort("127.0.0.1", defaultPort), nil
	case 1:
	default:
		return "", fmt.Errorf("one address at most, not %q: %w", args, errUsage)
	}
	host, port, err := net.SplitHostPort(args[0])
	if err != nil {
		host, port = strings.Trim(args[0], "[]"), defaultPort
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 1 || number > 65535 {
		return "", fmt.Errorf("%q: a port is a number from 1 to 65535: %w", args[0], errUsage)
	}
	if host == "" || strings.ContainsAny(host, " /@") {
		return "", fmt.Errorf("%q is no address; it is host:port, such as 127.0.0.1:7777 or play.example.org: %w", args[0], errUsage)
	}
	return net.JoinHostPort(host, port), nil
}

// check refuses flags that could not be sent or listened on.
func (o playOptions) check() error {
	switch {
	case o.port < 0 || o.port > 65535:
		return fmt.Errorf("--http-port must be 0..65535, not %d: %w", o.port, errUsage)
	case len(o.locale) > 11 || strings.Trim(o.locale, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return fmt.Errorf("--locale must be a language such as en or pt-br, not %q: %w", o.locale, errUsage)
	case len(o.password) > 127:
		return fmt.Errorf("--password has %d bytes; no server's has more than 127: %w", len(o.password), errUsage)
	}
	if err := protocol.PlainText(o.name, 47); err != nil {
		return fmt.Errorf("--name %q: %w: %w", o.name, err, errUsage)
	}
	return nil
}

// userName makes a player's name of the user's, in the alphabet that every server takes.
func userName() string {
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.", r) {
			return r
		}
		return -1
	}, name)
	if len(name) < 3 || len(name) > 24 || name == "admin" || name == "server" {
		return "Player"
	}
	return name
}

// keysPath is where the player's keys for actions are kept; "": there is no folder for it.
func keysPath() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "darqline", "keys.json")
}

// installation is the id of this installation, made once. Servers see only what client.Serial makes of it; without a
// folder to keep it in there is none that lasts.
func installation() []byte {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil
	}
	path := filepath.Join(dir, "darqline", "installation")
	id, err := os.ReadFile(path)
	if err == nil && len(id) == 32 {
		return id
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	id = make([]byte, 32)
	rand.Read(id)
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, id, 0o600) != nil {
		return nil
	}
	return id
}
