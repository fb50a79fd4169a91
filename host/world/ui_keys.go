package world

import (
	"errors"
	"fmt"
	"maps"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// PlatformFunctions are the names of the client's own functions, in the order of PlatformKeys (page Chat, HUD and dialogs,
// PlatformKeys).
var PlatformFunctions = [...]string{
	"chat", "team_chat", "command", "player_list", "hide_hud", "accept", "decline",
	"menu_up", "menu_down", "menu_left", "menu_right", "menu_select", "menu_back",
	"cursor", "chat_up", "chat_down",
}

// ownKeys are a player's own keys of the client's functions, where they differ from the server's.
type ownKeys map[protocol.Function]protocol.Key

type platformKeysKey struct{}

// platformKeys are the server's keys.
func (tx Tx) platformKeys() *protocol.PlatformKeys {
	if tx.w.keys == nil {
		tx.w.keys = protocol.DefaultPlatformKeys()
	}
	return tx.w.keys
}

// keysOf are the keys that a player has.
func (tx Tx) keysOf(p *Player) *protocol.PlatformKeys {
	return withKeys(tx.platformKeys(), p.platform)
}

// PlatformKeys are the keys that a player has; those of the server for nil.
func (tx Tx) PlatformKeys(p *Player) protocol.PlatformKeys {
	if p == nil {
		return *tx.platformKeys()
	}
	return *tx.keysOf(p)
}

// SetPlatformKeys gives functions other keys, all of them or none: for one player, or for all where p is nil. KeyNone switches
// a function off; those in back get the server's key again, or the default. A player whose own keys do not go with new ones
// of the server's loses his own.
func (tx Tx) SetPlatformKeys(p *Player, change map[protocol.Function]protocol.Key, back ...protocol.Function) error {
	if p != nil {
		own := make(ownKeys, len(p.platform)+len(change))
		maps.Copy(own, p.platform)
		maps.Copy(own, change)
		for _, f := range back {
			delete(own, f)
		}
		if err := checkPlatformKeys(withKeys(tx.platformKeys(), own)); err != nil {
			return err
		}
		p.platform = own
		tx.paceKeys(p)
		return nil
	}
	keys := withKeys(tx.platformKeys(), change)
	for _, f := range back {
		keys.Keys[f] = protocol.DefaultPlatformKeys().Keys[f]
	}
	if err := checkPlatformKeys(keys); err != nil {
		return err
	}
	tx.w.keys = keys
	for _, p := range tx.Confirmed() {
		if checkPlatformKeys(tx.keysOf(p)) != nil {
			p.platform = nil
		}
		tx.paceKeys(p)
	}
	return nil
}

// joinKeys tells who is confirmed his keys.
func (tx Tx) joinKeys(p *Player) { p.link.Straight(tx.keysOf(p)) }

func (tx Tx) paceKeys(p *Player) {
	if !p.gone {
		p.link.Pace(pacer.Thing{Key: platformKeysKey{}, Class: pacer.Rest, Packets: []protocol.Packet{tx.keysOf(p)}})
	}
}

// withKeys is a copy of keys with changes.
func withKeys(keys *protocol.PlatformKeys, change map[protocol.Function]protocol.Key) *protocol.PlatformKeys {
	out := *keys
	for f, k := range change {
		out.Keys[f] = k
	}
	return &out
}

// checkPlatformKeys says what is wrong with keys, in the words of scripts.
func checkPlatformKeys(keys *protocol.PlatformKeys) error {
	var users [2][protocol.KeyLast + 1]string
	for i, k := range keys.Keys {
		f := protocol.Function(i)
		user := &users[0]
		if f.Menu() {
			user = &users[1]
		}
		switch {
		case k == protocol.KeyEscape:
			return fmt.Errorf("%s: Escape is the pause menu's, and cancels", PlatformFunctions[i])
		case k == protocol.KeyNone:
		case user[k] != "":
			return fmt.Errorf("%q is the key of %s and of %s", k, user[k], PlatformFunctions[i])
		default:
			user[k] = PlatformFunctions[i]
		}
	}
	if err := keys.Check(); err != nil {
		return errors.New("a menu needs the keys of menu_up, menu_down, menu_select and menu_back: they cannot be switched off")
	}
	return nil
}

// reservedFor is the function that has a key, which no action can have by default.
func (tx Tx) reservedFor(k protocol.Key) (name string, reserved bool) {
	if k == protocol.KeyEscape {
		return "pause menu", true
	}
	for i, used := range tx.platformKeys().Keys {
		if used == k && k != protocol.KeyNone && !protocol.Function(i).Menu() {
			return PlatformFunctions[i], true
		}
	}
	return "", false
}
