// Command relay measures how a whole server sends frames on: its CPU with each way of sending and beside a bare relay, the
// delay with and without a script that burns its whole budget, and what it costs with players spread over the map. Server
// and players run in processes of their own, on a core each; every round runs each variant once. It prints Markdown tables of
// medians; ratios are taken inside a round. It needs Linux and two cores.
//
//	go run ./bench/relay --rounds 5
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	b := bench{rounds: 3, length: 5 * time.Second}
	flag.IntVar(&b.rounds, "rounds", b.rounds, "rounds; each runs every variant once")
	flag.DurationVar(&b.length, "time", b.length, "length of one measure")
	only := flag.String("only", "", "run these parts alone, with commas: "+strings.Join(partNames(), ", "))
	role := flag.String("role", "", "internal: serve, bare, feed or bots")
	var r roleFlags
	r.declare()
	flag.Parse()
	given = r
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	var err error
	switch {
	case runtime.GOOS != "linux":
		err = errors.New("this measures with Linux's own figures and pins processes to cores: run it there")
	case *role != "":
		err = r.play(ctx, *role)
	default:
		err = b.run(ctx, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/relay:", err)
		os.Exit(1)
	}
}

// given are the flags that are handed on to the roles.
var given roleFlags

// bench is what a run is asked for.
type bench struct {
	rounds int
	length time.Duration
}

func (b *bench) run(ctx context.Context, only string) error {
	var names []string
	if only != "" {
		names = strings.Split(only, ",")
	}
	for _, name := range names {
		if !slices.Contains(partNames(), name) {
			return fmt.Errorf("there is no part %q; there are %s", name, strings.Join(partNames(), ", "))
		}
	}
	for _, p := range parts {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		if err := b.part(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// part runs all variants of a part in each round, each time beginning with another one, and prints its table.
func (b *bench) part(ctx context.Context, p part) error {
	rounds := make([][]result, b.rounds)
	for round := range rounds {
		rounds[round] = make([]result, len(p.variants))
		for i := range p.variants {
			k := (i + round) % len(p.variants)
			v := p.variants[k]
			r, err := v.measure(ctx, b.length)
			if err != nil {
				return fmt.Errorf("%v: %w", v, err)
			}
			fmt.Fprintf(os.Stderr, "%s, round %d: %v: %v\n", p.name, round+1, v, r)
			rounds[round][k] = r
		}
	}
	fmt.Printf("\n%s\n\n", p.title)
	p.table(p.variants, rounds)
	return nil
}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// median of what of gives for each round.
func median(rounds [][]result, of func(r []result) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = of(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
