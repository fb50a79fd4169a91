package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"darqline/client"
	"darqline/protocol"
)

// fakeSession is a session whose other side is the test. Run ends with what the test puts into end.
type fakeSession struct {
	end     chan error
	running chan struct{} // closed when Run is called for the first time
	once    sync.Once

	mu    sync.Mutex
	calls []string
	heard chan struct{} // one for each call

	self    client.Self
	remotes []client.Remote
	refused error // of the next answer to a dialog, or sign-in
}

var discard = slog.New(slog.DiscardHandler)

func newFakeSession() *fakeSession {
	return &fakeSession{end: make(chan error, 1), running: make(chan struct{}), heard: make(chan struct{}, 1000)}
}

func (f *fakeSession) Run(ctx context.Context) error {
	f.once.Do(func() { close(f.running) })
	select {
	case <-ctx.Done():
		return nil
	case err := <-f.end:
		return err
	}
}

func (f *fakeSession) call(format string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
	f.heard <- struct{}{}
	return nil
}

func (f *fakeSession) Chat(text string) error       { return f.call("chat %s", text) }
func (f *fakeSession) TeamChat(text string) error   { return f.call("team chat %s", text) }
func (f *fakeSession) Command(text string) error    { return f.call("command %s", text) }
func (f *fakeSession) ViewLoaded(view uint32) error { return f.call("loaded %d", view) }
func (f *fakeSession) ViewFailed(view uint32) error { return f.call("failed %d", view) }
func (f *fakeSession) ViewAction(view, revision uint32, action string, fields []field) error {
	return f.call("action %d %d %s %v", view, revision, action, fields)
}

func (f *fakeSession) SignIn(assertion string) error {
	return errors.Join(f.refusal(), f.call("sign in %s", assertion))
}

func (f *fakeSession) Self() client.Self               { f.mu.Lock(); defer f.mu.Unlock(); return f.self }
func (f *fakeSession) Remotes() []client.Remote        { f.mu.Lock(); defer f.mu.Unlock(); return f.remotes }
func (f *fakeSession) Rules() client.Rules             { return client.Rules{} }
func (f *fakeSession) Arm(w protocol.Weapon) error     { return f.call("arm %v", w) }
func (f *fakeSession) Respawn() error                  { return f.call("respawn") }
func (f *fakeSession) Detonate() error                 { return f.call("detonate") }
func (f *fakeSession) StealthKill(victim uint32) error { return f.call("stealth %d", victim) }

// Move is not among the calls: there are many.
func (f *fakeSession) Move(frame protocol.Frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if frame.Epoch == f.self.Frame.Epoch {
		f.self.Frame = frame
	}
	return nil
}

func (f *fakeSession) Shoot(s client.Shot) (uint32, error) {
	return 7, f.call("shoot %v %.0f,%.0f rounds %d", s.Hit, s.End.X, s.End.Y, s.Rounds)
}

func (f *fakeSession) Hit(p protocol.DamageReport) error {
	return f.call("hit %d by %v shot %d pellets %d amount %.1f", p.Victim, p.Cause, p.Shot, p.Pellets, p.Amount)
}

func (f *fakeSession) Hurt(c protocol.Cause, source protocol.Ref, amount float32) error {
	return f.call("hurt %v %v %.1f", c, source, amount)
}

func (f *fakeSession) Throw(t client.Throw) error {
	return f.call("throw to %.0f,%.0f", t.Rest.X, t.Rest.Y)
}

// refusal is what the test wants the next call to be refused with.
func (f *fakeSession) refusal() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	refused := f.refused
	f.refused = nil
	return refused
}

func (f *fakeSession) AnswerDialog(id uint32, a client.DialogAnswer) error {
	return errors.Join(f.refusal(), f.call("answer %d %v row %d %q %s", id, a.Button, a.Row, a.Text, filled(a.Fields)))
}

// filled are the answers of a form by their fields' numbers.
func filled(fields []protocol.FormAnswer) string {
	var b strings.Builder
	for _, a := range fields {
		value := map[protocol.FormType]any{
			protocol.FormBoolean: a.Boolean, protocol.FormNumber: a.Float, protocol.FormString: a.String, protocol.FormChoice: a.Choice,
			protocol.FormChoices: a.Choices, protocol.FormColor: color(a.Color), protocol.FormDate: a.Date,
		}[a.Type]
		fmt.Fprintf(&b, "[%d %v %v]", a.Number, a.Type, value)
	}
	return b.String()
}

func (f *fakeSession) MenuInput(p protocol.MenuInput) error {
	return f.call("menu %d item %d revision %d %v %d", p.MenuID, p.ItemID, p.Revision, p.Event, p.Value)
}

func (f *fakeSession) AnswerOffer(id uint32, accept bool) error {
	return f.call("offer %d %v", id, accept)
}
func (f *fakeSession) PressKey(key protocol.Key) (bool, error) { return false, f.call("press %v", key) }
func (f *fakeSession) ReleaseKey(key protocol.Key) error       { return f.call("release %v", key) }
func (f *fakeSession) ReleaseKeys() error                      { return nil } // as often as a page loses the keyboard

func (f *fakeSession) BindAction(id uint32, key protocol.Key) error {
	return f.call("bind %d %v", id, key)
}

// be makes the own player what the server would make it.
func (f *fakeSession) be(s client.Self) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.self = s
}

// expect waits for the next call and compares it.
func (f *fakeSession) expect(t *testing.T, want string) {
	t.Helper()
	select {
	case <-f.heard:
	case <-time.After(20 * time.Second):
		t.Fatalf("no call; expected %q", want)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	got := f.calls[0]
	f.calls = f.calls[1:]
	if got != want {
		t.Fatalf("call %q, expected %q", got, want)
	}
}

// playing is a running play with a fake session.
type playing struct {
	model   *model
	session *fakeSession
	url     string // http://localhost:port
}

func (p *playing) host() string { return strings.TrimPrefix(p.url, "http://") }

// start runs play until the test ends and waits for its end.
func start(t *testing.T) *playing {
	t.Helper()
	p := &playing{model: newModel("127.0.0.1:7777", "Nova"), session: newFakeSession()}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- run(ctx, Config{Logger: discard, Ready: func(url string) { ready <- url }}, p.model,
			func() (session, error) { return p.session, nil })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
	})
	p.url = strings.TrimSuffix(<-ready, "/")
	<-p.session.running // so that what the test does with the model comes after what its begin does
	return p
}

// connected puts the session into the state after ServerHello.
func (p *playing) connected() {
	p.model.begin()
	p.model.setConnection(func(c *connection) {
		c.Phase, c.Title, c.Player, c.Ping = "connected", "Darqline demo", 0, 23
	})
}

// get sends a request to play's address with another Host header.
func (p *playing) get(t *testing.T, method, host, path string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, "http://127.0.0.1"+p.url[strings.LastIndexByte(p.url, ':'):]+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	for name, values := range header {
		r.Header[name] = values
	}
	client := &http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

// dial opens the socket as our page would.
func (p *playing) dial(t *testing.T) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), "ws://"+p.host()+"/ws", &websocket.DialOptions{
		HTTPHeader: http.Header{"Origin": {p.url}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return conn
}

// next reads one message.
func next(t *testing.T, conn *websocket.Conn) message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var msg message
	if err := wsjson.Read(ctx, conn, &msg); err != nil {
		t.Fatal(err)
	}
	return msg
}
