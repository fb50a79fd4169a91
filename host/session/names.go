package session

import (
	"errors"
	"fmt"
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
	count := utf8.RuneCountInString(name)
	if count < n.Min || count > n.Max || len(name) > nameBytes {
		return "", fmt.Errorf("a name has %d to %d characters, this one has %d", n.Min, n.Max, count)
	}
	var script *unicode.RangeTable
	digits := true
	for _, r := range name {
		digits = digits && unicode.IsDigit(r)
		if strings.ContainsRune(nameSigns, r) || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !n.Unicode {
			continue
		}
		if !n.Unicode {
			return "", fmt.Errorf("a name has letters A-Z, digits and %s only, not %q", nameSigns, r)
		}
		if !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
			return "", fmt.Errorf("a name has letters, digits and %s only, not %q", nameSigns, r)
		}
		if unicode.In(r, unicode.Common, unicode.Inherited) {
			continue
		}
		if script == nil {
			script = scriptOf(r)
		} else if !unicode.Is(script, r) {
			return "", fmt.Errorf("a name has letters of one script only; %q is of another", r)
		}
	}
	if digits {
		return "", fmt.Errorf("a name has a letter in it, not digits only")
	}
	key := NameKey(name)
	for _, reserved := range n.Reserved {
		if NameKey(reserved) == key {
			return "", fmt.Errorf("the name %q is reserved", name)
		}
	}
	return name, nil
}

func scriptOf(r rune) *unicode.RangeTable {
	for _, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return table
		}
	}
	return unicode.Common
}

// NameKey is equal for two names that count as the same: NFKC and case folding.
func NameKey(name string) string {
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
