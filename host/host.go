// Package host is the server as a library: it wires connections, world, resources, scripts and client files together,
// owns the loops, and ends in order.
//
//	h, err := host.New(host.Defaults(), host.Options{})
//	if err != nil { ... }
//	err = h.Run(ctx) // until ctx ends
package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"darqline/host/auth"
	"darqline/host/bans"
	"darqline/host/files"
	"darqline/host/internal/wholefile"
	"darqline/host/session"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
	"darqline/protocol/lane"
	"darqline/resources"
	"darqline/resources/strict"
	"darqline/resources/watch"
	"darqline/scriptapi"
)

// Options are what an embedding program may hand in. The zero value is a server on the machine's own network.
type Options struct {
	Logger    *slog.Logger                // nil: nothing is logged
	Network   Network                     // nil: the machine's
	Watch     watch.Mode                  // "": watch.Watch
	Builtin   fs.FS                       // resources that stand in for an empty folder
	Notice    func(resources.Notice)      // what happened to resources; called on a goroutine of the server
	Event     func(world.Event)           // every event, before the scripts' handlers; called on the script loop
	Extend    func(*scriptapi.Extensions) // Lua functions of the program's own
	Version   string                      // of the program, for mp.server.version
	TellLocal bool                        // reloads and faults are told in the chat of players on loopback

	wall func() time.Time // the wall clock that bans and assertions go by; nil: time.Now. Tests let it jump
	disk wholefile.FS     // where the server writes its files; nil: the machine's. Tests let it fail
}

// Host is a server. It is made by New and run once.
type Host struct {
	live  atomic.Pointer[Config] // as Reconfigure and scripts last set it; what is not live stays as New got it
	opt   Options
	log   *slog.Logger
	start time.Time

	faults    faults
	strangers strangers

	auth     *auth.Checker
	bans     *bans.List
	sessions *session.Sessions
	world    *world.World
	files    *files.Server
	manager  *resources.Manager
	runtime  *scriptapi.Runtime
	script   *scriptLoop
	sync     *syncLoop
	out      outbox

	started  Config   // as New got it
	warned   []string // of the newest configuration
	scripted scripted // over what the file says
	closing  chan Closing

	ran       atomic.Bool
	listening chan struct{}
	addr      netip.AddrPort // of the game's socket
	filesAddr netip.AddrPort
}

// New builds the rooms and reads every resource; it starts none and opens no socket.
func New(cfg Config, opt Options) (*Host, error) {
	h := &Host{opt: opt, log: opt.Logger, start: time.Now(), listening: make(chan struct{}), closing: make(chan Closing, 1),
		started: cfg, scripted: newScripted(&cfg)}
	h.live.Store(&cfg)
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.opt.Network == nil {
		h.opt.Network = systemNetwork{h.log}
	}
	if h.opt.Watch == "" {
		h.opt.Watch = watch.Watch
	}
	if h.opt.wall == nil {
		h.opt.wall = time.Now
	}
	h.sync = newSyncLoop(h)
	h.faults.log = h.log
	h.strangers = newStrangers(h.log, h.now)
	h.script = &scriptLoop{log: h.log, faults: &h.faults, now: h.now, wake: make(chan struct{}, 1)}
	h.world = world.New(world.Config{Now: h.now, Sink: sink{h.script}, Chat: cfg.Chat.rules(), Permissions: cfg.Permissions.ofPlayers(), SignIn: cfg.Auth.rules(), Players: cfg.Players.rules(),
		Listens: h.listens, Relay: h.relay})
	if err := h.openBans(&cfg); err != nil {
		return nil, err
	}
	if err := h.openSignIn(&cfg); err != nil {
		return nil, err
	}
	h.sessions = session.New(h.sessionConfig(&cfg))
	h.files = files.New(files.Config{Logger: h.log})
	h.runtime = scriptapi.New(scriptapi.Config{
		World: h.world, Now: h.now, Post: h.script.Post, Logger: h.log,
		Permitted: func(resource, permission string) bool { return h.permitted(resource, permission) },
		Server:    server{h},
		Bans:      h.bans,
		Extend:    opt.Extend,
	})
	h.script.handle, h.script.timers = h.handle, h.runtime.RunTimers
	rc := ResourcesConfig(cfg)
	rc.Settings = func(name string) map[string]strict.Found { return h.live.Load().Resources[name] }
	rc.Builtin, rc.Runner, rc.Publisher = opt.Builtin, h.runtime, publisher{h}
	rc.Post, rc.Watch, rc.Logger, rc.Notice = h.script.Post, h.opt.Watch, h.log, h.notice
	var err error
	if h.manager, err = resources.New(rc); err != nil {
		return nil, err
	}
	if err := cfg.CheckNames(h.resourceNames()); err != nil {
		return nil, err
	}
	h.runtime.SetResources(h.manager)
	h.warn(&cfg)
	return h, nil
}

