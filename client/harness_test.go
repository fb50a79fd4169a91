package client

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"darqline/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	serverAddress = "203.0.113.7:7777"
	filesPort     = 7788
	sessionToken  = 0xFEED
)

// socket is the client's end of a datagram path in memory.
type socket struct {
	toServer, toClient chan []byte
	closed             chan struct{}
	once               sync.Once
	remote             netip.AddrPort
	mu                 sync.Mutex
	writeErr           error // of every write, while set
}

func (s *socket) Read(b []byte) (int, error) {
	select {
	case d := <-s.toClient:
		return copy(b, d), nil
	case <-s.closed:
		return 0, net.ErrClosed
	}
}

func (s *socket) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writeErr != nil {
		return 0, s.writeErr
	}
	select {
	case s.toServer <- slices.Clone(b):
		return len(b), nil
	case <-s.closed:
		return 0, net.ErrClosed
	}
}

func (s *socket) failWrites(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeErr = err
}

func (s *socket) Close() error                     { s.once.Do(func() { close(s.closed) }); return nil }
func (s *socket) LocalAddr() net.Addr              { return &net.UDPAddr{} }
func (s *socket) RemoteAddr() net.Addr             { return net.UDPAddrFromAddrPort(s.remote) }
func (s *socket) SetDeadline(time.Time) error      { return nil }
func (s *socket) SetReadDeadline(time.Time) error  { return nil }
func (s *socket) SetWriteDeadline(time.Time) error { return nil }

// recorder is a Handler that writes down what it hears, one line each.
type recorder struct {
	NopHandler
	mu    sync.Mutex
	lines []string
	view  *View
	on    func(line string) // called on the client's loop
}

func (r *recorder) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	r.mu.Lock()
	r.lines = append(r.lines, line)
	on := r.on
	r.mu.Unlock()
	if on != nil {
		on(line)
	}
}

// take gives the lines so far that begin with one of the prefixes, and forgets all lines.
func (r *recorder) take(prefixes ...string) []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, line := range r.lines {
		if len(prefixes) == 0 || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) }) {
			list = append(list, line)
		}
	}
	r.lines = nil
	return list
}

func (r *recorder) opened() *View {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.view
}

