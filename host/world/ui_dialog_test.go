package world

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// questions is a rig with one player and what has become of his dialogs.
type questions struct {
	*rig
	link   *link
	player *Player
}

func newQuestions(t *testing.T) *questions {
	r := newRig(t)
	q := &questions{rig: r}
	q.link, q.player = r.join("Alice")
	q.link.drain()
	r.took()
	return q
}

// open asks and lets the dialog reach the screen.
func (q *questions) open(spec DialogSpec) *Dialog {
	q.t.Helper()
	d := q.ask(spec)
	q.link.drain()
	return d
}

// ask leaves what it shows in the pacer.
func (q *questions) ask(spec DialogSpec) (d *Dialog) {
	q.t.Helper()
	if spec.Title == "" {
		spec.Title = "T"
	}
	var err error
	q.do(func(tx Tx) { d, _, err = tx.OpenDialog(q.player, spec) })
	if err != nil {
		q.t.Fatal(err)
	}
	return d
}

func (q *questions) receive(m protocol.Packet) {
	q.do(func(tx Tx) { tx.Receive(q.player, m) })
}

// press answers under the dialog's present id.
func (q *questions) press(d *Dialog, m protocol.DialogResponse) {
	m.DialogID = d.id
	q.receive(&m)
}

// ends gives how dialogs have ended since the last call: a word each, and that an answer has to be judged.
func (q *questions) ends() string {
	var words []string
	for _, e := range q.events {
		switch e := e.(type) {
		case DialogDone:
			words = append(words, string(e.Dialog.reason))
		case DialogAnswered:
			words = append(words, "judge")
		}
	}
	q.events = nil
	return strings.Join(words, " ")
}

// failures is how often the player's answers were counted.
func (q *questions) failures() uint32 {
	if q.player.failed == nil {
		return 0
	}
	return q.player.failed[ViolationUI].count
}

// The dialogs that answers are forged for.
var (
	aMessage = DialogSpec{Accept: "OK", Cancellable: true}
	aMust    = DialogSpec{Accept: "OK"}
	anExtra  = DialogSpec{Accept: "OK", Extra: "More", Cancellable: true}
	anInput  = DialogSpec{Input: &InputSpec{Min: 2, Max: 4}, Cancellable: true}
	someText = DialogSpec{Input: &InputSpec{Max: 256, Lines: true}}
	aSecret  = DialogSpec{Input: &InputSpec{Min: 2, Max: 4, Hidden: true}}
	aList    = DialogSpec{Items: []protocol.TableRow{{Cells: []string{"A"}}, {Flags: protocol.RowDisabled, Cells: []string{"B"}}}, Extra: "More", Cancellable: true}
	aTable   = DialogSpec{Columns: make([]protocol.TableColumn, 2), Rows: []protocol.TableRow{{Cells: []string{"a", "b"}}, {Flags: protocol.RowDisabled, Cells: []string{"c", "d"}}}}
	aForm    = DialogSpec{Fields: []protocol.FormField{{Type: protocol.FormBoolean, Label: "L"}}, Cancellable: true}
)

const none = protocol.NoRow

