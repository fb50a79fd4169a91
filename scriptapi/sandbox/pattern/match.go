package pattern

// choice is a place to go back to when what follows does not match.
type choice struct {
	kind
	s, p int // where the matching goes on
	n    int // greedy: how many more can be given back; capture: its index
	item int // lazy: the item to take once more, which ends at p-1
}

type kind uint8

const (
	skipItem  kind = iota // x?: without the x
	greedy                // x* and x+: one x less
	lazy                  // x-: one x more
	undoOpen              // forget a capture that was opened
	undoClose             // open a capture again that was closed
)

// match matches the pattern from p on at s and gives the end of the match.
func (m *Matcher) match(s, p int) (end int, ok bool) {
	m.level = 0
	m.choices = m.choices[:0]
	for {
		m.step()
		if p == len(m.pat) {
			return s, true
		}
		next, after, matched := m.item(s, p)
		if matched {
			s, p = next, after
			continue
		}
		if m.err != nil {
			return 0, false
		}
		if s, p, ok = m.back(); !ok {
			return 0, false
		}
	}
}

// item matches the item at p and gives where the source and the pattern go on.
func (m *Matcher) item(s, p int) (next, after int, ok bool) {
	switch m.pat[p] {
	case '(':
		if p+1 < len(m.pat) && m.pat[p+1] == ')' {
			return s, p + 2, m.open(Capture{Start: s, End: s, Position: true})
		}
		return s, p + 1, m.open(Capture{Start: s, End: unfinished})
	case ')':
		return s, p + 1, m.close(s)
	case '$':
		if p+1 == len(m.pat) {
			return s, p + 1, s == len(m.src)
		}
	case '%':
		if p+1 == len(m.pat) {
			break
		}
		switch c := m.pat[p+1]; {
		case c == 'b':
			return m.balance(s, p+2)
		case c == 'f':
			return m.frontier(s, p+2)
		case isDigit(c):
			return m.reference(s, p+2, int(c)-'1')
		}
	}
	return m.single(s, p)
}

// single matches an item of one character with the suffix that it may have.
func (m *Matcher) single(s, p int) (next, after int, ok bool) {
	end := m.itemEnd(p)
	if end < 0 {
		return 0, 0, false
	}
	var suffix byte
	if end < len(m.pat) {
		suffix = m.pat[end]
	}
	switch suffix {
	case '?':
		if m.matchOne(s, p, end) {
			m.push(choice{kind: skipItem, s: s, p: end + 1})
			return s + 1, end + 1, true
		}
		return s, end + 1, true
	case '+', '*':
		n := 0
		for m.matchOne(s+n, p, end) {
			n++
		}
		least := 0
		if suffix == '+' {
			least = 1
		}
		if n < least {
			return 0, 0, false
		}
		if n > least {
			m.push(choice{kind: greedy, s: s + n, p: end + 1, n: n - least})
		}
		return s + n, end + 1, true
	case '-':
		m.push(choice{kind: lazy, s: s, p: end + 1, item: p})
		return s, end + 1, true
	}
	return s + 1, end, m.matchOne(s, p, end)
}

func (m *Matcher) push(c choice) { m.choices = append(m.choices, c) }

// back takes the last choice that has another way.
func (m *Matcher) back() (s, p int, ok bool) {
	for len(m.choices) > 0 {
		m.step()
		last := len(m.choices) - 1
		c := &m.choices[last]
		switch c.kind {
		case skipItem:
			s, p = c.s, c.p
			m.choices = m.choices[:last]
			return s, p, true
		case greedy:
			c.s--
			c.n--
			s, p = c.s, c.p
			if c.n == 0 {
				m.choices = m.choices[:last]
			}
			return s, p, true
		case lazy:
			if m.matchOne(c.s, c.item, c.p-1) {
				c.s++
				return c.s, c.p, true
			}
		case undoOpen:
			m.level--
		case undoClose:
			m.captures[c.n].End = unfinished
		}
		m.choices = m.choices[:last]
	}
	return 0, 0, false
}

func (m *Matcher) open(c Capture) bool {
	if m.level == MaxCaptures {
		m.fail("too many captures")
		return false
	}
	m.captures[m.level] = c
	m.level++
	m.push(choice{kind: undoOpen})
	return true
}

func (m *Matcher) close(s int) bool {
	for i := m.level - 1; i >= 0; i-- {
		if m.captures[i].End == unfinished {
			m.captures[i].End = s
			m.push(choice{kind: undoClose, n: i})
			return true
		}
	}
	m.fail("invalid pattern capture")
	return false
}

// balance is %bxy, with the x at p.
func (m *Matcher) balance(s, p int) (next, after int, ok bool) {
	if p+1 >= len(m.pat) {
		m.fail("unbalanced pattern")
		return 0, 0, false
	}
	opening, closing := m.pat[p], m.pat[p+1]
	if s >= len(m.src) || m.src[s] != opening {
		return 0, 0, false
	}
	depth := 1
	for i := s + 1; i < len(m.src); i++ {
		m.step()
		switch m.src[i] {
		case closing:
			depth--
			if depth == 0 {
				return i + 1, p + 2, true
			}
		case opening:
			depth++
		}
	}
	return 0, 0, false
}

// frontier is %f[set], with the [ at p: the place where the set begins. The ends
// of the source count as a zero byte.
func (m *Matcher) frontier(s, p int) (next, after int, ok bool) {
	if p >= len(m.pat) || m.pat[p] != '[' {
		m.fail("missing '[' after '%f' in pattern")
		return 0, 0, false
	}
	end := m.itemEnd(p)
	if end < 0 {
		return 0, 0, false
	}
	var before, here byte
	if s > 0 {
		before = m.src[s-1]
	}
	if s < len(m.src) {
		here = m.src[s]
	}
	set := m.pat[p:end]
	return s, end, !m.matchSet(before, set) && m.matchSet(here, set)
}

// reference is %1 to %9: the text of a capture once more.
func (m *Matcher) reference(s, p, i int) (next, after int, ok bool) {
	if i < 0 || i >= m.level || m.captures[i].End == unfinished {
		m.fail("invalid capture index")
		return 0, 0, false
	}
	c := m.captures[i]
	if c.Position {
		return 0, 0, false
	}
	m.steps += (c.End - c.Start) / 16
	text := m.src[c.Start:c.End]
	if len(m.src)-s < len(text) || m.src[s:s+len(text)] != text {
		return 0, 0, false
	}
	return s + len(text), p, true
}
