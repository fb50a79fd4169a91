package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"darqline/bench/internal/proxy"
	"darqline/bench/internal/role"
	"darqline/client/bots"
	"darqline/host/session"
)

// look is what the server tells of itself.
type look struct {
	Heap, Resident          float64 // MiB: what lives after a collection, and what the process has
	Goroutines, Descriptors int
	CPU                     time.Duration // used so far
	Turns                   []float64     // ms: the longest turn of the frame loop in each second since the last look
	Unacked                 int           // events of one lane, most since the last look
	Lanes                   session.Lanes
	Moved                   uint64

	at time.Time
}

// network is what the proxy tells at its end.
type network struct {
	proxy.Stats
	CPU time.Duration
}

// measurement is one condition's.
type measurement struct {
	condition *condition
	players   int
	looks     []look
	report    bots.Report
	network   network
	seconds   float64 // that the proxy ran
}

// measure runs the three processes under one condition.
func (s *soak) measure(ctx context.Context, c *condition) (*measurement, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := s.start(ctx, "serve", "", c)
	if err != nil {
		return nil, err
	}
	defer server.End()
	network, err := s.start(ctx, "proxy", server.Line(), c)
	if err != nil {
		return nil, err
	}
	defer network.End()
	began := time.Now()
	players, err := s.start(ctx, "bots", network.Line(), c)
	if err != nil {
		return nil, err
	}
	defer players.End()
	m := &measurement{condition: c, players: s.players}
	if err := s.follow(ctx, m, server, players); err != nil {
		return nil, err
	}
	text := network.Ask("end")
	m.seconds = time.Since(began).Seconds()
	return m, json.Unmarshal([]byte(text), &m.network)
}

// follow looks at the server while the players measure, and takes their report.
func (s *soak) follow(ctx context.Context, m *measurement, server, players *role.Child) error {
	looking, stop := context.WithCancel(ctx)
	var looks sync.WaitGroup
	defer looks.Wait()
	defer stop()
	for {
		line := players.Line()
		switch {
		case line == "":
			return errors.New("the players ended without a report")
		case line == begins:
			looks.Go(func() { m.watch(looking, server, s.every, s.length) })
		case json.Unmarshal([]byte(line), &m.report) == nil:
			return nil
		default:
			fmt.Fprintf(os.Stderr, "%s: %s\n", m.condition.name, line)
		}
	}
}

// watch looks at the server until the measure's end.
func (m *measurement) watch(ctx context.Context, server *role.Child, every, length time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for began := time.Now(); ; {
		var l look
		if json.Unmarshal([]byte(server.Ask("look")), &l) != nil {
			return
		}
		l.at = time.Now()
		m.looks = append(m.looks, l)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if time.Since(began) > length {
				return
			}
		}
	}
}

// cpu is the share of a core that the server used while it was measured.
func (m *measurement) cpu() float64 {
	if len(m.looks) < 2 {
		return 0
	}
	first, last := m.looks[0], m.looks[len(m.looks)-1]
	return (last.CPU - first.CPU).Seconds() / last.at.Sub(first.at).Seconds()
}

// turns are the longest turns of all seconds but the first look's, which saw the joins; sorted, never empty.
func (m *measurement) turns() (all []float64) {
	for _, l := range m.looks[min(1, len(m.looks)):] {
		all = append(all, l.Turns...)
	}
	if slices.Sort(all); len(all) == 0 {
		return []float64{0}
	}
	return all
}

// quantile of a sorted list.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

const heading = "| condition | in | thrown out | moves | lines heard | missed, again, wrong | ping p50 / p99 | sends an event | unacked | " +
	"resident | goroutines | descriptors | CPU: server, proxy | longest turn p50 / p99 | relay p50 / p99 |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"

// row is the measurement in the table.
func (m *measurement) row() string {
	r := &m.report
	lines := *r.Lines
	first, last := m.ends()
	unacked := 0
	for _, l := range m.looks {
		unacked = max(unacked, l.Unacked)
	}
	turns := m.turns()
	cells := []string{
		m.condition.name,
		fmt.Sprintf("%d of %d", r.Players, m.players) + m.coming(),
		fmt.Sprint(r.Disconnects),
		fmt.Sprintf("%d of %d ports", last.Moved, m.network.Rebinds),
		fmt.Sprint(lines.Heard),
		fmt.Sprintf("%d, %d, %d", lines.Missed, lines.Again, lines.Wrong),
		fmt.Sprintf("%.0f / %.0f ms", r.PingP50, r.PingP99),
		fmt.Sprintf("%.2f", float64(last.Lanes.Sends)/float64(max(1, last.Lanes.Events))),
		fmt.Sprintf("%d, %d up", unacked, r.LaneUnacked),
		fmt.Sprintf("%.1f to %.1f MiB", first.Resident, last.Resident),
		fmt.Sprintf("%d to %d", first.Goroutines, last.Goroutines),
		fmt.Sprintf("%d to %d", first.Descriptors, last.Descriptors),
		fmt.Sprintf("%.0f %%, %.0f %%", 100*m.cpu(), 100*m.network.CPU.Seconds()/m.seconds),
		fmt.Sprintf("%.1f / %.1f ms", quantile(turns, .5), quantile(turns, .99)),
		fmt.Sprintf("%.1f / %.1f ms", r.RelayP50, r.RelayP99),
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// coming is how many went, to come again.
func (m *measurement) coming() string {
	if m.report.Left == 0 {
		return ""
	}
	return fmt.Sprintf(", %d went", m.report.Left)
}

// ends are the first and the last look.
func (m *measurement) ends() (first, last look) {
	if len(m.looks) > 0 {
		first, last = m.looks[0], m.looks[len(m.looks)-1]
	}
	return first, last
}
