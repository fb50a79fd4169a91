package samples

import (
	"slices"
	"strings"

	p "darqline/protocol"
)

func worldInvalid() []Invalid {
	return slices.Concat(pickupsInvalid(), clockInvalid(), markersInvalid(), mapInvalid(), objectsInvalid(), materialsInvalid(), colshapesInvalid())
}

// emptyLabel is the fields of a Label3D from present on that a removal can be
// made a label with.
type emptyLabel struct {
	Present      bool
	Color        p.RGBA
	DrawDistance float32
}

// outline is the fields of a ColshapeShape from kind on that rule its points.
type outline struct {
	Kind           p.ColshapeKind
	Color          p.RGBA
	Attachment     p.Attachment
	Position, Size p.Vec3
}

func pickupsInvalid() []Invalid {
	return []Invalid{
		{"pickup_sync.count_zero", "pickup_sync", "count", uint8(0), "count at byte 5: 0 is outside 1..40"},
		{"pickup_sync.count_41", "pickup_sync_full", "count", uint8(41), "41 is outside 1..40"},
		{"pickup_sync.count_too_many", "pickup_sync", "count", uint8(4), "entries[3].pickup_id at byte 81: the packet ends here"},
		{"pickup_sync.count_too_few", "pickup_sync", "count", uint8(2), "end at byte 56: 25 bytes too many"},
		{"pickup_sync.pickup_id_zero", "pickup_sync", "entries[0].pickup_id", uint32(0), "entries[0].pickup_id at byte 6: must not be 0"},
		{"pickup_sync.pickup_id_twice", "pickup_sync", "entries[2].pickup_id", uint32(501), "entries[2]: id 501 stands there twice"},
		{"pickup_sync.op_3", "pickup_sync", "entries[0].op", uint8(3), "entries[0].op at byte 10: 3 is outside 0..2"},
		{"pickup_sync.model_320", "pickup_sync", "entries[0].model", uint16(320), "entries[0].model at byte 11: 320 is outside 321..19999"},
		{"pickup_sync.model_20000", "pickup_sync", "entries[0].model", uint16(20000), "20000 is outside"},
		{"pickup_sync.model_of_vehicle", "pickup_sync", "entries[1].model", uint16(411), "entries[1]: model 411 is not of 321..19999 without 400..611"},
		{"pickup_sync.taker_3", "pickup_sync", "entries[0].taker", uint8(3), "entries[0].taker at byte 13: 3 is outside 0..2"},
		{"pickup_sync.flag_2", "pickup_sync", "entries[0].flags", uint8(2), "entries[0].flags at byte 14: bits 0x2 are not defined"},
		{"pickup_sync.position_far", "pickup_sync", "entries[0].position", float32(20001), "entries[0].position at byte 15"},
		{"pickup_sync.radius_low", "pickup_sync", "entries[0].radius", float32(0.25), "entries[0].radius at byte 27: 0.25 is outside 0.5..10"},
		{"pickup_sync.radius_high", "pickup_sync", "entries[0].radius", float32(10.5), "10.5 is outside 0.5..10"},
		{"pickup_sync.radius_nan", "pickup_sync", "entries[0].radius", nan, "NaN is not a finite number"},
		{"pickup_sync.removal_with_model", "pickup_sync", "entries[2].model", uint16(1247), "entries[2].model at byte 61: must be 0 where the thing is removed"},
		{"pickup_sync.taken_with_radius", "pickup_sync_taken", "entries[0].radius", float32(1), "entries[0].radius at byte 27: must be 0 where the thing is removed"},
		{"pickup_touch.pickup_id_zero", "pickup_touch", "pickup_id", uint32(0), "pickup_id at byte 13: must not be 0"},
	}
}