// TestAnswersAreChecked has every rule of DialogResponse, kept and broken.
func TestAnswersAreChecked(t *testing.T) {
	answer := func(b protocol.DialogButton, row uint16, text string) protocol.DialogResponse {
		return protocol.DialogResponse{Button: b, Row: row, Text: text}
	}
	const accept, cancel, extra = protocol.ButtonAccept, protocol.ButtonCancel, protocol.ButtonExtra
	for _, test := range []struct {
		name   string
		spec   DialogSpec
		answer protocol.DialogResponse
		want   string
	}{
		{"accept", aMessage, answer(accept, none, ""), "accept"},
		{"cancel", aMessage, answer(cancel, none, ""), "cancel"},
		{"cancel without flag", aMust, answer(cancel, none, ""), "invalid"},
		{"extra", anExtra, answer(extra, none, ""), "extra"},
		{"extra without text", aMessage, answer(extra, none, ""), "invalid"},
		{"message with a row", aMessage, answer(accept, 0, ""), "invalid"},
		{"message with a text", aMessage, answer(accept, none, "x"), "invalid"},
		{"input", anInput, answer(accept, none, "Joe"), "accept"},
		{"input in characters", anInput, answer(accept, none, "日本語字"), "accept"},
		{"input too short", anInput, answer(accept, none, "J"), "invalid"},
		{"input too long", anInput, answer(accept, none, "Jolen"), "invalid"},
		{"input with a row", anInput, answer(accept, 0, "Joe"), "invalid"},
		{"input of two lines", anInput, answer(accept, none, "a\nb"), "invalid"},
		{"input cancelled", anInput, answer(cancel, none, ""), "cancel"},
		{"lines", someText, answer(accept, none, strings.Repeat("\n", 39)), "accept"},
		{"too many lines", someText, answer(accept, none, strings.Repeat("\n", 40)), "invalid"},
		{"password", aSecret, answer(accept, none, "abc"), "accept"},
		{"password of two lines", aSecret, answer(accept, none, "a\nb"), "invalid"},
		{"list", aList, answer(accept, 0, ""), "accept"},
		{"list without a row", aList, answer(accept, none, ""), "invalid"},
		{"list out of range", aList, answer(accept, 2, ""), "invalid"},
		{"list disabled", aList, answer(accept, 1, ""), "invalid"},
		{"list with a text", aList, answer(accept, 0, "x"), "invalid"},
		{"list extra", aList, answer(extra, none, ""), "extra"},
		{"list extra with a row", aList, answer(extra, 0, ""), "extra"},
		{"list extra disabled", aList, answer(extra, 1, ""), "invalid"},
		{"list extra out of range", aList, answer(extra, 499, ""), "invalid"},
		{"table", aTable, answer(accept, 0, ""), "accept"},
		{"table disabled", aTable, answer(accept, 1, ""), "invalid"},
		{"table out of range", aTable, answer(accept, 7, ""), "invalid"},
		{"table extra", aTable, answer(extra, 0, ""), "invalid"},
		{"form", aForm, answer(accept, none, ""), "invalid"},
		{"form cancelled by the other packet", aForm, answer(cancel, none, ""), "invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := newQuestions(t)
			d := q.open(test.spec)
			q.press(d, test.answer)
			q.want("it ends", q.ends(), test.want)
			if counted := q.failures() == 1; counted != (test.want == "invalid") {
				t.Errorf("%d failures are counted", q.failures())
			}
			if (d.answer != nil) != (test.want == "accept" || test.want == "extra") {
				t.Errorf("the answer is %+v", d.answer)
			}
			q.press(d, test.answer) // again: an answer is taken once
			q.want("the second", q.ends(), "")
			q.want("nothing is hidden", q.link.drain(), "")
		})
	}
}

// TestFormAnswersToOthersAreInvalid has the other packet than the dialog's.
func TestFormAnswersToOthersAreInvalid(t *testing.T) {
	for _, spec := range []DialogSpec{aMessage, anInput, aList, aTable} {
		q := newQuestions(t)
		d := q.open(spec)
		q.receive(&protocol.DialogFormResponse{DialogID: d.id})
		q.want("it ends", q.ends(), "invalid")
	}
}

