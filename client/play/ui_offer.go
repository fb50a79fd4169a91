package play

import (
	"darqline/client"
	"darqline/protocol"
)

// offer is a question at the edge of the screen.
type offer struct {
	ID       uint32 `json:"id"`
	From     string `json:"from,omitempty"` // who offers; "": the server, or somebody who is not in the list
	Title    string `json:"title"`
	Text     string `json:"text,omitempty"`
	Accept   string `json:"accept,omitempty"` // "": by the page's language
	Decline  string `json:"decline,omitempty"`
	Icon     string `json:"icon,omitempty"`
	Color    string `json:"color,omitempty"`
	Duration uint32 `json:"duration"` // ms
	Until    int64  `json:"until"`    // Unix time in ms
}

// offerAnswer is the player's answer.
type offerAnswer struct {
	ID     uint32 `json:"id"`
	Accept bool   `json:"accept"`
}

func (h *handler) Offers(list []client.Offer) {
	out := make([]offer, len(list))
	for i, o := range list {
		c := &o.Content
		out[i] = offer{
			ID: o.OfferID, Title: c.Title, Text: c.Text, Accept: c.Accept, Decline: c.Decline, Icon: iconName(o.Icon), Color: color(o.Color),
			Duration: o.Duration, Until: unixMs(o.Until),
		}
		if o.PlayerID != protocol.NoPlayer {
			out[i].From = h.m.playerName(o.PlayerID)
		}
	}
	h.m.setOffers(out)
}

func (m *model) setOffers(list []offer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Offers = list
	m.broadcast(message{Type: "offers", Offers: &list})
}

func (s *seat) answerOffer(a offerAnswer) error {
	return s.asked(func(now session) error { return now.AnswerOffer(a.ID, a.Accept) })
}