// clockInvalid is of the packets that are about no entity.
func clockInvalid() []Invalid {
	return []Invalid{
		{"set_time.hour_24", "set_time", "hour", uint8(24), "hour at byte 5: 24 is outside 0..23"},
		{"set_time.minute_60", "set_time", "minute", uint8(60), "minute at byte 6: 60 is outside 0..59"},
		{"set_time.second_60", "set_time", "second", uint8(60), "second at byte 7: 60 is outside 0..59"},
		{"set_weather.blend_long", "set_weather_blend", "blend_ms", uint32(3_600_001), "blend_ms at byte 7: 3600001 is outside 0..3600000"},
		{"set_weather.elapsed_past_blend", "set_weather_blend", "elapsed_ms", uint32(3_600_001), "elapsed_ms 3600001 is past blend_ms 3600000"},
		{"set_weather.no_blend", "set_weather", "to", uint8(8), "without a blend from and to are the same"},
		{"run_clock.running_2", "run_clock", "running", uint8(2), "running at byte 5: a bool is 0 or 1, not 2"},
		{"run_clock.minute_short", "run_clock", "minute_ms", uint32(49), "minute_ms at byte 6: 49 is outside 50..3600000"},
		{"run_clock.minute_long", "run_clock", "minute_ms", uint32(3_600_001), "3600001 is outside 50..3600000"},
		{"garage_doors.instant_2", "garage_doors", "instant", uint8(2), "instant at byte 5: a bool is 0 or 1"},
		{"garage_doors.garage_50", "garage_doors", "open", uint64(1 << 50), "open at byte 6: bits 0x4000000000000 are not defined"},
		{"garage_doors.garage_63", "garage_doors", "open", uint64(1 << 63), "bits 0x8000000000000000 are not defined"},
		{"player_waypoint.present_2", "player_waypoint", "present", uint8(2), "present at byte 13: a bool is 0 or 1"},
		{"player_waypoint.position_far", "player_waypoint", "position", float32(20001), "position at byte 14: (20001"},
		{"player_waypoint.cleared_with_position", "player_waypoint", "present", uint8(0), "position at byte 14: must be 0 where the thing is removed"},
		{"set_waypoint.present_2", "set_waypoint", "present", uint8(2), "present at byte 5: a bool is 0 or 1"},
		{"set_waypoint.position_nan", "set_waypoint", "position", nan, "position at byte 6: (NaN"},
		{"set_waypoint.cleared_with_position", "set_waypoint", "present", uint8(0), "position at byte 6: must be 0 where the thing is removed"},
	}
}

