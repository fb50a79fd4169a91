package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"darqline/protocol"
)

// fullForm has a field of each type, and of each flag that an answer depends on.
func fullForm() DialogSpec {
	const must = protocol.FormRequired
	return DialogSpec{Extra: "More", Cancellable: true, Fields: []protocol.FormField{
		{Type: protocol.FormBoolean, Label: "0", Flags: must},
		{Type: protocol.FormNumber, Label: "1", Number: protocol.NumberField{Min: 0, Max: 1, Step: 0.1}},
		{Type: protocol.FormNumber, Label: "2", Flags: must | protocol.FormWhole, Number: protocol.NumberField{Min: -5, Max: 5}},
		{Type: protocol.FormString, Label: "3", Flags: must, String: protocol.StringField{MinChars: 2, MaxChars: 4}},
		{Type: protocol.FormString, Label: "4", Flags: protocol.FormLines, String: protocol.StringField{MaxChars: 9}},
		{Type: protocol.FormChoice, Label: "5", Choice: protocol.ChoiceField{Options: []string{"a", "b"}}},
		{Type: protocol.FormChoices, Label: "6", Choices: protocol.ChoicesField{Least: 1, Most: 2, Options: []string{"a", "b", "c"}}},
		{Type: protocol.FormColor, Label: "7"},
		{Type: protocol.FormDate, Label: "8", Date: protocol.DateField{Min: 10, Max: 20}},
		{Type: protocol.FormNote, Label: "9"},
		{Type: protocol.FormString, Label: "10", Flags: must | protocol.FormReadOnly, String: protocol.StringField{MaxChars: 9}},
	}}
}

// filled is an answer to every field of it.
func filled() []protocol.FormAnswer {
	return []protocol.FormAnswer{
		{Number: 0, Type: protocol.FormBoolean, Boolean: true},
		{Number: 1, Type: protocol.FormNumber, Float: 0.3},
		{Number: 2, Type: protocol.FormNumber, Float: -5},
		{Number: 3, Type: protocol.FormString, String: "日本"},
		{Number: 4, Type: protocol.FormString, String: "a\nb"},
		{Number: 5, Type: protocol.FormChoice, Choice: 1},
		{Number: 6, Type: protocol.FormChoices, Choices: 5},
		{Number: 7, Type: protocol.FormColor, Color: protocol.RGBA{A: 255}},
		{Number: 8, Type: protocol.FormDate, Date: 20},
	}
}

