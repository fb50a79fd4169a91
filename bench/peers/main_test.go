package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Each peer delivers a second's events, once and in order, through a path that loses a tenth of the packets.
func TestPeersDeliverEverything(t *testing.T) {
	for _, p := range []peer{{"lane", runLane}, {"enet", newENet().run}, {"quic", runQUIC}} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := bench{rtt: 20 * time.Millisecond}
			c := &cell{loss: 10}
			b.connection(context.Background(), p, workload{duration: time.Second, rate: 50, size: 100, seed: 1}, c)
			if errors.Is(c.fault, errSkip) {
				t.Skip(c.fault)
			}
			if c.fault != nil {
				t.Fatal(c.fault)
			}
			for _, delay := range c.delays {
				if delay < b.rtt/2 {
					t.Errorf("an event took %v over a path of %v", delay, b.rtt/2)
				}
			}
		})
	}
}
