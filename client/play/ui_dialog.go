package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"darqline/client"
	"darqline/protocol"
)

// dialog is the open dialog.
type dialog struct {
	ID          uint32 `json:"id"`
	Kind        string `json:"kind"` // message, input, password, list, table, form
	Title       string `json:"title"`
	Body        string `json:"body,omitempty"` // of a message with all its lines
	Accept      string `json:"accept"`         // empty: a mark
	Cancel      string `json:"cancel,omitempty"`
	Extra       string `json:"extra,omitempty"`
	Cancellable bool   `json:"cancellable,omitempty"`
	Error       string `json:"error,omitempty"` // why the last answer was refused
	ErrorField  int    `json:"error_field"`     // -1: it is about the whole
	Opened      int64  `json:"opened"`          // Unix time in ms
	Until       int64  `json:"until,omitempty"` // when it closes by itself; 0: never

	Lines       bool   `json:"lines,omitempty"` // input: several lines
	Placeholder string `json:"placeholder,omitempty"`
	Initial     string `json:"initial,omitempty"`
	MinChars    int    `json:"min_chars,omitempty"`
	MaxChars    int    `json:"max_chars,omitempty"`

	Filter   bool          `json:"filter,omitempty"`
	Sortable bool          `json:"sortable,omitempty"`
	Columns  []tableColumn `json:"columns,omitempty"`
	Rows     []tableRow    `json:"rows,omitempty"` // of a list or table
	Start    int           `json:"start"`

	Fields []formField `json:"fields,omitempty"`

	asked client.Dialog // as it came
}

type tableColumn struct {
	Heading string `json:"heading"`
	Align   string `json:"align"`
	Width   uint8  `json:"width,omitempty"` // percent; 0: automatic
}

type tableRow struct {
	Cells    []string `json:"cells"`
	Disabled bool     `json:"disabled,omitempty"`
}

// formField is a field of a form. Initial and the answer's value are, by the type: a boolean, a number, a string, the
// number of an option, a list of such, "#rrggbb", days since 1970-01-01; nil is none.
type formField struct {
	Type     string   `json:"type"`
	Label    string   `json:"label"`
	Help     string   `json:"help,omitempty"`
	Required bool     `json:"required,omitempty"`
	ReadOnly bool     `json:"read_only,omitempty"`
	Slider   bool     `json:"slider,omitempty"`
	Whole    bool     `json:"whole,omitempty"`
	Lines    bool     `json:"lines,omitempty"`
	Hidden   bool     `json:"hidden,omitempty"`
	Filter   bool     `json:"filter,omitempty"`
	Min      float64  `json:"min"` // of a number, of characters, of choices, of days
	Max      float64  `json:"max"`
	Step     float64  `json:"step,omitempty"` // 0: any
	Options  []string `json:"options,omitempty"`
	Initial  any      `json:"initial"`
}

// dialogAnswer is a page's answer to the dialog. Without a Button it asks whether one field is well filled.
type dialogAnswer struct {
	ID     uint32       `json:"id"`
	Button string       `json:"button"` // accept, cancel, extra
	Row    int          `json:"row"`    // -1: none
	Text   string       `json:"text"`
	Fields []formAnswer `json:"fields"`
}

type formAnswer struct {
	Number uint8           `json:"number"`
	Value  json.RawMessage `json:"value"`
}

// dialogFault is why an answer cannot be given.
type dialogFault struct {
	Dialog uint32 `json:"dialog"`
	Field  int    `json:"field"` // -1: it is about the whole
	Text   string `json:"text"`  // "": the field is well filled
}

