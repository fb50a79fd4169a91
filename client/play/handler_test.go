package play

import (
	"errors"
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/wire"
)

// TestHandler: what the client tells is what the pages see.
func TestHandler(t *testing.T) {
	m := newModel("127.0.0.1:7777", "Nova")
	m.origin = func(host string) string { return "http://" + host + ":80" }
	var said []string
	m.status = func(text string) { said = append(said, text) }
	h := &handler{m: m}

	m.setPlayer(player{ID: 9}) // of a session before
	h.Connected(client.Session{ServerName: "Demo", Name: "Nova1", PlayerID: 4})
	h.Ping(client.Ping{RTT: 23 * time.Millisecond})
	h.Ping(client.Ping{}) // not measured
	h.Link(client.LinkSilent)
	if want := (connection{Phase: "connected", Server: "127.0.0.1:7777", Title: "Demo", Name: "Nova1", Player: 4, Ping: 23, Silent: true}); m.connection != want {
		t.Errorf("connection %+v, expected %+v", m.connection, want)
	}
	if len(said) != 1 || said[0] != "connected to Demo (127.0.0.1:7777) as Nova1, player 4" {
		t.Errorf("the terminal was told %q", said)
	}

	h.Message(client.Message{Kind: protocol.MessageSuccess, Text: "{FFB454}hi", Markup: true, Color: wire.RGBA{R: 255, G: 1, A: 255}})
	h.Message(client.Message{Kind: protocol.MessageError, Text: "[darqline] shop/main.lua:12: a"})
	h.Chat(client.Chat{Name: "Kilo", Text: "{x", Team: true})
	if len(m.lines) != 2 || m.lines[0].Kind != "success" || m.lines[0].Color != "#ff0100" || !m.lines[0].Markup ||
		m.lines[1].Kind != "chat" || m.lines[1].Name != "Kilo" || m.lines[1].Markup || !m.lines[1].Team {
		t.Errorf("lines %+v", m.lines)
	}
	if len(m.notices) != 1 || m.notices[0].Resource != "shop" {
		t.Errorf("notices %+v", m.notices)
	}
	h.m.booted(0)
	if len(m.notices) != 1 {
		t.Error("the faults end although the server is the same")
	}
	h.m.booted(1)
	if len(m.notices) != 0 {
		t.Errorf("notices of the server before: %+v", m.notices)
	}
	h.Message(client.Message{Clear: true})
	if len(m.lines) != 0 {
		t.Errorf("after the clearing: %+v", m.lines)
	}

	h.Player(client.Player{ID: 4, Name: "Nova1", Listed: true, You: true})
	h.Player(client.Player{ID: 5, Name: "Kilo", Listed: true})
	h.Player(client.Player{ID: 5, Name: "Kilo", Listed: false})
	if len(m.players) != 2 || !m.players[4].You || !m.players[5].Unlisted {
		t.Errorf("players %+v", m.players)
	}

	h.Resource(client.ResourceStatus{Name: "shop", Generation: 7, State: client.ResourceFailed, Reason: client.FailedDownload, Err: errors.New("disk full")})
	if m.resources["shop"].State != "failed" || m.resources["shop"].Reason != "disk full" {
		t.Errorf("resources %+v", m.resources)
	}
	h.Resource(client.ResourceStatus{Name: "shop", Generation: 6, State: client.ResourceRemoved}) // late, of the old start
	if len(m.resources) != 1 {
		t.Error("the removal of an old generation took the new one")
	}

	h.ViewOpened(&client.View{ID: 3, Resource: "my_shop", Generation: 7, Entry: "a.html", Input: protocol.InputCursor})
	h.ViewData(3, "wallet", 2, []byte(`{}`))
	if v := m.view; v.Origin != "http://r-my-shop--4.localhost:80" || v.Input != "cursor" || len(v.Topics) != 1 {
		t.Errorf("view %+v", m.view)
	}
	h.ViewClosed(3, client.ClosedByServer)
	if m.view != nil {
		t.Error("the view stays open")
	}
}

func TestFieldTypes(t *testing.T) {
	c, err := newClient(Config{Server: "127.0.0.1:1", Name: "Nova", CacheDir: t.TempDir()}, newModel("", ""))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.ViewAction(1, 0, "buy", []field{{"a", []any{}}}); err == nil || errors.Is(err, client.ErrNotConnected) {
		t.Errorf("a field of another type: %v", err)
	}
	if err := c.ViewAction(1, 0, "buy", []field{{"a", true}, {"b", 1.5}, {"c", "x"}}); !errors.Is(err, client.ErrNotConnected) {
		t.Errorf("right fields: %v", err)
	}
}

// TestBadName: what the client refuses from the start is said, and nothing is tried again by itself.
func TestBadName(t *testing.T) {
	m := newModel("127.0.0.1:1", "")
	s := newSeat(m, func() (session, error) { return newClient(Config{Server: "127.0.0.1:1", CacheDir: t.TempDir()}, m) })
	err := s.play(t.Context())
	if end := new(ending); !errors.As(err, &end) || !end.final {
		t.Errorf("an empty name: %v", err)
	}
}
