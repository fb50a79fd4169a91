package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// A FormAnswer is the answer of one field; which of the values it has is its
// type's.
type FormAnswer struct {
	Number uint8    // of the field
	Type   FormType // not FormNote

	Boolean bool
	Float   float64
	String  string // plain, up to 512 bytes, with \n only where FormLines was set
	Choice  uint8  // number of the option
	Choices uint64 // bit i is option i
	Color   RGBA   // with alpha 255
	Date    int32  // days since 1970-01-01
}

func (a *FormAnswer) Wire(c *wire.Codec) {
	c.U8(&a.Number)
	wire.Enum(c, &a.Type, FormDate)
	wire.Union(c, a, &a.Type,
		func(a *FormAnswer, c *wire.Codec) { c.Bool(&a.Boolean) },
		func(a *FormAnswer, c *wire.Codec) { c.F64(&a.Float) },
		func(a *FormAnswer, c *wire.Codec) { c.Str16(&a.String, 0, 512, wire.PlainText) },
		func(a *FormAnswer, c *wire.Codec) { c.U8(&a.Choice) },
		func(a *FormAnswer, c *wire.Codec) { c.U64(&a.Choices) },
		func(a *FormAnswer, c *wire.Codec) { c.Color(&a.Color) },
		func(a *FormAnswer, c *wire.Codec) { c.I32(&a.Date) })
}

// DialogFormResponse is the filled form.
type DialogFormResponse struct {
	DialogID uint32
	Button   DialogButton
	Fields   []FormAnswer // up to 24, by rising number
}

func (*DialogFormResponse) ID() ID { return IDDialogFormResponse }

func (p *DialogFormResponse) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.DialogID)
	wire.Enum(c, &p.Button, ButtonExtra)
	n := wire.Count(c, &p.Fields, 0, MaxFormFields)
	c.Tail(&p.Fields, 0, 1179, func() { wire.Items(c, &p.Fields, n, (*FormAnswer).Wire) })
}

func (p *DialogFormResponse) Check() error {
	if p.Button == ButtonCancel && len(p.Fields) > 0 {
		return errors.New("cancel has no fields")
	}
	for i := range p.Fields {
		a := &p.Fields[i]
		switch {
		case i > 0 && a.Number <= p.Fields[i-1].Number:
			return fmt.Errorf("fields[%d]: number %d does not rise", i, a.Number)
		case a.Type == FormColor && a.Color.A != 255:
			return fmt.Errorf("fields[%d]: a color has alpha 255, not %d", i, a.Color.A)
		}
	}
	return nil
}
