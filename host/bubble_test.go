package host_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/watch"
)

// bubble is a whole server and its clients in one process, on a network in memory and a clock that stands still while
// anybody works.
type bubble struct {
	t       *testing.T
	mem     *udp.Memory
	dir     string
	host    *host.Host
	logs    logBook
	stop    func() error
	clients []*person
	rogues  []*rogue
	judge   *judge   // sees what server and clients tell
	lookout *lookout // sees what leaves the server
	cfg     host.Config
	hook    atomic.Pointer[func(world.Event)] // of the test
	options func(*host.Options)               // of the next start, changed by the test; nil: as they are
}

var serverHost = netip.MustParseAddr("10.0.0.1")

// files is a folder: path to content.
type files map[string]string

// inBubble runs a test with a server on a folder of resources.
func inBubble(t *testing.T, seed uint64, f files, change func(*host.Config), test func(b *bubble)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &bubble{t: t, mem: udp.NewMemory(seed), dir: dir, judge: newJudge(), lookout: newLookout()}
		b.write(f)
		cfg := host.Defaults()
		cfg.Dir = dir
		if change != nil {
			change(&cfg)
		}
		defer func() { // also where the test has given up: nobody stays in the bubble
			for _, p := range b.clients {
				p.leave()
			}
			for _, r := range b.rogues {
				r.close()
			}
			b.shut()
			if faults := b.lookout.verdict(); faults != "" {
				t.Errorf("somebody has learnt what is not in his scope:\n%s", faults)
			}
		}()
		b.start(cfg)
		test(b)
	})
}

// write puts files into the folder of resources; what is empty is removed.
func (b *bubble) write(f files) {
	b.t.Helper()
	for path, text := range f {
		full := filepath.Join(b.dir, "resources", path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bubble) start(cfg host.Config) {
	b.t.Helper()
	opt := host.Options{
		Logger: slog.New(slog.NewTextHandler(&b.logs, nil)), Watch: watch.Off,
		Network: b.lookout.over(host.MemoryNetwork{Memory: b.mem, Host: serverHost}), Event: b.event,
	}
	if b.options != nil {
		b.options(&opt)
	}
	h, err := host.New(cfg, opt)
	if err != nil {
		b.t.Fatal(err)
	}
	b.host, b.lookout.host, b.cfg = h, h, cfg
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	<-h.Resources().Started()
	b.stop = func() error { cancel(); return <-ended }
}

// event hears everything that scripts hear, before them.
func (b *bubble) event(e world.Event) {
	b.judge.event(e)
	b.lookout.event(e)
	if hook := b.hook.Load(); hook != nil {
		(*hook)(e)
	}
}

// listen has a test hear the events, on the script loop.
func (b *bubble) listen(hook func(world.Event)) { b.hook.Store(&hook) }

// rest lets time pass, and all come to rest.
func rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (b *bubble) shut() {
	b.t.Helper()
	if b.stop == nil {
		return
	}
	if err := b.stop(); err != nil {
		b.t.Errorf("the server ended with %v", err)
	}
	b.stop = nil
}

// reload reloads a resource and waits for its end.
func (b *bubble) reload(name string) error {
	return b.host.Resources().Reload(name).Wait(context.Background())
}

// person is a client with its notebook.
type person struct {
	client.NopHandler
	b      *bubble
	addr   netip.Addr
	name   string
	c      *client.Client
	cancel func()
	ended  chan error

	mu        sync.Mutex
	lines     []string
	spoken    int // how many numbered lines were said in this session
	session   client.Session
	connected int
	rows      map[uint16]client.Player
	view      *client.View
	views     int
	snapshots map[string]string
	revision  uint32
	closed    []client.CloseReason
	status    map[string]client.ResourceStatus
	removed   []uint32
	left      []string
	account   string                                // that he has signed in with
	frames    int                                   // of others, that were shown
	heard     map[string]int                        // of fights, by kind
	tells     func(player uint32, m client.Message) // what the client tells of messages; nil: nobody asks
}

// join brings a player in from an address of his own and waits until he is in.
func (b *bubble) join(name string) *person {
	b.t.Helper()
	p := b.dial(name, netip.AddrFrom4([4]byte{10, 0, 1, byte(len(b.clients) + 1)}), b.t.TempDir())
	b.eventually(10*time.Second, name+" is in", func() bool { return p.locked(func() bool { return p.connected > 0 && len(p.rows) > 0 }) })
	return p
}

func (b *bubble) dial(name string, from netip.Addr, cache string) *person {
	b.t.Helper()
	return b.dialOver(memoryClient{b.mem, from}, name, from, cache)
}

// dialOver is dial over a network of one's own.
func (b *bubble) dialOver(network client.Network, name string, from netip.Addr, cache string) *person {
	b.t.Helper()
	p := &person{b: b, addr: from, name: name, rows: make(map[uint16]client.Player), snapshots: make(map[string]string),
		status: make(map[string]client.ResourceStatus), heard: make(map[string]int), ended: make(chan error, 1)}
	if n, ok := network.(*cable); ok {
		p.tells = n.tells
	}
	c, err := client.New(client.Config{Server: serverHost.String() + ":7777", Name: name, CacheDir: cache,
		Network: network, Handler: p})
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.c, p.cancel = c, cancel
	go func() { p.ended <- c.Run(ctx) }()
	b.clients = append(b.clients, p)
	return p
}

// leave ends a client with a goodbye, once.
func (p *person) leave() {
	if p.cancel != nil {
		p.cancel()
		<-p.ended
		p.cancel = nil
	}
}

// memoryClient is the network of one client.
type memoryClient struct {
	mem  *udp.Memory
	from netip.Addr
}

func (n memoryClient) DialPacket(_ context.Context, server string) (net.Conn, error) {
	to, err := netip.ParseAddrPort(server)
	if err != nil {
		return nil, err
	}
	return n.mem.DialPacket(n.from, to)
}

func (n memoryClient) DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	return n.mem.DialStream(ctx, n.from, to)
}

func (p *person) locked(f func() bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f()
}

func (p *person) Connected(s client.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, p.connected, p.spoken = s, p.connected+1, 0
	clear(p.rows)
	p.b.judge.connected(p)
}

func (p *person) Message(m client.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, m.Text)
	if p.tells != nil {
		p.tells(p.session.PlayerToken, m)
	}
}

