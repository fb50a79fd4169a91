package host_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/protocol"
)

// shop is a resource with a view whose action counts.
var shop = files{
	"shop/resource.toml": "[client]\nfiles = [\"shop.html\", \"big.js\"]\n",
	"shop/shop.html":     "<h1>Shop</h1>",
	"shop/big.js":        strings.Repeat("// a long line of a script that nobody reads\n", 20_000),
	"shop/main.lua": `
mp.state.sold = mp.state.sold or 0
local shop = mp.views.define{ name = "shop", entry = "shop.html", actions = { buy = { item = "string(1..8)", amount = "integer(1..9)" }, close = {} } }
local function data() return { sold = mp.state.sold, generation = mp.resource.generation } end
mp.on("player_join", function(player) shop:open(player, { stock = data() }) end)
shop:on("buy", function(view, fields)
  mp.state.sold = mp.state.sold + fields.amount
  view:set("stock", data(), { raise = true })
end)
shop:on("closed", function(view, reason) mp.chat.broadcast("closed: " .. reason) end)
for _, player in ipairs(mp.players.all()) do shop:open(player, { stock = data() }) end
`}

func TestShopLivesThroughLossAndReloads(t *testing.T) {
	for _, loss := range []float64{0, 0.05, 0.15} {
		t.Run(fmt.Sprintf("loss %v", loss), func(t *testing.T) {
			inBubble(t, 1, shop, nil, func(b *bubble) {
				b.mem.SetPath(udp.Path{Loss: loss, Duplicate: loss, Reorder: loss, Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond})
				alice, bobby := b.join("Alice"), b.join("Bobby")
				for _, p := range []*person{alice, bobby} {
					b.eventually(30*time.Second, "the shop is open", func() bool { return strings.Contains(p.snapshot("stock"), `"sold":0`) })
				}
				item := protocol.ViewField{Name: "item", Type: protocol.FieldString, String: "camera"}
				for i := range 10 {
					alice.act("buy", item, protocol.ViewField{Name: "amount", Type: protocol.FieldNumber, Number: 1})
					want := fmt.Sprintf(`"sold":%d}`, i+1)
					b.eventually(20*time.Second, "Alice sees "+want, func() bool { return strings.Contains(alice.snapshot("stock"), want) })
				}
				for range 3 {
					if err := b.reload("shop"); err != nil {
						t.Fatal(err)
					}
				}
				for _, p := range []*person{alice, bobby} {
					b.eventually(60*time.Second, p.name+" has the last generation with what was sold", func() bool {
						return strings.Contains(p.snapshot("stock"), `{"generation":4,"sold":10}`) || p.snapshot("stock") == `{"generation":4,"sold":10}`
					})
				}
			})
		})
	}
}

func TestActionsThatBreakARuleNeverReachLua(t *testing.T) {
	inBubble(t, 1, shop, nil, func(b *bubble) {
		alice := b.join("Alice")
		b.eventually(10*time.Second, "the shop is open", func() bool { return alice.snapshot("stock") != "" })
		text := func(name, v string) protocol.ViewField {
			return protocol.ViewField{Name: name, Type: protocol.FieldString, String: v}
		}
		number := func(v float64) protocol.ViewField {
			return protocol.ViewField{Name: "amount", Type: protocol.FieldNumber, Number: v}
		}
		bad := [][]protocol.ViewField{
			{text("item", "camera")}, // amount is missing
			{text("item", "camera"), number(0)},
			{text("item", "camera"), number(1.5)},
			{text("item", "camera"), number(10)},
			{text("item", "a long name"), number(1)},
			{text("item", "camera"), text("amount", "1")},
			{text("item", "camera"), number(1), text("more", "x")},
		}
		for _, fields := range bad {
			alice.act("buy", fields...)
		}
		alice.act("steal")
		time.Sleep(2 * time.Second)
		alice.mu.Lock()
		revision := alice.revision
		alice.revision = 7 // one that the view never had
		alice.mu.Unlock()
		alice.act("buy", text("item", "camera"), number(1))
		alice.mu.Lock()
		alice.revision = revision
		alice.mu.Unlock()
		time.Sleep(2 * time.Second)
		if got := alice.snapshot("stock"); !strings.Contains(got, `"sold":0`) {
			t.Fatalf("the shop sold on a bad action: %s", got)
		}
		alice.act("buy", text("item", "camera"), number(2))
		b.eventually(5*time.Second, "a right action sells", func() bool { return strings.Contains(alice.snapshot("stock"), `"sold":2`) })
	})
}

