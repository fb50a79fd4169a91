package pattern

import "strings"

// matchClass tells whether c is in the class that the letter names: %a, %d and
// so on; a capital letter is the complement, any other byte stands for itself.
// The classes are those of the C locale, so bytes over 127 are in none.
func matchClass(c, letter byte) bool {
	in := false
	switch letter | 0x20 {
	case 'a':
		in = isAlpha(c)
	case 'c':
		in = c < 32 || c == 127
	case 'd':
		in = isDigit(c)
	case 'l':
		in = c >= 'a' && c <= 'z'
	case 'p':
		in = c > 32 && c < 127 && !isAlpha(c) && !isDigit(c)
	case 's':
		in = c == ' ' || c >= '\t' && c <= '\r'
	case 'u':
		in = c >= 'A' && c <= 'Z'
	case 'w':
		in = isAlpha(c) || isDigit(c)
	case 'x':
		in = isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'z':
		in = c == 0
	default:
		return letter == c
	}
	return in == (letter >= 'a')
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// matchSet tells whether c is in set, which is a whole [...] or [^...].
func (m *Matcher) matchSet(c byte, set string) bool {
	set = set[1 : len(set)-1]
	in := true
	if set != "" && set[0] == '^' {
		in, set = false, set[1:]
	}
	for i := 0; i < len(set); i++ {
		m.step()
		switch {
		case set[i] == '%' && i+1 < len(set):
			i++
			if matchClass(c, set[i]) {
				return in
			}
		case i+2 < len(set) && set[i+1] == '-':
			if set[i] <= c && c <= set[i+2] {
				return in
			}
			i += 2
		case set[i] == c:
			return in
		}
	}
	return !in
}

// itemEnd gives the end of the single-character item at p: a byte, an escape or
// a set.
func (m *Matcher) itemEnd(p int) int {
	c := m.pat[p]
	p++
	switch c {
	case '%':
		if p == len(m.pat) {
			return m.fail("malformed pattern (ends with '%')")
		}
		return p + 1
	case '[':
		if p < len(m.pat) && m.pat[p] == '^' {
			p++
		}
		// The first byte of a set is a member, even if it is a ].
		for first := true; ; first = false {
			m.step()
			if p >= len(m.pat) {
				return m.fail("malformed pattern (missing ']')")
			}
			if m.pat[p] == ']' && !first {
				return p + 1
			}
			if m.pat[p] == '%' && p+1 < len(m.pat) {
				p++
			}
			p++
		}
	}
	return p
}

// matchOne tells whether the item pat[p:end] matches the byte at s.
func (m *Matcher) matchOne(s, p, end int) bool {
	m.step()
	if s >= len(m.src) {
		return false
	}
	switch m.pat[p] {
	case '.':
		return true
	case '%':
		return matchClass(m.src[s], m.pat[p+1])
	case '[':
		return m.matchSet(m.src[s], m.pat[p:end])
	}
	return m.pat[p] == m.src[s]
}

// Plain tells whether a pattern is a plain text, without a special character.
func Plain(pat string) bool { return !strings.ContainsAny(pat, "^$*+?.([%-") }
