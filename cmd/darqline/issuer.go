package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"darqline/fixtures/issuer"
)

var issuerCommand = command{
	name:    "issuer",
	args:    "",
	summary: "sign users in, to try sign-in on this machine",
	help: `Runs a small identity provider that only this machine can reach, so that sign-in can
be tried without one on the internet, and prints what a server.toml needs for it.
Users and keys last as long as it runs: it is none for a server that others join.

Anybody signs in by the password "demo", or with --user only those who are named.
The demo in fixtures/signin is set up for it.`,
	setup: func(fs *flag.FlagSet) runner {
		o := issuerOptions{port: 9000}
		fs.IntVar(&o.port, "port", o.port, "listen on `PORT`, TCP")
		fs.Func("user", "take this `NAME:PASSWORD`; may be given again for more", o.addUser)
		fs.BoolVar(&o.faults, "faults", false, "make JWTs with deliberate faults where they are asked for, for tests")
		return func(ctx context.Context, e *env, args []string) error { return runIssuer(ctx, e, o, args) }
	},
}

type issuerOptions struct {
	port   int
	users  map[string]string
	faults bool
}

func (o *issuerOptions) addUser(text string) error {
	name, password, ok := strings.Cut(text, ":")
	if !ok || name == "" {
		return errors.New("must be a name, a colon and a password")
	}
	if o.users == nil {
		o.users = make(map[string]string)
	}
	o.users[name] = password
	return nil
}

// runIssuer signs users in until it is told to stop.
func runIssuer(ctx context.Context, e *env, o issuerOptions, args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("no arguments, not %q: %w", args, errUsage)
	case o.port < 1 || o.port > 65535:
		return fmt.Errorf("--port must be 1..65535, not %d: %w", o.port, errUsage)
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(o.port))
	i, err := issuer.New(issuer.Config{URL: "http://" + address, Users: o.users, Faults: o.faults})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("port %d cannot be had: %w; choose another one by --port", o.port, err)
	}
	fmt.Fprintf(e.out, issuerText, address)
	web := &http.Server{Handler: i, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { web.Close() })
	defer stop()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

const issuerText = `Signing users in at http://%[1]s. A server trusts it by:

  [[auth.providers]]
  name     = "demo"
  origins  = ["http://%[1]s"]
  issuer   = "http://%[1]s"
  audience = "darqline-demo"
  jwks_url = "http://%[1]s/jwks.json"

Ctrl-C ends it.
`
