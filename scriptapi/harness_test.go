package scriptapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/protocol/pacer"
	"darqline/resources"
)

// stage is the scripts' side with a world and a script loop that the test turns.
type stage struct {
	t     testing.TB
	rt    *Runtime
	world *world.World
	now   time.Duration
	queue []func()
	lines []string // of the log
	gen   uint32
	live  map[string]*resources.Generation
	known map[string]resources.State // by the resources' manager

	posted      map[string]int  // events of the world, by name
	permissions map[string]bool // "shop resources"
	server      fakeServer
	players     int
}

func newStage(t testing.TB) *stage {
	s := &stage{t: t, live: make(map[string]*resources.Generation), known: make(map[string]resources.State),
		permissions: make(map[string]bool), posted: make(map[string]int)}
	now := func() time.Duration { return s.now }
	s.world = world.New(world.Config{Now: now, Sink: s, Listens: func(event string) bool { return s.rt.Listens(event) },
		Chat:    world.Chat{MaxLength: 128, Burst: 1000, CommandBurst: 1000, CommandRate: 1000},
		Players: fieldRules, Relay: func([]world.Link, []byte) {}})
	s.rt = New(Config{
		World: s.world, Now: now, Logger: slog.New(&book{s: s}),
		Post:      func(f func()) error { s.queue = append(s.queue, f); return nil },
		Permitted: func(resource, permission string) bool { return s.permissions[resource+" "+permission] },
		Bans:      emptyBans(t),
		Server:    &s.server,
	})
	s.rt.SetResources(s)
	t.Cleanup(s.rt.Close)
	return s
}

// Post takes the world's events, and handles them as a host does.
func (s *stage) Post(e world.Event) bool {
	s.posted[e.LuaName()]++
	s.queue = append(s.queue, func() {
		if m, ok := e.(world.Passing); ok {
			moot := false
			s.do(func(tx world.Tx) { moot = m.Moot(tx) })
			if moot {
				return
			}
		}
		cancelled := s.rt.Dispatch(e)
		if c, ok := e.(world.Cancellable); ok {
			s.do(func(tx world.Tx) { tx.Settle(c, cancelled) })
		}
		if e, ok := e.(world.PlayerLeave); ok {
			s.do(func(tx world.Tx) { tx.Forget(e.Player) })
			s.rt.Forget(e.Player)
		}
	})
	return true
}

func (s *stage) do(f func(tx world.Tx)) {
	tx := s.world.Begin()
	defer tx.End()
	f(tx)
}

// settle turns the loop until nothing is left to do now.
func (s *stage) settle() {
	for {
		for len(s.queue) > 0 {
			f := s.queue[0]
			s.queue = s.queue[1:]
			f()
		}
		next, ok := s.rt.RunTimers(s.now)
		if len(s.queue) == 0 && (!ok || next > s.now) {
			return
		}
	}
}

// advance lets time pass, from one timer to the next.
func (s *stage) advance(d time.Duration) {
	end := s.now + d
	for s.settle(); ; s.settle() {
		next, ok := s.rt.RunTimers(s.now)
		if !ok || next > end {
			break
		}
		s.now = max(next, s.now)
	}
	s.now = end
	s.settle()
}

// bundle is a resource of one or more files; client files are those that end in .html.
func bundle(name string, files map[string]string) *resources.Bundle {
	b := &resources.Bundle{Name: name, Entry: "main.lua", Version: "1.0", Scripts: make(map[string][]byte), Settings: map[string]any{"money": int64(5)}}
	for path, text := range files {
		if strings.HasSuffix(path, ".html") {
			b.ClientFiles = append(b.ClientFiles, resources.ClientFile{Path: path, Body: []byte(text)})
		} else {
			b.Scripts[path] = []byte(text)
		}
	}
	return b
}

func (s *stage) load(b *resources.Bundle, state any) error {
	program, err := s.rt.Compile(b)
	if err != nil {
		return err
	}
	s.gen++
	if s.known[b.Name] != resources.Running { // a reload stays what it is
		s.known[b.Name] = resources.Starting
	}
	g := &resources.Generation{Bundle: b, Number: s.gen, Program: program}
	if err := s.rt.Start(g, state); err != nil {
		s.known[b.Name] = resources.Failed
		return err
	}
	s.live[b.Name], s.known[b.Name] = g, resources.Running
	s.rt.Changed(b.Name, resources.ResourceStarted)
	return nil
}