func (r *recorder) Connected(s Session)     { r.note("connected %d %s", s.PlayerID, s.Name) }
func (r *recorder) SignedIn(account string) { r.note("signed in %s", account) }
func (r *recorder) Link(l Link)             { r.note("link %s", [...]string{"up", "silent", "anew"}[l]) }
func (r *recorder) Ping(p Ping)             { r.note("ping %v %d", p.RTT, p.Loss) }
func (r *recorder) Message(m Message) {
	r.note("message %d %q %v %v", m.Kind, m.Text, m.Markup, m.Clear)
}
func (r *recorder) Chat(c Chat) { r.note("chat %d %s: %s", c.PlayerID, c.Name, c.Text) }
func (r *recorder) Player(p Player) {
	r.note("player %d/%d %s %v %d", p.ID, p.Token, p.Name, p.Listed, p.Ping)
}
func (r *recorder) PlayerLeft(p PlayerLeft) {
	r.note("left %d/%d %s %v", p.ID, p.Token, p.Name, p.Reason)
}
func (r *recorder) PlayerList(l PlayerList) { r.note("list %s %d", l.Title, len(l.Columns)) }
func (r *recorder) Frame(id uint16, token uint32, f *protocol.Frame) {
	r.note("frame %d/%d %g", id, token, f.Position.X)
}
func (r *recorder) Self(s Self) { r.note("self %v %g/%g", s.State, s.Health, s.Armor) }
func (r *recorder) Placed(p Placement) {
	r.note("placed %d epoch %d at %g dimension %d", p.Why, p.Epoch, p.Position.X, p.Dimension)
}
func (r *recorder) Vitals(v VitalsChange) {
	r.note("vitals %v +%g +%g", v.Cause, v.GaveHealth, v.GaveArmor)
}
func (r *recorder) Camera(p protocol.SetCamera) { r.note("camera %d fade %d", p.Mode, p.Fade) }
func (r *recorder) Remote(p Remote) {
	state := "gone"
	switch {
	case p.Shown && p.Dead:
		state = "dead"
	case p.Shown:
		state = "shown"
	}
	r.note("remote %d/%d %s", p.ID, p.Token, state)
}
func (r *recorder) Wasted(p protocol.PlayerWasted) {
	r.note("wasted %d/%d by %d %v", p.PlayerID, p.PlayerToken, p.KillerToken, p.Cause)
}
func (r *recorder) Shot(p protocol.RemoteWeaponShot) {
	r.note("shot %d/%d #%d", p.PlayerID, p.PlayerToken, p.Seq)
}
func (r *recorder) Projectile(p protocol.RemoteProjectileCreate) {
	r.note("projectile %d/%d #%d %v", p.PlayerID, p.PlayerToken, p.ProjectileID, p.Weapon)
}
func (r *recorder) Satchels(s Satchels) {
	r.note("satchels %d/%d %d", s.PlayerID, s.PlayerToken, len(s.Positions))
}
func (r *recorder) StealthKill(p protocol.RemoteStealthKill) {
	r.note("stealth kill %d %d", p.AttackerToken, p.VictimToken)
}
func (r *recorder) Explosion(p protocol.CreateExplosion) { r.note("explosion %v", p.Type) }
func (r *recorder) Fire(p protocol.CreateFire)           { r.note("fire %d", p.FireID) }
func (r *recorder) Extinguished(p protocol.ExtinguishFire) {
	r.note("extinguished %d within %g", p.FireID, p.Radius)
}
func (r *recorder) Rules(x Rules) { r.note("rules %g %d", x.Multipliers.Classes[0], len(x.Weapons)) }
func (r *recorder) Resource(s ResourceStatus) {
	line := fmt.Sprintf("resource %s/%d %v", s.Name, s.Generation, s.State)
	switch s.State {
	case ResourceDownloading:
		line += fmt.Sprintf(" %d/%d", s.Received, s.Total)
	case ResourceFailed:
		line += " " + string(s.Reason)
	}
	r.note("%s", line)
}
func (r *recorder) ViewOpened(v *View) {
	r.mu.Lock()
	r.view = v
	r.mu.Unlock()
	r.note("view %d opened %s/%d %s", v.ID, v.Resource, v.Generation, v.Entry)
}
func (r *recorder) ViewData(id uint32, topic string, revision uint32, json []byte) {
	r.note("view %d data %s@%d %s", id, topic, revision, json)
}
func (r *recorder) ViewClosed(id uint32, reason CloseReason) { r.note("view %d closed %s", id, reason) }

// stage is a client in a bubble and the test's own end of its network: a scripted server.
type stage struct {
	*recorder
	t       *testing.T
	client  *Client
	remote  netip.AddrPort
	sockets []*socket // each that was dialed
	sent    chan []byte
	packets []protocol.Packet // drained, not yet received by the test
	headers []protocol.Header
	event   uint32 // the last one sent on the lane
	got     uint32 // the last one taken from the client's lane
	deaf    bool   // the client's events are not acknowledged
	nonce   uint64 // of the last hello that was answered

	web    *web
	stream func(ctx context.Context, to netip.AddrPort) (net.Conn, error)
	cancel context.CancelFunc
	done   chan error
	ended  bool
}

// newStage makes a client that is not running yet. Use it in a synctest bubble.
func newStage(t *testing.T, change ...func(*Config)) *stage {
	t.Helper()
	st := &stage{recorder: &recorder{}, t: t, remote: netip.MustParseAddrPort(serverAddress), sent: make(chan []byte, 8192)}
	c := Config{Server: serverAddress, Name: "Carl", CacheDir: t.TempDir(), NoSpawn: true, Network: st, Handler: st.recorder}
	for _, f := range change {
		f(&c)
	}
	client, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	st.client = client
	return st
}

func (st *stage) DialPacket(context.Context, string) (net.Conn, error) {
	s := &socket{toServer: st.sent, toClient: make(chan []byte, 8192), closed: make(chan struct{}), remote: st.remote}
	st.sockets = append(st.sockets, s)
	return s, nil
}

func (st *stage) DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	if st.stream == nil {
		return nil, fmt.Errorf("no stream network in this test")
	}
	return st.stream(ctx, to)
}