func markersInvalid() []Invalid {
	return []Invalid{
		{"label_3d.label_id_zero", "label_3d", "label_id", uint32(0), "label_id at byte 5: must not be 0"},
		{"label_3d.present_2", "label_3d", "present", uint8(2), "present at byte 9: a bool is 0 or 1"},
		{"label_3d.color_clear", "label_3d", "color+3", uint8(0), "color at byte 10: with alpha 0"},
		{"label_3d.draw_distance_low", "label_3d", "draw_distance", float32(0.5), "draw_distance at byte 14: 0.5 is outside 1..300"},
		{"label_3d.draw_distance_high", "label_3d", "draw_distance", float32(301), "301 is outside 1..300"},
		{"label_3d.flag_4", "label_3d", "flags", uint8(4), "flags at byte 18: bits 0x4 are not defined"},
		{"label_3d.attach_4", "label_3d", "attach", uint8(4), "Label3D: attach at byte 19: 4 is outside 0..3"},
		{"label_3d.id_without_attachment", "label_3d", "attach_id", uint32(car), "attach_id and attach_token are 0 without an attachment"},
		{"label_3d.token_without_attachment", "label_3d", "attach_token", uint32(1), "attach_id and attach_token are 0 without an attachment"},
		{"label_3d.attached_to_nobody", "label_3d_attached", "attach_id", uint32(p.NoPlayer), "is no player"},
		{"label_3d.attached_without_token", "label_3d_attached", "attach_token", uint32(0), "with attach_token 0 is no player"},
		{"label_3d.position_far", "label_3d", "position", float32(-20001), "position at byte 28: (-20001"},
		{"label_3d.text_empty", "label_3d_remove", "present", emptyLabel{Present: true, DrawDistance: 1}, "a label has a text"},
		{"label_3d.text_long", "label_3d_attached", "len", uint16(513), "513 bytes are outside 0..512"},
		{"label_3d.text_17_lines", "label_3d_attached", "text", strings.Repeat("\n", 16), "more than 16 lines"},
		{"label_3d.text_tab", "label_3d", "text", "\t", "text at byte 42: control character U+0009"},
		{"label_3d.text_not_utf8", "label_3d", "text", "\xFF", "byte 0xff is not UTF-8"},
		{"label_3d.removal_with_color", "label_3d_remove", "color+3", uint8(255), "color at byte 10: must be 0 where the thing is removed"},
		{"label_3d.removal_with_text", "label_3d_remove", "len", uint16(1), "len at byte 40: must be 0 where the thing is removed"},
		{"checkpoint.checkpoint_id_zero", "checkpoint", "checkpoint_id", uint32(0), "must not be 0"},
		{"checkpoint.present_2", "checkpoint", "present", uint8(2), "a bool is 0 or 1"},
		{"checkpoint.kind_12", "checkpoint", "kind", uint8(12), "kind at byte 10: 12 is outside 0..11"},
		{"checkpoint.flag_4", "checkpoint", "flags", uint8(4), "flags at byte 43: bits 0x4 are not defined"},
		{"checkpoint.race_without_next", "checkpoint_finish", "kind", p.CheckpointRace, "a checkpoint of this kind has a next"},
		{"checkpoint.air_without_next", "checkpoint_finish", "kind", p.CheckpointAir, "a checkpoint of this kind has a next"},
		{"checkpoint.next_without_flag", "checkpoint_finish", "next+4", float32(1), "next is set and flags have no next"},
		{"checkpoint.next_is_here", "checkpoint", "next", p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75}, "next is where the checkpoint stands"},
		{"checkpoint.radius_low", "checkpoint", "radius", float32(0.25), "radius at byte 35: 0.25 is outside 0.5..200"},
		{"checkpoint.radius_high", "checkpoint", "radius", float32(201), "201 is outside 0.5..200"},
		{"checkpoint.position_far", "checkpoint", "position", float32(20001), "position at byte 11"},
		{"checkpoint.next_far", "checkpoint", "next", float32(20001), "next at byte 23"},
		{"checkpoint.color_clear", "checkpoint", "color+3", uint8(0), "color at byte 39: with alpha 0"},
		{"checkpoint.removal_with_radius", "checkpoint_remove", "radius", float32(1), "radius at byte 35: must be 0 where the thing is removed"},
	}
}

