package wire

import (
	"fmt"
	"strings"
)

// A Set is a set of u8 values, for enums with gaps.
type Set [4]uint64

// SetOf is the set of the given values.
func SetOf[T ~uint8](values ...T) *Set {
	s := new(Set)
	for _, v := range values {
		s[v/64] |= 1 << (v % 64)
	}
	return s
}

// With adds the values from lo to hi and returns the set.
func (s *Set) With(lo, hi uint8) *Set {
	for v := int(lo); v <= int(hi); v++ {
		s[v/64] |= 1 << (v % 64)
	}
	return s
}

// Has reports whether v is in the set.
func (s *Set) Has(v uint8) bool { return s[v/64]>>(v%64)&1 == 1 }

// String writes the set as spans: "0..18, 22..46".
func (s *Set) String() string {
	var spans []string
	for v := 0; v < 256; v++ {
		if !s.Has(uint8(v)) {
			continue
		}
		first := v
		for v < 255 && s.Has(uint8(v+1)) {
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
