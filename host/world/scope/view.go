package scope

import "slices"

// View is what one viewer has in scope. The zero value is an empty one.
type View struct {
	seen  []Near
	reach float32 // metres; beyond this nobody is likely to be among the nearest Max; 0 when that is not known
}

// Changes is what a Look changed, until the next Look with it. Reuse one for each goroutine: it holds the room to work in.
type Changes struct {
	Entered []Near   // nearest first
	Left    []uint32 // slots, in any order

	stays []Near
	spans []span
	keys  []key
	marks []bool // by slot: in view before this Look; false between Looks
}

// Look brings the view up to date with the grid and says in changes what is new. A thing is in view of its own
// dimension only, enters below rules.Enter and stays up to rules.Leave; of more than rules.Max the nearest, and what is
// in view already counts as rules.Margin nearer; the lower slot when equally far. A thing that is no longer in the
// grid leaves. The viewer does not see the slot that is its own (else Nobody), and need not be in the grid.
//
// A slot that was given to another thing is still the old one to a view: Remove it first.
func (v *View) Look(g *Grid, viewer Thing, rules Rules, changes *Changes) {
	c := changes
	c.mark(v.seen, g.slots)
	reach := rules.Leave
	if v.reach > 0 && rules.Max > 0 {
		reach = min(reach, v.reach)
	}
	c.gather(g, viewer, rules, reach)
	last, full := c.last(rules)
	if reach < rules.Leave && (!full || last.metres() >= reach) { // one from farther out may belong to the nearest
		c.gather(g, viewer, rules, rules.Leave)
		last, full = c.last(rules)
	}
	v.reach = 0
	if full {
		c.cut(last, rules)
		v.reach = 1.1*last.metres() + 10
	}
	v.take(c)
}

// mark marks what is in view.
func (c *Changes) mark(seen []Near, slots uint32) {
	for _, n := range seen {
		slots = max(slots, n.Slot+1)
	}
	if missing := int(slots) - len(c.marks); missing > 0 {
		c.marks = append(c.marks, make([]bool, missing)...)
	}
	for _, n := range seen {
		c.marks[n.Slot] = true
	}
}

// gather finds what stays and what would enter within reach, were there no Max. Each thing is written to both lists and
// the one that it belongs to grows: no branch depends on a distance, which no processor foretells.
func (c *Changes) gather(g *Grid, viewer Thing, rules Rules, reach float32) {
	c.spans = g.disc(c.spans[:0], viewer.Position, viewer.Dimension, reach)
	most := 0
	for _, s := range c.spans {
		most += int(s.to - s.from)
	}
	stays, enters := slices.Grow(c.stays[:0], most)[:most], slices.Grow(c.Entered[:0], most)[:most]
	stay, enter := 0, 0
	limit, below := reach*reach, rules.Enter*rules.Enter
	for _, s := range c.spans {
		things := g.things[s.from:s.to]
		for i := range things {
			t := &things[i]
			n := Near{t.Slot, square(t.Position, viewer.Position)}
			stays[stay], enters[enter] = n, n
			near := one(n.Square <= limit) & one(t.Dimension == viewer.Dimension) & one(t.Slot != viewer.Slot)
			known := one(c.marks[t.Slot])
			stay += near & known
			enter += near &^ known & one(n.Square < below)
		}
	}
	c.stays, c.Entered = stays[:stay], enters[:enter]
}

// one is 1 for true, without a branch.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// take makes what was gathered the view, and tells who is not in it any more.
func (v *View) take(c *Changes) {
	c.Left = c.Left[:0]
	for _, n := range c.stays {
		c.marks[n.Slot] = false
	}
	for _, n := range v.seen {
		if c.marks[n.Slot] {
			c.marks[n.Slot] = false
			c.Left = append(c.Left, n.Slot)
		}
	}
	slices.SortFunc(c.Entered, nearer)
	v.seen = append(append(v.seen[:0], c.stays...), c.Entered...)
}

// Seen is all that is in view, in any order, each as far as the last Look found it. It is the view's own: only to be
// read, and until the next Look, Remove or Clear.
func (v *View) Seen() []Near { return v.seen }

// Has says whether the slot is in view. It goes through all that is.
func (v *View) Has(slot uint32) bool { return v.index(slot) >= 0 }

// Remove takes a slot out of view at once and says whether it was in it. No Look will tell of it.
func (v *View) Remove(slot uint32) bool {
	i := v.index(slot)
	if i < 0 {
		return false
	}
	v.seen = slices.Delete(v.seen, i, i+1)
	return true
}

// Clear takes all out of view.
func (v *View) Clear() { v.seen, v.reach = v.seen[:0], 0 }

func (v *View) index(slot uint32) int {
	for i := range v.seen {
		if v.seen[i].Slot == slot {
			return i
		}
	}
	return -1
}