func mapInvalid() []Invalid {
	return []Invalid{
		{"blip.count_zero", "blip", "count", uint8(0), "count at byte 5: 0 is outside 1..30"},
		{"blip.count_31", "blip_batch", "count", uint8(31), "31 is outside 1..30"},
		{"blip.blip_id_zero", "blip", "entries[0].blip_id", uint32(0), "must not be 0"},
		{"blip.blip_id_twice", "blip_batch", "entries[29].blip_id", uint32(8000), "entries[29]: id 8000 stands there twice"},
		{"blip.present_2", "blip", "entries[0].present", uint8(2), "a bool is 0 or 1"},
		{"blip.icon_1", "blip", "entries[0].icon", uint8(1), "entries[0].icon at byte 11: 1 is not one of 0, 3, 5..55, 57..63"},
		{"blip.icon_2", "blip", "entries[0].icon", uint8(2), "2 is not one of"},
		{"blip.icon_4", "blip", "entries[0].icon", uint8(4), "4 is not one of"},
		{"blip.icon_56", "blip", "entries[0].icon", uint8(56), "56 is not one of"},
		{"blip.icon_64", "blip", "entries[0].icon", uint8(64), "64 is not one of"},
		{"blip.size_zero", "blip", "entries[0].size", uint8(0), "entries[0].size at byte 12: 0 is outside 1..8"},
		{"blip.size_9", "blip", "entries[0].size", uint8(9), "9 is outside 1..8"},
		{"blip.show_3", "blip", "entries[0].show", uint8(3), "entries[0].show at byte 13: 3 is outside 0..2"},
		{"blip.color_clear", "blip", "entries[0].color+3", uint8(0), "with alpha 0"},
		{"blip.attach_4", "blip", "entries[0].attach", uint8(4), "entries[0].attach at byte 22: 4 is outside 0..3"},
		{"blip.attached_to_vehicle_zero", "blip", "entries[0].attach_id", uint32(0), "entries[0]: attach_id is 0: no vehicle has it"},
		{"blip.token_of_vehicle", "blip", "entries[0].attach_token", uint32(1), "entries[0]: attach_token is a player's"},
		{"blip.position_nan", "blip", "entries[0].position", nan, "entries[0].position at byte 31"},
		{"blip.removal_with_icon", "blip_batch", "entries[4].icon", uint8(5), "entries[4].icon at byte 159: must be 0 where the thing is removed"},
		{"gang_zone.count_zero", "gang_zone", "count", uint8(0), "count at byte 5: 0 is outside 1..32"},
		{"gang_zone.count_33", "gang_zone", "count", uint8(33), "33 is outside 1..32"},
		{"gang_zone.zone_id_zero", "gang_zone", "entries[1].zone_id", uint32(0), "entries[1].zone_id at byte 37: must not be 0"},
		{"gang_zone.zone_id_twice", "gang_zone", "entries[1].zone_id", uint32(901), "entries[1]: id 901 stands there twice"},
		{"gang_zone.present_2", "gang_zone", "entries[0].present", uint8(2), "a bool is 0 or 1"},
		{"gang_zone.min_x_far", "gang_zone", "entries[0].min_x", float32(-20001), "entries[0].min_x at byte 11: -20001 is outside -20000..20000"},
		{"gang_zone.max_y_nan", "gang_zone", "entries[0].max_y", nan, "NaN is not a finite number"},
		{"gang_zone.x_empty", "gang_zone", "entries[1].max_x", float32(1), "entries[1]: min is not below max on both axes"},
		{"gang_zone.y_reversed", "gang_zone", "entries[1].min_y", float32(5), "entries[1]: min is not below max on both axes"},
		{"gang_zone.flash_without_time", "gang_zone", "entries[0].flash_ms", uint16(0), "entries[0]: flash is set and flash_ms is 0"},
		{"gang_zone.flash_short", "gang_zone", "entries[0].flash_ms", uint16(199), "199 is neither 0 nor within 200..5000"},
		{"gang_zone.flash_long", "gang_zone", "entries[0].flash_ms", uint16(5001), "5001 is neither 0 nor within"},
		{"gang_zone.color_clear", "gang_zone", "entries[0].color+3", uint8(0), "with alpha 0"},
		{"gang_zone.removal_with_max", "gang_zone", "entries[2].max_x", float32(1), "entries[2].max_x at byte 81: must be 0 where the thing is removed"},
	}
}

