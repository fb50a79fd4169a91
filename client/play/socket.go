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
)

const (
	pageQueue    = 512              // messages that wait for one page; a page that is further behind starts over
	writeTimeout = 10 * time.Second // for one message
	readLimit    = 64 << 10         // bytes of one message of a page
)

// page is one browser tab.
type page struct {
	queue  chan []byte
	cancel context.CancelFunc
}

// push queues a message; over the bound it ends the page's connection.
func (p *page) push(data []byte) {
	select {
	case p.queue <- data:
	default:
		p.cancel()
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
	p := &page{queue: make(chan []byte, pageQueue), cancel: cancel}
	s.model.join(p)
	defer s.model.leave(p)

	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()
		writePage(ctx, conn, p)
	}()
	err = s.readPage(ctx, conn)
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
		case data := <-p.queue:
			write, cancel := context.WithTimeout(ctx, writeTimeout)
			err := conn.Write(write, websocket.MessageText, data)
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

func (s *server) readPage(ctx context.Context, conn *websocket.Conn) error {
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
		if err := s.answer(req); err != nil {
			return err
		}
	}
}

// answer does what a page asks for. An error ends the page's connection; what the session refuses is said in the chat.
func (s *server) answer(req request) error {
	switch req.Type {
	case "say":
		s.told(s.seat.say(req.Text))
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
	case "dismiss":
		s.model.dismiss(req.ID)
	case "retry":
		s.seat.retry()
	default:
		return &badRequest{fmt.Sprintf("unknown message type %q", req.Type)}
	}
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
