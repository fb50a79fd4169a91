package host_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/protocol"
)

// go test ./host -run TestSimulation -seeds 200 plays many games, -run TestSimulation/storm -seed 17 one of them again.
//
// A seed draws all that a game does to its server, and the same dice fall for each flow of the network, whatever other
// flows do. It does not repeat a game exactly: within one instant of a bubble's clock goroutines run in the order in which
// Go has them run, select and maps choose at random, and the scheduler's time slices are the machine's. TestSimulation runs
// on one processor, so that two games of a seed are the same for some seconds and alike for the rest (-again 5 plays it
// five times and says for how long they were the same). Play a seed that has failed a few times.
var (
	simulations = flag.Int("seeds", 6, "how many seeds TestSimulation plays")
	oneSeed     = flag.Uint64("seed", 0, "the one seed that TestSimulation plays")
	again       = flag.Int("again", 1, "how often TestSimulation/storm plays each seed; it then says for how long the games are the same")
	long        = flag.Bool("long", false, "TestSimulation/storm plays ten virtual minutes for each seed, not one")
)

// TestSimulation plays games of honest clients on a bad network: in the shop they come, go, crash and chat while resources
// reload, in the town (town_test.go) they walk, fight and die, and in the storm (simulation_storm_test.go) everything goes
// wrong at once.
func TestSimulation(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	first, last := uint64(1), uint64(*simulations)
	if *oneSeed != 0 {
		first, last = *oneSeed, *oneSeed
	}
	for game, simulate := range map[string]func(*testing.T, uint64){"shop": simulateShop, "town": simulateTown, "storm": simulateStorm} {
		t.Run(game, func(t *testing.T) {
			for seed := first; seed <= last; seed++ {
				t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
					defer func() {
						if t.Failed() {
							t.Logf("once more: go test ./host -run TestSimulation/%s -seed %d", game, seed)
						}
					}()
					simulate(t, seed)
				})
			}
		})
	}
}

// play is one game in the shop.
type play struct {
	*bubble
	r       *rand.Rand
	seats   []*person // nil: nobody sits there
	broken  int       // reloads that were to fail
	version int
}

func simulateShop(t *testing.T, seed uint64) {
	f := files{}
	for path, text := range shop {
		f[path] = text
	}
	f["chat/resource.toml"] = ""
	f["chat/main.lua"] = "mp.every(700, function() for _, p in ipairs(mp.players.all()) do p:message('tick') end end)"
	inBubble(t, seed, f, func(c *host.Config) {
		c.Connection.Attempts, c.Connection.PerHost = 10_000, 100
		c.Chat.Burst, c.Chat.Interval = 100, 0
	}, func(b *bubble) {
		p := &play{bubble: b, r: rand.New(rand.NewPCG(seed, 1))}
		p.seats = make([]*person, 4+p.r.IntN(5))
		for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); {
			time.Sleep(time.Duration(50+p.r.IntN(1500)) * time.Millisecond)
			p.step()
		}
		p.calm()
		if faults := b.judge.verdict(); faults != "" {
			t.Fatalf("seed %d:\n%s", seed, faults)
		}
		if n := b.judge.thrown(); n > 0 {
			t.Fatalf("seed %d: %d honest clients were thrown out: %v\n%s", seed, n, b.judge.ends, b.logs.String())
		}
	})
}

func (p *play) step() {
	seat := p.r.IntN(len(p.seats))
	who := p.seats[seat]
	if who != nil {
		select {
		case <-who.ended: // his session is over; he may come again
			who.cancel, p.seats[seat] = nil, nil
			return
		default:
		}
	}
	switch n := p.r.IntN(100); {
	case who == nil:
		p.seats[seat] = p.dial(fmt.Sprintf("Player%d", seat), p.address(seat), p.t.TempDir())
	case n < 45:
		p.speak(who)
	case n < 60:
		buy(who)
	case n < 68:
		p.weather()
	case n < 76: // the line is cut for a while, both ways or one way
		p.outage(p.address(seat))
	case n < 82:
		who.leave()
		p.seats[seat] = nil
	case n < 86:
		p.crash(seat)
	case n < 94:
		p.change()
	default:
		time.Sleep(time.Duration(p.r.IntN(4000)) * time.Millisecond)
	}
}

func (p *play) address(seat int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, 0, 7, byte(seat + 1)})
}