func objectsInvalid() []Invalid {
	return []Invalid{
		{"object_state.object_id_zero", "object_state", "object_id", uint32(0), "object_id at byte 5: must not be 0"},
		{"object_state.op_3", "object_state", "op", uint8(3), "op at byte 9: 3 is outside 0..2"},
		{"object_state.model_320", "object_state", "model", uint16(320), "model 320 is not of 321..19999 without 400..611"},
		{"object_state.model_of_vehicle", "object_state", "model", uint16(611), "model 611 is not of"},
		{"object_state.model_20000", "object_state", "model", uint16(20000), "model at byte 10: 20000 is outside 0..19999"},
		{"object_state.position_far", "object_state", "position", float32(20001), "position at byte 12"},
		{"object_state.rotation_far", "object_state", "rotation", float32(36001), "rotation at byte 24: (36001, 45.5, 36000) is not within ±36000"},
		{"object_state.scale_zero", "object_state", "scale", float32(0), "scale is within 0.05..20"},
		{"object_state.scale_low", "object_state", "scale", float32(0.04), "scale at byte 36: 0.04 is neither 0 nor within 0.05..20"},
		{"object_state.scale_high", "object_state", "scale", float32(20.5), "20.5 is neither"},
		{"object_state.draw_distance_low", "object_state", "draw_distance", float32(9), "draw_distance 9 is neither 0 nor within 10..3000"},
		{"object_state.draw_distance_high", "object_state", "draw_distance", float32(3001), "draw_distance 3001 is neither"},
		{"object_state.flag_16", "object_state", "flags", uint8(16), "flags at byte 45: bits 0x10 are not defined"},
		{"object_state.attach_4", "object_state", "attach", uint8(4), "attach at byte 46: 4 is outside 0..3"},
		{"object_state.attached_without_token", "object_state", "attach_token", uint32(0), "with attach_token 0 is no player"},
		{"object_state.token_of_object", "object_state", "attach", p.AttachObject, "bone is of a player"},
		{"object_state.bone_19", "object_state", "bone", uint8(19), "bone at byte 55: 19 is outside 0..18"},
		{"object_state.bone_without_player", "object_state_moving", "bone", uint8(1), "bone is of a player that the object is attached to"},
		{"object_state.move_4", "object_state_moving", "move", uint8(4), "move at byte 56: 4 is outside 0..3"},
		{"object_state.move_attached", "object_state", "move", p.MoveOnce, "an attached object does not move"},
		{"object_state.easing_11", "object_state_moving", "easing", uint8(11), "easing at byte 57: 11 is outside 0..10"},
		{"object_state.easing_without_move", "object_state", "easing", p.EaseInQuad, "move is 0 and a field of a move is not"},
		{"object_state.duration_without_move", "object_state", "duration", uint32(50), "move is 0 and a field of a move is not"},
		{"object_state.elapsed_without_move", "object_state", "elapsed", uint32(1), "move is 0 and a field of a move is not"},
		{"object_state.to_position_without_move", "object_state", "to_position", float32(1), "move is 0 and a field of a move is not"},
		{"object_state.to_rotation_without_move", "object_state", "to_rotation+8", float32(1), "move is 0 and a field of a move is not"},
		{"object_state.duration_zero", "object_state_moving", "duration", uint32(0), "duration is within 50..86400000"},
		{"object_state.duration_short", "object_state_moving", "duration", uint32(49), "duration at byte 58: 49 is neither 0 nor within 50..86400000"},
		{"object_state.duration_long", "object_state_moving", "duration", uint32(86_400_001), "86400001 is neither"},
		{"object_state.elapsed_past_way_back", "object_state_moving", "elapsed", uint32(5000), "elapsed 5000 is not below 5000"},
		{"object_state.elapsed_past_way", "object_state_moving", "move", p.MoveOnce, "elapsed 4999 is not below 2500"},
		{"object_state.to_position_far", "object_state_moving", "to_position", float32(20001), "to_position at byte 66"},
		{"object_state.to_rotation_far", "object_state_moving", "to_rotation", float32(-36001), "to_rotation at byte 78"},
		{"object_state.hidden_with_rotation", "object_state_hidden", "rotation+8", float32(1), "hidden buildings have only model, position and draw_distance"},
		{"object_state.hidden_with_scale", "object_state_hidden", "scale", float32(1), "hidden buildings have only"},
		{"object_state.hidden_with_alpha", "object_state_hidden", "alpha", uint8(255), "hidden buildings have only"},
		{"object_state.hidden_with_flags", "object_state_hidden", "flags", uint8(1), "hidden buildings have only"},
		{"object_state.hidden_with_attachment", "object_state_hidden", "attach", p.AttachVehicle, "hidden buildings have only"},
		{"object_state.hidden_with_easing", "object_state_hidden", "easing", p.EaseInQuad, "hidden buildings have only"},
		{"object_state.hidden_radius_zero", "object_state_hidden", "draw_distance", float32(0), "draw_distance, the radius, is within 0.5..6000"},
		{"object_state.hidden_radius_high", "object_state_hidden", "draw_distance", float32(6001), "draw_distance at byte 40: 6001 is neither 0 nor within 0.5..6000"},
		{"object_state.removal_with_model", "object_state_remove", "model", uint16(980), "model at byte 10: must be 0 where the thing is removed"},
		{"object_state.removal_with_count", "object_state_remove", "count", uint8(1), "count at byte 90: must be 0 where the thing is removed"},
	}
}

