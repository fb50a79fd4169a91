package client

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// show is a dialog of a kind with a title, with changes.
func show(id uint32, kind protocol.DialogKind, change ...func(*protocol.DialogShow)) *protocol.DialogShow {
	p := &protocol.DialogShow{DialogID: id, Kind: kind, Flags: protocol.DialogCancellable}
	p.Content.Title = "T"
	if kind == protocol.DialogInput || kind == protocol.DialogPassword {
		p.MaxChars = 20
	}
	for _, f := range change {
		f(p)
	}
	return p
}

func ofRows(n uint16) func(*protocol.DialogShow) {
	return func(p *protocol.DialogShow) { p.Rows = n }
}

// rowsOf is a part with n rows of one cell.
func rowsOf(id uint32, first uint16, n int) *protocol.DialogTableRows {
	p := &protocol.DialogTableRows{DialogID: id, First: first, Columns: 1}
	for i := range n {
		p.Rows = append(p.Rows, protocol.TableRow{Cells: []string{fmt.Sprint("row ", int(first)+i)}})
	}
	return p
}

// later is after the quarter of a second in which a dialog takes no key.
func later() { time.Sleep(dialogGuard) }

func TestADialogIsShownWhenAllItsRowsAreThere(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		wide := rowsOf(7, 2, 1)
		wide.Columns, wide.Rows[0].Cells = 2, []string{"a", "b"}
		for _, step := range []struct {
			what   string
			packet protocol.Packet
			heard  []string
		}{
			{"rows of nothing", rowsOf(7, 0, 1), nil},
			{"a head", show(7, protocol.DialogList, ofRows(3)), nil},
			{"rows of another dialog", rowsOf(8, 0, 3), nil},
			{"not the first rows", rowsOf(7, 1, 1), nil},
			{"the first rows", rowsOf(7, 0, 2), nil},
			{"the same ones again", rowsOf(7, 0, 2), nil},
			{"other columns", wide, nil},
			{"more rows than there are", rowsOf(7, 2, 2), nil},
			{"the last row", rowsOf(7, 2, 1), []string{`dialog 7 list "T" rows 3 fields 0`}},
			{"a row too many", rowsOf(7, 3, 1), nil},
			{"hiding another one", &protocol.DialogHide{DialogID: 8}, nil},
			{"a head replaces it", show(9, protocol.DialogList, ofRows(2)), []string{"dialog 7 closed replaced"}},
			{"and one that was not complete", show(10, protocol.DialogInput), []string{`dialog 10 input "T" rows 0 fields 0`}},
			{"rows of the one before", rowsOf(9, 0, 2), nil},
			{"hidden", &protocol.DialogHide{DialogID: 10}, []string{"dialog 10 closed closed"}},
			{"a head", show(11, protocol.DialogList, ofRows(1)), nil},
			{"which is hidden before it was complete", &protocol.DialogHide{DialogID: 11}, nil},
			{"its row", rowsOf(11, 0, 1), nil},
		} {
			st.lane(step.packet)
			t.Log(step.what)
			equal(t, st.take("dialog"), step.heard...)
		}
		if st.client.UI().Dialog != nil {
			t.Error("nothing is open")
		}
	})
}

func TestATableTakesRowsOfItsColumns(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		p := &protocol.DialogTable{DialogID: 3, Flags: protocol.TableSort | protocol.DialogFilter, Rows: 1}
		p.Content.Title, p.Content.Columns = "T", []protocol.TableColumn{{Heading: "a"}, {Heading: "b"}}
		st.lane(p)
		st.lane(rowsOf(3, 0, 1))
		equal(t, st.take("dialog"))
		st.lane(&protocol.DialogTableRows{DialogID: 3, Columns: 2, Rows: []protocol.TableRow{{Cells: []string{"1", "2"}}}})
		equal(t, st.take("dialog"), `dialog 3 table "T" rows 1 fields 0`)
		d := st.client.UI().Dialog
		if !d.Sortable || !d.Filter || d.Cancellable || len(d.Columns) != 2 || d.Rows[0].Cells[1] != "2" || !d.Until.IsZero() {
			t.Errorf("%+v", d)
		}
		later()
		if err := st.client.AnswerDialog(3, DialogAnswer{Button: protocol.ButtonCancel}); err == nil {
			t.Error("it cannot be cancelled")
		}
		if err := st.client.AnswerDialog(3, DialogAnswer{}); err != nil {
			t.Fatal(err)
		}
		if p := one[*protocol.DialogResponse](st); p.Row != 0 || p.Button != protocol.ButtonAccept || p.Text != "" {
			t.Errorf("%+v", p)
		}
	})
}