func TestViewCloses(t *testing.T) {
	f := files{
		"shop/resource.toml": "[client]\nfiles = [\"shop.html\"]\n", "shop/shop.html": "<p>", "shop/main.lua": shop["shop/main.lua"],
		"board/resource.toml": "[client]\nfiles = [\"board.html\"]\n", "board/board.html": "<p>",
		"board/main.lua": `local board = mp.views.define{ name = "board", entry = "board.html" }
mp.command("board", { states = { "pre_spawn", "alive" } }, function(player) board:open(player) end)`,
	}
	inBubble(t, 1, f, nil, func(b *bubble) {
		alice := b.join("Alice")
		b.eventually(5*time.Second, "a view is open", func() bool { return alice.locked(func() bool { return alice.view != nil }) })
		alice.c.Command("board")
		b.hears(alice, "closed: replaced")
		b.reload("shop")
		b.eventually(5*time.Second, "the shop is back", func() bool {
			return alice.locked(func() bool { return alice.view != nil && alice.view.Generation == 3 })
		})
		alice.act("close")
		b.hears(alice, "closed: client")
		b.eventually(5*time.Second, "nothing is open", func() bool { return alice.locked(func() bool { return alice.view == nil }) })
	})
}

func TestATypoLeavesTheOldGenerationRunning(t *testing.T) {
	inBubble(t, 1, shop, nil, func(b *bubble) {
		alice := b.join("Alice")
		b.eventually(10*time.Second, "the shop is open", func() bool { return alice.snapshot("stock") != "" })
		b.write(files{"shop/main.lua": "local x = = 1\n"})
		err := b.reload("shop")
		if err == nil || !strings.Contains(err.Error(), "shop/main.lua:1:") {
			t.Fatalf("the reload of a typo gave %v", err)
		}
		alice.act("buy", protocol.ViewField{Name: "item", Type: protocol.FieldString, String: "x"},
			protocol.ViewField{Name: "amount", Type: protocol.FieldNumber, Number: 3})
		b.eventually(5*time.Second, "the old generation sells on", func() bool { return strings.Contains(alice.snapshot("stock"), `"sold":3`) })
	})
}

func TestChatReachesEveryoneOnceAndInOrder(t *testing.T) {
	inBubble(t, 7, files{}, func(c *host.Config) { c.Chat.Burst, c.Chat.Interval = 100, 0 }, func(b *bubble) {
		b.mem.SetPath(udp.Path{Loss: 0.1, Duplicate: 0.1, Reorder: 0.2, Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond})
		alice, bobby := b.join("Alice"), b.join("Bobby")
		var want []string
		for i := range 200 {
			text := fmt.Sprintf("line %d", i)
			want = append(want, "Alice: "+text)
			if err := alice.c.Chat(text); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond)
		}
		for _, p := range []*person{alice, bobby} {
			b.eventually(20*time.Second, p.name+" has all lines", func() bool { return strings.Contains(p.said(), "line 199") })
			if got := p.said(); got != strings.Join(want, "\n") {
				t.Fatalf("%s reads\n%s", p.name, got)
			}
		}
	})
}

func TestDownloadGoesOnInALaterSession(t *testing.T) {
	inBubble(t, 5, shop, nil, func(b *bubble) {
		b.mem.SetPath(udp.Path{Delay: 100 * time.Millisecond})
		cache, from := t.TempDir(), netip.MustParseAddr("10.0.3.1")
		p := b.dial("Alice", from, cache)
		b.eventually(20*time.Second, "a download has begun", func() bool {
			return p.locked(func() bool { return p.status["shop"].Received > 0 })
		})
		p.leave()
		again := b.dial("Alice", from, cache)
		b.eventually(60*time.Second, "all files are there", func() bool {
			return again.locked(func() bool { return again.status["shop"].State == client.ResourceReady })
		})
	})
}

