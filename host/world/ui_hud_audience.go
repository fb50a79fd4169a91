package world

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// viewers are the players who are in an element's audience.
func (tx Tx) viewers(e *Element) iter.Seq[*Player] {
	return func(yield func(p *Player) bool) {
		if p := e.Spec.For; p != nil {
			if !p.gone {
				yield(p)
			}
			return
		}
		for _, p := range tx.w.players {
			if e.seenBy(p) && !yield(p) {
				return
			}
		}
	}
}

func (e *Element) seenBy(p *Player) bool {
	if e.Spec.For != nil {
		return e.Spec.For == p
	}
	return e.all != e.except[p]
}

// ShowElement brings a player into the audience of a shared element, or takes him out.
func (tx Tx) ShowElement(e *Element, p *Player, show bool) error {
	switch {
	case e.Spec.For != nil:
		return e.notShared()
	case e.over || p.gone || e.seenBy(p) == show:
		return nil
	}
	if show {
		if err := tx.roomFor(e, e.all, []*Player{p}); err != nil {
			return err
		}
	}
	if e.except == nil {
		e.except = make(map[*Player]bool)
	}
	if e.all == show {
		delete(e.except, p)
	} else {
		e.except[p] = true
	}
	if show {
		tx.place(p, e)
	} else {
		tx.unplace(p, e, false)
	}
	return nil
}

// ShowElementToAll makes everyone the audience of a shared element, those who join later too, or nobody.
func (tx Tx) ShowElementToAll(e *Element, show bool) error {
	if e.Spec.For != nil {
		return e.notShared()
	}
	if e.over {
		return nil
	}
	change := slices.DeleteFunc(tx.Players(), func(p *Player) bool { return e.seenBy(p) == show })
	if show {
		if err := tx.roomFor(e, true, change); err != nil {
			return err
		}
	}
	for _, p := range change {
		if !show {
			tx.unplace(p, e, false)
		}
	}
	e.all, e.except = show, nil
	for _, p := range change {
		if show {
			tx.place(p, e)
		}
	}
	return nil
}

func (e *Element) notShared() error {
	return fmt.Errorf("it is only for %s: a shared element has an audience", e.Spec.For.Name())
}

// OverrideElement has one player see something else of a shared element; nil: what all see.
func (tx Tx) OverrideElement(e *Element, p *Player, o *Override) error {
	switch {
	case e.Spec.For != nil:
		return e.notShared()
	case e.over || p.gone:
		return nil
	}
	now := tx.now()
	was := e.faceFor(p, now)
	if o == nil {
		delete(e.overrides, p)
	} else {
		o.now, o.since = o.Face(), now
		if !o.OwnTime {
			o.now.Look = o.now.resume(tx.Face(e).Look)
		}
		if err := tx.checkFace(e, o.now); err != nil {
			return err
		}
		if e.overrides == nil {
			e.overrides = make(map[*Player]*Override)
		}
		e.overrides[p] = o
	}
	if e.faceFor(p, now) != was {
		tx.refresh(e, was, func(other *Player) bool { return other == p })
	}
	return nil
}

// roomFor says whether players have a free slot for an element; all is for one that who joins later has too.
func (tx Tx) roomFor(e *Element, all bool, players []*Player) error {
	k := e.Spec.kind()
	if !k.limited() {
		return nil
	}
	if all && e.Spec.For == nil {
		var held []*Element
		for _, o := range tx.w.elements.shared {
			if o != e && o.all && o.Spec.kind() == k {
				held = append(held, o)
			}
		}
		if len(held) >= k.slots() {
			return noRoom(k, "everyone", held)
		}
	}
	for _, p := range players {
		if held := p.hud.held(k); len(held) >= k.slots() {
			return noRoom(k, p.Name(), held)
		}
	}
	return nil
}

// noRoom names the resources that hold all slots.
func noRoom(k elementKind, who string, held []*Element) error {
	count := make(map[string]int)
	var names []string
	for _, e := range held {
		if count[e.Spec.By]++; count[e.Spec.By] == 1 {
			names = append(names, e.Spec.By)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%d)", name, count[name])
	}
	if k.slots() == 1 {
		return fmt.Errorf("no free slot: %s's %s is held by %s", who, k.word(), names[0])
	}
	return fmt.Errorf("no free slot: %s's %d %ss are held by %s", who, k.slots(), k.word(), strings.Join(names, ", "))
}