// listens says whether anybody hears an event of the world.
func (h *Host) listens(event string) bool { return h.opt.Event != nil || h.runtime.Listens(event) }

// relay sends a frame on.
func (h *Host) relay(to []world.Link, b []byte) { session.Relay(h.sessions, to, b) }

// ResourcesConfig is what the configuration says of resources.
func ResourcesConfig(cfg Config) resources.Config {
	dir := cfg.Server.ResourcesDir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cfg.Dir, dir)
	}
	return resources.Config{Dir: dir, Start: cfg.Server.Start,
		Settings: func(name string) map[string]strict.Found { return cfg.Resources[name] }}
}

func (h *Host) sessionConfig(cfg *Config) session.Config {
	c := cfg.Connection
	resend := lane.Gap
	if c.Resend == "given" {
		resend = lane.Given
	}
	return session.Config{
		ServerName: cfg.Server.Name, MaxPlayers: cfg.Server.MaxPlayers, Password: cfg.Server.Password,
		FilesPort: uint16(cfg.filesPort()), Keepalive: c.Keepalive, Timeout: c.Timeout, Unconfirmed: c.Unconfirmed,
		PerHost: c.PerHost, Attempts: c.Attempts, Challenges: c.Challenges, AddressChange: c.AddressChange, Resend: resend, Names: cfg.Names, Banned: h.banned, Query: cfg.asked(),
		SignIn:        func() bool { return len(cfg.Auth.Providers) > 0 },
		SignInTimeout: cfg.Auth.Timeout, SignInAttempts: cfg.Auth.Attempts,
		Now: h.now, Send: h.out.add, Wake: h.sync.poke, Logger: h.log,
	}
}

func (h *Host) resourceNames() (names []string) {
	for _, s := range h.manager.List() {
		names = append(names, s.Name)
	}
	return names
}

// Reconfigure takes over the live keys of a configuration while the server runs (docs/hosts.md says which those are).
// Connections keep the times that they were told. One that speaks of resources that are not there changes nothing.
func (h *Host) Reconfigure(cfg Config) error {
	if err := cfg.CheckNames(h.resourceNames()); err != nil {
		return err
	}
	if err := h.auth.SetProviders(cfg.providers()); err != nil {
		return err
	}
	h.scripted.mu.Lock()
	defer h.scripted.mu.Unlock()
	h.tellChanges(&cfg)
	old, next := h.scripted.file, &cfg
	next.Server.MaxPlayers, next.Server.Port, next.FilesPort = old.Server.MaxPlayers, old.Server.Port, old.FilesPort
	h.scripted.read(next)
	h.use(h.scripted.over())
	tx := h.world.Begin()
	defer tx.End()
	tx.ReadChat(old.Chat.rules(), next.Chat.rules())
	tx.SetPermissions(next.Permissions.ofPlayers())
	tx.SetSignIn(next.Auth.rules())
	return nil
}

// use lets the server run with a configuration from now on.
func (h *Host) use(cfg *Config) {
	h.live.Store(cfg)
	h.sessions.Update(func(c *session.Config) { *c = h.sessionConfig(cfg) })
}

func (c *Config) filesPort() int {
	if c.FilesPort != 0 {
		return c.FilesPort
	}
	return c.Server.Port
}

func (h *Host) permitted(resource, permission string) bool {
	for _, name := range h.live.Load().Permissions.Resources[resource] {
		if name == permission {
			return true
		}
	}
	return false
}

// now is the time since the server was made.
func (h *Host) now() time.Duration { return time.Since(h.start) }

