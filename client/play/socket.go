package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"darqline/protocol"
)

const (
	pageQueue    = 512              // messages that wait for one page; a page that is further behind starts over
	writeTimeout = 10 * time.Second // for one message
	readLimit    = 64 << 10         // bytes of one message of a page
)

// page is one browser tab.
type page struct {
	queue   chan outgoing
	cancel  context.CancelFunc
	focused bool // it has the keyboard; the model's lock guards it
}

// outgoing is a message that waits: JSON text, or frames of players.
type outgoing struct {
	kind websocket.MessageType
	data []byte
}

// push queues a message; over the bound it ends the page's connection.
func (p *page) push(data []byte) {
	select {
	case p.queue <- outgoing{websocket.MessageText, data}:
	default:
		p.cancel()
	}
}

// offer queues frames. To a page that is far behind they are of no use: newer ones will follow.
func (p *page) offer(frames []byte) {
	if len(p.queue) < pageQueue/2 {
		p.queue <- outgoing{websocket.MessageBinary, frames} // there is room: pages are written to under the model's lock
	}
}

// request is one message of a page.
type request struct {
	Type     string  `json:"type"`
	ID       uint64  `json:"id"`       // notice
	View     uint32  `json:"view"`     // the view that it is about
	Revision uint32  `json:"revision"` // of the last snapshot that the view's page received
	Action   string  `json:"action"`
	Fields   []field `json:"fields"`
	Text     string  `json:"text"`
	Team     bool    `json:"team"` // the text is for the team

	Move   *move           `json:"move"`
	Use    *use            `json:"use"`
	Focus  bool            `json:"focus"` // the page has the keyboard
	Weapon protocol.Weapon `json:"weapon"`

	Dialog dialogAnswer `json:"dialog"`
	Menu   menuKey      `json:"menu"`
	Offer  offerAnswer  `json:"offer"`
	Key    string       `json:"key"` // a key's name
}

// field is one field of an action; Value is a boolean, a number or a string.
type field struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// serveSocket is GET /ws: the state, then each change; requests come back. The caller has checked host and origin.
func (s *server) serveSocket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // checked more strictly before
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(readLimit)

	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	p := &page{queue: make(chan outgoing, pageQueue), cancel: cancel}
	s.model.join(p)
	defer s.seat.unattended()
	defer s.model.leave(p)

	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()
		writePage(ctx, conn, p)
	}()
	err = s.readPage(ctx, conn, p)
	if bad := new(badRequest); errors.As(err, &bad) { // before the cancel, which would cut a write short and the connection with it
		conn.Close(websocket.StatusPolicyViolation, bad.text)
	}
	cancel()
	<-written
}

func writePage(ctx context.Context, conn *websocket.Conn, p *page) {
	for {
		select {
		case <-ctx.Done():
			return
		case out := <-p.queue:
			write, cancel := context.WithTimeout(ctx, writeTimeout)
			err := conn.Write(write, out.kind, out.data)
			cancel()
			if err != nil {
				return
			}
		}
	}
}

// badRequest is a message that our own page does not send.
type badRequest struct{ text string }

func (b *badRequest) Error() string { return b.text }

func (s *server) readPage(ctx context.Context, conn *websocket.Conn, p *page) error {
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var req request
		if kind != websocket.MessageText {
			return &badRequest{"a message is JSON text"}
		}
		if err := json.Unmarshal(data, &req); err != nil {
			return &badRequest{"a message is a JSON object with a type"}
		}
		if err := s.answer(p, req); err != nil {
			return err
		}
	}
}

// answer does what a page asks for. An error ends the page's connection; what the session refuses is said in the chat.
func (s *server) answer(p *page, req request) error {
	switch req.Type {
	case "say":
		s.told(s.seat.say(req.Text, req.Team))
	case "loaded":
		if s.model.loadedView(req.View) {
			s.told(s.seat.viewLoaded(req.View))
		}
	case "failed":
		if s.model.waitingView(req.View) {
			s.told(s.seat.viewFailed(req.View))
		}
	case "fault":
		s.model.faultView(req.View, req.Text)
	case "action":
		s.told(s.seat.viewAction(req.View, req.Revision, req.Action, req.Fields))
	case "sign_in":
		s.signIn(p, req.View, req.Text)
	case "dismiss":
		s.model.dismiss(req.ID)
	case "retry":
		s.seat.retry()
	case "move":
		return s.move(req.Move)
	case "focus":
		s.model.focus(p, req.Focus)
		s.seat.unattended()
	case "use":
		if req.Use == nil {
			return &badRequest{"a use has a place"}
		}
		s.told(s.seat.use(*req.Use))
	case "arm":
		s.told(s.seat.arm(req.Weapon))
	case "respawn":
		s.told(s.seat.respawn())
	case "answer":
		s.answerDialog(p, req.Dialog)
	case "menu":
		s.told(s.seat.pressMenu(req.Menu))
	case "offer":
		s.told(s.seat.answerOffer(req.Offer))
	case "press":
		s.told(s.seat.pressKey(req.Key))
	case "release":
		s.told(s.seat.releaseKey(req.Key))
	case "bind":
		s.told(s.seat.bindKey(uint32(req.ID), req.Key))
	default:
		return &badRequest{fmt.Sprintf("unknown message type %q", req.Type)}
	}
	return nil
}

// move takes the own player's movement. One that the session cannot take is over: the next one follows.
func (s *server) move(m *move) error {
	if m == nil {
		return &badRequest{"a move has a frame"}
	}
	f, err := m.frame()
	if err != nil {
		return &badRequest{"a move: " + err.Error()}
	}
	s.seat.move(f)
	return nil
}

// told says in the chat what could not be done.
func (s *server) told(err error) {
	if err == nil {
		return
	}
	text := err.Error()
	s.model.addLine(line{Kind: "warning", Text: strings.ToUpper(text[:1]) + text[1:] + ".", At: time.Now().UnixMilli()})
}
