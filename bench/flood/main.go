// Command flood attacks a server of its own on loopback, one kind of flood after the other, while honest players play, and tells
// what each flood cost them and what the server answered. Everything is bounded: the rate, the time, and the address. It
// needs Linux.
//
//	go run ./bench/flood --players 20 --time 60s --rate 20000
//	go run ./bench/flood --only files --time 60s
//
// The second table is of attacks on the client files, while an honest visitor downloads 16 MiB again and again.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"darqline/bench/internal/role"
	"darqline/client/bots"
)

type bench struct {
	role    string
	target  string
	only    string
	players int
	rate    int
	length  time.Duration

	descriptors int

	server *role.Child
	addr   netip.AddrPort
	usual  bots.Report // without a flood
}

func main() {
	var b bench
	flag.StringVar(&b.role, "role", "", "internal: serve or bots")
	flag.StringVar(&b.target, "target", "", "internal: whom to speak to")
	flag.StringVar(&b.only, "only", "", "run only the floods whose names begin with `NAME`; files: those of the client files")
	flag.IntVar(&b.descriptors, "descriptors", 0, "internal: how many the server may have open; 0: as many as the system lets it")
	flag.IntVar(&b.players, "players", 20, "honest `PLAYERS`")
	flag.IntVar(&b.rate, "rate", 20_000, "datagrams a second, at most 200000")
	flag.DurationVar(&b.length, "time", time.Minute, "how long each flood lasts, at most 10m")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	var err error
	switch {
	case runtime.GOOS != "linux":
		err = errors.New("this sends from all of 127.0.0.0/8: run it on Linux")
	case b.rate < 1 || b.rate > 200_000 || b.length < time.Second || b.length > 10*time.Minute:
		err = errors.New("--rate is 1..200000, --time 1s..10m")
	case b.role == "serve":
		err = b.serve(ctx)
	case b.role == "bots":
		err = b.bots(ctx)
	default:
		err = b.run(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "bench/flood:", err)
		os.Exit(1)
	}
}

// slack is by how much a flood may raise the players' p99.
const slack = 20 // ms

// run measures the players alone, then under each flood.
func (b *bench) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := b.startServer(ctx); err != nil {
		return err
	}
	defer b.server.End()
	fmt.Println("| flood | sent/s | answers/s | bytes in / out | heap | CPU | p50 | p99 | lost | thrown out | else |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	var failed []error
	for _, f := range floods {
		if !b.wants(f.name) && f.run != nil {
			continue
		}
		if err := b.measure(ctx, f); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.name, err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.Join(append(failed, b.besiege(ctx))...)
}

func (b *bench) wants(name string) bool { return strings.HasPrefix(name, b.only) }

func (b *bench) startServer(ctx context.Context, args ...string) (err error) {
	if b.server, err = b.start(ctx, "serve", args...); err != nil {
		return err
	}
	if b.addr, err = netip.ParseAddrPort(b.server.Line()); err != nil {
		b.server.End()
		return fmt.Errorf("the server does not say where it is: %w", err)
	}
	b.target = b.addr.String()
	return nil
}

// look is what the server tells of itself.
type look struct {
	Heap                      float64 // MiB that live after a collection
	CPU                       time.Duration
	Players, Unconfirmed      int
	Malformed, Unknown, Moved uint64
	Challenges                uint64
	Rejected                  uint64
	Descriptors, Goroutines   int
}

func (b *bench) look() (l look, err error) {
	return l, json.Unmarshal([]byte(b.server.Ask("look")), &l)
}

// playing starts the players and waits until they are measured; before is the server as it was then.
func (b *bench) playing(ctx context.Context) (players *role.Child, before look, err error) {
	if players, err = b.start(ctx, "bots"); err != nil {
		return nil, before, err
	}
	if players.Line() != begins {
		err = errors.New("the players have ended before they were in")
	} else {
		before, err = b.look()
	}
	if err != nil {
		players.End()
	}
	return players, before, err
}

// measure runs the players, and the flood while they are measured.
func (b *bench) measure(ctx context.Context, f flood) error {
	players, before, err := b.playing(ctx)
	if err != nil {
		return err
	}
	defer players.End()
	began := time.Now()
	c, err := aim(b.addr)
	if err != nil {
		return err
	}
	defer c.close()
	during, stop := context.WithTimeout(ctx, b.length)
	defer stop()
	var result outcome
	if f.run != nil {
		result = f.run(during, b, c)
	} else {
		<-during.Done()
	}
	lasted := time.Since(began)
	after, err := b.look()
	if err != nil {
		return err
	}
	report, err := reportOf(players)
	if err != nil {
		return err
	}
	sent, received := c.sent.Load(), c.received.Load()
	fmt.Printf("| %s | %.0f | %.0f | %s / %s | %.1f -> %.1f MiB | %.2f | %.2f | %.2f | %.2f %% | %d | %s |\n", f.name,
		float64(sent)/lasted.Seconds(), float64(received)/lasted.Seconds(), mb(c.bytesOut.Load()), mb(c.bytesIn.Load()), before.Heap, after.Heap,
		(after.CPU-before.CPU).Seconds()/lasted.Seconds(), report.RelayP50, report.RelayP99, report.Loss, report.Disconnects, result.text)
	if f.run == nil {
		b.usual = *report
	}
	return b.judge(c, report, result)
}

func (b *bench) judge(c *cannon, report *bots.Report, result outcome) error {
	switch {
	case result.err != nil:
		return result.err
	case !result.proven && c.bytesIn.Load() > c.bytesOut.Load():
		return fmt.Errorf("%d bytes were answered to %d", c.bytesIn.Load(), c.bytesOut.Load())
	}
	return b.judgePlayers(report)
}

func (b *bench) judgePlayers(report *bots.Report) error {
	switch {
	case report.Disconnects > 0 || report.Players != b.players:
		return fmt.Errorf("players were thrown out: %v", report.Reasons)
	case report.RelayP99 > b.usual.RelayP99+slack:
		return fmt.Errorf("the players' p99 rose from %.2f to %.2f ms", b.usual.RelayP99, report.RelayP99)
	}
	return nil
}

func mb(n uint64) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }

func (b *bench) start(ctx context.Context, part string, args ...string) (*role.Child, error) {
	return role.Start(ctx, append([]string{"-role", part, "-target", b.target, "-players", fmt.Sprint(b.players), "-time", b.length.String()}, args...)...)
}

// reportOf is what the players say in the end.
func reportOf(players *role.Child) (*bots.Report, error) {
	var report bots.Report
	if err := json.Unmarshal([]byte(players.Line()), &report); err != nil {
		return nil, fmt.Errorf("the players ended without a report: %w", err)
	}
	return &report, nil
}
