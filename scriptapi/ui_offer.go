package scriptapi

import (
	"errors"
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// errStopping is why a resource that stops can open nothing.
var errStopping = errors.New("the resource stops")

// offerArgs are an offer (page Chat, HUD and dialogs, Menus and offers).
type offerArgs struct {
	Title    string        `lua:"title" range:"1..96" doc:"What is offered."`
	Text     string        `lua:"text,optional" range:"0..300" doc:"More about it, up to 4 lines."`
	From     *world.Player `lua:"from,optional" doc:"Who offers it; the server without it."`
	Duration int           `lua:"duration" range:"3000..120000" default:"15000" doc:"For how long it can be answered, in ms, from when it is shown."`
	Accept   string        `lua:"accept,optional" range:"0..48" doc:"What accepting is called; by the client's language without it."`
	Decline  string        `lua:"decline,optional" range:"0..48" doc:"What declining is called; by the client's language without it."`
	Icon     protocol.Icon `lua:"icon,optional" doc:"A small picture."`
	Color    *bind.RGBA    `lua:"color" doc:"Its color; the theme's without it."`
}

// openOffer is what Lua's side keeps of an offer: the world's Owner of it.
type openOffer struct {
	inst  *instance
	waits []func(offerEnd)
	over  *offerEnd
}

// offerEnd is how an offer has ended.
type offerEnd struct {
	accepted bool
	reason   string
	err      error
}

func (e offerEnd) result() (bool, error) {
	if e.err != nil {
		return false, e.err
	}
	return e.accepted, bind.Because(e.reason)
}

// offerReasons are why an offer may have no answer.
var offerReasons = []string{"timeout", "closed", "busy", "leave", "from_left", "stop", "invalid"}

func (rt *Runtime) declarePlayerOffers(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Method("offer", "Puts a question with a time limit, beside which the player plays on, and waits for the answer.", rt.offer,
			bind.Keyed(), bind.Waits(), bind.Reasons(offerReasons...), bind.Returns("Whether he accepts."),
			bind.Example(`local yes, why = player:offer{ title = "A ride", text = "To the airport?", icon = "car" }
if yes then player:message("Get in") end`)),
		bind.Method("open_offer", "Puts a question and goes on.", rt.openOffer, bind.Keyed(),
			bind.Returns("The offer; :wait() waits for the answer."),
			bind.Example(`local offer = player:open_offer{ title = "A ride", duration = 60000 }
mp.after(10000, function() offer:withdraw() end)`)),
	)
}

func (rt *Runtime) declareOffers(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[*world.Offer]{Name: "Offer", Type: "offer", Doc: "A question to a player with a time limit.", NoType: true}).Add(
		bind.Prop("id", "Its number; never repeats.", read(rt, func(tx world.Tx, o *world.Offer) int { return int(tx.OfferID(o)) }), nil),
		bind.Prop("player", "Whom it asks.", func(o *world.Offer) *world.Player { return o.Player }, nil),
		bind.Prop("open", "Whether it is not over. One that waits for its turn is open too.", read(rt, world.Tx.OfferOpen), nil),
		bind.Method("wait", "Waits for the answer.", func(c *bind.Call, o *world.Offer, _ bind.None) (bool, error) {
			k := o.Spec.Owner.(*openOffer)
			switch {
			case k.inst != instanceOf(c):
				return false, fmt.Errorf("the offer is one of %s, which alone gets its answer", k.inst.name())
			case k.over != nil:
				return k.over.result()
			}
			return bind.Ask(c, offerEnd{reason: "stop"}, func(wake func(offerEnd)) { k.waits = append(k.waits, wake) }).result()
		}, bind.Waits(), bind.Reasons(offerReasons...), bind.Returns("Whether he accepts.")),
		bind.Method("withdraw", "Takes it back.", func(_ *bind.Call, o *world.Offer, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.WithdrawOffer(o); return nil })
		}),
	)
}

// spec is the offer as the world has it.
func (a *offerArgs) spec(k *openOffer) world.OfferSpec {
	return world.OfferSpec{Title: a.Title, Text: a.Text, From: a.From, Duration: ms(float64(a.Duration)), Accept: a.Accept,
		Decline: a.Decline, Icon: a.Icon, Color: wireColor(a.Color), By: k.inst.name(), Owner: k}
}

func (rt *Runtime) offer(c *bind.Call, p *world.Player, a offerArgs) (bool, error) {
	k := &openOffer{inst: instanceOf(c)}
	return bind.Ask(c, offerEnd{reason: "stop"}, func(wake func(offerEnd)) {
		k.waits = append(k.waits, wake)
		if _, err := rt.showOffer(p, a.spec(k), k); err != nil {
			wake(offerEnd{err: err})
		}
	}).result()
}

func (rt *Runtime) openOffer(c *bind.Call, p *world.Player, a offerArgs) (*world.Offer, error) {
	k := &openOffer{inst: instanceOf(c)}
	if k.inst.stopping {
		return nil, errStopping
	}
	o, err := rt.showOffer(p, a.spec(k), k)
	if err == nil && k.over != nil { // nothing will take its handle back
		_ = rt.cfg.Post(func() { k.inst.env.Release(o) })
	}
	return o, err
}

// showOffer opens an offer; one that is over at once, of which nothing will tell, ends here.
func (rt *Runtime) showOffer(p *world.Player, spec world.OfferSpec, k *openOffer) (*world.Offer, error) {
	tx := rt.begin()
	defer tx.End()
	o, told, err := tx.OpenOffer(p, spec)
	if err == nil && !told {
		_, reason := tx.OfferEnd(o)
		k.end(offerEnd{reason: string(reason)})
	}
	return o, err
}

// end wakes whoever waits for an offer.
func (k *openOffer) end(e offerEnd) {
	k.over = &e
	for _, wake := range k.waits {
		wake(e)
	}
	k.waits = nil
}

// offerDone tells that an offer is over, and forgets it.
func (rt *Runtime) offerDone(o *world.Offer) {
	tx := rt.begin()
	accepted, reason := tx.OfferEnd(o)
	tx.End()
	o.Spec.Owner.(*openOffer).end(offerEnd{accepted: accepted, reason: string(reason)})
	for _, in := range rt.instances {
		in.env.Release(o)
	}
}
