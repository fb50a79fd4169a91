package world

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// offer puts a question to the desk's player.
func (d *desk) offer(title string, from *Player) (o *Offer) {
	d.t.Helper()
	d.do(func(tx Tx) {
		var err error
		o, _, err = tx.OpenOffer(d.player, OfferSpec{Title: title, From: from, Duration: 15 * time.Second, By: "duel"})
		if err != nil {
			d.t.Fatal(err)
		}
	})
	return o
}

func (d *desk) answer(o *Offer, accepted bool) {
	d.receive(&protocol.OfferResponse{OfferID: o.id, Accepted: accepted})
}

func TestOfferAnswers(t *testing.T) {
	d := newDesk(t)
	yes := d.offer("A", nil)
	d.want("shown", d.shows(), "offer A")
	d.answer(yes, true)
	d.want("accepted", d.heard(), "offer true")
	d.answer(yes, false)
	d.want("twice", d.heard(), "")
	no := d.offer("B", nil)
	d.link.drain()
	d.answer(no, false)
	d.want("declined", d.heard(), "offer false")
	d.want("his client has closed it", d.shows(), "")
	if d.failures() != 0 {
		t.Errorf("%d violations", d.failures())
	}
	d.receive(&protocol.OfferResponse{OfferID: 999})
	early := d.offer("C", nil)
	d.answer(early, true)
	d.want("a forged one and one before it was shown", d.heard(), "")
	if d.failures() != 2 {
		t.Errorf("%d violations, want 2", d.failures())
	}
	d.link.drain()
	m := d.menu(MenuSpec{}, selectItem("A"))
	d.receive(&protocol.OfferResponse{OfferID: m.id, Accepted: true})
	d.receive(&protocol.MenuInput{MenuID: early.id, ItemID: 1, Event: selecting})
	d.want("of another kind", d.heard(), "")
	if d.failures() != 4 {
		t.Errorf("%d violations, want 4", d.failures())
	}
}

func TestOfferTakesTurns(t *testing.T) {
	d := newDesk(t)
	var all []*Offer
	for n := range shownOffers + heldOffers {
		all = append(all, d.offer(fmt.Sprint(n), nil))
	}
	busy := d.offer("busy", nil)
	if !busy.over || busy.reason != EndBusy {
		t.Error("a twelfth offer is open")
	}
	d.want("of which no event tells", d.heard(), "")
	d.want("three are shown", d.shows(), "offer 0, offer 1, offer 2")
	d.answer(all[1], true)
	d.want("the next comes up", d.shows(), "offer 3")
	d.do(func(tx Tx) { tx.WithdrawOffer(all[5]); tx.WithdrawOffer(all[5]) })
	d.want("one that waits goes unseen", d.shows(), "")
	d.do(func(tx Tx) { tx.WithdrawOffer(all[0]) })
	d.want("and one that is shown is taken", d.shows(), "withdraw closed, offer 4")
	d.want("each ends once", d.heard(), "offer true, offer false closed, offer false closed")
	d.receive(&protocol.OfferResponse{OfferID: all[7].id, Accepted: true})
	d.want("one that is not shown has no answer", d.heard(), "")
	d.do(func(tx Tx) { tx.resourceUI("duel") })
	d.want("stop", d.heard(), strings.TrimSuffix(strings.Repeat("offer false stop, ", 8), ", "))
	if len(d.player.offers.line) != 0 {
		t.Error("some are left")
	}
}

func TestOfferTimes(t *testing.T) {
	d := newDesk(t)
	o := d.offer("A", nil)
	d.tick(time.Hour)
	d.want("while it waits in the pacer no time runs", d.heard(), "")
	d.link.flush()
	d.tick(0)
	d.tick(15*time.Second + 999*time.Millisecond)
	d.want("a second more than the client", d.heard(), "")
	d.answer(o, true)
	d.want("an answer of the last moment", d.heard(), "offer true")

	o = d.offer("B", nil)
	d.link.flush()
	d.tick(0)
	d.tick(16 * time.Second)
	d.want("over", d.heard(), "offer false timeout")
	d.answer(o, true)
	d.want("too late", d.heard(), "")
	if d.failures() != 0 {
		t.Error("an honest one was counted")
	}
}

