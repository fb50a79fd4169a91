package scriptapi

import (
	"cmp"
	"fmt"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// askArgs are a dialog; what it has besides title and text decides its kind (page Chat, HUD and dialogs, Lua).
type askArgs struct {
	Title       string        `lua:"title" range:"1..128" doc:"What stands above it."`
	Text        string        `lua:"text,optional" doc:"What the player reads: lines with markup, of up to 8,192 bytes where there is nothing else, or 20 to 40 lines."`
	Buttons     *buttonArgs   `lua:"buttons" doc:"{ accept, cancel, extra }. Without it {\"OK\", \"Cancel\"}, for a message {\"OK\"}."`
	Cancellable bool          `lua:"cancellable" default:"true" doc:"Whether Esc cancels. Without it there is no cancel button either."`
	Timeout     int           `lua:"timeout,optional" range:"1000..3600000" doc:"For how long he may think, in ms, from when it is shown."`
	Replace     bool          `lua:"replace" default:"false" doc:"Takes the place of the dialog that he has open; else it waits until that is over, behind at most 7 others."`
	Death       bool          `lua:"close_on_death" default:"false" doc:"Whether his death closes it."`
	Check       bind.Function `lua:"check,optional" doc:"fn(answer) at each accept: returns nothing when all is well, or a text, for a form also the field's name and a text, with which the dialog is shown again, filled as he left it."`
	Input       *inputArgs    `lua:"input" doc:"Makes it an input: a text that he types."`
	Items       []itemArgs    `lua:"items,optional" doc:"Makes it a list to choose from: up to 500 strings or { text, value?, disabled? }."`
	Columns     []columnArgs  `lua:"columns,optional" doc:"Makes it a table, with rows: 1 to 8 headings or { text, align?, width? }, the width in percent."`
	Rows        []rowArgs     `lua:"rows,optional" doc:"The table's rows, up to 500: lists of cells with value? and disabled?."`
	Fields      []fieldArgs   `lua:"fields,optional" doc:"Makes it a form: up to 24 fields. A type is boolean, integer(a..b), number(a..b), string(a..b), choice, choices(a..b), color, date or note; a final ? makes it optional."`
	Start       *int          `lua:"start" range:"1..500" doc:"The item or row that is selected first."`
	Search      bool          `lua:"search" default:"false" doc:"Whether a list or table has a filter box."`
	Sort        bool          `lua:"sort" default:"false" doc:"Whether the player may sort a table."`
}

type buttonArgs struct {
	Accept string `lua:"accept,optional,1" doc:"The text of accept."`
	Cancel string `lua:"cancel,optional,2" doc:"The text of cancel; without it there is none to press but Esc."`
	Extra  string `lua:"extra,optional,3" doc:"The text of one more button; without it there is none."`
}

type inputArgs struct {
	Min         int    `lua:"min" range:"0..256" default:"0" doc:"Least number of characters."`
	Max         int    `lua:"max" range:"1..256" default:"256" doc:"Greatest number of characters."`
	Initial     string `lua:"initial,optional" doc:"What stands there at first."`
	Placeholder string `lua:"placeholder,optional" doc:"What stands there while it is empty."`
	Lines       bool   `lua:"lines" default:"false" doc:"Whether it may have several lines, up to 40."`
	Hidden      bool   `lua:"hidden" default:"false" doc:"A password."`
}

type itemArgs struct {
	Text     string   `lua:"text,1" doc:"What he reads."`
	Value    bind.Raw `lua:"value,optional" doc:"What the answer has; it stays with the script."`
	Disabled bool     `lua:"disabled" default:"false" doc:"Whether it cannot be chosen."`
	Self     bind.Raw `lua:"item,self"`
}

type columnArgs struct {
	Text  string         `lua:"text,1" doc:"The heading."`
	Align protocol.Align `lua:"align" enum:"left|center|right" default:"left" doc:"How its cells stand."`
	Width int            `lua:"width" range:"0..100" default:"0" doc:"In percent; 0: by itself."`
}

type rowArgs struct {
	Cells    []string `lua:"cells,items" doc:"A text for each column."`
	Value    bind.Raw `lua:"value,optional" doc:"What the answer has; it stays with the script."`
	Disabled bool     `lua:"disabled" default:"false" doc:"Whether it cannot be chosen."`
	Self     bind.Raw `lua:"row,self"`
}

// dialogAnswer is what a dialog returns.
type dialogAnswer struct {
	Button string          `lua:"button" doc:"accept or extra."`
	Text   *string         `lua:"text" doc:"Of an input."`
	Index  *int            `lua:"index" doc:"Of a list or table."`
	Item   bind.Raw        `lua:"item,optional" doc:"Of a list, as it was given."`
	Row    bind.Raw        `lua:"row,optional" doc:"Of a table, as it was given."`
	Value  bind.Raw        `lua:"value,optional" doc:"Of the item or row; of an item without one its text."`
	Values *map[string]any `lua:"values" doc:"Of a form, by name."`
}

// asking is what Lua's side keeps of a dialog: the world's Owner of it.
type asking struct {
	inst  *instance
	args  *askArgs
	form  form
	waits []func(dialogEnd)
	over  *dialogEnd
}

// dialogEnd is how a dialog has ended.
type dialogEnd struct {
	answer *dialogAnswer
	reason string
	err    error
}

func (e dialogEnd) result() (*dialogAnswer, error) {
	if e.err != nil {
		return nil, e.err
	}
	return e.answer, bind.Because(e.reason)
}

// dialogReasons are why a dialog may have no answer.
var dialogReasons = []string{"cancel", "timeout", "closed", "replaced", "busy", "death", "leave", "stop", "invalid"}

type dialogCloseArgs struct {
	Dialog *world.Dialog `lua:"dialog" doc:"What is over."`
	Player *world.Player `lua:"player" doc:"Whom it asked."`
	Reason string        `lua:"reason" doc:"accept, extra, or why there is no answer."`
}

func declareDialogEvents(r *bind.Registry) *bind.Event[dialogCloseArgs] {
	return bind.NewEvent[dialogCloseArgs](r, "dialog_close", "A dialog of the resource's own is over.", false)
}

// declarePlayerDialogs declares how a player is asked.
func (rt *Runtime) declarePlayerDialogs(h *bind.Handle[*world.Player]) {
	returns := bind.Returns("The answer: button, and text, index with item or row and value, or values.")
	h.Add(
		bind.Prop("dialog", "The dialog that he has open, whoever's it is.", read(rt, world.Tx.DialogOf), nil, bind.OrNil()),
		bind.Method("ask", "Shows a dialog and waits for the answer.", rt.ask, bind.Keyed(), bind.Waits(), returns,
			bind.Reasons(dialogReasons...),
			bind.Example(`local answer, why = player:ask{ title = "Name your car", input = { min = 1, max = 20 } }
if answer then player:message("It is called " .. mp.ui.escape(answer.text)) end`)),
		bind.Method("open_dialog", "Shows a dialog and goes on.", rt.openDialog, bind.Keyed(),
			bind.Returns("The dialog; :wait() waits for its answer."),
			bind.Example(`local dialog = player:open_dialog{ title = "Wait here", text = "The door opens in a minute" }
mp.after(5000, function() dialog:close() end)`)),
	)
}

func (rt *Runtime) declareDialogs(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[*world.Dialog]{
		Name: "Dialog", Type: "dialog", Doc: "A question to a player.", NoType: true,
	}).Add(
		bind.Prop("id", "Its number; another one each time that it is shown again.", read(rt, func(tx world.Tx, d *world.Dialog) int { return int(tx.DialogID(d)) }), nil),
		bind.Prop("player", "Whom it asks.", func(d *world.Dialog) *world.Player { return d.Player }, nil),
		bind.Prop("open", "Whether it is not over. One that waits for its turn is open too.", read(rt, world.Tx.DialogOpen), nil),
		bind.Method("wait", "Waits until it is over.", rt.waitDialog, bind.Waits(), bind.Reasons(dialogReasons...),
			bind.Returns("The answer, as player:ask returns it.")),
		bind.Method("close", "Takes it from the player's screen.", func(_ *bind.Call, d *world.Dialog, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.CloseDialog(d); return nil })
		}),
	)
}

