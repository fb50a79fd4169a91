package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/wire"
)

// newClient makes a session of the reference client whose handler changes m.
func newClient(config Config, m *model) (session, error) {
	c, err := client.New(client.Config{
		Server:   config.Server,
		Name:     config.Name,
		Password: config.Password,
		Locale:   config.Locale,
		Serial:   config.Serial,
		CacheDir: config.CacheDir,
		Keys:     config.Keys,
		Logger:   config.Logger,
		Handler:  &handler{m: m},
	})
	if err != nil {
		return nil, err
	}
	return reference{c}, nil
}

// reference is the reference client as a session.
type reference struct{ *client.Client }

// Run says how to go on after the end, in a sentence: what was refused for good is not tried again by itself.
func (r reference) Run(ctx context.Context) error {
	err := r.Client.Run(ctx)
	end := new(client.EndError)
	if !errors.As(err, &end) {
		return err
	}
	out := &ending{text: end.Error()}
	after, again := end.Retry()
	out.after, out.final = after, !again
	return out
}

func (r reference) ViewFailed(id uint32) error {
	return r.Client.ViewFailed(id, protocol.ViewFailedPage)
}

func (r reference) ViewAction(id, revision uint32, action string, fields []field) error {
	typed := make([]protocol.ViewField, len(fields))
	for i, f := range fields {
		typed[i].Name = f.Name
		switch v := f.Value.(type) {
		case bool:
			typed[i].Type, typed[i].Bool = protocol.FieldBoolean, v
		case float64:
			typed[i].Type, typed[i].Number = protocol.FieldNumber, v
		case string:
			typed[i].Type, typed[i].String = protocol.FieldString, v
		default:
			return fmt.Errorf("action %q: field %q is neither boolean, number nor string", action, f.Name)
		}
	}
	return r.Client.ViewAction(id, revision, action, typed)
}

// handler takes over what the client tells.
type handler struct {
	client.NopHandler
	m *model
}

func (h *handler) Connected(s client.Session) {
	h.m.begin()
	h.m.booted(s.BootID)
	h.m.setConnection(func(c *connection) {
		c.Phase, c.Title, c.Name, c.Player, c.Reason, c.Retry = "connected", s.ServerName, s.Name, s.PlayerID, "", 0
		c.SignIn, c.Account, c.nonce = s.SignIn, "", authNonce(s)
	})
}

func (h *handler) SignedIn(account string) { h.m.signedIn(account) }

func (h *handler) Link(l client.Link) {
	h.m.setConnection(func(c *connection) { c.Silent = l != client.LinkUp })
}

func (h *handler) Ping(p client.Ping) {
	if p.RTT > 0 {
		h.m.setConnection(func(c *connection) { c.Ping = int(p.RTT.Milliseconds()) })
	}
}

// kinds are the words of MessageKind.
var kinds = [...]string{"plain", "info", "success", "warning", "error"}

func (h *handler) Message(msg client.Message) {
	kind := kinds[msg.Kind] // the codec lets no other through
	if n, ok := parseNotice(kind, msg.Text); ok {
		h.m.notify(n)
		return
	}
	if msg.Clear {
		h.m.clearLines()
	}
	if msg.Text != "" {
		h.m.addLine(line{Kind: kind, Text: msg.Text, Markup: msg.Markup, Color: color(msg.Color), At: time.Now().UnixMilli()})
	}
}

func (h *handler) Chat(c client.Chat) {
	h.m.addLine(line{
		Kind: "chat", Text: c.Text, Markup: c.TextMarkup, Color: color(c.Color), Team: c.Team,
		Name: c.Name, NameMarkup: c.NameMarkup, NameColor: color(c.NameColor), At: time.Now().UnixMilli(),
	})
}

func (h *handler) Player(p client.Player) {
	h.m.setPlayer(player{ID: p.ID, Name: p.Name, Ping: p.Ping, Color: color(p.Color), Group: p.Group,
		Order: int(p.Order), You: p.You, Unlisted: !p.Listed, Cells: p.Cells})
}

func (h *handler) PlayerLeft(p client.PlayerLeft) { h.m.removePlayer(p.ID) }

func (h *handler) PlayerList(l client.PlayerList) {
	list := playerList{Title: l.Title}
	for _, c := range l.Columns {
		list.Columns = append(list.Columns, listColumn{c.Heading, c.Align.String(), c.Width})
	}
	h.m.setPlayerList(list)
}

func (h *handler) Resource(r client.ResourceStatus) {
	if r.State == client.ResourceRemoved {
		h.m.removeResource(r.Name, r.Generation)
		return
	}
	status := resource{Name: r.Name, Generation: r.Generation, State: r.State.String(), Received: r.Received, Total: r.Total}
	if r.Err != nil {
		status.Reason = r.Err.Error()
	} else {
		status.Reason = string(r.Reason)
	}
	h.m.setResource(status)
}

func (h *handler) ViewOpened(v *client.View) {
	h.m.openView(&view{
		ID: v.ID, Resource: v.Resource, Generation: v.Generation, Entry: v.Entry,
		Input: v.Input.String(), origins: v.Origins, open: v.Open,
	})
}

func (h *handler) ViewData(id uint32, topic string, revision uint32, json []byte) {
	h.m.setData(id, snapshot{Topic: topic, Revision: revision, JSON: string(json)})
}

func (h *handler) ViewClosed(id uint32, _ client.CloseReason) { h.m.closeView(id) }

// color is the CSS color of c; "" for that of the theme.
func color(c wire.RGBA) string {
	if c.A == 0 {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}
