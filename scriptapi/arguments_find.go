package scriptapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/nearest"
)

// playerFinder finds the player whom a word of a command means.
type playerFinder struct {
	rt *Runtime
	me *world.Player
}

// find takes an id, a whole name, a unique part of one, or "me". An id goes first: nobody gets what is meant for another by
// taking his id for a name.
func (f playerFinder) find(word string) (*world.Player, error) {
	if f.rt == nil {
		return nil, errors.New("players are found in a call only")
	}
	if word == "me" && f.me != nil {
		return f.me, nil
	}
	if word == "" {
		return nil, errors.New("a player's id or name expected, got nothing")
	}
	tx := f.rt.begin()
	if word[0] <= '9' { // the error of a word would be an allocation
		if id, err := strconv.ParseUint(word, 10, 16); err == nil && tx.PlayerByID(uint16(id)) != nil {
			defer tx.End()
			return tx.PlayerByID(uint16(id)), nil
		}
	}
	whole, parts := tx.PlayersNamed(word)
	tx.End()
	if whole != nil {
		return whole, nil
	}
	facts := func(p *world.Player) (int, string) { return int(p.ID), p.Name() }
	if len(parts) > 0 {
		return onePart("player", word, parts, facts)
	}
	tx = f.rt.begin()
	all := tx.Players()
	tx.End()
	return nil, noMatch("player", word, all, facts)
}

// findWeapon takes an id, a name or a unique part of one, and gives the id.
func findWeapon(word string) (float64, error) {
	facts := func(w protocol.Weapon) (int, string) { return int(w), w.String() }
	var parts []protocol.Weapon
	lower := strings.ToLower(word)
	for _, w := range weapons {
		if w.String() == lower || strconv.Itoa(int(w)) == word {
			return float64(w), nil
		}
		if strings.Contains(w.String(), lower) {
			parts = append(parts, w)
		}
	}
	if len(parts) == 0 {
		return 0, noMatch("weapon", word, weapons, facts)
	}
	w, err := onePart("weapon", word, parts, facts)
	return float64(w), err
}

// onePart is the only thing that has a word in its name; of several the error lists the first.
func onePart[T any](what, word string, parts []T, facts func(T) (id int, name string)) (found T, err error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	list := make([]string, 0, 4)
	for i, v := range parts {
		if i == 3 && len(parts) > 4 {
			list = append(list, "...")
			break
		}
		id, name := facts(v)
		list = append(list, fmt.Sprintf("%s (%d)", name, id))
	}
	return found, fmt.Errorf("%d %ss match %q: %s", len(parts), what, word, strings.Join(list, ", "))
}

// noMatch says that nothing has a name such as a word, and what was perhaps meant.
func noMatch[T any](what, word string, among []T, facts func(T) (id int, name string)) error {
	names := make([]string, len(among))
	for i, v := range among {
		_, names[i] = facts(v)
	}
	if near, ok := nearest.Name(word, names); ok {
		return fmt.Errorf("no %s matches %q; did you mean %q?", what, word, near)
	}
	return fmt.Errorf("no %s matches %q", what, word)
}
