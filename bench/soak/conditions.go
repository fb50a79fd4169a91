package main

import (
	"fmt"
	"strings"
	"time"

	"darqline/bench/internal/proxy"
	"darqline/host/udp"
)

// condition is a network by name. What the first seven do is each way.
type condition struct {
	name string
	proxy.Config
}

const ms = time.Millisecond

var conditions = []condition{
	both("clean", proxy.Way{}),
	both("loss2", proxy.Way{Path: udp.Path{Loss: .02, Delay: 5 * ms}}),
	both("loss5", proxy.Way{Path: udp.Path{Loss: .05, Delay: 50 * ms}}),
	both("loss10", proxy.Way{Path: udp.Path{Loss: .10, Delay: 50 * ms}}),
	both("loss20", proxy.Way{Path: udp.Path{Loss: .20, Delay: 100 * ms, Reorder: .04}}),
	both("loss25", proxy.Way{Path: udp.Path{Loss: .25, Delay: 1000 * ms, Duplicate: .25}}),
	both("far", proxy.Way{Path: udp.Path{Delay: 300 * ms}}),
	{"nat", proxy.Config{Rebind: 12 * time.Second, Movers: .5}},
	{"mixed", proxy.Config{
		Up:     proxy.Way{Path: udp.Path{Loss: .03, Delay: 20 * ms, Jitter: 30 * ms, Duplicate: .01, Reorder: .01}, Rate: 64 << 10},
		Down:   proxy.Way{Path: udp.Path{Loss: .05, Delay: 20 * ms, Jitter: 30 * ms, Duplicate: .01, Reorder: .01}, Rate: 256 << 10},
		Rebind: 30 * time.Second, Movers: .25, Outages: time.Minute, Outage: 2 * time.Second}},
}

func both(name string, w proxy.Way) condition { return condition{name, proxy.Config{Up: w, Down: w}} }

// lossy says whether the network loses datagrams or brings them late, which a bot counts as lost.
func (c *condition) lossy() bool {
	return c.Up.Loss+c.Down.Loss+c.Up.Reorder+c.Down.Reorder > 0 || c.Rebind > 0 || c.Outages > 0
}

// hopeless says whether players may be lost: below 25 % loss nobody is.
func (c *condition) hopeless() bool { return max(c.Up.Loss, c.Down.Loss) >= .25 }

// wanted finds conditions by their names, comma-separated; "all" are all of them.
func wanted(names string) ([]condition, error) {
	if names == "all" {
		return conditions, nil
	}
	var found []condition
	for name := range strings.SplitSeq(names, ",") {
		c, err := named(name)
		if err != nil {
			return nil, err
		}
		found = append(found, *c)
	}
	return found, nil
}

func named(name string) (*condition, error) {
	var known []string
	for i := range conditions {
		if conditions[i].name == name {
			return &conditions[i], nil
		}
		known = append(known, conditions[i].name)
	}
	return nil, fmt.Errorf("--conditions: there is no %q, but all, %s", name, strings.Join(known, ", "))
}
