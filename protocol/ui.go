package protocol

import (
	"errors"
	"fmt"
	"math"

	"darqline/protocol/wire"
)

// A Channel is who a line of chat is for.
type Channel uint8

const (
	ChannelAll Channel = iota
	ChannelTeam
)

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

// PlayerChatBubble is a text over a player's head for a while. Without a text
// it removes the last one, and all but the player is zero.
type PlayerChatBubble struct {
	PlayerID    uint16
	PlayerToken uint32
	Duration    uint32  // ms, 500..60000
	Distance    float32 // m, 1..100
	Flags       BubbleFlags
	Color       RGBA
	Text        string // up to 512 bytes and 4 lines
}

func (*PlayerChatBubble) ID() ID { return IDPlayerChatBubble }

func (p *PlayerChatBubble) Wire(c *wire.Codec) {
	wire.Range(c, &p.PlayerID, 0, NoPlayer-1)
	wire.NonZero(c, &p.PlayerToken)
	wire.ZeroOr(c, &p.Duration, 500, 60000)
	c.F32ZeroOr(&p.Distance, 1, 100)
	wire.Bits(c, &p.Flags, 1)
	c.RGBA(&p.Color)
	n := c.Len16(&p.Text, 0, 512)
	c.Piece(&p.Text, n, wire.Lines(4))
}

func (p *PlayerChatBubble) Check() error {
	remove := PlayerChatBubble{PlayerID: p.PlayerID, PlayerToken: p.PlayerToken}
	switch {
	case p.Text == "" && *p != remove:
		return errors.New("without a text every field after player_token is 0")
	case p.Text != "" && (p.Duration == 0 || p.Distance == 0):
		return errors.New("a text needs a duration and a distance")
	}
	return nil
}

// Places in UiTheme.Colors.
const (
	ColorAccent = iota
	ColorOnAccent
	ColorBackground
	ColorPanel
	ColorText
	ColorMuted
	ColorBorder
	ColorSelected
	ColorInfo
	ColorSuccess
	ColorWarning
	ColorError
)

// A Font is the font of a UiTheme.
type Font uint8

const (
	FontSans Font = iota
	FontCondensed
	FontGame
)

// HudParts are the parts of the HUD that show.
type HudParts uint16

const (
	HudRadar HudParts = 1 << iota
	HudHealth
	HudArmor
	HudBreath
	HudMoney
	HudWanted
	HudWeapon
	HudClock
	HudAreaName
	HudVehicleName
	HudCrosshair
	HudChat
	HudKillFeed
	HudNametags
	HudPlayerList
	HudRadio
)

// UiTheme is the look of all UI.
type UiTheme struct {
	Colors    [12]RGBA // by ColorAccent to ColorError; here alpha 0 is transparent
	Radius    uint8    // of corners, 0..16 px
	Scale     uint8    // percent, 75..150
	Font      Font
	ChatLines uint8 // 5..30
	Hud       HudParts
}

func (*UiTheme) ID() ID { return IDUiTheme }

func (p *UiTheme) Wire(c *wire.Codec) {
	wire.Array(c, p.Colors[:], func(color *RGBA, c *wire.Codec) { c.Color(color) })
	wire.Range(c, &p.Radius, 0, 16)
	wire.Range(c, &p.Scale, 75, 150)
	wire.Enum(c, &p.Font, FontGame)
	wire.Range(c, &p.ChatLines, 5, 30)
	wire.Bits(c, &p.Hud, 16)
}

func (p *UiTheme) Check() error {
	for _, i := range [...]int{ColorAccent, ColorOnAccent, ColorText, ColorMuted, ColorInfo, ColorSuccess, ColorWarning, ColorError} {
		if p.Colors[i].A == 0 {
			return fmt.Errorf("colors[%d] must not have alpha 0", i)
		}
	}
	return nil
}

// PlatformKeys are the keys of the client's own functions.
type PlatformKeys struct {
	Keys [16]Key // by FunctionChat to FunctionChatDown
}

func (*PlatformKeys) ID() ID { return IDPlatformKeys }

func (p *PlatformKeys) Wire(c *wire.Codec) {
	wire.Array(c, p.Keys[:], func(k *Key, c *wire.Codec) { wire.Enum(c, k, KeyLast) })
}