// start runs the client until the test ends.
func (st *stage) start() {
	ctx, cancel := context.WithCancel(context.Background())
	st.cancel, st.done, st.ended = cancel, make(chan error, 1), false
	st.event, st.got = 0, 0
	go func() { st.done <- st.client.Run(ctx) }()
	synctest.Wait()
}

// stop ends the client and gives Run's error.
func (st *stage) stop() error {
	if st.ended {
		return nil
	}
	st.cancel()
	return st.wait()
}

// wait waits for the client to end by itself.
func (st *stage) wait() error {
	st.t.Helper()
	select {
	case err := <-st.done:
		st.ended = true
		st.cancel()
		return err
	case <-time.After(time.Hour):
		st.t.Fatal("the client does not end")
		return nil
	}
}

func (st *stage) running() bool {
	synctest.Wait()
	return len(st.done) == 0
}

// drain takes what the client has sent so far, and acknowledges its events unless the test wants a server that does not.
func (st *stage) drain() {
	st.t.Helper()
	synctest.Wait()
	for acked := st.got; ; {
		select {
		case b := <-st.sent:
			h, p, err := protocol.Decode(b, protocol.ClientToServer)
			if err != nil {
				st.t.Fatalf("the client sent a bad packet: %v", err)
			}
			if h.Event != 0 && !st.deaf {
				if h.Event != st.got+1 {
					continue // again
				}
				st.got++
			}
			st.packets, st.headers = append(st.packets, p), append(st.headers, h)
		default:
			if acked != st.got {
				st.send(&protocol.ServerAck{Ack: st.got})
			}
			return
		}
	}
}

// receive gives every packet that the client has sent and that was not received before.
func (st *stage) receive() ([]protocol.Packet, []protocol.Header) {
	st.t.Helper()
	st.drain()
	packets, headers := st.packets, st.headers
	st.packets, st.headers = nil, nil
	return packets, headers
}

// received gives those of one kind among the packets that the client has sent; the others are dropped.
func received[T protocol.Packet](st *stage) []T {
	st.t.Helper()
	packets, _ := st.receive()
	var list []T
	for _, p := range packets {
		if p, ok := p.(T); ok {
			list = append(list, p)
		}
	}
	return list
}

// one is received where exactly one is expected.
func one[T protocol.Packet](st *stage) T {
	st.t.Helper()
	list := received[T](st)
	if len(list) != 1 {
		st.t.Fatalf("the client sent %d %v, expected one", len(list), reflect.TypeFor[T]())
	}
	return list[0]
}

// send sends a packet off the lane to the newest socket.
func (st *stage) send(p protocol.Packet) { st.sendTo(st.sockets[len(st.sockets)-1], p, 0) }

// lane sends a packet as the next event of the lane.
func (st *stage) lane(p protocol.Packet) {
	st.event++
	st.sendTo(st.sockets[len(st.sockets)-1], p, st.event)
}

func (st *stage) sendTo(s *socket, p protocol.Packet, event uint32) {
	st.t.Helper()
	b, err := protocol.Append(nil, protocol.Header{ID: p.ID(), Event: event}, p)
	if err != nil {
		st.t.Fatal(err)
	}
	s.toClient <- b
	synctest.Wait()
}

// hello is a ServerHello for the last nonce, with changes.
func (st *stage) hello(change ...func(*protocol.ServerHello)) *protocol.ServerHello {
	p := &protocol.ServerHello{
		Nonce: st.nonce, Token: sessionToken, PlayerID: 3, PlayerToken: 40, State: protocol.HelloPreSpawn,
		ClientFilesPort: filesPort, MaxPlayers: 100, Keepalive: 1000, Timeout: 10000, BootID: 1, ServerName: "Test", Name: "Carl",
	}
	for _, f := range change {
		f(p)
	}
	return p
}

// connect starts the client and takes it through the handshake.
func (st *stage) connect(change ...func(*protocol.ServerHello)) {
	st.t.Helper()
	st.start()
	st.challenge(0)
	st.send(st.hello(change...))
	if got := st.take("connected"); len(got) != 1 {
		st.t.Fatalf("not connected: %v", got)
	}
}