// TestFilledFormsAreChecked has every rule of DialogFormResponse, kept and broken.
func TestFilledFormsAreChecked(t *testing.T) {
	const accept, cancel, extra = protocol.ButtonAccept, protocol.ButtonCancel, protocol.ButtonExtra
	set := func(i int, f func(a *protocol.FormAnswer)) func(a []protocol.FormAnswer) []protocol.FormAnswer {
		return func(a []protocol.FormAnswer) []protocol.FormAnswer { f(&a[i]); return a }
	}
	number := func(i int, v float64) func(a []protocol.FormAnswer) []protocol.FormAnswer {
		return set(i, func(a *protocol.FormAnswer) { a.Float = v })
	}
	text := func(i int, v string) func(a []protocol.FormAnswer) []protocol.FormAnswer {
		return set(i, func(a *protocol.FormAnswer) { a.String = v })
	}
	without := func(i int) func(a []protocol.FormAnswer) []protocol.FormAnswer {
		return func(a []protocol.FormAnswer) []protocol.FormAnswer { return slices.Delete(a, i, i+1) }
	}
	more := func(m protocol.FormAnswer) func(a []protocol.FormAnswer) []protocol.FormAnswer {
		return func(a []protocol.FormAnswer) []protocol.FormAnswer { return append(a, m) }
	}
	nothing := func([]protocol.FormAnswer) []protocol.FormAnswer { return nil }
	for _, test := range []struct {
		name   string
		button protocol.DialogButton
		change func(a []protocol.FormAnswer) []protocol.FormAnswer
		want   string
	}{
		{"whole", accept, nil, "accept"},
		{"cancel", cancel, nothing, "cancel"},
		{"extra with nothing", extra, nothing, "extra"},
		{"extra with all", extra, nil, "extra"},
		{"extra with a bad field", extra, number(2, 6), "invalid"},
		{"accept with nothing", accept, nothing, "invalid"},
		{"optional left out", accept, without(7), "accept"},
		{"required left out", accept, without(0), "invalid"},
		{"required string empty", accept, text(3, ""), "invalid"},
		{"optional choices empty", accept, set(6, func(a *protocol.FormAnswer) { a.Choices = 0 }), "accept"},
		{"wrong type", accept, set(0, func(a *protocol.FormAnswer) { a.Type = protocol.FormNumber }), "invalid"},
		{"a field that there is not", accept, more(protocol.FormAnswer{Number: 11, Type: protocol.FormBoolean}), "invalid"},
		{"far beyond", accept, more(protocol.FormAnswer{Number: 255, Type: protocol.FormBoolean}), "invalid"},
		{"a note", accept, more(protocol.FormAnswer{Number: 9, Type: protocol.FormNote}), "invalid"},
		{"read only", accept, more(protocol.FormAnswer{Number: 10, Type: protocol.FormString, String: "x"}), "invalid"},
		{"below", accept, number(1, -0.1), "invalid"},
		{"above", accept, number(1, 1.1), "invalid"},
		{"between steps", accept, number(1, 0.35), "invalid"},
		{"a step by a hair", accept, number(1, 0.30000000001), "accept"},
		{"no number", accept, number(1, math.NaN()), "invalid"},
		{"endless", accept, number(2, math.Inf(1)), "invalid"},
		{"not whole", accept, number(2, 0.5), "invalid"},
		{"short", accept, text(3, "x"), "invalid"},
		{"long", accept, text(3, "xxxxx"), "invalid"},
		{"two lines", accept, text(3, "a\nb"), "invalid"},
		{"option beyond", accept, set(5, func(a *protocol.FormAnswer) { a.Choice = 2 }), "invalid"},
		{"option none", accept, set(5, func(a *protocol.FormAnswer) { a.Choice = protocol.NoChoice }), "invalid"},
		{"options beyond", accept, set(6, func(a *protocol.FormAnswer) { a.Choices = 8 }), "invalid"},
		{"too many options", accept, set(6, func(a *protocol.FormAnswer) { a.Choices = 7 }), "invalid"},
		{"too early", accept, set(8, func(a *protocol.FormAnswer) { a.Date = 9 }), "invalid"},
		{"too late", accept, set(8, func(a *protocol.FormAnswer) { a.Date = 21 }), "invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := newQuestions(t)
			d := q.open(fullForm())
			answers := filled()
			if test.change != nil {
				answers = test.change(answers)
			}
			q.receive(&protocol.DialogFormResponse{DialogID: d.id, Button: test.button, Fields: answers})
			q.want("it ends", q.ends(), test.want)
			if counted := q.failures() == 1; counted != (test.want == "invalid") {
				t.Errorf("%d failures are counted", q.failures())
			}
			q.receive(&protocol.DialogFormResponse{DialogID: d.id, Button: test.button, Fields: filled()})
			q.want("the second", q.ends(), "")
		})
	}
}

// randomAnswers are answers to a dialog's fields, often wrong in one or the other.
func randomAnswers(r *rand.Rand, d *Dialog) []protocol.FormAnswer {
	answers := filled()[:r.IntN(10)]
	if len(d.Spec.Fields) == 1 {
		answers = answers[:min(1, len(answers))]
	}
	for i := range answers {
		switch r.IntN(30) {
		case 0:
			answers[i].Type = protocol.FormType(r.IntN(8))
		case 1:
			answers[i].Number = uint8(r.IntN(12))
		case 2:
			answers[i].Float, answers[i].String, answers[i].Choice, answers[i].Choices = r.NormFloat64()*10, "toolong", 9, r.Uint64()
		}
	}
	return answers
}

