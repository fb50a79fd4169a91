package client

import (
	"slices"
	"time"

	"darqline/protocol"
)

// Numbers of page Chat, HUD and dialogs for what comes and goes at the side.
const (
	keptNotifications  = 20
	shownNotifications = 5
	shownKills         = 6
	killShown          = 8 * time.Second
)

// Notification is a short message at the side.
type Notification struct {
	protocol.HudNotificationAdd
	Until time.Time // when it goes by itself; zero: it stays until it is cleared
}

// Kill is an entry of the kill feed.
type Kill struct {
	protocol.HudKillFeedAdd
	Until time.Time
}

// notes are the notifications that are kept, the oldest first. One that has a duration waits for a place among those shown,
// and its time runs from then. Those that stay have what places are left, the newest of them.
type notes struct {
	kept []note
}

type note struct {
	Notification
	shown bool
}

func (n *notes) find(id uint32) int {
	return slices.IndexFunc(n.kept, func(x note) bool { return x.NotificationID == id })
}

// arrange says what is shown, and whether that is anything else than before.
func (n *notes) arrange(u *ui, at time.Time) (changed bool) {
	free := shownNotifications
	set := func(x *note, shown bool) {
		changed = changed || x.shown != shown
		if shown && x.Duration > 0 && x.Until.IsZero() {
			x.Until = at.Add(milliseconds(x.Duration))
			u.alarm(x.Until)
		}
		if x.shown = shown; shown {
			free--
		}
	}
	for i := range n.kept {
		if x := &n.kept[i]; x.Duration > 0 {
			set(x, free > 0)
		}
	}
	for i := len(n.kept) - 1; i >= 0; i-- {
		if x := &n.kept[i]; x.Duration == 0 {
			set(x, free > 0)
		}
	}
	return changed
}

// view is what is shown.
func (n *notes) view() []Notification {
	var view []Notification
	for i := range n.kept {
		if n.kept[i].shown {
			view = append(view, n.kept[i].Notification)
		}
	}
	return view
}

// tellNotes tells what is shown, if that has changed.
func (g *game) tellNotes(at time.Time, changed bool) {
	if n := &g.ui.notes; n.arrange(&g.ui, at) || changed {
		now := n.view()
		g.tell(func(h Handler) { h.Notifications(now) })
	}
}

// notify takes a notification, or a change of one: its time begins anew. Where too many are kept the oldest that would go
// by itself makes room, else the oldest.
func (g *game) notify(at time.Time, p *protocol.HudNotificationAdd) {
	n := &g.ui.notes
	fresh := note{Notification: Notification{HudNotificationAdd: *p}}
	if i := n.find(p.NotificationID); i >= 0 {
		shown := n.kept[i].shown
		n.kept[i] = fresh
		g.tellNotes(at, shown)
		return
	}
	gone := false
	if len(n.kept) >= keptNotifications {
		i := max(slices.IndexFunc(n.kept, func(x note) bool { return x.Duration > 0 }), 0)
		gone = n.kept[i].shown
		n.kept = slices.Delete(n.kept, i, i+1)
	}
	n.kept = append(n.kept, fresh)
	g.tellNotes(at, gone)
}

// clearNotes removes one notification, or all.
func (g *game) clearNotes(at time.Time, p *protocol.HudNotificationClear) {
	g.dropNotes(at, func(x *note) bool { return p.NotificationID == 0 || x.NotificationID == p.NotificationID })
}

func (g *game) driveNotes(at time.Time) {
	g.dropNotes(at, func(x *note) bool { return !x.Until.IsZero() && g.ui.ended(at, x.Until) })
}

func (g *game) dropNotes(at time.Time, which func(*note) bool) {
	shown := false
	g.ui.notes.kept = slices.DeleteFunc(g.ui.notes.kept, func(x note) bool {
		gone := which(&x)
		shown = shown || gone && x.shown
		return gone
	})
	g.tellNotes(at, shown)
}

// addKill takes an entry of the kill feed; the newest stay.
func (g *game) addKill(at time.Time, p *protocol.HudKillFeedAdd) {
	k := Kill{*p, at.Add(killShown)}
	g.ui.kills = append(g.ui.kills, k)
	g.ui.kills = g.ui.kills[max(len(g.ui.kills)-shownKills, 0):]
	g.ui.alarm(k.Until)
	g.tellKills()
}

func (g *game) tellKills() {
	now := slices.Clone(g.ui.kills)
	g.tell(func(h Handler) { h.KillFeed(now) })
}

func (g *game) clearKills() {
	if len(g.ui.kills) > 0 {
		g.ui.kills = nil
		g.tellKills()
	}
}

func (g *game) driveKills(at time.Time) {
	before := len(g.ui.kills)
	g.ui.kills = slices.DeleteFunc(g.ui.kills, func(k Kill) bool { return g.ui.ended(at, k.Until) })
	if len(g.ui.kills) < before {
		g.tellKills()
	}
}
