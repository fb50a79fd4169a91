package client

import "darqline/protocol"

// chat passes a line of a player on.
func (s *session) chat(p *protocol.ChatMessage) {
	s.handler.Chat(Chat{
		PlayerID:    p.PlayerID,
		PlayerToken: p.PlayerToken,
		Team:        p.Channel == protocol.ChannelTeam,
		Name:        p.Name,
		Text:        p.Text,
		NameMarkup:  p.Flags&protocol.ChatNameMarkup != 0,
		TextMarkup:  p.Flags&protocol.ChatTextMarkup != 0,
		NameColor:   p.NameColor,
		Color:       p.Color,
	})
}

// message passes a line that no player wrote on.
func (s *session) message(p *protocol.ServerMessage) {
	s.handler.Message(Message{
		Kind:   p.Kind,
		Text:   p.Text,
		Markup: p.Flags&protocol.MessageMarkup != 0,
		Clear:  p.Flags&protocol.MessageClear != 0,
		Color:  p.Color,
	})
}

// listEntries takes a batch of changes of the player list.
func (s *session) listEntries(p *protocol.PlayerListEntry) {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Op == protocol.ListHeader {
			s.handler.PlayerList(listHeader(e))
		} else if row, ok := s.list.apply(e); ok {
			s.handler.Player(row)
		}
	}
}

func listHeader(e *protocol.ListEntry) PlayerList {
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
