package world

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// rig is a world with a clock that the test moves, and a notebook of its events.
type rig struct {
	t      *testing.T
	w      *World
	now    time.Duration
	events []Event
	full   bool // the sink takes nothing
	links  int
}

var testChat = Chat{MaxLength: 128, Burst: 4, Interval: 1500 * time.Millisecond, CommandBurst: 8, CommandRate: 4}

func newRig(t *testing.T) *rig {
	r := &rig{t: t}
	r.w = New(Config{Now: func() time.Duration { return r.now }, Sink: r, Chat: testChat})
	r.w.elements.feedOff = true // off: the tests of the kill feed have it on
	return r
}

func (r *rig) Post(e Event) bool {
	if !r.full {
		r.events = append(r.events, e)
	}
	return !r.full
}

// took gives the events since the last call, a word each: "player_chat hello", "closed replaced".
func (r *rig) took() string {
	var words []string
	for _, e := range r.events {
		switch e := e.(type) {
		case PlayerChat:
			words = append(words, "chat "+e.Line.Text)
		case PlayerCommand:
			words = append(words, "command "+e.Text)
		case ViewEvent:
			words = append(words, strings.TrimSpace(e.LuaName()+" "+e.Reason))
		default:
			words = append(words, e.LuaName())
		}
	}
	r.events = nil
	return strings.Join(words, ", ")
}

// do runs an operation with the permit.
func (r *rig) do(f func(tx Tx)) {
	tx := r.w.Begin()
	defer tx.End()
	f(tx)
}

// link is a connection with a real pacer and a lane that only keeps what it is given.
type link struct {
	r       *rig
	id      uint16
	token   uint32
	name    string
	addr    netip.AddrPort
	ping    time.Duration
	unacked int
	pace    pacer.Pacer
	sent    []protocol.Packet
	kicked  string
	ended   bool
}

func (r *rig) connect(name string) *link {
	l := &link{r: r, id: uint16(r.links), token: uint32(100 + r.links), name: name,
		addr: netip.MustParseAddrPort("192.0.2.1:5000")}
	r.links++
	r.do(func(tx Tx) { tx.Admit(l) })
	return l
}

func (r *rig) join(name string) (*link, *Player) {
	l := r.connect(name)
	var p *Player
	r.do(func(tx Tx) {
		p = tx.Join(l)
		l.Drop(actionKey{cancelID}) // of the server's own action know the tests of actions
	})
	l.sent = nil // the settings, of which the tests of combat know
	return l, p
}

func (l *link) PlayerID() uint16         { return l.id }
func (l *link) PlayerToken() uint32      { return l.token }
func (l *link) Name() string             { return l.name }
func (l *link) Serial() string           { return "" }
func (l *link) Locale() string           { return "en" }
func (l *link) Address() netip.AddrPort  { return l.addr }
func (l *link) Connected() time.Duration { return l.r.now }
func (l *link) Ping() (ping, jitter time.Duration, loss int, ok bool) {
	return l.ping, 0, 0, l.ping > 0
}
func (l *link) Straight(p protocol.Packet) error         { return l.pace.Straight(l, p) }
func (l *link) Pace(t pacer.Thing)                       { l.pace.Pace(t) }
func (l *link) Drop(key any) (waited, begun bool)        { return l.pace.Drop(key) }
func (l *link) DropWhere(match func(key any) bool)       { l.pace.DropWhere(match) }
func (l *link) Waits(key any) bool                       { return l.pace.Waits(key) }
func (l *link) Replace(t pacer.Thing) bool               { return l.pace.Replace(t) }
func (l *link) Kick(reason protocol.Reason, text string) { l.kicked = fmt.Sprint(reason, " ", text) }
func (l *link) Unacked() int                             { return l.unacked }
func (l *link) Ended() bool                              { return l.ended }
func (l *link) SignedIn(account string) error {
	if l.ended {
		return errors.New("ended")
	}
	return l.Straight(&protocol.AuthAccepted{Account: account})
}
func (l *link) Push(p protocol.Packet, room int) (int, error) {
	b, err := protocol.Append(nil, protocol.Header{}, p)
	switch {
	case err != nil:
		return 0, err
	case len(b) > room:
		return 0, pacer.ErrNoRoom
	}
	l.sent = append(l.sent, p)
	return len(b), nil
}

// flush makes one pass.
func (l *link) flush() {
	l.r.t.Helper()
	l.r.now += 100 * time.Millisecond
	if err := l.pace.Flush(l.r.now, l); err != nil {
		l.r.t.Fatal(err)
	}
}

// drain flushes until nothing waits, and gives what was sent since the last call, a word each.
func (l *link) drain() string {
	l.r.t.Helper()
	for l.pace.Len() > 0 {
		l.flush()
	}
	return l.said()
}

func (l *link) said() string {
	var words []string
	for _, p := range l.sent {
		words = append(words, short(p))
	}
	l.sent = nil
	return strings.Join(words, ", ")
}

func short(p protocol.Packet) string {
	switch p := p.(type) {
	case *protocol.ServerMessage:
		return "line " + p.Text
	case *protocol.ChatMessage:
		return p.Name + ": " + p.Text
	case *protocol.ResourceFiles:
		return fmt.Sprintf("files %s %d.%d", p.Name, p.Generation, p.First)
	case *protocol.ResourceRemove:
		return fmt.Sprintf("remove %s %d", p.Name, p.Generation)
	case *protocol.ViewOpen:
		return fmt.Sprint("open ", p.ViewID)
	case *protocol.ViewClose:
		return fmt.Sprint("close ", p.ViewID)
	case *protocol.ViewData:
		return fmt.Sprintf("data %d %s@%d", p.ViewID, p.Topic, p.Revision)
	case *protocol.PlayerLeave:
		return fmt.Sprint("leave ", p.PlayerToken)
	case *protocol.PlayerListEntry:
		var rows []string
		for _, e := range p.Entries {
			switch e.Op {
			case protocol.ListHeader:
				rows = append(rows, "header")
			case protocol.ListPing:
				rows = append(rows, fmt.Sprintf("%d=%dms", e.PlayerToken, e.Ping))
			default:
				rows = append(rows, fmt.Sprint(e.Name))
			}
		}
		return "list[" + strings.Join(rows, " ") + "]"
	}
	return p.ID().String()
}

func (r *rig) want(what, got, want string) {
	r.t.Helper()
	if got != want {
		r.t.Fatalf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func mustAddr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }
