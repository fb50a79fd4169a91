package host_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/session"
	"darqline/host/udp"
)

const movingTime = time.Hour // virtual

// counting counts aloud to everyone, and everyone's own lines back to him.
var counting = files{"counting/resource.toml": "", "counting/main.lua": `
local n = 0
mp.every(500, function()
  n = n + 1
  for _, player in ipairs(mp.players.all()) do player:message("count " .. n) end
end)
mp.on("player_address_change", function(player, old, new) mp.log.info("MOVED") end)`}

// A NAT forgets its mapping every 20 s while the line loses up to 30 % each way: the session goes on, in both directions
// nothing is lost, doubled or out of order, and nobody joins or leaves. One player's port changes, the other's host.
//
// Of the 10 s until a timeout a client waits 3 before it asks; the chance that it then proves nothing for 7 s is about
// one in 7,000 with a loss of 30 %, and there are 360 changes: whoever has such a line is given more time.
func TestMovingUnderLoss(t *testing.T) {
	for loss, timeout := range map[float64]time.Duration{0: 10 * time.Second, 0.15: 10 * time.Second, 0.3: 20 * time.Second} {
		t.Run(fmt.Sprintf("loss %.0f %%", loss*100), func(t *testing.T) {
			inBubble(t, 7, counting, func(c *host.Config) {
				c.Connection.AddressChange, c.Connection.Timeout = session.AddressAny, timeout
				c.Chat.Burst, c.Chat.Interval = 100, 0
			}, func(b *bubble) {
				here := netip.MustParseAddr("203.0.113.5")
				networks := []*rebindable{{memoryClient: memoryClient{b.mem, here}}, {memoryClient: memoryClient{b.mem, netip.MustParseAddr("203.0.113.6")}}}
				var people []*person
				for i, n := range networks {
					people = append(people, b.dialOver(n, fmt.Sprint("Player", i), n.from, t.TempDir()))
				}
				b.eventually(10*time.Second, "both are in", func() bool { return b.host.Stats().Players == 2 })
				path := udp.Path{Loss: loss, Delay: 25 * time.Millisecond, Jitter: 10 * time.Millisecond, Duplicate: 0.02, Reorder: 0.05}
				b.mem.SetPath(path)
				changes := 0
				for end := time.Now().Add(movingTime); time.Now().Before(end); {
					for range 20 {
						time.Sleep(time.Second)
						for _, p := range people {
							p.speakNumbered()
						}
					}
					changes++
					elsewhere := netip.AddrFrom4([4]byte{198, 51, 100, byte(1 + changes%200)})
					for n, to := range []netip.Addr{here, elsewhere} {
						if _, err := b.mem.Rebind(networks[n].conn, to); err != nil {
							t.Fatal(err)
						}
					}
				}
				b.mem.SetPath(udp.Path{Delay: 25 * time.Millisecond})
				rest(15 * time.Second)
				if got := b.host.Stats(); got.Players != 2 || got.Moved < uint64(2*changes-2) {
					t.Errorf("%d players, %d moves for %d changes", got.Players, got.Moved, 2*changes)
				}
				for _, p := range people {
					p.countsThrough(t)
					if p.connected != 1 {
						t.Errorf("%s was connected %d times", p.name, p.connected)
					}
					b.judge.mu.Lock()
					if came := b.judge.lines[p.token()]; came != p.spoken || came == 0 {
						t.Errorf("%d of %d lines of %s came to the scripts", came, p.spoken, p.name)
					}
					b.judge.mu.Unlock()
				}
				if faults := b.judge.verdict(); faults != "" {
					t.Error(faults)
				}
				if n := strings.Count(b.logs.String(), "MOVED"); n < changes-1 || n > changes+1 {
					t.Errorf("player_address_change came %d times for %d changes of the host", n, changes)
				}
			})
		})
	}
}

// speakNumbered says the next numbered line.
func (p *person) speakNumbered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.c.Chat(fmt.Sprintf("%d %d", p.session.PlayerToken, p.spoken+1)) == nil {
		p.spoken++
	}
}

// countsThrough holds that the server's count came whole and in order.
func (p *person) countsThrough(t *testing.T) {
	t.Helper()
	last, n := 0, 0
	for line := range strings.SplitSeq(p.said(), "\n") {
		var count int
		if _, err := fmt.Sscanf(line, "count %d", &count); err != nil {
			continue
		}
		if last != 0 && count != last+1 {
			t.Fatalf("%s: %d comes after %d", p.name, count, last)
		}
		last = count
		n++
	}
	if n < int(movingTime.Seconds()) {
		t.Fatalf("%s has heard %d counts only", p.name, n)
	}
}
