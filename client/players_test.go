package client

import (
	"testing"

	"darqline/protocol"
)

func TestPlayerList(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		whole := func(id uint16, token uint32, name string) protocol.ListEntry {
			return protocol.ListEntry{Op: protocol.ListWhole, PlayerID: id, PlayerToken: token, Name: name, Ping: 20}
		}
		change := func(op protocol.ListOp, id uint16, token uint32) protocol.ListEntry {
			e := protocol.ListEntry{Op: op, PlayerID: id, PlayerToken: token}
			if op == protocol.ListPing {
				e.Ping = 99
			}
			return e
		}
		leave := func(id uint16, token uint32) *protocol.PlayerLeave {
			return &protocol.PlayerLeave{PlayerID: id, PlayerToken: token, Reason: protocol.ReasonTimeout}
		}
		entries := func(list ...protocol.ListEntry) *protocol.PlayerListEntry {
			return &protocol.PlayerListEntry{Entries: list}
		}
		header := protocol.ListEntry{Op: protocol.ListHeader, PlayerID: protocol.NoPlayer, Title: "T", Columns: []protocol.ListColumn{{Heading: "Job", Width: 20}}}
		for _, step := range []struct {
			what   string
			packet protocol.Packet
			heard  []string
		}{
			{"a batch", entries(header, whole(1, 10, "Ann"), whole(2, 11, "Bob")), []string{"list T 1", "player 1/10 Ann true 20", "player 2/11 Bob true 20"}},
			{"a ping", entries(change(protocol.ListPing, 1, 10)), []string{"player 1/10 Ann true 99"}},
			{"a ping of an earlier owner", entries(change(protocol.ListPing, 1, 9)), nil},
			{"a ping of one who was never told", entries(change(protocol.ListPing, 5, 9)), nil},
			{"a row of an earlier owner", entries(whole(1, 9, "Old")), nil},
			{"off the list, the name stays", entries(change(protocol.ListRemove, 2, 11)), []string{"player 2/11 Bob false 20"}},
			{"the name is known when he leaves", leave(2, 11), []string{"left 2/11 Bob timeout"}},
			{"once", leave(2, 11), nil},
			{"who has left stays away", entries(whole(2, 11, "Bob")), nil},
			{"the next owner", entries(whole(2, 12, "Cid")), []string{"player 2/12 Cid true 20"}},
			{"a leave of the earlier owner", leave(2, 11), nil},
			{"a new owner, the leave lost", entries(whole(1, 13, "Dan")), []string{"player 1/13 Dan true 20"}},
			{"a late leave of the owner before", leave(1, 10), []string{"left 1/10  timeout"}},
			{"which does not touch the row", entries(change(protocol.ListPing, 1, 13)), []string{"player 1/13 Dan true 99"}},
			{"one who was never in the list", leave(7, 14), []string{"left 7/14  timeout"}},
		} {
			st.lane(step.packet)
			t.Log(step.what)
			equal(t, st.take(), step.heard...)
		}
	})
}

func TestChatAndMessages(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(&protocol.ChatMessage{PlayerID: 9, PlayerToken: 8, Name: "Zed", Text: "hello"}) // of a player who is not known
		st.lane(&protocol.ServerMessage{Kind: protocol.MessageError, Flags: protocol.MessageClear | protocol.MessageMarkup})
		equal(t, st.take(), "chat 9 Zed: hello", `message 4 "" true true`)
	})
}
