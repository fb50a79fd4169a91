package client

import (
	"fmt"
	"sync"
	"time"

	"darqline/protocol"
)

// KeyBindings keeps the keys that the player gave to actions, by resource and name, across sessions and servers. Its
// methods are called from several goroutines and should return soon.
type KeyBindings interface {
	// Binding is the key of an action; KeyNone: the player wants none. False: he has chosen none, the default holds.
	// The resource "" is the server's own.
	Binding(resource, action string) (protocol.Key, bool)
	Bind(resource, action string, key protocol.Key) error
}

// memoryKeys are bindings that last as long as the client.
type memoryKeys struct {
	mu   sync.Mutex
	keys map[[2]string]protocol.Key
}

func (m *memoryKeys) Binding(resource, action string) (protocol.Key, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key, ok := m.keys[[2]string{resource, action}]
	return key, ok
}

func (m *memoryKeys) Bind(resource, action string, key protocol.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys == nil {
		m.keys = make(map[[2]string]protocol.Key)
	}
	m.keys[[2]string{resource, action}] = key
	return nil
}

// BindAction gives an action a key of the player's choice, KeyNone for none, and keeps it in Config.Keys. Where the key is
// one of the platform's own, the platform's function wins.
func (c *Client) BindAction(id uint32, key protocol.Key) error {
	if key > protocol.KeyLast || key == protocol.KeyEscape {
		return fmt.Errorf("client: %v cannot be the key of an action", key)
	}
	var resource, name string
	err := c.act(func(g *game, _ time.Duration) error {
		a := g.ui.actions.find(id)
		if a == nil {
			return ErrNotOpen
		}
		resource, name = a.Resource, a.Name
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.config.Keys.Bind(resource, name, key); err != nil {
		return fmt.Errorf("client: the key of %s/%s cannot be kept: %w", resource, name, err)
	}
	return c.act(func(g *game, _ time.Duration) error { g.rebind(); return nil })
}

// platforms tells that a key is one of the client's own functions on this server: an open menu's, or the others, which no
// action can have.
func (u *ui) platforms(key protocol.Key, menu bool) bool {
	for f, k := range u.keys.Keys {
		if k == key && protocol.Function(f).Menu() == menu {
			return true
		}
	}
	return false
}

// bound is the key of an action: the player's own or the default, unless it is the platform's.
func (u *ui) bound(a *action) protocol.Key {
	key := a.Key
	if own, ok := u.actions.bindings.Binding(a.Resource, a.Name); ok {
		key = own
	}
	if key == protocol.KeyEscape || u.platforms(key, false) {
		return protocol.KeyNone
	}
	return key
}

// rebind gives all actions the keys that they have by now.
func (g *game) rebind() {
	for _, a := range g.ui.actions.list {
		if key := g.ui.bound(a); key != a.Bound {
			a.Bound = key
			g.tellAction(a)
		}
	}
	g.loseKeys()
}
