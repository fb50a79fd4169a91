package samples

import "strings"

// viewsInvalid has nothing of ViewStatus and ViewAction but their length: all
// else that is wrong with them is acknowledged and dropped.
func viewsInvalid() []Invalid {
	return []Invalid{
		{"resource_files.name_upper_case", "resource_files", "name", "A", "'A' in the resource's name"},
		{"resource_files.name_empty", "resource_files", "name", [32]byte{}, "a resource's name has 1..31 bytes"},
		{"resource_files.name_not_terminated", "resource_files", "name+4", strings.Repeat("a", 28), "not NUL-terminated"},
		{"resource_files.name_rest_not_zero", "resource_files", "name+5", "a", "a byte that must be zero is not"},
		{"resource_files.total_0", "resource_files", "total", uint8(0), "0 is outside 1..64"},
		{"resource_files.total_65", "resource_files", "total", uint8(65), "65 is outside 1..64"},
		{"resource_files.files_behind_the_last", "resource_files", "first", uint8(2), "files 2..3 are outside a manifest of 3"},
		{"resource_files.first_255", "resource_files", "first", uint8(255), "files 255..256 are outside"},
		{"resource_files.count_0", "resource_files", "count", uint8(0), "count at byte 43: 0 is outside 1..7"},
		{"resource_files.count_8", "resource_files", "count", uint8(8), "8 is outside 1..7"},
		{"resource_files.path_empty", "resource_files", "count", uint8(3), "entries[2].path at byte 308: the path is empty"},
		{"resource_files.rest_not_zero", "resource_files", "count", uint8(1), "entries at byte 176: a byte that must be zero is not"},
		{"resource_files.last_byte_not_zero", "resource_files", "rest of entries+659", uint8(1), "entries at byte 967: a byte that must be zero is not"},
		{"resource_files.path_begins_with_slash", "resource_files", "entries[0].path", "/", "entries[0].path at byte 44"},
		{"resource_files.path_double_dot", "resource_files", "entries[1].path", "../", `has a segment ".."`},
		{"resource_files.path_unknown_extension", "resource_files", "entries[0].path+5", "exe\x00", `the extension "exe"`},
		{"resource_files.size_over_4_mib", "resource_files", "entries[0].size", uint32(4<<20 + 1), "entries[0].size at byte 140: 4194305 is outside 0..4194304"},
		{"resource_remove.name_dot", "resource_remove", "name", ".", "'.' in the resource's name"},
		{"view_open.name_space", "view_open", "name", " ", "' ' in the resource's name"},
		{"view_open.entry_not_html", "view_open", "entry+5", "js\x00\x00", `"shop.js" is not an .html file`},
		{"view_open.entry_empty", "view_open", "entry", [96]byte{}, "the path is empty"},
		{"view_open.input_3", "view_open", "input", uint8(3), "input at byte 141: 3 is outside 0..2"},
		{"view_open.origin_without_scheme", "view_open", "origins", "a", "an origin begins with https://"},
		{"view_open.origins_rest_not_zero", "view_open", "origins+1", "a", "origins at byte 143: a byte that must be zero is not"},
		{"view_open.origin_empty", "view_open", "origins", "\n", "an origin begins with https://"},
		{"view_open.origin_empty_at_the_end", "view_open", "origins", "http://localhost\n", `origin "": an origin begins`},
		{"view_open.origins_5", "view_open_sign_in", "origins+21", "\n", "5 origins, at most 4 are allowed"},
		{"view_open.origin_upper_case", "view_open_sign_in", "origins", "H", `origin "Https://`},
		{"view_close.too_long", "view_close", "", uint8(0), "ViewClose: 10 bytes instead of 9"},
		{"view_data.topic_upper_case", "view_data", "topic", "A", "'A' in the name"},
		{"view_data.topic_empty", "view_data", "topic", [32]byte{}, "a name has 1..31 bytes"},
		{"view_data.part_1_of_1", "view_data", "part", uint8(1), "part 1 of 1"},
		{"view_data.parts_0", "view_data", "parts", uint8(0), "0 is outside 1..16"},
		{"view_data.parts_17", "view_data", "parts", uint8(17), "17 is outside 1..16"},
		{"view_data.len_1025", "view_data", "len", uint16(1025), "1025 is outside 0..1024"},
		{"view_data.rest_not_zero", "view_data", "len", uint16(1), "data at byte 50: a byte that must be zero is not"},
		{"view_data.last_byte_not_zero", "view_data", "data+1023", uint8(1), "data at byte 1072: a byte that must be zero is not"},
		{"view_status.too_long", "view_status", "", uint8(0), "ViewStatus: 19 bytes instead of 18"},
		{"view_action.too_long", "view_action", "", uint8(0), "ViewAction: 1079 bytes instead of 1078"},
	}
}
