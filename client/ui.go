package client

import (
	"time"

	"darqline/protocol"
)

// applyUI takes a packet of page Chat, HUD and dialogs. It says whether it was one.
func (g *game) applyUI(now time.Duration, p protocol.Packet) bool {
	at := g.at(now)
	switch p := p.(type) {
	case *protocol.UiTheme:
		g.ui.theme = *p
		g.tell(func(h Handler) { h.Theme(*p) })
		return true
	case *protocol.PlatformKeys:
		g.ui.keys = *p
		g.tell(func(h Handler) { h.PlatformKeys(*p) })
		g.rebind()
		return true
	case *protocol.ServerMessage:
		g.message(p)
		return true
	}
	return g.applyOpen(at, p) || g.applyHud(at, p) || g.applyPeople(at, p)
}

// applyOpen takes what waits for the player: dialogs, menus, offers, actions.
func (g *game) applyOpen(at time.Time, p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.DialogShow:
		g.dialogShow(at, p)
	case *protocol.DialogTable:
		g.dialogTable(at, p)
	case *protocol.DialogForm:
		g.dialogForm(at, p)
	case *protocol.DialogTableRows:
		g.dialogRows(at, p)
	case *protocol.DialogHide:
		g.dialogHide(p)
	case *protocol.MenuShow:
		g.menuShow(p)
	case *protocol.MenuItems:
		g.menuItems(p)
	case *protocol.MenuHide:
		g.menuHide(p)
	case *protocol.OfferShow:
		g.offerShow(at, p)
	case *protocol.OfferHide:
		g.offerHide(p)
	case *protocol.ActionDeclare:
		g.declare(p)
	case *protocol.ActionRemove:
		g.removeAction(p)
	case *protocol.ActionPrompt:
		g.prompt(p)
	default:
		return false
	}
	return true
}

// applyPeople takes what is about players and what they say, and what comes and goes at the side.
func (g *game) applyPeople(at time.Time, p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.ChatMessage:
		g.chat(p)
	case *protocol.PlayerChatBubble:
		g.bubble(at, p)
	case *protocol.PlayerNametag:
		g.nametag(p)
	case *protocol.PlayerListEntry:
		g.listEntries(p)
	case *protocol.HudNotificationAdd:
		g.notify(at, p)
	case *protocol.HudNotificationClear:
		g.clearNotes(at, p)
	case *protocol.HudKillFeedAdd:
		g.addKill(at, p)
	case *protocol.HudKillFeedClear:
		g.clearKills()
	default:
		return false
	}
	return true
}

// chat passes a line of a player on.
func (g *game) chat(p *protocol.ChatMessage) {
	line := Chat{
		PlayerID:    p.PlayerID,
		PlayerToken: p.PlayerToken,
		Team:        p.Channel == protocol.ChannelTeam,
		Name:        p.Name,
		Text:        p.Text,
		NameMarkup:  p.Flags&protocol.ChatNameMarkup != 0,
		TextMarkup:  p.Flags&protocol.ChatTextMarkup != 0,
		NameColor:   p.NameColor,
		Color:       p.Color,
	}
	g.tell(func(h Handler) { h.Chat(line) })
}

// message passes a line that no player wrote on.
func (g *game) message(p *protocol.ServerMessage) {
	line := Message{
		Kind:   p.Kind,
		Text:   p.Text,
		Markup: p.Flags&protocol.MessageMarkup != 0,
		Clear:  p.Flags&protocol.MessageClear != 0,
		Color:  p.Color,
	}
	g.tell(func(h Handler) { h.Message(line) })
}
