package samples

import (
	"math"

	p "darqline/protocol"
)

func uiInvalid() []Invalid {
	return append(uiChatInvalid(), uiListInvalid()...)
}

func uiChatInvalid() []Invalid {
	return []Invalid{
		{"client_chat.channel_2", "client_chat", "channel", uint8(2), "channel at byte 13: 2 is outside 0..1"},
		{"client_chat.text_empty", "client_chat", "len", uint16(0), "0 bytes are outside 1..512"},
		{"client_chat.text_513_bytes", "client_chat", "len", uint16(513), "513 bytes are outside 1..512"},
		{"client_chat.text_beyond_the_end", "client_chat", "len", uint16(47), "text at byte 16: the packet ends here"},
		{"client_chat.text_newline", "client_chat_team", "text", "\n", "control character U+000A"},
		{"client_chat.text_not_utf8", "client_chat_team", "text", "\xC3", "byte 0xc3 is not UTF-8"},
		{"client_chat.text_right_to_left_override", "client_chat_team", "text", "\u202E", "control or format character U+202E"},
		{"client_chat.text_line_separator", "client_chat_team", "text", "\u2028", "separator U+2028"},
		{"chat_message.player_id_none", "chat_message", "player_id", uint16(p.NoPlayer), "65535 is outside"},
		{"chat_message.player_token_zero", "chat_message", "player_token", uint32(0), "must not be 0"},
		{"chat_message.channel_2", "chat_message", "channel", uint8(2), "2 is outside"},
		{"chat_message.flags_undefined", "chat_message", "flags", uint8(4), "bits 0x4 are not defined"},
		{"chat_message.color_of_the_theme_with_red", "chat_message", "color", uint8(1), "color at byte 17: with alpha 0, the theme's color, r, g and b are 0"},
		{"chat_message.name_empty", "chat_message", "name_len", uint8(0), "name_len at byte 21: 0 bytes are outside 1..64"},
		{"chat_message.name_65_bytes", "chat_message", "name_len", uint8(65), "65 bytes are outside 1..64"},
		{"chat_message.pieces_short_of_the_end", "chat_message", "name_len", uint8(12), "bytes too many"},
		{"chat_message.text_513_bytes", "chat_message", "len", uint16(513), "513 bytes are outside"},
		{"chat_message.name_newline", "chat_message", "name", "\n", "name at byte 24: control character"},
		{"client_command.text_empty", "client_command", "len", uint16(0), "0 bytes are outside 1..512"},
		{"client_command.text_short_of_the_end", "client_command", "len", uint16(1), "end at byte 16: 13 bytes too many"},
		{"client_command.text_newline", "client_command", "text", "\n", "control character U+000A"},
		{"server_message.kind_5", "server_message", "kind", uint8(5), "5 is outside 0..4"},
		{"server_message.flags_undefined", "server_message", "flags", uint8(4), "bits 0x4"},
		{"server_message.text_1025_bytes", "server_message", "len", uint16(1025), "1025 bytes are outside 0..1024"},
		{"server_message.text_13_lines", "server_message", "text", long("\n", 11), "more than 12 lines"},
		{"server_message.text_carriage_return", "server_message", "text", "\r", "control character U+000D"},
		{"server_message.nothing", "server_message_clear", "flags", uint8(0), "text is empty and the window is not emptied"},
		{"server_message.color_of_the_theme_with_red", "server_message_clear", "color", p.RGBA{R: 255}, "with alpha 0"},
		{"player_chat_bubble.player_id_none", "player_chat_bubble", "player_id", uint16(p.NoPlayer), "65535 is outside"},
		{"player_chat_bubble.player_token_zero", "player_chat_bubble", "player_token", uint32(0), "must not be 0"},
		{"player_chat_bubble.duration_499", "player_chat_bubble", "duration", uint32(499), "499 is neither 0 nor within 500..60000"},
		{"player_chat_bubble.duration_60001", "player_chat_bubble", "duration", uint32(60001), "60001 is neither 0 nor within 500..60000"},
		{"player_chat_bubble.duration_zero", "player_chat_bubble", "duration", uint32(0), "must be 0 where the thing is removed"},
		{"player_chat_bubble.distance_small", "player_chat_bubble", "distance", float32(0.5), "0.5 is outside 1..100"},
		{"player_chat_bubble.distance_large", "player_chat_bubble", "distance", float32(100.5), "100.5 is outside"},
		{"player_chat_bubble.distance_nan", "player_chat_bubble", "distance", nan, "NaN is not a finite number"},
		{"player_chat_bubble.distance_zero", "player_chat_bubble", "distance", float32(0), "0 is outside 1..100"},
		{"player_chat_bubble.flags_undefined", "player_chat_bubble", "flags", uint8(2), "bits 0x2"},
		{"player_chat_bubble.text_5_lines", "player_chat_bubble", "text", "\n", "more than 4 lines"},
		{"player_chat_bubble.remove_with_duration", "player_chat_bubble_remove", "duration", uint32(500), "0 is outside 1..100"},
		{"player_chat_bubble.remove_with_distance", "player_chat_bubble_remove", "distance", float32(1), "must be 0 where the thing is removed"},
		{"player_chat_bubble.remove_with_minus_zero", "player_chat_bubble_remove", "distance", float32(math.Copysign(0, -1)), "must be 0 where the thing is removed"},
		{"player_chat_bubble.remove_with_flags", "player_chat_bubble_remove", "flags", uint8(1), "must be 0 where the thing is removed"},
		{"player_chat_bubble.remove_with_color", "player_chat_bubble_remove", "color", p.RGBA{R: 1, G: 2, B: 3, A: 255}, "must be 0 where the thing is removed"},
	}
}

