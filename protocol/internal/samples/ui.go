package samples

import p "darqline/protocol"

func ui() []Sample {
	theme := p.RGBA{}
	return []Sample{
		{File: "client_chat", Packet: &p.ClientChat{Channel: p.ChannelAll, Text: "Привет, {not a color} 🚗"}},
		{File: "client_chat_team", Packet: &p.ClientChat{Channel: p.ChannelTeam, Text: long("x", 512)}},
		{File: "chat_message", Packet: &p.ChatMessage{
			PlayerID: 258, PlayerToken: 70001, Channel: p.ChannelAll, Flags: p.ChatNameMarkup, NameColor: gold, Color: theme, Name: "{FFC810}CJ{/}", Text: "Hello {all}",
		}},
		{File: "client_command", Packet: &p.ClientCommand{Text: "veh infernus 2"}},
		{File: "server_message", Packet: &p.ServerMessage{Kind: p.MessageWarning, Flags: p.MessageMarkup, Color: gold, Text: "{FF0000}Slow down{/}: 3 s\nPress {key:2}"}},
		{File: "server_message_clear", Packet: &p.ServerMessage{Flags: p.MessageClear}},
		{File: "player_chat_bubble", Packet: &p.PlayerChatBubble{
			PlayerID: 258, PlayerToken: 70001, Duration: 5000, Distance: 30, Flags: p.BubbleMarkup, Color: gold, Text: "Over {00FF00}here{/}\n4\n3\n2",
		}},
		{File: "player_chat_bubble_remove", Packet: &p.PlayerChatBubble{PlayerID: 258, PlayerToken: 70001}},
		{File: "ui_theme", Packet: uiTheme()},
		{File: "platform_keys", Packet: p.DefaultPlatformKeys()},
		{File: "player_list_entry", Packet: &p.PlayerListEntry{Entries: []p.ListEntry{
			{Op: p.ListWhole, PlayerID: 258, PlayerToken: 70001, Ping: 48, Flags: p.ListSelf, Order: -2, Color: gold, Name: "CJ_Johnson", Group: "Grove", Cells: []string{"12", "", "{FF0000}3{/}"}},
			{Op: p.ListWhole, PlayerID: 0, PlayerToken: 9, Name: long("n", 47), Group: long("g", 32), Cells: []string{long("1", 32), "2", "3", "4", "5", "6"}},
		}}},
		{File: "player_list_entry_header", Packet: &p.PlayerListEntry{Entries: []p.ListEntry{
			{Op: p.ListHeader, PlayerID: p.NoPlayer, Title: "Grove Street", Columns: []p.ListColumn{{Align: p.AlignCenter, Width: 20, Heading: "Kills"}, {Align: p.AlignRight, Width: 100, Heading: "D"}}},
		}}},
		{File: "player_list_entry_ping", Packet: &p.PlayerListEntry{Entries: []p.ListEntry{
			{Op: p.ListPing, PlayerID: 258, PlayerToken: 70001, Ping: 48}, {Op: p.ListPing, PlayerID: 3, PlayerToken: 70002, Ping: 65535},
		}}},
		{File: "player_list_entry_remove", Packet: &p.PlayerListEntry{Entries: []p.ListEntry{{Op: p.ListRemove, PlayerID: 258, PlayerToken: 70001}}}},
	}
}

// uiTheme has twelve colors that differ in each channel, two of them
// transparent where that is allowed.
func uiTheme() *p.UiTheme {
	t := &p.UiTheme{Radius: 16, Scale: 75, Font: p.FontGame, ChatLines: 30, Hud: p.HudRadar | p.HudChat | p.HudRadio}
	for i := range t.Colors {
		t.Colors[i] = p.RGBA{R: uint8(i), G: uint8(0x40 + i), B: uint8(0x80 + i), A: 0xFF}
	}
	t.Colors[p.ColorBackground].A = 0
	t.Colors[p.ColorBorder] = p.RGBA{}
	return t
}
