package wire

import (
	"fmt"
	"strings"
)

// A Set is a set of the values 0 to 639, for enums and ids with gaps: the
// game's models end at 611.
type Set [10]uint64

// most is the largest value that a Set can have.
const most = 10*64 - 1

// SetOf is the set of the given values.
func SetOf[T ~uint8 | ~uint16](values ...T) *Set {
	s := new(Set)
	for _, v := range values {
		s.With(uint16(v), uint16(v))
	}
	return s
}

// With adds the values from lo to hi and returns the set.
func (s *Set) With(lo, hi uint16) *Set {
	for v := lo; v <= hi; v++ {
		s[v/64] |= 1 << (v % 64)
	}
	return s
}

// Without takes the given values away and returns the set.
func (s *Set) Without(values ...uint16) *Set {
	for _, v := range values {
		s[v/64] &^= 1 << (v % 64)
	}
	return s
}

// Has reports whether v is in the set.
func (s *Set) Has(v uint16) bool { return v <= most && s[v/64]>>(v%64)&1 == 1 }

// String writes the set as spans: "0..18, 22..46".
func (s *Set) String() string {
	var spans []string
	for v := uint16(0); v <= most; v++ {
		if !s.Has(v) {
			continue
		}
		first := v
		for s.Has(v + 1) {
			v++
		}
		if first == v {
			spans = append(spans, fmt.Sprint(v))
		} else {
			spans = append(spans, fmt.Sprintf("%d..%d", first, v))
		}
	}
	return strings.Join(spans, ", ")
}
