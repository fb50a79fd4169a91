package samples

import (
	"math"
	"slices"

	p "darqline/protocol"
)

var minusZero = float32(math.Copysign(0, -1))

func vehiclesInvalid() []Invalid {
	return slices.Concat(vehicleSyncInvalid(), vehicleStateInvalid(), vehicleSeatsInvalid(), vehicleDamageInvalid(),
		vehicleShotInvalid(), vehicleLinksInvalid(), vehicleTuningInvalid(), vehicleTransformInvalid())
}

func vehicleSyncInvalid() []Invalid {
	return []Invalid{
		{"vehicle_sync.vehicle_id_zero", "vehicle_sync", "vehicle_id", uint32(0), "vehicle_id at byte 5: must not be 0"},
		{"vehicle_sync.op_2", "vehicle_sync", "op", uint8(2), "op at byte 9: 2 is outside 0..1"},
		{"vehicle_sync.model_399", "vehicle_sync", "model", uint16(399), "model at byte 10: 399 is outside 400..611"},
		{"vehicle_sync.model_612", "vehicle_sync", "model", uint16(612), "612 is outside 400..611"},
		{"vehicle_sync.status_2", "vehicle_sync", "status", uint8(2), "status at byte 12: 2 is outside 0..1"},
		{"vehicle_sync.authority_zero", "vehicle_sync", "authority", uint32(0), "authority at byte 14: must not be 0"},
		{"vehicle_sync.state_bad", "vehicle_sync", "state.position", nan, "state.position at byte 22: (NaN"},
		{"vehicle_sync.params_bad", "vehicle_sync", "params.windows", uint8(16), "params.windows at byte 105: bits 0x10"},
		{"vehicle_sync.parts_bad", "vehicle_sync", "parts.panels", uint8(4), "parts.panels[0] at byte 107: 4 is outside 0..3"},
		{"vehicle_sync.tuning_bad", "vehicle_sync", "tuning.upgrades[0]", uint16(1193), "upgrades[0]: component 1193 belongs into slot 15, rear_bumper"},
		{"vehicle_sync.colors_bad", "vehicle_sync", "colors.headlights+3", uint8(254), "headlights have alpha 255"},
		{"vehicle_sync.removal_with_model", "vehicle_sync_remove", "model", uint16(562), "model at byte 10: must be 0 where the thing is removed"},
		{"vehicle_sync.removal_with_authority", "vehicle_sync_remove", "authority", uint32(12), "authority at byte 14: must be 0 where the thing is removed"},
		{"vehicle_sync.removal_with_state", "vehicle_sync_remove", "state.rail", minusZero, "state.rail at byte 93: must be 0 where the thing is removed"},
		{"vehicle_sync.removal_with_colors", "vehicle_sync_remove", "colors.headlights+3", uint8(255), "colors.headlights at byte 175: must be 0 where the thing is removed"},
		{"vehicle_syncer.vehicle_id_zero", "vehicle_syncer", "vehicle_id", uint32(0), "vehicle_id at byte 5: must not be 0"},
		{"vehicle_syncer.authority_zero", "vehicle_syncer", "authority", uint32(0), "authority at byte 9: must not be 0"},
		{"vehicle_syncer.role_5", "vehicle_syncer", "role", uint8(5), "role at byte 13: 5 is outside 0..4"},
		{"vehicle_params.vehicle_id_zero", "vehicle_params", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_params.flag_0x4000", "vehicle_params", "params.flags", uint16(0x4000), "params.flags at byte 9: bits 0x4000 are not defined"},
		{"vehicle_params.flag_0x8000", "vehicle_params", "params.flags", uint16(0x8000), "bits 0x8000 are not defined"},
		{"vehicle_params.windows_16", "vehicle_params", "params.windows", uint8(16), "params.windows at byte 17: bits 0x10 are not defined"},
		{"vehicle_control.vehicle_id_zero", "vehicle_control", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_control.control_16", "vehicle_control", "control", uint8(16), "control at byte 17: 16 is outside 0..15"},
		{"vehicle_control.siren_2", "vehicle_control_siren", "value", uint8(2), "value 2: siren is 0 or 1"},
		{"vehicle_control.window_200", "vehicle_control", "control", uint8(12), "value 200: window is 0 or 1"},
	}
}

// vehicleStateInvalid is the rules of VehicleState, in the frame of the owner,
// and those of both frames.
func vehicleStateInvalid() []Invalid {
	return []Invalid{
		{"vehicle_frame.vehicle_id_zero", "vehicle_frame", "vehicle_id", uint32(0), "vehicle_id at byte 9: must not be 0"},
		{"vehicle_frame.authority_zero", "vehicle_frame", "authority", uint32(0), "authority at byte 13: must not be 0"},
		{"vehicle_frame.position_nan", "vehicle_frame", "state.position", nan, "state.position at byte 21: (NaN, -1688.5, 13.75) is not within ±20000"},
		{"vehicle_frame.position_far", "vehicle_frame", "state.position+8", float32(20000.5), "is not within ±20000"},
		{"vehicle_frame.rotation_nan", "vehicle_frame", "state.rotation", nan, "state.rotation at byte 33: a rotation has length 1, not NaN"},
		{"vehicle_frame.rotation_infinite", "vehicle_frame", "state.rotation", inf, "a rotation has length 1, not +Inf"},
		{"vehicle_frame.rotation_short", "vehicle_frame", "state.rotation", p.Quat{W: 0.98}, "a rotation has length 1, not 0.98"},
		{"vehicle_frame.rotation_long", "vehicle_frame", "state.rotation", p.Quat{W: 1.02}, "a rotation has length 1, not 1.0199"},
		{"vehicle_frame.velocity_nan", "vehicle_frame", "state.velocity+4", nan, "state.velocity at byte 49: (12.5, NaN, 0.5) is not finite"},
		{"vehicle_frame.velocity_infinite", "vehicle_frame", "state.velocity", -inf, "(-Inf, -31.25, 0.5) is not finite"},
		{"vehicle_frame.turn_velocity_nan", "vehicle_frame", "state.turn_velocity+8", nan, "state.turn_velocity at byte 61"},
		{"vehicle_frame.health_nan", "vehicle_frame", "state.health", nan, "state.health at byte 73: NaN is not a finite number"},
		{"vehicle_frame.health_high", "vehicle_frame", "state.health", float32(1000.5), "1000.5 is outside 0..1000"},
		{"vehicle_frame.health_low", "vehicle_frame", "state.health", float32(-0.5), "-0.5 is outside 0..1000"},
		{"vehicle_frame.steer_least", "vehicle_frame", "state.steer", int8(-128), "state.steer at byte 78: -128 is outside -127..127"},
		{"vehicle_frame.pitch_least", "vehicle_frame", "state.pitch", int8(-128), "state.pitch at byte 79: -128 is outside"},
		{"vehicle_frame.rudder_least", "vehicle_frame", "state.rudder", int8(-128), "state.rudder at byte 80: -128 is outside"},
		{"vehicle_frame.aux_least", "vehicle_frame", "state.aux", int8(-128), "state.aux at byte 81: -128 is outside"},
		{"vehicle_frame.flag_0x2000", "vehicle_frame", "state.flags", uint16(0x2000), "state.flags at byte 84: bits 0x2000 are not defined"},
		{"vehicle_frame.flag_0x8000", "vehicle_frame", "state.flags", uint16(0x8000), "bits 0x8000 are not defined"},
		{"vehicle_frame.misc_20001", "vehicle_frame", "state.misc", uint16(20001), "state.misc at byte 86: 20001 is outside 0..20000"},
		{"vehicle_frame.turret_yaw_high", "vehicle_frame", "state.turret_yaw", int16(18001), "state.turret_yaw at byte 88: 18001 is outside -18000..18000"},
		{"vehicle_frame.turret_pitch_low", "vehicle_frame", "state.turret_pitch", int16(-9001), "state.turret_pitch at byte 90: -9001 is outside -9000..9000"},
		{"vehicle_frame.rail_low", "vehicle_frame", "state.rail", float32(-1), "state.rail at byte 92: -1 is outside 0..21845"},
		{"vehicle_frame.rail_high", "vehicle_frame", "state.rail", float32(21845.5), "21845.5 is outside 0..21845"},
		{"vehicle_frame.rail_nan", "vehicle_frame", "state.rail", nan, "NaN is not a finite number"},
		{"vehicle_frame.too_long", "vehicle_frame", "", uint8(0), "VehicleFrame: 97 bytes instead of 96"},
		{"remote_vehicle_frame.vehicle_id_zero", "remote_vehicle_frame", "vehicle_id", uint32(0), "vehicle_id at byte 1: must not be 0"},
		{"remote_vehicle_frame.authority_zero", "remote_vehicle_frame", "authority", uint32(0), "authority at byte 5: must not be 0"},
		{"remote_vehicle_frame.position_infinite", "remote_vehicle_frame", "state.position", inf, "state.position at byte 13: (+Inf"},
		{"remote_vehicle_frame.steer_least", "remote_vehicle_frame", "state.steer", int8(-128), "-128 is outside"},
	}
}

func vehicleSeatsInvalid() []Invalid {
	return []Invalid{
		{"vehicle_enter.vehicle_id_zero", "vehicle_enter", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_enter.seat_9", "vehicle_enter", "seat", uint8(9), "seat at byte 17: 9 is not one of 0..8, 255"},
		{"vehicle_enter.seat_254", "vehicle_enter", "seat", uint8(254), "254 is not one of"},
		{"vehicle_enter.any_seat_seated", "vehicle_enter", "seat", uint8(p.AnySeat), "seat 255 is for a request"},
		{"vehicle_enter.any_seat_abandoned", "vehicle_enter_any", "phase", p.EnterAbandoned, "seat 255 is for a request"},
		{"vehicle_enter.phase_3", "vehicle_enter", "phase", uint8(3), "phase at byte 18: 3 is outside 0..2"},
		{"vehicle_enter.door_4", "vehicle_enter", "door", uint8(4), "door at byte 19: 4 is not one of 0..3, 255"},
		{"vehicle_exit.vehicle_id_zero", "vehicle_exit", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_exit.phase_3", "vehicle_exit", "phase", uint8(3), "phase at byte 17: 3 is outside 0..2"},
		{"vehicle_exit.how_1", "vehicle_exit", "how", uint8(1), "how at byte 18: 1 is not one of 0, 2, 5"},
		{"vehicle_exit.how_6", "vehicle_exit", "how", uint8(6), "6 is not one of 0, 2, 5"},
		{"vehicle_exit.fell_in_request", "vehicle_exit_fell", "phase", p.ExitRequest, "how 5 is for phase 1"},
		{"vehicle_exit.fell_abandoned", "vehicle_exit_fell", "phase", p.ExitAbandoned, "how 5 is for phase 1"},
		{"vehicle_occupancy.vehicle_id_zero", "vehicle_occupancy", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_occupancy.player_id_none", "vehicle_occupancy", "player_id", uint16(p.NoPlayer), "player_id at byte 9: 65535 is outside"},
		{"vehicle_occupancy.player_token_zero", "vehicle_occupancy", "player_token", uint32(0), "player_token at byte 11: must not be 0"},
		{"vehicle_occupancy.seat_9", "vehicle_occupancy", "seat", uint8(9), "seat at byte 15: 9 is outside 0..8"},
		{"vehicle_occupancy.phase_5", "vehicle_occupancy", "phase", uint8(5), "phase at byte 16: 5 is outside 0..4"},
		{"vehicle_occupancy.how_6", "vehicle_occupancy", "how", uint8(6), "how at byte 17: 6 is outside 0..5"},
		{"vehicle_occupancy.reason_6", "vehicle_occupancy_refused", "how", uint8(6), "how at byte 17: 6 is outside 0..5"},
		{"vehicle_occupancy.door_254", "vehicle_occupancy", "door", uint8(254), "door at byte 18: 254 is not one of 0..3, 255"},
	}
}

func vehicleDamageInvalid() []Invalid {
	return []Invalid{
		{"vehicle_explode.vehicle_id_zero", "vehicle_explode", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_explode.authority_zero", "vehicle_explode", "authority", uint32(0), "authority at byte 17: must not be 0"},
		{"vehicle_explode.cause_script", "vehicle_explode", "cause", p.DeathScript, "cause at byte 21: 0 is outside 1..3"},
		{"vehicle_explode.cause_4", "vehicle_explode", "cause", uint8(4), "4 is outside 1..3"},
		{"vehicle_explode.killer_without_token", "vehicle_explode", "killer_token", uint32(0), "killer_token 0 is nobody's"},
		{"vehicle_explode.token_without_killer", "vehicle_explode", "killer_id", uint16(p.NoPlayer), "killer_id 65535"},
		{"vehicle_explode.weapon_19", "vehicle_explode", "weapon", uint8(19), "weapon at byte 28: 19 is not one of 0..18, 22..46, 48..54, 255"},
		{"vehicle_explode.weapon_47", "vehicle_explode", "weapon", uint8(47), "47 is not one of"},
		{"vehicle_explode.weapon_55", "vehicle_explode", "weapon", uint8(55), "55 is not one of"},
		{"vehicle_death.vehicle_id_zero", "vehicle_death", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_death.cause_4", "vehicle_death", "cause", uint8(4), "cause at byte 9: 4 is outside 0..3"},
		{"vehicle_death.killer_without_token", "vehicle_death", "killer_token", uint32(0), "killer_token 0 is nobody's"},
		{"vehicle_death.token_without_killer", "vehicle_death", "killer_id", uint16(p.NoPlayer), "killer_id 65535"},
		{"vehicle_death.weapon_21", "vehicle_death", "weapon", uint8(21), "weapon at byte 16: 21 is not one of"},
		{"vehicle_death.position_far", "vehicle_death", "position", float32(-20000.5), "position at byte 17: (-20000.5"},
		{"vehicle_damage.vehicle_id_zero", "vehicle_damage", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_damage.authority_zero", "vehicle_damage", "authority", uint32(0), "authority at byte 17: must not be 0"},
		{"vehicle_damage.panel_4", "vehicle_damage", "parts.panels+6", uint8(4), "parts.panels[6] at byte 28: 4 is outside 0..3"},
		{"vehicle_damage.door_5", "vehicle_damage", "parts.doors+5", uint8(5), "parts.doors[5] at byte 34: 5 is outside 0..4"},
		{"vehicle_damage.lights_16", "vehicle_damage", "parts.lights", uint8(16), "parts.lights at byte 35: bits 0x10 are not defined"},
		{"vehicle_damage.tyre_3", "vehicle_damage", "parts.tyres+3", uint8(3), "parts.tyres[3] at byte 39: 3 is outside 0..2"},
		{"remote_vehicle_damage.vehicle_id_zero", "remote_vehicle_damage", "vehicle_id", uint32(0), "must not be 0"},
		{"remote_vehicle_damage.panel_4", "remote_vehicle_damage", "parts.panels", uint8(4), "parts.panels[0] at byte 10: 4 is outside 0..3"},
		{"remote_vehicle_damage.door_5", "remote_vehicle_damage", "parts.doors", uint8(5), "5 is outside 0..4"},
		{"remote_vehicle_damage.lights_16", "remote_vehicle_damage", "parts.lights", uint8(16), "bits 0x10"},
		{"remote_vehicle_damage.tyre_3", "remote_vehicle_damage", "parts.tyres", uint8(3), "3 is outside 0..2"},
		{"vehicle_health.vehicle_id_zero", "vehicle_health", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_health.health_low", "vehicle_health", "health", float32(-1), "health at byte 9: -1 is outside 0..1000"},
		{"vehicle_health.health_high", "vehicle_health", "health", float32(1001), "1001 is outside 0..1000"},
		{"vehicle_health.health_nan", "vehicle_health", "health", nan, "NaN is not a finite number"},
	}
}

func vehicleShotInvalid() []Invalid {
	return []Invalid{
		{"vehicle_shot.vehicle_id_zero", "vehicle_shot", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_shot.weapon_6", "vehicle_shot", "weapon", uint8(6), "weapon at byte 17: 6 is outside 0..5"},
		{"vehicle_shot.rounds_zero", "vehicle_shot", "rounds", uint8(0), "rounds at byte 18: 0 is outside 1..10"},
		{"vehicle_shot.rounds_11", "vehicle_shot", "rounds", uint8(11), "11 is outside 1..10"},
		{"vehicle_shot.rockets_7", "vehicle_shot", "weapon", p.VehicleRocket, "rounds 7: a rocket has 1..2"},
		{"vehicle_shot.missiles_2", "vehicle_shot_missile", "rounds", uint8(2), "rounds 2: a missile has 1..1"},
		{"vehicle_shot.origin_far", "vehicle_shot", "origin", float32(20001), "origin at byte 19: (20001"},
		{"vehicle_shot.direction_short", "vehicle_shot", "direction", p.Vec3{X: 0.98}, "direction at byte 31: a direction has length 1, not 0.98"},
		{"vehicle_shot.direction_zero", "vehicle_shot", "direction", p.Vec3{}, "a direction has length 1, not 0"},
		{"vehicle_shot.direction_nan", "vehicle_shot", "direction", nan, "direction at byte 31: (NaN, -0.6, 0.64) is not finite"},
		{"vehicle_shot.target_of_gun", "vehicle_shot", "target", uint32(other), "target is for a homing missile"},
		{"remote_vehicle_shot.vehicle_id_zero", "remote_vehicle_shot", "vehicle_id", uint32(0), "must not be 0"},
		{"remote_vehicle_shot.player_id_none", "remote_vehicle_shot", "player_id", uint16(p.NoPlayer), "player_id at byte 9: 65535 is outside"},
		{"remote_vehicle_shot.player_token_zero", "remote_vehicle_shot", "player_token", uint32(0), "player_token at byte 11: must not be 0"},
		{"remote_vehicle_shot.weapon_6", "remote_vehicle_shot", "weapon", uint8(6), "weapon at byte 15: 6 is outside 0..5"},
		{"remote_vehicle_shot.rounds_2", "remote_vehicle_shot", "rounds", uint8(2), "rounds 2: a missile has 1..1"},
		{"remote_vehicle_shot.direction_long", "remote_vehicle_shot", "direction", p.Vec3{Z: -1.02}, "a direction has length 1, not 1.0199"},
		{"remote_vehicle_shot.target_of_bomb", "remote_vehicle_shot", "weapon", p.VehicleBomb, "target is for a homing missile"},
	}
}

func vehicleLinksInvalid() []Invalid {
	return []Invalid{
		{"vehicle_tow.vehicle_id_zero", "vehicle_tow", "vehicle_id", uint32(0), "vehicle_id at byte 13: must not be 0"},
		{"vehicle_tow.trailer_id_zero", "vehicle_tow", "trailer_id", uint32(0), "trailer_id at byte 17: must not be 0"},
		{"vehicle_tow.itself", "vehicle_tow", "trailer_id", uint32(car), "vehicle_id 90210 cannot hang on itself"},
		{"vehicle_tow.attached_2", "vehicle_tow", "attached", uint8(2), "attached at byte 21: a bool is 0 or 1, not 2"},
		{"vehicle_trailer.vehicle_id_zero", "vehicle_trailer", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_trailer.trailer_id_zero", "vehicle_trailer", "trailer_id", uint32(0), "must not be 0"},
		{"vehicle_trailer.itself", "vehicle_trailer", "vehicle_id", uint32(other), "vehicle_id 90211 cannot hang on itself"},
		{"vehicle_trailer.attached_2", "vehicle_trailer", "attached", uint8(2), "a bool is 0 or 1, not 2"},
		{"vehicle_winch.vehicle_id_zero", "vehicle_winch", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_winch.load_id_zero", "vehicle_winch", "load_id", uint32(0), "load_id at byte 17: must not be 0"},
		{"vehicle_winch.itself", "vehicle_winch", "load_id", uint32(car), "vehicle_id 90210 cannot hang on itself"},
		{"vehicle_winch.attached_2", "vehicle_winch", "attached", uint8(2), "a bool is 0 or 1, not 2"},
		{"vehicle_lift.vehicle_id_zero", "vehicle_lift", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_lift.winch_4", "vehicle_lift", "winch", uint8(4), "winch at byte 9: 4 is outside 0..3"},
		{"vehicle_lift.load_without_winch", "vehicle_lift", "winch", p.WinchNone, "a load without a winch"},
		{"vehicle_lift.itself", "vehicle_lift", "load_id", uint32(car), "vehicle_id 90210 cannot hang on itself"},
		{"vehicle_remote.vehicle_id_zero", "vehicle_remote", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_remote.player_id_none", "vehicle_remote", "player_id", uint16(p.NoPlayer), "player_id at byte 9: 65535 is outside"},
		{"vehicle_remote.player_token_zero", "vehicle_remote", "player_token", uint32(0), "player_token at byte 11: must not be 0"},
		{"vehicle_remote.active_2", "vehicle_remote", "active", uint8(2), "active at byte 15: a bool is 0 or 1, not 2"},
		{"vehicle_remote_exit.vehicle_id_zero", "vehicle_remote_exit", "vehicle_id", uint32(0), "vehicle_id at byte 13: must not be 0"},
		{"vehicle_remote_enter.vehicle_id_zero", "vehicle_remote_enter", "vehicle_id", uint32(0), "vehicle_id at byte 13: must not be 0"},
		{"train_state.vehicle_id_zero", "train_state", "vehicle_id", uint32(0), "must not be 0"},
		{"train_state.authority_zero", "train_state", "authority", uint32(0), "authority at byte 9: must not be 0"},
		{"train_state.track_4", "train_state", "track", uint8(4), "track at byte 13: 4 is outside 0..3"},
		{"train_state.flag_4", "train_state", "flags", uint8(4), "flags at byte 14: bits 0x4 are not defined"},
		{"train_state.rail_high", "train_state", "rail", float32(21846), "rail at byte 15: 21846 is outside -1..21845"},
		{"train_state.rail_between", "train_state", "rail", float32(-0.5), "rail -0.5 is neither -1 nor within 0..21845"},
		{"train_state.speed_high", "train_state", "speed", float32(100.5), "speed at byte 19: 100.5 is outside -100..100"},
		{"train_state.speed_nan", "train_state", "speed", nan, "NaN is not a finite number"},
		{"train_state.count_9", "train_state_full", "count", uint8(9), "count at byte 23: 9 is outside 0..8"},
		{"train_state.carriage_zero", "train_state", "carriages[1]", uint32(0), "carriages[1] at byte 28: must not be 0"},
		{"train_state.carriage_behind_count", "train_state", "rest of carriages+16", uint32(308), "carriages at byte 52: a byte that must be zero is not"},
	}
}

func vehicleTuningInvalid() []Invalid {
	return []Invalid{
		{"vehicle_tuning.vehicle_id_zero", "vehicle_tuning", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_tuning.component_999", "vehicle_tuning", "tuning.upgrades[0]", uint16(999), "tuning.upgrades[0] at byte 9: 999 is neither 0 nor within 1000..1193"},
		{"vehicle_tuning.component_1194", "vehicle_tuning", "tuning.upgrades[16]", uint16(1194), "1194 is neither 0 nor within"},
		{"vehicle_tuning.wrong_slot", "vehicle_tuning", "tuning.upgrades[12]", uint16(1010), "upgrades[12]: component 1010 belongs into slot 8, nitro"},
		{"vehicle_tuning.slot_11", "vehicle_tuning", "tuning.upgrades[11]", uint16(1098), "upgrades[11]: component 1098 belongs into slot 12, wheels"},
		{"vehicle_tuning.paintjob_3", "vehicle_tuning", "tuning.paintjob", uint8(3), "tuning.paintjob at byte 43: 3 is not one of 0..2, 255"},
		{"vehicle_tuning.variant_6", "vehicle_tuning", "tuning.variants+1", uint8(6), "tuning.variants[1] at byte 45: 6 is not one of 0..5, 255"},
		{"vehicle_tuning.plate_lower_case", "vehicle_tuning", "tuning.plate", "l", "tuning.plate at byte 46: 'l' is not of A-Z 0-9 space"},
		{"vehicle_tuning.plate_not_terminated", "vehicle_tuning", "tuning.plate+8", "B", "tuning.plate at byte 46: not NUL-terminated"},
		{"vehicle_tuning.plate_behind_nul", "vehicle_tuning", "tuning.plate+3", uint8(0), "tuning.plate at byte 50: a byte that must be zero is not"},
		{"vehicle_colors.vehicle_id_zero", "vehicle_colors", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_colors.headlights_clear", "vehicle_colors", "colors.headlights", p.RGBA{}, "headlights have alpha 255"},
		{"vehicle_handling.vehicle_id_zero", "vehicle_handling", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_handling.mass_zero", "vehicle_handling", "floats[0]", float32(0), "mass: 0 is outside 1..100000"},
		{"vehicle_handling.center_of_mass_far", "vehicle_handling", "floats[5]", float32(10.5), "center_of_mass: 10.5 is outside -10..10"},
		{"vehicle_handling.inertia_zero", "vehicle_handling", "floats[11]", float32(0), "inertia is not 0"},
		{"vehicle_handling.seat_offset_low", "vehicle_handling", "floats[23]", float32(-20.5), "seat_offset: -20.5 is outside -20..20"},
		{"vehicle_handling.float_nan", "vehicle_handling", "floats[9]", nan, "floats[9] at byte 49: NaN is not a finite number"},
		{"vehicle_handling.submerged_zero", "vehicle_handling", "bytes", uint8(0), "submerged: 0 is outside 1..255"},
		{"vehicle_handling.drive_3", "vehicle_handling", "bytes+2", uint8(3), "drive: 3 is outside 0..2"},
		{"vehicle_handling.anim_group_30", "vehicle_handling", "bytes+7", uint8(30), "anim_group: 30 is outside 0..29"},
		{"vehicle_handling.handling_flags_bit_28", "vehicle_handling", "bits[1]", uint32(1 << 28), "handling_flags: 268435456 is outside 0..268435455"},
		{"vehicle_handling.suspension_flat", "vehicle_handling", "floats[19]", float32(0.3125), "suspension_upper and suspension_lower are not the same"},
		{"vehicle_handling.unset_float", "vehicle_handling_stock", "floats[12]", float32(11.5), "brake is set and mask has no bit 14"},
		{"vehicle_handling.unset_minus_zero", "vehicle_handling_stock", "floats[12]+3", uint8(0x80), "brake is set and mask has no bit 14"},
		{"vehicle_handling.unset_vector", "vehicle_handling_stock", "floats[4]", float32(1), "center_of_mass is set and mask has no bit 3"},
		{"vehicle_handling.unset_bits", "vehicle_handling_stock", "bits[0]", uint32(1), "model_flags is set and mask has no bit 27"},
		{"vehicle_handling.unset_byte", "vehicle_handling_stock", "bytes+6", uint8(1), "tail_light is set and mask has no bit 30"},
	}
}

func vehicleTransformInvalid() []Invalid {
	return []Invalid{
		{"vehicle_transform.vehicle_id_zero", "vehicle_transform", "vehicle_id", uint32(0), "must not be 0"},
		{"vehicle_transform.authority_zero", "vehicle_transform", "authority", uint32(0), "authority at byte 9: must not be 0"},
		{"vehicle_transform.mask_zero", "vehicle_transform_velocity", "mask", uint8(0), "mask at byte 13: 0 is outside 1..31"},
		{"vehicle_transform.mask_32", "vehicle_transform", "mask", uint8(32), "32 is outside 1..31"},
		{"vehicle_transform.position_far", "vehicle_transform", "position", float32(20001), "position at byte 15: (20001"},
		{"vehicle_transform.rotation_short", "vehicle_transform", "rotation", p.Quat{W: 0.9}, "rotation at byte 27: a rotation has length 1"},
		{"vehicle_transform.velocity_nan", "vehicle_transform", "velocity", nan, "velocity at byte 43: (NaN"},
		{"vehicle_transform.turn_velocity_infinite", "vehicle_transform", "turn_velocity", inf, "turn_velocity at byte 55: (+Inf"},
		{"vehicle_transform.position_outside_mask", "vehicle_transform", "mask", uint8(31 &^ p.TransformPosition), "position is set and mask has no position"},
		{"vehicle_transform.rotation_outside_mask", "vehicle_transform", "mask", uint8(31 &^ p.TransformRotation), "rotation is not 0 0 0 1 and mask has no rotation"},
		{"vehicle_transform.velocity_outside_mask", "vehicle_transform", "mask", uint8(31 &^ p.TransformVelocity), "velocity is set and mask has no velocity"},
		{"vehicle_transform.minus_zero_outside_mask", "vehicle_transform_velocity", "position+3", uint8(0x80), "position is set and mask has no position"},
		{"vehicle_transform.turn_velocity_outside_mask", "vehicle_transform", "mask", uint8(31 &^ p.TransformTurnVelocity), "turn_velocity is set and mask has no turn_velocity"},
		{"vehicle_transform.interior_outside_mask", "vehicle_transform", "mask", uint8(31 &^ p.TransformInterior), "interior is set and mask has no interior"},
	}
}
