// Command soak has many players on one server for a long time over a bad network, and tells whether anything grows: memory,
// goroutines, descriptors. Server, network and players are processes of their own. The network is a proxy that loses
// datagrams in both directions. It needs Linux.
//
//	go run ./bench/soak --players 300 --time 15m --loss 5
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"darqline/bench/internal/role"
)

type soak struct {
	role    string
	target  string
	players int
	loss    float64 // percent, each way
	length  time.Duration
	every   time.Duration
	seed    uint64
}

func main() {
	var s soak
	flag.StringVar(&s.role, "role", "", "internal: serve, proxy or bots")
	flag.StringVar(&s.target, "target", "", "internal: whom to speak to")
	flag.IntVar(&s.players, "players", 300, "how many")
	flag.Float64Var(&s.loss, "loss", 5, "percent of the datagrams that are lost, each way")
	flag.DurationVar(&s.length, "time", 15*time.Minute, "how long, from when all are in")
	flag.DurationVar(&s.every, "every", 30*time.Second, "how often the server is looked at")
	flag.Uint64Var(&s.seed, "seed", 1, "of what is lost, and of where the players walk")
	flag.Parse()
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

// run starts the three processes and judges what the server tells of itself.
func (s *soak) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := s.start(ctx, "serve", "")
	if err != nil {
		return err
	}
	address := server.Line()
	proxy, err := s.start(ctx, "proxy", address)
	if err != nil {
		return err
	}
	players, err := s.start(ctx, "bots", proxy.Line())
	if err != nil {
		return err
	}
	fmt.Printf("| minute | players | heap | resident | goroutines | descriptors | CPU | 99 %% of GC pauses below |\n|---|---|---|---|---|---|---|---|\n")
	var looks []look
	go func() {
		for {
			var l look
			if json.Unmarshal([]byte(server.Line()), &l) != nil {
				return
			}
			if l.Players == s.players { // not the joins, nor the leaves
				looks = append(looks, l)
			}
			fmt.Printf("| %.1f | %d | %.1f MiB | %.1f MiB | %d | %d | %.2f | %.2f ms |\n", l.Minutes, l.Players, l.Heap, l.Resident,
				l.Goroutines, l.Descriptors, l.CPU, l.Pause)
		}
	}()
	var report map[string]any
	for {
		line := players.Line()
		if json.Unmarshal([]byte(line), &report) == nil {
			break
		}
		if line == "" {
			return errors.New("the players ended without a report")
		}
		fmt.Fprintln(os.Stderr, line)
	}
	text, _ := json.Marshal(report)
	fmt.Printf("\n%s\n\n", text)
	return judge(looks)
}

// look is what the server tells of itself.
type look struct {
	Minutes     float64 `json:"minutes"`
	Players     int     `json:"players"`
	Heap        float64 `json:"heap"`     // MiB that live after a collection
	Resident    float64 `json:"resident"` // MiB
	Goroutines  int     `json:"goroutines"`
	Descriptors int     `json:"descriptors"`
	CPU         float64 `json:"cpu"`   // seconds a second since the last look
	Pause       float64 `json:"pause"` // ms: 99 % of the collector's pauses are shorter
}

// judge compares the first quarter of the looks with the last one.
func judge(looks []look) error {
	if len(looks) < 8 {
		return fmt.Errorf("only %d looks: too few to judge", len(looks))
	}
	mean := func(part []look, of func(look) float64) (sum float64) {
		for _, l := range part {
			sum += of(l)
		}
		return sum / float64(len(part))
	}
	quarter := len(looks) / 4
	early, late := looks[:quarter], looks[len(looks)-quarter:]
	var grown []string
	for _, m := range []struct {
		name  string
		slack float64 // that is no growth
		of    func(look) float64
	}{
		{"heap (MiB)", 2, func(l look) float64 { return l.Heap }},
		{"resident (MiB)", 6, func(l look) float64 { return l.Resident }},
		{"goroutines", 1, func(l look) float64 { return float64(l.Goroutines) }},
		{"descriptors", 1, func(l look) float64 { return float64(l.Descriptors) }},
	} {
		from, to := mean(early, m.of), mean(late, m.of)
		fmt.Printf("%s: %.1f in the first quarter, %.1f in the last\n", m.name, from, to)
		if to > 1.05*from+m.slack {
			grown = append(grown, m.name)
		}
	}
	if len(grown) > 0 {
		return fmt.Errorf("it grows: %s", strings.Join(grown, ", "))
	}
	fmt.Println("flat")
	return nil
}

// start runs a part of this program.
func (s *soak) start(ctx context.Context, part, target string) (*role.Child, error) {
	return role.Start(ctx, "-role", part, "-target", target, "-players", fmt.Sprint(s.players),
		"-loss", fmt.Sprint(s.loss), "-time", s.length.String(), "-every", s.every.String(), "-seed", fmt.Sprint(s.seed))
}
