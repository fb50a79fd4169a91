package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"darqline/bench/internal/proxy"
	"darqline/client/bots"
	"darqline/host"
	"darqline/host/udp"
	"darqline/resources/watch"
)

// TestPlayersOnABadNetwork is a short soak in one process, on real sockets: what is lost comes again, who gets another port
// goes on, and everybody hears every line of everybody exactly once and in order.
func TestPlayersOnABadNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 15 s")
	}
	cfg, err := configure(t.TempDir(), 8)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Connection.Keepalive = 250 * time.Millisecond // so that a new port is noticed soon
	cfg.Connection.Timeout = 30 * time.Second
	h, err := host.New(cfg, host.Options{Watch: watch.Off})
	if err != nil {
		t.Fatal(err)
	}
	running(t, func(ctx context.Context) {
		if err := h.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	<-h.Resources().Started()

	way := proxy.Way{Path: udp.Path{Loss: .05, Delay: 20 * time.Millisecond, Duplicate: .02, Reorder: .02}}
	network, err := proxy.Listen(h.Addr(), proxy.Config{Up: way, Down: way, Rebind: 3 * time.Second, Movers: .5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	running(t, network.Run)

	c := players(network.Addr().String(), 8, &condition{Config: proxy.Config{Up: way}})
	c.Duration, c.Chat = 5*time.Second, 60
	report, err := bots.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if l := report.Lines; l.Heard == 0 || l.Missed+l.Again+l.Wrong > 0 {
		t.Errorf("the lines: %+v", *l)
	}
	if report.Players != 8 || report.Disconnects+report.NotAdmitted+int(report.Malformed) > 0 {
		t.Errorf("not all went well: %+v", report)
	}
	if report.LaneResends == 0 || report.Moves == 0 || h.Stats().Moved == 0 {
		t.Errorf("the network was too good: %d resends, %d moves, as the server sees it %d", report.LaneResends, report.Moves, h.Stats().Moved)
	}
}

// running runs a part beside the test, until its end.
func running(t *testing.T, part func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		part(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

func TestConditionsByName(t *testing.T) {
	all, err := wanted("all")
	if err != nil || len(all) != len(conditions) {
		t.Errorf("all are %d, %v", len(all), err)
	}
	if two, err := wanted("far,clean"); err != nil || len(two) != 2 || two[0].name != "far" || two[1].name != "clean" {
		t.Errorf("two are %v, %v", two, err)
	}
	if _, err := wanted("clean,worse"); err == nil || !strings.Contains(err.Error(), "loss25") {
		t.Errorf("an unknown one: %v", err)
	}
}

// TestJudge spoils a good measurement in each way.
func TestJudge(t *testing.T) {
	good := func() *measurement {
		c, _ := named("nat")
		m := &measurement{condition: c, players: 20, report: bots.Report{Players: 20, Lines: &bots.Lines{Heard: 100}}}
		m.network.Rebinds = 5
		for i := range 20 {
			m.looks = append(m.looks, look{Heap: 10, Resident: 30, Goroutines: 16, Descriptors: 13, Turns: []float64{1, 2}, Moved: 5,
				CPU: time.Duration(i) * time.Second / 10, at: time.Time{}.Add(time.Duration(i) * time.Second)})
		}
		return m
	}
	if broken := good().judge(); len(broken) != 0 {
		t.Fatalf("a good one: %v", broken)
	}
	late := func(m *measurement, change func(l *look)) {
		for i := range m.looks[10:] {
			change(&m.looks[10+i])
		}
	}
	for what, spoil := range map[string]func(m *measurement){
		"did not":      func(m *measurement) { m.report.Lines.Missed = 1 },
		"came again":   func(m *measurement) { m.report.Lines.Again = 1 },
		"were wrong":   func(m *measurement) { m.report.Lines.Wrong = 1 },
		"0 came":       func(m *measurement) { m.report.Lines.Heard = 0 },
		"malformed":    func(m *measurement) { m.report.Malformed = 1 },
		"were lost":    func(m *measurement) { m.report.Disconnects = 1 },
		"1 of 20":      func(m *measurement) { m.report.NotAdmitted = 1 },
		"nobody moved": func(m *measurement) { late(m, func(l *look) { l.Moved = 0 }) },
		"frame loop":   func(m *measurement) { late(m, func(l *look) { l.Turns = []float64{12} }) },
		"of a core":    func(m *measurement) { late(m, func(l *look) { l.CPU *= 10 }) },
		"heap":         func(m *measurement) { late(m, func(l *look) { l.Heap = 13 }) },
		"resident":     func(m *measurement) { late(m, func(l *look) { l.Resident = 38 }) },
		"goroutines":   func(m *measurement) { late(m, func(l *look) { l.Goroutines = 18 }) },
		"descriptors":  func(m *measurement) { late(m, func(l *look) { l.Descriptors = 15 }) },
		"too few":      func(m *measurement) { m.looks = m.looks[:4] },
	} {
		m := good()
		spoil(m)
		if broken := m.judge(); len(broken) != 1 || !strings.Contains(broken[0].Error(), what) {
			t.Errorf("%s: %v", what, broken)
		}
	}
	m := good()
	m.condition, _ = named("loss25")
	if m.report.Disconnects = 1; len(m.judge()) != 0 {
		t.Error("at 25 % loss players may be lost")
	}
}
