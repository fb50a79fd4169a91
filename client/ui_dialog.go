package client

import (
	"errors"
	"slices"
	"time"

	"darqline/protocol"
)

// Errors of what the player does with dialogs, menus, offers and actions. Nothing is sent then.
var (
	ErrNotOpen  = errors.New("that is not open, or not any more")
	ErrTooSoon  = errors.New("a dialog takes no key in its first quarter of a second")
	ErrDialog   = errors.New("a dialog is open: it has the keyboard")
	ErrMenuKey  = errors.New("the key is the open menu's")
	ErrAwaiting = errors.New("the menu waits for the server's answer to the last selection")
	ErrChanged  = errors.New("the menu's item has changed meanwhile")
	ErrUnusable = errors.New("that cannot be used now")
)

// dialogGuard is how long a dialog takes no key, so that one that was meant for the game does not answer it.
const dialogGuard = 250 * time.Millisecond

// DialogKind is what a dialog asks for.
type DialogKind uint8

const (
	DialogMessage DialogKind = iota
	DialogInput
	DialogPassword
	DialogList
	DialogTable
	DialogForm
	dialogKinds = iota
)

func (k DialogKind) String() string {
	return [dialogKinds]string{"message", "input", "password", "list", "table", "form"}[k]
}

// Dialog is a dialog with all its parts. What is shown never changes.
type Dialog struct {
	ID          uint32
	Kind        DialogKind
	Cancellable bool // Esc and the cancel button answer "cancel"; else there is neither
	Lines       bool // input: several lines
	Filter      bool // list, table: a box to filter the rows
	Sortable    bool // table
	protocol.DialogTexts
	Error      string // why the last answer was refused
	ErrorField int    // form: the field that Error is about; -1: the whole

	Placeholder, Initial string // input, password
	MinChars, MaxChars   int

	Columns []protocol.TableColumn // table
	Rows    []protocol.TableRow    // further lines of a message, items of a list, rows of a table
	Start   int                    // the row first selected

	Fields []protocol.FormField

	Opened time.Time // when it was shown
	Until  time.Time // when it closes by itself; zero: never
}

// DialogAnswer is the player's answer to a dialog.
type DialogAnswer struct {
	Button protocol.DialogButton
	Row    int                   // list, table: the row's number as in Dialog.Rows; -1 with extra: none
	Text   string                // input, password
	Fields []protocol.FormAnswer // form: by rising number, without what was left out
}

// AnswerDialog answers the open dialog and closes it. With ButtonCancel only the button is read, and of the rest what is
// the kind's. What Dialog.Check refuses is refused here, as a *DialogError, and the dialog stays open.
func (c *Client) AnswerDialog(id uint32, a DialogAnswer) error {
	return c.act(func(g *game, now time.Duration) error { return g.answerDialog(g.at(now), id, a) })
}

// dialog is the dialog that came last. The zero value is none.
type dialog struct {
	Dialog
	rows, fields int           // that it is to have
	columns      int           // of each row
	timeout      time.Duration // from the moment it is shown; 0: none
	shown        bool
}

// newDialog takes a new head: it replaces what is open, or was not complete yet.
func (g *game) newDialog(at time.Time, d dialog, timeout uint32) {
	g.closeDialog(ClosedReplaced)
	d.timeout = milliseconds(timeout)
	g.ui.dialog = d
	g.completeDialog(at)
}

func (g *game) dialogShow(at time.Time, p *protocol.DialogShow) {
	has := func(flag protocol.DialogFlags) bool { return p.Flags&flag != 0 }
	g.newDialog(at, dialog{
		Dialog: Dialog{
			ID:          p.DialogID,
			Kind:        DialogKind(p.Kind), // the first four are the same
			Cancellable: has(protocol.DialogCancellable),
			Lines:       has(protocol.DialogLines),
			Filter:      has(protocol.DialogFilter),
			DialogTexts: p.Content.DialogTexts,
			Error:       p.Content.Error,
			ErrorField:  -1,
			Placeholder: p.Content.Placeholder,
			Initial:     p.Content.Initial,
			MinChars:    int(p.MinChars),
			MaxChars:    int(p.MaxChars),
			Start:       int(p.Start),
		},
		rows:    int(p.Rows),
		columns: 1,
	}, p.Timeout)
}

func (g *game) dialogTable(at time.Time, p *protocol.DialogTable) {
	has := func(flag protocol.DialogFlags) bool { return p.Flags&flag != 0 }
	g.newDialog(at, dialog{
		Dialog: Dialog{
			ID:          p.DialogID,
			Kind:        DialogTable,
			Cancellable: has(protocol.DialogCancellable),
			Filter:      has(protocol.DialogFilter),
			Sortable:    has(protocol.TableSort),
			DialogTexts: p.Content.DialogTexts,
			Error:       p.Content.Error,
			ErrorField:  -1,
			Columns:     p.Content.Columns,
			Start:       int(p.Start),
		},
		rows:    int(p.Rows),
		columns: len(p.Content.Columns),
	}, p.Timeout)
}

