package play

import (
	"strings"

	"darqline/protocol"
)

// titles of words that are more than a word with a capital.
var titles = map[string]string{
	"ak47": "AK-47", "colt_45": "Colt 45", "mp5": "MP5", "m4": "M4", "tec9": "Tec-9", "micro_uzi": "Micro Uzi",
}

// title is a word of the game, such as a weapon or a cause, for people.
func title(word string) string {
	if t, ok := titles[word]; ok || word == "" {
		return t
	}
	word = strings.ReplaceAll(word, "_", " ")
	return strings.ToUpper(word[:1]) + word[1:]
}

// weaponTitles are the weapons' by id; "" is no weapon.
var weaponTitles = func() []string {
	all := make([]string, protocol.WeaponLast+1)
	for w := range protocol.WeaponLast + 1 {
		if f, ok := w.Figures(); ok {
			all[w] = title(f.Name)
		}
	}
	return all
}()
