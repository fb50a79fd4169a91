package world

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"darqline/protocol"
)

// Element is a HUD element that a resource has made: for one player, or shared by all who are in its audience, those who join
// later too (page Chat, HUD and dialogs, HUD). It is read through a Tx.
type Element struct {
	Spec ElementSpec

	id        uint32
	since     time.Duration // when what it shows was true
	all       bool          // its audience are all but those in except; else they alone
	except    map[*Player]bool
	overrides map[*Player]*Override

	ends   time.Duration // by itself; forever: never
	plays  uint16        // the animation that goes with it; 0: none
	over   bool
	reason EndReason
	stale  atomic.Bool
}

// ElementSpec is what an element is made with.
type ElementSpec struct {
	Face
	For   *Player // only his, and it goes with him; nil: shared
	By    string  // the resource
	Owner any     // whoever receives its end; nil: nobody

	Animation *Animation // of For, while it lasts; nil: none
}

// Face is what an element shows, and whether it does. It is comparable.
type Face struct {
	Look
	Hidden bool // it keeps its slot
}

// Look is what one kind of element shows: a Status, Gauge, Countdown, Announcement, Notification, Objective, Progress or
// Speedometer, by value.
type Look interface {
	kind() elementKind
	check() error                           // of its texts
	after(d time.Duration) Look             // what it shows d later, by its own clock
	resume(from Look) Look                  // itself at the time of another one of its kind: its own clock goes on
	lasts() time.Duration                   // until it ends by itself; forever: it does not
	packet(tx Tx, s seenAs) protocol.Packet // its whole state
}

// seenAs is whom an element is shown, and as what. For a check there is nobody.
type seenAs struct {
	viewer *Player
	slot   uint8
	id     uint32
}

// Override is what one player sees of a shared element instead. Face is asked again whenever the element has changed. OwnTime
// says that the number that changes by itself is his own too, and not the element's.
type Override struct {
	Face    func() Face
	OwnTime bool

	now   Face
	since time.Duration
}

// EndFinished is why an element is over whose time has run out.
const EndFinished EndReason = "finished"

// ElementDone says that an element is over: once for each that has an owner.
type ElementDone struct{ Element *Element }

func (ElementDone) LuaName() string { return "element_done" }

// elements are those of all players.
type elements struct {
	shared  []*Element            // in the order in which they were made
	timed   map[*Element]struct{} // whose time runs
	due     time.Duration         // when the first of them may be over
	next    time.Duration         // when the next look at what moves is due
	feedOff bool                  // deaths are not added to the kill feed by themselves
	theme   *theme                // nil: dark
}

// Valid says whether the element's handle may still be used. It needs no permit.
func (e *Element) Valid() bool { return !e.stale.Load() }

// Forget makes the handle of an element that is over stale, when whoever received its end is through.
func (e *Element) Forget() { e.stale.Store(true) }

// CreateElement puts an element on the screens of its audience. told says whether an ElementDone will come: not for who has
// left, when his leave has been told. The error is about the spec, or names the resources that hold the slots.
func (tx Tx) CreateElement(spec ElementSpec) (e *Element, told bool, err error) {
	e = &Element{Spec: spec, id: tx.newID(), since: tx.now(), all: true, ends: forever}
	if err := tx.checkFace(e, spec.Face); err != nil {
		return nil, false, err
	}
	p := spec.For
	if p != nil && p.gone {
		e.over, e.reason = true, EndLeave
		tx.end(p, ElementDone{e})
		return e, !p.answers.allOver, nil
	}
	if err := tx.roomFor(e, true, slices.SortedFunc(tx.viewers(e), byID)); err != nil {
		return nil, false, err
	}
	if spec.Animation != nil {
		if e.plays, err = tx.Animate(p, *spec.Animation, spec.By); err != nil {
			return nil, false, fmt.Errorf("field \"animation\": %w", err)
		}
	}
	if p != nil {
		p.hud.own = append(p.hud.own, e)
	} else {
		tx.w.elements.shared = append(tx.w.elements.shared, e)
	}
	for viewer := range tx.viewers(e) {
		tx.place(viewer, e)
	}
	tx.watch(e)
	tx.boundNotes(e)
	if bar, ok := spec.Look.(Progress); ok && p != nil && p.life == Wasted && !bar.WhileDead {
		tx.endElement(e, EndDeath)
	}
	return e, true, nil
}

