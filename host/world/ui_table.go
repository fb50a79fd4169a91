package world

import (
	"fmt"

	"darqline/protocol"
)

// What rows may be, in bytes (page Chat, HUD and dialogs, DialogTableRows).
const (
	maxCell      = 255
	maxAllRows   = 32_768
	rowsContent  = 1185 // of a DialogTableRows
	rowsInPacket = 255
)

// buildTable makes the head of a table and its rows.
func (d *Dialog) buildTable(refused string) error {
	s := &d.Spec
	m := &protocol.DialogTable{DialogID: d.id, Flags: s.flags(), Timeout: s.timeout(), Rows: uint16(len(s.Rows)), Start: uint16(s.Start)}
	m.Content.Error, m.Content.Columns = refused, s.Columns
	if s.Sort {
		m.Flags |= protocol.TableSort
	}
	if s.Search {
		m.Flags |= protocol.DialogFilter
	}
	if n := len(s.Columns); n < 1 || n > 8 {
		return fmt.Errorf("field \"columns\": %d columns, 1 to 8 expected", n)
	}
	more, width := len(refused), 0
	for i, c := range s.Columns {
		if err := line(fmt.Sprintf("columns[%d]", i+1), c.Heading, dialogButton); err != nil {
			return err
		}
		more += 3 + len(c.Heading)
		if width += int(c.Width); width > 100 {
			return fmt.Errorf("field \"columns[%d].width\": the columns are %d %% wide together, at most 100", i+1, width)
		}
	}
	if err := lines("text", s.Text, tableContent, tableLines); err != nil {
		return err
	}
	var err error
	if m.Content.DialogTexts, err = s.texts(tableContent-8, more, d.answer != nil); err != nil {
		return err
	}
	d.shows = append([]protocol.Packet(nil), m)
	return d.addRows("rows", s.Rows, len(s.Columns))
}

// addRows appends the parts of the rows, as many rows in each as fit. field is what Lua calls them.
func (d *Dialog) addRows(field string, rows []protocol.TableRow, columns int) error {
	if field != "text" && len(rows) == 0 && (d.Spec.Items != nil || d.Spec.Columns != nil) {
		return fmt.Errorf("field %q: there is nothing to choose", field)
	}
	if len(rows) > protocol.MaxDialogRows {
		return fmt.Errorf("field %q: %s rows, at most %d", field, grouped(len(rows)), protocol.MaxDialogRows)
	}
	if d.Spec.Start > 0 && d.Spec.Start >= len(rows) {
		return fmt.Errorf("field \"start\": %d, but there are %d rows", d.Spec.Start+1, len(rows))
	}
	var part *protocol.DialogTableRows
	size, total := 0, 0
	for i, r := range rows {
		n, err := rowSize(r, columns)
		if err != nil {
			return fmt.Errorf("field \"%s[%d]%s", field, i+1, err.Error()) // it begins with the rest of the field
		}
		if total += n; total > maxAllRows {
			return fmt.Errorf("field %q: the rows up to %s[%d] have %s bytes together, at most %s", field, field, i+1, grouped(total), grouped(maxAllRows))
		}
		if part == nil || size+n > rowsContent || len(part.Rows) == rowsInPacket {
			part, size = &protocol.DialogTableRows{DialogID: d.id, First: uint16(i), Columns: uint8(columns)}, 0
			d.shows = append(d.shows, part)
		}
		part.Rows = append(part.Rows, r)
		size += n
	}
	return nil
}

// rowSize is the bytes of a row on the wire. An error begins with what follows the row in the field's name.
func rowSize(r protocol.TableRow, columns int) (int, error) {
	if len(r.Cells) != columns {
		cells := "cells"
		if len(r.Cells) == 1 {
			cells = "cell"
		}
		return 0, fmt.Errorf("\": %d %s for %d columns", len(r.Cells), cells, columns)
	}
	size := 1
	for i, cell := range r.Cells {
		size += 1 + len(cell)
		err := line("", cell, maxCell)
		switch {
		case err != nil && columns > 1:
			return 0, fmt.Errorf("[%d]\": %w", i+1, err)
		case err != nil:
			return 0, fmt.Errorf("\": %w", err)
		}
	}
	if size > protocol.MaxTableRow {
		return 0, fmt.Errorf("\": a row of %d bytes, at most %d", size, protocol.MaxTableRow)
	}
	return size, nil
}
