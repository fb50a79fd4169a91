package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"darqline/client/bots"
	"darqline/host"
	"darqline/host/udp"
	"darqline/resources/watch"
)

// roleFlags are what the processes of one measure are told.
type roleFlags struct {
	mode, target                        string
	players, streamed, side, rate, ramp int
	spread                              float64
	length                              time.Duration
	profile                             string
}

func (r *roleFlags) declare() {
	flag.StringVar(&r.mode, "mode", "gso", "internal: how datagrams are sent")
	flag.StringVar(&r.target, "target", "", "internal: the server")
	flag.IntVar(&r.players, "players", 0, "internal: how many")
	flag.IntVar(&r.streamed, "streamed", 0, "internal: players.max_streamed")
	flag.IntVar(&r.side, "side", 0, "internal: metres that they are spread over")
	flag.IntVar(&r.rate, "rate", 0, "internal: frames a second")
	flag.Float64Var(&r.spread, "spread", 45, "internal: metres that each walks")
	flag.IntVar(&r.ramp, "ramp", bots.Defaults().Ramp, "players that join a second")
	flag.StringVar(&r.profile, "profile", "", "write the server's CPU profile to this `FILE`; the last server's stays")
	flag.DurationVar(&r.length, "length", 0, "internal: of the measure")
}

func (r *roleFlags) play(ctx context.Context, role string) error {
	switch role {
	case "serve":
		return r.serve(ctx)
	case "bare":
		return bareRelay(r)
	case "feed":
		return feed(r)
	case "bots":
		return r.bots(ctx)
	}
	return fmt.Errorf("there is no role %q", role)
}

// options are the ways of sending that are compared.
func options(mode string) (udp.Options, error) {
	switch mode {
	case "gso":
		return udp.Options{}, nil
	case "sendmmsg":
		return udp.Options{NoSegmentation: true}, nil
	case "plain":
		return udp.Options{Plain: true}, nil
	}
	return udp.Options{}, fmt.Errorf("there is no mode %q", mode)
}

//go:embed resources
var resourceFiles embed.FS

// serve is a whole server. It prints its address, runs the command in each line that it reads, and ends with its input.
func (r *roleFlags) serve(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "bench-relay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	port, err := freePort()
	if err != nil {
		return err
	}
	config := filepath.Join(dir, "server.toml")
	text := fmt.Sprintf("[server]\nbind = \"127.0.0.1\"\nport = %d\nmax_players = 1000\n[players]\nmax_streamed = %d\n[resources.crowd]\nside = %d\n",
		port, r.streamed, r.side)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return err
	}
	resources, err := fs.Sub(resourceFiles, "resources")
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "resources"), resources); err != nil {
		return err
	}
	cfg, err := host.ReadConfig(config)
	if err != nil {
		return err
	}
	opts, err := options(r.mode)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	h, err := host.New(cfg, host.Options{Logger: log, Network: network{opts}, Watch: watch.Off})
	if err != nil {
		return err
	}
	if r.profile != "" {
		f, err := os.Create(r.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		time.AfterFunc(r.length, func() { pprof.StartCPUProfile(f) }) // not of the begin
		defer pprof.StopCPUProfile()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		<-h.Listening()
		fmt.Println(h.Addr())
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			if known, reply, err := h.Command(ctx, in.Text()); !known || reply != "" || err != nil {
				fmt.Fprintln(os.Stderr, "the command failed:", in.Text(), reply, err)
				return
			}
		}
	}()
	return h.Run(ctx)
}

// network is the machine's, with one way of sending.
type network struct{ options udp.Options }

func (n network) ListenPacket(addr string) (udp.Conn, error)     { return udp.ListenWith(addr, n.options) }
func (n network) ListenStream(addr string) (net.Listener, error) { return net.Listen("tcp", addr) }

// freePort is one that is free for UDP and TCP now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// bots are the players. What they say goes out line by line, the report last.
func (r *roleFlags) bots(ctx context.Context) error {
	c := bots.Defaults()
	c.Server, c.Count, c.Duration, c.Rate, c.Spread, c.Ramp, c.Deaths = r.target, r.players, r.length, r.rate, r.spread, r.ramp, 0
	c.Say = func(text string) { fmt.Println(text) }
	report, err := bots.Run(ctx, c)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}