// Check holds the rules of page Chat, HUD and dialogs, PlatformKeys: no
// Escape, no menu function without a key, and no key twice among the menu's
// functions or among the others.
func (p *PlatformKeys) Check() error {
	var usedInMenu, used [KeyLast + 1]bool
	for i, k := range p.Keys {
		f := Function(i)
		seen := &used
		if f.Menu() {
			seen = &usedInMenu
		}
		switch {
		case k == KeyEscape:
			return fmt.Errorf("keys[%d]: Escape cannot be given away", i)
		case k == KeyNone && f.needsKey():
			return fmt.Errorf("keys[%d]: a menu needs this key", i)
		case k > KeyLast: // the layout refuses it
		case k != KeyNone && seen[k]:
			return fmt.Errorf("keys[%d]: %v stands there twice", i, k)
		default:
			seen[k] = true
		}
	}
	return nil
}

// A ListOp says what a ListEntry does.
type ListOp uint8

const (
	ListRemove ListOp = iota // off the list
	ListPing                 // a new ping
	ListWhole                // all of a row
	ListHeader               // the list's title and columns; PlayerID NoPlayer, PlayerToken 0
)

// ListFlags are the flags of a row of the player list.
type ListFlags uint8

const (
	ListHidden ListFlags = 1 << iota // not listed
	ListSelf                         // the recipient
)

// An Align is the alignment of a column.
type Align uint8

const (
	AlignLeft Align = iota
	AlignCenter
	AlignRight
)

// A ListColumn is a column of the player list.
type ListColumn struct {
	Align   Align
	Width   uint8  // percent
	Heading string // 1..32 bytes
}

func (l *ListColumn) Wire(c *wire.Codec) {
	wire.Enum(c, &l.Align, AlignRight)
	wire.Range(c, &l.Width, 0, 100)
	c.Str8(&l.Heading, 1, 32, wire.Line)
}

// A ListEntry is one change of the player list. Its op says which fields it
// has.
type ListEntry struct {
	Op          ListOp
	PlayerID    uint16
	PlayerToken uint32

	Ping  uint16 // ms; ping and whole
	Flags ListFlags
	Order int16
	Color RGBA
	Name  string   // plain, 1..47 bytes
	Group string   // up to 32 bytes
	Cells []string // up to 6 of up to 32 bytes

	Title   string       // header: up to 96 bytes
	Columns []ListColumn // header: up to 6
}

func (e *ListEntry) Wire(c *wire.Codec) {
	wire.Enum(c, &e.Op, ListHeader)
	c.U16(&e.PlayerID)
	c.U32(&e.PlayerToken)
	wire.Union(c, e, &e.Op, wire.Nothing, (*ListEntry).ping, (*ListEntry).whole, (*ListEntry).header)
}

func (e *ListEntry) ping(c *wire.Codec) { c.U16(&e.Ping) }

func (e *ListEntry) whole(c *wire.Codec) {
	c.U16(&e.Ping)
	wire.Bits(c, &e.Flags, 2)
	c.I16(&e.Order)
	c.RGBA(&e.Color)
	c.Str8(&e.Name, 1, 47, wire.Plain)
	c.Str8(&e.Group, 0, 32, wire.Line)
	wire.Repeat(c, &e.Cells, 0, 6, func(cell *string, c *wire.Codec) { c.Str8(cell, 0, 32, wire.Line) })
}

func (e *ListEntry) header(c *wire.Codec) {
	c.Str8(&e.Title, 0, 96, wire.Line)
	wire.Repeat(c, &e.Columns, 0, 6, (*ListColumn).Wire)
}

// PlayerListEntry changes names and rows of the player list.
type PlayerListEntry struct {
	Entries []ListEntry // 1..170, together up to 1192 bytes, no player twice
}

func (*PlayerListEntry) ID() ID { return IDPlayerListEntry }

func (p *PlayerListEntry) Wire(c *wire.Codec) {
	n := wire.Count(c, &p.Entries, 1, 170)
	c.Tail(&p.Entries, 7, 1192, func() {
		wire.Items(c, &p.Entries, n, (*ListEntry).Wire)
	})
}

func (p *PlayerListEntry) Check() error {
	var seen [math.MaxUint16/64 + 1]uint64
	for i := range p.Entries {
		e := &p.Entries[i]
		nobody := e.PlayerID == NoPlayer && e.PlayerToken == 0
		somebody := e.PlayerID != NoPlayer && e.PlayerToken != 0
		word, bit := &seen[e.PlayerID/64], uint64(1)<<(e.PlayerID%64)
		switch {
		case e.Op == ListHeader && !nobody:
			return fmt.Errorf("entries[%d]: a header has player_id 0xFFFF and player_token 0", i)
		case e.Op != ListHeader && !somebody:
			return fmt.Errorf("entries[%d]: player_id 0xFFFF or player_token 0", i)
		case *word&bit != 0:
			return fmt.Errorf("entries[%d]: player %d stands there twice", i, e.PlayerID)
		}
		*word |= bit
	}
	return nil
}
