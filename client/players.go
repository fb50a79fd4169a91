package client

import "darqline/protocol"

// playerList is the list of players with tokens of its own, apart from the mirror of those in view (page Chat, HUD and
// dialogs, "PlayerListEntry"). The zero value is ready.
type playerList struct {
	rows map[uint16]*Player
	left map[uint16]uint32 // token of the last owner of an id who has left
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
func (s *session) playerLeave(p *protocol.PlayerLeave) {
	s.play(func(g *game) { g.crowd.leave(p.PlayerID, p.PlayerToken, g.tell) })
	if name, ok := s.list.leave(p.PlayerID, p.PlayerToken); ok {
		s.handler.PlayerLeft(PlayerLeft{ID: p.PlayerID, Token: p.PlayerToken, Name: name, Reason: p.Reason})
	}
}
