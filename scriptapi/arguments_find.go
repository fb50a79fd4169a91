package scriptapi

import (
	"errors"
	"fmt"
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

// find takes an id, a whole name, a unique part of one, or "me".
func (f playerFinder) find(word string) (*world.Player, error) {
	if word == "me" && f.me != nil {
		return f.me, nil
	}
	if word == "" {
		return nil, errors.New("a player's id or name expected, got nothing")
	}
	tx := f.rt.begin()
	players := tx.Players()
	tx.End()
	return oneOf("player", word, players, func(p *world.Player) (int, string) { return int(p.ID), p.Name() })
}

// findWeapon takes an id, a name or a unique part of one, and gives the id.
func findWeapon(word string) (float64, error) {
	w, err := oneOf("weapon", word, weapons, func(w protocol.Weapon) (int, string) { return int(w), w.String() })
	return float64(w), err
}

// oneOf is the only thing that a word means: by its id, its whole name, or else a part of its name.
func oneOf[T any](what, word string, among []T, facts func(T) (id int, name string)) (found T, err error) {
	var parts []T
	names, lower := make([]string, len(among)), strings.ToLower(word)
	for i, v := range among {
		id, name := facts(v)
		names[i] = name
		if fmt.Sprint(id) == word || strings.EqualFold(name, word) {
			return v, nil
		}
		if strings.Contains(strings.ToLower(name), lower) {
			parts = append(parts, v)
		}
	}
	switch len(parts) {
	case 0:
		err = fmt.Errorf("no %s matches %q", what, word)
		if near, ok := nearest.Name(word, names); ok {
			err = fmt.Errorf("%w; did you mean %q?", err, near)
		}
		return found, err
	case 1:
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