// Run opens the sockets, starts the resources in order and serves until ctx ends, or Close or a script ends it. A port that cannot be had is an error
// before anything starts. On the way out the players are told, player_leave reaches the scripts, the resources stop, and
// every goroutine has ended when Run returns.
func (h *Host) Run(ctx context.Context) error {
	if h.ran.Swap(true) {
		return errors.New("this server has run already: make another with New")
	}
	conn, listener, err := h.open(h.live.Load())
	if err != nil {
		return err
	}
	close(h.listening)

	var group, scripts sync.WaitGroup
	failed := make(chan error, 3)
	loops, stopLoops := context.WithCancel(context.Background())
	defer stopLoops()
	lives, stopLives := context.WithCancel(context.Background())
	defer stopLives()
	scriptsUntil, stopScripts := context.WithCancel(context.Background())
	defer stopScripts()

	scripts.Go(func() { h.script.run(scriptsUntil) })
	group.Go(func() { h.sync.clock(loops) })
	group.Go(func() { h.every(loops, bansLook, "reading the bans", h.refreshBans) })
	group.Go(func() { h.every(loops, linesSummed, "the log", func() { h.script.Post(h.strangers.sum) }) })
	group.Go(func() { h.auth.Run(loops) })
	group.Go(func() {
		if err := h.sync.read(conn); !errors.Is(err, net.ErrClosed) {
			failed <- fmt.Errorf("the game's socket failed: %w", err)
		}
	})
	group.Go(func() {
		if err := h.files.Serve(loops, listener); err != nil && loops.Err() == nil {
			failed <- fmt.Errorf("the file server failed: %w", err)
		}
	})
	managed := make(chan error, 1)
	go func() { managed <- h.manager.Run(lives) }()

	var result error
	var closing Closing
	select {
	case <-ctx.Done():
	case result = <-failed:
	case closing = <-h.closing:
		h.log.Info("the server closes: a script or the embedding program wants it", with([]any{"restart", closing.Restart}, "text", closing.Text)...)
		if closing.Restart {
			result = ErrRestart
		}
	}

	h.goodbye(closing)
	stopLives()
	if err := <-managed; result == nil && err != nil && !errors.Is(err, context.Canceled) {
		result = err
	}
	stopScripts()
	scripts.Wait()
	h.runtime.Close()
	stopLoops()
	conn.Close()
	listener.Close()
	group.Wait()
	return result
}

// open opens the two sockets. Where one of them cannot be had, none is open.
func (h *Host) open(cfg *Config) (udp.Conn, net.Listener, error) {
	bind := strings.Trim(cfg.Server.Bind, "[]")
	conn, err := h.opt.Network.ListenPacket(net.JoinHostPort(bind, strconv.Itoa(cfg.Server.Port)))
	if err != nil {
		return nil, nil, err
	}
	listener, err := h.opt.Network.ListenStream(net.JoinHostPort(bind, strconv.Itoa(cfg.filesPort())))
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	h.out.conn = conn
	h.log.Debug("the game's socket is open", "runs_on", conn.Mode())
	h.addr = conn.LocalAddr()
	if a, ok := listener.Addr().(*net.TCPAddr); ok {
		h.filesAddr = a.AddrPort()
	}
	return conn, listener, nil
}

// closingTime is how long KickNotify has to get through (page Connection, Leaving).
const closingTime = 300 * time.Millisecond

// goodbye tells the players that the server closes and gives the word time to arrive.
func (h *Host) goodbye(c Closing) {
	stats := h.sessions.Stats()
	anybody := stats.Players+stats.SigningIn > 0
	h.sessions.Close(h.now(), c.Text, c.Seconds)
	h.sync.settle() // so that the leaves stand before the ends of the resources
	if anybody {
		time.Sleep(closingTime)
	}
}

// Listening is closed when the sockets are open; from then on Addr and FilesAddr are known.
func (h *Host) Listening() <-chan struct{} { return h.listening }

// Addr is the game's UDP address, FilesAddr the TCP address of the client files.
func (h *Host) Addr() netip.AddrPort      { return h.addr }
func (h *Host) FilesAddr() netip.AddrPort { return h.filesAddr }

// Resources leads the resources: list, start, stop, reload.
func (h *Host) Resources() *resources.Manager { return h.manager }

// World is the state of the game. Whoever takes its permit gives it back soon: the loops wait for it.
func (h *Host) World() *world.World { return h.world }

// Stats counts packets, bytes and connections.
func (h *Host) Stats() session.Stats { return h.sessions.Stats() }

// Lanes adds up what the lanes to the players have done.
func (h *Host) Lanes() session.Lanes { return h.sessions.Lanes() }

// Command runs a resource's command as the console and waits until its handler has ended or waits. known is false where
// no resource has such a command; reply says what was wrong with the call.
func (h *Host) Command(ctx context.Context, text string) (known bool, reply string, err error) {
	done := make(chan struct{})
	err = h.script.Post(func() {
		defer close(done)
		known, reply = h.runtime.ConsoleCommand(text)
	})
	if err != nil {
		return false, "", err
	}
	select {
	case <-done:
		return known, reply, nil
	case <-ctx.Done():
		return false, "", ctx.Err()
	}
}

