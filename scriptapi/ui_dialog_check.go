package scriptapi

import (
	"errors"
	"fmt"
	"slices"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox"
)

// judgeDialog runs the check of a dialog that has an answer. The dialog keeps its place until the check has ended, and it may wait
// and ask. One that fails closes the dialog: an answer that nobody has judged is none.
func (rt *Runtime) judgeDialog(d *world.Dialog) {
	tx := rt.begin()
	answer := tx.JudgedAnswer(d)
	tx.End()
	k, ok := d.Spec.Owner.(*asking)
	if answer == nil || !ok {
		return // it has ended meanwhile, or an embedding program judges it
	}
	const event = "check of a dialog"
	k.args.Check.Call(bind.Run{Event: event, Done: func(res bind.Results, err error) {
		if errors.Is(err, sandbox.ErrClosed) {
			return // the stop has ended the dialog
		}
		var again *refusal
		if err == nil {
			again, err = k.verdict(res)
		}
		tx := rt.begin()
		switch {
		case err != nil:
			tx.CloseDialog(d)
		case again == nil:
			tx.AcceptDialog(d)
		default:
			if err = tx.AskAgain(d, again.text, again.field); err != nil {
				tx.CloseDialog(d)
			}
		}
		tx.End()
		if err != nil {
			rt.report(k.inst, k.fault(err, event))
		}
	}}, k.answer(answer))
}

// fault is the error of a check, with the place of its function where it has none of its own.
func (k *asking) fault(err error, event string) error {
	var e *sandbox.ScriptError
	if errors.As(err, &e) {
		return err
	}
	file, line := k.args.Check.Where()
	return &sandbox.ScriptError{Resource: k.inst.name(), Event: event, File: file, Line: line, Message: err.Error()}
}

// refusal is why a dialog is shown again.
type refusal struct {
	text  string
	field uint8
}

// verdict reads what a check has returned: nothing, a text, or a form's field and a text.
func (k *asking) verdict(res bind.Results) (*refusal, error) {
	if res.Raw(0).IsNil() {
		return nil, nil
	}
	first, second := res.Raw(0), res.Raw(1)
	text, ok := stringOf(first)
	if !ok {
		return nil, fmt.Errorf("check returns nothing, a text, or a field's name and a text; it has returned %s", first.Describe())
	}
	if second.IsNil() {
		return &refusal{text, protocol.WholeForm}, nil
	}
	about := slices.IndexFunc(k.args.Fields, func(f fieldArgs) bool { return f.Name == text && text != "" })
	reason, ok := stringOf(second)
	switch {
	case about < 0:
		return nil, fmt.Errorf("check has returned a text for the field %q, which the dialog does not have", text)
	case !ok || reason == "":
		return nil, fmt.Errorf("check has returned %s for the field %q, a text expected", second.Describe(), text)
	}
	return &refusal{reason, uint8(about)}, nil
}

// stringOf is a value that is a string.
func stringOf(v bind.Raw) (string, bool) {
	plain, _ := v.Plain()
	s, ok := plain.(string)
	return s, ok
}
