package client

import (
	"time"

	"darqline/protocol"
)

// UI is what page Chat, HUD and dialogs has put on the player's screen, a copy that the caller may keep. What its slices
// hold is not to be changed. All of it is empty at the beginning of a session; a session that only moved keeps it.
type UI struct {
	Theme         protocol.UiTheme      // Scale 0: the server has sent none yet
	Keys          protocol.PlatformKeys // the server's, the default ones before
	Dialog        *Dialog               // nil: none is open
	Menu          *Menu                 // nil: none is open
	Offers        []Offer               // the oldest first, which Accept and Decline are for
	Actions       []Action              // in the order in which they were declared
	Hud           Hud
	Notifications []Notification // shown, the oldest first
	KillFeed      []Kill         // shown, the oldest first
	Nametags      []protocol.PlayerNametag
	Bubbles       []Bubble
}

// Holds tells that a dialog, a menu or a progress bar keeps the player in place: the game gets no movement.
func (u UI) Holds() bool {
	return u.Dialog != nil || u.Menu != nil && u.Menu.holds() || u.Hud.holds()
}

// Action is the action of an id, nil if the player does not have it.
func (u UI) Action(id uint32) *Action {
	for i := range u.Actions {
		if u.Actions[i].ActionID == id {
			return &u.Actions[i]
		}
	}
	return nil
}

// UI is what is on the screen now.
func (c *Client) UI() UI {
	view := UI{Keys: *protocol.DefaultPlatformKeys()}
	c.look(func(g *game) { view = g.ui.view() })
	return view
}

// Players is the player list: its heading and its rows by id, those that are not listed too.
func (c *Client) Players() (list PlayerList, rows []Player) {
	c.look(func(g *game) { list, rows = g.ui.list.heading, g.ui.list.all() })
	return list, rows
}

// ui is the state of page Chat, HUD and dialogs in a game.
type ui struct {
	theme    protocol.UiTheme
	keys     protocol.PlatformKeys
	dialog   dialog
	menu     menu
	offers   []Offer
	actions  actions
	hud      Hud
	notes    notes
	kills    []Kill
	nametags map[uint16]protocol.PlayerNametag // but the default ones
	bubbles  map[uint16]Bubble
	list     playerList

	due time.Time // the next thing that ends by itself; zero: nothing does
}

func newUI(bindings KeyBindings) ui {
	return ui{
		keys:     *protocol.DefaultPlatformKeys(),
		actions:  actions{bindings: bindings},
		nametags: make(map[uint16]protocol.PlayerNametag),
		bubbles:  make(map[uint16]Bubble),
	}
}

// holds is UI.Holds.
func (u *ui) holds() bool { return u.dialog.shown || u.menu.shown && u.menu.holds() || u.hud.holds() }

// view is a copy that shares nothing that changes.
func (u *ui) view() UI {
	view := UI{
		Theme:         u.theme,
		Keys:          u.keys,
		Offers:        cloned(u.offers),
		Actions:       u.actions.view(),
		Hud:           u.hud,
		Notifications: u.notes.view(),
		KillFeed:      cloned(u.kills),
		Nametags:      byPlayer(u.nametags),
		Bubbles:       byPlayer(u.bubbles),
	}
	if u.dialog.shown {
		d := u.dialog.Dialog
		view.Dialog = &d
	}
	if u.menu.shown {
		m := u.menu.view()
		view.Menu = &m
	}
	return view
}

// alarm has the game look after what ends by itself at t.
func (u *ui) alarm(t time.Time) {
	if u.due.IsZero() || t.Before(u.due) {
		u.due = t
	}
}

// driveUI ends what ends by itself, and gives the time at which it wants to be called again.
func (g *game) driveUI(now time.Duration) time.Duration {
	u, at := &g.ui, g.at(now)
	g.loseKeys()
	if !u.due.IsZero() && !at.Before(u.due) {
		u.due = time.Time{}
		g.driveDialog(at)
		g.driveMenu(at)
		g.driveOffers(at)
		g.driveHud(at)
		g.driveNotes(at)
		g.driveKills(at)
		g.driveBubbles(at)
	}
	if u.due.IsZero() {
		return never
	}
	return u.due.Sub(g.begun)
}

// ended tells that something's time has passed; else it sets the alarm for it.
func (u *ui) ended(at, until time.Time) bool {
	if at.Before(until) {
		u.alarm(until)
		return false
	}
	return true
}
