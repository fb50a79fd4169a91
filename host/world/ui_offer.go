package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// offers are the offers to a player: the first three of the line are on his screen, the others wait for their turn (page Chat,
// HUD and dialogs, Offers).
type offers struct {
	line  []*Offer
	asked []askedBy // in the last minute, by players
}

type askedBy struct {
	token uint32
	at    time.Duration
}

const (
	shownOffers = 3
	heldOffers  = 8

	offersAMinute = 3 // from one player to another
	offerMinute   = time.Minute

	offerTitle  = 96
	offerText   = 300
	offerLines  = 4
	offerButton = 48

	minOffer = 3 * time.Second
	maxOffer = 2 * time.Minute
)

// EndFromLeft is why an offer is over whose offerer has left.
const EndFromLeft EndReason = "from_left"

// OfferSpec is what is offered.
type OfferSpec struct {
	Title, Text     string  // lines with markup
	From            *Player // nil: the server
	Duration        time.Duration
	Accept, Decline string // the buttons; empty: by the client's language
	Icon            protocol.Icon
	Color           protocol.RGBA
	By              string // the resource
	Owner           any    // whoever receives its events
}

// Offer is a question to a player with a time limit, beside which he plays on. It is read through a Tx.
type Offer struct {
	Player *Player
	Spec   OfferSpec

	id       uint32
	shown    bool // on its way to the screen, or there
	left     bool // it has left the pacer
	until    time.Duration
	over     bool
	reason   EndReason // empty: it was answered
	accepted bool
}

// OfferDone says that an offer is over. There is exactly one for each that was opened.
type OfferDone struct{ Offer *Offer }

func (OfferDone) LuaName() string { return "offer_close" }

type (
	offerKey     struct{ id uint32 }
	offerHideKey struct{ id uint32 }
)

// OpenOffer puts a question to a player. It is over at once where 8 wait already, or where who offers has an offer open with
// him or had 3 in the last minute (EndBusy), and where his leave has been told to all; else an OfferDone will tell. The error
// is about the spec.
func (tx Tx) OpenOffer(p *Player, spec OfferSpec) (o *Offer, told bool, err error) {
	o = &Offer{Player: p, Spec: spec, id: tx.newID(), until: forever}
	if err := o.check(); err != nil {
		return nil, false, err
	}
	switch {
	case p.gone:
		tx.overOffer(o, EndLeave)
		return o, !p.answers.allOver, nil
	case spec.From != nil && spec.From.gone:
		tx.overOffer(o, EndFromLeft)
	case len(p.offers.line) >= shownOffers+heldOffers || !tx.mayOffer(spec.From, p):
		o.over, o.reason = true, EndBusy
		return o, false, nil
	default:
		if spec.From != nil {
			p.offers.asked = append(p.offers.asked, askedBy{spec.From.Token, tx.now()})
		}
		p.offers.line = append(p.offers.line, o)
		tx.showOffers(p)
	}
	return o, true, nil
}

// mayOffer says whether a player may ask another one now.
func (tx Tx) mayOffer(from, to *Player) bool {
	now := tx.now()
	to.offers.asked = slices.DeleteFunc(to.offers.asked, func(a askedBy) bool { return now-a.at >= offerMinute })
	if from == nil {
		return true
	}
	n := 0
	for _, a := range to.offers.asked {
		if a.token == from.Token {
			n++
		}
	}
	return n < offersAMinute && !slices.ContainsFunc(to.offers.line, func(o *Offer) bool { return o.Spec.From == from })
}

// showOffers shows those whose turn it is.
func (tx Tx) showOffers(p *Player) {
	for _, o := range p.offers.line[:min(shownOffers, len(p.offers.line))] {
		if o.shown || p.gone {
			continue
		}
		o.shown = true
		p.link.Pace(pacer.Thing{Key: offerKey{o.id}, Class: pacer.Waited, Packets: []protocol.Packet{o.packet()}})
		tx.opened(p, o.id, offerKey{o.id}, o)
	}
}

func (o *Offer) packet() *protocol.OfferShow {
	s := &o.Spec
	m := &protocol.OfferShow{OfferID: o.id, PlayerID: protocol.NoPlayer, Duration: uint32(s.Duration.Milliseconds()), Icon: s.Icon,
		Color: s.Color, Content: protocol.OfferContent{Title: s.Title, Text: s.Text, Accept: s.Accept, Decline: s.Decline}}
	if s.From != nil {
		m.PlayerID, m.PlayerToken = s.From.ID, s.From.Token
	}
	return m
}

