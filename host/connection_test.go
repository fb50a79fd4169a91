package host_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/session"
)

// rebindable is a network whose last socket the test can move behind another address.
type rebindable struct {
	memoryClient
	conn net.Conn
}

func (n *rebindable) DialPacket(ctx context.Context, server string) (conn net.Conn, err error) {
	n.conn, err = n.memoryClient.DialPacket(ctx, server)
	return n.conn, err
}

func TestScriptsHearOfAnotherAddress(t *testing.T) {
	f := files{"eye/resource.toml": "", "eye/main.lua": `
mp.on("player_address_change", function(player, old, new)
  mp.chat.broadcast(("%s: %s, %s, %s"):format(player.name, old:match("^[%d.]+"), new:match("^[%d.]+"), tostring(new == player.address)))
end)`}
	any := func(cfg *host.Config) { cfg.Connection.AddressChange = session.AddressAny }
	inBubble(t, 1, f, any, func(b *bubble) {
		witness := b.join("Witness")
		n := &rebindable{memoryClient: memoryClient{b.mem, netip.MustParseAddr("203.0.113.5")}}
		alice := b.dialOver(n, "Alice", n.from, t.TempDir())
		b.eventually(10*time.Second, "Alice is in", func() bool { return alice.locked(func() bool { return len(alice.rows) == 2 }) })
		for _, to := range []string{"203.0.113.5", "198.51.100.7"} { // another port alone tells nobody
			if _, err := b.mem.Rebind(n.conn, netip.MustParseAddr(to)); err != nil {
				t.Fatal(err)
			}
			rest(15 * time.Second)
		}
		b.hears(witness, "Alice: 203.0.113.5, 198.51.100.7, true")
		if said := witness.said(); strings.Count(said, "Alice: ") != 1 {
			t.Errorf("%s", said)
		}
		if n := alice.locked(func() bool { return alice.connected == 1 }); !n {
			t.Error("Alice has connected anew")
		}
	})
}

func TestScriptsGiveAnotherName(t *testing.T) {
	f := files{"names/resource.toml": "", "names/main.lua": `
mp.command("name", { "new:string", states = { "pre_spawn", "alive" } }, function(player, args)
  local ok, err = pcall(function() player.name = args.new end)
  mp.chat.broadcast(player.name .. " " .. tostring(err))
end)`}
	inBubble(t, 1, f, nil, func(b *bubble) {
		alice, bobby := b.join("Alice"), b.join("Bobby")
		for name, want := range map[string]string{"x": "player.name: a name has 3 to 24 characters", "bobby": `player.name: the name "bobby" is taken`,
			"Admin": `player.name: the name "Admin" is reserved`, "a/b/c": "player.name: a name has letters A-Z"} {
			alice.command("name " + name)
			b.hears(bobby, "Alice ")
			b.hears(bobby, want)
		}
		alice.command("name Tommy")
		b.hears(bobby, "Tommy nil")
		for _, p := range []*person{alice, bobby} {
			b.eventually(10*time.Second, "the list has the name", func() bool {
				return p.locked(func() bool { return p.rows[0].Name == "Tommy" })
			})
		}
		alice.c.Chat("Here I am")
		b.hears(bobby, "Tommy: Here I am")
		b.taken(newcomer{name: "Alice", from: netip.MustParseAddr("203.0.113.5")}) // it is free
	})
}