func (rt *Runtime) ask(c *bind.Call, p *world.Player, a askArgs) (*dialogAnswer, error) {
	k := &asking{inst: instanceOf(c), args: &a}
	spec, err := k.spec()
	if err != nil {
		return nil, err
	}
	return bind.Ask(c, dialogEnd{reason: "stop"}, func(wake func(dialogEnd)) {
		k.waits = append(k.waits, wake)
		if _, err := rt.show(p, spec, k); err != nil {
			wake(dialogEnd{err: err})
		}
	}).result()
}

func (rt *Runtime) openDialog(c *bind.Call, p *world.Player, a askArgs) (*world.Dialog, error) {
	k := &asking{inst: instanceOf(c), args: &a}
	if k.inst.stopping {
		return nil, fmt.Errorf("the resource stops")
	}
	spec, err := k.spec()
	if err != nil {
		return nil, err
	}
	return rt.show(p, spec, k)
}

// show opens a dialog; one that is over at once, of which nothing will tell, ends here.
func (rt *Runtime) show(p *world.Player, spec world.DialogSpec, k *asking) (*world.Dialog, error) {
	tx := rt.begin()
	defer tx.End()
	d, told, err := tx.OpenDialog(p, spec)
	if err == nil && !told {
		reason, _ := tx.DialogEnd(d)
		k.end(dialogEnd{reason: string(reason)})
	}
	return d, err
}

