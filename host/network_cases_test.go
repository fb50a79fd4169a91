package host_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/protocol"
)

// registry tells of every join and leave, and says of the handles of those who have left whether they are dead.
var registry = files{"registry/resource.toml": "", "registry/main.lua": `
local everybody, alive = {}, 0
mp.on("player_join", function(player)
  everybody[#everybody + 1] = player
  alive = alive + 1
  mp.chat.broadcast("JOIN " .. player.generation .. " " .. player.name)
end)
mp.on("player_leave", function(player, reason)
  alive = alive - 1
  mp.chat.broadcast("LEAVE " .. player.generation .. " " .. player.name)
end)
mp.command("census", { states = { "pre_spawn", "alive", "wasted" } }, function(player)
  local valid, answers = 0, 0
  for _, p in ipairs(everybody) do
    if p.valid then valid = valid + 1 end
    if pcall(function() return p.name end) then answers = answers + 1 end
  end
  player:message("census " .. alive .. " " .. valid .. " " .. answers .. " " .. mp.players.count())
end)`}

// Row 41: who drops hard and comes again within a second, fifty times, from the same port and from others. His leave comes
// before his join, he is somebody else, the old handle is dead, his place is free, and everything is heard once.
func TestHardDropAndRejoin(t *testing.T) {
	for name, same := range map[string]bool{"from the same port": true, "from another port": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 41, registry, func(c *host.Config) {
				c.Connection.Attempts, c.Server.MaxPlayers = 10_000, 3
				c.Chat.Burst, c.Chat.Interval = 1000, 0
			}, func(b *bubble) {
				b.mem.SetPath(udp.Path{Delay: 30 * time.Millisecond, Duplicate: 0.05, Reorder: 0.1})
				alice := b.enter("Alice")
				from := netip.AddrFrom4([4]byte{10, 0, 6, 1})
				port := &onePort{memoryClient: memoryClient{b.mem, from}}
				tokens := make(map[uint32]bool)
				var bobby *person
				for i := range 50 {
					bobby = b.again(func() *person {
						if same {
							return b.dialOver(port, "Bobby", from, b.t.TempDir())
						}
						return b.dial("Bobby", from, b.t.TempDir())
					})
					if tokens[bobby.token()] {
						t.Fatalf("generation %d comes twice", bobby.token())
					}
					tokens[bobby.token()] = true
					b.eventually(5*time.Second, "he has arrived and is seen", func() bool { return b.arrived(bobby) && alice.shows(bobby) })
					if err := bobby.c.Chat(fmt.Sprint(bobby.token(), " 1")); err != nil {
						t.Fatal(err)
					}
					b.hears(alice, fmt.Sprint("Bobby: ", bobby.token(), " 1"))
					if i < 49 {
						b.drop(bobby, from)
						time.Sleep(time.Duration(20*i) * time.Millisecond) // up to 1 s
					}
				}
				b.eventually(10*time.Second, "only he is left", func() bool {
					remotes := alice.c.Remotes()
					return len(remotes) == 1 && remotes[0].Token == bobby.token() && b.host.Stats().Players == 2
				})
				if err := alice.c.Command("census"); err != nil {
					t.Fatal(err)
				}
				b.hears(alice, "census 2 2 2 2")
				comesAndGoes(t, alice.said(), len(tokens))
				if faults := b.judge.verdict(); faults != "" {
					t.Error(faults)
				}
				b.join("Carol").leave() // the place is free
			})
		})
	}
}

// comesAndGoes holds that Bobby's joins and leaves are heard in turn, each once, and each of his lines once.
func comesAndGoes(t *testing.T, said string, lives int) {
	t.Helper()
	joins, leaves, lines := 0, 0, map[string]int{}
	last := ""
	for line := range strings.SplitSeq(said, "\n") {
		generation, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(line, "JOIN "), "LEAVE "), " ")
		switch {
		case strings.HasPrefix(line, "JOIN") && strings.HasSuffix(line, "Bobby"):
			joins++
			if last != "" {
				t.Errorf("%s joins before %s has left", generation, last)
			}
			last = generation
		case strings.HasPrefix(line, "LEAVE") && strings.HasSuffix(line, "Bobby"):
			leaves++
			if last != generation {
				t.Errorf("%s leaves, %s is here", generation, last)
			}
			last = ""
		case strings.HasPrefix(line, "Bobby: "):
			lines[line]++
		}
	}
	if joins != lives || leaves != lives-1 || len(lines) != lives {
		t.Errorf("%d joins, %d leaves and %d lines of %d lives", joins, leaves, len(lines), lives)
	}
	for line, n := range lines {
		if n != 1 {
			t.Errorf("%q is heard %d times", line, n)
		}
	}
}

// again dials until somebody is in: his name is in use as long as his former self may be alive.
func (b *bubble) again(dial func() *person) *person {
	b.t.Helper()
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		p := dial()
		for {
			time.Sleep(10 * time.Millisecond)
			if p.locked(func() bool { return p.connected > 0 }) {
				return p
			}
			select {
			case err := <-p.ended:
				p.cancel = nil
				var e *client.EndError
				if !errors.As(err, &e) || e.Reason != protocol.ReasonNameInUse && e.Reason != protocol.ReasonFull {
					b.t.Fatalf("he is not let in: %v", err)
				}
			default:
				continue
			}
			break
		}
	}
	b.t.Fatal("he is not let in for 15 s")
	return nil
}

// drop ends a client without a word.
func (b *bubble) drop(p *person, from netip.Addr) {
	b.mem.SetPathOf(from, serverHost, udp.Path{Loss: 1})
	p.leave()
	b.mem.SetPathOf(from, serverHost, udp.Path{Delay: 30 * time.Millisecond, Duplicate: 0.05, Reorder: 0.1})
}

// onePort is a network that gives every client the same socket, one after the other.
type onePort struct {
	memoryClient
	conn net.Conn
}

func (n *onePort) DialPacket(ctx context.Context, server string) (net.Conn, error) {
	if n.conn == nil {
		conn, err := n.memoryClient.DialPacket(ctx, server)
		if err != nil {
			return nil, err
		}
		n.conn = conn
	}
	return borrowed{n.conn}, n.conn.SetReadDeadline(time.Time{})
}

// borrowed is a socket that outlives its user.
type borrowed struct{ net.Conn }

func (c borrowed) Close() error { return c.SetReadDeadline(time.Now()) }