func materialsInvalid() []Invalid {
	return []Invalid{
		{"object_state.count_17", "object_state_materials", "count", uint8(17), "count at byte 90: 17 is outside 0..16"},
		{"object_state.count_too_few", "object_state_materials", "count", uint8(2), "too many"},
		{"object_state.count_too_many", "object_state_materials", "count", uint8(4), "materials[3].slot at byte 177: the packet ends here"},
		{"object_state.len_other", "object_state_materials", "len", uint16(83), "len at byte 91: it says 83 bytes, 84 follow"},
		{"object_state.slot_16", "object_state_materials", "materials[0].slot", uint8(16), "materials[0].slot at byte 93: 16 is outside 0..15"},
		{"object_state.slot_twice", "object_state_materials", "materials[1].slot", uint8(0), "materials[1]: slot 0 is not above 0, the one before"},
		{"object_state.slot_falling", "object_state_materials", "materials[2].slot", uint8(2), "materials[2]: slot 2 is not above 3"},
		{"object_state.material_type_2", "object_state_materials", "materials[0].type", uint8(2), "materials[0].type at byte 94: 2 is outside 0..1"},
		{"object_state.archive_long", "object_state_materials", "materials[0].archive", uint8(24), "24 bytes are outside 0..23"},
		{"object_state.archive_slash", "object_state_materials", "materials[0].archive+1", "/", "materials[0].archive at byte 102: '/' is not of printable ASCII without / and \\"},
		{"object_state.texture_long", "object_state_materials", "materials[0].texture", uint8(32), "32 bytes are outside 0..31"},
		{"object_state.texture_backslash", "object_state_materials", "materials[0].texture+1", "\\", "is not of printable ASCII"},
		{"object_state.texture_not_ascii", "object_state_materials", "materials[0].texture+1", "é", "is not of printable ASCII"},
		{"object_state.texture_color_clear", "object_state_materials", "materials[0].color+3", uint8(0), "with alpha 0"},
		{"object_state.text_size_14", "object_state_materials", "materials[2].size", uint8(14), "materials[2].size at byte 144: 14 is outside 0..13"},
		{"object_state.text_font_4", "object_state_materials", "materials[2].font", uint8(4), "4 is outside 0..3"},
		{"object_state.font_size_3", "object_state_materials", "materials[2].font_size", uint8(3), "3 is outside 4..200"},
		{"object_state.font_size_201", "object_state_materials", "materials[2].font_size", uint8(201), "201 is outside 4..200"},
		{"object_state.text_style_3", "object_state_materials", "materials[2].style", uint8(3), "3 is not one of 0..2, 4..6"},
		{"object_state.text_style_7", "object_state_materials", "materials[2].style", uint8(7), "7 is not one of"},
		{"object_state.text_long", "object_state_materials", "materials[2].text", uint8(129), "129 bytes are outside 0..128"},
		{"object_state.text_17_lines", "object_state_materials", "materials[2].text+1", strings.Repeat("\n", 16), "more than 16 lines"},
	}
}