func TestADialogClosesWithItsTimeAndWithoutAnAnswer(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(show(1, protocol.DialogMessage, ofRows(1), func(p *protocol.DialogShow) { p.Timeout = 3000 }))
		time.Sleep(2 * time.Second) // the time counts from when it is shown
		st.send(&protocol.ServerKeepalive{Seq: 1, Ping: protocol.NoPing})
		st.lane(rowsOf(1, 0, 1))
		if d := st.client.UI().Dialog; d == nil || time.Until(d.Until) != 3*time.Second {
			t.Fatalf("%+v", d)
		}
		st.alive(2999 * time.Millisecond)
		equal(t, st.take("dialog"), `dialog 1 message "T" rows 1 fields 0`)
		st.alive(time.Millisecond)
		equal(t, st.take("dialog"), "dialog 1 closed timeout")
		if got := received[*protocol.DialogResponse](st); len(got) != 0 {
			t.Errorf("answered %v", got)
		}
		wants(t, st.client.AnswerDialog(1, DialogAnswer{}), ErrNotOpen)
	})
}

func TestAnAnswerClosesTheDialogOnce(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		st.lane(show(1, protocol.DialogMessage))
		time.Sleep(dialogGuard - time.Millisecond)
		wants(t, st.client.AnswerDialog(1, DialogAnswer{}), ErrTooSoon)
		time.Sleep(time.Millisecond)
		wants(t, st.client.AnswerDialog(2, DialogAnswer{}), ErrNotOpen)
		if err := st.client.AnswerDialog(1, DialogAnswer{Row: 4, Text: "not read"}); err != nil {
			t.Fatal(err)
		}
		if p := one[*protocol.DialogResponse](st); p.DialogID != 1 || p.Row != protocol.NoRow || p.Text != "" {
			t.Errorf("%+v", p)
		}
		wants(t, st.client.AnswerDialog(1, DialogAnswer{}), ErrNotOpen)
		equal(t, st.take("dialog"), `dialog 1 message "T" rows 0 fields 0`, "dialog 1 closed answered")

		st.lane(show(2, protocol.DialogInput))
		later()
		if err := st.client.AnswerDialog(2, DialogAnswer{Button: protocol.ButtonCancel, Row: 3, Text: "left"}); err != nil {
			t.Fatal(err)
		}
		if p := one[*protocol.DialogResponse](st); p.Button != protocol.ButtonCancel || p.Row != protocol.NoRow || p.Text != "" {
			t.Errorf("%+v", p)
		}
	})
}