// TestWhatAnswersName tells open, late, forged and early ids apart.
func TestWhatAnswersName(t *testing.T) {
	q := newQuestions(t)
	yes := protocol.DialogResponse{Row: none}
	counted := uint32(0)
	wants := func(what, ends string, counts uint32) {
		t.Helper()
		q.want(what, q.ends(), ends)
		counted += counts
		if q.failures() != counted {
			t.Fatalf("%s: %d failures are counted, want %d", what, q.failures(), counted)
		}
	}
	q.receive(&protocol.DialogResponse{DialogID: 4711, Row: none})
	wants("an id that never was", "", 1)

	d := q.ask(aMessage)
	q.press(d, yes)
	wants("before it is sent", "", 1)
	q.link.drain()
	q.press(d, yes)
	wants("in time", "accept", 0)
	q.press(d, yes)
	wants("twice", "", 0)

	d = q.open(aMessage)
	q.do(func(tx Tx) { tx.CloseDialog(d) })
	wants("closed", "closed", 0)
	q.press(d, yes)
	wants("after the close", "", 0)
	q.now += lateAnswers
	q.press(d, yes)
	wants("10 s after the close", "", 0)
	q.now++
	q.press(d, yes)
	wants("later", "", 1)
	q.link.drain()

	d = q.ask(aMessage)
	q.do(func(tx Tx) { tx.CloseDialog(d) })
	q.press(d, yes)
	wants("closed before it was sent", "closed", 1)
	q.want("never sent", q.link.drain(), "")

	first := q.open(aMessage)
	held := q.ask(aMessage)
	q.press(held, yes)
	wants("to one that is held back", "", 1)
	bobby, p := q.join("Bobby")
	bobby.drain()
	q.events = nil
	q.do(func(tx Tx) { tx.Receive(p, &protocol.DialogResponse{DialogID: first.id, Row: none}) })
	wants("of another player", "", 0)
	if p.failed[ViolationUI].count != 1 {
		t.Error("the other player's is not counted")
	}
}

// TestDialogsGoByThePacer has what is sent, and what never is.
func TestDialogsGoByThePacer(t *testing.T) {
	q := newQuestions(t)
	long := DialogSpec{Columns: make([]protocol.TableColumn, 1)}
	for range 200 { // more than fits in a pass
		long.Rows = append(long.Rows, protocol.TableRow{Cells: []string{strings.Repeat("x", 140)}})
	}
	d := q.ask(long)
	q.link.flush()
	if !q.link.Waits(dialogKey{d.id}) {
		t.Fatal("all of it went in one pass")
	}
	q.link.said()
	q.press(d, protocol.DialogResponse{Row: 0})
	q.want("an answer to half of it", q.ends(), "")
	q.do(func(tx Tx) { tx.CloseDialog(d) })
	q.want("half of it is hidden", q.link.drain(), "DialogHide")

	a, b := q.open(aMessage), q.ask(aMessage)
	q.link.said()
	q.do(func(tx Tx) { tx.CloseDialog(b) })
	q.want("one that was held back", q.link.drain(), "")
	c := q.ask(DialogSpec{Replace: true})
	q.want("the replaced one", q.ends(), "closed closed replaced")
	q.want("is hidden", q.link.drain(), "DialogHide, DialogShow")
	if a.state != dialogOver || c.state != dialogShown {
		t.Error(a.state, c.state)
	}
	e := q.ask(DialogSpec{Replace: true})
	q.ask(DialogSpec{Replace: true})
	q.want("one that was replaced before it was sent is never sent", q.link.drain(), "DialogHide, DialogShow")
	if e.reason != EndReplaced {
		t.Error(e.reason)
	}
}

// TestEightAreHeldBack shows them in the order of asking; the tenth is too many, but may take the first one's place.
func TestEightAreHeldBack(t *testing.T) {
	q := newQuestions(t)
	var all []*Dialog
	for range 9 {
		all = append(all, q.open(aMessage))
	}
	if d := q.ask(aMessage); d.reason != EndBusy || q.ends() != "" {
		t.Fatal("the tenth is", d.reason)
	}
	first := q.open(DialogSpec{Replace: true})
	q.want("replaced", q.ends(), "replaced")
	all[0] = first
	for i, d := range all {
		if d.state != dialogShown {
			t.Fatalf("dialog %d is not shown in its turn", i)
		}
		q.now += time.Second // no limit
		q.press(d, protocol.DialogResponse{Row: none})
		q.link.drain()
		q.want("it ends", q.ends(), "accept")
	}
}