func TestAClientThatStopsAckingIsThrownOutAlone(t *testing.T) {
	f := files{"spam/resource.toml": "", "spam/main.lua": `
mp.every(50, function() for _, p in ipairs(mp.players.all()) do p:message("tick") end end)`}
	inBubble(t, 9, f, nil, func(b *bubble) {
		alice, bobby := b.join("Alice"), b.join("Bobby")
		b.mem.SetPathTo(bobby.addr, serverHost, udp.Path{Loss: 1}) // Bobby hears, and is heard no more
		b.eventually(20*time.Second, "Bobby has left", func() bool {
			return alice.locked(func() bool { return strings.Contains(fmt.Sprint(alice.left), "Bobby") })
		})
		before := strings.Count(alice.said(), "tick")
		time.Sleep(2 * time.Second)
		if got := strings.Count(alice.said(), "tick"); got < before+30 {
			t.Fatalf("Alice read %d lines in 2 s", got-before)
		}
	})
}

func TestPlayerConnectMayRefuse(t *testing.T) {
	f := files{"door/resource.toml": "", "door/main.lua": `
mp.on("player_connect", function(attempt) if attempt.name == "Mallory" then return false, "not you" end end)`}
	inBubble(t, 1, f, nil, func(b *bubble) {
		b.join("Alice")
		p := b.dial("Mallory", netip.MustParseAddr("10.0.4.1"), t.TempDir())
		err := <-p.ended
		p.cancel = nil
		var end *client.EndError
		if !asEnd(err, &end) || end.Reason != protocol.ReasonRefused || end.Text != "not you" {
			t.Fatalf("Mallory ended with %v", err)
		}
	})
}

func TestKickTellsWhy(t *testing.T) {
	f := files{"door/resource.toml": "", "door/main.lua": `
mp.on("player_join", function(player) mp.wait(1000) player:kick("go home") end)`}
	inBubble(t, 1, f, nil, func(b *bubble) {
		p := b.join("Alice")
		err := <-p.ended
		p.cancel = nil
		var end *client.EndError
		if !asEnd(err, &end) || end.Reason != protocol.ReasonKicked || end.Text != "go home" {
			t.Fatalf("Alice ended with %v", err)
		}
	})
}

func TestClosingTellsThePlayers(t *testing.T) {
	inBubble(t, 1, files{}, nil, func(b *bubble) {
		p := b.join("Alice")
		b.shut()
		err := <-p.ended
		p.cancel = nil
		var end *client.EndError
		if !asEnd(err, &end) || end.Reason != protocol.ReasonServerClosing {
			t.Fatalf("Alice ended with %v", err)
		}
	})
}

func TestRepeatedErrorsAreCounted(t *testing.T) {
	f := files{"bad/resource.toml": "", "bad/main.lua": "mp.every(20, function()\n  local x = nil\n  x.y = 1\nend)"}
	inBubble(t, 1, f, nil, func(b *bubble) {
		time.Sleep(35 * time.Second)
		if n := b.logs.count("bad/main.lua:3: attempt"); n != 1 {
			t.Fatalf("the error stands %d times in the log:\n%s", n, b.logs.String())
		}
		if n := b.logs.count("repeated="); n < 2 || n > 4 {
			t.Fatalf("%d lines count it:\n%s", n, b.logs.String())
		}
	})
}

func TestPortTaken(t *testing.T) {
	inBubble(t, 1, files{}, nil, func(b *bubble) {
		cfg := host.Defaults()
		cfg.Dir = b.dir
		h, err := host.New(cfg, host.Options{Network: host.MemoryNetwork{Memory: b.mem, Host: serverHost}})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Run(t.Context()); err == nil {
			t.Fatal("two servers on one port")
		}
	})
}
