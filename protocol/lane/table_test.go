package lane

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"
)

var tableEvents = flag.Int("table.events", 60000, "events of each cell of BenchmarkTable")

type contender struct {
	name string
	make func(rtt time.Duration) sender
}

var contenders = []contender{
	{"given rule alone", func(time.Duration) sender { return NewSender(Config{EventOffset: 1, Resend: Given}) }},
	{"back on a gap, ack-clocked", func(rtt time.Duration) sender { return newReference(rtt, true, 1) }},
	{"every send twice", func(rtt time.Duration) sender { return newReference(rtt, false, 2) }},
	{"**gap** (default)", func(time.Duration) sender { return NewSender(Config{EventOffset: 1}) }},
}

func inMs(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprint(d.Round(time.Millisecond).Milliseconds())
}

// BenchmarkTable prints the tables of docs/lane.md:
//
//	go test ./protocol/lane -run xxx -bench Table -benchtime 1x
func BenchmarkTable(b *testing.B) {
	for range b.N {
		fmt.Println("\nIndependent losses, delay in ms p50/p99/p99.9, packets sent an event:")
		printTable(independent, 0, 1, 5, 10, 20)
		fmt.Println("\nLosses in episodes of 5 ms:")
		printTable(func(p float64) loss { return bursty(p, 5*ms) }, 1, 5, 10)
		fmt.Println("\nA join's burst of 250 events, s to the last one, median/95 % of 200 runs, packets sent an event:")
		printBursts()
	}
}

func printTable(law func(float64) loss, losses ...float64) {
	fmt.Println("\n| RTT ms | events/s | loss % |" + names() + "\n|---|---|---|---|---|---|---|")
	for _, rtt := range []time.Duration{50, 150} {
		for _, rate := range []float64{10, 50} {
			for _, p := range losses {
				fmt.Printf("| %d | %.0f | %.0f |", rtt, rate, p)
				for _, c := range contenders {
					rtt := rtt * time.Millisecond
					o := simulate(c.make(rtt), conditions{rtt: rtt, there: law(p / 100), back: law(p / 100),
						rate: rate, last: time.Duration(float64(*tableEvents)/rate) * time.Second, seed: 7})
					fmt.Printf(" %s |", cell(o))
				}
				fmt.Println()
			}
		}
	}
}

func cell(o outcome) string {
	end := ""
	if o.ended {
		end = " x"
	}
	return fmt.Sprintf("%s/%s/%s, %.2f%s", inMs(o.at(.5)), inMs(o.at(.99)), inMs(o.at(.999)), o.sendsPerEvent(), end)
}

// printBursts prints the seconds until the last of a join's 250 events is delivered: the median of 200 runs.
func printBursts() {
	fmt.Println("\n| RTT ms | loss % |" + names() + "\n|---|---|---|---|---|---|")
	for _, rtt := range []time.Duration{50, 150} {
		for _, p := range []float64{0, 1, 5, 10, 20} {
			fmt.Printf("| %d | %.0f |", rtt, p)
			for _, c := range contenders {
				rtt := rtt * time.Millisecond
				all := burst(func() sender { return c.make(rtt) }, rtt, p/100, 200)
				fmt.Printf(" %.2f/%.2f, %.2f |", all.at(.5).Seconds(), all.at(.95).Seconds(), all.sendsPerEvent()/250)
			}
			fmt.Println()
		}
	}
}

// burst joins so many times: 250 events at once. The outcome's delays are those of the last event of each time.
func burst(make func() sender, rtt time.Duration, p float64, times uint64) (all outcome) {
	for seed := range times {
		o := simulate(make(), conditions{rtt: rtt, there: independent(p), back: independent(p), burst: 250, seed: seed})
		all.delays = append(all.delays, o.done)
		all.sends += o.sends
	}
	slices.Sort(all.delays)
	return all
}

func names() (row string) {
	for _, c := range contenders {
		row += " " + c.name + " |"
	}
	return row
}

// BenchmarkEvent is an event's whole way through sender and receiver, without a network.
func BenchmarkEvent(b *testing.B) {
	s, packet, now := NewSender(Config{EventOffset: offset}), make([]byte, 100), time.Duration(0)
	var r Receiver
	b.ReportAllocs()
	for b.Loop() {
		event, _ := s.Push(now, packet, false)
		s.Flush(now, func([]byte) { r.Accept(event) })
		now += 30 * ms
		s.Ack(now, r.Ack())
	}
}
