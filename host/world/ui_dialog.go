package world

import (
	"slices"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// dialogs are a player's dialogs: the first of the line is on his screen, the others wait for their turn in the order of
// asking (page Chat, HUD and dialogs, What can be open).
type dialogs struct{ line []*Dialog }

// heldDialogs is how many wait behind the one that is shown.
const heldDialogs = 8

// lastSecond is how much longer than the client the server waits for an answer.
const lastSecond = time.Second

// DialogSpec is what is asked. What it has besides title and text decides the kind: Input, Items, Columns with Rows, Fields;
// a message has none of them.
type DialogSpec struct {
	Title, Text           string // lines with markup; Text of up to 8,192 bytes in a message
	Accept, Cancel, Extra string // the buttons; an empty one is not drawn
	Cancellable           bool   // Esc answers "cancel"
	Start                 int    // the row first selected, from 0
	Search, Sort          bool   // a filter box; sorting by the player
	Timeout               time.Duration

	Input   *InputSpec
	Items   []protocol.TableRow // of one cell
	Columns []protocol.TableColumn
	Rows    []protocol.TableRow
	Fields  []protocol.FormField

	Replace      bool // takes the place of the one that is shown
	CloseOnDeath bool
	Checked      bool   // an accepted answer waits for AcceptDialog or AskAgain
	By           string // the resource
	Owner        any    // whoever receives its events
}

// InputSpec is a text that the player types.
type InputSpec struct {
	Min, Max             int // characters, up to 256
	Initial, Placeholder string
	Lines                bool // up to 40
	Hidden               bool // a password: nobody reads it on the screen or in a log
}

// Dialog is a question to a player. It is read through a Tx.
type Dialog struct {
	Player *Player
	Spec   DialogSpec

	id     uint32 // another one when it is asked again
	state  dialogState
	shows  []protocol.Packet // head and parts, until they are paced
	left   bool              // all of it has left the pacer
	until  time.Duration     // when it is over without an answer; forever: never
	about  uint8             // the field of a form that was refused, or protocol.WholeForm
	reason EndReason
	answer *DialogAnswer
}

type dialogState uint8

const (
	dialogHeld   dialogState = iota // waits for its turn
	dialogShown                     // on its way to the screen, or there
	dialogJudged                    // an answer has come, and its check runs
	dialogOver
)

// DialogAnswer is an answer that has passed every check of its packet.
type DialogAnswer struct {
	Button protocol.DialogButton
	Row    int    // of a list or table, from 0; -1: none
	Text   string // of an input
	Fields []protocol.FormAnswer
}

// DialogAnswered says that the check of a dialog has an answer to judge.
type DialogAnswered struct{ Dialog *Dialog }

// DialogDone is dialog_close: a dialog that was opened is over. There is exactly one for each.
type DialogDone struct{ Dialog *Dialog }

func (DialogAnswered) LuaName() string { return "dialog_answer" }
func (DialogDone) LuaName() string     { return "dialog_close" }

type dialogKey struct{ id uint32 }
type dialogHideKey struct{ id uint32 }

// OpenDialog asks a player. It is over at once where 8 wait already (EndBusy), or where his leave has been told to all; else a
// DialogDone will tell. The error is about the spec.
func (tx Tx) OpenDialog(p *Player, spec DialogSpec) (d *Dialog, told bool, err error) {
	d = &Dialog{Player: p, Spec: spec, id: tx.newID(), until: forever, about: protocol.WholeForm}
	if err := d.build(""); err != nil {
		return nil, false, err
	}
	line := p.dialogs.line
	switch {
	case p.gone:
		tx.overDialog(d, EndLeave)
		return d, !p.answers.allOver, nil
	case spec.Replace && len(line) > 0:
		replaced := line[0]
		p.dialogs.line = slices.Insert(line, 0, d)
		tx.endDialog(replaced, EndReplaced)
	case len(line) > heldDialogs:
		d.state, d.reason, d.shows = dialogOver, EndBusy, nil
		return d, false, nil
	default:
		p.dialogs.line = slices.Insert(line, d.place(line), d)
		tx.nextDialog(p)
	}
	return d, true, nil
}

// place is where a dialog joins the line: last, but before one of its own resource whose check runs, because the check may be
// what asks, and waits.
func (d *Dialog) place(line []*Dialog) int {
	if i := slices.IndexFunc(line, func(o *Dialog) bool { return o.state == dialogJudged && o.Spec.By == d.Spec.By }); i >= 0 {
		return i
	}
	return len(line)
}

// nextDialog shows the first of the line if that waits for its turn.
func (tx Tx) nextDialog(p *Player) {
	if len(p.dialogs.line) == 0 || p.dialogs.line[0].state != dialogHeld || p.gone {
		return
	}
	d := p.dialogs.line[0]
	d.state, d.left, d.until = dialogShown, false, forever
	p.link.Pace(pacer.Thing{Key: dialogKey{d.id}, Class: pacer.Waited, Packets: d.shows})
	d.shows = nil
	tx.opened(p, d.id, dialogKey{d.id}, d)
}

// endDialog ends a dialog that is not over, wherever in the line it stands.
func (tx Tx) endDialog(d *Dialog, reason EndReason) {
	p := d.Player
	if d.state == dialogShown {
		tx.takeDialog(d)
	}
	p.dialogs.line = slices.DeleteFunc(p.dialogs.line, func(o *Dialog) bool { return o == d })
	tx.overDialog(d, reason)
	tx.nextDialog(p)
}

func (tx Tx) overDialog(d *Dialog, reason EndReason) {
	if d.answer != nil && reason != EndReason(d.answer.Button.String()) {
		d.answer = nil // it was not accepted
	}
	d.state, d.reason, d.shows = dialogOver, reason, nil
	tx.end(d.Player, DialogDone{d})
}

// takeDialog takes a dialog from the screen, or from the way there.
func (tx Tx) takeDialog(d *Dialog) {
	link := d.Player.link
	tx.closed(d.Player, d.id)
	if d.Player.gone {
		return
	}
	if waited, begun := link.Drop(dialogKey{d.id}); !waited || begun {
		link.Pace(pacer.Thing{Key: dialogHideKey{d.id}, Class: pacer.Removals,
			Packets: []protocol.Packet{&protocol.DialogHide{DialogID: d.id}}})
	}
}

// CloseDialog ends a dialog for a script, once.
func (tx Tx) CloseDialog(d *Dialog) {
	if d.state != dialogOver {
		tx.endDialog(d, EndClosed)
	}
}

// JudgedAnswer is the answer that a dialog's check has to judge; nil where the dialog has ended meanwhile.
func (tx Tx) JudgedAnswer(d *Dialog) *DialogAnswer {
	if d.state != dialogJudged {
		return nil
	}
	return d.answer
}

// AcceptDialog ends a dialog whose check has found nothing.
func (tx Tx) AcceptDialog(d *Dialog) {
	if d.state == dialogJudged {
		tx.endDialog(d, EndReason(d.answer.Button.String()))
	}
}

// AskAgain shows a dialog whose check has refused the answer once more, filled as the player has left it: what was typed
// unseen he types again. The text says why, in up to 200 bytes; field is the number of the form's field that it is about, or
// protocol.WholeForm. The error is about the text, and the dialog is still judged.
func (tx Tx) AskAgain(d *Dialog, text string, field uint8) error {
	if d.state != dialogJudged {
		return nil
	}
	if err := line("", text, dialogError); err != nil {
		return err
	}
	again := *d
	again.id, again.about = tx.newID(), field
	again.fill()
	if err := again.build(text); err != nil {
		return err
	}
	*d = again
	d.state, d.answer = dialogHeld, nil
	tx.nextDialog(d.Player)
	return nil
}

// DialogOf is the dialog that is on the player's screen or on its way there, or whose answer is judged; nil: none.
func (tx Tx) DialogOf(p *Player) *Dialog {
	if len(p.dialogs.line) == 0 {
		return nil
	}
	return p.dialogs.line[0]
}

// DialogID is the number under which the client knows a dialog.
func (tx Tx) DialogID(d *Dialog) uint32 { return d.id }

// DialogOpen says whether a dialog is not over: it may still wait for its turn.
func (tx Tx) DialogOpen(d *Dialog) bool { return d.state != dialogOver }

// DialogEnd is why a dialog is over, and the answer where a button was pressed.
func (tx Tx) DialogEnd(d *Dialog) (EndReason, *DialogAnswer) { return d.reason, d.answer }

// endDialogs ends those of a player's dialogs that match, held ones too.
func (tx Tx) endDialogs(p *Player, reason EndReason, match func(d *Dialog) bool) {
	ending := slices.DeleteFunc(slices.Clone(p.dialogs.line), func(d *Dialog) bool { return !match(d) })
	for _, d := range ending {
		tx.endDialog(d, reason)
	}
}

func anyDialog(*Dialog) bool { return true }

// tickDialogs ends what has run out. The time of a dialog begins when the last of it has left the pacer.
func (tx Tx) tickDialogs() (next time.Duration) {
	now, next := tx.now(), forever
	for _, p := range tx.w.players {
		d := tx.DialogOf(p)
		if d == nil || d.state != dialogShown || d.Spec.Timeout == 0 {
			continue
		}
		if !d.left && !p.link.Waits(dialogKey{d.id}) {
			d.left, d.until = true, now+d.Spec.Timeout+lastSecond
		}
		switch {
		case now >= d.until:
			tx.endDialog(d, EndTimeout)
			next = min(next, now+tickEvery) // another one may have come up
		case !d.left:
			next = min(next, now+tickEvery)
		default:
			next = min(next, d.until)
		}
	}
	return next
}