// check is about what is offered.
func (o *Offer) check() error {
	s := &o.Spec
	switch {
	case s.Title == "":
		return errors.New("field \"title\": an offer has one")
	case s.Duration < minOffer || s.Duration > maxOffer:
		return fmt.Errorf("field \"duration\": %s..%s ms expected, got %d", grouped(int(minOffer.Milliseconds())),
			grouped(int(maxOffer.Milliseconds())), s.Duration.Milliseconds())
	}
	return cmp.Or(line("title", s.Title, offerTitle), lines("text", s.Text, offerText, offerLines),
		line("accept", s.Accept, offerButton), line("decline", s.Decline, offerButton), check(o.packet()))
}

// ReceiveOfferResponse takes the answer to an offer. One above the limit is an invalid one: nobody presses so fast (page Chat,
// HUD and dialogs, OfferResponse).
func (tx Tx) ReceiveOfferResponse(p *Player, m *protocol.OfferResponse) {
	may := tx.mayAnswer(p)
	o, ok := answered[*Offer](tx, p, m, m.OfferID)
	if !ok {
		return
	}
	tx.closed(p, o.id)
	o.shown = false // his client has closed it
	if !may {
		tx.violated(p, ViolationUI, "%v: more than %d answers at once or %d a second", m.ID(), answerBurst, answerRate)
		tx.endOffer(o, EndInvalid)
		return
	}
	o.accepted = m.Accepted
	tx.endOffer(o, "")
}

// endOffer ends an offer that is not over, and shows the next one.
func (tx Tx) endOffer(o *Offer, reason EndReason) {
	p := o.Player
	if o.shown {
		tx.takeOffer(o, reason)
	}
	p.offers.line = slices.DeleteFunc(p.offers.line, func(other *Offer) bool { return other == o })
	tx.overOffer(o, reason)
	tx.showOffers(p)
}

func (tx Tx) overOffer(o *Offer, reason EndReason) {
	o.over, o.reason = true, reason
	tx.end(o.Player, OfferDone{o})
}

// takeOffer takes an offer from the screen, or from the way there.
func (tx Tx) takeOffer(o *Offer, reason EndReason) {
	why := protocol.OfferWithdrawn
	switch reason {
	case EndTimeout:
		why = protocol.OfferExpired
	case EndFromLeft:
		why = protocol.OfferFromLeft
	}
	link := o.Player.link
	tx.closed(o.Player, o.id)
	if waited, begun := link.Drop(offerKey{o.id}); !waited || begun {
		link.Pace(pacer.Thing{Key: offerHideKey{o.id}, Class: pacer.Removals,
			Packets: []protocol.Packet{&protocol.OfferHide{OfferID: o.id, Reason: why}}})
	}
}

// WithdrawOffer ends an offer for a script, once.
func (tx Tx) WithdrawOffer(o *Offer) {
	if !o.over {
		tx.endOffer(o, EndClosed)
	}
}

// OfferOpen says whether an offer is not over: it may still wait for its turn.
func (tx Tx) OfferOpen(o *Offer) bool { return !o.over }

// OfferID is the number under which the client knows an offer.
func (tx Tx) OfferID(o *Offer) uint32 { return o.id }

// OfferEnd is why an offer is over; where the reason is empty the player has answered it.
func (tx Tx) OfferEnd(o *Offer) (accepted bool, reason EndReason) { return o.accepted, o.reason }

// endOffers ends those of a player's offers that match, those that wait too.
func (tx Tx) endOffers(p *Player, reason EndReason, match func(o *Offer) bool) {
	ending := slices.DeleteFunc(slices.Clone(p.offers.line), func(o *Offer) bool { return !match(o) })
	for _, o := range slices.Backward(ending) { // from behind, so that none is shown only to go
		tx.endOffer(o, reason)
	}
}

func anyOffer(*Offer) bool { return true }

// leaveOffers ends the offers to who has left, and his own.
func (tx Tx) leaveOffers(p *Player) {
	tx.endOffers(p, EndLeave, anyOffer)
	for _, other := range tx.w.players {
		tx.endOffers(other, EndFromLeft, func(o *Offer) bool { return o.Spec.From == p })
	}
}

// tickOffers ends what has run out. The time of an offer begins when it has left the pacer, and an answer of the last moment
// has a second to arrive.
func (tx Tx) tickOffers() (next time.Duration) {
	now, next := tx.now(), forever
	for _, p := range tx.w.players {
		for _, o := range slices.Clone(p.offers.line) {
			switch {
			case !o.shown:
				continue
			case !o.left && p.link.Waits(offerKey{o.id}):
				next = min(next, now+tickEvery)
				continue
			case !o.left:
				o.left, o.until = true, now+o.Spec.Duration+lastSecond
			}
			if now >= o.until {
				tx.endOffer(o, EndTimeout)
				next = min(next, now+tickEvery) // another one may have come up
				continue
			}
			next = min(next, o.until)
		}
	}
	return next
}
