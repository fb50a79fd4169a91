package main

import (
	"fmt"
	"math"
	"strings"
)

// part is a table.
type part struct {
	name, title string
	variants    []variant
	table       func(vs []variant, rounds [][]result)
}

var parts = []part{
	{"send", "CPU seconds a second of the whole server, 25 frames a second of each player, 48 in scope, all within 100 m", sending(), sendTable},
	{"core", "Players on one core, 48 in scope, all within 100 m", []variant{{mode: "gso", players: 600, streamed: 48, rate: fullRate}}, loadTable},
	{"delay", "Relay delay, with and without a script that burns its whole budget all the time", delaying(), delayTable},
	{"map", "Players spread evenly over a part of the map, all distance tiers, up to 200 in scope", mapped(), mapTable},
	{"square", "1,000 players in one square, players.max_streamed 200", []variant{{mode: "gso", players: 1000, streamed: 200, rate: fullRate}}, squareTable},
}

// sending are the ways to send. Those that cannot keep up at 25 frames a second are measured at fewer, and after a slow join.
func sending() (vs []variant) {
	for _, n := range []int{200, 500, 1000} {
		slow := variant{players: n, streamed: 48, rate: map[int]int{200: 10, 500: 5, 1000: 2}[n], ramp: 25}
		full := variant{players: n, streamed: 48, rate: fullRate}
		for _, mode := range []string{"plain", "sendmmsg", "gso", "bare"} {
			v := full
			if mode == "plain" || mode == "sendmmsg" {
				v = slow
			}
			v.mode = mode
			vs = append(vs, v)
		}
	}
	return vs
}

func sendTable(vs []variant, rounds [][]result) {
	fmt.Println("| players | one write each | sendmmsg | UDP segmentation | less than one write each | bare relay | times a bare relay | served |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for i := 0; i < len(vs); i += 4 {
		cpu := func(k int) float64 { return median(rounds, func(r []result) float64 { return r[i+k].cpu }) }
		ratio := func(a, b int) float64 {
			return median(rounds, func(r []result) float64 { return r[i+a].cpu / r[i+b].cpu })
		}
		mark := func(k int) string {
			if vs[i+k].rate == fullRate {
				return ""
			}
			return fmt.Sprintf(" (at %d/s, times %.1f)", vs[i+k].rate, fullRate/float64(vs[i+k].rate))
		}
		fmt.Printf("| %d | %.2f%s | %.2f%s | %.2f | %.1fx | %.2f | %.2f | %.2f %% |\n", vs[i].players, cpu(0), mark(0), cpu(1), mark(1),
			cpu(2), ratio(0, 2), cpu(3), ratio(2, 3), 100*median(rounds, func(r []result) float64 { return r[i+2].served() }))
	}
	fmt.Println("\nA way of sending that cannot keep up at 25/s on one core was measured at fewer frames a second, and its CPU time multiplied,\nthat of pings and scopes too: an upper bound.")
}

func loadTable(vs []variant, rounds [][]result) {
	fmt.Println("| players | served | CPU s/s | players' process | relay delay p50 / p99 / p99.9 | disconnects |")
	fmt.Println("|---|---|---|---|---|---|")
	for i, v := range vs {
		of := func(f func(r result) float64) float64 {
			return median(rounds, func(r []result) float64 { return f(r[i]) })
		}
		fmt.Printf("| %d | %.2f %% | %.2f | %.2f | %s | %.0f |\n", v.players, 100*of(result.served), of(func(r result) float64 { return r.used }),
			of(func(r result) float64 { return r.botCPU }), delayText(of), of(func(r result) float64 { return float64(r.Disconnects) }))
	}
}

func delayText(of func(func(r result) float64) float64) string {
	return fmt.Sprintf("%.2f / %.2f / %.2f ms", of(func(r result) float64 { return r.RelayP50 }),
		of(func(r result) float64 { return r.RelayP99 }), of(func(r result) float64 { return r.RelayP999 }))
}

func delaying() (vs []variant) {
	for _, n := range []int{50, 500} {
		for _, burn := range []bool{false, true} {
			vs = append(vs, variant{mode: "gso", players: n, streamed: 48, rate: fullRate, burn: burn})
		}
	}
	return vs
}

func delayTable(vs []variant, rounds [][]result) {
	fmt.Println("| players | script | p50 / p99 / p99.9 | served |")
	fmt.Println("|---|---|---|---|")
	for i, v := range vs {
		of := func(f func(r result) float64) float64 {
			return median(rounds, func(r []result) float64 { return f(r[i]) })
		}
		script := "idle"
		if v.burn {
			script = "burns"
		}
		fmt.Printf("| %d | %s | %s | %.2f %% |\n", v.players, script, delayText(of), 100*of(result.served))
	}
}

// mapped are growing numbers at the same density, that of 1,000 players on the whole map; and 1,000 close together.
func mapped() (vs []variant) {
	for _, n := range []int{250, 500, 1000} {
		vs = append(vs, variant{mode: "gso", players: n, streamed: 200, rate: fullRate, side: int(6000 * math.Sqrt(float64(n)/1000))})
	}
	return append(vs, variant{mode: "gso", players: 1000, streamed: 200, rate: fullRate, side: 2000})
}

func mapTable(vs []variant, rounds [][]result) {
	fmt.Println("| players | spread over | CPU s/s | ms CPU a player and second | to 250 players | frames a player and second | served | relay delay p50 / p99 / p99.9 |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for i, v := range vs {
		of := func(f func(r result) float64) float64 {
			return median(rounds, func(r []result) float64 { return f(r[i]) })
		}
		each := func(r []result, i int) float64 { return r[i].cpu / float64(vs[i].players) }
		fmt.Printf("| %d | %.1f x %.1f km | %.3f | %.3f | %.2f | %.0f | %.2f %% | %s |\n", v.players, float64(v.side)/1000, float64(v.side)/1000,
			of(func(r result) float64 { return r.cpu }), 1000*median(rounds, func(r []result) float64 { return each(r, i) }),
			median(rounds, func(r []result) float64 { return each(r, i) / each(r, 0) }),
			of(func(r result) float64 { return r.FramesRate / float64(v.players) }), 100*of(result.served), delayText(of))
	}
	fmt.Println("\nA server takes 1,000 players at most, so growth is measured from 250 to 1,000.")
}

func squareTable(vs []variant, rounds [][]result) {
	loadTable(vs, rounds)
	seen := map[string]bool{}
	for _, r := range rounds {
		for line := range strings.Lines(r[0].log) {
			_, text, _ := strings.Cut(strings.TrimSpace(line), " ") // without its time
			if text != "" && !seen[text] {
				seen[text] = true
				fmt.Printf("\n    %s", text)
			}
		}
	}
	fmt.Println()
}
