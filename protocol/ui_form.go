package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// MaxFormFields is the number of fields that a form can have.
const MaxFormFields = 24

// WholeForm is the ErrorField of an error that is about no single field.
const WholeForm = 0xFF

// FormTexts are the head of a form.
type FormTexts struct {
	DialogTexts        // the body up to 20 lines
	Error       string // up to 200 bytes: why the last answer was refused
}

func (t *FormTexts) Wire(c *wire.Codec) {
	t.DialogTexts.wire(c, 20, 1172)
	c.Str8(&t.Error, 0, 200, wire.Line)
}

// FormContent is what one part of a form has.
type FormContent struct {
	Head   FormTexts // only with FormHead
	Fields []FormField
}

// DialogForm is a part of a form: typed fields to fill in. DialogFormResponse
// answers it.
type DialogForm struct {
	DialogID   uint32
	Flags      DialogFlags // DialogCancellable, and FormHead in the first part alone
	Timeout    uint32      // ms, 1000..3600000; 0 none
	Total      uint8       // fields of the form, 1..24
	First      uint8       // number of the first field in this part
	ErrorField uint8       // the field that the head's error is about, or WholeForm
	Content    FormContent
}

func (*DialogForm) ID() ID { return IDDialogForm }

func (p *DialogForm) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.DialogID)
	wire.Bits(c, &p.Flags, 2)
	dialogTimeout(c, &p.Timeout)
	wire.Range(c, &p.Total, 1, MaxFormFields)
	c.U8(&p.First)
	t := &p.Content
	n := wire.Count(c, &t.Fields, 0, MaxFormFields)
	c.U8(&p.ErrorField)
	c.Tail(t, 5, 1180, func() {
		wire.Union(c, &t.Head, &p.Flags, wire.Absent, wire.Absent, (*FormTexts).Wire, (*FormTexts).Wire)
		wire.Items(c, &t.Fields, n, (*FormField).Wire)
	})
}

func (p *DialogForm) Check() error {
	head, count := p.Flags&FormHead != 0, len(p.Content.Fields)
	switch {
	case int(p.First)+count > int(p.Total):
		return fmt.Errorf("first %d and count %d are outside a form of %d fields", p.First, count, p.Total)
	case count == 0 && !head:
		return errors.New("a part without the head has a field")
	case head && p.First != 0:
		return fmt.Errorf("first is %d in the part with the head, which begins the form", p.First)
	case p.ErrorField != WholeForm && p.ErrorField >= p.Total:
		return fmt.Errorf("error_field %d is neither 0xFF nor below total %d", p.ErrorField, p.Total)
	case p.ErrorField != WholeForm && p.Content.Head.Error == "":
		return fmt.Errorf("error_field is %d without an error text", p.ErrorField)
	}
	for i := range p.Content.Fields {
		if err := p.Content.Fields[i].check(); err != nil {
			return fmt.Errorf("fields[%d]: %w", i, err)
		}
	}
	return p.Content.Head.check(p.Flags)
}