// TestFormsInParts puts a form together again, and fits as much in a packet as goes.
func TestFormsInParts(t *testing.T) {
	for _, n := range []int{1, 24} {
		for _, help := range []int{0, 100, 160} {
			q := newQuestions(t)
			spec := DialogSpec{Title: "T", Text: strings.Repeat("x", 7*help)}
			for i := range n {
				spec.Fields = append(spec.Fields, protocol.FormField{Type: protocol.FormBoolean, Label: fmt.Sprint(i), Help: strings.Repeat("h", help)})
			}
			q.ask(spec)
			q.link.drainKeeping()
			next := 0
			for i, p := range q.link.sent {
				part := p.(*protocol.DialogForm)
				if head := part.Flags&protocol.FormHead != 0; head != (i == 0) || int(part.First) != next || int(part.Total) != n {
					t.Fatalf("part %d: %+v", i, part)
				}
				for j, f := range part.Content.Fields {
					if f.Label != fmt.Sprint(next+j) {
						t.Fatalf("field %d is %q", next+j, f.Label)
					}
				}
				next += len(part.Content.Fields)
			}
			if next != n {
				t.Errorf("%d of %d fields came", next, n)
			}
		}
	}
}

// TestFieldSize holds the sizes that parts are cut by against what is encoded.
func TestFieldSize(t *testing.T) {
	size := func(fields ...protocol.FormField) int {
		b, err := protocol.Append(nil, protocol.Header{}, &protocol.DialogForm{DialogID: 1, Total: 24, First: 1, ErrorField: protocol.WholeForm, Content: protocol.FormContent{Fields: fields}})
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	for i, f := range fullForm().Fields {
		f.Help = "some help"
		two := f
		if got, want := fieldSize(&f), size(f, two)-size(f); got != want {
			t.Errorf("field %d (%v) has %d bytes, counted are %d", i, f.Type, want, got)
		}
	}
}

// TestFormComesBackFilled keeps what was typed, but what nobody may see.
func TestFormComesBackFilled(t *testing.T) {
	q := newQuestions(t)
	spec := fullForm()
	spec.Checked = true
	spec.Fields[4].Flags |= protocol.FormHidden
	spec.Fields[4].Flags &^= protocol.FormLines
	spec.Fields[7].Flags, spec.Fields[7].Color = protocol.FormInitial, protocol.RGBA{R: 9, A: 255}
	before := slices.Clone(spec.Fields)
	d := q.open(spec)
	answers := slices.Delete(filled(), 7, 8)
	answers[4].String = "secret"
	q.receive(&protocol.DialogFormResponse{DialogID: d.id, Fields: answers})
	q.want("judged", q.ends(), "judge")
	q.link.sent = nil
	q.do(func(tx Tx) {
		if err := tx.AskAgain(d, "no", 3); err != nil {
			t.Fatal(err)
		}
	})
	q.link.drainKeeping()
	form := q.link.sent[0].(*protocol.DialogForm)
	fields := form.Content.Fields
	if form.ErrorField != 3 || form.Content.Head.Error != "no" {
		t.Errorf("error %q of field %d", form.Content.Head.Error, form.ErrorField)
	}
	for i, want := range map[int]bool{0: true, 1: true, 3: true, 4: false, 5: true, 6: true, 7: false, 8: true} {
		if has := fields[i].Flags&protocol.FormInitial != 0; has != want {
			t.Errorf("field %d has an initial value: %v", i, has)
		}
	}
	if fields[3].String.Initial != "日本" || fields[4].String.Initial != "" || fields[6].Choices.Initial != 5 || fields[2].Number.Initial != -5 {
		t.Errorf("%+v", fields)
	}
	if !slices.EqualFunc(before, spec.Fields, func(a, b protocol.FormField) bool { return a.Flags == b.Flags && a.Color == b.Color }) {
		t.Error("the asker's fields have changed")
	}
}

// TestBodyGivesWay shows an input again whose texts fill the packet.
func TestBodyGivesWay(t *testing.T) {
	q := newQuestions(t)
	d := q.open(DialogSpec{Title: strings.Repeat("t", 128), Text: strings.Repeat("é", 450), Checked: true,
		Input: &InputSpec{Max: 256, Placeholder: strings.Repeat("p", 128)}})
	q.press(d, protocol.DialogResponse{Row: none, Text: strings.Repeat("é", 256)})
	q.link.sent = nil
	q.do(func(tx Tx) {
		if err := tx.AskAgain(d, strings.Repeat("e", 200), protocol.WholeForm); err != nil {
			t.Fatal(err)
		}
	})
	q.link.drainKeeping()
	c := q.link.sent[0].(*protocol.DialogShow).Content
	if len(c.Body) != 196 || len(c.Initial) != 512 || len(c.Error) != 200 {
		t.Errorf("body %d, initial %d, error %d bytes", len(c.Body), len(c.Initial), len(c.Error))
	}
}
