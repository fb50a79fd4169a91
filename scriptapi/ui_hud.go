package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/scriptapi/bind"
)

// element is the handle of a HUD element; A is what it is made of.
type element[A any] struct{ *world.Element }

// elementArgs is what an element of one kind is made of, as Lua gives it: the one struct is constructor, properties and overrides.
type elementArgs[A any] interface {
	*A
	face() world.Face
	player() **world.Player // for_player
}

// timed are those with a number that changes by itself.
type timed interface {
	number() *float64
	follow(now world.Look) // sets it
}

// given are those of which more is to check where the number was given, or of which one field rules out another.
type given[A any] interface {
	given(before *A) error // nil: it is new
}

// made is what Lua's side keeps of an element: the world's Owner of it.
type made[A any] struct {
	inst  *instance
	args  A
	thing element[A]
	waits []elementWait
}

type elementWait struct {
	inst *instance
	wake func(world.EndReason)
}

// owner is a made of any kind.
type owner interface {
	done(rt *Runtime, reason world.EndReason)
}

// elementKind is the declaration of a kind.
type elementKind[A any] struct {
	name, class, doc, example string
	reads                     string // the name of its timed number
}

// declareElement declares a kind of HUD element: its handle, and how it is made for all and for one.
func declareElement[A any, P elementArgs[A]](rt *Runtime, r *bind.Registry, k elementKind[A], more ...bind.HandleMember[element[A]]) bind.HandleMember[*world.Player] {
	bind.NewHandle(r, bind.HandleSpec[element[A]]{
		Name: k.class, Type: k.name, Doc: k.doc, Gone: "this " + k.name + " is gone",
		Valid: func(e element[A]) bool { return e.Element.Valid() },
	}).Add(bind.Fields(
		func(e element[A]) *A { return argsOf[A, P](rt, e) },
		func(e element[A], next *A) error { return changeElement[A, P](rt, e, next) },
	)...).Add(
		bind.Prop("resource", "The resource that made it.", func(e element[A]) string { return e.Spec.By }, nil),
		bind.Method("remove", "Takes it off all screens.", func(_ *bind.Call, e element[A], _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.RemoveElement(e.Element); return nil })
		}),
		bind.Method("show_to", "Shows a shared one to a player.", showElement[A](rt, true)),
		bind.Method("hide_from", "Hides a shared one from a player.", showElement[A](rt, false)),
		bind.Method("show_to_all", "Shows a shared one to everyone, and to who joins later.", showElementToAll[A](rt, true)),
		bind.Method("hide_from_all", "Hides a shared one from everyone, and from who joins later.", showElementToAll[A](rt, false)),
		bind.Method("override", "Has one player see other values of a shared one; nil takes that back.",
			func(_ *bind.Call, e element[A], a elementOverrideArgs[A]) (bind.None, error) {
				return rt.with(func(tx world.Tx) error {
					return tx.OverrideElement(e.Element, a.Player, overrideOf[A, P](e, a.Values, k.reads))
				})
			}),
	).Add(more...)
	r.Module("mp.ui", "").Add(bind.Func(k.name, k.doc+" Shared by all, or for_player's alone.",
		func(c *bind.Call, a A) (element[A], error) { return createElement[A, P](rt, c, a) },
		bind.Keyed(), bind.Example("local it = mp.ui."+k.name+k.example)))
	return bind.Method(k.name, k.doc+" It is only his.", func(c *bind.Call, p *world.Player, a A) (element[A], error) {
		whom := P(&a).player()
		if *whom != nil && *whom != p {
			return element[A]{}, fmt.Errorf("key \"for_player\": it is %s's already; for all there is mp.ui.%s", p.Name(), k.name)
		}
		*whom = p
		return createElement[A, P](rt, c, a)
	}, bind.Keyed(), bind.Example("player:"+k.name+k.example))
}

type elementOverrideArgs[A any] struct {
	Player *world.Player    `lua:"player" doc:"Who sees it."`
	Values *bind.Changes[A] `lua:"values" doc:"What differs for him; nil: nothing."`
}

