package protocol

import (
	"fmt"
	"math"
	"strings"

	"darqline/protocol/wire"
)

// named is the word of an enum's value, as Lua sees it; words has "" for the
// values that are none.
func named[E ~uint8](words []string, v E, kind string) string {
	if int(v) < len(words) && words[v] != "" {
		return words[v]
	}
	return unnamed(v, kind)
}

// unnamed stands for a value that has no word.
func unnamed[E ~uint8](v E, kind string) string { return fmt.Sprintf("%s(%d)", kind, uint8(v)) }

// ByName finds the value of an enum by the word that its String gives:
// ByName[WalkingStyle]("drunk").
func ByName[E interface {
	~uint8
	fmt.Stringer
}](word string) (E, bool) {
	if word == "" || strings.HasSuffix(word, ")") { // what String gives where there is no word
		return 0, false
	}
	for v := range 256 {
		if E(v).String() == word {
			return E(v), true
		}
	}
	return 0, false
}

// words lists those of the flags that are set.
func words[F ~uint16](flags F, all []string) []string {
	var list []string
	for i, w := range all {
		if flags>>i&1 == 1 {
			list = append(list, w)
		}
	}
	return list
}

// subject is the player whom a packet is about.
func subject(c *wire.Codec, id *uint16, token *uint32) {
	wire.Range(c, id, 0, NoPlayer-1)
	wire.NonZero(c, token)
}

// someone is a player or nobody, which is NoPlayer and token 0 (oneOrNone).
func someone(c *wire.Codec, id *uint16, token *uint32) {
	c.U16(id)
	c.U32(token)
}

// oneOrNone refuses a player of whom only the id or only the token is none.
func oneOrNone(who string, id uint16, token uint32) error {
	if (id == NoPlayer) != (token == 0) {
		return fmt.Errorf("only one of %s_id %d and %s_token %d is nobody's", who, id, who, token)
	}
	return nil
}

// unset reports whether floats that are not used are zero, byte for byte: -0 is
// not.
func unset(floats ...float32) bool {
	for _, f := range floats {
		if math.Float32bits(f) != 0 {
			return false
		}
	}
	return true
}

// blank is unset for vectors.
func blank(vectors ...Vec3) bool {
	for _, v := range vectors {
		if !unset(v.X, v.Y, v.Z) {
			return false
		}
	}
	return true
}

// An idSet is a set of ids of 16 bits.
type idSet [1 << 16 / 64]uint64

// add reports whether v is new in the set.
func (s *idSet) add(v uint16) bool {
	word, bit := &s[v/64], uint64(1)<<(v%64)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

// valuesOf is the set of the values that have a word.
func valuesOf(words []string) *wire.Set {
	set := new(wire.Set)
	for v, w := range words {
		if w != "" {
			set.With(uint16(v), uint16(v))
		}
	}
	return set
}