func (p *play) speak(who *person) {
	for range 1 + p.r.IntN(5) {
		who.mu.Lock()
		if who.connected > 0 {
			if who.c.Chat(fmt.Sprintf("%d %d", who.session.PlayerToken, who.spoken+1)) == nil {
				who.spoken++
			}
		}
		who.mu.Unlock()
	}
}

// buy buys a hat in the shop that is open.
func buy(who *person) {
	who.mu.Lock()
	view, revision := who.view, who.revision
	who.mu.Unlock()
	if view != nil {
		_ = who.c.ViewAction(view.ID, revision, "buy", []protocol.ViewField{
			{Name: "item", Type: protocol.FieldString, String: "hat"}, {Name: "amount", Type: protocol.FieldNumber, Number: 1}})
	}
}

// weather changes the whole network: below 25 % loss nobody honest is thrown out.
func (p *play) weather() {
	p.mem.SetPath(udp.Path{Loss: p.r.Float64() * 0.24, Duplicate: p.r.Float64() * 0.1, Reorder: p.r.Float64() * 0.3,
		Delay: time.Duration(p.r.IntN(200)) * time.Millisecond, Jitter: time.Duration(p.r.IntN(50)) * time.Millisecond})
}

func (p *play) outage(addr netip.Addr) {
	cut := udp.Path{Loss: 1}
	switch p.r.IntN(3) {
	case 0:
		p.mem.SetPathOf(addr, serverHost, cut)
	case 1:
		p.mem.SetPathTo(addr, serverHost, cut)
	default:
		p.mem.SetPathTo(serverHost, addr, cut)
	}
	time.Sleep(time.Duration(100+p.r.IntN(5000)) * time.Millisecond)
	p.weather() // for everyone: it clears what was set for one
	p.mem.SetPathOf(addr, serverHost, udp.Path{Loss: 0.05, Delay: 50 * time.Millisecond})
}

// crash ends a client without a word.
func (p *play) crash(seat int) {
	addr := p.address(seat)
	p.mem.SetPathOf(addr, serverHost, udp.Path{Loss: 1})
	p.seats[seat].leave()
	p.mem.SetPathOf(addr, serverHost, udp.Path{Delay: 20 * time.Millisecond})
	p.seats[seat] = nil
}

// change saves a resource and reloads it; every fourth time with a typo in it.
func (p *play) change() {
	p.version++
	text := shop["shop/main.lua"] + fmt.Sprintf("\n-- version %d\n", p.version)
	if p.r.IntN(4) == 0 {
		p.broken++
		text += "x = = 1\n"
	}
	p.write(files{"shop/main.lua": text, "shop/shop.html": fmt.Sprintf("<h1>Shop %d</h1>", p.version)})
	for range 1 + p.r.IntN(3) {
		_ = p.reload("shop")
	}
}

// calm ends all faults. Who was refused because his crashed self had his name still comes again once that one has timed
// out; 30 s later everyone who sits is in, sees everyone and has the last shop open.
func (p *play) calm() {
	p.mem.SetPath(udp.Path{Delay: 20 * time.Millisecond})
	for seat := range p.seats {
		p.mem.SetPathOf(p.address(seat), serverHost, udp.Path{Delay: 20 * time.Millisecond})
	}
	time.Sleep(11 * time.Second)
	for seat, who := range p.seats {
		if who != nil {
			select {
			case <-who.ended:
				who.cancel, who = nil, nil
			default:
			}
		}
		if who == nil {
			who = p.dial(fmt.Sprintf("Player%d", seat), p.address(seat), p.t.TempDir())
		}
		p.seats[seat] = who
	}
	p.write(files{"shop/main.lua": shop["shop/main.lua"] + "\n-- the last one\n"})
	if err := p.reload("shop"); err != nil {
		p.t.Fatal(err)
	}
	status, _ := p.host.Resources().Get("shop")
	generation := fmt.Sprintf(`"generation":%d,`, status.Generation)
	for _, who := range p.seats {
		p.eventually(30*time.Second, who.name+" is in, sees everyone and the last shop", func() bool {
			return who.locked(func() bool {
				return len(who.rows) == len(p.seats) && who.status["shop"].State == client.ResourceReady &&
					strings.Contains(who.snapshots["stock"], generation) && who.view != nil
			})
		})
	}
}
