// Package pattern matches the patterns of Lua 5.1 (with %f) on strings of bytes.
//
// A match may take exponential time, as Lua's does, so every step is paid for by
// a function of the caller's, which ends a match by a panic. The way back to
// earlier choices is kept in a list, never on the stack, and that list is no
// longer than the pattern.
package pattern

import "strings"

// MaxCaptures is how many captures one pattern may have.
const MaxCaptures = 32

// Error is a malformed pattern. Its text is that of Lua 5.1.
type Error string

func (e Error) Error() string { return string(e) }

// Capture is a part of the source, Start to End. A position capture has Position
// set and lies at Start.
type Capture struct {
	Start, End int
	Position   bool
}

const unfinished = -1

// Matcher matches patterns, one at a time. Its captures are those of the last
// match.
type Matcher struct {
	src, pat string
	spend    func(steps int)
	steps    int
	err      error
	level    int
	captures [MaxCaptures]Capture
	choices  []choice
}

// New makes a matcher. spend is called with the number of steps taken, from time
// to time and at the end of each search; it may panic to end the search.
func New(spend func(steps int)) *Matcher { return &Matcher{spend: spend} }

// keep is how many choices a matcher keeps room for between two patterns.
const keep = 1024

// Reset makes m ready to match pat on src.
func (m *Matcher) Reset(src, pat string) {
	m.src, m.pat = src, pat
	m.err, m.steps, m.level = nil, 0, 0
	if cap(m.choices) > keep {
		m.choices = nil
	}
}

// batch is after how many steps they are paid.
const batch = 512

func (m *Matcher) step() {
	m.steps++
	if m.steps >= batch {
		m.settle()
	}
}

func (m *Matcher) settle() {
	n := m.steps
	m.steps = 0
	m.spend(n)
}

// fail makes err the result of the match.
func (m *Matcher) fail(text string) int {
	if m.err == nil {
		m.err = Error(text)
	}
	return -1
}

// Find gives the first match at or after from: src[start:end]. A leading ^ binds
// it to from. ok is false where there is none.
func (m *Matcher) Find(from int) (start, end int, ok bool, err error) {
	if m.pat == "" || m.pat[0] != '^' {
		return m.Next(from)
	}
	end, ok = m.match(from, 1)
	m.settle()
	return from, end, ok, m.err
}

// Next is Find, but a leading ^ is a plain character.
func (m *Matcher) Next(from int) (start, end int, ok bool, err error) {
	for s := m.skip(from); s >= 0 && s <= len(m.src); s = m.skip(s + 1) {
		if end, ok = m.match(s, 0); ok || m.err != nil {
			start = s
			break
		}
	}
	m.settle()
	return start, end, ok, m.err
}

// skip gives the next place at which a pattern that begins with a plain byte can
// match, -1 for none.
func (m *Matcher) skip(s int) int {
	if s >= len(m.src) || m.pat == "" || strings.IndexByte("$.([%)", m.pat[0]) >= 0 || len(m.pat) > 1 && strings.IndexByte("*?-", m.pat[1]) >= 0 {
		return s
	}
	n := strings.IndexByte(m.src[s:], m.pat[0])
	if n < 0 {
		m.steps += (len(m.src) - s) / 16
		return -1
	}
	m.steps += n / 16
	return s + n
}

// Captures is how many captures the last match made.
func (m *Matcher) Captures() int { return m.level }

// Capture gives the i-th capture of the last match, which was src[start:end]. A
// pattern without captures has the whole match as its capture 0.
func (m *Matcher) Capture(i, start, end int) (Capture, error) {
	if i >= m.level {
		if i != 0 {
			return Capture{}, Error("invalid capture index")
		}
		return Capture{Start: start, End: end}, nil
	}
	if c := m.captures[i]; c.End != unfinished {
		return c, nil
	}
	return Capture{}, Error("unfinished capture")
}