func TestOffersFromOnePlayer(t *testing.T) {
	d := newDesk(t)
	bob, b := d.join("Bobby")
	_, c := d.join("Carol")
	reason := func(o *Offer) string {
		if o.over {
			return string(o.reason)
		}
		return "open"
	}
	one := d.offer("1", b)
	d.want("one", reason(one), "open")
	d.want("one at a time", reason(d.offer("x", b)), "busy")
	d.want("another player", reason(d.offer("c", c)), "open")
	for range 2 {
		d.do(func(tx Tx) { tx.WithdrawOffer(one) })
		one = d.offer("2", b)
		d.want("three a minute", reason(one), "open")
	}
	d.do(func(tx Tx) { tx.WithdrawOffer(one) })
	d.want("a fourth", reason(d.offer("x", b)), "busy")
	d.want("the server", reason(d.offer("s", nil)), "open")
	d.now += offerMinute - time.Millisecond
	d.want("not yet", reason(d.offer("x", b)), "busy")
	d.now += time.Second
	one = d.offer("3", b)
	d.want("after a minute", reason(one), "open")
	d.link.drain()
	d.heard()
	d.do(func(tx Tx) { tx.Leave(bob, protocol.ReasonQuit, "") })
	d.want("who offers has left", d.heard(), "offer false from_left")
	if got := d.shows(); !strings.Contains(got, "withdraw from_left") {
		t.Error(got)
	}
	d.want("from who has left", reason(d.offer("x", b)), "from_left")
	d.heard()
	d.do(func(tx Tx) {
		tx.Leave(d.link, protocol.ReasonQuit, "")
		if _, told, _ := tx.OpenOffer(d.player, OfferSpec{Title: "x", Duration: minOffer}); !told {
			t.Error("nothing will tell")
		}
		d.events = tx.EndsOfLeave(d.player)
	})
	d.want("leave", d.heard(), "offer false leave, offer false leave, offer false leave")
}

func TestOfferAnswersAreLimited(t *testing.T) {
	d := newDesk(t)
	for range answerBurst {
		d.receive(&protocol.OfferResponse{OfferID: 1000})
	}
	d.heard()
	o := d.offer("A", nil)
	d.link.flush() // in half the time of a token
	d.answer(o, true)
	d.want("above the limit", d.heard(), "offer false invalid")
}

func TestBadOffers(t *testing.T) {
	tests := []struct {
		name  string
		spec  OfferSpec
		error string
	}{
		{"no title", OfferSpec{Duration: minOffer}, `field "title": an offer has one`},
		{"short", OfferSpec{Title: "x", Duration: minOffer - 1}, `field "duration": 3,000..120,000 ms expected, got 2999`},
		{"long", OfferSpec{Title: "x", Duration: maxOffer + time.Second}, `field "duration": 3,000..120,000 ms expected, got 121000`},
		{"a long text", OfferSpec{Title: "x", Duration: minOffer, Text: strings.Repeat("x", 301)}, `field "text": 301 bytes, at most 300`},
		{"5 lines", OfferSpec{Title: "x", Duration: minOffer, Text: "\n\n\n\n"}, `field "text": 5 lines, at most 4`},
		{"a long button", OfferSpec{Title: "x", Duration: minOffer, Decline: strings.Repeat("x", 49)}, `field "decline": 49 bytes, at most 48`},
	}
	for _, test := range tests {
		d := newDesk(t)
		d.do(func(tx Tx) {
			if _, _, err := tx.OpenOffer(d.player, test.spec); err == nil || err.Error() != test.error {
				t.Errorf("%s: got %v\nwant %s", test.name, err, test.error)
			}
		})
		if len(d.player.offers.line) > 0 {
			t.Errorf("%s: open all the same", test.name)
		}
	}
}

// TestRandomOfferResponses: whatever ids a client answers, only what is on its screen ends, and each once.
func TestRandomOfferResponses(t *testing.T) {
	d := newDesk(t)
	rng := rand.New(rand.NewPCG(3, 4))
	ended, opened := 0, 0
	for range 10_000 {
		d.now += 200 * time.Millisecond
		for len(d.player.offers.line) < 5 {
			d.offer("x", nil)
			opened++
			d.link.drain0()
		}
		shown := make(map[uint32]bool)
		for _, o := range d.player.offers.line[:shownOffers] {
			shown[o.id] = true
		}
		id := d.player.offers.line[0].id + uint32(rng.IntN(40)) - 20
		d.receive(&protocol.OfferResponse{OfferID: max(1, id), Accepted: rng.IntN(2) == 0})
		heard := d.heard()
		if (heard != "") != shown[id] || strings.Contains(heard, ",") {
			t.Fatalf("answer to %d, %v are shown: %q", id, shown, heard)
		}
		if heard != "" {
			ended++
		}
	}
	if left := len(d.player.offers.line); ended+left != opened || ended < 100 {
		t.Fatalf("%d of %d have ended, %d are open", ended, opened, left)
	}
}
