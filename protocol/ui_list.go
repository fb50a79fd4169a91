package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// A ListOp says what a ListEntry does.
type ListOp uint8

const (
	ListRemove ListOp = iota // off the list
	ListPing                 // a new ping
	ListWhole                // all of a row
	ListHeader               // the list's title and columns; PlayerID NoPlayer, PlayerToken 0
)

var listOps = []string{"remove", "ping", "whole", "header"}

// String is the op's word.
func (o ListOp) String() string { return named(listOps, o, "ListOp") }

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

var aligns = []string{"left", "center", "right"}

// String is the alignment's word, as Lua has it.
func (a Align) String() string { return named(aligns, a, "Align") }

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
	var seen idSet
	for i := range p.Entries {
		e := &p.Entries[i]
		nobody := e.PlayerID == NoPlayer && e.PlayerToken == 0
		somebody := e.PlayerID != NoPlayer && e.PlayerToken != 0
		switch {
		case e.Op == ListHeader && !nobody:
			return fmt.Errorf("entries[%d]: a header has player_id 0xFFFF and player_token 0", i)
		case e.Op != ListHeader && !somebody:
			return fmt.Errorf("entries[%d]: player_id 0xFFFF or player_token 0", i)
		case !seen.add(e.PlayerID):
			return fmt.Errorf("entries[%d]: player %d stands there twice", i, e.PlayerID)
		}
	}
	return nil
}