// challenge answers the client's hello with a cookie and takes the hello with it.
func (st *stage) challenge(flags protocol.ChallengeFlags) *protocol.ClientHello {
	st.t.Helper()
	first := one[*protocol.ClientHello](st)
	st.nonce = first.Nonce
	st.send(&protocol.ConnectChallenge{Nonce: first.Nonce, Cookie: [24]byte{1, 2, 3}, Flags: flags})
	return one[*protocol.ClientHello](st)
}

// alive lets time pass with a keepalive each second, so that the client does not think the server dead.
func (st *stage) alive(d time.Duration) {
	for ; d > 0; d -= time.Second {
		time.Sleep(min(d, time.Second))
		if st.drain(); st.running() {
			st.send(&protocol.ServerKeepalive{Seq: uint32(time.Now().UnixMilli()), Probe: 7, Ping: protocol.NoPing})
		}
	}
}

// equal compares what was heard with what should have been.
func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("got\n  %s\nexpected\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// bubble runs a test in a synctest bubble with a client that is stopped at its end.
func bubble(t *testing.T, test func(t *testing.T, st *stage), change ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, change...)
		defer func() {
			if st.done != nil {
				st.stop()
			}
		}()
		test(t, st)
	})
}

// web is the server's client files: what a GET of a path does. It counts the connections that
// the client has open.
type web struct {
	mu     sync.Mutex
	bodies map[string][]byte // "/resource/path"
	hold   chan struct{}     // not nil: every answer waits for it behind the head
	asked  []string
	to     []netip.AddrPort
	active int
	most   int
	aborts int
}

func (w *web) dial(_ context.Context, to netip.AddrPort) (net.Conn, error) {
	client, server := net.Pipe()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = append(w.to, to)
	w.active++
	w.most = max(w.most, w.active)
	go w.serve(server)
	return &openConn{Conn: client, web: w}, nil
}

// openConn is open until the client closes it.
type openConn struct {
	net.Conn
	web  *web
	once sync.Once
}

func (c *openConn) Close() error {
	c.once.Do(func() {
		c.web.mu.Lock()
		defer c.web.mu.Unlock()
		c.web.active--
	})
	return c.Conn.Close()
}

func (w *web) serve(c net.Conn) {
	defer c.Close()
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	w.mu.Lock()
	body, ok := w.bodies[r.RequestURI]
	w.asked = append(w.asked, strings.TrimSpace(r.RequestURI+" "+r.Header.Get("Range")))
	hold := w.hold
	w.mu.Unlock()
	if !ok {
		io.WriteString(c, "HTTP/1.1 404 Not Found\r\n\r\n")
		return
	}
	if hold != nil {
		gone := make(chan struct{})
		go func() { c.Read(make([]byte, 1)); close(gone) }()
		select {
		case <-hold:
		case <-gone:
			w.mu.Lock()
			w.aborts++
			w.mu.Unlock()
			return
		}
	}
	serveFile(c, r, body)
}

// take gives the requests since the last call.
func (w *web) take() []string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.asked
	w.asked = nil
	return list
}

func (w *web) set(path string, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bodies[path] = body
}

// serve gives the stage a file server with one resource's files, and gives their manifest entries in order of their paths.
func (st *stage) serve(resource string, files map[string]string) []protocol.FileEntry {
	if st.web == nil {
		st.web = &web{bodies: make(map[string][]byte)}
		st.stream = st.web.dial
	}
	var entries []protocol.FileEntry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		body := []byte(files[path])
		st.web.set("/"+resource+"/"+path, body)
		b := blobOf(body)
		entries = append(entries, protocol.FileEntry{Path: path, Size: uint32(b.size), SHA256: b.hash})
	}
	return entries
}

// manifest announces a generation of a resource.
func (st *stage) manifest(name string, generation uint32, entries []protocol.FileEntry) {
	for first := 0; first < len(entries); first += protocol.MaxFilesPerPart {
		st.lane(&protocol.ResourceFiles{
			Name: name, Generation: generation, Total: uint8(len(entries)), First: uint8(first),
			Entries: entries[first:min(first+protocol.MaxFilesPerPart, len(entries))],
		})
	}
}
