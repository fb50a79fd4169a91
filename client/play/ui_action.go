package play

import (
	"fmt"
	"slices"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// action is a named input of a resource.
type action struct {
	ID         uint32   `json:"id"`
	Resource   string   `json:"resource,omitempty"` // "": the server's own
	Name       string   `json:"name"`
	Label      string   `json:"label"`
	Key        string   `json:"key,omitempty"`     // that it has now; "": none
	Default    string   `json:"default,omitempty"` // the server's
	When       []string `json:"when"`              // on_foot, driver, passenger, wasted, pre_spawn
	OnlyPrompt bool     `json:"only_with_prompt,omitempty"`
	Swallow    bool     `json:"swallow,omitempty"` // the game does not see the key
	Off        bool     `json:"off,omitempty"`
	Down       bool     `json:"down,omitempty"`
	Since      int64    `json:"since,omitempty"` // Unix time in ms, while Down
	Prompt     *prompt  `json:"prompt,omitempty"`
}

// prompt is a hint with the action's key.
type prompt struct {
	Text   string  `json:"text"`
	HoldMs uint16  `json:"hold_ms,omitempty"` // the key is held while a ring fills
	World  bool    `json:"world,omitempty"`   // in the world, else low on the screen
	Radius float32 `json:"radius,omitempty"`
	anchor
}

// functions are the names of protocol.Function, as Lua has them.
var functions = [...]string{
	"chat", "team_chat", "command", "player_list", "hide_hud", "accept", "decline", "menu_up", "menu_down", "menu_left", "menu_right",
	"menu_select", "menu_back", "cursor", "chat_up", "chat_down",
}

func functionByName(name string) (protocol.Function, bool) {
	i := slices.Index(functions[:], name)
	return protocol.Function(max(i, 0)), i >= 0
}

// states are the names of protocol.ActionStates, bit by bit.
var states = [...]string{"on_foot", "driver", "passenger", "wasted", "pre_spawn"}

func platformKeys(p *protocol.PlatformKeys) map[string]string {
	keys := make(map[string]string, len(functions))
	for f, key := range p.Keys {
		keys[functions[f]] = key.String()
	}
	return keys
}

func (h *handler) actionOf(a client.Action) action {
	has := func(flag protocol.ActionFlags) bool { return a.Flags&flag != 0 }
	out := action{
		ID: a.ActionID, Resource: a.Resource, Name: a.Name, Label: a.Label, Key: a.Bound.String(), Default: a.Key.String(), When: []string{},
		OnlyPrompt: has(protocol.ActionOnlyWithPrompt), Swallow: has(protocol.ActionSwallow), Off: has(protocol.ActionOff),
		Down: a.Down, Since: unixMs(a.Since),
	}
	for bit, state := range states {
		if a.When>>bit&1 != 0 {
			out.When = append(out.When, state)
		}
	}
	if p := &a.Prompt; p.Present {
		out.Prompt = &prompt{Text: p.Text, HoldMs: p.HoldMs, World: p.Place == protocol.PromptWorld, Radius: p.Radius, anchor: anchorOf(p.Attachment, p.Position)}
	}
	return out
}

func (h *handler) PlatformKeys(p protocol.PlatformKeys) { h.m.setKeys(platformKeys(&p)) }
func (h *handler) Action(a client.Action)               { h.m.setAction(h.actionOf(a)) }
func (h *handler) ActionRemoved(id uint32)              { h.m.removeAction(id) }

func (m *model) setKeys(keys map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Keys = keys
	m.broadcast(message{Type: "keys", Keys: keys})
}

func (m *model) setAction(a action) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.ui.Actions, func(old action) bool { return old.ID == a.ID }); i >= 0 {
		m.ui.Actions[i] = a
	} else {
		m.ui.Actions = append(m.ui.Actions, a)
	}
	m.broadcast(message{Type: "action", Action: &a})
}

func (m *model) removeAction(id uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Actions = slices.DeleteFunc(m.ui.Actions, func(a action) bool { return a.ID == id })
	m.broadcast(message{Type: "action_end", ID: uint64(id)})
}

// pressKey takes a key of the map; which actions it means is the client's business.
func (s *seat) pressKey(name string) error {
	key, ok := protocol.KeyByName(name)
	if !ok {
		return fmt.Errorf("there is no key %q", name)
	}
	return s.asked(func(now session) error {
		_, err := now.PressKey(key)
		return err
	})
}

// releaseKey takes the end of a key; "" is that of all.
func (s *seat) releaseKey(name string) error {
	if name == "" {
		return s.asked(session.ReleaseKeys)
	}
	key, ok := protocol.KeyByName(name)
	if !ok {
		return fmt.Errorf("there is no key %q", name)
	}
	return s.asked(func(now session) error { return now.ReleaseKey(key) })
}

// bindKey gives an action a key; "" is none.
func (s *seat) bindKey(id uint32, name string) error {
	key, ok := protocol.KeyByName(name)
	if !ok && name != "" {
		return fmt.Errorf("there is no key %q", name)
	}
	return s.asked(func(now session) error { return now.BindAction(id, key) })
}

// unattended ends what keys held, when no page has the keyboard any more.
func (s *seat) unattended() {
	s.settle(time.Now())
	if !s.model.focused() {
		s.asked(session.ReleaseKeys) // without a session nothing is held
	}
}
