package client

import (
	"slices"
	"time"

	"darqline/protocol"
)

// maxOffers is the most offers that a connection has.
const maxOffers = 3

// Offer is a question at the edge of the screen.
type Offer struct {
	protocol.OfferShow
	Until time.Time // when it goes by itself
}

// AnswerOffer accepts or declines an offer. The keys are for the oldest one.
func (c *Client) AnswerOffer(id uint32, accept bool) error {
	return c.act(func(g *game, _ time.Duration) error { return g.answerOffer(id, accept) })
}

// offerShow puts a question. More than a server may have open are refused: they go by themselves there.
func (g *game) offerShow(at time.Time, p *protocol.OfferShow) {
	o := Offer{*p, at.Add(milliseconds(p.Duration))}
	if i := g.offer(p.OfferID); i >= 0 {
		g.ui.offers[i] = o
	} else if len(g.ui.offers) < maxOffers {
		g.ui.offers = append(g.ui.offers, o)
	} else {
		return
	}
	g.ui.alarm(o.Until)
	g.tellOffers()
}

func (g *game) offer(id uint32) int {
	return slices.IndexFunc(g.ui.offers, func(o Offer) bool { return o.OfferID == id })
}

func (g *game) tellOffers() {
	now := slices.Clone(g.ui.offers)
	g.tell(func(h Handler) { h.Offers(now) })
}

func (g *game) closeOffer(i int, why CloseReason) {
	id := g.ui.offers[i].OfferID
	g.ui.offers = slices.Delete(g.ui.offers, i, i+1)
	g.tellOffers()
	g.tell(func(h Handler) { h.OfferClosed(id, why) })
}

// offerEnds are the reasons of OfferHide.
var offerEnds = [...]CloseReason{
	protocol.OfferWithdrawn: ClosedByServer,
	protocol.OfferExpired:   ClosedTimeout,
	protocol.OfferFromLeft:  ClosedFromLeft,
}

func (g *game) offerHide(p *protocol.OfferHide) {
	if i := g.offer(p.OfferID); i >= 0 {
		g.closeOffer(i, offerEnds[p.Reason])
	}
}

func (g *game) driveOffers(at time.Time) {
	for i := len(g.ui.offers) - 1; i >= 0; i-- {
		if g.ui.ended(at, g.ui.offers[i].Until) {
			g.closeOffer(i, ClosedTimeout)
		}
	}
}

func (g *game) answerOffer(id uint32, accept bool) error {
	i := g.offer(id)
	switch {
	case i < 0:
		return ErrNotOpen
	case g.ui.dialog.shown:
		return ErrDialog
	}
	g.closeOffer(i, ClosedAnswered)
	g.send(&protocol.OfferResponse{OfferID: id, Accepted: accept})
	return nil
}
