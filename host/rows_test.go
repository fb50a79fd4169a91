package host_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/protocol"
	"darqline/resources/watch"
)

// The rows of what went wrong elsewhere that whole servers and clients can show.

// Row 1: the bytes are those of the generation that was announced, also while the file is written anew under eight
// readers.
func TestBytesMatchTheHashOfTheirGeneration(t *testing.T) {
	body := func(n int) string { return strings.Repeat(fmt.Sprintf("version %7d\n", n), 200_000) }
	f := files{"shop/resource.toml": "[client]\nfiles = [\"big.js\"]\n", "shop/main.lua": "", "shop/big.js": body(0)}
	inBubble(t, 1, f, nil, func(b *bubble) {
		hashes := map[string]int{}
		for n := range 5 {
			hashes[fmt.Sprintf("%x", sha256.Sum256([]byte(body(n))))] = n
		}
		b.mem.SetPath(udp.Path{Delay: 5 * time.Millisecond})
		stop := make(chan struct{})
		var readers sync.WaitGroup
		var reads, last [8]int
		for i := range 8 {
			readers.Go(func() {
				from := netip.AddrFrom4([4]byte{10, 0, 5, byte(i + 1)})
				for {
					select {
					case <-stop:
						return
					default:
					}
					got, code := b.download(from, "/shop/big.js")
					if code != http.StatusOK { // cut, or asked in the moment between two generations
						time.Sleep(10 * time.Millisecond)
						continue
					}
					time.Sleep(700 * time.Millisecond)
					n, ok := hashes[fmt.Sprintf("%x", sha256.Sum256(got))]
					if !ok {
						t.Errorf("%d bytes of no version", len(got))
					}
					if n < last[i] {
						t.Errorf("version %d after %d", n, last[i])
					}
					reads[i], last[i] = reads[i]+1, n
				}
			})
		}
		for n := 1; n < 5; n++ {
			time.Sleep(3 * time.Second)
			b.write(files{"shop/big.js": body(n)})
			if err := b.reload("shop"); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(3 * time.Second)
		close(stop)
		readers.Wait()
		for i := range reads {
			if reads[i] < 3 || last[i] != 4 {
				t.Errorf("reader %d read %d times, the last was version %d", i, reads[i], last[i])
			}
		}
	})
}

// download GETs a client file; what was cut is code 0.
func (b *bubble) download(from netip.Addr, path string) ([]byte, int) {
	conn, err := b.mem.DialStream(context.Background(), from, netip.AddrPortFrom(serverHost, 7777))
	if err != nil {
		return nil, 0
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
	answer, err := io.ReadAll(conn)
	head, body, ok := strings.Cut(string(answer), "\r\n\r\n")
	var code int
	if _, scanErr := fmt.Sscanf(head, "HTTP/1.1 %d", &code); err != nil || !ok || scanErr != nil {
		return nil, 0
	}
	return []byte(body), code
}

// Row 4: five reloads in a second, with a client that acks 400 ms late and is downloading.
func TestFiveReloadsInASecond(t *testing.T) {
	inBubble(t, 4, shop, nil, func(b *bubble) {
		b.mem.SetPath(udp.Path{Delay: 200 * time.Millisecond})
		alice := b.dial("Alice", netip.MustParseAddr("10.0.1.1"), t.TempDir())
		b.eventually(20*time.Second, "a download has begun", func() bool {
			return alice.locked(func() bool { return alice.status["shop"].Received > 0 })
		})
		for n := range 5 {
			b.write(files{"shop/big.js": strings.Repeat(fmt.Sprintf("// number %d\n", n), 50_000)})
			if err := b.reload("shop"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond)
		}
		b.eventually(60*time.Second, "the last generation is open", func() bool {
			return alice.locked(func() bool {
				return alice.view != nil && alice.view.Generation == 6 && alice.status["shop"].State == client.ResourceReady
			})
		})
		if faults := b.judge.verdict(); faults != "" {
			t.Fatal(faults)
		}
		alice.locked(func() bool {
			for i, generation := range alice.removed {
				if i > 0 && generation <= alice.removed[i-1] {
					t.Errorf("removed in the order %v", alice.removed)
				}
			}
			return true
		})
	})
}

// Rows 6 and 9: exports are of the present instance; the folder of a running resource may go and come back.
func TestAFolderThatGoesAndComesBack(t *testing.T) {
	f := files{"bank/resource.toml": "", "bank/main.lua": `mp.exports.define{ generation = function() return mp.resource.generation end }`,
		"log/resource.toml": "", "log/main.lua": `
mp.on("resource_stop", function(r, why) print("STOP", r.name, why, r.state) end)
mp.on("resource_start", function(r) if r.name == "bank" then print("START", r.name, r.state, r.generation, mp.exports.bank.generation()) end end)`}
	inBubble(t, 1, f, nil, func(b *bubble) {
		logged := func(what string) {
			b.t.Helper()
			b.eventually(5*time.Second, "the log has "+what, func() bool { return b.logs.count(what) == 1 })
		}
		for generation := 3; generation <= 5; generation++ {
			if err := b.reload("bank"); err != nil {
				t.Fatal(err)
			}
			logged(fmt.Sprintf(`START\tbank\trunning\t%d\t%d`, generation, generation))
		}
		path := filepath.Join(b.dir, "resources", "bank")
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		if err := b.host.Resources().Stop("bank").Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		logged(`STOP\tbank\tstop\tstopped`)
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
		if err := b.host.Resources().Start("bank").Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		logged(`START\tbank\trunning\t6\t6`)
	})
}

// Row 23: joining in the tick of a reload gets the newest generation only.
func TestJoiningInTheTickOfAReload(t *testing.T) {
	inBubble(t, 1, shop, nil, func(b *bubble) {
		var joined []*person
		for i := range 8 {
			joined = append(joined, b.dial(fmt.Sprintf("Player%d", i), netip.AddrFrom4([4]byte{10, 0, 1, byte(i + 1)}), t.TempDir()))
			if err := b.reload("shop"); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range joined {
			b.eventually(30*time.Second, p.name+" has the last generation", func() bool {
				return p.locked(func() bool { return p.view != nil && p.view.Generation == 9 })
			})
		}
		if faults := b.judge.verdict(); faults != "" {
			t.Fatal(faults)
		}
	})
}

// Row 28: the input of a view that goes with its resource is free, and nothing of it stays open.
func TestAViewGoesWithItsResource(t *testing.T) {
	inBubble(t, 1, shop, nil, func(b *bubble) {
		alice := b.join("Alice")
		b.eventually(20*time.Second, "the shop is open", func() bool { return alice.locked(func() bool { return alice.view != nil }) })
		if err := b.host.Resources().Stop("shop").Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.hears(alice, "closed: stop")
		b.eventually(5*time.Second, "nothing is open", func() bool {
			return alice.locked(func() bool { return alice.view == nil && len(alice.status) == 0 })
		})
	})
}

// Row 42: ten thousand hellos that never answer their challenge, and fifty thousand datagrams of junk beside clients.
func TestFloodsOfStrangers(t *testing.T) {
	inBubble(t, 42, files{}, func(c *host.Config) { c.Chat.Burst, c.Chat.Interval = 100, 0 }, func(b *bubble) {
		alice, bobby := b.join("Alice"), b.join("Bobby")
		flood := func(n int, datagram func(i int) []byte) {
			for i := range n {
				from := netip.AddrFrom4([4]byte{172, 16, 0, byte(i)})
				conn, err := b.mem.DialPacket(from, netip.AddrPortFrom(serverHost, 7777))
				if err != nil {
					t.Fatal(err)
				}
				conn.Write(datagram(i))
				conn.Close()
				if i%100 == 99 {
					time.Sleep(2 * time.Millisecond) // 50,000 a second
				}
			}
		}
		flood(10_000, func(i int) []byte {
			hello, err := protocol.Append(nil, protocol.Header{}, &protocol.ClientHello{Version: protocol.Version, Nonce: uint64(i + 1), Name: "Mallory"})
			if err != nil {
				t.Fatal(err)
			}
			return hello
		})
		junk := make([]byte, 1300)
		flood(50_000, func(i int) []byte {
			for j := range 16 {
				junk[j] = byte(i*7 + j*i)
			}
			return junk[:i%1300]
		})
		for i := range 20 {
			if err := alice.c.Chat(fmt.Sprint("line ", i)); err != nil {
				t.Fatal(err)
			}
		}
		b.hears(bobby, "Alice: line 19")
		if s := b.host.Stats(); s.Players != 2 || s.Unconfirmed != 0 {
			t.Errorf("%d players, %d unconfirmed", s.Players, s.Unconfirmed)
		}
		if n := strings.Count(b.logs.String(), "\n"); n > 5 {
			t.Errorf("%d lines in the log", n)
		}
		carol := b.join("Carol") // an honest one gets in at once
		carol.leave()
	})
}

// Row 44: long ways and loss; a burst of 300 events arrives once and in order, and nobody is thrown out in ten minutes.
func TestLongRoundTrips(t *testing.T) {
	f := files{"burst/resource.toml": "", "burst/main.lua": `
mp.command("burst", { states = { "pre_spawn", "alive" } }, function(player)
  for i = 1, 300 do
    player:message("event " .. i)
    if i % 50 == 0 then mp.wait(1500) end
  end
end)`}
	for _, rtt := range []int{300, 600} {
		for _, loss := range []float64{0, 0.05, 0.1} {
			t.Run(fmt.Sprintf("%d ms, %.0f %%", rtt, loss*100), func(t *testing.T) {
				inBubble(t, 44, f, nil, func(b *bubble) {
					b.mem.SetPath(udp.Path{Delay: time.Duration(rtt/2) * time.Millisecond, Loss: loss, Jitter: 20 * time.Millisecond})
					alice := b.dial("Alice", netip.MustParseAddr("10.0.1.1"), t.TempDir())
					b.eventually(30*time.Second, "Alice is in", func() bool { return alice.locked(func() bool { return len(alice.rows) == 1 }) })
					if err := alice.c.Command("burst"); err != nil {
						t.Fatal(err)
					}
					b.eventually(2*time.Minute, "the burst is over", func() bool { return strings.Contains(alice.said(), "event 300") })
					var want []string
					for i := 1; i <= 300; i++ {
						want = append(want, fmt.Sprint("event ", i))
					}
					if got := alice.said(); got != strings.Join(want, "\n") {
						t.Fatalf("not each once and in order:\n%.2000s", got)
					}
					time.Sleep(10 * time.Minute) // in PreSpawn
					select {
					case err := <-alice.ended:
						alice.cancel = nil
						t.Fatalf("Alice was thrown out: %v", err)
					default:
					}
				})
			})
		}
	}
}

func TestAServerRunsOnce(t *testing.T) {
	inBubble(t, 1, files{}, nil, func(b *bubble) {
		if err := b.host.Run(t.Context()); err == nil {
			t.Fatal("a server ran twice at once")
		}
		b.shut()
		if err := b.host.Run(t.Context()); err == nil {
			t.Fatal("a server ran again after its end")
		}
	})
}

// The leaves of all players reach the scripts before their resources end.
func TestTheLastWords(t *testing.T) {
	f := files{"log/resource.toml": "", "log/main.lua": `
mp.on("player_leave", function(p, reason) print("LEAVE", p.name, reason) end)
mp.on("resource_stop", function(r, why) if r.name == "log" then print("STOP", r.name, why) end end)`}
	inBubble(t, 1, f, nil, func(b *bubble) {
		p := b.join("Alice")
		b.shut()
		<-p.ended
		p.cancel = nil
		log := b.logs.String()
		leave, stop := strings.Index(log, `LEAVE\tAlice\tserver_closing`), strings.Index(log, `STOP\tlog\tstop`)
		if leave < 0 || stop < leave {
			t.Fatalf("the leave comes before the end of the resources:\n%s", log)
		}
	})
}

func TestNothingIsLeft(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "resources", "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"resource.toml": "", "main.lua": "mp.every(10, function() mp.wait(5) end) mp.wait(1e6)"} {
		if err := os.WriteFile(filepath.Join(dir, "resources", "a", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg := host.Defaults()
	cfg.Dir, cfg.Server.Bind = dir, "127.0.0.1"
	memory := host.MemoryNetwork{Memory: udp.NewMemory(1), Host: serverHost}
	if _, err := host.New(cfg, host.Options{Network: memory}); err != nil { // and never Run
		t.Fatal(err)
	}
	for range 3 {
		h, err := host.New(cfg, host.Options{Network: memory, Watch: watch.Watch})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.Run(ctx) }()
		<-h.Resources().Started()
		other, err := host.New(cfg, host.Options{Network: memory})
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Run(ctx); err == nil { // its UDP port is taken
			t.Fatal("two servers on one port")
		}
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	tcp, err := memory.ListenStream("127.0.0.1:7777") // the files' port is taken: the game's is given back
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.New(cfg, host.Options{Network: memory})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Run(t.Context()); err == nil {
		t.Fatal("the files' port was taken")
	}
	if conn, err := memory.ListenPacket("127.0.0.1:7777"); err != nil {
		t.Fatalf("the game's port was not given back: %v", err)
	} else {
		conn.Close()
	}
	tcp.Close()
}

func TestReconfigure(t *testing.T) {
	f := files{"t/resource.toml": "", "t/main.lua": `
mp.command("name", { states = { "pre_spawn", "alive" } }, function(p) p:message(mp.server.name .. " " .. mp.server.port) end)
mp.command("stop", { states = { "pre_spawn", "alive" } }, function(p) local ok, e = pcall(mp.resources.get, "t") p:message(tostring(select(2, pcall(mp.resources.start, "nope")))) end)`}
	inBubble(t, 1, f, func(c *host.Config) { c.Server.Name = "Before" }, func(b *bubble) {
		alice := b.join("Alice")
		alice.c.Command("name")
		b.hears(alice, "Before 7777")
		cfg := host.Defaults()
		cfg.Dir = b.dir
		cfg.Server.Name, cfg.Server.Port, cfg.Chat.MaxLength, cfg.Server.Password = "After", 9999, 5, "secret"
		if err := b.host.Reconfigure(cfg); err != nil {
			t.Fatal(err)
		}
		alice.c.Command("name")
		b.hears(alice, "After 7777")
		alice.c.Chat("123456")
		alice.c.Chat("12345")
		b.hears(alice, "Alice: 12345")
		if strings.Contains(alice.said(), "123456") {
			t.Fatal("the new length does not hold")
		}
		p := b.dial("Bobby", netip.MustParseAddr("10.0.4.1"), t.TempDir())
		err := <-p.ended
		p.cancel = nil
		var end *client.EndError
		if !errors.As(err, &end) || end.Reason != protocol.ReasonPassword {
			t.Fatalf("Bobby ended with %v", err)
		}
		alice.c.Command("stop")
		b.hears(alice, `this needs the permission "resources"`)
		cfg.Permissions.Resources = map[string][]string{"nope": {"resources"}}
		if err := b.host.Reconfigure(cfg); err == nil || !strings.Contains(err.Error(), `"nope"`) {
			t.Fatalf("a configuration of what is not there: %v", err)
		}
		cfg.Permissions.Resources = map[string][]string{"t": {"resources"}}
		if err := b.host.Reconfigure(cfg); err != nil {
			t.Fatal(err)
		}
		alice.c.Command("stop")
		b.hears(alice, "\nnil") // it is asked, and there is no such resource
	})
}