func TestAnswersAreHeldAgainstTheDialog(t *testing.T) {
	list := Dialog{Kind: DialogList, Rows: []protocol.TableRow{{}, {Flags: protocol.RowDisabled}}}
	extra := list
	extra.Extra = "More"
	input := Dialog{Kind: DialogInput, MinChars: 2, MaxChars: 5}
	several := input
	several.Lines, several.MaxChars = true, 256
	accept, cancel, third := protocol.ButtonAccept, protocol.ButtonCancel, protocol.ButtonExtra
	for _, c := range []struct {
		what string
		d    Dialog
		a    DialogAnswer
		ok   bool
	}{
		{"message", Dialog{}, DialogAnswer{}, true},
		{"cancel", Dialog{}, DialogAnswer{Button: cancel}, false},
		{"cancel", Dialog{Cancellable: true}, DialogAnswer{Button: cancel}, true},
		{"extra", Dialog{}, DialogAnswer{Button: third}, false},
		{"no such button", Dialog{Cancellable: true}, DialogAnswer{Button: 3}, false},
		{"first row", list, DialogAnswer{Button: accept}, true},
		{"disabled row", list, DialogAnswer{Row: 1}, false},
		{"row beyond", list, DialogAnswer{Row: 2}, false},
		{"no row", list, DialogAnswer{Row: -1}, false},
		{"no row with extra", extra, DialogAnswer{Button: third, Row: -1}, true},
		{"disabled row with extra", extra, DialogAnswer{Button: third, Row: 1}, false},
		{"row below all", extra, DialogAnswer{Button: third, Row: -2}, false},
		{"text", input, DialogAnswer{Text: "ab"}, true},
		{"characters, not bytes", input, DialogAnswer{Text: "äöüéß"}, true},
		{"short text", input, DialogAnswer{Text: "a"}, false},
		{"long text", input, DialogAnswer{Text: "abcdef"}, false},
		{"two lines", input, DialogAnswer{Text: "a\nb"}, false},
		{"two lines where they may be", several, DialogAnswer{Text: "a\nb"}, true},
		{"40 lines", several, DialogAnswer{Text: strings.Repeat("a\n", 39) + "a"}, true},
		{"41 lines", several, DialogAnswer{Text: strings.Repeat("a\n", 40) + "a"}, false},
		{"a tab", input, DialogAnswer{Text: "a\tb"}, false},
		{"a format character", input, DialogAnswer{Text: "a\u202eb"}, false},
		{"not UTF-8", input, DialogAnswer{Text: "a\xff"}, false},
		{"too many bytes", several, DialogAnswer{Text: strings.Repeat("\U0001F600", 129)}, false},
	} {
		err := c.d.Check(c.a)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
		if wrong := new(DialogError); err != nil && (!errors.As(err, &wrong) || wrong.Field != -1) {
			t.Errorf("%s: %#v", c.what, err)
		}
	}
}

// form has a field of each type, all but the note and the second boolean to be filled in.
func form() []protocol.FormField {
	fields := []protocol.FormField{
		{Type: protocol.FormBoolean},
		{Type: protocol.FormNumber, Flags: protocol.FormWhole | protocol.FormRequired, Number: protocol.NumberField{Min: 1, Max: 11, Step: 5}},
		{Type: protocol.FormString, String: protocol.StringField{MinChars: 2, MaxChars: 4}},
		{Type: protocol.FormChoice, Flags: protocol.FormRequired, Choice: protocol.ChoiceField{Options: []string{"a", "b"}}},
		{Type: protocol.FormChoices, Choices: protocol.ChoicesField{Least: 1, Most: 2, Options: []string{"a", "b", "c"}}},
		{Type: protocol.FormColor},
		{Type: protocol.FormDate, Date: protocol.DateField{Min: 0, Max: 10}},
		{Type: protocol.FormNote},
		{Type: protocol.FormBoolean, Flags: protocol.FormReadOnly},
		{Type: protocol.FormNumber, Number: protocol.NumberField{Min: 0, Max: 1, Step: 0.1}},
		{Type: protocol.FormString, Flags: protocol.FormLines | protocol.FormRequired, String: protocol.StringField{MaxChars: 256}},
	}
	for i := range fields {
		fields[i].Label = fmt.Sprint("field ", i)
	}
	return fields
}