func (p *person) Chat(m client.Chat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, m.Name+": "+m.Text)
	p.b.judge.heard(p, m)
}

func (p *person) Player(row client.Player) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows[row.ID] = row
	p.b.judge.listed(p, row)
}

func (p *person) PlayerLeft(l client.PlayerLeft) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.rows, l.ID)
	p.b.judge.unlisted(p, l)
	p.left = append(p.left, fmt.Sprint(l.Name, " ", l.Reason))
}

func (p *person) Resource(s client.ResourceStatus) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.State == client.ResourceRemoved {
		p.b.judge.removed(p, s.Generation)
		p.removed = append(p.removed, s.Generation)
		if p.status[s.Name].Generation == s.Generation {
			delete(p.status, s.Name)
		}
		return
	}
	p.status[s.Name] = s
}

func (p *person) ViewOpened(v *client.View) {
	_ = p.c.ViewLoaded(v.ID) // the session may be over
	p.mu.Lock()
	defer p.mu.Unlock()
	p.view, p.views, p.snapshots, p.revision = v, p.views+1, make(map[string]string), 0
	p.b.judge.opened(p, v.ID, v.Generation)
}

func (p *person) ViewData(id uint32, topic string, revision uint32, json []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.b.judge.data(p, id, revision)
	p.snapshots[topic], p.revision = string(json), revision
}

func (p *person) ViewClosed(_ uint32, reason client.CloseReason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.view, p.revision = nil, 0
	p.closed = append(p.closed, reason)
}

// said is everything in the chat window, a line each.
func (p *person) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

func (p *person) snapshot(topic string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.snapshots[topic]
}

// act sends an action of the open page, on the revision that it has seen.
func (p *person) act(action string, fields ...protocol.ViewField) {
	p.b.t.Helper()
	p.mu.Lock()
	view, revision := p.view, p.revision
	p.mu.Unlock()
	if view == nil {
		p.b.t.Fatalf("%s has no view open", p.name)
	}
	if err := p.c.ViewAction(view.ID, revision, action, fields); err != nil {
		p.b.t.Fatal(err)
	}
}

// eventually lets virtual time pass until something is so, at most for a while.
func (b *bubble) eventually(within time.Duration, what string, is func() bool) {
	b.t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(10 * time.Millisecond) {
		if is() {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("after %v it is not so: %s\n%s", within, what, b.logs.String())
		}
	}
}

func (b *bubble) hears(p *person, what string) {
	b.t.Helper()
	b.eventually(10*time.Second, p.name+" reads "+what+"; has\n"+p.said(), func() bool { return strings.Contains(p.said(), what) })
}

// logBook keeps the server's log, as text.
type logBook struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logBook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBook) count(what string) int { return strings.Count(l.String(), what) }
