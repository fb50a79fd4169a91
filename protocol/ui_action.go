package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// ActionStates are the states of a player in which an action can be used.
type ActionStates uint8

const (
	ActionOnFoot ActionStates = 1 << iota
	ActionDriver
	ActionPassenger
	ActionWasted
	ActionPreSpawn
)

// ActionFlags are the flags of an action.
type ActionFlags uint8

const (
	ActionOnlyWithPrompt ActionFlags = 1 << iota
	ActionSwallow                    // the game does not see the key
	ActionOff
)

// ActionDeclare declares an action of a resource, or changes it.
type ActionDeclare struct {
	ActionID uint32
	Resource string // by ValidResourceName; empty: the server's own
	Name     string // by ValidTopic
	Label    string // plain, 1..63 bytes
	Key      Key    // the default; KeyNone none, never KeyEscape
	When     ActionStates
	Flags    ActionFlags
}

func (*ActionDeclare) ID() ID { return IDActionDeclare }

func (p *ActionDeclare) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.ActionID)
	c.Name(&p.Resource, 32, actionOwner)
	c.Name(&p.Name, 32, topic)
	c.Text(&p.Label, 64, wire.Plain)
	wire.Enum(c, &p.Key, KeyLast)
	wire.Bits(c, &p.When, 5)
	wire.Bits(c, &p.Flags, 3)
}

func (p *ActionDeclare) Check() error {
	switch {
	case p.Label == "":
		return errors.New("label is empty")
	case p.Key == KeyEscape:
		return errors.New("key Escape cannot be the key of an action")
	case p.When == 0:
		return errors.New("when is 0: the action could never be used")
	}
	return nil
}

var actionOwner = &wire.Rule{Note: "a resource's name, or empty", Check: func(name string) error {
	if name == "" {
		return nil
	}
	return ValidResourceName(name)
}}

// ActionRemove removes an action and its prompt.
type ActionRemove struct{ ActionID uint32 }

func (*ActionRemove) ID() ID { return IDActionRemove }

func (p *ActionRemove) Wire(c *wire.Codec) { wire.NonZero(c, &p.ActionID) }

// ActionInput tells that an action's key went down or up.
type ActionInput struct {
	ActionID uint32
	Pressed  bool
}

func (*ActionInput) ID() ID { return IDActionInput }

func (p *ActionInput) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.ActionID)
	c.Bool(&p.Pressed)
}

// A PromptPlace is where an ActionPrompt is drawn.
type PromptPlace uint8

const (
	PromptScreen PromptPlace = iota // low on the screen
	PromptWorld
)

var promptPlaces = []string{"screen", "world"}

// String is the place's word.
func (p PromptPlace) String() string { return named(promptPlaces, p, "PromptPlace") }

// ActionPrompt is a hint with an action's key. With Present false it is
// removed, and all but the action is zero.
type ActionPrompt struct {
	ActionID uint32
	Present  bool
	HoldMs   uint16 // 0, or 200..10000: the key is held while a ring fills
	Place    PromptPlace
	Attachment
	Position Vec3    // in the world, or the offset when attached
	Radius   float32 // m, 0.5..50, visible within; 0 on the screen
	Text     string  // 1..127 bytes
}

func (*ActionPrompt) ID() ID { return IDActionPrompt }

func (p *ActionPrompt) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.ActionID)
	c.Bool(&p.Present)
	wire.Removable(c, p, ActionPrompt{ActionID: p.ActionID}, !p.Present, 156, (*ActionPrompt).fields)
}

func (p *ActionPrompt) fields(c *wire.Codec) {
	wire.ZeroOr(c, &p.HoldMs, 200, 10000)
	wire.Enum(c, &p.Place, PromptWorld)
	p.Attachment.Wire(c)
	c.Position(&p.Position)
	c.F32ZeroOr(&p.Radius, 0.5, 50)
	c.Text(&p.Text, 128, wire.Line)
}

func (p *ActionPrompt) Check() error {
	switch {
	case !p.Present:
		return nil
	case p.Text == "":
		return errors.New("text is empty")
	case p.Place == PromptWorld && p.Radius == 0:
		return errors.New("radius is 0: a prompt in the world needs one")
	case p.Place == PromptScreen && (p.Attachment != Attachment{} || !blank(p.Position) || !unset(p.Radius)):
		return errors.New("a prompt on the screen has no attachment, position or radius")
	}
	return p.Attachment.Check()
}