// checkFace says what is wrong with what an element would show.
func (tx Tx) checkFace(e *Element, f Face) error {
	if bar, ok := f.Look.(Progress); ok && bar.Cancellable && e.Spec.For == nil {
		return fmt.Errorf("field \"cancellable\": a bar that is shared cannot be cancelled by one; give for_player")
	}
	if err := f.check(); err != nil {
		return err
	}
	m := f.packet(tx, seenAs{id: 1})
	if m, ok := m.(interface{ Check() error }); ok {
		if err := m.Check(); err != nil {
			return err
		}
	}
	return check(m)
}

// ChangeElement has an element show something else, in place; resume says that the number that changes by itself goes on. What
// players see by an override is made again. On an error nothing has changed.
func (tx Tx) ChangeElement(e *Element, f Face, resume bool) error {
	if e.over {
		return nil
	}
	now, base := tx.now(), tx.Face(e)
	if resume {
		f.Look = f.resume(base.Look)
	}
	if err := tx.checkFace(e, f); err != nil {
		return err
	}
	changed := make(map[*Player]Face, len(e.overrides))
	for p, o := range e.overrides {
		changed[p] = o.of(f.Look, now)
		if err := tx.checkFace(e, changed[p]); err != nil {
			return fmt.Errorf("as %s sees it: %w", p.Name(), err)
		}
	}
	if base != f {
		e.Spec.Face, e.since = f, now
		tx.watch(e)
		tx.refresh(e, base, func(p *Player) bool { return e.overrides[p] == nil })
	}
	for p, f := range changed {
		o := e.overrides[p]
		was := Face{o.seen(now), o.now.Hidden}
		if was != f {
			o.now, o.since = f, now
			tx.refresh(e, was, func(other *Player) bool { return other == p })
		}
	}
	return nil
}

// seen is what a player sees by an override.
func (o *Override) seen(now time.Duration) Look { return o.now.after(now - o.since) }

// of is what he will see of an element that has changed.
func (o *Override) of(base Look, now time.Duration) Face {
	if o.OwnTime {
		base = o.seen(now)
	}
	f := o.Face()
	f.Look = f.resume(base)
	return f
}

// refresh shows what has changed of an element to its viewers that match; was is what they had.
func (tx Tx) refresh(e *Element, was Face, match func(p *Player) bool) {
	var same sameForAll
	for p := range tx.viewers(e) {
		s := p.hud.find(e)
		switch {
		case !match(p) || s == nil && e.Spec.kind() != kindAnnouncement:
		case e.Spec.kind() == kindAnnouncement && placeOf(was.Look) != placeOf(e.faceFor(p, tx.now()).Look): // a place is a slot
			tx.unplace(p, e, false)
			tx.place(p, e)
		case s != nil:
			tx.send(p, s, &same)
		}
	}
	tx.watchBars(e)
}

// Face is what an element shows now to who has no override of it.
func (tx Tx) Face(e *Element) Face {
	return Face{e.Spec.after(tx.now() - e.since), e.Spec.Hidden}
}

// faceFor is what a player sees.
func (e *Element) faceFor(p *Player, now time.Duration) Face {
	if o := e.overrides[p]; o != nil {
		return Face{o.seen(now), o.now.Hidden}
	}
	return Face{e.Spec.after(now - e.since), e.Spec.Hidden}
}

// RemoveElement ends an element for a script; its handle is stale at once.
func (tx Tx) RemoveElement(e *Element) {
	tx.endElement(e, EndClosed)
	e.Forget()
}

