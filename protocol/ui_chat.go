package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// A Channel is who a line of chat is for.
type Channel uint8

const (
	ChannelAll Channel = iota
	ChannelTeam
)

var channels = []string{"all", "team"}

// String is the channel's word, as Lua has it.
func (c Channel) String() string { return named(channels, c, "Channel") }

// ClientChat is a line that the player wrote.
type ClientChat struct {
	Channel Channel
	Text    string // plain, 1..512 bytes
}

func (*ClientChat) ID() ID { return IDClientChat }

func (p *ClientChat) Wire(c *wire.Codec) {
	wire.Enum(c, &p.Channel, ChannelTeam)
	n := c.Len16(&p.Text, 1, 512)
	c.Piece(&p.Text, n, wire.Plain)
}

// ChatFlags say which texts of a ChatMessage have markup.
type ChatFlags uint8

const (
	ChatTextMarkup ChatFlags = 1 << iota
	ChatNameMarkup
)

// ChatMessage is a line of a player.
type ChatMessage struct {
	PlayerID    uint16
	PlayerToken uint32
	Channel     Channel
	Flags       ChatFlags
	NameColor   RGBA
	Color       RGBA
	Name        string // 1..64 bytes
	Text        string // 1..512 bytes
}

func (*ChatMessage) ID() ID { return IDChatMessage }

func (p *ChatMessage) Wire(c *wire.Codec) {
	wire.Range(c, &p.PlayerID, 0, NoPlayer-1)
	wire.NonZero(c, &p.PlayerToken)
	wire.Enum(c, &p.Channel, ChannelTeam)
	wire.Bits(c, &p.Flags, 2)
	c.RGBA(&p.NameColor)
	c.RGBA(&p.Color)
	name := c.Len8(&p.Name, 1, 64)
	text := c.Len16(&p.Text, 1, 512)
	c.Piece(&p.Name, name, wire.Line)
	c.Piece(&p.Text, text, wire.Line)
}

// ClientCommand is a command that the player wrote.
type ClientCommand struct {
	Text string // plain, 1..512 bytes, without the slash
}

func (*ClientCommand) ID() ID { return IDClientCommand }

func (p *ClientCommand) Wire(c *wire.Codec) {
	n := c.Len16(&p.Text, 1, 512)
	c.Piece(&p.Text, n, wire.Plain)
}

// A MessageKind is the look of a ServerMessage.
type MessageKind uint8

const (
	MessagePlain MessageKind = iota
	MessageInfo
	MessageSuccess
	MessageWarning
	MessageError
)

var messageKinds = []string{"plain", "info", "success", "warning", "error"}

// String is the kind's word, as Lua has it.
func (k MessageKind) String() string { return named(messageKinds, k, "MessageKind") }

// MessageFlags are the flags of a ServerMessage.
type MessageFlags uint8

const (
	MessageMarkup MessageFlags = 1 << iota
	MessageClear               // empties the window first
)

// ServerMessage is a line in the chat window that no player wrote.
type ServerMessage struct {
	Kind  MessageKind
	Flags MessageFlags
	Color RGBA   // alpha 0: of the kind
	Text  string // up to 1024 bytes and 12 lines; empty only with MessageClear
}

func (*ServerMessage) ID() ID { return IDServerMessage }

func (p *ServerMessage) Wire(c *wire.Codec) {
	wire.Enum(c, &p.Kind, MessageError)
	wire.Bits(c, &p.Flags, 2)
	c.RGBA(&p.Color)
	n := c.Len16(&p.Text, 0, 1024)
	c.Piece(&p.Text, n, wire.Lines(12))
}

func (p *ServerMessage) Check() error {
	if p.Text == "" && p.Flags&MessageClear == 0 {
		return errors.New("text is empty and the window is not emptied")
	}
	return nil
}

// BubbleFlags are the flags of a PlayerChatBubble.
type BubbleFlags uint8

// BubbleMarkup says that the bubble's text has markup.
const BubbleMarkup BubbleFlags = 1

// PlayerChatBubble is a text over a player's head for a while. With Duration 0
// it removes the last one, and all but the player is zero.
type PlayerChatBubble struct {
	PlayerID    uint16
	PlayerToken uint32
	Duration    uint32  // ms, 500..60000
	Distance    float32 // m, 1..100
	Flags       BubbleFlags
	Color       RGBA
	Text        string // 1..512 bytes and up to 4 lines
}

func (*PlayerChatBubble) ID() ID { return IDPlayerChatBubble }

func (p *PlayerChatBubble) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.ZeroOr(c, &p.Duration, 500, 60000)
	removed := PlayerChatBubble{PlayerID: p.PlayerID, PlayerToken: p.PlayerToken}
	wire.Removable(c, p, removed, p.Duration == 0, 11, (*PlayerChatBubble).fields)
}

func (p *PlayerChatBubble) fields(c *wire.Codec) {
	c.F32In(&p.Distance, 1, 100)
	wire.Bits(c, &p.Flags, 1)
	c.RGBA(&p.Color)
	n := c.Len16(&p.Text, 0, 512)
	c.Piece(&p.Text, n, wire.Lines(4))
}

func (p *PlayerChatBubble) Check() error {
	if p.Duration != 0 && p.Text == "" {
		return errors.New("text is empty; a bubble without a text is removed, with duration 0")
	}
	return nil
}
