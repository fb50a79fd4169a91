package play

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func say(t *testing.T, conn *websocket.Conn, text string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// TestState: a page that connects gets all that stands, then each change, in order.
func TestState(t *testing.T) {
	p := start(t)
	fill(p)
	p.model.openView(testView(1, 6, "shop", "shop.html", "cursor", nil))
	p.model.setData(1, snapshot{"wallet", 1, `{"money":5}`})
	p.model.setData(1, snapshot{"catalog", 1, `[]`})
	p.model.setData(1, snapshot{"wallet", 2, `{"money":4}`})
	p.model.setData(9, snapshot{"wallet", 3, `{"money":0}`}) // of another view
	p.model.notify(fault("shop", "shop/main.lua:12: a"))

	conn := p.dial(t)
	msg := next(t, conn)
	s := msg.State
	if msg.Type != "state" || s == nil {
		t.Fatalf("the first message is %+v", msg)
	}
	if s.Connection.Phase != "connected" || s.Connection.Title != "Darqline demo" || len(s.Players) != 4 ||
		len(s.Resources) != 3 || len(s.Notices) != 1 || len(s.Lines) != 9 {
		t.Errorf("state %+v", s)
	}
	if s.View.Origin != strings.Replace(p.url, "localhost", "shop.localhost", 1) || s.View.Input != "cursor" {
		t.Errorf("view %+v", s.View)
	}
	if want := []snapshot{{"catalog", 1, `[]`}, {"wallet", 2, `{"money":4}`}}; len(s.View.Topics) != 2 ||
		s.View.Topics[0] != want[0] || s.View.Topics[1] != want[1] {
		t.Errorf("topics %+v, expected the latest of each, in order", s.View.Topics)
	}

	p.model.addLine(line{Kind: "plain", Text: "first"})
	p.model.setData(1, snapshot{"wallet", 3, `{}`})
	p.model.closeView(7)
	p.model.closeView(1)
	p.model.removePlayer(0)
	for _, want := range []string{"line", "data", "view_end", "player_end"} {
		if got := next(t, conn); got.Type != want {
			t.Fatalf("got %+v, expected %s", got, want)
		}
	}
}

func TestRequests(t *testing.T) {
	p := start(t)
	p.connected()
	p.model.openView(testView(3, 6, "shop", "shop.html", "all", nil))
	conn := p.dial(t)
	say(t, conn, `{"type":"say","text":"  hello  "}`)
	p.session.expect(t, "chat hello")
	say(t, conn, `{"type":"say","text":"/ pm kilo  hi"}`)
	p.session.expect(t, "command pm kilo  hi")
	say(t, conn, `{"type":"say","text":" / "}`)
	say(t, conn, `{"type":"loaded","view":9}`)
	say(t, conn, `{"type":"failed","view":9}`)
	say(t, conn, `{"type":"loaded","view":3}`)
	p.session.expect(t, "loaded 3")
	say(t, conn, `{"type":"loaded","view":3}`) // a second tab
	say(t, conn, `{"type":"failed","view":3}`) // fails only there
	say(t, conn, `{"type":"action","view":3,"revision":7,"action":"buy","fields":[{"name":"item","value":"ak"},{"name":"n","value":2},{"name":"gift","value":true}]}`)
	p.session.expect(t, "action 3 7 buy [{item ak} {n 2} {gift true}]")
}

func TestBadRequestEndsThePage(t *testing.T) {
	for _, c := range []struct{ text, reason string }{
		{`{"type":"buy"}`, `unknown message type "buy"`},
		{`{"type":"move"}`, "a move has a frame"},
		{`{"type":"use"}`, "a use has a place"},
		{`{"type":"move","move":{"heading":900}}`, "a move: a heading is 0..360 degrees, not 900"},
		{`{"type":"move","move":{"stick":[-128,0]}}`, "a move: PlayerSync"},
		{`{"type":"move","move":{"position":[1,2,20001]}}`, "a move: PlayerSync"},
		{`{"type":"move","move":{"keys":2048}}`, "a move: PlayerSync"},
		{`{"type":"move","move":{"flags":4096}}`, "a move: PlayerSync"}, // seated in nothing
		{`hello`, "a message is a JSON object with a type"},
		{`{"type":"loaded","view":-1}`, "a message is a JSON object with a type"},
	} {
		p := start(t)
		conn := p.dial(t)
		next(t, conn)
		say(t, conn, c.text)
		_, _, err := conn.Read(t.Context())
		var end websocket.CloseError
		if !errors.As(err, &end) || end.Code != websocket.StatusPolicyViolation || !strings.HasPrefix(end.Reason, c.reason) {
			t.Errorf("%s: %v, expected the close reason %q", c.text, err, c.reason)
		}
	}
}

// TestSlowPage: a page that does not read is cut off, and nobody waits for it.
func TestSlowPage(t *testing.T) {
	m := newModel("", "")
	ctx, cancel := context.WithCancel(t.Context())
	p := &page{queue: make(chan outgoing, pageQueue), cancel: cancel}
	m.join(p)
	for range pageQueue - 1 {
		m.addLine(line{})
	}
	if ctx.Err() != nil {
		t.Fatal("cut off although its queue has room")
	}
	m.addLine(line{})
	if ctx.Err() == nil {
		t.Fatal("a page with a full queue is not cut off")
	}
}

func TestProgressIsNoFlood(t *testing.T) {
	m := newModel("", "")
	p := &page{queue: make(chan outgoing, pageQueue), cancel: func() { t.Error("flooded") }}
	m.join(p)
	for received := range int64(100_000) {
		m.setResource(resource{Name: "shop", Generation: 1, State: "downloading", Received: received, Total: 100_000})
	}
	m.setResource(resource{Name: "shop", Generation: 1, State: "ready", Received: 100_000, Total: 100_000})
	if got := len(p.queue); got != 1+100+1 {
		t.Errorf("%d messages for one download, expected one a percent", got)
	}
}

// TestEnd: the end of play ends its pages' connections.
func TestEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &playing{model: newModel("", ""), session: newFakeSession()}
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- run(ctx, Config{Logger: discard, Ready: func(url string) { ready <- url }}, p.model,
			func() (session, error) { return p.session, nil })
	}()
	p.url = strings.TrimSuffix(<-ready, "/")
	conn := p.dial(t)
	next(t, conn)
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("play does not end while a page is connected")
	}
	for { // what was sent before the end may still come
		if _, _, err := conn.Read(t.Context()); err != nil {
			break
		}
	}
}