// endElement ends an element that is not over.
func (tx Tx) endElement(e *Element, reason EndReason) {
	if e.over {
		return
	}
	e.over, e.reason = true, reason
	delete(tx.w.elements.timed, e)
	remove := func(list []*Element) []*Element {
		return slices.DeleteFunc(list, func(o *Element) bool { return o == e })
	}
	if p := e.Spec.For; p != nil {
		p.hud.own = remove(p.hud.own)
	} else {
		tx.w.elements.shared = remove(tx.w.elements.shared)
	}
	for p := range tx.viewers(e) {
		tx.unplace(p, e, reason == EndFinished && e.Spec.kind().endsItself())
	}
	e.overrides, e.except = nil, nil
	if p := e.Spec.For; e.plays != 0 && p.life == Alive && !p.gone && p.playing != nil && p.playing.Animation == e.plays {
		tx.ClearAnimations(p)
	}
	switch {
	case e.Spec.Owner == nil:
	case e.Spec.For != nil:
		tx.end(e.Spec.For, ElementDone{e})
	case !tx.w.cfg.Sink.Post(ElementDone{e}):
		tx.w.unheard = append(tx.w.unheard, ElementDone{e})
	}
}

// ElementEnd is why an element is over; empty while it is not.
func (tx Tx) ElementEnd(e *Element) EndReason { return e.reason }

// watch notes when an element is over by itself.
func (tx Tx) watch(e *Element) {
	h, d := &tx.w.elements, e.Spec.lasts()
	if d == forever {
		e.ends = forever
		delete(h.timed, e)
		return
	}
	e.ends = e.since + d
	if h.timed == nil {
		h.timed = make(map[*Element]struct{})
	}
	h.timed[e] = struct{}{}
	if len(h.timed) == 1 || e.ends < h.due {
		h.due = e.ends
	}
}

// tickHud ends what has run out, and brings up to date what moves by itself.
func (tx Tx) tickHud() (next time.Duration) {
	return min(tx.tickElements(), tx.tickSlots())
}

func (tx Tx) tickElements() (next time.Duration) {
	h, now := &tx.w.elements, tx.now()
	if len(h.timed) == 0 {
		return forever
	}
	if now < h.due {
		return h.due
	}
	var over []*Element
	h.due = forever
	for e := range h.timed {
		if e.ends <= now {
			over = append(over, e)
		} else {
			h.due = min(h.due, e.ends)
		}
	}
	slices.SortFunc(over, func(a, b *Element) int { return cmp.Compare(a.id, b.id) })
	for _, e := range over {
		tx.endElement(e, EndFinished)
	}
	return h.due
}

// joinHud shows who has joined what all share.
func (tx Tx) joinHud(p *Player) {
	for _, e := range slices.Clone(tx.w.elements.shared) {
		if e.seenBy(p) {
			tx.place(p, e)
		}
	}
}

// leaveHud ends what was only for who has left, and what is attached to him.
func (tx Tx) leaveHud(p *Player) {
	for _, e := range slices.Clone(p.hud.own) {
		tx.endElement(e, EndLeave)
	}
	p.hud.slots, p.hud.notes = [kindsOfElements][]hudSlot{}, nil
	var follow []*Element
	follows := func(e *Element) {
		if o, ok := e.Spec.Look.(Objective); ok && o.Target == p {
			follow = append(follow, e)
		}
	}
	for _, e := range tx.w.elements.shared {
		delete(e.except, p)
		delete(e.overrides, p)
		follows(e)
	}
	for _, other := range tx.w.players {
		for _, e := range other.hud.own {
			follows(e)
		}
	}
	for _, e := range follow {
		tx.endElement(e, EndClosed)
	}
}

// deathHud ends the bars of one who has died.
func (tx Tx) deathHud(p *Player) {
	for _, e := range slices.Clone(p.hud.own) {
		if bar, ok := e.Spec.Look.(Progress); ok && !bar.WhileDead {
			tx.endElement(e, EndDeath)
		}
	}
}

// resourceHud ends what a resource has made that stops.
func (tx Tx) resourceHud(name string) {
	list := slices.Clone(tx.w.elements.shared)
	for _, p := range tx.Players() {
		list = append(list, p.hud.own...)
	}
	for _, e := range list {
		if e.Spec.By == name {
			tx.endElement(e, EndStop)
		}
	}
}
