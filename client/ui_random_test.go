package client

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"darqline/protocol"
)

// randomUI is a packet of page Chat, HUD and dialogs with few ids, so that packets meet. Some cannot be sent.
func randomUI(r *rand.Rand) protocol.Packet {
	id, slot := uint32(1+r.IntN(3)), uint8(r.IntN(2))
	n := func(most int) int { return r.IntN(most + 1) }
	ms := uint32(500 * n(8))
	present := r.IntN(3) > 0
	switch r.IntN(24) {
	case 0:
		return show(id, protocol.DialogKind(n(3)), ofRows(uint16(n(3))), func(p *protocol.DialogShow) { p.Timeout = ms })
	case 1, 2:
		return rowsOf(id, uint16(n(2)), 1+n(1))
	case 3:
		return &protocol.DialogTable{DialogID: id, Rows: 1, Content: protocol.TableContent{
			DialogTexts: protocol.DialogTexts{Title: "T"}, Columns: make([]protocol.TableColumn, 1+n(1))}}
	case 4:
		first := n(len(form()) - 1)
		return formPart(id, first, form()[first:first+n(len(form())-first)])
	case 5:
		return &protocol.DialogHide{DialogID: id}
	case 6:
		return menuHead(id, uint16(1+n(3)), protocol.MenuFlags(n(7)))
	case 7, 8, 9, 10:
		change := []func(*protocol.MenuItem){disabled, closing, heading, removed, toggle, newRevision, choice(uint8(n(2))), slider(uint16(n(100)))}
		return itemsOf(id, menuItem(uint16(1+n(150)), "x", change[n(7)]), menuItem(uint16(200+n(1)), "y"))
	case 11:
		return &protocol.MenuHide{MenuID: id}
	case 12:
		return offer(uint32(1+n(5)), 3000+ms)
	case 13:
		return &protocol.OfferHide{OfferID: uint32(1 + n(5)), Reason: protocol.OfferEnd(n(2))}
	case 14, 15:
		return declare(id+uint32(n(1)*n(1)*n(200)), fmt.Sprint("a", id), "E", protocol.ActionFlags(n(7)), protocol.ActionStates(n(31)))
	case 16:
		return &protocol.ActionRemove{ActionID: id}
	case 17:
		if !present {
			return &protocol.ActionPrompt{ActionID: id}
		}
		return onScreen(id, "x")
	case 18:
		return &protocol.HudCountdown{Slot: slot, Mode: protocol.CountdownMode(1 + n(2)), Time: ms, Flags: protocol.CountdownFlags(n(7)), Label: "x"}
	case 19:
		return &protocol.HudAnnouncement{Place: protocol.AnnouncementPlace(n(2)), Duration: ms, Content: protocol.AnnouncementContent{Title: "A"}}
	case 20:
		return notification(uint32(1+n(40)), ms)
	case 21:
		return &protocol.HudNotificationClear{NotificationID: uint32(n(40))}
	case 22:
		return &protocol.HudKillFeedAdd{Cause: protocol.CauseScript, Victim: "x"}
	}
	return &protocol.PlayerChatBubble{PlayerID: myID, PlayerToken: myToken, Duration: ms, Distance: 5, Text: "x"}
}

// TestWhatAnHonestClientSends, whatever the server shows and the player does: an answer is for what is open, an item is
// named by its revision, edges alternate, and what has a time ends with it.
func TestWhatAnHonestClientSends(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newGame(testStart, Session{PlayerID: myID, PlayerToken: myToken}, new(memoryKeys))
		g.apply(0, &protocol.SpawnPlayer{Spawn: spawnInfo(1)})
		down := make(map[uint32]bool)
		var now time.Duration
		for range 2000 {
			now += time.Duration(r.IntN(200)) * time.Millisecond
			var frame protocol.PlayerSync
			g.drive(now, &frame)
			if r.IntN(2) == 0 {
				if p := randomUI(r); encodable(p) == nil {
					switch p := p.(type) { // the server has let it go itself
					case *protocol.ActionRemove:
						delete(down, p.ActionID)
					case *protocol.ActionDeclare:
						if p.Flags&protocol.ActionOff != 0 {
							delete(down, p.ActionID)
						}
					}
					g.apply(now, p)
				}
			} else {
				key := byte(r.IntN(256))
				if r.IntN(2) == 0 {
					key = byte(keyOf("E"))
				}
				performUI(g, now, byte(r.IntN(256)), key, byte(r.IntN(256)))
			}
			for _, p := range g.out {
				if in, ok := p.(*protocol.ActionInput); ok {
					if down[in.ActionID] == in.Pressed {
						t.Fatalf("seed %d: action %d twice %v", seed, in.ActionID, in.Pressed)
					}
					down[in.ActionID] = in.Pressed
				}
			}
			g.driveUI(now)
			settle(t, g, now)
		}
		now += time.Hour
		g.driveUI(now)
		view := g.ui.view()
		for _, a := range view.Hud.Announcements {
			if a.Shown() {
				t.Error("an announcement has not ended")
			}
		}
		if len(view.Offers)+len(view.KillFeed)+len(view.Bubbles) != 0 || view.Dialog != nil && !view.Dialog.Until.IsZero() {
			t.Errorf("seed %d: something has not ended", seed)
		}
	}
}