// start runs main.lua as a resource.
func (s *stage) start(name, main string) {
	s.t.Helper()
	s.startFiles(name, map[string]string{"main.lua": main, "shop.html": "<p>"})
}

func (s *stage) startFiles(name string, files map[string]string) {
	s.t.Helper()
	if err := s.load(bundle(name, files), nil); err != nil {
		s.t.Fatalf("%s does not start: %v", name, err)
	}
	s.settle()
}

func (s *stage) end(name string, reason resources.StopReason) any {
	g := s.live[name]
	delete(s.live, name)
	state := s.rt.Stop(g, reason)
	change := resources.ResourceStopping
	if reason == resources.StopReload {
		change = resources.ResourceReloading
	} else {
		s.known[name] = resources.Stopped
	}
	s.rt.Changed(name, change)
	return state
}

func (s *stage) stop(name string) {
	s.end(name, resources.StopStop)
	s.settle()
}

// reload replaces a resource as the manager does: the old one ends and the new one starts at once.
func (s *stage) reload(name, main string) {
	s.t.Helper()
	b := s.live[name].Bundle
	next := *b
	next.Scripts = map[string][]byte{"main.lua": []byte(main)}
	state := s.end(name, resources.StopReload)
	if err := s.load(&next, state); err != nil {
		s.t.Fatalf("%s does not reload: %v", name, err)
	}
	s.settle()
}

// List and so on make the stage the resources' manager.
func (s *stage) List() (list []resources.Status) {
	for name := range s.known {
		status, _ := s.Get(name)
		list = append(list, status)
	}
	return list
}

func (s *stage) Get(name string) (resources.Status, bool) {
	state, ok := s.known[name]
	return resources.Status{Name: name, State: state}, ok
}
func (s *stage) Start(string) *resources.Operation  { return nil }
func (s *stage) Stop(string) *resources.Operation   { return nil }
func (s *stage) Reload(string) *resources.Operation { return nil }
func (s *stage) Died(name string, _ uint32, _ error) *resources.Operation {
	s.queue = append(s.queue, func() { s.stop(name) })
	return nil
}

// took gives the log's lines since the last call.
func (s *stage) took() string {
	text := strings.Join(s.lines, "\n")
	s.lines = nil
	return text
}

// said is what Lua printed since the last call.
func (s *stage) said(want string) {
	s.t.Helper()
	s.settle()
	if got := s.took(); got != want {
		s.t.Fatalf("the log has\n%s\nwant\n%s", got, want)
	}
}

// fault runs code in a resource of its own and gives the error that it raises, without its position; "" for none.
func (s *stage) fault(code string) string {
	s.t.Helper()
	s.lines = nil
	s.start("t", "local ok, e = pcall(function() "+code+" end)\nprint(ok and 'fine' or 'FAULT ' .. tostring(e))")
	got := s.took()
	s.stop("t")
	s.lines = nil
	at := strings.Index(got, "FAULT ")
	if at < 0 {
		return ""
	}
	got = got[at+len("FAULT "):]
	return strings.TrimPrefix(got, "main.lua:1: ")
}

// book keeps the log: the message, and of the attributes what tests look at.
type book struct{ s *stage }

func (*book) Enabled(context.Context, slog.Level) bool { return true }
func (b *book) WithAttrs([]slog.Attr) slog.Handler     { return b }
func (b *book) WithGroup(string) slog.Handler          { return b }
func (b *book) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	if r.Level > slog.LevelInfo {
		line = r.Level.String() + " " + line
	}
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "resource", "generation", "at", "event", "traceback", "stack":
		default:
			line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		}
		return true
	})
	b.s.lines = append(b.s.lines, line)
	return nil
}

// guest is a player's connection: it keeps what he is sent.
type guest struct {
	s      *stage
	id     uint16
	name   string
	sent   []protocol.Packet
	player *world.Player
	kicked string
}

