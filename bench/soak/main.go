// Command soak has many players on a server over bad networks, one network after the other, and tells whether everything
// arrives, whether anybody is thrown out and whether anything grows: memory, goroutines, descriptors. Server, network and
// players are processes of their own; the network is a proxy. It needs Linux.
//
//	go run ./bench/soak --conditions all --players 20 --time 60s
//	go run ./bench/soak --conditions mixed --players 200 --time 8h --churn 5m
//
// It prints a row for each condition and ends with an error that says what broke.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"darqline/bench/internal/role"
)

type soak struct {
	role       string
	target     string
	conditions string
	players    int
	length     time.Duration
	every      time.Duration
	churn      time.Duration
	ramp       int
	seed       uint64
	procs      int
	cgroup     string
}

func main() {
	var s soak
	flag.StringVar(&s.role, "role", "", "internal: serve, proxy or bots")
	flag.StringVar(&s.target, "target", "", "internal: whom to speak to")
	flag.StringVar(&s.conditions, "conditions", "loss5", "the `NETWORKS`, comma-separated, or all")
	flag.IntVar(&s.players, "players", 300, "how many `PLAYERS`")
	flag.DurationVar(&s.length, "time", 15*time.Minute, "how long each condition is measured, from when all are in")
	flag.DurationVar(&s.every, "every", 0, "how often the server is looked at; 0: 20 times in all, but at most each 30s")
	flag.DurationVar(&s.churn, "churn", 0, "each player stays about this `TIME` and comes again; 0: stays")
	flag.IntVar(&s.ramp, "ramp", 20, "`PLAYERS` that join a second")
	flag.Uint64Var(&s.seed, "seed", 1, "of what is lost, and of where the players walk")
	flag.IntVar(&s.procs, "procs", 0, "`CORES` that the server uses; 0: all")
	flag.StringVar(&s.cgroup, "cgroup", "", "`FOLDER` of a control group that the server enters, such as one with a limit of memory")
	flag.Parse()
	if s.every <= 0 {
		s.every = min(max(s.length/20, time.Second), 30*time.Second)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	var err error
	switch {
	case runtime.GOOS != "linux":
		err = errors.New("this reads Linux's own figures of a process: run it there")
	case s.role == "serve":
		err = s.serve(ctx)
	case s.role == "proxy":
		err = s.proxy(ctx)
	case s.role == "bots":
		err = s.bots(ctx)
	default:
		err = s.run(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "bench/soak:", err)
		os.Exit(1)
	}
}

// run measures under each condition, with a new server each time.
func (s *soak) run(ctx context.Context) error {
	list, err := wanted(s.conditions)
	if err != nil {
		return err
	}
	var failed []error
	var rows []string
	for _, c := range list {
		m, err := s.measure(ctx, &c)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", c.name, err))
			continue
		}
		fmt.Fprintln(os.Stderr, m.row()) // at once; all of them again at the end
		rows = append(rows, m.row())
		for _, err := range m.judge() {
			failed = append(failed, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	fmt.Println(heading)
	for _, row := range rows {
		fmt.Println(row)
	}
	return errors.Join(failed...)
}

// start runs a part of this program.
func (s *soak) start(ctx context.Context, part, target string, c *condition) (*role.Child, error) {
	return role.Start(ctx, "-role", part, "-target", target, "-conditions", c.name, "-players", fmt.Sprint(s.players),
		"-time", s.length.String(), "-churn", s.churn.String(), "-ramp", fmt.Sprint(s.ramp), "-seed", fmt.Sprint(s.seed),
		"-procs", fmt.Sprint(s.procs), "-cgroup", s.cgroup)
}
