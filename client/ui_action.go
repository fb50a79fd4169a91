package client

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"darqline/protocol"
)

// maxActions is the most actions that a connection has.
const maxActions = 128

// Action is a named input of a resource.
type Action struct {
	protocol.ActionDeclare                       // Key is the default one
	Bound                  protocol.Key          // the key that it has; KeyNone: none, or one of the platform's own
	Prompt                 protocol.ActionPrompt // Present: it has one
	Down                   bool                  // it is held
	Since                  time.Time             // while Down
}

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

// PressKey says that a key went down that is for the game: neither for the pause menu, nor for a view or the chat line. The
// client presses the actions that it means. swallow tells that the game does not see the key. While a dialog is open, and
// for the keys of an open menu, it is an error.
func (c *Client) PressKey(key protocol.Key) (swallow bool, err error) {
	err = c.act(func(g *game, now time.Duration) error { swallow, err = g.pressKey(g.at(now), key); return err })
	return swallow, err
}

// ReleaseKey says that a key went up.
func (c *Client) ReleaseKey(key protocol.Key) error {
	return c.act(func(g *game, _ time.Duration) error {
		g.release(func(a *action) bool { return a.held == key })
		return nil
	})
}

// ReleaseKeys says that something else has the keys now: the window lost them, or the chat line, a view or the pause menu
// takes them. A dialog's opening does the same.
func (c *Client) ReleaseKeys() error {
	return c.act(func(g *game, _ time.Duration) error { g.releaseKeys(); return nil })
}

// PressAction presses one action as its key would, whatever key it has. ErrUnusable: it is off, does not fit the player's
// state, or wants a prompt.
func (c *Client) PressAction(id uint32) error {
	return c.act(func(g *game, now time.Duration) error { return g.pressAction(g.at(now), id) })
}