// TestTimeout counts from when all of the dialog has left the pacer, and a second longer than the client.
func TestTimeout(t *testing.T) {
	q := newQuestions(t)
	spec := DialogSpec{Timeout: 5 * time.Second}
	d, held := q.ask(spec), q.ask(spec)
	tick := func() (next time.Duration) {
		q.do(func(tx Tx) { next = tx.tickDialogs() })
		return next
	}
	q.now += time.Hour // the lane was full
	if tick(); q.ends() != "" {
		t.Fatal("it is over before it was sent")
	}
	q.link.flush()
	shown := q.now
	if next := tick(); next != shown+6*time.Second {
		t.Fatalf("it ends %v after it was shown", next-shown)
	}
	q.now = shown + 6*time.Second - 1
	tick()
	q.want("not yet", q.ends(), "")
	q.press(d, protocol.DialogResponse{Row: none})
	q.want("at the last moment", q.ends(), "accept")

	q.link.flush() // the next one's time begins now
	tick()
	q.now += 6 * time.Second
	tick()
	q.want("it is over", q.ends(), "timeout")
	q.link.said()
	q.want("and hidden", q.link.drain(), "DialogHide")
	q.press(held, protocol.DialogResponse{Row: none})
	if q.want("too late", q.ends(), ""); q.failures() != 0 {
		t.Error("a late answer is counted")
	}
}

// TestWhatEndsDialogs has death, leave and stop, of what is shown and of what is held back.
func TestWhatEndsDialogs(t *testing.T) {
	mine := DialogSpec{By: "shop", CloseOnDeath: true}
	other := DialogSpec{By: "bank"}
	for _, test := range []struct {
		name, ends, sent string
		cause            func(q *questions, tx Tx)
	}{
		{"death", "death death", "DialogHide, DialogShow", func(q *questions, tx Tx) { tx.deathUI(q.player) }},
		{"stop", "stop stop", "DialogHide, DialogShow", func(q *questions, tx Tx) { tx.ResourceEnded("shop") }},
		{"leave", "", "", func(q *questions, tx Tx) { tx.Leave(q.link, protocol.ReasonQuit, "") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := newQuestions(t)
			q.open(mine)
			q.ask(other)
			q.ask(mine)
			q.link.said()
			q.do(func(tx Tx) { test.cause(q, tx) })
			q.want("ends", q.ends(), test.ends)
			q.want("sent", q.link.drain(), test.sent)
		})
	}
}

// TestEndsOfLeaveComeBehindIt tells the ends of a leave when its handlers are through, and opens nothing afterwards.
func TestEndsOfLeaveComeBehindIt(t *testing.T) {
	q := newQuestions(t)
	q.open(aMessage)
	q.ask(aMessage)
	q.do(func(tx Tx) { tx.Leave(q.link, protocol.ReasonQuit, "") })
	q.want("the leave alone", q.took(), "player_leave")
	d := q.ask(aMessage) // in a handler of player_leave
	if d.reason != EndLeave {
		t.Error(d.reason)
	}
	q.do(func(tx Tx) {
		if ends := tx.EndsOfLeave(q.player); len(ends) != 3 {
			t.Errorf("%d ends", len(ends))
		}
		d, told, err := tx.OpenDialog(q.player, DialogSpec{Title: "T"})
		if err != nil || told || d.reason != EndLeave {
			t.Error(d.reason, told, err)
		}
		if ends := tx.EndsOfLeave(q.player); len(ends) != 0 {
			t.Errorf("%d ends more", len(ends))
		}
	})
}

