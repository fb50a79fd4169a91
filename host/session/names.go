package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Names are the rules for players' names (page Connection, ClientHello; the keys names.* of the configuration).
type Names struct {
	Min, Max int      // characters
	Unicode  bool     // letters, marks and digits of one script beside the ASCII alphabet
	Reserved []string // names nobody may have
}

const nameSigns = "_-.[]()$@="

// nameBytes is the longest name on the wire.
const nameBytes = 47

// Take normalises a wished name, or says which rule it breaks, in words for the player.
func (n Names) Take(wish string) (string, error) {
	name := norm.NFC.String(wish)
	if count := utf8.RuneCountInString(name); count < n.Min || count > n.Max {
		return "", fmt.Errorf("a name has %d to %d characters, this one has %d", n.Min, n.Max, count)
	}
	if len(name) > nameBytes {
		return "", fmt.Errorf("a name has up to %d bytes, this one has %d: its letters take more than one each", nameBytes, len(name))
	}
	var written scripts
	digits := true
	for at, r := range name {
		digits = digits && unicode.IsDigit(r)
		switch {
		case strings.ContainsRune(nameSigns, r):
		case !n.Unicode && (r >= utf8.RuneSelf || !unicode.In(r, unicode.L, unicode.Nd)):
			return "", fmt.Errorf("a name has letters A-Z, digits and %s only, not %q", nameSigns, r)
		case !unicode.In(r, unicode.L, unicode.M, unicode.Nd):
			return "", fmt.Errorf("a name has letters, digits and %s only, not %q", nameSigns, r)
		case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point), at == 0 && unicode.Is(unicode.M, r):
			return "", fmt.Errorf("a name has letters that can be seen, in their place; not %q", r)
		case !written.add(r):
			return "", fmt.Errorf("a name has letters of one script only; %q is of another", r)
		}
	}
	if digits {
		return "", errors.New("a name is not digits only")
	}
	key := NameKey(name)
	for _, reserved := range n.Reserved {
		if NameKey(reserved) == key {
			return "", fmt.Errorf("the name %q is reserved", name)
		}
	}
	return name, nil
}

// scripts are those that a name is written in. What belongs to none, such as digits and most marks, fits all.
type scripts []string

// writtenTogether are the scripts that make one in real names: those of Japanese, Korean and Chinese.
var writtenTogether = []scripts{{"Han", "Hiragana", "Katakana"}, {"Han", "Hangul"}, {"Han", "Bopomofo"}}

// add says whether a letter's script goes with those before.
func (s *scripts) add(r rune) bool {
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return true
	}
	for _, name := range *s {
		if unicode.Is(unicode.Scripts[name], r) {
			return true
		}
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			*s = append(*s, name)
			break
		}
	}
	return len(*s) == 1 || slices.ContainsFunc(writtenTogether, s.within)
}

func (s *scripts) within(group scripts) bool {
	return !slices.ContainsFunc(*s, func(name string) bool { return !slices.Contains(group, name) })
}

// NameKey is equal for two names that count as the same: NFKC and case folding.
func NameKey(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return foldedKey(name)
		}
	}
	return strings.ToLower(name) // names.reserved may be long, and each hello is compared with all of it
}

func foldedKey(name string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
}

// Rename gives a player another name, by the rules of names and where nobody has it. Its error is in words.
func (s *Sessions) Rename(c *Conn, wish string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.cfg.Names.Take(wish)
	if err != nil {
		return err
	}
	key := NameKey(name)
	if _, banned := s.banned(BanSubject{NameKey: key}); banned {
		return fmt.Errorf("the name %q is banned", name)
	}
	switch other := s.names[key]; {
	case c.state == Closing:
		return errors.New("the player has left")
	case other != nil && other != c:
		return fmt.Errorf("the name %q is taken", name)
	}
	delete(s.names, c.nameKey)
	c.name, c.nameKey, s.names[key] = name, key, c
	return nil
}