func TestFieldsAreHeldAgainstTheForm(t *testing.T) {
	d := Dialog{Kind: DialogForm, Fields: form()}
	number := func(n uint8, v float64) protocol.FormAnswer {
		return protocol.FormAnswer{Number: n, Type: protocol.FormNumber, Float: v}
	}
	text := func(n uint8, s string) protocol.FormAnswer {
		return protocol.FormAnswer{Number: n, Type: protocol.FormString, String: s}
	}
	several := func(v uint64) protocol.FormAnswer {
		return protocol.FormAnswer{Number: 4, Type: protocol.FormChoices, Choices: v}
	}
	for _, c := range []struct {
		what string
		a    protocol.FormAnswer
		ok   bool
	}{
		{"boolean", protocol.FormAnswer{Boolean: true}, true},
		{"another type", number(0, 1), false},
		{"no such field", number(11, 1), false},
		{"a note", protocol.FormAnswer{Number: 7, Type: protocol.FormNote}, false},
		{"read only", protocol.FormAnswer{Number: 8}, false},
		{"number", number(1, 6), true},
		{"below", number(1, 0), false},
		{"above", number(1, 16), false},
		{"a fraction", number(1, 1.5), false},
		{"between steps", number(1, 2), false},
		{"no number", number(1, math.NaN()), false},
		{"steps of a tenth", number(9, 0.1+0.2), true},
		{"not quite a step", number(9, 0.30001), false},
		{"text", text(2, "abcd"), true},
		{"short", text(2, "a"), false},
		{"long", text(2, "abcde"), false},
		{"lines", text(2, "a\nb"), false},
		{"lines where they may be", text(10, "a\nb"), true},
		{"left out", text(2, ""), true},
		{"choice", protocol.FormAnswer{Number: 3, Type: protocol.FormChoice, Choice: 1}, true},
		{"choice beyond", protocol.FormAnswer{Number: 3, Type: protocol.FormChoice, Choice: 2}, false},
		{"no choice", protocol.FormAnswer{Number: 3, Type: protocol.FormChoice, Choice: protocol.NoChoice}, false},
		{"choices", several(0b101), true},
		{"none of them", several(0), true},
		{"too many", several(0b111), false},
		{"choices beyond", several(0b1000), false},
		{"color", protocol.FormAnswer{Number: 5, Type: protocol.FormColor, Color: protocol.RGBA{A: 255}}, true},
		{"a glass color", protocol.FormAnswer{Number: 5, Type: protocol.FormColor, Color: protocol.RGBA{A: 254}}, false},
		{"date", protocol.FormAnswer{Number: 6, Type: protocol.FormDate, Date: 10}, true},
		{"date beyond", protocol.FormAnswer{Number: 6, Type: protocol.FormDate, Date: 11}, false},
		{"date before", protocol.FormAnswer{Number: 6, Type: protocol.FormDate, Date: -1}, false},
	} {
		err := d.CheckField(c.a)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
		if wrong := new(DialogError); err != nil && (!errors.As(err, &wrong) || wrong.Field != int(c.a.Number)) {
			t.Errorf("%s: %#v", c.what, err)
		}
	}
	least := Dialog{Kind: DialogForm, Fields: []protocol.FormField{{Type: protocol.FormChoices, Choices: protocol.ChoicesField{Least: 2, Most: 3, Options: []string{"a", "b", "c"}}}}}
	if least.CheckField(protocol.FormAnswer{Type: protocol.FormChoices, Choices: 1}) == nil {
		t.Error("fewer choices than the least")
	}
	anyNumber := Dialog{Kind: DialogForm, Fields: []protocol.FormField{{Type: protocol.FormNumber, Number: protocol.NumberField{Max: 1}}}}
	if anyNumber.CheckField(number(0, math.NaN())) == nil {
		t.Error("no number, where any would do")
	}

	whole := []protocol.FormAnswer{number(1, 6), {Number: 3, Type: protocol.FormChoice}, text(10, "x")}
	wrong := func(button protocol.DialogButton, fields ...protocol.FormAnswer) int {
		err := new(DialogError)
		if !errors.As(d.Check(DialogAnswer{Button: button, Fields: fields}), &err) {
			return -2
		}
		return err.Field
	}
	d.Extra = "Later"
	accept := protocol.ButtonAccept
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"all that is needed", wrong(accept, whole...), -2},
		{"one is missing", wrong(accept, whole[0], whole[2]), 3},
		{"one is empty", wrong(accept, whole[0], whole[1], text(10, "")), 10},
		{"extra needs none", wrong(protocol.ButtonExtra), -2},
		{"extra checks what is there", wrong(protocol.ButtonExtra, number(1, 0)), 1},
		{"twice", wrong(accept, whole[0], whole[0], whole[1], whole[2]), 1},
		{"not rising", wrong(accept, whole[1], whole[0], whole[2]), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: field %d, expected %d", c.what, c.got, c.want)
		}
	}
}

func formPart(id uint32, first int, fields []protocol.FormField, change ...func(*protocol.DialogForm)) *protocol.DialogForm {
	p := &protocol.DialogForm{DialogID: id, Total: uint8(len(form())), First: uint8(first), ErrorField: protocol.WholeForm}
	if first == 0 {
		p.Flags, p.Content.Head.Title = protocol.FormHead, "F"
	}
	p.Content.Fields = fields
	for _, f := range change {
		f(p)
	}
	return p
}