// TestNoEndIsLost keeps an end for which the scripts have no room.
func TestNoEndIsLost(t *testing.T) {
	q := newQuestions(t)
	d := q.open(DialogSpec{Checked: true})
	q.full = true
	q.press(d, protocol.DialogResponse{Row: none}) // nobody could judge it
	q.open(aMessage)
	q.do(func(tx Tx) { tx.ResourceEnded("") })
	q.do(func(tx Tx) { tx.Tick() })
	q.full = false
	q.want("none is heard", q.ends(), "")
	q.do(func(tx Tx) { tx.Tick() })
	q.want("in the end", q.ends(), "closed stop")
}

// TestAnswersAreLimited takes 10 at once and 5 a second; one more ends the dialog.
func TestAnswersAreLimited(t *testing.T) {
	q := newQuestions(t)
	for range 9 {
		q.receive(&protocol.DialogResponse{DialogID: 1 << 30, Row: none}) // they cost too
	}
	pass := q.now
	press := func(want string) {
		t.Helper()
		d := q.ask(aMessage)
		pass += time.Second // the pacer's clock alone
		if err := q.link.pace.Flush(pass, q.link); err != nil {
			t.Fatal(err)
		}
		q.press(d, protocol.DialogResponse{Row: none})
		q.want("it ends", q.ends(), want)
	}
	q.events = nil
	press("accept")
	press("invalid")
	q.now += 200 * time.Millisecond
	press("accept")
	press("invalid")
}

// TestCheckKeepsThePlace judges an answer, shows the dialog again and lets its check ask.
func TestCheckKeepsThePlace(t *testing.T) {
	q := newQuestions(t)
	d := q.open(DialogSpec{Checked: true, By: "shop", Input: &InputSpec{Max: 9, Placeholder: "p"}})
	held := q.ask(DialogSpec{By: "bank"})
	q.press(d, protocol.DialogResponse{Row: none, Text: "Jo"})
	q.want("judged", q.ends(), "judge")
	q.want("nobody takes its place", q.link.drain(), "")
	if last := q.ask(DialogSpec{By: "bank"}); last.state != dialogHeld {
		t.Fatal("another resource's takes its place")
	}
	inside := q.open(DialogSpec{By: "shop"}) // by the check
	if inside.state != dialogShown {
		t.Fatal("what the check asks waits for the check")
	}
	q.press(inside, protocol.DialogResponse{Row: none})
	q.want("asked", q.ends(), "accept")
	before := d.id
	q.do(func(tx Tx) {
		if err := tx.AskAgain(d, strings.Repeat("x", 201), protocol.WholeForm); err == nil || err.Error() != "201 bytes, at most 200" {
			t.Error(err)
		}
		if err := tx.AskAgain(d, "no", protocol.WholeForm); err != nil {
			t.Error(err)
		}
	})
	q.link.drain()
	if d.id == before || d.state != dialogShown || held.state != dialogHeld {
		t.Errorf("id %d, was %d, %v", d.id, before, d.state)
	}
	q.receive(&protocol.DialogResponse{DialogID: before, Row: none})
	if q.want("its old id", q.ends(), ""); q.failures() != 0 {
		t.Error("the old id is a forged one")
	}
	q.press(d, protocol.DialogResponse{Row: none, Text: "Joe"})
	q.do(func(tx Tx) { tx.AcceptDialog(d); tx.AcceptDialog(d) })
	q.want("accepted", q.ends(), "judge accept")
	if held.state != dialogShown {
		t.Error("the next one is not shown")
	}

	d = q.open(DialogSpec{Checked: true, By: "shop", Replace: true})
	q.press(d, protocol.DialogResponse{Row: none})
	q.do(func(tx Tx) {
		tx.CloseDialog(d)
		if tx.JudgedAnswer(d) != nil || tx.AskAgain(d, "x", protocol.WholeForm) != nil {
			t.Error("it is judged after its end")
		}
		tx.AcceptDialog(d)
	})
	q.want("closed while it is judged", q.ends(), "replaced judge closed")
	if _, answer := (Tx{q.w}).DialogEnd(d); answer != nil {
		t.Error("an answer that was not accepted is given")
	}
}

