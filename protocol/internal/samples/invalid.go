package samples

import (
	"encoding/binary"
	"fmt"
	"strings"

	p "darqline/protocol"
)

// An Invalid is an input that decode refuses: a sample with one change.
type Invalid struct {
	File  string // of fixtures/protocol/invalid, without .bin: PACKET.reason_in_words
	From  string // the sample's file
	Field string // that Put is written over, as protocol.List names it (+n: n bytes further); "": behind the last
	Put   any    // of the field's Go type
	Want  string // part of the error: field and reason
}

// AllInvalid returns every invalid input, by topic.
func AllInvalid() []Invalid {
	var all []Invalid
	for _, topic := range []([]Invalid){connectionInvalid(), playerInvalid(), cameraInvalid(), combatInvalid(), damageInvalid(), vehiclesInvalid(), worldInvalid(), uiInvalid(), uiActionInvalid(), uiDialogInvalid(), uiFormInvalid(), uiMenuInvalid(), uiHudInvalid(), viewsInvalid(), editorInvalid(), queryInvalid()} {
		all = append(all, topic...)
	}
	return all
}

// Direction is the way that the input comes.
func (v Invalid) Direction() p.Direction {
	r, _ := p.Lookup(Named(v.From).Header.ID)
	return r.Direction
}

// Bytes is the changed sample.
func (v Invalid) Bytes() []byte {
	b := Named(v.From).Bytes()
	put, err := binary.Append(nil, binary.LittleEndian, v.Put)
	if text, ok := v.Put.(string); ok {
		put, err = []byte(text), nil
	}
	if err != nil {
		panic("invalid input " + v.File + ": " + err.Error())
	}
	if v.Field == "" {
		return append(b, put...)
	}
	copy(b[v.offset(b):], put)
	return b
}

func (v Invalid) offset(b []byte) int {
	name, further, _ := strings.Cut(v.Field, "+")
	n := 0
	if further != "" {
		fmt.Sscan(further, &n)
	}
	fields, err := p.List(b, v.Direction())
	for _, f := range fields {
		if f.Name == name && err == nil {
			return f.Offset + n
		}
	}
	panic(fmt.Sprintf("invalid input %s: no field %q in %s, %v", v.File, name, v.From, err))
}
