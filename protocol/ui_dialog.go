package protocol

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"darqline/protocol/wire"
)

// MaxDialogRows is the number of rows that a dialog can have: lines of a
// message, items of a list, rows of a table.
const MaxDialogRows = 500

// NoRow is the row of a DialogResponse that is about none.
const NoRow = 0xFFFF

// DialogFlags are the flags of a dialog. Each kind of dialog has its own after
// the first.
type DialogFlags uint8

// The flags of a dialog.
const (
	DialogCancellable DialogFlags = 1 // of all
	DialogLines       DialogFlags = 2 // several lines; DialogShow, an input
	TableSort         DialogFlags = 2 // the player may sort; DialogTable
	FormHead          DialogFlags = 2 // this part has the head; DialogForm
	DialogFilter      DialogFlags = 4 // a filter box; DialogShow, a list, and DialogTable
)

// DialogTexts are the texts that every dialog has.
type DialogTexts struct {
	Title  string // 1..128 bytes
	Body   string // lines, as many as the kind allows
	Accept string // the buttons, up to 48 bytes; Accept is drawn with a mark where it is empty, the others are absent
	Cancel string // only with DialogCancellable
	Extra  string
}

// wire is the layout; lines and most are what the body may have.
func (t *DialogTexts) wire(c *wire.Codec, lines, most int) {
	c.Str8(&t.Title, 1, 128, wire.Line)
	c.Str16(&t.Body, 0, most, wire.Lines(lines))
	c.Str8(&t.Accept, 0, 48, wire.Line)
	c.Str8(&t.Cancel, 0, 48, wire.Line)
	c.Str8(&t.Extra, 0, 48, wire.Line)
}

func (t *DialogTexts) check(flags DialogFlags) error {
	if t.Cancel != "" && flags&DialogCancellable == 0 {
		return errors.New("there is a cancel button, but the dialog cannot be cancelled")
	}
	return nil
}

// dialogTimeout is how long a dialog may be shown: ms, 0 without end.
func dialogTimeout(c *wire.Codec, p *uint32) { wire.ZeroOr(c, p, 1000, 3_600_000) }

// A DialogKind is what a DialogShow asks for.
type DialogKind uint8

const (
	DialogMessage DialogKind = iota
	DialogInput
	DialogPassword
	DialogList
)

var dialogKinds = []string{"message", "input", "password", "list"}

// String is the kind's word.
func (k DialogKind) String() string { return named(dialogKinds, k, "DialogKind") }

// types reports whether the player types a text.
func (k DialogKind) types() bool { return k == DialogInput || k == DialogPassword }

// DialogContent is the texts of a DialogShow.
type DialogContent struct {
	DialogTexts        // the body up to 40 lines
	Placeholder string // plain, up to 128 bytes; input and password
	Initial     string // plain, up to 512 bytes and MaxChars characters; input, with DialogLines up to 40 lines
	Error       string // up to 200 bytes: why the last answer was refused
}

// DialogShow is a message, an input, a password or a list. Its rows follow in
// DialogTableRows.
type DialogShow struct {
	DialogID uint32
	Kind     DialogKind
	Flags    DialogFlags
	Timeout  uint32 // ms, 1000..3600000; 0 none
	Rows     uint16 // that follow: message 0..500, list 1..500, else 0
	Start    uint16 // list: the row first selected
	MinChars uint16 // input and password
	MaxChars uint16 // input and password, 1..256
	Content  DialogContent
}

func (*DialogShow) ID() ID { return IDDialogShow }

func (p *DialogShow) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.DialogID)
	wire.Enum(c, &p.Kind, DialogList)
	wire.Bits(c, &p.Flags, 3)
	dialogTimeout(c, &p.Timeout)
	wire.Range(c, &p.Rows, 0, MaxDialogRows)
	wire.Range(c, &p.Start, 0, MaxDialogRows-1)
	wire.Range(c, &p.MinChars, 0, 256)
	wire.Range(c, &p.MaxChars, 0, 256)
	c.Tail(&p.Content, 11, 1175, func() {
		t := &p.Content
		t.DialogTexts.wire(c, 40, 1166)
		c.Str8(&t.Placeholder, 0, 128, wire.Plain)
		c.Str16(&t.Initial, 0, 512, wire.PlainLines(40))
		c.Str8(&t.Error, 0, 200, wire.Line)
	})
}

