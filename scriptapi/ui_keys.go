package scriptapi

import (
	"fmt"
	"slices"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
)

// platformKeys is the handle behind mp.ui.platform_keys and player.platform_keys.
type platformKeys struct {
	p      *world.Player // nil: the server's
	shared bool          // then: a handle is not the zero value
}

// keyChoice is what a function of the client is set to: a key's name, false for none, or nil for the key that it has otherwise.
type keyChoice = bind.Raw

// functionDocs are what the client's own functions do, in the order of world.PlatformFunctions.
var functionDocs = [...]string{
	"Opens the chat line.", "Opens the chat line to the player's group.", "Opens the chat line with a slash.", "Shows the player list.",
	"Hides the HUD.", "Accepts the oldest offer.", "Declines the oldest offer.",
	"Goes up in a menu.", "Goes down in a menu.", "Goes to the option or number before in a menu.", "Goes to the next option or number in a menu.",
	"Selects an item of a menu.", "Leaves a menu.", "Shows the cursor.", "Scrolls the chat up.", "Scrolls the chat down.",
}

// declareKeys declares the keys of the client's own functions (page Chat, HUD and dialogs, PlatformKeys).
func (rt *Runtime) declareKeys(r *bind.Registry) {
	h := bind.NewHandle(r, bind.HandleSpec[platformKeys]{
		Name: "PlatformKeys", Type: "platform_keys", Doc: "The keys of the client's own functions. A key is set by its name; false switches a function off.",
		Gone: "this player has left", NoType: true,
		Valid: func(k platformKeys) bool { return k.p == nil || k.p.Valid() },
	})
	for i, name := range world.PlatformFunctions {
		h.Add(bind.CallPropAs(name, functionDocs[i], func(c *bind.Call, k platformKeys) bind.Raw {
			tx := rt.begin()
			defer tx.End()
			keys := tx.PlatformKeys(k.p)
			if keys.Keys[i] == protocol.KeyNone {
				return c.Env().Raw(false)
			}
			return c.Env().Raw(keys.Keys[i].String())
		}, func(_ *bind.Call, k platformKeys, v keyChoice) error {
			return rt.setKeys(k.p, map[string]keyChoice{name: v})
		}))
	}
	r.Module("mp.ui", "").Add(bind.GetSetAs("platform_keys", "The keys of the client's own functions on this server: mp.ui.platform_keys.player_list = \"F1\". A table sets several at once.",
		func(*bind.Call) platformKeys { return platformKeys{shared: true} },
		func(_ *bind.Call, v map[string]keyChoice) error { return rt.setKeys(nil, v) },
		bind.Example(`mp.ui.platform_keys = { player_list = "F1", hide_hud = "F2" }
mp.ui.platform_keys.team_chat = false`)))
}

func (rt *Runtime) declarePlayerKeys(h *bind.Handle[*world.Player]) {
	h.Add(bind.PropAs("platform_keys", "The keys of his client's own functions, where they are others than the server's: player.platform_keys.chat = false. A table sets several at once; nil is the server's key again.",
		func(p *world.Player) platformKeys { return platformKeys{p: p} },
		func(p *world.Player, v map[string]keyChoice) error { return rt.setKeys(p, v) }, bind.Early()))
}

// setKeys gives functions keys by their names, all of them or none.
func (rt *Runtime) setKeys(p *world.Player, change map[string]keyChoice) error {
	keys := make(map[protocol.Function]protocol.Key)
	var back []protocol.Function
	for name, v := range change {
		f := slices.Index(world.PlatformFunctions[:], name)
		if f < 0 {
			return unknown(name, world.PlatformFunctions[:])
		}
		plain, _ := v.Plain()
		switch word := plain.(type) {
		case nil:
			back = append(back, protocol.Function(f))
		case string:
			key, err := keyByName(word)
			if err != nil {
				return err
			}
			keys[protocol.Function(f)] = key
		default:
			if plain != false {
				return fmt.Errorf("a key's name or false expected, got %s", v.Describe())
			}
			keys[protocol.Function(f)] = protocol.KeyNone
		}
	}
	tx := rt.begin()
	defer tx.End()
	return tx.SetPlatformKeys(p, keys, back...)
}

// keyByName finds a key.
func keyByName(name string) (protocol.Key, error) {
	if key, ok := protocol.KeyByName(name); ok {
		return key, nil
	}
	if near, ok := nearest.Name(name, keyNames); ok {
		return 0, fmt.Errorf("unknown key %q; did you mean %q?", name, near)
	}
	return 0, fmt.Errorf("unknown key %q; keys are called as on page Chat, HUD and dialogs, Keys, such as \"E\", \"F5\" or \"ShiftLeft\"", name)
}

var keyNames = func() (names []string) {
	for k := protocol.KeyNone + 1; k <= protocol.KeyLast; k++ {
		names = append(names, k.String())
	}
	return names
}()
