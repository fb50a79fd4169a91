package bots

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/watch"
)

// arena gives everybody a gun and half a life, so that a second or two see shots, deaths and respawns.
const arena = `
mp.on("player_spawn", function(player)
  player:give_weapon("m4", 5000)
  player.health = 10
end)
`

// watched is a real server on loopback.
type watched struct {
	addr   string
	mu     sync.Mutex
	events []string
	stop   func()
}

func serve(t *testing.T, main string) *watched {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "resources", "arena")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"resource.toml": "", "main.lua": main} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := host.Defaults()
	cfg.Dir, cfg.Server.Bind, cfg.Server.Port = dir, "127.0.0.1", free.Addr().(*net.TCPAddr).Port
	cfg.Players.RespawnDelay = 0
	free.Close()
	w := new(watched)
	h, err := host.New(cfg, host.Options{Watch: watch.Off, Event: func(e world.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if name := e.LuaName(); len(w.events) < 10_000 {
			w.events = append(w.events, name)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	select {
	case <-h.Resources().Started():
	case err := <-ended:
		t.Fatal(err)
	}
	w.addr = h.Addr().String()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(w.stop)
	return w
}

func (w *watched) saw(event string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.events, event)
}

func TestBotsPlayOnARealServer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	w := serve(t, arena)
	c := Defaults()
	c.Server, c.Count, c.Duration, c.Chat, c.Deaths = w.addr, 5, 6*time.Second, 10, 1
	var said []string
	c.Say = func(text string) { said = append(said, text) }
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	w.stop()
	if r.Players != 5 || r.Disconnects != 0 || r.Malformed != 0 || r.Teleports != 0 || len(r.Reasons) != 0 {
		t.Errorf("not all went well: %+v", r)
	}
	if r.Shots == 0 || r.Deaths == 0 || r.FramesReceived == 0 || r.FramesExpected < r.FramesReceived || r.RelayP50 == 0 {
		t.Errorf("nothing happened: %+v", r)
	}
	for _, event := range []string{"player_shoot", "player_damage", "player_death", "player_respawn_request", "player_chat"} {
		if !w.saw(event) {
			t.Errorf("the server saw no %s", event)
		}
	}
	if w.saw("player_violation") {
		t.Error("honest players failed a check ten times")
	}
	if !slices.Contains(said, "all 5 are in") || !slices.Contains(said, "measuring for 6s") {
		t.Errorf("it said %q", said)
	}
}

func TestAnEndBeforeAllAreIn(t *testing.T) {
	w := serve(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	c := Defaults()
	c.Server, c.Count = w.addr, 2
	c.Say = func(string) { cancel() } // "all 2 are in"
	if _, err := Run(ctx, c); err != ErrEarly {
		t.Errorf("the error is %v, want %v", err, ErrEarly)
	}
}

// sink is a group that takes everything.
type sink struct{ udp.Group }

func (sink) Send(int, []byte) {}

func TestAFrameCostsNoAllocation(t *testing.T) {
	c := Defaults()
	c.Count, c.Spread = 2, 45
	r := newRun(c, sink{})
	for i := range r.bots {
		b := &r.bots[i]
		b.init(r, i)
		b.admitted(0, &protocol.ServerHello{Token: 1, PlayerID: uint16(i), PlayerToken: uint32(i) + 10,
			State: protocol.HelloPreSpawn, MaxPlayers: 2, Timeout: 10_000})
		b.spawn(0, &protocol.SpawnInfo{Health: 100})
	}
	r.bots[1].pairs[0] = pair{token: 10}
	for i := range r.bots {
		r.bots[i].sent.begin()
	}
	var remote []byte
	now := time.Duration(0)
	step := func() {
		now += 40 * time.Millisecond
		r.bots[0].sendFrame(now)
		relayed, err := r.codec.Append(remote[:0], protocol.Header{}, &protocol.RemotePlayerSync{PlayerToken: 10, Seq: r.own.Seq, Frame: r.own.Frame})
		if err != nil {
			t.Fatal(err)
		}
		remote = relayed
		if !isFrame(relayed) {
			t.Fatalf("a frame of %d bytes is not known as one", len(relayed))
		}
		r.bots[1].receiveFrame(now, relayed, time.Now().UnixNano())
	}
	step()
	if n := testing.AllocsPerRun(1000, step); n > 1 { // one is the packet that the test makes
		t.Errorf("%v allocations a frame", n)
	}
	if r.expected == 0 || r.expected != r.received || r.malformed != 0 {
		t.Errorf("%d of %d frames counted, %d malformed", r.received, r.expected, r.malformed)
	}
}