// Check holds what the kinds may have.
func (p *DialogShow) Check() error {
	t := &p.Content
	list, typed := p.Kind == DialogList, p.Kind.types()
	switch {
	case p.Flags&DialogLines != 0 && p.Kind != DialogInput:
		return fmt.Errorf("flags: several lines are an input's, not of kind %v", p.Kind)
	case p.Flags&DialogFilter != 0 && !list:
		return fmt.Errorf("flags: a filter box is a list's, not of kind %v", p.Kind)
	case list && p.Rows == 0:
		return errors.New("rows: a list has 1..500")
	case typed && p.Rows != 0:
		return fmt.Errorf("rows: kind %v has none", p.Kind)
	case list && p.Start >= p.Rows:
		return fmt.Errorf("start %d is not below rows %d", p.Start, p.Rows)
	case !list && p.Start != 0:
		return fmt.Errorf("start: kind %v has no row to select", p.Kind)
	case !typed && (p.MinChars != 0 || p.MaxChars != 0 || t.Placeholder != "" || t.Initial != ""):
		return fmt.Errorf("kind %v has no min_chars, max_chars, placeholder or initial text", p.Kind)
	case typed && p.MaxChars == 0:
		return errors.New("max_chars 0 is outside 1..256")
	case p.MinChars > p.MaxChars:
		return fmt.Errorf("min_chars %d is above max_chars %d", p.MinChars, p.MaxChars)
	case p.Kind == DialogPassword && t.Initial != "":
		return errors.New("a password has no initial text")
	case p.Flags&DialogLines == 0 && strings.Contains(t.Initial, "\n"):
		return errors.New("the initial text has several lines, the input has one")
	case utf8.RuneCountInString(t.Initial) > int(p.MaxChars):
		return fmt.Errorf("the initial text has more than %d characters", p.MaxChars)
	}
	return t.check(p.Flags)
}

// DialogHide closes a dialog of any kind if it is open.
type DialogHide struct{ DialogID uint32 }

func (*DialogHide) ID() ID { return IDDialogHide }

func (p *DialogHide) Wire(c *wire.Codec) { wire.NonZero(c, &p.DialogID) }

// A DialogButton is a button of a dialog.
type DialogButton uint8

const (
	ButtonAccept DialogButton = iota
	ButtonCancel
	ButtonExtra
)

var dialogButtons = []string{"accept", "cancel", "extra"}

// String is the button's word, as Lua sees it.
func (b DialogButton) String() string { return named(dialogButtons, b, "DialogButton") }

// DialogResponse answers a message, an input, a password, a list or a table.
type DialogResponse struct {
	DialogID uint32
	Button   DialogButton
	Row      uint16 // 0..499; NoRow where there are none
	Text     string // plain, up to 512 bytes, with \n only where DialogLines was set
}

func (*DialogResponse) ID() ID { return IDDialogResponse }

func (p *DialogResponse) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.DialogID)
	wire.Enum(c, &p.Button, ButtonExtra)
	c.U16(&p.Row)
	n := c.Len16(&p.Text, 0, 512)
	c.Piece(&p.Text, n, wire.PlainText)
}

func (p *DialogResponse) Check() error {
	switch {
	case p.Row >= MaxDialogRows && p.Row != NoRow:
		return fmt.Errorf("row %d is neither 0xFFFF nor within 0..499", p.Row)
	case p.Button == ButtonCancel && (p.Row != NoRow || p.Text != ""):
		return errors.New("cancel has no row and no text")
	}
	return nil
}