// dialogForm takes a part of a form; the first one has the head.
func (g *game) dialogForm(at time.Time, p *protocol.DialogForm) {
	if p.Flags&protocol.FormHead != 0 {
		about := -1
		if p.ErrorField != protocol.WholeForm {
			about = int(p.ErrorField)
		}
		g.newDialog(at, dialog{
			Dialog: Dialog{
				ID:          p.DialogID,
				Kind:        DialogForm,
				Cancellable: p.Flags&protocol.DialogCancellable != 0,
				DialogTexts: p.Content.Head.DialogTexts,
				Error:       p.Content.Head.Error,
				ErrorField:  about,
			},
			fields: int(p.Total),
		}, p.Timeout)
	}
	d := &g.ui.dialog
	if d.ID != p.DialogID || d.Kind != DialogForm || d.fields != int(p.Total) || int(p.First) != len(d.Fields) {
		return
	}
	d.Fields = append(d.Fields, p.Content.Fields...)
	g.completeDialog(at)
}

// dialogRows takes rows: the next ones of the dialog whose head came last.
func (g *game) dialogRows(at time.Time, p *protocol.DialogTableRows) {
	d := &g.ui.dialog
	if d.ID != p.DialogID || int(p.First) != len(d.Rows) || len(d.Rows)+len(p.Rows) > d.rows || int(p.Columns) != d.columns {
		return
	}
	d.Rows = append(d.Rows, p.Rows...)
	g.completeDialog(at)
}

// completeDialog shows the dialog as soon as all its parts are there.
func (g *game) completeDialog(at time.Time) {
	d := &g.ui.dialog
	if d.shown || len(d.Rows) < d.rows || len(d.Fields) < d.fields {
		return
	}
	d.shown, d.Opened = true, at
	if d.timeout > 0 {
		d.Until = at.Add(d.timeout)
		g.ui.alarm(d.Until)
	}
	g.releaseKeys()
	g.me.Frame.MoveX, g.me.Frame.MoveY, g.me.Frame.Keys = 0, 0, 0
	now := d.Dialog
	g.tell(func(h Handler) { h.Dialog(now) })
}

// closeDialog ends the dialog that is open or was not complete yet.
func (g *game) closeDialog(why CloseReason) {
	id, shown := g.ui.dialog.ID, g.ui.dialog.shown
	g.ui.dialog = dialog{}
	if shown {
		g.tell(func(h Handler) { h.DialogClosed(id, why) })
	}
}

func (g *game) dialogHide(p *protocol.DialogHide) {
	if g.ui.dialog.ID == p.DialogID {
		g.closeDialog(ClosedByServer)
	}
}

func (g *game) driveDialog(at time.Time) {
	if d := &g.ui.dialog; d.shown && !d.Until.IsZero() && g.ui.ended(at, d.Until) {
		g.closeDialog(ClosedTimeout)
	}
}

func (g *game) answerDialog(at time.Time, id uint32, a DialogAnswer) error {
	d := &g.ui.dialog
	switch {
	case !d.shown || d.ID != id:
		return ErrNotOpen
	case at.Before(d.Opened.Add(dialogGuard)):
		return ErrTooSoon
	}
	if err := d.Check(a); err != nil {
		return err
	}
	p := d.response(a)
	if err := encodable(p); err != nil {
		return err
	}
	g.closeDialog(ClosedAnswered)
	g.send(p)
	return nil
}

// response is the packet of an answer that was checked.
func (d *Dialog) response(a DialogAnswer) protocol.Packet {
	if d.Kind == DialogForm {
		p := &protocol.DialogFormResponse{DialogID: d.ID, Button: a.Button}
		if a.Button != protocol.ButtonCancel {
			p.Fields = slices.Clone(a.Fields)
		}
		return p
	}
	p := &protocol.DialogResponse{DialogID: d.ID, Button: a.Button, Row: protocol.NoRow}
	switch {
	case a.Button == protocol.ButtonCancel:
	case d.selects() && a.Row >= 0:
		p.Row = uint16(a.Row)
	case d.types():
		p.Text = a.Text
	}
	return p
}

func (d *Dialog) selects() bool { return d.Kind == DialogList || d.Kind == DialogTable }
func (d *Dialog) types() bool   { return d.Kind == DialogInput || d.Kind == DialogPassword }
