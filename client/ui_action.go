package client

import (
	"fmt"
	"slices"
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

// meant are the actions that a key means: the one with the newest prompt in sight; without one, all that need none.
func (g *game) meant(key protocol.Key) []*action {
	var list []*action
	var newest *action
	for _, a := range g.ui.actions.list {
		switch {
		case a.Bound != key || !g.fits(a):
		case g.sees(a):
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
	case g.ui.menu.shown && g.ui.platforms(key, true):
		return true, ErrMenuKey
	}
	for _, a := range g.meant(key) {
		g.press(at, a, key)
		swallow = swallow || a.Flags&protocol.ActionSwallow != 0
	}
	return swallow, nil
}

func (g *game) pressAction(at time.Time, id uint32) error {
	a := g.ui.actions.find(id)
	switch {
	case a == nil:
		return ErrNotOpen
	case g.ui.dialog.shown:
		return ErrDialog
	case !g.fits(a) || a.Flags&protocol.ActionOnlyWithPrompt != 0 && !g.sees(a):
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