func dialogOf(d client.Dialog) *dialog {
	out := &dialog{
		ID: d.ID, Kind: d.Kind.String(), Title: d.Title, Body: d.Body, Accept: d.Accept, Cancel: d.Cancel, Extra: d.Extra,
		Cancellable: d.Cancellable, Error: d.Error, ErrorField: d.ErrorField, Opened: unixMs(d.Opened), Until: unixMs(d.Until),
		Lines: d.Lines, Placeholder: d.Placeholder, Initial: d.Initial, MinChars: d.MinChars, MaxChars: d.MaxChars,
		Filter: d.Filter, Sortable: d.Sortable, Start: d.Start, asked: d,
	}
	for _, c := range d.Columns {
		out.Columns = append(out.Columns, tableColumn{c.Heading, c.Align.String(), c.Width})
	}
	for i := range d.Fields {
		out.Fields = append(out.Fields, fieldOf(&d.Fields[i]))
	}
	if d.Kind == client.DialogMessage {
		out.Body = allLines(d)
		return out
	}
	for _, r := range d.Rows {
		out.Rows = append(out.Rows, tableRow{r.Cells, r.Flags&protocol.RowDisabled != 0})
	}
	return out
}

// allLines is the text of a message: its body and the lines that came after it.
func allLines(d client.Dialog) string {
	var b strings.Builder
	b.WriteString(d.Body)
	for i, r := range d.Rows {
		if r.Flags&protocol.RowContinued == 0 && (i > 0 || d.Body != "") {
			b.WriteByte('\n')
		}
		b.WriteString(r.Cells[0])
	}
	return b.String()
}

func fieldOf(f *protocol.FormField) formField {
	has := func(flag protocol.FormFlags) bool { return f.Flags&flag != 0 }
	out := formField{
		Type: f.Type.String(), Label: f.Label, Help: f.Help, Required: has(protocol.FormRequired), ReadOnly: has(protocol.FormReadOnly),
		Slider: has(protocol.FormSlider), Whole: has(protocol.FormWhole), Lines: has(protocol.FormLines),
		Hidden: has(protocol.FormHidden), Filter: has(protocol.FormFilter),
	}
	var initial any
	switch f.Type {
	case protocol.FormBoolean:
		initial = f.Boolean
	case protocol.FormNumber:
		out.Min, out.Max, out.Step, initial = f.Number.Min, f.Number.Max, f.Number.Step, f.Number.Initial
	case protocol.FormString:
		out.Min, out.Max, initial = float64(f.String.MinChars), float64(f.String.MaxChars), f.String.Initial
	case protocol.FormChoice:
		out.Options = f.Choice.Options
		if f.Choice.Initial != protocol.NoChoice {
			initial = f.Choice.Initial
		}
	case protocol.FormChoices:
		out.Min, out.Max, out.Options = float64(f.Choices.Least), float64(f.Choices.Most), f.Choices.Options
		chosen := []int{}
		for i := range f.Choices.Options {
			if f.Choices.Initial>>i&1 != 0 {
				chosen = append(chosen, i)
			}
		}
		initial = chosen
	case protocol.FormColor:
		initial = color(f.Color)
	case protocol.FormDate:
		out.Min, out.Max, initial = float64(f.Date.Min), float64(f.Date.Max), f.Date.Initial
	}
	if has(protocol.FormInitial) {
		out.Initial = initial
	}
	return out
}

// buttons are the words of the dialog's buttons.
var buttons = map[string]protocol.DialogButton{
	"accept": protocol.ButtonAccept, "cancel": protocol.ButtonCancel, "extra": protocol.ButtonExtra,
}

// answer is what the page means, for the dialog that it is about.
func (a *dialogAnswer) answer(d *client.Dialog) (client.DialogAnswer, error) {
	out := client.DialogAnswer{Row: a.Row, Text: a.Text}
	button, ok := buttons[a.Button]
	if !ok && a.Button != "" {
		return out, fmt.Errorf("there is no button %q", a.Button)
	}
	out.Button = button
	for _, f := range a.Fields {
		answer := protocol.FormAnswer{Number: f.Number}
		if int(f.Number) < len(d.Fields) {
			answer.Type = d.Fields[f.Number].Type
		}
		if err := f.fill(&answer); err != nil {
			return out, &client.DialogError{Field: int(f.Number), Text: "this is no " + answer.Type.String()}
		}
		out.Fields = append(out.Fields, answer)
	}
	return out, nil
}