func createElement[A any, P elementArgs[A]](rt *Runtime, c *bind.Call, a A) (element[A], error) {
	in := instanceOf(c)
	if in.stopping {
		return element[A]{}, fmt.Errorf("the resource stops")
	}
	if err := checkGiven(&a, nil); err != nil {
		return element[A]{}, err
	}
	o := &made[A]{inst: in, args: a}
	tx := rt.begin()
	defer tx.End()
	e, told, err := tx.CreateElement(world.ElementSpec{Face: P(&a).face(), For: *P(&a).player(), By: in.name(), Owner: o})
	if err != nil {
		return element[A]{}, err
	}
	o.thing = element[A]{e}
	if !told {
		e.Forget()
	}
	return o.thing, nil
}

// argsOf are an element's values as they are now.
func argsOf[A any, P elementArgs[A]](rt *Runtime, e element[A]) *A {
	o := e.Spec.Owner.(*made[A])
	if t, ok := any(P(&o.args)).(timed); ok {
		tx := rt.begin()
		t.follow(tx.Face(e.Element).Look)
		tx.End()
	}
	return &o.args
}

// changeElement takes over values of which one has changed.
func changeElement[A any, P elementArgs[A]](rt *Runtime, e element[A], next *A) error {
	o := e.Spec.Owner.(*made[A])
	before := o.args
	if err := checkGiven(next, &before); err != nil {
		return err
	}
	o.args = *next // overrides are made of them
	tx := rt.begin()
	defer tx.End()
	err := tx.ChangeElement(e.Element, P(&o.args).face(), goesOn(next, &before))
	if err != nil {
		o.args = before
	}
	return err
}

func checkGiven[A any](next, before *A) error {
	if g, ok := any(next).(given[A]); ok {
		return g.given(before)
	}
	return nil
}

// goesOn says whether the number that changes by itself was left alone.
func goesOn[A any](next, before *A) bool {
	n, ok := any(next).(timed)
	return !ok || *n.number() == *any(before).(timed).number()
}

// overrideOf is what one player sees, made of an element's values whenever they have changed.
func overrideOf[A any, P elementArgs[A]](e element[A], values *bind.Changes[A], reads string) *world.Override {
	if values == nil {
		return nil
	}
	o := e.Spec.Owner.(*made[A])
	return &world.Override{OwnTime: values.Has(reads), Face: func() world.Face {
		a := o.args
		values.Apply(&a)
		return P(&a).face()
	}}
}

func showElement[A any](rt *Runtime, show bool) func(*bind.Call, element[A], playerArgs) (bind.None, error) {
	return func(_ *bind.Call, e element[A], a playerArgs) (bind.None, error) {
		return rt.with(func(tx world.Tx) error { return tx.ShowElement(e.Element, a.Player, show) })
	}
}

func showElementToAll[A any](rt *Runtime, show bool) func(*bind.Call, element[A], bind.None) (bind.None, error) {
	return func(_ *bind.Call, e element[A], _ bind.None) (bind.None, error) {
		return rt.with(func(tx world.Tx) error { return tx.ShowElementToAll(e.Element, show) })
	}
}

// elementDone makes the handles of an element that is over stale, and wakes what waits for it.
func (rt *Runtime) elementDone(e *world.Element) {
	tx := rt.begin()
	reason := tx.ElementEnd(e)
	tx.End()
	e.Forget()
	e.Spec.Owner.(owner).done(rt, reason)
}

func (o *made[A]) done(rt *Runtime, reason world.EndReason) {
	for _, w := range o.waits {
		w.wake(o.reason(w.inst, reason))
	}
	o.waits = nil
	rt.drop(o.thing)
}

// reason is why an element is over, as a resource hears it: what another one's stop has ended was closed for it.
func (o *made[A]) reason(in *instance, reason world.EndReason) world.EndReason {
	if reason == world.EndStop && in != o.inst {
		return world.EndClosed
	}
	return reason
}

// waitElement waits until an element is over.
func waitElement[A any](rt *Runtime, c *bind.Call, e element[A]) (bool, error) {
	o, in := e.Spec.Owner.(*made[A]), instanceOf(c)
	tx := rt.begin()
	reason := tx.ElementEnd(e.Element)
	tx.End()
	if reason == "" {
		reason = bind.Ask(c, world.EndStop, func(wake func(world.EndReason)) { o.waits = append(o.waits, elementWait{in, wake}) })
	}
	if reason = o.reason(in, reason); reason == world.EndFinished {
		return true, nil
	}
	return false, bind.Because(string(reason))
}