func uiListInvalid() []Invalid {
	return []Invalid{
		{"ui_theme.accent_transparent", "ui_theme", "colors[0]+3", uint8(0), "colors[0] must not have alpha 0"},
		{"ui_theme.on_accent_transparent", "ui_theme", "colors[1]+3", uint8(0), "colors[1] must not have alpha 0"},
		{"ui_theme.text_transparent", "ui_theme", "colors[4]+3", uint8(0), "colors[4] must not have alpha 0"},
		{"ui_theme.muted_transparent", "ui_theme", "colors[5]+3", uint8(0), "colors[5] must not have alpha 0"},
		{"ui_theme.info_transparent", "ui_theme", "colors[8]+3", uint8(0), "colors[8] must not have alpha 0"},
		{"ui_theme.error_transparent", "ui_theme", "colors[11]+3", uint8(0), "colors[11] must not have alpha 0"},
		{"ui_theme.radius_17", "ui_theme", "radius", uint8(17), "17 is outside 0..16"},
		{"ui_theme.scale_74", "ui_theme", "scale", uint8(74), "74 is outside 75..150"},
		{"ui_theme.scale_151", "ui_theme", "scale", uint8(151), "151 is outside 75..150"},
		{"ui_theme.font_3", "ui_theme", "font", uint8(3), "3 is outside 0..2"},
		{"ui_theme.chat_lines_4", "ui_theme", "chat_lines", uint8(4), "4 is outside 5..30"},
		{"ui_theme.chat_lines_31", "ui_theme", "chat_lines", uint8(31), "31 is outside 5..30"},
		{"platform_keys.key_108", "platform_keys", "keys[3]", uint8(108), "keys[3] at byte 8: 108 is outside 0..107"},
		{"platform_keys.escape", "platform_keys", "keys[2]", uint8(p.KeyEscape), "keys[2]: Escape"},
		{"platform_keys.menu_up_without_key", "platform_keys", "keys[7]", uint8(0), "keys[7]: a menu needs this key"},
		{"platform_keys.menu_down_without_key", "platform_keys", "keys[8]", uint8(0), "keys[8]: a menu needs this key"},
		{"platform_keys.menu_select_without_key", "platform_keys", "keys[11]", uint8(0), "keys[11]: a menu needs this key"},
		{"platform_keys.menu_back_without_key", "platform_keys", "keys[12]", uint8(0), "keys[12]: a menu needs this key"},
		{"platform_keys.key_twice", "platform_keys", "keys[14]", uint8(20), "keys[14]: T stands there twice"},
		{"platform_keys.menu_key_twice", "platform_keys", "keys[9]", uint8(76), "keys[9]: Up stands there twice"},
		{"player_list_entry.count_zero", "player_list_entry", "count", uint8(0), "count at byte 5: 0 is outside 1..170"},
		{"player_list_entry.count_171", "player_list_entry", "count", uint8(171), "171 is outside 1..170"},
		{"player_list_entry.count_small", "player_list_entry", "count", uint8(1), "bytes too many"},
		{"player_list_entry.count_large", "player_list_entry", "count", uint8(3), "entries[2].op at byte"},
		{"player_list_entry.len_small", "player_list_entry", "len", uint16(7), "len at byte 6: it says 7 bytes"},
		{"player_list_entry.op_4", "player_list_entry", "entries[0].op", uint8(4), "entries[0].op at byte 8: 4 is outside 0..3"},
		{"player_list_entry.flags_undefined", "player_list_entry", "entries[0].flags", uint8(4), "entries[0].flags at byte 17: bits 0x4"},
		{"player_list_entry.color_of_the_theme_with_red", "player_list_entry", "entries[0].color+3", uint8(0), "color at byte 20: with alpha 0"},
		{"player_list_entry.name_empty", "player_list_entry", "entries[0].name", uint8(0), "entries[0].name at byte 24: 0 bytes are outside 1..47"},
		{"player_list_entry.name_48_bytes", "player_list_entry", "entries[0].name", uint8(48), "48 bytes are outside 1..47"},
		{"player_list_entry.group_33_bytes", "player_list_entry", "entries[0].group", uint8(33), "entries[0].group at byte 35: 33 bytes are outside 0..32"},
		{"player_list_entry.7_cells", "player_list_entry", "entries[0].count", uint8(7), "count at byte 41: 7 is outside 0..6"},
		{"player_list_entry.cell_newline", "player_list_entry", "entries[0].cells[0]+1", "\n", "entries[0].cells[0] at byte 43: control"},
		{"player_list_entry.header_with_player_id", "player_list_entry_header", "entries[0].player_id", uint16(1), "a header has player_id 0xFFFF and player_token 0"},
		{"player_list_entry.header_with_player_token", "player_list_entry_header", "entries[0].player_token", uint32(1), "a header has player_id 0xFFFF and player_token 0"},
		{"player_list_entry.title_97_bytes", "player_list_entry_header", "entries[0].title", uint8(97), "entries[0].title at byte 15: 97 bytes are outside 0..96"},
		{"player_list_entry.align_3", "player_list_entry_header", "entries[0].columns[0].align", uint8(3), "entries[0].columns[0].align at byte 29: 3 is outside 0..2"},
		{"player_list_entry.width_101", "player_list_entry_header", "entries[0].columns[0].width", uint8(101), "columns[0].width at byte 30: 101 is outside 0..100"},
		{"player_list_entry.heading_empty", "player_list_entry_header", "entries[0].columns[0].heading", uint8(0), "columns[0].heading at byte 31: 0 bytes are outside 1..32"},
		{"player_list_entry.player_id_none", "player_list_entry_ping", "entries[0].player_id", uint16(p.NoPlayer), "entries[0]: player_id 0xFFFF or player_token 0"},
		{"player_list_entry.player_token_zero", "player_list_entry_ping", "entries[0].player_token", uint32(0), "entries[0]: player_id 0xFFFF or player_token 0"},
		{"player_list_entry.player_twice", "player_list_entry_ping", "entries[0].player_id", uint16(3), "entries[1]: player 3 stands there twice"},
	}
}
