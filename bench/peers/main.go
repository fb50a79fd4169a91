// Command peers compares the reliable lane with ENet's reliable channel and a QUIC stream over real sockets: the same
// events through the same kind of lossy proxy on loopback, delivery delay one way on one clock.
//
//	cd bench/peers && go run . --seconds 60
//
// It is a module of its own, so that the server does not depend on what it is compared with. ENet needs a C compiler
// and its headers (libenet-dev); without them the table says so and goes without.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// workload is what every peer has to carry.
type workload struct {
	duration time.Duration
	rate     float64 // events a second, Poisson
	size     int     // bytes of an event, its number and time included
	seed     uint64
}

// arrival is one delivered event: when it was sent since the first one, and how long it took.
type arrival struct{ sent, delay time.Duration }

// peer is a transport under test. run carries the workload from a client through the proxy to a server of its own.
// dial is called once with the server's port and returns the proxy's.
type peer struct {
	name string
	run  func(ctx context.Context, w workload, dial func(server int) (proxy int, err error)) ([]arrival, error)
}

// errSkip says that a peer cannot run on this machine.
var errSkip = errors.New("skipped")

func main() {
	seconds := flag.Int("seconds", 60, "seconds of each run, after the warm-up")
	warmUp := flag.Duration("warm-up", 5*time.Second, "time before, not counted: each peer learns its round trip")
	rtt := flag.Duration("rtt", 50*time.Millisecond, "round trip of the proxy")
	rate := flag.Float64("rate", 50, "events a second, Poisson")
	size := flag.Int("size", 100, "bytes of an event, at least 24")
	losses := flag.String("loss", "1,5", "losses in percent, each in both directions")
	connections := flag.Int("connections", 4, "connections of each cell, each through a proxy of its own")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	b := bench{warmUp: *warmUp, rtt: *rtt, connections: *connections,
		load: workload{duration: *warmUp + time.Duration(*seconds)*time.Second, rate: *rate, size: max(*size, 24)}}
	for _, text := range strings.Split(*losses, ",") {
		loss, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || loss < 0 || loss >= 100 {
			fmt.Fprintf(os.Stderr, "--loss %q: want percentages below 100, as in 1,5\n", *losses)
			os.Exit(2)
		}
		b.losses = append(b.losses, loss)
	}
	if err := b.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// bench runs every peer at every loss, all at the same time: none gets a quieter machine than another.
type bench struct {
	load        workload
	warmUp, rtt time.Duration
	losses      []float64
	connections int
}

// cell is what one peer did at one loss.
type cell struct {
	peer string
	loss float64

	mu      sync.Mutex // guards what follows: a cell's connections run at the same time
	delays  []time.Duration
	events  int   // delivered, warm-up included
	packets int64 // client to server, before the loss
	fault   error
}

func (b *bench) run(ctx context.Context, out *os.File) error {
	peers := []peer{{"darqline lane", runLane}, {"ENet reliable channel", newENet().run}, {"QUIC stream (quic-go)", runQUIC}}
	var cells []*cell
	var wg sync.WaitGroup
	for i, loss := range b.losses {
		for _, p := range peers {
			c := &cell{peer: p.name, loss: loss}
			cells = append(cells, c)
			for n := range b.connections {
				w := b.load
				w.seed = uint64(i*100 + n + 1) // the same arrivals for each peer
				wg.Go(func() { b.connection(ctx, p, w, c) })
			}
		}
	}
	fmt.Fprintf(os.Stderr, "%d connections, %v each ...\n", len(cells)*b.connections, b.load.duration)
	wg.Wait()
	for _, c := range cells {
		if c.fault != nil && !errors.Is(c.fault, errSkip) {
			return fmt.Errorf("%s at %v %%: %w", c.peer, c.loss, c.fault)
		}
	}
	fmt.Fprintf(out, "| loss each way | peer | p50 ms | p99 ms | p99.9 ms | events | packets sent an event |\n|---|---|---|---|---|---|---|\n")
	for _, c := range cells {
		if c.fault != nil {
			fmt.Fprintf(out, "| %v %% | %s | **%v** | | | | |\n", c.loss, c.peer, c.fault)
			continue
		}
		slices.Sort(c.delays)
		at := func(q float64) float64 {
			return float64(c.delays[min(len(c.delays)-1, int(q*float64(len(c.delays))))].Microseconds()) / 1000
		}
		fmt.Fprintf(out, "| %v %% | %s | %.1f | %.1f | %.1f | %d | %.2f |\n", c.loss, c.peer, at(.5), at(.99), at(.999),
			len(c.delays), float64(c.packets)/float64(c.events))
	}
	return nil
}

// connection runs one connection of a cell and adds what it measured.
func (b *bench) connection(ctx context.Context, p peer, w workload, c *cell) {
	ctx, cancel := context.WithTimeout(ctx, w.duration+30*time.Second)
	defer cancel()
	var px *proxy
	arrivals, err := p.run(ctx, w, func(server int) (port int, err error) {
		px, err = startProxy(server, b.rtt/2, c.loss/100, w.seed)
		if err != nil {
			return 0, err
		}
		return px.port(), nil
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if px != nil {
		c.packets += px.stop()
	}
	if want := len(w.schedule()); err == nil && len(arrivals) != want {
		err = fmt.Errorf("%d of %d events were delivered", len(arrivals), want)
	}
	if err != nil {
		c.fault = err
		return
	}
	c.events += len(arrivals)
	for _, a := range arrivals {
		if a.sent >= b.warmUp {
			c.delays = append(c.delays, a.delay)
		}
	}
}

// schedule returns when the workload's events are sent.
func (w workload) schedule() (times []time.Duration) {
	r := rand.New(rand.NewPCG(w.seed, 2))
	for at := time.Duration(0); at < w.duration; at += time.Duration(r.ExpFloat64() / w.rate * float64(time.Second)) {
		times = append(times, at)
	}
	return times
}