// ReleaseAction lets one action go.
func (c *Client) ReleaseAction(id uint32) error {
	return c.act(func(g *game, _ time.Duration) error {
		g.release(func(a *action) bool { return a.ActionID == id })
		return nil
	})
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

// actions are those that the player has.
type actions struct {
	bindings KeyBindings
	list     []*action // in the order in which they were declared
	prompts  uint64    // that have appeared
	down     int       // that are held
}

type action struct {
	Action
	prompted uint64       // the how-manieth prompt its own is
	held     protocol.Key // while Down: the key that holds it; KeyNone: PressAction does
}

func (s *actions) find(id uint32) *action {
	for _, a := range s.list {
		if a.ActionID == id {
			return a
		}
	}
	return nil
}

func (s *actions) view() []Action {
	view := make([]Action, len(s.list))
	for i, a := range s.list {
		view[i] = a.Action
	}
	return view
}

func (g *game) tellAction(a *action) {
	now := a.Action
	g.tell(func(h Handler) { h.Action(now) })
}

// reserved tells that a key is the client's own on this server, and no action's.
func (u *ui) reserved(key protocol.Key) bool {
	if key == protocol.KeyEscape {
		return true
	}
	for f, k := range u.keys.Keys {
		if k == key && !protocol.Function(f).Menu() {
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
	if u.reserved(key) {
		return protocol.KeyNone
	}
	return key
}

// declare takes an action, or a change of one. More than a connection has are refused.
func (g *game) declare(p *protocol.ActionDeclare) {
	s := &g.ui.actions
	a := s.find(p.ActionID)
	if a == nil {
		if len(s.list) >= maxActions {
			return
		}
		a = new(action)
		s.list = append(s.list, a)
	}
	a.ActionDeclare = *p
	if a.Bound = g.ui.bound(a); a.Down && a.Flags&protocol.ActionOff != 0 {
		s.drop(a) // the server has let it go itself
	}
	g.tellAction(a)
	g.loseKeys()
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

func (g *game) removeAction(p *protocol.ActionRemove) {
	s := &g.ui.actions
	i := slices.IndexFunc(s.list, func(a *action) bool { return a.ActionID == p.ActionID })
	if i < 0 {
		return
	}
	s.drop(s.list[i])
	s.list = slices.Delete(s.list, i, i+1)
	g.tell(func(h Handler) { h.ActionRemoved(p.ActionID) })
}

// prompt gives an action a prompt, changes it in place, or takes it away.
func (g *game) prompt(p *protocol.ActionPrompt) {
	s := &g.ui.actions
	a := s.find(p.ActionID)
	if a == nil {
		return
	}
	if p.Present && !a.Prompt.Present {
		s.prompts++
		a.prompted = s.prompts
	}
	a.Prompt = *p
	g.tellAction(a)
}

// fits tells that an action is on and for the state that the player is in. Who sits is taken for driver and passenger alike:
// the server knows better.
func (g *game) fits(a *action) bool {
	var now protocol.ActionStates
	switch g.me.State {
	case PreSpawn:
		now = protocol.ActionPreSpawn
	case Wasted:
		now = protocol.ActionWasted
	case Alive:
		now = protocol.ActionOnFoot
		if g.me.Frame.Flags&protocol.FlagSeated != 0 {
			now = protocol.ActionDriver | protocol.ActionPassenger
		}
	}
	return a.Flags&protocol.ActionOff == 0 && a.When&now != 0
}

// prompted tells that an action has a prompt that the player sees: on the screen, or near enough in the world.
func (g *game) prompted(a *action) bool {
	p := &a.Prompt
	if !p.Present || p.Place == protocol.PromptScreen {
		return p.Present
	}
	place, ok := g.placeOf(p.Attachment, p.Position)
	return ok && distance(place, g.me.Frame.Position) <= float64(p.Radius)
}

// placeOf is where something is that may follow a player. Vehicles and objects are not mirrored: what follows one is
// nowhere.
func (g *game) placeOf(to protocol.Attachment, v protocol.Vec3) (protocol.Vec3, bool) {
	if to.Attach == protocol.AttachNone {
		return v, true
	}
	f := g.me.Frame
	if id := uint16(to.AttachID); to.Attach != protocol.AttachPlayer {
		return v, false
	} else if !g.isMe(id, to.AttachToken) {
		r, ok := g.crowd.shown(id)
		if !ok || r.Token != to.AttachToken {
			return v, false
		}
		f = r.Frame
	}
	sin, cos := math.Sincos(protocol.Degrees(f.Heading) * math.Pi / 180)
	x, y := float64(v.X), float64(v.Y)
	return protocol.Vec3{
		X: f.Position.X + float32(x*cos-y*sin),
		Y: f.Position.Y + float32(x*sin+y*cos),
		Z: f.Position.Z + v.Z,
	}, true
}

// meant are the actions that a key means: the one with the newest prompt in sight; without one, all that need none.
func (g *game) meant(key protocol.Key) []*action {
	var list []*action
	var newest *action
	for _, a := range g.ui.actions.list {
		switch {
		case a.Bound != key || !g.fits(a):
		case g.prompted(a):
			if newest == nil || a.prompted > newest.prompted {
				newest = a
			}
		case a.Flags&protocol.ActionOnlyWithPrompt == 0:
			list = append(list, a)
		}
	}
	if newest != nil {
		return []*action{newest}
	}
	return list
}

func (g *game) pressKey(at time.Time, key protocol.Key) (swallow bool, err error) {
	switch {
	case key == protocol.KeyNone || key > protocol.KeyLast:
		return false, fmt.Errorf("client: %d is no key", uint8(key))
	case g.ui.dialog.shown:
		return true, ErrDialog
	case g.ui.menu.shown && g.ui.menuKey(key):
		return true, ErrMenuKey
	}
	for _, a := range g.meant(key) {
		g.press(at, a, key)
		swallow = swallow || a.Flags&protocol.ActionSwallow != 0
	}
	return swallow, nil
}

// menuKey tells that a key is one of an open menu's.
func (u *ui) menuKey(key protocol.Key) bool {
	for f, k := range u.keys.Keys {
		if k == key && protocol.Function(f).Menu() {
			return true
		}
	}
	return false
}

func (g *game) pressAction(at time.Time, id uint32) error {
	a := g.ui.actions.find(id)
	switch {
	case a == nil:
		return ErrNotOpen
	case g.ui.dialog.shown:
		return ErrDialog
	case !g.fits(a) || a.Flags&protocol.ActionOnlyWithPrompt != 0 && !g.prompted(a):
		return ErrUnusable
	}
	g.press(at, a, protocol.KeyNone)
	return nil
}

// press reports that an action went down; a repeated key reports nothing.
func (g *game) press(at time.Time, a *action, key protocol.Key) {
	if a.Down {
		return
	}
	g.ui.actions.down++
	a.Down, a.Since, a.held = true, at, key
	g.send(&protocol.ActionInput{ActionID: a.ActionID, Pressed: true})
	g.tellAction(a)
}

// release reports that those of the held actions went up that which says.
func (g *game) release(which func(*action) bool) {
	for _, a := range g.ui.actions.list {
		if a.Down && which(a) {
			g.ui.actions.drop(a)
			g.send(&protocol.ActionInput{ActionID: a.ActionID})
			g.tellAction(a)
		}
	}
}

// drop lets a held action go without a report.
func (s *actions) drop(a *action) {
	if a.Down {
		a.Down, a.Since, a.held = false, time.Time{}, protocol.KeyNone
		s.down--
	}
}

func (g *game) releaseKeys() { g.release(func(*action) bool { return true }) }

// loseKeys releases what is held and has lost its key, or does not fit the player's state any more.
func (g *game) loseKeys() {
	if g.ui.actions.down > 0 {
		g.release(func(a *action) bool { return !g.fits(a) || a.held != protocol.KeyNone && a.held != a.Bound })
	}
}
