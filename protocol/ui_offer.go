package protocol

import "darqline/protocol/wire"

// OfferContent is the texts of an offer.
type OfferContent struct {
	Title   string // 1..96 bytes
	Text    string // up to 300 bytes and 4 lines
	Accept  string // up to 48 bytes; empty: by the client's language
	Decline string // likewise
}

// OfferShow is a question with a time limit.
type OfferShow struct {
	OfferID     uint32
	PlayerID    uint16 // who offers; NoPlayer with PlayerToken 0 the server
	PlayerToken uint32
	Duration    uint32 // ms, 3000..120000
	Icon        Icon
	Color       RGBA
	Content     OfferContent
}

func (*OfferShow) ID() ID { return IDOfferShow }

func (p *OfferShow) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.OfferID)
	someone(c, &p.PlayerID, &p.PlayerToken)
	wire.Range(c, &p.Duration, 3000, 120_000)
	wire.Enum(c, &p.Icon, IconLast)
	c.RGBA(&p.Color)
	t := &p.Content
	c.Tail(t, 6, 497, func() {
		c.Str8(&t.Title, 1, 96, wire.Line)
		c.Str16(&t.Text, 0, 300, wire.Lines(4))
		c.Str8(&t.Accept, 0, 48, wire.Line)
		c.Str8(&t.Decline, 0, 48, wire.Line)
	})
}

func (p *OfferShow) Check() error { return oneOrNone("player", p.PlayerID, p.PlayerToken) }

// An OfferEnd is why an offer is over.
type OfferEnd uint8

const (
	OfferWithdrawn OfferEnd = iota
	OfferExpired
	OfferFromLeft // who offered has left
)

var offerEnds = []string{"closed", "timeout", "from_left"}

// String is the reason's word, as Lua has it.
func (e OfferEnd) String() string { return named(offerEnds, e, "OfferEnd") }

// OfferHide tells that an offer is over.
type OfferHide struct {
	OfferID uint32
	Reason  OfferEnd
}

func (*OfferHide) ID() ID { return IDOfferHide }

func (p *OfferHide) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.OfferID)
	wire.Enum(c, &p.Reason, OfferFromLeft)
}

// OfferResponse answers an offer.
type OfferResponse struct {
	OfferID  uint32
	Accepted bool
}

func (*OfferResponse) ID() ID { return IDOfferResponse }

func (p *OfferResponse) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.OfferID)
	c.Bool(&p.Accepted)
}
