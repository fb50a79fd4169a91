package world

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"darqline/protocol"
)

// What the texts of a dialog may be, in bytes (page Chat, HUD and dialogs, Dialogs).
const (
	dialogTitle       = 128
	dialogButton      = 48
	dialogError       = 200
	dialogPlaceholder = 128
	dialogInitial     = 512
	messageText       = 8192

	showContent  = 1175 // of a DialogShow
	tableContent = 1179 // of a DialogTable
	formContent  = 1180 // of a DialogForm

	showLines  = 40 // of a body
	tableLines = 20 // of a table's and a form's
)

// build makes the packets of a dialog with the text of why the last answer was refused. The error names the field as Lua
// calls it.
func (d *Dialog) build(refused string) error {
	s := &d.Spec
	if err := s.check(); err != nil {
		return err
	}
	var err error
	switch {
	case s.Fields != nil:
		err = d.buildForm(refused)
	case s.Columns != nil:
		err = d.buildTable(refused)
	default:
		err = d.buildShow(refused)
	}
	if err != nil {
		return err
	}
	for _, m := range d.shows {
		if err := check(m); err != nil {
			return err
		}
	}
	return nil
}

// check is about what all kinds have.
func (s *DialogSpec) check() error {
	if s.Title == "" {
		return fmt.Errorf("field \"title\": a dialog has one")
	}
	if err := line("title", s.Title, dialogTitle); err != nil {
		return err
	}
	for i, text := range []string{s.Accept, s.Cancel, s.Extra} {
		if err := line(fmt.Sprintf("buttons[%d]", i+1), text, dialogButton); err != nil {
			return err
		}
	}
	if s.Cancel != "" && !s.Cancellable {
		return fmt.Errorf("field \"buttons[2]\": a cancel button, but the dialog is not cancellable")
	}
	return nil
}

// texts are the texts of a head that has room bytes for them; more are those of other fields. Where the dialog comes again,
// the body gives way to what the player has typed and to the reason.
func (s *DialogSpec) texts(room, more int, again bool) (protocol.DialogTexts, error) {
	t := protocol.DialogTexts{Title: s.Title, Body: s.Text, Accept: s.Accept, Cancel: s.Cancel, Extra: s.Extra}
	size := len(t.Title) + len(t.Body) + len(t.Accept) + len(t.Cancel) + len(t.Extra) + more
	if size <= room {
		return t, nil
	}
	if keep := len(t.Body) - (size - room); again && keep >= 0 {
		t.Body = t.Body[:cutAt(t.Body, keep)]
		return t, nil
	}
	return t, fmt.Errorf("the texts of the dialog have %s bytes together, at most %s: shorten text (%s bytes)",
		grouped(size), grouped(room), grouped(len(s.Text)))
}

func (s *DialogSpec) flags() (f protocol.DialogFlags) {
	if s.Cancellable {
		f |= protocol.DialogCancellable
	}
	return f
}

func (s *DialogSpec) timeout() uint32 { return uint32(s.Timeout.Milliseconds()) }

// buildShow makes a message, an input, a password or a list.
func (d *Dialog) buildShow(refused string) error {
	s := &d.Spec
	m := &protocol.DialogShow{DialogID: d.id, Flags: s.flags(), Timeout: s.timeout()}
	m.Content.Error = refused
	rows, field := s.Items, "items"
	more := len(refused)
	switch {
	case s.Input != nil:
		if err := s.Input.into(m); err != nil {
			return err
		}
		more += len(m.Content.Placeholder) + len(m.Content.Initial)
	case s.Items != nil:
		m.Kind, m.Start = protocol.DialogList, uint16(s.Start)
		if s.Search {
			m.Flags |= protocol.DialogFilter
		}
	case len(s.Text) > showContent-11-len(s.Title)-3*dialogButton-dialogError || strings.Count(s.Text, "\n") >= showLines:
		var err error
		if rows, err = messageRows(s.Text); err != nil {
			return err
		}
		field = "text"
	}
	head := *s
	if field == "text" {
		head.Text = ""
	}
	if err := lines("text", head.Text, showContent, showLines); err != nil {
		return err
	}
	var err error
	if m.Content.DialogTexts, err = head.texts(showContent-11, more, d.answer != nil); err != nil {
		return err
	}
	m.Rows = uint16(len(rows))
	d.shows = append([]protocol.Packet(nil), m)
	return d.addRows(field, rows, 1)
}

// into puts an input into its packet.
func (i *InputSpec) into(m *protocol.DialogShow) error {
	m.Kind, m.MinChars, m.MaxChars = protocol.DialogInput, uint16(i.Min), uint16(i.Max)
	m.Content.Initial, m.Content.Placeholder = i.Initial, i.Placeholder
	count := 1
	if i.Lines {
		m.Flags |= protocol.DialogLines
		count = showLines
	}
	if i.Hidden {
		m.Kind = protocol.DialogPassword
	}
	n := utf8.RuneCountInString(i.Initial)
	switch {
	case i.Hidden && i.Lines:
		return fmt.Errorf("field \"input.lines\": a hidden text has one line")
	case i.Hidden && i.Initial != "":
		return fmt.Errorf("field \"input.initial\": a hidden text has none")
	case i.Min > i.Max:
		return fmt.Errorf("field \"input.min\": %d is above max, %d", i.Min, i.Max)
	case n > i.Max:
		return fmt.Errorf("field \"input.initial\": %d characters, at most %d", n, i.Max)
	}
	if err := lines("input.initial", i.Initial, dialogInitial, count); err != nil {
		return err
	}
	return line("input.placeholder", i.Placeholder, dialogPlaceholder)
}

// messageRows are the lines of a long message. A line that is longer than a cell goes on in the next row.
func messageRows(text string) ([]protocol.TableRow, error) {
	if err := lines("text", text, messageText, len(text)+2); err != nil {
		return nil, err
	}
	var rows []protocol.TableRow
	for l := range strings.SplitSeq(text, "\n") {
		var flags protocol.RowFlags
		for first := true; first || l != ""; first = false {
			n := cutAt(l, maxCell)
			rows = append(rows, protocol.TableRow{Flags: flags, Cells: []string{l[:n]}})
			l, flags = l[n:], protocol.RowContinued
		}
	}
	if len(rows) > protocol.MaxDialogRows {
		return nil, fmt.Errorf("field \"text\": %s lines (one of over %d bytes counts as several), at most %d", grouped(len(rows)),
			maxCell, protocol.MaxDialogRows)
	}
	return rows, nil
}