func (s *stage) join(name string) *guest {
	g := &guest{s: s, id: uint16(s.players), name: name}
	s.players++
	s.do(func(tx world.Tx) { tx.Admit(g); g.player = tx.Join(g) })
	s.settle()
	g.sent = nil
	return g
}

func (g *guest) leave() {
	g.s.do(func(tx world.Tx) { tx.Leave(g, protocol.ReasonQuit, "") })
	g.s.settle()
}

func (g *guest) command(text string) {
	g.s.do(func(tx world.Tx) { tx.ReceiveCommand(g.player, &protocol.ClientCommand{Text: text}) })
	g.s.settle()
}

func (g *guest) chat(text string) {
	g.s.do(func(tx world.Tx) { tx.ReceiveChat(g.player, &protocol.ClientChat{Text: text}) })
	g.s.settle()
}

func (g *guest) status(code protocol.ViewStatusCode) {
	g.s.do(func(tx world.Tx) {
		tx.ReceiveViewStatus(g.player, &protocol.ViewStatus{ViewID: tx.OpenViewOf(g.player).ID, Status: code})
	})
	g.s.settle()
}

func (g *guest) action(name string, fields ...protocol.ViewField) {
	count, raw, err := protocol.BuildFields(fields)
	if err != nil {
		g.s.t.Fatal(err)
	}
	g.s.do(func(tx world.Tx) {
		v := tx.OpenViewOf(g.player)
		tx.ReceiveViewAction(g.player, &protocol.ViewAction{ViewID: v.ID, Revision: tx.ViewRevision(v), Action: name, Count: count, Fields: raw})
	})
	g.s.settle()
}

// reads gives what the player's chat window got since the last call.
func (g *guest) reads() string {
	g.s.settle()
	var lines []string
	for _, p := range g.sent {
		switch p := p.(type) {
		case *protocol.ServerMessage:
			lines = append(lines, p.Text)
		case *protocol.ChatMessage:
			lines = append(lines, p.Name+": "+p.Text)
		}
	}
	g.sent = nil
	return strings.Join(lines, "\n")
}

func (g *guest) want(what, want string) {
	g.s.t.Helper()
	if got := g.reads(); got != want {
		g.s.t.Fatalf("%s: %s reads\n%s\nwant\n%s", what, g.name, got, want)
	}
}

func (g *guest) PlayerID() uint16         { return g.id }
func (g *guest) PlayerToken() uint32      { return uint32(g.id) + 1 }
func (g *guest) Name() string             { return g.name }
func (g *guest) Rename(name string) error { g.name = name; return nil }
func (g *guest) Serial() string           { return "" }
func (g *guest) Locale() string           { return "en" }
func (g *guest) Address() netip.AddrPort  { return netip.MustParseAddrPort("192.0.2.1:5000") }
func (g *guest) Connected() time.Duration { return 1500 * time.Millisecond }
func (g *guest) Unacked() int             { return 0 }
func (g *guest) Ended() bool              { return g.kicked != "" }
func (g *guest) Replace(pacer.Thing) bool { return false }
func (g *guest) SignedIn(account string) error {
	return g.Straight(&protocol.AuthAccepted{Account: account})
}
func (g *guest) Ping() (ping, jitter time.Duration, loss int, ok bool) {
	return 40 * time.Millisecond, 3 * time.Millisecond, 7, g.id != 1
}
func (g *guest) Straight(p protocol.Packet) error {
	if _, err := protocol.Append(nil, protocol.Header{}, p); err != nil {
		return err
	}
	g.sent = append(g.sent, p)
	return nil
}
func (g *guest) Pace(t pacer.Thing)               { g.sent = append(g.sent, t.Packets...) }
func (g *guest) Drop(any) (waited, begun bool)    { return false, false }
func (g *guest) DropWhere(func(any) bool)         {}
func (g *guest) Waits(any) bool                   { return false }
func (g *guest) Kick(r protocol.Reason, t string) { g.kicked = fmt.Sprint(r, " ", t) }

func itoa(n int) string { return fmt.Sprint(n) }

// noMoreGoroutines waits for those that are about to end.
func noMoreGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before+1 {
			return
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left", runtime.NumGoroutine()-before)
}