// handle runs an event's handlers and what follows from them, on the script loop.
func (h *Host) handle(e world.Event) {
	switch e := e.(type) {
	case world.PlayerLeave:
		defer h.forget(e.Player) // whatever a handler does
	case connecting:
		h.tell(e)
		h.decide(e.attempt)
		return
	case refused:
		h.tellLives(e)
		return
	case world.PlayerAccount:
		h.tell(e)
		h.decideAccount(e)
		return
	}
	if m, ok := e.(world.Passing); ok && h.moot(m) {
		return
	}
	h.tell(e)
	cancelled := h.dispatch(e)
	if c, ok := e.(world.Cancellable); ok {
		tx := h.world.Begin()
		defer tx.End()
		tx.Settle(c, cancelled)
	}
}

// moot says whether an event is settled before its handlers could have run.
func (h *Host) moot(e world.Passing) bool {
	tx := h.world.Begin()
	defer tx.End()
	return e.Moot(tx)
}

// tell lets the log and the embedding program know first. The log is written on the script loop: a terminal that is held
// up must not hold up frames.
func (h *Host) tell(e world.Event) {
	h.tellLives(e)
	if h.opt.Event != nil {
		h.program(e)
	}
}

// program tells the embedding program of an event; a fault of its own keeps nothing from the scripts.
func (h *Host) program(e world.Event) {
	defer h.faults.recovered("the program that embeds the server")
	h.opt.Event(e)
}

// dispatch runs the scripts' handlers. Where that fails, nothing is cancelled.
func (h *Host) dispatch(e world.Event) (cancelled bool) {
	defer h.faults.recovered("handlers")
	return h.runtime.Dispatch(e)
}

// decide asks the scripts whether somebody may join.
func (h *Host) decide(a *session.Attempt) {
	refused, text := h.runtime.PlayerConnect(scriptapi.Attempt{Name: a.Name, Address: a.Address.String(),
		Serial: a.Serial, Locale: a.Locale, Reconnect: a.Reconnect}, h.live.Load().Connection.FailClosed)
	h.sessions.Decide(a, session.Verdict{Refuse: refused, Text: text})
}

// forget ends a player's handles and frees his id: the handlers of player_leave are through.
func (h *Host) forget(p *world.Player) {
	tx := h.world.Begin()
	link := tx.Forget(p)
	tx.End()
	h.runtime.Forget(p)
	if c, ok := link.(*session.Conn); ok {
		h.sessions.Release(c)
	}
}

// publisher takes client files to HTTP first, then tells the players.
type publisher struct{ h *Host }

func (p publisher) Publish(g *resources.Generation) {
	b := g.Bundle
	if len(b.ClientFiles) == 0 {
		return
	}
	m := &world.Manifest{Name: b.Name, Generation: g.Number}
	served := make([]files.File, len(b.ClientFiles))
	for i, f := range b.ClientFiles {
		served[i] = files.File{Path: f.Path, Body: f.Body}
		m.Files = append(m.Files, protocol.FileEntry{Path: f.Path, Size: uint32(len(f.Body)), SHA256: f.Hash})
	}
	p.h.files.Publish(b.Name, g.Number, served)
	tx := p.h.world.Begin()
	defer tx.End()
	tx.Publish(m)
}

func (p publisher) Retract(name string, generation uint32) {
	p.h.files.Remove(name, generation)
	tx := p.h.world.Begin()
	defer tx.End()
	tx.Retract(name, generation)
}

// notice passes on what happened to a resource, and tells authors who play on this machine.
func (h *Host) notice(n resources.Notice) {
	if h.opt.Notice != nil {
		h.opt.Notice(n)
	}
	if !h.opt.TellLocal {
		return
	}
	for _, line := range noticeLines(n) {
		tx := h.world.Begin()
		tx.TellLocal(line.text, line.kind)
		tx.End()
	}
}

type noticeLine struct {
	text string
	kind protocol.MessageKind
}

// noticeLines are a notice in words, as play shows them.
func noticeLines(n resources.Notice) []noticeLine {
	const mark = "[darqline] "
	switch n.Kind {
	case resources.NoticeReloaded:
		return []noticeLine{{fmt.Sprintf("%s%s reloaded: generation %d, %d ms", mark, n.Resource, n.Generation,
			n.Took.Milliseconds()), protocol.MessageSuccess}}
	case resources.NoticeStarted:
		return []noticeLine{{fmt.Sprintf("%s%s started: generation %d", mark, n.Resource, n.Generation), protocol.MessageSuccess}}
	case resources.NoticeMended:
		return []noticeLine{{mark + n.Resource + " mended: its files are again those that run", protocol.MessageSuccess}}
	case resources.NoticeFailed, resources.NoticeKept:
		var lines []noticeLine
		for _, line := range strings.Split(fmt.Sprint(n.Err), "\n") {
			lines = append(lines, noticeLine{mark + line, protocol.MessageError})
		}
		return lines[:min(len(lines), 8)]
	}
	return nil
}