// TestHostileAnswersChangeNothing sends 10,000 random and mutated answers: each dialog ends once, with an answer that it can have
// been given or without one, and another player's dialog stays.
func TestHostileAnswersChangeNothing(t *testing.T) {
	q := newQuestions(t)
	bobby, victim := q.join("Bobby")
	var theirs *Dialog
	q.do(func(tx Tx) { theirs, _, _ = tx.OpenDialog(victim, DialogSpec{Title: "T", Accept: "OK"}) })
	bobby.drain()
	specs := []DialogSpec{aMessage, aMust, anExtra, anInput, someText, aSecret, aList, aTable, aForm, fullForm()}
	r := rand.New(rand.NewPCG(5, 5))
	ended, asked := make(map[*Dialog]int), 0
	for i := range 10_000 {
		if len(q.player.dialogs.line) == 0 {
			q.open(specs[r.IntN(len(specs))])
			asked++
		}
		d := q.player.dialogs.line[0]
		id := [...]uint32{d.id, d.id, d.id + 1, d.id - 1, theirs.id, r.Uint32()}[r.IntN(6)]
		q.now += time.Duration(r.IntN(300)) * time.Millisecond
		if i%2 == 0 {
			text := strings.Repeat("x", r.IntN(6)) + [...]string{"", "\n", "日", "\x00"}[r.IntN(4)]
			q.receive(&protocol.DialogResponse{DialogID: id, Button: protocol.DialogButton(r.IntN(3)),
				Row: [...]uint16{0, 1, 2, 499, none, uint16(r.Uint32())}[r.IntN(6)], Text: text})
		} else {
			q.receive(&protocol.DialogFormResponse{DialogID: id, Button: protocol.DialogButton(r.IntN(3)), Fields: randomAnswers(r, d)})
		}
		for _, e := range q.events {
			if e, ok := e.(DialogDone); ok {
				ended[e.Dialog]++
				mayHaveEnded(t, e.Dialog)
			}
		}
		q.events = nil
	}
	if len(ended) < asked-1 || asked < 500 {
		t.Errorf("%d of %d dialogs have ended", len(ended), asked)
	}
	for d, n := range ended {
		if n != 1 {
			t.Errorf("dialog %d has ended %d times", d.id, n)
		}
	}
	if theirs.state != dialogShown {
		t.Error("another player's dialog is", theirs.reason)
	}
	if len(q.player.answers.open) > 1 || len(q.player.answers.lately) > lateIDs {
		t.Errorf("%d ids are open, %d are remembered", len(q.player.answers.open), len(q.player.answers.lately))
	}
}

// mayHaveEnded holds an end against what the page says in other words than the code does.
func mayHaveEnded(t *testing.T, d *Dialog) {
	t.Helper()
	s, a := &d.Spec, d.answer
	switch d.reason {
	case EndInvalid:
		return
	case EndCancel:
		if !s.Cancellable {
			t.Error("cancelled what cannot be")
		}
		return
	}
	switch {
	case d.reason == "extra" && s.Extra == "":
		t.Error("a button that there is not")
	case s.Input != nil:
		if n := len([]rune(a.Text)); n < s.Input.Min || n > s.Input.Max || !s.Input.Lines && strings.ContainsRune(a.Text, '\n') {
			t.Errorf("typed %q", a.Text)
		}
	case s.choices() != nil:
		if a.Row < 0 && d.reason == "accept" || a.Row > 0 {
			t.Errorf("row %d", a.Row)
		}
	case a.Row >= 0 || a.Text != "":
		t.Errorf("%+v", a)
	}
	for _, f := range a.Fields {
		if kind := s.Fields[f.Number].Type; kind != f.Type || kind == protocol.FormNote {
			t.Errorf("field %d is a %v", f.Number, kind)
		}
	}
}
