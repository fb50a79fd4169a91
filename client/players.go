package client

import "darqline/protocol"

// playerList is the list of players with tokens of its own, apart from the mirror of those in view (page Chat, HUD and
// dialogs, "PlayerListEntry"). The zero value is ready.
type playerList struct {
	heading PlayerList
	rows    map[uint16]*Player
	left    map[uint16]uint32 // token of the last owner of an id who has left
}

// listEntries takes a batch of changes of the player list.
func (g *game) listEntries(p *protocol.PlayerListEntry) {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Op == protocol.ListHeader {
			heading := listHeading(e)
			g.ui.list.heading = heading
			g.tell(func(h Handler) { h.PlayerList(heading) })
		} else if row, ok := g.ui.list.apply(e); ok {
			g.tell(func(h Handler) { h.Player(row) })
		}
	}
}

func listHeading(e *protocol.ListEntry) PlayerList {
	h := PlayerList{Title: e.Title}
	for _, c := range e.Columns {
		h.Columns = append(h.Columns, Column{Heading: c.Heading, Align: c.Align, Width: int(c.Width)})
	}
	return h
}

// apply takes one change of a row. It gives the row as it is now, and false where the change is void: of an earlier owner
// of the id, or of a row that was never told.
func (l *playerList) apply(e *protocol.ListEntry) (Player, bool) {
	if e.Op == protocol.ListWhole {
		return l.set(Player{
			ID:     e.PlayerID,
			Token:  e.PlayerToken,
			Name:   e.Name,
			Ping:   int(e.Ping),
			Listed: e.Flags&protocol.ListHidden == 0,
			You:    e.Flags&protocol.ListSelf != 0,
			Order:  e.Order,
			Color:  e.Color,
			Group:  e.Group,
			Cells:  e.Cells,
		})
	}
	row := l.rows[e.PlayerID]
	if row == nil || row.Token != e.PlayerToken {
		return Player{}, false
	}
	switch e.Op {
	case protocol.ListRemove:
		row.Listed = false // the name stays known until PlayerLeave
	case protocol.ListPing:
		row.Ping = int(e.Ping)
	}
	return *row, true
}

// set takes a row as a whole; one of an earlier owner of the id gives false.
func (l *playerList) set(row Player) (Player, bool) {
	if old := l.rows[row.ID]; row.Token <= l.left[row.ID] || old != nil && row.Token < old.Token {
		return Player{}, false
	}
	if l.rows == nil {
		l.rows = make(map[uint16]*Player)
	}
	l.rows[row.ID] = &row
	return row, true
}

// all are the rows by id.
func (l *playerList) all() []Player {
	list := make([]Player, 0, len(l.rows))
	for _, row := range byPlayer(l.rows) {
		list = append(list, *row)
	}
	return list
}

// leave removes the row of exactly this owner of the id and gives his name, "" if it is not known. An owner who left
// before gives false.
func (l *playerList) leave(id uint16, token uint32) (name string, ok bool) {
	if token <= l.left[id] {
		return "", false
	}
	if l.left == nil {
		l.left = make(map[uint16]uint32)
	}
	l.left[id] = token
	if row := l.rows[id]; row != nil && row.Token == token {
		delete(l.rows, id)
		return row.Name, true
	}
	return "", true
}

// playerLeave takes a PlayerLeave, for the mirror and for the list.
func (g *game) playerLeave(p *protocol.PlayerLeave) {
	g.crowd.leave(p.PlayerID, p.PlayerToken, g.tell)
	g.ui.forget(p.PlayerID, p.PlayerToken)
	if name, ok := g.ui.list.leave(p.PlayerID, p.PlayerToken); ok {
		left := PlayerLeft{ID: p.PlayerID, Token: p.PlayerToken, Name: name, Reason: p.Reason}
		g.tell(func(h Handler) { h.PlayerLeft(left) })
	}
}
