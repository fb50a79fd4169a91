package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"
)

// siege is one kind of attack on the client files. It lasts until the context ends and closes what it has opened.
type siege struct {
	name  string
	run   func(ctx context.Context, b *bench, t *tally) error
	after bool // the honest download need not end before the attack does: nobody could be told from the attackers

	least       time.Duration // shorter ones cannot show that a download ends meanwhile
	descriptors int           // that a server of its own has; 0: the usual server
}

// sieges are those of the test plan's section on the file server.
var sieges = []siege{
	{name: "files: slow heads", run: slowHeads, least: 45 * time.Second},
	{name: "files: slow readers", run: slowReaders, least: 45 * time.Second},
	{name: "files: connections from 12 hosts", run: fewHosts},
	{name: "files: connections from 10,000 hosts", run: manyHosts, after: true},
	{name: "files: resets", run: resets},
	{name: "files: malformed requests", run: malformedRequests},
	{name: "files: 64 descriptors", run: slowHeads, after: true, descriptors: 64},
	{name: "files: downloads", run: downloads},
}

const (
	backTime  = 15 * time.Second // until descriptors and goroutines are as they were
	graceTime = 90 * time.Second // for the honest download to end after the attack
)

// besiege measures every siege that is asked for.
func (b *bench) besiege(ctx context.Context) error {
	if !slices.ContainsFunc(sieges, func(s siege) bool { return b.wants(s.name) }) {
		return nil
	}
	fmt.Println("\n| attack | connections/s | what became of them | honest downloads | slowest | CPU | descriptors | goroutines | p50 | p99 | lost | thrown out | else |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	var failed []error
	for _, s := range sieges {
		if !b.wants(s.name) {
			continue
		}
		if err := b.withServer(ctx, s, func() error { return b.siege(ctx, s) }); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.Join(failed...)
}

// withServer gives a siege the server that it is for.
func (b *bench) withServer(ctx context.Context, s siege, measure func() error) error {
	if s.descriptors == 0 {
		return measure()
	}
	usual, addr, target := b.server, b.addr, b.target
	defer func() { b.server, b.addr, b.target = usual, addr, target }()
	if err := b.startServer(ctx, "-descriptors", fmt.Sprint(s.descriptors)); err != nil {
		return err
	}
	defer b.server.End()
	return measure()
}

// siege runs the players, one honest visitor, and the attack.
func (b *bench) siege(ctx context.Context, s siege) error {
	players, before, err := b.playing(ctx)
	if err != nil {
		return err
	}
	defer players.End()
	began := time.Now()
	v := visit16(ctx, b.target, net.IPv4(127, 100, 0, 1))
	defer v.stop()
	t := &tally{ends: map[string]int{}}
	during, stop := context.WithTimeout(ctx, b.length)
	defer stop()
	attack := s.run(during, b, t)
	meanwhile, lasted := v.ended(), time.Since(began)
	after, err := b.look()
	if err != nil {
		return err
	}
	report, err := reportOf(players)
	if err != nil {
		return err
	}
	v.wait(ctx, graceTime)
	total, slowest := v.ended(), v.slowest()
	v.stop()
	back, last := b.back(ctx, before)
	fmt.Printf("| %s | %.0f | %s | %d meanwhile, %d in all | %.1f s | %.2f | %d -> %d | %d -> %d | %.2f | %.2f | %.2f %% | %d | %s |\n", s.name,
		float64(t.opened.Load())/lasted.Seconds(), t.text(), meanwhile, total, slowest.Seconds(), (after.CPU-before.CPU).Seconds()/lasted.Seconds(),
		before.Descriptors, last.Descriptors, before.Goroutines, last.Goroutines, report.RelayP50, report.RelayP99, report.Loss, report.Disconnects, t.said)
	switch {
	case attack != nil:
		return attack
	case v.fault() != nil:
		return v.fault()
	case total == 0:
		return fmt.Errorf("no honest download ended within %v after the attack", graceTime)
	case meanwhile == 0 && !s.after && b.length >= s.least:
		return errors.New("no honest download ended during the attack")
	case !back:
		return fmt.Errorf("after %v the server has %d descriptors and %d goroutines; before it had %d and %d", backTime,
			last.Descriptors, last.Goroutines, before.Descriptors, before.Goroutines)
	}
	return b.judgePlayers(report)
}

// back waits until the server has given back what the attack has made it open.
func (b *bench) back(ctx context.Context, before look) (bool, look) {
	for deadline := time.Now().Add(backTime); ; {
		now, err := b.look()
		switch {
		case err == nil && now.Descriptors <= before.Descriptors && now.Goroutines <= before.Goroutines:
			return true, now
		case err != nil || time.Now().After(deadline) || ctx.Err() != nil:
			return false, now
		}
		time.Sleep(time.Second / 4)
	}
}
