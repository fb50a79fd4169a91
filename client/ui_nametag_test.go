package client

import (
	"testing"
	"time"

	"darqline/protocol"
)

func spawnedFor(id uint16, token uint32) *protocol.PlayerSpawned {
	return &protocol.PlayerSpawned{PlayerID: id, PlayerToken: token, Health: 100, FightingStyle: protocol.FightStandard}
}

func tag(id uint16, token uint32, distance float32) *protocol.PlayerNametag {
	p := protocol.DefaultNametag(id, token)
	p.Distance = distance
	return p
}

func TestNametagsGoByGeneration(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		leave := &protocol.PlayerLeave{PlayerID: 7, PlayerToken: 70}
		for _, step := range []struct {
			what   string
			packet protocol.Packet
			heard  []string
		}{
			{"of nobody", tag(7, 70, 60), nil},
			{"he comes", spawnedFor(7, 70), nil},
			{"his nametag", tag(7, 70, 60), []string{`nametag 7/70 "" 60`}},
			{"of the owner before", tag(7, 69, 80), nil},
			{"the default one", tag(7, 70, 40), []string{`nametag 7/70 "" 40`}},
			{"another one", tag(7, 70, 50), []string{`nametag 7/70 "" 50`}},
			{"he comes into view anew", spawnedFor(7, 70), []string{`nametag 7/70 "" 40`}},
			{"a late spawn of the owner before", spawnedFor(7, 69), nil},
			{"another one", tag(7, 70, 90), []string{`nametag 7/70 "" 90`}},
			{"a late spawn of the owner before", spawnedFor(7, 69), nil},
			{"the own one", tag(myID, myToken, 90), nil},
		} {
			st.lane(step.packet)
			t.Log(step.what)
			equal(t, st.take("nametag"), step.heard...)
		}
		if st.client.Nametag(7, 70).Distance != 90 || st.client.Nametag(7, 71).Distance != 40 || len(st.client.UI().Nametags) != 1 {
			t.Errorf("%+v", st.client.UI().Nametags)
		}
		st.lane(leave)
		if len(st.client.UI().Nametags) != 0 {
			t.Error("he has left")
		}
	})
}

func TestBubbles(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		say := func(id uint16, token, ms uint32, text string) {
			p := &protocol.PlayerChatBubble{PlayerID: id, PlayerToken: token, Duration: ms, Text: text}
			if ms > 0 {
				p.Distance = 20
			}
			st.lane(p)
		}
		say(7, 70, 1000, "nobody")
		st.lane(spawnedFor(7, 70))
		st.take()
		say(7, 70, 0, "")
		say(7, 70, 1000, "one")
		say(7, 69, 1000, "another")
		time.Sleep(500 * time.Millisecond)
		say(7, 70, 1000, "two")
		say(myID, myToken, 5000, "me")
		equal(t, st.take("bubble"), `bubble 7/70 "one"`, `bubble 7/70 "two"`, `bubble 3/40 "me"`)
		st.alive(999 * time.Millisecond)
		equal(t, st.take("bubble"))
		st.alive(time.Millisecond)
		equal(t, st.take("bubble"), `bubble 7/70 ""`)
		say(myID, myToken, 0, "")
		equal(t, st.take("bubble"), `bubble 3/40 ""`)
		say(7, 70, 1000, "three")
		st.lane(spawnedFor(7, 71)) // another player, the leave was lost
		if n := len(st.client.UI().Bubbles); n != 0 {
			t.Errorf("%d bubbles", n)
		}
		say(7, 71, 1000, "four")
		st.lane(&protocol.PlayerLeave{PlayerID: 7, PlayerToken: 71})
		if n := len(st.client.UI().Bubbles); n != 0 {
			t.Errorf("%d bubbles", n)
		}
	})
}

func TestThePlayerListAsAWhole(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(&protocol.PlayerListEntry{Entries: []protocol.ListEntry{
			{Op: protocol.ListHeader, PlayerID: protocol.NoPlayer, Title: "T", Columns: []protocol.ListColumn{{Heading: "Job", Align: protocol.AlignRight, Width: 20}}},
			{Op: protocol.ListWhole, PlayerID: 9, PlayerToken: 90, Name: "Zed", Cells: []string{"cop"}, Flags: protocol.ListHidden},
			{Op: protocol.ListWhole, PlayerID: 3, PlayerToken: 40, Name: "Carl", Flags: protocol.ListSelf},
		}})
		list, rows := st.client.Players()
		if list.Title != "T" || len(list.Columns) != 1 || list.Columns[0] != (Column{"Job", protocol.AlignRight, 20}) {
			t.Errorf("%+v", list)
		}
		if len(rows) != 2 || rows[0].Name != "Carl" || !rows[0].You || rows[1].Listed || rows[1].Cells[0] != "cop" {
			t.Errorf("%+v", rows)
		}
	})
}
