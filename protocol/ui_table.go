package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// RowFlags are the flags of a row of a dialog.
type RowFlags uint8

const (
	RowDisabled  RowFlags = 1 << iota // cannot be chosen
	RowContinued                      // goes on in the line of the row before: a long paragraph of a message
)

// A TableRow is a line of a message, an item of a list or a row of a table.
type TableRow struct {
	Flags RowFlags
	Cells []string // as many as the part says, up to 255 bytes each
}

// MaxTableRow is the largest TableRow in bytes.
const MaxTableRow = 590

// DialogTableRows is a part of the rows of the dialog whose head came last.
type DialogTableRows struct {
	DialogID uint32
	First    uint16 // number of the first row
	Columns  uint8  // cells of each row, 1..8; 1 for a message and a list
	Rows     []TableRow
}

func (*DialogTableRows) ID() ID { return IDDialogTableRows }

func (p *DialogTableRows) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.DialogID)
	wire.Range(c, &p.First, 0, MaxDialogRows-1)
	columns := wire.Times(c, &p.Columns, 1, 8)
	n := wire.Count(c, &p.Rows, 1, 255)
	c.Tail(&p.Rows, 2, 1185, func() {
		wire.Items(c, &p.Rows, n, func(r *TableRow, c *wire.Codec) {
			c.AtMost(r, MaxTableRow, func() {
				wire.Bits(c, &r.Flags, 2)
				wire.Items(c, &r.Cells, columns, func(cell *string, c *wire.Codec) { c.Str8(cell, 0, 255, wire.Line) })
			})
		})
	})
}

func (p *DialogTableRows) Check() error {
	if int(p.First)+len(p.Rows) > MaxDialogRows {
		return fmt.Errorf("rows %d..%d: a dialog has at most %d", p.First, int(p.First)+len(p.Rows)-1, MaxDialogRows)
	}
	return nil
}

// A TableColumn is a column of a DialogTable.
type TableColumn struct {
	Align   Align
	Width   uint8  // percent, all together up to 100; 0 automatic
	Heading string // up to 48 bytes
}

func (t *TableColumn) Wire(c *wire.Codec) {
	wire.Enum(c, &t.Align, AlignRight)
	wire.Range(c, &t.Width, 0, 100)
	c.Str8(&t.Heading, 0, 48, wire.Line)
}

// TableContent is the texts and columns of a DialogTable.
type TableContent struct {
	DialogTexts               // the body up to 20 lines
	Error       string        // up to 200 bytes: why the last answer was refused
	Columns     []TableColumn // 1..8
}

// DialogTable is a table to choose a row of. Its rows follow in
// DialogTableRows, and DialogResponse answers it.
type DialogTable struct {
	DialogID uint32
	Flags    DialogFlags
	Timeout  uint32 // ms, 1000..3600000; 0 none
	Rows     uint16 // that follow, 1..500
	Start    uint16 // the row first selected
	Content  TableContent
}

func (*DialogTable) ID() ID { return IDDialogTable }

func (p *DialogTable) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.DialogID)
	wire.Bits(c, &p.Flags, 3)
	dialogTimeout(c, &p.Timeout)
	wire.Range(c, &p.Rows, 1, MaxDialogRows)
	c.U16(&p.Start)
	t := &p.Content
	columns := wire.CountOf(c, &t.Columns, 1, 8)
	c.Tail(t, 11, 1179, func() {
		t.DialogTexts.wire(c, 20, 1170)
		c.Str8(&t.Error, 0, 200, wire.Line)
		wire.Items(c, &t.Columns, columns, (*TableColumn).Wire)
	})
}

func (p *DialogTable) Check() error {
	if p.Start >= p.Rows {
		return fmt.Errorf("start %d is not below rows %d", p.Start, p.Rows)
	}
	width := 0
	for _, column := range p.Content.Columns {
		width += int(column.Width)
	}
	if width > 100 {
		return fmt.Errorf("the columns are %d %% wide together, at most 100 are allowed", width)
	}
	return p.Content.check(p.Flags)
}