func colshapesInvalid() []Invalid {
	return []Invalid{
		{"colshape_shape.colshape_id_zero", "colshape_shape", "colshape_id", uint32(0), "colshape_id at byte 5: must not be 0"},
		{"colshape_shape.present_2", "colshape_shape", "present", uint8(2), "present at byte 9: a bool is 0 or 1"},
		{"colshape_shape.kind_5", "colshape_shape", "kind", uint8(5), "kind at byte 10: 5 is outside 0..4"},
		{"colshape_shape.color_clear", "colshape_shape", "color+3", uint8(0), "color at byte 11: with alpha 0"},
		{"colshape_shape.attach_4", "colshape_shape", "attach", uint8(4), "attach at byte 15: 4 is outside 0..3"},
		{"colshape_shape.attached_to_vehicle_zero", "colshape_shape", "attach_id", uint32(0), "attach_id is 0: no vehicle has it"},
		{"colshape_shape.rectangle_attached", "colshape_shape_rectangle", "attach", p.AttachVehicle, "a rectangle cannot be attached"},
		{"colshape_shape.polygon_attached", "colshape_shape_polygon", "attach", p.AttachVehicle, "a polygon cannot be attached"},
		{"colshape_shape.position_far", "colshape_shape", "position", float32(20001), "position at byte 24"},
		{"colshape_shape.size_far", "colshape_shape", "size", float32(20001), "size at byte 36"},
		{"colshape_shape.heading_360", "colshape_shape", "heading", float32(360), "heading at byte 48: 360 is not a heading"},
		{"colshape_shape.heading_low", "colshape_shape", "heading", float32(-1), "-1 is not a heading"},
		{"colshape_shape.heading_of_sphere", "colshape_shape_sphere", "heading", float32(1), "a sphere has no heading"},
		{"colshape_shape.heading_of_cylinder", "colshape_shape_cylinder", "heading", float32(1), "a cylinder has no heading"},
		{"colshape_shape.heading_of_polygon", "colshape_shape_polygon", "heading", float32(1), "a polygon has no heading"},
		{"colshape_shape.radius_zero", "colshape_shape_sphere", "size", float32(0), "size.x of a sphere is above 0"},
		{"colshape_shape.sphere_with_height", "colshape_shape_sphere", "size+8", float32(1), "size.z of a sphere is 0"},
		{"colshape_shape.depth_low", "colshape_shape", "size+4", float32(-1), "size.y of a cuboid is above 0"},
		{"colshape_shape.cylinder_with_depth", "colshape_shape_cylinder", "size+4", float32(1), "size.y of a cylinder is 0"},
		{"colshape_shape.cylinder_without_height", "colshape_shape_cylinder", "size+8", float32(0), "size.z of a cylinder is above 0"},
		{"colshape_shape.rectangle_with_height", "colshape_shape_rectangle", "size+8", float32(1), "size.z of a rectangle is 0"},
		{"colshape_shape.rectangle_with_z", "colshape_shape_rectangle", "position+8", float32(1), "position.z is 0: a rectangle has any height"},
		{"colshape_shape.polygon_with_x", "colshape_shape_polygon", "position", float32(1), "position of a polygon is 0, 0 and its floor"},
		{"colshape_shape.polygon_with_width", "colshape_shape_polygon", "size", float32(1), "size.x of a polygon is 0"},
		{"colshape_shape.any_height_with_floor", "colshape_shape_polygon", "size+8", float32(0), "a polygon of any height has the floor 0"},
		{"colshape_shape.points_of_sphere", "colshape_shape_polygon", "kind", outline{Kind: p.ColshapeSphere, Size: p.Vec3{X: 1}}, "a sphere has no points"},
		{"colshape_shape.count_65", "colshape_shape_polygon", "count", uint8(65), "count at byte 52: 65 is outside 0..64"},
		{"colshape_shape.count_too_many", "colshape_shape_polygon", "count", uint8(5), "points[4].x at byte 85: the packet ends here"},
		{"colshape_shape.point_far", "colshape_shape_polygon", "points[1].y", float32(20001), "points[1].y at byte 65: 20001 is outside -20000..20000"},
		{"colshape_shape.neighbours_equal", "colshape_shape_polygon", "points[1].x", p.Point{X: 2400, Y: -1700}, "points[0] and its neighbour are the same"},
		{"colshape_shape.first_and_last_equal", "colshape_shape_polygon", "points[3].x", p.Point{X: 2400, Y: -1700}, "points[3] and its neighbour are the same"},
		{"colshape_shape.polygon_without_points", "colshape_shape_cylinder", "kind", outline{Kind: p.ColshapePolygon, Size: p.Vec3{Z: 1}}, "a polygon has 3..64 points, not 0"},
		{"colshape_shape.removal_with_size", "colshape_shape_remove", "size", float32(1), "size at byte 36: must be 0 where the thing is removed"},
	}
}