// fill reads the value by the answer's type.
func (f *formAnswer) fill(a *protocol.FormAnswer) error {
	read := func(to any) error { return json.Unmarshal(f.Value, to) }
	switch a.Type {
	case protocol.FormBoolean:
		return read(&a.Boolean)
	case protocol.FormNumber:
		return read(&a.Float)
	case protocol.FormString:
		return read(&a.String)
	case protocol.FormChoice:
		return read(&a.Choice)
	case protocol.FormChoices:
		var chosen []uint
		err := read(&chosen)
		for _, i := range chosen {
			a.Choices |= 1 << min(i, 63)
		}
		return err
	case protocol.FormColor:
		var hex string
		if err := read(&hex); err != nil {
			return err
		}
		if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &a.Color.R, &a.Color.G, &a.Color.B); err != nil || len(hex) != 7 {
			return errors.New("a color is #rrggbb")
		}
		a.Color.A = 255
	case protocol.FormDate:
		return read(&a.Date)
	}
	return nil
}

// model's part

func (m *model) setDialog(d *dialog) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Dialog = d
	m.broadcast(message{Type: "dialog", Dialog: d})
}

func (m *model) closeDialog(id uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ui.Dialog == nil || m.ui.Dialog.ID != id {
		return
	}
	m.ui.Dialog = nil
	m.broadcast(message{Type: "dialog_end", ID: uint64(id)})
}

// asked is the open dialog if it has this id, else nil.
func (m *model) asked(id uint32) *client.Dialog {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ui.Dialog == nil || m.ui.Dialog.ID != id {
		return nil
	}
	return &m.ui.Dialog.asked
}

func (h *handler) Dialog(d client.Dialog)                       { h.m.setDialog(dialogOf(d)) }
func (h *handler) DialogClosed(id uint32, _ client.CloseReason) { h.m.closeDialog(id) }

// answerDialog answers the open dialog. What is wrong with the answer is told to the page that gave it; what came too
// early or too late is nothing.
func (s *server) answerDialog(p *page, a dialogAnswer) {
	d := s.model.asked(a.ID)
	if d == nil {
		return
	}
	answer, err := a.answer(d)
	if err == nil && a.Button != "" {
		err = s.seat.with(func(now session) error { return now.AnswerDialog(a.ID, answer) })
	} else if err == nil {
		s.checkFields(p, d, answer.Fields)
		return
	}
	wrong := new(client.DialogError)
	switch {
	case errors.As(err, &wrong):
		s.model.tell(p, message{Type: "dialog_fault", Fault: &dialogFault{a.ID, wrong.Field, wrong.Text}})
	case err != nil && !quiet(err):
		s.model.tell(p, message{Type: "dialog_fault", Fault: &dialogFault{a.ID, -1, err.Error()}})
	}
}

// checkFields tells a page how each of some fields is filled.
func (s *server) checkFields(p *page, d *client.Dialog, fields []protocol.FormAnswer) {
	for _, f := range fields {
		fault := &dialogFault{Dialog: d.ID, Field: int(f.Number)}
		if err := d.CheckField(f); err != nil {
			fault.Text = err.Error()
		}
		s.model.tell(p, message{Type: "dialog_fault", Fault: fault})
	}
}

// quiet tells that an error is no news: what the player answered has changed or gone meanwhile.
func quiet(err error) bool {
	return slices.ContainsFunc([]error{
		client.ErrNotOpen, client.ErrTooSoon, client.ErrDialog, client.ErrMenuKey, client.ErrAwaiting, client.ErrChanged, client.ErrUnusable,
	}, func(known error) bool { return errors.Is(err, known) })
}
