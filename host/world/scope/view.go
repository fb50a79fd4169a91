package scope

import "slices"

// View is what one viewer has in scope. The zero value is an empty one.
type View struct {
	seen  []Near
	has   []uint64 // a bit for each slot
	reach float32  // metres; beyond this nobody is likely to be among the nearest Max; 0 when that is not known
}

// Changes is what a Look changed, until the next Look with it. Reuse one for each goroutine: it holds the room to work in.
type Changes struct {
	Entered []Near   // nearest first
	Left    []uint32 // slots, in any order

	stays []Near
	spans []span
	keys  []key
}

// Look brings the view up to date with the grid and says in changes what is new. A thing is in view of its own
// dimension only, enters below rules.Enter and stays up to rules.Leave; of more than rules.Max the nearest, and what is
// in view already counts as rules.Margin nearer; the lower slot when equally far. A thing that is no longer in the
// grid leaves. The viewer does not see the slot that is its own (else Nobody), and need not be in the grid.
//
// A slot that was given to another thing is still the old one to a view: Remove it first.
func (v *View) Look(g *Grid, viewer Thing, rules Rules, changes *Changes) {
	c := changes
	reach := rules.Leave
	if v.reach > 0 && rules.Max > 0 {
		reach = min(reach, v.reach)
	}
	c.gather(v, g, viewer, rules, reach)
	last, full := c.last(rules)
	if reach < rules.Leave && (!full || last.metres() >= reach) { // one from farther out may belong to the nearest
		c.gather(v, g, viewer, rules, rules.Leave)
		last, full = c.last(rules)
	}
	v.reach = 0
	if full {
		c.cut(last, rules)
		v.reach = 1.1*last.metres() + 10
	}
	v.take(c)
}

// gather finds what stays and what would enter within reach, were there no Max.
func (c *Changes) gather(v *View, g *Grid, viewer Thing, rules Rules, reach float32) {
	stays, enters := c.stays[:0], c.Entered[:0]
	limit, enter := reach*reach, rules.Enter*rules.Enter
	c.spans = g.disc(c.spans[:0], viewer.Position, viewer.Dimension, reach)
	for _, s := range c.spans {
		things := g.things[s.from:s.to]
		for i := range things {
			t := &things[i]
			d := square(t.Position, viewer.Position)
			if d > limit || t.Dimension != viewer.Dimension || t.Slot == viewer.Slot {
				continue
			}
			if v.Has(t.Slot) {
				stays = append(stays, Near{t.Slot, d})
			} else if d < enter {
				enters = append(enters, Near{t.Slot, d})
			}
		}
	}
	c.stays, c.Entered = stays, enters
}

// take makes what was gathered the view, and tells who is not in it any more.
func (v *View) take(c *Changes) {
	c.Left = c.Left[:0]
	if len(c.stays) < len(v.seen) {
		for _, n := range c.stays {
			v.set(n.Slot, false)
		}
		for _, n := range v.seen {
			if v.Has(n.Slot) {
				c.Left = append(c.Left, n.Slot)
				v.set(n.Slot, false)
			}
		}
		for _, n := range c.stays {
			v.set(n.Slot, true)
		}
	}
	for _, n := range c.Entered {
		v.set(n.Slot, true)
	}
	slices.SortFunc(c.Entered, nearer)
	v.seen = append(append(v.seen[:0], c.stays...), c.Entered...)
}

func (v *View) set(slot uint32, in bool) {
	word, bit := int(slot/64), uint64(1)<<(slot%64)
	if word >= len(v.has) {
		v.has = append(v.has, make([]uint64, word+1-len(v.has))...)
	}
	if in {
		v.has[word] |= bit
	} else {
		v.has[word] &^= bit
	}
}

// Has says whether the slot is in view.
func (v *View) Has(slot uint32) bool {
	word := slot / 64
	return int(word) < len(v.has) && v.has[word]>>(slot%64)&1 != 0
}

// Seen is all that is in view, in any order, each as far as the last Look found it. It is the view's own: only to be
// read, and until the next Look, Remove or Clear.
func (v *View) Seen() []Near { return v.seen }

// Remove takes a slot out of view at once and says whether it was in it. No Look will tell of it.
func (v *View) Remove(slot uint32) bool {
	if !v.Has(slot) {
		return false
	}
	v.set(slot, false)
	v.seen = slices.DeleteFunc(v.seen, func(n Near) bool { return n.Slot == slot })
	return true
}

// Clear takes all out of view.
func (v *View) Clear() {
	for _, n := range v.seen {
		v.set(n.Slot, false)
	}
	v.seen, v.reach = v.seen[:0], 0
}
