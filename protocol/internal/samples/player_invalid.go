package samples

import (
	"math"

	p "darqline/protocol"
)

var nan, inf = float32(math.NaN()), float32(math.Inf(1))

func playerInvalid() []Invalid {
	return []Invalid{
		{"player_sync.position_nan", "player_sync", "frame.position", nan, "PlayerSync: frame.position at byte 17: (NaN, -1688.5, 13.75) is not within ±20000 on each axis"},
		{"player_sync.position_infinite", "player_sync", "frame.position+4", inf, "(2495.25, +Inf, 13.75) is not within"},
		{"player_sync.position_far", "player_sync", "frame.position", p.Vec3{X: 1, Y: 2, Z: -20000.5}, "(1, 2, -20000.5) is not within"},
		{"player_sync.aim_pitch_high", "player_sync", "frame.aim_pitch", int16(9001), "frame.aim_pitch at byte 39: 9001 is outside -9000..9000"},
		{"player_sync.aim_pitch_low", "player_sync", "frame.aim_pitch", int16(-9001), "-9001 is outside"},
		{"player_sync.move_x_least", "player_sync", "frame.move_x", int8(-128), "frame.move_x at byte 41: -128 is outside -127..127"},
		{"player_sync.move_y_least", "player_sync", "frame.move_y", int8(-128), "frame.move_y at byte 42: -128 is outside -127..127"},
		{"player_sync.keys_undefined", "player_sync", "frame.keys", uint16(1 << 11), "frame.keys at byte 43: bits 0x800 are not defined"},
		{"player_sync.weapon_19", "player_sync", "frame.weapon", uint8(19), "frame.weapon at byte 47: 19 is not one of 0..18, 22..46"},
		{"player_sync.weapon_47", "player_sync", "frame.weapon", uint8(47), "47 is not one of"},
		{"player_sync.action_16", "player_sync", "frame.action", uint8(16), "frame.action at byte 48: 16 is outside 0..15"},
		{"player_sync.health_101", "player_sync", "frame.health", uint8(101), "frame.health at byte 49: 101 is outside 0..100"},
		{"player_sync.armor_101", "player_sync", "frame.armor", uint8(101), "frame.armor at byte 50: 101 is outside 0..100"},
		{"player_sync.carrier_offset_far", "player_sync", "frame.carrier_offset[0]", int16(5001), "frame.carrier_offset at byte 57: [5001 125 5000] is not within ±5000"},
		{"player_sync.offset_without_carrier", "player_sync", "frame.carrier", uint32(0), "carrier_offset is 0 when seated or without a carrier"},
		{"player_sync.seated_without_carrier", "player_sync_seated", "frame.carrier", uint32(0), "seated without a carrier"},
		{"player_sync.seated_with_offset", "player_sync_seated", "frame.carrier_offset[1]", int16(1), "carrier_offset is 0 when seated"},
		{"player_sync.too_long", "player_sync", "end", uint8(0), "PlayerSync: 64 bytes instead of 63"},
		{"remote_player_sync.player_id_none", "remote_player_sync", "player_id", uint16(p.NoPlayer), "player_id at byte 1: 65535 is outside"},
		{"remote_player_sync.player_token_zero", "remote_player_sync", "player_token", uint32(0), "player_token at byte 3: must not be 0"},
		{"remote_player_sync.offset_without_carrier", "remote_player_sync", "frame.carrier", uint32(0), "without a carrier"},
	}
}
