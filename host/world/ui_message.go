package world

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Notice is a line that no player wrote.
type Notice struct {
	Text   string // lines, up to 12 and 1,024 bytes
	Kind   protocol.MessageKind
	Color  protocol.RGBA // zero: of the kind
	Markup bool
	Clear  bool // empties the window first
}

const (
	noticeLines = 12
	noticeBytes = 1024
)

// check says what is wrong with the text, whoever is here to read it.
func (n Notice) check() error {
	switch lines := strings.Count(n.Text, "\n") + 1; {
	case n.Text == "" && !n.Clear:
		return errors.New("text: it is empty")
	case lines > noticeLines:
		return fmt.Errorf("text: it has %d lines, at most %d", lines, noticeLines)
	}
	if err := protocol.PlainText(strings.ReplaceAll(n.Text, "\n", " "), noticeBytes); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	return nil
}

func (n Notice) packet() *protocol.ServerMessage {
	m := &protocol.ServerMessage{Kind: n.Kind, Color: n.Color, Text: n.Text}
	if n.Markup {
		m.Flags |= protocol.MessageMarkup
	}
	if n.Clear {
		m.Flags |= protocol.MessageClear
	}
	return m
}

// Message sends a line to one player; a congested lane drops it. The error is about the text.
func (tx Tx) Message(p *Player, n Notice) error {
	if err := n.check(); err != nil || p.gone {
		return err
	}
	return p.event(n.packet())
}

// Broadcast sends a line to everyone who has joined and returns how many those are.
func (tx Tx) Broadcast(n Notice) (int, error) { return tx.MessageTo(tx.everyone(), n) }

// MessageTo sends a line to some and returns to how many: not to those who have left.
func (tx Tx) MessageTo(to []*Player, n Notice) (int, error) {
	if err := n.check(); err != nil {
		return 0, err
	}
	return tell(to, n.packet())
}

// everyone is Players without their order.
func (tx Tx) everyone() []*Player {
	list := make([]*Player, 0, len(tx.w.players))
	for _, p := range tx.w.players {
		list = append(list, p)
	}
	return list
}

// tell sends a droppable packet to those who are here and says how many those are. Who signs in is only told what the
// server says.
func tell(to []*Player, m protocol.Packet) (n int, err error) {
	for _, p := range to {
		if p.gone || p.SignsIn() && m.ID() != protocol.IDServerMessage {
			continue
		}
		if err := p.event(m); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// event sends a droppable packet that nobody misses: a congested lane loses it.
func (p *Player) event(m protocol.Packet) error {
	if err := p.link.Straight(m); !errors.Is(err, pacer.ErrRefused) {
		return err
	}
	return nil
}

// Announce is a line of the console's to everyone; whatever is typed there becomes one that can be sent.
func (tx Tx) Announce(text string) int {
	n, _ := tx.Broadcast(Notice{Text: clean(text), Kind: protocol.MessageInfo})
	return n
}

// TellLocal sends a line to the players on this machine: what an author wants to know, and a stranger need not.
func (tx Tx) TellLocal(text string, kind protocol.MessageKind) {
	text = clean(text)
	for _, p := range tx.Confirmed() {
		if p.link.Address().Addr().IsLoopback() {
			tx.Message(p, Notice{Text: text, Kind: kind})
		}
	}
}

// clean makes any text one that a plain line may hold.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return ' '
		}
		if unicode.In(r, unicode.Cc, unicode.Cf) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	for len(text) > 1000 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}