func (rt *Runtime) waitDialog(c *bind.Call, d *world.Dialog, _ bind.None) (*dialogAnswer, error) {
	k, _ := d.Spec.Owner.(*asking)
	switch {
	case k == nil || k.inst != instanceOf(c):
		return nil, fmt.Errorf("the dialog is %s's, who alone gets its answer", cmp.Or(d.Spec.By, "the server"))
	case k.over != nil:
		return k.over.result()
	}
	return bind.Ask(c, dialogEnd{reason: "stop"}, func(wake func(dialogEnd)) { k.waits = append(k.waits, wake) }).result()
}

// end wakes whoever waits for a dialog.
func (k *asking) end(e dialogEnd) {
	k.over = &e
	for _, wake := range k.waits {
		wake(e)
	}
	k.waits = nil
}

// dialogDone tells that a dialog is over: to what waits, and to dialog_close of the resource that asked. A dialog of an embedding
// program has nobody here.
func (rt *Runtime) dialogDone(d *world.Dialog) {
	if k, ok := d.Spec.Owner.(*asking); ok {
		tx := rt.begin()
		reason, answer := tx.DialogEnd(d)
		tx.End()
		if answer != nil {
			k.end(dialogEnd{answer: k.answer(answer)})
		} else {
			k.end(dialogEnd{reason: string(reason)})
		}
		if !k.inst.stopping {
			rt.fireIn(k.inst, rt.events.dialogClose.Name(), rt.events.dialogClose.Args(dialogCloseArgs{d, d.Player, string(reason)}), "")
		}
	}
	for _, in := range rt.instances {
		in.env.Release(d)
	}
}

// endsOfLeave tells of what a leave has ended, when all have heard of the leave.
func (rt *Runtime) endsOfLeave(p *world.Player) {
	tx := rt.begin()
	ends := tx.EndsOfLeave(p)
	tx.End()
	for _, e := range ends {
		rt.Dispatch(e)
	}
}

