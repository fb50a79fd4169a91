package client

import (
	"testing"
	"time"

	"darqline/protocol"
)

func offer(id, duration uint32) *protocol.OfferShow {
	return &protocol.OfferShow{OfferID: id, PlayerID: protocol.NoPlayer, Duration: duration, Content: protocol.OfferContent{Title: "O"}}
}

func TestOffers(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		for id := uint32(1); id <= 4; id++ { // the fourth is more than a server may have open
			st.lane(offer(id, 3000+1000*id))
		}
		equal(t, st.take("offer"), "offers 1", "offers 1 2", "offers 1 2 3")
		st.lane(&protocol.OfferHide{OfferID: 9})
		st.lane(&protocol.OfferHide{OfferID: 2, Reason: protocol.OfferFromLeft})
		equal(t, st.take("offer"), "offers 1 3", "offer 2 closed from_left")
		st.lane(offer(5, 3000))
		st.lane(offer(1, 120_000)) // in place
		equal(t, st.take("offer"), "offers 1 3 5", "offers 1 3 5")

		st.lane(show(1, protocol.DialogMessage))
		wants(t, st.client.AnswerOffer(1, true), ErrDialog)
		st.lane(&protocol.DialogHide{DialogID: 1})
		if err := st.client.AnswerOffer(st.client.UI().Offers[0].OfferID, false); err != nil {
			t.Fatal(err)
		}
		if p := one[*protocol.OfferResponse](st); p.OfferID != 1 || p.Accepted {
			t.Errorf("%+v", p)
		}
		wants(t, st.client.AnswerOffer(1, true), ErrNotOpen)
		equal(t, st.take("offer"), "offers 3 5", "offer 1 closed answered")

		st.alive(2999 * time.Millisecond)
		equal(t, st.take("offer"))
		st.alive(time.Millisecond)
		equal(t, st.take("offer"), "offers 3", "offer 5 closed timeout")
		st.alive(3 * time.Second)
		equal(t, st.take("offer"), "offers", "offer 3 closed timeout")
		st.lane(&protocol.OfferHide{OfferID: 3, Reason: protocol.OfferExpired})
		equal(t, st.take("offer"))
		if got := received[*protocol.OfferResponse](st); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	})
}
