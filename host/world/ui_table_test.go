package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"darqline/protocol"
)

// TestMessagesOfAnyLength puts a message together again as a client does.
func TestMessagesOfAnyLength(t *testing.T) {
	for _, text := range []string{
		"", "short", strings.Repeat("line\n", 39), strings.Repeat("line\n", 40), strings.Repeat("\n", 499),
		strings.Repeat("x", 8192), strings.Repeat("{FF8000}é{{é{key:12}", 350), strings.Repeat("{", 900), strings.Repeat("{not markup ", 300),
		strings.Repeat("日", 2000) + "\n\n" + strings.Repeat("{/}", 300),
	} {
		q := newQuestions(t)
		q.ask(DialogSpec{Text: text})
		q.link.drainKeeping()
		got, lines := "", 0
		for _, p := range q.link.sent {
			switch p := p.(type) {
			case *protocol.DialogShow:
				got += p.Content.Body
				if p.Rows > 0 && p.Content.Body != "" {
					t.Error("a body and rows")
				}
			case *protocol.DialogTableRows:
				for _, row := range p.Rows {
					if row.Flags&protocol.RowContinued == 0 && lines > 0 {
						got += "\n"
					}
					lines++
					got += row.Cells[0]
					if marked := strings.HasPrefix(text, "{FF"); marked && !beginsWith(row.Cells[0], "{FF8000}", "é", "{{", "{key:12}") {
						t.Errorf("a row begins within markup: %.20q", row.Cells[0])
					}
				}
			}
		}
		if got != text {
			t.Errorf("%.30q: %d bytes came of %d", text, len(got), len(text))
		}
	}
}

func beginsWith(text string, any ...string) bool {
	return slices.ContainsFunc(any, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// drainKeeping flushes until nothing waits, and keeps what was sent.
func (l *link) drainKeeping() {
	for l.pace.Len() > 0 {
		l.flush()
	}
}

// TestRowsFillTheirPackets has as many rows as there may be.
func TestRowsFillTheirPackets(t *testing.T) {
	q := newQuestions(t)
	spec := DialogSpec{Columns: make([]protocol.TableColumn, 3)}
	size := 0
	for i := range 500 {
		row := protocol.TableRow{Cells: []string{fmt.Sprint(i), strings.Repeat("x", i%40), strings.Repeat("y", i%30)}}
		n, err := rowSize(row, 3)
		if err != nil {
			t.Fatal(err)
		}
		size += n
		spec.Rows = append(spec.Rows, row)
	}
	q.ask(spec)
	q.link.drainKeeping()
	next := 0
	for _, p := range q.link.sent[1:] {
		part := p.(*protocol.DialogTableRows)
		if int(part.First) != next || part.Columns != 3 {
			t.Fatalf("part from %d of %d columns, want %d", part.First, part.Columns, next)
		}
		for i, row := range part.Rows {
			if row.Cells[0] != fmt.Sprint(next+i) {
				t.Fatalf("row %d is %v", next+i, row.Cells)
			}
		}
		next += len(part.Rows)
	}
	if parts := len(q.link.sent) - 1; next != 500 || parts > size/1100+1 {
		t.Errorf("%d rows in %d packets of %d bytes", next, parts, size)
	}
	spec.Rows = append(spec.Rows, protocol.TableRow{Cells: []string{"", "", ""}})
	q.do(func(tx Tx) {
		if _, _, err := tx.OpenDialog(q.player, withTitle(spec)); err == nil || err.Error() != `field "rows": 501 rows, at most 500` {
			t.Error(err)
		}
	})
	spec.Rows = nil
	for range 500 {
		spec.Rows = append(spec.Rows, protocol.TableRow{Cells: []string{strings.Repeat("x", 62), "", ""}})
	}
	q.do(func(tx Tx) {
		if _, _, err := tx.OpenDialog(q.player, withTitle(spec)); err == nil || err.Error() != `field "rows": the rows up to rows[497] have 32,802 bytes together, at most 32,768` {
			t.Error(err)
		}
	})
}

func withTitle(s DialogSpec) DialogSpec { s.Title = "T"; return s }

// TestListComesBackAtItsRow shows a list and a table again where the player was.
func TestListComesBackAtItsRow(t *testing.T) {
	for _, spec := range []DialogSpec{
		{Items: []protocol.TableRow{{Cells: []string{"A"}}, {Cells: []string{"B"}}}, Checked: true},
		{Columns: make([]protocol.TableColumn, 1), Rows: []protocol.TableRow{{Cells: []string{"A"}}, {Cells: []string{"B"}}}, Checked: true},
	} {
		q := newQuestions(t)
		d := q.open(spec)
		q.press(d, protocol.DialogResponse{Row: 1})
		q.do(func(tx Tx) {
			if err := tx.AskAgain(d, "no", protocol.WholeForm); err != nil {
				t.Fatal(err)
			}
		})
		q.link.drainKeeping()
		start := uint16(0)
		switch m := q.link.sent[0].(type) {
		case *protocol.DialogShow:
			start = m.Start
		case *protocol.DialogTable:
			start = m.Start
		}
		if start != 1 {
			t.Errorf("it comes back at row %d", start)
		}
	}
}

// FuzzMessageRows cuts any message into rows that are the message again.
func FuzzMessageRows(f *testing.F) {
	f.Add("a\nb")
	f.Add(strings.Repeat("{FF8000}é{{é{key:12}", 30))
	f.Add(strings.Repeat("{", 300))
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := messageRows(text)
		if err != nil {
			return
		}
		var b strings.Builder
		for i, row := range rows {
			if _, err := rowSize(row, 1); err != nil {
				t.Fatalf("row %d: %v", i, err)
			}
			if row.Flags&protocol.RowContinued == 0 && i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(row.Cells[0])
		}
		if b.String() != text {
			t.Fatalf("%q came of %q", b.String(), text)
		}
	})
}