// answer is the world's answer for Lua.
func (k *asking) answer(a *world.DialogAnswer) *dialogAnswer {
	out := &dialogAnswer{Button: a.Button.String()}
	switch {
	case k.args.Input != nil:
		out.Text = &a.Text
	case k.args.Fields != nil:
		values := k.form.values(a.Fields)
		out.Values = &values
	}
	if a.Row < 0 {
		return out
	}
	index := a.Row + 1
	out.Index = &index
	if k.args.Items != nil {
		item := &k.args.Items[a.Row]
		out.Item, out.Value = item.Self, item.Value
		if item.Value.IsNil() {
			out.Value = k.inst.env.Raw(item.Text)
		}
		return out
	}
	row := &k.args.Rows[a.Row]
	out.Row, out.Value = row.Self, row.Value
	return out
}

// spec is the dialog as the world has it. The error names the field as Lua calls it.
func (k *asking) spec() (world.DialogSpec, error) {
	a := k.args
	s := world.DialogSpec{Title: a.Title, Text: a.Text, Cancellable: a.Cancellable, Search: a.Search, Sort: a.Sort,
		Timeout: time.Duration(a.Timeout) * time.Millisecond, Replace: a.Replace, CloseOnDeath: a.Death, Checked: a.Check.Given(),
		By: k.inst.name(), Owner: k}
	if err := a.oneKind(); err != nil {
		return s, err
	}
	s.Accept, s.Cancel, s.Extra = a.buttons()
	if a.Start != nil {
		s.Start = *a.Start - 1
	}
	if a.Input != nil {
		input := world.InputSpec(*a.Input)
		s.Input = &input
	}
	if a.Items != nil {
		s.Items = make([]protocol.TableRow, len(a.Items))
		cells := make([]string, len(a.Items))
		for i, item := range a.Items {
			cells[i] = item.Text
			s.Items[i] = protocol.TableRow{Flags: rowFlags(item.Disabled), Cells: cells[i : i+1]}
		}
	}
	if a.Columns != nil {
		s.Columns = make([]protocol.TableColumn, len(a.Columns))
		for i, column := range a.Columns {
			s.Columns[i] = protocol.TableColumn{Align: column.Align, Width: uint8(column.Width), Heading: column.Text}
		}
		s.Rows = make([]protocol.TableRow, len(a.Rows))
		for i, row := range a.Rows {
			s.Rows[i] = protocol.TableRow{Flags: rowFlags(row.Disabled), Cells: row.Cells}
		}
	}
	if a.Fields != nil {
		var err error
		if k.form, s.Fields, err = readForm(a.Fields); err != nil {
			return s, err
		}
	}
	return s, nil
}

func rowFlags(disabled bool) protocol.RowFlags {
	if disabled {
		return protocol.RowDisabled
	}
	return 0
}

// oneKind refuses what does not go together.
func (a *askArgs) oneKind() error {
	list, table := a.Items != nil, a.Columns != nil || a.Rows != nil
	kinds := 0
	for _, is := range []bool{a.Input != nil, list, table, a.Fields != nil} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds > 1:
		return fmt.Errorf("a dialog has one of input, items, columns with rows, and fields")
	case table && a.Columns == nil:
		return fmt.Errorf("field \"columns\": rows have headings")
	case a.Start != nil && !list && !table:
		return fmt.Errorf("field \"start\": it is a list's or a table's")
	case a.Search && !list && !table:
		return fmt.Errorf("field \"search\": it is a list's or a table's")
	case a.Sort && !table:
		return fmt.Errorf("field \"sort\": it is a table's")
	}
	return nil
}

func (a *askArgs) buttons() (accept, cancel, extra string) {
	switch {
	case a.Buttons != nil:
		return a.Buttons.Accept, a.Buttons.Cancel, a.Buttons.Extra
	case !a.Cancellable, a.Input == nil && a.Items == nil && a.Columns == nil && a.Fields == nil:
		return "OK", "", ""
	}
	return "OK", "Cancel", ""
}