func TestAFormIsAssembledInOrder(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		all := form()
		total := func(n uint8) func(*protocol.DialogForm) { return func(p *protocol.DialogForm) { p.Total = n } }
		refused := func(p *protocol.DialogForm) { p.ErrorField, p.Content.Head.Error = 1, "no" }
		for _, step := range []struct {
			what   string
			packet protocol.Packet
			heard  []string
		}{
			{"a part without a head", formPart(5, 3, all[3:]), nil},
			{"the head without a field", formPart(5, 0, nil, refused), nil},
			{"rows are not a form's", rowsOf(5, 0, 1), nil},
			{"not the first field", formPart(5, 3, all[3:]), nil},
			{"the head again, with fields", formPart(5, 0, all[:3], refused), nil},
			{"another form's", formPart(6, 3, all[3:]), nil},
			{"another total", formPart(5, 3, all[3:], total(24)), nil},
			{"the rest", formPart(5, 3, all[3:]), []string{`dialog 5 form "F" rows 0 fields 11`}},
		} {
			st.lane(step.packet)
			t.Log(step.what)
			equal(t, st.take("dialog"), step.heard...)
		}
		if d := st.client.UI().Dialog; d.ErrorField != 1 || d.Error != "no" || d.Fields[10].Label != "field 10" {
			t.Errorf("%+v", d)
		}
		later()
		answer := DialogAnswer{Fields: []protocol.FormAnswer{
			{Number: 1, Type: protocol.FormNumber, Float: 6}, {Number: 3, Type: protocol.FormChoice},
			{Number: 10, Type: protocol.FormString, String: "x"},
		}}
		missing := DialogAnswer{Fields: answer.Fields[:2]}
		if err := new(DialogError); !errors.As(st.client.AnswerDialog(5, missing), &err) || err.Field != 10 {
			t.Fatalf("%v", err)
		}
		if st.client.UI().Dialog == nil || len(received[*protocol.DialogFormResponse](st)) != 0 {
			t.Fatal("a wrong answer was sent, or closed the form")
		}
		if err := st.client.AnswerDialog(5, answer); err != nil {
			t.Fatal(err)
		}
		p := one[*protocol.DialogFormResponse](st)
		if p.DialogID != 5 || len(p.Fields) != 3 || p.Fields[2].String != "x" {
			t.Errorf("%+v", p)
		}
	})
}

// TestAFormThatIsTooLongIsHeldBack: the server counts two bytes a character, and the player may type longer ones.
func TestAFormThatIsTooLongIsHeldBack(t *testing.T) {
	d := Dialog{ID: 1, Kind: DialogForm}
	for range 3 {
		d.Fields = append(d.Fields, protocol.FormField{Type: protocol.FormString, String: protocol.StringField{MaxChars: 256}})
	}
	answer := func(last int) DialogAnswer {
		var a DialogAnswer
		for i, n := range []int{512, 512, last} {
			text := strings.Repeat("\U0001F600", n/4) + strings.Repeat("x", n%4)
			a.Fields = append(a.Fields, protocol.FormAnswer{Number: uint8(i), Type: protocol.FormString, String: text})
		}
		return a
	}
	fits := answer(1179 - 2*516 - 4)
	if err := d.Check(fits); err != nil {
		t.Fatal(err)
	}
	if err := encodable(d.response(fits)); err != nil {
		t.Errorf("what fits cannot be sent: %v", err)
	}
	long := answer(1179 - 2*516 - 3)
	if err := d.Check(long); err == nil || encodable(d.response(long)) == nil {
		t.Errorf("too long by a byte: %v", err)
	}
}

func TestAFormThatIsCancelledSendsNothingOfIt(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		p := formPart(5, 0, form()[:1], func(p *protocol.DialogForm) { p.Total, p.Flags = 1, p.Flags|protocol.DialogCancellable })
		p.Content.Head.Extra = "Later"
		filled := []protocol.FormAnswer{{Boolean: true}}
		for button, fields := range map[protocol.DialogButton]int{protocol.ButtonCancel: 0, protocol.ButtonExtra: 1, protocol.ButtonAccept: 1} {
			st.lane(p)
			later()
			if err := st.client.AnswerDialog(5, DialogAnswer{Button: button, Fields: filled}); err != nil {
				t.Fatal(err)
			}
			if got := one[*protocol.DialogFormResponse](st); got.Button != button || len(got.Fields) != fields {
				t.Errorf("%+v", got)
			}
		}
	})
}
